//! The lexer: total on any text.
//!
//! A line is a directive, a key with its value, or an element of a list. Indentation makes blocks, as tokens without
//! text. Expressions, in directives and between `{{` and `}}`, are split by logos; the rest of a line by hand.

use super::token::{Kind, Token};
use crate::dialect::{Stop, parser};
use logos::Logos;

/// The tokens of a text.
pub type Lexed = parser::Lexed<Kind>;

/// The words that begin a directive.
pub(super) const DIRECTIVES: [(&str, Kind); 13] = [
    ("include", Kind::Include),
    ("search", Kind::Search),
    ("if", Kind::If),
    ("elif", Kind::Elif),
    ("else", Kind::Else),
    ("for", Kind::For),
    ("set", Kind::Set),
    ("let", Kind::Let),
    ("select", Kind::Select),
    ("call", Kind::Call),
    ("macro", Kind::Macro),
    ("prototype", Kind::Prototype),
    ("new", Kind::New),
];

/// Splits a text into tokens, or its beginning if the lexer is stopped. `O(length)`. Reads at most the first 4 GiB.
pub fn lex(text: &str, stop: Stop<'_>) -> Lexed {
    let mut lexer = Lexer { text, at: 0, out: Lexed::with_room(text.len()), columns: Vec::new(), stop };
    if is_document(text) {
        lexer.document();
    } else {
        lexer.expression(End::Text);
    }
    lexer.out.tokens.push(Token::new(Kind::Eof, text.len(), text.len()));
    lexer.out
}

/// Returns `true` if a text is a document: its first line is a directive, a key, an element of a list or a template. Any
/// other text is an expression.
pub fn is_document(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let Some(line) = lines.next() else { return true };
    line.starts_with("{{")
        || line == "---"
        || line.starts_with('%')
        || hyphen(line).is_some()
        || directive(line).is_some()
        || is_extend(line)
        || {
            let key = key(line);
            key.is_some_and(|length| !line[..length].contains(['(', '[', '{']) || line.starts_with('"'))
        }
}

/// The end of an expression.
#[derive(Clone, Copy, PartialEq)]
enum End {
    /// The end of the text.
    Text,
    /// The end of the line.
    Line,
    /// `}}`
    Template,
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    out: Lexed,
    /// The columns of the blocks around the place, the outermost first.
    columns: Vec<usize>,
    stop: Stop<'t>,
}

/// Returns the length of `-` with the spaces after it, if a line begins with an element of a list.
fn hyphen(line: &str) -> Option<usize> {
    let rest = line.strip_prefix('-')?;
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    (blanks > 0 || rest.trim_end().is_empty()).then_some(1 + blanks)
}

/// Returns the directive that a line begins with, and the lengths of `%` with its spaces and of the word.
fn directive(line: &str) -> Option<(Kind, usize, usize)> {
    let sign = line.strip_prefix('%').map_or(0, |rest| line.len() - rest.trim_start_matches(' ').len());
    let rest = &line[sign..];
    let length = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let (_, kind) = DIRECTIVES.iter().find(|(word, _)| *word == &rest[..length])?;
    let after = &rest[length..];
    let fits = match kind {
        Kind::Else => after.trim_start().starts_with(':') || after.trim_end().is_empty(),
        // `let` is a key in the released language, unless it defines something
        Kind::Let if sign == 0 => after.contains('=') && !after.trim_start().starts_with(':'),
        _ => after.starts_with([' ', '\t', '(', '"', '\'', '{', '[', '\\']) && !after.trim_start().starts_with(':'),
    };
    (fits || sign > 0).then_some((*kind, sign, length))
}

fn is_extend(line: &str) -> bool {
    line.strip_prefix("extend").is_some_and(|rest| rest.starts_with([' ', '\t']) && key(rest.trim_start()).is_some())
}

/// Returns the length of the key that a line begins with. A colon after it ends the line or precedes a space.
fn key(line: &str) -> Option<usize> {
    let ends = |rest: &str| {
        let rest = rest.trim_start_matches([' ', '\t']);
        rest.strip_prefix(':').is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\n', '\r']))
    };
    if let Some(rest) = line.strip_prefix('"') {
        let length = rest.find(['"', '\n'])? + 2;
        return (line.get(length - 1..length) == Some("\"") && ends(&line[length..])).then_some(length);
    }
    let mut length = 0;
    for (at, c) in line.char_indices() {
        let rest = &line[at..];
        if c.is_whitespace() || (c == ':' && ends(rest)) {
            break;
        }
        length = at + c.len_utf8();
    }
    (length > 0 && ends(&line[length..])).then_some(length)
}

impl<'t> Lexer<'t> {
    fn push(&mut self, kind: Kind, start: usize, end: usize) {
        self.out.tokens.push(Token::new(kind, start, end));
    }

    /// Adds a token of the next `length` bytes.
    fn take(&mut self, kind: Kind, length: usize) {
        self.push(kind, self.at, self.at + length);
        self.at += length;
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// Returns the rest of the line, without its end.
    fn line(&self) -> &'t str {
        let rest = self.rest();
        let line = rest.find('\n').map_or(rest, |end| &rest[..end]);
        line.strip_suffix('\r').unwrap_or(line)
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t']).len();
    }

