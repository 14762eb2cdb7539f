//! The reasons why an expression has its type or why its types clash: the parts of a program that determine the answer,
//! and no others.
//!
//! The answer is a slice (`slice.rs`): without any one of its parts the answer changes, and everything outside it can
//! be unknown. Its steps are listed in the order in which types travel (`chain.rs`).

mod annotation;
mod chain;
mod fix;
mod html;
mod json;
#[cfg(test)]
mod least;
mod names;
mod slice;
mod stated;
#[cfg(test)]
mod tests;
pub mod text;

pub use annotation::settling;

use crate::answer::{Answer, Renderer};
use crate::dialect::Dialect;
use crate::problem::report::Report;
use crate::problem::types::{TypeProblem, TypesKind};
use crate::problem::{Problem, ProblemKind, Severity};
use crate::state::{Slice, Workspace};
use crate::styled::{Role, Styled};
use crate::term::{Node, Rules, Term};
use crate::text::{Name, Span};
use crate::ty::{DynReason, Scheme, Ty, TyRef};
use crate::view::html::Html;
use serde_json::Value as Json;
use std::rc::Rc;
use std::sync::Arc;

/// An answer.
#[derive(Clone, Debug)]
pub struct WhyAnswer {
    /// The subject of the question.
    pub subject: WhySubject,
    /// The path to it, as fields from the program's root.
    pub path: Vec<Name>,
    /// The steps that lead to it: first those of the type found, then those of the expected type, each from its origin.
    pub steps: Vec<WhyStep>,
    /// The place where the two types meet, if it is not one of the steps.
    pub meets: Option<WhyStep>,
    /// The smallest edit that fixes it, checked by inference.
    pub fix: Option<Fix>,
    /// The rules of the program's language.
    pub rules: &'static Rules,
    /// Whether every step is known to be necessary. `false` if the search was cut short.
    pub least: bool,
    /// Number of runs of inference.
    pub tries: usize,
}

/// The subject of the question.
#[derive(Clone, Debug)]
pub enum WhySubject {
    /// The reason for this problem.
    Problem(Problem),
    /// The reason for this type.
    Type(Arc<Scheme>),
}

/// A part of a program that determines the answer.
#[derive(Clone, Debug)]
pub struct WhyStep {
    /// The place that is shown.
    pub span: Span,
    /// The expression or type itself.
    pub at: Span,
    /// Whether it includes all of its children.
    pub whole: bool,
    /// Its side of a clash.
    pub side: Side,
    /// Its statement about the type.
    pub statement: Statement,
    /// The fields that contain it, from its program's root.
    pub path: Vec<Name>,
    /// Whether the type originates here. Otherwise the step only passes it on.
    pub source: bool,
}

/// The sides of a clash.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Side {
    /// The type found.
    Found,
    /// The type expected.
    Wanted,
}

/// The statement of a step about a type.
#[derive(Clone, Debug)]
pub enum Statement {
    /// It has a type.
    Is(Arc<Scheme>),
    /// It expects a type.
    Wants(Arc<Scheme>),
    /// A name that refers to a definition elsewhere.
    Names(Name),
    /// A read of a field.
    Reads(Name),
    /// An operator or construct that passes types on, and its name.
    Passes(PassingConstruct),
}

/// A construct that passes types on.
#[derive(Clone, PartialEq, Debug)]
pub enum PassingConstruct {
    /// `a & b`
    Merge,
    /// `a + b` of objects
    Inherit,
    /// A call: the argument that matters, from 1, and the function.
    Call(Option<u32>, Option<Name>),
    /// An operator.
    Operator(&'static str),
    /// `if`
    Condition,
    /// `match`
    Match,
    /// `[ … ]`
    Array,
    /// `e[i]`
    Index,
    /// An import.
    Import(Name),
    /// A comprehension.
    Comprehension,
    /// `super`
    Super,
}

impl WhyAnswer {
    /// Creates an answer that names no parts.
    pub(crate) fn without_steps(subject: WhySubject, rules: &'static Rules) -> WhyAnswer {
        WhyAnswer {
            subject,
            path: Vec::new(),
            steps: Vec::new(),
            meets: None,
            fix: None,
            rules,
            least: false,
            tries: 0,
        }
    }

    /// Returns the answer for a program that is a name of the session, with the name before its path.
    pub fn below(mut self, root: &Node) -> WhyAnswer {
        if let (Node::Global(name), WhySubject::Type(_)) = (root, &self.subject) {
            self.path.insert(0, name.clone());
        }
        self
    }
}

/// An edit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// The range to replace.
    pub span: Span,
    /// The text now.
    pub was: String,
    /// The new text.
    pub now: String,
}

