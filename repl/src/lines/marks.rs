//! Marks in a line while it is typed: tokens, matching brackets, errors.

use crate::paint::Paint;
use cfg_core::Role;
use nu_ansi_term::Style;
use std::ops::Range;

/// Opening and closing brackets; `%{` in a string is closed by `}`.
const PAIRS: [(&str, &str); 5] = [("(", ")"), ("[", "]"), ("{", "}"), ("%{", "}"), ("[|", "|]")];

/// The bracket at the cursor and its partner, or only one bracket if it has no partner.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Brackets {
    /// Their ranges, in bytes.
    pub at: Vec<Range<usize>>,
    /// Whether the brackets do not match.
    pub wrong: bool,
}

/// Finds the brackets at the cursor (a byte offset): the one under it, or else the one before it. The lexer decides
/// which characters are brackets, because they are separate tokens. `O(tokens)`.
pub fn brackets(line: &str, roles: &[(Range<usize>, Role)], cursor: usize) -> Brackets {
    let mut open: Vec<(Range<usize>, &str)> = Vec::new();
    let mut found = Brackets::default();
    for (range, role) in roles {
        let text = match (role, line.get(range.clone())) {
            (Role::Operator, Some(text)) => text,
            _ => continue,
        };
        let opens = PAIRS.iter().find(|pair| pair.0 == text);
        if let Some((_, closer)) = opens {
            open.push((range.clone(), closer));
            continue;
        }
        if !PAIRS.iter().any(|pair| pair.1 == text) {
            continue;
        }
        let opener = open.pop();
        let at = |bracket: &Range<usize>| bracket.start == cursor || bracket.end == cursor;
        let touched = at(range) || opener.as_ref().is_some_and(|(bracket, _)| at(bracket));
        if !touched {
            continue;
        }
        let under = range.start == cursor || opener.as_ref().is_some_and(|(bracket, _)| bracket.start == cursor);
        if !found.at.is_empty() && !under {
            continue;
        }
        found.wrong = opener.as_ref().is_none_or(|(_, closer)| *closer != text);
        found.at = opener.into_iter().map(|(bracket, _)| bracket).chain([range.clone()]).collect();
    }
    found
}

/// Finds the innermost bracket that is open at the end of a text, and the sign that closes it. `O(tokens)`.
pub fn innermost_open(text: &str, roles: &[(Range<usize>, Role)]) -> Option<(Range<usize>, &'static str)> {
    let mut open: Vec<(Range<usize>, &'static str)> = Vec::new();
    for (range, role) in roles {
        let Some(sign) = text.get(range.clone()).filter(|_| *role == Role::Operator) else { continue };
        match PAIRS.iter().find(|pair| pair.0 == sign) {
            Some((_, closer)) => open.push((range.clone(), closer)),
            None if PAIRS.iter().any(|pair| pair.1 == sign) => drop(open.pop()),
            None => {}
        }
    }
    open.pop()
}

/// Splits the line into pieces, each with its style.
pub fn pieces<'l>(
    paint: Paint,
    line: &'l str,
    roles: &[(Range<usize>, Role)],
    labels: &[Range<usize>],
    brackets: &Brackets,
    mistake: Option<Range<usize>>,
) -> Vec<(Style, &'l str)> {
    // styles change at the edges of tokens and marks
    let marks = brackets.at.iter().chain(labels).chain(&mistake);
    let mut edges: Vec<usize> = roles.iter().flat_map(|(range, _)| [range.start, range.end]).collect();
    edges.extend(marks.flat_map(|range| [range.start, range.end]));
    edges.extend([0, line.len()]);
    edges.sort_unstable();
    edges.dedup();
    let mut roles = roles.iter().peekable();
    let mut pieces = Vec::new();
    for edge in edges.windows(2) {
        let [start, end] = *edge else { continue };
        let Some(piece) = line.get(start..end) else { continue };
        while roles.next_if(|(range, _)| range.end <= start).is_some() {}
        let role = roles.peek().filter(|(range, _)| range.start <= start).map_or(Role::Plain, |(_, role)| *role);
        let within = |range: &Range<usize>| range.start <= start && end <= range.end;
        let mut style = paint.style(role);
        if labels.iter().any(within) {
            style = paint.style(Role::Dim);
        }
        if brackets.at.iter().any(within) {
            style = if brackets.wrong { paint.style(Role::Invalid) } else { paint.matched() };
        }
        if mistake.as_ref().is_some_and(within) {
            style = paint.style(Role::Invalid);
        }
        pieces.push((style, piece));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::Theme;
    use cfg_core::Session;

    /// Marks the cursor.
    const HERE: char = '¦';

    /// Checks which brackets are marked, given a line with the cursor in it. A `!` precedes mismatched brackets.
    #[track_caller]
    fn marks(line: &str, expected: &str) {
        let cursor = line.find(HERE).unwrap();
        let line = line.replace(HERE, "");
        let session = Session::new(Box::new(cfg_core::NoLoader));
        let found = brackets(&line, &session.highlight(&line), cursor);
        let shown: Vec<String> = found.at.iter().map(|r| format!("{}{}", r.start, &line[r.clone()])).collect();
        let wrong = if found.wrong { "!" } else { "" };
        assert_eq!(format!("{wrong}{}", shown.join(" ")), expected, "{line} at {cursor}");
    }

    #[test]
    fn the_bracket_at_the_cursor_and_its_partner() {
        marks("(1 + [2])¦", "0( 8)");
        marks("¦(1 + [2])", "0( 8)");
        marks("(1 + ¦[2])", "5[ 7]");
        marks("(1 + [2]¦)", "0( 8)");
        marks("(1 + [2 ¦])", "5[ 8]");
        marks("(1 +¦ [2])", "");
        marks("(1 + ¦", "");
    }

    #[test]
    fn only_what_the_lexer_calls_a_bracket_is_one() {
        marks("\"(\" ++ (\")\"¦)", "7( 11)");
        marks("\"a %{b¦}\"", "3%{ 6}");
        marks("{ # }\n¦}", "0{ 6}");
        marks("x : [| 'a ¦|]", "4[| 10|]");
        marks("'a|]¦", "!2|]");
    }

    #[test]
    fn mismatched_brackets_are_wrong() {
        marks("(1 + 2]¦", "!0( 6]");
        marks("1)¦", "!1)");
    }

    #[test]
    fn every_byte_is_in_one_piece() {
        let paint = Paint { colour: true, terminal: true, theme: Theme::Dark, palette: None };
        let line = "{ a = \"é\" } & ⟦text 1⟧ }";
        let session = Session::new(Box::new(cfg_core::NoLoader));
        let label = line.find('⟦').unwrap()..line.find('⟧').unwrap() + '⟧'.len_utf8();
        let found = Brackets { at: std::iter::once(0..1).collect(), wrong: false };
        let pieces = pieces(paint, line, &session.highlight(line), &[label], &found, Some(line.len() - 1..line.len()));
        assert_eq!(pieces.iter().map(|(_, piece)| *piece).collect::<String>(), line);
        let styled = |text: &str| pieces.iter().find(|(_, piece)| *piece == text).unwrap().0;
        assert_eq!((styled("{"), styled("}")), (paint.matched(), Style::new()));
        assert_eq!(pieces.last().unwrap().0, paint.style(Role::Invalid));
    }
}
