"""mcl programs that have the constructs which `generate.py` seldom makes, seeded.

`program(seed)` returns `(text, files)`. Each program has two or three of the constructs below. In a third of them, one value has
another type, or a name is misspelled. Files below `modules/` are local copies of remote modules.
"""
import random
import re


class Parts:
    """The parts of one program. `n` makes names unique."""

    def __init__(self, r):
        self.r, self.n = r, 0
        self.imports, self.lines, self.files = [], [], {}

    def name(self, head='r'):
        self.n += 1
        return f'{head}{self.n}'

    def value(self):
        """Returns a type and an expression of it."""
        return self.r.choice([('int', self.r.choice(['1', '42', '-13', '7 - 2 * 3'])), ('str', self.r.choice(['"a"', '"x" + "y"', '""'])),
                              ('bool', self.r.choice(['true', '1 < 2', 'not false'])), ('float', self.r.choice(['0.5', '-1.5', '7 / 2']))])

    def shown(self, kind, expression):
        """Appends a resource that prints a value."""
        field = {'int': 'int64', 'str': 'anotherstr', 'bool': 'boolptr', 'float': 'float64'}[kind]
        self.lines.append(f'test "{self.name()}" {{ {field} => {expression}, }}')


def meta_struct(p):
    fields = {'noop': 'false', 'retry': p.r.choice(['-1', '3']), 'retryreset': 'false', 'delay': '0', 'poll': '5', 'limit': '4.2', 'burst': '3', 'reset': 'false',
              'sema': '["foo:1", "bar:3",]', 'rewatch': 'false', 'realize': 'false', 'dollar': 'false', 'reverse': 'false', 'autoedge': 'true', 'autogroup': 'false'}
    if p.r.random() < .15:
        fields[p.r.choice(['noop', 'retry', 'limit'])] = '"wrong"'
    struct = 'struct{' + ', '.join(f'{name} => {value}' for name, value in fields.items()) + ',}'
    condition = p.r.choice(['', '', 'true ?: ', 'false ?: ', '(1 == 2) ?: '])
    if p.r.random() < .4:
        p.lines.append(f'$meta{p.n} = {struct}')
        struct = f'$meta{p.n}'
    p.lines.append(f'noop "{p.name()}" {{ Meta => {condition}{struct}, }}')


def edges(p):
    a, b, c = p.name('a'), p.name('b'), p.name('c')
    condition = p.r.choice(['', '', 'true ?: ', 'false ?: ', '1 ?: ' if p.r.random() < .2 else ''])
    kinds = p.r.sample(['Before', 'Depend', 'Notify', 'Listen'], 2)
    other = p.r.choice([f'"{b}"', f'["{b}", "{c}",]', f'"{b}"'])
    p.lines.append(f'noop "{a}" {{ {kinds[0]} => {condition}Noop[{other}], Meta:autogroup => false, }}')
    p.lines.append(f'noop ["{b}", "{c}",] {{ Meta:autogroup => false, }}')
    if p.r.random() < .5:
        p.lines.append(f'Noop["{b}"] -> Noop["{c}"]' + p.r.choice(['', f' -> Test["{a}"]', f' -> Noop["{a}"]']))
        p.lines.append(f'test "{a}" {{}}')


def class_types(p):
    kind, value = p.value()
    name = p.name('c')
    note = p.r.choice(['', f' {kind}'])
    p.lines.append(f'class {name}($v{note}, $n) {{\n\t$out = $v\n\ttest "${{n}}" {{}}\n\tfunc twice($x) {{ $x + $x }}\n\tclass inner {{\n\t\t$deep = $v\n\t\tnoop "in-${{n}}" {{ Meta:autogroup => false, }}\n\t}}\n}}')
    p.lines.append(f'include {name}({value}, "{p.name()}") as i{name}')
    what = p.r.choice(['out', 'v', 'inner', 'nope' if p.r.random() < .4 else 'out'])
    if what == 'inner':
        p.lines.append(f'include i{name}.inner as d{name}')
        p.shown(kind, f'$d{name}.deep')
    else:
        p.shown(kind, f'$i{name}.{what}')
    if kind in ('int', 'str'):
        p.shown(kind, f'i{name}.twice({value})')


