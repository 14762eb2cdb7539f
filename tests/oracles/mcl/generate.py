"""mcl programs, seeded. Most are accepted; faults.py changes a share of them.

A type is 'bool', 'str', 'int', 'float', ('list', T), ('map', K, V), ('struct', ((name, T), ...)) or
('func', (T, ...), T). `program(seed)` returns `(text, files)`: a program and the files that it imports.
"""
import random

import faults

NAMES = ['a', 'b', 'c', 'd', 'k1', 'foo', 'bar_baz', 'x', 'y', 'n2', 'name', 'count', 'map', 'v_1']
FIELDS = ['a', 'b', 'c', 'x1', 'name', 'is_on', 'n_2']
WORDS = ['', 'a', 'b', 'abc', 'hello', 'x y', 'A', '%', '$', '{}', "it's", 'a,b', '/tmp', '#no', '=>', 'é', '42', 'true', '[q]', '->']
ESCAPED = [r'\n', r'\t', r'\\', r'\"', r'\$', r'\a', r'\b', r'\f', r'\r', r'\v']
INTEGERS = ['0', '1', '2', '3', '5', '7', '10', '42', '-1', '-13', '100', '007', '255']
FLOATS = ['0.5', '1.0', '2.25', '3.1415926', '-0.25', '-1.5', '100.0', '0.125', '10.75']
SCALARS = ['bool', 'str', 'int', 'float']
# fields of `test` that print what they hold
TEST = {
    'int8': 'small', 'int64': 'int', 'float64': 'float', 'anotherstr': 'str', 'uint8': 'small',
    'slicestring': ('list', 'str'), 'mapintfloat': ('map', 'int', 'float'), 'boolptr': 'bool', 'stringptr': 'str',
    'int64ptr': 'int', 'comment': 'str',
}
# module, name, parameters, result; type variables are upper-case letters
LIBRARY = [
    ('', 'len', ['str'], 'int'), ('', 'len', [('list', 'A')], 'int'), ('', 'len', [('map', 'str', 'A')], 'int'),
    ('', 'concat', ['str', 'str'], 'str'),
    ('math', 'fortytwo', [], 'int'), ('math', 'fortytwo', [], 'float'), ('math', 'minus1', ['int'], 'int'),
    ('math', 'pow', ['float', 'float'], 'float'), ('math', 'mod', ['int', 'positive'], 'int'),
    ('strings', 'to_lower', ['str'], 'str'), ('strings', 'split', ['str', 'separator'], ('list', 'str')),
    ('strings', 'left_pad', ['str', 'one', 'width'], 'str'), ('strings', 'right_pad', ['str', 'one', 'width'], 'str'),
    ('strings', 'substr', ['long', 'low', 'high'], 'str'),
    ('list', 'concat', [('list', 'A'), ('list', 'A')], ('list', 'A')),
    ('convert', 'to_float', ['int'], 'float'), ('convert', 'to_int', ['float'], 'int'),
    ('convert', 'int_to_str', ['int'], 'str'), ('convert', 'format_bool', ['bool'], 'str'),
    ('regexp', 'match', ['pattern', 'str'], 'bool'), ('net', 'is_mac', ['mac'], 'bool'), ('net', 'cidr_to_ip', ['cidr'], 'str'),
    ('datetime', 'weekday', ['moment'], 'str'), ('datetime', 'hour', ['moment'], 'int'),
    ('golang/strings', 'to_upper', ['str'], 'str'), ('golang/strings', 'has_prefix', ['str', 'str'], 'bool'),
    ('golang/strings', 'repeat', ['str', 'width'], 'str'), ('golang/strings', 'count', ['str', 'one'], 'int'),
    ('golang/strings', 'trim_space', ['str'], 'str'), ('golang/strings', 'join', [('list', 'str'), 'str'], 'str'),
    ('golang/math', 'floor', ['float'], 'float'), ('golang/math', 'abs', ['float'], 'float'),
    ('golang/math', 'max', ['float', 'float'], 'float'), ('golang/path', 'base', ['str'], 'str'),
    ('golang/strconv', 'itoa', ['int'], 'str'), ('golang/strconv', 'quote', ['str'], 'str'),
]
SPECIAL = {'low': ['0', '2'], 'high': ['3', '8'], 'small': ['0', '7', '100'], 'mac': ['"00:11:22:33:44:55"'], 'cidr': ['"192.168.1.2/24"', '"10.0.0.1/8"'], 'long': ['"hello world"', '"0123456789"'],
           'positive': ['1', '2', '7'], 'separator': ['","', '" "', '"/"'], 'width': ['0', '2', '5'], 'one': ['"."', '"0"', '"x"'],
           'pattern': ['"^a"', '"[a-z]+"', '"b$"', '"x|y"'], 'moment': ['0', '1443158163', '86400']}
