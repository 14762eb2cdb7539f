//! The grammar of paths and of the arguments that contain them, over chumsky: `a.b[0]."c d"`, `a.b=1`,
//! `spec.containers=key:name`. Messages and completion come from the same parsers: the parts that may follow at the end of
//! a text are the ones that are expected there.
//!
//! ```text
//! path        = [ "." ] ( name | index ) { "." name | index }        "." alone is the whole value
//! name        = plain | '"' { character | escape } '"'      in a plain name, `\.` is a point, as in Helm's `--set`
//! index       = "[" ( number | quoted name ) "]"        in the path of a rule also "[*]"
//! assignment  = path "=" text
//! rule        = [ path "=" ] ( "append" | "unique" | "replace" | "key:" key { "," key } )
//! key         = name [ "=" text ]
//! numbers     = number { ( "," | blank ) number }      cells and inputs in the arguments of commands
//! ```

use super::{FieldPath, Step};
use crate::text::{Name, near};
use chumsky::DefaultExpected;
use chumsky::error::{Error, LabelError};
use chumsky::input::MapExtra;
use chumsky::prelude::*;
use chumsky::util::MaybeRef;
use std::fmt;
use std::ops::Range;

/// The reason why a text does not follow the grammar.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathError {
    /// Byte offset of the fault in the text: for an unclosed part, its beginning.
    pub at: usize,
    /// The kind of fault.
    pub what: PathFault,
    /// The parts that are expected at the fault, without duplicates.
    pub expected: Vec<Part>,
    /// The character that was found instead; `None` at the end of the text.
    pub found: Option<char>,
}

/// A fault in the syntax of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathFault {
    /// A name is missing: `a..b`, `.a`, `a.`, or nothing at all.
    NameMissing,
    /// A string without its closing quote.
    Unclosed,
    /// A backslash in front of something that it does not escape.
    Escape,
    /// `[` without a number and `]`.
    Index,
    /// A condition between brackets: `[name=web]`.
    Condition,
    /// `:` in place of `=` in an assignment.
    Colon,
    /// A misspelt rule for lists: `apend`. The expected part is the rule that is meant.
    Rule,
    /// Something that is not expected at this place.
    Unexpected,
}

/// A part of the grammar, as it is named in messages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// A field name.
    Name,
    /// A quoted name.
    Quoted,
    /// An escape sequence in a quoted name.
    Escape,
    /// `[0]`
    Index,
    /// The number of an element.
    Number,
    /// `[*]`
    Each,
    /// `.`
    Dot,
    /// `=`
    Equals,
    /// The text after `=`.
    Value,
    /// `append`, `replace`, …
    Word(&'static str),
    /// The name of a key field.
    Key,
    /// The end of the text.
    End,
    /// A single character.
    Char(char),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Part::Name => "a field name",
            Part::Quoted => "a quoted name",
            Part::Escape => "one of `\\n`, `\\r`, `\\t`, `\\\"`, `\\\\`, `\\%` and `\\'`",
            Part::Index => "an index such as `[0]`",
            Part::Number => "a number",
            Part::Each => "`*`",
            Part::Dot => "`.`",
            Part::Equals => "`=`",
            Part::Value => "a value",
            Part::Word(word) => return write!(f, "`{word}`"),
            Part::Key => "the name of a field",
            Part::End => "the end",
            Part::Char(c) => return write!(f, "`{c}`"),
        })
    }
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.what {
            PathFault::Unclosed => return f.write_str("the quoted name is not closed"),
            PathFault::Condition => {
                return f.write_str("an element has a number, not a condition: `[0]` is the first one");
            }
            PathFault::Colon => return f.write_str("the value comes after `=`, not after `:`"),
            PathFault::Rule => {
                f.write_str("expected `append`, `key:`, `replace` or `unique`")?;
                return self.expected.iter().try_for_each(|meant| write!(f, "; did you mean {meant}?"));
            }
            PathFault::Index if self.expected.contains(&Part::Number) => {
                f.write_str("an index is a number between brackets: `[0]`")?;
            }
            _ if self.expected.is_empty() => f.write_str("a path is names with dots between them")?,
            _ => {
                f.write_str("expected ")?;
                for (i, part) in self.expected.iter().enumerate() {
                    let between = match i {
                        0 => "",
                        _ if i + 1 == self.expected.len() => " or ",
                        _ => ", ",
                    };
                    write!(f, "{between}{part}")?;
                }
            }
        }
        match self.found {
            Some(c) if c.is_whitespace() => f.write_str(", found a blank"),
            Some(c) => write!(f, ", found `{c}`"),
            None => f.write_str(", found the end"),
        }
    }
}

