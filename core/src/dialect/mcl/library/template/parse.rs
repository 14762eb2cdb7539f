//! Parses templates of Go's `text/template`: `Hello {{ .Name }}`.

mod tokens;

use super::super::plain::Plain;
use std::collections::BTreeMap;
use tokens::{Number, Piece, SpacedToken, Token, pieces};

/// Maximum depth of blocks and parentheses.
const MAX_DEPTH: usize = 100;

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
/// The syntax is wrong, a variable is not defined, or blocks are nested more than [`MAX_DEPTH`] levels deep.
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

/// The token that ends a list of nodes.
enum Ending {
    /// The end of the text.
    Text,
    /// `{{ end }}`
    End,
    /// `{{ else }}`, with the tokens after it.
    Else(Vec<SpacedToken>),
}

/// The state of the parser.
struct Parser {
    pieces: Vec<Piece>,
    /// The index of the next piece.
    at: usize,
    /// The templates that have been defined so far.
    defined: Templates,
    /// The variables in scope.
    variables: Vec<String>,
    /// Number of enclosing blocks and parentheses.
    depth: usize,
    /// Number of enclosing `{{ range }}` blocks.
    range_depth: usize,
}

impl Parser {
    /// Returns an error at the last action that was read.
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
            return Err(self.error(format!("blocks or parentheses are nested more than {MAX_DEPTH} levels deep")));
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
                    self.expect_end(&rest, "`end`")?;
                    return Ok((out, Ending::End));
                }
                Some("else") => return Ok((out, Ending::Else(rest.tokens.split_off(rest.at)))),
                Some("if") => out.push(self.nested(|parser| parser.block(BlockKind::If, rest))?),
                Some("with") => out.push(self.nested(|parser| parser.block(BlockKind::With, rest))?),
                Some("range") => out.push(self.nested(|parser| parser.block(BlockKind::Range, rest))?),
                Some("define") => {
                    let name = self.name(&mut rest)?;
                    self.expect_end(&rest, "the name of the template")?;
                    self.nested(|parser| parser.define(name))?;
                }
                Some("block") => {
                    let name = self.name(&mut rest)?;
                    let pipeline = self.pipeline(&mut rest, false)?;
                    self.expect_end(&rest, "the pipeline")?;
                    self.nested(|parser| parser.define(name.clone()))?;
                    out.push(Node::Template(name, Some(pipeline)));
                }
                Some("template") => {
                    let name = self.name(&mut rest)?;
                    let pipeline = if rest.is_done() { None } else { Some(self.pipeline(&mut rest, false)?) };
                    let after = if pipeline.is_some() { "the pipeline" } else { "the name of the template" };
                    self.expect_end(&rest, after)?;
                    out.push(Node::Template(name, pipeline));
                }
                Some(word @ ("break" | "continue")) => {
                    let is_break = word == "break";
                    self.expect_end(&rest, &format!("`{word}`"))?;
                    if self.range_depth == 0 {
                        return Err(self.error(format!("`{word}` outside of a range")));
                    }
                    out.push(if is_break { Node::Break } else { Node::Continue });
                }
                _ => {
                    let pipeline = self.pipeline(&mut rest, true)?;
                    self.expect_end(&rest, "the pipeline")?;
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
            return Err(self.error("only `range` can set two variables"));
        }
        self.expect_end(&rest, "the pipeline")?;
        let block_variables = self.variables.len();
        self.range_depth += usize::from(kind == BlockKind::Range);
        let (body, end) = self.nodes()?;
        self.range_depth -= usize::from(kind == BlockKind::Range);
        self.variables.truncate(block_variables);
        let otherwise = match end {
            Ending::End => Vec::new(),
            Ending::Text => return Err(self.error("expected `{{ end }}` of a block, found the end of the template")),
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
                        self.expect_end(&rest, "`else`")?;
                        match self.nodes()? {
                            (otherwise, Ending::End) => otherwise,
                            (_, Ending::Else(_)) => return Err(self.error("a block has a second `{{ else }}`")),
                            (_, Ending::Text) => {
                                return Err(
                                    self.error("expected `{{ end }}` of a block, found the end of the template")
                                );
                            }
                        }
                    }
                }
            }
        };
        self.variables.truncate(outer_variables);
        Ok(Node::Block { kind, pipeline, body, otherwise })
    }

    /// Reads the body of a template definition, up to its `{{ end }}`. It sees no variables of the text around it.
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
            Ending::Text => Err(self.error("expected `{{ end }}` of a definition, found the end of the template")),
            Ending::Else(_) => Err(self.error("expected `{{ end }}` of a definition, found `{{ else }}`")),
        }
    }

    /// Reads the name of a template, a string literal.
    fn name(&self, rest: &mut Tokens) -> Result<String, ParseError> {
        match rest.next() {
            Some(SpacedToken { token: Token::Literal(name), .. }) => Ok(name),
            _ => Err(self.error("expected the name of a template, in quotes")),
        }
    }

    /// Fails if an action has more tokens after the part that was read, which the message names.
    fn expect_end(&self, rest: &Tokens, read: &str) -> Result<(), ParseError> {
        if rest.is_done() { Ok(()) } else { Err(self.error(format!("expected `}}}}` after {read}"))) }
    }

    /// Reads a pipeline. `may_set_variables` says whether `$x :=` and `$x =` are allowed.
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
                return Err(self.error("expected a value or a function"));
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

    /// Reads a value and the fields that follow it without a space.
    fn operand(&mut self, rest: &mut Tokens) -> Result<Operand, ParseError> {
        let Some(SpacedToken { token, .. }) = rest.next() else { return Err(self.error("expected a value")) };
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
                    _ => return Err(self.error("expected `)`")),
                }
            }
            Token::Declare => return Err(self.error("unexpected `:=`")),
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

#[cfg(test)]
mod tests;
