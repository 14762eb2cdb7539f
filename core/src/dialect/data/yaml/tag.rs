//! Tags of YAML.
//!
//! A value with a local tag, `!Ref x`, becomes the enum variant `'"!Ref" "x"`. So merging, equality and output keep the
//! tag. The name of the variant is the tag as it is written again.

use super::Reader;
use crate::problem::data::DataProblem;
use crate::term::{Node, NodeId};
use crate::text::{Name, Span};
use std::fmt::Write;

/// The tags of the core schema for scalars.
pub(super) const SCALARS: [&str; 5] = ["str", "int", "float", "bool", "null"];

/// The tag of a value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Tag {
    /// `!`: a string, sequence or mapping, whatever the content looks like.
    None,
    /// A tag of the core schema without its prefix: `str` for `!!str`.
    Core(String),
    /// Any other tag, as it is written: `!Ref`, `!<tag:example.com,2000:x>`.
    Local(Name),
}

impl Tag {
    /// Returns whether the value is written with the tag again.
    pub fn is_kept(&self) -> bool {
        matches!(self, Tag::Local(_))
    }

    /// Returns the tag as written.
    pub fn name(&self) -> Name {
        match self {
            Tag::None => Name::new_static("!"),
            Tag::Core(core) => Name::from(format!("!!{core}")),
            Tag::Local(name) => name.clone(),
        }
    }
}

/// Returns the tag that the parser found. `None` if it is empty.
pub(super) fn of(tag: &saphyr_parser::Tag) -> Option<Tag> {
    if tag.is_yaml_core_schema() {
        return Some(Tag::Core(tag.suffix.clone()));
    }
    let full = format!("{}{}", tag.handle, tag.suffix);
    Some(match full.strip_prefix('!') {
        Some("") => Tag::None,
        Some(local) => Tag::Local(Name::from(format!("!{}", escaped(local)))),
        None if full.is_empty() => return None,
        None => Tag::Local(Name::from(format!("!<{}>", escaped(&full)))),
    })
}

/// Escapes the characters that a tag cannot contain.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-#;/?:@&=+$_.~*'()".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

impl Reader {
    /// Returns the local tag of a sequence or mapping. Reports a tag that does not fit.
    pub(super) fn collection_tag(&mut self, tag: Option<&saphyr_parser::Tag>, core: &str, span: Span) -> Option<Name> {
        match of(tag?)? {
            Tag::None => None,
            Tag::Core(found) if found == core => None,
            Tag::Core(found) => {
                let name = Name::from(format!("!!{found}"));
                let known = SCALARS.contains(&found.as_str()) || ["seq", "map"].contains(&found.as_str());
                let what = if known { DataProblem::TagMismatch(name) } else { DataProblem::Tag(name) };
                self.proceed &= self.build.error(what, span);
                None
            }
            Tag::Local(name) => Some(name),
        }
    }

    /// Wraps a value in the enum variant of its tag.
    pub(super) fn tagged(&mut self, node: NodeId, tag: Option<Name>) -> NodeId {
        match tag {
            Some(tag) => {
                let span = self.build.node_span(node);
                self.build.node(Node::Variant(tag, node), span)
            }
            None => node,
        }
    }
}
