//! Names that a misspelt one may have meant.

use crate::text::Name;

/// The names near `name`, at most three, the nearest first.
pub(super) fn near<'n>(name: &str, all: impl Iterator<Item = &'n Name>) -> Vec<Name> {
    let wanted: Vec<char> = name.chars().take(40).collect();
    let limit = (wanted.len() / 3).clamp(1, 3);
    let mut found: Vec<(usize, &Name)> = all
        .take(20_000)
        .filter(|n| !n.is_empty() && n.len().abs_diff(name.len()) <= limit + 3)
        .filter_map(|n| {
            let distance = match n.eq_ignore_ascii_case(name) {
                true => 0,
                false => distance(&wanted, &n.chars().take(44).collect::<Vec<_>>()),
            };
            (distance <= limit && distance < wanted.len()).then_some((distance, n))
        })
        .collect();
    found.sort();
    found.dedup();
    found.into_iter().take(3).map(|(_, n)| n.clone()).collect()
}

/// The edit distance: insertions, deletions, substitutions and swaps of neighbours (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (last[j - 1] + same).min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names() {
        let all: Vec<Name> = ["port", "prot", "host", "Port", "x"].into_iter().map(Name::from).collect();
        assert_eq!(near("prt", all.iter()), ["port", "prot"]);
        assert_eq!(near("PORT", all.iter()), ["Port", "port"]);
        assert!(near("y", all.iter()).is_empty());
    }
}
