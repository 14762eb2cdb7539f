//! The terminal's background, and the user's colours for it.

use cfg_core::Role;
use cfg_core::config::{Background, Colour, Look, ROLES};
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
    pub fn new(colours: &[(Background, Role, Look)]) -> Palette {
        let mut palette = Palette { dark: [None; ROLES.len()], light: [None; ROLES.len()] };
        let both = colours.iter().filter(|(ground, ..)| *ground == Background::Any);
        let one = colours.iter().filter(|(ground, ..)| *ground != Background::Any);
        for (ground, role, look) in both.chain(one) {
            let Some(at) = place(*role) else { continue };
            let style = Some(style(look));
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

fn style(look: &Look) -> Style {
    Style {
        foreground: look.text.map(colour),
        background: look.ground.map(colour),
        is_bold: look.bold,
        is_dimmed: look.dim,
        is_italic: look.italic,
        is_underline: look.underline,
        is_reverse: look.reverse,
        is_strikethrough: look.strike,
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
        let look = |text: &str| Look::read(text).unwrap();
        let palette = Palette::new(&[
            (Background::Light, Role::Keyword, look("blue underline")),
            (Background::Any, Role::Keyword, look("208")),
        ]);
        let palette: &'static Palette = Box::leak(Box::new(palette));
        let style = |theme, role| Paint { colour: true, terminal: true, theme, palette: Some(palette) }.style(role);
        assert_eq!(style(Theme::Light, Role::Keyword), Color::Blue.underline());
        assert_eq!(style(Theme::Dark, Role::Keyword), Color::Fixed(208).normal());
        assert_eq!(style(Theme::Dark, Role::String), Color::Green.normal());
    }
}
