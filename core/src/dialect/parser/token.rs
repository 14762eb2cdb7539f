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

/// Maximum capacity of a list of tokens, expressions or nodes before there are any.
pub(super) const MOST_ROOM: usize = 1 << 18;

impl<K> Lexed<K> {
    /// Creates an empty list with capacity for the tokens of a text with this many bytes, or for many tokens of a large one.
    pub fn with_room(bytes: usize) -> Lexed<K> {
        Lexed { tokens: Vec::with_capacity((bytes / 3).min(MOST_ROOM)), comments: Vec::new(), unclosed: None }
    }
}

impl<K: Declared> Lexed<K> {
    /// Adds text that no token can begin with. Adjacent text of this kind is one token.
    pub fn error(&mut self, start: usize, end: usize) {
        match self.tokens.last_mut() {
            Some(last) if last.kind == K::ERROR && last.end as usize == start => last.end = end as u32,
            _ => self.tokens.push(Token::new(K::ERROR, start, end)),
        }
    }

    /// Adds the end of the input.
    pub fn end(mut self, text: &str) -> Lexed<K> {
        self.tokens.push(Token::new(K::EOF, text.len(), text.len()));
        self
    }

    /// Returns the index of the token that contains the byte before an offset.
    pub fn touched(&self, offset: usize) -> Option<usize> {
        let index = self.tokens.partition_point(|t| (t.end as usize) < offset);
        self.tokens.get(index).filter(|t| (t.start as usize) < offset).map(|_| index)
    }
}

/// Declares the tokens of a language: the enum for logos, the same data as tables, and which words are reserved. Every
/// language has the tokens `Error`, `Eof` and `Cursor`.
macro_rules! tokens {
    (
        $($(#[doc = $doc:literal])* $Name:ident $(= $($how:ident($text:tt $($more:tt)*)),+)?;)*
        @reserved { $($Word:ident = $word:tt;)* }
        $($(#[doc = $late_doc:literal])* $Late:ident $(= $($late_how:ident($late:tt $($late_more:tt)*)),+)?;)*
    ) => {
        /// The kind of a token.
        #[derive(logos::Logos, Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[logos(skip r"[ \t\r\n\f\u{FEFF}]+")]
        #[allow(missing_docs)] // a token's name says which token it is
        pub enum Kind {
            /// Text that no other token can begin with.
            Error,
            /// The end of the input.
            Eof,
            /// The place of a completion. It replaces the name at that place, which may be empty.
            Cursor,
            $($(#[doc = $doc])* $($(#[$how($text $($more)*)])+)? $Name,)*
            $(#[token($word)] $Word,)*
            $($(#[doc = $late_doc])* $($(#[$late_how($late $($late_more)*)])+)? $Late,)*
        }

        // a language without a highlighter for editors uses no tables
        #[allow(dead_code)]
        impl Kind {
            /// The patterns of the tokens. The flag is `true` for a regular expression.
            pub const PATTERNS: &'static [(Kind, bool, &'static str)] = &[
                $($($((Kind::$Name, $crate::dialect::parser::is_regex(stringify!($how)), $text),)+)?)*
                $((Kind::$Word, false, $word),)*
                $($($((Kind::$Late, $crate::dialect::parser::is_regex(stringify!($late_how)), $late),)+)?)*
            ];
            /// Every token.
            pub const ALL: &'static [Kind] =
                &[Kind::Error, Kind::Eof, Kind::Cursor, $(Kind::$Name,)* $(Kind::$Word,)* $(Kind::$Late),*];

            /// Returns `true` for a reserved word.
            pub fn is_reserved(self) -> bool {
                matches!(self, $(Kind::$Word)|*)
            }
        }

        impl $crate::dialect::parser::Declared for Kind {
            const EOF: Kind = Kind::Eof;
            const ERROR: Kind = Kind::Error;
            const CURSOR: Kind = Kind::Cursor;

            fn is_reserved(self) -> bool {
                self.is_reserved()
            }
        }
    };
}
pub(in crate::dialect) use tokens;

/// Returns `true` for the name of logos's attribute for regular expressions.
pub(in crate::dialect) const fn is_regex(how: &str) -> bool {
    how.as_bytes()[0] == b'r'
}

/// The part of [`TokenKind`] that [`tokens!`] implements.
pub trait Declared: Copy + PartialEq + Debug + 'static {
    /// The end of the input.
    const EOF: Self;
    /// Text that no token can begin with.
    const ERROR: Self;
    /// The place of a completion.
    const CURSOR: Self;

    /// Returns `true` for a reserved word.
    fn is_reserved(self) -> bool;
}

/// The kind of a token.
pub trait TokenKind: Declared {
    /// The brackets: the opening token, the closing token, and the kind.
    const BRACKETS: &'static [(Self, Self, Bracket)];

    /// Returns the kind of bracket that it opens.
    fn opens(self) -> Option<Bracket> {
        Self::BRACKETS.iter().find(|(open, ..)| *open == self).map(|(.., bracket)| *bracket)
    }
    /// Returns the kind of bracket that it closes.
    fn closes(self) -> Option<Bracket> {
        Self::BRACKETS.iter().find(|(_, close, _)| *close == self).map(|(.., bracket)| *bracket)
    }
    /// Returns `true` for separators: `,` and `;`.
    fn separates(self) -> bool;
    /// Returns `true` if it can begin an expression.
    fn starts_term(self) -> bool;
    /// Returns `true` if it continues the previous line, even though it could begin an expression.
    fn continues(self) -> bool;
    /// Returns `true` if the next line should be indented after it.
    fn continues_on_next_line(self) -> bool;
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
