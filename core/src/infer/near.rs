//! Names that a mistyped name may have meant.

use crate::text::Name;

/// The names nearest to `name` by edit distance, the nearest first, at most three. O(names × length²).
pub(super) fn near<'a>(name: &str, names: impl Iterator<Item = &'a Name>) -> Vec<Name> {
    // a name of one or two letters is near to any other such
    let limit = match name.chars().count() {
        0..=2 => return Vec::new(),
        n => (n / 3).max(1),
    };
    let mut found: Vec<(usize, &Name)> = names
        .filter(|other| other.as_str() != name && other.len().abs_diff(name.len()) <= limit + 1)
        .map(|other| (distance(name, other), other))
        .filter(|(d, _)| *d <= limit)
        .collect();
    found.sort();
    found.into_iter().take(3).map(|(_, n)| n.clone()).collect()
}

/// Edit distance with swaps of neighbours counted once (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut best = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swaps_and_slips_are_near_and_other_words_are_not() {
        let names: Vec<Name> = ["name", "zone", "port", "names"].map(Name::from).to_vec();
        assert_eq!(near("nmae", names.iter()), vec![Name::from("name")]);
        assert!(near("listen", names.iter()).is_empty());
    }
}
