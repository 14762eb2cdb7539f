// The texts of cells and files as tokens, each with the role that `cfg` itself gives it.
//
// This is the lexer of `core/src/dialect/{cfg,jsonnet}` with the roles of their `highlight.rs`, and the parts of a cell
// that the kernel knows: `:commands`, `%commands`, `%%dialect`. `tests/tests/highlighting.rs` holds it to them, token by
// token; `cfg_kernel/scan.py` is the same in Python. Total on any text, O(length), and lazy, so that an editor can stop.

/** Roles, by the letters that the test compares. */
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

const words = (text) => new Set(text.trim().split(/\s+/));

// commands whose argument is no expression; every other's is highlighted as one
const NO_EXPRESSION = [...words("load save set help examples h ? dialect quit exit reload r undo redo reset l u")];

const RESERVED = words(
  "if then else forall in let rec match fun import default doc optional priority force not_exported",
);
const META = words("default doc optional priority force not_exported");
const LITERALS = words("null true false");
const TYPES = words("Dyn Number Bool String Array");
const NAMES = words("or as include");
const PRIMOPS = words(`
  typeof seq deep_seq hash serialize deserialize to_string trace contract/apply contract/check contract/custom
  array/length record/fields record/fields_with_opts record/values record/freeze string/trim string/chars
  string/uppercase string/lowercase string/length string/is_match string/find string/find_all string/base64_encode
  string/base64_decode number/from_string enum/from_string number/arccos number/arcsin number/arctan number/arctan2
  number/cos number/sin number/tan number/log pow array/at array/generate array/map array/slice blame cast
  contract/array_lazy_apply contract/record_lazy_apply enum/embed enum/get_arg enum/get_tag enum/is_variant
  enum/make_variant eval_nix force label/append_note label/flip_polarity label/go_array label/go_codom label/go_dict
  label/go_dom label/go_field label/insert_type_variable label/lookup_type_variable label/polarity label/push_diag
  label/with_message label/with_notes rec_default rec_force record/disjoint_merge record/empty_with_tail
  record/field_is_defined record/field_is_defined_with_opts record/has_field record/has_field_with_opts record/insert
  record/insert_with_opts record/map record/merge_contract record/remove record/remove_with_opts record/seal_tail
  record/split_pair record/unseal_tail seal string/compare string/contains string/replace string/replace_regex
  string/split string/substr unseal`);

