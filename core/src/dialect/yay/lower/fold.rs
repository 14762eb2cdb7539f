//! Constant folding: guards whose result follows from the text of a document alone.

use super::Lower;
use super::plan::{Body, Guard, GuardId, Layer, Plan};
use crate::dialect::yay::tree::{BlockId, Expr, Id, Op, Prefix, Value};
use crate::number::Number;
use crate::text::Name;
use crate::value::eval::converting::decimal;
use rustc_hash::FxHashMap;

/// The value of a constant expression.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Constant {
    Bool(bool),
    Number(Number),
    Text(Name),
}

/// Maximum depth of an expression or of guards that are folded.
const MAX_DEPTH: u32 = 50;

impl Constant {
    fn is_true(&self) -> bool {
        match self {
            Constant::Bool(value) => *value,
            Constant::Number(number) => !number.is_zero(),
            Constant::Text(text) => !text.is_empty(),
        }
    }

    fn text(&self) -> Name {
        match self {
            Constant::Bool(value) => Name::new(if *value { "True" } else { "False" }),
            Constant::Number(number) => Name::from(decimal(number)),
            Constant::Text(text) => text.clone(),
        }
    }
}

/// Returns the conjunction of two conditions, as far as it is known.
fn both(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

impl<'a> Lower<'a> {
    /// Returns the keys of a document whose last definition has no guard and is a constant.
    pub(super) fn constants_of(&self, block: BlockId) -> FxHashMap<Name, Constant> {
        let mut found: FxHashMap<Name, Option<Constant>> = FxHashMap::default();
        // another file may define any key
        if self.open {
            return FxHashMap::default();
        }
        for layer in &self.plan(block).layers {
            let Layer::Literal { definitions, .. } = layer else { return FxHashMap::default() };
            for definition in definitions {
                let constant = match definition.body {
                    Body::Entry(entry) if definition.guard.is_none() && !entry.extend => match entry.value {
                        Value::Nothing(_) => Some(Constant::Text(Name::default())),
                        Value::Scalar(id) => self.fold(id, MAX_DEPTH),
                        _ => None,
                    },
                    _ => None,
                };
                found.insert(definition.name.clone(), constant);
            }
        }
        found.into_iter().filter_map(|(name, constant)| Some((name, constant?))).collect()
    }

    /// Returns the result of a guard if the text decides it.
    pub(super) fn decided(&self, plan: &Plan<'a>, guard: GuardId) -> Option<bool> {
        plan.decided.get_or_init(|| self.decisions(plan)).get(guard).copied().flatten()
    }

    /// Decides the guards of a plan. `O(conditions)`.
    fn decisions(&self, plan: &Plan<'a>) -> Vec<Option<bool>> {
        let mut decided: Vec<Option<bool>> = Vec::with_capacity(plan.guards.len());
        // whether a branch up to this one holds
        let mut taken: Vec<Option<bool>> = Vec::with_capacity(plan.guards.len());
        let of = |known: &[Option<bool>], guard: Option<GuardId>, none: bool| match guard {
            Some(guard) => known.get(guard).copied().flatten(),
            None => Some(none),
        };
        for guard in &plan.guards {
            let own = match guard {
                Guard::If { condition, .. } => self.fold(*condition, MAX_DEPTH).map(|c| c.is_true()),
                Guard::Else { .. } => Some(true),
                Guard::Case { of, key, .. } => self.fold(*of, MAX_DEPTH).map(|c| c.text() == *key),
            };
            let (outer, previous) = guard.outer_and_previous();
            let earlier = of(&taken, previous, false);
            let holds = both(both(own, of(&decided, outer, true)), earlier.map(|taken| !taken));
            // one of two branches holds unless both do not
            taken.push(both(holds.map(|held| !held), earlier.map(|taken| !taken)).map(|neither| !neither));
            decided.push(holds);
        }
        decided
    }

    fn fold(&self, id: Id, depth: u32) -> Option<Constant> {
        let depth = depth.checked_sub(1)?;
        Some(match self.tree.expr(id) {
            Expr::Number(number) => Constant::Number(number.clone()),
            Expr::Str(text) => Constant::Text(text.clone()),
            Expr::Paren(inner) => self.fold(*inner, depth)?,
            Expr::Name(name) if self.meaning(name).is_none() => self.constants.get(name)?.clone(),
            Expr::Unary(Prefix::Not, inner) => Constant::Bool(!self.fold(*inner, depth)?.is_true()),
            Expr::If(condition, yes, no) => match self.fold(*condition, depth)?.is_true() {
                true => self.fold(*yes, depth)?,
                false => self.fold(*no, depth)?,
            },
            Expr::Binary(op @ (Op::And | Op::Or), left, right) => {
                let left = self.fold(*left, depth);
                match &left {
                    Some(value) if value.is_true() != (*op == Op::And) => left?,
                    Some(_) => self.fold(*right, depth)?,
                    None => return None,
                }
            }
            Expr::Binary(op, left, right) => {
                let (left, right) = (self.fold(*left, depth)?, self.fold(*right, depth)?);
                match (op, &left, &right) {
                    (Op::Eq | Op::Is, Constant::Bool(_), Constant::Number(_)) => return None,
                    (Op::Eq | Op::Is, ..) => Constant::Bool(left == right),
                    (Op::Ne | Op::IsNot, ..) => Constant::Bool(left != right),
                    (Op::Lt, Constant::Number(a), Constant::Number(b)) => Constant::Bool(a < b),
                    (Op::Le, Constant::Number(a), Constant::Number(b)) => Constant::Bool(a <= b),
                    (Op::Gt, Constant::Number(a), Constant::Number(b)) => Constant::Bool(a > b),
                    (Op::Ge, Constant::Number(a), Constant::Number(b)) => Constant::Bool(a >= b),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }
}
