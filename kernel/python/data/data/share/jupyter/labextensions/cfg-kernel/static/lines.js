// The tokens of a language whose lines are keys, elements or directives, with expressions in some of them.
//
// A port of the lexer of the core. `cfg_kernel/lines.py` is the same in Python. Total on any text, and lazy.

// what is white space in Rust
const BLANK = "\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const START = new RegExp(`^[${BLANK}]+`);
const BLANK_CHARACTER = new RegExp(`[${BLANK}]`);
const QUOTED_KEY = /^"[^"]*"(?=[ \t]*:(?:[ \t\r]|$))/;
const KEY = new RegExp(`^(?:(?!:(?:[ \\t\\r]|$))[^${BLANK}])+(?=[ \\t]*:(?:[ \\t\\r]|$))`);
const HYPHEN = new RegExp(`^-(?:[ \\t]+|(?=[${BLANK}]*$))`);
const DIRECTIVE = /^(%? *)([A-Za-z]*)/;
const NUMBER = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const BLOCKS = new Set(["|", "|+", "|-", ">", ">-", ">+"]);
const [TEXT, LINE, TEMPLATE] = [0, 1, 2];

const trimStart = (text) => text.replace(START, "");

function trimEnd(text) {
  let end = text.length;
  while (end > 0 && BLANK_CHARACTER.test(text[end - 1])) end -= 1;
  return text.slice(0, end);
}

const trim = (text) => trimStart(trimEnd(text));

/** The length of the key that a line begins with, or 0. */
function keyOf(line) {
  return (line.startsWith('"') ? QUOTED_KEY : KEY).exec(line)?.[0].length ?? 0;
}

function isExtend(line) {
  return /^extend[ \t]/.test(line) && keyOf(trimStart(line.slice("extend".length))) > 0;
}

function isNumber(text) {
  const trimmed = trim(text);
  return NUMBER.test(trimmed) && (/^[+-]?[0-9]+$/.test(trimmed) || Number.isFinite(Number(trimmed)));
}

/** The end of the string that begins at a place; -1 if it does not end. */
function stringEnd(text, at) {
  const quote = text[at];
  const triple = quote.repeat(3);
  if (text.startsWith(triple, at)) {
    const end = text.indexOf(triple, at + 3);
    return end < 0 ? -1 : end + 3;
  }
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === "\\") end += 1;
    else if (text[end] === "\n") return -1;
    else if (text[end] === quote) return end + 1;
  }
  return -1;
}

/** Reads the tokens of a text from `at` on. */
export class Lines {
  constructor(language, text, at) {
    Object.assign(this, { language, text, at, first: at });
  }

  *run() {
    if (this.isDocument()) yield* this.document();
    else yield* this.expression(TEXT);
  }

