//! What a notebook shows: HTML that says what the text says, whatever the program holds.

use cfg_core::loader::NoLoader;
use cfg_core::session::{Event, Session};
use cfg_core::view::rich::Rich;

/// Every rich form that comes of inputs.
fn rich(inputs: &[&str]) -> Vec<Rich> {
    let mut session = Session::new(Box::new(NoLoader));
    session.set_rich(true);
    let events = inputs.iter().flat_map(|input| session.submit(input));
    let rich = events.filter_map(|event| match event {
        Event::View { rich, .. } => Some(*rich),
        Event::Value { rich, .. } | Event::Steps { rich, .. } | Event::Diagnostic { rich, .. } => rich.map(|rich| *rich),
        _ => None,
    });
    rich.collect()
}

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
    "std.array.generate (fun n => { n, sq = n * n }) 500",
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

#[test]
fn dump() {
    let mut page = String::new();
    let mut session = Session::new(Box::new(NoLoader));
    session.set_rich(true);
    let Ok(to) = std::env::var("RICH_DUMP") else { return };
    let mut json = Vec::new();
    for input in CELLS {
        for event in session.submit(input) {
            let rich = match event {
                Event::View { rich, .. } => Some(*rich),
                Event::Value { rich, .. } | Event::Steps { rich, .. } | Event::Diagnostic { rich, .. } => rich.map(|r| *r),
                _ => None,
            };
            if let Some(rich) = rich {
                page.push_str(&format!("<pre class=input>{}</pre>\n{}\n", input.replace('<', "&lt;"), rich.html));
                json.push(serde_json::json!({ "input": input, "html": rich.html, "what": rich.what, "json": rich.json }));
            }
        }
    }
    std::fs::write(format!("{to}/all.html"), page).unwrap();
    std::fs::write(format!("{to}/all.json"), serde_json::to_string(&json).unwrap()).unwrap();
}
