//! The tokens of `cfg`.

use crate::dialect::parser::{self, Bracket};
use logos::Logos;

/// A token: what it is and which bytes it covers.
pub type Token = parser::Token<Kind>;

/// What a token is. The parts of strings have no pattern here: the lexer reads them by hand, since they nest.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[logos(skip r"[ \t\r\n\f\u{FEFF}]+")]
#[allow(missing_docs)] // a token's name says which token it is
pub enum Kind {
    /// What no other token begins with.
    Error,
    /// The end of the input.
    Eof,
    /// The place that completion asks about; made from the name that stands there, possibly an empty one.
    Cursor,
    #[regex("#[^\n]*", allow_greedy = true)]
    Comment,

    #[regex("_*[a-zA-Z][_a-zA-Z0-9'-]*")]
    Ident,
    /// `$3`: the result of the session's third input. It can only be read.
    #[regex(r"\$[0-9]+")]
    Result,
    #[regex(r"[0-9]*\.?[0-9]+([eE][+\-]?[0-9]+)?")]
    Decimal,
    #[regex("0x[A-Fa-f0-9]+")]
    Hex,
    #[regex("0o[0-7]+")]
    Octal,
    #[regex("0b[01]+")]
    Binary,
    /// `'Tag`, and the old `` `Tag ``.
    #[regex("['`]_*[a-zA-Z][_a-zA-Z0-9'-]*")]
    Tag,
    /// `%name%`: an operation that only Nickel's own library is meant to use.
    #[regex("%[a-z_]+(/[a-z_0-9]+)?%")]
    Primop,

    /// `"`
    #[token("\"")]
    StrOpen,
    /// `'"`
    #[regex("['`]\"")]
    TagStrOpen,
    /// `m%"`
    #[regex("m%+\"")]
    MultiOpen,
    /// `prefix-s%"`
    #[regex("[a-zA-Z][_a-zA-Z0-9'-]*-s%+\"")]
    SymbolicOpen,
    /// Text in a string, as is.
    StrText,
    /// One escape sequence.
    StrEscape,
    /// `%{`
    InterpOpen,
    /// The `}` that ends an interpolated expression.
    InterpClose,
    /// What ends a string of any kind.
    StrClose,

    #[token("Dyn")]
    Dyn,
    #[token("Number")]
    NumberType,
    #[token("Bool")]
    BoolType,
    #[token("String")]
    StringType,
    #[token("Array")]
    ArrayType,
    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("else")]
    Else,
    #[token("forall")]
    Forall,
    #[token("in")]
    In,
    #[token("let")]
    Let,
    #[token("rec")]
    Rec,
    #[token("match")]
    Match,
    #[token("null")]
    Null,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("fun")]
    Fun,
    #[token("import")]
    Import,
    #[token("default")]
    Default,
    #[token("doc")]
    Doc,
    #[token("optional")]
    Optional,
    #[token("priority")]
    Priority,
    #[token("force")]
    Force,
    #[token("not_exported")]
    NotExported,
    // Names everywhere but where the grammar gives them a meaning.
    #[token("or")]
    Or,
    #[token("as")]
    As,
    #[token("include")]
    Include,

    #[token("?")]
    Question,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("=")]
    Equals,
    #[token("==")]
    EqEq,
    #[token("!=")]
    NotEq,
    #[token("&")]
    Amp,
    #[token(".")]
    Dot,
    #[token("..")]
    Ellipsis,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("++")]
    PlusPlus,
    #[token("@")]
    At,
    #[token("&&")]
    AndAnd,
    #[token("||")]
    OrOr,
    #[token("!")]
    Bang,
    #[token("|")]
    Pipe,
    #[token("|>")]
    PipeRight,
    #[token("->")]
    Arrow,
    #[token("=>")]
    FatArrow,
    #[token("_")]
    Underscore,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEq,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEq,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    #[token("[")]
    LBracket,
    #[token("]")]
    RBracket,
    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("[|")]
    EnumOpen,
    #[token("|]")]
    EnumClose,
}

impl Kind {
    /// Whether it can name a variable.
    pub fn is_name(self) -> bool {
        matches!(self, Kind::Ident | Kind::Or | Kind::As | Kind::Include)
    }

    /// Whether it can name a field: names, and the words of metadata.
    pub fn is_field_name(self) -> bool {
        self.is_name()
            || matches!(
                self,
                Kind::Default | Kind::Doc | Kind::Optional | Kind::Priority | Kind::Force | Kind::NotExported
            )
    }

    /// Whether it is a word that names nothing.
    pub fn is_reserved(self) -> bool {
        use Kind::*;
        matches!(
            self,
            Dyn | NumberType
                | BoolType
                | StringType
                | ArrayType
                | If
                | Then
                | Else
                | Forall
                | In
                | Let
                | Rec
                | Match
                | Null
                | True
                | False
                | Fun
                | Import
                | Default
                | Doc
                | Optional
                | Priority
                | Force
                | NotExported
        )
    }

    /// Whether it begins a string.
    pub fn opens_string(self) -> bool {
        matches!(self, Kind::StrOpen | Kind::MultiOpen | Kind::SymbolicOpen)
    }

    /// Whether it begins an atom: the argument of an application.
    pub fn starts_atom(self) -> bool {
        use Kind::*;
        self.is_name()
            || self.opens_string()
            || matches!(
                self,
                LParen
                    | Decimal
                    | Hex
                    | Octal
                    | Binary
                    | Null
                    | True
                    | False
                    | LBrace
                    | Tag
                    | TagStrOpen
                    | LBracket
                    | Dyn
                    | NumberType
                    | BoolType
                    | StringType
                    | EnumOpen
                    | Underscore
                    | Result
                    | Cursor
            )
    }

    /// Whether it begins a pattern.
    pub fn starts_pattern(self) -> bool {
        use Kind::*;
        self.is_name()
            || matches!(
                self,
                LBrace
                    | LBracket
                    | LParen
                    | Tag
                    | TagStrOpen
                    | Underscore
                    | Null
                    | True
                    | False
                    | Decimal
                    | Hex
                    | Octal
                    | Binary
                    | Minus
                    | StrOpen
            )
    }
}

impl parser::TokenKind for Kind {
    const EOF: Kind = Kind::Eof;

    fn opens(self) -> Option<Bracket> {
        Some(match self {
            Kind::LParen => Bracket::Parenthesis,
            Kind::LBracket => Bracket::Square,
            Kind::LBrace => Bracket::Brace,
            Kind::EnumOpen => Bracket::EnumType,
            Kind::InterpOpen => Bracket::Interpolation,
            _ => return None,
        })
    }

    fn closes(self) -> Option<Bracket> {
        Some(match self {
            Kind::RParen => Bracket::Parenthesis,
            Kind::RBracket => Bracket::Square,
            Kind::RBrace => Bracket::Brace,
            Kind::EnumClose => Bracket::EnumType,
            Kind::InterpClose => Bracket::Interpolation,
            _ => return None,
        })
    }

    fn separates(self) -> bool {
        matches!(self, Kind::Comma | Kind::Semicolon)
    }

    fn starts_term(self) -> bool {
        use Kind::*;
        self.starts_atom()
            || matches!(self, Let | Fun | If | Import | Forall | Match | ArrayType | Minus | Bang | Primop)
    }

    fn continues(self) -> bool {
        self == Kind::Minus
    }

    fn hangs(self) -> bool {
        matches!(self, Kind::Equals | Kind::FatArrow | Kind::Then | Kind::Else)
    }
}