/// Explains a type problem of a program. `None` if the problem is not about types.
pub fn problem(session: &Workspace, root: &Arc<Term>, problem: &Problem) -> Option<WhyAnswer> {
    let ProblemKind::Types(types) = &problem.kind else { return None };
    let hints = hints(types);
    let mut slice = session.slice(root);
    let holds = |slice: &Slice<'_>| slice.typed(0).problems.iter().any(|p| is_same(p, problem));
    if !holds(&slice) {
        return None;
    }
    let effort = slice::slice(&mut slice, &hints, &holds);
    let mut answer = chain::problem(&slice, types);
    answer.fix = fix::fix(session, root, problem, &answer);
    let subject = WhySubject::Problem(problem.clone());
    Some(WhyAnswer { least: effort.least, tries: effort.tries, rules: root.rules, subject, ..answer })
}

/// Explains the type of a program's value, down to its head constructor; a type without fields is explained completely.
pub fn ty(session: &Workspace, root: &Arc<Term>) -> WhyAnswer {
    let mut slice = session.slice(root);
    let scheme = slice.typed(0).scheme.clone();
    let deciding = definitions(&slice);
    let hints: Vec<Span> = unknown(&scheme).into_iter().chain(deciding.iter().flatten().copied()).collect();
    let holds = |slice: &Slice<'_>| {
        is_alike(&slice.typed(0).scheme, &scheme) && (deciding.is_none() || definitions(slice) == deciding)
    };
    let effort = slice::slice(&mut slice, &hints, &holds);
    let mut answer = chain::ty(&slice, &scheme);
    if unknown_because(&scheme).is_some() {
        // a known type is no reason for an unknown one
        answer.steps.retain(|step| !matches!(&step.statement, Statement::Is(ty) if unknown_because(ty).is_none()));
    }
    let subject = WhySubject::Type(scheme);
    WhyAnswer { least: effort.least, tries: effort.tries, rules: slice.rules(), subject, ..answer }
}

/// Returns the definitions that decide the type of a field of a named object whose layers are ordered: the one that wins, and
/// those of the fields that it reads. Another definition of the same type is not the reason. `None` for other programs.
fn definitions(slice: &Slice<'_>) -> Option<Vec<Span>> {
    if !slice.rules().extends() {
        return None;
    }
    let term = slice.term(0)?;
    let (mut node, mut names) = (term.root, Vec::new());
    while let Node::Project(of, name) = term.node(node) {
        names.push(name.clone());
        node = *of;
    }
    let typed = slice.typed(slice.read(0, node)?);
    let mut ty = inner(&typed.scheme.ty);
    let mut found = None;
    for name in names.iter().rev() {
        let Ty::Record(row) = &*ty else { return None };
        let (_, field) = row.fields().find(|(own, _)| *own == name)?;
        let reads = field.inheritance.iter().flat_map(|inheritance| &inheritance.reads);
        found = Some(field.at.into_iter().chain(reads.copied()).collect());
        let next = inner(&field.ty);
        ty = next;
    }
    found
}

/// Returns the problem that prevents a program from having a value, and the program that contains it.
pub fn fault(session: &Workspace, root: &Arc<Term>) -> Option<(Arc<Term>, Problem)> {
    let slice = session.slice(root);
    let own = slice.typed(0);
    let worst = own.problems.iter().filter(|p| matches!(p.kind, ProblemKind::Types(_))).min_by_key(|p| p.severity)?;
    let ProblemKind::Types(types) = &worst.kind else { return None };
    if types.what != TypesKind::Elsewhere {
        return (worst.severity == Severity::Error).then(|| (root.clone(), worst.clone()));
    }
    (0..slice.len()).find_map(|part| {
        let typed = slice.typed(part);
        let found = typed.problems.iter().find(|p| {
            p.span() == worst.span() && matches!(&p.kind, ProblemKind::Types(t) if t.what != TypesKind::Elsewhere)
        })?;
        Some((slice.term(part)?.clone(), found.clone()))
    })
}

/// Returns the places that a problem names.
fn hints(types: &TypeProblem) -> Vec<Span> {
    let mut hints = vec![types.span];
    match &types.what {
        TypesKind::Conflict(c) => {
            hints.extend(c.wanted);
            hints.extend(c.found_by.iter().chain(&c.expected_by).map(|(span, _)| *span));
        }
        TypesKind::MissingField { wanted, .. }
        | TypesKind::ExtraField { wanted, .. }
        | TypesKind::UnknownTag { wanted, .. }
        | TypesKind::Rigid { wanted, .. } => hints.extend(*wanted),
        TypesKind::NotCovered { wanted, .. } | TypesKind::NoMatch { wanted } => hints.push(*wanted),
        TypesKind::Mixed { first, .. } => hints.push(first.1),
        TypesKind::ChangesType { other, .. } => hints.extend(*other),
        _ => {}
    }
    hints
}

/// Returns the reason why a type is unknown, if it is.
pub fn unknown_because(scheme: &Scheme) -> Option<DynReason> {
    match &*inner(&scheme.ty) {
        Ty::Dyn(reason) => Some(*reason),
        _ => None,
    }
}

