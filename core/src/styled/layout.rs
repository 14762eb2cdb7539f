//! Fits text into a width. The text is a list of tokens; a group of tokens is printed on one line if it fits, and is
//! broken otherwise.
//!
//! The algorithm is Oppen's (1980). It builds no tree, so it lays out text of any depth without recursion, in linear
//! time.

use super::{Role, Styled};
use crate::chunks::Chunks;
use unicode_width::UnicodeWidthStr;

/// Number of spaces per level of indentation.
const INDENT: usize = 2;
/// Maximum level of indentation. Deeper text would leave the screen, and its size would grow quadratically.
const MAX_INDENT: usize = 40;

/// Collects tokens; [`Layout::fit`] lays them out.
#[derive(Debug, Default)]
pub struct Layout {
    tokens: Chunks<Token>,
    open: Vec<usize>,
    /// Number of text tokens.
    texts: usize,
    /// The output of an interrupted layout. It is kept because dropping it takes time.
    part: Styled,
}

#[derive(Debug)]
enum Token {
    Text(Role, String),
    /// Begins a group. Holds the width of the group on one line, or `usize::MAX` if it cannot be on one line.
    Begin(usize),
    End,
    /// A line end if the group is broken, otherwise `blanks` spaces. With `closing`, the next line is at the outer
    /// level.
    Line {
        blanks: usize,
        closing: bool,
    },
    /// Text that is printed only if the group is broken.
    Broken(&'static str),
}

impl Layout {
    /// Makes an empty layout.
    pub fn new() -> Layout {
        Layout::default()
    }

    /// Appends text that is not broken. A line end in it breaks the groups around it.
    pub fn text(&mut self, role: Role, text: impl Into<String>) {
        let text = text.into();
        let width = if text.contains('\n') { usize::MAX } else { UnicodeWidthStr::width(text.as_str()) };
        self.widen(width);
        self.texts += 1;
        self.tokens.push(Token::Text(role, text));
    }

    /// Returns the number of tokens.
    pub fn tokens(&self) -> usize {
        self.tokens.len()
    }

    /// Opens a group. If the group is broken, its lines are indented by one more level.
    pub fn begin(&mut self) {
        self.open.push(self.tokens.len());
        self.tokens.push(Token::Begin(0));
    }

    /// Closes the innermost group.
    pub fn end(&mut self) {
        if let Some(at) = self.open.pop() {
            self.tokens.push(Token::End);
            let width = match self.tokens.get(at) {
                Some(Token::Begin(width)) => *width,
                _ => 0,
            };
            self.widen(width);
        }
    }

    /// Appends a space, or a line end if the group is broken.
    pub fn line(&mut self) {
        self.widen(1);
        self.tokens.push(Token::Line { blanks: 1, closing: false });
    }

    /// Appends nothing, or a line end if the group is broken.
    pub fn soft(&mut self) {
        self.tokens.push(Token::Line { blanks: 0, closing: false });
    }

    /// Appends the space before a closing bracket: `blanks` spaces, or a line end back to the outer level.
    pub fn close(&mut self, blanks: usize) {
        self.widen(blanks);
        self.tokens.push(Token::Line { blanks, closing: true });
    }

    /// Appends text that is printed only if the group is broken (a trailing comma).
    pub fn if_broken(&mut self, text: &'static str) {
        self.tokens.push(Token::Broken(text));
    }

    fn widen(&mut self, by: usize) {
        if let Some(Token::Begin(width)) = self.open.last().and_then(|at| self.tokens.get_mut(*at)) {
            *width = width.saturating_add(by);
        }
    }

    /// Lays out the text in lines of at most `width` columns where possible.
    pub fn fit(mut self, width: usize) -> Styled {
        self.fit_until(width, &|| false).unwrap_or_default()
    }

    /// Like [`Layout::fit`], but returns `None` once `stop` returns `true`. The unfinished output is then kept in
    /// `self`.
    pub fn fit_until(&mut self, width: usize, stop: &dyn Fn() -> bool) -> Option<Styled> {
        while !self.open.is_empty() {
            self.end();
        }
        let mut out = Styled::with_capacity(self.texts);
        let mut column = 0;
        // For every open group, whether it is broken.
        let mut groups: Vec<bool> = Vec::new();
        let mut broken = 0usize;
        for (at, token) in self.tokens.iter().enumerate() {
            if at & 1023 == 1023 && stop() {
                self.part = out;
                return None;
            }
            let here = groups.last().copied().unwrap_or(false);
            match token {
                Token::Text(role, text) => {
                    out.push(*role, text);
                    column = match text.rsplit_once('\n') {
                        Some((_, last)) => UnicodeWidthStr::width(last),
                        None => column + UnicodeWidthStr::width(text.as_str()),
                    };
                }
                Token::Begin(needed) => {
                    // Everything in a group on one line is on that line. One column is reserved for a comma after the
                    // group.
                    let parent_flat = groups.last() == Some(&false);
                    let breaks = !parent_flat && needed.saturating_add(column + 1) > width;
                    groups.push(breaks);
                    broken += usize::from(breaks);
                }
                Token::End => {
                    broken -= usize::from(groups.pop().unwrap_or(false));
                }
                Token::Line { closing, .. } if here => {
                    let level = broken.saturating_sub(usize::from(*closing)).min(MAX_INDENT);
                    out.plain("\n");
                    out.plain(" ".repeat(level * INDENT));
                    column = level * INDENT;
                }
                Token::Line { blanks, .. } => {
                    out.plain(" ".repeat(*blanks));
                    column += blanks;
                }
                Token::Broken(text) => {
                    if here {
                        out.push(Role::Operator, text);
                        column += text.len();
                    }
                }
            }
        }
        Some(out)
    }
}
