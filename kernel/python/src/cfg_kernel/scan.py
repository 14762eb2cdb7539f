"""The texts of cells and files as tokens, each with the role that `cfg` itself gives it.

This is the lexer of `core/src/dialect/{cfg,jsonnet}` with the roles of their `highlight.rs`, and the parts of a cell that
the kernel knows: `:commands`, `%commands`, `%%dialect`. `tests/tests/highlighting.rs` holds it to them, token by token;
`labextension/static/scan.js` is the same in JavaScript. Total on any text, O(length).
"""

import re
from typing import List, NamedTuple, Optional, Tuple

# roles, by the letters that the test compares
PLAIN, KEYWORD, LITERAL, STRING, TAG, NAME, TYPE, OPERATOR, COMMENT, INVALID = ".klsgnyocx"


class Token(NamedTuple):
    """A token: its kind, where it stands, and its role once that is known."""

    kind: str
    start: int
    end: int
    role: str = PLAIN


# commands whose argument is no expression; every other's is highlighted as one
NO_EXPRESSION = "load save set help examples h ? dialect quit exit reload r undo redo reset l u".split()

SPACE = re.compile("[ \t\r\n\f\ufeff]+")

CFG_RESERVED = frozenset(
    "if then else forall in let rec match fun import default doc optional priority force not_exported".split()
)
CFG_META = frozenset("default doc optional priority force not_exported".split())
CFG_LITERALS = frozenset("null true false".split())
CFG_TYPES = frozenset("Dyn Number Bool String Array".split())
CFG_NAMES = frozenset("or as include".split())
CFG_PRIMOPS = frozenset(
    """
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
    string/split string/substr unseal
    """.split()
)
# the longest match, by putting the longer alternative first
CFG_TOKEN = re.compile(
    r"""
      (?P<comment>\#[^\n]*)
    | (?P<multi>(?:m|[a-zA-Z][_a-zA-Z0-9'-]*-s)(?P<percents>%+)")
    | (?P<word>_*[a-zA-Z][_a-zA-Z0-9'-]*)
    | (?P<result>\$[0-9]+)
    | (?P<number>0x[A-Fa-f0-9]+|0o[0-7]+|0b[01]+|[0-9]*\.?[0-9]+(?:[eE][+\-]?[0-9]+)?)
    | (?P<tag>['`]_*[a-zA-Z][_a-zA-Z0-9'-]*)
    | (?P<tagopen>['`]")
    | (?P<invalid>['`]_*)
    | (?P<primop>%[a-z_]+(?:/[a-z_0-9]+)?%)
    | (?P<open>")
    | (?P<punct>\[\||\|\]|\|>|\|\||&&|->|=>|==|!=|<=|>=|\+\+|\.\.|[?,;:=&.+\-*/%@!|_<>{}\[\]()])
    """,
    re.VERBOSE,
)
CFG_ESCAPE = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u\{[0-9A-Fa-f]+\}|.)?", re.DOTALL)
CFG_PLAIN_STOP = re.compile(r'"|%\{|\\')
CFG_MULTI_STOP = re.compile(r'%+\{?|"%*')
CFG_OLD_CLOSE = re.compile(r"m(?![a-zA-Z0-9_\-'%])")

JSONNET_RESERVED = frozenset(
    "assert else error for function if import importstr importbin in local self super tailstrict then".split()
)
JSONNET_TOKEN = re.compile(
    r"""
      (?P<comment>\#[^\n]*|//[^\n]*)
    | (?P<block>/\*)
    | (?P<word>[_a-zA-Z][_a-zA-Z0-9]*)
    | (?P<result>\$[0-9]+)
    | (?P<number>[0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][+\-]?[0-9][0-9_]*)?)
    | (?P<quote>@?["'])
    | (?P<text>\|\|\|-?)
    | (?P<punct>\+?:{1,3}|==|!=|<=|>=|<<|>>|&&|\|\||[{}\[\](),.;$=<>+\-*/%&|^!~])
    """,
    re.VERBOSE,
)
COLONS = frozenset([":", "::", ":::", "+:", "+::", "+:::"])


