//! An explanation as plain data.

use crate::dialect::Dialect;
use crate::meta::{Priority, Visibility};
use crate::problem::Problem;
use crate::text::path::FieldPath;
use crate::text::{Name, Span};
use crate::value::datum::Datum;
use crate::value::provenance::{self, DefinitionOutcome, FoldKind, MergeOutcome, OutcomeReason};

/// The definitions that determine the value at a path.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The path that this explains.
    pub path: FieldPath,
    /// Number of leading steps of the path that name a definition of the session instead of a field.
    pub name_steps: usize,
    /// Whether the path begins with a name of the session.
    pub in_session: bool,
    /// The path of the question, if it continues below a field that has no value.
    pub requested_path: Option<FieldPath>,
    /// The value, cut to the size limits. `None` if it is missing.
    pub value: Option<Datum>,
    /// The reason why the value is missing.
    pub fault: Option<Problem>,
    /// The reason why the path of the question leads no further.
    pub path_error: Option<Problem>,
    /// The inferred type.
    pub ty: Option<String>,
    /// The priority of the value.
    pub priority: Priority,
    /// The outcome of the merge.
    pub verdict: MergeOutcome,
    /// Whether the definitions are objects combined by `+`.
    pub chain: bool,
    /// The flags of the field after the merge.
    pub flags: provenance::Flags,
    /// Whether the priority of a definition merged over it decides which one wins.
    pub open: bool,
    /// The language of the winning definition.
    pub language: Dialect,
    /// Whether the winning definition is a literal that reads nothing.
    pub literal: bool,
    /// The definitions, in the order of the merge.
    pub definitions: Vec<DefinitionRow>,
    /// Number of further definitions that are not listed.
    pub more: usize,
    /// The contracts.
    pub checks: Vec<ContractCheck>,
    /// The merge function or `+:` that combined the definitions.
    pub fold: Option<Folded>,
    /// The origins of the elements of an array.
    pub elements: Vec<Element>,
    /// The anchor of a data file that contains the winning definition, as `&name`, and the number of its aliases.
    pub anchor: Option<(Name, usize)>,
    /// The fields that read this field and are recomputed because its value changed.
    pub recomputed: Vec<Recomputed>,
    /// The fields that the value is computed from, depth first, each once, down to literals.
    pub depends_on: Vec<Read>,
    /// The name of the part of a resource that this explains: `file[/tmp/x].content`.
    pub title: Option<String>,
    /// The class, includes and imports that a resource comes through, from its definition outwards.
    pub through: Vec<Place>,
    /// The edits that fix a conflict or a missing definition.
    pub fixes: Vec<Settled>,
    /// For a record, the origins of its fields.
    pub fields: Vec<Part>,
    /// Number of fields that are not listed.
    pub more_fields: usize,
}

/// A field that the value is computed from.
#[derive(Clone, Debug)]
pub struct Read {
    /// The field.
    pub path: FieldPath,
    /// Its depth: 0 if the value itself reads it.
    pub depth: usize,
    /// Its value. A secret value is masked.
    pub value: Option<Datum>,
    /// The place of the winning definition.
    pub place: Option<Place>,
    /// The priority of that definition.
    pub priority: Priority,
    /// Whether several definitions are combined.
    pub combined: bool,
    /// The places of the definitions that are in conflict with that one.
    pub ties: Vec<Place>,
    /// The places of the lower definitions that are read by `super`.
    pub below: Vec<Place>,
    /// Number of definitions that lost.
    pub lost: usize,
}

/// A place in a source, with its text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The name of the source.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, in code points, from 1.
    pub column: u32,
    /// The text there, on one line.
    pub text: String,
    /// The place itself.
    pub span: Span,
}

impl Place {
    /// Returns `true` for an option of the command line, whose text is in the name of the source: `--set a.b=1`.
    pub fn is_option(&self) -> bool {
        self.file.starts_with("--")
    }

    /// Returns the place as something to edit. A text in a command has no place that could be opened.
    pub(super) fn editable(&self) -> String {
        if self.file.starts_with(':') { String::from("the command") } else { self.to_string() }
    }

    /// Returns `true` for a rule for lists, which gives no value.
    pub fn is_rule(&self) -> bool {
        self.file.starts_with("--list")
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.is_option() {
            true => f.write_str(&self.file),
            false => write!(f, "{}:{}:{}", self.file, self.line, self.column),
        }
    }
}

