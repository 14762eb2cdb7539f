//! Differences side by side, in two columns: the left side, a sign, the right side. Values are wrapped at the width of a
//! column.
//!
//! The signs are `<` (only on the left), `>` (only on the right) and `~` (changed).
//!
//! ```text
//! old.yaml           new.yaml
//! spec.replicas
//!   1              ~   3
//! ```

use crate::answer::Renderer;
use crate::answer::shared::compare::{Change, Comparison, Side};
use crate::styled::wrap::end_of_part;
use crate::styled::{Role, Styled};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Number of spaces before a value.
const INDENT: usize = 2;

/// Renders the differences, without a line end after the last line.
pub fn text(found: &Comparison, names: &[String; 2], to: &Renderer<'_>) -> Styled {
    // two columns with a sign between them
    let column = (to.width().saturating_sub(3) / 2).max(12);
    let mut out = Styled::new();
    if !found.changes.is_empty() {
        let [left, right] = names.each_ref().map(|name| wrapped(name, column));
        write_row(&left, "|", &right, column, [Role::Heading; 2], &mut out);
        out.plain(format!("{}-+-{}\n", "-".repeat(column), "-".repeat(column)));
    }
    for change in &found.changes {
        let label = change.label();
        for line in wrapped(if label.is_empty() { "(whole)" } else { &label }, to.width()) {
            out.push(Role::Name, &line);
            out.plain("\n");
        }
        write_change(change, column, to, &mut out);
    }
    out.push(Role::Dim, super::text::footer(found));
    out
}

/// Writes the values of a change. Their priorities are shown if they differ.
fn write_change(change: &Change, column: usize, to: &Renderer<'_>, out: &mut Styled) {
    let sign = match (&change.left, &change.right) {
        (Some(_), None) => "<",
        (None, Some(_)) if !change.recomputed => ">",
        _ => "~",
    };
    let shows_priority = matches!((&change.left, &change.right), (Some(a), Some(b)) if a.priority != b.priority);
    let cell = |side: &Option<Side>| -> Vec<String> {
        let Some(side) = side else { return Vec::new() };
        let text = to.side(side, shows_priority).text();
        let lines = text.lines().flat_map(|line| wrapped(line, column - INDENT));
        lines.map(|line| format!("{}{line}", " ".repeat(INDENT))).collect()
    };
    write_row(&cell(&change.left), sign, &cell(&change.right), column, [Role::Lost, Role::Wins], out);
}

/// Writes the lines of two cells beside each other. The sign is on the first line, a bar on the others.
fn write_row(left: &[String], sign: &str, right: &[String], column: usize, roles: [Role; 2], out: &mut Styled) {
    for i in 0..left.len().max(right.len()).max(1) {
        let [left, right] = [left, right].map(|lines| lines.get(i).map_or("", String::as_str));
        out.push(roles[0], left);
        out.plain(" ".repeat(column.saturating_sub(left.width()) + 1));
        out.push(Role::Operator, if i == 0 { sign } else { "|" });
        if !right.is_empty() {
            out.plain(" ");
            out.push(roles[1], right);
        }
        out.plain("\n");
    }
}

/// Splits a text into lines of at most `width` columns: at spaces if possible, otherwise after separators of paths, otherwise
/// anywhere.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = text;
    while rest.width() > width {
        let mut used = 0;
        let fits = rest.char_indices().find_map(|(at, c)| {
            used += c.width().unwrap_or(0);
            (used > width).then_some(at)
        });
        let end = fits.filter(|end| *end > 0).unwrap_or_else(|| rest.chars().next().map_or(0, char::len_utf8));
        // the line may also be split at a space right after the last column
        let (line, _) =
            rest.split_at(if rest.get(end..).is_some_and(|tail| tail.starts_with(' ')) { end + 1 } else { end });
        let blank = line.rfind(' ').filter(|blank| *blank > 0 && !line[..*blank].trim().is_empty());
        let (line, tail) = rest.split_at(blank.unwrap_or_else(|| end_of_part(rest, 0, end)));
        lines.push(line.to_string());
        rest = tail.trim_start_matches(' ');
    }
    if !rest.is_empty() || lines.is_empty() {
        lines.push(rest.to_string());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_are_split_at_spaces() {
        assert_eq!(wrapped("ab cd ef", 5), ["ab cd", "ef"]);
        assert_eq!(wrapped("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrapped("/usr/share/doc", 8), ["/usr/", "share/", "doc"]);
        assert_eq!(wrapped("日本語", 1), ["日", "本", "語"]);
        assert_eq!(wrapped("", 5), [""]);
    }
}
