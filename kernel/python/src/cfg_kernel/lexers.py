"""Pygments lexers: `cfg` for cells and files, and Jsonnet as `cfg` reads it."""

from pygments.lexer import Lexer
from pygments.token import (
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Whitespace,
)

from . import scan

__all__ = ["CfgLexer", "CfgJsonnetLexer"]

ROLES = {
    scan.PLAIN: Name,
    scan.KEYWORD: Keyword,
    scan.LITERAL: Number,
    scan.STRING: String,
    scan.TAG: Name.Tag,
    scan.NAME: Name.Attribute,
    scan.TYPE: Keyword.Type,
    scan.OPERATOR: Operator,
    scan.COMMENT: Comment.Single,
    scan.INVALID: Error,
}
# more specific token types, each a subtype of the role's own
KINDS = {
    "magic": Keyword.Namespace,
    "command": Keyword.Namespace,
    "literal": Keyword.Constant,
    "escape": String.Escape,
    "interpopen": String.Interpol,
    "interpclose": String.Interpol,
    "result": Name.Variable.Magic,
}
PUNCTUATION = frozenset(["{", "}", "[", "]", "(", ")", "[|", "|]", ",", ";"])


def token_type(token):
    """Returns the Pygments type of a token."""
    if token.kind in PUNCTUATION:
        return Punctuation
    if token.kind in KINDS and token.role not in (scan.INVALID, scan.NAME, scan.TAG):
        return KINDS[token.kind]
    return ROLES[token.role]


class _Scanned(Lexer):
    def scanned(self, text):
        raise NotImplementedError

    def get_tokens_unprocessed(self, text):
        at = 0
        for token in self.scanned(text):
            if at < token.start:
                between = text[at : token.start]
                yield at, Whitespace if not between.strip() else Text, between
            yield token.start, token_type(token), text[token.start : token.end]
            at = token.end
        if at < len(text):
            rest = text[at:]
            yield at, Whitespace if not rest.strip() else Text, rest


class CfgLexer(_Scanned):
    """Files and notebook cells of cfg (Nickel's syntax and more)."""

    name = "cfg"
    url = "https://nickel-lang.org"
    aliases = ["cfg-lang"]
    filenames = ["*.cfg", "*.ncl"]
    mimetypes = ["text/x-cfg"]
    # in Pygments, `cfg` is an alias of INI, and most `.cfg` files are INI files of other programs
    priority = 0.05

    def scanned(self, text):
        return scan.scan(text)


class CfgJsonnetLexer(_Scanned):
    """Jsonnet as cfg reads it, including `$1`."""

    name = "Jsonnet (cfg)"
    url = "https://jsonnet.org"
    aliases = ["cfg-jsonnet"]
    filenames = []
    mimetypes = []

    def scanned(self, text):
        return scan.scan_file(text, "jsonnet")
