//! Facts: what conditions and patterns say of the places that they ask about.

use super::NESTING;
use super::heads::{Head, head_of_predicate, head_of_tag, head_of_type};
use super::place::{Place, Root};
use crate::infer::Infer;
use crate::term::rules::Kinds;
use crate::term::{Apply, Match, Node, NodeId, PatId, PatKind, Prim};
use crate::text::{Name, Span};
use crate::ty::Ty;

/// What a test says of a place.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Fact {
    Is(Head),
    IsNot(Head),
    /// It has a field.
    Has(Name),
    /// It was asked for its type; nothing more is known.
    Asked,
    /// A function that may be a test was asked about it.
    Judged,
}

/// What a condition says of places if it holds, and if it does not.
#[derive(Clone, Default, Debug)]
pub(in crate::infer) struct Facts {
    pub(super) holds: Vec<(Place, Fact)>,
    fails: Vec<(Place, Fact)>,
}

impl Facts {
    fn of(place: Place, holds: Fact, fails: Fact) -> Facts {
        Facts { holds: vec![(place.clone(), holds)], fails: vec![(place, fails)] }
    }

    /// One of the parts decides; which one is not known.
    fn vaguely(all: Vec<(Place, Fact)>) -> Vec<(Place, Fact)> {
        let vague = all.into_iter().filter_map(|(place, fact)| match fact {
            Fact::Has(_) => None,
            Fact::Judged => Some((place, Fact::Judged)),
            _ => Some((place, Fact::Asked)),
        });
        vague.collect()
    }
}

