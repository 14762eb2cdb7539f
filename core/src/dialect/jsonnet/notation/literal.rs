//! Numbers and functions in the syntax of jsonnet.

use crate::dialect::Stop;
use crate::dialect::jsonnet::lexer::lex;
use crate::dialect::jsonnet::token::Kind;
use crate::dialect::parser::TokenKind;
use crate::number::Number;

/// Returns the shortest text that reads back as the same number.
pub fn number(number: &Number) -> String {
    let value = number.to_f64();
    match value.abs() {
        1e17.. => format!("{value:e}"),
        small if small > 0.0 && small < 1e-5 => format!("{value:e}"),
        _ => value.to_string(),
    }
}

/// Returns a function literal, given its source text. For `f(x) = e` and `f(x): e` that text is `(x) = e`, which is not
/// an expression. The result is on one line if that does not change its meaning. A function with a comment, a text
/// block or a multi-line string keeps its line breaks. `None` if it is in another language.
pub fn function(text: &str) -> Option<String> {
    let text = &lex(text, Stop::NEVER).one_line(text);
    let lexed = lex(text, Stop::NEVER);
    if !text.starts_with('(') {
        let own = lexed.tokens.first().is_some_and(|t| t.kind == Kind::Function);
        return own.then(|| String::from(text));
    }
    let mut open = 0u32;
    let close = lexed.tokens.iter().position(|t| {
        open = if t.kind.opens().is_some() { open + 1 } else { open };
        open = if t.kind.closes().is_some() { open.saturating_sub(1) } else { open };
        open == 0
    })?;
    let (params, sign) = (lexed.tokens.get(close)?, lexed.tokens.get(close + 1)?);
    if sign.kind != Kind::Equals && !sign.kind.is_colon() {
        return None;
    }
    let body = text.get(sign.end as usize..)?.trim();
    Some(format!("function{} {body}", text.get(..params.end as usize)?))
}
