//! Draws a [`Report`] as text: `error: message [code]`, then each place with the lines around it.
//!
//! Every place has its own `file:line:column`, even a second place in the same file. Lines much longer than the screen
//! are cut to a window around the place, so the size of a report does not depend on the size of the source line.

mod window;

use crate::problem::Severity;
use crate::problem::report::Report;
use crate::styled::wrap;
use crate::styled::{Role, Styled};
use crate::text::Sources;
use annotate_snippets::renderer::{AnsiColor, Style};
use annotate_snippets::{Element, Group, Level, Renderer};
use window::Window;

/// Width of `warning: ` in columns.
const LEVEL_WIDTH: usize = 9;
/// Maximum number of characters of a message's line.
const MAX_MESSAGE: usize = 4000;

/// Draws a report in `width` columns if the source lines allow it. With `wraps`, notes and hints are wrapped between
/// words, and labels are cut at the margin. Linear in the lines shown and in the size of the sources.
pub fn report(report: &Report, sources: &Sources, width: usize, wraps: bool) -> Styled {
    let with_secrets;
    let sources = match report.secrets.as_slice() {
        [] => sources,
        secrets => {
            with_secrets = sources.with_secrets(secrets);
            &with_secrets
        }
    };
    // On a narrow page only the prefix that the renderer writes before the text is reserved.
    let room = width.saturating_sub(14).max(width.min(30).saturating_sub(10)).max(10);
    let words = if wraps { room } else { usize::MAX };
    let (page, width) = (width.clamp(20, 10_000), width.clamp(40, 10_000));
    let level = level(report.severity);
    // Only the severity precedes the title.
    let beside = if wraps { room.max(page.saturating_sub(LEVEL_WIDTH)) } else { words };
    let title = wrap::message(&clean(&format!("{} [{}]", report.message, report.code)), beside);
    let mut windows: Vec<Window<'_>> = Vec::new();
    for (index, label) in report.labels.iter().enumerate() {
        let Some(source) = sources.get(label.span.source) else { continue };
        let line = Window::of(source, label, width, index == 0);
        match windows.last_mut() {
            Some(last) if last.joins(&line) => last.marks.extend(line.marks),
            _ => windows.push(line),
        }
    }
    // The gutter has the line numbers, and the lines that connect places of several lines.
    let extents: Vec<(usize, bool)> = windows.iter().map(Window::extent).collect();
    let digits = extents.iter().map(|(last, _)| last.to_string().len()).max().unwrap_or(1);
    let gutter = digits + 3 + if extents.iter().any(|(_, several)| *several) { 2 } else { 0 };
    let beside = page.saturating_sub(gutter).max(8);
    if wraps {
        windows = windows.into_iter().flat_map(|window| window.fitted(beside)).collect();
    }
    let mut elements: Vec<Element<'_>> = Vec::new();
    for window in &windows {
        elements.push(window.origin().into());
        elements.push(window.snippet(wraps.then_some(beside)).into());
    }
    elements.extend(report.notes.iter().map(|n| Level::NOTE.message(wrap::message(&clean(n), words)).into()));
    elements.extend(report.suggestions.iter().map(|h| Level::HELP.message(wrap::message(&clean(h), words)).into()));
    let group: Group<'_> = level.primary_title(title).elements(elements);
    roles(&renderer(width).render(&[group]), windows.is_empty())
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

/// Replaces control characters except line ends, and cuts long lines.
fn clean(text: &str) -> String {
    text.lines()
        .map(|line| {
            let mut out: String = line.chars().map(printable).take(MAX_MESSAGE).collect();
            if line.chars().nth(MAX_MESSAGE).is_some() {
                out.push('…');
            }
            out
        })
        .collect::<Vec<_>>()
        .join("\n")
}

/// Replaces a control character, or one that changes the direction of text.
fn printable(c: char) -> char {
    if c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') {
        char::REPLACEMENT_CHARACTER
    } else {
        c
    }
}

/// The colours that represent roles in the renderer's output.
const STYLES: [(AnsiColor, Role); 7] = [
    (AnsiColor::Red, Role::Error),
    (AnsiColor::Yellow, Role::Warning),
    (AnsiColor::Green, Role::Note),
    (AnsiColor::Cyan, Role::Note),
    (AnsiColor::Blue, Role::Dim),
    (AnsiColor::Magenta, Role::Heading),
    (AnsiColor::White, Role::Plain),
];

