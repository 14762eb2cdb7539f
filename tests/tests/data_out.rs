//! Data comes out as it went in: strings, tags, documents, the order of keys, numbers.

use cfg_core::{Action, Format, InMemory, Input, Outcome, ProgramOptions, Request, Session};
use cfg_tests::kept;
use serde_json::Value;
use std::path::PathBuf;

fn reports(outcome: &Outcome) -> String {
    outcome.reports.iter().map(|(_, report)| report.text() + "\n").collect()
}

fn run(files: &[(&str, &str)], action: Action, keep_order: bool) -> Outcome {
    let mut session = Session::new(Box::new(files.iter().copied().collect::<InMemory>()));
    let inputs = files.iter().map(|(name, _)| Input::File(PathBuf::from(name))).collect();
    let options = ProgramOptions { keep_order, ..ProgramOptions::default() };
    session.run(Request { options, ..Request::new(inputs, action) })
}

fn eval(files: &[(&str, &str)], format: Format) -> Outcome {
    run(files, Action::Eval { at: None, format }, false)
}

fn merge(files: &[(&str, &str)], layers: bool, format: Format) -> Outcome {
    run(files, Action::Merge { at: None, layers, format, explain: None }, false)
}

#[track_caller]
fn is(outcome: &Outcome, expected: &str) {
    assert_eq!((outcome.exit, outcome.output.text().as_str()), (0, expected), "{}", reports(outcome));
}

#[track_caller]
fn fails(outcome: &Outcome, parts: &[&str]) {
    let said = reports(outcome);
    assert_eq!((outcome.exit, outcome.output.text().as_str()), (1, ""), "{said}");
    for part in parts {
        assert!(said.contains(part), "{part:?} is not in\n{said}");
    }
}

/// Every string, written as a value, an element and a key, is read as the same string by PyYAML, by ruamel.yaml and by
/// cfg. `oracles/yaml/ask.py` stores what the first two read.
#[test]
fn strings_are_read_as_strings_by_every_reader() {
    let (text, count) = kept::answers("yaml", "answers.jsonl");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a line")).collect();
    assert_eq!((lines.len(), count), (3000, 3000), "strings");
    let items: Vec<Value> = lines
        .iter()
        .map(|line| {
            let string = line["string"].as_str().expect("a string");
            serde_json::json!({ "element": [string], "key": { string: 1 }, "value": string })
        })
        .collect();
    let json = serde_json::to_string(&items).expect("JSON");
    let outcome = eval(&[("strings.json", &json)], Format::Yaml);
    assert_eq!(outcome.exit, 0, "{}", reports(&outcome));
    let yaml = outcome.output.text();
    let written: Vec<String> = yaml.split("- element:").skip(1).map(|item| format!("- element:{item}")).collect();
    assert_eq!(written.len(), lines.len());
    for (line, written) in lines.iter().zip(&written) {
        assert_eq!(line["yaml"].as_str(), Some(written.as_str()), "{}", line["string"]);
        for reader in ["pyyaml", "ruamel"] {
            assert_eq!(line[reader], Value::Bool(true), "{reader}: {}", line["string"]);
        }
    }
    let read = eval(&[("strings.yaml", &yaml)], Format::Json);
    assert_eq!(read.exit, 0, "{}", reports(&read));
    let read: Vec<Value> = serde_json::from_str(&read.output.text()).expect("JSON");
    for (asked, read) in items.iter().zip(&read) {
        assert_eq!(asked, read);
    }
}

/// Every document, written in a format, is read as the same data by a reader of that format, and by cfg. `oracles/documents/ask.py`
/// stores what the readers of Python read.
#[test]
fn documents_come_out_as_they_went_in() {
    let (text, count) = kept::answers("documents", "answers.jsonl.gz");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a line")).collect();
    assert_eq!((lines.len(), count), (300, 300), "documents");
    let written = [("yaml", Format::Yaml), ("toml", Format::Toml), ("json", Format::Json)];
    for line in &lines {
        for reader in ["python", "pyyaml", "ruamel", "tomllib"] {
            assert_eq!(line[reader], Value::Bool(true), "{reader}: {line}");
        }
        let json = line["json"].as_str().expect("text");
        for (name, format) in written {
            let Some(expected) = line[name].as_str() else { continue };
            is(&eval(&[("d.json", line["document"].as_str().expect("text"))], format), expected);
            let merged = merge(&[("d.json", json), ("e.json", "{}")], true, format);
            is(&merged, expected);
            is(&eval(&[(format!("d.{name}").as_str(), expected)], Format::Json), json);
        }
    }
}

