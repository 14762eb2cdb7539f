//! Removes the contents of secret literals from messages.
//!
//! Excerpts of texts hide secrets by their place. A message may also quote a literal (`unexpected "x7"`), and a type may
//! consist of one (`[| 'X7 |]`). Only quoted contents are removed, because the content of a secret may also be an ordinary
//! word of the message.

use super::{MASK, Name};
use rustc_hash::FxHashSet;

/// The contents of secret literals.
#[derive(Clone, Default, Debug)]
pub(super) struct Words {
    strings: FxHashSet<Name>,
    tags: FxHashSet<Name>,
}

/// Returns whether a character can be a part of an enum tag.
fn in_tag(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '\'')
}

impl Words {
    /// Adds the content of a string or of an enum tag.
    pub fn add(&mut self, content: Name, is_tag: bool) {
        let to = if is_tag { &mut self.tags } else { &mut self.strings };
        if !content.is_empty() && !to.contains(&content) {
            to.insert(content);
        }
    }

    /// Returns whether there are no secrets.
    pub fn is_empty(&self) -> bool {
        self.strings.is_empty() && self.tags.is_empty()
    }

    /// Returns a message with each quoted secret replaced by the mask; `None` if there is none in it.
    /// `O(message * secrets)`.
    pub fn masked(&self, message: &str) -> Option<String> {
        let mut out: Option<String> = None;
        for content in &self.strings {
            for quote in ["\"", "'", "`", "&quot;", "&#39;"] {
                let text = out.as_deref().unwrap_or(message);
                let quoted = format!("{quote}{content}{quote}");
                if text.contains(&quoted) {
                    out = Some(text.replace(&quoted, MASK));
                }
            }
        }
        for (tag, quote) in self.tags.iter().flat_map(|tag| [(tag, "'"), (tag, "&#39;")]) {
            let text = out.as_deref().unwrap_or(message);
            let written = format!("{quote}{tag}");
            if !text.contains(&written) {
                continue;
            }
            let mut kept = String::with_capacity(text.len());
            let mut rest = text;
            while let Some(at) = rest.find(&written) {
                let (before, found) = rest.split_at(at);
                let after = found.strip_prefix(&written).unwrap_or_default();
                kept.push_str(before);
                kept.push_str(if after.starts_with(in_tag) { &written } else { MASK });
                rest = after;
            }
            kept.push_str(rest);
            out = Some(kept);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn quoted_contents_are_removed() {
        let mut words = Words::default();
        words.add("x7".into(), false);
        words.add("Tls".into(), true);
        let masked = |text| words.masked(text);
        assert_eq!(masked("unexpected `x7`").as_deref(), Some("unexpected <secret>"));
        assert_eq!(masked("a \"x7\" b 'x7'").as_deref(), Some("a <secret> b <secret>"));
        assert_eq!(masked("[| 'Tls, 'Tls2 |]").as_deref(), Some("[| <secret>, 'Tls2 |]"));
        assert_eq!(masked("x7 Tls"), None);
    }
}