const SPACE = /[ \t\r\n\f\ufeff]+/y;
const COMMAND = /([:%])(\?|[a-zA-Z]\S*)/y;
// the longest match, by putting the longer alternative first
const CFG = new RegExp(
  [
    "(?<comment>#[^\\n]*)",
    "(?<multi>(?:m|[a-zA-Z][_a-zA-Z0-9'-]*-s)%+\")",
    "(?<word>_*[a-zA-Z][_a-zA-Z0-9'-]*)",
    "(?<result>\\$[0-9]+)",
    "(?<number>0x[A-Fa-f0-9]+|0o[0-7]+|0b[01]+|[0-9]*\\.?[0-9]+(?:[eE][+\\-]?[0-9]+)?)",
    "(?<tag>['`]_*[a-zA-Z][_a-zA-Z0-9'-]*)",
    "(?<tagopen>['`]\")",
    "(?<invalid>['`]_*)",
    "(?<primop>%[a-z_]+(?:/[a-z_0-9]+)?%)",
    '(?<open>")',
    "(?<punct>\\[\\||\\|\\]|\\|>|\\|\\||&&|->|=>|==|!=|<=|>=|\\+\\+|\\.\\.|[?,;:=&.+\\-*/%@!|_<>{}\\[\\]()])",
  ].join("|"),
  "y",
);
const ESCAPE = /\\(?:x[0-9A-Fa-f]{2}|u\{[0-9A-Fa-f]+\}|[^])?/uy;
const PLAIN_STOP = /"|%\{|\\/g;
const MULTI_STOP = /%+\{?|"%*/g;
const OLD_CLOSE = /m(?![a-zA-Z0-9_\-'%])/y;

const JSONNET_RESERVED = words(
  "assert else error for function if import importstr importbin in local self super tailstrict then",
);
const JSONNET = new RegExp(
  [
    "(?<comment>#[^\\n]*|//[^\\n]*)",
    "(?<block>/\\*)",
    "(?<word>[_a-zA-Z][_a-zA-Z0-9]*)",
    "(?<result>\\$[0-9]+)",
    "(?<number>[0-9][0-9_]*(?:\\.[0-9][0-9_]*)?(?:[eE][+\\-]?[0-9][0-9_]*)?)",
    "(?<quote>@?[\"'])",
    "(?<text>\\|\\|\\|-?)",
    "(?<punct>\\+?:{1,3}|==|!=|<=|>=|<<|>>|&&|\\|\\||[{}\\[\\](),.;$=<>+\\-*/%&|^!~])",
  ].join("|"),
  "y",
);
const COLONS = new Set([":", "::", ":::", "+:", "+::", "+:::"]);

function match(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function kindOf(found) {
  for (const kind in found.groups) {
    if (found.groups[kind] !== undefined) return kind;
  }
  return "invalid";
}

/** The tokens of a cell or a file of cfg, commands and a `%%dialect` line included: `{kind, from, to, role}`, in order. */
export function* scan(text) {
  const magic = /^\s*(%%[^\n]*)/.exec(text);
  if (!magic) {
    yield* new Cfg(text, true).run(0);
    return;
  }
  const from = magic[0].length - magic[1].length;
  const to = from + magic[1].trimEnd().length;
  const name = text.slice(from + 2, to).trim().toLowerCase();
  const known = name === "cfg" || name === "jsonnet";
  yield { kind: "magic", from, to, role: known ? Role.KEYWORD : Role.INVALID };
  yield* name === "jsonnet" ? scanJsonnet(text, to) : new Cfg(text, false).run(to);
}

/** The tokens of a file of cfg: nothing in it is a command. */
export function* scanFile(text) {
  yield* new Cfg(text, false).run(0);
}

function takesExpression(word) {
  if (NO_EXPRESSION.includes(word)) return false;
  return word.length < 2 || !NO_EXPRESSION.some((name) => name.startsWith(word));
}

/** Tokens get their roles when the next one is known; comments stand between. */
class Roles {
  constructor(role) {
    this.role = role;
    this.clear();
  }

  clear() {
    this.pending = null;
    this.comments = [];
    this.last = null;
    this.tag = false;
    this.path = NOWHERE;
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
    yield* this.settle(token.kind);
    this.pending = token;
  }

  *settle(after) {
    const last = this.pending;
    if (last) {
      last.role = this.role(last, this.last, after, this);
      this.last = last;
      if (last.from < last.to) yield last;
    }
    yield* this.comments;
    this.comments = [];
    this.pending = null;
  }

  *flush() {
    yield* this.settle("eof");
    this.clear();
  }
}

class Cfg {
  constructor(text, cell) {
    this.text = text;
    this.cell = cell;
    // strings (the count of their percent signs, 0 for `"`) and interpolations ("%", braces open in them)
    this.modes = [];
    this.depth = 0;
    this.roles = new Roles((token, last, after, state) => cfgRole(token, last, after, text, state));
  }

  inString() {
    const mode = this.modes[this.modes.length - 1];
    return mode !== undefined && mode.kind !== "%";
  }

  *run(at) {
    const { text, roles } = this;
    const end = text.length;
    // whether a `%word` here is a command: nothing but commands stands before it
    let commands = this.cell;
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
          if (!takesExpression(found[2])) {
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
    const found = match(CFG, this.text, at);
    const token = { kind: "invalid", from: at, to: at + 1, role: Role.PLAIN };
    if (!found) return token;
    const word = found[0];
    token.to = at + word.length;
    token.kind = kindOf(found);
    const mode = this.modes[this.modes.length - 1];
    switch (token.kind) {
      case "comment":
        token.role = Role.COMMENT;
        break;
      case "primop":
        if (!PRIMOPS.has(word.slice(1, -1))) {
          token.kind = "%";
          token.to = at + 1;
        }
        break;
      case "word":
        if (RESERVED.has(word) || NAMES.has(word)) token.kind = word;
        else if (LITERALS.has(word)) token.kind = "literal";
        else if (TYPES.has(word)) token.kind = "type";
        break;
      case "open":
      case "tagopen":
        this.modes.push({ kind: "s", count: 0 });
        break;
      case "multi":
        this.modes.push({ kind: word.startsWith("m%") ? "old" : "multi", count: word.split("%").length - 1 });
        break;
      case "punct":
        token.kind = word;
        if (word === "{" && mode) {
          mode.count += 1;
        } else if (word === "}" && mode) {
          if (mode.count === 0) {
            this.modes.pop();
            token.kind = "interpclose";
          } else {
            mode.count -= 1;
          }
        }
        if (OPENERS.has(token.kind)) this.depth += 1;
        else if (CLOSERS.has(token.kind)) this.depth = Math.max(0, this.depth - 1);
        break;
    }
    return token;
  }

  /** The parts of a string from `at` to its end or to an interpolation; gives where that is. */
  string(at, out) {
    const { text } = this;
    const { kind, count } = this.modes[this.modes.length - 1];
    let start = at;
    const add = (kind, from, to) => {
      if (from < to) out.push({ kind, from, to, role: Role.PLAIN });
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
      if (count > 0 && run[0] === "%") {
        at = to;
        if (run.endsWith("{") && run.length - 1 >= count) {
          add("text", start, to - 1 - count);
          add("interpopen", to - 1 - count, to);
          this.modes.push({ kind: "%", count: 0 });
          return to;
        }
      } else if (count > 0) {
        at = stop + 1;
        const signs = run.length - 1;
        if (signs >= count && text[to] !== "{") {
          add("text", start, stop);
          let close = stop + 1 + count;
          if (kind === "old" && signs === count && match(OLD_CLOSE, text, close)) close += 1;
          add("close", stop, close);
          this.modes.pop();
          return close;
        }
      } else if (run === '"') {
        add("text", start, stop);
        add("close", stop, to);
        this.modes.pop();
        return to;
      } else if (run === "%{") {
        add("text", start, stop);
        add("interpopen", stop, to);
        this.modes.push({ kind: "%", count: 0 });
        return to;
      } else {
        add("text", start, stop);
        at = start = stop + match(ESCAPE, text, stop)[0].length;
        add("escape", stop, at);
      }
    }
  }
}

const OPENERS = new Set(["{", "[", "(", "[|"]);
const CLOSERS = new Set(["}", "]", ")", "|]"]);

// whether a token is part of a path `a.b` where a definition may begin: not, on a line of its own, surely
const [NOWHERE, LINE, SURE] = [0, 1, 2];
const BEGINS = new Set([undefined, "{", ",", ";", "let", "rec"]);

/** The same for the next token. */
function start(path, kind, before, fresh) {
  if (kind === "." || kind === "text" || kind === "escape" || kind === "close" || before === ".") return path;
  if (BEGINS.has(before)) return SURE;
  return fresh && before !== "|" && before !== ":" ? LINE : NOWHERE;
}

function cfgRole(token, last, after, text, state) {
  const { kind } = token;
  const before = last?.kind;
  state.path = start(state.path, kind, before, last && text.slice(last.to, token.from).includes("\n"));
  const line = after === "=";
  const defined = state.path === LINE ? line : state.path === SURE && (line || after === "|" || after === ":");
  const begins = BEGINS.has(before);
  if (kind === "invalid") return Role.INVALID;
  if (kind === "include" && begins && (after === "word" || NAMES.has(after) || META.has(after) || after === "[")) {
    return Role.KEYWORD;
  }
  if (kind === "as" && (after === "tag" || after === "tagopen")) return Role.KEYWORD;
  if (kind === "word" || kind === "result" || NAMES.has(kind)) {
    const word = text.slice(token.from, token.to);
    if (defined) return Role.NAME;
    if (word === "Num" || word === "Str" || word === "List") return Role.TYPE;
    if ((word === "merge" || word === "when" || word === "secret") && before === "|") return Role.KEYWORD;
    return Role.PLAIN;
  }
  switch (kind) {
    case "number":
    case "literal":
      return Role.LITERAL;
    case "tag":
      return Role.TAG;
    case "tagopen":
      state.tag = true;
      return Role.TAG;
    case "open":
    case "multi":
      state.tag = false;
      return Role.STRING;
    case "text":
    case "escape":
    case "close":
      if (!state.tag) return Role.STRING;
      state.tag = kind !== "close";
      return Role.TAG;
    case "type":
      return Role.TYPE;
  }
  if (META.has(kind) && defined && before !== "rec") return Role.NAME;
  return RESERVED.has(kind) ? Role.KEYWORD : Role.OPERATOR;
}

/** The tokens of a text in Jsonnet, from `at`. */
export function* scanJsonnet(text, at = 0) {
  const end = text.length;
  const roles = new Roles((token, last, after) => jsonnetRole(token.kind, last?.kind, after));
  while (at < end) {
    const space = match(SPACE, text, at);
    if (space) {
      at += space[0].length;
      continue;
    }
    const found = match(JSONNET, text, at);
    const token = { kind: "invalid", from: at, to: at + 1, role: Role.PLAIN };
    if (found) {
      const word = found[0];
      token.kind = kindOf(found);
      token.to = at + word.length;
      switch (token.kind) {
        case "block": {
          const close = text.indexOf("*/", token.to);
          token.to = close < 0 ? end : close + 2;
          token.kind = "comment";
          token.role = Role.COMMENT;
          break;
        }
        case "comment":
          token.role = Role.COMMENT;
          break;
        case "word":
          if (JSONNET_RESERVED.has(word)) token.kind = word;
          else if (LITERALS.has(word)) token.kind = "literal";
          break;
        case "quote":
          token.to = jsonnetString(text, token.to, word);
          token.kind = "string";
          break;
        case "text":
          token.to = jsonnetBlock(text, token.to);
          break;
        case "punct":
          token.kind = word;
          break;
      }
    }
    at = token.to;
    yield* roles.next(token);
  }
  yield* roles.flush();
}

function jsonnetRole(kind, before, after) {
  const field = (before === "{" || before === ",") && COLONS.has(after);
  switch (kind) {
    case "invalid":
      return Role.INVALID;
    case "word":
      return field || before === "local" || before === "for" || after === "=" ? Role.NAME : Role.PLAIN;
    case "result":
      return Role.PLAIN;
    case "string":
      return field ? Role.NAME : Role.STRING;
    case "text":
      return Role.STRING;
    case "number":
    case "literal":
      return Role.LITERAL;
  }
  return JSONNET_RESERVED.has(kind) || kind === "$" ? Role.KEYWORD : Role.OPERATOR;
}

/** The end of a string whose text begins at `at`. In a verbatim one a doubled quote stands for one. */
function jsonnetString(text, at, opening) {
  const quote = opening[opening.length - 1];
  if (opening[0] === "@") {
    for (;;) {
      at = text.indexOf(quote, at);
      if (at < 0) return text.length;
      if (text[at + 1] !== quote) return at + 1;
      at += 2;
    }
  }
  const stops = quote === '"' ? /["\\]/g : /['\\]/g;
  for (;;) {
    const found = match(stops, text, at);
    if (!found) return text.length;
    if (found[0] === quote) return found.index + 1;
    at = found.index + 2;
  }
}

/** The end of a text block whose `|||` stands before `at`; of one that is none, where the next could begin. */
function jsonnetBlock(text, at) {
  const end = text.length;
  const line = text.indexOf("\n", at);
  if (/[^ \t\r]/.test(text.slice(at, line < 0 ? end : line))) return jsonnetBroken(text, at);
  if (line < 0) return end;
  let here = line + 1;
  while (text[here] === "\n") here += 1;
  const blanks = (at) => match(/[ \t]*/y, text, at)[0];
  const indent = blanks(here);
  if (indent === "") return here === end ? end : jsonnetBroken(text, at);
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
function jsonnetBroken(text, at) {
  const later = text.indexOf("|||", at);
  if (later >= 0) return later + 3;
  const line = text.indexOf("\n", at);
  return line < 0 ? text.length : line;
}
