//! The highlighting of notebooks and editors gives what `cfg` itself gives: the lexers of `kernel/python`, one in Python and
//! one in JavaScript, against the core's, token by token, on every program of the repository and on bad input.
//! Needs `python3`, and Node.js, which is installed from PyPI where there is none.

use cfg_core::markdown::sections;
use cfg_core::{Dialect, NoLoader, Role, Session};
use cfg_tests::binary::{root, run_command};
use cfg_tests::generate::{Topic, clash, program};
use cfg_tests::mutate::bad_input;
use cfg_tests::python::python3;
use cfg_tests::{node, this_test};
use serde_json::{Value, json};
use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// Returns one letter per character: its role, or `.` if it has none. The first letter of a token is a capital.
fn letters(text: &str, roles: &[(Range<usize>, Role)]) -> String {
    let mut roles = roles.iter().peekable();
    let letter = |(at, _): (usize, char)| {
        while roles.next_if(|(range, _)| range.end <= at).is_some() {}
        match roles.peek() {
            Some((range, role)) if range.start == at => letter(*role).to_ascii_uppercase(),
            Some((range, role)) if range.contains(&at) => letter(*role),
            _ => '.',
        }
    };
    text.char_indices().map(letter).collect()
}

fn letter(role: Role) -> char {
    match role {
        Role::Keyword => 'k',
        Role::Literal => 'l',
        Role::String => 's',
        Role::Tag => 'g',
        Role::Name => 'n',
        Role::Type => 'y',
        Role::Operator => 'o',
        Role::Comment => 'c',
        Role::Invalid => 'x',
        _ => '.',
    }
}

fn case(kind: &str, text: &str, roles: &[(Range<usize>, Role)]) -> Value {
    json!({ "as": kind, "text": text, "roles": letters(text, roles) })
}

fn file(dialect: Dialect, text: &str) -> Value {
    case(dialect.name(), text, &dialect.highlight(text))
}

/// Returns a cell that consists of these inputs.
fn cell(session: &Session, inputs: &[&str]) -> Value {
    let mut letters = String::new();
    for input in inputs {
        let read = match input.strip_prefix('%') {
            Some(rest) if !rest.starts_with('%') => format!(":{rest}"),
            _ => String::from(*input),
        };
        letters += &self::letters(&read, &session.highlight(&read));
    }
    json!({ "as": "cell", "text": inputs.concat(), "roles": letters })
}

fn markdown() -> Vec<PathBuf> {
    let mut files = vec![root().join("README.md")];
    for folder in ["docs", "tests/cases"] {
        let entries = fs::read_dir(root().join(folder)).expect("the folder is there");
        files.extend(entries.map(|e| e.expect("a file").path()).filter(|p| p.extension().is_some_and(|e| e == "md")));
    }
    files
}

fn programs() -> Vec<Value> {
    let mut all = Vec::new();
    for path in markdown() {
        for block in sections(&fs::read_to_string(path).expect("it can be read")).iter().flat_map(|s| &s.blocks) {
            match block.info.split_whitespace().next() {
                Some("jsonnet") => all.push(file(Dialect::JSONNET, &block.text)),
                Some("yay") => all.push(file(Dialect::YAY, &block.text)),
                Some("mcl") => all.push(file(Dialect::MCL, &block.text)),
                _ => all.push(file(Dialect::CFG, &block.text)),
            }
        }
    }
    for (folder, dialect) in [("nickel", Dialect::CFG), ("jsonnet", Dialect::JSONNET), ("mcl", Dialect::MCL)] {
        for entry in fs::read_dir(root().join("tests/oracles").join(folder)).expect("oracles") {
            let path = entry.expect("a file").path();
            if path.extension().is_some_and(|e| e == "jsonl") {
                let lines = fs::read_to_string(path).expect("it can be read");
                let text = |line: &str| {
                    let line: Value = serde_json::from_str(line).expect("a line of a collection");
                    line[0].as_str().expect("a program").to_string()
                };
                all.extend(lines.lines().take(500).map(|line| file(dialect, &text(line))));
            }
        }
    }
    let documents = fs::read_to_string(root().join("tests/differences/yay.jsonl")).expect("it can be read");
    for line in documents.lines() {
        let line: Value = serde_json::from_str(line).expect("a line of the differences");
        let files: Value =
            serde_json::from_str(line[0].as_str().expect("a document")).expect("a document and its files");
        all.push(file(Dialect::YAY, files[0].as_str().expect("a document")));
    }
    for seed in 0..200 {
        all.push(file(Dialect::CFG, &program(Topic::ALL[seed as usize % Topic::ALL.len()], seed)));
        all.push(file(Dialect::JSONNET, &clash(Dialect::JSONNET, seed)));
    }
    all
}