#[test]
fn numbers_are_written_in_full() {
    let yaml = "a: 12345678901234567890\nb: 12345678901234567891\nc: 1e-400\nd: 1e400\ne: 0x1F\nf: 0o17\ng: 1_000\nh: .5\n\
                i: +1\nj: 1e3\nk: 1e21\nl: 1e-7\nm: 0.1234567890123456789\nn: 123456789012345678901234567890\n";
    let written = "a: 12345678901234567890\nb: 12345678901234567891\nc: 1.0e-400\nd: 1.0e+400\ne: 31\nf: 15\ng: '1_000'\n\
                   h: 0.5\ni: 1\nj: 1000\nk: 1.0e+21\nl: 1.0e-7\nm: 0.1234567890123456789\n\
                   n: 123456789012345678901234567890\n";
    is(&eval(&[("n.yaml", yaml)], Format::Yaml), written);
    is(&eval(&[("n.yaml", written)], Format::Yaml), written);
    is(&merge(&[("n.yaml", yaml), ("o.yaml", "a: 12345678901234567890\n")], false, Format::Yaml), written);
    let flat = "a=12345678901234567891\nb=0.1234567890123456789\n";
    let json = r#"{"a": 12345678901234567891, "b": 0.1234567890123456789}"#;
    is(&eval(&[("n.json", json)], Format::Properties), flat);
    // a program writes the bytes that Nickel writes, with exponents that every reader of YAML takes for numbers
    is(
        &eval(&[("n.cfg", "[12345678901234567891234, 1e-7]")], Format::Json),
        "[\n  1.2345678901234568e+22,\n  1e-7\n]\n",
    );
    is(&eval(&[("n.cfg", "[1e21, 1e-7, 1.5e-7]")], Format::Yaml), "- 1.0e+21\n- 1.0e-7\n- 1.5e-7\n");
}

#[test]
fn what_looks_like_something_else_is_quoted() {
    let json =
        r#"["no", "12:30:45", "2024-01-01", "=", "<<", "1_000", ".inf", "0o17", "y", "1.2.3", "nope", 12, true]"#;
    is(
        &eval(&[("a.json", json)], Format::Yaml),
        "- 'no'\n- '12:30:45'\n- '2024-01-01'\n- '='\n- '<<'\n- '1_000'\n- '.inf'\n- '0o17'\n- 'y'\n- 1.2.3\n- nope\n- 12\n- true\n",
    );
}

const TEMPLATE: &str =
    "a: !Ref x\nb: !If\n- c\n- !Sub ${x}\n- d: !GetAtt\n    e: 'no'\n  f: !x 'y'\n- - !<tag:a,b> 0x1F\n";

#[test]
fn local_tags_are_kept() {
    let kept = "a: !Ref x\nb: !If\n- c\n- !Sub ${x}\n- d: !GetAtt\n    e: 'no'\n  f: !x 'y'\n- - !<tag:a%2Cb> '0x1F'\n";
    let outcome = eval(&[("t.yaml", TEMPLATE)], Format::Yaml);
    is(&outcome, kept);
    is(&eval(&[("t.yaml", kept)], Format::Yaml), kept);
    is(&eval(&[("t.yaml", "!Top\na: 1\n")], Format::Yaml), "!Top\na: 1\n");
    is(&eval(&[("t.yaml", "- !Join [a]\n- !e {}\n")], Format::Yaml), "- !Join\n  - a\n- !e {}\n");
    // the non-specific tag is a string
    is(&eval(&[("t.yaml", "a: ! 12\n")], Format::Yaml), "a: '12'\n");
}

#[test]
fn local_tags_are_merged_and_compared() {
    let (base, top) = ("a: !Ref x\nb: !Ref w\n", "a: !Ref z\nb: 1\n");
    is(&merge(&[("1.yaml", base), ("2.yaml", top)], true, Format::Yaml), "a: !Ref z\nb: 1\n");
    is(&merge(&[("1.yaml", base), ("2.yaml", "a: !Ref x\n")], false, Format::Yaml), "a: !Ref x\nb: !Ref w\n");
    fails(
        &merge(&[("1.yaml", base), ("2.yaml", "a: x\n")], false, Format::Yaml),
        &["the values of `a`", "1.yaml:1:", "2.yaml:1:4"],
    );
}

