//! Syntax highlighting of an input, based on the lexer.

use super::grammar::YayGrammar;
use super::lexer::DIRECTIVES;
use super::token::Kind;
use crate::dialect::parser::{self, Highlight};
use crate::styled::Role;
use serde_json::{Value, json};

impl Highlight for YayGrammar {
    type State = ();
    const WORDS: &'static [&'static str] = &[];

    fn shape(kind: Kind) -> (&'static str, &'static str) {
        use Kind::*;
        match kind {
            Comment => ("comment", "comment"),
            Newline => ("newline", ""),
            Sign => ("sign", ""),
            Key => ("key", ""),
            Hyphen => ("hyphen", ""),
            Text => ("text", ""),
            Quote => ("quote", ""),
            Open => ("interpopen", ""),
            Close => ("interpclose", ""),
            EmptyDict | EmptyList => ("empty", ""),
            Block => ("blockmark", ""),
            Extend => ("extend", ""),
            Ident => ("word", ""),
            Result => ("result", ""),
            Number => ("number", ""),
            Double | Single => ("string", "quoted"),
            Error => ("invalid", ""),
            Eof => ("eof", ""),
            Cursor => ("cursor", ""),
            _ => ("", ""),
        }
    }

    fn role(_: &mut (), (kind, word): (Kind, &str), (before, next): (Option<Kind>, Option<Kind>), _: bool) -> Role {
        use Kind::*;
        let bound = matches!(before, Some(Set | Let | For | Macro | Prototype | As));
        match kind {
            Eof | Cursor | Newline | Indent | Dedent => Role::Plain,
            Error | Misplaced => Role::Invalid,
            Comment => Role::Comment,
            Key => Role::Name,
            Ident if bound || next == Some(Equals) => Role::Name,
            Ident | Result => Role::Plain,
            // a keyword after a dot is a name
            kind if kind.is_reserved() && before == Some(Dot) => Role::Plain,
            kind if kind.is_reserved() => Role::Keyword,
            Extend => Role::Keyword,
            Number => Role::Literal,
            Text if super::grammar::is_number(word) => Role::Literal,
            Text | Quote => Role::String,
            kind if kind.is_string() => Role::String,
            _ => Role::Operator,
        }
    }
}

/// Returns the tokens and roles for external highlighters.
pub fn scanner() -> Value {
    let directives: Vec<&str> = DIRECTIVES.iter().map(|(word, _)| *word).collect();
    parser::scanner::<YayGrammar>(Kind::ALL, Kind::PATTERNS, json!({ "directives": directives }))
}
