//! The session without a terminal: inputs, each after `>`, and their results.

mod advice;
mod answers;
mod asking;
mod cells;
mod commands;
mod completing;
mod events;
mod files;
mod functions;
mod jsonnet;
mod mcl;
mod mcl_answers;
mod mcl_graphs;
mod mcl_guide;
mod mcl_newest;
mod mcl_questions;
mod redefinition;
mod solving;
mod through;
mod time;

use cfg_core::{Event, NoLoader, Session};
use expect_test::Expect;

/// Returns the result of an input as text.
fn shown(events: Vec<Event>) -> String {
    let lines: Vec<String> = events
        .into_iter()
        .map(|event| match event {
            Event::Value { value, ty, .. } if ty.is_empty() => value.text(),
            Event::Value { value, ty, .. } => format!("{} : {}", value.text(), ty.text()),
            Event::Bound(text) | Event::Answer(text) | Event::View { text, .. } => text.text(),
            Event::Steps { pages, footer, .. } => Event::text(&pages, &footer).text(),
            // the layout is the renderer's business; here only the first lines count
            Event::Diagnostic { report, .. } => report.text().lines().take(2).collect::<Vec<_>>().join(""),
            Event::Output(text) => format!("printed {}", text.trim_end()),
            Event::Quit => String::from("quit"),
        })
        .collect();
    lines.join("\n")
}

/// Returns inputs and their results.
fn run(session: &mut Session, inputs: &[&str]) -> String {
    let mut out = String::new();
    for input in inputs {
        out += &format!("> {input}\n");
        let text = shown(session.submit(input));
        if !text.is_empty() {
            out += &text;
            out.push('\n');
        }
    }
    out
}

/// Checks the results of inputs in a new session.
#[track_caller]
fn check(inputs: &[&str], expected: Expect) {
    expected.assert_eq(&run(&mut Session::new(Box::new(NoLoader)), inputs));
}
