//! What an explanation says, as plain data.

use crate::answer::shared::path::Path;
use crate::dialect::Dialect;
use crate::meta::{Priority, Visibility};
use crate::problem::Problem;
use crate::text::{Name, Span};
use crate::value::datum::Datum;
use crate::value::provenance::{self, Because, FoldKind, Outcome, Verdict};

/// Where the value at a path comes from.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The path that this is about.
    pub path: Path,
    /// How many steps of the path are a name of the session, and no field.
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
    /// What came of the definitions.
    pub verdict: Verdict,
    /// Whether they are layers of jsonnet's `+`.
    pub chain: bool,
    /// What their metadata makes of the field.
    pub flags: provenance::Flags,
    /// Whether a definition that is merged over it counts by its own priority.
    pub open: bool,
    /// The language of the definition that counts.
    pub language: Dialect,
    /// Whether what counts is written out, and reads nothing.
    pub literal: bool,
    /// The definitions, in the order of the merge.
    pub definitions: Vec<Defined>,
    /// How many more there are.
    pub more: usize,
    /// The contracts.
    pub checks: Vec<Checked>,
    /// The function or `+:` that combined them.
    pub fold: Option<Folded>,
    /// Where the elements of an array came from.
    pub elements: Vec<Element>,
    /// What reads the field and is recomputed because its value changed.
    pub recomputed: Vec<Recomputed>,
    /// The fields that the value is made from, below each those that it is made from in turn: each once, the way down to
    /// where something is written out.
    pub depends_on: Vec<Read>,
    /// The edits that settle a conflict or a missing definition.
    pub fixes: Vec<Settled>,
    /// Of a record: where the values of its fields come from.
    pub fields: Vec<Part>,
    /// How many more fields it has.
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
    /// Where the definition stands that counts.
    pub place: Option<Place>,
    /// The priority of that definition.
    pub priority: Priority,
    /// How many definitions have a part in the value.
    pub parts: usize,
    /// How many lost.
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
    /// What is written there, on one line.
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
    /// Where its value is written, or its name where it has none.
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
    /// What became of it.
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
    /// Where the operator stands.
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
    /// Where it is written.
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
    /// What brought it.
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

/// What combined definitions.
#[derive(Clone, Debug)]
pub struct Folded {
    /// By what.
    pub kind: FoldKind,
    /// Where the function itself is written, or `+:`.
    pub place: Place,
    /// Where it is named, and how: `merge f`.
    pub named: Place,
    /// Its steps.
    pub steps: Vec<FoldStep>,
}

/// A step of a combination.
#[derive(Clone, Debug)]
pub struct FoldStep {
    /// What was there.
    pub lower: Datum,
    /// What came.
    pub higher: Datum,
    /// Whether both are of one priority.
    pub same: bool,
    /// The priority of what came.
    pub priority: Priority,
    /// What came of it.
    pub result: Datum,
}

/// Where an element came from.
#[derive(Clone, Debug)]
pub struct Element {
    /// Its number.
    pub index: usize,
    /// The definition it came from, by its number.
    pub definition: Option<usize>,
    /// Where it is written; `None`: the function made it.
    pub place: Option<Place>,
}

/// A field that is recomputed.
#[derive(Clone, Debug)]
pub struct Recomputed {
    /// The field.
    pub path: Path,
    /// What it was.
    pub was: Option<Datum>,
    /// What it is.
    pub now: Option<Datum>,
}

/// An edit, and what comes of it.
#[derive(Clone, Debug)]
pub struct Settled {
    /// Where.
    pub place: Option<Place>,
    /// What to write.
    pub edit: String,
    /// What the value is then.
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
    /// How many others lost.
    pub lost: usize,
}
