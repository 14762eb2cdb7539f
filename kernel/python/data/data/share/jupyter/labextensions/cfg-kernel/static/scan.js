// The texts of cells and files as tokens, each with the role that `cfg` itself gives it.
//
// Tokens and roles are tables: `tables.js` is written by `cargo run -p cfg-tests --example highlighters` from the lexers and
// highlighters of `core/src/dialect`. Here is what reads them, with the strings that nest, and the parts of a cell that the
// kernel knows: `:commands`, `%commands`, `%%dialect`. `cfg_kernel/scan.py` is the same in Python, and
// `tests/tests/highlighting.rs` compares both with the core, token by token. Total on any text, O(length), and lazy, so that
// an editor can stop.

import { Lines } from "./lines.js";
import { TABLES } from "./tables.js";

/** Roles, by the letters of the tables. */
export const Role = {
  PLAIN: ".",
  KEYWORD: "k",
  LITERAL: "l",
  STRING: "s",
  TAG: "g",
  NAME: "n",
  TYPE: "y",
  OPERATOR: "o",
  COMMENT: "c",
  INVALID: "x",
};

const MAGIC = /\s*(%%[^\n]*)/y;
const SPACE = /[ \t\r\n\f\ufeff]+/y;
const COMMAND = /([:%])(\?|[a-zA-Z]\S*)/y;
const ESCAPE = /\\(?:x[0-9A-Fa-f]{2}|u\{[0-9A-Fa-f]+\}|[^])?/uy;
const PLAIN_STOP = /"|%\{|\\/g;
const MULTI_STOP = /%+\{?|"%*/g;
const OLD_CLOSE = /m(?![a-zA-Z0-9_\-'%])/y;
const OPENERS = new Set(["{", "[", "(", "[|"]);
const CLOSERS = new Set(["}", "]", ")", "|]"]);
const NO_EXPRESSION = new Set(TABLES.commands);

function match(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The tokens and roles of a language. */
class Language {
  constructor({ literals, patterns, parts, words, nothing, sizes, roles, more }) {
    const entry = ([, kind, form, classes]) => ({ kind, form, classes });
    this.literals = new Map(literals.map((literal) => [literal[0], entry(literal)]));
    const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
    const longest = [...this.literals.keys()].sort((a, b) => b.length - a.length);
    this.literal = new RegExp(longest.map(escaped).join("|"), "y");
    this.patterns = patterns.map((pattern) => [new RegExp(pattern[0], "y"), entry(pattern)]);
    this.parts = new Map(parts);
    this.words = new Map(words);
    this.invalid = new RegExp(more?.invalid ?? "(?!)", "y");
    this.primops = new Set(more?.primops);
    // the words that begin a line, where a text is lines
    this.directives = more?.directives && new Set(more.directives);
    this.number = this.patterns.find(([, entry]) => entry.kind === "number")?.[1].classes;
    this.comment = Role.COMMENT;
    Object.assign(this, { nothing: nothing[0], sizes, roles });
  }

  /** The longest token at a place. */
  token(text, from) {
    const literal = match(this.literal, text, from)?.[0];
    let to = from + (literal?.length ?? 0);
    let best = literal === undefined ? undefined : this.literals.get(literal);
    for (const [pattern, entry] of this.patterns) {
      const found = match(pattern, text, from);
      if (found && from + found[0].length > to) {
        to = from + found[0].length;
        best = entry;
      }
    }
    if (best?.kind === "primop" && !this.primops.has(text.slice(from + 1, to - 1))) {
      best = this.literals.get("%");
      to = from + 1;
    }
    if (!best) {
      const found = match(this.invalid, text, from);
      return this.part("invalid", from, found ? from + found[0].length : from + 1);
    }
    const classes = best.kind === "word" ? (this.words.get(text.slice(from, to)) ?? best.classes) : best.classes;
    return { ...best, classes, from, to, role: Role.PLAIN };
  }

  part(kind, from, to) {
    return { kind, form: "", classes: this.parts.get(kind), from, to, role: Role.PLAIN };
  }

  /** Where the role of a token between two others is in the table; the next state is behind it. */
  cell(state, token, before, after, fresh) {
    const [tokens, befores, afters] = this.sizes;
    const at = (state * tokens + token.classes[0]) * befores + (before ? before.classes[1] : this.nothing);
    return ((at * afters + after) * 2 + (fresh ? 1 : 0)) * 2;
  }
}

const LANGUAGES = new Map(Object.entries(TABLES.languages).map(([name, table]) => [name, new Language(table)]));

/** The first line of a cell that writes a file. */
const WRITES_FILE = /^(write)?file\s/;

/** The tokens of a cell in a language, commands and a `%%dialect` line included: `{kind, from, to, role}`, in order. */
export function* scan(text, name = TABLES.standard) {
  for (let at = 0; at !== null; ) {
    let [language, signs] = [LANGUAGES.get(name), at === 0];
    const magic = match(MAGIC, text, at);
    if (magic) {
      const from = at + magic[0].length - magic[1].length;
      at = from + magic[1].trimEnd().length;
      const called = text.slice(from + 2, at).trim().toLowerCase();
      if (WRITES_FILE.test(called) && !text.slice(0, from).trim()) {
        // the rest is the text of the file
        yield { kind: "magic", from, to: at, role: Role.KEYWORD };
        return;
      }
      const named = LANGUAGES.get(called);
      yield { kind: "magic", from, to: at, role: named ? Role.KEYWORD : Role.INVALID };
      // the kernel reads only `:command` after such a line: `%word` may begin a line of the language
      [language, signs] = [named ?? language, false];
    }
    const scanner = new Scanner(language, text, true, signs);
    yield* scanner.run(at);
    at = scanner.next;
  }
}

/** The tokens of a file: nothing in it is a command. */
export function* scanFile(text, language = TABLES.standard) {
  yield* new Scanner(LANGUAGES.get(language), text, false, false).run(0);
}

/** Tokens get their roles when the next one is known; comments are between. */
class Roles {
  constructor(language, text) {
    this.language = language;
    this.text = text;
    this.clear();
  }

  clear() {
    this.pending = null;
    this.comments = [];
    this.last = null;
    this.state = 0;
  }

  /** Takes the next token; gives those whose roles are known now. */
  *next(token) {
    const last = this.pending;
    if (token.kind === "comment") {
      if (last) this.comments.push(token);
      else yield token;
      return;
    }
    if (last?.kind === "invalid" && token.kind === "invalid" && last.to === token.from) {
      last.to = token.to;
      return;
    }
    yield* this.settle(token.classes[2]);
    this.pending = token;
  }

  *settle(after) {
    const { pending, last, language } = this;
    if (pending) {
      const fresh = last && this.text.slice(last.to, pending.from).includes("\n");
      const at = language.cell(this.state, pending, last, after, fresh);
      pending.role = language.roles[at];
      this.state = language.roles.charCodeAt(at + 1) - 48;
      this.last = pending;
      if (pending.from < pending.to) yield pending;
    }
    yield* this.comments;
    this.comments = [];
    this.pending = null;
  }

  *flush() {
    yield* this.settle(this.language.parts.get("eof")[2]);
    this.clear();
  }
}

class Scanner {
  /**
   * In a cell, `:word` is a command, and with `signs` also `%word`; the tokens end where a line `%%dialect` begins the next
   * input (`next`).
   */
  constructor(language, text, cell, signs) {
    this.language = language;
    this.text = text;
    this.cell = cell;
    this.signs = signs;
    this.next = null;
    // strings (their opening, the count of its percent signs) and interpolations ("%", braces open in them)
    this.modes = [];
    this.depth = 0;
    this.roles = new Roles(language, text);
  }

  inString() {
    const mode = this.modes[this.modes.length - 1];
    return mode !== undefined && mode.kind !== "%";
  }

  *run(at) {
    if (this.language.directives) yield* this.lines(at);
    else yield* this.flat(at);
  }

  *lines(at) {
    const found = this.cell && match(COMMAND, this.text, at + /^\s*/.exec(this.text.slice(at))[0].length);
    if (found && found[1] === ":") {
      const to = found.index + found[0].length;
      yield { kind: "command", from: found.index, to, role: Role.KEYWORD };
      at = NO_EXPRESSION.has(found[2]) ? this.text.length : to;
    }
    const following = this.cell ? this.text.indexOf("\n%%", at) : -1;
    if (following >= 0) this.next = following + 1;
    const text = following >= 0 ? this.text.slice(0, this.next) : this.text;
    for (const token of new Lines(this.language, text, at).run()) yield* this.roles.next(token);
    yield* this.roles.flush();
  }

  *flat(at) {
    const { text, roles } = this;
    const end = text.length;
    // whether a `%word` here is a command: nothing but commands is before it
    let commands = this.signs;
    let inCommand = false;
    let line = at;
    let first = true;
    while (at < end) {
      if (this.inString()) {
        const parts = [];
        at = this.string(at, parts);
        for (const part of parts) yield* roles.next(part);
        continue;
      }
      const space = match(SPACE, text, at);
      if (space) {
        const newline = space[0].lastIndexOf("\n");
        if (newline >= 0) line = at + newline + 1;
        at += space[0].length;
        if (at >= end) break;
      }
      if (this.cell && at === line && this.depth === 0 && this.modes.length === 0) {
        if (!first && text.startsWith("%%", at)) {
          this.next = at;
          break;
        }
        const found = match(COMMAND, text, at);
        const isCommand = found && (found[1] === ":" || commands);
        if (inCommand || isCommand) {
          yield* roles.flush();
          inCommand = false;
        }
        if (isCommand) {
          yield { kind: "command", from: at, to: at + found[0].length, role: Role.KEYWORD };
          at += found[0].length;
          inCommand = true;
          first = false;
          if (NO_EXPRESSION.has(found[2])) {
            const newline = text.indexOf("\n", at);
            at = newline < 0 ? end : newline;
          }
          continue;
        }
      } else if (this.cell && first) {
        const found = match(COMMAND, text, at);
        if (found && found[1] === ":") {
          line = at;
          continue;
        }
      }
      first = false;
      commands = commands && inCommand;
      const token = this.token(at);
      at = token.to;
      yield* roles.next(token);
    }
    yield* roles.flush();
  }

  token(at) {
    const { text, modes } = this;
    const token = this.language.token(text, at);
    const word = text.slice(at, token.to);
    const mode = modes[modes.length - 1];
    if (token.kind === "comment") token.role = Role.COMMENT;
    if (token.form === "nested") modes.push({ kind: word, count: word.split("%").length - 1 });
    else if (token.form in FORMS) token.to = FORMS[token.form](text, token.to, word);
    else if (word === "{" && mode) mode.count += 1;
    else if (word === "}" && mode && mode.count > 0) mode.count -= 1;
    else if (word === "}" && mode) {
      modes.pop();
      return this.language.part("interpclose", at, token.to);
    }
    if (OPENERS.has(token.kind)) this.depth += 1;
    else if (CLOSERS.has(token.kind)) this.depth = Math.max(0, this.depth - 1);
    return token;
  }

  /** The parts of a nested string from `at` to its end or to an interpolation; returns where that is. */
  string(at, out) {
    const { text, language } = this;
    const { kind, count } = this.modes[this.modes.length - 1];
    let start = at;
    const add = (kind, from, to) => {
      if (from < to) out.push(language.part(kind, from, to));
    };
    for (;;) {
      const found = match(count > 0 ? MULTI_STOP : PLAIN_STOP, text, at);
      if (!found) {
        add("text", start, text.length);
        return text.length;
      }
      const run = found[0];
      const stop = found.index;
      const to = stop + run.length;
      if (run[0] === "%") {
        at = to;
        const signs = Math.max(1, count);
        if (run.endsWith("{") && run.length - 1 >= signs) {
          add("text", start, to - 1 - signs);
          add("interpopen", to - 1 - signs, to);
          this.modes.push({ kind: "%", count: 0 });
          return to;
        }
      } else if (run[0] === "\\") {
        add("text", start, stop);
        at = start = stop + match(ESCAPE, text, stop)[0].length;
        add("escape", stop, at);
      } else {
        at = stop + 1;
        const signs = run.length - 1;
        if (signs >= count && !(count > 0 && text[to] === "{")) {
          add("text", start, stop);
          let close = stop + 1 + count;
          if (kind.startsWith("m%") && signs === count && match(OLD_CLOSE, text, close)) close += 1;
          add("close", stop, close);
          this.modes.pop();
          return close;
        }
      }
    }
  }
}

const FORMS = {
  closed: (text, at) => (text.indexOf("*/", at) < 0 ? text.length : text.indexOf("*/", at) + 2),
  quoted,
  verbatim,
  block,
};

/** The end of a string with escapes whose text begins at `at`. */
function quoted(text, at, opening) {
  const quote = opening[opening.length - 1];
  const stops = quote === '"' ? /["\\]/g : /['\\]/g;
  for (;;) {
    const found = match(stops, text, at);
    if (!found) return text.length;
    if (found[0] === quote) return found.index + 1;
    at = found.index + 2;
  }
}

/** The end of a string without escapes, in which a doubled quote stands for one. */
function verbatim(text, at, opening) {
  const quote = opening[opening.length - 1];
  for (;;) {
    at = text.indexOf(quote, at);
    if (at < 0) return text.length;
    if (text[at + 1] !== quote) return at + 1;
    at += 2;
  }
}

/** The end of a text block whose `|||` is before `at`; of a broken one, where the next could begin. */
function block(text, at) {
  const end = text.length;
  const line = text.indexOf("\n", at);
  if (/[^ \t\r]/.test(text.slice(at, line < 0 ? end : line))) return broken(text, at);
  if (line < 0) return end;
  let here = line + 1;
  while (text[here] === "\n") here += 1;
  const blanks = (at) => match(/[ \t]*/y, text, at)[0];
  const indent = blanks(here);
  if (indent === "") return here === end ? end : broken(text, at);
  for (;;) {
    if (text.startsWith(indent, here)) {
      const line = text.indexOf("\n", here);
      if (line < 0) return end;
      here = line + 1;
    } else if (text[here] === "\n") {
      here += 1;
    } else {
      const rest = here + blanks(here).length;
      if (text.startsWith("|||", rest)) return rest + 3;
      if (["", "|", "||"].includes(text.slice(rest, rest + 3))) return end;
      const closing = match(/^[ \t]*\|\|\|/gm, text, here);
      if (closing) return closing.index + closing[0].length;
      const line = text.indexOf("\n", here);
      return line < 0 ? end : line;
    }
  }
}

/** A later `|||` is taken for the end; without one the line is. */
function broken(text, at) {
  const later = text.indexOf("|||", at);
  if (later >= 0) return later + 3;
  const line = text.indexOf("\n", at);
  return line < 0 ? text.length : line;
}
