//! What is certain of values that a type alone does not say: that a literal is what it is written as, that no arm of a
//! match can take a value, that a field which reads a declared sibling is part of the result.

use super::Infer;
use super::unify::{Clash, ClashKind, ClashPath, Unified};
use super::why::{Because, Why};
use crate::term::{Match, Node, PatId, PatKind};
use crate::text::{Name, Span};
use crate::ty::{Field, Give, Stack, Ty, TyRef};

/// Why a unit is evaluated.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(super) enum Role {
    /// Nothing is known of that.
    #[default]
    Perhaps,
    /// It is an element of what is around it, or the whole.
    Part,
    /// It is the body of a field, by its definition.
    Field(Span),
}

/// A conflict between what a field's body asks of a declared sibling and the definition that the sibling got.
pub(super) struct Rest {
    finding: u32,
    /// The unit that asks.
    unit: u32,
    /// The sibling's definition.
    definition: Span,
}

impl Infer<'_> {
    /// Whether the expression at a place is a literal of which more is known than its type: an array that is not empty, a
    /// tag. Of parts of an array nothing is said: the place is that of the whole.
    pub(super) fn is_literal(&self, at: Span) -> bool {
        !self.inside && self.literals.contains(&at)
    }

    /// Does something to the elements of an array.
    pub(super) fn inside<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.inside, true);
        let out = f(self);
        self.inside = before;
        out
    }

    /// Whether no arm of a match can take a value, for certain.
    pub(super) fn is_hopeless(&mut self, m: &Match, scrutinee: &TyRef) -> bool {
        let (head, by) = self.table.head_with(scrutinee);
        let value = self.applied.get(&m.scrutinee).copied().unwrap_or(m.scrutinee);
        let literal = self.literals.contains(&self.term.span(value));
        self.is_certain(by) && m.arms.iter().all(|arm| !self.may_take(arm.pat, &head, literal))
    }

    fn may_take(&self, pat: PatId, head: &Ty, literal: bool) -> bool {
        let own = match &self.term.pat(pat).kind {
            PatKind::Any | PatKind::Bind(_) => return true,
            PatKind::As(_, inner) => return self.may_take(*inner, head, literal),
            PatKind::Or(alternatives) => return alternatives.iter().any(|pat| self.may_take(*pat, head, literal)),
            PatKind::Const(node) => match self.term.node(*node) {
                Node::Null => matches!(head, Ty::Null),
                Node::Bool(_) => matches!(head, Ty::Bool),
                Node::Number(_) => matches!(head, Ty::Number | Ty::Int | Ty::Float),
                _ => matches!(head, Ty::String),
            },
            PatKind::Tag(name) => match head {
                Ty::Enum(tags, _) => !literal || tags.get(name).is_some_and(Option::is_none),
                _ => false,
            },
            PatKind::Variant(name, _) => match head {
                Ty::Enum(tags, _) => !literal || tags.get(name).is_some_and(Option::is_some),
                _ => false,
            },
            PatKind::Record(..) => matches!(head, Ty::Record(_) | Ty::Map(..)),
            PatKind::Array(..) => matches!(head, Ty::Array(_)),
        };
        let known = matches!(
            head,
            Ty::Null
                | Ty::Bool
                | Ty::Number
                | Ty::Int
                | Ty::Float
                | Ty::String
                | Ty::Enum(..)
                | Ty::Array(_)
                | Ty::Fun(..)
                | Ty::Record(_)
        );
        own || !known
    }

    /// Whoever reads a bare declaration reads the definition that it got.
    pub(super) fn declared_is_read(&mut self, sides: [(bool, Option<Span>); 2], stack: &Stack) {
        let [(_, first), _] = sides;
        let Some(definition) = stack.layers.first().and_then(|l| l.at).or(first) else { return };
        for declared in sides.into_iter().filter(|(bare, _)| *bare).filter_map(|(_, at)| at) {
            if declared != definition {
                self.combined.insert(declared, definition);
            }
        }
    }

    /// A bare declaration takes the type of what defines it.
    pub(super) fn settle_bare(
        &mut self,
        a: Option<TyRef>,
        b: Option<TyRef>,
        stack: &Stack,
        path: &[Name],
        span: Span,
    ) -> Option<TyRef> {
        let because = Because::new(span, Why::Merge).unsure();
        let bare = match (a, b) {
            (Some(a), Some(b)) => {
                let unified = self.unify(&a, &b, &because);
                self.settle_clash(unified, &because);
                Some(a)
            }
            (a, b) => a.or(b),
        }?;
        if !stack.layers.is_empty() {
            self.define_bare(stack, &bare, path, span);
            return None;
        }
        Some(bare)
    }

    /// A definition takes the place of a bare declaration: it is what the siblings that read it ask for, or what they
    /// cannot do with.
    pub(super) fn define_bare(&mut self, stack: &Stack, bare: &TyRef, path: &[Name], span: Span) {
        let Some(top) = stack.layers.first() else { return };
        let ty = self.instantiate(&top.ty);
        let why = path.last().map_or(Why::Merge, |name| Why::Sibling(name.clone()));
        let because = Because::new(top.at.unwrap_or(span), why).unsure();
        let mut unified: Unified = self.unify(&ty, bare, &because);
        for name in path.iter().rev() {
            unified = unified.in_field(name);
        }
        let Err(clash) = unified else { return };
        let asked = self.asks_for_certain(&clash);
        let plain = top.certain && stack.contracts.is_empty() && stack.merger.is_none();
        let fault = self.report_clash(*clash, &because, false);
        if let (Some(unit), Some(definition), true, Some(finding)) = (asked, top.at, plain, fault.and_then(|f| f.id)) {
            self.rests.push(Rest { finding, unit, definition });
        }
    }

    /// The unit that cannot do but with the expected type, where the found one is certain.
    fn asks_for_certain(&self, clash: &Clash) -> Option<u32> {
        let ClashKind::Heads { found_by, expected_by: Some(expected_by), .. } = &clash.what else { return None };
        let reason = self.table.reason(*expected_by);
        (reason.certain && !reason.given && self.is_certain(*found_by)).then_some(reason.unit)
    }

    /// The conflicts with declared siblings that the result runs into: the field that asks is part of it, beside the
    /// definition that it cannot do with.
    pub(super) fn met(&mut self, root: &TyRef) -> Vec<(u32, Span)> {
        let mut met = Vec::new();
        for rest in std::mem::take(&mut self.rests) {
            let fields = self.fields_around(rest.unit);
            if !fields.is_empty() && self.is_part(root, &fields, rest.definition) {
                met.push((rest.finding, rest.definition));
            }
        }
        met
    }

    /// The definitions of the fields that a unit stands in, if it is evaluated whenever they are shown; the innermost
    /// first.
    fn fields_around(&self, mut unit: u32) -> Vec<Span> {
        let mut fields = Vec::new();
        while let (true, Some(at)) = (unit != 0, self.units.get(unit as usize)) {
            match at.role {
                Role::Field(span) => fields.push(span),
                Role::Part if fields.is_empty() => {}
                // what is around an element or the whole is not a record that the fields stand in
                Role::Part | Role::Perhaps => break,
            }
            if fields.is_empty() && at.role == Role::Perhaps {
                return fields;
            }
            unit = at.parent;
        }
        fields
    }

    fn is_part(&mut self, root: &TyRef, fields: &[Span], definition: Span) -> bool {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut work = vec![root.clone()];
        let mut held = Vec::new();
        while let Some(ty) = work.pop() {
            let head = self.open_head(&ty);
            let Ty::Record(row) = &*head else { continue };
            if !seen.insert(head.address()) {
                continue;
            }
            let row = self.open_row(row);
            let shown = |f: &Field| f.give == Give::Yes && !f.hidden;
            if row.fields().any(|(_, f)| is_defined_by(f, definition)) {
                for (depth, at) in fields.iter().enumerate() {
                    let field = row.fields().find(|(_, f)| shown(f) && is_defined_by(f, *at));
                    if let Some((_, field)) = field
                        && self.leads_to(&field.ty.clone(), fields.get(..depth).unwrap_or_default())
                    {
                        return true;
                    }
                }
            }
            work.extend(row.fields().filter(|(_, f)| shown(f)).map(|(_, f)| f.ty.clone()));
            held.push(head);
        }
        false
    }

    /// Whether the fields of these definitions stand in a value, from the last to the first.
    fn leads_to(&mut self, ty: &TyRef, fields: &[Span]) -> bool {
        let mut at = ty.clone();
        for definition in fields.iter().rev() {
            let head = self.open_head(&at);
            let Ty::Record(row) = &*head else { return false };
            let row = self.open_row(row);
            let next = row.fields().find(|(_, f)| f.give == Give::Yes && !f.hidden && is_defined_by(f, *definition));
            match next {
                Some((_, f)) => at = f.ty.clone(),
                None => return false,
            }
        }
        true
    }
}

/// Whether a definition decides a field.
fn is_defined_by(field: &Field, definition: Span) -> bool {
    match &field.stack {
        Some(stack) => stack.layers.first().is_some_and(|top| top.certain && top.at == Some(definition)),
        None => field.at == Some(definition),
    }
}
