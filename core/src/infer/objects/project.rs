//! Reads fields of `self`, of definitions and of imported files. Of a large library, only the part that is used is instantiated.

use crate::infer::{Infer, library};
use crate::term::{ImportKind, Node, NodeId};
use crate::text::Name;
use crate::ty::{Presence, Scheme, Ty, TyRef, VariableKind};
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
        let term = self.term.clone();
        match term.node(id) {
            Node::Local { up, slot } => {
                let variable = self.scopes.variable(self.scopes.at(*up)?, *slot).filter(|v| v.unit.is_none())?;
                let ty = &variable.ty;
                matches!(&**ty, Ty::Forall(_)).then(|| ty.clone())
            }
            Node::Project(target, name) => {
                let whole = match term.node(*target) {
                    Node::Local { .. } | Node::Project(..) if !self.is_viewed(*target) => {
                        self.part_of_scheme(*target)?
                    }
                    _ => return None,
                };
                self.is_final(&whole, *target);
                let (row, scheme) = match &*whole {
                    Ty::Record(row) => (row, None),
                    Ty::Forall(scheme) if scheme.constraints.is_empty() => match &*scheme.ty {
                        Ty::Record(row) => (row, Some(scheme)),
                        _ => return None,
                    },
                    _ => return None,
                };
                let field = row.get(name).filter(|f| f.presence == Presence::Yes)?;
                let of_this = |t: &Ty| matches!(t, Ty::Forall(s) if s.vars.contains(&VariableKind::This));
                let inner = if let Ty::Fails(_, inner) = &*field.ty { inner } else { &field.ty };
                if matches!(&*field.ty, Ty::Live(_) | Ty::Error(_)) || of_this(inner) {
                    return None;
                }
                Some(match scheme {
                    Some(scheme) if field.ty.marks().free > 0 => {
                        let vars = scheme.vars.clone();
                        let part = Scheme { vars, constraints: Vec::new(), ty: field.ty.clone(), shown: None };
                        Ty::Forall(Arc::new(part)).into()
                    }
                    _ => field.ty.clone(),
                })
            }
            _ => None,
        }
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
                self.note(id, &ty);
                Some(ty)
            }
            Err(_) => None,
        }
    }
}
