//! Colours of an input, by the real lexer.

use super::grammar::Cfg;
use super::token::Kind::{self, *};
use super::token::Token;
use crate::dialect::parser;
use crate::styled::Role;
use std::ops::Range;

/// The roles of an input's parts, in order, without overlap. O(length).
pub fn highlight(text: &str) -> Vec<(Range<usize>, Role)> {
    let (mut tag, mut path, mut end) = (false, Start::Nowhere, 0);
    parser::roles::<Cfg>(text, |token, before, next| {
        let fresh = text.get(end..token.start as usize).is_some_and(|between| between.contains('\n'));
        end = token.end as usize;
        path = path.then(token.kind, before, fresh);
        let defined = match path {
            Start::Sure => matches!(next, Some(Equals | Pipe | Colon)),
            Start::Line => next == Some(Equals),
            Start::Nowhere => false,
        };
        role(token, before, next, defined, text, &mut tag)
    })
}

/// Whether a token is part of a path `a.b` that stands where a definition may begin.
#[derive(Clone, Copy)]
enum Start {
    /// It does not: what stands behind `|` is metadata or a contract, `| default = 1`, `| Port = 80`.
    Nowhere,
    /// On a line of its own, which may also go on with the one before.
    Line,
    /// Surely.
    Sure,
}

impl Start {
    /// What the next token is; `fresh` says that it begins a line.
    fn then(self, kind: Kind, before: Option<Kind>, fresh: bool) -> Start {
        match before {
            _ if matches!(kind, Dot | StrText | StrEscape | StrClose) => self,
            Some(Dot) => self,
            None | Some(LBrace | Comma | Semicolon | Let | Rec) => Start::Sure,
            Some(Pipe | Colon) => Start::Nowhere,
            _ if fresh => Start::Line,
            _ => Start::Nowhere,
        }
    }
}

/// `tag` says whether the string that tokens are in is a quoted enum tag.
fn role(token: Token, before: Option<Kind>, next: Option<Kind>, defined: bool, text: &str, tag: &mut bool) -> Role {
    let begins = matches!(before, None | Some(LBrace | Comma | Semicolon | Let | Rec));
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
        Default | Doc | Optional | Priority | Force | NotExported if defined && before != Some(Rec) => Role::Name,
        kind if kind.is_reserved() => Role::Keyword,
        _ => Role::Operator,
    }
}