def scan(text: str) -> List[Token]:
    """The tokens of a cell or a file of cfg, commands and a `%%dialect` line included."""
    magic = re.match(r"\s*(%%[^\n]*)", text)
    if magic:
        start, end = magic.start(1), magic.start(1) + len(magic.group(1).rstrip())
        name = text[start + 2 : end].strip().lower()
        role = KEYWORD if name in ("cfg", "jsonnet") else INVALID
        rest = roles_of_jsonnet(text, end) if name == "jsonnet" else Cfg(text, end, len(text), False).tokens
        return [Token("magic", start, end, role)] + rest
    return Cfg(text, 0, len(text), True).tokens


def takes_expression(word: str) -> bool:
    """Whether the argument of a command is an expression."""
    if word in NO_EXPRESSION:
        return False
    return len(word) < 2 or not any(name.startswith(word) for name in NO_EXPRESSION)


def scan_file(text: str) -> List[Token]:
    """The tokens of a file of cfg: nothing in it is a command."""
    return Cfg(text, 0, len(text), False).tokens


class Cfg:
    """The tokens of a text in cfg, from `at` to `end`."""

    def __init__(self, text: str, at: int, end: int, cell: bool):
        self.text, self.end = text, end
        self.tokens: List[Token] = []
        self.comments: List[Token] = []
        # where the tokens begin that have no role yet
        self.fresh = 0
        # strings (the count of their percent signs, 0 for `"`) and interpolations ("%", braces open in them)
        self.modes: List[Tuple[str, int]] = []
        self.depth = 0
        self.run(at, cell)

    def add(self, kind: str, start: int, end: int, role: str = PLAIN) -> None:
        self.tokens.append(Token(kind, start, end, role))

    def flush(self) -> None:
        """Gives the tokens since the last flush their roles."""
        part = self.tokens[self.fresh :] + [Token("eof", self.end, self.end)]
        tag, last, path = False, None, NOWHERE
        for n, token in enumerate(part[:-1]):
            before, after = last and last.kind, part[n + 1].kind
            path = start(path, token.kind, before, last and "\n" in self.text[last.end : token.start])
            defined = after == "=" if path == LINE else path == SURE and after in ("=", "|", ":")
            role, tag = cfg_role(token, before, after, defined, self.text, tag)
            self.tokens[self.fresh + n] = token._replace(role=role)
            last = token
        self.fresh = len(self.tokens)

    def run(self, at: int, cell: bool) -> None:
        text, end = self.text, self.end
        # whether a `%word` here is a command: nothing but commands stands before it
        commands, in_command, line = cell, False, at
        while at < end:
            if self.modes and self.modes[-1][0] != "%":
                at = self.string(at)
                continue
            space = SPACE.match(text, at, end)
            if space:
                if "\n" in space.group():
                    line = space.start() + space.group().rindex("\n") + 1
                at = space.end()
                if at >= end:
                    break
            if cell and at == line and self.depth == 0 and not self.modes:
                found = COMMAND.match(text, at, end)
                is_command = found and (found.group(1) == ":" or commands)
                if in_command or is_command:
                    self.flush()
                    in_command = False
                if is_command:
                    self.add("command", at, found.end(), KEYWORD)
                    self.fresh = len(self.tokens)
                    at, in_command = found.end(), True
                    if not takes_expression(found.group(2)):
                        newline = text.find("\n", at, end)
                        at = end if newline < 0 else newline
                    continue
            elif cell and commands and not self.tokens and not self.comments:
                found = COMMAND.match(text, at, end)
                if found and found.group(1) == ":":
                    line = at
                    continue
            commands = commands and in_command
            at = self.token(at)
        if self.modes and self.modes[-1][0] != "%":
            self.add("close", end, end)
        self.flush()
        self.tokens = sorted([t for t in self.tokens if t.start < t.end] + self.comments, key=lambda t: t.start)

    def token(self, at: int) -> int:
        text = self.text
        found = CFG_TOKEN.match(text, at, self.end)
        if not found or found.lastgroup == "invalid":
            end = found.end() if found else at + 1
            last = self.tokens[-1] if len(self.tokens) > self.fresh else None
            if last and last.kind == "invalid" and last.end == at:
                self.tokens[-1] = last._replace(end=end)
            else:
                self.add("invalid", at, end)
            return end
        kind, end, word = found.lastgroup, found.end(), found.group()
        if kind == "comment":
            self.comments.append(Token("comment", at, end, COMMENT))
            return end
        if kind == "primop" and word.strip("%") not in CFG_PRIMOPS:
            kind, end = "%", at + 1
        elif kind == "word":
            if word in CFG_RESERVED or word in CFG_NAMES:
                kind = word
            elif word in CFG_LITERALS:
                kind = "literal"
            elif word in CFG_TYPES:
                kind = "type"
        elif kind in ("open", "tagopen"):
            self.modes.append(("s", 0))
        elif found.group("multi"):
            kind = "old" if word.startswith("m%") else "multi"
            self.modes.append((kind, len(found.group("percents"))))
        elif kind == "punct":
            kind = word
            if word == "{" and self.modes:
                self.modes[-1] = ("%", self.modes[-1][1] + 1)
            elif word == "}" and self.modes:
                if self.modes[-1][1] == 0:
                    self.modes.pop()
                    kind = "interpclose"
                else:
                    self.modes[-1] = ("%", self.modes[-1][1] - 1)
            if kind in ("{", "[", "(", "[|"):
                self.depth += 1
            elif kind in ("}", "]", ")", "|]"):
                self.depth = max(0, self.depth - 1)
        self.add(kind, at, end)
        return end

    def string(self, at: int) -> int:
        """The parts of a string from `at` to its end or to an interpolation."""
        text, end, (kind, percents) = self.text, self.end, self.modes[-1]
        start = at

        def part(to: int) -> None:
            if start < to:
                self.add("text", start, to)

        while True:
            found = (CFG_MULTI_STOP if percents else CFG_PLAIN_STOP).search(text, at, end)
            if not found:
                part(end)
                return end
            stop, to = found.start(), found.end()
            run = found.group()
            if percents and run.startswith("%"):
                at = to
                if run.endswith("{") and len(run) - 1 >= percents:
                    part(to - 1 - percents)
                    self.add("interpopen", to - 1 - percents, to)
                    self.modes.append(("%", 0))
                    return to
                # `{` alone is text
            elif percents:
                at = stop + 1
                signs = len(run) - 1
                if signs >= percents and text[to : min(to + 1, end)] != "{":
                    part(stop)
                    close = stop + 1 + percents
                    if kind == "old" and signs == percents and CFG_OLD_CLOSE.match(text, close, end):
                        close += 1
                    self.add("close", stop, close)
                    self.modes.pop()
                    return close
            elif run == '"':
                part(stop)
                self.add("close", stop, to)
                self.modes.pop()
                return to
            elif run == "%{":
                part(stop)
                self.add("interpopen", stop, to)
                self.modes.append(("%", 0))
                return to
            else:
                part(stop)
                at = start = CFG_ESCAPE.match(text, stop, end).end()
                self.add("escape", stop, at)


