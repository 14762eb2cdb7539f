//! The look of a role, as a configuration describes it: `magenta bold`, `#ff8800 on black`, `underline`.

use crate::styled::Role;

/// The background for which a look is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Background {
    /// Any.
    Any,
    /// A dark one.
    Dark,
    /// A light one.
    Light,
}

impl Background {
    /// Returns the background with a table's name.
    pub fn of_name(name: &str) -> Option<Background> {
        match name {
            "dark" => Some(Background::Dark),
            "light" => Some(Background::Light),
            _ => None,
        }
    }
}

/// The names of the roles.
pub const ROLES: [(&str, Role); 17] = [
    ("plain", Role::Plain),
    ("keyword", Role::Keyword),
    ("literal", Role::Literal),
    ("string", Role::String),
    ("tag", Role::Tag),
    ("name", Role::Name),
    ("type", Role::Type),
    ("operator", Role::Operator),
    ("comment", Role::Comment),
    ("heading", Role::Heading),
    ("dim", Role::Dim),
    ("error", Role::Error),
    ("warning", Role::Warning),
    ("note", Role::Note),
    ("wins", Role::Wins),
    ("lost", Role::Lost),
    ("invalid", Role::Invalid),
];

/// A colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// One of the terminal's 256 colours. The user's palette defines the first 16.
    Index(u8),
    /// Red, green and blue.
    Rgb(u8, u8, u8),
}

/// A text style.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TextStyle {
    /// The colour of the text.
    pub text: Option<Colour>,
    /// The background colour.
    pub background: Option<Colour>,
    /// `bold`
    pub bold: bool,
    /// `dim`
    pub dim: bool,
    /// `italic`
    pub italic: bool,
    /// `underline`
    pub underline: bool,
    /// `reverse`
    pub reverse: bool,
    /// `strike`
    pub strike: bool,
}

/// The named colours, in the order of their numbers.
const NAMES: [&str; 16] = [
    "black",
    "red",
    "green",
    "yellow",
    "blue",
    "magenta",
    "cyan",
    "white",
    "bright-black",
    "bright-red",
    "bright-green",
    "bright-yellow",
    "bright-blue",
    "bright-magenta",
    "bright-cyan",
    "bright-white",
];

/// The style words.
const STYLES: [&str; 6] = ["bold", "dim", "italic", "underline", "reverse", "strike"];

/// All words that a look may contain, except numbers.
pub fn words() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter().chain(STYLES).chain(["on", "none", "grey"])
}

impl TextStyle {
    /// Parses a look: colours and styles in any order, the background after `on`; `none` is plain. Fails with the first
    /// unknown word.
    pub fn read(text: &str) -> Result<TextStyle, String> {
        let mut style = TextStyle::default();
        let mut background = false;
        for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
            match word {
                "on" => background = true,
                "none" => {}
                "bold" => style.bold = true,
                "dim" => style.dim = true,
                "italic" => style.italic = true,
                "underline" => style.underline = true,
                "reverse" => style.reverse = true,
                "strike" => style.strike = true,
                _ => {
                    let colour = Some(Colour::read(word).ok_or_else(|| String::from(word))?);
                    match std::mem::take(&mut background) {
                        true => style.background = colour,
                        false => style.text = colour,
                    }
                }
            }
        }
        if background { Err(String::from("on")) } else { Ok(style) }
    }
}

impl Colour {
    /// Parses a colour: a name, a number from 0 to 255, or `#rrggbb`.
    fn read(word: &str) -> Option<Colour> {
        if let Some(hex) = word.strip_prefix('#') {
            let part = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
            return match hex.len() {
                6 => Some(Colour::Rgb(part(0)?, part(2)?, part(4)?)),
                _ => None,
            };
        }
        if word == "grey" || word == "gray" {
            return Some(Colour::Index(8));
        }
        let named = NAMES.iter().position(|name| *name == word).and_then(|index| u8::try_from(index).ok());
        named.or_else(|| word.parse().ok()).map(Colour::Index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_read() {
        let plain = TextStyle::default();
        let index = |n| Some(Colour::Index(n));
        for (text, expected) in [
            ("", Ok(plain)),
            ("none", Ok(plain)),
            ("magenta bold", Ok(TextStyle { text: index(5), bold: true, ..plain })),
            ("underline, bright-red", Ok(TextStyle { text: index(9), underline: true, ..plain })),
            ("208 on grey", Ok(TextStyle { text: index(208), background: index(8), ..plain })),
            ("#ff8000", Ok(TextStyle { text: Some(Colour::Rgb(255, 128, 0)), ..plain })),
            ("on 1 bold", Ok(TextStyle { background: index(1), bold: true, ..plain })),
            ("magneta", Err("magneta")),
            ("red on", Err("on")),
            ("256", Err("256")),
            ("#ff80", Err("#ff80")),
            ("#ff80é", Err("#ff80é")),
        ] {
            assert_eq!(TextStyle::read(text), expected.map_err(String::from), "{text}");
        }
    }
}
