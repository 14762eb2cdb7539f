//! Colours of an input, by the real lexer.

use super::grammar::JsonnetGrammar;
use super::token::{Kind, Token};
use crate::dialect::parser;
use crate::styled::Role;
use std::ops::Range;

/// The roles of an input's parts, in order, without overlap. O(length).
pub fn highlight(text: &str) -> Vec<(Range<usize>, Role)> {
    parser::roles::<JsonnetGrammar>(text, role)
}

fn role(token: Token, before: Option<Kind>, next: Option<Kind>) -> Role {
    use Kind::*;
    // a field or a method where it is defined, a variable where it is bound
    let begins = matches!(before, Some(LBrace | Comma));
    let field = begins && next.is_some_and(Kind::is_colon);
    let bound = matches!(before, Some(Local | For)) || next == Some(Equals);
    match token.kind {
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
