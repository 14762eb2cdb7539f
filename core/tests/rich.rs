//! What a notebook shows: HTML that says what the text says, whatever the program holds.

use cfg_core::loader::NoLoader;
use cfg_core::session::{Event, Session};
use cfg_core::view::rich::Rich;

const CELLS: &[&str] = &[
    "base = {\n  server = {\n    port | Number | default | doc \"where it listens\" = 8080,\n    host | String | default = \"localhost\",\n    url = \"http://%{host}:%{std.to_string port}\",\n    tags | Array String = [\"base\"],\n    secret_key | secret = \"hunter2\",\n    debug | not_exported = true,\n  },\n  replicas | optional | Number,\n}",
    "prod = { server.port = 443 }",
    "local = { server.port | force = 9443 }",
    "all = base & prod & local",
    "all",
    ":explain all.server.port",
    ":steps base & prod & local",
    ":deps all.server.url",
    ":graph all",
    ":diff base all",
    ":query all.server.port",
    ":env",
    ":type all",
    ":type fun r => r & { x = 1 }",
    "[{ name = \"a\", port = 1 }, { name = \"b\", port = 2, tls = { cert = \"x\", key = [1, 2, 3], more = { a = 1, b = 2 } } }]",
    "std.array.generate (fun n => n) 1000",
    "std.array.generate (fun n => { id = n, sq = n * n }) 500",
    "{ a = { b = { c = { d = { e = 1, f = [1, 2, { g = 'Tag, h = 'Variant { x = 1, y = \"long enough to be folded somewhere\" } }] } } } } }",
    "\"plain text\"",
    "42",
    "{}",
    "fun x => x + 1",
    "base & { server.port = \"80\" }",
    ":why",
    "{ a = 1 } & { a = 2 }",
    ":explain ({ port | default = 1 } & { port = 2 } & { port = 3 }).port",
    "undefined_name + 1",
    "let x = in",
];

/// Every input and the rich form of what comes of it. With `RICH_DUMP=FILE` they are written there as one page.
fn all() -> Vec<(&'static str, Rich)> {
    let mut session = Session::new(Box::new(NoLoader));
    session.set_rich(true);
    let mut out = Vec::new();
    for input in CELLS {
        let rich = session.submit(input).into_iter().filter_map(|event| match event {
            Event::View { rich, .. } => Some(*rich),
            Event::Value { rich, .. } | Event::Steps { rich, .. } | Event::Diagnostic { rich, .. } => rich.map(|r| *r),
            _ => None,
        });
        out.extend(rich.map(|rich| (*input, rich)));
    }
    out
}

#[test]
fn the_same_inputs_are_the_same_bytes() {
    let first = all();
    assert!(first.len() > CELLS.len() - 5, "{}", first.len());
    assert_eq!(first, all());
    if let Ok(file) = std::env::var("RICH_DUMP") {
        let page: String = first
            .iter()
            .map(|(input, rich)| format!("<pre class=input>{}</pre>\n{}", input.replace('<', "&lt;"), rich.html))
            .collect();
        std::fs::write(file, page).unwrap();
    }
}

#[test]
fn a_secret_is_nowhere() {
    for (input, rich) in all() {
        let svg = rich.svg.unwrap_or_default();
        assert!(!format!("{}{}{svg}", rich.html, rich.json).contains("hunter2"), "{input}");
    }
}