#[test]
fn tags_that_cannot_be_kept_are_refused() {
    fails(&eval(&[("t.yaml", TEMPLATE)], Format::Json), &["JSON has no tags", "`!Ref`", "t.yaml:1:"]);
    fails(&eval(&[("t.yaml", "a: !Ref x\n")], Format::Toml), &["TOML has no tags", "--format yaml"]);
    fails(&eval(&[("t.yaml", "!k a: 1\n")], Format::Yaml), &["`!k` of a key", "t.yaml:1:"]);
    fails(&eval(&[("t.yaml", "a: !!binary aGk=\n")], Format::Yaml), &["unknown tag `!!binary`"]);
    fails(&eval(&[("t.yaml", "a: !!binary 'aGk='\n")], Format::Yaml), &["unknown tag `!!binary`"]);
    fails(&eval(&[("t.yaml", "a: !!set {b: null}\n")], Format::Yaml), &["unknown tag `!!set`"]);
    fails(&eval(&[("t.yaml", "a: !!map [b]\n")], Format::Yaml), &["does not match its tag `!!map`"]);
}

#[test]
fn several_documents_stay_several() {
    let stream = "a: 1\n---\n# nothing\n---\n- b\n---\n";
    let written = "---\na: 1\n---\n- b\n";
    is(&eval(&[("s.yaml", stream)], Format::Yaml), written);
    is(&merge(&[("s.yaml", stream)], false, Format::Yaml), written);
    is(&eval(&[("s.yaml", written)], Format::Yaml), written);
    is(&eval(&[("s.yaml", stream)], Format::Json), "[\n  {\n    \"a\": 1\n  },\n  [\n    \"b\"\n  ]\n]\n");
    // one document that is a sequence stays one
    is(&eval(&[("s.yaml", "- a\n- b\n")], Format::Yaml), "- a\n- b\n");
}

/// `helm template … | cfg merge --layers - overrides.yaml`
#[test]
fn a_stream_is_read_from_standard_input() {
    let stream = "---\n# Source: a\nkind: A\nmetadata: {name: x}\nv: 1\n---\nkind: B\nmetadata: {name: x}\n";
    let over = [("o.yaml", "kind: A\nmetadata: {name: x}\nv: 2\n")];
    let run = |files: &[(&str, &str)], action: Action| {
        let mut session = Session::new(Box::new(files.iter().copied().collect::<InMemory>()));
        let piped = Input::Text { name: "<stdin>".into(), text: stream.into() };
        let files = files.iter().map(|(name, _)| Input::File(PathBuf::from(name)));
        let dialect = cfg_core::Languages::default().named("yaml");
        session.run(Request { dialect, ..Request::new([piped].into_iter().chain(files).collect(), action) })
    };
    let merged = Action::Merge { at: None, layers: true, format: Format::Yaml, explain: None };
    let written = "---\nkind: A\nmetadata:\n  name: x\nv: 2\n---\nkind: B\nmetadata:\n  name: x\n";
    is(&run(&over, merged), written);
    is(&run(&[], Action::Eval { at: None, format: Format::Yaml }), &written.replace("v: 2", "v: 1"));
}

#[test]
fn a_document_of_comments_is_no_document() {
    is(&eval(&[("s.yaml", "# only\n---\na: 1\n---\n# comments\n")], Format::Json), "{\n  \"a\": 1\n}\n");
    is(&eval(&[("s.yaml", "# nothing\n---\n# at all\n")], Format::Json), "null\n");
    // `null` is a value
    is(&eval(&[("s.yaml", "a: 1\n--- null\n")], Format::Yaml), "---\na: 1\n---\nnull\n");
}

#[test]
fn keys_keep_their_order_on_request() {
    let (base, top) = ("z: 1\na: {y: 1, b: 2}\n", "c: 3\na: {x: 4, y: 5}\n");
    let action = |format| Action::Merge { at: None, layers: true, format, explain: None };
    let files = [("1.yaml", base), ("2.yaml", top)];
    is(&run(&files, action(Format::Yaml), true), "z: 1\na:\n  y: 5\n  b: 2\n  x: 4\nc: 3\n");
    is(&run(&files, action(Format::Yaml), false), "a:\n  b: 2\n  x: 4\n  y: 5\nc: 3\nz: 1\n");
    let whole = Action::Eval { at: None, format: Format::Toml };
    is(&run(&[("1.yaml", base)], whole, true), "z = 1\n\n[a]\ny = 1\nb = 2\n");
}

#[test]
fn compared_numbers_are_written_in_full() {
    let files = [("1.yaml", "a: 12345678901234567890\n"), ("2.yaml", "a: 12345678901234567891\n")];
    let outcome = merge(&files, false, Format::Yaml);
    fails(&outcome, &["12345678901234567890 (normal)", "12345678901234567891 (normal)", "result 12345678901234567891"]);
    let files = [("1.yaml", "a: 0.12345678901234567\n"), ("2.yaml", "a: 0.12345678901234568\n")];
    fails(&merge(&files, false, Format::Yaml), &["0.12345678901234567 (normal)", "0.12345678901234568 (normal)"]);
}

