//! The place of an operator between its operands, found in the tokens of the text.

use crate::state::Workspace;
use crate::styled::Role;
use crate::text::{Source, Span};
use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// Maximum length of the text shown for an operand, in characters. Twice that for a whole expression.
const MAX_OPERAND: usize = 24;
/// Maximum length of the text that is read to show a whole expression, in bytes.
const MAX_READ: usize = 400;

/// The operators of a chain: `a & b & c`, or `a + b`.
pub struct Operators {
    whole: Span,
    /// The text that contains the expression.
    source: Option<Arc<Source>>,
    /// Whether the operator is `+`; `&` otherwise.
    plus: bool,
    /// The ranges of the operators, relative to the start of the expression.
    operators: Vec<Range<usize>>,
}

impl Operators {
    /// Returns the operators between the operands of an expression, without those inside brackets. `plus` says whether
    /// they are `+` or `&`. `O(length)`.
    pub fn of(session: &Workspace, whole: Span, plus: bool) -> Rc<Operators> {
        let source = session.source(whole.source);
        let range = whole.start as usize..whole.end as usize;
        let text = source.as_ref().and_then(|source| source.text.get(range)).unwrap_or_default();
        let sign = if plus { "+" } else { "&" };
        let roles = session.dialect_of(whole.source).map_or(Vec::new(), |dialect| dialect.highlight(text));
        let mut depth = 0usize;
        let mut operators: Vec<Range<usize>> = Vec::new();
        for (range, role) in roles {
            let Some(token) = text.get(range.clone()).filter(|_| role == Role::Operator) else { continue };
            if depth == 0 && token == sign {
                operators.push(range);
            } else if token.ends_with(['{', '(', '[']) {
                depth += 1;
            } else if token.starts_with(['}', ')', ']']) {
                depth = depth.saturating_sub(1);
            }
        }
        Rc::new(Operators { whole, source, plus, operators })
    }

    /// Returns a part of the expression as it is shown: secrets are masked. `part` is relative to the start of the
    /// expression.
    fn shown(&self, part: Range<usize>) -> Cow<'_, str> {
        let start = self.whole.start as usize;
        let range = start + part.start..start + part.end;
        self.source.as_ref().map_or(Cow::Borrowed(""), |source| source.shown(range))
    }

    /// Returns the place of the operator before the operand with this index (for the first operand, the one after it), and
    /// both operands shortened: `base & prod`, `.. & local`. Returns the whole expression if it has no such operator:
    /// `base { … }` in Jsonnet. `O(length of the operands)`.
    pub fn operand(&self, operand: usize) -> (Span, String) {
        // `+` is left-associative: the outermost operator is the last one.
        let index = if self.plus { self.operators.len().checked_sub(1) } else { Some(operand.saturating_sub(1)) };
        let Some((index, at)) = index.and_then(|index| Some((index, self.operators.get(index)?.clone()))) else {
            return (self.whole, cut(&one_line(&self.shown(0..self.beginning())), MAX_OPERAND * 2));
        };
        let operand = |range: Range<usize>| cut(&one_line(&self.shown(range)), MAX_OPERAND);
        let left = if index > 0 { String::from("..") } else { operand(0..at.start) };
        let end = self.operators.get(index + 1).map_or(self.whole.len(), |next| next.start);
        let right = operand(at.end..end);
        let start = self.whole.start + at.start as u32;
        let span = Span { start, end: start + 1, ..self.whole };
        (span, format!("{left} {} {right}", if self.plus { '+' } else { '&' }))
    }

    /// Returns the length of the beginning of the expression that has at most `MAX_READ` bytes.
    fn beginning(&self) -> usize {
        let start = self.whole.start as usize;
        let end = start + self.whole.len().min(MAX_READ);
        self.source.as_ref().map_or(0, |source| source.text.floor_char_boundary(end).saturating_sub(start))
    }
}

/// Returns an operand on one line: a record or an array as `{ … }` or `[ … ]`, an import as the name of its file.
fn one_line(text: &str) -> String {
    let text = crate::text::on_one_line(text);
    // the contents of a literal do not matter here, and may be secret
    for (open, short) in [('{', "{ … }"), ('[', "[ … ]")] {
        if text.starts_with(open) {
            return String::from(short);
        }
    }
    let mut inner = text.trim();
    while let Some(within) = inner.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        inner = within.trim();
    }
    let quoted = inner.strip_prefix("import").map(str::trim).filter(|rest| rest.len() > 2);
    let file = quoted.and_then(|rest| {
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let name = rest.strip_prefix(quote)?.strip_suffix(quote)?;
        (!name.contains(quote)).then_some(name)
    });
    file.map_or_else(|| text.clone(), |name| name.rsplit('/').next().unwrap_or(name).into())
}

/// Returns the text; if it has more than `most` characters, its beginning with `…`.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => String::from(text),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}
