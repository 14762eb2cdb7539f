"""The texts of cells and files as tokens, each with the role that `cfg` itself gives it.

Tokens and roles are tables: `tables.py` is written by `cargo run -p cfg-tests --example highlighters` from the lexers and
highlighters of `core/src/dialect`. Here is what reads them, with the strings that nest, and the parts of a cell that the
kernel knows: `:commands`, `%commands`, `%%dialect`. `static/scan.js` is the same in JavaScript, and
`tests/tests/highlighting.rs` compares both with the core, token by token. Total on any text, O(length).
"""

import re
from typing import List, NamedTuple, Optional, Tuple

from .lines import Lines
from .tables import TABLES

# roles, by the letters of the tables
PLAIN, KEYWORD, LITERAL, STRING, TAG, NAME, TYPE, OPERATOR, COMMENT, INVALID = ".klsgnyocx"


class Token(NamedTuple):
    """A token: its kind, where it is, its role once that is known, and its classes in the tables."""

    kind: str
    start: int
    end: int
    role: str = PLAIN
    classes: Tuple[int, int, int] = (0, 0, 0)


SPACE = re.compile("[ \t\r\n\f\ufeff]+")
MAGIC = re.compile(r"\s*(%%[^\n]*)")
FIRST = re.compile(r"\s*")
COMMAND = re.compile(r"([:%])(\?|[a-zA-Z][^\s]*)")
NO_EXPRESSION = frozenset(TABLES["commands"])
OPENERS, CLOSERS = ("{", "[", "(", "[|"), ("}", "]", ")", "|]")
ESCAPE = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u\{[0-9A-Fa-f]+\}|.)?", re.DOTALL)
PLAIN_STOP = re.compile(r'"|%\{|\\')
MULTI_STOP = re.compile(r'%+\{?|"%*')
OLD_CLOSE = re.compile(r"m(?![a-zA-Z0-9_\-'%])")
BLANKS = re.compile(r"[ \t]*")
CLOSING = re.compile(r"^[ \t]*\|\|\|", re.MULTILINE)


class Language:
    """The tokens and roles of a language."""

    def __init__(self, table):
        more = table["more"] or {}
        self.literals = {text: rest for text, *rest in table["literals"]}
        self.literal = re.compile("|".join(map(re.escape, sorted(self.literals, key=len, reverse=True))))
        self.patterns = [(re.compile(pattern), rest) for pattern, *rest in table["patterns"]]
        self.parts = dict(map(tuple, table["parts"]))
        self.words = dict(map(tuple, table["words"]))
        self.invalid = re.compile(more.get("invalid", "(?!)"))
        self.primops = frozenset(more.get("primops", ()))
        # the words that begin a line, where a text is lines
        self.directives = more.get("directives")
        self.number = next((entry[2] for _, entry in self.patterns if entry[0] == "number"), None)
        self.nothing, self.sizes, self.roles = table["nothing"][0], table["sizes"], table["roles"]

    def match(self, text: str, at: int, end: int):
        """The longest token at a place: its end, and its kind, form and classes."""
        found = self.literal.match(text, at, end)
        best = (found.end(), self.literals[found.group()]) if found else (at, None)
        for pattern, entry in self.patterns:
            found = pattern.match(text, at, end)
            if found and found.end() > best[0]:
                best = (found.end(), entry)
        stop, entry = best
        if entry and entry[0] == "primop" and text[at + 1 : stop - 1] not in self.primops:
            return at + 1, self.literals["%"]
        if entry and entry[0] == "word":
            return stop, (*entry[:2], self.words.get(text[at:stop], entry[2]))
        if entry:
            return stop, entry
        found = self.invalid.match(text, at, end)
        return found.end() if found else at + 1, ("invalid", "", self.parts["invalid"])

    def role(self, state: int, token: Token, before: Optional[Token], after: Token, fresh: bool) -> Tuple[str, int]:
        """The role of a token between two others, and the next state."""
        tokens, befores, afters = self.sizes
        at = (state * tokens + token.classes[0]) * befores + (before.classes[1] if before else self.nothing)
        at = ((at * afters + after.classes[2]) * 2 + fresh) * 2
        return self.roles[at], ord(self.roles[at + 1]) - ord("0")


LANGUAGES = {name: Language(table) for name, table in TABLES["languages"].items()}
STANDARD = TABLES["standard"]


# the first line of a cell that writes a file
WRITES_FILE = re.compile(r"(write)?file\s")


