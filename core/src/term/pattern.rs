//! Patterns.

use super::{Annot, NodeId, PatId};
use crate::text::{Name, Span};

/// A pattern and its span.
#[derive(Clone, Debug)]
pub struct Pat {
    /// Its form.
    pub kind: PatKind,
    /// Its span.
    pub span: Span,
}

/// The form of a pattern. Slots are those of the frame that the construct around it opens.
#[derive(Clone, Debug)]
pub enum PatKind {
    /// `_`, or a pattern that did not parse.
    Any,
    /// `x`
    Bind(u32),
    /// `x @ p`
    As(u32, PatId),
    /// A literal. The node is a `Null`, `Bool`, `Number` or `Str`.
    Const(NodeId),
    /// `'Tag`
    Tag(Name),
    /// `'Tag p`
    Variant(Name, PatId),
    /// `{ a, b = p, ..rest }`
    Record(Vec<FieldPat>, Rest),
    /// `[ p, q, ..rest ]`
    Array(Vec<PatId>, Rest),
    /// `p or q`: both bind the same slots.
    Or(Vec<PatId>),
}

/// One field of a record pattern.
#[derive(Clone, Debug)]
pub struct FieldPat {
    /// The field.
    pub name: Name,
    /// The span of its name.
    pub span: Span,
    /// The pattern of its value.
    pub pat: PatId,
    /// Its types and contracts.
    pub annots: Vec<Annot>,
    /// `? e`: the expression of the value if the field is missing, inside the frame.
    pub default: Option<NodeId>,
}

/// The end of a record or array pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// There may be nothing else.
    Closed,
    /// `..`
    Open,
    /// `..x`
    Bind(u32),
}
