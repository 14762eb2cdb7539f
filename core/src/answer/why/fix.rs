//! The smallest edit that fixes a problem. Each candidate is made in the text, which is parsed and inferred again. Of
//! the edits that leave fewer errors and no new warning, the smallest is returned.

use super::{Fix, PassingConstruct, Side, Statement, WhyAnswer, WhyStep, inner};
use crate::problem::types::TypesKind;
use crate::problem::{Problem, ProblemKind, Severity};
use crate::state::{Slice, Workspace};
use crate::term::{FieldName, Node, NodeId, Prim, Term};
use crate::text::{Name, Span};
use crate::ty::{Scheme, Ty};
use std::sync::Arc;

/// Maximum number of edits to try.
const TRIED: usize = 16;

/// The edit.
pub(super) fn fix(session: &Workspace, root: &Arc<Term>, problem: &Problem, why: &WhyAnswer) -> Option<Fix> {
    let ProblemKind::Types(types) = &problem.kind else { return None };
    let mut slice = session.slice(root);
    let mut finder = Finder { session, slice: &slice, found: Vec::new() };
    match &types.what {
        TypesKind::Conflict(c) => finder.clash(types.span, why, &c.found, &c.expected),
        TypesKind::MissingField { name, near, .. } => {
            let reads = why.steps.iter().filter(|s| matches!(&s.statement, Statement::Reads(n) if n == name));
            for at in reads.map(|s| s.at).collect::<Vec<_>>() {
                finder.renamed(at, name, near);
            }
            finder.renamed(types.span, name, near);
        }
        TypesKind::ExtraField { name, near, .. } => finder.renamed(types.span, name, near),
        TypesKind::UnknownTag { name, near, .. } => finder.renamed(types.span, name, near),
        TypesKind::NoJson { .. } => finder.hidden(types.span),
        TypesKind::Ambiguous { ty, name } => finder.annotated(types.span, ty, name.is_some()),
        _ => {}
    }
    let found = finder.found;
    tried(session, &mut slice, found)
}

/// Returns the smallest of some edits that fixes a problem.
pub(super) fn tried(session: &Workspace, slice: &mut Slice<'_>, mut found: Vec<Fix>) -> Option<Fix> {
    found.retain(|fix| fix.was != fix.now);
    found.sort_by_key(changed);
    let before = count(slice);
    found.truncate(TRIED);
    found.into_iter().find(|fix| {
        let tried = settles(session, slice, fix, before);
        tried && !slice.is_stopped()
    })
}

/// Returns `true` if an edit leaves fewer errors and no more warnings, or as many errors and fewer warnings.
fn settles(session: &Workspace, slice: &mut Slice<'_>, fix: &Fix, before: (usize, usize)) -> bool {
    // several definitions of one input have terms of their own
    let of = |holds: &dyn Fn(Span) -> bool| {
        (0..slice.len()).find(|part| slice.term(*part).is_some_and(|term| holds(term.span(term.root))))
    };
    let within =
        |root: Span| root.source == fix.span.source && root.start <= fix.span.start && fix.span.end <= root.end;
    let part = of(&within).or_else(|| of(&|root| root.source == fix.span.source));
    let Some((part, old)) = part.and_then(|part| Some((part, slice.term(part)?.clone()))) else { return false };
    let Some(text) = session.text_of(fix.span.source) else { return false };
    let (Some(head), Some(tail)) = (text.get(..fix.span.start as usize), text.get(fix.span.end as usize..)) else {
        return false;
    };
    let edited = [head, &fix.now, tail].concat();
    let Some(term) = session.read_again(&old, &edited) else { return false };
    slice.replace(part, term);
    let after = count(slice);
    slice.replace(part, old);
    after < before && after.1 <= before.1
}

/// Returns the number of errors and of warnings in a program and its imports.
fn count(slice: &Slice<'_>) -> (usize, usize) {
    let mut all = (0, 0);
    for part in 0..slice.len() {
        for problem in &slice.typed(part).problems {
            match problem.severity {
                Severity::Error => all.0 += 1,
                _ => all.1 += 1,
            }
        }
    }
    all
}

/// Returns the size of an edit, without the common beginning and end of both texts.
fn changed(fix: &Fix) -> usize {
    let (was, now): (Vec<char>, Vec<char>) = (fix.was.chars().collect(), fix.now.chars().collect());
    let front = was.iter().zip(&now).take_while(|(a, b)| a == b).count();
    let most = was.len().min(now.len()) - front;
    let back = was.iter().rev().zip(now.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    was.len() + now.len() - 2 * (front + back)
}

pub(super) struct Finder<'s, 'm, 'w> {
    pub session: &'s Workspace,
    pub slice: &'m Slice<'w>,
    pub found: Vec<Fix>,
}

