//! The lexer: total on any text. Strings and their interpolated expressions nest, so the lexer has modes.

use super::token::{Kind, Token};
use crate::dialect::{Stop, parser};
use logos::Logos;

/// The tokens of a text.
pub type Lexed = parser::Lexed<Kind>;

/// The construct that the lexer is in.
enum Mode {
    /// A string. Holds its opening token and the number of `%` in its delimiters, which is 0 for a single-line string.
    String { open: Token, percents: usize },
    /// An interpolated expression. Holds the number of open braces in it.
    Interp { braces: u32 },
}

/// Splits a text into tokens, or its beginning if the lexer is stopped. `O(length)`. Reads at most the first 4 GiB.
pub fn lex(text: &str, stop: Stop<'_>) -> Lexed {
    let mut out = Lexed::with_room(text.len());
    let mut modes: Vec<Mode> = Vec::new();
    let mut lexer = Kind::lexer(text);
    while !stop.is_asked() {
        if let Some(Mode::String { open, percents }) = modes.last() {
            let at = lexer.span().end;
            let (end, ended) = if *percents > 0 {
                multi(text, at, *percents, *open, &mut out.tokens)
            } else {
                plain(text, at, &mut out.tokens)
            };
            lexer.bump(end - at);
            match ended {
                Ended::Close => drop(modes.pop()),
                Ended::Interp => modes.push(Mode::Interp { braces: 0 }),
                Ended::Eof => {
                    out.unclosed = Some(*open);
                    out.tokens.push(Token::new(Kind::StrClose, end, end));
                    break;
                }
            }
            continue;
        }
        // most tokens follow blanks, which are not worth a start of the automaton
        let blanks = lexer.remainder().bytes().take_while(|byte| matches!(byte, b' ' | b'\n')).count();
        lexer.bump(blanks);
        let Some(found) = lexer.next() else { break };
        let mut kind = found.unwrap_or(Kind::Error);
        let span = lexer.span();
        match kind {
            Kind::Comment => {
                out.comments.push(Token::new(kind, span.start, span.end));
                continue;
            }
            Kind::Error => {
                out.error(span.start, span.end);
                continue;
            }
            Kind::Primop if !super::primop::is_known(&text[span.clone()]) => {
                // `a %b% c`: two remainder operators, not an internal operation
                out.tokens.push(Token::new(Kind::Percent, span.start, span.start + 1));
                lexer = Kind::lexer(text);
                lexer.bump(span.start + 1);
                continue;
            }
            Kind::LBrace => {
                if let Some(Mode::Interp { braces }) = modes.last_mut() {
                    *braces += 1;
                }
            }
            Kind::RBrace => {
                if let Some(Mode::Interp { braces }) = modes.last_mut() {
                    if *braces == 0 {
                        modes.pop();
                        kind = Kind::InterpClose;
                    } else {
                        *braces -= 1;
                    }
                }
            }
            Kind::StrOpen | Kind::TagStrOpen => {
                modes.push(Mode::String { open: Token::new(kind, span.start, span.end), percents: 0 });
            }
            Kind::MultiOpen | Kind::SymbolicOpen => {
                let percents = text[span.clone()].bytes().filter(|b| *b == b'%').count();
                modes.push(Mode::String { open: Token::new(kind, span.start, span.end), percents });
            }
            _ => {}
        }
        out.tokens.push(Token::new(kind, span.start, span.end));
    }
    out.end(text)
}

enum Ended {
    Close,
    Interp,
    Eof,
}

/// Lexes a standard string from `at` to its end or to an interpolation.
fn plain(text: &str, at: usize, out: &mut Vec<Token>) -> (usize, Ended) {
    let bytes = text.as_bytes();
    let (mut from, mut i) = (at, at);
    let flush = |out: &mut Vec<Token>, from: usize, to: usize| {
        if from < to {
            out.push(Token::new(Kind::StrText, from, to));
        }
    };
    while let Some(byte) = bytes.get(i) {
        match byte {
            b'"' => {
                flush(out, from, i);
                out.push(Token::new(Kind::StrClose, i, i + 1));
                return (i + 1, Ended::Close);
            }
            b'%' if bytes.get(i + 1) == Some(&b'{') => {
                flush(out, from, i);
                out.push(Token::new(Kind::InterpOpen, i, i + 2));
                return (i + 2, Ended::Interp);
            }
            b'\\' => {
                flush(out, from, i);
                let end = i + escape_len(&text[i..]);
                out.push(Token::new(Kind::StrEscape, i, end));
                (from, i) = (end, end);
            }
            _ => i += 1,
        }
    }
    flush(out, from, i);
    (i, Ended::Eof)
}