fn renderer(width: usize) -> Renderer {
    let style = |colour: AnsiColor| -> Style { colour.on_default() };
    Renderer::styled()
        .hyperlink(false)
        .term_width(width)
        .error(style(AnsiColor::Red))
        .warning(style(AnsiColor::Yellow))
        .info(style(AnsiColor::Green))
        .note(style(AnsiColor::Green))
        .help(style(AnsiColor::Cyan))
        .line_num(style(AnsiColor::Blue))
        .context(style(AnsiColor::Green))
        .emphasis(style(AnsiColor::Magenta))
        .addition(style(AnsiColor::Green))
        .removal(style(AnsiColor::Red))
        .none(Style::new())
}

/// Converts the renderer's escape sequences to roles. Source text contains none, because the renderer replaces control
/// characters. The renderer draws an empty `:::` between a place and its lines; this removes those lines and trailing
/// spaces. It also removes the gutter of a `bare` report, which shows no source lines.
fn roles(rendered: &str, bare: bool) -> Styled {
    let mut out = Styled::new();
    let mut role = Role::Plain;
    let mut first = true;
    for line in rendered.split('\n') {
        let mut runs: Vec<(Role, &str)> = Vec::new();
        let mut rest = line;
        while let Some(at) = rest.find('\u{1b}') {
            runs.push((role, &rest[..at]));
            rest = &rest[at + 1..];
            let Some(end) = rest.find('m') else { break };
            let code = rest[..end].trim_start_matches('[');
            role = STYLES
                .iter()
                .find(|(colour, _)| code == format!("{}", 30 + *colour as u8))
                .map_or(Role::Plain, |(_, role)| *role);
            rest = &rest[end + 1..];
        }
        runs.push((role, rest));
        while let Some((_, last)) = runs.last_mut() {
            *last = last.trim_end();
            if !last.is_empty() {
                break;
            }
            runs.pop();
        }
        let separator = runs.iter().all(|(_, text)| matches!(text.trim(), "" | ":::") || (bare && text.trim() == "|"));
        if separator && !runs.is_empty() {
            continue;
        }
        if !std::mem::take(&mut first) {
            out.plain("\n");
        }
        for (role, text) in runs {
            out.push(role, text);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::report::Label;
    use crate::text::Span;
    use expect_test::{Expect, expect};
    use unicode_width::UnicodeWidthStr;

    fn check(texts: &[(&str, &str)], labels: &[(u32, usize, usize, &str)], expected: Expect) {
        let mut sources = Sources::default();
        let ids: Vec<_> = texts.iter().map(|(name, text)| sources.add(*name, *text)).collect();
        let shown = report(
            &Report {
                severity: Severity::Error,
                code: "value/merge",
                message: String::from("two values"),
                labels: labels
                    .iter()
                    .map(|(file, start, end, text)| Label {
                        span: Span::new(ids[*file as usize], *start, *end),
                        text: text.to_string(),
                    })
                    .collect(),
                notes: vec![String::from("equal priorities")],
                suggestions: vec![String::from("give one a priority")],
                secrets: Vec::new(),
            },
            &sources,
            80,
            false,
        );
        expected.assert_eq(&shown.text());
    }

    #[test]
    fn a_label_below_its_mark_is_whole_if_there_is_room() {
        let text = format!("{}f 1 2\n", "x ".repeat(20));
        let label = "a label of more than half of the columns";
        let mut sources = Sources::default();
        let id = sources.add("a.cfg", text.as_str());
        let place = |start, end, text: &str| Label { span: Span::new(id, start, end), text: text.into() };
        let report_of = Report {
            severity: Severity::Error,
            code: "value/merge",
            message: String::from("two values"),
            labels: vec![place(42, 43, "here"), place(40, 41, label)],
            notes: Vec::new(),
            suggestions: Vec::new(),
            secrets: Vec::new(),
        };
        let shown = report(&report_of, &sources, 60, true).text();
        assert!(shown.contains(label) && shown.lines().all(|line| line.width() <= 60), "{shown}");
    }

    #[test]
    fn one_place() {
        check(
            &[("main.cfg", "{ a = 1 }\n")],
            &[(0, 2, 3, "this")],
            expect![[r#"
            error: two values [value/merge]
             --> main.cfg:1:3
              |
            1 | { a = 1 }
              |   ^ this
              |
              = note: equal priorities
              = help: give one a priority"#]],
        );
    }

    #[test]
    fn a_narrow_page_breaks_between_words() {
        let mut sources = Sources::default();
        let source = sources.add("a.cfg", "1 + x\n");
        let written = Report {
            severity: Severity::Error,
            code: "types/conflict",
            message: String::from("expected Number, found String"),
            labels: vec![Label { span: Span::new(source, 4, 5), text: String::from("this is a String") }],
            notes: Vec::new(),
            suggestions: vec![String::from("strings are joined with `++`")],
            secrets: Vec::new(),
        };
        expect![[r#"
            error: expected
                   Number,
                   found
                   String
                   [types/conflict]
             --> a.cfg:1:5
              |
            1 | 1 + x
              |     ^ this is a…
              |
              = help: strings
                      are joined
                      with `++`"#]]
        .assert_eq(&report(&written, &sources, 20, true).text());
    }

    #[test]
    fn what_is_said_at_a_place_ends_at_the_margin() {
        let mut sources = Sources::default();
        let source = sources.add("main.cfg", "base.prot + 1\n");
        let label =
            Label { span: Span::new(source, 0, 9), text: format!("this is {{ {} }}", "port : Number, ".repeat(9)) };
        let mut written = Report {
            severity: Severity::Error,
            code: "types/missing-field",
            message: String::from("no field"),
            labels: vec![label],
            notes: Vec::new(),
            suggestions: Vec::new(),
            secrets: Vec::new(),
        };
        let shown = report(&written, &sources, 60, true).text();
        let last = shown.lines().last().unwrap();
        assert_eq!(last, "  | ^^^^^^^^^ this is { port : Number, port : Number, port …");
        assert_eq!(last.width(), 60);
        // A reader of a pipe gets the whole label.
        assert!(report(&written, &sources, 60, false).text().contains(&written.labels[0].text));
        written.labels[0].text = String::from("short");
        assert!(report(&written, &sources, 60, true).text().ends_with("^^^^^^^^^ short"));
    }

    #[test]
    fn two_places_of_one_file_both_have_a_position() {
        check(
            &[("main.cfg", "{\n  a = 1,\n} & {\n  a = 2,\n}\n")],
            &[(0, 8, 9, "one"), (0, 25, 26, "other")],
            expect![[r#"
                error: two values [value/merge]
                 --> main.cfg:2:7
                  |
                2 |   a = 1,
                  |       ^ one
                 ::: main.cfg:4:9
                  |
                4 |   a = 2,
                  |         - other
                  |
                  = note: equal priorities
                  = help: give one a priority"#]],
        );
    }

    #[test]
    fn two_places_of_a_line_share_it() {
        check(
            &[("main.cfg", "{ a = 1 } & { a = 2 }")],
            &[(0, 6, 7, "one"), (0, 18, 19, "other")],
            expect![[r#"
            error: two values [value/merge]
             --> main.cfg:1:7
              |
            1 | { a = 1 } & { a = 2 }
              |       ^ one       - other
              |
              = note: equal priorities
              = help: give one a priority"#]],
        );
    }

    #[test]
    fn several_files() {
        check(
            &[("main.cfg", "{ a = 1 }"), ("lib/x.cfg", "\n\n  { a = 2 }")],
            &[(0, 6, 7, ""), (1, 10, 11, "other")],
            expect![[r#"
                error: two values [value/merge]
                 --> main.cfg:1:7
                  |
                1 | { a = 1 }
                  |       ^
                 ::: lib/x.cfg:3:9
                  |
                3 |   { a = 2 }
                  |         - other
                  |
                  = note: equal priorities
                  = help: give one a priority"#]],
        );
    }

    #[test]
    fn several_lines() {
        check(
            &[("main.cfg", "{\n  a = {\n    b = 1\n  } & 2\n}")],
            &[(0, 8, 32, "here")],
            expect![[r#"
            error: two values [value/merge]
             --> main.cfg:2:7
              |
            2 |     a = {
              |  _______^
            3 | |     b = 1
            4 | |   } & 2
            5 | | }
              | |_^ here
              |
              = note: equal priorities
              = help: give one a priority"#]],
        );
    }

    #[test]
    fn the_end_of_the_input() {
        check(
            &[("main.cfg", "{ a = 1")],
            &[(0, 7, 7, "expected `}`")],
            expect![[r#"
            error: two values [value/merge]
             --> main.cfg:1:8
              |
            1 | { a = 1
              |        ^ expected `}`
              |
              = note: equal priorities
              = help: give one a priority"#]],
        );
        check(
            &[("main.cfg", "{ a = 1\n")],
            &[(0, 8, 8, "expected `}`")],
            expect![[r#"
            error: two values [value/merge]
             --> main.cfg:2:1
              |
            2 |
              | ^ expected `}`
              |
              = note: equal priorities
              = help: give one a priority"#]],
        );
        check(
            &[("main.cfg", "")],
            &[(0, 0, 0, "expected an expression")],
            expect![[r#"
            error: two values [value/merge]
             --> main.cfg:1:1
              |
            1 |
              | ^ expected an expression
              |
              = note: equal priorities
              = help: give one a priority"#]],
        );
    }

    #[test]
    fn a_huge_line_is_cut_and_keeps_its_position() {
        let line = "x".repeat(3000) + "é!" + &"y".repeat(100_000);
        check(
            &[("main.cfg", &line)],
            &[(0, 3002, 3003, "here")],
            expect![[r#"
            error: two values [value/merge]
             --> main.cfg:1:3002
              |
            1 | ...xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxé!yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy...
              |                                    ^ here
              |
              = note: equal priorities
              = help: give one a priority"#]],
        );
    }

    #[test]
    fn control_characters_do_not_reach_the_screen() {
        check(
            &[("ma\u{1b}[31min", "\u{1b}[31m\u{7} x\ty")],
            &[(0, 7, 8, "th\u{1b}is")],
            expect![[r#"
            error: two values [value/merge]
             --> ma�[31min:1:8
              |
            1 | ␛[31m␇ x    y
              |        ^ th�is
              |
              = note: equal priorities
              = help: give one a priority"#]],
        );
    }

    #[test]
    fn roles_and_not_colours() {
        let mut sources = Sources::default();
        let id = sources.add("a", "x y");
        let shown = report(
            &Report {
                severity: Severity::Warning,
                code: "t/x",
                message: String::from("m"),
                labels: vec![Label { span: Span::new(id, 0, 1), text: String::from("l") }],
                notes: vec![],
                suggestions: vec![],
                secrets: vec![],
            },
            &sources,
            80,
            false,
        );
        assert_eq!(shown.runs()[0], (Role::Warning, String::from("warning")));
        assert!(!shown.text().contains('\u{1b}'));
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(400))]
        /// For any text and any places there is a report, and it has no escape sequences.
        #[test]
        fn any_text_and_places(
            text in "(\\PC|[\\r\\n\\t\\x00-\\x20]|a|\u{1F600}|\u{301}|\u{200d}){0,60}",
            places in proptest::collection::vec((0usize..80, 0usize..80, "\\PC{0,8}"), 0..5),
            width in 20usize..120,
        ) {
            let mut sources = Sources::default();
            let id = sources.add("f", text);
            let labels = places
                .into_iter()
                .map(|(start, len, text)| Label { span: Span::new(id, start, start + len), text })
                .collect();
            let data = Report {
                severity: Severity::Error,
                code: "a/b",
                message: String::from("m"),
                labels,
                notes: vec![],
                suggestions: vec![],
                secrets: vec![],
            };
            let shown = report(&data, &sources, width, true).text();
            proptest::prop_assert!(shown.starts_with("error: m [a/b]"));
            let escapes = shown.contains('\x1b');
            proptest::prop_assert!(!escapes);
        }

        /// No source line is wider than the page, nor is a label below it.
        #[test]
        fn lines_of_programs_fit_the_page(
            text in "([ -~]|[ -~]|\\n|\\t|字){0,160}",
            places in proptest::collection::vec((0usize..160, 0usize..40, "[a-z ]{0,30}"), 1..4),
            width in 24usize..100,
        ) {
            let mut sources = Sources::default();
            let id = sources.add("f", text);
            let labels = places
                .into_iter()
                .map(|(start, len, text)| Label { span: Span::new(id, start, start + len), text })
                .collect();
            let data = Report {
                severity: Severity::Error,
                code: "a/b",
                message: String::from("m"),
                labels,
                notes: vec![],
                suggestions: vec![],
                secrets: vec![],
            };
            let shown = report(&data, &sources, width, true).text();
            for line in shown.lines().filter(|line| line.contains('|')) {
                proptest::prop_assert!(line.width() <= width, "{} columns of {width}:\n{shown}", line.width());
            }
        }
    }
}
