//! The tokens of Jsonnet.

use crate::dialect::parser::{self, Bracket, tokens};

/// A token: its kind and its bytes.
pub type Token = parser::Token<Kind>;

// The kind of a token. A string is one token; the lexer finds its end by hand.
tokens! {
    Comment = regex("#[^\n]*", allow_greedy = true), regex("//[^\n]*", allow_greedy = true);
    /// `/* … */`. The lexer finds its end by hand.
    Block = token("/*");

    Ident = regex("[_a-zA-Z][_a-zA-Z0-9]*");
    /// `$3`: the result of the third input of the session. It cannot be assigned.
    Result = regex(r"\$[0-9]+");
    Number = regex(r"[0-9][0-9_]*(\.[0-9][0-9_]*)?([eE][+\-]?[0-9][0-9_]*)?");
    /// `"…"`
    Double = token("\"");
    /// `'…'`
    Single = token("'");
    /// `@"…"`
    VerbatimDouble = token("@\"");
    /// `@'…'`
    VerbatimSingle = token("@'");
    /// `||| …`
    TextBlock = token("|||"), token("|||-");

    @reserved {
        Assert = "assert";
        Else = "else";
        ErrorWord = "error";
        False = "false";
        For = "for";
        Function = "function";
        If = "if";
        Import = "import";
        ImportStr = "importstr";
        ImportBin = "importbin";
        In = "in";
        Local = "local";
        Null = "null";
        SelfWord = "self";
        Super = "super";
        Tailstrict = "tailstrict";
        Then = "then";
        True = "true";
    }

    LBrace = token("{");
    RBrace = token("}");
    LBracket = token("[");
    RBracket = token("]");
    LParen = token("(");
    RParen = token(")");
    Comma = token(",");
    Dot = token(".");
    Semicolon = token(";");
    Dollar = token("$");
    Colon = token(":");
    Colon2 = token("::");
    Colon3 = token(":::");
    PlusColon = token("+:");
    PlusColon2 = token("+::");
    PlusColon3 = token("+:::");
    Equals = token("=");
    EqEq = token("==");
    NotEq = token("!=");
    Less = token("<");
    LessEq = token("<=");
    Greater = token(">");
    GreaterEq = token(">=");
    Shl = token("<<");
    Shr = token(">>");
    Plus = token("+");
    Minus = token("-");
    Star = token("*");
    Slash = token("/");
    Percent = token("%");
    Amp = token("&");
    Pipe = token("|");
    Caret = token("^");
    AndAnd = token("&&");
    OrOr = token("||");
    Bang = token("!");
    Tilde = token("~");
}

impl Kind {
    /// Returns `true` for a string of any kind.
    pub fn is_string(self) -> bool {
        use Kind::*;
        matches!(self, Double | Single | VerbatimDouble | VerbatimSingle | TextBlock)
    }

    /// Returns `true` if it separates the name of a field from its value.
    pub fn is_colon(self) -> bool {
        use Kind::*;
        matches!(self, Colon | Colon2 | Colon3 | PlusColon | PlusColon2 | PlusColon3)
    }

    /// Returns `true` if it begins a member of an object.
    pub fn starts_member(self) -> bool {
        self.is_string() || matches!(self, Kind::Ident | Kind::Cursor | Kind::LBracket | Kind::Local | Kind::Assert)
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
        self.is_string()
            || matches!(
                self,
                Ident
                    | Result
                    | Number
                    | Cursor
                    | Assert
                    | ErrorWord
                    | False
                    | Function
                    | If
                    | Import
                    | ImportStr
                    | ImportBin
                    | Local
                    | Null
                    | SelfWord
                    | Super
                    | True
                    | LBrace
                    | LBracket
                    | LParen
                    | Dollar
                    | Plus
                    | Minus
                    | Bang
                    | Tilde
            )
    }

    fn continues(self) -> bool {
        matches!(self, Kind::Minus | Kind::Plus | Kind::LBracket | Kind::LParen | Kind::LBrace)
    }

    fn continues_on_next_line(self) -> bool {
        matches!(self, Kind::Equals | Kind::Then | Kind::Else) || self.is_colon()
    }
}
