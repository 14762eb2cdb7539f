//! The objects around a place of a text, by their tokens: which object has a field that another one lacks.

use super::lexer::lex;
use super::token::{Kind, Token};
use crate::dialect::Stop;
use crate::dialect::parser::TokenKind;
use crate::text::near;
use std::ops::Range;

/// An object literal.
struct Object<'t> {
    /// Its braces, with what is between them.
    range: Range<usize>,
    /// The field of the next outer object whose value it is.
    key: Option<&'t str>,
    /// The next outer object, if it is the value of one of its fields.
    parent: Option<usize>,
    fields: Vec<&'t str>,
}

/// Returns the advice for a field that the object at a place lacks, `self.name` or `$.name`. O(length).
pub(super) fn missing(text: &str, at: Range<usize>) -> Option<String> {
    let read = text.get(at.clone())?;
    let objects = objects(text);
    let around: Vec<&Object<'_>> = objects.iter().filter(|object| object.range.contains(&at.start)).collect();
    let (outermost, innermost) = (around.first()?, around.last()?);
    if let Some(name) = read.strip_prefix("$.") {
        if let Some(meant) = near(name, outermost.fields.iter().copied()).first() {
            return Some(format!("did you mean `$.{meant}`?"));
        }
        return match path_to(&objects, outermost, name) {
            Some(path) => {
                Some(format!("write `{path}`: `$` is the outermost object, and `{name}` is in an object inside of it"))
            }
            None => Some(format!(
                "write `{name}: …` in the outermost object, which `$` is, or in one that is combined with it"
            )),
        };
    }
    let name = read.strip_prefix("self.")?;
    if let Some(meant) = near(name, innermost.fields.iter().copied()).first() {
        return Some(format!("did you mean `self.{meant}`?"));
    }
    let holder = around.iter().rev().skip(1).find(|object| object.fields.contains(&name))?;
    let path = path(&objects, outermost, holder)?;
    Some(format!("write `{path}.{name}`: `self` is the object of the nearest braces, and `{name}` is in one around it"))
}

/// Returns the path of an object from the outermost one, if each is the value of a field.
fn path(objects: &[Object<'_>], outermost: &Object<'_>, object: &Object<'_>) -> Option<String> {
    let mut keys = Vec::new();
    let mut at = object;
    while at.range != outermost.range {
        keys.push(at.key?);
        at = objects.get(at.parent?)?;
    }
    keys.reverse();
    let keys: String = keys.into_iter().map(|key| format!(".{key}")).collect();
    Some(format!("${keys}"))
}

/// Returns the path of the only object in the outermost one that has a field.
fn path_to(objects: &[Object<'_>], outermost: &Object<'_>, name: &str) -> Option<String> {
    let inside = |object: &&Object<'_>| {
        outermost.range.start < object.range.start
            && object.range.end < outermost.range.end
            && object.fields.contains(&name)
    };
    let mut all = objects.iter().filter(inside).filter_map(|object| path(objects, outermost, object));
    let first = all.next()?;
    all.next().is_none().then(|| format!("{first}.{name}"))
}

/// Returns the object literals of a text, each after those around it.
fn objects(text: &str) -> Vec<Object<'_>> {
    let tokens = lex(text, Stop::NEVER).tokens;
    let mut found: Vec<Object<'_>> = Vec::new();
    // the open brackets, with the object that a brace begins
    let mut open: Vec<Option<usize>> = Vec::new();
    let mut key: Option<&str> = None;
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|index| tokens.get(index));
        match token.kind {
            Kind::LBrace => {
                let parent = open.last().copied().flatten();
                let is_value = before.is_some_and(|token| is_colon(token.kind));
                let key = key.filter(|_| is_value && parent.is_some());
                let range = token.start as usize..text.len();
                found.push(Object { range, key, parent: parent.filter(|_| is_value), fields: Vec::new() });
                open.push(Some(found.len() - 1));
            }
            kind if kind.opens().is_some() => open.push(None),
            kind if kind.closes().is_some() => {
                if let Some(object) = open.pop().flatten().and_then(|object| found.get_mut(object)) {
                    object.range.end = token.end as usize;
                }
            }
            Kind::Ident if before.is_some_and(|token| matches!(token.kind, Kind::LBrace | Kind::Comma)) => {
                let next = tokens.get(index + 1);
                let Some(object) = open.last().copied().flatten().and_then(|object| found.get_mut(object)) else {
                    continue;
                };
                if next.is_some_and(|next| is_colon(next.kind) || next.kind == Kind::LParen) {
                    let name = word(text, token);
                    object.fields.push(name);
                    key = Some(name).filter(|_| next.is_some_and(|next| is_colon(next.kind)));
                }
            }
            _ => {}
        }
    }
    found
}

fn is_colon(kind: Kind) -> bool {
    use Kind::{Colon, Colon2, Colon3, PlusColon, PlusColon2, PlusColon3};
    matches!(kind, Colon | Colon2 | Colon3 | PlusColon | PlusColon2 | PlusColon3)
}

fn word<'t>(text: &'t str, token: &Token) -> &'t str {
    text.get(token.start as usize..token.end as usize).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::missing;

    #[test]
    fn the_object_with_the_field_is_named() {
        for (text, read, advice) in [
            ("{ replicas: 3, s: { r: $.replcas } }", "$.replcas", "did you mean `$.replicas`?"),
            ("{ env: 1, s: { d: self.env } }", "self.env", "write `$.env`: "),
            ("{ a: { env: 1, s: { d: self.env } } }", "self.env", "write `$.a.env`: "),
            ("{ service: { name: 1 }, s: { d: $.name } }", "$.name", "write `$.service.name`: "),
            ("{ a: { port: 1, b: self.prot } }", "self.prot", "did you mean `self.port`?"),
            ("{ s: { d: $.name } }", "$.name", "write `name: …` in the outermost object"),
        ] {
            let start = text.find(read).unwrap();
            let found = missing(text, start..start + read.len()).unwrap();
            assert!(found.starts_with(advice), "{text}: {found}");
        }
        // an object in an array has no path
        let text = "{ x: [{ env: 1, s: { d: self.env } }] }";
        assert_eq!(missing(text, 24..32), None);
    }
}
