"""One mcl program for each field of each kind of resources and each meta parameter, with a value of its type and with one of another type.

`program(number)` returns `(text, files)`, from number 1. The kinds are those of `core/src/dialect/mcl/kinds.toml`.
"""
import pathlib
import tomllib

KINDS = pathlib.Path(__file__).resolve().parents[3] / 'core/src/dialect/mcl/kinds.toml'
VALUES = {'str': '"a"', 'int': '1', 'bool': 'true', 'float': '0.5', 'any': '"a"', '[]str': '["a",]'}


def value(ty):
    """Returns an expression of a type. `None` if there is none here."""
    if ty.startswith('map{'):
        key, of = ty[4:-1].split(': ', 1)
        return f'{{{value(key)} => {value(of)},}}'
    if ty.startswith('struct{'):
        parts = [part.split(' ', 1) for part in ty[7:-1].split('; ')]
        return 'struct{' + ', '.join(f'{name} => {value(of)}' for name, of in parts) + ',}'
    if ty.startswith('[]'):
        return f'[{value(ty[2:])},]'
    if ty.startswith('float'):
        return '0.5'
    return '1' if ty.startswith(('int', 'uint')) else VALUES.get(ty)


def all_programs():
    table = tomllib.loads(KINDS.read_text(encoding='utf-8'))
    out = []
    for kind, fields in table['kinds'].items():
        for field, ty in fields.items():
            # a field that is named like a type is a syntax error there
            if field in ('bool', 'str', 'int', 'float', 'map', 'struct', 'func', 'class', 'type') or value(ty) is None:
                continue
            out += [f'{kind} "/a" {{ {field} => {given}, }}\n' for given in (value(ty), '1' if value(ty) != '1' else '"a"')]
        out.append(f'{kind} "/a" {{ nosuchfield => 1, }}\n')
    for name, ty in table['meta'].items():
        out += [f'noop "a" {{ Meta:{name} => {given}, }}\n' for given in (value(ty), 'struct{wrong => 1,}')]
    for edge in ('Before', 'Depend', 'Notify', 'Listen'):
        ends = ['Noop["b"]', 'true ?: Noop["b"]', '1 ?: Noop["b"]', 'Noop[["b", "c",]]', 'Noop[1]', '"b"', 'Noop["b"] -> Noop["c"]', 'Nosuchkind["b"]']
        out += [f'noop "a" {{ {edge} => {end}, }}\nnoop ["b", "c",] {{}}\n' for end in ends]
    return out


ALL = all_programs()


def program(number):
    return ALL[number - 1], {}
