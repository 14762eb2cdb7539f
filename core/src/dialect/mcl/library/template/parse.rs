//! Parses templates of Go's `text/template`: `Hello {{ .Name }}`.

use super::super::go_strconv;
use super::super::plain::Plain;
use std::collections::BTreeMap;

/// Maximum depth of blocks and parentheses.
const MAX_DEPTH: usize = 100;
/// Maximum number of characters of the template that a message quotes.
const MAX_QUOTED: usize = 10;

/// The templates of a text: its own, under the empty name, and those that it defines.
pub type Templates = BTreeMap<String, Vec<Node>>;

/// The reason why a template cannot be read.
#[derive(Debug, PartialEq)]
pub struct ParseError {
    /// The line in the template, from 1.
    pub line: usize,
    /// The reason, without a full stop.
    pub message: String,
}

/// A part of a template.
pub enum Node {
    /// Text that is copied.
    Text(String),
    /// `{{ pipeline }}`
    Action(Pipeline),
    /// `{{ if }}`, `{{ with }}` or `{{ range }}`, with the part after `{{ else }}`.
    Block { kind: BlockKind, pipeline: Pipeline, body: Vec<Node>, otherwise: Vec<Node> },
    /// `{{ template "name" pipeline }}`
    Template(String, Option<Pipeline>),
    /// `{{ break }}`
    Break,
    /// `{{ continue }}`
    Continue,
}

/// The kinds of blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockKind {
    /// `{{ if }}`
    If,
    /// `{{ with }}`
    With,
    /// `{{ range }}`
    Range,
}

/// Commands, each of which gets the result of the one before as its last argument.
pub struct Pipeline {
    /// The variables that are set.
    pub variables: Vec<String>,
    /// Whether it sets variables that exist already (`=`), or declares new ones (`:=`).
    pub assigns: bool,
    /// The commands, at least one.
    pub commands: Vec<Vec<Operand>>,
}

/// A value with the fields that are read from it: `.a.b`, `$x.a`, `(f 1).a`.
pub struct Operand {
    /// The value.
    pub base: Base,
    /// The fields.
    pub fields: Vec<String>,
}

/// The beginning of an operand.
pub enum Base {
    /// `.`
    Dot,
    /// `$name`; `$` has an empty name.
    Variable(String),
    /// The name of a function.
    Function(String),
    /// A literal.
    Literal(Plain),
    /// `nil`
    Nil,
    /// A pipeline in parentheses.
    Pipeline(Box<Pipeline>),
}

/// Parses a text. Returns its template under the empty name, and the templates that it defines.
///
/// # Errors
///
/// Fails at wrong syntax, at undefined variables, and at blocks nested more than [`MAX_DEPTH`] deep.
pub fn parse(text: &str) -> Result<Templates, ParseError> {
    let mut parser = Parser {
        pieces: pieces(text)?,
        at: 0,
        defined: Templates::new(),
        variables: vec![String::new()],
        depth: 0,
        range_depth: 0,
    };
    let (nodes, end) = parser.nodes()?;
    match end {
        Ending::Text => {
            parser.defined.insert(String::new(), nodes);
            Ok(parser.defined)
        }
        Ending::Else(_) => Err(parser.error("`{{ else }}` without a block")),
        Ending::End => Err(parser.error("`{{ end }}` without a block")),
    }
}

/// A token, and whether a space precedes it.
#[derive(Clone)]
struct SpacedToken {
    token: Token,
    after_space: bool,
}

/// Text between actions, or the tokens of an action.
enum Piece {
    Text(String),
    Action { tokens: Vec<SpacedToken>, line: usize },
}

