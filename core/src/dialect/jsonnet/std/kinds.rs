//! The kinds of values that library functions take, for messages.

use super::table::Body;

/// Arguments that may have one of several kinds, which their types do not say.
const SEVERAL: &[(&str, usize, &[&str])] = &[
    ("base64", 0, &["string", "array"]),
    ("deepJoin", 0, &["string", "array"]),
    ("flatMap", 1, &["array", "string"]),
    ("foldl", 1, &["array", "string"]),
    ("foldr", 1, &["array", "string"]),
    ("join", 0, &["string", "array"]),
    ("length", 0, &["string", "array", "object", "function"]),
    ("map", 1, &["array", "string"]),
    ("mapWithIndex", 1, &["array", "string"]),
    ("member", 0, &["array", "string"]),
    ("repeat", 0, &["string", "array"]),
];

/// Returns the kinds of values that a function takes at a position, which counts from 0. Empty if it takes any value.
pub(super) fn taken(function: &str, place: usize) -> &'static [&'static str] {
    if let Some((.., kinds)) = SEVERAL.iter().find(|(name, at, _)| *name == function && *at == place) {
        return kinds;
    }
    let Some(item) = super::item(function).filter(|item| matches!(item.body, Body::Function(_))) else { return &[] };
    of_type(parameter(item.ty, place))
}

/// Returns the kinds of values of a type. Empty if the type is a variable or unknown.
fn of_type(ty: &str) -> &'static [&'static str] {
    match ty.split([' ', ',']).next().unwrap_or_default() {
        "Number" => &["number"],
        "String" => &["string"],
        "Bool" => &["boolean"],
        "Array" => &["array"],
        "{" => &["object"],
        word if word.starts_with('(') => &["function"],
        _ => &[],
    }
}

/// Returns the type of a parameter in a type `forall a. A -> B -> C`; an empty text if there is none.
fn parameter(ty: &str, place: usize) -> &str {
    let ty = match ty.strip_prefix("forall ") {
        Some(rest) => rest.split_once(". ").map_or(rest, |(_, ty)| ty),
        None => ty,
    };
    let mut depth = 0usize;
    let mut from = 0;
    let mut found = Vec::new();
    for (at, c) in ty.char_indices() {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            '>' if depth == 0 => {
                found.push(ty.get(from..at).unwrap_or_default().trim_end_matches('-').trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    found.get(place).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::taken;

    #[test]
    fn the_kinds_that_functions_take() {
        for (function, expected) in [
            ("map", &[&["function"][..], &["array", "string"]][..]),
            ("filter", &[&["function"], &["array"]]),
            ("objectHas", &[&["object"], &["string"]]),
            ("get", &[&["object"], &["string"], &[], &["boolean"]]),
            ("foldl", &[&["function"], &["array", "string"], &[]]),
            ("join", &[&["string", "array"], &["array"]]),
            ("mapWithKey", &[&["function"], &["object"]]),
            ("toString", &[&[]]),
            ("pi", &[&[]]),
        ] {
            for (place, kinds) in expected.iter().enumerate() {
                assert_eq!(taken(function, place), *kinds, "{function}, {place}");
            }
        }
    }
}
