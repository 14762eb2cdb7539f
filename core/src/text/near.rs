//! Finds similar names for "did you mean" hints.

use super::Name;

/// Maximum number of names offered.
const OFFERED: usize = 3;
/// Maximum length, in characters, of a name that is compared.
const MAX_LENGTH: usize = 64;

/// Returns the candidates nearest to `name`, by optimal string alignment distance, then by difference in length, then
/// in alphabetical order; none if no candidate is near. `O(candidates × length²)`; candidates that differ too much in
/// length are skipped at once.
pub fn near<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<Name> {
    let length = name.chars().count();
    if length == 0 || length > MAX_LENGTH {
        return Vec::new();
    }
    // A third of the letters may differ. A name of one letter is only near to its other case.
    let allowed = (length.max(3) / 3).min(4);
    let mut found: Vec<(usize, usize, &str)> = Vec::new();
    for candidate in candidates {
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
            ("port", &["sort", "ports", "part", "pore", "port"], "part pore sort"),
        ] {
            assert_eq!(offered(name, all), expected, "{name}");
        }
    }
}
