//! Names that look like another one: what "did you mean" offers.

use super::Name;

/// How many names are offered at most.
const OFFERED: usize = 3;
/// Longer names are not compared: a message would not be readable anyway.
const MAX_LENGTH: usize = 64;

/// The candidates nearest to a name that nobody has, the nearest first; equally near ones by length, then in alphabetical order. Empty
/// where none is near. O(candidates × length²), with names that differ too much in length left out at once.
pub fn near<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<Name> {
    let wanted: Vec<char> = name.chars().take(MAX_LENGTH + 1).collect();
    if wanted.is_empty() || wanted.len() > MAX_LENGTH {
        return Vec::new();
    }
    // a third of the letters may differ; one-letter names are near nothing but their other case
    let allowed = (wanted.len().max(3) / 3).min(4);
    let mut found: Vec<(usize, usize, &str)> = Vec::new();
    for candidate in candidates {
        if candidate.len().abs_diff(name.len()) > allowed * 4 || candidate == name {
            continue;
        }
        let other: Vec<char> = candidate.chars().take(MAX_LENGTH + 1).collect();
        if other.len().abs_diff(wanted.len()) > allowed {
            continue;
        }
        let far = distance(&wanted, &other);
        let same_but_case = candidate.eq_ignore_ascii_case(name);
        if same_but_case || (far <= allowed && far < wanted.len()) {
            found.push((if same_but_case { 0 } else { far }, other.len().abs_diff(wanted.len()), candidate));
        }
    }
    found.sort_unstable();
    found.dedup();
    found.into_iter().take(OFFERED).map(|(_, _, name)| Name::new(name)).collect()
}

/// Letters inserted, removed, changed or swapped with their neighbour (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i + 1);
        for (j, y) in b.iter().enumerate() {
            let mut cost = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                cost = cost.min(before[j - 1] + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
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
        ] {
            assert_eq!(offered(name, all), expected, "{name}");
        }
    }
}