impl std::error::Error for PathError {}

/// An error of the parsers: the place, what is expected there, and the innermost part that encloses it.
#[derive(Clone, Debug)]
struct GrammarError {
    at: usize,
    expected: Vec<Part>,
    found: Option<char>,
    within: Option<(Part, usize)>,
}

impl<'a> LabelError<'a, &'a str, DefaultExpected<'a, char>> for GrammarError {
    fn expected_found<E: IntoIterator<Item = DefaultExpected<'a, char>>>(
        expected: E,
        found: Option<MaybeRef<'a, char>>,
        span: SimpleSpan,
    ) -> Self {
        let part = |expected| match expected {
            DefaultExpected::Token(c) => Some(match *c {
                '.' => Part::Dot,
                '=' => Part::Equals,
                '*' => Part::Each,
                c => Part::Char(c),
            }),
            DefaultExpected::EndOfInput => Some(Part::End),
            _ => None,
        };
        let expected = expected.into_iter().filter_map(part).collect();
        GrammarError { at: span.start, expected, found: found.map(|c| *c), within: None }
    }
}

impl<'a> LabelError<'a, &'a str, Part> for GrammarError {
    fn expected_found<E: IntoIterator<Item = Part>>(
        expected: E,
        found: Option<MaybeRef<'a, char>>,
        span: SimpleSpan,
    ) -> Self {
        let expected = expected.into_iter().collect();
        GrammarError { at: span.start, expected, found: found.map(|c| *c), within: None }
    }

    fn label_with(&mut self, label: Part) {
        self.expected = vec![label];
    }

    fn in_context(&mut self, label: Part, span: SimpleSpan) {
        self.within.get_or_insert((label, span.start));
    }
}

impl<'a> Error<'a, &'a str> for GrammarError {
    fn merge(mut self, other: Self) -> Self {
        self.expected.extend(other.expected);
        self.within = self.within.or(other.within);
        self
    }
}

impl From<GrammarError> for PathError {
    fn from(fault: GrammarError) -> PathError {
        let GrammarError { at, mut expected, found, within } = fault;
        expected.sort();
        expected.dedup();
        let (what, at) = match within {
            Some((Part::Quoted, start)) => (PathFault::Unclosed, start),
            Some((Part::Escape, start)) => {
                expected = vec![Part::Escape];
                (PathFault::Escape, start)
            }
            Some((Part::Index, start)) => (PathFault::Index, start),
            Some((Part::End, start)) => (PathFault::Unexpected, start),
            _ if expected.contains(&Part::Name) => (PathFault::NameMissing, at),
            _ => (PathFault::Unexpected, at),
        };
        PathError { at, what, expected, found }
    }
}

type Extra = extra::Err<GrammarError>;
type Rule<'a, T> = Boxed<'a, 'a, &'a str, T, Extra>;

/// Parses a whole text.
fn whole<'a, T>(rule: Rule<'a, T>, text: &'a str) -> Result<T, PathError> {
    let end = blanks().ignore_then(end()).labelled(Part::End).as_context();
    let mut errors = match blanks().ignore_then(rule).then_ignore(end).parse(text).into_result() {
        Ok(found) => return Ok(found),
        Err(errors) => errors,
    };
    let nothing = GrammarError { at: 0, expected: Vec::new(), found: text.chars().next(), within: None };
    Err(PathError::from(errors.pop().unwrap_or(nothing)))
}

fn blanks<'a>() -> impl Parser<'a, &'a str, (), Extra> + Clone {
    any().filter(|c: &char| c.is_whitespace()).repeated()
}

/// Checks that a character may be in a name without quotes.
fn is_plain(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, '.' | '[' | ']' | '"' | '=' | '{' | '}' | '(' | ')' | ',')
}

