//! Problems of evaluation: merging, contracts, missing definitions, limits.

use super::datum::Datum;
use crate::meta::Priority;
use crate::text::{Name, Span};

/// A problem that evaluation met.
#[derive(Clone, PartialEq, Debug)]
pub struct Value {
    /// What it is.
    pub what: ValueKind,
    /// The field it was met in, from the outermost known record inwards.
    pub path: Vec<Name>,
    /// The calls under way, the innermost first; cut off beyond a few.
    pub calls: Vec<Span>,
    /// The layer of a `+` chain that it was met in, the innermost.
    pub layer: Option<Box<Layer>>,
    /// The message in the words of the program's own language, where that has its own.
    pub words: Option<Name>,
}

/// A layer of a `+` chain.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    /// The field that the layer defines.
    pub field: Name,
    /// Its number from the lowest layer up, from 1.
    pub number: u32,
    /// How many layers there are.
    pub count: u32,
    /// Where it defines the field.
    pub span: Option<Span>,
}

/// What went wrong in evaluation.
#[derive(Clone, PartialEq, Debug)]
pub enum ValueKind {
    /// An operation got a value of another type than it works on.
    Type {
        /// The type that was needed.
        expected: Name,
        /// The type that came.
        found: Name,
        /// What needed it: "the left operand of `+`".
        needed_by: Name,
        /// The operand or argument.
        span: Option<Span>,
        /// The operation.
        operation: Option<Span>,
    },
    /// A value that is not a function was applied.
    NotAFunction {
        /// The type that came.
        found: Name,
        /// What was applied.
        span: Option<Span>,
        /// Whether it is the result of a function that was given more arguments than it takes.
        extra: bool,
    },
    /// A record has no field of this name.
    MissingField {
        /// The name.
        name: Name,
        /// Where it was asked for.
        span: Option<Span>,
        /// The record's literal.
        record: Option<Span>,
        /// Fields of near names.
        near: Vec<Name>,
    },
    /// A field is declared and not defined.
    MissingDefinition {
        /// The field.
        name: Name,
        /// Where it is declared.
        declared: Vec<Span>,
        /// Where its value was needed.
        needed: Option<Span>,
        /// The conditions that keep its definitions away, where all are.
        off: Vec<Span>,
    },
    /// Several values of one priority that differ.
    Conflict {
        /// Every definition of the field, those of lower priority too.
        definitions: Vec<Defined>,
        /// Where the operands of `&` were merged, if it was not a field.
        merged: Option<Span>,
    },
    /// A field has more than one merge function.
    MergeFunctions {
        /// Where they stand.
        functions: Vec<Span>,
    },
    /// A value needs itself.
    Recursion {
        /// The names and places that need each other; the first one again follows the last.
        cycle: Vec<(Name, Span)>,
    },
    /// A contract is broken.
    Contract(Box<Broken>),
    /// A limit was reached.
    Limit {
        /// Which.
        limit: Limit,
        /// How much is allowed.
        allowed: u64,
        /// Where.
        span: Option<Span>,
    },
    /// The user interrupted.
    Interrupted,
    /// `std.fail_with`, `error`.
    Failed {
        /// The program's message.
        message: Name,
        /// Where.
        span: Option<Span>,
    },
    /// An operation or library function has no result for these operands.
    Undefined {
        /// What is wrong: "division by zero".
        message: Name,
        /// Where.
        span: Option<Span>,
        /// Further facts.
        notes: Vec<Name>,
    },
    /// No arm of a match, or not the pattern of a binding, fits the value.
    NoMatch {
        /// The match or pattern.
        span: Span,
        /// The value.
        value: Box<Datum>,
    },
    /// Two values cannot be compared.
    Incomparable {
        /// What cannot be compared: "functions".
        what: Name,
        /// Where.
        span: Option<Span>,
    },
    /// A part that did not parse was needed.
    Hole {
        /// Where.
        span: Span,
    },
    /// Nothing binds this name.
    Unbound {
        /// The name.
        name: Name,
        /// Where.
        span: Span,
    },
}

