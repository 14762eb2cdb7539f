#!/usr/bin/env python3
"""Times the programs of `jsonnet/` with cfg, jrsonnet and, if its package is installed (`pip install jsonnet`), the C++ reference.

    jsonnet.py [--runs N] [--reference] [--only NAME,NAME] [--table] CFG JRSONNET [FILE -J DIR …]

For each program the least processor time (user and system) of N runs and the most memory, of the whole process; the reference
runs once, inside a Python that starts in 15 ms. Where cfg is behind jrsonnet the line says so. A FILE with its options is run as well.
"""
import argparse, os, pathlib, subprocess, sys

HERE = pathlib.Path(__file__).parent / 'jsonnet'
REFERENCE = ('import sys, resource, _jsonnet as j; resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30));'
             'sys.stdout.write(j.evaluate_file(sys.argv[1], max_stack=1000000, jpathdir=sys.argv[3::2]))')
SECONDS = 60


def once(command):
    """Returns the processor time in seconds and the memory in megabytes, or the reason why there are none."""
    child = subprocess.Popen(['timeout', str(SECONDS)] + command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode == 124:
        return f'> {SECONDS} s'
    if child.returncode:
        return 'fails'
    return used.ru_utime + used.ru_stime, used.ru_maxrss // 1024


def best(command, runs):
    all = [once(command) for _ in range(runs)]
    good = [one for one in all if not isinstance(one, str)]
    return min(good) if good else all[0]


def shown(result):
    if isinstance(result, str):
        return result
    seconds, memory = result
    time = f'{seconds * 1000:.0f} ms' if seconds < 10 else f'{seconds:.0f} s'
    return f'{time}, {memory} MB'


def main():
    parse = argparse.ArgumentParser()
    parse.add_argument('cfg')
    parse.add_argument('jrsonnet')
    parse.add_argument('--runs', type=int, default=3)
    parse.add_argument('--reference', action='store_true')
    parse.add_argument('--only', default='')
    args, extra = parse.parse_known_args()
    programs = [([str(path)], path.stem, path.read_text().split('\n')[0].lstrip('/ ')) for path in sorted(HERE.glob('*.jsonnet'))]
    if extra:
        programs.append((extra, pathlib.Path(extra[0]).stem, extra[0]))
    print('| program | cfg | jrsonnet |' + (' reference |' if args.reference else ''))
    print('| --- | --- | --- |' + (' --- |' if args.reference else ''))
    for command, stem, title in programs:
        if args.only and stem not in args.only.split(','):
            continue
        ours = best([args.cfg, 'eval'] + command, args.runs)
        theirs = best([args.jrsonnet, '-s', '1000000'] + command, args.runs)
        row = [title, shown(ours), shown(theirs)]
        if args.reference:
            row.append(shown(best([sys.executable, '-c', REFERENCE] + command, 1)))
        behind = ''
        if not isinstance(theirs, str) and not isinstance(ours, str):
            time, memory = ours[0] > theirs[0] * 1.05 + 0.001, ours[1] > theirs[1] * 1.05 + 1
            behind = ' <- ' + ' and '.join(['time'] * time + ['memory'] * memory) if time or memory else ''
        print('| ' + ' | '.join(row) + ' |' + (behind and f'  {stem}{behind}'), flush=True)


if __name__ == '__main__':
    main()
