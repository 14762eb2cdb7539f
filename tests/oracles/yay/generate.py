"""Yay programs, seeded: typed enough that most have a value. Every construct of the language occurs.

`program(seed)` gives `(text, files)`: a document, and the files that it includes.
"""
from values import KEYS, Values
from expressions import OR, is_dict, is_list, is_name

DIRECTIVES = ('include', 'search', 'if', 'for', 'set', 'select', 'call', 'macro', 'prototype', 'new')


class Program(Values):
    # ---- stanzas

    def define(self, depth=2):
        """A key of the document."""
        key = self.key(self.keys)
        rank = self.rank()
        self.limit = rank
        if self.chance(.12) and is_name(key):
            value = self.r.choice(['dev', 'prod', 'web'])
            self.keys[key] = ['str', rank]
            self.fixed[key] = value
            return [f'{key}: {value}']
        t = self.type(depth)
        lines = self.entry(key, t, key if is_name(key) else None)
        self.keys[key] = [t, rank]
        return lines

    def redefine(self, t, name, path):
        """A later layer of a key: the same type, or more of it."""
        if is_dict(t):
            lines = []
            for key in self.r.sample(list(t[1]), min(len(t[1]), self.r.randint(0, 2))):
                lines += self.redefine(t[1][key], key, None)
            if not lines or self.chance(.6):
                key = self.key(t[1])
                inner = self.type(1)
                lines += self.entry(key, inner)
                if path is not None:
                    path.append((t[1], key, inner))
            return [f'{name}:'] + self.indent(lines)
        if is_list(t) and self.chance(.6):
            return self.extend(t, name)
        if is_list(t) and t[2] and self.chance(.5):
            return self.extend(t, name)
        # The released program adds a list with directives to its predecessor.
        self.simple = is_list(t) and self.chance(1 - self.rare * 2)
        lines = self.entry(name, t)
        self.simple = False
        return lines

    def extend(self, t, name):
        if self.chance(.15):
            return [f'extend {name}: {self.braces(self.gen(("list", t[1], 0)))}']
        return [f'extend {name}:'] + self.indent(self.items(('list', t[1], 0)))

    def layer(self):
        names = [name for name in self.keys if name not in self.fixed and self.keys[name][0] != 'none']
        if not names:
            return self.define()
        name = self.r.choice(names)
        t, rank = self.keys[name]
        self.limit = rank
        more = []
        lines = self.redefine(t, name, more)
        for fields, key, inner in more:
            fields[key] = inner
        return lines

    def branch(self, depth=2):
        """A guard in the document, which defines or redefines keys."""
        names = [name for name in self.keys if name not in self.fixed and self.keys[name][0] != 'none']
        targets = self.r.sample(names, min(len(names), self.r.randint(0, 2)))
        rank = min([self.keys[name][1] for name in targets], default=self.rank())
        self.limit = rank
        test_limit = rank
        fresh = [(self.key(self.keys), self.type(1)) for _ in range(self.r.randint(0 if targets else 1, 1))]

        def body():
            lines = []
            for name in targets:
                self.limit = self.keys[name][1]
                lines += self.redefine(self.keys[name][0], name, None)
            for key, t in fresh:
                self.limit = rank
                lines += self.entry(key, t)
            if depth > 1 and self.chance(.1):
                key = self.fresh('deep')
                lines += self.guard([key], lambda: [f'{key}: {self.scalar("int")}'], keeps=True)
            self.limit = test_limit
            return lines
        # The released program reports a cycle where it checks a guard again while it reads what the guard reads.
        self.plain += self.chance(.7)
        test = self.test()
        self.plain = 0
        lines = self.guard(targets, body, keeps=True, test=test)
        for key, t in fresh:
            if is_name(key):
                if len([line for line in lines if line == 'else:']):
                    self.keys[key] = [t, self.rank()]
                else:
                    self.possible.append((key, t))
                    self.keys[key] = [t, 10 ** 6 + self.names]
        return lines

    def peek(self):
        """A guard that reads what it guards."""
        key = self.key(self.keys)
        self.keys[key] = ['int', self.rank()]
        if not is_name(key):
            key = self.fresh('p')
            self.keys[key] = ['int', self.rank()]
        first, second = self.r.randint(1, 5), self.r.randint(1, 5)
        kind = self.r.choice([0] * 6 + [1] + [2] * 4 + [3] * 4)
        if kind == 0:
            low = self.r.choice([0, 6, 3])
            return [f'{key}: {first}', f'if {key} {self.r.choice("<>")} {low}:'] + self.indent([f'{key}: {second}'])
        if kind == 1:
            other = self.fresh('q')
            self.keys[other] = ['int', self.rank()]
            return ([f'{key}: {first}', f'{other}: {{{{ {key} + 1 }}}}', f'if {other} != {self.r.randint(1, 6)}:']
                    + self.indent([f'{key}: {second}']))
        if kind == 2:
            items = self.fresh('xs')
            self.keys[items] = [('list', 'int', 1), self.rank()]
            return ([f'{key}: 0', f'{items}:'] + self.indent([f'- {first}']) + [f'if {items}[0] == {self.r.choice([first, second])}:']
                    + self.indent([f'extend {items}:'] + self.indent([f'- {second}'])))
        between = [] if self.chance(4 * self.rare) else self.define(0)
        return ([f'{key}: {first}', f'if {key} == {first}:'] + self.indent([f'{key}: {self.r.choice([first, first, second])}'])
                + between + [f'if {key} > 0:'] + self.indent([f'{self.fresh("r")}: {{{{ {key} }}}}']))

    def macro(self):
        name = self.fresh('m')
        parameters = [(self.fresh('p'), self.r.choice(['int', 'str'])) for _ in range(self.r.randint(0, 2))]
        self.limit = self.rank()
        t = self.r.choice([('list', 'str', 1), ('list', 'int', 1), ('dict', {'name': 'str', 'size': 'int'}), ('dict', {'k': 'int'})])
        self.scopes += [(p, u, 0) for p, u in parameters]
        body = self.items(t) if is_list(t) else self.mapping(t)
        del self.scopes[len(self.scopes) - len(parameters):]
        self.macros.append((name, parameters, t))
        return [f'macro {name}:'] + self.indent(body)

    def call(self):
        lines = [] if self.macros and self.chance(.7) else self.first(self.macro())
        name, parameters, t = self.r.choice(self.macros)
        key = self.key(self.keys)
        self.limit = self.rank()
        # The released program fails where an argument reads a name.
        self.plain += not self.chance(self.rare)
        if parameters and self.chance(.6):
            arguments = [line for p, u in parameters for line in [f'{p}: {self.scalar(u)}']]
            lines += [f'{key}:'] + self.indent([f'call {name}:'] + self.indent(arguments))
        else:
            arguments = ', '.join(f'{p}={self.gen(u, 1, OR)}' for p, u in parameters)
            lines += [f'{key}: {self.braces(f"{name}({arguments})")}']
        self.plain = 0
        self.keys[key] = [t, self.rank()]
        return lines

    def prototype(self):
        name = self.fresh('P')
        self.limit = self.rank()
        given = {'name': 'str', 'size': 'int'} if self.chance(.6) else {'name': 'str'}
        own = {}
        lines = []
        self.siblings += [(f'self.{key}', t) for key, t in given.items()]
        count = len(given)
        for key in self.r.sample(['path', 'port', 'title', 'users', 'mode'], self.r.randint(1, 3)):
            t = self.r.choice(['str', 'int', 'str', ('list', 'int', 1), ('dict', {'x': 'int'})])
            lines += self.entry(key, t)
            own[key] = t
            if not is_list(t) and not is_dict(t):
                self.siblings.append((f'self.{key}', t))
                count += 1
        if self.chance(.2):
            lines += [f'if {self.test()}:'] + self.indent(['extra: 1']) + ['else:'] + self.indent(['extra: 2'])
            own['extra'] = 'int'
        del self.siblings[len(self.siblings) - count:]
        self.prototypes[name] = own, given
        return [f'prototype {name}:'] + self.indent(lines)

    def new(self):
        lines = [] if self.prototypes and self.chance(.6) else self.first(self.prototype())
        name = self.r.choice(list(self.prototypes))
        own, given = self.prototypes[name]
        key = self.key(self.keys)
        self.limit = self.rank()
        fields = dict(given)
        if self.chance(.3):
            fields['more'] = self.scalar_type()
        body = [line for field, t in fields.items() for line in self.entry(field, t)]
        # The released program lets the prototype win.
        if self.chance(self.rare):
            field = self.r.choice(list(own))
            body += self.entry(field, own[field])
        t = 'dict', {**fields, **own}
        if self.chance(.4) and is_name(key):
            lines += [f'new {name} as {key}:'] + self.indent(body)
        else:
            lines += [f'{key}:'] + self.indent([f'new {name}:'] + self.indent(body))
        self.keys[key] = [t, self.rank()]
        return lines

    def include(self, depth=0):
        file = self.fresh('part') + '.yay'
        known = len(self.scopes)
        text = self.stanzas(self.r.randint(1, 2), depth + 1)
        self.files[file] = self.text(text)
        if self.chance(.15):
            stem = self.fresh('stem')
            self.keys[stem] = ['none', self.rank()]
            return [f'{stem}: {file[:-4]}', f"include {stem} + '.yay'"]
        return [f'include {self.quote(file)}']

    def part(self):
        """A mapping that is in a file."""
        key, file = self.key(self.keys), self.fresh('map') + '.yay'
        self.limit = self.rank()
        t = 'dict', {'a': 'int', 'b': 'str', 'c': self.type(1)}
        self.files[file] = self.text(self.mapping(t) + [f'{self.fresh("end")}: 1'])
        self.keys[key] = [t, self.rank()]
        return [f'{key}:'] + self.indent([f'include {self.quote(file)}'] + (['c2: x'] if self.chance(.5) else []))

    def deep(self):
        """Many levels of mappings, and a path through them."""
        key, other = self.fresh('n'), self.fresh('o')
        levels = self.r.randint(4, 9)
        names = [self.r.choice('uvw') for _ in range(levels)]
        self.limit = self.rank()
        lines = [f'{names[-1]}: {self.scalar("int")}']
        for name in reversed(names[:-1]):
            lines = [f'{name}:'] + self.indent(lines)
            if self.chance(.2):
                lines.append(f'side: {self.scalar("int")}')
        self.keys[key] = ['none', self.rank()]
        self.keys[other] = ['int', self.rank()]
        return [f'{key}:'] + self.indent(lines) + [f'{other}: {{{{ {key}.{".".join(names)} }}}}']

    def fault(self):
        """What has no value, and why."""
        key = self.fresh('e')
        table = [name for name, (t, _) in self.keys.items() if is_dict(t) and is_name(name)]
        plain = [name for name, (t, _) in self.keys.items() if t == 'int' and is_name(name)]
        missing = [f'{key}: {{{{ nowhere }}}}', f'{key}: {{{{ {key}a.b }}}}'] + [f'{key}: {{{{ {name}.nothing }}}}' for name in table]
        types = [f"{key}: {{{{ 'x' * 2 }}}}", f"{key}: {{{{ 1 < 'x' }}}}", f"{key}: {{{{ -'x' }}}}", f"{key}: x{{{{ range(2) }}}}",
                 f"{key}: {{{{ ['p', 'q'] + 1 }}}}"] + [f'{key}: {{{{ {name}.x }}}}' for name in plain]
        merges = [f'{name}:\n{self.step}x: 1' for name in plain]
        zero = [f'{key}: {{{{ {self.integer()} {self.r.choice(["/", "//", "%"])} 0 }}}}']
        cycle = [f'{key}: {{{{ {key} }}}}', f'{key}: {{{{ {key}b + 1 }}}}\n{key}b: {{{{ {key} }}}}', f'{key}:\n{self.step}x: {{{{ {key}.x }}}}']
        choice = [f'select {self.quote("x")}:\n{self.step}y: 1']
        include = [f"include 'missing{key}.yay'"]
        syntax = [f'{key}: {{{{ 1 + }}}}', f'{key}: {{{{ (1 }}}}', f'if {key}', f'set = 1', f'{key}: {{{{ 1 2 }}}}', f'{key}: a: b',
                  f'for x range(3):\n{self.step}- 1', f'{key}: {{{{ a..b }}}}', f'{key}: {{{{ [1, 2 }}}}', f'else:\n{self.step}x: 1']
        kinds = [missing, missing, types, types, merges or types, zero, cycle, choice, include, syntax, syntax]
        return self.r.choice(self.r.choice(kinds)).split('\n')

    def beyond(self):
        """Constructs that the released program parses, but does not run."""
        key = self.fresh('z')
        return [f'{key}: ' + self.braces(self.r.choice([
            '[5]', "['x']", '[e for e in range(5) if e > 2]', '{1: 2}', 'range(5)[1:]', 'range(5)[:2]', 'range(5)[-1]', '1 is 1',
            '1 <> 2', '{x: 1 for x in range(2)}', '(lambda x: x)(1)', '{1, 2}', '2 in range(3)', '[1, 2][9]',
        ]))]

    def first(self, lines):
        """Puts definitions at the front: the released program looks up nothing in them while it reads a guard before them."""
        if not self.files and self.chance(1 - 4 * self.rare):
            self.front += lines
            return []
        return lines

    def stanzas(self, count, depth=0):
        outer, self.front = self.front, []
        lines = []
        for at in range(count):
            added = self.stanza(at == 0 and depth == 0, depth)
            # The released program looks up nothing before two directives in a row.
            if added and begins(added[0]) and ends(lines) and self.chance(1 - 4 * self.rare):
                lines += self.define(0)
            lines += added
        lines = self.front + lines
        self.front = outer
        # The released program does not parse a block at the end of a text.
        if lines[-1:] and lines[-1].startswith(' ') and self.chance(1 - self.rare):
            lines.append(f'{self.fresh("end")}: 1')
        return lines

    def stanza(self, only_keys, depth):
        k = self.r.random()
        if only_keys or k < .38:
            return self.define()
        if k < .53:
            return self.layer()
        if k < .65:
            return self.branch()
        if k < .70:
            return self.peek()
        if k < .76:
            return self.call()
        if k < .82:
            return self.new()
        if k < .87:
            self.limit = self.rank()
            return self.first(self.set())
        # The released program looks up nothing before an `include`.
        hides = self.front or self.macros or self.prototypes
        if k < .92 and depth < 2 and (not hides or self.chance(4 * self.rare)):
            return self.include(depth) if self.chance(.85) else self.part()
        if k < .94:
            return self.deep()
        if k < .95:
            return self.first([f'search {self.quote(self.r.choice(["lib", "conf.d"]))}'])
        if k < .952 + self.rare:
            return self.beyond()
        return self.define(3)


def begins(line):
    return line.split(' ')[0] in DIRECTIVES


def ends(lines):
    """Whether the last stanza is a directive."""
    outer = [line for line in lines if line[:1] not in ('', ' ', '#')]
    return bool(outer) and (begins(outer[-1]) or outer[-1] == 'else:')


def program(seed):
    gen = Program(seed)
    lines = gen.stanzas(gen.r.choice([1, 2, 2, 3, 3, 4, 5]))
    if gen.chance(.1):
        at = gen.r.choice([0, len(lines)])
        lines[at:at] = gen.fault()
    return gen.text(lines), gen.files
