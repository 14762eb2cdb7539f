//! Facts: statements that conditions and patterns make about the places that they test.

use super::NESTING;
use super::heads::{Head, head_of_predicate, head_of_tag, head_of_type};
use super::place::{Place, Root};
use crate::infer::Infer;
use crate::term::rules::Kinds;
use crate::term::{Apply, Match, Node, NodeId, PatId, PatKind, Prim};
use crate::text::{Name, Span};
use crate::ty::Ty;

/// A fact about a place.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Fact {
    /// It has this head.
    Is(Head),
    /// It has another head.
    IsNot(Head),
    /// It has a field.
    Has(Name),
    /// Its type was tested, with an unknown result.
    Tested,
    /// It was compared with a constant, so that it may have several types.
    Compared,
    /// It was passed to a function that may be a test.
    Passed,
}

/// The facts that follow if a condition holds, and if it does not.
#[derive(Clone, Default, Debug)]
pub(in crate::infer) struct Facts {
    pub(super) holds: Vec<(Place, Fact)>,
    fails: Vec<(Place, Fact)>,
}

impl Facts {
    fn of(place: Place, holds: Fact, fails: Fact) -> Facts {
        Facts { holds: vec![(place.clone(), holds)], fails: vec![(place, fails)] }
    }

    /// Weakens facts of which at least one holds, but it is not known which.
    fn vaguely(all: Vec<(Place, Fact)>) -> Vec<(Place, Fact)> {
        let vague = all.into_iter().filter_map(|(place, fact)| match fact {
            Fact::Has(_) => None,
            Fact::Passed => Some((place, Fact::Passed)),
            Fact::Compared => Some((place, Fact::Compared)),
            _ => Some((place, Fact::Tested)),
        });
        vague.collect()
    }
}

impl Infer<'_> {
    /// Returns the facts that a condition states.
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
            Node::Apply(apply) => self.call_facts(apply),
            Node::Local { up, slot } => {
                let alias = self.scopes.at(*up).and_then(|frame| self.alias_of(frame, *slot));
                alias.map(|alias| alias.facts.clone()).unwrap_or_default()
            }
            _ => Facts::default(),
        }
    }

    /// The facts of `std.typeof x == 'Number` or `x == null`.
    fn equality(&self, tested: NodeId, known: NodeId) -> Option<Facts> {
        let (place, head) = match self.term.node(known) {
            // where `null` may have any type, the comparison does not test a type
            Node::Null if self.rules().null_is_any() => return None,
            Node::Str(name) if self.rules().kinds == Kinds::Strings => match self.typeof_of(tested) {
                Some(place) => (place, head_of_type(name)?),
                None => return self.compared_with(tested),
            },
            Node::Number(_) if self.rules().overloads() && !self.rules().converts() => {
                return self.compared_with(tested);
            }
            Node::Null => (self.place(tested)?, Head::Null),
            Node::Tag(tag) => (self.typeof_of(tested)?, head_of_tag(tag)?),
            _ => return None,
        };
        Some(Facts::of(place, Fact::Is(head), Fact::IsNot(head)))
    }

    /// The facts of a comparison with a constant. The value may have any type. A test of a key, as in
    /// `function(key, value) if key == 'a' then value + 1 else value`, also lets the values of different keys have different types.
    fn compared_with(&self, tested: NodeId) -> Option<Facts> {
        let place = self.place(tested)?;
        let mut facts = Facts::of(place.clone(), Fact::Compared, Fact::Compared);
        if let (Root::Slot(0), []) = (&place.root, place.path.as_slice()) {
            let unit = |slot| self.scopes.plain_variable(place.frame, slot).and_then(|v| v.unit);
            let pair = unit(0).is_some() && unit(1).is_some() && self.scopes.plain_variable(place.frame, 2).is_none();
            if pair {
                let value = Place { root: Root::Slot(1), ..place };
                facts.holds.push((value.clone(), Fact::Tested));
                facts.fails.push((value, Fact::Tested));
            }
        }
        Some(facts)
    }

    /// Returns the place that an expression applies `std.typeof` to.
    pub(super) fn typeof_of(&self, id: NodeId) -> Option<Place> {
        let apply = match self.term.node(id) {
            Node::Apply(apply) => apply,
            Node::Local { up, slot } => return self.alias_of(self.scopes.at(*up)?, *slot)?.tested.clone(),
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

    /// The facts that a call states.
    fn call_facts(&self, apply: &Apply) -> Facts {
        let Some((func, args)) = self.call(apply) else { return Facts::default() };
        let Some(path) = self.library_name(func) else { return self.passed_to(func, &args) };
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

    /// The facts of a test whether a place has a field with a constant name.
    fn has(&self, field: NodeId, object: NodeId) -> Facts {
        if let (Node::Str(name), Some(frame)) = (self.term.node(field), self.object_of(object)) {
            // a field that the enclosing object lacks may come from another object
            return match self.scopes.member(frame, name) {
                None => {
                    let place = Place { frame, root: Root::Sibling(name.clone()), path: Vec::new() };
                    Facts { holds: vec![(place, Fact::Tested)], fails: Vec::new() }
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

    /// The facts of a call of a polymorphic function of the program.
    fn passed_to(&self, func: NodeId, args: &[NodeId]) -> Facts {
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
                facts.holds.push((place.clone(), Fact::Passed));
                facts.fails.push((place, Fact::Passed));
            }
        }
        facts
    }

    /// Returns the function and the arguments of a call. Nested calls count as one.
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

    /// Returns the path of a library function: `record`, `has_field` for `std.record.has_field`.
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

    /// Returns the facts of each arm of a match that tests a type; `None` for other matches.
    pub(in crate::infer) fn arm_facts(&self, m: &Match) -> Option<Vec<Facts>> {
        let applied = self.narrowing.applied.get(&m.scrutinee);
        let tested = match applied {
            Some(applied) => applied.tested.clone(),
            None => self.typeof_of(m.scrutinee),
        };
        let typeof_ = tested.is_some();
        let place = match (tested, applied) {
            (Some(place), _) => place,
            _ if !self.patterns_differ(m) => return None,
            (None, Some(applied)) => applied.place.clone()?,
            (None, None) => self.place(m.scrutinee)?,
        };
        let facts = m.arms.iter().map(|arm| {
            let fact = match &self.term.pat(arm.pat).kind {
                PatKind::Tag(tag) if typeof_ => head_of_tag(tag).map_or(Fact::Tested, Fact::Is),
                _ if typeof_ => Fact::Tested,
                _ => self.head_of_pattern(arm.pat).map_or(Fact::Tested, Fact::Is),
            };
            Facts { holds: vec![(place.clone(), fact)], fails: Vec::new() }
        });
        Some(facts.collect())
    }

    /// Whether the patterns of a match have several heads, so that the match tests the type of its scrutinee.
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

    /// Returns the head of the values that a pattern matches.
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

/// The facts under which a branch is inferred, each with the place of the test.
#[derive(Default)]
pub(in crate::infer) struct Views(pub(super) Vec<(Place, Fact, Span)>);

impl Views {
    /// The facts if the condition holds.
    pub(in crate::infer) fn holds(facts: &Facts, span: Span) -> Views {
        Views(facts.holds.iter().map(|(place, fact)| (place.clone(), fact.clone(), span)).collect())
    }

    /// The facts if the condition does not hold.
    pub(in crate::infer) fn fails(facts: &Facts, span: Span) -> Views {
        Views(facts.fails.iter().map(|(place, fact)| (place.clone(), fact.clone(), span)).collect())
    }
}
