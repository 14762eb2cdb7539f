//! Strings that are cheap to clone, and cheap to append to in a fold.

use super::deferred_drop::discard;
use crate::text::Name;
use std::cell::{OnceCell, RefCell};
use std::ops::Deref;
use std::rc::Rc;

/// Maximum length of a concatenation that is copied at once.
const MAX_COPIED: usize = 256;

/// A string. A long concatenation is O(1); its text is copied when it is first read.
#[derive(Clone)]
pub struct Text(Repr);

#[derive(Clone)]
enum Repr {
    Flat(Name),
    Rope(Rc<Rope>),
}

struct Rope {
    len: usize,
    parts: RefCell<Option<(Text, Text)>>,
    flat: OnceCell<Name>,
}

impl Drop for Rope {
    fn drop(&mut self) {
        if let Some(parts) = self.parts.get_mut().take() {
            discard(parts);
        }
    }
}

impl Text {
    /// Returns the text. O(length) the first time, O(1) later.
    pub fn as_str(&self) -> &str {
        self.name_ref().as_str()
    }

    /// Returns the text as a name. O(length) the first time, O(1) later.
    pub fn name(&self) -> Name {
        self.name_ref().clone()
    }

    /// Returns the length in bytes. O(1).
    pub fn len(&self) -> usize {
        match &self.0 {
            Repr::Flat(s) => s.len(),
            Repr::Rope(rope) => rope.len,
        }
    }

    /// Returns the memory in bytes that [`Text::as_str`] takes: 0 if the text was read before.
    pub(super) fn missing_bytes(&self) -> usize {
        match &self.0 {
            Repr::Rope(rope) if rope.flat.get().is_none() => rope.len,
            _ => 0,
        }
    }

    /// Returns whether the string is empty. O(1).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Concatenates two strings. O(1) beyond a small length.
    pub fn concat(&self, other: &Text) -> Text {
        if self.is_empty() {
            return other.clone();
        }
        if other.is_empty() {
            return self.clone();
        }
        let len = self.len().saturating_add(other.len());
        if len <= MAX_COPIED {
            let mut s = String::with_capacity(len);
            s.push_str(self);
            s.push_str(other);
            return Text::from(s);
        }
        let parts = RefCell::new(Some((self.clone(), other.clone())));
        Text(Repr::Rope(Rc::new(Rope { len, parts, flat: OnceCell::new() })))
    }

    fn name_ref(&self) -> &Name {
        match &self.0 {
            Repr::Flat(s) => s,
            Repr::Rope(rope) => rope.flat.get_or_init(|| {
                let mut out = String::with_capacity(rope.len);
                let mut work = Vec::new();
                if let Some((a, b)) = rope.parts.borrow_mut().take() {
                    work.push(b);
                    work.push(a);
                }
                while let Some(next) = work.pop() {
                    match &next.0 {
                        Repr::Flat(s) => out.push_str(s),
                        Repr::Rope(rope) => match rope.flat.get() {
                            Some(flat) => out.push_str(flat),
                            None => {
                                if let Some((a, b)) = rope.parts.borrow().clone() {
                                    work.push(b);
                                    work.push(a);
                                }
                            }
                        },
                    }
                }
                Name::from(out)
            }),
        }
    }
}

impl Deref for Text {
    type Target = str;
    fn deref(&self) -> &str {
        self.as_str()
    }
}
impl From<Name> for Text {
    fn from(s: Name) -> Text {
        Text(Repr::Flat(s))
    }
}
impl From<&str> for Text {
    fn from(s: &str) -> Text {
        Text(Repr::Flat(Name::new(s)))
    }
}
impl From<String> for Text {
    fn from(s: String) -> Text {
        Text(Repr::Flat(Name::from(s)))
    }
}
impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn a_fold_of_appends_reads_as_one_string_and_drops() {
        let mut s = Text::from("");
        for _ in 0..300_000 {
            s = s.concat(&Text::from("abc"));
        }
        assert_eq!(s.len(), 900_000);
        let unread = s.concat(&Text::from("d"));
        assert!(s.ends_with("cabc"));
        assert!(unread.ends_with("cabcd"));
    }
}