COMMAND = re.compile(r"([:%])(\?|[a-zA-Z][^\s]*)")


# whether a token is part of a path `a.b` where a definition may begin: not, on a line of its own, surely
NOWHERE, LINE, SURE = range(3)
BEGINS = (None, "{", ",", ";", "let", "rec")


def start(path: int, kind: str, before: Optional[str], fresh: bool) -> int:
    """The same for the next token."""
    if kind in (".", "text", "escape", "close") or before == ".":
        return path
    if before in BEGINS:
        return SURE
    return LINE if fresh and before not in ("|", ":") else NOWHERE


def cfg_role(
    token: Token, before: Optional[str], after: str, defined: bool, text: str, tag: bool
) -> Tuple[str, bool]:
    """The role of a token between two others, and whether a quoted tag is open behind it."""
    kind = token.kind
    begins = before in BEGINS
    if kind == "invalid":
        return INVALID, tag
    if kind == "include" and begins and (after == "word" or after in CFG_NAMES or after in CFG_META or after == "["):
        return KEYWORD, tag
    if kind == "as" and after in ("tag", "tagopen"):
        return KEYWORD, tag
    if kind in ("word", "result") or kind in CFG_NAMES:
        word = text[token.start : token.end]
        if defined:
            return NAME, tag
        if word in ("Num", "Str", "List"):
            return TYPE, tag
        if word in ("merge", "when", "secret") and before == "|":
            return KEYWORD, tag
        return PLAIN, tag
    if kind in ("number", "literal"):
        return LITERAL, tag
    if kind == "tag":
        return TAG, tag
    if kind == "tagopen":
        return TAG, True
    if kind in ("open", "multi", "old"):
        return STRING, False
    if kind in ("text", "escape", "close"):
        return (TAG, kind != "close") if tag else (STRING, False)
    if kind == "type":
        return TYPE, tag
    if kind in CFG_META and defined and before != "rec":
        return NAME, tag
    if kind in CFG_RESERVED:
        return KEYWORD, tag
    return OPERATOR, tag


