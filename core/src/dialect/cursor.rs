//! What stands at the cursor, for completion.

use crate::term::{NodeId, Term};
use crate::text::Name;
use std::ops::Range;
use std::sync::Arc;

/// What can go on at the cursor.
#[derive(Clone, Debug)]
pub enum At {
    /// A field of an expression: the program around it and the expression's node in it.
    Field {
        /// The definition or expression that the cursor stands in, with a hole at the cursor.
        term: Arc<Term>,
        /// What stands before the dot.
        of: NodeId,
    },
    /// A name.
    Name {
        /// The names bound around the cursor, sorted; those of the session are not among them.
        bound: Vec<Name>,
    },
    /// A whole annotation: a name of a contract, or a word of metadata.
    Annotation {
        /// As for [`At::Name`].
        bound: Vec<Name>,
    },
    /// The name of a field being defined: nothing bound is wanted.
    FieldName {
        /// What the object goes on with (`e {` in jsonnet), whose fields it may override: as for [`At::Field`].
        base: Option<(Arc<Term>, NodeId)>,
    },
    /// An enum tag.
    Tag,
    /// The path of a file.
    Path,
    /// Nothing: in a string, a comment, a number.
    Nothing,
}

/// What stands at the cursor.
#[derive(Clone, Debug)]
pub struct Cursor {
    /// The bytes that a completion replaces.
    pub replace: Range<usize>,
    /// What stands there up to the cursor.
    pub partial: String,
    /// What can go on.
    pub at: At,
}
