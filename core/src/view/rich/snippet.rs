//! Draws a place with the source lines around it.

use crate::styled::{Role, Styled};
use crate::text::{Source, Sources, Span, counted};
use crate::view::html::Html;
use std::borrow::Cow;

/// Maximum number of lines of a place that are shown.
const LINES: usize = 6;
/// Number of characters of a long line that are shown to each side of the place.
const AROUND: usize = 120;

/// Draws the lines of a place with the place marked, and `context` lines before and after it. Draws nothing if the
/// source has no text. O(lines shown), after one pass over the source.
pub fn snippet(span: Span, context: usize, sources: &Sources, to: &mut Html) {
    let Some(source) = sources.get(span.source) else { return };
    let [before, marked, after] = around(source, span);
    let first = source.position(span.start).line as usize;
    let mut lines = marked.split('\n');
    let shown: Vec<&str> = lines.by_ref().take(LINES).collect();
    let more = lines.count();
    let above = above(source, span, context);
    // A place that is cut has no context after it.
    let below = if more > 0 { Vec::new() } else { below(source, span, context) };
    let digits = (first + shown.len() - 1 + below.len()).to_string().len();
    let gutter = |n: usize| Styled::of(Role::Dim, format!("{n:>digits$} | "));
    to.element("pre", |html| {
        for (at, line) in above.iter().enumerate() {
            html.styled(&gutter(first - above.len() + at));
            html.text(&start(line, 2 * AROUND));
            html.text("\n");
        }
        for (at, line) in shown.iter().enumerate() {
            if at > 0 {
                html.text("\n");
            }
            html.styled(&gutter(first + at));
            if at == 0 {
                html.text(&end(&before));
            }
            html.element("mark", |html| {
                html.text(&start(line, 2 * AROUND));
            });
            if at + 1 == shown.len() && more == 0 {
                html.text(&start(&after, AROUND));
            }
        }
        for (at, line) in below.iter().enumerate() {
            html.text("\n");
            html.styled(&gutter(first + shown.len() + at));
            html.text(&start(line, 2 * AROUND));
        }
        if more > 0 {
            html.styled(&Styled::of(Role::Dim, format!("\n{:>digits$} | … {}", "", counted(more, "more line"))));
        }
    });
}

/// Returns the byte offsets of a place. A final line end is excluded.
fn ends(text: &str, span: Span) -> (usize, usize) {
    let start = floor(text, span.start as usize);
    let mut stop = floor(text, span.end as usize).max(start);
    if stop > start && text.get(start..stop).is_some_and(|marked| marked.ends_with('\n')) {
        stop -= 1;
    }
    (start, stop)
}

/// Returns up to `most` lines before a place, without blank lines at the start.
fn above(source: &Source, span: Span, most: usize) -> Vec<Cow<'_, str>> {
    let (start, _) = ends(&source.text, span);
    let mut at = source.line_range(start).start;
    let mut lines = Vec::new();
    while at > 0 && lines.len() < most {
        let line = source.line_range(at - 1);
        at = line.start;
        lines.push(source.shown(line));
    }
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    lines.reverse();
    lines
}

/// Returns up to `most` lines after a place, without blank lines at the end.
fn below(source: &Source, span: Span, most: usize) -> Vec<Cow<'_, str>> {
    let (_, stop) = ends(&source.text, span);
    let mut at = source.line_range(stop).end;
    let mut lines = Vec::new();
    while at < source.text.len() && lines.len() < most {
        let line = source.line_range(at + 1);
        at = line.end;
        lines.push(source.shown(line));
    }
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    lines
}

/// Returns the text on the lines of a place: before it, in it, after it.
fn around(source: &Source, span: Span) -> [Cow<'_, str>; 3] {
    let (start, stop) = ends(&source.text, span);
    let (from, until) = (source.line_range(start).start, source.line_range(stop).end);
    [source.shown(from..start), source.shown(start..stop), source.shown(stop..until)]
}

fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns the first `most` characters of a text.
fn start(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => String::from(text.strip_suffix('\r').unwrap_or(text)),
    }
}

/// Returns the last characters of a text.
fn end(text: &str) -> String {
    match text.char_indices().rev().nth(AROUND) {
        Some((at, c)) => format!("…{}", text.get(at + c.len_utf8()..).unwrap_or_default()),
        None => String::from(text),
    }
}

#[cfg(test)]
mod tests {
    use super::snippet;
    use crate::text::{Sources, Span};
    use crate::view::html::Html;

    fn shown(text: &str, marked: &str) -> String {
        within(text, marked, 0)
    }

    fn within(text: &str, marked: &str, context: usize) -> String {
        let mut sources = Sources::default();
        let start = text.find(marked).unwrap();
        let span = Span::new(sources.add("p.cfg", text), start, start + marked.len());
        let mut html = Html::new();
        snippet(span, context, &sources, &mut html);
        html.into_string().replace("<span class=\"dim\">", "").replace("</span>", "")
    }

    #[test]
    fn the_lines_around_a_place() {
        let text = "1\n\n3\n4\n5\n6\n\n";
        assert_eq!(within(text, "4", 2), "<pre>3 | 3\n4 | <mark>4</mark>\n5 | 5\n6 | 6</pre>\n");
        assert_eq!(within(text, "1", 2), "<pre>1 | <mark>1</mark>\n2 | \n3 | 3</pre>\n");
        assert_eq!(within(text, "6", 2), "<pre>4 | 4\n5 | 5\n6 | <mark>6</mark></pre>\n");
        assert_eq!(within("a", "a", 9), "<pre>1 | <mark>a</mark></pre>\n");
    }

    #[test]
    fn a_place_is_marked_in_its_lines() {
        assert_eq!(shown("{\n  a = <b>,\n}", "<b>"), "<pre>2 |   a = <mark>&lt;b&gt;</mark>,</pre>\n");
        assert_eq!(shown("x\n[1,\n2]\n", "[1,\n2]"), "<pre>2 | <mark>[1,</mark>\n3 | <mark>2]</mark></pre>\n");
        let long = format!("{}é{}", "a".repeat(300), "b".repeat(300));
        assert_eq!(
            shown(&long, "é"),
            format!("<pre>1 | …{}<mark>é</mark>{}…</pre>\n", "a".repeat(120), "b".repeat(120))
        );
        let many = format!("[{}]", "1,\n".repeat(9));
        assert!(
            shown(&many, &many).ends_with("6 | <mark>1,</mark>\n  | … 4 more lines</pre>\n"),
            "{}",
            shown(&many, &many)
        );
    }
}
