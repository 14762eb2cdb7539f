"""Compares the roles that `cfg_kernel/scan.py` gives with the core's. Reads lines of JSON: {"as", "text", "roles"}.

`roles` has a letter for each character, `.` where there is none; the first of a token is a capital.
"""

import json
import sys

sys.path.insert(0, sys.argv[1])
from cfg_kernel import scan  # noqa: E402



def read(kind, text):
    return scan.scan(text) if kind == "cell" else scan.scan_file(text, kind)


def roles(tokens, text):
    out = ["."] * len(text)
    for token in tokens:
        if token.role != scan.PLAIN:
            out[token.start : token.end] = token.role * (token.end - token.start)
            out[token.start] = token.role.upper()
    return "".join(out)


count = failed = 0
for line in sys.stdin:
    case = json.loads(line)
    ours = roles(read(case["as"], case["text"]), case["text"])
    count += 1
    if ours != case["roles"]:
        failed += 1
        if failed <= 5:
            print(f"as {case['as']}: {case['text']!r}\n   core {case['roles']}\n   ours {ours}")
print(f"{count} texts, {failed} differ")
sys.exit(1 if failed else 0)
