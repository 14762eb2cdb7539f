//! Characters that look like others, or like nothing: text from a web page or a word processor has them.

/// The characters, with their names and what to write instead.
const ALL: [(&str, &str, &str); 14] = [
    ("\u{a0}", "no-break space", "write a blank"),
    ("\u{2007}", "figure space", "write a blank"),
    ("\u{202f}", "narrow no-break space", "write a blank"),
    ("\u{3000}", "ideographic space", "write a blank"),
    ("\u{200b}", "space without width", "delete it"),
    ("\u{200d}", "joiner without width", "delete it"),
    ("\u{feff}", "byte order mark", "delete it"),
    ("\u{201c}", "typographic quote", "write a straight one: `\"`"),
    ("\u{201d}", "typographic quote", "write a straight one: `\"`"),
    ("\u{201e}", "typographic quote", "write a straight one: `\"`"),
    ("\u{2018}", "typographic quote", "write a straight one: `\"`"),
    ("\u{2019}", "typographic quote", "write a straight one: `\"`"),
    ("\u{2013}", "dash", "write a minus sign: `-`"),
    ("\u{2212}", "minus sign of typography", "write that of the keyboard: `-`"),
];

/// Returns the name of such a character with its number, and what to write instead.
pub(crate) fn lookalike(token: &str) -> Option<(String, &'static str)> {
    let (text, name, instead) = ALL.iter().find(|(text, ..)| token.starts_with(text))?;
    let number = text.chars().next().map_or(0, u32::from);
    let shown = if name.contains("space") || name.contains("width") { String::new() } else { format!(" `{text}`") };
    Some((format!("{name}{shown} (U+{number:04X})"), instead))
}
