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

/// Runs a merge of layers. Returns all that it prints.
fn merged(layers: &[(&str, &str)], action: &Action) -> String {
    let inputs =
        layers.iter().map(|(name, text)| Input::Text { name: String::from(*name), text: text.as_bytes().to_vec() });
    let files: InMemory = layers.iter().copied().collect();
    let outcome = Session::new(Box::new(files)).run(Request::new(inputs.collect(), action.clone()));
    let reports: String = outcome.reports.iter().map(|(_, report)| report.text()).collect();
    format!("{}{reports}", outcome.output.text())
}

#[test]
fn elements_and_entries_under_contracts_with_secrets() {
    let list = "{ users | Array { name | String, pw | secret | String }, .. }";
    let entries = "{ creds | { _ | { pw | secret | String, .. } }, .. }";
    let mut leaks = Leaks::default();
    for (contract, layer) in [
        (list, "users: [{name: a, pww: hunter2}]"),
        (list, "users: [{name: a, pwd: hunter2}]"),
        (list, "users: [hunter2]"),
        (list, "users: hunter2"),
        (list, "users: [{name: a, pw: x}, hunter2]"),
        (entries, "creds: {a: {pasw: hunter2}}"),
        (entries, "creds: {a: hunter2}"),
        (entries, "creds: hunter2"),
        (entries, "creds: {a: [hunter2]}"),
    ] {
        for explain in [None, Some(Medium::Text), Some(Medium::Json), Some(Medium::Html)] {
            let shown = merged(&[("c.cfg", contract), ("l.yaml", layer)], &merge(explain));
            leaks.look(|| format!("{layer:?} {explain:?}"), &shown);
        }
    }
    leaks.none();
    // what is no secret is shown
    for (contract, layer) in
        [(list, "users: [{name: hunter2, pw: x}]"), (entries, "creds: {a: {pw: x, note: hunter2}}")]
    {
        let shown = merged(&[("c.cfg", contract), ("l.yaml", layer)], &merge(None));
        assert!(shown.contains("hunter2"), "{shown}");
    }
}

#[test]
fn what_a_secret_field_takes_its_value_from_is_secret() {
    let marks = "{ password | secret | String, .. }";
    let mut leaks = Leaks::default();
    for (name, layer) in [
        ("l.yaml", "password: &p hunter2\nurl: *p\n"),
        ("l.yaml", "url: &p hunter2\npassword: *p\n"),
        ("l.yaml", "base: &b {password: hunter2}\n<<: *b\n"),
        ("l.yaml", "base: &b {password: &p hunter2}\n<<: *b\nurls: [*p]\n"),
        ("l.jsonnet", "local pw = 'hunter2'; { password: pw, url: 'a' + pw }"),
        ("l.jsonnet", "{ local pw = 'hunter2', password: pw, url: { a: [pw] } }"),
        ("l.cfg", "let a = \"hunter2\" in let b = a in { password = b, x = a, y = \"%{a}\" }"),
    ] {
        let explains = [None, Some(Medium::Text), Some(Medium::Json), Some(Medium::Html)];
        for action in explains.into_iter().map(merge) {
            let shown = merged(&[("m.cfg", marks), (name, layer)], &action);
            assert!(shown.contains("secret"), "{layer:?}: {shown}");
            leaks.look(|| format!("{layer:?} {action:?}"), &shown);
        }
    }
    for program in [
        "let s = \"hunter2\" in { p | secret = s, r | Number = s }",
        "let s = \"hunter2\" in { p | secret = s, r = s, t = std.string.length s }",
        "let b = { x = \"hunter2\" } in { p | secret = b.x, r = b, q = \"a%{b.x}\" }",
        "let b = [\"hunter2\"] in { p | secret = b, r = std.array.map (fun x => x) b }",
        "let rec a = \"hunter2\", b = a in { p | secret = b, r = a }",
        "{ p | secert = \"hunter2\" }",
        "{ p | Secret = \"hunter2\" }",
    ] {
        leaks.look(|| String::from(program), &merged(&[("p.cfg", program)], &merge(None)));
    }
    leaks.none();
    // other bindings, and contracts of that name that somebody defined, are no secrets
    for program in [
        "let s = \"x\", n = \"hunter2\" in { p | secret = s, r = n }",
        "let s = \"hunter2\" in { p | secret = \"a%{s}\", r = s }",
        "let Secret = String in { p | Secret = \"hunter2\" }",
        "{ a = \"hunter2\", p | secret = a }",
    ] {
        let shown = merged(&[("p.cfg", program)], &merge(None));
        assert!(shown.contains("hunter2"), "{program}: {shown}");
    }
}

#[test]
fn a_difference_from_a_secret_is_masked() {
    let mut leaks = Leaks::default();
    for sides in [["m.cfg", "l.yaml"], ["l.yaml", "m.cfg"]] {
        let texts = [("m.cfg", MARKS), ("l.yaml", "tokne: hunter2\nport: 81\n")];
        let of = |name: &str| texts.iter().find(|(own, _)| *own == name).map_or("", |(_, text)| text);
        let inputs = sides.map(|name| Input::Text { name: String::from(name), text: of(name).as_bytes().to_vec() });
        for layout in [DiffLayout::Text, DiffLayout::SideBySide, DiffLayout::Json] {
            let request = Request::new(inputs.to_vec(), Action::Diff { left: 1, at: None, layout });
            let outcome = Session::new(Box::new(InMemory::default())).run(request);
            let reports: String = outcome.reports.iter().map(|(_, report)| report.text()).collect();
            let shown = format!("{}{reports}", outcome.output.text());
            assert!(shown.contains("81"), "{shown}");
            leaks.look(|| format!("{sides:?} {layout:?}"), &shown);
        }
    }
    leaks.none();
}

