//! Numbers and functions as jsonnet writes them.

use crate::dialect::Stop;
use crate::dialect::jsonnet::lexer::lex;
use crate::dialect::jsonnet::token::Kind;
use crate::number::Number;

/// A number, as short as it can be to be read back as itself.
pub fn number(number: &Number) -> String {
    let value = number.to_f64();
    match value.abs() {
        1e17.. => format!("{value:e}"),
        small if small > 0.0 && small < 1e-5 => format!("{value:e}"),
        _ => value.to_string(),
    }
}

/// A function literal of its text in the source: `f(x) = e` and `f(x): e` leave `(x) = e` of it, which is no expression.
/// `None` where the text on one line would be read differently.
pub fn function(text: &str) -> Option<String> {
    let lexed = lex(text, Stop::NEVER);
    if !lexed.comments.is_empty() || lexed.tokens.iter().any(|t| t.kind == Kind::TextBlock) {
        return None;
    }
    if !text.starts_with('(') {
        return Some(String::from(text));
    }
    let mut open = 0u32;
    let close = lexed.tokens.iter().position(|t| {
        open = if t.kind.is_opener() { open + 1 } else { open };
        open = if t.kind.is_closer() { open.saturating_sub(1) } else { open };
        open == 0
    })?;
    let (params, sign) = (lexed.tokens.get(close)?, lexed.tokens.get(close + 1)?);
    if sign.kind != Kind::Equals && !sign.kind.is_colon() {
        return None;
    }
    let body = text.get(sign.end as usize..)?.trim();
    Some(format!("function{} {body}", text.get(..params.end as usize)?))
}
