"""Answers as the released Yay does, in a Python that has it: reads lines `[document, {file: text}]`, and writes a line for each.

    [value]         the value as JSON, keys in Yay's order
    [null, class]   the class of the failure: syntax, type, missing (a name, a key, a case or an index), file, zero, cycle, paradox
    null            no answer: one of Python's own exceptions, which no document means
"""
import json, os, shutil, sys, tempfile, warnings
from yay import errors
from yay.compat import io
from yay.config import Config

CLASSES = [
    ('syntax', (errors.LexerError, errors.ParseError, SyntaxError)),
    ('zero', (errors.ZeroDivisionError, ZeroDivisionError)),
    ('cycle', errors.CycleError),
    ('paradox', errors.ParadoxError),
    ('missing', errors.NoMatching),
    ('type', errors.TypeError),
    ('file', errors.NotFound),
]


def answer(text, files):
    folder = tempfile.mkdtemp()
    try:
        for name, contents in files.items():
            with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
                file.write(contents)
        config = Config(searchpath=[folder])
        config.load(io.StringIO(text), 'main.yay')
        return [json.dumps(config.resolve(), ensure_ascii=False)]
    except Exception as e:
        if isinstance(e, errors.TypeError) and 'out of range' in str(e.description):
            return [None, 'missing']
        return next(([None, name] for name, classes in CLASSES if isinstance(e, classes)), None)
    finally:
        shutil.rmtree(folder)


if __name__ == '__main__':
    warnings.simplefilter('ignore')
    out = os.fdopen(os.dup(1), 'w', encoding='utf-8')
    os.dup2(2, 1)
    for line in io.open(0, encoding='utf-8'):
        out.write(json.dumps(answer(*json.loads(line))) + '\n')
        out.flush()
