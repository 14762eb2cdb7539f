"""papermill's parameters in cfg: `papermill -p port 443` inserts a cell `port = 443` after the one tagged `parameters`."""

import math

from papermill.engines import NBClientEngine
from papermill.models import Parameter
from papermill.translators import Translator, papermill_translators

from . import scan

__all__ = ["CfgTranslator", "Engine"]

ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
OPENERS, CLOSERS = ("{", "[", "(", "[|"), ("}", "]", ")", "|]")


class CfgTranslator(Translator):
    """Translates values of Python and YAML to cfg."""

    @classmethod
    def translate_none(cls, val):
        return "null"

    @classmethod
    def translate_float(cls, val):
        if not math.isfinite(val):
            raise ValueError(f"cfg has no number {val}")
        return repr(val)

    @classmethod
    def translate_escaped_str(cls, str_val):
        def shown(c):
            return ESCAPES.get(c) or (c if c.isprintable() else f"\\u{{{ord(c):x}}}")

        return '"' + "".join(map(shown, str(str_val))).replace("%{", "\\%{") + '"'

    @classmethod
    def translate_list(cls, val):
        return "[" + ", ".join(cls.translate(item) for item in val) + "]"

    @classmethod
    def translate_dict(cls, val):
        fields = (f"{cls.translate_escaped_str(key)} = {cls.translate(item)}" for key, item in val.items())
        return "{ " + ", ".join(fields) + " }" if val else "{}"

    @classmethod
    def comment(cls, cmt_str):
        return f"# {cmt_str}"

    @classmethod
    def inspect(cls, parameters_cell):
        """Returns the definitions of a cell: name, type or contract, value, and the comment after it as help."""
        text = parameters_cell["source"]
        found, depth, name, equals = [], 0, None, None
        for token in scan.scan(text) + [scan.Token("eof", len(text), len(text))]:
            fresh = not text[text.rfind("\n", 0, token.start) + 1 : token.start].strip()
            if depth == 0 and name and equals and (fresh or token.kind in (",", ";", "eof", "comment")):
                kind = text[name.end : equals.start].strip().lstrip("|:").split("|")[0].strip()
                value = text[equals.end : token.start].strip()
                note = text[token.start + 1 : token.end].strip() if token.kind == "comment" and not fresh else ""
                found.append(Parameter(text[name.start : name.end], kind or "None", value, note))
                name = equals = None
            if depth == 0 and name is None and token.role == scan.NAME:
                name = token
            elif depth == 0 and name and token.kind == "=":
                equals = equals or token
            depth += (token.kind in OPENERS) - (token.kind in CLOSERS)
        return found


class Engine(NBClientEngine):
    """papermill's own engine. Loading this module registers the translator."""


papermill_translators.register("cfg", CfgTranslator)