/// Returns pieces of tokens in random order, which no program contains.
fn pieces(seed: u64) -> String {
    const PIECES: &[&str] = &[
        "m%\"",
        "m%%\"",
        "a-s%\"",
        "\"%",
        "\"%%",
        "\"%m",
        "\"%{",
        "%{",
        "%%{",
        "}",
        "{",
        "\"",
        "'\"",
        "`\"",
        "\\",
        "\\x4",
        "\\u{1F}",
        "\\\n",
        "'",
        "'__",
        "__a'",
        "_",
        "$",
        "$12",
        "1e",
        "1e+5",
        "0x",
        "0xFg",
        ".5",
        "..",
        "1..2",
        "%typeof%",
        "%b%",
        "%",
        "é",
        "😀",
        "\u{feff}",
        " ",
        "\n",
        "\r\n",
        "#",
        "# c\n",
        "//",
        "/*",
        "*/",
        "|||",
        "|||\n",
        "|||-\n  a\n",
        "  b\n",
        "\n\n",
        "@'",
        "''",
        "@\"",
        "{{",
        "}}",
        "{{ a",
        "k: ",
        "k:\n",
        "  k: |\n",
        "- ",
        "extend k:\n",
        "% if a\n",
        "if a:\n  ",
        "for x in ",
        "set a = ",
        "12",
        " 1.5 ",
        "as ",
        "include ",
        "let ",
        "rec ",
        "default",
        "doc",
        "=",
        ":",
        "::",
        "+:",
        ",",
        "|",
        "merge",
        "secret",
        "Num",
        "or",
        "null",
        "Number",
        "local ",
        "for ",
        "a",
        "<",
        "[|",
        "|]",
    ];
    let mut rng = cfg_tests::generate::Rng::new(seed);
    (0..1 + rng.below(14)).map(|_| *rng.pick(PIECES)).collect()
}

fn bad() -> Vec<Value> {
    let both = |text: &str| [Dialect::CFG, Dialect::JSONNET, Dialect::YAY].map(|dialect| file(dialect, text));
    let mutated = (0..600).map(|seed| String::from_utf8_lossy(&bad_input(seed)).into_owned());
    mutated.chain((0..6000).map(pieces)).flat_map(|text| both(&text)).collect()
}

fn cells() -> Vec<Value> {
    let mut session = Session::new(Box::new(NoLoader));
    let mut all: Vec<Value> = [
        &["let x = { port | default = 80 }"][..],
        &[":type 1\n", "%type { a = 1 }\n", "x = 'Tag"],
        &["let x = { a = 1 }\n", ":steps x & { b | force = 2 }\n", "x.a"],
        &["x = {\n  a = 1,\n}\n\n", ":query x.a\n", ":load server.ncl # a file\n", "1"],
        &["7\n% m"],
        &["  :type x"],
        &["%%jsonnet\nlocal f(x) = { a: x, 'b':: 1 }; f(1) // c"],
        &["  %%cfg\nlet x = 1 in x"],
        &["%%nothing\nx = 1"],
        // only `:command` is one after a `%%` line: elsewhere `%` belongs to the language
        &["%%jsonnet\n%type 1"],
        &["%%mcl\n%type 1"],
        &["%%yay\n%type 1"],
        &["%%yay\n%include 'a.yay'\nport: 80"],
        &["%%jsonnet\n:type { a: 1 }"],
        &["%%mcl\n\n  :type [1, 2,]"],
        &["%%yay\n:graph port"],
        &["%%yay\n:type port + 1"],
        // such a line begins the next input, in its language
        &["%%jsonnet\n:check --hint \"a\" x == 'b'\n", "%%jsonnet\n:check y\n", "%%mcl\n$x + 1"],
        &["%%yay\nport: 80\n", "%%jsonnet\nlocal x = 1; { a:: x }"],
        &[":type 1\n", "%%yay\nport: {{ 1 + 2 }}"],
        &["let x = {\n%%yay\n}"],
        &["# c\nx | doc \"a %{b} \\n\" = $12"],
        &["%type x\n", "%steps {\n  a = 1,\n} & { b = m%\"\n:type\n\"% }\n", "2"],
    ]
    .iter()
    .map(|inputs| cell(&session, inputs))
    .collect();
    let commands: Vec<String> = session.complete(":", 1).into_iter().map(|c| c.text.trim().replace(':', "")).collect();
    assert!(commands.len() > 25, "{commands:?}");
    // a cell of the kernel that writes a file: only its first line is coloured
    for line in ["%%file a.cfg", "%%writefile notes.txt"] {
        let roles = [(0..line.len(), Role::Keyword)];
        all.push(case("cell", &format!("{line}\nx = 1 \"not ours"), &roles));
    }
    for command in &commands {
        for end in 1..=command.len() {
            let text = format!(":{} x = {{ a | default = 'A }}", &command[..end]);
            let roles = session.highlight(&text);
            if roles.iter().all(|(_, role)| *role != Role::Invalid) {
                all.push(case("cell", &text, &roles));
            }
        }
    }
    all
}

fn cases() -> String {
    let all: Vec<Value> = programs().into_iter().chain(bad()).chain(cells()).collect();
    all.iter().map(|case| case.to_string() + "\n").collect()
}

fn agrees(mut checker: Command, scan: &str, folder: &str) {
    checker.arg(root().join("tests/highlighting").join(scan)).arg(root().join("kernel/python").join(folder));
    let cases = cases();
    let ran = run_command(checker, &cases, Duration::from_secs(300)).expect("it starts");
    assert!(ran.code == Some(0), "{}\n{}", ran.out, ran.err);
    assert_eq!(ran.out.trim(), format!("{} texts, 0 differ", cases.lines().count()));
}

#[test]
fn the_tables_are_up_to_date() {
    for (path, text) in cfg_tests::highlighters::files() {
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert!(written == text, "`{}` is old: run `cargo run -p cfg-tests --example highlighters`", path.display());
    }
}

#[test]
fn the_pygments_lexer_agrees_with_the_core() {
    let test = this_test!();
    if test.is_off() {
        return;
    }
    agrees(Command::new(python3(test)), "check.py", "src");
}

#[test]
fn the_jupyterlab_mode_agrees_with_the_core() {
    let test = this_test!();
    if test.is_off() {
        return;
    }
    agrees(node::command(test, "node"), "check.mjs", "data/data/share/jupyter/labextensions/cfg-kernel/static");
}