# polymorphic functions: parameters, body with the parameters' names, parameter types, result type
SCHEMES = [
    (['x'], '$x', ['A'], 'A'), (['x'], '[$x, $x,]', ['A'], ('list', 'A')), (['x', 'y'], '$y', ['A', 'B'], 'B'),
    (['f', 'x'], '$f($x)', [('func', ('A',), 'B'), 'A'], 'B'),
    (['f', 'x'], '$f($f($x))', [('func', ('A',), 'A'), 'A'], 'A'),
    (['x', 'y'], 'struct{a => $x, b => $y,}', ['A', 'B'], ('struct', (('a', 'A'), ('b', 'B')))),
    (['s', 'x'], 'if $s { $x } else { $x }', ['bool', 'A'], 'A'), (['x', 'y'], '$x == $y', ['S', 'S'], 'bool'),
    (['l'], 'len($l) + 1', [('list', 'A')], 'int'), (['x'], 'struct{b => $x,}->b', ['A'], 'A'),
    (['l', 'd'], '$l[0] || $d', [('list', 'A'), 'A'], 'A'), (['m', 'd'], '$m["a"] || $d', [('map', 'str', 'A'), 'A'], 'A'),
    (['x', 'y'], '$x + $y', ['N', 'N'], 'N'), (['x', 'l'], '$x in $l', ['S', ('list', 'S')], 'bool'),
]


def spell(t):
    if isinstance(t, str):
        return t
    if t[0] == 'list':
        return '[]' + spell(t[1])
    if t[0] == 'map':
        return f'map{{{spell(t[1])}: {spell(t[2])}}}'
    if t[0] == 'struct':
        return 'struct{' + '; '.join(f'{n} {spell(u)}' for n, u in t[1]) + '}'
    return f'func({", ".join(spell(u) for u in t[1])}) {spell(t[2])}'


def instance(t, binding):
    """Returns the type with its type variables replaced."""
    if isinstance(t, str):
        return binding.get(t, t)
    if t[0] == 'struct':
        return ('struct', tuple((n, instance(u, binding)) for n, u in t[1]))
    if t[0] == 'func':
        return ('func', tuple(instance(u, binding) for u in t[1]), instance(t[2], binding))
    return (t[0],) + tuple(instance(u, binding) for u in t[1:])


def match(pattern, t, binding):
    """Binds the variables of a pattern so that it is the type. Returns whether that is possible."""
    if isinstance(pattern, str):
        if pattern in ('A', 'B', 'S', 'N'):
            if pattern == 'N' and t not in ('str', 'int', 'float') or pattern == 'S' and t not in SCALARS:
                return False
            return binding.setdefault(pattern, t) == t
        return pattern == t
    if isinstance(t, str) or pattern[0] != t[0]:
        return False
    if pattern[0] == 'struct':
        same = [n for n, _ in pattern[1]] == [n for n, _ in t[1]]
        return same and all(match(p, u, binding) for (_, p), (_, u) in zip(pattern[1], t[1]))
    if pattern[0] == 'func':
        return len(pattern[1]) == len(t[1]) and all(match(p, u, binding) for p, u in zip(pattern[1], t[1])) and match(pattern[2], t[2], binding)
    return all(match(p, u, binding) for p, u in zip(pattern[1:], t[1:]))


