//! Tests of the answer as text: the new value, the new winner, what is recomputed, and the lines.

use crate::loader::InMemory;
use crate::session::{Event, Session};

const CELLS: [&str; 3] = [
    "base = { server = { port | Number | default = 8080, url = \"http://%{std.to_string port}\" } }",
    "prod = {\n  server.port = 443,\n  name = \"a\"\n}",
    "all = base & prod & { server.port | priority 5 = 9 }",
];

fn session(cells: &[&str]) -> Session {
    let files = [("data.yaml", "port: 80\nhost: a\n"), ("top.cfg", "{ port | force = 1 }")];
    let mut session = Session::new(Box::new(files.into_iter().collect::<InMemory>()));
    for cell in cells {
        session.submit(cell);
    }
    session
}

fn says(session: &mut Session, input: &str) -> String {
    let text = |event: Event| match event {
        Event::Diagnostic { report, .. } => report.text(),
        Event::Value { value, .. } => value.text(),
        Event::Answer(text) | Event::View { text, .. } => text.text(),
        _ => String::new(),
    };
    session.submit(input).into_iter().map(text).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn has(answer: &str, parts: &[&str]) {
    for part in parts {
        assert!(answer.contains(part), "no {part:?} in\n{answer}");
    }
}

#[test]
fn changes_of_one_line_are_shown_together() {
    let mut session = session(&CELLS);
    let answer = says(&mut session, ":whatif all.server.port priority 2 20, value 2 1");
    has(&answer, &["9 -> 1", "-   server.port = 443,", "+   server.port | priority 20 = 1,"]);
    assert_eq!(answer.matches("\n      - ").count(), 1, "{answer}");
    // a line of its own stays apart
    let answer = says(&mut session, ":whatif all.server.port priority 2 20, off 1, value 2 1");
    has(&answer, &["+   server.port | priority 20 = 1,", "+ all = base & prod & { }"]);
    assert_eq!(answer.matches("\n      - ").count(), 2, "{answer}");
}

#[test]
fn a_definition_is_switched_off() {
    let mut session = session(&CELLS);
    let answer = says(&mut session, ":whatif all.server.port off 1");
    has(
        &answer,
        &[
            "what if: all.server.port 9 -> 443",
            "WINS  normal   443   cfg[2]:2:17",
            "all.server.url  \"http://9\" -> \"http://443\"",
            "- all = base & prod & { server.port | priority 5 = 9 }",
            "+ all = base & prod & { }",
        ],
    );
    // a field of several, with its comma
    let answer = says(&mut session, ":whatif all.server.port off 2, off 1");
    has(&answer, &["9 -> 8080", "-   server.port = 443,", "WINS  default  8080"]);
    let answer = says(&mut session, ":whatif all.server.port off 1, off 2, off 3");
    has(&answer, &["9 -> no value", "nothing defines all.server.port", "+ base = { server = { url ="]);
    // nothing has changed
    has(&says(&mut session, "all.server.url"), &["\"http://9\""]);
}

#[test]
fn a_definition_gets_another_priority_or_value() {
    let mut session = session(&CELLS);
    for (question, parts) in [
        ("priority 2 force", &["9 -> 443", "WINS  force", "+   server.port | force = 443,"][..]),
        ("priority 1 default", &["9 -> 443", "{ server.port | default = 9 }"]),
        ("priority 1 7", &["9 -> 9", "{ server.port | priority 7 = 9 }"]),
        ("priority 1 normal", &["9 -> no value", "2 definitions tie", "{ server.port = 9 }"]),
        ("value 1 80 + 1", &["9 -> 81", "http://81", "priority 5 = 80 + 1 }"]),
        ("value 2 1, off 2", &["expected an operator", "a value is the rest of the line: it is the last change"]),
        ("off 2, value 2 1", &["two of the changes are about the same text"]),
        ("value 1 {", &["unclosed brace `{`", "1 | :whatif all.server.port value 1 {"]),
        ("value 1 nothing", &["definition 1 reads `nothing`, and there is nothing of this name at cfg[3]:1:50"]),
        ("off 4", &["lists no definition 4"]),
        ("priority 1 much", &["expected default, normal, force or a number, found `much`"]),
    ] {
        has(&says(&mut session, &format!(":whatif all.server.port {question}")), parts);
    }
}

#[test]
fn definitions_in_data_and_in_other_languages() {
    let mut session =
        session(&["all = (import \"data.yaml\") & (import \"top.cfg\")", "s = { key | secret = \"hunter2\" }"]);
    has(&says(&mut session, ":whatif all.port off 1"), &["1 -> 80", "top.cfg:1:3", "data.yaml:1:7"]);
    has(&says(&mut session, ":whatif all.port value 1 { a = 1 }"), &["1 -> { a = 1 }"]);
    let secret = says(&mut session, ":whatif s.key value 1 \"x\"");
    assert!(secret.contains("the field is a secret") && !secret.contains("hunter2"), "{secret}");
    session.submit(":dialect jsonnet");
    session.submit("local base = { port: 80, url: 'http://' + self.port }");
    session.submit("local prod = base { port: 443 }");
    has(
        &says(&mut session, ":whatif prod.port value 1 8443"),
        &["443 -> 8443", "http://8443", "+ local prod = base { port: 8443 }"],
    );
}

#[test]
fn definitions_of_languages_without_priorities() {
    let mut session = session(&["both = (import \"data.yaml\") & { port | force = 1 }"]);
    let answer = says(&mut session, ":whatif both.port off 2");
    // the removed line, without the next one
    has(&answer, &["data.yaml:1:7  off", "\n      - port: 80"]);
    assert!(!answer.contains("host"), "{answer}");
    has(&says(&mut session, ":whatif both.port priority 2 force"), &["definition 2 is in a text without priorities"]);
    session.submit(":dialect jsonnet");
    session.submit("local base = { port: 80, url: 'http://' + self.port }");
    session.submit("local prod = base { port: 443, list: [1] }");
    has(
        &says(&mut session, ":whatif prod.port off 1"),
        &["443 -> 80", "\"http://443\" -> \"http://80\"", "+ local prod = base { list: [1] }"],
    );
    has(&says(&mut session, ":whatif prod.port priority 1 force"), &["definition 1 is in a text without priorities"]);
    session.submit(":dialect mcl");
    session.submit("file \"/a\" { content => \"b\", mode => \"u=rw\", }");
    has(&says(&mut session, ":whatif file[/a].content value 1 \"c\""), &["\"b\" -> \"c\""]);
    has(&says(&mut session, ":whatif file[/a].content off 1"), &["+ file \"/a\" { mode => \"u=rw\", }"]);
    has(&says(&mut session, ":whatif file[/a].content priority 1 force"), &["is in a text without priorities"]);
    session.submit(":dialect yay");
    session.submit("port: 80");
    session.submit("port: 81");
    has(&says(&mut session, ":whatif port off 1"), &["81 -> 80", "WINS  normal  80  yay[", "- port: 81"]);
    // at the prompt, the name would stay bound if the input ran again without it
    let refused = session.try_changes("port", "off 1").inputs.unwrap_err();
    assert!(refused.contains("stays bound at the prompt"), "{refused}");
}

#[test]
fn a_key_of_several_inputs_is_changed_in_each_of_them() {
    let mut session = session(&[]);
    session.submit(":dialect yay");
    for cell in ["base: 3", "port: 80", "users: {{['root']}}", "extend users:\n  - guest\n", "port: {{base}}"] {
        session.submit(cell);
    }
    let lost = says(&mut session, ":whatif port value 2 81");
    has(&lost, &["port 3 -> 3", "lost  layer 1  81  yay[2]:1:7", "- port: 80", "+ port: 81"]);
    has(&says(&mut session, ":whatif base value 1 4"), &["base 3 -> 4", "WINS  normal  4  yay[1]:1:7", "port  3 -> 4"]);
    // the place of the other definitions is the same in the edited session
    has(
        &says(&mut session, ":whatif port value 1 5"),
        &["3 -> 5", "WINS  layer 2  5   yay[5]:1:9", "lost  layer 1  80  yay[2]:1:7"],
    );
    // the cells that extend or replace what is changed run again after it
    let rows = session.explain_again("users").unwrap().definitions;
    let row = rows.iter().position(|row| row.value.text() == "[\"root\"]").unwrap() + 1;
    let tried = session.try_changes("users", &format!("value {row} ['admin']"));
    let inputs = tried.inputs.unwrap_or_else(|why| panic!("{why}: {}", tried.text.text()));
    assert_eq!(inputs.len(), 2, "{inputs:?}");
    for input in inputs {
        session.submit(&input);
    }
    has(&says(&mut session, "users"), &["[\"admin\", \"guest\"]"]);
}

#[test]
fn other_names_that_read_the_value_are_recomputed() {
    let mut session = session(&["x = { p = 4, q = p }", "y = x.p + 1", "z = { q = y, r = 1 }", "w = 2"]);
    let answer = says(&mut session, ":whatif x.p value 1 5");
    has(&answer, &["x.p 4 -> 5", "x.q  4 -> 5", "y    5 -> 6", "z.q  5 -> 6"]);
    assert!(!answer.contains("z.r") && !answer.contains("w  "), "{answer}");
    session.submit(":dialect yay");
    session.submit("port: 80\nurl: http://{{port}}\n");
    session.submit("also: {{port}}");
    let answer = says(&mut session, ":whatif port value 1 81");
    has(&answer, &["url   \"http://80\" -> \"http://81\"", "also  80 -> 81"]);
    assert_eq!(answer.matches("url ").count(), 1, "{answer}");
}

#[test]
fn cells_of_other_languages_are_evaluated_in_them() {
    let mut session = session(&[]);
    session.submit("%%yay\nport: 80\n");
    session.submit("all = { p = port } & { q = 1 }");
    has(&says(&mut session, ":whatif all.p value 1 port + 1"), &["80 -> 81", "WINS  normal  81  cfg[2]:1:13"]);
    session.submit(":dialect mcl");
    session.submit("$x = 4");
    session.submit("$y = $x + 1");
    has(&says(&mut session, ":whatif $y value 1 9"), &["y 5 -> 9", "WINS  normal  9  mcl[4]:1:6"]);
    session.submit(":dialect cfg");
    // a definition in the question itself
    let own = says(&mut session, ":whatif (all & { q | force = 2 }).q off 2");
    has(&own, &["2 -> 2", "WINS  force  2  :whatif:1:30"]);
}

#[test]
fn a_face_gets_the_definitions_of_the_last_explanation() {
    let mut session = session(&CELLS);
    assert_eq!(session.explained_definitions(), None);
    assert_eq!(session.explain_again(""), None);
    session.submit(":explain all.server.port");
    assert_eq!(session.explained_definitions(), Some(3));
    session.submit("1");
    assert_eq!(session.explained_definitions(), None);
    let field = session.explain_again("").unwrap();
    let rows = field.definitions.iter().map(|row| format!("{} {} {}", row.strength, row.value.text(), row.place));
    assert_eq!(
        rows.collect::<Vec<_>>(),
        ["priority 5 9 cfg[3]:1:50", "normal 443 cfg[2]:2:17", "default 8080 cfg[1]:1:47"]
    );
}
