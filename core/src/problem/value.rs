//! Problems of evaluation: types, merging, contracts, missing definitions, limits.

use super::datum::Datum;
use crate::meta::Priority;
use crate::stop::StopReason;
use crate::text::{Name, Span};

/// A problem that occurred during evaluation.
#[derive(Clone, PartialEq, Debug)]
pub struct ValueProblem {
    /// The kind of problem.
    pub what: ValueKind,
    /// The field in which it occurred, as a path from the outermost known record.
    pub path: Vec<Name>,
    /// The active calls, innermost first. At most a few are kept.
    pub calls: Vec<Span>,
    /// The references that led to it, innermost first, in a language whose messages list them. At most [`READS`] are kept.
    pub reads: Reads,
    /// The innermost layer of a `+` chain in which it occurred.
    pub layer: Option<Box<Layer>>,
    /// The message in the terms of the program's language, if that differs.
    pub words: Option<Name>,
    /// The origins of the values that the operation does not work on.
    pub origins: Vec<ValueOrigin>,
    /// Whether values that were computed from secrets have been removed, if there were any.
    pub checked: bool,
}

/// The origin of a value in a problem. It holds no value, so it can be about a secret.
#[derive(Clone, PartialEq, Debug)]
pub enum ValueOrigin {
    /// An operand, the kind of its value, and the operator.
    Operand {
        /// The operand.
        span: Span,
        /// The kind of its value.
        kind: Name,
        /// The operator.
        operator: &'static str,
    },
    /// A field that was read, and its definition.
    Field {
        /// The field.
        name: Name,
        /// The definition.
        span: Span,
        /// The number of the layer that defines it, counted from 1 at the lowest, and the number of layers.
        layer: Option<(u32, u32)>,
    },
    /// An object that lacks a field and hides an object below it that has the field.
    Hidden {
        /// The field that holds both objects.
        name: Name,
        /// The definition below.
        span: Span,
        /// The missing field.
        missing: Name,
    },
    /// The function of a call whose arguments do not fit.
    Function {
        /// Its parameters in a program: `(a, b=…)`. The call as it is written if it is a function of a library: `std.split(str, c)`.
        usage: Name,
        /// The span of its parameters; `None` if it is a function of a library.
        span: Option<Span>,
        /// A suggestion.
        help: Option<Name>,
    },
    /// An argument of a kind that the library function does not take.
    Argument {
        /// Its position, from 0, among the parameters.
        place: usize,
        /// The argument, if it is written in the call.
        span: Option<Span>,
        /// The kind of its value.
        found: Name,
        /// The parameter.
        parameter: Name,
        /// The kinds that it takes.
        expected: Vec<Name>,
    },
    /// A value that an operation or a condition failed for: what it is, for example `3`.
    Shown {
        /// The expression.
        span: Span,
        /// The value.
        value: Name,
    },
    /// A condition, or the part of it that decides, which is false.
    False(Span),
    /// A field of an object that is similar to one that it lacks.
    Similar(Name),
    /// A field that no object below has, although `super` reads it.
    Below(Name),
    /// An external variable that the program reads and that has no value.
    External(Name),
    /// A field that the object of a read of `super` has itself.
    Own {
        /// The field.
        name: Name,
        /// Its definition.
        span: Option<Span>,
    },
    /// A field of this name in an object around the one that lacks it.
    Outer {
        /// The field.
        name: Name,
        /// Its definition.
        span: Option<Span>,
        /// Whether the object is the outermost one.
        outermost: bool,
    },
}

/// Maximum number of references that a problem keeps.
pub const READS: usize = 32;

/// The places of references. All are equal: a value that several references lead to fails once.
#[derive(Clone, Debug, Default)]
pub struct Reads(pub Vec<Span>);

impl PartialEq for Reads {
    fn eq(&self, _: &Reads) -> bool {
        true
    }
}

/// A layer of a `+` chain.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    /// The field that the layer defines.
    pub field: Name,
    /// Its number, counted from 1 at the lowest layer.
    pub number: u32,
    /// The number of layers.
    pub count: u32,
    /// The span of its definition of the field.
    pub span: Option<Span>,
}

