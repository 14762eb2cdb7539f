//! `:steps`, `cfg steps` and `:diff`: programs, and the steps that are shown.

mod json;
mod programs;
mod prompt;
mod secrets;

use cfg_core::{Action, Event, InMemory, Input, Medium, Outcome, Request, Session};
use expect_test::Expect;
use std::path::PathBuf;

const FILES: [(&str, &str); 6] = [
    (
        "base.cfg",
        r#"let union = fun { lower, higher, .. } => lower @ higher in
{
  server = {
    host = "localhost",
    port | Number | default = 8080,
    tags | Array String | merge union = ["base"],
    url = "http://%{host}:%{std.to_string port}",
  },
  name = "app",
}
"#,
    ),
    ("prod.cfg", "{ server = { port = 443, tags = [\"prod\"] }, name = \"app\" }\n"),
    ("local.cfg", "{ server.port | force = 9443 }\n"),
    (
        "all.cfg",
        "let base = import \"base.cfg\" in let prod = import \"prod.cfg\" in\nbase & prod & (import \"local.cfg\")\n",
    ),
    ("clash.yaml", "# the port\nserver:\n  port: 8443\n"),
    (
        "chain.jsonnet",
        "local base = { port: 80, url: 'http://x:%d' % self.port, tags: ['a'], deep: { a: 1, b: 2 }, hid:: 3 };\n\
         base + { port: 81, tags+: ['b'], deep+: { b: 5 } } + { port: super.port + 1, deep: { z: 1 }, hid: 4 }\n",
    ),
];

fn session() -> Session {
    Session::new(Box::new(FILES.into_iter().collect::<InMemory>()))
}

fn ask(inputs: Vec<Input>, medium: Medium, most: Option<usize>) -> Outcome {
    let action = Action::Steps { at: None, all: false, most, layers: false, types: false, medium };
    let request = Request::new(inputs, action);
    session().run(request)
}

fn text(name: &str, program: &str) -> Vec<Input> {
    vec![Input::Text { name: String::from(name), text: program.as_bytes().to_vec() }]
}

#[track_caller]
fn shows(inputs: Vec<Input>, expected: Expect) {
    let outcome = ask(inputs, Medium::Text, None);
    let mut seen = format!("{}exit {}\n", outcome.output.text(), outcome.exit);
    for (_, report) in &outcome.reports {
        seen += &report.text().lines().take(2).collect::<Vec<_>>().join("");
        seen.push('\n');
    }
    expected.assert_eq(&seen);
}

fn files(names: &[&str]) -> Vec<Input> {
    names.iter().map(|name| Input::File(PathBuf::from(name))).collect()
}

fn submit(session: &mut Session, inputs: &[&str]) -> String {
    let mut out = String::new();
    for input in inputs {
        out += &format!("> {input}\n");
        for event in session.submit(input) {
            out += &match event {
                Event::Value { value, .. } => value.text(),
                Event::Bound(text) | Event::Answer(text) | Event::View { text, .. } => text.text(),
                Event::Steps { pages, footer, .. } => Event::text(&pages, &footer).text(),
                Event::Diagnostic { report, .. } => report.text().lines().take(2).collect::<Vec<_>>().join(""),
                Event::Output(text) => text,
                Event::Quit => String::from("quit"),
            };
            out.push('\n');
        }
    }
    out
}