def scan(text: str) -> List[Token]:
    """The tokens of a cell, commands and a `%%dialect` line included."""
    tokens: List[Token] = []
    at: Optional[int] = 0
    while at is not None:
        language, signs = LANGUAGES[STANDARD], at == 0
        magic = MAGIC.match(text, at)
        if magic:
            start, at = magic.start(1), magic.start(1) + len(magic.group(1).rstrip())
            name = text[start + 2 : at].strip().lower()
            if WRITES_FILE.match(name) and not tokens and not text[:start].strip():
                # the rest is the text of the file
                return [Token("magic", start, at, KEYWORD)]
            tokens.append(Token("magic", start, at, KEYWORD if name in LANGUAGES else INVALID))
            # the kernel reads only `:command` after such a line: `%word` may begin a line of the language
            language, signs = LANGUAGES.get(name, language), False
        scanner = Scanner(language, text, at, True, signs)
        tokens += scanner.tokens
        at = scanner.next
    return tokens


def scan_file(text: str, language: str = STANDARD) -> List[Token]:
    """The tokens of a file: nothing in it is a command."""
    return Scanner(LANGUAGES[language], text, 0, False, False).tokens


class Scanner:
    """The tokens of a text from `at` on. In a cell, `:word` is a command, and with `signs` also `%word`; the tokens end where a
    line `%%dialect` begins the next input (`next`)."""

    def __init__(self, language: Language, text: str, at: int, cell: bool, signs: bool):
        self.language, self.text, self.end = language, text, len(text)
        self.tokens: List[Token] = []
        self.comments: List[Token] = []
        # where the tokens begin that have no role yet
        self.fresh = 0
        # strings (their opening, the count of its percent signs) and interpolations ("%", braces open in them)
        self.modes: List[Tuple[str, int]] = []
        self.depth = 0
        self.next: Optional[int] = None
        if language.directives:
            self.lines(at, cell)
        else:
            self.run(at, cell, signs)

    def lines(self, at: int, cell: bool) -> None:
        found = COMMAND.match(self.text, at + len(FIRST.match(self.text, at).group())) if cell else None
        if found and found.group(1) == ":":
            self.tokens.append(Token("command", found.start(), found.end(), KEYWORD))
            self.fresh = len(self.tokens)
            at = self.end if found.group(2) in NO_EXPRESSION else found.end()
        following = self.text.find("\n%%", at) if cell else -1
        if following >= 0:
            self.next = self.end = following + 1
        for kind, start, end, classes in Lines(self.language, self.text[: self.end], at).tokens:
            if kind == "comment":
                self.comments.append(Token(kind, start, end, COMMENT))
            else:
                self.add(kind, start, end, classes)
        self.settle()

    def settle(self) -> None:
        self.flush()
        self.tokens = sorted([t for t in self.tokens if t.start < t.end] + self.comments, key=lambda t: t.start)

    def add(self, kind: str, start: int, end: int, classes=None) -> None:
        self.tokens.append(Token(kind, start, end, PLAIN, classes or self.language.parts.get(kind, (0, 0, 0))))

    def flush(self) -> None:
        """Gives the tokens since the last flush their roles."""
        part = self.tokens[self.fresh :] + [Token("eof", self.end, self.end, PLAIN, self.language.parts["eof"])]
        state, last = 0, None
        for n, token in enumerate(part[:-1]):
            fresh = bool(last) and "\n" in self.text[last.end : token.start]
            role, state = self.language.role(state, token, last, part[n + 1], fresh)
            self.tokens[self.fresh + n] = token._replace(role=role)
            last = token
        self.fresh = len(self.tokens)

    def in_string(self) -> bool:
        return bool(self.modes) and self.modes[-1][0] != "%"

    def run(self, at: int, cell: bool, signs: bool) -> None:
        text, end = self.text, self.end
        # whether a `%word` here is a command: nothing but commands is before it
        commands, in_command, line = signs, False, at
        while at < end:
            if self.in_string():
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
                if text.startswith("%%", at) and (self.tokens or self.comments):
                    self.next = at
                    break
                found = COMMAND.match(text, at, end)
                is_command = found and (found.group(1) == ":" or commands)
                if in_command or is_command:
                    self.flush()
                    in_command = False
                if is_command:
                    self.tokens.append(Token("command", at, found.end(), KEYWORD))
                    self.fresh = len(self.tokens)
                    at, in_command = found.end(), True
                    if found.group(2) in NO_EXPRESSION:
                        newline = text.find("\n", at, end)
                        at = end if newline < 0 else newline
                    continue
            elif cell and not self.tokens and not self.comments:
                found = COMMAND.match(text, at, end)
                if found and found.group(1) == ":":
                    line = at
                    continue
            commands = commands and in_command
            at = self.token(at)
        if self.in_string():
            self.add("close", end, end)
        self.settle()

    def token(self, at: int) -> int:
        text = self.text
        end, (kind, form, classes) = self.language.match(text, at, self.end)
        word = text[at:end]
        if kind == "invalid":
            last = self.tokens[-1] if len(self.tokens) > self.fresh else None
            if last and last.kind == "invalid" and last.end == at:
                self.tokens[-1] = last._replace(end=end)
                return end
        if kind == "comment":
            if form == "closed":
                close = text.find("*/", end)
                end = self.end if close < 0 else close + 2
            self.comments.append(Token("comment", at, end, COMMENT))
            return end
        if form == "nested":
            self.modes.append((word, word.count("%")))
        elif form in FORMS:
            end = FORMS[form](text, end, word[-1])
        elif word == "{" and self.modes:
            self.modes[-1] = ("%", self.modes[-1][1] + 1)
        elif word == "}" and self.modes:
            if self.modes[-1][1] == 0:
                self.modes.pop()
                kind, classes = "interpclose", None
            else:
                self.modes[-1] = ("%", self.modes[-1][1] - 1)
        if kind in OPENERS:
            self.depth += 1
        elif kind in CLOSERS:
            self.depth = max(0, self.depth - 1)
        self.add(kind, at, end, classes)
        return end

    def string(self, at: int) -> int:
        """The parts of a nested string from `at` to its end or to an interpolation."""
        text, end, (opening, percents) = self.text, self.end, self.modes[-1]
        start = at

        def part(to: int) -> None:
            if start < to:
                self.add("text", start, to)

        while True:
            found = (MULTI_STOP if percents else PLAIN_STOP).search(text, at, end)
            if not found:
                part(end)
                return end
            stop, to = found.start(), found.end()
            run = found.group()
            if run.startswith("%"):
                at = to
                signs = max(1, percents)
                # `{` alone is text
                if run.endswith("{") and len(run) - 1 >= signs:
                    part(to - 1 - signs)
                    self.add("interpopen", to - 1 - signs, to)
                    self.modes.append(("%", 0))
                    return to
            elif run.startswith("\\"):
                part(stop)
                at = start = ESCAPE.match(text, stop, end).end()
                self.add("escape", stop, at)
            else:
                at = stop + 1
                signs = len(run) - 1
                if signs >= percents and not (percents and text[to : to + 1] == "{"):
                    part(stop)
                    close = stop + 1 + percents
                    if opening.startswith("m%") and signs == percents and OLD_CLOSE.match(text, close, end):
                        close += 1
                    self.add("close", stop, close)
                    self.modes.pop()
                    return close


