//! Secrets in layers that miss the secret field: by a misspelt key, by the record around it, or by an assignment.

use super::*;

const MARKS: &str = "{
  db = { password | String | secret | default = \"a\", host | String | default = \"h\" },
  token | String | secret | default = \"b\", port | Number | default = 80,
}";

/// Runs a request with the marks as the lowest layer. Returns all that it prints.
fn printed(layer: Option<(&str, &str)>, action: &Action, overrides: &[&str]) -> String {
    let text = |name: &str, text: &str| Input::Text { name: String::from(name), text: text.as_bytes().to_vec() };
    let mut inputs = vec![text("marks.cfg", MARKS)];
    inputs.extend(layer.map(|(name, own)| text(name, own)));
    let mut request = Request::new(inputs, action.clone());
    request.overrides = overrides.iter().map(|text| String::from(*text)).collect();
    let files: InMemory = [("marks.cfg", MARKS)].into_iter().collect();
    let outcome = Session::new(Box::new(files)).run(request);
    let reports: String = outcome.reports.iter().map(|(_, report)| report.text()).collect();
    format!("{}{reports}", outcome.output.text())
}

fn merge(explain: Option<Medium>) -> Action {
    Action::Merge { at: None, layers: true, format: Format::Json, explain }
}

#[test]
fn what_was_meant_as_a_secret_is_masked() {
    let mut leaks = Leaks::default();
    for (name, layer) in [
        ("l.yaml", "token:hunter2\n"),
        ("l.yaml", "token hunter2\n"),
        ("l.yaml", "db: hunter2\n"),
        ("l.yaml", "db: 918273645\n"),
        ("l.yaml", "db:\n  pasword: hunter2\n"),
        ("l.yaml", "db:\n  pasword: 918273645\n"),
        ("l.yaml", "Db:\n  password: hunter2\n"),
        ("l.yaml", "DB:\n  x: [hunter2, 918273645]\n"),
        ("l.yaml", "\"db.password\": hunter2\n"),
        ("l.yaml", "db:password: hunter2\n"),
        ("l.yaml", "tokne: hunter2\n"),
        ("l.yaml", "session_token: hunter2\n"),
        ("l.env", "DB_PASSWORD=hunter2\n"),
        ("l.env", "DB=hunter2\n"),
        ("l.json", "{ \"db\": \"hunter2\", \"tokens\": \"x\" }"),
        ("l.toml", "tokenn = \"hunter2\"\n"),
        ("l.cfg", "{ db.pasword = \"hunter2\" }"),
        ("l.yaml", "db.pass: hunter2\n"),
        ("l.yaml", "token.x: hunter2\n"),
        ("l.yaml", "- token: hunter2\n"),
        ("l.cfg", "{ token: \"hunter2\" }"),
    ] {
        let explains = [None, Some(Medium::Text), Some(Medium::Json), Some(Medium::Html)];
        for action in explains.into_iter().map(merge) {
            let shown = printed(Some((name, layer)), &action, &[]);
            assert!(shown.contains("secret"), "{layer:?}: {shown}");
            leaks.look(|| format!("{layer:?} {action:?}"), &shown);
        }
    }
    leaks.none();
    // a file that marks secrets says itself what is none, and a layer below it too
    let marks = "{ token | secret | default = \"x\", session_token = \"hunter2\", db_token = 918273645 }";
    for layers in [
        &[("m.cfg", marks), ("l.yaml", "port: 1\n")][..],
        &[
            ("l.yaml", "db_token: 918273645\nsession_token: hunter2\n"),
            ("m.cfg", "{ token | secret | default = \"x\" }"),
        ],
    ] {
        let inputs =
            layers.iter().map(|(name, text)| Input::Text { name: String::from(*name), text: text.as_bytes().to_vec() });
        let outcome = Session::new(Box::new(InMemory::default())).run(Request::new(inputs.collect(), merge(None)));
        let shown = outcome.output.text();
        assert!(shown.contains("hunter2") && shown.contains("918273645"), "{shown}");
    }
    // other keys are not secret
    let shown = printed(Some(("l.yaml", "name: hunter2\nports: [918273645]\n")), &merge(None), &[]);
    assert!(shown.contains("hunter2") && shown.contains("918273645"), "{shown}");
}

/// A value in place of a record with a secret, as an element or alone.
#[test]
fn what_is_no_record_under_a_contract_with_secrets_is_masked() {
    let mut leaks = Leaks::default();
    for program in [
        "{ u | Array { pw | secret | String } = [\"hunter2\"] }",
        "{ u | { _ | { pw | secret } } = { a = \"hunter2\" } }",
        "{ u | { pw | secret } = 918273645 }",
    ] {
        let input = Input::Text { name: String::from("main.cfg"), text: program.as_bytes().to_vec() };
        let action = Action::Merge { at: None, layers: true, format: Format::Json, explain: None };
        let outcome = Session::new(Box::new(InMemory::default())).run(Request::new(vec![input], action));
        let reports: String = outcome.reports.iter().map(|(_, report)| report.text()).collect();
        assert!(reports.contains("error"), "{program}");
        leaks.look(|| String::from(program), &format!("{}{reports}", outcome.output.text()));
    }
    leaks.none();
}

#[test]
fn an_assignment_to_a_secret_is_masked() {
    let mut leaks = Leaks::default();
    for assignment in [
        "db.password=hunter2",
        "token=\"hunter2",
        "token=\"hunter2\" 1",
        "token=\"hunter2\" + 1",
        "token=918273645",
        "token=[hunter2]",
    ] {
        for overrides in [&[assignment][..], &["--override", assignment]] {
            let shown = printed(None, &merge(None), overrides);
            leaks.look(|| format!("{overrides:?}"), &shown);
        }
    }
    leaks.none();
}

#[test]
fn an_external_variable_of_a_secret_name_is_masked() {
    let mut leaks = Leaks::default();
    let mut session = Session::new(Box::new(InMemory::default()));
    for input in [
        "s = { p | secret | default = \"x\" }",
        ":feed db.p \"hunter2\"",
        ":set ext-str p=hunter2",
        ":set",
        ":set ext-str",
        ":history",
        ":undo",
        ":def k = { q | secret = \"hunter2\" }",
        ":def",
        ":def k",
    ] {
        for event in session.submit(input) {
            leaks.look(|| String::from(input), &text(&event));
        }
    }
    leaks.none();
}
