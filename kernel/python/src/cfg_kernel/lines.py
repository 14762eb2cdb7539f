"""The tokens of a language whose lines are keys, elements or directives, with expressions in some of them.

A port of the lexer of the core. `static/lines.js` is the same in JavaScript. Total on any text.
"""

import re

# what is white space in Rust
BLANK = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
START, END = re.compile(f"^[{BLANK}]+"), re.compile(f"[{BLANK}]+$")
QUOTED_KEY = re.compile(r'"[^"]*"(?=[ \t]*:(?:[ \t\r]|$))')
KEY = re.compile(rf"(?:(?!:(?:[ \t\r]|$))[^{BLANK}])+(?=[ \t]*:(?:[ \t\r]|$))")
HYPHEN = re.compile(rf"-(?:[ \t]+|(?=[{BLANK}]*$))")
DIRECTIVE = re.compile(r"(%? *)([A-Za-z]*)")
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
BLOCKS = ("|", "|+", "|-", ">", ">-", ">+")
TEXT, LINE, TEMPLATE = range(3)


def trim_start(text):
    return START.sub("", text)


def trim_end(text):
    return END.sub("", text)


def trim(text):
    return trim_start(trim_end(text))


def key(line):
    """The length of the key that a line begins with, or 0."""
    found = (QUOTED_KEY if line.startswith('"') else KEY).match(line)
    return found.end() if found else 0


def is_extend(line):
    rest = line[6:]
    return line.startswith("extend") and rest[:1] in (" ", "\t") and key(trim_start(rest)) > 0


def is_number(text):
    text = trim(text)
    if not NUMBER.fullmatch(text):
        return False
    return text.lstrip("+-").isdigit() or float(text) not in (float("inf"), float("-inf"))


def string(text, at):
    """The end of the string that begins at a place; -1 if it does not end."""
    quote = text[at]
    if text.startswith(quote * 3, at):
        end = text.find(quote * 3, at + 3)
        return -1 if end < 0 else end + 3
    found = re.compile(rf"{quote}(?:[^{quote}\\\n]|\\[\s\S])*{quote}").match(text, at)
    return found.end() if found else -1


