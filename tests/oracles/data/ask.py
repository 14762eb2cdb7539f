#!/usr/bin/env python3
"""Asks Nickel and Python what random data documents mean, and keeps the answers as `answers.jsonl`.

    python3 tests/oracles/data/ask.py [COUNT [SEED]]      (nickel and PyYAML 6.0.3 must be installed)
    python3 tests/oracles/data/ask.py check               compares the questions made now with those answered

Each line is one document: its format, its text, what `nickel export` prints of it as JSON, YAML and TOML (null where
Nickel refuses), and whether Python's reader (json, PyYAML, tomllib) takes it and agrees with Nickel's JSON. The test
`data_peers` reads the same documents with cfg and compares bytes. Documents are written in random style: blanks,
escapes, quoting, flow and block, anchors, dotted keys, headers; some are damaged.
"""

import datetime
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import tomllib

import yaml

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import kept

HERE = os.path.dirname(os.path.abspath(__file__))
WORDS = ["a", "b", "name", "port", "x-y", "on", "yes", "null", "true", "1", "0x1F", "a b", "é", "ключ", "", "it's", 'q"q',
         "a.b", "#c", "- d", "k: v", "~", "1e3", ".5", "01", "2020-01-01", "<<x", "!t", "&a", "*a", "[x", "{x", "%p", "@at",
         "`", "a\nb", "a\n", "\na", " lead", "trail ", "tab\tx", "back\\slash", "\u2028", "\x7f", "\x01", "😀", "x: ", "-",
         "--- a", "...", "=", "nan", ".inf", "0o17", "0b1", "+1", "1_000", "null\n", "a\n\n b\n", "long " * 30]


def number(r):
    kind = r.randrange(7)
    if kind == 0:
        return r.randrange(-10, 100)
    if kind == 1:
        return r.randrange(-2**63, 2**64)
    if kind == 2:
        return r.randrange(-1000, 1000) / 8
    if kind == 3:
        return r.uniform(-1e6, 1e6)
    if kind == 4:
        return r.random() * 10.0 ** r.randrange(-300, 300)
    if kind == 5:
        return float(r.randrange(10**6)) / 10 ** r.randrange(1, 12)
    return 10 ** r.randrange(0, 25)


def scalar(r, null=True):
    kind = r.randrange(6)
    if kind == 0:
        return r.random() < 0.5
    if kind == 1 and null:
        return None
    if kind < 4:
        return number(r)
    return r.choice(WORDS)


def value(r, depth, null=True):
    if depth == 0 or r.random() < 0.3:
        return scalar(r, null)
    if r.random() < 0.45:
        return [value(r, depth - 1, null) for _ in range(r.randrange(4))]
    return {r.choice(WORDS): value(r, depth - 1, null) for _ in range(r.randrange(5))}


def gap(r):
    return r.choice(["", "", "", " ", "\n", "\t", "\r\n  "])


def json_string(r, text):
    out = ['"']
    for c in text:
        roll = r.random()
        if c in '"\\' or ord(c) < 32:
            out.append(json.dumps(c)[1:-1])
        elif roll < 0.05:
            out.append(json.dumps(c, ensure_ascii=True)[1:-1])
        elif c == "/" and roll < 0.5:
            out.append("\\/")
        else:
            out.append(c)
    return "".join(out) + '"'


def json_text(r, v):
    if isinstance(v, str):
        return json_string(r, v)
    if isinstance(v, float) and r.random() < 0.3:
        return f"{v:.{r.randrange(3, 20)}E}"
    if isinstance(v, list):
        return "[" + gap(r) + ",".join(gap(r) + json_text(r, x) + gap(r) for x in v) + "]"
    if isinstance(v, dict):
        fields = ",".join(gap(r) + json_string(r, k) + gap(r) + ":" + gap(r) + json_text(r, x) for k, x in v.items())
        return "{" + fields + gap(r) + "}"
    return json.dumps(v)


