//! `cfg merge`: files merged or layered, and its messages about conflicts.

use cfg_core::{Action, Event, Format, InMemory, Input, Medium, Outcome, Request, Session};
use cfg_tests::kept;
use serde_json::Value;
use std::path::PathBuf;

type Named<'a> = &'a [(&'a str, &'a str)];

fn session(files: Named) -> Session {
    Session::new(Box::new(files.iter().copied().collect::<InMemory>()))
}

fn request(files: Named, action: Action) -> Request {
    Request::new(files.iter().map(|(name, _)| Input::File(PathBuf::from(name))).collect(), action)
}

fn merge(files: Named, layers: bool, format: Format) -> Outcome {
    let action = Action::Merge { at: None, layers, format, explain: None };
    session(files).run(request(files, action))
}

fn reports(outcome: &Outcome) -> String {
    outcome.reports.iter().map(|(_, report)| report.text() + "\n").collect()
}

/// Checks the merged files as YAML.
#[track_caller]
fn yields(files: Named, layers: bool, expected: &str) {
    let outcome = merge(files, layers, Format::Yaml);
    assert_eq!((outcome.exit, outcome.output.text().as_str()), (0, expected), "{}", reports(&outcome));
}

/// Checks the message for files that do not merge.
#[track_caller]
fn says(files: Named, parts: &[&str]) {
    let outcome = merge(files, false, Format::Json);
    let said = reports(&outcome);
    assert_eq!((outcome.exit, outcome.output.text().as_str()), (1, ""), "{said}");
    for part in parts {
        assert!(said.contains(part), "{part:?} is not in\n{said}");
    }
}

