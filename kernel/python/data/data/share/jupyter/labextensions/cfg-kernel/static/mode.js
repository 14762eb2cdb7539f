// What an editor of CodeMirror 6 colours, folds and indents by: a tree of brackets and strings over the tokens of `scan.js`.
//
// The text is read again after each change, a slice at a time, so that the editor stays at hand: 10 KB take a millisecond.

import { Role, scan, scanFile } from "./scan.js";

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
// what opens a node, with what closes it
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
// deeper ones are flat: an editor walks trees by recursion
const DEEP = 200;
// so many tokens a slice
const SLICE = 2000;

// what the next line belongs to when a line ends in it
const GOES_ON = new Set(["=", "=>", "->", ":", "::", ":::", "+:", "+::", "+:::", "then", "else"]);

/** The languages as `LanguageSupport`s: `{cfg, jsonnet}`. */
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

  /** A line's indentation by the brackets around it and by how the line before ends. */
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

  function support(name, scanned, data) {
    const facet = defineLanguageFacet({
      closeBrackets: { brackets: ["(", "[", "{", '"', ...(name === "jsonnet" ? ["'"] : [])] },
      indentOnInput: /^\s*[}\])]$/,
      wordChars: "$'-",
      ...data,
    });
    const top = NodeType.define({ id: 0, name: "Document", top: true, props: [[languageDataProp, facet]] });
    const types = names.map((name, n) => NodeType.define({ id: n + 1, name }));
    // an editor looks for one where a bracket was not closed
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

    /** The reading of one text, a slice at a time. */
    class Reading {
      constructor(input) {
        this.length = input.length;
        this.tokens = scanned(input.read(0, input.length));
        this.parsedPos = 0;
        this.stoppedAt = null;
        // nodes as `Tree.build` wants them: behind their children, with how much room they take
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
        // the innermost node that this closes, and those that stayed open in it
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

  return {
    cfg: support("cfg", scan, { commentTokens: { line: "#" } }),
    jsonnet: support("jsonnet", (text) => scanFile(text, "jsonnet"), {
      commentTokens: { line: "//", block: { open: "/*", close: "*/" } },
    }),
  };
}
