//! Numbers and functions as jsonnet writes them.

use crate::dialect::Stop;
use crate::dialect::jsonnet::lexer::lex;
use crate::dialect::jsonnet::token::Kind;
use crate::dialect::parser::TokenKind;
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
/// On one line where that reads the same; a comment, a text block or a string over several lines keeps all of it as it is
/// written.
pub fn function(text: &str) -> Option<String> {
    let text = &one_line(text);
    let lexed = lex(text, Stop::NEVER);
    if !text.starts_with('(') {
        return Some(String::from(text));
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

/// The tokens on one line, where no line end is part of one.
fn one_line(text: &str) -> String {
    let lexed = lex(text, Stop::NEVER);
    let mut out = String::with_capacity(text.len());
    let mut end = 0;
    for token in lexed.tokens.iter().filter(|t| t.kind != Kind::Eof) {
        let (gap, own) = (text.get(end..token.start as usize), text.get(token.start as usize..token.end as usize));
        let (Some(gap), Some(own)) = (gap, own) else { return String::from(text) };
        if own.contains('\n') || !lexed.comments.is_empty() {
            return String::from(text);
        }
        out.push_str(if gap.contains('\n') { " " } else { gap });
        out.push_str(own);
        end = token.end as usize;
    }
    out
}
