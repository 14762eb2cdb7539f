//! Converts events to text for a terminal or a pipe.

use crate::paint::{Paint, visible};
use cfg_core::{Event, Role, Styled, counted, wrap};
use unicode_width::UnicodeWidthStr;

/// The properties of the place where events are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// Colours, and whether it is a terminal.
    pub paint: Paint,
    /// Width in columns.
    pub columns: usize,
    /// Height in rows; longer output is folded.
    pub rows: usize,
}

/// The text of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventText {
    /// The text to write, with a line end.
    pub text: String,
    /// The unfolded text, which `:more` shows, if `text` is folded.
    pub whole: Option<String>,
}

/// Answers are folded if they are longer than this many screens; values, if longer than one.
const SCREENS: usize = 8;

/// The type of a definition may take up to one half of the screen.
const TYPE_PART: usize = 2;

impl Page {
    /// Converts an event to text. On a terminal, a value is followed by its type, and text longer than the screen is
    /// folded.
    pub fn show(&self, event: &Event) -> Option<EventText> {
        let whole = |text: String| Some(EventText { text, whole: None });
        match event {
            Event::Value { value, ty, of, .. } if self.paint.terminal => {
                Some(self.fold(&self.typed(value, of, ty), self.rows.saturating_sub(3)))
            }
            Event::Value { value, .. } => whole(self.ended(value)),
            Event::Bound(text) if self.paint.terminal => Some(self.fold(text, self.rows / TYPE_PART)),
            Event::Bound(text) => whole(self.ended(text)),
            // values can be pasted back as input, so they are not wrapped; answers are
            Event::Answer(text) if self.paint.terminal => {
                Some(self.fold(&wrap::fit(text, self.columns), self.rows * SCREENS))
            }
            Event::Answer(text) => whole(self.ended(text)),
            Event::View { text, .. } => self.show(&Event::Answer(text.clone())),
            Event::Steps { pages, footer, .. } => self.show(&Event::Answer(Event::text(pages, footer))),
            Event::Diagnostic { report, .. } => whole(self.ended(report)),
            Event::Output(text) => whole(self.paint.clean(text).into_owned()),
            Event::Quit => None,
        }
    }

    fn ended(&self, text: &Styled) -> String {
        let mut out = self.paint.text(text);
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        out
    }

    /// Appends the type to a value: on the last line if both fit, otherwise on a separate line, cut if it does not fit
    /// there.
    fn typed(&self, value: &Styled, separator: &str, ty: &Styled) -> Styled {
        let ty = visible(ty.text().trim()).replace('\n', " ");
        let mut out = value.clone();
        if ty.is_empty() {
            return out;
        }
        let text = value.text();
        let last = visible(text.lines().last().unwrap_or_default()).width();
        if last + separator.width() + ty.width() <= self.columns {
            out.push(Role::Dim, format!("{separator}{ty}"));
        } else {
            out.plain("\n");
            out.push(Role::Dim, cut(&format!("{}{ty}", separator.trim_start()), self.columns));
        }
        out
    }

    /// Returns the text, or its first and last lines if it has more than `most` rows.
    fn fold(&self, styled: &Styled, most: usize) -> EventText {
        let text = self.ended(styled);
        let most = most.max(10);
        let heights: Vec<usize> = styled.text().lines().map(|l| self.height(l)).collect();
        if heights.iter().sum::<usize>() <= most {
            return EventText { text, whole: None };
        }
        let tail = fitting(heights.iter().rev(), most / 4);
        let head = fitting(heights.iter(), most - most / 4 - 1);
        let lines: Vec<&str> = text.lines().collect();
        let hidden = lines.len().saturating_sub(head + tail);
        let size = size(text.len());
        if hidden == 0 || head == 0 {
            // lines longer than the screen
            let mut out = self.ended(&styled.cut((most - 1) * self.columns));
            let note = format!("  … {size} in total: `:more` shows it");
            out.push_str(&self.paint.text(&Styled::of(Role::Dim, note)));
            out.push('\n');
            return EventText { text: out, whole: Some(text) };
        }
        let mut out = String::new();
        for line in lines.iter().take(head) {
            out.push_str(line);
            out.push('\n');
        }
        let note = format!("  … {}, {size} in total: `:more` shows the rest", counted(hidden, "more line"));
        out.push_str(&self.paint.text(&Styled::of(Role::Dim, note)));
        out.push('\n');
        for line in lines.iter().skip(lines.len() - tail) {
            out.push_str(line);
            out.push('\n');
        }
        EventText { text: out, whole: Some(text) }
    }

