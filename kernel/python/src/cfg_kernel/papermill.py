"""papermill's parameters in cfg: `papermill -p port 443` inserts a cell after the one tagged `parameters`. What that cell
says of a parameter holds for the new value: `port | Number = 80` becomes `port | Number = 443`."""

import math
import re
from contextvars import ContextVar

from papermill.engines import NBClientEngine, papermill_engines
from papermill.models import Parameter
from papermill.translators import Translator, papermill_translators

from . import scan

__all__ = ["CfgTranslator", "Engine"]

# the annotations of the parameters of the notebook that papermill prepares, by name
ANNOTATIONS = ContextVar("annotations", default={})

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_'-]*")
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
    def codify(cls, parameters, comment="Parameters"):
        said = ANNOTATIONS.get()
        lines = [f"{name} {said[name]} = {cls.translate(val)}" if said.get(name) else cls.assign(name, cls.translate(val))
                 for name, val in parameters.items()]
        return "\n".join([cls.comment(comment), *lines]) + "\n"

    @classmethod
    def inspect(cls, parameters_cell):
        """Returns the definitions of a cell: name, type or contract, value, and the comment after it as help."""
        found = []
        for name, annotations, value, note in definitions(parameters_cell["source"]):
            kind = annotations.lstrip("|:").split("|")[0].strip()
            found.append(Parameter(name, kind or "None", value, note))
        return found


def definitions(text):
    """Returns the definitions of a cell: name, annotations, value, and the comment after it."""
    found, depth, name, equals = [], 0, None, None
    for token in scan.scan(text) + [scan.Token("eof", len(text), len(text))]:
        fresh = not text[text.rfind("\n", 0, token.start) + 1 : token.start].strip()
        if depth == 0 and name and equals and (fresh or token.kind in (",", ";", "eof", "comment")):
            value = text[equals.end : token.start].strip()
            note = text[token.start + 1 : token.end].strip() if token.kind == "comment" and not fresh else ""
            found.append((text[name.start : name.end], text[name.end : equals.start].strip(), value, note))
            name = equals = None
        if depth == 0 and name and not equals and fresh and name.role == scan.PLAIN:
            # an expression
            name = None
        if depth == 0 and name is None and (token.role == scan.NAME or (fresh and begins(text, token))):
            name = token
        elif depth == 0 and name and token.kind == "=":
            equals = equals or token
        depth += (token.kind in OPENERS) - (token.kind in CLOSERS)
    return found


def begins(text, token):
    """Reports whether a token at the beginning of a line may be a name: `hosts : Array String = []`."""
    return token.role == scan.PLAIN and NAME.fullmatch(text, token.start, token.end) is not None


class Engine(NBClientEngine):
    """papermill's own engine. It reads the annotations of the parameters, which papermill does not pass to a translator."""

    @classmethod
    def nb_language(cls, nb, language=None):
        language = super().nb_language(nb, language)
        cells = [cell for cell in nb.cells if "parameters" in cell.metadata.get("tags", [])] if language == "cfg" else []
        found = definitions(cells[0].source) if cells else []
        ANNOTATIONS.set({name: annotations for name, annotations, _, _ in found})
        return language


papermill_translators.register("cfg", CfgTranslator)
# the engine that papermill uses if none is named
papermill_engines.register(None, Engine)
