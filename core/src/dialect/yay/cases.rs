//! The cases of a `select` that has none for a value.

use super::problem::listed;
use crate::text::Name;
use std::ops::Range;

/// Maximum number of cases in a message.
const MAX_CASES: usize = 6;
/// Maximum number of lines that are read.
const MAX_LINES: usize = 2_000;

/// Returns a suggestion about a value that a `select` has no case for. `at` is the place of the value. O(text).
pub fn hint(text: &str, at: Range<usize>) -> Option<String> {
    let start = text.get(..at.start)?.rfind('\n').map_or(0, |end| end + 1);
    let mut lines = text.get(start..)?.lines().take(MAX_LINES);
    let first = lines.next()?;
    let line = first.trim_start().trim_start_matches(['%', '-', ' ']);
    line.strip_prefix("select ").filter(|rest| rest.trim_end().ends_with(':'))?;
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let outer = indent(first);
    let mut inner = None;
    let mut cases: Vec<Name> = Vec::new();
    for line in lines.filter(|line| !line.trim().is_empty() && !line.trim().starts_with('#')) {
        if indent(line) <= outer {
            break;
        }
        if indent(line) == *inner.get_or_insert(indent(line)) {
            cases.push(Name::new(line.trim().split_once(':')?.0));
        }
    }
    let is_default = |case: &&Name| matches!(case.as_str(), "default" | "else" | "_" | "*");
    if let Some(case) = cases.iter().find(is_default) {
        return Some(format!("add a case for this value; `{case}` is a case for the text `{case}` only"));
    }
    match cases.as_slice() {
        [] => None,
        [case] => Some(format!("its only case is {}: add one for this value", listed(std::slice::from_ref(case), 1))),
        _ => Some(format!("its cases are {}: add one for this value", listed(&cases, MAX_CASES))),
    }
}

#[cfg(test)]
mod tests {
    use super::hint;

    #[test]
    fn the_cases_of_a_select_are_listed() {
        let about = |text: &str| {
            let at = text.find('«').unwrap();
            hint(&text.replace('«', ""), at..at + 1)
        };
        let is = |text: &str, expected: Option<&str>| assert_eq!(about(text).as_deref(), expected, "{text}");
        let both = Some("its cases are `prod` and `dev`: add one for this value");
        is("select «env:\n  prod:\n    a: 1\n  dev:\n    a: 2\nb: 1", both);
        is("x:\n  select «env:\n\n    # c\n    prod: 1\n    dev: 2\n", both);
        is("select «env:\n  prod:\n    a: 1", Some("its only case is `prod`: add one for this value"));
        let default = Some("add a case for this value; `default` is a case for the text `default` only");
        is("select «env:\n  prod: 1\n  default: 2", default);
        is("a: {{ «env }}", None);
    }
}
