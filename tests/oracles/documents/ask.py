#!/usr/bin/env python3
"""Asks the readers of Python for the data in documents that cfg wrote as JSON, YAML and TOML.

    ask.py CFG [COUNT [SEED]]     writes answers.jsonl.gz (PyYAML and ruamel.yaml must be installed)
    ask.py check                  compares the questions made now with those answered

A line holds a document as JSON, what cfg writes for it in each format, and what each reader makes of that: `true` if it is the
same data, with numbers compared by their decimal values. The test `documents_come_out_as_they_went_in` writes the same documents.
"""
import json, pathlib, random, subprocess, sys, tempfile
from decimal import Decimal

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import kept

HERE = pathlib.Path(__file__).resolve().parent

STRINGS = ["", "no", "yes", "on", "off", "y", "n", "~", "null", "true", "1", "1.0", "1e3", "0x1f", "0o17", "017", "1_000", "12:30:45",
    "2024-01-01", "=", "<<", "- a", "a: b", "a #b", "#a", "'", '"', "\\", "%a", "@a", "`a", "!a", "&a", "*a", "?", "? a", "|", ">", ">-", "a\nb",
    "a\n", "\na", "a\n\n", "  a", "a  ", "\ta", "a\tb", "é", "日本", "😀", "\u0085", "\u2028", "\ufeff", "\x07", "\x00", "{{ x }}", "${a}", "{a}",
    "[a]", "a,b", "a:", "a:b", "-", "--", "---", "...", ".", ".5", "+1", "-0", "a\\nb", "  a\n b", "a \nb", "a\n \nb", "x" * 130,
    "key with space", "null ", "NaN", ".nan", ".inf", "0b1", "e1", "a\r\nb", "\r", "!!str x", "a\n---\nb", "-1.5e-3", "\x7f", "\ue000"]
NUMBERS = ["0", "1", "-1", "80", "2147483648", "9007199254740993", "9223372036854775807", "9223372036854775808", "18446744073709551615",
    "18446744073709551616", "12345678901234567890123", "-9223372036854775808", "-9223372036854775809", "0.1", "3.14159265358979323846", "1e-7",
    "1.5e300", "-2.5", "1e+2", "123456789.123456789123456789", "1e-400", "1e400", "1e21", "0.000001", "5e-324", "-1.5E-10", "1e23",
    "123456789012345678901234567890123456789012345678901234567890123456789"]


class Literal:
    """A number as it is written."""

    def __init__(self, text):
        self.text = text


def value(rng, depth):
    kind = rng.random()
    if depth == 0 or kind < 0.55:
        kind = rng.random()
        if kind < 0.5:
            return rng.choice(STRINGS)
        if kind < 0.8:
            return Literal(rng.choice(NUMBERS))
        return rng.choice([True, False, None]) if kind < 0.9 else rng.choice([True, False])
    if kind < 0.8:
        return {rng.choice(STRINGS): value(rng, depth - 1) for _ in range(rng.randrange(5))}
    return [value(rng, depth - 1) for _ in range(rng.randrange(4))]


def written(value, ascii):
    if isinstance(value, Literal):
        return value.text
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k, ensure_ascii=ascii)}: {written(v, ascii)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(written(v, ascii) for v in value) + "]"
    return json.dumps(value, ensure_ascii=ascii)


def questions(seed, count):
    rng = random.Random(seed)
    document = lambda n: written({f"{rng.choice(STRINGS)}{i}": value(rng, 3) for i in range(5)}, n % 2 == 0)
    return [document(n) for n in range(count)]


def normal(value):
    """The data with its numbers as decimals."""
    if isinstance(value, dict):
        return {key: normal(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [normal(inner) for inner in value]
    return Decimal(value) if isinstance(value, (int, Decimal)) and not isinstance(value, bool) else value


def same(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def readers():
    import ruamel.yaml, tomllib, yaml

    class Loader(yaml.SafeLoader):
        pass

    decimal = lambda loader, node: Decimal(loader.construct_scalar(node).replace("_", ""))
    Loader.add_constructor("tag:yaml.org,2002:float", decimal)
    ruamel = ruamel.yaml.YAML(typ="safe", pure=True)
    ruamel.version = (1, 2)
    ruamel.constructor.add_constructor("tag:yaml.org,2002:float", decimal)
    python = lambda text: json.loads(text, parse_float=Decimal)
    toml = lambda text: tomllib.loads(text, parse_float=Decimal)
    pyyaml = lambda text: yaml.load(text, Loader)
    return [("json", "python", python), ("yaml", "pyyaml", pyyaml), ("yaml", "ruamel", ruamel.load), ("toml", "tomllib", toml)]


def main():
    args = sys.argv[1:]
    if args == ["check"]:
        documents = lambda _, text: (json.loads(line)["document"] for line in text.split("\n")[:-1])
        return kept.check(HERE, lambda _, arguments: questions(**arguments), documents)
    import ruamel.yaml, yaml
    arguments = {"seed": int(args[2]) if len(args) > 2 else 1, "count": int(args[1]) if len(args) > 1 else 300}
    asked, texts, wrong = questions(**arguments), [], 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "document.json"
        for document in asked:
            path.write_text(document, encoding="utf-8")
            line = {"document": document}
            for form in ["json", "yaml", "toml"]:
                ran = subprocess.run([args[0], "eval", path, "--format", form], capture_output=True)
                # TOML has no null
                line[form] = ran.stdout.decode() if ran.returncode == 0 else None
                assert ran.returncode == 0 or form == "toml" and b"null" in ran.stderr, ran.stderr.decode()
            data = normal(json.loads(document, parse_float=Decimal))
            for form, name, reader in readers():
                try:
                    line[name] = line[form] is None or same(normal(reader(line[form])), data)
                except Exception as error:
                    line[name] = str(error)
                if line[name] is not True:
                    wrong += 1
                    print(document, name, line[form], line[name])
            texts.append(json.dumps(line) + "\n")
    print(f"{wrong} readings of {len(asked)} documents are other data")
    reference = f"PyYAML {yaml.__version__}, ruamel.yaml {ruamel.yaml.__version__}, Python {sys.version.split()[0]}"
    kept.keep(HERE, "answers.jsonl.gz", reference, arguments, asked, texts)


main()