/// The kind of problem that evaluation has met.
#[derive(Clone, PartialEq, Debug)]
pub enum ValueKind {
    /// An operation was applied to a value of the wrong type.
    Type {
        /// The type that the operation expects.
        expected: Name,
        /// The type of the value.
        found: Name,
        /// The part of the operation that expects it, for example "the left operand of `+`".
        needed_by: Name,
        /// The operand or argument.
        span: Option<Span>,
        /// The operation.
        operation: Option<Span>,
    },
    /// A record or an array is on top of a value that it cannot extend.
    OnTop {
        /// The type of the upper value.
        own: Name,
        /// The type of the lower value.
        below: Name,
        /// The upper definition.
        span: Span,
        /// The lower definition.
        under: Option<Span>,
    },
    /// A value that is not a function was applied.
    NotAFunction {
        /// The type of the value.
        found: Name,
        /// The value.
        span: Option<Span>,
        /// If the value is the result of a function with too many arguments: the function.
        extra: Option<ExtraArguments>,
    },
    /// A record has no field of this name.
    MissingField {
        /// The name.
        name: Name,
        /// The place that reads the field.
        span: Option<Span>,
        /// The record's literal.
        record: Option<Span>,
        /// Similar field names.
        near: Vec<Name>,
        /// All field names, if none is similar and they are few.
        known: Vec<Name>,
    },
    /// A field that is needed is declared but has no value.
    MissingDefinition {
        /// The field.
        name: Name,
        /// The declarations.
        declared: Vec<Span>,
        /// The place that needs the value.
        needed: Option<Span>,
        /// The conditions (`when`) that exclude its definitions, if all are excluded.
        off: Vec<Span>,
        /// The record without the field, if its contract declares the field.
        holder: Option<Span>,
        /// A field of that record that the contract does not have and that was probably meant.
        written: Option<Name>,
    },
    /// Several definitions with the same priority have different values.
    Conflict {
        /// All definitions of the field, including those of lower priority.
        definitions: Vec<ConflictingDefinition>,
        /// The `&` that merged the values, if the conflict is not about a field.
        merged: Option<Span>,
    },
    /// A field has more than one merge function.
    MergeFunctions {
        /// Their spans.
        functions: Vec<Span>,
    },
    /// A merge function is not a function of one argument.
    NotAMergeFunction {
        /// The kind of the value.
        found: Name,
        /// The number of arguments that it needs, if it is a function.
        arguments: Option<usize>,
        /// Its span.
        span: Span,
    },
    /// A value depends on itself.
    Recursion {
        /// The names and places of the cycle. The last one depends on the first.
        cycle: Vec<(Name, Span)>,
    },
    /// The value of an alias inside of its own anchor was to be written: it contains itself.
    ContainsItself {
        /// The alias.
        alias: Span,
        /// The anchored value.
        anchor: Span,
        /// The name of the anchor.
        name: Name,
    },
    /// A guard has another result in the final record than while it decided what that record is.
    Paradox {
        /// The guard.
        guard: Span,
        /// Whether the guard held at first.
        held: bool,
        /// The values that it read and that are others now.
        changed: Vec<Changed>,
        /// The reason why it has no result in the final record; `None` if it has the other result.
        fails: Option<Box<ValueProblem>>,
    },
    /// A contract is violated.
    Contract(Box<ContractViolation>),
    /// A limit was reached.
    Limit {
        /// The limit.
        limit: Limit,
        /// The limit's value.
        allowed: u64,
        /// The expression that was being evaluated.
        span: Option<Span>,
    },
    /// The user interrupted.
    Interrupted,
    /// The program called `std.fail_with` or `error`.
    Failed {
        /// The program's message.
        message: Name,
        /// The call.
        span: Option<Span>,
    },
    /// An operation or library function is not defined for these operands.
    Undefined {
        /// The message, for example "division by zero".
        message: Name,
        /// The operation.
        span: Option<Span>,
        /// Additional notes.
        notes: Vec<Name>,
    },
    /// An external variable that nobody set.
    NoExternal {
        /// Its name.
        name: Name,
        /// The call that reads it.
        span: Option<Span>,
    },
    /// An assignment to an element that a list does not have.
    NoElement {
        /// The index.
        index: usize,
        /// The number of elements.
        count: usize,
        /// The place of the list.
        list: Option<Span>,
        /// The place of the assignment.
        span: Option<Span>,
    },
    /// A graph that a program makes breaks a rule.
    Graph {
        /// The message, for example "the edges form a cycle".
        message: Name,
        /// The statements, with their parts in it.
        places: Vec<(Span, Name)>,
        /// Similar names, and other suggestions.
        help: Vec<Name>,
    },
    /// No arm of a match, or not the pattern of a binding, matches the value.
    NoMatch {
        /// The match or pattern.
        span: Span,
        /// The value.
        value: Box<Datum>,
        /// For the only pattern, that of a `let` or a parameter: the fields in which the record differs from it.
        fields: Option<Box<PatternFields>>,
        /// The value, or the name of its first field that the pattern does not allow.
        place: Option<Span>,
    },
    /// Two values of a kind that cannot be compared.
    Incomparable {
        /// The kind, for example "functions".
        what: Name,
        /// The comparison.
        span: Option<Span>,
    },
    /// A part that could not be parsed was needed.
    Hole {
        /// The span of the part.
        span: Span,
    },
    /// An unbound name.
    Unbound {
        /// The name.
        name: Name,
        /// Its span.
        span: Span,
    },
}

