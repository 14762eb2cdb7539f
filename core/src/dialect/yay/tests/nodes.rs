//! Nodes with side effects, whose schemas are records of contracts.

use super::{json_of, ran};
use crate::loader::InMemory;
use crate::session::{Action, CheckOptions, Event, Format, Session};

const NODES: &str = "{ Compute = {
  inputs = {
    name | String, size | Number | default = 1, tags | Array String | default = [], disk | { gb | Number } | optional,
  },
  outputs = { address | String, port | Number },
} }";

/// Returns the reports of `cfg check` about a document with the nodes.
fn check(text: &str) -> String {
    let text = format!("set nodes = import('nodes.cfg')\n{text}");
    ran(
        &[("main.yay", text.as_str()), ("nodes.cfg", NODES)],
        Action::Check(CheckOptions { strict: true, ..CheckOptions::default() }),
    )
}

/// Evaluates a key of a document with the nodes.
fn eval(text: &str, at: &str) -> String {
    let text = format!("set nodes = import('nodes.cfg')\n{text}");
    let action = Action::Eval { at: (!at.is_empty()).then(|| String::from(at)), format: Format::Json };
    ran(&[("main.yay", text.as_str()), ("nodes.cfg", NODES)], action)
}

const WEB: &str = "new nodes.Compute as web:\n  name: a\n";

#[test]
fn outputs_have_types_before_the_node_runs() {
    assert_eq!(check(&format!("{WEB}url: http://{{{{ web.address }}}}:{{{{ web.port + 1 }}}}")), "");
    for (more, parts) in [
        ("x: {{ range(web.address) }}", ["expected number, found string", "main.yay:4:13"]),
        ("x: {{ web.adress }}", ["no field `adress`", "did you mean `address`?"]),
        ("x:\n  - 1\nif web.port > 1:\n  x: text", ["`x` changes from list to string", "where this holds"]),
        ("port: {{ web.port }}\nport: text", ["`port` changes from number to string", "main.yay:4:10"]),
    ] {
        let out = check(&format!("{WEB}{more}"));
        for part in parts {
            assert!(out.contains(part), "{more}: {part}\n{out}");
        }
    }
    // both branches cannot count at once
    assert_eq!(check(&format!("{WEB}if web.port > 1:\n  x: text\nelse:\n  x: 1")), "");
}

#[test]
fn a_misspelt_input_suggests_the_right_one() {
    for (node, parts) in [
        (
            "new nodes.Compute as web:\n  nmae: a",
            ["error: no field `nmae`", "main.yay:3:9", "did you mean `name`?", "error: no field `name`"],
        ),
        (
            "new nodes.Compute as web:\n  name: a\n  sise: 2",
            ["warning: no field `sise`", "main.yay:4:9", "did you mean `size`?", "address: string"],
        ),
    ] {
        let out = check(node);
        for part in parts {
            assert!(out.contains(part), "{node}: {part}\n{out}");
        }
    }
    // other keys are free, and an input that is defined is not suggested
    for more in ["  owner: b", "  names: b"] {
        assert_eq!(check(&format!("{WEB}{more}")), "", "{more}");
    }
}

#[test]
fn a_wrong_input_is_an_error() {
    for (node, parts) in [
        ("new nodes.Compute as web:\n  size: 2", ["error: no field `name`", "main.yay:2:1"]),
        ("new nodes.Compute as web:\n  name: 5", ["error: expected string, found number", "nodes.cfg:3:5"]),
        ("new nodes.Compute as web:\n  name: a\n  size: x", ["error: expected number, found string", "main.yay:4:9"]),
        (
            "new nodes.Compute as web:\n  name: a\n  tags:\n    - 1",
            ["error: element `[0]`: expected string, found number", "main.yay:5:7"],
        ),
        (
            "new nodes.Compute as web:\n  name: a\n  disk:\n    gb: x",
            ["error: expected number, found string", "main.yay:5:9"],
        ),
        (
            "new nodes.Compute as web:\n  name: a\n  disk:\n    gb: 5\n    ggb: 1",
            ["error: no field `ggb`", "did you mean `gb`?"],
        ),
        ("new nodes.Compute as web:\n  name: a\n  disk: {}", ["error: no field `gb`", "main.yay:4:"]),
        // a later layer of the node
        (
            "new nodes.Compute as web:\n  name: a\nweb:\n  size: x",
            ["error: expected number, found string", "main.yay:5:9"],
        ),
        // under a guard that is not known
        (
            "new nodes.Compute as web:\n  name: a\n  if other:\n    size: x\nother: {{ nothing else 1 }}",
            ["error: `size` changes from number to string", "where this holds"],
        ),
    ] {
        let out = check(node);
        for part in parts {
            assert!(out.contains(part), "{node}: {part}\n{out}");
        }
        assert_eq!(out.matches("error: ").count(), 1, "{node}: one error\n{out}");
        assert_eq!(out.matches("warning: ").count(), 0, "{node}: no warning\n{out}");
    }
    for right in [
        "new nodes.Compute as web:\n  name: a\n  size: 2\n  tags:\n    - b\n  disk:\n    gb: 5",
        "new nodes.Compute as web:\n  name: {{ nothing else 'a' }}",
        "new nodes.Compute as web:\n  name: a\n  if 1 == 2:\n    size: x",
    ] {
        assert_eq!(check(right), "", "{right}");
    }
    let broken = eval("new nodes.Compute as web:\n  name: 5", "");
    assert!(broken.contains("`web.name` must be a String, but is a number"), "{broken}");
}

