//! Paths into a value: `a.b.c`, `a[0]` or `a.0`, `a."b c"`.

mod grammar;

pub use grammar::{
    Assigned, KeyField, ListRule, Part, PartialPath, PathError, PathFault, PathRule, assignment, begun, numbers, rule,
};

use super::{Name, write_name};
use std::fmt::{self, Write};

/// A path from a value to one of its parts.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct FieldPath {
    /// The steps, the outermost first; none for the value itself.
    pub steps: Vec<Step>,
}

/// One step of a [`FieldPath`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// A field of a record.
    Field(Name),
    /// An element of an array. On a record it means the field of that name, so that `a.0` reaches both.
    Index(usize),
}

impl FieldPath {
    /// Returns the path of the value itself, which has no steps.
    pub fn root() -> FieldPath {
        FieldPath::default()
    }

    /// Parses a whole text as a path. Blanks around it and a dot at the beginning are ignored, a dot alone is the root; an empty
    /// text is an error.
    pub fn parse(text: &str) -> Result<FieldPath, PathError> {
        grammar::parse_path(text)
    }

    /// Returns the path with one more step.
    pub fn then(&self, step: Step) -> FieldPath {
        let mut steps = self.steps.clone();
        steps.push(step);
        FieldPath { steps }
    }
}

impl From<&[Name]> for FieldPath {
    fn from(names: &[Name]) -> FieldPath {
        FieldPath { steps: names.iter().cloned().map(Step::Field).collect() }
    }
}