def roles_of_jsonnet(text: str, at: int = 0) -> List[Token]:
    """The tokens of a text in Jsonnet, from `at`."""
    tokens: List[Token] = []
    comments: List[Token] = []
    end = len(text)
    while at < end:
        space = SPACE.match(text, at)
        if space:
            at = space.end()
            continue
        found = JSONNET_TOKEN.match(text, at)
        if not found:
            if tokens and tokens[-1].kind == "invalid" and tokens[-1].end == at:
                tokens[-1] = tokens[-1]._replace(end=at + 1)
            else:
                tokens.append(Token("invalid", at, at + 1))
            at += 1
            continue
        kind, word, stop = found.lastgroup, found.group(), found.end()
        if kind in ("comment", "block"):
            if kind == "block":
                close = text.find("*/", stop)
                stop = end if close < 0 else close + 2
            comments.append(Token("comment", at, stop, COMMENT))
            at = stop
            continue
        if kind == "word":
            if word in JSONNET_RESERVED:
                kind = word
            elif word in CFG_LITERALS:
                kind = "literal"
        elif kind == "quote":
            stop = jsonnet_string(text, stop, word)
            kind = "string"
        elif kind == "text":
            stop = jsonnet_block(text, stop)
        elif kind == "punct":
            kind = word
        tokens.append(Token(kind, at, stop))
        at = stop
    tokens.append(Token("eof", end, end))
    before = None
    for n, token in enumerate(tokens[:-1]):
        tokens[n] = token._replace(role=jsonnet_role(token.kind, before, tokens[n + 1].kind))
        before = token.kind
    return sorted(tokens[:-1] + comments, key=lambda t: t.start)


def jsonnet_role(kind: str, before: Optional[str], after: str) -> str:
    """The role of a token between two others."""
    field = before in ("{", ",") and after in COLONS
    if kind == "invalid":
        return INVALID
    if kind == "word":
        return NAME if field or before in ("local", "for") or after == "=" else PLAIN
    if kind == "result":
        return PLAIN
    if kind == "string":
        return NAME if field else STRING
    if kind == "text":
        return STRING
    if kind in ("number", "literal"):
        return LITERAL
    return KEYWORD if kind in JSONNET_RESERVED or kind == "$" else OPERATOR


def jsonnet_string(text: str, at: int, opening: str) -> int:
    """The end of a string whose text begins at `at`. In a verbatim one a doubled quote stands for one."""
    quote = opening[-1]
    end = len(text)
    if opening[0] == "@":
        while True:
            at = text.find(quote, at)
            if at < 0:
                return end
            if text[at + 1 : at + 2] != quote:
                return at + 1
            at += 2
    stops = re.compile(rf"[{quote}\\]")
    while True:
        found = stops.search(text, at)
        if not found:
            return end
        if found.group() == quote:
            return found.end()
        at = found.end() + 1


def jsonnet_block(text: str, at: int) -> int:
    """The end of a text block whose `|||` stands before `at`; of one that is none, where the next could begin."""
    end = len(text)
    line = text.find("\n", at)
    if text[at : end if line < 0 else line].strip(" \t\r"):
        return jsonnet_broken(text, at)
    if line < 0:
        return end
    here = line + 1
    while text.startswith("\n", here):
        here += 1
    indent = BLANKS.match(text, here).group()
    if not indent:
        return end if here == end else jsonnet_broken(text, at)
    while True:
        if text.startswith(indent, here):
            line = text.find("\n", here)
            if line < 0:
                return end
            here = line + 1
        elif text.startswith("\n", here):
            here += 1
        else:
            rest = BLANKS.match(text, here).end()
            if text.startswith("|||", rest):
                return rest + 3
            if text[rest:] in ("", "|", "||"):
                return end
            closing = CLOSING.search(text, here)
            if closing:
                return closing.end()
            line = text.find("\n", here)
            return end if line < 0 else line


def jsonnet_broken(text: str, at: int) -> int:
    """A later `|||` is taken for the end; without one the line is."""
    later = text.find("|||", at)
    if later >= 0:
        return later + 3
    line = text.find("\n", at)
    return len(text) if line < 0 else line


BLANKS = re.compile(r"[ \t]*")
CLOSING = re.compile(r"^[ \t]*\|\|\|", re.MULTILINE)
