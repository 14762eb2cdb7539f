//! Where an operator stands between its operands, by the words of the text alone.

use crate::session::Session;
use crate::styled::Role;
use crate::text::Span;

/// An operand is shown in so many characters.
const OPERAND: usize = 24;

/// The operator that brings operand `operand` to what stands before it in a chain of operators (the one behind it for the
/// first operand), and the two shortened: `base & prod`, `.. & local`. Where it cannot be told, the whole expression.
/// O(text of the expression).
pub fn operator(session: &Session, whole: Span, operand: usize, plus: bool) -> (Span, String) {
    let text = session.text(whole);
    let dialect = session.dialect_of(whole.source).unwrap_or(session.dialect());
    let sign = if plus { "+" } else { "&" };
    let mut depth = 0usize;
    let mut signs: Vec<std::ops::Range<usize>> = Vec::new();
    for (range, role) in dialect.highlight(&text) {
        let Some(token) = text.get(range.clone()).filter(|_| role == Role::Operator) else { continue };
        if depth == 0 && token == sign {
            signs.push(range);
        } else if token.ends_with(['{', '(', '[']) {
            depth += 1;
        } else if token.starts_with(['}', ')', ']']) {
            depth = depth.saturating_sub(1);
        }
    }
    // `+` nests to the left: the last one is that of the whole.
    let number = if plus { signs.len().checked_sub(1) } else { operand.max(1).checked_sub(1) };
    let Some((number, at)) = number.and_then(|number| Some((number, signs.get(number)?.clone()))) else {
        return (whole, cut(&one_line(&text), OPERAND * 2));
    };
    let left = match number.checked_sub(1) {
        Some(_) => String::from(".."),
        None => cut(&one_line(text.get(..at.start).unwrap_or("")), OPERAND),
    };
    let end = signs.get(number + 1).map_or(text.len(), |next| next.start);
    let right = cut(&one_line(text.get(at.end..end).unwrap_or("")), OPERAND);
    let span = Span { start: whole.start + at.start as u32, end: whole.start + at.end as u32, ..whole };
    (span, format!("{left} {sign} {right}"))
}

/// An operand on one line; an import is the file that it names.
fn one_line(text: &str) -> String {
    let text = super::query::on_one_line(text);
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

/// The text, or its beginning with `…`.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => String::from(text),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}
