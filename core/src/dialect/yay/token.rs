//! The tokens of Yay.

use crate::dialect::parser::{self, Bracket, tokens};

/// A token: its kind and its bytes.
pub type Token = parser::Token<Kind>;

// The kind of a token. The patterns are those of expressions; the lexer reads the rest of a line by hand.
tokens! {
    /// `# …`
    Comment;
    /// The end of a line.
    Newline;
    /// The beginning of a line that is indented more than the one before it. Without text.
    Indent;
    /// The beginning of a line that is indented less. Without text.
    Dedent;
    /// A line whose indentation matches no enclosing block. Without text.
    Misplaced;
    /// `%` before a directive.
    Sign;
    /// The name of a key.
    Key;
    /// `-` before an element of a list.
    Hyphen;
    /// Text of a scalar.
    Text;
    /// `"`, which begins or ends a quoted scalar.
    Quote;
    /// `{{`
    Open;
    /// `}}`
    Close;
    /// `{}` as a value.
    EmptyDict;
    /// `[]` as a value.
    EmptyList;
    /// `|`, `|+`, `|-` or `>`: a block scalar.
    Block;
    /// `extend`
    Extend;

    Ident = regex("[A-Za-z_][A-Za-z0-9_]*");
    /// `$3`: the result of the third input of the session. It cannot be assigned.
    Result = regex(r"\$[0-9]+");
    Number = regex(r"0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|[0-9]+(\.[0-9]+)?([eE][+\-]?[0-9]+)?");
    /// `"…"`
    Double = token("\"");
    /// `'…'`
    Single = token("'");

    @reserved {
        And = "and";
        As = "as";
        Call = "call";
        Elif = "elif";
        Else = "else";
        For = "for";
        If = "if";
        In = "in";
        Include = "include";
        Is = "is";
        Lambda = "lambda";
        Let = "let";
        Macro = "macro";
        New = "new";
        Not = "not";
        Or = "or";
        Prototype = "prototype";
        Search = "search";
        Select = "select";
        Set = "set";
    }

    LBrace = token("{");
    RBrace = token("}");
    LBracket = token("[");
    RBracket = token("]");
    LParen = token("(");
    RParen = token(")");
    Comma = token(",");
    Dot = token(".");
    Colon = token(":");
    Equals = token("=");
    EqEq = token("==");
    NotEq = token("!=");
    LessGreater = token("<>");
    Less = token("<");
    LessEq = token("<=");
    Greater = token(">");
    GreaterEq = token(">=");
    Shl = token("<<");
    Shr = token(">>");
    Plus = token("+");
    Minus = token("-");
    Star = token("*");
    StarStar = token("**");
    Slash = token("/");
    SlashSlash = token("//");
    Percent = token("%");
    Amp = token("&");
    Pipe = token("|");
    Caret = token("^");
    Tilde = token("~");
}

impl Kind {
    /// Returns `true` if it begins a directive.
    pub fn is_directive(self) -> bool {
        use Kind::*;
        matches!(self, Include | Search | If | Elif | Else | For | Set | Let | Select | Call | Macro | Prototype | New)
    }

    /// Returns `true` for a string in an expression.
    pub fn is_string(self) -> bool {
        matches!(self, Kind::Double | Kind::Single)
    }
}

impl parser::TokenKind for Kind {
    const BRACKETS: &'static [(Kind, Kind, Bracket)] = &[
        (Kind::LParen, Kind::RParen, Bracket::Parenthesis),
        (Kind::LBracket, Kind::RBracket, Bracket::Square),
        (Kind::LBrace, Kind::RBrace, Bracket::Brace),
        (Kind::Open, Kind::Close, Bracket::Interpolation),
    ];

    fn separates(self) -> bool {
        self == Kind::Comma
    }

    fn starts_term(self) -> bool {
        use Kind::*;
        self.is_string()
            || matches!(self, Ident | Result | Number | Cursor | Not | Lambda | LBrace | LBracket | LParen)
            || matches!(self, Plus | Minus | Tilde | Key | Hyphen | Text | Quote | Open | EmptyDict | EmptyList)
            || matches!(self, Extend | Sign | Include | Search | If | For | Set | Let | Select | Call | Macro | New)
            || self == Prototype
    }

    fn continues(self) -> bool {
        matches!(self, Kind::Minus | Kind::Plus | Kind::LBracket | Kind::LParen | Kind::Else | Kind::Elif)
    }

    fn continues_on_next_line(self) -> bool {
        matches!(self, Kind::Colon | Kind::Block)
    }
}
