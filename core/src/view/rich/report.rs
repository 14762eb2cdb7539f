//! Draws a report as an HTML fragment with the message, the source lines of each place, the notes and the hints.

use super::Rich;
use super::snippet::snippet;
use crate::problem::Severity;
use crate::problem::report::Report;
use crate::styled::{Role, Styled};
use crate::text::{Sources, on_one_line};
use crate::view::html::Html;
use crate::view::json;
use serde_json::json;

/// Maximum length, in characters, of a message, a label, or a note (its first line, and the rest). Longer text is cut.
const LONGEST: usize = 4000;

/// Maximum length of a summary, in columns.
const SUMMARY: usize = 90;

/// Number of lines shown before and after a place.
const CONTEXT: usize = 3;

/// Draws a report as HTML, with more source lines than the text version shows. The fragment is a collapsed `<details>` element,
/// because a notebook shows the text version above it. The JSON data follows `docs/schema/problem.json`.
pub fn report(report: &Report, sources: &Sources) -> Rich {
    let redacted;
    let sources = match report.secrets.as_slice() {
        [] => sources,
        secrets => {
            redacted = sources.with_secrets(secrets);
            &redacted
        }
    };
    let mut html = Html::new();
    let summary = Styled::of(Role::Dim, format!("details: {}", cut(&on_one_line(&report.message))));
    html.element("details", |html| {
        html.element("summary", |html| {
            html.prose(&summary.cut(SUMMARY));
        });
        let title = title(report);
        html.element("p", |html| {
            html.prose(&title);
        });
        places(report, sources, html);
    });
    let places: Vec<_> = report
        .labels
        .iter()
        .map(|label| json!({ "source": json::source(Some(label.span), sources), "says": label.text }))
        .collect();
    let data = json!({
        "version": 1,
        "severity": word(report.severity),
        "code": report.code,
        "message": report.message,
        "places": places,
        "notes": report.notes,
        "helps": report.suggestions,
    });
    Rich::new("problem", &html, data)
}

fn title(report: &Report) -> Styled {
    let mut title = Styled::of(role(report.severity), word(report.severity));
    title.plain(": ");
    title.plain(cut(&report.message));
    title.push(Role::Dim, format!(" [{}]", report.code));
    title
}

/// Draws each place with its source lines, then the notes and hints.
fn places(report: &Report, sources: &Sources, to: &mut Html) {
    for (number, label) in report.labels.iter().enumerate() {
        let Some(source) = sources.get(label.span.source) else { continue };
        let at = source.position(label.span.start);
        let mut place = Styled::of(Role::Dim, if number == 0 { "at " } else { "and " });
        place.push(Role::Dim, format!("{}:{}:{}", source.name, at.line, at.column));
        if !label.text.is_empty() {
            place.plain(": ");
            place.push(if number == 0 { role(report.severity) } else { Role::Note }, cut(&label.text));
        }
        to.paragraph(&place);
        snippet(label.span, CONTEXT, sources, to);
    }
    let report_lines =
        report.notes.iter().map(|note| ("note", note)).chain(report.suggestions.iter().map(|help| ("help", help)));
    for (word, text) in report_lines {
        let mut line = Styled::of(Role::Note, word);
        line.plain(": ");
        match text.split_once('\n') {
            None => {
                line.plain(cut(text));
                to.paragraph(&line);
            }
            // The lines after the first, such as a table, are laid out already.
            Some((first, rest)) => {
                line.plain(cut(first));
                to.paragraph(&line);
                to.preformatted(&Styled::from(cut(rest)));
            }
        }
    }
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn role(severity: Severity) -> Role {
    match severity {
        Severity::Error => Role::Error,
        Severity::Warning => Role::Warning,
        Severity::Note => Role::Note,
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => String::from(text),
    }
}
