//! The tokens of `cfg`.

use crate::dialect::parser::{self, Bracket, tokens};

/// A token: its kind and its bytes.
pub type Token = parser::Token<Kind>;

// The kind of a token. The parts of strings have no pattern: the lexer reads them by hand, because they nest.
tokens! {
    Comment = regex("#[^\n]*", allow_greedy = true);

    Ident = regex("_*[a-zA-Z][_a-zA-Z0-9'-]*");
    /// `$3`: the result of the third input of the session. It cannot be assigned.
    Result = regex(r"\$[0-9]+");
    Decimal = regex(r"[0-9]*\.?[0-9]+([eE][+\-]?[0-9]+)?");
    Hex = regex("0x[A-Fa-f0-9]+");
    Octal = regex("0o[0-7]+");
    Binary = regex("0b[01]+");
    /// `'Tag`, and the old form `` `Tag ``.
    Tag = regex("['`]_*[a-zA-Z][_a-zA-Z0-9'-]*");
    /// `%name%`: an operation that is internal to Nickel's library.
    Primop = regex("%[a-z_]+(/[a-z_0-9]+)?%");

    /// `"`
    StrOpen = token("\"");
    /// `'"`
    TagStrOpen = regex("['`]\"");
    /// `m%"`
    MultiOpen = regex("m%+\"");
    /// `prefix-s%"`
    SymbolicOpen = regex("[a-zA-Z][_a-zA-Z0-9'-]*-s%+\"");
    /// Literal text in a string.
    StrText;
    /// One escape sequence.
    StrEscape;
    /// `%{`
    InterpOpen;
    /// The `}` that ends an interpolated expression.
    InterpClose;
    /// The end of a string of any kind.
    StrClose;

    @reserved {
        Dyn = "Dyn";
        NumberType = "Number";
        BoolType = "Bool";
        StringType = "String";
        ArrayType = "Array";
        If = "if";
        Then = "then";
        Else = "else";
        Forall = "forall";
        In = "in";
        Let = "let";
        Rec = "rec";
        Match = "match";
        Null = "null";
        True = "true";
        False = "false";
        Fun = "fun";
        Import = "import";
        Default = "default";
        Doc = "doc";
        Optional = "optional";
        Priority = "priority";
        Force = "force";
        NotExported = "not_exported";
    }
    // Words that are names except where the grammar gives them a meaning.
    Or = token("or");
    As = token("as");
    Include = token("include");

    Question = token("?");
    Comma = token(",");
    Semicolon = token(";");
    Colon = token(":");
    Equals = token("=");
    EqEq = token("==");
    NotEq = token("!=");
    Amp = token("&");
    Dot = token(".");
    Ellipsis = token("..");
    Plus = token("+");
    Minus = token("-");
    Star = token("*");
    Slash = token("/");
    Percent = token("%");
    PlusPlus = token("++");
    At = token("@");
    AndAnd = token("&&");
    OrOr = token("||");
    Bang = token("!");
    Pipe = token("|");
    PipeRight = token("|>");
    Arrow = token("->");
    FatArrow = token("=>");
    Underscore = token("_");
    Less = token("<");
    LessEq = token("<=");
    Greater = token(">");
    GreaterEq = token(">=");
    LBrace = token("{");
    RBrace = token("}");
    LBracket = token("[");
    RBracket = token("]");
    LParen = token("(");
    RParen = token(")");
    EnumOpen = token("[|");
    EnumClose = token("|]");
}

impl Kind {
    /// Returns `true` if it can name a variable.
    pub fn is_name(self) -> bool {
        matches!(self, Kind::Ident | Kind::Or | Kind::As | Kind::Include)
    }

    /// Returns `true` if it can name a field: a name, or a metadata keyword.
    pub fn is_field_name(self) -> bool {
        self.is_name()
            || matches!(
                self,
                Kind::Default | Kind::Doc | Kind::Optional | Kind::Priority | Kind::Force | Kind::NotExported
            )
    }

    /// Returns `true` if it begins a string.
    pub fn opens_string(self) -> bool {
        matches!(self, Kind::StrOpen | Kind::MultiOpen | Kind::SymbolicOpen)
    }

    /// Returns `true` if it begins an atom, which can be the argument of an application.
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

    /// Returns `true` if it begins a pattern.
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
    const BRACKETS: &'static [(Kind, Kind, Bracket)] = &[
        (Kind::LParen, Kind::RParen, Bracket::Parenthesis),
        (Kind::LBracket, Kind::RBracket, Bracket::Square),
        (Kind::LBrace, Kind::RBrace, Bracket::Brace),
        (Kind::EnumOpen, Kind::EnumClose, Bracket::EnumType),
        (Kind::InterpOpen, Kind::InterpClose, Bracket::Interpolation),
    ];

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

    fn continues_on_next_line(self) -> bool {
        matches!(self, Kind::Equals | Kind::FatArrow | Kind::Then | Kind::Else)
    }
}