/// A token of an action.
#[derive(Clone, PartialEq, Debug)]
enum Token {
    Name(String),
    /// `.a`
    Field(String),
    /// `.`
    Dot,
    Variable(String),
    Literal(String),
    Number(Number),
    /// `:=`
    Declare,
    /// `|`, `,`, `(`, `)` or `=`.
    Sign(char),
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Number {
    Int(i64),
    Float(f64),
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// Splits a text into pieces.
fn pieces(text: &str) -> Result<Vec<Piece>, ParseError> {
    let mut out = Vec::new();
    let mut position = 0;
    let mut trims = false;
    let mut line = 1;
    let mut counted_to = 0;
    while let Some(open) = text[position..].find("{{").map(|at| position + at) {
        line += text[counted_to..open].matches('\n').count();
        counted_to = open;
        let fail = |message: &str| ParseError { line, message: String::from(message) };
        let mut start = open + 2;
        let trims_left = text[start..].starts_with('-') && text[start + 1..].starts_with(is_space);
        if trims_left {
            start += 2;
        }
        let before = &text[position..open];
        let before = if trims { before.trim_start_matches(is_space) } else { before };
        let before = if trims_left { before.trim_end_matches(is_space) } else { before };
        if !before.is_empty() {
            out.push(Piece::Text(String::from(before)));
        }
        let (trims_right, after) = if text[start..].starts_with("/*") {
            let end =
                text[start..].find("*/").map(|at| start + at + 2).ok_or_else(|| fail("a comment does not end"))?;
            closing(text, end).ok_or_else(|| fail("a comment ends before the action"))?
        } else {
            let (tokens, end) = tokens(text, start).map_err(|message| ParseError { line, message })?;
            out.push(Piece::Action { tokens, line });
            closing(text, end).ok_or_else(|| fail("an action does not end"))?
        };
        trims = trims_right;
        position = after;
    }
    let last = &text[position..];
    let last = if trims { last.trim_start_matches(is_space) } else { last };
    if !last.is_empty() {
        out.push(Piece::Text(String::from(last)));
    }
    Ok(out)
}

/// Reads the end of an action, `}}` or ` -}}`. Returns whether it trims the text after it, and the offset of that
/// text. `None` if the action does not end at `at`.
fn closing(text: &str, at: usize) -> Option<(bool, usize)> {
    let rest = &text[at..];
    let trimmed = rest.trim_start_matches(is_space);
    let spaces = rest.len() - trimmed.len();
    if trimmed.starts_with("-}}") && spaces > 0 {
        return Some((true, at + spaces + 3));
    }
    trimmed.starts_with("}}").then_some((false, at + spaces + 2))
}

/// Reads the tokens of an action. The first one counts as preceded by a space. Returns them and the offset of the
/// action's end.
fn tokens(text: &str, start: usize) -> Result<(Vec<SpacedToken>, usize), String> {
    let mut out = Vec::new();
    let mut at = start;
    loop {
        let rest = &text[at..];
        if closing(text, at).is_some() {
            return Ok((out, at));
        }
        let Some(first) = rest.chars().next() else { return Err(String::from("an action does not end")) };
        if is_space(first) {
            at += 1;
            continue;
        }
        let after_space = text[start..at].ends_with(is_space) || at == start;
        let word = |from: usize| {
            let is_inside = |c: char| c.is_alphanumeric() || c == '_';
            rest[from..].find(|c: char| !is_inside(c)).map_or(rest.len(), |end| from + end)
        };
        let (token, length) = match first {
            '"' | '`' | '\'' => {
                let (length, value) =
                    go_strconv::literal(rest).ok_or("a literal does not end, or has an unknown escape")?;
                match (first, value.chars().next()) {
                    ('\'', Some(c)) => (Token::Number(Number::Int(i64::from(u32::from(c)))), length),
                    _ => (Token::Literal(value), length),
                }
            }
            '$' => (Token::Variable(String::from(&rest[1..word(1)])), word(1)),
            '.' if rest[1..].starts_with(|c: char| c.is_alphabetic() || c == '_') => {
                (Token::Field(String::from(&rest[1..word(1)])), word(1))
            }
            '.' if !rest[1..].starts_with(|c: char| c.is_ascii_digit()) => (Token::Dot, 1),
            ':' if rest.starts_with(":=") => (Token::Declare, 2),
            '|' | ',' | '(' | ')' | '=' => (Token::Sign(first), 1),
            '+' | '-' | '.' | '0'..='9' => {
                let (number, length) =
                    number(rest).ok_or_else(|| format!("unreadable number near `{}`", near(rest)))?;
                (Token::Number(number), length)
            }
            c if c.is_alphabetic() || c == '_' => (Token::Name(String::from(&rest[..word(0)])), word(0)),
            c => return Err(format!("unexpected character `{c}`")),
        };
        out.push(SpacedToken { token, after_space });
        at += length;
    }
}

/// Returns the beginning of a text, for a message.
fn near(text: &str) -> String {
    text.chars().take(MAX_QUOTED).take_while(|c| !c.is_whitespace()).collect()
}

/// Reads a number literal of Go. Returns it with its length in bytes. `None` if it is not a number, or out of range.
fn number(text: &str) -> Option<(Number, usize)> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let sign = text.len() - unsigned.len();
    let mut end = 0;
    for (at, c) in unsigned.char_indices() {
        let is_exponent_sign =
            matches!(c, '+' | '-') && unsigned[..at].ends_with(['e', 'E']) && !unsigned.starts_with("0x");
        if !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_') || is_exponent_sign) {
            break;
        }
        end = at + 1;
    }
    let digits = unsigned[..end].replace('_', "");
    let negative = text.starts_with('-');
    let parse_radix = |prefixes: [&str; 2], radix| {
        let digits = digits.strip_prefix(prefixes[0]).or_else(|| digits.strip_prefix(prefixes[1]))?;
        i64::from_str_radix(digits, radix).ok()
    };
    let whole = parse_radix(["0x", "0X"], 16)
        .or_else(|| parse_radix(["0b", "0B"], 2))
        .or_else(|| parse_radix(["0o", "0O"], 8))
        .or_else(|| {
            let is_octal = digits.len() > 1 && digits.starts_with('0');
            let is_number = digits.bytes().all(|b| b.is_ascii_digit());
            i64::from_str_radix(&digits, if is_octal { 8 } else { 10 }).ok().filter(|_| is_number)
        });
    let number = match whole {
        Some(i) => Number::Int(if negative { i.checked_neg()? } else { i }),
        None => {
            let is_float = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
            let value: f64 = digits.parse().ok().filter(|value: &f64| is_float && value.is_finite())?;
            Number::Float(if negative { -value } else { value })
        }
    };
    Some((number, sign + end))
}

