//! Fitting text into a width: a list of tokens, of which groups stand on one line if they fit and are broken if not.
//!
//! The idea is Oppen's (1980): no tree is built, so text of any depth is laid out without recursion, in linear time.

use super::{Role, Styled};
use crate::chunks::Chunks;
use unicode_width::UnicodeWidthStr;

/// Blanks a level is indented by.
const INDENT: usize = 2;
/// Deeper levels are not indented further: the text would leave the screen and grow quadratically.
const MAX_INDENT: usize = 40;

/// Collects tokens; [`Layout::fit`] lays them out.
#[derive(Debug, Default)]
pub struct Layout {
    tokens: Chunks<Token>,
    open: Vec<usize>,
    /// How many of the tokens are texts.
    texts: usize,
    /// What was laid out until somebody wanted an end: to take it apart takes time.
    part: Styled,
}

#[derive(Debug)]
enum Token {
    Text(Role, String),
    /// One line or broken; the width it has on one line, `usize::MAX` where that is impossible.
    Begin(usize),
    End,
    /// A line end where the group is broken, else so many blanks. `closing`: the next line stands at the outer level.
    Line {
        blanks: usize,
        closing: bool,
    },
    /// Text only where the group is broken.
    Broken(&'static str),
}

impl Layout {
    /// No text.
    pub fn new() -> Layout {
        Layout::default()
    }

    /// Text that is not broken. A line end in it breaks the groups around it.
    pub fn text(&mut self, role: Role, text: impl Into<String>) {
        let text = text.into();
        let width = if text.contains('\n') { usize::MAX } else { UnicodeWidthStr::width(text.as_str()) };
        self.widen(width);
        self.texts += 1;
        self.tokens.push(Token::Text(role, text));
    }

    /// How many tokens there are.
    pub fn tokens(&self) -> usize {
        self.tokens.len()
    }

    /// Other styled text, not broken.
    pub fn styled(&mut self, text: &Styled) {
        for (role, run) in text.runs() {
            self.text(*role, run.as_str());
        }
    }

    /// Opens a group. Its lines are indented by one level more where it is broken.
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

    /// A blank, or a line end where the group is broken.
    pub fn line(&mut self) {
        self.widen(1);
        self.tokens.push(Token::Line { blanks: 1, closing: false });
    }

    /// Nothing, or a line end where the group is broken.
    pub fn soft(&mut self) {
        self.tokens.push(Token::Line { blanks: 0, closing: false });
    }

    /// What stands before a closing bracket: so many blanks, or a line end back to the outer level.
    pub fn close(&mut self, blanks: usize) {
        self.widen(blanks);
        self.tokens.push(Token::Line { blanks, closing: true });
    }

    /// Text that only stands where the group is broken (a last comma).
    pub fn if_broken(&mut self, text: &'static str) {
        self.tokens.push(Token::Broken(text));
    }

    fn widen(&mut self, by: usize) {
        if let Some(Token::Begin(width)) = self.open.last().and_then(|at| self.tokens.get_mut(*at)) {
            *width = width.saturating_add(by);
        }
    }

    /// The text, in lines of at most `width` columns where that is possible.
    pub fn fit(mut self, width: usize) -> Styled {
        self.fit_until(width, &|| false).unwrap_or_default()
    }

    /// As [`Layout::fit`]; `None` once `stop` says so: then what was laid out stays here.
    pub fn fit_until(&mut self, width: usize, stop: &dyn Fn() -> bool) -> Option<Styled> {
        while !self.open.is_empty() {
            self.end();
        }
        let mut out = Styled::with_capacity(self.texts);
        let mut column = 0;
        // for every open group: whether it is broken
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
                    // inside a group on one line everything is; one column is left for a comma behind it
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
