//! Lays out the Markdown of a lesson for a terminal.

use cfg_core::{Role, Styled};
use cfg_lessons::LESSONS;
use unicode_width::UnicodeWidthStr;

/// Maximum width of a paragraph, in columns.
const MAX_WIDTH: usize = 92;

/// Lays out paragraphs, lists, headings and blocks of code in at most `width` columns. O(text).
pub fn markdown(text: &str, width: usize) -> Styled {
    let width = width.min(MAX_WIDTH);
    let mut out = Styled::new();
    let mut lines = text.lines().peekable();
    let mut gap = false;
    while let Some(line) = lines.next() {
        if line.trim().is_empty() {
            gap = true;
            continue;
        }
        // the items of a list follow each other
        if std::mem::take(&mut gap) && !out.is_empty() {
            out.plain("\n");
        }
        if line.starts_with("```") {
            for line in lines.by_ref().take_while(|line| *line != "```") {
                out.plain(format!("    {line}\n"));
            }
        } else if let Some(title) = line.strip_prefix("### ") {
            out.push(Role::Heading, title);
            out.plain("\n");
        } else if line.starts_with('|') {
            out.plain(format!("{line}\n"));
            while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
                out.plain(format!("{row}\n"));
            }
        } else {
            let item = line.starts_with("- ");
            let mut paragraph = String::from(line.trim_start_matches("- "));
            let goes_on =
                |line: &&str| !(line.trim().is_empty() || line.starts_with(['|', '#']) || line.starts_with("- "));
            while let Some(more) = lines.next_if(|line| goes_on(line) && !line.starts_with("```")) {
                paragraph.push(' ');
                paragraph.push_str(more.trim());
            }
            let (first, rest) = if item { ("- ", "  ") } else { ("", "") };
            fill(&pieces(&paragraph), width, first, rest, &mut out);
        }
    }
    out
}

/// Returns the text of a link: a link to another lesson becomes the command that starts it.
fn link(text: &str, target: &str) -> String {
    let lesson = LESSONS.iter().position(|(name, _)| target.strip_suffix(".ipynb") == Some(name));
    match lesson {
        Some(at) => format!("{text} (`cfg learn {}`)", at + 1),
        None if target.starts_with("http") => format!("{text} ({target})"),
        None => String::from(text),
    }
}

/// Splits the text of a paragraph into pieces with roles. Code keeps its backticks, so that it can be told without
/// colours.
fn pieces(text: &str) -> Vec<(Role, String)> {
    let mut out: Vec<(Role, String)> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '*', '[']) {
        let (before, marked) = rest.split_at(at);
        out.push((Role::Plain, String::from(before)));
        let between = |open: &str, close: &str| -> Option<(String, usize)> {
            let inside = marked.strip_prefix(open)?;
            let end = inside.find(close).filter(|end| *end > 0)?;
            Some((String::from(&inside[..end]), open.len() + end + close.len()))
        };
        let target = |used: usize| -> Option<(String, usize)> {
            let after = marked.get(used..)?.strip_prefix('(')?;
            let end = after.find(')')?;
            Some((String::from(&after[..end]), used + end + 2))
        };
        let used = if let Some((code, used)) = between("`", "`") {
            out.push((Role::Type, format!("`{code}`")));
            used
        } else if let Some((strong, used)) = between("**", "**") {
            out.push((Role::Heading, strong));
            used
        } else if let Some((emphasis, used)) = between("*", "*").filter(|(text, _)| !text.starts_with([' ', '*'])) {
            out.push((Role::Plain, emphasis));
            used
        } else if let Some((text, (target, used))) =
            between("[", "]").and_then(|(text, used)| Some((text, target(used)?)))
        {
            out.extend(pieces(&link(&text, &target)));
            used
        } else {
            out.push((Role::Plain, marked.chars().take(1).collect()));
            marked.chars().next().map_or(1, char::len_utf8)
        };
        rest = &marked[used..];
    }
    out.push((Role::Plain, String::from(rest)));
    out
}

/// Writes pieces in lines of at most `width` columns, with prefixes for the first line and the others.
fn fill(pieces: &[(Role, String)], width: usize, first: &str, rest: &str, out: &mut Styled) {
    out.plain(first);
    let mut column = first.width();
    // a word may consist of several pieces: `code`, and a comma after it
    let mut word: Vec<(Role, &str)> = Vec::new();
    let mut begun = false;
    let mut flush = |word: &mut Vec<(Role, &str)>, out: &mut Styled| {
        let wide: usize = word.iter().map(|(_, text)| text.width()).sum();
        if wide == 0 {
            return;
        }
        if begun && column + 1 + wide > width {
            out.plain(format!("\n{rest}"));
            column = rest.width();
        } else if begun {
            out.plain(" ");
            column += 1;
        }
        begun = true;
        column += wide;
        for (role, text) in word.drain(..) {
            out.push(role, text);
        }
    };
    for (role, text) in pieces {
        for (at, part) in text.split(' ').enumerate() {
            if at > 0 {
                flush(&mut word, out);
            }
            word.push((*role, part));
        }
    }
    flush(&mut word, out);
    out.plain("\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_filled_and_marks_become_roles() {
        let text = "The **port** is\n`80`, and *not* 443:\n\n- one two three\n  four\n- five [six](02-merging.ipynb)\n\n```sh\ncfg x\n```\n";
        let shown = markdown(text, 20);
        assert_eq!(
            shown.text(),
            "The port is `80`,\nand not 443:\n\n- one two three four\n- five six (`cfg\n  learn 2`)\n\n    cfg x\n"
        );
        assert!(shown.runs().contains(&(Role::Heading, "port".into())));
        assert!(shown.runs().contains(&(Role::Type, "`80`".into())));
    }

    #[test]
    fn marks_without_a_partner_are_text() {
        for text in ["a * b", "a ` b", "[1, 2] and [x", "2 ** 3", "`", "*", "**"] {
            assert_eq!(markdown(text, 80).text(), format!("{text}\n"));
        }
    }

    /// No line of any lesson is wider than the screen, except code.
    #[test]
    fn every_lesson_fits_on_narrow_screens() {
        for (name, text) in LESSONS {
            for width in [60, 80, 120] {
                let shown = markdown(text, width).text();
                let wide = shown.lines().find(|line| !line.starts_with("    ") && line.width() > width);
                assert_eq!(wide, None, "{name} at {width}");
            }
        }
    }
}