#[test]
fn files_merge_as_in_other_tools() {
    let (text, count) = kept::answers("merge", "answers.jsonl");
    assert_eq!((text.lines().count(), count), (240, 240), "sets of files");
    let (mut wrong, mut merges) = (Vec::new(), 0);
    for line in text.lines() {
        let entry: Value = serde_json::from_str(line).expect("a line");
        let files: Vec<(String, String)> = serde_json::from_value(entry["files"].clone()).expect("files");
        let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
        merges += usize::from(entry.get("merge").is_some());
        for (layers, theirs) in [(false, entry.get("merge")), (true, entry.get("layers"))] {
            let outcome = merge(&files, layers, Format::Json);
            let ours: Option<Value> = serde_json::from_str(&outcome.output.text()).ok();
            if ours.as_ref() != theirs || (outcome.exit == 0) != theirs.is_some() {
                wrong.push(format!("layers {layers}: {files:?}\n  ours   {ours:?}\n  theirs {theirs:?}"));
            }
        }
    }
    assert!(merges > 50);
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_layer_replaces_all_but_records() {
    let one = "a: 1\nb: {x: 1}\nc: {x: 1}\nd: {x: 1}\ne: [1, 2]\n";
    let two = "a: {y: 2}\nb: 5\nc: 5\nd: {y: 2}\ne: [3]\n";
    let three = "a: {z: 2}\nc: {z: 3}\nd: null\n";
    yields(
        &[("1.yaml", one), ("2.yaml", two), ("3.yaml", three)],
        true,
        "a:\n  y: 2\n  z: 2\nb: 5\nc:\n  z: 3\nd: null\ne:\n- 3\n",
    );
}

#[test]
fn layers_keep_the_priorities_of_programs() {
    let base = "{ a | default = 1, b | force = 1, c = 1, d | priority 5 = 1, e | default = { x = 1 } }";
    yields(
        &[("base.cfg", base), ("top.yaml", "a: 2\nb: 2\nc: 2\nd: 2\ne: {y: 2}\n")],
        true,
        "a: 2\nb: 1\nc: 2\nd: 1\ne:\n  y: 2\n",
    );
    // moving a default to a higher layer does not restore it
    yields(&[("base.yaml", "a: 1\n"), ("top.cfg", "{ a | default = 2 }")], true, "a: 1\n");
    // computed values use the final fields
    yields(
        &[("base.cfg", "{ port = 80, url = \"h:%{std.to_string port}\" }"), ("top.toml", "port = 443\n")],
        true,
        "port: 443\nurl: h:443\n",
    );
}

#[test]
fn empty_files_add_nothing() {
    yields(&[("a.yaml", "# later\n"), ("b.yaml", "a: 1\n"), ("c.yaml", "---\n# no\n")], false, "a: 1\n");
    yields(&[("a.yaml", "# later\n"), ("b.yaml", "")], false, "null\n");
}

#[test]
fn merge_keys_and_anchors_are_no_obstacle() {
    let base = "x-common: &common\n  image: web:1\n  environment: {A: 1}\nservices:\n  one:\n    <<: *common\n  two:\n    <<: *common\n    image: web:2\n";
    yields(
        &[("compose.yml", base), ("override.yml", "services:\n  one:\n    image: web:3\n")],
        true,
        "services:\n  one:\n    environment:\n      A: 1\n    image: web:3\n  two:\n    environment:\n      A: 1\n    image: web:2\nx-common:\n  environment:\n    A: 1\n  image: web:1\n",
    );
    // reported where it is written: at the anchor
    says(
        &[("c.yml", base), ("o.yml", "services: {one: {image: b}}\n")],
        &["c.yml:2:10", "o.yml:1:25", "o.yml:1:25  image: \"web:1\" "],
    );
}

#[test]
fn streams_merge_document_by_document() {
    let base = "kind: Service\nmetadata: {name: web}\nport: 80\n---\n# the other\nkind: Deployment\nmetadata: {name: web}\nreplicas: 1\n---\n";
    let patch = "kind: Deployment\nmetadata: {name: web}\nreplicas: 3\n";
    yields(
        &[("base.yaml", base), ("patch.yaml", patch)],
        true,
        "---\nkind: Service\nmetadata:\n  name: web\nport: 80\n---\nkind: Deployment\nmetadata:\n  name: web\nreplicas: 3\n",
    );
    says(
        &[("base.yaml", base), ("patch.yaml", patch)],
        &["the values of `\"Deployment/web\".replicas`", "base.yaml:8:11", "patch.yaml:3:11", "--layers", "result 3"],
    );
    says(
        &[("base.yaml", base), ("patch.yaml", "replicas: 3\n")],
        &["`base.yaml` holds 2 documents, and `patch.yaml` is one mapping without a name [merge/nameless-document]"],
    );
    let twice = "kind: A\nmetadata: {name: x}\n---\nkind: A\nmetadata: {name: x, namespace: n}\n";
    yields(
        &[("a.yaml", twice), ("b.yaml", "kind: A\nmetadata: {name: x, namespace: n}\nv: 1\n")],
        false,
        "---\nkind: A\nmetadata:\n  name: x\n---\nkind: A\nmetadata:\n  name: x\n  namespace: 'n'\nv: 1\n",
    );
    // one sequence is one document
    yields(&[("a.yaml", "- 1\n- 2"), ("b.yaml", "- 1\n- 2\n")], false, "- 1\n- 2\n");
}

#[test]
fn a_conflict_names_every_place_and_the_edits_that_settle_it() {
    let files: Named =
        &[("base.yaml", "server:\n  port: 8080  # http\n  host: a\n"), ("prod.yaml", "server:\n  port: 443\n")];
    says(
        files,
        &[
            "the values of `server.port`",
            "base.yaml:2:9",
            "prod.yaml:2:9",
            "cfg merge      --layers             result 443",
            "prod.yaml:2:9  port: 8080           result 8080",
            "base.yaml:2:3  remove `port: 8080`  result 443",
        ],
    );
    says(
        &[("a.json", "{\n  \"p\": 1,\n  \"q\": 2\n}\n"), ("b.toml", "p = 3\n"), ("c.cfg", "{ p | priority 0 = 1 }")],
        &["b.toml:1:1  remove `p = 3`", "c.cfg:1:3   p | force = 1                result 1"],
    );
    // several errors are all reported
    says(
        &[("a.yaml", "a: 1\nb: 1\nc: 1\n"), ("b.yaml", "a: 2\nb: 2\nc: 1\n")],
        &["the values of `a`", "the values of `b`"],
    );
    let many: String = (0..30).map(|n| format!("k{n}: 1\n")).collect();
    let other = many.replace(": 1", ": 2");
    let listed =
        ["30 fields have values that cannot be merged", "k26", "and 10 more", "`--layers`", "--at 'k0' --explain"];
    says(&[("a.yaml", &many), ("b.yaml", &other)], &listed);
}

#[test]
fn a_missing_value_is_reported_with_possible_edits() {
    says(
        &[("schema.cfg", "{ name | String, port | Number }"), ("a.yaml", "name: x\n")],
        &["missing definition for `port`", "schema.cfg:1:18", "port | Number = 0", "result 0"],
    );
}

#[test]
fn one_of_several_conflicting_definitions_can_be_kept() {
    let files: Named = &[("a.yaml", "p: 1\n"), ("b.yaml", "p: 2\n"), ("c.toml", "p = 3\n")];
    says(
        files,
        &[
            "--layers                     result 3",
            "c.toml:1:5  keep it, remove the other 2  result 3",
            "a.yaml:1:4  keep it",
        ],
    );
    // no edit is offered that leaves a conflict
    let said = reports(&merge(files, false, Format::Json));
    assert!(!said.contains("remove `p"), "{said}");
}

/// Returns the answer to an input.
fn answer(session: &mut Session, input: &str) -> String {
    let text = |event: Event| match event {
        Event::Answer(text) | Event::Bound(text) | Event::Diagnostic { report: text, .. } => text.text() + "\n",
        _ => String::new(),
    };
    session.submit(input).into_iter().map(text).collect()
}

#[test]
fn a_session_tries_edits_of_its_files_its_cells_and_the_input() {
    let mut session = session(&[("base.yaml", "host: h\nport: 80\n")]);
    for input in ["base = import \"base.yaml\"", "prod = base & { port = 443 }", "again = prod"] {
        answer(&mut session, input);
    }
    for (input, edits) in [
        (
            ":explain again.port",
            ["cfg[2]:1:17    port | force = 443    result 443", "cfg[2]:1:17    port | default = 443  result 80"]
                .as_slice(),
        ),
        (":explain again.port", &["base.yaml:2:1  remove `port: 80`     result 443"]),
        (":explain ({ port = 1 } & { port | default = 2 } & { port = 3 }).port", &["port | force = 3    result 3"]),
    ] {
        let said = answer(&mut session, input);
        for edit in edits {
            assert!(said.contains(edit), "{edit:?} is not in\n{said}");
        }
    }
    // trying an edit changes nothing
    assert!(answer(&mut session, ":explain base.port").contains("base.port = 80"));
}

#[test]
fn all_of_a_merge_is_explained_a_line_each() {
    let files: Named =
        &[("a.yaml", "s: {p: 1, q: 'x'  # one\n}\nt: [1]\nu: 1\n"), ("b.json", "{\"s\": {\"p\": 2}, \"u\": 1}")];
    let explained = |layers, medium| {
        let action = Action::Merge { at: None, layers, format: Format::Json, explain: Some(medium) };
        let outcome = session(files).run(request(files, action));
        (outcome.exit, outcome.output.text())
    };
    let shown = "s.p  2    b.json:1:13  1 lost\ns.q  \"x\"  a.yaml:1:14\nt    [1]  a.yaml:3:4\nu    1    b.json:1:22  1 lost\n\n`--at 's.p'` shows one in full.\n";
    assert_eq!(explained(true, Medium::Text), (0, shown.into()));
    // what has no value comes first
    let (exit, text) = explained(false, Medium::Text);
    assert!(exit == 1 && text.starts_with("s.p  no value  a.yaml:1:8   2 definitions\n"), "{text}");
    let (_, text) = explained(true, Medium::Json);
    let json: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&json["version"], &json["leaves"][0]["sources"][0]["column"]), (&1.into(), &13.into()));
    assert!(explained(true, Medium::Html).1.contains("<td>"));
}

