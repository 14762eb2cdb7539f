//! The metadata of one definition, as written. Most definitions have none, and then take only one word for it.

use super::{Annot, NodeId};
use crate::meta::{Priority, Push, Ranked, Visibility};
use crate::text::{Name, Span};
use std::ops::Deref;

/// Metadata as written at one definition. Every `NodeId` in it is inside the record's frame.
#[derive(Clone, Debug)]
pub struct FieldMeta {
    /// `: T` and `| C`, in the order they were written.
    pub annots: Vec<Annot>,
    /// `| doc "…"`
    pub doc: Option<(Name, Span)>,
    /// `| default`, `| priority 3`, `| force`
    pub priority: Ranked,
    /// `| default rec`, `| force rec`
    pub push: Option<Push>,
    /// `| optional`
    pub optional: bool,
    /// `| not_exported`
    pub not_exported: bool,
    /// `| secret`
    pub secret: bool,
    /// `| merge f`
    pub merge: Option<NodeId>,
    /// `| when (cond)`
    pub guard: Option<NodeId>,
    /// The result of the guard, if the text of the program decides it.
    pub decided: Option<bool>,
    /// The place of the first guard of the same `if` or `select`, of whose guards at most one holds.
    pub alternatives: Option<Span>,
    /// The visibility of an object's field.
    pub visibility: Visibility,
}

impl FieldMeta {
    /// No metadata.
    pub const NONE: FieldMeta = FieldMeta {
        annots: Vec::new(),
        doc: None,
        priority: Ranked { priority: Priority::Normal, span: None },
        push: None,
        optional: false,
        not_exported: false,
        secret: false,
        merge: None,
        guard: None,
        decided: None,
        alternatives: None,
        visibility: Visibility::Inherit,
    };

    /// Whether there is no metadata.
    pub fn is_none(&self) -> bool {
        let FieldMeta {
            annots,
            doc,
            priority,
            push,
            optional,
            not_exported,
            secret,
            merge,
            guard,
            decided,
            alternatives,
            visibility,
        } = self;
        let flags = *optional || *not_exported || *secret;
        let ranked = priority.priority != Priority::Normal || priority.span.is_some();
        let nodes = merge.is_some() || guard.is_some() || decided.is_some() || alternatives.is_some();
        let shown = *visibility != Visibility::Inherit;
        annots.is_empty() && doc.is_none() && push.is_none() && !(flags || ranked || nodes || shown)
    }
}

impl Default for FieldMeta {
    fn default() -> Self {
        FieldMeta::NONE
    }
}

static NONE: FieldMeta = FieldMeta::NONE;

/// A definition's [`FieldMeta`], to which it derefs. Takes one word if there is no metadata.
#[derive(Clone, Debug, Default)]
pub struct Meta(Option<Box<FieldMeta>>);

impl From<FieldMeta> for Meta {
    fn from(meta: FieldMeta) -> Meta {
        Meta((!meta.is_none()).then(|| Box::new(meta)))
    }
}

impl Deref for Meta {
    type Target = FieldMeta;
    fn deref(&self) -> &FieldMeta {
        self.0.as_deref().unwrap_or(&NONE)
    }
}