#[test]
fn properties_and_variables() {
    let files = [("a.yaml", "server: {port: 80, log: 'a = b', names: [x, 'é']}\non: true\n'k e:y': ' x'\n")];
    is(
        &eval(&files, Format::Properties),
        "k\\ e\\:y=\\ x\non=true\nserver.log=a = b\nserver.names.0=x\nserver.names.1=\\u00E9\nserver.port=80\n",
    );
    let files = [("a.yaml", "server: {port: 80, log: 'a = $b', names: [x, it's]}\ndebug_on: true\nempty: ''\n")];
    is(
        &eval(&files, Format::Dotenv),
        "DEBUG_ON=true\nEMPTY=\nSERVER_LOG='a = $b'\nSERVER_NAMES_0=x\nSERVER_NAMES_1=\"it's\"\nSERVER_PORT=80\n",
    );
}

#[test]
fn what_a_flat_file_cannot_hold_is_refused_with_its_place() {
    let env = |text: &str| eval(&[("a.yaml", text)], Format::Dotenv);
    fails(&env("a:\n  b: null\n"), &["a .env file cannot hold null", "a.yaml:2:6", "field `a.b`"]);
    fails(&env("a: []\n"), &["cannot hold an empty array"]);
    fails(&env("a: {b: {}}\n"), &["cannot hold an empty record", "field `a.b`"]);
    fails(&env("a-b: 1\n"), &["a variable named `A-B`"]);
    fails(&env("0: 1\n"), &["a variable named `0`"]);
    fails(&env("a: {b: 1}\na_b: 2\n"), &["two values named `A_B`", "`a.b`"]);
    fails(&env("a: \"x\\ny\"\n"), &["a string with line breaks"]);
    fails(&env("a: \"'$\"\n"), &["a string with `'`"]);
    fails(&env("- a\n"), &["a .env file needs a record"]);
    let properties = |text: &str| eval(&[("a.yaml", text)], Format::Properties);
    fails(&properties("a: {b: 1}\na.b: 2\n"), &["two values named `a.b`"]);
    fails(&properties("a: null\n"), &["a properties file cannot hold null"]);
}

/// A data file alone, which is written from its term → what it is as a layer over `{}`, which is written from its value; also with the
/// order of the file, and where a part cannot be written.
#[test]
fn a_file_alone_is_what_it_is_as_a_layer() {
    let deep = format!("{{\"a\": {}1{}}}", "[".repeat(1200), "]".repeat(1200));
    for text in [
        r#"{"z": 1, "a": {"b": null, "A": [true, false, [], {}]}, "é\n\u0000\"": "x\ty\\"}"#,
        r#"{"big": 18446744073709551615, "i": -9223372036854775808, "f": 1e21, "g": 0.1, "h": -0.0, "j": 1e-7}"#,
        r#"{"a": {"b": 1}, "c": 2, "a": {"d": [1]}}"#,
        r#"{"a": 1, "a": 2}"#,
        r#"{"a": [1e400]}"#,
        "{}",
        &deep,
    ] {
        for keep_order in [false, true] {
            let alone = run(&[("a.json", text)], Action::Eval { at: None, format: Format::Json }, keep_order);
            let merge = Action::Merge { at: None, layers: true, format: Format::Json, explain: None };
            let layered = run(&[("empty.json", "{}"), ("a.json", text)], merge, keep_order);
            assert_eq!(alone.output.text(), layered.output.text(), "{text}\n{}", reports(&layered));
            assert_eq!(alone.exit, layered.exit, "{text}");
        }
    }
}

/// 3 MB of JSON, with a receiver of parts → the file arrives in parts, since its values are not computed first.
#[test]
fn a_large_file_is_written_in_parts() {
    let text = format!("[{}0]", "{\"name\": \"a name\", \"size\": 12}, ".repeat(100_000));
    let mut session = Session::new(Box::new([("a.json", text.as_str())].into_iter().collect::<InMemory>()));
    let parts = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let received = parts.clone();
    session.set_document_output(std::rc::Rc::new(move |part| {
        received.borrow_mut().push(part.to_string());
        Ok(())
    }));
    let action = Action::Eval { at: None, format: Format::Json };
    let outcome = session.run(Request::new(vec![Input::File(PathBuf::from("a.json"))], action));
    assert!(parts.borrow().len() > 2 && parts.borrow().iter().all(|part| part.len() < 2_000_000));
    let whole = parts.borrow().concat() + &outcome.output.text();
    let (written, read): (Value, Value) = (serde_json::from_str(&whole).unwrap(), serde_json::from_str(&text).unwrap());
    assert_eq!((outcome.exit, written == read), (0, true));
}