impl Infer<'_> {
    /// What a condition says if it holds, and if it does not.
    pub(in crate::infer) fn facts(&self, id: NodeId) -> Facts {
        crate::infer::deep(|| self.facts_here(id))
    }

    fn facts_here(&self, id: NodeId) -> Facts {
        match self.term.node(id) {
            Node::Prim(Prim::Not, operands) => match **operands {
                [operand] => {
                    let facts = self.facts(operand);
                    Facts { holds: facts.fails, fails: facts.holds }
                }
                _ => Facts::default(),
            },
            Node::Prim(prim @ (Prim::And | Prim::Or), operands) => {
                let mut all = Facts::default();
                for operand in operands.iter() {
                    let facts = self.facts(*operand);
                    all.holds.extend(facts.holds);
                    all.fails.extend(facts.fails);
                }
                match prim {
                    Prim::And => Facts { fails: Facts::vaguely(all.fails), ..all },
                    _ => Facts { holds: Facts::vaguely(all.holds), ..all },
                }
            }
            Node::Prim(prim @ (Prim::Eq | Prim::Ne), operands) => {
                let [a, b] = **operands else { return Facts::default() };
                let facts = self.equality(a, b).or_else(|| self.equality(b, a)).unwrap_or_default();
                match prim {
                    Prim::Eq => facts,
                    _ => Facts { holds: facts.fails, fails: facts.holds },
                }
            }
            Node::Prim(Prim::In, operands) if self.rules().overloads() => match **operands {
                [field, object] => self.has(field, object),
                _ => Facts::default(),
            },
            Node::Apply(apply) => self.asked_by(apply),
            Node::Local { up, slot } => {
                let alias = self.scopes.at(*up).and_then(|frame| self.alias_of(frame, *slot));
                alias.map(|alias| alias.facts.clone()).unwrap_or_default()
            }
            _ => Facts::default(),
        }
    }

    /// `std.typeof x == 'Number`, `x == null`
    fn equality(&self, asked: NodeId, known: NodeId) -> Option<Facts> {
        let (place, head) = match self.term.node(known) {
            // open: it says nothing of the place
            Node::Null if self.rules().null_is_any() => return None,
            Node::Str(name) if self.rules().kinds == Kinds::Strings => (self.typeof_of(asked)?, head_of_type(name)?),
            Node::Null => (self.place(asked)?, Head::Null),
            Node::Tag(tag) => (self.typeof_of(asked)?, head_of_tag(tag)?),
            _ => return None,
        };
        Some(Facts::of(place, Fact::Is(head), Fact::IsNot(head)))
    }

    /// The place whose type `std.typeof` is asked for.
    pub(super) fn typeof_of(&self, id: NodeId) -> Option<Place> {
        let apply = match self.term.node(id) {
            Node::Apply(apply) => apply,
            Node::Local { up, slot } => return self.alias_of(self.scopes.at(*up)?, *slot)?.asked.clone(),
            _ => return None,
        };
        let (func, args) = self.call(apply)?;
        match (self.library_name(func)?.as_slice(), args.as_slice()) {
            ([name], [arg]) if name == "typeof" || (name == "type" && self.rules().kinds == Kinds::Strings) => {
                self.place(*arg)
            }
            _ => None,
        }
    }

    fn asked_by(&self, apply: &Apply) -> Facts {
        let Some((func, args)) = self.call(apply) else { return Facts::default() };
        let Some(path) = self.library_name(func) else { return self.judged(func, &args) };
        match (path.as_slice(), args.as_slice()) {
            ([name], [arg]) => match (head_of_predicate(name), self.place(*arg)) {
                (Some(head), Some(place)) => Facts::of(place, Fact::Is(head), Fact::IsNot(head)),
                _ => Facts::default(),
            },
            ([name], [arg, field, ..]) if name.starts_with("objectHas") && self.rules().extends() => {
                self.has(*field, *arg)
            }
            ([module, name], [field, arg]) if module == "record" && name == "has_field" => {
                match (self.term.node(*field), self.place(*arg)) {
                    (Node::Str(field), Some(place)) => {
                        Facts { holds: vec![(place, Fact::Has(field.clone()))], fails: Vec::new() }
                    }
                    _ => Facts::default(),
                }
            }
            _ => Facts::default(),
        }
    }

    /// Whether a place has a field, of a name that is written down.
    fn has(&self, field: NodeId, object: NodeId) -> Facts {
        if let (Node::Str(name), Some(frame)) = (self.term.node(field), self.object_of(object)) {
            // of the object at hand: what it has not others may bring, or not
            return match self.scopes.member(frame, name) {
                None => {
                    let place = Place { frame, root: Root::Sibling(name.clone()), path: Vec::new() };
                    Facts { holds: vec![(place, Fact::Asked)], fails: Vec::new() }
                }
                Some(_) => Facts::default(),
            };
        }
        match (self.term.node(field), self.place(object)) {
            (Node::Str(field), Some(place)) => {
                Facts { holds: vec![(place, Fact::Has(field.clone()))], fails: Vec::new() }
            }
            _ => Facts::default(),
        }
    }

    /// A function of the program that takes anything.
    fn judged(&self, func: NodeId, args: &[NodeId]) -> Facts {
        let polymorphic = self.place(func).and_then(|place| self.known(&place)).is_some_and(|ty| {
            let mut ty = &ty;
            while let Ty::Fails(_, inner) | Ty::Sibling(_, inner) = &**ty {
                ty = inner;
            }
            matches!(&**ty, Ty::Forall(_))
        });
        let mut facts = Facts::default();
        if polymorphic {
            for place in args.iter().filter_map(|arg| self.place(*arg)) {
                facts.holds.push((place.clone(), Fact::Judged));
                facts.fails.push((place, Fact::Judged));
            }
        }
        facts
    }

    /// A call's function and its arguments, nested calls as one.
    fn call(&self, apply: &Apply) -> Option<(NodeId, Vec<NodeId>)> {
        let mut groups = vec![apply];
        let mut at = apply.func;
        while let Node::Apply(inner) = self.term.node(at) {
            if groups.len() == NESTING {
                return None;
            }
            groups.push(inner);
            at = inner.func;
        }
        Some((at, groups.iter().rev().flat_map(|apply| apply.args.iter().map(|(_, arg)| *arg)).collect()))
    }

    /// `std.record.has_field` as `record`, `has_field`.
    fn library_name(&self, mut id: NodeId) -> Option<Vec<Name>> {
        let mut path = Vec::new();
        while let Node::Project(target, name) = self.term.node(id) {
            path.push(name.clone());
            id = *target;
            if path.len() == NESTING {
                return None;
            }
        }
        path.reverse();
        let std = self.rules().library;
        matches!(self.term.node(id), Node::Global(name) if name == std).then_some(path)
    }

    /// The facts of the arms of a match on what `std.typeof` gave.
    pub(in crate::infer) fn arm_facts(&self, m: &Match) -> Option<Vec<Facts>> {
        let applied = self.narrowing.applied.get(&m.scrutinee);
        let asked = match applied {
            Some(applied) => applied.asked.clone(),
            None => self.typeof_of(m.scrutinee),
        };
        let typeof_ = asked.is_some();
        let place = match (asked, applied) {
            (Some(place), _) => place,
            _ if !self.patterns_differ(m) => return None,
            (None, Some(applied)) => applied.place.clone()?,
            (None, None) => self.place(m.scrutinee)?,
        };
        let facts = m.arms.iter().map(|arm| {
            let fact = match &self.term.pat(arm.pat).kind {
                PatKind::Tag(tag) if typeof_ => head_of_tag(tag).map_or(Fact::Asked, Fact::Is),
                _ if typeof_ => Fact::Asked,
                _ => self.head_of_pattern(arm.pat).map_or(Fact::Asked, Fact::Is),
            };
            Facts { holds: vec![(place.clone(), fact)], fails: Vec::new() }
        });
        Some(facts.collect())
    }

    /// Whether the patterns of a match are of values of several types, so that it is a test of its scrutinee.
    pub(in crate::infer) fn patterns_differ(&self, m: &Match) -> bool {
        let mut heads = Vec::new();
        let mut work: Vec<PatId> = m.arms.iter().map(|arm| arm.pat).collect();
        while let Some(pat) = work.pop() {
            match &self.term.pat(pat).kind {
                PatKind::Or(alternatives) => work.extend(alternatives),
                PatKind::As(_, inner) => work.push(*inner),
                _ => heads.extend(self.head_of_pattern(pat)),
            }
        }
        heads.windows(2).any(|pair| pair.first() != pair.last())
    }

    /// What values of one pattern begin with.
    fn head_of_pattern(&self, pat: PatId) -> Option<Head> {
        Some(match &self.term.pat(pat).kind {
            PatKind::Any | PatKind::Bind(_) | PatKind::Or(_) => return None,
            PatKind::As(_, inner) => return self.head_of_pattern(*inner),
            PatKind::Const(node) => match self.term.node(*node) {
                Node::Null => Head::Null,
                Node::Bool(_) => Head::Bool,
                Node::Number(_) => Head::Number,
                _ => Head::String,
            },
            PatKind::Tag(_) | PatKind::Variant(..) => Head::Enum,
            PatKind::Record(..) => Head::Record,
            PatKind::Array(..) => Head::Array,
        })
    }
}

/// What a branch is inferred under.
#[derive(Default)]
pub(in crate::infer) struct Views(pub(super) Vec<(Place, Fact, Span)>);

impl Views {
    /// What holds where the condition does.
    pub(in crate::infer) fn holds(facts: &Facts, span: Span) -> Views {
        Views(facts.holds.iter().map(|(place, fact)| (place.clone(), fact.clone(), span)).collect())
    }

    /// What holds where the condition does not.
    pub(in crate::infer) fn fails(facts: &Facts, span: Span) -> Views {
        Views(facts.fails.iter().map(|(place, fact)| (place.clone(), fact.clone(), span)).collect())
    }

    /// Both.
    pub(in crate::infer) fn and(mut self, more: Views) -> Views {
        self.0.extend(more.0);
        self
    }
}
