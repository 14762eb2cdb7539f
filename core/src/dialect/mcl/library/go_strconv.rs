//! The modules `golang/strconv` and `golang/html`.

use super::args::{Answer, int, of_float, of_int, of_text, pure, text};
use super::convert;
use super::table::Module;
use crate::value::{Call, Machine, Thunk, Value};
use regex::Regex;
use std::fmt::Write;
use std::sync::LazyLock;

/// The module `golang/strconv`.
pub static STRCONV: Module = Module {
    path: "golang/strconv",
    doc: "The functions of Go's package `strconv`: values to text and back.",
    functions: &[
        pure("append_bool", "func(s str, b bool) str", "Appends `true` or `false` to a string.", |m, a, c| {
            appended(m, a, c, convert::format_bool)
        }),
        pure(
            "append_int",
            "func(s str, i int, base int) str",
            "Appends the digits of an int in a base from 2 to 36.",
            |m, a, c| appended(m, a, c, format_int),
        ),
        pure("append_quote", "func(s str, t str) str", "Appends the second string as a literal of Go.", |m, a, c| {
            appended(m, a, c, |m, a, c| quoted(m, a, c, is_print))
        }),
        pure(
            "append_quote_to_ascii",
            "func(s str, t str) str",
            "Appends the second string as a literal of Go in ASCII.",
            |m, a, c| appended(m, a, c, |m, a, c| quoted(m, a, c, |x| x.is_ascii())),
        ),
        pure(
            "append_quote_to_graphic",
            "func(s str, t str) str",
            "Appends the second string as a literal of Go that keeps all blanks of Unicode.",
            |m, a, c| appended(m, a, c, |m, a, c| quoted(m, a, c, is_graphic)),
        ),
        pure("atoi", "func(s str) int", "Reads an int. Fails if the text is not one.", atoi),
        pure(
            "can_backquote",
            "func(s str) bool",
            "Returns whether a string can be written between backquotes in Go.",
            can_backquote,
        ),
        pure("format_bool", "func(b bool) str", "Returns `true` or `false`.", convert::format_bool),
        pure(
            "format_int",
            "func(i int, base int) str",
            "Returns the digits of an int in a base from 2 to 36.",
            format_int,
        ),
        pure("itoa", "func(i int) str", "Returns the digits of an int.", convert::int_to_str),
        pure(
            "parse_bool",
            "func(s str) bool",
            "Reads a bool: `1`, `t`, `true`, `0`, `f`, `false` and the like.",
            convert::parse_bool,
        ),
        pure("parse_float", "func(s str, bits int) float", "Reads a float; 32 bits round it to a single.", parse_float),
        pure("quote", "func(s str) str", "Returns a literal of Go for a string.", |m, a, c| quoted(m, a, c, is_print)),
        pure("quote_to_ascii", "func(s str) str", "Returns a literal of Go for a string, in ASCII.", |m, a, c| {
            quoted(m, a, c, |x| x.is_ascii())
        }),
        pure(
            "quote_to_graphic",
            "func(s str) str",
            "Returns a literal of Go for a string that keeps all blanks of Unicode.",
            |m, a, c| quoted(m, a, c, is_graphic),
        ),
        pure(
            "quoted_prefix",
            "func(s str) str",
            "Returns the literal of Go with which a string begins. Fails if there is none.",
            |m, a, c| {
                let s = text(m, a, 0, c)?;
                let (end, _) =
                    literal(s.as_str()).ok_or_else(|| c.fault("the string does not begin with a literal"))?;
                of_text(m, &s.as_str()[..end])
            },
        ),
        pure(
            "unquote",
            "func(s str) str",
            "Returns the string that a literal of Go stands for. Fails if it is not one.",
            |m, a, c| {
                let s = text(m, a, 0, c)?;
                let found = literal(s.as_str()).filter(|(end, _)| *end == s.len());
                let (_, value) = found.ok_or_else(|| c.fault("the string is not a literal"))?;
                of_text(m, value)
            },
        ),
    ],
};