class Scope:
    """The definitions that a place can read: variables with their types, functions and classes with their parameters."""
    def __init__(self, parent=None):
        self.vars = list(parent.vars) if parent else []
        self.funcs = list(parent.funcs) if parent else []
        self.classes = list(parent.classes) if parent else []
        self.own = set()


class Gen:
    def __init__(self, seed, wrong):
        self.r = random.Random(seed)
        self.wrong = wrong      # the share of expressions that have another type than they must
        self.modules = {}
        self.names = 0
        self.files = {}
        self.edges = []         # resources that exist whatever happens, as `Kind["name"]`

    def chance(self, share):
        return self.r.random() < share

    def fresh(self, scope, names):
        for _ in range(8):
            name = self.r.choice(names)
            if name not in scope.own and self.chance(.8):
                scope.own.add(name)
                return name
        self.names += 1
        name = f'{self.r.choice("uvw")}{self.names}'
        scope.own.add(name)
        return name

    # ---- types

    def type(self, depth=2, functions=False):
        k = self.r.random()
        if depth <= 0 or k < .62:
            return self.r.choice(['bool', 'str', 'str', 'int', 'int', 'float'])
        if k < .76:
            return ('list', self.type(depth - 1))
        if k < .87:
            return ('map', self.r.choice(['str', 'str', 'int', 'bool']), self.type(depth - 1))
        if k < .96 or not functions:
            return ('struct', tuple((n, self.type(depth - 1)) for n in self.r.sample(FIELDS, self.r.randint(1, 3))))
        return ('func', tuple(self.type(0) for _ in range(self.r.randint(0, 2))), self.type(0))

    def module(self, path):
        """Imports a module. Returns the prefix under which its functions are found."""
        if path == '':
            return ''
        if path not in self.modules:
            last = path.split('/')[-1]
            taken = {name for name in self.modules.values()}
            k = self.r.random()
            if last in taken or k < .12:
                self.names += 1
                self.modules[path] = f'm{self.names}'
            else:
                self.modules[path] = last
        return self.modules[path] + '.'

    # ---- expressions

    def string(self, scope):
        k = self.r.random()
        if k < .12:
            return '"' + self.r.choice(WORDS).replace('\\', '\\\\').replace('$', r'\$') + self.r.choice(ESCAPED) + '"'
        names = [n for n, t in scope.vars if t == 'str']
        if k < .32 and names:
            parts = [self.r.choice(['', 'a', ' ', 'x-', '\\$', '/']) + '${' + self.r.choice(names) + '}' for _ in range(self.r.randint(1, 2))]
            return '"' + ''.join(parts) + self.r.choice(['', '', '!', ' end']) + '"'
        return '"' + self.r.choice(WORDS) + '"'

    def literal(self, t, scope, depth):
        if t == 'bool':
            return self.r.choice(['true', 'false'])
        if t == 'str':
            return self.string(scope)
        if t == 'int':
            return self.r.choice(INTEGERS)
        if t == 'float':
            return self.r.choice(FLOATS)
        if t in SPECIAL:
            return self.r.choice(SPECIAL[t])
        if t[0] == 'list':
            return '[' + ''.join(self.expr(t[1], scope, depth - 1) + ', ' for _ in range(self.r.randint(0 if depth > 1 else 1, 3))).rstrip() + ']'
        if t[0] == 'map':
            keys = {'str': ['"a"', '"b"', '"key"'], 'int': ['1', '2', '-3'], 'bool': ['true', 'false']}.get(t[1]) or [self.expr(t[1], scope, 0)]
            keys = self.r.sample(keys, self.r.randint(1, min(2, len(keys))))
            return '{' + ''.join(f'{key} => {self.expr(t[2], scope, depth - 1)}, ' for key in keys).rstrip() + '}'
        if t[0] == 'struct':
            return 'struct{' + ''.join(f'{n} => {self.expr(u, scope, depth - 1)}, ' for n, u in t[1]).rstrip() + '}'
        return self.function(t, scope, depth)

    def function(self, t, scope, depth):
        inner = Scope(scope)
        params = []
        for u in t[1]:
            name = self.fresh(inner, NAMES)
            inner.vars.append((name, u))
            params.append('$' + name + (' ' + spell(u) if self.chance(.5) else ''))
        result = ' ' + spell(t[2]) if self.chance(.25) else ''
        return f'func({", ".join(params)}){result} {{ {self.expr(t[2], inner, depth - 1)} }}'

    def expr(self, t, scope, depth):
        """Returns an expression of a type, now and then of another."""
        if self.chance(self.wrong):
            self.wrong = 0
            t = self.r.choice([u for u in ['bool', 'str', 'int', 'float', ('list', 'str'), ('list', 'int'), ('struct', (('a', 'int'),))] if u != t])
        if t in SPECIAL:
            return self.r.choice(SPECIAL[t])
        k = self.r.random()
        if k < .3 or depth <= 0:
            if self.chance(.65):
                found = self.readable(t, scope)
                if found:
                    return self.r.choice(found)
            if depth <= 0 or self.chance(.7):
                return self.literal(t, scope, depth)
        for way in self.r.sample([self.condition, self.operation, self.operation, self.call, self.call, self.lookup, self.library, self.library, self.library], 6):
            made = way(t, scope, depth)
            if made:
                return made
        return self.literal(t, scope, depth)

    def readable(self, t, scope):
        found = []
        for n, u in scope.vars:
            if u == t:
                found += ['$' + n] * 2
            elif u[0] == 'struct' and not isinstance(u, str):
                found += [f'${n}->{m}' for m, v in u[1] if v == t]
        return found

    def condition(self, t, scope, depth):
        c, a, b = self.expr('bool', scope, depth - 1), self.expr(t, scope, depth - 1), self.expr(t, scope, depth - 1)
        return f'if {c} {{ {a} }} else {{ {b} }}' if self.chance(.6) else f'(if {c} {{ {a} }} else {{ {b} }})'

    def operand(self, t, scope, depth):
        """Returns an expression that can be beside an operator."""
        made = self.expr(t, scope, depth)
        plain = made.startswith(('"', '$', '[')) and ' ' not in made or made.replace('.', '').replace('-', '').isalnum()
        return made if plain or self.chance(.15) else f'({made})'

    def operation(self, t, scope, depth):
        def two(u, operators):
            return f'{self.operand(u, scope, depth - 1)} {self.r.choice(operators)} {self.operand(u, scope, depth - 1)}'
        if t == 'bool':
            k = self.r.random()
            if k < .3:
                return two(self.r.choice(['int', 'float']), ['<', '>', '<=', '>='])
            if k < .55:
                return two(self.type(1), ['==', '!='])
            if k < .75:
                return two('bool', ['and', 'or'])
            if k < .87:
                return 'not ' + self.operand('bool', scope, depth - 1)
            u = self.r.choice(SCALARS)
            c = ('map', u, 'int') if self.chance(.3) else ('list', u)
            return f'{self.operand(u, scope, depth - 1)} in {self.operand(c, scope, depth - 1)}'
        if t == 'int':
            return two('int', ['+', '-', '*', '+'])
        if t == 'float':
            return two('float', ['+', '-', '*']) if self.chance(.8) else f'{self.operand("float", scope, depth - 1)} / {self.r.choice(["2.0", "0.5", "4.0"])}'
        if t == 'str':
            return two('str', ['+'])
        return None

    def arguments(self, params, scope, depth):
        return ', '.join(self.expr(u, scope, depth - 1) for u in params)

    def call(self, t, scope, depth):
        """Returns a call of a function of the program, or of a variable that holds one."""
        found = []
        for name, params, result in scope.funcs:
            binding = {}
            if match(result, t, binding):
                found.append((name, params, binding))
        for name, u in scope.vars:
            if not isinstance(u, str) and u[0] == 'func' and u[2] == t:
                found.append(('$' + name, u[1], {}))
        if not found:
            return None
        name, params, binding = self.r.choice(found)
        for variable in 'AB':
            binding.setdefault(variable, self.type(1))
        binding.setdefault('S', self.r.choice(SCALARS))
        binding.setdefault('N', self.r.choice(['int', 'str', 'float']))
        return f'{name}({self.arguments([instance(u, binding) for u in params], scope, depth)})'

    def lookup(self, t, scope, depth):
        default = f' || {self.operand(t, scope, depth - 1)}' if self.chance(.75) else ''
        k = self.r.random()
        if k < .4:
            return f'{self.operand(("list", t), scope, depth - 1)}[{self.r.choice(["0", "0", "1", "5"])}]{default}'
        if k < .7:
            return f'{self.operand(("map", "str", t), scope, depth - 1)}[{self.expr("str", scope, 0)}]{default}'
        fields = self.r.sample(FIELDS, self.r.randint(1, 2))
        holder = ('struct', tuple((n, t if at == 0 else self.type(0)) for at, n in enumerate(fields)))
        absent = default and self.chance(.2)
        return f'{self.operand(holder, scope, depth - 1)}->{"nope" if absent else fields[0]}{default}'

    def library(self, t, scope, depth):
        if t == 'str' and self.chance(.35):
            return self.printf(scope, depth)
        if not isinstance(t, str) and t[0] == 'list' and self.chance(.3):
            return self.iterated(t, scope, depth)
        if t == 'str' and self.chance(.06):
            return self.template(scope, depth)
        if t == 'str' and self.chance(.06):
            return self.r.choice(['$const.res.file.state.exists', '$const.res.file.state.absent', '$const.res.net.state.up'])
        found = []
        for module, name, params, result in LIBRARY:
            binding = {}
            if match(result, t, binding):
                found.append((module, name, params, binding))
        if not found:
            return None
        module, name, params, binding = self.r.choice(found)
        binding.setdefault('A', self.type(1))
        return f'{self.module(module)}{name}({self.arguments([instance(u, binding) for u in params], scope, depth)})'

    def printf(self, scope, depth):
        verbs = [self.r.choice([('%s', 'str'), ('%d', 'int'), ('%d', 'int'), ('%t', 'bool'), ('%f', 'float'), ('%v', None)]) for _ in range(self.r.randint(0, 3))]
        text = self.r.choice(['', 'is ', '%% ', 'a: ']) + self.r.choice([' ', ', ', '-']).join(verb for verb, _ in verbs)
        args = ''.join(', ' + self.expr(u or self.r.choice([*SCALARS, ('list', 'int'), ('list', 'str'), ('map', 'str', 'int')]), scope, depth - 1) for _, u in verbs)
        return f'{self.module("fmt")}printf("{text}"{args})'

    def iterated(self, t, scope, depth):
        iter_ = self.module('iter')
        u = self.r.choice(SCALARS)
        if self.chance(.3):
            return f'{iter_}filter({self.expr(t, scope, depth - 1)}, {self.function(("func", (t[1],), "bool"), scope, depth)})'
        return f'{iter_}map({self.expr(("list", u), scope, depth - 1)}, {self.function(("func", (u,), t[1]), scope, depth)})'

    def template(self, scope, depth):
        text, t = self.r.choice([('v: {{ . }}', self.type(0)), ('{{ .a }}', ('struct', (('a', 'str'),))), ('{{ range . }}{{ . }};{{ end }}', ('list', 'int')),
                                 ('{{ if . }}yes{{ else }}no{{ end }}', 'bool'), ('{{ with .x1 }}<{{ . }}>{{ end }}', ('struct', (('x1', 'str'),))),
                                 ('{{ printf `%s` . }}', 'str'), ('{{ len . }}', ('list', 'str'))])
        return f'{self.module("golang")}template("{text}", {self.expr(t, scope, depth - 1)})'

    # ---- statements

    def statements(self, scope, depth, count):
        """Returns statements. Definitions come before their uses here; `block` may change the order."""
        made = []
        for _ in range(count):
            k = self.r.random()
            if k < .33:
                made.append(self.bind(scope))
            elif k < .45:
                made.append(self.define(scope, depth))
            elif k < .55 and depth > 0:
                made.append(self.branch(scope, depth))
            elif k < .65 and depth > 0:
                made += self.klass(scope, depth)
            elif k < .67 and depth > 1:
                made.append(self.imported(scope))
            elif k < .675:
                made.append(f'panic({self.r.choice(["", "", chr(34) + chr(34) + " + "])}{self.r.choice([chr(34) * 2] * 4 + [self.expr("str", scope, 0)])})')
            else:
                made.append(self.resource(scope, depth))
        return [one for one in made if one]

    def block(self, scope, depth, count):
        made = self.statements(scope, depth, count)
        if self.chance(.35):
            self.r.shuffle(made)
        return made

    def indented(self, made):
        return ''.join('\t' + line + '\n' for one in made for line in one.split('\n'))

    def bind(self, scope):
        t = self.type(2, True)
        text = self.expr(t, scope, self.r.choice([1, 2, 2, 3]))
        name = self.fresh(scope, NAMES)
        kind = ' ' + spell(t) if self.chance(.2) or '[]' in text.replace('[]' + spell(t), '') else ''
        scope.vars = [(n, u) for n, u in scope.vars if n != name] + [(name, t)]
        return f'${name}{kind} = {text}'

    def define(self, scope, depth):
        name = self.fresh(scope, ['f', 'g', 'h', 'twice', 'pair', 'fn_1'])
        scope.funcs = [one for one in scope.funcs if one[0] != name]
        if self.chance(.5):
            params, body, types, result = self.r.choice(SCHEMES)
            text = f'func {name}({", ".join("$" + n for n in params)}) {{\n\t{body}\n}}'
        else:
            inner = Scope(scope)
            types, params = [], []
            for _ in range(self.r.randint(0, 2)):
                u = self.type(1)
                n = self.fresh(inner, NAMES)
                inner.vars = [one for one in inner.vars if one[0] != n] + [(n, u)]
                types.append(u)
                params.append(f'${n} {spell(u)}')
            result = self.type(1)
            text = f'func {name}({", ".join(params)}) {spell(result) + " " if self.chance(.6) else ""}{{\n\t{self.expr(result, inner, 2)}\n}}'
        scope.funcs.append((name, types, result))
        return text

    def branch(self, scope, depth):
        outer, self.edges = self.edges, list(self.edges)
        inner = self.block(Scope(scope), depth - 1, self.r.randint(0, 2))
        text = f'if {self.expr("bool", scope, 2)} {{\n{self.indented(inner)}}}'
        if self.chance(.4):
            self.edges = list(outer)
            text += f' else {{\n{self.indented(self.block(Scope(scope), depth - 1, self.r.randint(0, 2)))}}}'
        self.edges = outer
        return text

    def klass(self, scope, depth):
        name = self.fresh(scope, ['c1', 'c2', 'base', 'show'])
        inner = Scope(scope)
        types, params = [], []
        for _ in range(self.r.choice([0, 0, 1, 1, 2])):
            u = self.type(1)
            n = self.fresh(inner, NAMES)
            inner.vars = [one for one in inner.vars if one[0] != n] + [(n, u)]
            types.append(u)
            params.append(f'${n}' + (' ' + spell(u) if self.chance(.4) else ''))
        before = set(inner.own)
        outer, self.edges = self.edges, list(self.edges)
        body = self.block(inner, depth - 1, self.r.randint(0, 3))
        self.edges = list(outer)
        head = f'({", ".join(params)})' if params or self.chance(.4) else ''
        made = [f'class {name}{head} {{\n{self.indented(body)}}}']
        if self.chance(.15):
            made.append(f'class {name}:inner {{\n{self.indented([self.resource(Scope(scope), 0)])}}}')
            self.edges = outer
        for _ in range(self.r.choice([0, 1, 1, 2])):
            args = f'({self.arguments(types, scope, 2)})' if params or self.chance(.3) else ''
            if self.chance(.35):
                alias = self.fresh(scope, ['i1', 'i2', 'inc'])
                made.append(f'include {name}{args} as {alias}')
                exported = [(n, t) for n, t in inner.vars if n in inner.own and n not in before]
                scope.vars += [(f'{alias}.{n}', t) for n, t in exported]
                scope.funcs += [(f'{alias}.{n}', p, t) for n, p, t in inner.funcs if n in inner.own]
                if len(made) > 2 and ':inner' in made[1] and self.chance(.7):
                    made.append(f'include {alias}.inner')
            else:
                made.append(f'include {name}{args}')
        return made

    def imported(self, scope):
        """Returns an import of a file that is made for it."""
        if len(self.files) > 1:
            return None
        self.names += 1
        name = f'lib{self.names}'
        inner, modules = Scope(), self.modules
        self.modules = {}
        body = [self.bind(inner) if self.chance(.6) else self.define(inner, 0) for _ in range(self.r.randint(1, 3))]
        text = ''.join(f'{line}\n' for line in self.imports() + body)
        self.modules = modules
        self.files[name + '.mcl'] = text
        k = self.r.random()
        prefix = f'{name}.'
        line = f'import "{name}.mcl"'
        if k < .2:
            prefix, line = f'q{self.names}.', line + f' as q{self.names}'
        elif k < .35:
            if {n for n, _ in inner.vars} & scope.own or {n for n, _, _ in inner.funcs} & scope.own:
                return line
            prefix, line = '', line + ' as *'
            scope.own |= inner.own
        scope.vars += [(prefix + n, t) for n, t in inner.vars]
        scope.funcs += [(prefix + n, p, t) for n, p, t in inner.funcs]
        return line

    def imports(self):
        lines = []
        for path, name in self.modules.items():
            lines.append(f'import "{path}"' + ('' if name == path.split('/')[-1] else f' as {name}'))
        return lines

    def resource(self, scope, depth):
        self.names += 1
        base = f'r{self.names}'
        strings = [n for n, t in scope.vars if t == 'str']
        listed = self.chance(.12)
        if listed:
            name = '[' + ''.join(f'"{base}{x}",' for x in 'ab'[:self.r.randint(1, 2)]) + ']'
        elif strings and self.chance(.15):
            name = f'"{base}-${{{self.r.choice(strings)}}}"'
        else:
            name = f'"{base}"'
        kind = self.r.choice(['test'] * 7 + ['noop', 'print', 'file', 'kv', 'value', 'exec', 'timer', 'group'])
        lines = []
        if kind == 'test':
            for field in self.r.sample(sorted(TEST), self.r.choice([0, 1, 1, 1, 2, 3])):
                lines.append(f'{field} => {self.maybe(scope)}{self.expr(TEST[field], scope, self.r.choice([1, 2, 2, 3]))},')
        elif kind == 'print':
            lines.append(f'msg => {self.maybe(scope)}{self.expr("str", scope, 2)},')
        elif kind == 'file':
            name = f'"/tmp/mcl/{base}"'
            lines.append(self.r.choice(['state => $const.res.file.state.exists,', 'state => "exists",', 'state => "absent",']))
            if 'absent' not in lines[0]:
                lines.append(f'content => {self.maybe(scope)}{self.expr("str", scope, 2)},')
            lines.append('Meta:autoedge => false,')
        elif kind == 'kv':
            lines.append(f'value => {self.expr("str", scope, 2)},')
        elif kind == 'value':
            lines.append(f'any => {self.expr(self.type(2), scope, 2)},')
        elif kind == 'exec':
            lines.append('cmd => "/bin/true",')
            if self.chance(.4):
                lines.append(f'args => {self.expr(("list", "str"), scope, 2)},')
            if self.chance(.4):
                lines.append(f'env => {self.expr(("map", "str", "str"), scope, 2)},')
        elif kind == 'timer':
            lines.append(f'interval => {self.r.choice(["1", "60", "math_"]).replace("math_", "5 * 60")},')
        elif kind == 'group':
            lines.append('state => "exists",')
        lines += self.meta(scope)
        if kind == 'noop' or kind in ('timer', 'print') and self.chance(.5):
            lines.append('Meta:autogroup => false,')
        if kind == 'print' and lines[-1] != 'Meta:autogroup => false,':
            lines.append('Meta:autogroup => false,')
        if self.edges and self.chance(.25):
            for _ in range(self.r.choice([1, 1, 2])):
                lines.append(f'{self.r.choice(["Depend", "Listen"])} => {self.maybe(scope)}{self.r.choice(self.edges)},')
        head = ''
        known = name.startswith('"') and '$' not in name
        here = f'{kind.capitalize()}[{name}]'
        text = f'{kind} {name} {{}}' if not lines else f'{kind} {name} {{\n' + ''.join(f'\t{line}\n' for line in lines) + '}'
        if len(lines) == 1 and '\n' not in lines[0] and self.chance(.4):
            text = f'{kind} {name} {{ {lines[0]} }}'
        if self.edges and known and self.chance(.12):
            chain = self.r.sample(self.edges, min(len(self.edges), self.r.choice([1, 1, 2])))
            chain.sort(key=self.edges.index)
            head = '\n' + ' -> '.join(chain + [here])
        if known or listed:
            self.edges.append(here)
        return text + head

    def maybe(self, scope):
        return f'{self.expr("bool", scope, 1)} ?: ' if self.chance(.12) else ''

    def meta(self, scope):
        lines = []
        if self.chance(.15):
            name, t = self.r.choice([('noop', 'bool'), ('retry', 'int'), ('delay', 'int'), ('poll', 'int'), ('limit', 'float'), ('burst', 'int'), ('reset', 'bool'), ('autoedge', 'bool')])
            value = {'bool': ['true', 'false'], 'int': ['3', '1'], 'float': ['4.5']}[t]
            lines.append(f'Meta:{name} => {self.maybe(scope)}{self.r.choice(value)},')
            if name == 'limit':
                lines.append('Meta:burst => 3,')
        return lines


def program(seed):
    """Returns a program and its files. About a third have a fault."""
    r = random.Random(seed * 2 + 1)
    k = r.random()
    gen = Gen(seed * 2, .06 if k < .12 else 0)
    scope = Scope()
    scope.own |= {'map'} if r.random() < .9 else set()
    made = gen.block(scope, 2, r.choice([2, 3, 3, 4, 5, 6, 7]))
    if not any(one.startswith(('test', 'noop', 'include', 'if')) for one in made):
        made.append(gen.resource(scope, 1))
    imports = gen.imports()
    lines = imports + made if r.random() < .9 else made + imports
    text = '\n'.join(lines) + '\n'
    if r.random() < .08:
        text = text.replace('\n', '  # a comment\n', 1)
    files = dict(gen.files)
    if k > .7:
        text = faults.plant(text, r)
    return text, files
