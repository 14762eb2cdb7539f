//! The tokens of mgmt's language.

use crate::dialect::parser::{self, Bracket, tokens};

/// A token: its kind and its bytes.
pub type Token = parser::Token<Kind>;

// The kind of a token. A string is one token; the lexer finds its end by hand.
tokens! {
    Comment = regex("#[^\n]*", allow_greedy = true);

    /// `name`: a variable, a function, a class, a kind of resources, a type.
    Ident = regex("[a-z]([a-z0-9_]*[a-z0-9])?");
    /// `Name`: the kind of a resource in an edge, `Meta`, `Before`, ….
    Capital = regex("[A-Z]([a-z0-9_]*[a-z0-9])?");
    /// `$3`: the result of the third input of the session. It cannot be assigned.
    Result = regex(r"\$[0-9]+");
    Int = regex("[0-9]+");
    Float = regex(r"[0-9]+\.[0-9]+");
    /// `"…"`
    Str = token("\"");

    @reserved {
        And = "and";
        As = "as";
        Class = "class";
        Else = "else";
        False = "false";
        Func = "func";
        If = "if";
        Import = "import";
        In = "in";
        Include = "include";
        Not = "not";
        Or = "or";
        Panic = "panic";
        Struct = "struct";
        True = "true";
    }

    LBrace = token("{");
    RBrace = token("}");
    LBracket = token("[");
    RBracket = token("]");
    LParen = token("(");
    RParen = token(")");
    Comma = token(",");
    Semicolon = token(";");
    Dot = token(".");
    Colon = token(":");
    Dollar = token("$");
    Equals = token("=");
    Rocket = token("=>");
    Elvis = token("?:");
    Arrow = token("->");
    Default = token("||");
    Except = token("<|>");
    EqEq = token("==");
    NotEq = token("!=");
    Less = token("<");
    LessEq = token("<=");
    Greater = token(">");
    GreaterEq = token(">=");
    Plus = token("+");
    Minus = token("-");
    Star = token("*");
    Slash = token("/");
}

impl Kind {
    /// Returns `true` if it begins a statement.
    pub fn starts_statement(self) -> bool {
        use Kind::*;
        matches!(self, Ident | Capital | Dollar | If | Func | Class | Include | Import | Panic)
    }
}

impl parser::TokenKind for Kind {
    const BRACKETS: &'static [(Kind, Kind, Bracket)] = &[
        (Kind::LParen, Kind::RParen, Bracket::Parenthesis),
        (Kind::LBracket, Kind::RBracket, Bracket::Square),
        (Kind::LBrace, Kind::RBrace, Bracket::Brace),
    ];

    fn separates(self) -> bool {
        matches!(self, Kind::Comma | Kind::Semicolon)
    }

    fn starts_term(self) -> bool {
        use Kind::*;
        matches!(
            self,
            Ident
                | Capital
                | Result
                | Int
                | Float
                | Str
                | Cursor
                | Class
                | False
                | Func
                | If
                | Import
                | Include
                | Not
                | Panic
                | Struct
                | True
                | LBrace
                | LBracket
                | LParen
                | Dollar
                | Minus
        )
    }

    fn continues(self) -> bool {
        matches!(self, Kind::Minus | Kind::LBracket | Kind::LBrace | Kind::LParen)
    }

    fn continues_on_next_line(self) -> bool {
        matches!(self, Kind::Equals | Kind::Rocket | Kind::Else | Kind::Arrow)
    }
}