/// The module `golang/html`.
pub static HTML: Module = Module {
    path: "golang/html",
    doc: "The functions of Go's package `html`.",
    functions: &[
        pure("escape_string", "func(s str) str", "Replaces `<`, `>`, `&`, `'` and `\"` by entities.", |m, a, c| {
            let s = text(m, a, 0, c)?;
            m.charge(s.len().saturating_mul(5))?;
            of_text(m, escaped(s.as_str()))
        }),
        pure(
            "unescape_string",
            "func(s str) str",
            "Replaces entities by their characters: numbers, and the names `lt`, `gt`, `amp`, `quot`, `apos` and `nbsp`.",
            |m, a, c| {
                let s = text(m, a, 0, c)?;
                of_text(m, unescaped(s.as_str()))
            },
        ),
    ],
};

/// Calls a function with all arguments but the first, and appends its result to the first.
fn appended(
    machine: &mut Machine,
    args: &[Thunk],
    call: &Call,
    rest: fn(&mut Machine, &[Thunk], &Call) -> Answer,
) -> Answer {
    let first = text(machine, args, 0, call)?;
    match rest(machine, args.get(1..).unwrap_or_default(), call)? {
        Value::String(rest) => {
            machine.charge(first.len().saturating_add(rest.len()))?;
            Ok(Value::String(first.concat(&rest)))
        }
        other => Ok(other),
    }
}

fn atoi(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let s = text(machine, args, 0, call)?;
    let digits = s.as_str().strip_prefix(['+', '-']).unwrap_or(s.as_str());
    match s.as_str().parse() {
        Ok(i) if digits.bytes().all(|b| b.is_ascii_digit()) => Ok(of_int(i)),
        _ => Err(call.fault(format!("{:?} is not an int", s.as_str()))),
    }
}

fn can_backquote(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let s = text(machine, args, 0, call)?;
    let is_fine = |c: char| c == '\t' || c >= ' ' && !matches!(c, '`' | '\u{7f}' | '\u{feff}');
    Ok(Value::Bool(s.as_str().chars().all(is_fine)))
}

fn format_int(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (i, base) = (int(machine, args, 0, call)?, int(machine, args, 1, call)?);
    let Ok(base @ 2..=36) = u32::try_from(base) else { return Err(call.fault("the base is not from 2 to 36")) };
    let mut digits = Vec::new();
    let mut rest = i.unsigned_abs();
    loop {
        digits.push(char::from_digit((rest % u64::from(base)) as u32, base).unwrap_or('0'));
        rest /= u64::from(base);
        if rest == 0 {
            break;
        }
    }
    if i < 0 {
        digits.push('-');
    }
    of_text(machine, digits.into_iter().rev().collect::<String>())
}

fn parse_float(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (s, bits) = (text(machine, args, 0, call)?, int(machine, args, 1, call)?);
    let is_number = s.as_str().bytes().any(|b| b.is_ascii_digit());
    match s.as_str().parse::<f64>() {
        Ok(value) if is_number => of_float(if bits == 32 { f64::from(value as f32) } else { value }, call),
        _ => Err(call.fault(format!("{:?} is not a float", s.as_str()))),
    }
}

/// Letters, marks, numbers, punctuation and symbols: the non-ASCII characters that Go prints without an escape.
static PRINTED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^[\pL\pM\pN\pP\pS]$").ok());

fn is_print(c: char) -> bool {
    match c.is_ascii() {
        true => (' '..='~').contains(&c),
        false => PRINTED.as_ref().is_some_and(|printed| printed.is_match(c.encode_utf8(&mut [0; 4]))),
    }
}

