#!/usr/bin/env python3
"""Searches for programs whose processor time grows faster than their size.

    tests/benches/growth.py target/dist/cfg [SECONDS [SEED]]

Nests and chains random constructs of each language n and 2n times, runs random commands on them, and prints those whose time grows
more than three times. Exit code 1 if there is one. Needs Linux.
"""

import os
import random
import resource
import sys
import tempfile
import time

# Pairs of texts around an inner expression, expressions without parts, and expressions between which an operator or a comma may be.
LANGUAGES = {
    "cfg": (
        [("(", ")"), ("[", "]"), ("{ a = ", " }"), ("fun x => ", ""), ("if true then ", " else 2"), ("if true then 1 else ", ""),
         ("let x = ", " in x"), ("let x = 1 in ", ""), ("let rec f = ", " in f"), ("'A (", ")"), ("{ a | default = ", " }"),
         ("{ a | Number | force = ", " }"), ("(fun x => x) (", ")"), ("(", ") & { b = 1 }"), ("{ c = 1 } & (", ")"),
         ("1 |> match { 1 => ", ", _ => 2 }"), ("match { 'A => ", " }"), ("\"%{", "}\""), ("!(", ")"), ("-(", ")"), ("(", ").a"),
         ("(", ") |> (fun x => x)"), ("std.array.map (fun x => x) [", "]"), ("{ \"%{\"a\"}\" = ", " }"), ("(", " | Number)"),
         ("(", " : Number)"), ("{ a.b.c = ", " }"), ("{ a | optional, b = ", " }"), ("let { a = x } = { a = ", " } in x"),
         ("std.typeof (", ")"), ("[1, ", "]"), ("{ a = 1, b = ", " }"), ("let [x] = [", "] in x")],
        ["1", "\"a\"", "true", "{}", "[]", "x", "'T", "null", "fun r => r.a", "{ a = 1 }", "std.array"],
        [" + ", " ++ ", " & ", " && ", " || ", " @ ", " == ", " < ", " |> ", " "]),
    "jsonnet": (
        [("(", ")"), ("[", "]"), ("{ a: ", " }"), ("{ a+: ", " }"), ("{ a:: ", " }"), ("{ local x = ", ", a: x }"), ("local x = ", "; x"),
         ("local x = 1; ", ""), ("function(x) ", ""), ("(function(x) x)(", ")"), ("(function(x=", ") x)()"), ("if true then ", " else 2"),
         ("if true then 1 else ", ""), ("assert true; ", ""), ("{ assert true, a: ", " }"), ("[", " for x in [1]]"), ("[x for x in [", "]]"),
         ("{ [x]: ", " for x in ['a'] }"), ("-(", ")"), ("!(", ")"), ("(", ").a"), ("(", ")[0]"), ("(", ")[0:1]"), ("(", ") { b: 1 }"),
         ("{ b: 1 } + (", ")"), ("(", ") + { c: super.a }"), ("std.toString(", ")"), ("std.map(function(x) x, [", "])"),
         ("{ m(x):: ", " }"), ("{ a: self.b, b: ", " }"), ("error ", ""), ("'%s' % [", "]"), ("{ ['a']: ", " }")],
        ["1", "'a'", "true", "{}", "[]", "null", "x", "self", "$", "{ a: 1 }", "[1, 2]"],
        [" + ", " - ", " && ", " || ", " == ", " < ", " in ", " % ", " | "]),
    "mcl": (
        [("(", ")"), ("[", ",]"), ("struct{a => ", ",}"), ("{\"a\" => ", ",}"), ("func($x) { ", " }"), ("if true { ", " } else { 1 }"),
         ("len([", ",])"), ("(", ")->a"), ("(", ")[0]"), ("not (", ")"), ("[1, ", ",]"), ("fmt.printf(\"%v\", ", ")")],
        ["1", "\"a\"", "true", "[]", "$y", "1.5"],
        [" + ", " and ", " or ", " == ", " < ", " * "]),
    "yay": (
        [("[", "]"), ("(", ")"), ("not (", ")"), ("len([", "])"), ("(", ")[0]"), ("(", ").a"), ("-(", ")"), ("{'a': ", "}"), ("[1, ", "]")],
        ["1", "'a'", "x", "[]", "true"],
        [" + ", " and ", " or ", " == ", " < ", " in "]),
    "json": ([("[", "]"), ("{\"a\":", "}"), ("[1,", "]"), ("{\"b\":1,\"a\":", "}")], ["1", "\"a\"", "null", "{}"], [","]),
    "yaml": ([("[", "]"), ("{a: ", "}"), ("[1, ", "]"), ("{b: 1, a: ", "}"), ("- ", ""), ("? ", "")], ["1", "a", "'b'", "{}", "*x", "&x 1"], ["\n", ", "]),
    "toml": ([("[", "]"), ("{a=", "}"), ("[1,", "]"), ("{b=1,a=", "}")], ["1", "\"a\"", "true", "[]"], [","]),
}
AROUND = {"mcl": ("$y = 1\n$x = ", "\n"), "yay": ("x: 1\na: {{ ", " }}\n"), "toml": ("a = ", "\n")}
COMMANDS = [["check"], ["eval"], ["type"], ["fmt", "--check"], ["explain", "a"], ["steps"]]
ENOUGH, LARGEST, LIMIT = 0.08, 16_000, 3.0


