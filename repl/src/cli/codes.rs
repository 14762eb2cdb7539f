//! The codes of problems, for `cfg check --silence CODE`.

use cfg_core::text::near;

/// The families of the codes that a program, data or a merge can have.
#[cfg(test)]
const FAMILIES: [&str; 14] = [
    "assignment",
    "check",
    "data",
    "encoding",
    "export",
    "import",
    "init",
    "merge",
    "scope",
    "session",
    "stack",
    "syntax",
    "types",
    "value",
];

/// The codes of these families, sorted.
const CODES: [&str; 160] = [
    "assignment/has-a-value",
    "assignment/no-such-field",
    "assignment/syntax",
    "check/baseline",
    "check/libraries",
    "data/aliases",
    "data/anchor",
    "data/assignment",
    "data/continued-text",
    "data/control",
    "data/duplicate-key",
    "data/escape",
    "data/format",
    "data/key",
    "data/keyword",
    "data/leading-zero",
    "data/merge-key",
    "data/no-space",
    "data/not-json",
    "data/number",
    "data/other-value",
    "data/same-key",
    "data/schema",
    "data/schema-reference",
    "data/self-alias",
    "data/similar-key",
    "data/syntax",
    "data/tag",
    "data/too-many",
    "data/unclosed",
    "data/unexpected",
    "encoding/not-utf-8",
    "export/no-form",
    "export/number",
    "export/too-deep",
    "export/undefined",
    "export/unfinished",
    "import/cycle",
    "import/not-found",
    "import/unknown-format",
    "import/unreadable",
    "init/kinds",
    "init/repeated-field",
    "init/unknown-field",
    "init/unknown-kind",
    "init/unknown-meta",
    "init/unknown-value",
    "merge/directive",
    "merge/list-replaced",
    "merge/nameless-document",
    "merge/no-edit",
    "merge/no-key",
    "merge/no-path",
    "merge/no-such-document",
    "merge/no-such-key",
    "merge/no-such-list",
    "merge/no-variables",
    "merge/other-kind",
    "merge/other-object",
    "merge/other-use",
    "merge/replaced",
    "merge/same-key",
    "merge/similar-key",
    "merge/text",
    "merge/unknown-ending",
    "scope/circle",
    "scope/class-arguments",
    "scope/duplicate",
    "scope/hides",
    "scope/import",
    "scope/or-pattern",
    "scope/outside-object",
    "scope/recursive",
    "scope/reserved",
    "scope/unbound",
    "scope/unbound-tail",
    "session/data",
    "session/stale",
    "stack/syntax",
    "syntax/chained",
    "syntax/comprehension",
    "syntax/dollar",
    "syntax/escape",
    "syntax/import",
    "syntax/import-format",
    "syntax/internal",
    "syntax/joined-objects",
    "syntax/keys-in-loop",
    "syntax/literal",
    "syntax/metadata",
    "syntax/never-equal",
    "syntax/number",
    "syntax/open-text",
    "syntax/package",
    "syntax/parentheses",
    "syntax/path-binding",
    "syntax/plus-method",
    "syntax/positional-after-named",
    "syntax/priorities",
    "syntax/quotes",
    "syntax/record-tail",
    "syntax/reserved",
    "syntax/secret",
    "syntax/super",
    "syntax/tab",
    "syntax/text-block",
    "syntax/too-deep",
    "syntax/unclosed",
    "syntax/unexpected",
    "types/ambiguous",
    "types/arguments",
    "types/call",
    "types/changes-type",
    "types/conflict",
    "types/elsewhere",
    "types/extends-nothing",
    "types/extra-field",
    "types/format",
    "types/infinite",
    "types/limit",
    "types/merge-function",
    "types/missing-field",
    "types/mixed",
    "types/names-itself",
    "types/no-definition",
    "types/no-instance",
    "types/no-json",
    "types/no-match",
    "types/not-a-contract",
    "types/not-a-function",
    "types/not-covered",
    "types/not-general",
    "types/not-provided",
    "types/priority-ignored",
    "types/raises",
    "types/refused",
    "types/undefined",
    "types/unknown-tag",
    "value/collect",
    "value/contract",
    "value/failed",
    "value/graph",
    "value/hole",
    "value/incomparable",
    "value/infinite-recursion",
    "value/interrupted",
    "value/limit",
    "value/merge-conflict",
    "value/merge-function",
    "value/merge-functions",
    "value/missing-definition",
    "value/missing-field",
    "value/no-element",
    "value/no-match",
    "value/not-a-function",
    "value/paradox",
    "value/range",
    "value/type",
    "value/unbound",
    "value/undefined",
];

/// Returns the message about a code that no problem has, and the nearest code.
pub fn unknown(code: &str) -> Option<String> {
    if CODES.contains(&code) {
        return None;
    }
    let near = near(code, CODES).first().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Some(format!("no warning has the code `{code}`{near}"))
}

#[cfg(test)]
mod tests {
    use super::{CODES, FAMILIES, unknown};
    use std::path::Path;

    /// Collects the codes that a folder's sources contain, without tests.
    fn collect(folder: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_string();
            if path.is_dir() {
                collect(&path, found);
            } else if name.ends_with(".rs") && !path.to_str().unwrap().contains("test") {
                let text = std::fs::read_to_string(&path).unwrap();
                let text = text.split("#[cfg(test)]").next().unwrap();
                let is_code = |text: &str| {
                    let parts = text.split_once('/').filter(|(family, _)| FAMILIES.contains(family));
                    parts.is_some_and(|(_, name)| {
                        !name.is_empty()
                            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
                    })
                };
                found.extend(text.split('"').filter(|text| is_code(text)).map(String::from));
            }
        }
    }

    #[test]
    fn the_table_has_the_codes_of_the_sources() {
        let mut found = Vec::new();
        collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src"), &mut found);
        found.sort();
        found.dedup();
        assert_eq!(found, CODES);
    }

    #[test]
    fn a_wrong_code_has_a_nearest_one() {
        assert_eq!(unknown("types/mixed"), None);
        let wrong = unknown("types/mixd").unwrap();
        assert_eq!(wrong, "no warning has the code `types/mixd`; did you mean `types/mixed`?");
        assert_eq!(unknown("nope/code").unwrap(), "no warning has the code `nope/code`");
    }
}
