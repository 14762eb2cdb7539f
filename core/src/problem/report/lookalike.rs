//! Characters that look like others, or like nothing: text from a web page or a word processor has them.

/// The characters, with their names and what to write instead.
const ALL: [(&str, &str, &str); 14] = [
    ("\u{a0}", "a no-break space", "write a blank"),
    ("\u{2007}", "a figure space", "write a blank"),
    ("\u{202f}", "a narrow no-break space", "write a blank"),
    ("\u{3000}", "an ideographic space", "write a blank"),
    ("\u{200b}", "a space without width", "delete it"),
    ("\u{200d}", "a joiner without width", "delete it"),
    ("\u{feff}", "a byte order mark", "delete it"),
    ("\u{201c}", "a typographic quote", "write a straight one: `\"`"),
    ("\u{201d}", "a typographic quote", "write a straight one: `\"`"),
    ("\u{201e}", "a typographic quote", "write a straight one: `\"`"),
    ("\u{2018}", "a typographic quote", "write a straight one: `\"`"),
    ("\u{2019}", "a typographic quote", "write a straight one: `\"`"),
    ("\u{2013}", "a dash", "write a minus sign: `-`"),
    ("\u{2212}", "a minus sign of typography", "write that of the keyboard: `-`"),
];

/// Returns the name of such a character with its number, and what to write instead.
pub(crate) fn lookalike(token: &str) -> Option<(String, &'static str)> {
    let (text, name, instead) = ALL.iter().find(|(text, ..)| token.starts_with(text))?;
    let number = text.chars().next().map_or(0, u32::from);
    let shown = if name.contains("space") || name.contains("width") { String::new() } else { format!(" `{text}`") };
    Some((format!("{name}{shown} (U+{number:04X})"), instead))
}
