//! The completion context at the cursor.

use crate::term::{NodeId, Term};
use crate::text::Name;
use std::ops::Range;
use std::sync::Arc;

/// The kind of completion that is possible at the cursor.
#[derive(Clone, Debug)]
pub enum CursorContext {
    /// A field of an expression. Holds the program around the expression, and the node of the expression in it.
    Field {
        /// The definition or expression around the cursor, with a hole at the cursor.
        term: Arc<Term>,
        /// The expression before the dot.
        of: NodeId,
    },
    /// A name.
    Name {
        /// The names that are bound around the cursor, sorted, without the names of the session.
        bound: Vec<Name>,
    },
    /// A whole annotation: the name of a contract, or a metadata keyword.
    Annotation {
        /// The bound names, as in [`CursorContext::Name`].
        bound: Vec<Name>,
    },
    /// The name of a field that is being defined: bound names are not suggested.
    FieldName {
        /// The object that this one extends (`e {` in jsonnet), whose fields it may override. The pair is as in
        /// [`CursorContext::Field`].
        base: Option<(Arc<Term>, NodeId)>,
    },
    /// An enum tag.
    Tag,
    /// The path of a file.
    Path,
    /// One of these words, which the language knows.
    Words(Vec<Word>),
    /// No completion: the cursor is in a string, a comment or a number.
    Nothing,
}

/// A word that can follow at the cursor.
#[derive(Clone, Debug)]
pub struct Word {
    /// The text that it inserts.
    pub text: String,
    /// Its kind: `field`, `name`, `keyword`.
    pub kind: &'static str,
    /// Its type or value.
    pub ty: Option<String>,
    /// Its documentation.
    pub doc: Option<String>,
}

/// The completion context at the cursor.
#[derive(Clone, Debug)]
pub struct Cursor {
    /// The bytes that a completion replaces.
    pub replace: Range<usize>,
    /// The text from the beginning of the range to the cursor.
    pub partial: String,
    /// The kind of completion.
    pub at: CursorContext,
}