/// Returns the length of the escape sequence at the beginning of a text, in bytes.
fn escape_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let hex = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_hexdigit);
    match bytes.get(1) {
        None => 1,
        Some(b'x') if hex(2) && hex(3) => 4,
        Some(b'u') if bytes.get(2) == Some(&b'{') => {
            let digits = (3..).take_while(|i| hex(*i)).count();
            if digits > 0 && bytes.get(3 + digits) == Some(&b'}') { 4 + digits } else { 2 }
        }
        Some(_) => 1 + text[1..].chars().next().map_or(0, char::len_utf8),
    }
}

/// Lexes a multi-line string from `at` to its end or to an interpolation. Its delimiters have `n` percent signs. If
/// more of them precede a `{`, the first ones are text.
fn multi(text: &str, at: usize, n: usize, open: Token, out: &mut Vec<Token>) -> (usize, Ended) {
    let bytes = text.as_bytes();
    let run = |from: usize| bytes[from..].iter().take_while(|b| **b == b'%').count();
    let flush = |out: &mut Vec<Token>, to: usize| {
        if at < to {
            out.push(Token::new(Kind::StrText, at, to));
        }
    };
    let mut i = at;
    while let Some(byte) = bytes.get(i) {
        match byte {
            b'%' => {
                let signs = run(i);
                if signs >= n && bytes.get(i + signs) == Some(&b'{') {
                    let start = i + signs - n;
                    flush(out, start);
                    out.push(Token::new(Kind::InterpOpen, start, i + signs + 1));
                    return (i + signs + 1, Ended::Interp);
                }
                i += signs;
            }
            b'"' => {
                let signs = run(i + 1);
                if signs >= n && bytes.get(i + 1 + signs) != Some(&b'{') {
                    flush(out, i);
                    let mut end = i + 1 + n;
                    // the old closing delimiter `"%m`
                    let rest = &bytes[end..];
                    if open.kind == Kind::MultiOpen
                        && signs == n
                        && rest.first() == Some(&b'm')
                        && !rest.get(1).is_some_and(|b| b.is_ascii_alphanumeric() || b"_-'%".contains(b))
                    {
                        end += 1;
                    }
                    out.push(Token::new(Kind::StrClose, i, end));
                    return (end, Ended::Close);
                }
                i += 1;
            }
            _ => i += 1,
        }
    }
    flush(out, i);
    (i, Ended::Eof)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let kinds: Vec<_> = lex(text, Stop::NEVER).tokens.iter().map(|t| format!("{:?}", t.kind)).collect();
        kinds.join(" ")
    }

    #[test]
    fn strings_nest_with_what_is_in_them() {
        assert_eq!(
            shown(r#""a%{ {b = "c"}.b }\n""#),
            "StrOpen StrText InterpOpen LBrace Ident Equals StrOpen StrText StrClose RBrace Dot Ident InterpClose StrEscape StrClose Eof"
        );
    }

    #[test]
    fn delimiters_of_multi_line_strings_count_their_percent_signs() {
        assert_eq!(
            shown(r#"m%%" "% %{a} %%%{b} "%%"#),
            "MultiOpen StrText InterpOpen Ident InterpClose StrText StrClose Eof"
        );
        assert_eq!(shown(r#"m%""%{a}"%"#), "MultiOpen StrText InterpOpen Ident InterpClose StrClose Eof");
        assert_eq!(shown(r#"m%"a"%m b"#), "MultiOpen StrText StrClose Ident Eof");
    }

    #[test]
    fn an_unclosed_string_is_known_by_its_opening() {
        assert_eq!(lex("x \"abc", Stop::NEVER).unclosed.map(|t| t.start), Some(2));
        assert_eq!(lex("\"a%{\"b\"} c\"", Stop::NEVER).unclosed, None);
    }

    #[test]
    fn tokens_cover_text_in_order_whatever_it_is() {
        for text in ["\u{0}§∀\"\\", "%a%%b", "'\"m%\"%{", "\"\\é\\u{zz}\""] {
            let mut at = 0;
            for token in lex(text, Stop::NEVER).tokens {
                assert!(token.start >= at && token.end >= token.start);
                assert!(text.is_char_boundary(token.start as usize) && text.is_char_boundary(token.end as usize));
                at = token.end;
            }
        }
    }
}