/// Returns the origin of an unknown type.
fn unknown(scheme: &Scheme) -> Option<Span> {
    match &*inner(&scheme.ty) {
        Ty::Dyn(
            DynReason::Annotated(at)
            | DynReason::Contract(at)
            | DynReason::Data(at)
            | DynReason::Computed(at)
            | DynReason::Cycle(at)
            | DynReason::Tested(at),
        ) => Some(*at),
        _ => None,
    }
}

/// Returns a type without the facts about its value.
pub(crate) fn inner(ty: &TyRef) -> TyRef {
    let mut at = ty.clone();
    loop {
        at = match &*at {
            Ty::Fails(_, inner) | Ty::Sibling(_, inner) => inner.clone(),
            Ty::Forall(scheme) => scheme.ty.clone(),
            _ => return at,
        }
    }
}

/// Returns `true` if two types are the same for `:why`: records and functions are compared by their head, others
/// completely.
fn is_alike(a: &Scheme, b: &Scheme) -> bool {
    same_type(&a.ty, &b.ty, 8)
}

fn same_type(a: &TyRef, b: &TyRef, depth: usize) -> bool {
    let (a, b) = (inner(a), inner(b));
    match (&*a, &*b) {
        (Ty::Array(a), Ty::Array(b)) | (Ty::Contract(a), Ty::Contract(b)) | (Ty::Error(a), Ty::Error(b)) => {
            depth == 0 || same_type(a, b, depth - 1)
        }
        (Ty::Union(a), Ty::Union(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| depth == 0 || same_type(a, b, depth - 1))
        }
        (Ty::Enum(a, _), Ty::Enum(b, _)) => a.keys().eq(b.keys()),
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

/// Returns `true` if a problem of a smaller program is the original one: the same kind, place, types and severity.
fn is_same(now: &Problem, was: &Problem) -> bool {
    let (ProblemKind::Types(a), ProblemKind::Types(b)) = (&now.kind, &was.kind) else { return false };
    now.severity <= was.severity && a.span == b.span && same_kind(&a.what, &b.what)
}

fn same_kind(a: &TypesKind, b: &TypesKind) -> bool {
    use TypesKind::*;
    let head = |a: &Arc<Scheme>, b: &Arc<Scheme>| same_type(&a.ty, &b.ty, 0);
    match (a, b) {
        (Conflict(a), Conflict(b)) => head(&a.found, &b.found) && head(&a.expected, &b.expected) && a.path == b.path,
        (MissingField { name: a, .. }, MissingField { name: b, .. })
        | (ExtraField { name: a, .. }, ExtraField { name: b, .. })
        | (UnknownTag { name: a, .. }, UnknownTag { name: b, .. })
        | (Undefined { name: a, .. }, Undefined { name: b, .. }) => a == b,
        (Mixed { first: (a, _), other: x, .. }, Mixed { first: (b, _), other: y, .. })
        | (ChangesType { now: a, was: x, .. }, ChangesType { now: b, was: y, .. }) => head(a, b) && head(x, y),
        (Call { fault: a, .. }, Call { fault: b, .. }) => a == b,
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

/// An answer, shown as a whole or with one step in full.
pub struct WhyView {
    /// The answer. `None` if the program has no type error.
    pub why: Option<Rc<WhyAnswer>>,
    /// The report of the problem that the program has instead of a type error.
    pub stated: Option<Report>,
    /// The number of the step, from 1.
    pub step: Option<usize>,
    /// The language of the program that the answer is about.
    pub dialect: Dialect,
}

impl Answer for WhyView {
    fn name(&self) -> &'static str {
        "why"
    }

    fn text(&self, to: &Renderer<'_>) -> Styled {
        match (&self.why, &self.stated) {
            (Some(why), _) => text::text(why, self.step, &Renderer { dialect: self.dialect, ..*to }),
            (None, Some(report)) => stated::text(report, to),
            (None, None) => Styled::of(Role::Note, to.hints.no_error),
        }
    }

    fn html(&self, to: &Renderer<'_>, html: &mut Html) {
        match (&self.why, &self.stated) {
            (Some(why), _) => html::html(why, &Renderer { dialect: self.dialect, ..*to }, html),
            (None, Some(report)) => {
                html.preformatted(&stated::text(report, to));
            }
            (None, None) => {
                html.paragraph(&self.text(to));
            }
        }
    }

    fn json(&self, to: &Renderer<'_>) -> Json {
        match (&self.why, &self.stated) {
            (Some(why), _) => json::json(why, &Renderer { dialect: self.dialect, ..*to }),
            (None, Some(report)) => stated::json(report),
            (None, None) => Json::Null,
        }
    }

    fn note(&self, to: &Renderer<'_>) -> Option<Styled> {
        (self.why.is_none() && self.stated.is_none()).then(|| self.text(to))
    }
}
