#!/usr/bin/env python3
"""Times mcl programs with cfg and, if MGMT is set, the type unification of mgmt.

    [MGMT=PATH] mcl.py [--runs N] CFG

MGMT is mgmt 0.0.26 (see `tests/oracles/mcl/ask.py`). Each line has the least processor time (user and system) of N runs of the whole
process, and in parentheses how much of it is more than for an empty program. The lines about events have the processor time of one event
of `cfg watch`. mgmt runs once, with `--only-unify`, and only the programs
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


def clock(count):
    """A program of as many resources and definitions, of which one resource reads the hour of the clock."""
    plain = ''.join(f'$a{at} = {at} + 1\ntest "t{at}" {{ anotherstr => fmt.printf("%d", $a{at}), }}\n' for at in range(count // 2))
    return ('import "fmt"\nimport "datetime"\n$hour = datetime.hour(datetime.now())\n'
            'test "clock" { anotherstr => fmt.printf("at %d", $hour), }\n' + plain)


# the program, and the seconds between two events
EVENTS = [
    ('an event in a program of 10,000 nodes, of which one resource depends on it', clock(10_000), 3600),
    ('the same, of 100 nodes', clock(100), 3600),
    ('the same, of 10,000 nodes, with an event that changes no hour', clock(10_000), 1),
    ('an event that adds or removes one of 5,000 resources', 'import "datetime"\nif datetime.now() / 2 == 850000000.5 { noop "n" {} }\n' + resources(5_000), 1),
]
# the numbers of events whose times are compared
FEW, MANY = 2, 202


def event(cfg, folder, text, seconds, runs):
    """Returns the processor time of one event in milliseconds."""
    (folder / 'main.mcl').write_text(text)
    command = [cfg, 'watch', '--ext-code', 'datetime.now=1700000000', '--events', str(folder / 'events'), str(folder / 'main.mcl')]
    times = []
    for count in (FEW, MANY):
        # the clock goes to and fro, so that no event repeats the value of the last one
        (folder / 'events').write_text(''.join(f'datetime.now {1700000000 + seconds * (1 + at % 2)}\n' for at in range(count)))
        times.append(best(command, runs))
    if any(isinstance(time, str) for time in times):
        return 'fails'
    return f'{(times[1] - times[0]) * 1000 / (MANY - FEW):.2f} ms'


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
        for title, text, seconds in EVENTS:
            print(f'| {title} | {event(args.cfg, pathlib.Path(folder), text, seconds, args.runs)} |' + (' |' if mgmt else ''), flush=True)


if __name__ == '__main__':
    main()