def quoted(text: str, at: int, quote: str) -> int:
    """The end of a string with escapes whose text begins at `at`."""
    stops = re.compile(rf"[{quote}\\]")
    while True:
        found = stops.search(text, at)
        if not found:
            return len(text)
        if found.group() == quote:
            return found.end()
        at = found.end() + 1


def verbatim(text: str, at: int, quote: str) -> int:
    """The end of a string without escapes, in which a doubled quote stands for one."""
    while True:
        at = text.find(quote, at)
        if at < 0:
            return len(text)
        if text[at + 1 : at + 2] != quote:
            return at + 1
        at += 2


def block(text: str, at: int, _: str) -> int:
    """The end of a text block whose `|||` is before `at`; of a broken one, where the next could begin."""
    end = len(text)
    line = text.find("\n", at)
    if text[at : end if line < 0 else line].strip(" \t\r"):
        return broken(text, at)
    if line < 0:
        return end
    here = line + 1
    while text.startswith("\n", here):
        here += 1
    indent = BLANKS.match(text, here).group()
    if not indent:
        return end if here == end else broken(text, at)
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


def broken(text: str, at: int) -> int:
    """A later `|||` is taken for the end; without one the line is."""
    later = text.find("|||", at)
    if later >= 0:
        return later + 3
    line = text.find("\n", at)
    return len(text) if line < 0 else line


FORMS = {"quoted": quoted, "verbatim": verbatim, "block": block}
