"use strict";
(() => {
  const byId = (id) => document.querySelector(`#${id}`);
  const data = JSON.parse(byId("data").textContent);
  const TIMED = 20; // answers whose median says how long the rest will take
  const SIGNS = 40; // characters that are named below an item
  const prefix = `botattack judge review ${data.review} ${data.reader} `;

  // Each answer has a key of its own: tabs that write at the same time lose nothing.
  const memory = new Map();
  const attempt = (work) => {
    try {
      return work();
    } catch {
      byId("warning").hidden = false;
      return undefined;
    }
  };
  const put = (id, answer) => {
    memory.set(id, answer);
    attempt(() => localStorage.setItem(prefix + id, JSON.stringify(answer)));
  };
  const drop = (id) => {
    memory.delete(id);
    attempt(() => localStorage.removeItem(prefix + id));
  };
  const load = () => attempt(() => {
    const kept = data.items.map((item) => [item.id, JSON.parse(localStorage.getItem(prefix + item.id))]);
    memory.clear();
    for (const [id, answer] of kept) if (answer) memory.set(id, answer);
  });

  let begun = false;
  let saving = false;
  let xray = false;
  let shown = null;
  let undone = {};
  let since = 0;

  const element = (tag, text, name) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (name) made.className = name;
    return made;
  };
  const latin = (text) => {
    const letters = text.match(/\p{L}/gu) ?? [];
    return letters.filter((letter) => letter < "\u0080").length * 2 >= letters.length;
  };
  const code = (sign) => `U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;

  // Characters that cannot be seen as their code points, and in Latin text those of other scripts marked.
  const drawn = (text) => {
    if (!xray) return [text];
    const strange = latin(text);
    return [...text].map((sign) => {
      const [name, unseen] = data.signs[sign] ?? ["", false];
      if (sign === " ") return element("span", "·", "space");
      if (!unseen && !(name && strange)) return sign;
      const hidden = unseen || /\p{M}/u.test(sign);
      const mark = element("mark", hidden ? code(sign) : sign, hidden ? "hidden" : "");
      mark.dir = "ltr"; // so that it does not decide the direction of the text
      mark.title = `${code(sign)} ${name}`;
      return mark;
    });
  };

  const block = ({ head, texts }, lang) => {
    const made = element("section", undefined, "block");
    made.append(element("h2", head));
    for (const { role, text } of texts) {
      const said = element("p", undefined, `said ${role}${texts.length > 1 && role !== "passage" ? " turn" : ""}`);
      said.dir = "auto";
      if (lang) said.lang = lang;
      said.append(...drawn(text));
      made.append(said);
    }
    return made;
  };

  const named = (item) => {
    const every = item.blocks.flatMap(({ texts }) => texts.flatMap(({ text }) => [...text]));
    const counts = new Map();
    for (const sign of every) if (data.signs[sign]) counts.set(sign, (counts.get(sign) ?? 0) + 1);
    const lines = [...counts].slice(0, SIGNS).map(([sign, times]) =>
      element("li", `${code(sign)} ${data.signs[sign][0]}${times > 1 ? ` × ${times}` : ""}`));
    return lines.length ? lines : [element("li", "There are only plain letters, digits and signs here.")];
  };

  const button = (item, value, words, number) => {
    const made = element("button");
    made.type = "button";
    made.title = data.options.find((option) => option.value === value)?.when ?? "";
    made.dataset.answer = value;
    const text = element("span", words);
    text.dir = "auto";
    made.append(element("kbd", String(number)), text);
    if (undone[item.id] === value) made.setAttribute("aria-pressed", "true");
    made.addEventListener("click", () => answer(value));
    return made;
  };

  const current = () => data.items.find((item) => !memory.has(item.id));
  const latest = () => [...memory].reduce((last, one) => (last && last[1].at >= one[1].at ? last : one), undefined);

  const left = () => {
    const waiting = data.items.length - memory.size;
    const seconds = [...memory.values()].sort((one, other) => other.at - one.at).slice(0, TIMED).map((one) => one.seconds).sort((a, b) => a - b);
    const each = seconds.length < TIMED ? data.seconds : seconds[seconds.length >> 1];
    return waiting ? `about ${Math.max(1, Math.ceil((each * waiting) / 60))} min left` : "";
  };

  const screen = (name, focus) => {
    for (const each of ["start", "item", "end"]) byId(each).hidden = each !== name;
    byId("answers").hidden = name !== "item";
    byId("xray").hidden = byId("pause").hidden = name !== "item";
    byId("undo").disabled = memory.size === 0;
    focus.focus({ preventScroll: true });
  };

  const drawItem = (item) => {
    byId("blocks").replaceChildren(...item.blocks.map((each) => block(each, item.lang)));
    byId("signs").replaceChildren(...(xray ? named(item) : []));
    byId("signs").hidden = !xray;
    const own = item.options ?? [];
    const words = (value, at) => own[at] ?? data.options.find((option) => option.value === value)?.words ?? value;
    byId("answers").replaceChildren(...item.answers.map((value, at) => button(item, value, words(value, at), at + 1)));
    byId("answers").classList.toggle("long", own.length > 0);
    if (shown !== item.id) {
      since = performance.now();
      scrollTo(0, 0);
    }
    shown = item.id;
    screen("item", byId("item"));
  };

  const drawEnd = (done) => {
    const missing = data.items.length - memory.size;
    byId("ended").textContent = done ? "Done. Thank you!" : "Your answers so far";
    byId("todo").textContent = done
      ? "Save the file and send it back to whoever gave you this page."
      : `${missing} of ${data.items.length} items have no answer yet. You may continue later in this browser; the file also keeps what you have.`;
    byId("back").hidden = done;
    byId("text").value = JSON.stringify(file());
    shown = null;
    screen("end", byId("download"));
  };

  const draw = () => {
    const item = current();
    byId("progress").value = memory.size;
    byId("count").textContent = `${memory.size} of ${data.items.length}`;
    byId("left").textContent = left();
    if (!item || saving) drawEnd(!item);
    else if (begun || memory.size) drawItem(item);
    else screen("start", byId("begin"));
  };

  const answer = (value) => {
    const item = current();
    // What another tab has answered meanwhile is not answered by the same key.
    if (item && item.id === shown) put(item.id, { answer: value, seconds: Math.round((performance.now() - since) / 100) / 10, at: Date.now() });
    draw();
  };
  const undo = () => {
    const last = latest();
    if (!last) return;
    undone = { [last[0]]: last[1].answer };
    drop(last[0]);
    begun = true;
    saving = false;
    draw();
  };
  const seeThrough = () => {
    xray = !xray;
    byId("xray").setAttribute("aria-pressed", String(xray));
    draw();
  };
  const save = (now) => {
    saving = now;
    begun = true;
    draw();
  };

  const file = () => ({
    review: data.review,
    reader: data.reader,
    answers: data.items.filter((item) => memory.has(item.id)).map(({ id }) => ({ item: id, answer: memory.get(id).answer, seconds: memory.get(id).seconds })),
  });
  const download = () => {
    const link = element("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(file(), null, 1)], { type: "application/json" }));
    link.download = `answers-${data.reader}-${data.review}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };
  const copy = async () => {
    byId("text").select();
    try {
      await navigator.clipboard.writeText(byId("text").value);
    } catch {
      document.execCommand("copy");
    }
    byId("copy").textContent = "Copied";
    setTimeout(() => { byId("copy").textContent = "Copy"; }, 2000);
  };

  // By the place of a key as well: other keyboards write other digits and letters there.
  const pressed = (event, letter) => event.key.toLowerCase() === letter || event.code === `Key${letter.toUpperCase()}`;
  addEventListener("keydown", (event) => {
    if (event.repeat || event.altKey || event.ctrlKey || event.metaKey || event.target.tagName === "TEXTAREA") return;
    const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1] ?? (/^[1-9]$/.test(event.key) ? event.key : "");
    if (digit && !byId("answers").hidden) byId("answers").children[digit - 1]?.click();
    else if (pressed(event, "u") || event.key === "Backspace") undo();
    else if (pressed(event, "x") && !byId("xray").hidden) seeThrough();
    else if (pressed(event, "s") && !byId("pause").hidden) save(true);
    else return;
    event.preventDefault();
  });
  addEventListener("storage", () => {
    load();
    draw();
  });
  document.addEventListener("visibilitychange", () => {
    since = performance.now();
  });
  byId("begin").addEventListener("click", () => save(false));
  byId("undo").addEventListener("click", undo);
  byId("xray").addEventListener("click", seeThrough);
  byId("pause").addEventListener("click", () => save(true));
  byId("back").addEventListener("click", () => save(false));
  byId("download").addEventListener("click", download);
  byId("copy").addEventListener("click", copy);
  load();
  draw();
})();
