//! Syntax highlighting of an input, based on the lexer.

use super::grammar::YayGrammar;
use super::token::Kind;
use crate::dialect::parser::Highlight;
use crate::styled::Role;

impl Highlight for YayGrammar {
    type State = ();
    const WORDS: &'static [&'static str] = &[];

    fn shape(kind: Kind) -> (&'static str, &'static str) {
        use Kind::*;
        match kind {
            Comment => ("comment", "comment"),
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
