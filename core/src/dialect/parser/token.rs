//! Tokens, whatever language they are of.

use std::fmt::Debug;

/// A token: what it is and which bytes it covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<K> {
    /// What it is.
    pub kind: K,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl<K> Token<K> {
    /// The token of these bytes of a text, of which only the first 4 GiB are read.
    pub fn new(kind: K, start: usize, end: usize) -> Token<K> {
        Token { kind, start: start as u32, end: end as u32 }
    }
}

/// The tokens of a text.
#[derive(Debug)]
pub struct Lexed<K> {
    /// The tokens, comments excepted, with [`TokenKind::EOF`] at the end.
    pub tokens: Vec<Token<K>>,
    /// The comments.
    pub comments: Vec<Token<K>>,
    /// The opening of a string or a comment that the text ends in.
    pub unclosed: Option<Token<K>>,
}

impl<K> Lexed<K> {
    /// No tokens yet, with room for those of a text of so many bytes.
    pub fn with_room(bytes: usize) -> Lexed<K> {
        Lexed { tokens: Vec::with_capacity(bytes / 4), comments: Vec::new(), unclosed: None }
    }
}

/// What a token is.
pub trait TokenKind: Copy + PartialEq + Debug {
    /// The end of the input.
    const EOF: Self;

    /// The bracket that it opens.
    fn opens(self) -> Option<Bracket>;
    /// The bracket that it closes.
    fn closes(self) -> Option<Bracket>;
    /// Whether it stands between the parts of something: `,` `;`.
    fn separates(self) -> bool;
    /// Whether it begins an expression.
    fn starts_term(self) -> bool;
    /// Whether it goes on with what stands before it even where it begins a line, though it could begin an expression.
    fn continues(self) -> bool;
    /// Whether a line that ends in it is gone on with further in.
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
    /// How many kinds there are.
    pub const COUNT: usize = 5;

    /// As a message names it.
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
    /// The text on one line where that reads the same; a comment, or a string over several lines, keeps all of it as it is.
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
