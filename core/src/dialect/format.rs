//! Formats programs by their tokens: indentation, spaces between tokens, blank lines. Line breaks, comments and every
//! token stay as they are, so a formatted program means the same.
//!
//! A line that begins an element of brackets is indented by two spaces more than the line of the bracket. A line that
//! continues an expression keeps its relation to the lines before it: further in by two spaces, the same, or further out.

mod blocks;

use super::Dialect;
use crate::styled::Role;
use std::ops::Range;

/// The spaces of one level.
const INDENT: usize = 2;

/// The layout of a language.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Operators with a space on each side.
    spaced: &'static [&'static str],
    /// Whether `:` after a name in braces has a space after it and none before it.
    colon: bool,
    /// Whether braces on one line have spaces inside.
    padded: bool,
}

const CFG: Layout = Layout {
    spaced: &[
        "=", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "|>", "=>", "->", "&", "++", "+", "*", "/", "|", ":", "?",
    ],
    colon: false,
    padded: true,
};
const JSONNET: Layout = Layout {
    spaced: &["=", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "+", "*", "/", "%", "&", "|", "^", "<<", ">>"],
    colon: true,
    padded: true,
};
const MCL: Layout = Layout {
    spaced: &["=", "==", "!=", "<", "<=", ">", ">=", "+", "*", "/", "=>", "->", "and", "or"],
    colon: false,
    padded: false,
};
const JSON: Layout = Layout { spaced: &[], colon: true, padded: false };
const TOML: Layout = Layout { spaced: &["="], colon: false, padded: true };

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    /// Brackets, operators, names, numbers.
    Code,
    /// A word of the language, after which an operator is a sign.
    Keyword,
    /// A part of a string.
    Text,
    Comment,
}

struct Token<'t> {
    text: &'t str,
    start: usize,
    kind: Kind,
}

/// Returns the formatted text. `None` if the language has no formatter, or if the text cannot be split into tokens.
pub fn format(dialect: Dialect, text: &str) -> Option<String> {
    if has_blocks(dialect) {
        return blocks::format(dialect, text);
    }
    let layout = layout(dialect)?;
    let tokens = tokens(dialect, text)?;
    let out = Writer::new(text, &layout).write(&tokens);
    // what was read again has to be what was written
    let again = self::tokens(dialect, &out)?;
    let same = tokens.len() == again.len() && tokens.iter().zip(&again).all(|(a, b)| a.text == b.text);
    same.then_some(out)
}

/// Returns whether a language has a formatter.
pub fn is_formatted(dialect: Dialect) -> bool {
    has_blocks(dialect) || layout(dialect).is_some()
}

/// Returns whether indentation makes the blocks of a language.
fn has_blocks(dialect: Dialect) -> bool {
    matches!(dialect.name(), "yaml" | "yay")
}

fn layout(dialect: Dialect) -> Option<Layout> {
    Some(match dialect.name() {
        "cfg" => CFG,
        "jsonnet" => JSONNET,
        "mcl" => MCL,
        "json" => JSON,
        "toml" => TOML,
        _ => return None,
    })
}

/// Splits a text into tokens. `None` if something between them is not white space.
fn tokens(dialect: Dialect, text: &str) -> Option<Vec<Token<'_>>> {
    let ranges: Vec<(Range<usize>, Kind)> = match dialect.name() {
        "json" | "toml" => scanned(text),
        _ => {
            let roles = dialect.highlight(text);
            let mut roles = roles.iter().peekable();
            let kind = |range: &Range<usize>| {
                while roles.next_if(|(role, _)| role.end <= range.start).is_some() {}
                match roles.peek().filter(|(role, _)| role.start <= range.start).map(|(_, role)| *role) {
                    Some(Role::String | Role::Tag | Role::Invalid) => Kind::Text,
                    Some(Role::Comment) => Kind::Comment,
                    Some(Role::Keyword) => Kind::Keyword,
                    _ => Kind::Code,
                }
            };
            let mut kind = kind;
            dialect.tokens(text).into_iter().map(|(range, _)| (range.clone(), kind(&range))).collect()
        }
    };
    let mut out: Vec<Token<'_>> = Vec::with_capacity(ranges.len());
    let mut end = 0;
    for (range, kind) in ranges {
        if range.is_empty() {
            continue;
        }
        if !text.get(end..range.start)?.trim().is_empty() {
            return None;
        }
        end = range.end;
        let own = text.get(range.clone())?;
        let own = if kind == Kind::Comment { own.trim_end() } else { own };
        out.push(Token { text: own, start: range.start, kind });
    }
    text.get(end..)?.trim().is_empty().then_some(out)
}

