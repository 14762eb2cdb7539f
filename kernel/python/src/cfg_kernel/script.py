"""`jupyter nbconvert --to script`: a notebook as inputs of the prompt, `cfg repl --quiet < NOTEBOOK.cfg`."""

import re

from nbconvert.exporters import Exporter

from .tables import TABLES

__all__ = ["ScriptExporter"]

COMMANDS = {"run": "load", "timeit": "time"}
STANDARD = TABLES["standard"]
LANGUAGES = TABLES["editors"]
HEADER = "# cfg repl --quiet < FILE"


def commented(text):
    return "\n".join(f"# {line}".rstrip() for line in text.split("\n"))


def joined(source):
    """Joins lines that begin with an operator to the line before: at the prompt, an input ends where it is complete."""
    lines = []
    for line in source.split("\n"):
        continues = lines and re.match(r"\s+(&|\||\+|-|\*|/|==|!=|<|>|@)", line)
        if continues and "#" not in lines[-1] and 'm%"' not in source:
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
    return "\n".join(lines)


def whole(source):
    """Returns a cell that begins with `local` as one input. At the prompt, `local x = 1;` is one, but before an expression it is a part of it."""
    lines = [line for line in source.split("\n") if not re.match(r"\s*(#|//|$)", line)]
    # a line that is not indented, after a `;`: the expression in which the names are bound
    ends = lambda line: re.search(r";\s*((#|//).*)?$", line)
    after = [line for before, line in zip(lines, lines[1:]) if ends(before) and re.match(r"[^\s})\]|:%]", line)]
    is_expression = bool(after) and lines[0].startswith("local") and not re.match(r"local\b", after[-1])
    return f"(\n{source}\n)" if is_expression else source


def failure(cell):
    """Returns the error that a cell ends with: `error [code]`, or `error` if it has not run. `None` if it does not fail."""
    for output in cell.get("outputs", ()):
        if output.get("output_type") == "error":
            return output.get("ename") or "error"
    return "error" if "raises-exception" in cell.metadata.get("tags", ()) and not cell.get("outputs") else None


def marked(text, error):
    """Returns the inputs of a cell that fails: as a comment, or as they are if they define names, which other cells may read."""
    if re.search(r"(?m)^\s*(let\s+|local\s+)?\$?[\w.'-]+\s*([|:][^=\n]*)?=(?!=)", text):
        return f"# This cell failed in the notebook ({error}). It is kept for what it defines.\n{text}"
    return f"# Left out, because this cell failed in the notebook ({error}):\n{commented(text)}"


def inputs(source, language):
    """Returns a cell as inputs of the prompt. `language` is that of the session."""
    first, _, rest = source.strip("\n").partition("\n")
    magic = re.fullmatch(r"%%(\w+)(?:\s+(.*))?", first.rstrip())
    if magic and magic[1] in LANGUAGES:
        own = inputs(rest, magic[1])
        if LANGUAGES[magic[1]]["is_indented"]:
            own += "\n"
        return own if magic[1] == language else f":dialect {magic[1]}\n{own}\n:dialect {language}"
    if magic:
        # a cell that writes a file
        return commented(source)
    asked = re.fullmatch(r"\s*([^\s?#:%][^?#\n]*?)\s*(\?\??)\s*", source)
    if asked:
        return f":{'explain' if asked[2] == '??' else 'info'} {asked[1]}"
    lines = []
    indented = LANGUAGES[language]["is_indented"]
    for line in (source if indented else joined(source)).split("\n"):
        command = re.match(r"%([a-zA-Z][\w-]*)(.*)", line)
        if command:
            line = f":{COMMANDS.get(command[1], command[1])}{command[2]}"
        if re.match(r":clear\b", line):
            line = commented(line)
        # where lines are indented, an empty line ends an input
        if indented and line.startswith(":") and lines and not lines[-1].startswith((":", "#")):
            lines.append("")
        lines.append(line)
    text = "\n".join(lines).rstrip()
    # a final `;` suppresses the output of a cell
    text = text[:-1].rstrip() if text.endswith(";") else text
    return text if indented else whole(text)


class ScriptExporter(Exporter):
    """Exports the code of a notebook, with its prose as comments."""

    file_extension = ".cfg"
    output_mimetype = "text/x-cfg"

    def from_notebook_node(self, nb, resources=None, **kw):
        nb, resources = super().from_notebook_node(nb, resources, **kw)
        parts = [HEADER]
        language = STANDARD
        for cell in nb.cells:
            if not cell.source.strip():
                continue
            if cell.cell_type != "code":
                parts.append(commented(cell.source))
                continue
            error = failure(cell)
            text = inputs(cell.source, language)
            parts.append(marked(text, error) if error else text)
            for name in re.findall(r"^[:%]dialect[ \t]+(\w+)", cell.source, re.MULTILINE):
                language = name if name in LANGUAGES else language
        return "\n\n".join(parts) + "\n", resources