def colons(p):
    base = p.name('base')
    p.lines += [f'class {base} {{\n\t$x = "of {base}"\n}}', f'class {base}:inner($a) {{\n\ttest "${{a}}" {{ anotherstr => $x, }}\n}}',
                f'class {base}:inner:deepest {{\n\tnoop "deep-${{a}}" {{ Meta:autogroup => false, }}\n}}']
    p.lines.append(f'include {base} as {base}i')
    p.lines.append(f'include {base}i.inner("{p.name()}") as {base}j')
    if p.r.random() < .7:
        p.lines.append(f'include {base}j.deepest')
    if p.r.random() < .2:
        p.lines.append(f'include {base}.inner("q")')


def module(p):
    """A module in a folder, with or without a `metadata.yaml`."""
    name = p.name('mod')
    kind, value = p.value()
    text = f'import "part.mcl"\n$own = {value}\n$other = $part.p\nfunc f($x) {{ $x }}\nclass c($n) {{ noop "${{n}}-{name}" {{ Meta:autogroup => false, }} }}\n'
    main = p.r.choice(['main.mcl', 'entry.mcl', 'sub/start.mcl'])
    folder = name + '/' + ''.join(f'{part}/' for part in main.split('/')[:-1])
    p.files[f'{folder}part.mcl'] = '$p = "part"\n'
    p.files[f'{name}/{main}'] = text
    if main != 'main.mcl' or p.r.random() < .5:
        lines = [f'main: "{main}"'] + p.r.sample(['files: "files/"', 'path: "vendor/"', 'license: "MIT"', 'parentpathblock: true', 'author: "x"'], 2)
        if p.r.random() < .15:
            lines[0] = p.r.choice(['main: "nope.mcl"', 'main: "/main.mcl"', 'path: "vendor"'])
            lines = lines[:1]
        p.files[f'{name}/metadata.yaml'] = '\n'.join(lines) + '\n'
    space = use(p, f'{name}/', name)
    p.shown(kind, f'${space}own')
    p.shown('str', f'${space}other')
    p.lines.append(f'include {space}c("{p.name()}")')
    if kind == 'int':
        p.shown(kind, f'{space}f(3)')


def use(p, path, default):
    """Imports a path. Returns the prefix of its names."""
    how = p.r.random()
    if how < .5:
        p.imports.append(f'import "{path}"')
        return default + '.'
    if how < .8:
        p.imports.append(f'import "{path}" as ns_{default}')
        return f'ns_{default}.'
    p.imports.append(f'import "{path}" as *')
    return ''


def remote(p):
    """A local copy of a remote module."""
    name = p.r.choice(['mgmt-example1', 'mgmt-Foo-Bar', 'plain', 'My-Thing'])
    path = f'host.example/x/{name}'
    if f'modules/{path}/main.mcl' in p.files:
        return
    p.files[f'modules/{path}/main.mcl'] = f'$who = "{name}"\nclass c {{ test "from-{name}" {{}} }}\n'
    if p.r.random() < .9:
        p.files[f'modules/{path}/metadata.yaml'] = 'main: "main.mcl"\n'
    default = re.sub('^mgmt-', '', name).lower().replace('-', '_')
    missing = p.r.random() < .1
    space = use(p, f'git://{path}{"-nope" if missing else ""}/', default)
    p.shown('str', f'${space}who')
    p.lines.append(f'include {space}c')


def three_namespaces(p):
    name = p.name('foo')
    p.lines += [f'${name} = "var"', f'func {name}($x) {{ $x + "!" }}', f'class {name} {{ noop "{name}-${{{name}}}" {{ Meta:autogroup => false, }} }}', f'include {name}']
    p.shown('str', f'{name}(${name})')
    if p.r.random() < .2:
        p.lines.append(p.r.choice([f'${name} = "again"', f'func {name}($y) {{ $y }}', f'class {name} {{}}']))


