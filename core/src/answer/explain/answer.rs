//! An explanation as plain data.

use crate::answer::shared::path::Path;
use crate::dialect::Dialect;
use crate::meta::{Priority, Visibility};
use crate::problem::Problem;
use crate::text::{Name, Span};
use crate::value::datum::Datum;
use crate::value::provenance::{self, Because, FoldKind, Outcome, Verdict};

/// The definitions that the value at a path comes from.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The path that this is about.
    pub path: Path,
    /// Number of steps of the path that are a name of the session and not a field.
    pub named: usize,
    /// The path that was asked for, where an outer field of it has no value to look into.
    pub asked: Option<Path>,
    /// The value, as far as it is shown; `None`: there is none.
    pub value: Option<Datum>,
    /// Why there is none.
    pub fault: Option<Problem>,
    /// Why the path that was asked for leads no further.
    pub beyond: Option<Problem>,
    /// The inferred type.
    pub ty: Option<String>,
    /// The priority of the value.
    pub priority: Priority,
    /// The outcome of the definitions.
    pub verdict: Verdict,
    /// Whether they are layers of jsonnet's `+`.
    pub chain: bool,
    /// The flags of the field after the merge.
    pub flags: provenance::Flags,
    /// Whether a definition that is merged over it counts by its own priority.
    pub open: bool,
    /// The language of the definition that counts.
    pub language: Dialect,
    /// Whether what counts is written out, and reads nothing.
    pub literal: bool,
    /// The definitions, in the order of the merge.
    pub definitions: Vec<Defined>,
    /// Number of definitions that are not listed.
    pub more: usize,
    /// The contracts.
    pub checks: Vec<Checked>,
    /// The function or `+:` that combined them.
    pub fold: Option<Folded>,
    /// The origins of the elements of an array.
    pub elements: Vec<Element>,
    /// The fields that read this field and are recomputed because its value changed.
    pub recomputed: Vec<Recomputed>,
    /// The fields that the value is made from, below each those that it is made from in turn: each once, the way down to
    /// where something is written out.
    pub depends_on: Vec<Read>,
    /// The edits that settle a conflict or a missing definition.
    pub fixes: Vec<Settled>,
    /// Of a record: where the values of its fields come from.
    pub fields: Vec<Part>,
    /// Number of fields that are not listed.
    pub more_fields: usize,
}

/// A field that the value is made from.
#[derive(Clone, Debug)]
pub struct Read {
    /// The field.
    pub path: Path,
    /// How far down it stands: 0 is read by the value itself.
    pub depth: usize,
    /// Its value; a secret one is masked.
    pub value: Option<Datum>,
    /// The place of the definition that counts.
    pub place: Option<Place>,
    /// The priority of that definition.
    pub priority: Priority,
    /// Number of definitions that have a part in the value.
    pub parts: usize,
    /// Number of definitions that lost.
    pub lost: usize,
}

/// A place in a source.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The name of the source.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in code points, from 1.
    pub column: u32,
    /// The text there, on one line.
    pub text: String,
    /// The place itself.
    pub span: Span,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A definition.
#[derive(Clone, Debug)]
pub struct Defined {
    /// The place of its value, or of its name if it has no value.
    pub place: Option<Place>,
    /// The whole definition as written, on one line.
    pub text: String,
    /// The field it defines, where that is not the one that was asked for: an outer one.
    pub of: Option<Path>,
    /// Its priority as it counts.
    pub priority: Priority,
    /// Whether the priority was pushed to it by a `rec`.
    pub pushed: bool,
    /// Its own value.
    pub value: Option<Datum>,
    /// Its outcome.
    pub outcome: Outcome,
    /// Why.
    pub because: Because,
    /// Of a definition that lost with an outer field: that field, and where the definition of it stands.
    pub parent: Option<(Path, Option<Place>)>,
    /// The operator that brought it.
    pub join: Option<Joined>,
    /// The record contract that brought it.
    pub brought: Option<Via>,
    /// Its condition.
    pub guard: Option<Place>,
    /// Jsonnet's visibility.
    pub visibility: Visibility,
    /// `+:`
    pub plus: bool,
    /// Its layer of a `+` chain, from 1.
    pub layer: Option<u32>,
}

/// An operator that merged.
#[derive(Clone, Debug)]
pub struct Joined {
    /// The place of the operator.
    pub place: Place,
    /// Its operands, shortened: `base & prod`.
    pub text: String,
}

/// A contract that brought something.
#[derive(Clone, Debug)]
pub struct Via {
    /// The field it stands on.
    pub field: Option<Name>,
    /// Its name.
    pub contract: Name,
    /// Its place.
    pub place: Option<Place>,
}

/// A contract.
#[derive(Clone, Debug)]
pub struct Checked {
    /// As written.
    pub text: String,
    /// Where.
    pub place: Place,
    /// The outer field it stands on, where it is not on the one that was asked for.
    pub of: Option<Path>,
    /// The definition or merge that brought it.
    pub via: Option<Via>,
    /// The definition it was written on, by its number.
    pub definition: Option<usize>,
    /// Whether it holds; `None`: that is not known.
    pub holds: Option<bool>,
    /// Why not.
    pub fault: Option<Problem>,
    /// `: T`: of its own definition alone.
    pub own: bool,
    /// Jsonnet's `assert`.
    pub assert: bool,
}

/// A function or an operator that combined definitions.
#[derive(Clone, Debug)]
pub struct Folded {
    /// By what.
    pub kind: FoldKind,
    /// The place of the function, or of `+:`.
    pub place: Place,
    /// The place where it is named, with the text: `merge f`.
    pub named: Place,
    /// Its steps.
    pub steps: Vec<FoldStep>,
}

/// A step of a combination.
#[derive(Clone, Debug)]
pub struct FoldStep {
    /// The lower value.
    pub lower: Datum,
    /// The higher value.
    pub higher: Datum,
    /// Whether both are of one priority.
    pub same: bool,
    /// The priority of what came.
    pub priority: Priority,
    /// The result.
    pub result: Datum,
}

/// The origin of an element.
#[derive(Clone, Debug)]
pub struct Element {
    /// Its number.
    pub index: usize,
    /// The definition it came from, by its number.
    pub definition: Option<usize>,
    /// Its place. `None` if the function made it.
    pub place: Option<Place>,
}

/// A field that is recomputed.
#[derive(Clone, Debug)]
pub struct Recomputed {
    /// The field.
    pub path: Path,
    /// Its value in the layer that defines it.
    pub was: Option<Datum>,
    /// Its value now.
    pub now: Option<Datum>,
}

/// An edit, and what comes of it.
#[derive(Clone, Debug)]
pub struct Settled {
    /// Where.
    pub place: Option<Place>,
    /// The text to write.
    pub edit: String,
    /// The value after the edit.
    pub result: Datum,
}

/// A field of a record that is explained.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its name.
    pub name: Name,
    /// Its value.
    pub value: Option<Datum>,
    /// The definition that counts.
    pub place: Option<Place>,
    /// The outcome of that.
    pub outcome: Option<Outcome>,
    /// Number of other definitions that lost.
    pub lost: usize,
}