/// Splits JSON or TOML into tokens: strings, comments, punctuation, and everything else up to a space.
fn scanned(text: &str) -> Vec<(Range<usize>, Kind)> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let blank = rest.len() - rest.trim_start().len();
        if blank > 0 {
            at += blank;
            continue;
        }
        let long = ["\"\"\"", "'''"].into_iter().find(|quotes| rest.starts_with(quotes));
        let (length, kind) = match rest.chars().next() {
            Some('#') => (rest.find('\n').unwrap_or(rest.len()), Kind::Comment),
            Some('"' | '\'') => (quoted(rest, long), Kind::Text),
            Some('{' | '}' | '[' | ']' | ',' | ':' | '=') => (1, Kind::Code),
            _ => {
                let ends = |c: char| c.is_whitespace() || "{}[],:=#\"'".contains(c);
                // a time has colons: 07:32:00
                let is_time = rest.starts_with(|c: char| c.is_ascii_digit());
                let end = rest.find(|c: char| ends(c) && !(is_time && c == ':')).unwrap_or(rest.len());
                (end.max(1), Kind::Code)
            }
        };
        out.push((at..at + length, kind));
        at += length;
    }
    out
}

/// Returns the length of a string at the beginning of a text.
fn quoted(text: &str, long: Option<&str>) -> usize {
    let (quotes, escapes) = (long.unwrap_or(&text[..1]), text.starts_with('"'));
    let mut from = quotes.len();
    loop {
        let Some(rest) = text.get(from..) else { return text.len() };
        let Some(at) = rest.find([quotes.chars().next().unwrap_or('"'), '\\']) else { return text.len() };
        from += at;
        let here = &text[from..];
        if here.starts_with('\\') && escapes {
            from += 1 + here[1..].chars().next().map_or(0, char::len_utf8);
        } else if here.starts_with(quotes) {
            // a long string may end with two more quotes
            let more = if long.is_some() {
                here[3..].chars().take_while(|c| quotes.starts_with(*c)).take(2).count()
            } else {
                0
            };
            return from + quotes.len() + more;
        } else {
            from += 1;
        }
    }
}

/// An open bracket.
struct Frame<'t> {
    open: &'t str,
    /// The indentation of the line of the bracket.
    indent: usize,
    /// The indentation, before and after, of the lines of the current element, from the outside in.
    lines: Vec<(usize, usize)>,
}

struct Writer<'t, 'l> {
    text: &'t str,
    layout: &'l Layout,
    newline: &'static str,
    out: String,
    frames: Vec<Frame<'t>>,
    /// The indentation of the current line, before and after.
    line: (usize, usize),
}

impl<'t, 'l> Writer<'t, 'l> {
    fn new(text: &'t str, layout: &'l Layout) -> Writer<'t, 'l> {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let frames = vec![Frame { open: "", indent: 0, lines: Vec::new() }];
        Writer { text, layout, newline, out: String::with_capacity(text.len()), frames, line: (0, 0) }
    }