class Lines:
    """The tokens of a text from `at` on, as `(kind, start, end, classes)`, comments among them."""

    def __init__(self, language, text, at):
        self.language, self.text, self.at, self.first = language, text, at, at
        self.tokens = []
        if self.is_document():
            self.document()
        else:
            self.expression(TEXT)

    def directive(self, line):
        """The lengths of `%` with its blanks, and of the word, if a line begins with a directive."""
        sign, word = DIRECTIVE.match(line).groups()
        if sign and not sign.startswith("%") or word not in self.language.directives:
            return None
        after = line[len(sign) + len(word) :]
        begins = trim_start(after)
        if word == "else":
            fits = begins[:1] in ("", ":")
        elif word == "let" and not sign:
            fits = "=" in after and not begins.startswith(":")
        else:
            fits = after[:1] in tuple(" \t(\"'{[\\") and not begins.startswith(":")
        return (len(sign), len(word)) if fits or sign else None

    def is_document(self):
        for line in self.text[self.at :].split("\n"):
            line = trim(line)
            if not line or line.startswith("#"):
                continue
            if line.startswith(("{{", "%")) or HYPHEN.match(line) or self.directive(line) or is_extend(line):
                return True
            length = key(line)
            return length > 0 and (line.startswith('"') or not re.search(r"[(\[{]", line[:length]))
        return True

    def add(self, kind, end, classes=None):
        self.tokens.append((kind, self.at, end, classes or self.language.parts.get(kind, (0, 0, 0))))
        self.at = end

    def add_text(self, end):
        number = is_number(self.text[self.at : end])
        self.add("text", end, self.language.number if number else None)

    def line_end(self):
        """The end of the line, and where the next one begins."""
        newline = self.text.find("\n", self.at)
        if newline < 0:
            end = following = len(self.text)
        else:
            end, following = newline, newline + 1
        return (end - 1 if end > self.at and self.text[end - 1] == "\r" else end), following

    def line(self):
        return self.text[self.at : self.line_end()[0]]

    def blanks(self):
        while self.text[self.at : self.at + 1] in (" ", "\t"):
            self.at += 1

    def column(self):
        start = max(self.text.rfind("\n", 0, self.at) + 1, self.first)
        # in the core columns are bytes
        return self.at - start + (2 if self.text.startswith("\ufeff", start) and start == self.first else 0)

    def document(self):
        if self.text.startswith("\ufeff", self.at):
            self.at += 1
        while self.at < len(self.text):
            self.blanks()
            line = self.line()
            if line.startswith("#") or not trim(line):
                if trim(line):
                    self.add("comment", self.at + len(line))
                self.at = self.line_end()[1]
                continue
            self.content(self.column())
            self.blanks()
            line = self.line()
            if line:
                self.add("invalid", self.at + len(trim_end(line)))
                self.blanks()
            newline = self.text.find("\n", self.at)
            if newline >= 0:
                self.add("newline", newline + 1)

    def content(self, column):
        line = self.line()
        hyphen, directive = HYPHEN.match(line), self.directive(line)
        if hyphen:
            after = self.at + hyphen.end()
            self.add("hyphen", self.at + 1)
            self.at = after
            line = self.line()
            if key(line):
                self.entry(self.column())
            elif line:
                self.scalar(column)
        elif directive:
            sign, length = directive
            if sign:
                after = self.at + sign
                self.add("sign", self.at + 1)
                self.at = after
            word = self.text[self.at : self.at + length]
            self.add(word, self.at + length, self.language.literals[word][2])
            self.expression(LINE)
        elif is_extend(line):
            self.add("extend", self.at + len("extend"))
            self.blanks()
            self.entry(column)
        elif key(line):
            self.entry(column)
        else:
            self.scalar(column)

    def entry(self, column):
        line = self.line()
        self.add("key", self.at + (key(line) or len(line)))
        self.blanks()
        if self.text.startswith(":", self.at):
            self.add(":", self.at + 1, self.language.literals[":"][2])
        self.blanks()
        self.scalar(column)

    def scalar(self, column):
        line = self.line()
        trimmed = trim_end(line)
        if not trimmed:
            return
        if trimmed in ("{}", "[]"):
            return self.add("empty", self.at + 2)
        if trimmed in BLOCKS:
            self.add("blockmark", self.at + len(trimmed))
            return self.block(column)
        if line.startswith("#"):
            return self.add("comment", self.at + len(line))
        quoted = False
        while True:
            line = self.line()
            plain = len(line) if quoted else len(trim_end(line))
            length = 0
            while length < plain and not line.startswith("{{", length):
                if line[length] == '"' and (quoted or length == 0):
                    break
                length += 1
            if length:
                self.add_text(self.at + length)
            elif line.startswith("{{"):
                self.template()
            elif line.startswith('"') and plain:
                quoted = not quoted
                self.add("quote", self.at + 1)
                if not quoted:
                    self.blanks()
            else:
                return None

    def template(self):
        self.add("interpopen", self.at + 2)
        self.expression(TEMPLATE)
        if self.text.startswith("}}", self.at):
            self.add("interpclose", self.at + 2)

    def block(self, column):
        self.blanks()
        self.at = self.line_end()[1]
        indent = None
        while self.at < len(self.text):
            line = self.line()
            own = len(line) - len(line.lstrip(" "))
            if not trim(line):
                self.add_text(self.line_end()[1])
                continue
            indent = own if indent is None else indent
            if own <= column or indent <= column:
                break
            self.at += min(own, indent)
            while True:
                line = self.line()
                length = line.find("{{")
                length = len(line) if length < 0 else length
                if length:
                    self.add_text(self.at + length)
                if not self.line().startswith("{{"):
                    break
                self.template()
            end = self.line_end()[1]
            if end > self.at:
                self.add_text(end)
        # the end of the last line ends the entry too
        if self.text[self.at - 1 : self.at] == "\n":
            self.at -= 1
            kind, start, end, classes = self.tokens[-1]
            if kind == "text":
                self.tokens[-1] = (kind, start, end - 1, classes)

    def expression(self, until):
        opened, text = 0, self.text
        while True:
            while text[self.at : self.at + 1] in (" ", "\t", "\r", "\f", "\ufeff"):
                self.at += 1
            first = text[self.at : self.at + 1]
            if not first:
                return
            if first == "\n":
                if until != TEXT and not opened:
                    return
                self.at += 1
                continue
            if first == "\\" and re.match("\r?\n", text[self.at + 1 : self.at + 3]):
                self.at = text.find("\n", self.at) + 1
                continue
            if first == "#":
                self.add("comment", self.line_end()[0])
                continue
            if until == TEMPLATE and not opened and text.startswith("}}", self.at):
                return
            end, (kind, _, classes) = self.language.match(text, self.at, len(text))
            if first in "([{":
                opened += 1
            elif first in ")]}":
                opened = max(0, opened - 1)
            elif first in "\"'":
                end = string(text, self.at)
                if end < 0:
                    end = len(text) if until == TEXT else self.line_end()[0]
                    if end < len(text):
                        kind, classes = "invalid", self.language.parts["invalid"]
            self.add(kind, end, classes)
