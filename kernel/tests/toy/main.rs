//! A language is a folder (here `tally/`) and a line in a table. Everything works with it.

#[path = "../client/mod.rs"]
mod client;
mod tally;

use cfg_core::{Action, Dialect, Event, Format, InMemory, Input, Languages, NoLoader, Request, Role, Session};
use cfg_kernel::{Connection, Kernel};
use client::Client;
use serde_json::json;

/// The built-in languages and tally.
fn languages() -> Languages {
    let mut all: Vec<Dialect> = Languages::default().all().collect();
    all.push(Dialect(&tally::LANGUAGE));
    Languages::of(Vec::leak(all)).unwrap()
}

fn session() -> Session {
    Session::with_languages(languages(), Box::new(NoLoader))
}

/// Returns the output of an input, one line per event.
fn shown(session: &mut Session, input: &str) -> String {
    let text = |event: Event| match event {
        Event::Value { value, of, ty, .. } => format!("{}{of}{}", value.text(), ty.text()),
        Event::Bound(text) | Event::Answer(text) | Event::View { text, .. } => text.text(),
        Event::Diagnostic { report, .. } => report.text(),
        other => format!("{other:?}"),
    };
    session.submit(input).into_iter().map(text).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_prompt_speaks_it() {
    let mut session = session();
    assert_eq!(
        shown(&mut session, "%%tally\nlet web = <port 80> with <tls \"on\">"),
        "web is a { port is a Count, tls is a String }"
    );
    assert_eq!(shown(&mut session, ":dialect tally"), "");
    assert_eq!(shown(&mut session, "web.port plus 1 # a comment"), "81 is a Count");
    assert_eq!(session.next_cell(), "tally[3]");
    assert_eq!(shown(&mut session, "std.answer"), "42 is a Count");
    assert_eq!(shown(&mut session, "%%cfg\n(web & { more = 1 }).more"), "1 : Number");
    let report = shown(&mut session, "web.port plus \"a\"");
    assert!(report.contains("expected Count, found String [types/conflict]"), "{report}");
    assert!(shown(&mut session, "nothing").contains("[scope/unbound]"));
    assert!(shown(&mut session, ":help").contains("1 plus 2"));
    let others = &mut Session::new(Box::new(NoLoader));
    assert!(shown(others, "%%tally\n1").contains("unknown language `tally`: expected cfg, jsonnet"));
}

#[test]
fn inputs_are_completed_and_highlighted() {
    let mut session = session();
    shown(&mut session, ":dialect tally");
    shown(&mut session, "let web = <port 80, tls \"on\">");
    let texts = |session: &mut Session, text: &str| {
        session.complete(text, text.len()).into_iter().map(|c| (c.text, c.ty.unwrap_or_default())).collect::<Vec<_>>()
    };
    let pair = |text: &str, ty: &str| (String::from(text), String::from(ty));
    assert_eq!(texts(&mut session, "let x = web.p"), [pair("port", "Count")]);
    assert_eq!(texts(&mut session, "std."), [pair("answer", "Number")]);
    assert_eq!(texts(&mut session, "pl"), [pair("plus", "")]);
    assert_eq!(texts(&mut session, ":dialect ta"), [pair("tally", "")]);
    let roles = [(0..3, Role::Keyword), (6..7, Role::Operator), (8..9, Role::Literal), (10..13, Role::Comment)];
    assert_eq!(session.highlight("let x = 1 # c"), roles);
    assert_eq!(shown(&mut session, ":doc std.answer").lines().next(), Some("std.answer is a Count"));
}

#[test]
fn values_say_where_they_come_from() {
    let mut session = session();
    shown(&mut session, ":dialect tally");
    shown(&mut session, "let web = <port 80> with <port 80, tls \"on\">");
    let explained = shown(&mut session, ":explain web.port");
    assert!(explained.contains("tally[1]:1:17") && explained.contains("tally[1]:1:32"), "{explained}");
    let steps = format!("{:?}", session.submit(":steps web"));
    assert!(steps.contains("tls"), "{steps}");
}

#[test]
fn the_command_line_evaluates_it() {
    let files = [
        ("app.tally", "<port 80 plus 1>"),
        ("main.cfg", "(import \"app.tally\") & { x = 1 }"),
        ("main.jsonnet", "(import 'app.tally') + { y: 2 }"),
        ("as.cfg", "import \"text\" as 'Tally"),
        ("text", "<port 80>"),
    ];
    let eval = |file: &str| {
        let mut session = Session::with_languages(languages(), Box::new(files.into_iter().collect::<InMemory>()));
        let outcome =
            session.run(Request::new(vec![Input::File(file.into())], Action::Eval { at: None, format: Format::Json }));
        (outcome.exit, outcome.output.text().split_whitespace().collect::<String>())
    };
    assert_eq!(eval("app.tally"), (0, String::from("{\"port\":81}")));
    assert_eq!(eval("main.cfg"), (0, String::from("{\"port\":81,\"x\":1}")));
    // the other languages import it by its ending and by the name of its format
    assert_eq!(eval("main.jsonnet"), (0, String::from("{\"port\":81,\"y\":2}")));
    assert_eq!(eval("as.cfg"), (0, String::from("{\"port\":80}")));
}

#[test]
fn the_kernel_executes_it() {
    let key = "a key";
    let file = json!({
        "ip": "127.0.0.1", "transport": "tcp", "key": key, "signature_scheme": "hmac-sha256",
        "shell_port": 0, "iopub_port": 0, "stdin_port": 0, "control_port": 0, "hb_port": 0,
    });
    let connection = Connection::parse(&file.to_string()).unwrap();
    let kernel = Kernel::with_languages(languages(), connection, || Box::new(NoLoader), None).unwrap();
    let mut client = Client::connect(&kernel.connection, key, "one");
    let reply = client.ask("execute_request", json!({ "code": "%%tally\nstd.answer plus 1" }));
    let result = reply.said.iter().find(|(kind, _)| kind == "execute_result").map(|(_, content)| content.clone());
    assert_eq!(result.unwrap()["data"]["text/plain"], "43");
    client.ask("execute_request", json!({ "code": "%%tally\nlet web = <port 80>" }));
    let code = "%%tally\nweb.p";
    let reply = client.ask("complete_request", json!({ "code": code, "cursor_pos": code.len() }));
    assert_eq!(reply.content["matches"], json!(["port"]));
    for (code, status) in [("%%tally\n<port", "incomplete"), ("%%tally\n<port 1>", "complete")] {
        assert_eq!(client.ask("is_complete_request", json!({ "code": code })).content["status"], status, "{code}");
    }
}
