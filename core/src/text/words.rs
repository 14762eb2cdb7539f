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

/// Minimum number of characters of a part of a secret that is hidden.
const PART: usize = 4;

/// Returns whether a text is unlikely to be an ordinary word: it has at least six characters, and not only lower-case letters.
fn is_unusual(content: &str) -> bool {
    content.chars().count() >= 6 && !content.chars().all(|c| c.is_lowercase() || c.is_whitespace())
}

/// Returns a text with the mask in place of the beginning of a secret that is cut after it, `"x7y8…`, and of the end of a
/// secret that is cut before it, `…y8z9"`. `None` if there is none.
fn without_cut(text: &str, content: &str) -> Option<String> {
    let head = content.char_indices().nth(PART).map(|(end, _)| &content[..end])?;
    let mut out = String::new();
    let mut rest = text;
    let mut found = false;
    while let Some(at) = rest.find(head) {
        let (before, here) = rest.split_at(at);
        let same = here.char_indices().zip(content.chars()).take_while(|((_, a), b)| a == b);
        let length = same.last().map_or(0, |((at, c), _)| at + c.len_utf8());
        let after = here.get(length..).unwrap_or_default();
        let is_quoted = before.ends_with(['"', '\'', '`']) || before.ends_with("quot;") || before.ends_with("#39;");
        let is_cut = after.is_empty() || after.starts_with(['\u{2026}', ' ', '<']) || after.starts_with("&hellip;");
        out.push_str(before);
        let hides = is_quoted && is_cut && length < content.len();
        out.push_str(if hides { MASK } else { here.get(..length.max(1)).unwrap_or_default() });
        found |= hides;
        rest = here.get(length.max(1)..).unwrap_or_default();
    }
    out.push_str(rest);
    let mut cut = String::new();
    let mut rest = out.as_str();
    while let Some(at) = rest.find('\u{2026}') {
        let end = at + '\u{2026}'.len_utf8();
        cut.push_str(&rest[..end]);
        rest = &rest[end..];
        let tail = rest.find(['"', '\'', '&', '`']).map(|close| &rest[..close]);
        if let Some(tail) = tail.filter(|tail| tail.chars().count() >= PART && content.ends_with(tail)) {
            cut.push_str(MASK);
            rest = &rest[tail.len()..];
            found = true;
        }
    }
    cut.push_str(rest);
    found.then_some(cut)
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

    /// Returns whether an enum tag is the content of a secret.
    pub fn is_tag(&self, tag: &str) -> bool {
        self.tags.contains(tag)
    }

    /// Returns whether there are contents that are enum tags.
    pub fn has_tags(&self) -> bool {
        !self.tags.is_empty()
    }

    /// Returns whether a text is the content of a secret string of at least four characters.
    pub fn is_content(&self, text: &str) -> bool {
        text.len() >= PART && self.strings.iter().any(|content| content == text)
    }

    /// Returns a message with each quoted secret replaced by the mask; `None` if there is none in it. Secrets that are no
    /// ordinary words are also replaced inside of other texts, and the beginnings and ends of secrets where a text is cut.
    /// `O(message * secrets)`.
    pub fn masked(&self, message: &str) -> Option<String> {
        let mut out = self.masked_whole(message);
        for content in &self.strings {
            let text = out.as_deref().unwrap_or(message);
            if is_unusual(content) && text.contains(content.as_str()) {
                out = Some(text.replace(content.as_str(), MASK));
            }
        }
        for content in self.strings.iter().chain(&self.tags) {
            let text = out.as_deref().unwrap_or(message);
            if let Some(masked) = without_cut(text, content) {
                out = Some(masked);
            }
        }
        out
    }

    fn masked_whole(&self, message: &str) -> Option<String> {
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

    #[test]
    fn parts_of_secrets_are_removed() {
        let mut words = Words::default();
        words.add("x7y8z9w0v1".into(), false);
        words.add("password".into(), false);
        words.add("Kqx7y8z9".into(), true);
        let masked = |text| words.masked(text);
        assert_eq!(masked("at http://x7y8z9w0v1/").as_deref(), Some("at http://<secret>/"));
        assert_eq!(masked("\"x7y8z…").as_deref(), Some("\"<secret>…"));
        assert_eq!(masked("\"x7y8z   <").as_deref(), Some("\"<secret>   <"));
        assert_eq!(masked("\"a …w0v1\" b").as_deref(), Some("\"a …<secret>\" b"));
        assert_eq!(masked("[| 'Kqx7y…").as_deref(), Some("[| '<secret>…"));
        assert_eq!(masked("no field `x7` of password"), None);
        assert!(words.is_content("password") && !words.is_content("x7y8"));
    }
}
