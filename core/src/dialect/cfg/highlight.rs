//! Colours of an input, by the real lexer.

use super::grammar::Cfg;
use super::token::{Kind, Token};
use crate::dialect::parser;
use crate::styled::Role;
use std::ops::Range;

/// The roles of an input's parts, in order, without overlap. O(length).
pub fn highlight(text: &str) -> Vec<(Range<usize>, Role)> {
    let mut tag = false;
    parser::roles::<Cfg>(text, |token, before, next| role(token, before, next, text, &mut tag))
}

/// `tag` says whether the string that tokens are in is a quoted enum tag.
fn role(token: Token, before: Option<Kind>, next: Option<Kind>, text: &str, tag: &mut bool) -> Role {
    use Kind::*;
    let begins = matches!(before, None | Some(LBrace | Comma | Semicolon | Let | Rec));
    let defined = next == Some(Equals) || (begins && matches!(next, Some(Pipe | Colon)));
    match token.kind {
        Eof | Cursor => Role::Plain,
        Error => Role::Invalid,
        Comment => Role::Comment,
        Include if begins && next.is_some_and(|k| k.is_field_name() || k == LBracket) => Role::Keyword,
        As if matches!(next, Some(Tag | TagStrOpen)) => Role::Keyword,
        Ident | Or | As | Include | Result => {
            let word = text.get(token.start as usize..token.end as usize).unwrap_or("");
            match word {
                _ if defined => Role::Name,
                "Num" | "Str" | "List" => Role::Type,
                "merge" | "when" | "secret" if before == Some(Pipe) => Role::Keyword,
                _ => Role::Plain,
            }
        }
        Decimal | Hex | Octal | Binary | Null | True | False => Role::Literal,
        Tag => Role::Tag,
        TagStrOpen => {
            *tag = true;
            Role::Tag
        }
        StrOpen | MultiOpen | SymbolicOpen => {
            *tag = false;
            Role::String
        }
        StrText | StrEscape | StrClose => match *tag {
            true => {
                *tag = token.kind != StrClose;
                Role::Tag
            }
            false => Role::String,
        },
        Dyn | NumberType | BoolType | StringType | ArrayType => Role::Type,
        Default | Doc | Optional | Priority | Force | NotExported if defined => Role::Name,
        kind if kind.is_reserved() => Role::Keyword,
        _ => Role::Operator,
    }
}