fn plain<'a>() -> impl Parser<'a, &'a str, &'a str, Extra> + Clone {
    // filters add nothing to what is expected
    let escaped = any().filter(|c: &char| *c == '\\').then(any().filter(|c: &char| *c == '.')).ignored();
    let letter = any().filter(|c: &char| is_plain(*c)).ignored();
    escaped.or(letter).repeated().at_least(1).to_slice().labelled(Part::Name)
}

fn quoted<'a>() -> impl Parser<'a, &'a str, Step, Extra> + Clone {
    let escaped = choice((just('n').to('\n'), just('r').to('\r'), just('t').to('\t'), one_of("\"\\%'")));
    let escape = just('\\').ignore_then(escaped).labelled(Part::Escape).as_context();
    let character = escape.or(none_of("\"\\"));
    let text = just('"').ignore_then(character.repeated().collect::<String>()).then_ignore(just('"'));
    text.map(|name| Step::Field(Name::from(name))).labelled(Part::Quoted).as_context()
}

/// A step of the path of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
enum RuleStep {
    Step(Step),
    Each,
}

fn name<'a>() -> Rule<'a, RuleStep> {
    let plain = plain().map(|name| match number(name) {
        Some(index) => Step::Index(index),
        None => Step::Field(Name::from(name.replace("\\.", "."))),
    });
    quoted().or(plain).map(RuleStep::Step).boxed()
}

fn index<'a>(rule: bool) -> Rule<'a, RuleStep> {
    let digits = any().filter(char::is_ascii_digit).repeated().at_least(1).to_slice().labelled(Part::Number);
    let number = digits.try_map(|digits: &str, span: SimpleSpan| {
        let large = || GrammarError {
            at: span.start,
            expected: vec![Part::Number],
            found: digits.chars().next(),
            within: None,
        };
        digits.parse().map(Step::Index).map_err(|_| large())
    });
    let step = quoted().or(number).map(RuleStep::Step);
    let inner = if rule { step.or(just('*').to(RuleStep::Each)).boxed() } else { step.boxed() };
    let inner = just('[').ignore_then(blanks()).ignore_then(inner).then_ignore(blanks()).then_ignore(just(']'));
    inner.labelled(Part::Index).as_context().boxed()
}

fn steps<'a>(rule: bool) -> Rule<'a, Vec<RuleStep>> {
    let first = index(rule).or(name());
    let next = just('.').ignore_then(name()).or(index(rule));
    let all = first.then(next.repeated().collect::<Vec<_>>());
    all.map(|(first, rest)| std::iter::once(first).chain(rest).collect()).boxed()
}

fn path<'a>() -> Rule<'a, FieldPath> {
    steps(false).map(FieldPath::from).boxed()
}

impl From<Vec<RuleStep>> for FieldPath {
    /// Leaves `[*]` out: the rule for a list is the same for all its elements.
    fn from(steps: Vec<RuleStep>) -> FieldPath {
        let step = |step| if let RuleStep::Step(step) = step { Some(step) } else { None };
        FieldPath { steps: steps.into_iter().filter_map(step).collect() }
    }
}

/// Parses a name that is an index in its printed form: `0`, `12`, but not `01`.
fn number(name: &str) -> Option<usize> {
    let index = name.parse::<usize>().ok()?;
    (index.to_string() == name).then_some(index)
}

/// Parses a path.
pub(super) fn parse_path(text: &str) -> Result<FieldPath, PathError> {
    if text.trim() == "." {
        return Ok(FieldPath::root());
    }
    let (dot, rest) = undotted(text);
    whole(path(), rest).map_err(|error| specific(text, PathError { at: error.at + dot, ..error }))
}

/// Splits the dot off with which jq and yq begin a path: `.a.b`. Returns the number of bytes before the rest.
fn undotted(text: &str) -> (usize, &str) {
    let rest = text.trim_start();
    // `$.a` of JSONPath
    let dotted = rest.strip_prefix('$').filter(|path| path.starts_with('.')).unwrap_or(rest);
    match dotted.strip_prefix('.') {
        Some(path) if !path.starts_with(['.', '=']) && !path.trim().is_empty() => (text.len() - path.len(), path),
        _ => (0, text),
    }
}

