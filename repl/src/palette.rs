//! The terminal's background, and the user's colours for it.

use cfg_core::Role;
use cfg_core::config::{Background, Colour, ROLES, TextStyle};
use nu_ansi_term::{Color, Style};

/// The terminal's background.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Theme {
    /// A dark background.
    #[default]
    Dark,
    /// A light background.
    Light,
}

impl Theme {
    /// Returns the theme with a name, as in `:set theme`.
    pub fn from_name(name: &str) -> Option<Theme> {
        match name {
            "dark" => Some(Theme::Dark),
            "light" => Some(Theme::Light),
            _ => None,
        }
    }

    /// Reads the background from the last number of `COLORFGBG`, which rxvt, Konsole and others set. Dark by default.
    pub fn from_environment() -> Theme {
        let said = std::env::var("COLORFGBG").unwrap_or_default();
        match said.rsplit(';').next().and_then(|n| n.parse::<u8>().ok()) {
            Some(7 | 9..=15) => Theme::Light,
            _ => Theme::Dark,
        }
    }
}

/// The configured styles of roles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Palette {
    dark: [Option<Style>; ROLES.len()],
    light: [Option<Style>; ROLES.len()],
}

impl Palette {
    /// Creates a palette from a configuration. A colour for one background takes precedence over a colour for both.
    pub fn new(colours: &[(Background, Role, TextStyle)]) -> Palette {
        let mut palette = Palette { dark: [None; ROLES.len()], light: [None; ROLES.len()] };
        let both = colours.iter().filter(|(ground, ..)| *ground == Background::Any);
        let one = colours.iter().filter(|(ground, ..)| *ground != Background::Any);
        for (ground, role, text_style) in both.chain(one) {
            let Some(at) = place(*role) else { continue };
            let style = Some(style(text_style));
            if *ground != Background::Light
                && let Some(slot) = palette.dark.get_mut(at)
            {
                *slot = style;
            }
            if *ground != Background::Dark
                && let Some(slot) = palette.light.get_mut(at)
            {
                *slot = style;
            }
        }
        palette
    }

    /// Returns the style of a role, or `None` if it is not configured.
    pub fn style(&self, theme: Theme, role: Role) -> Option<Style> {
        let styles = match theme {
            Theme::Dark => &self.dark,
            Theme::Light => &self.light,
        };
        styles.get(place(role)?).copied().flatten()
    }
}

fn place(role: Role) -> Option<usize> {
    ROLES.iter().position(|(_, known)| *known == role)
}

fn style(from: &TextStyle) -> Style {
    Style {
        foreground: from.text.map(colour),
        background: from.background.map(colour),
        is_bold: from.bold,
        is_dimmed: from.dim,
        is_italic: from.italic,
        is_underline: from.underline,
        is_reverse: from.reverse,
        is_strikethrough: from.strike,
        ..Style::new()
    }
}

fn colour(colour: Colour) -> Color {
    const NAMED: [Color; 16] = [
        Color::Black,
        Color::Red,
        Color::Green,
        Color::Yellow,
        Color::Blue,
        Color::Magenta,
        Color::Cyan,
        Color::White,
        Color::DarkGray,
        Color::LightRed,
        Color::LightGreen,
        Color::LightYellow,
        Color::LightBlue,
        Color::LightMagenta,
        Color::LightCyan,
        Color::LightGray,
    ];
    match colour {
        // the sixteen colours have codes of their own, which terminals without 256 colours support too
        Colour::Index(index) => NAMED.get(usize::from(index)).copied().unwrap_or(Color::Fixed(index)),
        Colour::Rgb(r, g, b) => Color::Rgb(r, g, b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::Paint;

    #[test]
    fn a_colour_for_one_background_takes_precedence_over_one_for_both() {
        let style = |text: &str| TextStyle::read(text).unwrap();
        let palette = Palette::new(&[
            (Background::Light, Role::Keyword, style("blue underline")),
            (Background::Any, Role::Keyword, style("208")),
        ]);
        let palette: &'static Palette = Box::leak(Box::new(palette));
        let style = |theme, role| Paint { colour: true, terminal: true, theme, palette: Some(palette) }.style(role);
        assert_eq!(style(Theme::Light, Role::Keyword), Color::Blue.underline());
        assert_eq!(style(Theme::Dark, Role::Keyword), Color::Fixed(208).normal());
        assert_eq!(style(Theme::Dark, Role::String), Color::Green.normal());
    }
}