#[test]
fn outputs_are_not_known_before_the_node_runs() {
    let text = format!("{WEB}url: http://{{{{ web.address }}}}\nother: 1\nkey: 1\nif web.port > 1:\n  key: 2");
    assert_eq!(eval(&text, "other"), "1\n");
    assert_eq!(eval(&text, "web").replace(char::is_whitespace, ""), "{\"name\":\"a\",\"size\":1,\"tags\":[]}");
    for at in ["url", "web.port", "key", ""] {
        let out = eval(&text, at);
        assert!(out.contains("is an output: it is not known before the node runs"), "{at}: {out}");
    }
    // `else` is for what does not exist
    let out = eval(&format!("{WEB}x: {{{{ web.port else 80 }}}}"), "x");
    assert!(out.contains("not known"), "{out}");
}

#[test]
fn a_cell_of_another_language_declares_a_node() {
    let mut session = Session::new(Box::new(InMemory::default()));
    session.submit("Compute = { inputs = { name | String }, outputs = { port | Number } }");
    session.submit(":dialect yay");
    let bound = |events: Vec<Event>| {
        events
            .into_iter()
            .map(|event| match event {
                Event::Bound(text) => text.text(),
                Event::Diagnostic { report, .. } => report.text(),
                other => format!("{other:?}"),
            })
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_eq!(bound(session.submit("new Compute as web:\n  name: a\n")), "web: {name: string, port: number}");
    let wrong = bound(session.submit("x: {{ range(web.prot) }}"));
    assert!(wrong.contains("did you mean `port`?"), "{wrong}");
    assert_eq!(bound(session.submit("y: {{ web.port + 1 }}")), "y: number");
}

#[test]
fn import_adds_no_keys() {
    let files = |text| [("main.yay", text), ("n.json", "{\"a\": 1}")];
    assert_eq!(json_of(&files("set n = import('n.json')\nb: {{ n.a + 1 }}")), "{\"b\":2}");
    assert_eq!(json_of(&files("set n = import('n.' + 'json')\nb: {{ n.a + 1 }}")), "{\"b\":2}");
    assert_eq!(json_of(&files("b: {{ import('n.json').a }}")), "{\"b\":1}");
}

#[test]
fn a_computed_path_reads_the_keys_below_it_and_above() {
    let files = |text| [("main.yay", text), ("part1.yay", "x: 1\nnext: 2"), ("part2.yay", "y: 2\nx: {{ x + 1 }}")];
    for (text, expected) in [
        ("include stem + '.yay'\nstem: part1", "{\"next\":2,\"stem\":\"part1\",\"x\":1}"),
        ("stem: part2\ninclude stem + '.yay'\nstem: part1", "{\"next\":2,\"stem\":\"part1\",\"x\":1}"),
        ("include 'part1.yay'\ninclude 'part' + next + '.yay'\nx: 5", "{\"next\":2,\"x\":5,\"y\":2}"),
        (
            "n: 1\ninclude 'part' + n + '.yay'\ninclude 'part' + next + '.yay'\nx: 5",
            "{\"n\":1,\"next\":2,\"x\":5,\"y\":2}",
        ),
    ] {
        assert_eq!(json_of(&files(text)), expected, "{text}");
    }
}
