//! Events as what a front end shows: bundles by media type, and reports in colour.

use cfg_core::session::Event;
use cfg_core::view::rich::{self, Rich};
use cfg_core::view::{Role, Styled};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// A text in every form it has. `text/plain` is what a pipe shows; with colours it is HTML too.
pub fn bundle(text: &Styled) -> Value {
    let mut out = plain(text);
    if let Some(html) = rich::text(text) {
        out.insert("text/html".into(), Value::String(html));
    }
    Value::Object(out)
}

/// An event that answers, in every form it has; `None` for one that does not. The data stands under a type of its own:
/// front ends prefer `application/json` to HTML.
pub fn shown(event: &Event) -> Option<Value> {
    let text = answer(event)?;
    let Some(rich) = richer(event) else { return Some(bundle(&text)) };
    let mut out = plain(&text);
    out.insert("text/html".into(), Value::String(rich.html.clone()));
    if let Some(svg) = &rich.svg {
        out.insert("image/svg+xml".into(), Value::String(svg.clone()));
    }
    out.insert(media_type(rich), rich.json.clone());
    Some(Value::Object(out))
}

/// A problem as a page and data, to be shown behind the error, whose traceback has its text.
pub fn problem(event: &Event) -> Option<Value> {
    let Event::Diagnostic { rich: Some(rich), report, .. } = event else { return None };
    let mut out = plain(report);
    out.insert("text/html".into(), Value::String(rich.html.clone()));
    out.insert(media_type(rich), rich.json.clone());
    Some(Value::Object(out))
}

fn plain(text: &Styled) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("text/plain".into(), Value::String(text.text().trim_end_matches('\n').into()));
    out
}

fn media_type(rich: &Rich) -> String {
    format!("application/vnd.cfg.{}+json", rich.what)
}

fn richer(event: &Event) -> Option<&Rich> {
    match event {
        Event::View { rich, .. } => Some(rich),
        Event::Value { rich, .. } | Event::Steps { rich, .. } | Event::Diagnostic { rich, .. } => rich.as_deref(),
        Event::Answer(_) | Event::Bound(_) | Event::Output(_) | Event::Quit => None,
    }
}

/// The text of an event that answers: a value, a command's answer.
pub fn answer(event: &Event) -> Option<Styled> {
    match event {
        Event::Value { value, .. } => Some(value.clone()),
        Event::Answer(text) | Event::Bound(text) | Event::View { text, .. } => Some(text.clone()),
        Event::Steps { pages, foot, .. } => Some(Event::text(pages, foot)),
        Event::Diagnostic { .. } | Event::Output(_) | Event::Quit => None,
    }
}

/// The error that reports are: its name, what it says, and the reports in colour.
pub fn error(reports: &[Styled]) -> Value {
    let first = reports.first().map(Styled::text).unwrap_or_default();
    let line = first.lines().next().unwrap_or("").trim_start_matches("error: ");
    let (says, name) = match line.strip_suffix(']').and_then(|l| l.rsplit_once(" [")) {
        Some((says, code)) => (says, code),
        None => (line, "error"),
    };
    let traceback: Vec<String> = reports.iter().map(|r| String::from(coloured(r).trim_end())).collect();
    json!({ "status": "error", "ename": name, "evalue": says, "traceback": traceback })
}

/// Text as a terminal shows it, and a page that knows what a terminal does. What would steer one is written out.
///
/// Pages show errors on a red of their own, pale or dark, and no colour reads well as text on both (a contrast of 4.5, as WCAG
/// 2.2 asks). So words are at most bold, and the marks that point at them have colours, which stand out from both.
pub fn coloured(text: &Styled) -> String {
    let mut out = String::new();
    for (role, run) in text.runs() {
        for (n, line) in run.split('\n').enumerate() {
            if n > 0 {
                out.push('\n');
            }
            let marks = line.find(|c| !matches!(c, '^' | '-' | ' ')).unwrap_or(line.len());
            let (marks, words) = line.split_at(marks);
            for (part, code) in [(marks, mark(*role)), (words, word(*role))] {
                match code {
                    Some(code) if !part.trim().is_empty() => {
                        let _ = write!(out, "\x1b[{code}m{}\x1b[0m", visible(part));
                    }
                    _ => out.push_str(&visible(part)),
                }
            }
        }
    }
    out
}

/// A mark on `#fdd`, on `#521c18` and on what terminals have: a contrast of 3 and more.
fn mark(role: Role) -> Option<&'static str> {
    Some(match role {
        Role::Error | Role::Invalid => "1;38;5;196",
        Role::Warning => "1;38;5;165",
        Role::Note => "1;38;5;99",
        _ => return None,
    })
}

fn word(role: Role) -> Option<&'static str> {
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
}