#[test]
fn standard_input_is_data_beside_data() {
    let mut request =
        request(&[("x.toml", "")], Action::Merge { at: None, layers: true, format: Format::Json, explain: None });
    request.inputs.insert(0, Input::Text { name: "<stdin>".into(), text: b"# a file\na: 1\n".to_vec() });
    request.inputs[1] = Input::File(PathBuf::from("b.yaml"));
    let outcome = session(&[("b.yaml", "a: 2\n")]).run(request);
    assert_eq!(outcome.output.text(), "{\n  \"a\": 2\n}\n", "{}", reports(&outcome));
}

#[test]
fn overrides_of_the_command_line_apply_to_the_merge() {
    let files: Named =
        &[("a.cfg", "{ a | default = 1, b = a + 1 }"), ("b.json", "{ \"c\": 3 }"), ("k.cfg", "{ a | String, .. }")];
    let action = || Action::Merge { at: None, layers: false, format: Format::Yaml, explain: None };
    let two = |overrides: &[&str], contracts: &[&str]| {
        let mut request = request(&files[..2], action());
        request.overrides = overrides.iter().map(ToString::to_string).collect();
        request.contracts = contracts.iter().map(PathBuf::from).collect();
        session(files).run(request)
    };
    let outcome = two(&["a=5"], &[]);
    assert_eq!(outcome.output.text(), "a: 5\nb: 6\nc: 3\n", "{}", reports(&outcome));
    let outcome = two(&["c=5"], &[]);
    assert!(reports(&outcome).contains("`c` already has a value"), "{}", reports(&outcome));
    let outcome = two(&[], &["k.cfg"]);
    assert!(reports(&outcome).contains("`a` must be a "), "{}", reports(&outcome));
}
