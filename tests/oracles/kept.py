"""Keeps the answers of a reference, each file with its digest, so that an edit by hand fails a test.

`keep` writes an answers file and its entry in `kept.json` beside it:

    reference   the program that answered, with its version
    arguments   what the questions are made of: seeds, counts, names
    asked       how many questions were asked
    left_out    the numbers (from 0) of the questions without an answer in the file
    questions   SHA-256 of all questions asked
    answers     SHA-256 of the file

A file whose name ends in `.gz` is compressed.

`check` makes the questions again and compares them with the digest and with the questions in the file. It asks nobody.
The tests in `tests/tests/kept.rs` run it, and compare each file with its digest.
"""
import gzip, hashlib, json, pathlib, sys

MANIFEST = 'kept.json'


def digest(data):
    return hashlib.sha256(data).hexdigest()


def digest_of_questions(questions):
    return digest(''.join(json.dumps(question, separators=(',', ':')) + '\n' for question in questions).encode())


def read(folder):
    path = pathlib.Path(folder) / MANIFEST
    return json.loads(path.read_text(encoding='utf-8')) if path.exists() else {}


def text_of(folder, name):
    data = (pathlib.Path(folder) / name).read_bytes()
    return (gzip.decompress(data) if name.endswith('.gz') else data).decode('utf-8')


def keep(folder, name, reference, arguments, questions, answers):
    """Writes the file `name`: for each question the text of its lines, or `None` if it is left out."""
    questions = list(questions)
    answers = list(answers)
    assert len(questions) == len(answers), (len(questions), len(answers))
    data = ''.join(answer for answer in answers if answer is not None).encode('utf-8')
    if name.endswith('.gz'):
        data = gzip.compress(data, 9, mtime=0)
    path = pathlib.Path(folder) / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    files = read(folder)
    files[name] = {
        'reference': reference,
        'arguments': arguments,
        'asked': len(questions),
        'left_out': [at for at, answer in enumerate(answers) if answer is None],
        'questions': digest_of_questions(questions),
        'answers': digest(data),
    }
    lines = ',\n'.join(f'{json.dumps(file)}: {json.dumps(entry)}' for file, entry in sorted(files.items()))
    (pathlib.Path(folder) / MANIFEST).write_text('{\n' + lines + '\n}\n', encoding='utf-8')


def check(folder, make, answered):
    """Exits with a message if a file does not answer exactly the questions that are made now.

    `make(name, arguments)` makes the questions of a file; `answered(name, text)` reads those that a text answers.
    """
    wrong = []
    for name, entry in read(folder).items():
        questions = list(make(name, entry['arguments']))
        if len(questions) != entry['asked']:
            wrong.append(f'{name}: {len(questions)} questions are made, {entry["asked"]} were asked')
        elif digest_of_questions(questions) != entry['questions']:
            wrong.append(f'{name}: the questions made are not those that were asked')
        left_out = set(entry['left_out'])
        expected = [question for at, question in enumerate(questions) if at not in left_out]
        found = list(answered(name, text_of(folder, name)))
        if len(expected) != len(found):
            wrong.append(f'{name}: {len(expected)} questions to answer, {len(found)} answered')
        differ = next((at for at, (a, b) in enumerate(zip(expected, found)) if a != b), None)
        if differ is not None:
            wrong.append(f'{name}: question {differ} is {expected[differ]!r}, answered is {found[differ]!r}')
    if wrong:
        sys.exit('\n'.join(wrong))
    print(f'{len(read(folder))} files answer the questions made now')
