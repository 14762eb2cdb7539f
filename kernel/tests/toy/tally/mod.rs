//! Tally, a language for tests: `let web = <port 80> with <port 81, tls "on">` defines, any other input is shown. `plus` adds
//! numbers, `with` merges records, and `std.answer` is 42.

use cfg_core::language::*;
use cfg_core::problem::Problem;
use cfg_core::problem::syntax::{SyntaxKind, SyntaxProblem};
use cfg_core::term::build::Builder;
use cfg_core::term::rules::{CORE, Rules};
use cfg_core::term::{FieldDef, FieldName, Groups, Meta, Node, NodeId, Number, Prim, RecordLit};
use cfg_core::text::{Name, SourceId, Span};
use cfg_core::{Completeness, Role};
use std::ops::Range;
use std::sync::Arc;

pub static LANGUAGE: Language = Language {
    formats: &["Tally"],
    program: Some(|source, text, names| Reader::new(source, text, names, None).program(false).0),
    cells: Some(&Cells {
        cell: |source, text, names| Reader::new(source, text, names, None).cell(),
        completeness: |text| {
            let (open, closed) = (text.matches(['<', '(']).count(), text.matches(['>', ')']).count());
            if open > closed { Completeness::Incomplete { indent: 2 } } else { Completeness::Complete }
        },
        mistake: |_| None,
        inputs: |text| text.lines().filter(|line| !line.trim().is_empty()).collect(),
        highlight,
        tokens: |text| lex(text).into_iter().map(|(kind, range)| (range, format!("{kind:?}"))).collect(),
        editor: None,
        ast: |_, _, _| Vec::new(),
        graph: None,
        cursor,
        keywords: KEYWORDS,
    }),
    rules: &RULES,
    library: Some(&Std),
    spelling: &SPELLING,
    help: &Help { inputs: &[("1 plus 2", "a sum")], pages: "" },
    ..Language::announced("tally", &["tally"])
};
static RULES: Rules = Rules { library: "%std.tally", merge_operator: "with", ..CORE };
static SPELLING: Spelling = Spelling { number: "Count", of: " is a ", report: REPORT, ..SPELLING_OF_CFG };
const REPORT: Notation = Notation { ty: |scheme| print_type(&SPELLING, scheme, None).text(), ..NOTATION_OF_CFG };
const KEYWORDS: &[&str] = &["let", "plus", "with"];

struct Std;

impl Library for Std {
    fn entry(&self, path: &[&str]) -> Option<LibraryEntry> {
        match path {
            [] => Some(LibraryEntry::Module(Module { doc: "The library of tally.", names: vec!["answer"] })),
            ["answer"] => {
                Some(LibraryEntry::Item(Item { doc: "The answer.", ty: "Number", usage: None, examples: &[] }))
            }
            _ => None,
        }
    }
    fn value(&self, _: &str, _: Revision) -> LibraryValue {
        LibraryValue::record([(Name::new("answer"), LibraryValue::number(Number::Int(42)))])
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Word,
    Number,
    Text,
    Sign,
    Comment,
    Bad,
}

fn lex(text: &str) -> Vec<(Kind, Range<usize>)> {
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let while_ = |f: fn(char) -> bool| rest.find(|c| !f(c)).unwrap_or(rest.len());
        let (kind, length) = match c {
            '#' => (Kind::Comment, while_(|c| c != '\n')),
            '"' => (Kind::Text, rest[1..].find('"').map_or(rest.len(), |end| end + 2)),
            '0'..='9' => (Kind::Number, while_(|c| c.is_ascii_digit())),
            '<' | '>' | '(' | ')' | ',' | '.' | '=' => (Kind::Sign, 1),
            c if c.is_alphabetic() => (Kind::Word, while_(char::is_alphanumeric)),
            c => (Kind::Bad, c.len_utf8()),
        };
        if !c.is_whitespace() {
            out.push((kind, at..at + length));
        }
        at += length;
    }
    out
}

fn highlight(text: &str) -> Vec<(Range<usize>, Role)> {
    let role = |(kind, range): (Kind, Range<usize>)| match kind {
        Kind::Word if KEYWORDS.contains(&&text[range.clone()]) => Some((range, Role::Keyword)),
        Kind::Word => None,
        Kind::Number => Some((range, Role::Literal)),
        Kind::Text => Some((range, Role::String)),
        Kind::Sign => Some((range, Role::Operator)),
        Kind::Comment => Some((range, Role::Comment)),
        Kind::Bad => Some((range, Role::Invalid)),
    };
    lex(text).into_iter().filter_map(role).collect()
}

fn cursor(source: SourceId, text: &str, place: usize, names: &dyn Names) -> Cursor {
    let touched = lex(text).into_iter().find(|(kind, r)| *kind == Kind::Word && r.start < place && place <= r.end);
    let replace = touched.map_or(place..place, |(_, range)| range);
    let (program, of) = Reader::new(source, text, names, Some(place)).program(true);
    let at = match of {
        Some(of) => CursorContext::Field { term: program.term, of },
        None => CursorContext::Name { bound: Vec::new() },
    };
    Cursor { partial: String::from(&text[replace.start..place]), replace, at }
}

