//! `std.parseJson`. Error messages are those of nlohmann/json, the JSON parser of the C++ Jsonnet reference implementation.

use super::{Answer, failure, impossible_type, number, strict};
use crate::problem::value::ValueKind;
use crate::text::Name;
use crate::value::{Call, Machine, Thunk, Value};
use indexmap::IndexMap;

/// Maximum number of characters of a text in a message.
const SHOWN: usize = 40;

pub fn parse_json(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let [Value::String(s)] = strict(machine, args, call, "parseJson", ["string"])? else {
        return Err(impossible_type(call));
    };
    machine.charge(s.len())?;
    machine.charge_new_elements(s.matches([',', '[', '{']).count())?;
    parse(&s).map_err(|words| {
        let note = until(&s, &words);
        failure(call, words).change(|problem| {
            if let ValueKind::Undefined { notes, .. } = &mut problem.what {
                notes.extend(note);
            }
        })
    })
}

/// Shows the text up to the place that a message names.
fn until(text: &str, words: &str) -> Option<Name> {
    let number =
        |before: &str| words.split_once(before)?.1.split(|c: char| !c.is_ascii_digit()).next()?.parse::<usize>().ok();
    let line = text.split('\n').nth(number("at line ")?.checked_sub(1)?)?;
    let end = (0..=number(", column ")?.min(line.len())).rev().find(|end| line.is_char_boundary(*end))?;
    let shown = line.get(..end)?;
    let from = shown.char_indices().rev().nth(SHOWN).map_or(0, |(at, _)| at);
    let cut = if from > 0 { "…" } else { "" };
    Some(Name::from(format!("the text up to this place: `{cut}{}`", shown.get(from..)?)))
}

/// A token of the text.
#[derive(PartialEq)]
enum Token {
    BeginArray,
    EndArray,
    BeginObject,
    EndObject,
    Colon,
    Comma,
    True,
    False,
    Null,
    String(String),
    Number(f64),
    /// An invalid token, with the reason.
    Bad(String),
    End,
}

impl Token {
    fn name(&self) -> &'static str {
        match self {
            Token::BeginArray => "'['",
            Token::EndArray => "']'",
            Token::BeginObject => "'{'",
            Token::EndObject => "'}'",
            Token::Colon => "':'",
            Token::Comma => "','",
            Token::True => "true literal",
            Token::False => "false literal",
            Token::Null => "null literal",
            Token::String(_) => "string literal",
            Token::Number(_) => "number literal",
            Token::Bad(_) => "<parse error>",
            Token::End => "end of input",
        }
    }
}

/// An array or object that is not closed yet.
enum Open {
    Array(Vec<Thunk>),
    Object(IndexMap<Name, Thunk>, Name),
}

/// Parses JSON text in O(length), without recursion, so that deep nesting cannot overflow the stack.
fn parse(text: &str) -> Result<Value, String> {
    let mut lexer = Lexer::new(text);
    let mut open: Vec<Open> = Vec::new();
    let mut token = lexer.token();
    loop {
        let mut value = match token {
            Token::BeginObject => match lexer.token() {
                Token::EndObject => Value::record([]),
                first => {
                    let key = lexer.key(first)?;
                    open.push(Open::Object(IndexMap::new(), key));
                    token = lexer.token();
                    continue;
                }
            },
            Token::BeginArray => match lexer.token() {
                Token::EndArray => Value::array([]),
                first => {
                    open.push(Open::Array(Vec::new()));
                    token = first;
                    continue;
                }
            },
            Token::True => Value::Bool(true),
            Token::False => Value::Bool(false),
            Token::Null => Value::Null,
            Token::String(text) => Value::string(text),
            Token::Number(n) if n.is_finite() => number(n),
            Token::Number(_) => {
                let read = lexer.read();
                return Err(format!("[json.exception.out_of_range.406] number overflow parsing '{read}'"));
            }
            Token::Bad(_) => return Err(lexer.unexpected(&token, "", "value")),
            other => return Err(lexer.unexpected(&other, "'[', '{', or a literal", "value")),
        };
        // after a value
        loop {
            let next = lexer.token();
            match open.last_mut() {
                None if next == Token::End => return Ok(value),
                None => return Err(lexer.unexpected(&next, "end of input", "value")),
                Some(Open::Array(elements)) => {
                    elements.push(Thunk::done(value));
                    match next {
                        Token::Comma => {
                            token = lexer.token();
                            break;
                        }
                        Token::EndArray => value = Value::array(std::mem::take(elements)),
                        other => return Err(lexer.unexpected(&other, "']'", "array")),
                    }
                }
                Some(Open::Object(fields, key)) => {
                    fields.insert(key.clone(), Thunk::done(value));
                    match next {
                        Token::Comma => {
                            let first = lexer.token();
                            *key = lexer.key(first)?;
                            token = lexer.token();
                            break;
                        }
                        Token::EndObject => value = Value::record(std::mem::take(fields)),
                        other => return Err(lexer.unexpected(&other, "'}'", "object")),
                    }
                }
            }
            open.pop();
        }
    }
}

