//! Breaking lines between words.

use super::{Role, Styled};
use unicode_width::UnicodeWidthStr;

/// The text with lines of at most `width` columns where its words allow, further lines of one line indented by `hang`
/// columns. Lines that begin with a blank are left alone: they are laid out already. Linear.
pub fn wrap(text: &str, width: usize, hang: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        if line.starts_with(' ') || line.width() <= width {
            out.push_str(line);
            continue;
        }
        let mut column = 0;
        for word in line.split(' ') {
            let wide = word.width();
            if column > 0 && column + 1 + wide > width {
                out.push('\n');
                out.push_str(&" ".repeat(hang));
                column = hang;
            } else if column > 0 {
                out.push(' ');
                column += 1;
            }
            out.push_str(word);
            column += wide;
        }
    }
    out
}

/// Text of one role, wrapped so that it stands in a column of its own that begins at `hang`.
pub fn column(role: Role, text: &str, width: usize, hang: usize) -> Styled {
    let room = width.saturating_sub(hang).max(width.saturating_sub(2).min(20));
    let wrapped = wrap(text, room, 0);
    Styled::of(role, wrapped.replace('\n', &format!("\n{}", " ".repeat(hang))))
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("aa bb cc dd", 5, 0), "aa bb\ncc dd");
        assert_eq!(wrap("aa bb cc", 5, 2), "aa bb\n  cc");
        assert_eq!(wrap("aa\n\n  laid out already\nb", 5, 0), "aa\n\n  laid out already\nb");
        assert_eq!(wrap("one-long-word and more", 5, 0), "one-long-word\nand\nmore");
    }
}
