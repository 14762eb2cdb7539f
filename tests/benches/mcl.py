#!/usr/bin/env python3
"""Times mcl programs with cfg and, if MGMT is set, the type unification of mgmt.

    [MGMT=PATH] mcl.py [--runs N] CFG

MGMT is mgmt 0.0.26 (see `tests/oracles/mcl/ask.py`). Each line has the least processor time (user and system) of N runs of the whole
process, and in parentheses how much of it is more than for an empty program. mgmt runs once, with `--only-unify`, and only the programs
that it finishes in a minute.
"""
import argparse, os, pathlib, subprocess, tempfile

SECONDS = 60


def additions(count):
    return 'test "t" { int64 => ' + ' + '.join(['1'] * count) + ', }\n'


def resources(count):
    return 'import "fmt"\n' + ''.join(f'test "t{at}" {{ anotherstr => fmt.printf("%d of %s", {at}, "x"), }}\n' for at in range(count))


def edges(count):
    return ''.join(f'noop "n{at}" {{}}\n' for at in range(count)) + ''.join(f'Noop["n{at - 1}"] -> Noop["n{at}"]\n' for at in range(1, count))


def structs(depth):
    shared = ''.join(f'$x{at} = struct{{a => $x{at - 1}, b => $x{at - 1},}}\n' for at in range(1, depth + 1))
    return f'$x0 = 1\n{shared}test "t" {{ int64 => $x{depth}{"->a" * depth}, }}\n'


def calls(depth):
    return f'func f($v) {{ $v }}\ntest "t" {{ int64 => {"f(" * depth}1{")" * depth}, }}\n'


def included(count):
    return 'class c($n str) { test $n { anotherstr => "of ${n}", } }\n' + ''.join(f'include c("t{at}")\n' for at in range(count))


PROGRAMS = [
    ('a sum of 1,600 ints', additions(1600), True), ('1,600 resources with `printf`', resources(1600), False),
    ('1,600 resources in a chain', edges(1600), False), ('`struct{a => $x, b => $x,}` nested 10 deep', structs(10), True),
    ('`struct{a => $x, b => $x,}` nested 24 deep', structs(24), False), ('`f(f($x))` nested 10 deep', calls(10), True),
    ('`f(f($x))` nested 24 deep', calls(24), False), ('a class included 400 times', included(400), False),
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
    mgmt = os.environ.get('MGMT')
    print('| program | cfg eval |' + (' mgmt --only-unify |' if mgmt else ''))
    print('| --- | --- |' + (' --- |' if mgmt else ''))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'main.mcl'
        ours = [args.cfg, 'eval', str(path)]
        theirs = [mgmt, 'run', '--prefix', folder, 'lang', '--only-unify', str(path)]
        path.write_text('')
        empty = best(ours, args.runs), best(theirs, 1) if mgmt else 0
        for title, text, finishes in PROGRAMS:
            path.write_text(text)
            row = [title, shown(best(ours, args.runs), empty[0])]
            if mgmt:
                row.append(shown(best(theirs, 1), empty[1]) if finishes else '')
            print('| ' + ' | '.join(row) + ' |', flush=True)


if __name__ == '__main__':
    main()
