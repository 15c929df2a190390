"use strict";
(() => {
  // The first sentence as it is with today's marks; a large recording takes seconds to read.
  const now = document.getElementById("now");
  if (now) {
    fetch(now.dataset.from).then(async (reply) => {
      const [says, counts] = (await reply.text()).split("\n");
      if (!reply.ok || !says) return;
      for (const beside of document.querySelectorAll("[data-now]")) beside.textContent = `Now: ${says} ${counts}`;
      if (says === now.textContent) return;
      const then = document.getElementById("then");
      then.querySelector("span").textContent = now.textContent;
      then.hidden = false;
      now.textContent = says;
    }).catch(() => {});
  }

  const items = [...document.querySelectorAll("main ol > li[tabindex]")];
  const at = () => items.findIndex((item) => item.contains(document.activeElement));
  const go = (number) => {
    const item = items[Math.max(0, Math.min(items.length - 1, number))];
    if (item) { item.focus(); item.scrollIntoView({ block: "nearest" }); }
  };
  // A key that is pressed twice must not do to the next item what was meant for this one.
  let leaving = false;
  document.addEventListener("submit", () => { leaving = true; });
  window.addEventListener("pageshow", () => { leaving = false; });
  document.addEventListener("keydown", (event) => {
    if (leaving) { event.preventDefault(); return; }
    const typing = event.target.matches("input:not([type=radio]), select, textarea");
    if (event.key === "Escape" && typing) event.target.closest("li, body").focus();
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const item = items[at()];
    const edited = item?.querySelector(`[data-edit="${CSS.escape(event.key)}"]`);
    if (event.key === "j") go(at() + 1);
    else if (event.key === "k") go(at() - 1);
    else if (event.key === "Enter" && document.activeElement === item) item?.querySelector("a.open")?.click();
    else if (event.key === "m" && item?.querySelector("details.mark")) {
      const form = item.querySelector("details.mark");
      form.open = true;
      form.querySelector("[name=why]").focus({ preventScroll: true });
      form.scrollIntoView({ block: "nearest" });
    } else if (edited) edited.select();
    else {
      const does = `[data-key="${CSS.escape(event.key)}"]`;
      const keyed = item?.querySelector(does) ?? [...document.querySelectorAll(does)].find((one) => !one.closest("li"));
      if (!keyed) return;
      keyed.click();
    }
    event.preventDefault();
  });
  const first = items.find((item) => item.id && `#${item.id}` === location.hash) ?? items[0];
  first?.focus({ preventScroll: true });
  if (location.hash) first?.scrollIntoView({ block: "nearest" });
})();
