#!/usr/bin/env python3
"""Times large Yay documents with cfg and, if YAY is set, with the released Yay.

    [YAY=DIR/bin/python] yay.py [--runs N] CFG

YAY is a Python with `yay==3.1.1` and `ply==3.4` (see `tests/oracles/yay/ask.py`). Each line has the least processor time (user and
system) of N runs of the whole process, and in parentheses how much of it is more than for an empty document. The released program
runs once, and only the documents that it finishes in a minute.
"""
import argparse, os, pathlib, subprocess, tempfile

SECONDS = 60
REFERENCE = ('import sys, json, io; from yay.config import Config; sys.setrecursionlimit(100000); c = Config(searchpath=[]);'
             'c.load(io.open(sys.argv[1], encoding="utf-8"), "main.yay"); json.dump(c.resolve(), sys.stdout)')


def keys(count):
    return ''.join(f'key{at}: value {at}\n' for at in range(count))


def mappings(count):
    return ''.join(f'key{at}:\n  a: {at}\n  b: {{{{ key{at}.a + 1 }}}}\n' for at in range(count))


def chain(count):
    return 'k0: 1\n' + ''.join(f'k{at}: {{{{ k{at - 1} }}}}\n' for at in range(1, count))


def layers(count):
    return 'a:\n  k: 0\n' + ''.join(f'a:\n  k: {at}\n' for at in range(1, count))


def loop(count):
    return f'a:\n  for i in range({count}):\n    - n: {{{{ i + 1 }}}}\n      name: host{{{{ i }}}}\n'


DOCUMENTS = [
    ('400 keys', keys(400), True), ('1,600 keys', keys(1600), True), ('16,000 keys', keys(16000), False),
    ('400 mappings of two keys', mappings(400), True), ('a chain of 200 references', chain(200), True),
    ('a chain of 20,000 references', chain(20000), False), ('200 layers of a mapping', layers(200), True),
    ('a loop of 1,000 elements', loop(1000), True), ('a loop of 100,000 elements', loop(100000), False),
]


def once(command):
    """Returns the processor time in seconds, or the reason why there is none."""
    child = subprocess.Popen(['timeout', str(SECONDS)] + command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode == 124:
        return f'> {SECONDS} s'
    return used.ru_utime + used.ru_stime if child.returncode == 0 else 'fails'


def best(command, runs):
    results = [once(command) for _ in range(runs)]
    return min((one for one in results if not isinstance(one, str)), default=results[0])


def shown(result, empty):
    if isinstance(result, str):
        return result
    return f'{result * 1000:.0f} ms ({max(result - empty, 0) * 1000:.0f})'


def main():
    parse = argparse.ArgumentParser()
    parse.add_argument('cfg')
    parse.add_argument('--runs', type=int, default=5)
    args = parse.parse_args()
    python = os.environ.get('YAY')
    print('| document | cfg |' + (' Yay 3.1.1 |' if python else ''))
    print('| --- | --- |' + (' --- |' if python else ''))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'main.yay'
        ours, theirs = [args.cfg, 'eval', str(path)], [python, '-c', REFERENCE, str(path)]
        path.write_text('')
        empty = best(ours, args.runs), best(theirs, 1) if python else 0
        for title, text, finishes in DOCUMENTS:
            path.write_text(text)
            row = [title, shown(best(ours, args.runs), empty[0])]
            if python:
                row.append(shown(best(theirs, 1), empty[1]) if finishes else '')
            print('| ' + ' | '.join(row) + ' |', flush=True)


if __name__ == '__main__':
    main()
