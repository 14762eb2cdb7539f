#!/usr/bin/env python3
"""Times large Yay documents with cfg and, if YAY is set, with the released Yay.

    [YAY=DIR/bin/python] yay.py [--runs N] CFG
    yay.py --growth CFG

YAY is a Python with `yay==3.1.1` and `ply==3.4` (see `tests/oracles/yay/ask.py`). Each line has the least processor time (user and
system) of N runs of the whole process, and in parentheses how much of it is more than for an empty document. The released program
runs once, and only the documents that it finishes in a minute.

`--growth` prints by which factor the time of `cfg eval` and `cfg check` grows if a document of each construct becomes twice as long,
and fails if a factor is more than 2.6. The least of several runs counts; an unoptimized CFG will do.
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


def repeated(line, before='', after=''):
    """Returns a document that repeats a line, in which `{at}` is the number and `{below}` the one before it."""
    def text(count):
        return before + ''.join(line.replace('{at}', str(at)).replace('{below}', str(at - 1)) for at in range(1, count)) + after
    return text


GROWTH = [
    ('keys', keys, 8000), ('mappings', mappings, 2000), ('a chain', chain, 4000),
    ('a chain that is redefined', lambda count: chain(count) + 'k0: text\n', 2000),
    ('a chain of dictionaries', repeated('k{at}:\n  x: {{ k{below}.x }}\n', 'k0:\n  x: 1\n'), 2000),
    ('layers of one key', layers, 1500), ('layers of a dictionary', repeated('a:\n  k{at}: {at}\n'), 1500),
    ('`if`', repeated('if m == {at}:\n  a{at}: {at}\n', 'm: {{ q else 1 }}\n'), 1000),
    ('`if` of one key', repeated('if m == {at}:\n  a: {at}\n', 'm: {{ q else 1 }}\na: 0\n'), 1000),
    ('`elif` of one key', lambda count: 'm: {{ q else 1 }}\na: 0\nif m == 0:\n  a: 0\n' + repeated('elif m == {at}:\n  a: {at}\n')(count), 1000),
    ('`select` of one key', repeated('  {at}:\n    a: {at}\n', 'm: 1\nselect m:\n'), 1000),
    ('`elif` that reads what it guards', lambda count: 'm: 0\nif m == -1:\n  m: 1\n' + repeated('elif m == -{at}:\n  m: {at}\n')(count), 1000),
    ('guards that read what they guard', repeated('b{at}: 0\nif b{at} == 0:\n  c{at}: {at}\n'), 2000),
    ('`extend`', repeated('extend a:\n  - {at}\n', 'a:\n  - 0\n'), 2000), ('`for`', repeated('l{at}:\n  for x in range(2):\n    - {{ x }}\n'), 1000),
    ('`select`', repeated('s{at}:\n  select m:\n    1: a\n    2: b\n', 'm: 1\n'), 600),
    ('macro calls', repeated('c{at}:\n  call m:\n    v: {at}\n', 'macro m:\n  x: {{ v }}\n'), 2000),
    ('instances', repeated('new P as c{at}:\n  x: {at}\n', 'prototype P:\n  x: 1\n  y: {{ self.x + 1 }}\n'), 2000),
    ('`set`', repeated('set s{at} = {at}\nk{at}: {{ s{at} }}\n'), 1000), ('`else`', repeated('k{at}: {{ no{at} else {at} }}\n'), 2000),
    ('elements', repeated('  - n: {at}\n    m: {{ here.n }}\n', 'a:\n'), 1500),
    ('included files', repeated('include "include.yay"\n'), 1000),
    ('included files in dictionaries', repeated('k{at}:\n  include "include.yay"\n'), 1500),
]


def growth(cfg, runs):
    """Prints the factors. Returns whether all are small enough."""
    fine = True
    print('| construct | `eval` | `check` |')
    print('| --- | --- | --- |')
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'main.yay'
        (pathlib.Path(folder) / 'include.yay').write_text('included: 1\n')
        for title, text, count in GROWTH:
            row = []
            for command in 'eval', 'check':
                path.write_text('')
                times = [best([cfg, command, str(path)], runs)]
                for factor in 1, 2:
                    path.write_text(text(count * factor))
                    times.append(best([cfg, command, str(path)], runs))
                factor = (times[2] - times[0]) / max(times[1] - times[0], 0.001)
                fine = fine and factor <= 2.6
                row.append(f'{factor:.1f}')
            print(f'| {title} | ' + ' | '.join(row) + ' |', flush=True)
    return fine


def calls(count, keys):
    """Calls of one macro, each among other keys."""
    body = ''.join(f'  k{at}: {{{{ x + {at} }}}}\n' for at in range(keys))
    return f'macro M:\n{body}' + ''.join(f'd{at}:\n  own: {at}\n  call M:\n    x: {at}\n' for at in range(count))


DOCUMENTS = [
    ('400 keys', keys(400), True), ('1,600 keys', keys(1600), True), ('16,000 keys', keys(16000), False),
    ('400 mappings of two keys', mappings(400), True), ('a chain of 200 references', chain(200), True),
    ('a chain of 20,000 references', chain(20000), False), ('200 layers of a mapping', layers(200), True),
    ('a loop of 1,000 elements', loop(1000), True), ('a loop of 100,000 elements', loop(100000), False),
    ('40 calls of a macro of 40 keys', calls(40, 40), True), ('400 calls of a macro of 400 keys', calls(400, 400), False),
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
    parse.add_argument('--growth', action='store_true')
    args = parse.parse_args()
    if args.growth:
        raise SystemExit(0 if growth(args.cfg, args.runs) else 1)
    python = os.environ.get('YAY')
    print('| document | `eval` | `check` |' + (' Yay 3.1.1 |' if python else ''))
    print('| --- | --- | --- |' + (' --- |' if python else ''))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'main.yay'
        ours, theirs = [args.cfg, 'eval', str(path)], [python, '-c', REFERENCE, str(path)]
        path.write_text('')
        empty = best(ours, args.runs), best(theirs, 1) if python else 0
        for title, text, finishes in DOCUMENTS:
            path.write_text(text)
            checked = best([args.cfg, 'check', str(path)], args.runs)
            row = [title, shown(best(ours, args.runs), empty[0]), shown(checked, empty[0])]
            if python:
                row.append(shown(best(theirs, 1), empty[1]) if finishes else '')
            print('| ' + ' | '.join(row) + ' |', flush=True)


if __name__ == '__main__':
    main()