/// A call with more arguments than its function takes.
#[derive(Clone, PartialEq, Debug)]
pub struct ExtraArguments {
    /// The number of arguments that it takes.
    pub takes: usize,
    /// The number of arguments of the call.
    pub given: usize,
    /// The parameters of the function, if it is a literal.
    pub function: Option<Span>,
}

/// One definition of a field in a conflict.
#[derive(Clone, PartialEq, Debug)]
pub struct ConflictingDefinition {
    /// The span of the definition.
    pub span: Option<Span>,
    /// Its value, as far as needed for a message.
    pub value: Datum,
    /// Its priority.
    pub priority: Priority,
    /// Whether it is one of the conflicting definitions.
    pub ties: bool,
}

/// A contract violation.
#[derive(Clone, PartialEq, Debug)]
pub struct ContractViolation {
    /// The contract, as messages name it: `Number`, `Array String`, `Port`.
    pub contract: Name,
    /// The span of the contract.
    pub contract_span: Option<Span>,
    /// The violated part of the contract, if it is not the whole.
    pub part: Option<Name>,
    /// The party to blame.
    pub blame: Blame,
    /// The contract's message.
    pub message: Option<Name>,
    /// The contract's notes.
    pub notes: Vec<Name>,
    /// Whether the message and the notes contain nothing of the value, which may be secret.
    pub is_without_values: bool,
    /// The type that the contract expects, if it is that simple.
    pub expected: Option<Name>,
    /// The type of the value.
    pub found: Option<Name>,
    /// The origin of the value.
    pub value_span: Option<Span>,
    /// The value, as far as needed for a message.
    pub value: Option<Datum>,
    /// The path inside the value: fields, `[]` for elements, `argument`, `->` for results.
    pub path: Vec<Name>,
    /// The field to which the contract is attached.
    pub field: Option<Name>,
    /// The path from the value that has the contract to the part that violates it: `a.b[0]`. Empty for the whole value.
    pub inside: Name,
    /// The call that violated it.
    pub call_span: Option<Span>,
    /// The function whose contract it is, if the value is an argument or a result of a function with a name.
    pub function: Option<Name>,
    /// The body of the predicate that is false for the value.
    pub predicate: Option<Span>,
    /// Similar names that the contract allows, nearest first.
    pub near: Vec<Name>,
    /// The other violations of the same contract in the value, which the notes list.
    pub others: Vec<OtherViolation>,
}

/// A further violation of a contract, in another part of the value.
#[derive(Clone, PartialEq, Debug)]
pub struct OtherViolation {
    /// The contract's message.
    pub message: Name,
    /// The span of the contract.
    pub contract_span: Option<Span>,
    /// The place of the part.
    pub value_span: Option<Span>,
    /// The part, as far as needed for a message.
    pub value: Option<Datum>,
    /// The path to the part: `a.b[0]`.
    pub inside: Name,
}

impl ContractViolation {
    /// Returns this violation with only its own notes, and the other ones as violations of their own.
    pub fn apart(&self) -> (ContractViolation, Vec<ContractViolation>) {
        let is_of_other = |note: &Name| note.starts_with("also: ");
        let notes = self.notes.iter().filter(|note| !is_of_other(note)).cloned().collect();
        let first = ContractViolation { notes, others: Vec::new(), ..self.clone() };
        let own = |other: &OtherViolation| ContractViolation {
            message: Some(other.message.clone()),
            contract_span: other.contract_span,
            value_span: other.value_span,
            value: other.value.clone(),
            inside: other.inside.clone(),
            notes: Vec::new(),
            ..first.clone()
        };
        let others = self.others.iter().map(own).collect();
        (first, others)
    }
}

/// The party that a contract violation blames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blame {
    /// The value to which the contract is attached.
    Value,
    /// The caller of the function to which the contract is attached.
    Caller,
}

/// A limit on evaluation. Settings can change all but the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// The nesting depth of evaluation.
    Depth,
    /// The number of evaluation steps.
    Steps,
    /// The number of elements, fields and characters created by one evaluation.
    Memory,
    /// The memory available to the process, in an evaluation. The allowed value is the number of bytes left.
    Room,
    /// The same in other work: reading, inference, printing.
    Process,
}