/// Returns the error of a condition between brackets, `[name=web]`, if the error is about one.
fn specific(text: &str, error: PathError) -> PathError {
    let inside = text.get(error.at..).and_then(|rest| rest.strip_prefix('[')).and_then(|rest| rest.split(']').next());
    let is_condition = inside.is_some_and(|inside| inside.contains(['=', '?', '@']) || inside.contains("=="));
    // `a[0=b`
    let digits =
        inside.map_or(0, |inside| inside.len() - inside.trim_start_matches(|c: char| c.is_ascii_digit()).len());
    let is_number = inside.is_some_and(|inside| inside.get(digits..).is_some_and(|rest| rest.starts_with('=')));
    match error.what {
        PathFault::Index if is_number && digits > 0 => {
            let expected = vec![Part::Char(']')];
            PathError { at: error.at + 1 + digits, what: PathFault::Unexpected, expected, found: Some('=') }
        }
        PathFault::Index if is_condition => PathError { what: PathFault::Condition, expected: Vec::new(), ..error },
        _ => error,
    }
}

/// Returns a part with its range in the text.
fn ranged<'a, T>(part: T, extra: &mut MapExtra<'a, '_, &'a str, Extra>) -> (T, Range<usize>) {
    let span: SimpleSpan = extra.span();
    (part, span.into_range())
}

/// An assignment as it is written: `a.b=text`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assigned {
    /// The path before the `=`.
    pub path: FieldPath,
    /// The range of the path.
    pub path_range: Range<usize>,
    /// The range of the text after the `=`, up to the end. It may be empty.
    pub value: Range<usize>,
}

/// Parses an assignment. The text after the `=` is not interpreted.
pub fn assignment(text: &str) -> Result<Assigned, PathError> {
    let value = any().repeated().map_with(ranged);
    let all = path().map_with(ranged).then_ignore(blanks()).then_ignore(just('=')).then(value);
    let (dot, rest) = undotted(text);
    let moved = |range: Range<usize>| range.start + dot..range.end + dot;
    let all = all.map(|((path, path_range), ((), value))| Assigned {
        path,
        path_range: moved(path_range),
        value: moved(value),
    });
    whole(all.boxed(), rest).map_err(|error| {
        let error = PathError { at: error.at + dot, ..error };
        match text.find(':') {
            Some(colon) if !text.contains('=') && colon + 1 < text.len() => {
                PathError { at: colon, what: PathFault::Colon, expected: Vec::new(), found: Some(':') }
            }
            _ => specific(text, error),
        }
    })
}

/// The way in which the lists of several layers are combined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ListRule {
    /// The list of the highest layer is the result.
    Replace,
    /// One list after the other.
    Append,
    /// One list after the other, without elements that equal an earlier one.
    Unique,
    /// Elements with equal keys are merged, the others appended.
    Key(Vec<KeyField>),
}

/// A field by which the elements of a list are identified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyField {
    /// The name of the field.
    pub name: Name,
    /// The value of an element that does not have the field; without it, such an element is only equal to another one
    /// that does not have the field either.
    pub default: Option<Name>,
}

impl fmt::Display for ListRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ListRule::Replace => f.write_str("replace"),
            ListRule::Append => f.write_str("append"),
            ListRule::Unique => f.write_str("unique"),
            ListRule::Key(keys) => {
                f.write_str("key:")?;
                for (i, KeyField { name, default }) in keys.iter().enumerate() {
                    let comma = if i > 0 { "," } else { "" };
                    match default {
                        Some(default) => write!(f, "{comma}{name}={default}")?,
                        None => write!(f, "{comma}{name}")?,
                    }
                }
                Ok(())
            }
        }
    }
}

/// A rule for lists: for all of them, or for those at a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathRule {
    /// The path of the list. Indices stand for themselves; a field of an element follows the list directly or after
    /// `[*]`, which is left out here.
    pub path: Option<FieldPath>,
    /// The rule.
    pub rule: ListRule,
}

fn list_rule<'a>() -> Rule<'a, ListRule> {
    let word = |word: &'static str, rule: ListRule| just(word).to(rule).labelled(Part::Word(word));
    let default = just('=').ignore_then(any().filter(|c: &char| *c != ',').repeated().to_slice().map(Name::new));
    let named = any().filter(|c: &char| is_plain(*c)).repeated().at_least(1).to_slice().labelled(Part::Key);
    let key = named.then(default.or_not()).map(|(name, default)| KeyField { name: Name::new(name), default });
    let keys = key.separated_by(just(',')).at_least(1).collect().map(ListRule::Key);
    choice((
        word("append", ListRule::Append),
        word("unique", ListRule::Unique),
        word("replace", ListRule::Replace),
        just("key:").labelled(Part::Word("key:")).ignore_then(keys),
    ))
    .boxed()
}

