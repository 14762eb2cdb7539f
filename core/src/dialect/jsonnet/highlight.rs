//! Syntax highlighting of an input, based on the lexer.

use super::grammar::JsonnetGrammar;
use super::token::Kind;
use crate::dialect::parser::{self, Highlight};
use crate::styled::Role;
use serde_json::Value;

impl Highlight for JsonnetGrammar {
    type State = ();
    const WORDS: &'static [&'static str] = &[];

    fn shape(kind: Kind) -> (&'static str, &'static str) {
        use Kind::*;
        match kind {
            Comment => ("comment", "comment"),
            Block => ("comment", "closed"),
            Ident => ("word", ""),
            Result => ("result", ""),
            Number => ("number", ""),
            Double | Single => ("string", "quoted"),
            VerbatimDouble | VerbatimSingle => ("string", "verbatim"),
            TextBlock => ("text", "block"),
            Null | True | False => ("literal", ""),
            Error => ("invalid", ""),
            Eof => ("eof", ""),
            Cursor => ("cursor", ""),
            _ => ("", ""),
        }
    }

    fn role(_: &mut (), (kind, _): (Kind, &str), (before, next): (Option<Kind>, Option<Kind>), _: bool) -> Role {
        role(kind, before, next)
    }
}

/// Returns the tokens and roles for external highlighters.
pub fn scanner() -> Value {
    parser::scanner::<JsonnetGrammar>(Kind::ALL, Kind::PATTERNS, Value::Null)
}

fn role(kind: Kind, before: Option<Kind>, next: Option<Kind>) -> Role {
    use Kind::*;
    // the definition of a field or a method, or the binding of a variable
    let begins = matches!(before, Some(LBrace | Comma));
    let field = begins && next.is_some_and(Kind::is_colon);
    let bound = matches!(before, Some(Local | For)) || next == Some(Equals);
    match kind {
        Eof | Cursor => Role::Plain,
        Error => Role::Invalid,
        Comment | Block => Role::Comment,
        Ident if field || bound => Role::Name,
        Ident | Result => Role::Plain,
        Double | Single | VerbatimDouble | VerbatimSingle if field => Role::Name,
        kind if kind.is_string() => Role::String,
        Number | Null | True | False => Role::Literal,
        kind if kind.is_reserved() => Role::Keyword,
        Dollar => Role::Keyword,
        _ => Role::Operator,
    }
}