#[test]
fn secrets_are_checked_by_schemas() {
    let mut leaks = Leaks::default();
    for (rule, said) in [
        (r#""type": "string", "pattern": "^[a-z]+$", "default": "hunter2""#, "does not match"),
        (r#""type": "string", "minLength": 40"#, ""),
        (r#""enum": ["918273646x", "other"]"#, "a secret breaks the rule `enum`"),
        (r#""const": "918273646x""#, "a secret breaks the rule `const`"),
        (r#""type": "number""#, "must be a number"),
    ] {
        let schema = format!("{{ \"properties\": {{ \"token\": {{ {rule} }} }} }}");
        let texts = [("m.cfg", MARKS), ("l.yaml", "token: 918273645x\n"), ("s.json", &schema)];
        let inputs = texts[..2]
            .iter()
            .map(|(name, text)| Input::Text { name: String::from(*name), text: text.as_bytes().to_vec() });
        let mut request = Request::new(inputs.collect(), merge(None));
        request.layering.schemas = vec![PathBuf::from("s.json")];
        let files: InMemory = texts.into_iter().collect();
        let outcome = Session::new(Box::new(files)).run(request);
        let shown: String = outcome.reports.iter().map(|(_, report)| report.text()).collect();
        leaks.look(|| String::from(rule), &shown.replace("918273646x", "").replace("\"hunter2\"", ""));
        assert!(shown.contains(said), "{rule}: {shown}");
    }
    leaks.none();
}

#[test]
fn no_report_tells_which_alternative_a_secret_fits_or_which_secrets_are_equal() {
    let programs = "{ db | { password | String | secret, .. }, users | Array { token | String | secret, .. }, .. }";
    let schema = "{ \"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"properties\": { \
        \"db\": { \"oneOf\": [{ \"required\": [\"password\"] }, { \"type\": \"object\" }, \
        { \"properties\": { \"password\": { \"pattern\": \"^z\" } } }] }, \
        \"users\": { \"x-kubernetes-list-map-keys\": [\"token\"] } } }";
    let shown = |layer: &str| {
        let texts = [("m.cfg", programs), ("l.yaml", layer), ("s.json", schema)];
        let input = |(name, text): &(&str, &str)| Input::Text { name: (*name).into(), text: text.as_bytes().to_vec() };
        let mut request = Request::new(texts[..2].iter().map(input).collect(), merge(None));
        request.layering.schemas = vec![PathBuf::from("s.json")];
        let outcome = Session::new(Box::new(texts.into_iter().collect::<InMemory>())).run(request);
        outcome.reports.iter().map(|(_, report)| report.text()).collect::<String>()
    };
    let [one, other] = ["zunter2", "hunter2"].map(|text| shown(&format!("db: {{password: {text}}}\n")));
    assert!(one.contains("fits several alternatives") && !one.contains("alternatives 1"), "{one}");
    assert_eq!(one, other);
    let [equal, apart] = ["hunter2", "hunter3"]
        .map(|text| shown(&format!("db: {{password: x}}\nusers: [{{token: hunter2}}, {{token: {text}}}]\n")));
    assert!(!equal.contains("have the same"), "{equal}");
    assert_eq!(equal, apart);
}

/// Doubts about a value, and values that are read otherwise.
#[test]
fn a_doubt_about_a_value_says_nothing_of_a_secret() {
    let reports = |value: &str| {
        let layer = format!("token: {value}\nport: 8080\n");
        let shown = printed(Some(("l.yaml", &layer)), &merge(None), &[]);
        assert!(!shown.contains("YAML 1.1"), "{shown}");
        shown.matches("warning").count()
    };
    let all = ["NO", "off", "22:22", "0644"].map(reports);
    assert_eq!(all, [reports("hunter"); 4]);
}

/// A secret in a variable without effect, beside its mapping, behind an anchor, and in lines without a space.
#[test]
fn slips_in_layers_show_no_secret() {
    let mut leaks = Leaks::default();
    for layers in [
        &[("m.cfg", MARKS), ("l.env", "APP_PORT=1\nTOKEN=hunter2\nDB__PASSWORD=hunter2\n")][..],
        &[("m.cfg", MARKS), ("l.yaml", "db:\n  host: x\n  token: hunter2\n")],
        &[("m.cfg", MARKS), ("k.yaml", "token: &p hunter2\n"), ("l.yaml", "port: *p\n")],
        &[("m.cfg", MARKS), ("l.yaml", "token:\n  -\"hunter2\"\n")],
        &[("m.cfg", MARKS), ("l.yaml", "token: [A=hunter2]\n"), ("n.yaml", "token: {B: hunter2}\n")],
    ] {
        let inputs =
            layers.iter().map(|(name, text)| Input::Text { name: String::from(*name), text: text.as_bytes().to_vec() });
        let mut request = Request::new(inputs.collect(), merge(None));
        request.layering.env = vec![String::from("APP_")];
        let outcome = Session::new(Box::new(layers.iter().copied().collect::<InMemory>())).run(request);
        let reports: String = outcome.reports.iter().map(|(_, report)| report.text()).collect();
        assert!(!reports.is_empty(), "{layers:?}");
        leaks.look(|| format!("{layers:?}"), &reports);
    }
    leaks.none();
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
