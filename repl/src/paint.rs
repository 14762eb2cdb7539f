//! Maps roles to colours. Colour only repeats what the words say, so a stream without it loses nothing.
//!
//! Uses the terminal's sixteen colours, never fixed ones, because users choose them to be readable on their
//! background.

use crate::palette::{Palette, Theme};
use cfg_core::{Role, Styled};
use nu_ansi_term::{Color, Style};
use std::borrow::Cow;
use std::fmt::Write;

/// The way to write text to one stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paint {
    /// Whether to use colours.
    pub colour: bool,
    /// Whether the stream is a terminal, so that control characters must be escaped.
    pub terminal: bool,
    /// A dark or light background.
    pub theme: Theme,
    /// The user's colours.
    pub palette: Option<&'static Palette>,
}

impl Paint {
    /// The paint of a stream that is not a terminal.
    pub const PLAIN: Paint = Paint { colour: false, terminal: false, theme: Theme::Dark, palette: None };

    /// Returns the paint with the values of the options `theme` and `colour`.
    pub fn with_options(self, theme: Option<&str>, colour: Option<&str>) -> Paint {
        Paint {
            theme: theme.and_then(Theme::from_name).unwrap_or(self.theme),
            colour: match colour {
                Some("on") => true,
                Some("off") => false,
                _ => self.colour,
            },
            ..self
        }
    }

    /// Returns the style of a role.
    pub fn style(&self, role: Role) -> Style {
        if !self.colour {
            return Style::new();
        }
        if let Some(style) = self.palette.and_then(|palette| palette.style(self.theme, role)) {
            return style;
        }
        let dark = self.theme == Theme::Dark;
        let either = |on_dark: Color, on_light: Color| if dark { on_dark } else { on_light }.normal();
        match role {
            Role::Plain | Role::Operator | Role::Name => Style::new(),
            Role::Keyword => either(Color::Magenta, Color::Magenta),
            Role::Literal => either(Color::Cyan, Color::Blue),
            Role::String => Color::Green.normal(),
            Role::Tag => either(Color::Yellow, Color::Purple),
            Role::Type => either(Color::LightBlue, Color::Blue),
            Role::Comment => Style::new().dimmed().italic(),
            Role::Heading => Style::new().bold(),
            Role::Dim => Style::new().dimmed(),
            Role::Error => Color::Red.bold(),
            Role::Warning => either(Color::Yellow, Color::Magenta).bold(),
            Role::Note => either(Color::LightCyan, Color::Blue).bold(),
            Role::Wins => Color::Green.bold(),
            Role::Lost => Style::new().dimmed().strikethrough(),
            Role::Invalid => Color::Red.underline(),
        }
    }

    /// Returns the style of a bracket at the cursor and of its partner.
    pub fn matched(&self) -> Style {
        if self.colour { self.style(Role::Note).underline() } else { Style::new() }
    }

    /// Converts styled text. A style never extends past the end of a line.
    pub fn text(&self, styled: &Styled) -> String {
        let mut out = String::new();
        for (role, text) in styled.runs() {
            self.run(*role, text, &mut out);
        }
        out
    }

    /// Writes styled text; unstyled runs, which may be long, are written without a copy.
    pub fn send(&self, styled: &Styled, to: &mut impl std::io::Write) -> std::io::Result<()> {
        for (role, text) in styled.runs() {
            if self.style(*role).is_plain() {
                to.write_all(self.clean(text).as_bytes())?;
                continue;
            }
            let mut out = String::new();
            self.run(*role, text, &mut out);
            to.write_all(out.as_bytes())?;
        }
        Ok(())
    }

    fn run(&self, role: Role, text: &str, out: &mut String) {
        let text = self.clean(text);
        let style = self.style(role);
        if style.is_plain() {
            out.push_str(&text);
            return;
        }
        for (n, line) in text.split('\n').enumerate() {
            if n > 0 {
                out.push('\n');
            }
            if !line.is_empty() {
                let _ = write!(out, "{}", style.paint(line));
            }
        }
    }

    /// Converts unstyled text: escapes control characters if the stream is a terminal.
    pub fn clean<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.terminal { visible(text) } else { Cow::Borrowed(text) }
    }
}

/// Escapes characters that control the terminal, or that hide or reorder others, as `\u{…}`. Line ends and tabs are
/// kept.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_control) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_control(c) {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Reports whether a character controls the terminal or the direction of text.
fn is_control(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' => true,
        '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' => true,
        _ => c.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TERMINAL: Paint = Paint { colour: true, terminal: true, theme: Theme::Dark, palette: None };

    #[test]
    fn control_characters_of_the_user_never_reach_the_terminal() {
        let text = Styled::of(Role::String, "\"\u{1b}[2J\u{9b}x\u{202e}\r\u{7f}\"");
        let shown = TERMINAL.text(&text);
        assert!(shown.contains(r"\u{1b}[2J\u{9b}x\u{202e}\u{d}\u{7f}"), "{shown:?}");
        assert_eq!(Paint::PLAIN.text(&text), text.text());
    }

    #[test]
    fn a_style_ends_with_its_line() {
        let shown = TERMINAL.text(&Styled::of(Role::Error, "a\n\nb"));
        assert_eq!(shown, "\u{1b}[1;31ma\u{1b}[0m\n\n\u{1b}[1;31mb\u{1b}[0m");
    }

    #[test]
    fn without_colour_there_is_no_escape() {
        let paint = Paint { colour: false, ..TERMINAL };
        assert_eq!(paint.text(&Styled::of(Role::Error, "error: no")), "error: no");
    }
}