/// Names are quoted where they need it, so that the text reads back to the same path.
impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.steps.iter().enumerate() {
            match step {
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Field(name) => {
                    if i > 0 {
                        f.write_char('.')?;
                    }
                    // the result of a cell, as it is typed
                    match name.strip_prefix('$') {
                        Some(n) if i == 0 && !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()) => {
                            f.write_str(name)?
                        }
                        _ => write_name(name, f)?,
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_read_and_print() {
        for (text, shown) in [
            ("a", "a"),
            (".a.b", "a.b"),
            (".[0]", "[0]"),
            (" a.b.c ", "a.b.c"),
            ("a[0]", "a[0]"),
            ("a.0", "a[0]"),
            (r#"a[0]."b c".1"#, r#"a[0]."b c"[1]"#),
            ("[2].x", "[2].x"),
            ("a[0][1].b", "a[0][1].b"),
            (r"a.io\.x/y.z", r#"a."io.x/y".z"#),
            (r"a\", r#""a\\""#),
            (r#"a."b c""#, r#"a."b c""#),
            (r#"a["b c"].d"#, r#"a."b c".d"#),
            (r#""0".x"#, r#""0".x"#),
            (r#""a\"b\\c\n""#, r#""a\"b\\c\n""#),
            (r#""""#, r#""""#),
            ("a.01", r#"a."01""#),
            ("foo-bar._x'", "foo-bar._x'"),
            ("größe.x", r#""größe".x"#),
            ("a.$port", r#"a."$port""#),
            ("$12.$1", r#"$12."$1""#),
            ("$x", r#""$x""#),
        ] {
            let path = FieldPath::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(path.to_string(), shown);
            assert_eq!(FieldPath::parse(shown).as_ref(), Ok(&path), "{shown} reads back");
        }
    }

    #[test]
    fn what_is_no_path_says_where() {
        for (text, at, what) in [
            ("", 0, PathFault::NameMissing),
            ("a..b", 2, PathFault::NameMissing),
            ("a.", 2, PathFault::NameMissing),
            ("..a", 0, PathFault::NameMissing),
            (".a..b", 3, PathFault::NameMissing),
            ("a[b=c]", 1, PathFault::Condition),
            (".a[b=c].d", 2, PathFault::Condition),
            ("a[x]", 1, PathFault::Index),
            ("a[-1]", 1, PathFault::Index),
            ("a[0", 1, PathFault::Index),
            ("a[\"x]", 2, PathFault::Unclosed),
            ("a.\"b", 2, PathFault::Unclosed),
            ("\"\\q\"", 1, PathFault::Escape),
            ("a b", 1, PathFault::Unexpected),
            ("a]", 1, PathFault::Unexpected),
            ("a[99999999999999999999]", 1, PathFault::Index),
        ] {
            let error = FieldPath::parse(text).expect_err(text);
            assert_eq!((error.at, error.what), (at, what), "{text}");
        }
    }

    #[test]
    fn errors_say_what_was_expected() {
        for (text, said) in [
            ("a..b", "expected a field name or a quoted name, found `.`"),
            ("", "expected a field name, a quoted name or an index such as `[0]`, found the end"),
            ("a[x]", "an index is a number between brackets: `[0]`, found `x`"),
            ("a[name=web]", "an element has a number, not a condition: `[0]` is the first one"),
            ("a[0", "expected `]`, found the end"),
            ("a b", "expected the end, found `b`"),
        ] {
            assert_eq!(FieldPath::parse(text).expect_err(text).to_string(), said);
        }
        for (text, said) in [
            ("a", "expected an index such as `[0]`, `.` or `=`, found the end"),
            ("a.b:3", "the value comes after `=`, not after `:`"),
            ("=1", "expected a field name, a quoted name or an index such as `[0]`, found `=`"),
        ] {
            assert_eq!(assignment(text).expect_err(text).to_string(), said);
        }
        for (text, said) in [
            ("a=", "expected `append`, `key:`, `replace` or `unique`, found the end"),
            ("a=sort", "expected `append`, `key:`, `replace` or `unique`, found `s`"),
            ("a=key:", "expected the name of a field, found the end"),
            ("a=apend", "expected `append`, `key:`, `replace` or `unique`; did you mean `append`?"),
            ("apend", "expected `append`, `key:`, `replace` or `unique`; did you mean `append`?"),
            ("a=key", "expected `append`, `key:`, `replace` or `unique`; did you mean `key:`?"),
            ("a=apple", "expected `append`, `key:`, `replace` or `unique`"),
        ] {
            assert_eq!(rule(text).expect_err(text).to_string(), said);
        }
    }

    #[test]
    fn assignments_and_rules_read() {
        let one = assignment(r#" a."b=c"[0] = x=y "#).expect("an assignment");
        assert_eq!((one.path.to_string(), one.path_range, one.value), (r#"a."b=c"[0]"#.into(), 1..11, 13..18));
        let one = assignment(".a.b=1").expect("an assignment");
        assert_eq!((one.path.to_string(), one.path_range, one.value), ("a.b".into(), 1..4, 5..6));
        assert_eq!(assignment("a=").map(|one| one.value), Ok(2..2));
        for (text, path, shown) in [
            ("append", None, "append"),
            ("a.b=unique", Some("a.b"), "unique"),
            ("append=replace", Some("append"), "replace"),
            ("a[*].b = key:name", Some("a.b"), "key:name"),
            ("key:port,protocol=TCP", None, "key:port,protocol=TCP"),
            (".a[*].b=append", Some("a.b"), "append"),
            ("a[1].b=key:x", Some("a[1].b"), "key:x"),
        ] {
            let found = rule(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!((found.path.map(|p| p.to_string()).as_deref(), found.rule.to_string().as_str()), (path, shown));
        }
    }

    #[test]
    fn a_path_that_is_being_typed_has_complete_steps() {
        for (text, path, name, at) in [
            ("", "", "", 0),
            ("na", "", "na", 0),
            (".na", "", "na", 1),
            ("a[0].na", "a[0]", "na", 5),
            ("a.b.", "a.b", "", 4),
            (r#"a."x.y".z"#, r#"a."x.y""#, "z", 8),
            (r#"a."x.y"#, "a", "x.y", 2),
        ] {
            let found = begun(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((found.path.to_string().as_str(), found.name.as_str(), found.at), (path, name, at), "{text}");
        }
        for text in ["a[0", "a b", "a]"] {
            assert_eq!(begun(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_read() {
        for (text, expected) in
            [("1", Some(vec![1])), (" 1 2 ", Some(vec![1, 2])), ("1, 2", Some(vec![1, 2])), ("12,3", Some(vec![12, 3]))]
        {
            assert_eq!(numbers(text).ok(), expected, "{text}");
        }
        for text in ["", "a", "1 b", "-1", "1.5", "1 + 2", "1,", "99999999999"] {
            assert!(numbers(text).is_err(), "{text}");
        }
        assert_eq!(numbers("x").expect_err("a name").to_string(), "expected a number, found `x`");
    }

    fn any_step() -> impl proptest::strategy::Strategy<Value = Step> {
        use proptest::prelude::*;
        prop_oneof![
            (0..1000usize).prop_map(Step::Index),
            "[a-z0-9_.$\\\"\n =é-]{0,6}".prop_map(|name| Step::Field(Name::from(name))),
        ]
    }

    proptest::proptest! {
        /// The printed form of a path reads back to it, also in an assignment and in a rule.
        #[test]
        fn every_path_prints_and_reads_back(steps in proptest::collection::vec(any_step(), 1..5)) {
            let path = FieldPath { steps };
            let shown = path.to_string();
            proptest::prop_assert_eq!(FieldPath::parse(&shown), Ok(path.clone()), "{}", shown);
            let one = assignment(&format!("{shown} = [1]"));
            proptest::prop_assert_eq!(one.map(|one| one.path), Ok(path.clone()), "{}", shown);
            let found = rule(&format!("{shown}=append"));
            proptest::prop_assert_eq!(found.map(|found| found.path), Ok(Some(path)), "{}", shown);
        }

        /// No text panics, and a fault is at a place in the text.
        #[test]
        fn any_text_is_read_or_refused(text in "[a-z0.\\[\\]*\"\\\\=:, é]{0,20}") {
            let errors = [FieldPath::parse(&text).err(), assignment(&text).err(), rule(&text).err()];
            for error in errors.into_iter().flatten() {
                proptest::prop_assert!(text.is_char_boundary(error.at), "{:?} at {}", text, error.at);
            }
            begun(&text);
        }
    }
}
