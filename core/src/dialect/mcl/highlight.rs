//! Syntax highlighting of an input, based on the lexer.

use super::grammar::{MclGrammar, NEWEST_WORDS};
use super::token::Kind;
use crate::dialect::parser::{self, Highlight};
use crate::styled::Role;
use serde_json::Value;

impl<const N: bool> Highlight for MclGrammar<N> {
    type State = ();
    const WORDS: &'static [&'static str] = &["bool", "str", "int", "float", "map", "variant"];

    fn shape(kind: Kind) -> (&'static str, &'static str) {
        use Kind::*;
        match kind {
            Comment => ("comment", "comment"),
            Ident => ("word", ""),
            Capital => ("capital", ""),
            Result => ("result", ""),
            Int | Float => ("number", ""),
            Str => ("string", "quoted"),
            True | False => ("literal", ""),
            Error => ("invalid", ""),
            Eof => ("eof", ""),
            Cursor => ("cursor", ""),
            _ => ("", ""),
        }
    }

    fn role(_: &mut (), (kind, word): (Kind, &str), (before, next): (Option<Kind>, Option<Kind>), _: bool) -> Role {
        use Kind::*;
        let is_type = Self::WORDS.contains(&word) && !matches!(next, Some(LParen | Dot | Rocket));
        match kind {
            Eof | Cursor => Role::Plain,
            Error => Role::Invalid,
            Comment => Role::Comment,
            Ident if before == Some(Dollar) => Role::Name,
            Ident if N && NEWEST_WORDS.contains(&word) => Role::Keyword,
            Ident if is_type => Role::Type,
            Ident if next == Some(Rocket) || matches!(before, Some(Class | Func)) => Role::Name,
            Ident | Result => Role::Plain,
            Capital => Role::Tag,
            Str => Role::String,
            Int | Float | True | False => Role::Literal,
            Dollar => Role::Name,
            kind if kind.is_reserved() => Role::Keyword,
            _ => Role::Operator,
        }
    }
}

/// Returns the tokens and roles for external highlighters.
pub fn scanner() -> Value {
    parser::scanner::<MclGrammar<false>>(Kind::ALL, Kind::PATTERNS, Value::Null)
}