struct Reader<'a> {
    source: SourceId,
    text: &'a str,
    tokens: Vec<(Kind, Range<usize>)>,
    names: &'a dyn Names,
    builder: Builder,
    problems: Vec<Problem>,
    cursor: Option<usize>,
    field_of: Option<NodeId>,
}

impl<'a> Reader<'a> {
    fn new(source: SourceId, text: &'a str, names: &'a dyn Names, cursor: Option<usize>) -> Reader<'a> {
        let mut tokens = lex(text);
        tokens.retain(|(kind, _)| *kind != Kind::Comment);
        tokens.reverse();
        let builder = Builder::with_rules(&RULES);
        Reader { source, text, tokens, names, builder, problems: Vec::new(), cursor, field_of: None }
    }

    fn next(&self) -> &'a str {
        self.tokens.last().map_or("", |(_, range)| &self.text[range.clone()])
    }

    fn bump(&mut self) -> (Kind, &'a str, Span) {
        let (kind, range) = self.tokens.pop().unwrap_or((Kind::Bad, self.text.len()..self.text.len()));
        (kind, &self.text[range.clone()], Span::new(self.source, range.start, range.end))
    }

    fn eat(&mut self, word: &str) -> bool {
        let found = self.next() == word;
        if found {
            self.bump();
        }
        found
    }

    fn fault(&mut self, span: Span, what: SyntaxKind) -> NodeId {
        self.problems.push(Problem::error(SyntaxProblem { span, what }));
        self.builder.push(Node::Hole, span)
    }

    fn program(mut self, skip_let: bool) -> (Program, Option<NodeId>) {
        if skip_let && self.eat("let") {
            self.bump();
            self.eat("=");
        }
        let root = self.expression();
        if !self.tokens.is_empty() {
            let (_, found, span) = self.bump();
            self.fault(span, SyntaxKind::Unexpected { found: Some(Name::new(found)), expected: Vec::new() });
        }
        (Program { term: Arc::new(self.builder.finish(root)), problems: self.problems }, self.field_of)
    }

    fn cell(mut self) -> Cell {
        if !self.eat("let") {
            let (program, _) = self.program(false);
            return Cell { items: vec![CellItem::Expr(program.term)], problems: program.problems };
        }
        let (_, name, name_span) = self.bump();
        self.eat("=");
        let (Program { term, problems }, _) = self.program(false);
        let item = CellItem::Bind { name: Name::new(name), name_span, recursive: false, doc: None, term };
        Cell { items: vec![item], problems }
    }

    fn expression(&mut self) -> NodeId {
        let mut left = self.atom();
        while let word @ ("plus" | "with") = self.next() {
            self.bump();
            let right = self.atom();
            let span = self.builder.span(left).to(self.builder.span(right));
            let operands = vec![left, right].into();
            let node = if word == "plus" { Node::Prim(Prim::Add, operands) } else { Node::Merge(operands) };
            left = self.builder.push(node, span);
        }
        left
    }

    fn atom(&mut self) -> NodeId {
        let (kind, text, span) = self.bump();
        let mut node = match (kind, text) {
            (Kind::Number, digits) => self.builder.push(Node::Number(Number::Int(digits.parse().unwrap_or(0))), span),
            (Kind::Text, text) => self.builder.push(Node::Str(Name::new(text.trim_matches('"'))), span),
            (Kind::Word, "std") => self.builder.variable(&Name::new_static(RULES.library), span),
            (Kind::Word, name) if self.names.is_bound(name) => self.builder.variable(&Name::new(name), span),
            (Kind::Word, name) => {
                let name = Name::new(name);
                self.fault(span, SyntaxKind::Unbound { name, near: Vec::new(), field: None, past: None })
            }
            (Kind::Sign, "(") => {
                let inner = self.expression();
                self.eat(")");
                inner
            }
            (Kind::Sign, "<") => self.record(span),
            _ => self.fault(span, SyntaxKind::Unexpected { found: None, expected: vec![Name::new("an expression")] }),
        };
        while self.eat(".") {
            let (_, name, span) = self.bump();
            if self.cursor.is_some_and(|at| at as u32 >= span.start && at as u32 <= span.end) {
                self.field_of = Some(node);
            }
            let whole = self.builder.span(node).to(span);
            node = self.builder.push(Node::Project(node, Name::new(name)), whole);
        }
        node
    }

    fn record(&mut self, open: Span) -> NodeId {
        let mut fields = Vec::new();
        while !matches!(self.next(), ">" | "") {
            let (_, name, name_span) = self.bump();
            let value = self.expression();
            let (name, span) = (FieldName::Static(Name::new(name)), name_span.to(self.builder.span(value)));
            let meta = Meta::default();
            fields.push(FieldDef { name, name_span, span, body: Some(value), included: false, plus: false, meta });
            self.eat(",");
        }
        let (_, _, close) = self.bump();
        let groups = Groups::in_order(fields.len() as u32);
        let record = RecordLit { extra: None, fields, open: false, locals: Vec::new(), asserts: Vec::new(), groups };
        self.builder.push(Node::Record(Box::new(record)), open.to(close))
    }
}
