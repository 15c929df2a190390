"use strict";
(() => {
  const PAGE = matchMedia("(max-width: 40rem)").matches ? 15 : 50;
  const byId = (id) => document.getElementById(id);
  const names = JSON.parse(byId("names").textContent);
  const rows = [];
  for (const block of document.querySelectorAll("script.outcomes")) {
    for (const [id, text, standing, expected, reply, cases] of JSON.parse(block.textContent)) {
      const question = { id, text, standing, expected, reply };
      if (standing !== "kept") rows.push({ question, state: "not attacked", attack: -1, lines: [[text]], reply });
      for (const [attack, result, verdict, lines, said, unit, distance, note, signs] of cases) {
        rows.push({ question, state: result, attack, verdict, lines, reply: said, unit, distance, note, signs });
      }
    }
  }

  const element = (tag, text, name) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (name) made.className = name;
    return made;
  };

  const marked = (lines) => {
    const cell = element("td", undefined, "said");
    for (const line of lines) {
      const speaker = Array.isArray(line[0]) && line[0].length === 3 ? line[0][0] : "";
      const shown = element("div", undefined, speaker && `turn ${speaker}`);
      for (const piece of line) {
        if (typeof piece === "string") shown.append(piece);
        else if (piece.length === 3) shown.append(element("span", piece[1], piece[0]));
        else {
          if (piece[0]) shown.append(element("del", piece[0]));
          if (piece[1]) shown.append(element("ins", piece[1]));
        }
      }
      cell.append(shown);
    }
    return cell;
  };

  const shown = (row) => {
    const line = element("tr");
    const state = row.state === "not attacked" ? `not attacked: ${row.question.standing}` : row.state;
    const detail = [row.verdict === row.state ? "" : row.verdict, row.note].filter(Boolean).join(", ");
    const result = element("td", detail ? `${state} (${detail})` : state);
    const question = marked(row.lines);
    if (row.signs) question.append(element("small", row.signs), element("br"));
    if (row.unit) question.append(element("code", names.command + row.unit));
    const attack = row.attack < 0 ? "original" : names.attacks[row.attack];
    line.append(element("td", attack, "said"), result, question);
    const other = names.others[row.attack] ?? "";
    line.append(element("td", other + row.question.expected, "said"), element("td", row.reply, "said"));
    return line;
  };

  const flat = (row) => (row.flat ??= `${JSON.stringify(row.lines)} ${row.question.text} ${row.reply}`.toLowerCase());
  let found = rows;
  let page = 0;

  const draw = () => {
    const pages = Math.max(1, Math.ceil(found.length / PAGE));
    page = Math.min(Math.max(page, 0), pages - 1);
    const body = byId("list").tBodies[0];
    body.replaceChildren(...found.slice(page * PAGE, (page + 1) * PAGE).map(shown));
    byId("count").textContent = `${found.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")}`;
    byId("page").textContent = `page ${page + 1} of ${pages}`;
    byId("back").disabled = page === 0;
    byId("next").disabled = page === pages - 1;
  };

  const search = () => {
    const attack = byId("attack").value;
    const result = byId("result").value;
    const text = byId("text").value.toLowerCase();
    found = rows.filter(
      (row) =>
        (attack === "" || row.attack === Number(attack)) &&
        (result === "" || row.state === result || row.verdict === result) &&
        (text === "" || flat(row).includes(text)),
    );
    page = 0;
    draw();
  };

  names.attacks.forEach((name, number) => {
    const option = element("option", name);
    option.value = String(number);
    byId("attack").append(option);
  });
  byId("filters").addEventListener("input", search);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("back").addEventListener("click", () => { page -= 1; draw(); });
  byId("next").addEventListener("click", () => { page += 1; draw(); });
  draw();
})();