  /** The lengths of `%` with its blanks, and of the word, if a line begins with a directive. */
  directive(line) {
    const [, sign, word] = DIRECTIVE.exec(line);
    if ((sign && !sign.startsWith("%")) || !this.language.directives.has(word)) return null;
    const after = line.slice(sign.length + word.length);
    const begins = trimStart(after);
    let fits = /^[ \t("'{[\\]/.test(after) && !begins.startsWith(":");
    if (word === "else") fits = begins === "" || begins.startsWith(":");
    else if (word === "let" && !sign) fits = after.includes("=") && !begins.startsWith(":");
    return fits || sign ? [sign.length, word] : null;
  }

  isDocument() {
    for (const whole of this.text.slice(this.at).split("\n")) {
      const line = trim(whole);
      if (line === "" || line.startsWith("#")) continue;
      if (line.startsWith("{{") || line.startsWith("%") || HYPHEN.test(line)) return true;
      if (this.directive(line) || isExtend(line)) return true;
      const length = keyOf(line);
      return length > 0 && (line.startsWith('"') || !/[([{]/.test(line.slice(0, length)));
    }
    return true;
  }

  take(kind, to, classes) {
    const token = this.language.part(kind, this.at, to);
    if (kind === "comment") token.role = this.language.comment;
    if (classes) token.classes = classes;
    this.at = to;
    return token;
  }

  takeText(to) {
    return this.take("text", to, isNumber(this.text.slice(this.at, to)) ? this.language.number : undefined);
  }

  // adjacent tokens of this kind are not one token, as `invalid` ones are
  takeUnread(to) {
    return { ...this.take("invalid", to), kind: "unread" };
  }

  /** Where the next line begins. */
  get following() {
    const newline = this.text.indexOf("\n", this.at);
    return newline < 0 ? this.text.length : newline + 1;
  }

  get lineEnd() {
    let end = this.following;
    if (end > this.at && this.text[end - 1] === "\n") end -= 1;
    return end > this.at && this.text[end - 1] === "\r" ? end - 1 : end;
  }

  get line() {
    return this.text.slice(this.at, this.lineEnd);
  }

  blanks() {
    while (this.text[this.at] === " " || this.text[this.at] === "\t") this.at += 1;
  }

  get column() {
    const start = this.at === 0 ? 0 : Math.max(this.text.lastIndexOf("\n", this.at - 1) + 1, this.first);
    // in the core columns are bytes
    return this.at - start + (start === this.first && this.text[start] === "\ufeff" ? 2 : 0);
  }

  *document() {
    if (this.text[this.at] === "\ufeff") this.at += 1;
    while (this.at < this.text.length) {
      this.blanks();
      const line = this.line;
      const isBlank = trim(line) === "";
      if (isBlank || line.startsWith("#")) {
        if (!isBlank) yield this.take("comment", this.at + line.length);
        this.at = this.following;
        continue;
      }
      yield* this.content(this.column);
      this.blanks();
      const rest = this.line;
      if (rest !== "") {
        yield this.takeUnread(this.at + trimEnd(rest).length);
        this.blanks();
      }
      const newline = this.text.indexOf("\n", this.at);
      if (newline >= 0) yield this.take("newline", newline + 1);
    }
  }

  *content(column) {
    const line = this.line;
    const hyphen = HYPHEN.exec(line);
    const directive = hyphen ? null : this.directive(line);
    if (hyphen) {
      const after = this.at + hyphen[0].length;
      yield this.take("hyphen", this.at + 1);
      this.at = after;
      const rest = this.line;
      if (keyOf(rest) > 0) yield* this.entry(this.column);
      else if (rest !== "") yield* this.scalar(column);
    } else if (directive) {
      const [sign, word] = directive;
      if (sign > 0) {
        const after = this.at + sign;
        yield this.take("sign", this.at + 1);
        this.at = after;
      }
      yield this.take(word, this.at + word.length, this.language.literals.get(word).classes);
      yield* this.expression(LINE);
    } else if (isExtend(line)) {
      yield this.take("extend", this.at + "extend".length);
      this.blanks();
      yield* this.entry(column);
    } else if (keyOf(line) > 0) yield* this.entry(column);
    else yield* this.scalar(column);
  }

  *entry(column) {
    const line = this.line;
    yield this.take("key", this.at + (keyOf(line) || line.length));
    this.blanks();
    if (this.text[this.at] === ":") yield this.take(":", this.at + 1, this.language.literals.get(":").classes);
    this.blanks();
    yield* this.scalar(column);
  }

  *scalar(column) {
    const whole = this.line;
    const trimmed = trimEnd(whole);
    if (trimmed === "") return;
    if (trimmed === "{}" || trimmed === "[]") {
      yield this.take("empty", this.at + 2);
      return;
    }
    if (BLOCKS.has(trimmed)) {
      yield this.take("blockmark", this.at + trimmed.length);
      yield* this.block(column);
      return;
    }
    if (whole.startsWith("#")) {
      yield this.take("comment", this.at + whole.length);
      return;
    }
    let quoted = false;
    for (;;) {
      const line = this.line;
      const plain = quoted ? line.length : trimEnd(line).length;
      let length = 0;
      while (length < plain && !line.startsWith("{{", length)) {
        if (line[length] === '"' && (quoted || length === 0)) break;
        length += 1;
      }
      if (length > 0) yield this.takeText(this.at + length);
      else if (line.startsWith("{{")) yield* this.template();
      else if (line.startsWith('"') && plain > 0) {
        quoted = !quoted;
        yield this.take("quote", this.at + 1);
        if (!quoted) this.blanks();
      } else return;
    }
  }

  *template() {
    yield this.take("interpopen", this.at + 2);
    yield* this.expression(TEMPLATE);
    if (this.text.startsWith("}}", this.at)) yield this.take("interpclose", this.at + 2);
  }

  *block(column) {
    this.at = this.following;
    let indent;
    // the newline at the end is no part of the last token
    let last = null;
    while (this.at < this.text.length) {
      const line = this.line;
      const own = /^ */.exec(line)[0].length;
      const isBlank = trim(line) === "";
      if (!isBlank) {
        indent ??= own;
        if (own <= column || indent <= column) break;
      }
      if (last) yield last;
      last = null;
      if (isBlank) {
        last = this.takeText(this.following);
        continue;
      }
      this.at += Math.min(own, indent);
      for (;;) {
        const part = this.line;
        const open = part.indexOf("{{");
        if (open !== 0 && part !== "") yield this.takeText(this.at + (open < 0 ? part.length : open));
        if (!this.line.startsWith("{{")) break;
        yield* this.template();
      }
      if (this.following > this.at) last = this.takeText(this.following);
    }
    if (this.text[this.at - 1] === "\n") {
      this.at -= 1;
      if (last) last.to -= 1;
    }
    if (last) yield last;
  }

  *expression(until) {
    const { text, language } = this;
    let opened = 0;
    for (;;) {
      while (/^[ \t\r\f\ufeff]/.test(text.charAt(this.at))) this.at += 1;
      const first = text.charAt(this.at);
      if (first === "") return;
      if (first === "\n") {
        if (until !== TEXT && opened === 0) return;
        this.at += 1;
        continue;
      }
      if (first === "\\" && /^\r?\n/.test(text.slice(this.at + 1, this.at + 3))) {
        this.at = this.following;
        continue;
      }
      if (first === "#") {
        yield this.take("comment", this.lineEnd);
        continue;
      }
      if (until === TEMPLATE && opened === 0 && text.startsWith("}}", this.at)) return;
      let { kind, to, classes } = language.token(text, this.at);
      if (kind === "invalid") to = this.at + String.fromCodePoint(text.codePointAt(this.at)).length;
      if ("([{".includes(first)) opened += 1;
      else if (")]}".includes(first)) opened = Math.max(0, opened - 1);
      else if ("\"'".includes(first)) {
        to = stringEnd(text, this.at);
        if (to < 0) {
          to = until === TEXT ? text.length : this.lineEnd;
          if (to < text.length) kind = "invalid";
        }
      }
      yield kind === "invalid" ? this.takeUnread(to) : this.take(kind, to, classes);
    }
  }
}