    /// Returns the number of rows that a line takes.
    fn height(&self, line: &str) -> usize {
        visible(line).width().div_ceil(self.columns.max(1)).max(1)
    }
}

/// Formats a number of bytes.
pub fn size(bytes: usize) -> String {
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..1_048_576 => format!("{} KB", bytes / 1024),
        _ => format!("{}.{} MB", bytes >> 20, ((bytes & 0xf_ffff) * 10) >> 20),
    }
}

/// Returns how many of the lines fit into `rows`.
fn fitting<'a>(heights: impl Iterator<Item = &'a usize>, rows: usize) -> usize {
    let mut used = 0;
    heights
        .take_while(|height| {
            used += **height;
            used <= rows
        })
        .count()
}

/// Shortens the text to a width in columns, ending in `…` if it was cut.
fn cut(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_string();
    }
    let mut out = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
        if used > columns {
            break;
        }
        out.push(c);
    }
    out + "…"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::Theme;

    const SCREEN: Page = Page {
        paint: Paint { colour: false, terminal: true, theme: Theme::Dark, palette: None },
        columns: 20,
        rows: 13,
    };

    fn value(value: &str, ty: &str) -> Event {
        Event::Value { number: 1, value: value.into(), ty: ty.into(), of: " : ", rich: None }
    }

    #[track_caller]
    fn shows(page: Page, event: &Event, expected: &str) {
        assert_eq!(page.show(event).unwrap().text, expected);
    }

    #[test]
    fn a_terminal_shows_the_type_after_the_value_and_a_pipe_does_not() {
        let two = value("2", "Number");
        shows(SCREEN, &two, "2 : Number\n");
        let pipe = Page { paint: Paint::PLAIN, ..SCREEN };
        shows(pipe, &two, "2\n");
        let of = Event::Value { number: 1, value: "2".into(), ty: "number".into(), of: " ∈ ", rich: None };
        shows(SCREEN, &of, "2 ∈ number\n");
    }

    #[test]
    fn a_type_that_does_not_fit_has_a_separate_line() {
        let long = value("{ a = 1, b = 2 }", "{ a : Number, b : Number }");
        shows(SCREEN, &long, "{ a = 1, b = 2 }\n: { a : Number, b :…\n");
    }

    #[test]
    fn a_definition_takes_only_a_few_lines() {
        let long = Event::Bound(format!("x : {}", "a".repeat(1000)).as_str().into());
        let shown = SCREEN.show(&long).unwrap();
        assert_eq!(shown.text.lines().next().map(|line| line.chars().count()), Some(180));
        assert!(shown.text.ends_with("a…\n  … 1005 bytes in total: `:more` shows it\n"), "{}", shown.text);
        assert_eq!(shown.whole.map(|whole| whole.len()), Some(1005));
        let pipe = Page { paint: Paint::PLAIN, ..SCREEN };
        assert_eq!(pipe.show(&long).unwrap().text.len(), 1005);
    }

    #[test]
    fn output_longer_than_the_screen_is_folded() {
        let lines: Vec<String> = (1..=30).map(|n| n.to_string()).collect();
        let shown = SCREEN.show(&value(&lines.join("\n"), "T")).unwrap();
        let expected =
            "1\n2\n3\n4\n5\n6\n7\n  … 21 more lines, 85 bytes in total: `:more` shows the rest\n29\n30 : T\n";
        assert_eq!(shown.text, expected);
        assert_eq!(shown.whole.unwrap().lines().count(), 30);
        assert_eq!(SCREEN.show(&value("1\n2", "T")).unwrap().whole, None);
    }

    #[test]
    fn sizes_are_read() {
        for (bytes, shown) in [(7, "7 bytes"), (2048, "2 KB"), (1 << 20, "1.0 MB"), (3 * (1 << 19), "1.5 MB")] {
            assert_eq!(size(bytes), shown);
        }
    }
}