/// A definition.
#[derive(Clone, Debug)]
pub struct DefinitionRow {
    /// The place of its value, or of its name if it has no value.
    pub place: Option<Place>,
    /// The whole definition as written, on one line.
    pub text: String,
    /// The outer field that it defines, if it does not define the field of the question directly.
    pub ancestor: Option<FieldPath>,
    /// Its effective priority.
    pub priority: Priority,
    /// Whether the priority comes from a `rec` on an outer record.
    pub pushed: bool,
    /// Its own value.
    pub value: Option<Datum>,
    /// Its outcome.
    pub outcome: DefinitionOutcome,
    /// The reason for the outcome.
    pub because: OutcomeReason,
    /// For a definition that lost with an outer field: that field, and the place of its definition.
    pub parent: Option<(FieldPath, Option<Place>)>,
    /// The operator that merged it.
    pub join: Option<JoinOperator>,
    /// Its condition.
    pub guard: Option<Place>,
    /// The visibility of an object's field.
    pub visibility: Visibility,
    /// Its layer of a `+` chain, from 1.
    pub layer: Option<u32>,
}

/// An operator of a merge.
#[derive(Clone, Debug)]
pub struct JoinOperator {
    /// The place of the operator.
    pub place: Place,
    /// Its operands, shortened: `base & prod`.
    pub text: String,
}

/// A contract that added a definition or a check.
#[derive(Clone, Debug)]
pub struct Via {
    /// The field that the contract is on.
    pub field: Option<Name>,
    /// Its name.
    pub contract: Name,
    /// Its place.
    pub place: Option<Place>,
}

/// A contract, and whether the value meets it.
#[derive(Clone, Debug)]
pub struct ContractCheck {
    /// The contract as written.
    pub text: String,
    /// The place of the contract.
    pub place: Place,
    /// The outer field that it is on, if it is not on the field of the question.
    pub ancestor: Option<FieldPath>,
    /// The definition or merge that added it.
    pub via: Option<Via>,
    /// The index of the definition that it was written on.
    pub definition: Option<usize>,
    /// Whether it holds. `None` if that is unknown.
    pub holds: Option<bool>,
    /// The reason why it fails.
    pub fault: Option<Problem>,
    /// Whether it is a type annotation `: T`, which checks only the definition that it is written on.
    pub own: bool,
    /// Whether it is an `assert` of an object.
    pub assert: bool,
}

/// A function or an operator that combined definitions.
#[derive(Clone, Debug)]
pub struct Folded {
    /// The kind of function or operator.
    pub kind: FoldKind,
    /// The place of the function, or of `+:`.
    pub place: Place,
    /// The place where it is used, with the text: `merge f`.
    pub call_place: Place,
    /// Its last steps.
    pub steps: Vec<FoldStep>,
    /// The number of steps before these.
    pub earlier: usize,
    /// Whether there is no function: single elements of a list are set, as by `--set a[0]=1`.
    pub sets_elements: bool,
}

/// A step of a combination.
#[derive(Clone, Debug)]
pub struct FoldStep {
    /// The lower value.
    pub lower: Datum,
    /// The higher value.
    pub higher: Datum,
    /// Whether both have the same priority.
    pub same: bool,
    /// The result.
    pub result: Datum,
}

/// The origin of an element.
#[derive(Clone, Debug)]
pub struct Element {
    /// Its index in the array.
    pub index: usize,
    /// The index of the definition that it came from.
    pub definition: Option<usize>,
    /// Its place. `None` if the function made it.
    pub place: Option<Place>,
    /// The places of the further elements that a function merged into it.
    pub also: Vec<Place>,
}

/// A field that is recomputed.
#[derive(Clone, Debug)]
pub struct Recomputed {
    /// The field.
    pub path: FieldPath,
    /// The value that it would have without the winning definition, or before a change that is tried. `None` if it had none.
    pub was: Option<Datum>,
    /// Its value now.
    pub now: Option<Datum>,
}

/// An edit and its result.
#[derive(Clone, Debug)]
pub struct Settled {
    /// The place of the edit.
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
    /// The place of the winning definition.
    pub place: Option<Place>,
    /// The outcome of that definition.
    pub outcome: Option<DefinitionOutcome>,
    /// Number of other definitions that lost.
    pub lost: usize,
}
