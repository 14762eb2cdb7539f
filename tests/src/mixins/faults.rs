//! Plants faults in generated and in real programs: in fields, methods, arguments, keys of formats, `+:`, literals, operands and deleted fields.

use crate::generate::Rng;

/// The kinds of faults.
pub const KINDS: &[&str] = &["field", "method", "argument", "format key", "+:", "literal", "operand", "deleted field"];

/// A token of a program.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Token {
    Name,
    Number,
    Text,
    Mark,
}

fn tokens(text: &str) -> Vec<(Token, usize, usize)> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at).copied() {
        let start = at;
        let run = |mut at: usize, test: fn(u8) -> bool| {
            while bytes.get(at).is_some_and(|b| test(*b)) {
                at += 1;
            }
            at
        };
        let token = match byte {
            b' ' | b'\n' | b'\t' | b'\r' | 0x80.. => {
                at += 1;
                continue;
            }
            b'#' => {
                at = run(at, |b| b != b'\n');
                continue;
            }
            b'/' if text[at..].starts_with("//") => {
                at = run(at, |b| b != b'\n');
                continue;
            }
            b'/' if text[at..].starts_with("/*") => {
                at = text[at + 2..].find("*/").map_or(text.len(), |n| at + 2 + n + 2);
                continue;
            }
            b'|' if text[at..].starts_with("|||") => {
                at = text[at + 3..].find("|||").map_or(text.len(), |n| at + 3 + n + 3);
                Token::Text
            }
            b'\'' | b'"' => {
                at += 1;
                while bytes.get(at).is_some_and(|b| *b != byte) {
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
                at = (at + 1).min(text.len());
                Token::Text
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => {
                at = run(at + 1, |b| b.is_ascii_alphanumeric() || b == b'_');
                Token::Name
            }
            b'0'..=b'9' => {
                at = run(at, |b| b.is_ascii_digit());
                Token::Number
            }
            b'+' if text[at..].starts_with("+::") => {
                at += 3;
                Token::Mark
            }
            b'+' if text[at..].starts_with("+:") => {
                at += 2;
                Token::Mark
            }
            _ => {
                at = run(at + 1, |b| b == b':' || b == b'=');
                Token::Mark
            }
        };
        out.push((token, start, at));
    }
    out
}

const WORDS: &[&str] = &[
    "self", "super", "local", "if", "then", "else", "function", "error", "null", "true", "false", "for", "in",
    "assert", "std", "$",
];

/// Returns every fault of a kind that can be planted: what is replaced, and by what.
fn places(text: &str, kind: &str, r: &mut Rng) -> Vec<(usize, usize, String)> {
    let tokens = tokens(text);
    let word = |i: usize| tokens.get(i).map_or("", |(_, start, end)| &text[*start..*end]);
    let before = |i: usize| i.checked_sub(1).map_or("", word);
    let mut out = Vec::new();
    for (i, (token, start, end)) in tokens.iter().copied().enumerate() {
        let here = &text[start..end];
        match (kind, token) {
            ("field", Token::Name) if before(i) == "." && word(i + 1) != "(" && !WORDS.contains(&here) => {
                out.push((start, end, format!("{here}X")));
            }
            ("method", Token::Name) if before(i) == "." && word(i + 1) == "(" => {
                out.push((start, end, format!("{here}X")));
            }
            ("argument", Token::Mark) if here == "(" && i > 0 && tokens[i - 1].0 == Token::Name => {
                let called = before(i);
                let definition = i >= 2 && matches!(word(i - 2), "local" | "{" | ",");
                if WORDS.contains(&called) || definition {
                    continue;
                }
                if let Some(close) = matching(&tokens, text, i)
                    && close > i + 1
                {
                    // the last argument, or one more
                    let last = (i + 1..close).rev().find(|j| word(*j) == "," && depth(&tokens, text, i, *j) == 1);
                    let from = last.map_or(end, |j| tokens[j].1);
                    out.push(match r.chance(50) {
                        true => (from, tokens[close].1, String::new()),
                        false => (tokens[close].1, tokens[close].1, String::from(", 1, 2, 3, 4")),
                    });
                }
            }
            ("format key", Token::Text) => {
                let mut from = 0;
                while let Some(n) = here[from..].find("%(") {
                    let key = start + from + n + 2;
                    let Some(length) = text[key..end].find(')') else { break };
                    out.push((key + length, key + length, String::from("X")));
                    from += n + 2;
                }
            }
            ("+:", Token::Mark) if here == "+:" || here == "+::" => out.push((start, start + 1, String::new())),
            ("literal", Token::Number) if before(i) != "." => {
                out.push((start, end, r.pick(&["'text'", "[1]", "{}", "true"]).to_string()));
            }
            ("literal", Token::Text) if !matches!(word(i + 1), ":" | "::" | "+:" | "%") && before(i) != "[" => {
                out.push((start, end, r.pick(&["17", "false", "[]", "{ a: 1 }"]).to_string()));
            }
            ("operand", Token::Mark)
                if matches!(here, "+" | "-" | "*" | "/" | "<" | ">" | "<=")
                    && tokens.get(i + 1).is_some_and(|t| matches!(t.0, Token::Number | Token::Text)) =>
            {
                let wrong = if here == "+" {
                    r.pick(&["null", "true", "function(x) x"])
                } else {
                    r.pick(&["'text'", "{}", "[]"])
                };
                out.push((tokens[i + 1].1, tokens[i + 1].2, wrong.to_string()));
            }
            ("deleted field", Token::Name) if matches!(word(i + 1), ":" | "::") && matches!(before(i), "{" | ",") => {
                // up to the comma after its value, or the end of the object
                let mut level = 0i32;
                for (j, token) in tokens.iter().enumerate().skip(i + 2) {
                    match word(j) {
                        "{" | "[" | "(" => level += 1,
                        "}" | "]" | ")" if level == 0 => {
                            out.push((start, token.1, String::new()));
                            break;
                        }
                        "}" | "]" | ")" => level -= 1,
                        "," if level == 0 => {
                            out.push((start, token.2, String::new()));
                            break;
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    out
}

fn depth(tokens: &[(Token, usize, usize)], text: &str, open: usize, at: usize) -> i32 {
    let mut level = 0;
    for (_, start, end) in &tokens[open..at] {
        match &text[*start..*end] {
            "(" | "[" | "{" => level += 1,
            ")" | "]" | "}" => level -= 1,
            _ => {}
        }
    }
    level
}

fn matching(tokens: &[(Token, usize, usize)], text: &str, open: usize) -> Option<usize> {
    (open + 1..tokens.len()).find(|at| depth(tokens, text, open, at + 1) == 0)
}

/// Plants a fault of a kind in a program; `None` if it has no place for one.
pub fn plant(text: &str, kind: &str, r: &mut Rng) -> Option<String> {
    let places = places(text, kind, r);
    if places.is_empty() {
        return None;
    }
    let (start, end, new) = r.pick(&places).clone();
    Some(format!("{}{new}{}", &text[..start], &text[end..]))
}
