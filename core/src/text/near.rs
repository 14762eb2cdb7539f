//! Finds similar names for "did you mean" hints.

use super::Name;

/// Maximum number of names offered.
const OFFERED: usize = 3;
/// Maximum length, in characters, of a name that is compared.
const MAX_LENGTH: usize = 64;
/// Minimum length of a name that is offered the names that begin with it, in characters.
const BEGINNING: usize = 4;
/// Names of functions in other languages, and the usual ones here.
const SYNONYMS: [(&str, &str); 16] = [
    ("push", "append"),
    ("add", "append"),
    ("list", "array"),
    ("lists", "array"),
    ("object", "record"),
    ("map", "record"),
    ("upper", "uppercase"),
    ("lower", "lowercase"),
    ("size", "length"),
    ("len", "length"),
    ("count", "length"),
    ("reduce", "fold_left"),
    ("foldl", "fold_left"),
    ("foldr", "fold_right"),
    ("keys", "fields"),
    ("contains", "elem"),
];

/// Returns the candidates nearest to `name`, by optimal string alignment distance, then by difference in length, then
/// in alphabetical order; none if no candidate is near. `O(candidates × length²)`; candidates that differ too much in
/// length are skipped at once.
///
/// If none is near: the candidates that begin with the name, and those that other languages call so (`push`: `append`).
pub fn near<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<Name> {
    let mut others: Vec<(usize, usize, &str)> = Vec::new();
    let length = name.chars().count();
    if length == 0 || length > MAX_LENGTH {
        return Vec::new();
    }
    // A third of the letters may differ. A name of one letter is only near to its other case.
    let allowed = (length.max(3) / 3).min(4);
    let mut found: Vec<(usize, usize, &str)> = Vec::new();
    for candidate in candidates {
        match SYNONYMS.iter().position(|(other, own)| *other == name && *own == candidate) {
            Some(place) => others.push((0, place, candidate)),
            None if length >= BEGINNING && candidate.len() > name.len() && candidate.starts_with(name) => {
                others.push((1, candidate.len(), candidate));
            }
            None => {}
        }
        if candidate.len().abs_diff(name.len()) > allowed * 4 || candidate == name {
            continue;
        }
        let longer = candidate.chars().count().abs_diff(length);
        if longer > allowed {
            continue;
        }
        if candidate.eq_ignore_ascii_case(name) {
            found.push((0, longer, candidate));
            continue;
        }
        let distance = strsim::osa_distance(name, candidate);
        if distance <= allowed && distance < length {
            found.push((distance, longer, candidate));
        }
    }
    if found.is_empty() {
        found = others;
    }
    found.sort_unstable();
    found.dedup();
    found.into_iter().take(OFFERED).map(|(_, _, name)| Name::new(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::near;

    #[test]
    fn what_is_offered() {
        let offered = |name, all: &[&'static str]| near(name, all.iter().copied()).join(" ");
        for (name, all, expected) in [
            ("lenght", &["length", "concat", "width"][..], "length"),
            ("prot", &["port", "host"], "port"),
            ("replicsa", &["replicas", "replica"], "replicas replica"),
            ("Foo", &["foo", "bar"], "foo"),
            ("x", &["y", "z"], ""),
            ("x", &["X"], "X"),
            ("abcdef", &["uvwxyz"], ""),
            ("colr", &["colour", "color"], "color"),
            // A transposition is one edit, an exact match is not offered, and at most three names are offered.
            ("ab", &["ba", "ab"], "ba"),
            ("größe", &["grösse", "Große", "größer"], "größer"),
            ("upper", &["lowercase", "uppercase"], "uppercase"),
            ("push", &["map", "append", "prepend"], "append"),
            ("abs", &["absolute"], ""),
            ("port", &["sort", "ports", "part", "pore", "port"], "part pore sort"),
        ] {
            assert_eq!(offered(name, all), expected, "{name}");
        }
    }
}
