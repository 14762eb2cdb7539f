//! Tokens, independent of the language.

use std::fmt::Debug;

/// A token: its kind and its range in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<K> {
    /// Its kind.
    pub kind: K,
    /// The offset of its first byte.
    pub start: u32,
    /// The offset after its last byte.
    pub end: u32,
}

impl<K> Token<K> {
    /// Creates a token for a range of a text. Only the first 4 GiB of a text are read.
    pub fn new(kind: K, start: usize, end: usize) -> Token<K> {
        Token { kind, start: start as u32, end: end as u32 }
    }
}

/// The tokens of a text.
#[derive(Debug)]
pub struct Lexed<K> {
    /// The tokens without comments, with [`TokenKind::EOF`] at the end.
    pub tokens: Vec<Token<K>>,
    /// The comments.
    pub comments: Vec<Token<K>>,
    /// The opening of an unclosed string or comment at the end of the text.
    pub unclosed: Option<Token<K>>,
}

impl<K> Lexed<K> {
    /// Creates an empty list with capacity for the tokens of a text with this many bytes.
    pub fn with_room(bytes: usize) -> Lexed<K> {
        Lexed { tokens: Vec::with_capacity(bytes / 4), comments: Vec::new(), unclosed: None }
    }
}

/// The kind of a token.
pub trait TokenKind: Copy + PartialEq + Debug {
    /// The end of the input.
    const EOF: Self;

    /// Returns the kind of bracket that it opens.
    fn opens(self) -> Option<Bracket>;
    /// Returns the kind of bracket that it closes.
    fn closes(self) -> Option<Bracket>;
    /// Returns `true` for separators: `,` and `;`.
    fn separates(self) -> bool;
    /// Returns `true` if it can begin an expression.
    fn starts_term(self) -> bool;
    /// Returns `true` if it continues the previous line, even though it could begin an expression.
    fn continues(self) -> bool;
    /// Returns `true` if the next line should be indented after it.
    fn hangs(self) -> bool;
}

/// A kind of bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bracket {
    /// `( )`
    Parenthesis,
    /// `[ ]`
    Square,
    /// `{ }`
    Brace,
    /// `[| |]`
    EnumType,
    /// `%{ }`
    Interpolation,
}

impl Bracket {
    /// The number of kinds.
    pub const COUNT: usize = 5;

    /// The description for messages.
    pub fn name(self) -> &'static str {
        match self {
            Bracket::Parenthesis => "parenthesis `(`",
            Bracket::Square => "bracket `[`",
            Bracket::Brace => "brace `{`",
            Bracket::EnumType => "bracket `[|`",
            Bracket::Interpolation => "interpolation `%{`",
        }
    }
}

impl<K: TokenKind> Lexed<K> {
    /// Returns the text on one line, if that has the same meaning. With comments or strings of several lines it is returned
    /// as is.
    pub fn one_line(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut end = 0;
        for token in self.tokens.iter().filter(|t| t.kind != K::EOF) {
            let (gap, own) = (text.get(end..token.start as usize), text.get(token.start as usize..token.end as usize));
            let (Some(gap), Some(own)) = (gap, own) else { return String::from(text) };
            if own.contains('\n') || !self.comments.is_empty() {
                return String::from(text);
            }
            out.push_str(if gap.contains('\n') { " " } else { gap });
            out.push_str(own);
            end = token.end as usize;
        }
        out
    }
}
