//! Values beside each other: `{ a: 1 } { b: 2 }` merges two objects, and `{ a: 1 } [2]` reads a field. Where the second one
//! begins a line, an operator between them was probably forgotten.

use super::lexer::lex;
use super::token::Kind;
use crate::dialect::Stop;
use std::ops::Range;

/// A bracket that is open: its kind, where it is, and the object that ends before it on an earlier line.
type Open = (Kind, usize, Option<Range<usize>>);

/// Returns a suggestion about an error in one of two such values, the innermost ones. O(length).
pub fn hint(text: &str, at: Range<usize>) -> Option<String> {
    let mut open: Vec<Open> = Vec::new();
    // the object that ends at the token before
    let mut before: Option<Range<usize>> = None;
    for token in lex(text, Stop::NEVER).tokens {
        let (start, end) = (token.start as usize, token.end as usize);
        let left = before.take();
        match token.kind {
            Kind::LBrace | Kind::LBracket | Kind::LParen => {
                let left = left.filter(|left| text.get(left.end..start).is_some_and(|between| between.contains('\n')));
                open.push((token.kind, start, left));
            }
            Kind::RBrace | Kind::RBracket | Kind::RParen => {
                let (kind, from, left) = open.pop()?;
                let contains = |range: &Range<usize>| range.start <= at.start && at.end <= range.end;
                if let Some(left) = left.filter(|left| contains(&(left.start..end))) {
                    let [left, right] = [left.start, from].map(|place| line_of(text, place));
                    return match kind {
                        Kind::LBrace => Some(format!(
                            "the objects that begin on lines {left} and {right} are merged, because no `,`, `;` or `+` is \
                             between them"
                        )),
                        Kind::LBracket => Some(format!(
                            "`[` on line {right} reads a field of the object that begins on line {left}, because no `,`, `;` \
                             or `+` is between them"
                        )),
                        _ => None,
                    };
                }
                before = (kind == Kind::LBrace).then_some(from..end);
            }
            _ => {}
        }
    }
    None
}

fn line_of(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or(text).matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::hint;

    #[test]
    fn an_operator_is_missing_only_between_lines() {
        let about = |text: &str, part: &str| {
            let at = text.find(part).unwrap();
            hint(text, at..at + part.len())
        };
        let merged = Some(String::from(
            "the objects that begin on lines 1 and 2 are merged, because no `,`, `;` or `+` is between them",
        ));
        assert_eq!(about("{ a: 1 }\n{ b: self.c }", "self.c"), merged);
        assert_eq!(about("{ a: self.d }\n{ b: 1 }", "self.d"), merged);
        assert_eq!(about("[{ a: 1 } // x\n{ b: self.c }]", "self.c"), merged);
        assert!(about("{ a: 1 }\n[ 2 ]", "2").is_some_and(|hint| hint.starts_with("`[` on line 2 reads a field")));
        for text in
            ["{ a: 1 } { b: self.c }", "{ a: 1 } +\n{ b: self.c }", "[{ a: 1 },\n{ b: self.c }]", "a\n{ b: self.c }"]
        {
            assert_eq!(about(text, "self.c"), None, "{text}");
        }
    }
}
