//! Assignments after `--` on the command line: `a.b=1`, `'c="x"'`, `d=@env:HOME`, `--override a.b=2`.
//!
//! The right side is an expression in which only `std` is in scope. The assignment is a
//! layer that is merged over the program with normal priority, or with `force` after `--override`.

use crate::dialect::command_line;
use crate::meta::Priority;
use crate::term::Term;
use crate::text::path::{Assigned, FieldPath, PathError, Step, assignment};
use crate::text::{Name, SourceId, Span};
use std::ops::Range;

/// One assignment.
#[derive(Clone, PartialEq, Debug)]
pub struct Assignment {
    /// The whole text, `path=value`.
    pub text: String,
    /// The field.
    pub path: FieldPath,
    /// The range of the path in the text.
    pub path_range: Range<usize>,
    /// The right side.
    pub value: RightSide,
    /// Whether it overrides (`--override`): its priority is `force`.
    pub force: bool,
}

/// The right side of an assignment.
#[derive(Clone, PartialEq, Debug)]
pub enum RightSide {
    /// An expression from this offset to the end of the text.
    Expression(usize),
    /// `@env:NAME`: the variable's value as a string.
    Environment(Name),
}

/// An argument that is not a valid assignment.
#[derive(Clone, PartialEq, Debug)]
pub struct AssignmentError {
    /// The argument.
    pub text: String,
    /// The reason.
    pub what: AssignmentFault,
}

/// The reason why an assignment is invalid.
#[derive(Clone, PartialEq, Debug)]
pub enum AssignmentFault {
    /// It is not a path, `=` and a value.
    Syntax(PathError),
    /// The path selects an element of an array; only fields can be assigned.
    Index,
    /// The value after the `=` is missing.
    NoValue,
    /// `@` is followed by something other than `env:NAME`.
    Selector,
    /// `--override` without an assignment, or an unknown option.
    Option,
}

impl std::fmt::Display for AssignmentError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = &self.text;
        match &self.what {
            AssignmentFault::Syntax(error) => write!(f, "`{text}` is not an assignment `path=value`: {error}"),
            AssignmentFault::Index => {
                write!(f, "`{text}` assigns to an element of an array; only fields can be assigned")
            }
            AssignmentFault::NoValue => write!(f, "`{text}` has no value: an assignment is `path=value`"),
            AssignmentFault::Selector => write!(f, "`{text}`: the only selector is `@env:NAME`"),
            AssignmentFault::Option => {
                write!(f, "`{text}`: only `path=value` and `--override path=value` may follow `--`")
            }
        }
    }
}

impl std::error::Error for AssignmentError {}

impl Assignment {
    /// Parses the arguments after `--`: `a.b=1 --override c=[2]`.
    pub fn parse_all(arguments: &[String]) -> Result<Vec<Assignment>, AssignmentError> {
        let mut all = Vec::with_capacity(arguments.len());
        let mut rest = arguments.iter();
        while let Some(text) = rest.next() {
            let option = || AssignmentError { text: text.clone(), what: AssignmentFault::Option };
            if text == "--override" {
                all.push(Assignment::parse(rest.next().ok_or_else(option)?, true)?);
            } else if let Some(text) = text.strip_prefix("--override=") {
                all.push(Assignment::parse(text, true)?);
            } else if text.starts_with("--") {
                return Err(option());
            } else {
                all.push(Assignment::parse(text, false)?);
            }
        }
        Ok(all)
    }

    /// Parses one assignment.
    pub fn parse(text: &str, force: bool) -> Result<Assignment, AssignmentError> {
        let fail = |what| Err(AssignmentError { text: String::from(text), what });
        let Assigned { path, path_range, value } = match assignment(text) {
            Ok(found) => found,
            Err(error) => return fail(AssignmentFault::Syntax(error)),
        };
        if path.steps.iter().any(|step| matches!(step, Step::Index(_))) {
            return fail(AssignmentFault::Index);
        }
        let (at, value) = (value.start, text.get(value).unwrap_or(""));
        let value = match value.trim_start().strip_prefix('@') {
            Some(selector) => match selector.strip_prefix("env:") {
                Some(name) if !name.trim().is_empty() => RightSide::Environment(Name::new(name.trim())),
                _ => return fail(AssignmentFault::Selector),
            },
            None if value.trim().is_empty() => return fail(AssignmentFault::NoValue),
            None => RightSide::Expression(at),
        };
        Ok(Assignment { text: String::from(text), path, path_range, value, force })
    }

    /// Returns the expression with its path replaced by spaces, so that positions match [`Assignment::text`]. `None`
    /// for an environment variable.
    pub fn expression(&self) -> Option<String> {
        let RightSide::Expression(at) = self.value else { return None };
        Some(format!("{}{}", " ".repeat(at), &self.text[at..]))
    }

    /// Wraps the term of the expression in the record `{ path = value }`. `source` is the source of
    /// [`Assignment::text`].
    pub fn layer(&self, value: Term, source: SourceId) -> Term {
        let whole = Span::new(source, 0, self.text.len());
        let name_span = Span::new(source, self.path_range.start, self.path_range.end);
        let priority = if self.force { Priority::Force } else { Priority::Normal };
        value.nested(&command_line::names(&self.path), name_span, whole, priority)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_read() {
        for (text, path, expression) in [
            ("a=1", "a", "  1"),
            ("a.b.c = [1, 2]", "a.b.c", "        [1, 2]"),
            (r#""b c".d="x=y""#, r#""b c".d"#, r#"        "x=y""#),
            ("a={b=1}", "a", "  {b=1}"),
        ] {
            let one = Assignment::parse(text, false).unwrap();
            assert_eq!(one.path.to_string(), path);
            assert_eq!(one.expression().as_deref(), Some(expression));
        }
        let home = Assignment::parse("a=@env:HOME", true).unwrap();
        assert_eq!(home.value, RightSide::Environment("HOME".into()));
    }

    #[test]
    fn an_override_is_forced() {
        let all = Assignment::parse_all(&["a.b=1".into(), "--override".into(), "c=[2]".into()]).unwrap();
        let all: Vec<_> = all.iter().map(|one| (one.path.to_string(), one.force)).collect();
        assert_eq!(all, [("a.b".into(), false), ("c".into(), true)]);
    }

    #[test]
    fn what_is_no_assignment_is_refused() {
        for text in ["", "a", "=1", "a=", "a[0]=1", "a.0=1", "a b=1", "a=@x:y", "a=@env:", "--verbose", "--override"] {
            assert!(Assignment::parse_all(&[String::from(text)]).is_err(), "{text}");
        }
    }
}
