//! Reads fields of `self`, of definitions and of imported files. Of a large library, only the part that is used is instantiated.

use crate::infer::walk;
use crate::infer::{Infer, library};
use crate::term::{ImportKind, Node, NodeId};
use crate::text::Name;
use crate::ty::{Constraint, Presence, Scheme, Tail, Ty, TyRef, VariableKind};
use rustc_hash::FxHashSet;
use std::sync::Arc;

impl Infer<'_> {
    /// Infers `e.name`, where `e` may be `self`.
    pub(in crate::infer) fn project_in(&mut self, target: NodeId, name: &Name, id: NodeId) -> TyRef {
        let ty = match self.object_of(target) {
            Some(at) => match self.viewed(id) {
                Some(view) => return view,
                None => self.self_field(at, name, id),
            },
            None => self.project(target, name, id),
        };
        let head = match &*ty {
            Ty::Fun(..) => {
                // a library function has no JSON form either
                let span = self.term.span(id);
                return self.without_json(ty, span);
            }
            Ty::Live(_) | Ty::Error(_) => self.no_error(&ty),
            _ => ty,
        };
        self.force(&head)
    }

    /// Returns the type of a part of a definition without instantiating the whole; `None` if that is not possible.
    pub(in crate::infer) fn part_of_scheme(&mut self, id: NodeId) -> Option<TyRef> {
        let Node::Project(..) = self.term.node(id) else { return None };
        let (whole, ty) = self.part_in_scheme(id)?;
        let Ty::Forall(scheme) = &*whole else { return None };
        if ty.marks().free == 0 {
            return Some(ty);
        }
        let constraints = self.constraints_on(&whole, scheme, &ty);
        Some(Ty::Forall(Arc::new(Scheme { vars: scheme.vars.clone(), constraints, ty, shown: None })).into())
    }

    /// Whether a chain of projections may begin at a definition with a generalised type. Each part of a chain is asked for, the whole
    /// first, so that only the whole looks for the beginning. `target`: the next part.
    pub(in crate::infer) fn may_be_in_scheme(&mut self, id: NodeId, target: NodeId) -> bool {
        if self.objects.outside_schemes != Some(id) {
            let mut at = target;
            while let Node::Project(inner, _) = self.term.node(at) {
                at = *inner;
            }
            let Node::Local { up, slot } = *self.term.node(at) else {
                self.objects.outside_schemes = Some(target);
                return false;
            };
            let variable = self.scopes.at(up).and_then(|frame| self.scopes.variable(frame, slot));
            if variable.is_some_and(|v| v.unit.is_none() && matches!(&*v.ty, Ty::Forall(_))) {
                return true;
            }
        }
        self.objects.outside_schemes = Some(target);
        false
    }

    /// Returns the generalised type of the definition that an expression names or reads a part of, and the type of that part, in
    /// which its variables are free.
    fn part_in_scheme(&mut self, id: NodeId) -> Option<(TyRef, TyRef)> {
        let term = self.term.clone();
        match term.node(id) {
            Node::Local { up, slot } => {
                let variable = self.scopes.variable(self.scopes.at(*up)?, *slot).filter(|v| v.unit.is_none())?;
                let Ty::Forall(scheme) = &*variable.ty else { return None };
                Some((variable.ty.clone(), scheme.ty.clone()))
            }
            Node::Project(target, name) => {
                let (whole, ty) = match term.node(*target) {
                    Node::Local { .. } | Node::Project(..) if !self.is_viewed(*target) => {
                        self.part_in_scheme(*target)?
                    }
                    _ => return None,
                };
                self.is_final(&ty, *target);
                // the parts of a nested scheme are those of its own definition
                let (whole, ty) = match &*ty {
                    Ty::Forall(scheme) if ty.marks().free == 0 => (ty.clone(), scheme.ty.clone()),
                    _ => (whole, ty),
                };
                let Ty::Record(row) = &*ty else { return None };
                let field = row.get(name).filter(|f| f.presence == Presence::Yes)?;
                let of_this = |t: &Ty| matches!(t, Ty::Forall(s) if s.vars.contains(&VariableKind::This));
                let inner = if let Ty::Fails(_, inner) = &*field.ty { inner } else { &field.ty };
                if matches!(&*field.ty, Ty::Live(_) | Ty::Error(_)) || of_this(inner) {
                    return None;
                }
                Some((whole, field.ty.clone()))
            }
            _ => None,
        }
    }

    /// Returns the constraints of a scheme on the variables of a part of its type, and on the variables of those constraints.
    fn constraints_on(&mut self, whole: &TyRef, scheme: &Scheme, part: &TyRef) -> Vec<Constraint> {
        if scheme.constraints.is_empty() {
            return Vec::new();
        }
        let each = match self.caches.constrained.get(whole) {
            Some(each) => each.clone(),
            None => {
                let each: Arc<[FxHashSet<u32>]> = scheme.constraints.iter().map(|c| variables(&c.parts())).collect();
                self.caches.constrained.insert(whole, each.clone());
                each
            }
        };
        let mut reached = match self.caches.variables.get(part) {
            Some(variables) => FxHashSet::clone(variables),
            None => {
                let found = variables(&[part]);
                self.caches.variables.insert(part, Arc::new(found.clone()));
                found
            }
        };
        let mut taken = vec![false; scheme.constraints.len()];
        loop {
            let before = reached.len();
            for (taken, of) in taken.iter_mut().zip(each.iter()) {
                if !*taken && of.iter().any(|v| reached.contains(v)) {
                    *taken = true;
                    reached.extend(of);
                }
            }
            if reached.len() == before {
                break;
            }
        }
        let constraints = scheme.constraints.iter().zip(taken);
        constraints.filter(|(_, taken)| *taken).map(|(constraint, _)| constraint.clone()).collect()
    }

    /// Whether a test of an expression guards the current branch.
    fn is_viewed(&self, id: NodeId) -> bool {
        self.viewed(id).is_some()
    }

    /// Returns the type of an imported file without instantiating it, if a definition is only the import.
    pub(in crate::infer) fn imported(&mut self, id: NodeId) -> Option<TyRef> {
        let term = self.term.clone();
        let Node::Import(import) = term.node(id) else { return None };
        if !self.rules().extends() || !matches!(import.kind, ImportKind::Code(_)) {
            return None;
        }
        match self.host.import(import, term.span(id)) {
            Ok(scheme) => {
                let ty = library::closed(&scheme);
                self.keep_type(id, &ty);
                Some(ty)
            }
            Err(_) => None,
        }
    }
}

/// Returns the variables of the scheme around some types, by number. O(parts that have any).
fn variables(types: &[&TyRef]) -> FxHashSet<u32> {
    let mut found = FxHashSet::default();
    let mut seen = FxHashSet::default();
    let mut work: Vec<(TyRef, u32)> = types.iter().map(|ty| (TyRef::clone(ty), 0)).collect();
    while let Some((ty, depth)) = work.pop() {
        if ty.marks().free <= depth || !seen.insert((ty.address(), depth)) {
            continue;
        }
        let tail = match &*ty {
            Ty::Var(v) => {
                found.extend((v.up == depth).then_some(v.index));
                continue;
            }
            Ty::Record(row) => Some(row.tail()),
            Ty::Enum(_, tail) => Some(tail),
            _ => None,
        };
        if let Some(Tail::Var(v)) = tail {
            found.extend((v.up == depth).then_some(v.index));
        }
        let depth = if matches!(&*ty, Ty::Forall(_)) { depth + 1 } else { depth };
        walk::children(&ty, &mut |part| work.push((part.clone(), depth)), &mut |_| {});
    }
    found
}