def yaml_plain(r):
    return r.choice(["yes", "No", "on", "~", "null", "Null", "NULL", "nULL", "true", "False", "TRUE", "0x1F", "0o17", "017", "08",
                     "1_000", "1e3", "1.", ".5", "-.5", "+1", "+1.5", "-0", "0b11", "1e", "e1", "1.5.2", "2001-12-14",
                     "12:30:45", "0x", "0xFG", "-0x1", "!!str 1", "!!int 5", "!!float 2", "!foo x", "a:b", "a#b", "'q''q'",
                     '"\\x41\\n\\u00e9"', "\"a\\\n  b\"", "|\n    lit\n     eral\n", ">-\n    fol\n    ded\n\n    x\n", "1E5",
                     "9223372036854775808", "-9223372036854775809", "0.1", "123456789012345678901234567890"])


def yaml_block(r, depth, indent):
    pad = " " * indent
    if depth == 0 or r.random() < 0.3:
        return " " + yaml_plain(r).rstrip("\n").replace("\n", "\n" + pad) + "\n"
    if r.random() < 0.2:
        flow = json.dumps(value(r, 2), ensure_ascii=False)
        return " " + flow + "\n"
    anchor = f" &x{r.randrange(3)}" if r.random() < 0.1 else ""
    if r.random() < 0.4:
        return anchor + "\n" + "".join(f"{pad}-" + yaml_block(r, depth - 1, indent + 2) for _ in range(r.randrange(1, 4)))
    keys = r.sample(["a", "b", "c", "1", "1.50", "true", "'x y'", '"q"', "~", "x-y", "e f"], r.randrange(1, 4))
    return anchor + "\n" + "".join(f"{pad}{k}:" + yaml_block(r, depth - 1, indent + 2) for k in keys)


def yaml_text(r):
    if r.random() < 0.5:
        style = r.choice([None, None, '"', "'", "|", ">"])
        flow = r.choice([None, True, False])
        return yaml.dump(value(r, 3), default_style=style, default_flow_style=flow, allow_unicode=r.random() < 0.5,
                         width=r.choice([20, 80, 1000]), explicit_start=r.random() < 0.2, sort_keys=False)
    text = yaml_block(r, 3, 0).lstrip(" ")
    if r.random() < 0.15:
        text += "---" + yaml_block(r, 1, 0)
    return text


def toml_key(r, key):
    if key and all(c in "abcdefghijklmnopqrstuvwxyz0123456789_-" for c in key) and r.random() < 0.8:
        return key
    return json.dumps(key).replace("\\/", "/").replace("\x7f", "\\u007F")


def toml_value(r, v):
    if isinstance(v, bool):
        return "true" if v else "false"
    if isinstance(v, int):
        if not -2**63 <= v < 2**63:
            v %= 2**63
        roll = r.random()
        return f"0x{v:x}" if v >= 0 and roll < 0.1 else f"+{v}" if v >= 0 and roll < 0.15 else f"{v:_}" if roll < 0.3 else str(v)
    if isinstance(v, float):
        text = repr(v)
        return text if "." in text or "e" in text else text + ".0"
    if isinstance(v, str):
        roll = r.random()
        if roll < 0.2 and "'" not in v and all(c >= " " and c != "\x7f" for c in v):
            return f"'{v}'"
        if roll < 0.4 and '"' not in v and "\\" not in v and all(c >= " " and c != "\x7f" or c in "\n\t" for c in v):
            return '"""\n' + v + '"""'
        return json.dumps(v, ensure_ascii=False).replace("\x7f", "\\u007F")
    if isinstance(v, list):
        return "[" + r.choice(["", " ", "\n  "]) + ", ".join(toml_value(r, x) for x in v) + r.choice(["", ",\n"] if v else [""]) + "]"
    return "{" + ", ".join(f"{toml_key(r, k)} = {toml_value(r, x)}" for k, x in v.items()) + "}"


