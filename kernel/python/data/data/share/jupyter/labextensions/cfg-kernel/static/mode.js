// The CodeMirror 6 languages: a tree of brackets and strings over the tokens of `scan.js`, for colours, folding and indentation.
//
// After each change the text is parsed again in slices, so that the editor stays responsive: 10 KB take a millisecond.

import { Role, scan, scanFile } from "./scan.js";
import { TABLES } from "./tables.js";

const ROLES = {
  [Role.PLAIN]: "Variable",
  [Role.KEYWORD]: "Keyword",
  [Role.LITERAL]: "Number",
  [Role.STRING]: "Text",
  [Role.TAG]: "Tag",
  [Role.NAME]: "Definition",
  [Role.TYPE]: "Type",
  [Role.OPERATOR]: "Operator",
  [Role.COMMENT]: "Comment",
  [Role.INVALID]: "Invalid",
};
const KINDS = {
  literal: "Constant",
  escape: "Escape",
  magic: "Command",
  command: "Command",
  interpopen: "Punctuation",
  interpclose: "Punctuation",
  ",": "Punctuation",
  ";": "Punctuation",
};
// opening tokens of nodes, with the closing ones
const NODES = {
  "{": ["Record", "}"],
  "[": ["Array", "]"],
  "(": ["Parens", ")"],
  "[|": ["Enum", "|]"],
  open: ["String", "close"],
  tagopen: ["String", "close"],
  multi: ["String", "close"],
  interpopen: ["Interpolation", "interpclose"],
};
const CLOSERS = new Set(Object.values(NODES).map(([, closer]) => closer));
// maximum depth of nodes, because editors traverse trees recursively
const DEEP = 200;
// tokens per slice
const SLICE = 2000;

// if a line ends in one of these, the next line continues it
const GOES_ON = new Set(["=", "=>", "->", ":", "::", ":::", "+:", "+::", "+:::", "then", "else"]);

/** Returns the name, or the media type, of a language in cells, where it is mixed with commands. */
export function inCells(name) {
  return name === TABLES.standard || name === TABLES.editors[TABLES.standard].mime ? name : `${name}-cell`;
}

/** Returns the languages as `LanguageSupport`s, by name. */
export function languages(common, highlight, language) {
  const { NodeSet, NodeType, Parser, Tree } = common;
  const { styleTags, tags } = highlight;
  const { LanguageSupport, Language, defineLanguageFacet } = language;
  const { foldInside, foldNodeProp, indentNodeProp, languageDataProp } = language;

  const names = [...new Set([...Object.values(ROLES), ...Object.values(KINDS), ...Object.values(NODES).map(([n]) => n)])];
  const styles = styleTags({
    Variable: tags.variableName,
    Keyword: tags.keyword,
    Number: tags.number,
    Constant: tags.bool,
    Text: tags.string,
    Escape: tags.escape,
    Tag: tags.atom,
    Definition: tags.definition(tags.variableName),
    Type: tags.special(tags.variableName),
    Operator: tags.operator,
    Punctuation: tags.punctuation,
    Comment: tags.lineComment,
    Command: tags.meta,
    Invalid: tags.invalid,
  });

  /** Returns a line's indentation, from the brackets around it and the end of the previous line. */
  const indent = (closer) => (context) => {
    let last = context.node.childBefore(context.pos);
    while (last?.name === "Comment" || last?.type.isError) last = last.prevSibling;
    if (last && GOES_ON.has(context.state.sliceDoc(last.from, last.to))) {
      return context.lineIndent(last.from) + context.unit;
    }
    if (closer === null) return null;
    const closes = context.textAfter.trimStart().startsWith(closer);
    return context.lineIndent(context.node.from) + (closes ? 0 : context.unit);
  };

  function support(name, editor, cell) {
    const scanned = (text) => (cell ? scan(text, name) : scanFile(text, name));
    const [open, close] = editor.block_comment ?? [];
    const block = open && { block: { open, close } };
    const facet = defineLanguageFacet({
      closeBrackets: { brackets: ["(", "[", "{", ...editor.quotes] },
      commentTokens: { line: editor.line_comment, ...block },
      indentOnInput: /^\s*[}\])]$/,
      wordChars: "$'-",
    });
    const top = NodeType.define({ id: 0, name: "Document", top: true, props: [[languageDataProp, facet]] });
    const types = names.map((name, n) => NodeType.define({ id: n + 1, name }));
    // editors use error nodes to find unclosed brackets
    const missing = NodeType.define({ id: names.length + 1, name: "Missing", error: true });
    const set = new NodeSet([top, ...types, missing]).extend(
      styles,
      indentNodeProp.add({
        Document: indent(null),
        Record: indent("}"),
        Array: indent("]"),
        Parens: indent(")"),
        Enum: indent("|]"),
        Interpolation: indent("}"),
        String: () => null,
      }),
      foldNodeProp.add({ Record: foldInside, Array: foldInside, Parens: foldInside }),
    );
    const ids = new Map(names.map((name, n) => [name, n + 1]));

    /** Parses one text, a slice at a time. */
    class Reading {
      constructor(input) {
        this.length = input.length;
        this.tokens = scanned(input.read(0, input.length));
        this.parsedPos = 0;
        this.stoppedAt = null;
        // nodes in the format of `Tree.build`: after their children, with their size in the buffer
        this.buffer = [];
        this.open = [];
      }

      stopAt(place) {
        this.stoppedAt = place;
      }

      advance() {
        const end = this.stoppedAt ?? this.length;
        for (let n = 0; n < SLICE; n += 1) {
          const { value: token, done } = this.tokens.next();
          if (done || token.to > end) return this.finish(end);
          this.add(token);
          this.parsedPos = token.to;
        }
        return null;
      }

      add({ kind, from, to, role }) {
        const node = NODES[kind];
        const opens = node && this.open.length < DEEP;
        if (opens) this.open.push({ name: node[0], closer: node[1], from, start: this.buffer.length });
        const punctuation = KINDS[kind] === "Punctuation" || (node && role === Role.OPERATOR) || CLOSERS.has(kind);
        const exact = kind in KINDS && role !== Role.NAME && role !== Role.INVALID && role !== Role.TAG;
        const leaf = punctuation && role === Role.OPERATOR ? "Punctuation" : exact ? KINDS[kind] : ROLES[role];
        // the innermost node that this token closes; unclosed nodes inside it end here, too
        const closes = CLOSERS.has(kind) ? this.open.findLastIndex((open) => open.closer === kind) : -1;
        while (closes >= 0 && this.open.length > closes + 1) this.wrap(this.open.pop(), from, true);
        this.buffer.push(ids.get(leaf), from, to, 4);
        if (closes >= 0) this.wrap(this.open.pop(), to, false);
      }

      wrap({ name, from, start }, to, unclosed) {
        if (unclosed) this.buffer.push(missing.id, to, to, 4);
        this.buffer.push(ids.get(name), from, to, this.buffer.length - start + 4);
      }

      finish(end) {
        while (this.open.length > 0) this.wrap(this.open.pop(), end, true);
        this.parsedPos = end;
        return Tree.build({ buffer: this.buffer, nodeSet: set, topID: 0, length: end });
      }
    }

    class Reader extends Parser {
      createParse(input) {
        return new Reading(input);
      }
    }

    return new LanguageSupport(new Language(facet, new Reader(), [], name));
  }

  const both = ([name, editor]) => [
    [name, support(name, editor, name === TABLES.standard)],
    [inCells(name), support(name, editor, true)],
  ];
  return Object.fromEntries(Object.entries(TABLES.editors).flatMap(both));
}
