// Looks a page over for what a chat needs. `page` is page.js; what is remembered hangs on the page itself.
((page) => ({
  get memory() {
    const key = Symbol.for('botattack.discover');
    return globalThis[key] ??= {seen: new WeakSet(), came: new Map()};
  },
  *elements(node = document.documentElement) {
    if (node.nodeType === 1) {
      if (/^(script|style|template|noscript|head)$/.test(node.localName)) return;
      yield node;
    }
    for (const child of page.children(node)) yield* this.elements(child);
  },
  matching(selector) {
    try { return [...this.elements()].filter((el) => el.matches(selector)); } catch { return []; }
  },
  // Names that stay: no counters, no hashes.
  lasting(name) {
    return name.length > 1 && name.length < 40 && !/\d{2,}|[0-9a-f]{6,}|^[a-z]{1,2}\d|^(css|sc|svelte|jsx|emotion)-/i.test(name)
      && !/^(active|focus|hover|open|show|visible|hidden|fade|in|out|new|last|first)$/i.test(name) && /^[\w-]+$/.test(name);
  },
  quoted(text) { return '"' + text.replace(/["\\]/g, '\\$&') + '"'; },
  // Selectors of one element, the best first.
  names(el) {
    const found = [];
    for (const name of ['data-testid', 'data-test', 'data-id', 'data-role', 'data-author', 'data-message-author-role']) {
      if (el.getAttribute(name)) found.push(`[${name}=${this.quoted(el.getAttribute(name))}]`);
    }
    if (el.id && this.lasting(el.id)) found.push('#' + el.id);
    for (const name of ['name', 'aria-label', 'placeholder', 'role']) {
      const value = el.getAttribute(name);
      if (value && value.length < 60) found.push(`${el.localName}[${name}=${this.quoted(value)}]`);
    }
    for (const name of el.classList) if (this.lasting(name)) found.push('.' + name);
    if (el.localName.includes('-')) found.push(el.localName);
    return found;
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
      el.getAttribute('title'), el.getAttribute('data-testid'), el.textContent?.slice(0, 60)].filter((t) => typeof t === 'string').join(' ');
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
      if (/messag|ask|chat|question|prompt|write|send|type|reply|box|talk/i.test(this.said(el))) score += 3;
      if (/search|e-?mail|user|login|name|filter|phone/i.test(this.said(el))) score -= 2;
      if (el.closest('form')?.querySelector('input[type=password]')) score -= 5;
      if (el.getBoundingClientRect().top > innerHeight / 2) score += 1;
      const selector = this.unique(el);
      if (selector) found.push({selector, score});
    }
    return found.sort((a, b) => b.score - a.score);
  },
  buttons(words) {
    const wanted = new RegExp(words, 'i');
    const found = [];
    for (const el of this.elements()) {
      if (!(el.localName === 'button' || el.getAttribute('role') === 'button' || (el.localName === 'input' && el.type === 'submit'))) continue;
      if (!this.usable(el) || !wanted.test(this.said(el))) continue;
      const selector = this.unique(el);
      if (selector) found.push({selector, score: wanted.test(el.getAttribute('aria-label') ?? el.textContent) ? 3 : 2});
    }
    return found.sort((a, b) => b.score - a.score);
  },
  // Everything that is visible now is old; what comes later is the bot's or the user's.
  remember() {
    for (const el of this.elements()) if (page.visible(el)) this.memory.seen.add(el);
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
  // Selectors of the bot's message: they match what is new and not the user's own, and hold as little else as can be.
  answers(arg) {
    const fresh = [...this.memory.came.keys()].filter((el) => el.isConnected && page.visible(el) && !this.own(el, arg.sent));
    const text = (el) => page.text(el, null);
    const spoken = fresh.filter((el) => /[\p{L}\p{N}]{2,}/u.test(text(el)) && !/^(button|svg|time|label)$/.test(el.localName) && !el.closest('button'));
    const longest = Math.max(0, ...spoken.map((el) => text(el).length));
    const found = new Map();
    for (const el of spoken) {
      for (const own of this.names(el)) this.rate(found, own, el, text, longest, arg.sent);
      const around = page.parent(el);
      for (const outer of around ? this.names(around) : []) this.rate(found, `${outer} > ${el.localName}`, el, text, longest, arg.sent);
    }
    return [...found.values()].sort((a, b) => b.score - a.score || a.selector.length - b.selector.length).slice(0, 8);
  },
  rate(found, selector, el, text, longest, sent) {
    if (found.has(selector)) return;
    const all = this.matching(selector).filter((other) => page.visible(other));
    if (all.some((other) => this.own(other, sent))) return;
    const fresh = all.filter((other) => this.memory.came.has(other));
    if (!fresh.length || fresh.some((a) => fresh.some((b) => a !== b && a.contains(b)))) return;
    let score = 2 * text(el).length / longest;
    if (/bot|assistant|\bai\b|ai-|agent|answer|respons|reply/i.test(selector)) score += 2;
    if (/messag|bubble|text|content|markdown|prose/i.test(selector)) score += 1;
    if (/time|stamp|name|avatar|author|button|icon|label|status|toolbar|action/i.test(selector)) score -= 2;
    if (fresh.length > 1) score -= 1;
    if (/ > /.test(selector)) score -= 0.5;
    found.set(selector, {selector, score, text: text(el), fresh: fresh.length});
  },
}))
