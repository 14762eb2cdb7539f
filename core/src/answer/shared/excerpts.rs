//! Excerpts of long strings that differ.

use super::compare::SHOWN;
use crate::text::Name;

/// Number of characters of the beginning, and of those before the difference.
const BEFORE: usize = 200;

/// Returns the parts of two strings around their first difference, if a string is too long to be shown whole. O(length).
pub fn excerpts(a: &str, b: &str) -> Option<[Name; 2]> {
    if a.len().max(b.len()) <= SHOWN.text {
        return None;
    }
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let excerpt = |text: &str| {
        let from = if same > 2 * BEFORE { same - BEFORE } else { 0 };
        let mut out = String::new();
        if from > 0 {
            out.extend(text.chars().take(BEFORE).chain(['…']));
        }
        let mut rest = text.chars().skip(from);
        out.extend(rest.by_ref().take(SHOWN.text / 4));
        out.extend(rest.next().map(|_| '…'));
        Name::from(out)
    };
    Some([excerpt(a), excerpt(b)])
}

#[cfg(test)]
mod tests {
    use super::excerpts;

    #[test]
    fn long_strings_are_shown_around_their_difference() {
        assert_eq!(excerpts("a", "b"), None);
        let text = |middle: &str| format!("{}{middle}{}", "x".repeat(3000), "y".repeat(3000));
        let [a, b] = excerpts(&text("1"), &text("2")).unwrap_or_default();
        assert!(a.contains("x1y") && b.contains("x2y"), "{a} {b}");
        assert!(a.starts_with("xxx") && a.contains("x…x") && a.ends_with("y…") && a.chars().count() < 1000, "{a}");
    }
}
