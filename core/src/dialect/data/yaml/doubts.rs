//! Plain texts that were probably meant as something else: a list or mapping without the space after its sign, and what YAML 1.1
//! reads as another value.

use super::scalar::{self, leading_zero};
use super::{Items, Open, Reader};
use crate::problem::data::{DataProblem, YamlFault};
use crate::problem::syntax::SyntaxKind;
use crate::problem::{Problem, ProblemKind};
use crate::text::{Name, Span};

/// Maximum number of texts in a file that are reported because YAML 1.1 reads another value.
const MOST_VALUES: usize = 3;

impl Reader {
    /// Returns the first line of a plain text that is the whole document, or is below its key, if all of its lines look like keys with
    /// values, `port:80`, or like items in quotes, `-"80:80"`.
    pub(super) fn joined_lines(&self, text: &str, span: Span) -> Option<(DataProblem, Span)> {
        let (start, end) = (span.start as usize, span.end as usize);
        let is_below = match self.open.last() {
            None => self.document.is_none(),
            Some(Open { items: Items::Mapping { key: Some((_, key)), .. }, .. }) => {
                text.get(key.end as usize..start)?.contains('\n')
            }
            Some(_) => false,
        };
        let written = text.get(start..end).filter(|_| is_below)?;
        let (what, length) = match (scalar::keys(written), quoted_items(written)) {
            (Some(length), _) => (DataProblem::NoSpaceAfterColon, length),
            (None, Some(length)) => (DataProblem::NoSpaceAfterDash, length),
            (None, None) => return None,
        };
        Some((what, self.build.span(start, start + length)))
    }

    /// Returns the warning about a plain text that readers of YAML 1.1 take for another value.
    pub(super) fn other_reading(&mut self, text: &str) -> Option<DataProblem> {
        leading_zero(text).or_else(|| {
            let found = other_value(text)?;
            self.other_values += 1;
            (self.other_values <= MOST_VALUES).then_some(found)
        })
    }
}

/// Keeps the first report of a template only: a text that is not rendered has many of them.
pub(super) fn one_template(problems: &mut Vec<Problem>) {
    let mut is_first = true;
    problems.retain(|problem| {
        let is_template = match &problem.kind {
            ProblemKind::Syntax(syntax) => {
                matches!(syntax.what, SyntaxKind::Data(DataProblem::Yaml(YamlFault::Template)))
            }
            _ => false,
        };
        !is_template || std::mem::take(&mut is_first)
    });
}

/// Returns the length of the first line of a text if each line begins with a dash and is in quotes after it: `-"80:80"`.
fn quoted_items(text: &str) -> Option<usize> {
    let is_item = |line: &str| {
        let item = line.trim().strip_prefix('-').unwrap_or_default();
        item.len() > 1 && ['"', '\''].iter().any(|quote| item.starts_with(*quote) && item.ends_with(*quote))
    };
    let first = text.lines().next()?;
    text.lines().filter(|line| !line.trim().is_empty()).all(is_item).then(|| first.trim_end().len())
}

/// Returns the warning about a text that YAML 1.1 reads as a boolean, `NO`, or as a number to the base of 60: `22:22`.
fn other_value(text: &str) -> Option<DataProblem> {
    let value = match text {
        "yes" | "Yes" | "YES" | "on" | "On" | "ON" => Name::new_static("true"),
        "no" | "No" | "NO" | "off" | "Off" | "OFF" => Name::new_static("false"),
        _ => Name::from(sexagesimal(text)?.to_string()),
    };
    Some(DataProblem::OtherValue { written: Name::new(text), value })
}

/// Returns the value of an integer to the base of 60: `1:30` is 90.
fn sexagesimal(text: &str) -> Option<i64> {
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let signless = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (first, rest) = signless.split_once(':')?;
    if !is_digits(first) || first.starts_with('0') {
        return None;
    }
    let mut value: i64 = first.parse().ok()?;
    for part in rest.split(':') {
        let digits = Some(part).filter(|part| is_digits(part) && part.len() <= 2)?;
        let digit: i64 = digits.parse().ok().filter(|digit| *digit < 60)?;
        value = value.checked_mul(60)?.checked_add(digit)?;
    }
    Some(if text.starts_with('-') { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_to_the_base_of_60_are_those_of_yaml_1_1() {
        for (text, value) in [("22:22", 1342), ("12:30:45", 45045), ("-1:30", -90), ("190:20:30", 685230)] {
            assert_eq!(sexagesimal(text), Some(value), "{text}");
        }
        for text in ["8080:80", "08:30", "0:22", "1:2:", "1", "a:1", "1:222", ":1", "80:80", "1:a"] {
            assert_eq!(sexagesimal(text), None, "{text}");
        }
    }

    #[test]
    fn items_without_a_space_are_in_quotes() {
        assert_eq!(quoted_items("-\"80:80\"\n  -\"443:443\""), Some(8));
        assert_eq!(quoted_items("-'a'"), Some(4));
        for text in ["-Xmx1g\n-Dx=\"y\"", "-\"a\" b", "- \"a\"", "-\"", "a"] {
            assert_eq!(quoted_items(text), None, "{text}");
        }
    }
}