/// Parses a rule for lists: `append`, `spec.containers=key:name`.
pub fn rule(text: &str) -> Result<PathRule, PathError> {
    let alone = list_rule().then_ignore(blanks()).then_ignore(end()).map(|rule| PathRule { path: None, rule });
    let path = steps(true).then_ignore(blanks()).then_ignore(just('=')).then_ignore(blanks());
    let of_path = path.then(list_rule()).map(|(path, rule)| PathRule { path: Some(path.into()), rule });
    let (dot, rest) = undotted(text);
    let error = |error: PathError| PathError { at: error.at + dot, ..misspelt(rest, error) };
    whole(alone.or(of_path).boxed(), rest).map_err(|fault| specific(text, error(fault)))
}

/// Returns the error of a word that is not a rule: it is about the whole word, not about one character of it.
fn misspelt(text: &str, error: PathError) -> PathError {
    const RULES: [&str; 4] = ["append", "unique", "replace", "key:"];
    let start = text.rfind('=').map_or(0, |at| at + 1);
    let word = text.get(start..).unwrap_or_default();
    let at = start + word.len() - word.trim_start().len();
    let word = word.trim();
    let meant: Vec<Part> = near(word, RULES)
        .iter()
        .filter_map(|near| RULES.into_iter().find(|rule| rule == near))
        .map(Part::Word)
        .collect();
    match (error.at > at, start > 0, meant.is_empty() || word.is_empty()) {
        (_, _, false) => PathError { at, what: PathFault::Rule, expected: meant, found: error.found },
        (true, _, true) if word.chars().all(|c| c.is_ascii_alphabetic()) => {
            PathError { at, what: PathFault::Rule, expected: Vec::new(), found: error.found }
        }
        _ => error,
    }
}

/// Parses the numbers of cells or inputs: `2`, `1 2`, `1, 2`.
pub fn numbers(text: &str) -> Result<Vec<u32>, PathError> {
    let digits = any().filter(char::is_ascii_digit).repeated().at_least(1).to_slice().labelled(Part::Number);
    let number = digits.try_map(|digits: &str, span: SimpleSpan| {
        let large = || GrammarError {
            at: span.start,
            expected: vec![Part::Number],
            found: digits.chars().next(),
            within: None,
        };
        digits.parse().map_err(|_| large())
    });
    let comma = blanks().then(just(',')).then(blanks()).ignored();
    let blank = any().filter(|c: &char| c.is_whitespace()).repeated().at_least(1);
    let all = number.separated_by(comma.or(blank)).at_least(1).collect::<Vec<u32>>().then_ignore(blanks());
    whole(all.boxed(), text)
}

/// A path whose last name is being typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartialPath {
    /// The complete steps.
    pub path: FieldPath,
    /// The beginning of the last name, as far as it is typed.
    pub name: Name,
    /// The byte offset where the last name begins, with its quote.
    pub at: usize,
}

/// Parses a path whose last name is incomplete: `a[0].na`, `a."b c`, `a.`. `None` if no name can be typed at its end.
pub fn begun(text: &str) -> Option<PartialPath> {
    let open = just('"').ignore_then(none_of("\"\\").repeated().collect::<String>());
    let word = any().filter(|c: &char| is_plain(*c)).repeated().collect::<String>();
    let last = open.or(word).map_with(ranged);
    // the complete steps, each followed by what begins the next one
    let step = index(false).or(name());
    let dot = just('.').ignored().or(just('[').rewind().ignored());
    let complete = step.then_ignore(dot).then_ignore(just('.').or_not()).repeated().collect::<Vec<_>>();
    let all = blanks().ignore_then(complete).then(last).then_ignore(end());
    let dot = usize::from(text.starts_with('.') && !text.starts_with(".."));
    let (steps, (name, range)) = all.parse(text.get(dot..)?).into_result().ok()?;
    Some(PartialPath { path: steps.into(), name: Name::from(name), at: range.start + dot })
}
