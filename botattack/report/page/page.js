"use strict";
(() => {
  const PAGE = matchMedia("(max-width: 40rem)").matches ? 15 : 50;
  // With the tag, since whoever made the recording chose the ids of units.
  const byId = (tag, id) => document.querySelector(`${tag}#${id}`);
  const names = JSON.parse(byId("script", "names").textContent);
  const rows = [];
  for (const block of document.querySelectorAll("script.outcomes")) {
    for (const [id, text, standing, expected, reply, cases, units] of JSON.parse(block.textContent)) {
      const question = { id, text, standing, expected, reply, units };
      if (standing !== "kept" || cases.length === 0) rows.push({ question, state: "not attacked", attack: -1, lines: [[text]], reply, unit: units[0] });
      for (const [attack, state, verdict, lines, said, unit, distance, note, signs, why] of cases) {
        rows.push({ question, state, attack, verdict, lines, reply: said, unit, distance, note, signs, why });
      }
    }
  }

  const element = (tag, text, name) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (name) made.className = name;
    return made;
  };

  // What the bot says around every answer is greyed.
  const parted = (text) => {
    let says = text;
    let one;
    while ((one = names.boilerplate.find((each) => says.startsWith(`${each} `)))) says = says.slice(one.length + 1);
    const start = text.length - says.length;
    while ((one = names.boilerplate.find((each) => says.endsWith(` ${each}`)))) says = says.slice(0, -one.length - 1);
    const end = start + says.length;
    return [element("span", text.slice(0, start), "soft"), says, element("span", text.slice(end), "soft")];
  };

  const copied = (code) => {
    const button = element("button", "copy", "copy");
    button.type = "button";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
      } catch {
        getSelection().selectAllChildren(code);
        document.execCommand("copy");
      }
      button.textContent = "copied";
      setTimeout(() => { button.textContent = "copy"; }, 2000);
    });
    code.after(" ", button);
  };

  const marked = (lines) => {
    const cell = element("td", undefined, "said");
    const talk = element("div", undefined, "talk");
    for (const line of lines) {
      const speaker = Array.isArray(line[0]) && line[0].length === 3 ? line[0][0] : "";
      const broke = line.some((piece) => piece[0] === "broke" && piece.length === 3);
      const shown = element("div", undefined, speaker && `turn ${speaker}${broke ? " flip" : ""}`);
      for (const piece of line) {
        if (typeof piece === "string") shown.append(piece);
        else if (piece.length === 3) shown.append(element("span", piece[1], piece[0]));
        else {
          if (piece[0]) shown.append(element("del", piece[0]));
          if (piece[1]) shown.append(element("ins", piece[1]));
        }
      }
      talk.append(shown);
    }
    cell.append(talk);
    return cell;
  };

  const shown = (row) => {
    const line = element("tr");
    const state = row.state === "not attacked" && row.question.standing !== "kept" ? `not attacked: ${row.question.standing}` : row.state;
    const result = element("td", row.note ? `${state} (${row.note})` : state);
    if (row.unit) {
      const link = element("a", "#");
      link.href = `#${row.unit}`;
      link.title = "link to this outcome";
      link.setAttribute("aria-label", link.title);
      result.append(" ", link);
    }
    const question = marked(row.lines);
    if (row.signs) question.append(element("small", row.signs), element("br"));
    if (row.unit) {
      const code = element("code", names.command + row.unit, "command");
      const folded = element("details", undefined, "replay");
      folded.append(element("summary", "For developers"), code);
      question.append(folded);
      copied(code);
    }
    const attack = element("td", row.attack < 0 ? "original" : names.plain[row.attack], "said");
    const reply = element("td", undefined, "said");
    reply.append(...parted(row.reply));
    if (row.why) reply.append(element("br"), element("small", row.why));
    const other = names.others[row.attack] ?? "";
    line.append(attack, result, question, element("td", other + row.question.expected, "said"), reply);
    return line;
  };

  const FILTERS = { attack: byId("select", "attack"), result: byId("select", "result"), text: byId("input", "text") };
  const flat = (row) => (row.flat ??= [JSON.stringify(row.lines), row.question.text, row.question.id, row.reply].join(" ").toLowerCase());
  const UNIT = /^[0-9a-f]+\.\d+$/;
  // An asking of an unaltered question has no row of its own where its variants have.
  const isOf = (row, asking) => row.unit === asking || row.question.units.includes(asking);
  let unit = "";
  let found = rows;
  let page = 0;

  const draw = () => {
    const pages = Math.max(1, Math.ceil(found.length / PAGE));
    page = Math.min(Math.max(page, 0), pages - 1);
    byId("table", "list").tBodies[0].replaceChildren(...found.slice(page * PAGE, (page + 1) * PAGE).map(shown));
    const missing = unit && !found.length ? `, not the one you look for: ${names.command}${unit}` : "";
    byId("span", "count").textContent = `${found.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")}${missing}`;
    byId("a", "all").hidden = found.length === rows.length;
    byId("span", "page").textContent = `page ${page + 1} of ${pages}`;
    byId("button", "back").disabled = page === 0;
    byId("button", "next").disabled = page === pages - 1;
  };

  const search = () => {
    const { attack, result, text } = Object.fromEntries(Object.entries(FILTERS).map(([name, field]) => [name, field.value]));
    found = rows.filter(
      (row) =>
        (unit === "" || isOf(row, unit)) &&
        (attack === "" || names.attacks[row.attack] === attack) &&
        (result === "" || row.state === result || row.verdict === result) &&
        (text === "" || flat(row).includes(text.toLowerCase())),
    );
    page = 0;
    draw();
  };

  // The address after # is a unit, or filters with an = each.
  const follow = () => {
    let hash = location.hash.slice(1);
    try { hash = decodeURIComponent(hash); } catch { /* it is no address that this page wrote */ }
    const filters = new URLSearchParams(hash.includes("=") ? location.hash.slice(1) : "");
    for (const [name, field] of Object.entries(FILTERS)) field.value = filters.get(name) ?? "";
    const there = document.getElementById(hash);
    unit = !there && UNIT.test(hash) ? hash : "";
    search();
    for (let above = there; above; above = above.parentElement) if (above.tagName === "DETAILS") above.open = true;
    const target = there ?? (unit || hash.includes("=") ? byId("section", "outcomes") : null);
    if (target) target.scrollIntoView();
  };

  names.attacks.forEach((name, number) => {
    const option = element("option", names.plain[number]);
    option.value = name;
    FILTERS.attack.append(option);
  });
  for (const code of document.querySelectorAll("code.command")) copied(code);
  byId("form", "filters").addEventListener("input", () => {
    unit = "";
    const set = Object.entries(FILTERS).filter(([, field]) => field.value !== "").map(([name, field]) => [name, field.value]);
    history.replaceState(null, "", `#${set.length ? new URLSearchParams(set) : "outcomes"}`);
    search();
  });
  byId("form", "filters").addEventListener("submit", (event) => event.preventDefault());
  byId("button", "back").addEventListener("click", () => { page -= 1; draw(); });
  byId("button", "next").addEventListener("click", () => { page += 1; draw(); });
  addEventListener("hashchange", follow);
  follow();
})();
