"""The values and directives of Yay documents, as lines."""
from expressions import Expressions, OR, is_dict, is_list, is_name

KEYS = ['a', 'b', 'c', 'd', 'x', 'y', 'name', 'size', 'port', 'users', 'foo', 'bar', 'tags', 'env']
ODD_KEYS = ['foo-bar', 'k.1', '9', 'é', 'a/b', 'x@y', 'Z_', '*.log', "it's"]
TEXTS = ['foo', 'bar', 'hello world', 'true', 'yes', 'null', 'http://host:80/x', 'a, b', "it's", 'x:y', '- x', 'a - b',
         '50%', 'C:\\dir', '~', '*', '&x', '!y', '@', '=', 'a=b', '(x)', '[1, 2]', 'a}b', '{x', 'Zoë', '日本 語', '1.2.3',
         '10.0.0.1', '1,000', '0x1f', 'a "b" c', 'not', 'for x', 'None', 'e5', '1e', '5 apples', 'a  b', '`x`', '$v',
         '%s', 'a;b', 'end.', '|x', '>x', '+', '--', '\\n']
QUOTED = ['plain', 'with: colon', 'with # hash', ' padded ', "it's", '- dash', 'if x:', 'a}b', '[1]', 'Zoë', '12', '1.50', '{}', 'x: y: z', '\\n']
LINES = ['first line', 'the second', 'x = 1', 'Zoë', 'no more', 'a, b', 'end.', '(x)', '- dash']
NUMERALS = {
    'int': ['0', '1', '2', '3', '5', '10', '42', '100', '-3', '007', '+4', '65536', '123456789'],
    'float': ['1.5', '13.10', '-0.25', '0.1', '1e5', '2.5e-3', '.5', '5.', '3.14159', '100.0', '1E3', '-0.0'],
}
# Only Python reads these as numbers.
PYTHON_NUMERALS = ['1_000', 'nan', 'inf', '-Infinity', '1e400', '１２']