    fn write(mut self, tokens: &[Token<'t>]) -> String {
        let mut before: Option<&Token<'t>> = None;
        // the token before that is not a comment
        let mut code: Option<&Token<'t>> = None;
        let mut before_last: Option<&Token<'t>> = None;
        // where the token before ended in the text: a comment is cut at its last character
        let mut end = 0;
        for (i, token) in tokens.iter().enumerate() {
            let gap = self.text.get(end..token.start).unwrap_or_default();
            let breaks = gap.matches('\n').count();
            let closes = token.kind == Kind::Code && matches!(token.text, ")" | "]" | "}");
            if before.is_none() || breaks > 0 {
                if before.is_some() {
                    self.out.push_str(self.newline);
                    if breaks > 1 {
                        self.out.push_str(self.newline);
                    }
                }
                self.begin_line(token, code, closes);
            } else if let Some(before) = before {
                let next = tokens.get(i + 1);
                let blank = self.blank((before_last, before), token, next, gap);
                self.out.push_str(blank);
                if self.begins_element(before) {
                    self.begin_element();
                }
            }
            self.out.push_str(token.text);
            if closes && self.frames.len() > 1 {
                self.frames.pop();
            } else if token.kind == Kind::Code && token.text.ends_with(['(', '[', '{']) {
                self.frames.push(Frame { open: token.text, indent: self.line.1, lines: vec![self.line] });
            }
            end = token.start + token.text.len();
            before_last = before;
            before = Some(token);
            code = if token.kind == Kind::Comment { code } else { before };
        }
        if !self.out.is_empty() {
            self.out.push_str(self.newline);
        }
        self.out
    }

    /// Returns whether the token after this one begins an element of the current brackets.
    fn begins_element(&self, before: &Token<'_>) -> bool {
        before.kind == Kind::Code && (before.text.ends_with(['(', '[', '{']) || matches!(before.text, "," | ";"))
    }

    fn begin_element(&mut self) {
        let line = self.line;
        if let Some(frame) = self.frames.last_mut() {
            frame.lines = vec![line];
        }
    }

    /// Writes the indentation of a line.
    fn begin_line(&mut self, token: &Token<'_>, before: Option<&Token<'_>>, closes: bool) {
        let start = self.text.get(..token.start).unwrap_or_default();
        let old = start.len() - start.rfind('\n').map_or(0, |at| at + 1);
        let is_element = before.is_none_or(|before| self.begins_element(before));
        let is_outer = self.frames.len() == 1;
        let Some(frame) = self.frames.last_mut() else { return };
        let new = if closes && !is_outer {
            frame.indent
        } else if is_element && !is_outer {
            frame.lines.clear();
            frame.indent + INDENT
        } else {
            while frame.lines.last().is_some_and(|(outer, _)| *outer > old) {
                frame.lines.pop();
            }
            match frame.lines.last() {
                Some((outer, new)) if *outer == old => *new,
                Some((_, new)) => new + INDENT,
                // further out than the first line
                None if is_outer => 0,
                None => frame.indent + INDENT,
            }
        };
        if !closes {
            frame.lines.push((old, new));
        }
        self.line = (old, new);
        self.out.extend(std::iter::repeat_n(' ', new));
    }

    /// Returns the spaces between two tokens on a line.
    fn blank<'g>(
        &self,
        (before_last, a): (Option<&Token<'_>>, &Token<'_>),
        b: &Token<'_>,
        next: Option<&Token<'_>>,
        gap: &'g str,
    ) -> &'g str {
        let kept = if gap.is_empty() { "" } else { " " };
        if b.kind == Kind::Comment {
            // comments may be aligned
            let is_block = a.kind == Kind::Comment;
            return if gap.is_empty() && !is_block { " " } else { gap };
        }
        let (is_a, is_b) = (a.kind == Kind::Code, b.kind == Kind::Code);
        let open = self.frames.last().map_or("", |frame| frame.open);
        match (a.text, b.text) {
            _ if is_b && matches!(b.text, "," | ";") => return "",
            _ if is_a && matches!(a.text, "," | ";") => return " ",
            ("{", "}") if is_a && is_b => return "",
            _ if is_a && matches!(a.text, "(" | "[") || is_b && matches!(b.text, ")" | "]") => return "",
            ("{", _) if is_a && self.layout.padded => return " ",
            (_, "}") if is_b && self.layout.padded && open == "{" => return " ",
            _ => {}
        }
        let is_colon =
            |token: &Token<'_>| token.text.starts_with(':') || token.text == "+" || token.text.starts_with("+:");
        if self.layout.colon && open == "{" {
            if is_b && b.text.starts_with(':') && is_operand(a) {
                return "";
            }
            if is_a && a.text.ends_with(':') && before_last.is_some_and(|token| is_operand(token) || is_colon(token)) {
                return if is_b && b.text.starts_with(':') { "" } else { " " };
            }
        }
        let is_spaced = |token: &Token<'_>| token.kind != Kind::Text && self.layout.spaced.contains(&token.text);
        // only `+` may be a sign
        let is_binary = |operand: &Token<'_>, operator: &Token<'_>, after: Option<&Token<'_>>| {
            let is_field = self.layout.colon && operator.text == "+" && after.is_some_and(|t| t.text.starts_with(':'));
            is_spaced(operator) && (operator.text != "+" || is_operand(operand)) && !is_field
        };
        if is_binary(a, b, next) || before_last.is_some_and(|operand| is_binary(operand, a, Some(b))) {
            return " ";
        }
        kept
    }
}