struct Lexer<'t> {
    bytes: &'t [u8],
    /// The index of the next byte.
    at: usize,
    current: Option<u8>,
    /// Whether the next `get` returns the current byte again.
    again: bool,
    /// The bytes read since the last string or number began, or since the start of the text. For messages.
    token: Vec<u8>,
    total: usize,
    line: usize,
    column: usize,
}

impl Lexer<'_> {
    fn new(text: &str) -> Lexer<'_> {
        let bytes = text.as_bytes();
        let mut lexer =
            Lexer { bytes, at: 0, current: None, again: false, token: Vec::new(), total: 0, line: 0, column: 0 };
        if text.starts_with('\u{feff}') {
            for _ in 0..3 {
                lexer.get();
            }
        }
        lexer
    }

    fn get(&mut self) -> Option<u8> {
        self.total += 1;
        self.column += 1;
        if self.again {
            self.again = false;
        } else {
            self.current = self.bytes.get(self.at).copied();
            self.at += usize::from(self.current.is_some());
        }
        if let Some(byte) = self.current {
            self.token.push(byte);
            if byte == b'\n' {
                self.line += 1;
                self.column = 0;
            }
        }
        self.current
    }

    fn unget(&mut self) {
        self.again = true;
        self.total -= 1;
        if self.column == 0 {
            self.line = self.line.saturating_sub(1);
        } else {
            self.column -= 1;
        }
        if self.current.is_some() {
            self.token.pop();
        }
    }

    fn error(&self, words: &str) -> String {
        let (line, column) = (self.line + 1, self.column);
        format!("[json.exception.parse_error.101] parse error at line {line}, column {column}: {words}")
    }

    /// Returns the bytes of `token` as text for a message. Control characters become codes: `<U+000A>`.
    fn read(&self) -> String {
        let mut out = String::new();
        for c in String::from_utf8_lossy(&self.token).chars() {
            if c < ' ' { out.push_str(&format!("<U+{:04X}>", u32::from(c))) } else { out.push(c) }
        }
        out
    }

    fn unexpected(&self, token: &Token, expected: &str, context: &str) -> String {
        let mut words = format!("syntax error while parsing {context} - ");
        match token {
            Token::Bad(reason) => words.push_str(&format!("{reason}; last read: '{}'", self.read())),
            other => words.push_str(&format!("unexpected {}", other.name())),
        }
        if !expected.is_empty() {
            words.push_str(&format!("; expected {expected}"));
        }
        self.error(&words)
    }

    /// Returns the key that is in the token `first`, and reads the colon after it.
    fn key(&mut self, first: Token) -> Result<Name, String> {
        let Token::String(key) = first else {
            return Err(self.unexpected(&first, "string literal", "object key"));
        };
        match self.token() {
            Token::Colon => Ok(Name::from(key)),
            other => Err(self.unexpected(&other, "':'", "object separator")),
        }
    }

    fn token(&mut self) -> Token {
        let mut byte = self.get();
        while matches!(byte, Some(b' ' | b'\t' | b'\n' | b'\r')) {
            byte = self.get();
        }
        match byte {
            Some(b'[') => Token::BeginArray,
            Some(b']') => Token::EndArray,
            Some(b'{') => Token::BeginObject,
            Some(b'}') => Token::EndObject,
            Some(b':') => Token::Colon,
            Some(b',') => Token::Comma,
            Some(b't') => self.literal("true", Token::True),
            Some(b'f') => self.literal("false", Token::False),
            Some(b'n') => self.literal("null", Token::Null),
            Some(b'"') => self.string(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(0) | None => Token::End,
            Some(_) => Token::Bad(String::from("invalid literal")),
        }
    }

    fn literal(&mut self, word: &str, token: Token) -> Token {
        for wanted in word.bytes().skip(1) {
            if self.get() != Some(wanted) {
                return Token::Bad(String::from("invalid literal"));
            }
        }
        token
    }

    /// Makes the current byte the first of the bytes that messages show.
    fn reset(&mut self) {
        self.token.clear();
        self.token.extend(self.current);
    }

    fn string(&mut self) -> Token {
        self.reset();
        let mut out: Vec<u8> = Vec::new();
        let bad = |words: &str| Token::Bad(format!("invalid string: {words}"));
        loop {
            match self.get() {
                None => return bad("missing closing quote"),
                Some(b'"') => return Token::String(String::from_utf8_lossy(&out).into_owned()),
                Some(b'\\') => {
                    let plain = match self.get() {
                        Some(c @ (b'"' | b'\\' | b'/')) => c,
                        Some(b'b') => 8,
                        Some(b'f') => 12,
                        Some(b'n') => b'\n',
                        Some(b'r') => b'\r',
                        Some(b't') => b'\t',
                        Some(b'u') => match self.escape() {
                            Ok(c) => {
                                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                                continue;
                            }
                            Err(words) => return bad(words),
                        },
                        _ => return bad("forbidden character after backslash"),
                    };
                    out.push(plain);
                }
                Some(c @ 0..=0x1f) => return bad(&control(c)),
                Some(c) => out.push(c),
            }
        }
    }

    fn hexadecimal(&mut self) -> Option<u32> {
        let mut code = 0;
        for _ in 0..4 {
            code = code * 16 + self.get().and_then(|c| char::from(c).to_digit(16))?;
        }
        Some(code)
    }

    fn escape(&mut self) -> Result<char, &'static str> {
        const DIGITS: &str = "'\\u' must be followed by 4 hex digits";
        // This is the wording of the reference, although the first range should be U+D800..U+DBFF.
        const PAIR: &str = "surrogate U+DC00..U+DFFF must be followed by U+DC00..U+DFFF";
        let first = self.hexadecimal().ok_or(DIGITS)?;
        let code = match first {
            0xd800..=0xdbff => {
                if self.get() != Some(b'\\') || self.get() != Some(b'u') {
                    return Err(PAIR);
                }
                match self.hexadecimal().ok_or(DIGITS)? {
                    second @ 0xdc00..=0xdfff => 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00),
                    _ => return Err(PAIR),
                }
            }
            0xdc00..=0xdfff => return Err("surrogate U+DC00..U+DFFF must follow U+D800..U+DBFF"),
            code => code,
        };
        Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn number(&mut self) -> Token {
        self.reset();
        let bad = |words: &str| Token::Bad(format!("invalid number; expected {words}"));
        let digit = |byte: Option<u8>| byte.is_some_and(|b| b.is_ascii_digit());
        let mut whole = true;
        let mut byte = self.current;
        if byte == Some(b'-') {
            byte = self.get();
            if !digit(byte) {
                return bad("digit after '-'");
            }
        }
        let zero = byte == Some(b'0');
        byte = self.get();
        while !zero && digit(byte) {
            byte = self.get();
        }
        if byte == Some(b'.') {
            whole = false;
            byte = self.get();
            if !digit(byte) {
                return bad("digit after '.'");
            }
            while digit(byte) {
                byte = self.get();
            }
        }
        if let Some(b'e' | b'E') = byte {
            whole = false;
            byte = self.get();
            if let Some(b'+' | b'-') = byte {
                byte = self.get();
                if !digit(byte) {
                    return bad("digit after exponent sign");
                }
            } else if !digit(byte) {
                return bad("'+', '-', or digit after exponent");
            }
            while digit(byte) {
                byte = self.get();
            }
        }
        self.unget();
        let n: f64 = std::str::from_utf8(&self.token).ok().and_then(|text| text.parse().ok()).unwrap_or(f64::NAN);
        // The reference reads a number without fraction and exponent as an integer, so `-0` is 0.
        Token::Number(if whole && n == 0.0 { 0.0 } else { n })
    }
}

/// Returns the message about a control character in a string.
fn control(code: u8) -> String {
    const NAMES: [&str; 32] = [
        "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR", "SO", "SI", "DLE",
        "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
    ];
    let name = NAMES.get(usize::from(code)).copied().unwrap_or_default();
    let short = match code {
        8 => " or \\b",
        9 => " or \\t",
        10 => " or \\n",
        12 => " or \\f",
        13 => " or \\r",
        _ => "",
    };
    format!("control character U+{code:04X} ({name}) must be escaped to \\u{code:04X}{short}")
}
