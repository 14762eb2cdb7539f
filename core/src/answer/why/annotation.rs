//! Annotations that settle an ambiguous type.

use super::Fix;
use super::fix::{Finder, tried};
use crate::dialect::notation::ty::named;
use crate::infer::{Options, TypedNodes};
use crate::problem::types::TypesKind;
use crate::problem::{Problem, ProblemKind};
use crate::state::Workspace;
use crate::term::{Node, PatKind, Term};
use crate::text::{Name, Span};
use crate::ty::{Scheme, Ty};
use std::sync::Arc;

/// Number of names for the variables of a type.
const VARIABLES: usize = 16;

/// Maximum length of a statement before which a definition is suggested, in bytes.
const LONGEST: usize = 200;

/// Returns an annotation that settles a program's ambiguous type, if one is found. Tries each candidate: parses and infers
/// the annotated text.
pub fn settling(session: &Workspace, root: &Arc<Term>, problem: &Problem) -> Option<Fix> {
    let ProblemKind::Types(types) = &problem.kind else { return None };
    let TypesKind::Ambiguous { ty, name } = &types.what else { return None };
    let mut slice = session.slice(root);
    let mut finder = Finder { session, slice: &slice, found: Vec::new() };
    finder.annotated(types.span, ty, name.is_some());
    let found = finder.found;
    tried(session, &mut slice, found)
}

impl Finder<'_, '_, '_> {
    /// Adds candidates that annotate the name at a place, or the innermost binding around it. In each candidate, one simple
    /// type replaces the unknown parts of the type.
    pub(super) fn annotated(&mut self, at: Span, ty: &Scheme, is_name: bool) {
        let all = (0..self.slice.len()).filter_map(|part| Some((part, self.slice.term(part)?.clone())));
        let inside = |span: Span| span.source == at.source && span.start <= at.start && at.end <= span.end;
        let Some((part, term)) = all.into_iter().find(|(_, term)| inside(term.span(term.root))) else { return };
        if is_name {
            return self.typed_name(at, ty, &term);
        }
        self.bound_before(at, ty, &term);
        let inferred = self.slice.inferred(part, Options { nodes: TypedNodes::All, ..Options::default() });
        let mut bindings = Vec::new();
        for node in &term.nodes {
            let Node::Let(l) = node else { continue };
            for binding in l.bindings.iter().filter(|binding| inside(term.span(binding.body))) {
                if let (PatKind::Bind(_), Some(ty)) = (&term.pat(binding.pat).kind, inferred.type_of(binding.body)) {
                    bindings.push((term.span(binding.body), term.pat(binding.pat).span, ty.clone()));
                }
            }
        }
        bindings.sort_by_key(|(body, ..)| body.end - body.start);
        match bindings.first() {
            Some((_, name, ty)) => self.typed_name(*name, &ty.clone(), &term),
            // the definition of an input, whose name is before its term
            None => {
                let root = term.span(term.root);
                let before = self.session.text_of(root.source);
                let before = before.as_deref().and_then(|text| text.get(..root.start as usize)).unwrap_or_default();
                let Some(head) = before.trim_end().strip_suffix('=').map(str::trim_end) else { return };
                let start = head.rfind(char::is_whitespace).map_or(0, |at| at + 1);
                let name = Span { start: start as u32, end: head.len() as u32, ..root };
                self.typed_name(name, &inferred.scheme, &term);
            }
        }
    }

    /// Adds candidates that give the expression at a place a name with a type, in a definition before the statement around it.
    fn bound_before(&mut self, at: Span, ty: &Scheme, term: &Term) {
        let (Some(sign), Some(text), Some(dialect)) =
            (term.rules.variable, self.session.text_of(at.source), self.session.dialect_of(at.source))
        else {
            return;
        };
        let nodes = dialect.ast(at.source, &text, self.session.names().stop());
        let around = nodes.iter().filter(|node| node.depth == 0 || node.part == "statement");
        let around = around.map(|node| node.span).filter(|span| span.start <= at.start && at.end <= span.end);
        let Some(statement) = around.min_by_key(|span| span.end - span.start) else { return };
        let part = |from: u32, to: u32| text.get(from as usize..to as usize).unwrap_or_default();
        let (before, expression, after) =
            (part(statement.start, at.start), part(at.start, at.end), part(at.end, statement.end));
        if before.len() + after.len() > LONGEST {
            return;
        }
        let is_used = text.contains(&format!("{sign}value")) || self.session.names().is_bound("value");
        let name = if is_used { "value_of_known_type" } else { "value" };
        let line = part(0, statement.start).rsplit('\n').next().unwrap_or_default();
        let indentation = if line.trim().is_empty() { line } else { "" };
        for simple in [Ty::String, Ty::Int] {
            let simple = crate::state::type_text(dialect, &Scheme::mono(simple.into())).text();
            let names = vec![Name::from(simple); VARIABLES];
            let ty = named(dialect.spelling(), ty, &names).text();
            let annotation = term.rules.annotation;
            let definition = format!("{sign}{name}{annotation}{ty} = {expression}");
            self.edit(statement, format!("{definition}\n{indentation}{before}{sign}{name}{after}"));
        }
    }

    fn typed_name(&mut self, at: Span, ty: &Scheme, term: &Term) {
        // the sign before a variable is part of its name
        let sign = Span { start: at.start.saturating_sub(1), end: at.start, ..at };
        let at = if self.text(sign).as_deref() == Some("$") { Span { start: sign.start, ..at } } else { at };
        let (Some(name), Some(dialect)) = (self.text(at), self.session.dialect_of(at.source)) else { return };
        for simple in [
            Ty::String.into(),
            Ty::Int.into(),
            Ty::Bool.into(),
            Ty::Float.into(),
            Ty::Array(Ty::String.into()).into(),
            Ty::Array(Ty::Int.into()).into(),
            Ty::Map(Ty::String.into(), Ty::String.into()).into(),
            Ty::Map(Ty::String.into(), Ty::Int.into()).into(),
        ] {
            let simple = crate::state::type_text(dialect, &Scheme::mono(simple)).text();
            let names = vec![Name::from(simple); VARIABLES];
            let ty = named(dialect.spelling(), ty, &names).text();
            self.edit(at, format!("{name}{}{ty}", term.rules.annotation));
        }
    }
}