def toml_text(r):
    out, headers, path = [], [], []

    def table(v, path):
        for k, x in v.items():
            if isinstance(x, dict) and x and r.random() < 0.7:
                headers.append((path + [k], x, False))
            elif isinstance(x, list) and x and all(isinstance(y, dict) for y in x) and r.random() < 0.8:
                headers.extend((path + [k], y, True) for y in x)
            else:
                out.append(f"{toml_key(r, k)} = {toml_value(r, x)}\n")

    root = {r.choice(WORDS): value(r, 3, null=False) for _ in range(r.randrange(1, 5))}
    if r.random() < 0.3:
        root["when"] = "DATE"
    table(root, [])
    while headers:
        path, v, element = headers.pop(0)
        head = ".".join(toml_key(r, k) for k in path)
        out.append(f"\n[[{head}]]\n" if element else f"[{head}] # c\n")
        before = len(headers)
        table(v, path)
        # the tables of an element come right behind it
        headers[:0] = [headers.pop() for _ in range(len(headers) - before)][::-1]
    dates = ["1979-05-27T07:32:00Z", "1979-05-27 07:32:00.500-07:00", "1979-05-27", "07:32:00", "1979-05-27T00:32:00.999999"]
    return "".join(out).replace('"DATE"', r.choice(dates)).replace("'DATE'", r.choice(dates))


def damaged(r, text):
    at = r.randrange(len(text) + 1)
    roll = r.randrange(4)
    if roll == 0:
        return text[:at]
    if roll == 1:
        return text[:at] + text[at + 1:]
    if roll == 2:
        return text[:at] + r.choice(["{", "}", "[", "]", ",", ":", '"', "'", "1", "\n", "=", "#", "x"]) + text[at:]
    return text[:at] + text[at:at + r.randrange(8)] + text[at:]


def nickel(path, form):
    ran = subprocess.run(["nickel", "export", path, "--format", form], capture_output=True, timeout=20)
    return ran.stdout.decode() if ran.returncode == 0 else None


def simple(v):
    """Dates as Nickel's strings, so that values compare."""
    if isinstance(v, (datetime.datetime, datetime.date, datetime.time)):
        return "DATE"
    if isinstance(v, dict):
        return {str(k): simple(x) for k, x in v.items()}
    if isinstance(v, list):
        return [simple(x) for x in v]
    return v


def python(form, text):
    try:
        if form == "json":
            return True, json.loads(text)
        if form == "toml":
            return True, simple(tomllib.loads(text))
        return True, simple(list(yaml.safe_load_all(text)))
    except Exception:
        return False, None


def questions(seed, count):
    r = random.Random(seed)
    for i in range(count):
        form = ["json", "yaml", "toml"][i % 3]
        text = {"json": lambda: json_text(r, value(r, 4)), "yaml": lambda: yaml_text(r), "toml": lambda: toml_text(r)}[form]()
        if r.random() < 0.25:
            text = damaged(r, text)
        yield [form, text]


def answer(form, text, path):
    with open(path, "w", newline="") as f:
        f.write(text)
    answers = [nickel(path, f) for f in ("json", "yaml", "toml")]
    taken, meant = python(form, text)
    agrees = None
    if form != "yaml":
        # numbers as doubles on both sides
        agrees = taken == (answers[0] is not None) and (not taken or json.loads(answers[0], parse_int=float) == json.loads(
            json.dumps(meant), parse_int=float) or "DATE" in json.dumps(meant))
    line = {"format": form, "text": text, "json": answers[0], "yaml": answers[1], "toml": answers[2], "python": agrees}
    return json.dumps(line, ensure_ascii=True) + "\n"


def main():
    if sys.argv[1:] == ["check"]:
        entries = lambda _, text: ([e["format"], e["text"]] for e in map(json.loads, text.split("\n")[:-1]))
        return kept.check(HERE, lambda _, arguments: questions(**arguments), entries)
    arguments = {
        "seed": int(sys.argv[2]) if len(sys.argv) > 2 else 1,
        "count": int(sys.argv[1]) if len(sys.argv) > 1 else 900,
    }
    asked = list(questions(**arguments))
    version = subprocess.run(["nickel", "--version"], capture_output=True, text=True).stdout.strip()
    with tempfile.TemporaryDirectory() as work:
        texts = [answer(form, text, os.path.join(work, "doc." + form)) for form, text in asked]
    kept.keep(HERE, "answers.jsonl", f"{version}, PyYAML {yaml.__version__}", arguments, asked, texts)


main()
