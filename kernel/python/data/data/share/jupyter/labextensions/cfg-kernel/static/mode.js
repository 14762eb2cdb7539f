// What an editor of CodeMirror 6 colours, folds and indents by: a tree of brackets and strings over the tokens of `scan.js`.
//
// The text is read again after each change, a slice at a time, so that the editor stays at hand: 10 KB take a millisecond.

import { Role, scan, scanJsonnet } from "./scan.js";

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

// a line that ends so goes on in the next
const GOES_ON = /(?:(?:^|[^=!<>])=|=>|->|:{1,3}|\b(?:then|else|in))\s*(?:#.*|\/\/.*)?$/;

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
    Type: tags.typeName,
    Operator: tags.operator,
    Punctuation: tags.punctuation,
    Comment: tags.lineComment,
    Command: tags.meta,
    Invalid: tags.invalid,
  });

  /** A line's indentation by the brackets around it and by how the line before ends. */
  const indent = (closer) => (context) => {
    const before = context.lineAt(context.pos, -1);
    if (GOES_ON.test(before.text.slice(0, context.pos - before.from))) {
      return context.lineIndent(before.from) + context.unit;
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
    const set = new NodeSet([top, ...types]).extend(
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
        this.buffer.push(ids.get(leaf), from, to, 4);
        if (!opens && CLOSERS.has(kind)) this.close(kind, to);
      }

      /** Closes the innermost node that such a closer closes, and those that stayed open in it. */
      close(closer, to) {
        const which = this.open.findLastIndex((open) => open.closer === closer);
        if (which < 0) return;
        while (this.open.length > which) this.wrap(this.open.pop(), to);
      }

      wrap({ name, from, start }, to) {
        this.buffer.push(ids.get(name), from, to, this.buffer.length - start + 4);
      }

      finish(end) {
        while (this.open.length > 0) this.wrap(this.open.pop(), end);
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
    jsonnet: support("jsonnet", (text) => scanJsonnet(text), {
      commentTokens: { line: "//", block: { open: "/*", close: "*/" } },
    }),
  };
}
