// What botattack asks of a page. A page may be hostile: whatever comes back is treated as text of a stranger.
({
  // Children as they are shown: shadow roots opened, slots filled.
  children(node) {
    if (node.shadowRoot) return node.shadowRoot.childNodes;
    if (node.localName === 'slot' && node.assignedNodes) {
      const given = node.assignedNodes({flatten: true});
      if (given.length) return given;
    }
    return node.childNodes;
  },
  parent(node) {
    return node.assignedSlot || node.parentElement || (node.getRootNode().host ?? null);
  },
  matches(el, selector) {
    try { return Boolean(selector) && el.matches(selector); } catch { throw new Error('exclude: not CSS: ' + selector); }
  },
  excluded(el, selector) {
    for (let at = el; at; at = this.parent(at)) if (this.matches(at, selector)) return true;
    return false;
  },
  visible(el) {
    return el.getClientRects().length > 0 && el.checkVisibility({visibilityProperty: true, opacityProperty: true});
  },
  // What is made of the elements that plain CSS finds; nothing where Playwright's own search finds others: it knows more
  // than CSS, and opens shadow roots.
  of(selector, make) {
    let els;
    try { els = [...document.querySelectorAll(selector)]; } catch { return null; }
    return [...document.querySelectorAll('*')].some((el) => el.shadowRoot) ? null : [make(els)];
  },
  count(els) {
    return els.length;
  },
  first(els) {
    return els.findIndex((el) => this.visible(el));
  },
  shown(els) {
    return els.filter((el) => this.visible(el)).length;
  },
  // What is there to be used, not read: buttons, toolbars, fields.
  controls: 'button, input, select, textarea, [role=button], [role=toolbar], [role=menu], [role=menubar], [role=tooltip]',
  dead: 'a[href=""], a[href="#"], a[href^="javascript:" i]',
  // Whether it is a link that leads nowhere, and so is there to be clicked. Only a pointer tells it from a mere anchor.
  isDead(el) {
    return el.matches(this.dead) || (el.matches('a:not([href])') && getComputedStyle(el).cursor === 'pointer');
  },
  // Readable text, blocks on lines of their own; preformatted lines keep their indentation. Without `all`, controls
  // inside `root` are left out, and so are links that lead nowhere, as suggested questions are: but not in a sentence.
  text(root, exclude, all = false) {
    const lines = [{text: '', pre: false}];
    const put = (text, pre, dead) => text.split('\n').forEach((part, index) => {
      if (index) lines.push({text: '', pre: false});
      const last = lines.at(-1);
      if (!last.text.trim()) { last.pre = pre; if (!pre) last.text = ''; }
      last.text += part;
      if (/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(part)) last[dead ? 'dead' : 'said'] = true;
    });
    const walk = (node, space, dead) => {
      if (node.nodeType === 3) { put(this.spaced(node.data, space), /^(pre|break)/.test(space) && space !== 'pre-line', dead); return; }
      if (node.nodeType !== 1 || /^(script|style|template|noscript)$/.test(node.localName)) return;
      if (this.matches(node, exclude) || (!all && node !== root && node.matches(this.controls))) return;
      if (node.localName === 'br') { put('\n', false); return; }
      const style = getComputedStyle(node);
      if (style.display === 'none' || style.visibility === 'hidden') return;
      if (node.localName === 'img') { put(/^[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}\u200d\ufe0f]+$/u.test(node.alt) ? node.alt : '', false, dead); return; }
      const block = !/^(inline|contents|ruby)/.test(style.display);
      dead = dead || (!all && node !== root && this.isDead(node));
      if (dead && style.display.startsWith('inline-')) return;
      if (block) put('\n', false);
      for (const child of this.children(node)) walk(child, style.whiteSpace, dead);
      if (block) put('\n', false);
    };
    walk(root, '', false);
    return lines.filter((line) => line.said || !line.dead).map((line) => line.pre ? line.text.trimEnd() : line.text.trim().replace(/ {2,}/g, ' ')).filter((line) => line.trim()).join('\n');
  },
  spaced(text, space) {
    if (space === 'pre-line') return text.replace(/[^\S\n]+/g, ' ');
    return /^(pre|break)/.test(space) ? text : text.replace(/\s+/g, ' ');
  },
  messages(els, exclude) {
    const own = els.filter((el) => !this.excluded(el, exclude));
    const outer = own.filter((el) => !own.some((other) => other !== el && other.contains(el)));
    return outer.map((el) => [this.mark(el), this.text(el, exclude).slice(0, 100000)]);
  },
  // A number that tells an element from all others, also from those of pages before and beside this one.
  mark(el) {
    const marks = globalThis[Symbol.for('botattack.marks')] ??= {of: new WeakMap(), last: Math.floor(performance.timeOrigin) * 1000};
    if (!marks.of.has(el)) marks.of.set(el, ++marks.last);
    return marks.of.get(el);
  },
  bare(text) {
    return text.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  },
  // Text nodes of the page, but not what stands in a box to write in, nor what is a message of the bot's.
  *written(node, own = new Set(), exclude = null, inside = false) {
    if (node.nodeType === 3) { if (!inside) yield node; return; }
    if (node.nodeType === 1 && (/^(script|style|template|noscript|textarea|select)$/.test(node.localName) || node.isContentEditable)) return;
    if (own.has(node)) inside = true;
    if (inside && node.nodeType === 1 && this.matches(node, exclude)) inside = false;
    for (const child of this.children(node)) yield* this.written(child, own, exclude, inside);
  },
  // How often a message stands on the page outside the bot's own messages, which may repeat it.
  echoes(els, {needle, exclude}) {
    const sought = this.bare(needle).slice(0, 200);
    if (!sought || !document.body) return -1;
    const own = new Set(els.filter((el) => !this.excluded(el, exclude)));
    const all = this.bare([...this.written(document.body, own, exclude)].map((node) => node.data).join(' '));
    return all.split(sought).length - 1;
  },
  // Whether the first visible box still holds a text.
  holds(els, text) {
    const box = els[this.first(els)];
    if (!box) return false;
    const held = box.value ?? box.innerText ?? '', plain = (string) => string.replace(/\s+/g, ' ').trim();
    return plain(held) === plain(text);
  },
  // Which kinds of content stand in the messages.
  kinds(els) {
    const all = {lists: 'ul, ol', code: 'pre, code', tables: 'table', links: `a[href]:not(${this.dead})`, pictures: 'img'};
    const parts = els.flatMap((el) => [...this.elements(el)]);
    return Object.keys(all).filter((kind) => parts.some((part) => part.matches(all[kind])));
  },
  // Short texts in the messages that can be clicked but are neither controls nor links, each with CSS that finds it. What
  // they are only a reader knows: suggested questions and a list of colours to choose from look the same to a page.
  clickable(els, exclude) {
    const inside = (el, what) => this.excluded(el, what), points = (el) => getComputedStyle(el).cursor === 'pointer';
    const named = (el) => el.classList.length ? '.' + CSS.escape(el.classList[0]) : el.localName;
    const parts = new Set(els.filter((el) => !inside(el, exclude)).flatMap((el) => [...this.elements(el)].filter((part) => part !== el)));
    const found = [...parts].filter((part) => points(part) && !points(this.parent(part)) && !inside(part, `${this.controls}, a`) && !inside(part, exclude));
    return found.map((part) => [part.classList.length ? named(part) : `${named(this.parent(part))} > ${part.localName}`, this.text(part, exclude)])
      .filter(([, text]) => /\p{L}/u.test(text) && text.length <= 100);
  },
  lines(controls) {
    return document.body ? this.text(document.body, null, controls).slice(0, 100000).split('\n') : [];
  },
  *elements(node = document.documentElement) {
    if (node.nodeType === 1) {
      if (/^(script|style|template|noscript|head)$/.test(node.localName)) return;
      yield node;
    }
    for (const child of this.children(node)) yield* this.elements(child);
  },
  // What the page itself marks as an error.
  loud(el) {
    const marked = /(^|[\s_-])(error|alert|danger|fail\w*|warn\w*|toast|snackbar|notif\w*|exception|problem)/i;
    return /^(alert|alertdialog)$/.test(el.getAttribute('role')) || el.getAttribute('aria-live') === 'assertive'
      || marked.test(`${el.id} ${typeof el.className === 'string' ? el.className : ''}`);
  },
  get heard() { return globalThis[Symbol.for('botattack.heard')] ??= {said: [], watched: null}; },
  // Remembers what is marked as an error from now on, though it may vanish.
  heed() {
    const heard = this.heard;
    heard.said.length = 0;
    if (heard.watched === document.body || !document.body) return;
    heard.watched = document.body;
    const seen = (node) => {
      const el = node.nodeType === 1 ? node : node.parentElement;
      for (let at = el; at && at !== document.body; at = this.parent(at)) {
        if (!this.loud(at) || !this.visible(at)) continue;
        const text = this.text(at, null).slice(0, 2000).replace(/\n/g, ' ');
        if (/[\p{L}\p{N}]/u.test(text) && heard.said.length < 20) heard.said.push(text);
        return;
      }
      for (const inner of node.nodeType === 1 ? node.querySelectorAll('*') : []) if (this.loud(inner)) return seen(inner);
    };
    new MutationObserver((changes) => {
      for (const change of changes) (change.type === 'childList' ? [...change.addedNodes] : [change.target]).forEach(seen);
    }).observe(document.body, {childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: ['class', 'hidden']});
  },
  // What is new on the page and looks like its reason for not answering: what the page marks as an error, else a line
  // that speaks of one, else the longest.
  complaint({known, sent}) {
    if (!document.body) return {text: '', loud: false};
    const old = new Set(known), own = sent.trim();
    const fresh = (el) => this.text(el, null).slice(0, 10000).split('\n').filter((line) => !old.has(line) && !(own && line.includes(own)));
    const loud = [];
    for (const el of this.elements(document.body)) {
      if (el === document.body || !this.loud(el) || !this.visible(el)) continue;
      const text = fresh(el).join(' ');
      if (/[\p{L}\p{N}]/u.test(text)) loud.push(text);
    }
    const words = (text) => text.split(/\s+/).length > 1;
    const said = loud.filter(words).sort((a, b) => a.length - b.length)[0] ?? loud[0];
    const gone = this.heard.said.findLast((text) => !old.has(text) && !(own && text.includes(own)));
    if (said || gone) return {text: said || gone, loud: true};
    const lines = fresh(document.body).sort((a, b) => b.length - a.length);
    const speaks = /error|fail|wrong|sorry|unavailable|try again|limit|too many|expired|denied|time.?out|overload|quota|offline|could ?n.t|cannot|unable/i;
    return {text: lines.find((line) => speaks.test(line)) ?? lines[0] ?? '', loud: false};
  },
  // The innermost element that holds the message, last on the page.
  holder(needle) {
    const sought = this.bare(needle).slice(0, 200);
    let found = null;
    for (const node of sought ? this.written(document.body) : []) {
      for (let at = node.parentElement ?? node.getRootNode().host, up = 0; at && up < 4; at = this.parent(at), up++) {
        if (this.bare(at.textContent ?? '').includes(sought)) { found = at; break; }
      }
    }
    return found;
  },
})