    fn column(&self) -> usize {
        self.at - self.text[..self.at].rfind('\n').map_or(0, |end| end + 1)
    }

    fn document(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        while self.at < self.text.len() && !self.stop.is_asked() {
            self.blanks();
            let line = self.line();
            if line.trim().is_empty() || line.starts_with('#') {
                if !line.trim().is_empty() {
                    self.comment(line.len());
                }
                self.next_line();
                continue;
            }
            let column = self.column();
            self.block(column);
            self.content(column);
            self.end_line();
        }
    }

    fn comment(&mut self, length: usize) {
        self.out.comments.push(Token::new(Kind::Comment, self.at, self.at + length));
        self.at += length;
    }

    /// Opens or closes blocks until the innermost one has the given column.
    fn block(&mut self, column: usize) {
        match self.columns.last() {
            None => self.columns.push(column),
            Some(innermost) if column > *innermost => {
                self.columns.push(column);
                self.push(Kind::Indent, self.at, self.at);
            }
            Some(_) => {
                while self.columns.len() > 1 && self.columns.last().is_some_and(|c| *c > column) {
                    self.columns.pop();
                    self.push(Kind::Dedent, self.at, self.at);
                }
                if self.columns.last() != Some(&column) {
                    self.push(Kind::Misplaced, self.at, self.at);
                    if let Some(innermost) = self.columns.last_mut() {
                        *innermost = column.min(*innermost);
                    }
                }
            }
        }
    }

    fn next_line(&mut self) {
        self.at += self.rest().find('\n').map_or(self.rest().len(), |end| end + 1);
    }

    /// Ends a line. Its remaining text becomes an error token.
    fn end_line(&mut self) {
        self.blanks();
        let line = self.line();
        if !line.is_empty() {
            self.take(Kind::Error, line.trim_end().len());
            self.blanks();
        }
        // the end of the text closes the line and all blocks; more text may continue them
        if let Some(end) = self.rest().find('\n') {
            self.take(Kind::Newline, end + 1);
        }
    }

    /// Reads the contents of a line. `column` is the column of its block.
    fn content(&mut self, column: usize) {
        let line = self.line();
        if let Some(length) = hyphen(line) {
            self.push(Kind::Hyphen, self.at, self.at + 1);
            self.at += length;
            let (inner, line) = (self.column(), self.line());
            if line.is_empty() {
            } else if key(line).is_some() {
                // the keys on the following lines belong to the same dictionary
                self.columns.push(inner);
                self.push(Kind::Indent, self.at, self.at);
                self.entry(inner);
            } else if let Some(directive) = directive(line).filter(|_| self.opens_block(inner)) {
                // the lines below belong to the directive
                self.columns.push(inner);
                self.push(Kind::Indent, self.at, self.at);
                self.directive(directive);
            } else {
                self.scalar(column);
            }
        } else if let Some(directive) = directive(line) {
            self.directive(directive);
        } else if is_extend(line) {
            self.take(Kind::Extend, "extend".len());
            self.blanks();
            self.entry(column);
        } else if key(line).is_some() {
            self.entry(column);
        } else {
            self.scalar(column);
        }
    }

    /// Returns `true` if the rest of the line can be a directive with a block: it ends with a colon or begins with `%`, and the next
    /// line is indented more than `column`.
    fn opens_block(&self, column: usize) -> bool {
        let line = self.line();
        let below = self.rest().lines().skip(1).find(|line| !line.trim().is_empty() && !line.trim().starts_with('#'));
        let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
        (line.starts_with('%') || line.trim_end().ends_with(':')) && below.is_some_and(|below| indent(below) > column)
    }

    /// Reads a directive.
    fn directive(&mut self, (kind, sign, length): (Kind, usize, usize)) {
        if sign > 0 {
            self.push(Kind::Sign, self.at, self.at + 1);
            self.at += sign;
        }
        self.take(kind, length);
        self.expression(End::Line);
    }

    /// Reads a key and its value.
    fn entry(&mut self, column: usize) {
        let line = self.line();
        let length = key(line).unwrap_or(line.len());
        self.take(Kind::Key, length);
        self.blanks();
        if self.rest().starts_with(':') {
            self.take(Kind::Colon, 1);
        }
        self.blanks();
        self.scalar(column);
    }

