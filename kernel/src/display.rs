//! Converts events to what front ends show: bundles by media type, and coloured reports.

use cfg_core::{Event, Rich, Role, Styled};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Converts a text to all its media types. `text/plain` is the same text that a pipe gets; if the text has colours,
/// `text/html` is added.
pub fn bundle(text: &Styled) -> Value {
    let mut out = plain(text);
    if let Some(html) = text.to_html() {
        out.insert("text/html".into(), Value::String(html));
    }
    Value::Object(out)
}

/// Converts an event that has an answer to all its media types; `None` for other events. The data has a media type of
/// its own because front ends prefer `application/json` to HTML.
pub fn shown(event: &Event) -> Option<Value> {
    let text = answer(event)?;
    let Some(rich) = event.rich() else { return Some(bundle(&text)) };
    let mut out = plain(&text);
    out.insert("text/html".into(), Value::String(rich.html.clone()));
    if let Some(svg) = &rich.svg {
        out.insert("image/svg+xml".into(), Value::String(svg.clone()));
    }
    out.insert(media_type(rich), rich.json.clone());
    Some(Value::Object(out))
}

/// Returns a problem as HTML and data, to be shown after the error message, whose traceback contains the text.
pub fn problem(event: &Event) -> Option<Value> {
    let Event::Diagnostic { rich: Some(rich), report, .. } = event else { return None };
    let mut out = plain(report);
    out.insert("text/html".into(), Value::String(rich.html.clone()));
    out.insert(media_type(rich), rich.json.clone());
    Some(Value::Object(out))
}

/// Converts the report of an error to an output that replaces an earlier one. Only an `error` message looks like an error
/// by itself, and it cannot replace an output.
pub fn error_in_place(report: &Styled) -> Value {
    barred(report, "alert", "#d32f2f")
}

/// Converts a warning to an output of its own. Notebooks show the stream of errors in red.
pub fn warning(report: &Styled) -> Value {
    let mut out = barred(report, "status", "#b97a00");
    if let Some(Value::String(html)) = out.get_mut("text/html") {
        // JupyterLab shows the first line of a folded output in its place
        html.insert_str(0, " \n");
    }
    out
}

/// Converts a report to an output with a coloured bar on its left.
fn barred(report: &Styled, role: &str, colour: &str) -> Value {
    let mut out = bundle(report);
    if let Some(Value::String(html)) = out.get_mut("text/html") {
        // the sanitizer of JupyterLab keeps these properties
        let style = format!("border-left: 4px solid {colour}; padding-left: 0.7em");
        *html = format!("<div role=\"{role}\" style=\"{style}\">{html}</div>");
    }
    out
}

fn plain(text: &Styled) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("text/plain".into(), Value::String(text.text().trim_end_matches('\n').into()));
    out
}

fn media_type(rich: &Rich) -> String {
    format!("application/vnd.cfg.{}+json", rich.what)
}

/// Returns the text of an event with an answer: a value, or the answer to a command.
pub fn answer(event: &Event) -> Option<Styled> {
    match event {
        Event::Value { value, .. } => Some(value.clone()),
        Event::Answer(text) | Event::Bound(text) | Event::View { text, .. } => Some(text.clone()),
        Event::Steps { pages, footer, .. } => Some(Event::text(pages, footer)),
        Event::Diagnostic { .. } | Event::Output(_) | Event::Quit => None,
    }
}

/// Builds the content of an error message from reports: its name, its message and the reports in colour, with an empty
/// line between two.
pub fn error(reports: &[Styled]) -> Value {
    let first = reports.first().map(Styled::text).unwrap_or_default();
    let line = headline(&first);
    let (says, name) = match line.strip_suffix(']').and_then(|l| l.rsplit_once(" [")) {
        Some((says, code)) => (says, code),
        None => (line.as_str(), "error"),
    };
    let report = |(at, report)| format!("{}{}", if at > 0 { "\n" } else { "" }, coloured(report).trim_end());
    let traceback: Vec<String> = reports.iter().enumerate().map(report).collect();
    json!({ "status": "error", "ename": name, "evalue": says, "traceback": traceback })
}

/// Returns the message of an error's report and its code in one line. On a narrow page they take several lines; those after the
/// first are indented by the width of `error: `.
fn headline(report: &str) -> String {
    const LABEL: &str = "error: ";
    let mut lines = report.lines();
    let mut line = String::from(lines.next().unwrap_or_default().trim_start_matches(LABEL));
    for more in lines.map_while(|line| line.strip_prefix(" ".repeat(LABEL.len()).as_str())) {
        line.push(' ');
        line.push_str(more.trim_start());
    }
    line
}

/// Converts text to ANSI escapes that both terminals and HTML pages can show. Other control characters are escaped.
///
/// Notebooks show errors on a red background, pale or dark, and no text colour has a contrast of 4.5 with both (the
/// minimum in WCAG 2.2). So text is at most bold, also the marks that point at places.
pub fn coloured(text: &Styled) -> String {
    let mut out = String::new();
    for (role, run) in text.runs() {
        for (n, line) in run.split('\n').enumerate() {
            if n > 0 {
                out.push('\n');
            }
            match weight(*role) {
                Some(code) if !line.trim().is_empty() => {
                    let _ = write!(out, "\x1b[{code}m{}\x1b[0m", visible(line));
                }
                _ => out.push_str(&visible(line)),
            }
        }
    }
    out
}

fn weight(role: Role) -> Option<&'static str> {
    Some(match role {
        Role::Heading | Role::Error | Role::Warning | Role::Note | Role::Invalid | Role::Wins => "1",
        _ => return None,
    })
}

fn visible(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            '\t' => out.push(c),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c if c.is_control() => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_a_name_and_a_coloured_report() {
        let mut report = Styled::of(Role::Error, "error");
        report.plain(": no field `x` [types/missing-field]\n  \u{1b}[2J");
        assert_eq!(
            error(&[report]),
            json!({
                "status": "error", "ename": "types/missing-field", "evalue": "no field `x`",
                "traceback": ["\u{1b}[1merror\u{1b}[0m: no field `x` [types/missing-field]\n  \\u{1b}[2J"],
            })
        );
    }

    #[test]
    fn an_error_that_takes_several_lines_on_a_narrow_page_has_the_same_name() {
        let report =
            "error: expected Number,\n       found String\n       [types/conflict]\n --> cfg[1]:1:2\n         x";
        let content = error(&[Styled::from(report)]);
        assert_eq!(
            (&content["ename"], &content["evalue"]),
            (&json!("types/conflict"), &json!("expected Number, found String"))
        );
    }

    #[test]
    fn marks_are_in_the_colour_of_the_text() {
        let mut report = Styled::of(Role::Warning, "warning");
        report.plain(": x\n1 | a\n  | ");
        report.push(Role::Error, "^^ this");
        assert_eq!(coloured(&report), "\u{1b}[1mwarning\u{1b}[0m: x\n1 | a\n  | \u{1b}[1m^^ this\u{1b}[0m");
        let shown = warning(&report);
        let html = shown["text/html"].as_str().unwrap();
        assert!(html.starts_with(" \n<div role=\"status\" style=\"border-left: 4px solid #b97a00"), "{html}");
    }
}
