//! Parsers of the names that options take: languages, formats, drawings.

use cfg_core::{Dialect, Drawing, Format, Languages, Medium};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Returns a parser for a fixed set of names; help and completions list them.
fn one_of<T: Clone + Send + Sync + 'static>(
    names: &'static [&'static str],
    of: fn(&str) -> Option<T>,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(names).try_map(move |name| of(&name).ok_or("unknown name"))
}

/// Returns a parser for all languages.
pub fn dialect(languages: Languages) -> impl TypedValueParser<Value = Dialect> {
    // languages that are not built yet are refused with a message, and not offered
    let known = languages.all().map(|known| PossibleValue::new(known.name()).hide(!known.is_built()));
    PossibleValuesParser::new(known).try_map(move |name| languages.named(&name).ok_or("unknown name"))
}

/// Returns a parser for the languages that a session supports.
pub fn session_language(languages: Languages) -> impl TypedValueParser<Value = Dialect> {
    let known = languages.all().filter(|known| known.has_cells());
    let known = known.map(|known| PossibleValue::new(known.name()).hide(!known.is_built()));
    PossibleValuesParser::new(known).try_map(move |name| languages.named(&name).ok_or("unknown name"))
}

pub fn drawing() -> impl TypedValueParser<Value = Drawing> {
    one_of(&["text", "dot", "mermaid", "svg", "json"], Drawing::from_name)
}

pub fn text_or_json() -> impl TypedValueParser<Value = Medium> {
    one_of(&["text", "json"], Medium::from_name)
}

pub fn medium() -> impl TypedValueParser<Value = Medium> {
    one_of(&["text", "json", "html"], Medium::from_name)
}

pub fn format() -> impl TypedValueParser<Value = Format> {
    one_of(&["json", "yaml", "toml", "text", "properties", "dotenv"], Format::from_name)
}