    /// Reads a scalar up to the end of the line, or a block scalar, which is indented more than `column`.
    fn scalar(&mut self, column: usize) {
        let line = self.line();
        let trimmed = line.trim_end();
        match trimmed {
            "" => return,
            "{}" => return self.take(Kind::EmptyDict, 2),
            "[]" => return self.take(Kind::EmptyList, 2),
            "|" | "|+" | "|-" | ">" | ">-" | ">+" => {
                self.take(Kind::Block, trimmed.len());
                return self.block_scalar(column);
            }
            _ if line.starts_with('#') => return self.comment(line.len()),
            _ => {}
        }
        let mut quoted = false;
        while !self.stop.is_asked() {
            let line = self.line();
            let plain = line.len() - if quoted { 0 } else { line.len() - line.trim_end().len() };
            let mut length = 0;
            while length < plain {
                let rest = &line[length..];
                if rest.starts_with("{{") || rest.starts_with('"') && (quoted || length == 0) {
                    break;
                }
                length += rest.chars().next().map_or(1, char::len_utf8);
            }
            if length > 0 {
                self.take(Kind::Text, length.min(plain));
                continue;
            }
            if line.starts_with("{{") {
                self.template();
            } else if line.starts_with('"') && plain > 0 {
                quoted = !quoted;
                self.take(Kind::Quote, 1);
                if !quoted {
                    self.blanks();
                }
            } else {
                break;
            }
        }
        if quoted {
            let at = self.out.tokens.iter().rev().find(|t| t.kind == Kind::Quote).copied();
            self.out.unclosed = self.out.unclosed.or(at.filter(|_| self.line().len() == self.rest().len()));
        }
    }

    fn template(&mut self) {
        self.take(Kind::Open, 2);
        self.expression(End::Template);
        if self.rest().starts_with("}}") {
            self.take(Kind::Close, 2);
        }
    }

    /// Reads the lines of a block scalar. Each line is text with templates, and a newline.
    fn block_scalar(&mut self, column: usize) {
        self.blanks();
        let end = self.rest().find('\n').map_or(self.rest().len(), |end| end + 1);
        self.at += end;
        let mut indent = None;
        while self.at < self.text.len() && !self.stop.is_asked() {
            let line = self.line();
            let own = line.len() - line.trim_start_matches(' ').len();
            if line.trim().is_empty() {
                // blank lines belong to the scalar if another line of it follows, or if it begins with `|+`
                let length = self.rest().find('\n').map_or(self.rest().len(), |end| end + 1);
                self.take(Kind::Text, length);
                continue;
            }
            let indent = *indent.get_or_insert(own);
            if own <= column || indent <= column {
                break;
            }
            self.at += own.min(indent);
            loop {
                let line = self.line();
                let length = line.find("{{").unwrap_or(line.len());
                if length > 0 {
                    self.take(Kind::Text, length);
                }
                if !self.line().starts_with("{{") {
                    break;
                }
                self.template();
            }
            let end = self.rest().find('\n').map_or(self.rest().len(), |end| end + 1);
            if end > 0 {
                self.take(Kind::Text, end);
            }
        }
        // the end of the last line ends the entry too
        if self.at > 0 && self.text.as_bytes().get(self.at - 1) == Some(&b'\n') {
            self.at -= 1;
            if let Some(last) = self.out.tokens.last_mut()
                && last.kind == Kind::Text
            {
                last.end -= 1;
            }
        }
    }

    /// Reads the tokens of an expression.
    fn expression(&mut self, end: End) {
        let mut open = 0usize;
        while !self.stop.is_asked() {
            let rest = self.rest();
            let skip = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\u{c}', '\u{feff}']).len();
            self.at += skip;
            let rest = self.rest();
            let Some(first) = rest.chars().next() else { return };
            match first {
                '\n' if end == End::Text || open > 0 => {
                    self.at += 1;
                    continue;
                }
                '\n' => return,
                '\\' if rest[1..].starts_with('\n') || rest[1..].starts_with("\r\n") => {
                    self.at += rest.find('\n').map_or(1, |end| end + 1);
                    continue;
                }
                '#' => {
                    let length = self.line().len();
                    self.comment(length);
                    continue;
                }
                '}' if end == End::Template && open == 0 && rest.starts_with("}}") => return,
                _ => {}
            }
            let mut lexer = Kind::lexer(rest);
            let kind = lexer.next().and_then(Result::ok).unwrap_or(Kind::Error);
            let mut length = lexer.span().end.max(first.len_utf8());
            if kind == Kind::Error {
                length = first.len_utf8();
            }
            match kind {
                Kind::LParen | Kind::LBracket | Kind::LBrace => open += 1,
                Kind::RParen | Kind::RBracket | Kind::RBrace => open = open.saturating_sub(1),
                Kind::Double | Kind::Single => match string(rest) {
                    Some(found) => length = found,
                    None => {
                        length = if end == End::Text { rest.len() } else { self.line().len() };
                        if self.at + length == self.text.len() {
                            self.out.unclosed = Some(Token::new(kind, self.at, self.at + 1));
                        } else {
                            self.take(Kind::Error, length);
                            continue;
                        }
                    }
                },
                _ => {}
            }
            self.take(kind, length);
        }
    }
}

/// Returns the length of the string that a text begins with.
fn string(text: &str) -> Option<usize> {
    let quote = text.get(..1)?;
    let triple = quote.repeat(3);
    if let Some(rest) = text.strip_prefix(triple.as_str()) {
        return rest.find(triple.as_str()).map(|at| at + 6);
    }
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return None,
            _ if c == quote.chars().next().unwrap_or('"') => return Some(at + 1),
            _ => {}
        }
    }
    None
}
