"""Pygments lexers, one for each language of `cfg` that has a highlighter.

The standard language has `CfgLexer`, for cells and files. Another one, `name`, has `CfgNameLexer`.
"""

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
from .tables import TABLES

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


def _lexer(name, editor):
    """Returns the lexer class of a language."""
    standard = name == scan.STANDARD
    takes_files = editor["takes_files"]

    class Scanned(_Scanned):
        """A language as cfg reads it, including results such as `$1`."""

        url = editor["home"]
        aliases = [editor["lexer"]]
        filenames = ["*." + ending for ending in editor["endings"]] if takes_files else []
        mimetypes = [editor["mime"]] if takes_files else []

        def scanned(self, text):
            return scan.scan(text) if standard else scan.scan_file(text, name)

    Scanned.name = editor["title"] if standard else f"{editor['title']} (cfg)"
    if standard:
        # in Pygments, `cfg` is an alias of INI, and most `.cfg` files are INI files of other programs
        Scanned.priority = 0.05
    Scanned.__name__ = Scanned.__qualname__ = "CfgLexer" if standard else f"Cfg{name.capitalize()}Lexer"
    return Scanned


_LEXERS = [_lexer(name, editor) for name, editor in TABLES["editors"].items()]
globals().update((lexer.__name__, lexer) for lexer in _LEXERS)
__all__ = [lexer.__name__ for lexer in _LEXERS]