/// One definition of a field, in a report.
#[derive(Clone, PartialEq, Debug)]
pub struct Defined {
    /// Where it stands.
    pub span: Option<Span>,
    /// Its value, as far as a message shows one.
    pub value: Datum,
    /// Its priority.
    pub priority: Priority,
    /// Whether it takes part in the conflict.
    pub ties: bool,
}

/// A broken contract.
#[derive(Clone, PartialEq, Debug)]
pub struct Broken {
    /// The contract, as messages name it: `Number`, `Array String`, `Port`.
    pub contract: Name,
    /// Where the contract is written.
    pub contract_span: Option<Span>,
    /// The part of the contract that is broken, where that is not all of it.
    pub part: Option<Name>,
    /// Who is to blame.
    pub blame: Blame,
    /// The contract's message.
    pub message: Option<Name>,
    /// The contract's notes.
    pub notes: Vec<Name>,
    /// The type the contract asks for, where it is that simple.
    pub expected: Option<Name>,
    /// The type that came.
    pub found: Option<Name>,
    /// Where the value comes from.
    pub value_span: Option<Span>,
    /// The value, as far as a message shows one.
    pub value: Option<Datum>,
    /// Where inside the value: fields, `[]` for elements, `argument`, `->` for results.
    pub path: Vec<Name>,
    /// The field the contract stands on.
    pub field: Option<Name>,
    /// The call that broke it.
    pub call_span: Option<Span>,
}

/// Whom a broken contract blames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blame {
    /// The value the contract stands on.
    Value,
    /// The caller of the function the contract stands on.
    Caller,
}

/// A limit that a setting names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Nested evaluations.
    Depth,
    /// Steps of evaluation.
    Steps,
    /// Elements, fields and characters made by one evaluation.
    Memory,
    /// The memory that the process can have: so many bytes are left of it.
    Room,
}

impl Value {
    /// A problem without a path or calls yet.
    pub fn new(what: ValueKind) -> Value {
        Value { what, path: Vec::new(), calls: Vec::new(), layer: None, words: None }
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match &self.what {
            ValueKind::Type { .. } => "value/type",
            ValueKind::NotAFunction { .. } => "value/not-a-function",
            ValueKind::MissingField { .. } => "value/missing-field",
            ValueKind::MissingDefinition { .. } => "value/missing-definition",
            ValueKind::Conflict { .. } => "value/merge-conflict",
            ValueKind::MergeFunctions { .. } => "value/merge-functions",
            ValueKind::Recursion { .. } => "value/infinite-recursion",
            ValueKind::Contract(_) => "value/contract",
            ValueKind::Limit { .. } => "value/limit",
            ValueKind::Interrupted => "value/interrupted",
            ValueKind::Failed { .. } => "value/failed",
            ValueKind::Undefined { .. } => "value/undefined",
            ValueKind::NoMatch { .. } => "value/no-match",
            ValueKind::Incomparable { .. } => "value/incomparable",
            ValueKind::Hole { .. } => "value/hole",
            ValueKind::Unbound { .. } => "value/unbound",
        }
    }

    /// The place that is shown first.
    pub fn span(&self) -> Option<Span> {
        let own = match &self.what {
            ValueKind::Type { span, operation, .. } => span.or(*operation),
            ValueKind::NotAFunction { span, .. }
            | ValueKind::MissingField { span, .. }
            | ValueKind::Limit { span, .. }
            | ValueKind::Failed { span, .. }
            | ValueKind::Undefined { span, .. }
            | ValueKind::Incomparable { span, .. } => *span,
            ValueKind::MissingDefinition { declared, needed, off, .. } => {
                declared.first().or(off.first()).copied().or(*needed)
            }
            ValueKind::Conflict { definitions, merged } => {
                definitions.iter().find(|d| d.ties).and_then(|d| d.span).or(*merged)
            }
            ValueKind::MergeFunctions { functions } => functions.first().copied(),
            ValueKind::Recursion { cycle } => cycle.first().map(|(_, span)| *span),
            ValueKind::Contract(b) => b.value_span.or(b.contract_span),
            ValueKind::Interrupted => None,
            ValueKind::NoMatch { span, .. } | ValueKind::Hole { span } | ValueKind::Unbound { span, .. } => Some(*span),
        };
        own.or_else(|| self.calls.first().copied())
    }
}