/// The token that ends a list of nodes.
enum Ending {
    /// The end of the text.
    Text,
    /// `{{ end }}`
    End,
    /// `{{ else }}`, with the tokens after it.
    Else(Vec<SpacedToken>),
}

struct Parser {
    pieces: Vec<Piece>,
    at: usize,
    defined: Templates,
    /// The variables in scope.
    variables: Vec<String>,
    depth: usize,
    /// Number of enclosing `{{ range }}` blocks.
    range_depth: usize,
}

impl Parser {
    fn error(&self, message: impl Into<String>) -> ParseError {
        let end = self.at.min(self.pieces.len());
        let line = self.pieces[..end].iter().rev().find_map(|piece| match piece {
            Piece::Action { line, .. } => Some(*line),
            Piece::Text(_) => None,
        });
        ParseError { line: line.unwrap_or(1), message: message.into() }
    }

    /// Runs a rule one level deeper. Fails if that is too deep.
    fn nested<T>(&mut self, run: impl FnOnce(&mut Parser) -> Result<T, ParseError>) -> Result<T, ParseError> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error("the template is nested too deeply"));
        }
        self.depth += 1;
        let out = crate::deep::deeper(|| run(self));
        self.depth -= 1;
        out
    }

    /// Reads nodes up to an `{{ end }}` or `{{ else }}` that belongs to a block around them.
    fn nodes(&mut self) -> Result<(Vec<Node>, Ending), ParseError> {
        let mut out = Vec::new();
        loop {
            let Some(piece) = self.pieces.get_mut(self.at) else { return Ok((out, Ending::Text)) };
            self.at += 1;
            let tokens = match piece {
                Piece::Text(text) => {
                    out.push(Node::Text(std::mem::take(text)));
                    continue;
                }
                Piece::Action { tokens, .. } => std::mem::take(tokens),
            };
            let mut rest = Tokens { tokens, at: 0 };
            match rest.keyword() {
                Some("end") => {
                    self.expect_end(&rest, "end")?;
                    return Ok((out, Ending::End));
                }
                Some("else") => return Ok((out, Ending::Else(rest.tokens.split_off(rest.at)))),
                Some("if") => out.push(self.nested(|parser| parser.block(BlockKind::If, rest))?),
                Some("with") => out.push(self.nested(|parser| parser.block(BlockKind::With, rest))?),
                Some("range") => out.push(self.nested(|parser| parser.block(BlockKind::Range, rest))?),
                Some("define") => {
                    let name = self.name(&mut rest)?;
                    self.expect_end(&rest, "define")?;
                    self.nested(|parser| parser.define(name))?;
                }
                Some("block") => {
                    let name = self.name(&mut rest)?;
                    let pipeline = self.pipeline(&mut rest, false)?;
                    self.expect_end(&rest, "block")?;
                    self.nested(|parser| parser.define(name.clone()))?;
                    out.push(Node::Template(name, Some(pipeline)));
                }
                Some("template") => {
                    let name = self.name(&mut rest)?;
                    let pipeline = if rest.is_done() { None } else { Some(self.pipeline(&mut rest, false)?) };
                    self.expect_end(&rest, "template")?;
                    out.push(Node::Template(name, pipeline));
                }
                Some(word @ ("break" | "continue")) => {
                    let is_break = word == "break";
                    self.expect_end(&rest, word)?;
                    if self.range_depth == 0 {
                        return Err(self.error(format!("`{word}` outside of a range")));
                    }
                    out.push(if is_break { Node::Break } else { Node::Continue });
                }
                _ => {
                    let pipeline = self.pipeline(&mut rest, true)?;
                    self.expect_end(&rest, "the action")?;
                    out.push(Node::Action(pipeline));
                }
            }
        }
    }

    /// Reads the pipeline of a block, its body and its `{{ else }}` part, up to its `{{ end }}`.
    fn block(&mut self, kind: BlockKind, mut rest: Tokens) -> Result<Node, ParseError> {
        let outer_variables = self.variables.len();
        let pipeline = self.pipeline(&mut rest, true)?;
        if pipeline.variables.len() > 1 && kind != BlockKind::Range {
            return Err(self.error("only a range sets two variables"));
        }
        self.expect_end(&rest, "the block")?;
        let block_variables = self.variables.len();
        self.range_depth += usize::from(kind == BlockKind::Range);
        let (body, end) = self.nodes()?;
        self.range_depth -= usize::from(kind == BlockKind::Range);
        self.variables.truncate(block_variables);
        let otherwise = match end {
            Ending::End => Vec::new(),
            Ending::Text => return Err(self.error("a block has no `{{ end }}`")),
            Ending::Else(tokens) => {
                let mut rest = Tokens { tokens, at: 0 };
                match rest.keyword() {
                    Some("if") if kind == BlockKind::If => {
                        vec![self.nested(|parser| parser.block(BlockKind::If, rest))?]
                    }
                    Some("with") if kind == BlockKind::With => {
                        vec![self.nested(|parser| parser.block(BlockKind::With, rest))?]
                    }
                    _ => {
                        self.expect_end(&rest, "else")?;
                        match self.nodes()? {
                            (otherwise, Ending::End) => otherwise,
                            (_, Ending::Else(_)) => return Err(self.error("a block has two `{{ else }}`")),
                            (_, Ending::Text) => return Err(self.error("a block has no `{{ end }}`")),
                        }
                    }
                }
            }
        };
        self.variables.truncate(outer_variables);
        Ok(Node::Block { kind, pipeline, body, otherwise })
    }

    fn define(&mut self, name: String) -> Result<(), ParseError> {
        let variables = std::mem::replace(&mut self.variables, vec![String::new()]);
        let range_depth = std::mem::take(&mut self.range_depth);
        let (nodes, end) = self.nodes()?;
        self.variables = variables;
        self.range_depth = range_depth;
        match end {
            Ending::End => {
                self.defined.insert(name, nodes);
                Ok(())
            }
            _ => Err(self.error("a definition has no `{{ end }}`")),
        }
    }

    fn name(&self, rest: &mut Tokens) -> Result<String, ParseError> {
        match rest.next() {
            Some(SpacedToken { token: Token::Literal(name), .. }) => Ok(name),
            _ => Err(self.error("the name of a template is missing")),
        }
    }

    /// Fails if an action has more tokens.
    fn expect_end(&self, rest: &Tokens, what: &str) -> Result<(), ParseError> {
        if rest.is_done() { Ok(()) } else { Err(self.error(format!("unexpected text in `{what}`"))) }
    }

    /// Reads a pipeline. `may_set_variables`: whether `$x :=` and `$x =` are allowed.
    fn pipeline(&mut self, rest: &mut Tokens, may_set_variables: bool) -> Result<Pipeline, ParseError> {
        let mut pipeline = Pipeline { variables: Vec::new(), assigns: false, commands: Vec::new() };
        if may_set_variables && let Some((variables, assigns)) = rest.variables() {
            if assigns && let Some(unknown) = variables.iter().find(|name| !self.variables.contains(name)) {
                return Err(self.error(format!("undefined variable `${unknown}`")));
            }
            pipeline.variables = variables;
            pipeline.assigns = assigns;
        }
        loop {
            let mut command = Vec::new();
            while let Some(SpacedToken { token, .. }) = rest.peek() {
                if matches!(token, Token::Sign('|' | ')')) {
                    break;
                }
                let operand = self.operand(rest)?;
                command.push(operand);
            }
            if command.is_empty() {
                return Err(self.error("a command is missing"));
            }
            let is_literal = matches!(command[0].base, Base::Literal(_));
            if is_literal && !pipeline.commands.is_empty() {
                return Err(self.error("only a function can follow `|`"));
            }
            pipeline.commands.push(command);
            match rest.peek() {
                Some(SpacedToken { token: Token::Sign('|'), .. }) => rest.at += 1,
                _ => break,
            }
        }
        if !pipeline.assigns {
            self.variables.extend(pipeline.variables.iter().cloned());
        }
        Ok(pipeline)
    }

    fn operand(&mut self, rest: &mut Tokens) -> Result<Operand, ParseError> {
        let Some(SpacedToken { token, .. }) = rest.next() else { return Err(self.error("an operand is missing")) };
        let mut fields = Vec::new();
        let base = match token {
            Token::Dot => Base::Dot,
            Token::Field(name) => {
                fields.push(name);
                Base::Dot
            }
            Token::Variable(name) if self.variables.contains(&name) => Base::Variable(name),
            Token::Variable(name) => return Err(self.error(format!("undefined variable `${name}`"))),
            Token::Literal(text) => Base::Literal(Plain::Text(text.into())),
            Token::Number(Number::Int(i)) => Base::Literal(Plain::Int(i)),
            Token::Number(Number::Float(d)) => Base::Literal(Plain::Float(d)),
            Token::Name(name) => match name.as_str() {
                "true" => Base::Literal(Plain::Bool(true)),
                "false" => Base::Literal(Plain::Bool(false)),
                "nil" => Base::Nil,
                _ => Base::Function(name),
            },
            Token::Sign('(') => {
                let pipeline = self.nested(|parser| parser.pipeline(rest, false))?;
                match rest.next() {
                    Some(SpacedToken { token: Token::Sign(')'), .. }) => Base::Pipeline(Box::new(pipeline)),
                    _ => return Err(self.error("a parenthesis is not closed")),
                }
            }
            Token::Declare => return Err(self.error("unexpected `:`")),
            Token::Sign(sign) => return Err(self.error(format!("unexpected `{sign}`"))),
        };
        while let Some(SpacedToken { token: Token::Field(name), after_space: false }) = rest.peek() {
            fields.push(name.clone());
            rest.at += 1;
        }
        Ok(Operand { base, fields })
    }
}