impl Finder<'_, '_, '_> {
    pub(super) fn text(&self, span: Span) -> Option<String> {
        self.session.text_of(span.source)?.get(span.start as usize..span.end as usize).map(String::from)
    }

    pub(super) fn edit(&mut self, span: Span, now: impl Into<String>) {
        if let Some(was) = self.text(span).filter(|_| !self.session.is_secret(span)) {
            self.found.push(Fix { span, was, now: now.into() });
        }
    }

    /// Returns the term and the node at a place.
    fn node(&self, at: Span) -> Option<(Arc<Term>, NodeId)> {
        let all = (0..self.slice.len()).filter_map(|part| self.slice.term(part));
        let mut terms = all.filter(|term| term.span(term.root).source == at.source);
        terms.find_map(|term| {
            let id = (0..term.nodes.len() as u32).map(NodeId).find(|id| term.span(*id) == at)?;
            Some((term.clone(), id))
        })
    }

    fn clash(&mut self, at: Span, why: &WhyAnswer, found: &Scheme, expected: &Scheme) {
        let (found, wanted) = (inner(&found.ty), inner(&expected.ty));
        let given = why.steps.iter().filter(|s| s.side == Side::Found && s.source).map(|s| s.at);
        let mut places: Vec<Span> = given.collect();
        places.push(at);
        places.dedup();
        for place in places {
            let Some((term, id)) = self.node(place) else { continue };
            self.literal(&term, id, &wanted);
        }
        if let Some((term, id)) = self.node(at) {
            self.converted(&term, id, &found, &wanted);
        }
        for step in why.steps.iter().chain(&why.meets).filter(|s| s.side == Side::Wanted) {
            self.accept_found(step, &found);
        }
    }

    /// Replaces a literal by the equivalent literal of the expected type.
    fn literal(&mut self, term: &Term, id: NodeId, wanted: &Ty) {
        let at = term.span(id);
        match (term.node(id), wanted) {
            (Node::Str(text), Ty::Number | Ty::Int | Ty::Float) if is_number(text) => self.edit(at, text.as_str()),
            (Node::Str(text), Ty::Bool) if matches!(text.as_str(), "true" | "false") => self.edit(at, text.as_str()),
            (Node::Number(_) | Node::Bool(_), Ty::String) => {
                if let Some(text) = self.text(at) {
                    self.edit(at, format!("\"{text}\""));
                }
            }
            _ => {}
        }
    }

    /// Converts the expression to the expected type.
    fn converted(&mut self, term: &Term, id: NodeId, found: &Ty, wanted: &Ty) {
        let at = term.span(id);
        let Some(text) = self.text(at) else { return };
        let rules = term.rules;
        let alone = matches!(
            term.node(id),
            Node::Str(_)
                | Node::Number(_)
                | Node::Local { .. }
                | Node::Member { .. }
                | Node::Global(_)
                | Node::Project(..)
        );
        let operand = if alone { text.clone() } else { format!("({text})") };
        match (found, wanted) {
            (Ty::Number | Ty::Bool, Ty::String) => self.edit(at, (rules.to_string)(&text, &operand)),
            // a text that is a number is written as a number; any other literal text cannot be converted
            (Ty::String, Ty::Number) if matches!(term.node(id), Node::Str(_)) => {}
            (Ty::String, Ty::Number) => self.edit(at, (rules.to_number)(&text, &operand)),
            (_, Ty::Array(_)) if !matches!(found, Ty::Array(_)) => self.edit(at, format!("[{text}]")),
            _ => {}
        }
    }

    /// Changes the annotation or the operator that expects a type, so that it accepts the type found.
    fn accept_found(&mut self, step: &WhyStep, found: &Ty) {
        let name = match found {
            Ty::Number => "Number",
            Ty::String => "String",
            Ty::Bool => "Bool",
            _ => return,
        };
        let Some((term, id)) = self.node(step.at) else { return };
        match (term.node(id), &step.statement) {
            (Node::Type(_), _) => self.edit(step.at, name),
            (Node::Prim(prim, operands), _) => {
                let now = match (prim, found) {
                    (Prim::Add, Ty::String) => Prim::Concat.symbol(),
                    (Prim::Concat, Ty::Number) => Prim::Add.symbol(),
                    _ => return,
                };
                let [left, right] = **operands else { return };
                let between = Span { start: term.span(left).end, end: term.span(right).start, ..step.at };
                let place = self.text(between).and_then(|text| text.find(prim.symbol()));
                if let Some(place) = place {
                    let start = between.start + place as u32;
                    self.edit(Span { start, end: start + prim.symbol().len() as u32, ..between }, now);
                }
            }
            (_, Statement::Passes(PassingConstruct::Call(..))) | (_, _) => {}
        }
    }

    /// Tries each similar name in place of a name.
    fn renamed(&mut self, at: Span, name: &Name, near: &[Name]) {
        let Some(place) = self.text(at).and_then(|text| text.rfind(name.as_str())) else { return };
        let start = at.start + place as u32;
        for other in near {
            self.edit(Span { start, end: start + name.len() as u32, ..at }, other.as_str());
        }
    }

    /// Hides a visible field: `:` becomes `::`.
    fn hidden(&mut self, at: Span) {
        let all = (0..self.slice.len()).filter_map(|part| self.slice.term(part).cloned());
        let terms: Vec<Arc<Term>> = all.filter(|term| term.span(term.root).source == at.source).collect();
        for term in terms {
            for node in &term.nodes {
                let Node::Record(lit) = node else { continue };
                for field in lit.fields.iter().filter(|f| f.body.is_some_and(|body| term.span(body) == at)) {
                    if matches!(field.name, FieldName::Static(_)) {
                        let end = field.name_span.end;
                        let colon = Span { start: end, end: end + 1, ..field.name_span };
                        if self.text(colon).as_deref() == Some(":") {
                            self.edit(colon, "::");
                        }
                    }
                }
            }
        }
    }
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, rest) = digits.split_once('.').unwrap_or((digits, "0"));
    let all = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    all(whole) && all(rest) && !(whole.len() > 1 && whole.starts_with('0'))
}