class Values(Expressions):
    def __init__(self, seed):
        super().__init__(seed)
        self.files = {}
        self.step = ' ' * self.r.choice([2, 2, 2, 4, 4, 1, 3])
        self.percent = False
        self.prototypes = {}    # name -> (fields with a value, fields that an instance gives)
        self.names = 0
        self.simple = False     # lists without directives
        self.front = []         # definitions that come before everything else of the text

    # ---- layout

    def text(self, lines):
        """A text of lines, with comments, empty lines and blanks in some places."""
        laid = []
        noise = .03 if self.chance(.2) else 0
        for at, line in enumerate(lines):
            if '\0' in line:
                laid.append(line.replace('\0', ''))
                continue
            if self.chance(noise) and '\0' not in ''.join(lines[at - 1:at]) and '\\' not in ''.join(lines[at - 1:at]):
                indent = line[:len(line) - len(line.lstrip())]
                laid.append(self.r.choice([indent + '# a comment', indent + '#', '', indent + '# if x:']))
            if self.chance(noise) and '\\' not in line and '}}' not in line:
                line += self.r.choice([' ', '   '])
            laid.append(line)
        return '\n'.join(laid) + self.r.choice(['\n', '\n', '\n', '', '\n\n'])

    def indent(self, lines):
        return [self.step + line if line.strip('\0') else line for line in lines]

    def fresh(self, prefix):
        self.names += 1
        return f'{prefix}{self.names}'

    def key(self, used):
        for _ in range(20):
            key = self.r.choice(ODD_KEYS) if self.chance(.06) else self.r.choice(KEYS)
            if key not in used:
                return key
        return self.fresh('k')

    def rank(self):
        return max((rank for _, rank in self.keys.values()), default=0) + 1

    # ---- types

    def scalar_type(self):
        return self.r.choice(['int', 'int', 'int', 'str', 'str', 'str', 'float'])

    def type(self, depth):
        k = self.r.random()
        if depth <= 0 or k < .45:
            return self.scalar_type()
        if k < .7:
            return 'list', self.item_type(depth - 1), self.r.randint(0, 3)
        names = []
        for _ in range(self.r.randint(not self.chance(.1), 3)):
            names.append(self.key(names))
        return 'dict', {name: self.type(depth - 1) for name in names}

    def item_type(self, depth):
        k = self.r.random()
        if depth <= 0 or k < .75:
            return self.r.choice(['int', 'str'])
        if k < .85:
            return 'list', self.r.choice(['int', 'str']), self.r.randint(1, 2)
        return 'dict', {name: self.r.choice(['int', 'str']) for name in self.r.sample(KEYS, self.r.randint(1, 2))}

    # ---- scalars

    def braces(self, expression):
        pad = ' ' if self.chance(.85) or expression[0] == '{' or expression[-1] == '}' else ''
        return '{{' + pad + expression + pad + '}}'

    def scalar(self, t, inline=True):
        """A scalar on the line of its key, as text."""
        if t in ('int', 'float'):
            if self.chance(self.rare / 10):
                return self.r.choice(PYTHON_NUMERALS)
            if self.chance(.45) or self.plain:
                return self.r.choice(NUMERALS[t])
            if self.chance(.05):
                return f'"{self.braces(self.gen(t))}"' if '"' not in (text := self.gen(t)) else self.r.choice(NUMERALS[t])
            return self.braces(self.gen(t, self.r.choice([0, 1, 2, 2])))
        if t == 'bool':
            return self.braces(self.gen(t))
        k = self.r.random()
        if k < .3 or self.plain:
            return self.r.choice(TEXTS)
        if k < .45:
            return f'"{self.r.choice(QUOTED)}"'
        if k < .65:
            return self.mixed()
        if k < .7:
            return '"' + self.mixed().replace('"', "'") + '"'
        return self.braces(self.gen('str', self.r.choice([0, 1, 2, 2])))

    def mixed(self):
        """Text with expressions in it."""
        parts = []
        for _ in range(self.r.randint(1, 2)):
            t = self.r.choice(['int', 'str', 'str', 'float', 'bool'])
            parts += [self.r.choice(['', 'x', 'a ', 'no. ', '-', 'http://', 'p=', '(']), self.braces(self.gen(t, 1))]
        parts.append(self.r.choice(['', 'y', ' b', '.txt', '!', ')', '-']))
        text = ''.join(parts)
        return 'v' + text if text[0] in '- ' else text

    def block(self, expressions=True):
        """A block scalar: what follows the key, and the lines of the block."""
        mark = self.r.choice(['|', '|', '|-', '|+', '>'])
        lines = [self.r.choice(LINES) for _ in range(self.r.randint(1, 3))]
        if expressions and self.chance(.35):
            at = self.r.randrange(len(lines))
            lines[at] = self.r.choice(['x ', 'see ', 'a=']) + self.braces(self.gen('int', 1)) + self.r.choice(['', ' y', '.'])
        if len(lines) > 1 and self.chance(.15):
            lines.insert(1, '')
        return mark, ['\0' + line for line in lines]

    # ---- values

    def entry(self, key, t, path=None):
        """The lines of `key: value`."""
        if is_dict(t):
            if not t[1]:
                return [f'{key}: {{}}']
            if self.chance(.04) and not self.plain:
                text = self.read(t)
                if text:
                    return [f'{key}: {self.braces(text)}']
            if self.chance(.06) and not self.plain:
                return [f'{key}:'] + self.indent(self.guard([key], lambda: self.mapping(t)))
            return [f'{key}:'] + self.indent(self.mapping(t, path))
        if is_list(t):
            if t[2] == 0 and self.chance(.15):
                return [f'{key}: []']
            if self.chance(.3) and not self.plain:
                text = self.gen(t)
                return [f'{key}: {self.braces(text)}']
            if self.chance(.03) and not self.plain and not is_list(t[1]) and not is_dict(t[1]):
                items = ', '.join(self.gen(t[1], 1, OR) for _ in range(max(2, t[2])))
                return [f'{key}: {self.braces(items if self.chance(.5) else f"({items})")}']
            return [f'{key}:'] + self.indent(self.items(t))
        if t == 'str' and self.chance(.06) and not self.plain:
            mark, lines = self.block()
            return [f'{key}: {mark}'] + self.indent(lines)
        if t == 'str' and self.chance(.02):
            return [f'{key}:']
        if t == 'str' and self.chance(.06) and not self.plain:
            return [f'{key}:'] + self.indent(self.select(t))
        return [f'{key}: {self.scalar(t)}']

    def mapping(self, t, path=None):
        """The lines of a mapping. Its keys may read those before them."""
        lines = []
        known = len(self.siblings), len(self.scopes)
        before = []
        for key, inner in t[1].items():
            if self.chance(.04) and not self.plain:
                lines += self.set()
            below = f'{path}.{key}' if path and is_name(key) else None
            nearest = not is_dict(inner) and not is_list(inner)
            self.here = [(f'here.{name}', u) for name, u in before] if path and nearest else []
            lines += self.entry(key, inner, below)
            self.here = []
            if is_name(key) and nearest:
                before.append((key, inner))
            if path and is_name(key) and not is_dict(inner):
                self.siblings.append((f'{path}.{key}', inner))
        del self.siblings[known[0]:], self.scopes[known[1]:]
        if path and self.chance(.12):
            lines += self.nested_if(t, path)
        return lines

    def nested_if(self, t, path):
        """A guard in a mapping, which reads keys outside it."""
        key = self.key(t[1])
        inner = self.scalar_type()
        return self.guard([key], lambda: self.entry(key, inner), keeps=True)

    def items(self, t):
        """The lines of a list with at least so many elements, and directives between them."""
        lines, least = [], t[2]
        known = len(self.scopes)
        if not self.plain and not self.simple and self.chance(.06):
            lines += self.set()
        for _ in range(least + self.r.randint(0 if least else 1, 1)):
            lines += self.item(t[1])
        if not self.plain and not self.simple:
            if self.chance(.16):
                lines += self.loop(t)
            if self.chance(.12):
                lines += self.guard([], lambda: self.item(t[1]), keeps=bool(lines))
            if self.chance(.04):
                lines += self.cases(lambda: self.item(t[1]))
            if self.chance(.15):
                lines += self.item(t[1])
        del self.scopes[known:]
        return lines

    def item(self, t):
        if is_dict(t):
            lines = []
            for key, inner in t[1].items():
                if is_dict(inner) or is_list(inner):
                    lines += [f'{key}:'] + self.indent(self.mapping(inner) if is_dict(inner) else self.items(inner))
                else:
                    lines.append(f'{key}: {self.scalar(inner)}')
            return ['- ' + lines[0]] + ['  ' + line for line in lines[1:]]
        if is_list(t):
            return ['- ' + self.braces(self.value(t))]
        text = self.scalar(t)
        return ['- ' + (text if not text.startswith('- ') and not (t == 'str' and ': ' in text and text[0] != '"') else 'x')]

    # ---- directives

    def set(self):
        name = self.fresh('v')
        t = self.r.choice(['int', 'str', 'int', ('list', 'int', 1)])
        text = self.gen(t)
        self.scopes.append((name, t, self.limit))
        if self.chance(.03) and ' + ' in text:
            text = text.replace(' + ', ' + \\\n ', 1)
        return [f'set {name} = {text}']

    def loop(self, t, depth=1):
        """A loop that gives elements of a list."""
        name = self.r.choice(['i', 'j', 'each', 'host']) + (str(depth) if depth > 1 else '')
        source = self.r.choice(['int', 'str', 'int'])
        tables = [] if self.plain else [(text, u) for path in self.paths() for text, u in self.below(*path) if is_dict(u)]
        if tables and self.chance(.15):
            over, source = self.r.choice(tables)[0], 'str'
        else:
            over = self.gen(('list', source, 0), 1, OR)
        self.scopes.append((name, source, 0))
        test = ' if ' + self.gen('bool', 1, OR) if self.chance(.3) else ''
        body = []
        known = len(self.scopes)
        if self.chance(.1):
            body += self.set()
        if depth < 2 and self.chance(.15):
            body += self.loop(t, depth + 1)
        else:
            body += self.item(t[1])
            if self.chance(.15):
                body += self.guard([], lambda: self.item(t[1]), keeps=True)
            if self.chance(.15):
                body += self.item(t[1])
        del self.scopes[known:]
        self.scopes.pop()
        return [f'for {name} in {over}{test}:'] + self.indent(body)

    def test(self):
        """A guard: usually one that is compared with a known value."""
        known = [name for name in self.fixed if self.keys[name][1] < self.limit]
        if known and self.chance(.5):
            name = self.r.choice(known)
            value = self.fixed[name] if self.chance(.5) else self.word()
            return f'{name} {self.r.choice(["==", "==", "!="])} {self.quote(value)}'
        return self.gen('bool', 1) if self.chance(.85) else self.gen('int', 1)

    def guard(self, keys, body, keeps=False, test=None):
        """`if` with its branches. `keeps` is whether there is anything before it that it falls back to."""
        lines = [f'if {test or self.test()}:'] + self.indent(body())
        # The released program forgets in `elif` what is before it, and looks nothing up in it.
        if self.chance(self.rare * 2 if keeps else .3):
            for _ in range(self.r.randint(1, 2)):
                lines += [f'elif {self.gen("bool", 0) if self.chance(.7) else self.test()}:'] + self.indent(body())
            if self.chance(.9):
                lines += ['else:'] + self.indent(body())
        elif self.chance(.4) or not keeps and not keys:
            lines += ['else:'] + self.indent(body())
        return lines

    def cases(self, body):
        """`select` of a known value, with `body()` in each case."""
        known = [name for name in self.fixed if self.keys[name][1] < self.limit]
        name = self.r.choice(known) if known else None
        value = self.fixed[name] if name else self.word()
        others = [w for w in ('other', 'test', 'x1') if self.chance(.5)]
        cases = [value] * self.chance(.97) + others
        self.r.shuffle(cases)
        cases = [case for case in cases if ' ' not in case] or ['none']
        lines = []
        for case in cases:
            lines += [f'{case}:'] + self.indent(body())
        return [f'select {name or self.quote(value)}:'] + self.indent(lines)

    def select(self, t):
        """`select` with a scalar in each case."""
        known = [name for name in self.fixed if self.keys[name][1] < self.limit]
        name = self.r.choice(known) if known else None
        value = self.fixed[name] if name else 'dev'
        cases = [value] * self.chance(.95) + [w for w in ('other', 'test') if self.chance(.6)] or ['none']
        self.r.shuffle(cases)
        return [f'select {name or self.quote(value)}:'] + self.indent([f'{case}: {self.scalar(t)}' for case in cases])