/// The tokens of an action, and the index of the next one.
struct Tokens {
    tokens: Vec<SpacedToken>,
    at: usize,
}

impl Tokens {
    fn peek(&self) -> Option<&SpacedToken> {
        self.tokens.get(self.at)
    }

    fn next(&mut self) -> Option<SpacedToken> {
        let token = self.tokens.get(self.at).cloned();
        self.at += usize::from(token.is_some());
        token
    }

    fn is_done(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// Reads the keyword that begins an action. `None`, without reading, if it does not begin with one.
    fn keyword(&mut self) -> Option<&'static str> {
        const WORDS: [&str; 10] =
            ["if", "with", "range", "else", "end", "define", "block", "template", "break", "continue"];
        let Some(SpacedToken { token: Token::Name(name), .. }) = self.peek() else { return None };
        let word = WORDS.into_iter().find(|word| word == name)?;
        self.at += 1;
        Some(word)
    }

    /// Reads `$x :=`, `$x =` or `$x, $y :=`, if that follows. Returns the names, and whether the variables exist
    /// already (`=`).
    fn variables(&mut self) -> Option<(Vec<String>, bool)> {
        let mut names = Vec::new();
        let mut at = self.at;
        loop {
            let Some(SpacedToken { token: Token::Variable(name), .. }) = self.tokens.get(at) else { return None };
            names.push(name.clone());
            let sign = self.tokens.get(at + 1).map(|next| &next.token);
            at += 2;
            match sign {
                Some(Token::Sign(',')) if names.len() == 1 => {}
                Some(Token::Declare | Token::Sign('=')) => {
                    self.at = at;
                    return Some((names, sign != Some(&Token::Declare)));
                }
                _ => return None,
            }
        }
    }
}