def program(language, random):
    """Returns a function from n to a text, and what it repeats."""
    wraps, leaves, operators = LANGUAGES[language]
    before, after = AROUND.get(language, ("", ""))
    chosen = [random.choice(wraps) for _ in range(random.choice([1, 1, 2, 3]))]
    leaf = random.choice(leaves)
    opens, closes = "".join(o for o, _ in chosen), "".join(c for _, c in reversed(chosen))
    kind = random.choice(["nest", "nest", "chain", "list", "broken"])
    if kind == "nest":
        return lambda n: before + opens * n + leaf + closes * n + after, f"nest {opens}…{closes} of {leaf}"
    if kind == "broken":
        return lambda n: before + opens * n + leaf + after, f"open {opens} of {leaf}"
    operator = random.choice(operators) if kind == "chain" else random.choice([",\n", ", "])
    item = opens + leaf + closes
    ends = ("", "") if kind == "chain" else ("[", "]")
    return lambda n: before + ends[0] + operator.join([item] * n) + ends[1] + after, f"{kind} {item} by {operator!r}"


def measured(binary, command, path):
    """Returns the processor time of a command and its signal, if any."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (60, 61))
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    pid = os.fork()
    if pid == 0:
        limits()
        null = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(null, stream)
        os.execv(binary, [binary, command[0], *command[1:2], path] if command[0] == "fmt" else [binary, command[0], path, *command[1:]])
    _, status, usage = os.wait4(pid, 0)
    return usage.ru_utime + usage.ru_stime, os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def main():
    binary = sys.argv[1]
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 60
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else int(time.time())
    end, tried, found = time.time() + seconds, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        while time.time() < end:
            seed += 1
            chance = random.Random(seed)
            language = chance.choice(list(LANGUAGES))
            text, name = program(language, chance)
            command = chance.choice(COMMANDS)
            if language in ("json", "yaml", "toml") and command[0] in ("type", "steps"):
                continue
            # the indentation of nested output is quadratic
            if command[0] == "eval" and name.startswith("nest"):
                continue
            path = os.path.join(folder, f"p.{language}")

            def at(n):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text(n))
                return measured(binary, command, path)

            n, (once, signal) = 1000, at(1000)
            while once < ENOUGH and n < LARGEST and not signal:
                n *= 2
                once, signal = at(n)
            twice, signal_of_twice = at(2 * n)
            tried += 1
            if twice > LIMIT * once:
                once, twice = min([once] + [at(n)[0] for _ in range(2)]), min([twice] + [at(2 * n)[0] for _ in range(2)])
            ends = signal or signal_of_twice
            if ends or (twice > LIMIT * once and twice > 2 * ENOUGH):
                found += 1
                ratio = twice / max(once, 0.001)
                print(f"seed {seed} {language} {' '.join(command)}: {name}: n = {n}: {once:.2f} s, {twice:.2f} s, {ratio:.1f}"
                      + (f", signal {ends}" if ends else ""), flush=True)
    print(f"{tried} programs, {found} grow too fast")
    return 1 if found else 0


sys.exit(main())
