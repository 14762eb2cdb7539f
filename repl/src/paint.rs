//! Roles as colours. Colour only repeats what the words say, so that a stream without it loses nothing.
//!
//! The sixteen colours of the terminal are used, never fixed ones: they are the ones its owner chose to
//! be readable on its background.

use crate::palette::{Palette, Theme};
use cfg_core::view::{Role, Styled};
use nu_ansi_term::{Color, Style};
use std::borrow::Cow;
use std::fmt::Write;

/// How text is sent to one stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paint {
    /// Whether there are colours.
    pub colour: bool,
    /// Whether the stream is a terminal, so that control characters must not reach it.
    pub terminal: bool,
    /// Dark or light.
    pub theme: Theme,
    /// The user's own colours.
    pub palette: Option<&'static Palette>,
}

impl Paint {
    /// Text for a stream that is not a terminal.
    pub const PLAIN: Paint = Paint { colour: false, terminal: false, theme: Theme::Dark, palette: None };

    /// The style of a role.
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

    /// The style of a bracket at the cursor and of its partner.
    pub fn matched(&self) -> Style {
        if self.colour { self.style(Role::Note).underline() } else { Style::new() }
    }

    /// Styled text as it is sent. A style never reaches over the end of a line.
    pub fn text(&self, styled: &Styled) -> String {
        let mut out = String::new();
        for (role, text) in styled.runs() {
            self.run(*role, text, &mut out);
        }
        out
    }

    /// Sends styled text; plain runs, which may be long, as they are.
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

    /// Plain text as it is sent.
    pub fn clean<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.terminal { visible(text) } else { Cow::Borrowed(text) }
    }
}

/// The text with every character that a terminal would obey, or that would hide or reorder others,
/// written as `\u{…}`. Line ends and tabs stay.
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

/// Whether a character steers the terminal or the direction of text.
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
