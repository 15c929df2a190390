// Looks a page over for what a chat needs. `page` is page.js; what is remembered hangs on the page itself.
((page) => ({
  get memory() {
    const key = Symbol.for('botattack.discover');
    return globalThis[key] ??= {seen: new WeakSet(), texts: new WeakMap(), came: new Map(), suspects: new Map(), known: new Map()};
  },
  elements(node = document.documentElement) { return page.elements(node); },
  matching(selector) {
    try { return [...this.elements()].filter((el) => el.matches(selector)); } catch { return []; }
  },
  // Names that stay: no counters, no hashes.
  lasting(name) {
    return name.length > 1 && name.length < 40 && !/\d{2,}|[0-9a-f]{6,}|^[a-z]{1,2}\d|^(css|sc|svelte|jsx|emotion)-/i.test(name)
      && !/^(active|focus|hover|open|show|visible|hidden|fade|in|out|new|last|first)$/i.test(name) && /^[\w-]+$/.test(name);
  },
  // Whether a name looks made by a machine: digits among letters, humps too short for words, no vowel.
  hashed(name) {
    return name.split(/[-_]+/).some((part) => part.length > 4 && (/[a-z]\d+[a-z]|\d[a-z]+\d|^[a-z]+\d{1,2}[a-z]+/i.test(part) || !/[aeiouy]/i.test(part)
      || /[a-z][A-Z]/.test(part) && part.split(/(?=[A-Z])/).filter((hump) => hump.length < 3).length > 1));
  },
  quoted(text) { return '"' + text.replace(/["\\]/g, '\\$&') + '"'; },
  // Selectors of one element, the best first.
  names(el) {
    const found = [];
    for (const name of ['data-testid', 'data-test', 'data-id', 'data-role', 'data-author', 'data-message-author-role']) {
      if (el.getAttribute(name)) found.push(`[${name}=${this.quoted(el.getAttribute(name))}]`);
    }
    for (const {name, value} of el.attributes) {
      if (/^data-.*(role|author|sender|from|type|kind|side|cy|qa)$/.test(name) && this.lasting(value)) found.push(`[${name}=${this.quoted(value)}]`);
    }
    if (el.id && this.lasting(el.id) && !this.hashed(el.id)) found.push('#' + el.id);
    for (const name of ['name', 'aria-label', 'placeholder', 'role']) {
      const value = el.getAttribute(name);
      if (value && value.length < 60) found.push(`${el.localName}[${name}=${this.quoted(value)}]`);
    }
    const classes = [...el.classList].filter((name) => this.lasting(name)), machine = classes.filter((name) => this.hashed(name));
    for (const name of classes) if (!machine.includes(name)) found.push('.' + name);
    if (el.localName.includes('-')) found.push(el.localName);
    for (const name of machine) found.push('.' + name);
    return [...new Set(found)];
  },
  unique(el) {
    for (const name of this.names(el)) {
      if (this.matching(name).length === 1) return name;
      if (this.matching(el.localName + name).length === 1 && !/^[a-z]/.test(name)) return el.localName + name;
    }
    if (this.matching(el.localName).length === 1) return el.localName;
    for (let at = page.parent(el); at; at = page.parent(at)) {
      for (const name of this.names(at)) {
        if (this.matching(`${name} ${el.localName}`).length === 1) return `${name} ${el.localName}`;
      }
    }
    return '';
  },
  said(el) {
    return [el.id, el.className, el.getAttribute('aria-label'), el.getAttribute('placeholder'), el.getAttribute('name'),
      el.getAttribute('title'), el.getAttribute('data-testid'), el.textContent?.trim().slice(0, 60)].filter((t) => typeof t === 'string' && t);
  },
  usable(el) { return page.visible(el) && !el.disabled && !el.readOnly; },
  inputs() {
    const found = [];
    for (const el of this.elements()) {
      const kind = el.localName;
      const box = kind === 'textarea' || (kind === 'input' && /^(text|search|)$/.test(el.getAttribute('type') ?? ''))
        || (el.isContentEditable && !el.parentElement?.isContentEditable) || el.getAttribute('role') === 'textbox';
      if (!box || !this.usable(el)) continue;
      let score = kind === 'input' ? 1 : 2;
      if (/messag|ask|chat|question|prompt|write|send|type|reply|box|talk/i.test(this.said(el).join(' '))) score += 3;
      if (/search|e-?mail|user|login|name|filter|phone/i.test(this.said(el).join(' '))) score -= 2;
      if (el.closest('form')?.querySelector('input[type=password]')) score -= 5;
      if (el.getBoundingClientRect().top > innerHeight / 2) score += 1;
      const selector = this.unique(el);
      if (selector) found.push({selector, score});
    }
    return found.sort((a, b) => b.score - a.score);
  },
  clickable(el) {
    return (el.localName === 'button' || el.getAttribute('role') === 'button' || (el.localName === 'input' && el.type === 'submit')) && this.usable(el);
  },
  // The last button next to a box: it sends, in whatever language it says so.
  beside(input) {
    for (let at = page.parent(this.matching(input)[0]); at; at = page.parent(at)) {
      const found = [...this.elements(at)].filter((el) => this.clickable(el)).map((el) => this.unique(el)).filter(Boolean);
      if (found.length) return [{selector: found.at(-1), score: 1}];
    }
    return [];
  },
  buttons(words) {
    const wanted = new RegExp(words, 'i');
    const found = [];
    for (const el of this.elements()) {
      if (!this.clickable(el) || !this.said(el).some((text) => wanted.test(text))) continue;
      // The buttons of a banner often have nothing of their own but their words.
      const text = el.textContent.replace(/\s+/g, ' ').trim(), selector = this.unique(el) || (text && text.length < 60 && `text=${this.quoted(text)}`);
      if (selector) found.push({selector, score: wanted.test(el.getAttribute('aria-label') ?? el.textContent) ? 3 : 2});
    }
    return found.sort((a, b) => b.score - a.score);
  },
  // What may open a chat though it says nothing: small, without a letter, often a picture that stays in a corner.
  launchers() {
    const found = [];
    for (const el of this.elements()) {
      const box = el.getBoundingClientRect(), style = getComputedStyle(el), parent = page.parent(el);
      const button = el.localName === 'button' || el.getAttribute('role') === 'button';
      if (!(button || (style.cursor === 'pointer' && (!parent || getComputedStyle(parent).cursor !== 'pointer')))) continue;
      if (!this.usable(el) || box.width < 16 || box.width > 140 || box.height > 140 || /[\p{L}\p{N}]/u.test(page.text(el, null, true))) continue;
      let score = button ? 1 : 0;
      for (let at = el; at; at = page.parent(at)) if (getComputedStyle(at).position === 'fixed') { score += 2; break; }
      if ([...this.elements(el)].some((inner) => /^(svg|img)$/.test(inner.localName))) score += 1;
      if (box.left > innerWidth / 2 && box.top > innerHeight / 2) score += 1;
      const selector = this.unique(el);
      if (selector) found.push({selector, score});
    }
    return found.sort((a, b) => b.score - a.score);
  },
  // Everything that is visible now is old; what comes later is the bot's or the user's.
  remember() {
    for (const el of this.elements()) {
      if (page.visible(el)) this.memory.seen.add(el);
      this.memory.texts.set(el, el.textContent);
    }
    this.memory.came.clear();
  },
  // One look while the bot answers: which new elements are visible, and how long the page's text is.
  look(arg) {
    for (const el of this.elements()) {
      if (this.memory.seen.has(el) || !page.visible(el)) continue;
      const known = this.memory.came.get(el) ?? {first: arg.at, selectors: this.names(el)};
      known.last = arg.at;
      this.memory.came.set(el, known);
    }
    const box = this.matching(arg.input)[0];
    return {text: page.lines().join('\n'), disabled: Boolean(box && (box.disabled || box.getAttribute('aria-disabled') === 'true'))};
  },
  // What was there while the bot answered and is gone now.
  busy(arg) {
    const gone = [];
    for (const [el, known] of this.memory.came) {
      if (el.isConnected && page.visible(el)) continue;
      for (const selector of known.selectors) {
        if (this.matching(selector).some((other) => page.visible(other))) continue;
        const named = /typing|load|pending|spin|stop|busy|dots|progress|think|stream|generat|wait/i.test(selector);
        gone.push({selector, score: (named ? 3 : 0) + (known.last - known.first > 0.3 ? 1 : 0), lasted: known.last - known.first});
      }
    }
    return gone.sort((a, b) => b.score - a.score || b.lasted - a.lasted).slice(0, 5);
  },
  // Whether it is, or holds, the message that was sent; a bot may repeat it among other words.
  own(el, sent) {
    const sought = page.bare(sent);
    return [...this.elements(el)].some((inner) => page.bare(page.text(inner, null)) === sought);
  },
  // Numbers differ in times and speeds that are else the same.
  plain(text) { return text.replace(/\d+([.,:]\d+)*/g, '#').replace(/\s+/g, ' ').trim(); },
  outer(els) { return els.filter((el) => !els.some((other) => other !== el && other.contains(el))); },
  shown(selector, all) { return this.outer(all.filter((el) => { try { return el.matches(selector); } catch { return false; } }).filter((el) => page.visible(el))); },
  // Selectors of an element: its own, and those below the names of what is around it.
  *ways(el) {
    const own = this.names(el).slice(0, 4);
    yield* own;
    for (let at = page.parent(el), up = 0; at && up < 3; at = page.parent(at), up++) {
      for (const outer of this.names(at).slice(0, 3)) {
        if (!up) yield `${outer} > ${el.localName}`;
        for (const name of own) yield `${outer} ${name}`;
      }
    }
  },
  // What an element says, and its parts.
  portrait(el) {
    const parts = [...this.elements(el)].filter((part) => part !== el && page.visible(part) && !part.closest(`${page.controls}, ${page.dead}`))
      .map((part) => ({names: this.names(part), tag: part.localName, text: this.plain(page.text(part, null))}));
    return {text: page.text(el, null), parts: parts.filter((part) => part.text)};
  },
  // After the first answer: the selectors that may be those of answers, with what they match.
  suspects(arg) {
    const all = [...this.elements()];
    const changed = all.filter((el) => this.memory.texts.has(el) && this.memory.texts.get(el) !== el.textContent);
    const fresh = [...this.memory.came.keys(), ...changed].filter((el) => el.isConnected && page.visible(el) && !el.closest(page.controls)
      && !/^(html|body|time|label)$/.test(el.localName) && page.text(el, null) && !this.own(el, arg.sent));
    const suspects = new Map();
    for (const el of fresh) {
      for (const selector of this.ways(el)) {
        if (suspects.size >= 400 || suspects.has(selector)) continue;
        const els = this.shown(selector, all);
        if (els.length && els.length < 60 && !els.some((one) => this.own(one, arg.sent))) suspects.set(selector, {els, portraits: els.map((one) => this.portrait(one))});
      }
    }
    this.memory.suspects = suspects;
    this.memory.known.clear();
  },
  // After another answer: the selectors that match it, and of each what is the same in both answers.
  answers(arg) {
    const all = [...this.elements()], found = [];
    let same = false;
    for (const [selector, first] of this.memory.suspects ?? []) {
      const els = this.shown(selector, all);
      if (els.some((el) => this.own(el, arg.sent))) continue;
      const news = this.newest(selector, first, els);
      if (!news.b.length || this.mixed(news.b, arg.sent)) continue;
      const said = (portraits) => portraits.map((each) => each.text).join('\n');
      const b = news.b.map((el) => this.portrait(el));
      if (said(b) === said(news.a)) { same = true; continue; }
      if (news.in_place && (said(b).includes(said(news.a)) || said(news.a).includes(said(b)))) continue;
      found.push(this.rated(selector, news, b, said));
    }
    const most = Math.max(1, ...found.map((each) => each.clean));
    for (const each of found) each.score += 3 * each.clean / most;
    const good = found.filter((each) => each.clean > 0);
    good.sort((a, b) => b.score - a.score || a.selector.length - b.selector.length);
    return {found: good.slice(0, 8), same: same && !good.length};
  },
  // The messages of the first answer, as they were, and the elements of the last one.
  newest(selector, first, els) {
    const known = this.memory.known.get(selector) ?? new Set(first.els);
    this.memory.known.set(selector, new Set([...known, ...els]));
    const a = first.portraits.filter((_, at) => !this.memory.seen.has(first.els[at])), b = els.filter((el) => !known.has(el));
    if (a.length && b.length) return {a, b, in_place: false};
    if (els.length === 1 && first.els.length === 1) return {a: first.portraits, b: els, in_place: true};
    return {a: [], b: []};
  },
  // Whether some of several elements hold what was sent, as the user's own messages do beside those of the bot.
  mixed(els, sent) {
    const holding = els.filter((el) => page.bare(page.text(el, null)).includes(page.bare(sent)));
    return holding.length > 0 && holding.length < els.length;
  },
  rated(selector, news, b, said) {
    const repeats = new Set(news.a.flatMap((each) => each.parts).map((part) => part.tag + part.text));
    const exclude = this.excluding(selector, news, b, repeats);
    const text = news.b.map((el) => page.text(el, exclude.join(', ') || null)).join('\n');
    const lines = new Set(said(news.a).split('\n').map((line) => this.plain(line)));
    const dirty = text.split('\n').filter((line) => lines.has(this.plain(line))).join('').length;
    const clean = text.length - dirty;
    let score = -0.3 * exclude.length - (dirty ? 1.5 : 0);
    if (/bot|assistant|\bai\b|ai-|agent|answer|respons|reply/i.test(selector)) score += 1.5;
    if (/messag|bubble|text|content|markdown|prose/i.test(selector)) score += 0.5;
    if (/time|stamp|name|avatar|author|button|icon|label|status|toolbar|action/i.test(selector)) score -= 2;
    if (news.b.length > 1) score -= 1;
    if (news.in_place) score -= 1;
    if (/[ >]/.test(selector)) score -= 0.25;
    // A later answer may hold other elements beside its paragraphs.
    if (/(^|[ >])(p|span|li|ul|ol|pre|code|b|em|strong|h\d|blockquote)$/.test(selector)) score -= 1;
    if ((selector.match(/[.][\w-]+/g) ?? []).some((name) => this.hashed(name.slice(1)))) score -= 2;
    return {selector, exclude, in_place: news.in_place, clean, score};
  },
  // Selectors of parts that are the same in both answers and match nothing else of them.
  excluding(selector, news, b, repeats) {
    const found = [], same = (part) => repeats.has(part.localName + this.plain(page.text(part, null)));
    const other = [...news.a, ...b].flatMap((each) => each.parts).filter((part) => !repeats.has(part.tag + part.text));
    const alone = (name) => !other.some((each) => each.names.includes(name) || each.tag === name)
      && news.b.every((el) => [...this.elements(el)].every((part) => !part.matches(name) || same(part)));
    const walk = (el, root) => {
      for (const part of [...page.children(el)].filter((one) => one.nodeType === 1)) {
        if (part.matches(page.controls) || page.isDead(part) || found.some((name) => part.matches(name))) continue;
        const text = page.text(part, null);
        const name = same(part) && text ? this.parts(selector, part, page.text(root, found.join(', ') || null), news.b, text).find(alone) : '';
        if (name) found.push(name); else walk(part, root);
      }
    };
    // What is left out may leave another part at the beginning or the end.
    for (let known = -1; known < found.length && found.length < 20;) {
      known = found.length;
      for (const el of news.b) walk(el, el);
    }
    return found;
  },
  // Selectors of a part: its names; else its tag, which says too little of prose, unless the message begins or ends with it.
  parts(selector, part, whole, els, text) {
    const names = this.names(part), tag = part.localName;
    if (!/^(p|b|i|em|strong|a|code|pre|ul|ol|li|span|div|h\d|table|tr|td|th|blockquote|small)$/.test(tag)) return [...names, tag];
    if (!whole.startsWith(text) && !whole.endsWith(text)) return names;
    const around = page.parent(part);
    return [...names, ...(els.includes(around) ? [selector] : this.names(around)).map((name) => `${name} > ${tag}`)];
  },
}))