fn is_graphic(c: char) -> bool {
    is_print(c) || c.is_whitespace() && !c.is_ascii() && !matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Writes a Go literal. `keeps` returns `true` for characters that need no escape.
fn quote(s: &str, keeps: fn(char) -> bool) -> String {
    let mut out = String::from("\"");
    for c in s.chars() {
        let _ = match c {
            '"' | '\\' => write!(out, "\\{c}"),
            c if keeps(c) && is_graphic(c) => write!(out, "{c}"),
            '\u{7}' => write!(out, "\\a"),
            '\u{8}' => write!(out, "\\b"),
            '\u{c}' => write!(out, "\\f"),
            '\n' => write!(out, "\\n"),
            '\r' => write!(out, "\\r"),
            '\t' => write!(out, "\\t"),
            '\u{b}' => write!(out, "\\v"),
            c if c < ' ' || c == '\u{7f}' => write!(out, "\\x{:02x}", c as u32),
            c if (c as u32) < 0x1_0000 => write!(out, "\\u{:04x}", c as u32),
            c => write!(out, "\\U{:08x}", c as u32),
        };
    }
    out.push('"');
    out
}

fn quoted(machine: &mut Machine, args: &[Thunk], call: &Call, keeps: fn(char) -> bool) -> Answer {
    let s = text(machine, args, 0, call)?;
    machine.charge(s.len())?;
    of_text(machine, quote(s.as_str(), keeps))
}

/// Reads the Go literal at the beginning of a text. Returns its end and its value.
pub fn literal(text: &str) -> Option<(usize, String)> {
    let mut chars = text.char_indices();
    let (_, delimiter) = chars.next()?;
    let mut out = String::new();
    match delimiter {
        '`' => {
            let end = text[1..].find('`')? + 1;
            return Some((end + 1, text[1..end].replace('\r', "")));
        }
        '"' | '\'' => {}
        _ => return None,
    }
    while let Some((at, c)) = chars.next() {
        match c {
            c if c == delimiter => {
                let is_whole = delimiter == '"' || out.chars().count() == 1;
                return is_whole.then_some((at + 1, out));
            }
            '\n' => return None,
            '\\' => {
                let (_, code) = chars.next()?;
                let mut number = |count: usize, radix: u32, first: Option<char>| -> Option<char> {
                    let digits: String = first.into_iter().chain(chars.by_ref().take(count).map(|(_, c)| c)).collect();
                    let is_full = digits.len() == count + usize::from(first.is_some());
                    char::from_u32(u32::from_str_radix(&digits, radix).ok().filter(|_| is_full)?)
                };
                out.push(match code {
                    'a' => '\u{7}',
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    'v' => '\u{b}',
                    '\\' => '\\',
                    'x' => number(2, 16, None).filter(char::is_ascii)?,
                    'u' => number(4, 16, None)?,
                    'U' => number(8, 16, None)?,
                    '0'..='7' => number(2, 8, Some(code)).filter(char::is_ascii)?,
                    c if c == delimiter => c,
                    _ => return None,
                });
            }
            c => out.push(c),
        }
    }
    None
}

/// Returns the Go literal for a string.
pub fn go_quoted(s: &str) -> String {
    quote(s, is_print)
}

/// Replaces the characters that have a meaning in HTML by entities.
pub fn escaped(s: &str) -> String {
    let mut out = String::with_capacity(s.len());
    for c in s.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&#34;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

fn unescaped(s: &str) -> String {
    let mut out = String::with_capacity(s.len());
    let mut rest = s;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let entity = rest.find(';').and_then(|end| Some((character(&rest[1..end])?, end + 1)));
        let (c, length) = entity.unwrap_or(('&', 1));
        out.push(c);
        rest = &rest[length..];
    }
    out + rest
}

/// Returns the character of an entity, `lt` or `#39` or `#x27`.
fn character(entity: &str) -> Option<char> {
    match entity {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some('\u{a0}'),
        _ => {
            let number = entity.strip_prefix('#')?;
            let (digits, radix) = match number.strip_prefix(['x', 'X']) {
                Some(digits) => (digits, 16),
                None => (number, 10),
            };
            let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
            char::from_u32(u32::from_str_radix(digits, radix).ok().filter(|code| is_number && *code != 0)?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        assert_eq!(quote("a\"b\né\u{1}\u{2028}", is_print), r#""a\"b\né\x01\u2028""#);
        assert_eq!(quote("é😀", |c| c.is_ascii()), r#""\u00e9\U0001f600""#);
        assert_eq!(literal(r#""a\"\x41\u00e9\101"rest"#), Some((19, String::from("a\"AéA"))));
        assert_eq!(literal("`a\\n`"), Some((5, String::from("a\\n"))));
        assert_eq!(literal("'ab'"), None);
        assert_eq!(literal("\"a"), None);
    }

    #[test]
    fn entities() {
        assert_eq!(escaped("<a&\"'>"), "&lt;a&amp;&#34;&#39;&gt;");
        assert_eq!(unescaped("&lt;&#39;&#x27;&amp;&nope;& &"), "<''&&nope;& &");
    }
}
