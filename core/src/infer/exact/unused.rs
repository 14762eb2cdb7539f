//! Definitions that a program does not use. Their mistakes are warnings in the program, and errors for those who import the
//! program and use them: their types fail in the type of the file.

use super::super::Infer;
use super::super::findings::{Found, Reported};
use crate::problem::types::{TypeProblem, TypesKind};
use crate::problem::{Problem, ProblemKind, Severity};
use crate::term::NodeId;
use crate::text::Span;
use crate::ty::{Failure, Field, Scheme, Ty, TyRef};

fn is_inside(inner: Span, outer: Span) -> bool {
    outer.source == inner.source && outer.start <= inner.start && inner.end <= outer.end
}

impl Infer<'_> {
    /// Whether a place is in a definition that nothing uses.
    pub(in crate::infer) fn is_unused(&self, at: Span) -> bool {
        self.term.unused.iter().any(|unused| is_inside(at, unused.span))
    }

    /// Returns the type of a name of another file, without its failure. Reports the failure if this program needs the name.
    pub(super) fn read_of_file(&mut self, ty: TyRef, use_of: NodeId) -> TyRef {
        let Ty::Fails(fault, inner) = &*ty else { return ty };
        let span = self.term.span(use_of);
        if self.is_unused(span) {
            self.exact.failing.push((span, fault.span));
        } else {
            let problem = TypeProblem { span: fault.span, what: TypesKind::Elsewhere };
            self.findings.add(Found::Here(problem), Reported::Always);
        }
        inner.clone()
    }

    /// Marks the names of a file whose definitions are wrong, directly or through others, as failing. O(definitions) if
    /// there is a mistake.
    pub(in crate::infer) fn mark_failing(&self, scheme: &mut Scheme, problems: &[Problem]) {
        let warning = |problem: &Problem| match &problem.kind {
            ProblemKind::Types(types) if problem.severity == Severity::Warning => Some((types.span, types.span)),
            _ => None,
        };
        let wrong = problems.iter().filter_map(warning).chain(self.exact.failing.iter().copied());
        let unused = &self.term.unused;
        let mut failing: Vec<Option<Span>> = vec![None; unused.len()];
        let mut work = Vec::new();
        for (at, fault) in wrong {
            // a mistake belongs to the innermost definition: a class need not use all that it defines
            let around = unused.iter().enumerate().filter(|(_, unused)| is_inside(at, unused.span));
            if let Some((index, _)) = around.min_by_key(|(_, unused)| unused.span.end - unused.span.start) {
                work.push((index, fault));
            }
        }
        let Ty::Record(row) = &*scheme.ty else { return };
        if work.is_empty() {
            return;
        }
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); unused.len()];
        for (user, definition) in unused.iter().enumerate() {
            for used in &definition.uses {
                if let Some(users) = users.get_mut(*used) {
                    users.push(user);
                }
            }
        }
        while let Some((index, fault)) = work.pop() {
            if let Some(place) = failing.get_mut(index)
                && place.is_none()
            {
                *place = Some(fault);
                work.extend(users.get(index).into_iter().flatten().map(|user| (*user, fault)));
            }
        }
        let mut row = row.clone();
        for (definition, fault) in unused.iter().zip(failing) {
            if let (Some(name), Some(span)) = (&definition.exported, fault)
                && let Some(field) = row.get(name).cloned()
            {
                let ty = Ty::Fails(Failure { id: None, span, deep: false }, field.ty.clone()).into();
                row.insert(name.clone(), Field { ty, ..field });
            }
        }
        scheme.ty = Ty::Record(row).into();
    }
}
