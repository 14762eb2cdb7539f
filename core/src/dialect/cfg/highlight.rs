//! Syntax highlighting of an input, based on the lexer.

use super::grammar::Cfg;
use super::token::Kind::{self, *};
use crate::dialect::parser::{self, Highlight};
use crate::styled::Role;
use serde_json::{Value, json};

/// The state between two tokens.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct State {
    /// Whether the current string is a quoted enum tag.
    tag: bool,
    path: Start,
}

impl Highlight for Cfg {
    type State = State;
    const WORDS: &'static [&'static str] = &["Num", "Str", "List", "merge", "when", "secret"];

    fn shape(kind: Kind) -> (&'static str, &'static str) {
        match kind {
            Comment => ("comment", "comment"),
            Ident => ("word", ""),
            Result => ("result", ""),
            Decimal | Hex | Octal | Binary => ("number", ""),
            Tag => ("tag", ""),
            Primop => ("primop", "primop"),
            StrOpen => ("open", "nested"),
            TagStrOpen => ("tagopen", "nested"),
            MultiOpen | SymbolicOpen => ("multi", "nested"),
            StrText => ("text", ""),
            StrEscape => ("escape", ""),
            StrClose => ("close", ""),
            InterpOpen => ("interpopen", ""),
            InterpClose => ("interpclose", ""),
            Null | True | False => ("literal", ""),
            Dyn | NumberType | BoolType | StringType | ArrayType => ("type", ""),
            Error => ("invalid", ""),
            Eof => ("eof", ""),
            Cursor => ("cursor", ""),
            _ => ("", ""),
        }
    }

    fn role(
        state: &mut State,
        (kind, word): (Kind, &str),
        (before, next): (Option<Kind>, Option<Kind>),
        fresh: bool,
    ) -> Role {
        state.path = state.path.then(kind, before, fresh);
        let defined = match state.path {
            Start::Sure => matches!(next, Some(Equals | Pipe | Colon)),
            Start::Line => next == Some(Equals),
            Start::Nowhere => false,
        };
        role(kind, word, before, next, defined, &mut state.tag)
    }
}

/// Returns the tokens and roles for external highlighters.
pub fn scanner() -> Value {
    let more = json!({
        // the text that logos skips after an error: it could have begun a tag
        "invalid": "['`]_*",
        "primops": super::primop::known(),
        "names": Kind::ALL.iter().filter(|kind| kind.is_name()).map(|kind| Cfg::shape(*kind).0).collect::<Vec<_>>(),
    });
    parser::scanner::<Cfg>(Kind::ALL, Kind::PATTERNS, more)
}

/// Whether a token is part of a path `a.b` at a place where a definition may begin.
#[derive(Clone, Copy, Default, PartialEq)]
enum Start {
    /// A definition cannot begin here. For example, metadata or a contract follows `|`: `| default = 1`, `| Port = 80`.
    #[default]
    Nowhere,
    /// The token begins a line, which may also continue the line before.
    Line,
    /// A definition begins here.
    Sure,
}

impl Start {
    /// Returns the state at the next token. `fresh` is `true` if that token begins a line.
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

/// Returns the role of a token. `tag` is `true` in a quoted enum tag.
fn role(kind: Kind, word: &str, before: Option<Kind>, next: Option<Kind>, defined: bool, tag: &mut bool) -> Role {
    let begins = matches!(before, None | Some(LBrace | Comma | Semicolon | Let | Rec));
    match kind {
        Eof | Cursor => Role::Plain,
        Error => Role::Invalid,
        Comment => Role::Comment,
        Include if begins && next.is_some_and(|k| k.is_field_name() || k == LBracket) => Role::Keyword,
        As if matches!(next, Some(Tag | TagStrOpen)) => Role::Keyword,
        Ident | Or | As | Include | Result => match word {
            _ if defined => Role::Name,
            "Num" | "Str" | "List" => Role::Type,
            "merge" | "when" | "secret" if before == Some(Pipe) => Role::Keyword,
            _ => Role::Plain,
        },
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
                *tag = kind != StrClose;
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