impl ValueProblem {
    /// Creates the problem of work that was stopped at a place.
    pub(crate) fn stopped(reason: StopReason, span: Option<Span>) -> ValueProblem {
        ValueProblem::new(match reason {
            StopReason::Interrupt => ValueKind::Interrupted,
            StopReason::Memory(allowed) => ValueKind::Limit { limit: Limit::Process, allowed, span },
        })
    }

    /// Creates a problem without path and calls.
    pub fn new(what: ValueKind) -> ValueProblem {
        ValueProblem {
            what,
            path: Vec::new(),
            calls: Vec::new(),
            reads: Reads::default(),
            layer: None,
            words: None,
            origins: Vec::new(),
            checked: false,
        }
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match &self.what {
            ValueKind::Type { .. } | ValueKind::OnTop { .. } => "value/type",
            ValueKind::NotAFunction { .. } => "value/not-a-function",
            ValueKind::MissingField { .. } => "value/missing-field",
            ValueKind::MissingDefinition { .. } => "value/missing-definition",
            ValueKind::Conflict { .. } => "value/merge-conflict",
            ValueKind::MergeFunctions { .. } => "value/merge-functions",
            ValueKind::NotAMergeFunction { .. } => "value/merge-function",
            ValueKind::Recursion { .. } => "value/infinite-recursion",
            ValueKind::ContainsItself { .. } => "data/self-alias",
            ValueKind::Paradox { .. } => "value/paradox",
            ValueKind::Contract(_) => "value/contract",
            ValueKind::Limit { .. } => "value/limit",
            ValueKind::Interrupted => "value/interrupted",
            ValueKind::Failed { .. } => "value/failed",
            ValueKind::Undefined { .. } | ValueKind::NoExternal { .. } | ValueKind::NoElement { .. } => {
                "value/undefined"
            }
            ValueKind::Graph { .. } => "value/graph",
            ValueKind::NoMatch { .. } => "value/no-match",
            ValueKind::Incomparable { .. } => "value/incomparable",
            ValueKind::Hole { .. } => "value/hole",
            ValueKind::Unbound { .. } => "value/unbound",
        }
    }

    /// The primary span.
    pub fn span(&self) -> Option<Span> {
        let own = match &self.what {
            ValueKind::Type { span, operation, .. } => span.or(*operation),
            ValueKind::NotAFunction { span, .. }
            | ValueKind::MissingField { span, .. }
            | ValueKind::Limit { span, .. }
            | ValueKind::Failed { span, .. }
            | ValueKind::Undefined { span, .. }
            | ValueKind::NoExternal { span, .. }
            | ValueKind::Incomparable { span, .. } => *span,
            ValueKind::MissingDefinition { declared, needed, off, .. } => {
                declared.first().or(off.first()).copied().or(*needed)
            }
            ValueKind::Conflict { definitions, merged } => {
                definitions.iter().find(|d| d.ties).and_then(|d| d.span).or(*merged)
            }
            ValueKind::MergeFunctions { functions } => functions.first().copied(),
            ValueKind::ContainsItself { alias, .. } => Some(*alias),
            ValueKind::Recursion { cycle } => cycle.first().map(|(_, span)| *span),
            ValueKind::Contract(b) => b.value_span.or(b.contract_span),
            ValueKind::Interrupted => None,
            ValueKind::NoElement { span, .. } => *span,
            ValueKind::Graph { places, .. } => places.first().map(|(span, _)| *span),
            ValueKind::Paradox { guard, .. } => Some(*guard),
            ValueKind::NotAMergeFunction { span, .. } | ValueKind::OnTop { span, .. } => Some(*span),
            ValueKind::NoMatch { span, .. } | ValueKind::Hole { span } | ValueKind::Unbound { span, .. } => Some(*span),
        };
        own.or_else(|| self.calls.first().copied())
    }
}

/// The fields in which a record differs from the pattern that it must match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PatternFields {
    /// The names of the pattern.
    pub wanted: Vec<Name>,
    /// Fields that the record does not have.
    pub missing: Vec<Name>,
    /// Fields that the pattern does not allow.
    pub further: Vec<Name>,
}

/// A value that changed after a guard had read it.
#[derive(Clone, PartialEq, Debug)]
pub struct Changed {
    /// The field.
    pub name: Name,
    /// The value that the guard read, and its definition.
    pub was: (Datum, Option<Span>),
    /// The value in the final record, and its definition.
    pub now: (Datum, Option<Span>),
    /// The guards of the definition that counted and of the one that counts now, as far as they are other guards.
    pub under: [Option<Span>; 2],
}