def shadowing(p):
    name = p.name('s')
    p.lines.append(f'${name} = "outer"\nif {p.r.choice(["true", "false", "1 < 2"])} {{\n\t${name} = {p.r.choice(["42", "7"])}\n\ttest "in-{name}" {{ int64 => ${name}, }}\n}} else {{\n\ttest "out-{name}" {{ anotherstr => ${name}, }}\n}}')
    p.shown('str', f'${name}')


def constants(p):
    path = p.r.choice(['res.file.state.exists', 'res.file.state.absent', 'res.file.state.undefined', 'res.net.state.up', 'res.file.state.nope'])
    p.shown('str', f'$const.{path}')


def lookups(p):
    name = p.name('m')
    kind, value = p.value()
    p.lines.append(f'${name} = {{"k" => struct{{f => {value}, l => [{value},],}},}}')
    p.shown(kind, p.r.choice([f'${name}["k"]->f', f'${name}["k"]->l[0]', f'${name}["k"]->f || {value}', f'${name}["k"]->g || {value}', f'${name}["k"]->l[7] || {value}',
                              f'${name}["q"]->f', f'${name}["k"]->g']))


def typed(p):
    name = p.name('t')
    kind, value = p.value()
    what = p.r.choice(['struct', 'map', 'list', 'func', 'nested'])
    if what == 'struct':
        p.lines.append(f'${name} struct{{a {kind}; b []int}} = struct{{a => {value}, b => [],}}')
        p.shown(kind, f'${name}->a')
    elif what == 'map':
        p.lines.append(f'${name} map{{str: {kind}}} = {{"x" => {value},}}')
        p.shown(kind, f'${name}["x"]')
    elif what == 'list':
        p.lines.append(f'${name} []{kind} = [{value}, {value},]')
        p.shown(kind, f'${name}[1]')
    elif what == 'func':
        p.lines.append(f'${name} func({kind}) {kind} = func($x {kind}) {kind} {{ $x }}')
        p.shown(kind, f'${name}({value})')
    else:
        p.lines.append(f'func {name}($f, $x) {{ $f($f($x)) }}')
        p.shown(kind, f'{name}(func($y) {{ $y }}, {value})')


def panics(p):
    p.lines.append(p.r.choice(['panic("")', 'panic(false)', 'panic("boom")', 'if 1 == 2 { panic("no") }', 'panic(1)']))


def meta(p):
    kind = p.r.choice(['Meta:noop => true', 'Meta:delay => 1 == 1 ?: 42', 'Meta:autoedge => false', 'Meta:sema => ["a:1",]', 'Meta:limit => 4.5, Meta:burst => 3',
                       'Meta:poll => "x"', 'Meta:nope => 1'])
    p.lines.append(f'noop "{p.name()}" {{ {kind}, Meta:autogroup => false, }}')


CONSTRUCTS = [meta_struct, edges, class_types, colons, module, remote, three_namespaces, shadowing, constants, lookups, typed, panics, meta]


def wrong(text, r):
    """Changes one literal or misspells one name."""
    spots = [m for m in re.finditer(r'(?<=[ (])(\d+|"[a-z]+"|true|false)(?=[,)])|(?<=\$)[a-z]\w+(?=[,.)])', text)]
    if not spots:
        return text
    spot = r.choice(spots)
    new = 'nope' if text[spot.start() - 1] == '$' else r.choice(['1.5', '"s"', '[]', 'true'])
    return text[:spot.start()] + new + text[spot.end():]


def program(seed):
    """Returns a program and its files."""
    r = random.Random(seed * 7 + 3)
    p = Parts(r)
    for construct in r.sample(CONSTRUCTS, r.choice([2, 2, 3])):
        construct(p)
    order = list(p.lines)
    if r.random() < .3:
        r.shuffle(order)
    text = '\n'.join(p.imports + order) + '\n'
    return (wrong(text, r) if r.random() < .33 else text), p.files