/// Returns whether a token can end an operand, so that an operator after it has two operands.
fn is_operand(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Text => true,
        Kind::Comment | Kind::Keyword => false,
        Kind::Code => {
            token.text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ')' | ']' | '}' | '$' | '\''))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::StdNames;
    use crate::text::SourceId;
    use proptest::prelude::*;

    const CFG: &str = "{ a | Number | default = -1 , # c\n b = fun { x , .. } => if x then [ 1 , y ] else \"s %{ a }\" , \
                       c = ( a & b ) . d , e = m%\"\n  text\n\"% , f = 'T x , g = { } } & { \"h i\" = a . b ++ c }";
    const JSONNET: &str = "local f ( x ) = x [ 1 : 2 ] ; // c\n{ a : 1 , b +: { c :: - 2 } , [ 'k' ] : $ . a + 1 , \
                           d : [ x for x in y if ! z ] , e : |||\n  text\n||| , assert true : 'm' , f ( x ) : /* d */ x }";
    const MCL: &str = "$x = 1\nfile \"a\" {\n content => \"b\" , # c\n}\nif $x > 2 {\n $y = [ 1 , 2 ]\n}";
    const TOML: &str = "a = 1 # c\n[ t . u ]\nb = [ 1 , '2' ,\n 3 ]\nd = { x = 07:32:00 , y = \"\"\"\n k\n\"\"\" }\n";

    /// Returns a text whose spaces are others: the line breaks stay if they may have a meaning.
    fn spaced(dialect: Dialect, text: &str, blanks: &[u8]) -> String {
        let keeps = ["mcl", "toml"].contains(&dialect.name());
        let tokens = tokens(dialect, text).unwrap();
        let (mut out, mut end) = (String::new(), 0);
        for (i, token) in tokens.iter().enumerate() {
            let gap = &text[end..token.start];
            let chosen =
                ["", " ", "    ", "\n", "\n\n\n  ", "\n        ", "  \n \n"][usize::from(blanks[i % blanks.len()]) % 7];
            out.push_str(match gap {
                "" => "",
                _ if gap.contains('\n') && (keeps || chosen.is_empty() || !chosen.contains('\n')) => gap,
                _ if keeps && chosen.contains('\n') || chosen.is_empty() => " ",
                _ => chosen,
            });
            out.push_str(token.text);
            end = token.start + token.text.len();
        }
        out
    }

    proptest! {
        #[test]
        fn formatting_changes_only_blanks_and_is_done_once(
            (name, text) in prop_oneof![Just(("cfg", CFG)), Just(("jsonnet", JSONNET)), Just(("mcl", MCL)), Just(("toml", TOML))],
            blanks in prop::collection::vec(any::<u8>(), 1..60),
        ) {
            let dialect = crate::dialect::Languages::default().named(name).unwrap();
            let text = spaced(dialect, text, &blanks);
            let read = |text: &str| dialect.program(SourceId(0), text, &StdNames).problems.len();
            let once = format(dialect, &text).unwrap();
            prop_assert_eq!(read(&text), read(&once), "{}", once);
            let words = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(words(&text), words(&once));
            prop_assert_eq!(format(dialect, &once).unwrap(), once.clone(), "{}", text);
            prop_assert!(once.lines().all(|line| line == line.trim_end() || line.contains('"')), "{}", once);
            prop_assert!(!once.contains("\n\n\n"), "{}", once);
        }
    }
}
