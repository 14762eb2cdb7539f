//! Narrowing: what a test of a value's type says of it in the branch that the test guards.
//!
//! A *place* is a variable or a sibling, or a field of one. A condition that asks what a place is (`std.is_number x`,
//! `std.typeof x == 'Number`, `x == null`, `std.record.has_field "a" x`, and `!`, `&&`, `||` of them) gives each branch a
//! *view* of the place: a type of its own, which constrains neither the place nor its other uses. What is known of the place
//! stays known where it agrees with the test; elsewhere the view says what the test says, and nothing more (`Dyn` with
//! the reason): a view must never be a variable, which could become what the value is not.
//!
//! A function of the program that takes anything and is asked about a place is such a test as well: what accepts a value of
//! every type can tell values apart by asking for their types only.

mod heads;

use crate::infer::narrow::heads::{Head, head_of_predicate, head_of_tag, head_of_type, is_of, shape};
use crate::infer::why::{Because, Why};
use crate::infer::{Frame, Infer, Member, SlotTy};
use crate::term::{Apply, Binding, Match, Node, NodeId, PatId, PatKind, Prim};
use crate::text::{Name, Span};
use crate::ty::{DynReason, Field, Give, Kind, Need, Row, Tail, Ty, TyRef};

/// The name that jsonnet's `std` goes by.
const JSONNET: &str = "%std.jsonnet";
/// Fields of a place that are looked through.
const FIELDS: usize = 8;

/// What is at the root of a place.
#[derive(Clone, PartialEq, Debug)]
enum Root {
    Slot(u32),
    Sibling(Name),
}

/// A variable or a sibling, or a field of one.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::infer) struct Place {
    frame: usize,
    root: Root,
    path: Vec<Name>,
}

/// What a test says of a place.
#[derive(Clone, PartialEq, Debug)]
enum Fact {
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
    holds: Vec<(Place, Fact)>,
    fails: Vec<(Place, Fact)>,
}

/// What a name that a `let` binds stands for, beside its type.
#[derive(Default)]
pub(in crate::infer) struct Meaning {
    /// The place that it is another name of.
    place: Option<Place>,
    /// The place whose type `std.typeof` was asked for.
    asked: Option<Place>,
    /// What it says of places if it is true.
    facts: Facts,
    /// A literal of which more is known than its type.
    pub literal: bool,
}

/// A place as a branch sees it.
pub(in crate::infer) struct View {
    place: Place,
    ty: TyRef,
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
    /// The place that an expression is.
    pub(in crate::infer) fn place(&self, mut id: NodeId) -> Option<Place> {
        let mut path = Vec::new();
        let (up, root) = loop {
            match self.term.node(id) {
                Node::Project(target, name) if let Some(frame) = self.object_of(*target) => {
                    path.reverse();
                    return Some(Place { frame, root: Root::Sibling(name.clone()), path });
                }
                Node::Project(target, name) if path.len() < FIELDS => {
                    path.push(name.clone());
                    id = *target;
                }
                Node::Local { up, slot } => break (*up, Root::Slot(*slot)),
                Node::Member { up, name } => break (*up, Root::Sibling(name.clone())),
                _ => return None,
            }
        };
        path.reverse();
        let frame = self.frame_at(up)?;
        if let Root::Slot(slot) = root
            && let Some(place) = self.means(frame, slot).and_then(|means| means.place.as_ref())
        {
            let path = place.path.iter().cloned().chain(path).collect();
            return Some(Place { path, ..place.clone() });
        }
        Some(Place { frame, root, path })
    }

    fn means(&self, frame: usize, slot: u32) -> Option<&Meaning> {
        match self.frames.get(frame)? {
            Frame::Slots(slots) => slots.get(slot as usize)?.means.as_deref(),
            Frame::Record { .. } => None,
        }
    }

    /// What else the name of a binding stands for, whose body has just been inferred.
    pub(in crate::infer) fn meaning(&self, binding: &Binding) -> Option<Meaning> {
        let plain = binding.annots.is_empty() && binding.push.is_none();
        if !plain || !matches!(self.term.pat(binding.pat).kind, PatKind::Bind(_)) {
            return None;
        }
        let body = binding.body;
        Some(match self.term.node(body) {
            Node::Local { .. } | Node::Member { .. } | Node::Project(..) => {
                let literal = self.literals.contains(&self.term.span(body));
                Meaning { place: self.place(body), facts: self.facts(body), literal, ..Meaning::default() }
            }
            Node::Array(_) | Node::Tag(_) | Node::Variant(..) => {
                Meaning { literal: self.literals.contains(&self.term.span(body)), ..Meaning::default() }
            }
            Node::Apply(_) | Node::Prim(..) => {
                Meaning { asked: self.typeof_of(body), facts: self.facts(body), ..Meaning::default() }
            }
            _ => return None,
        })
    }

    /// What the branch at hand takes an expression for, if a test of it guards the branch.
    pub(in crate::infer) fn viewed(&self, id: NodeId) -> Option<TyRef> {
        if self.views.is_empty() {
            return None;
        }
        let place = self.place(id)?;
        self.views.iter().rev().find(|view| view.place == place).map(|view| view.ty.clone())
    }

    /// Whether a condition asks a place for its type.
    pub(in crate::infer) fn asks(&mut self, facts: &Facts) -> bool {
        facts.holds.iter().any(|(place, fact)| match fact {
            Fact::Has(_) => false,
            Fact::Judged => match self.known_part(place) {
                Some(ty) => matches!(&*self.table.head(&ty), Ty::Live(_)),
                None => true,
            },
            _ => true,
        })
    }

    /// Does something under what facts say, which were found when the condition had been inferred.
    pub(in crate::infer) fn under<T>(&mut self, facts: &Views, f: impl FnOnce(&mut Self) -> T) -> T {
        let from = self.views.len();
        for (place, fact, span) in &facts.0 {
            if let Some(ty) = self.view_of(place, fact, *span) {
                self.views.push(View { place: place.clone(), ty });
            }
        }
        let out = f(self);
        self.views.truncate(from);
        out
    }

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
            Node::Prim(Prim::In, operands) if self.is_jsonnet() => match **operands {
                [field, object] => self.has(field, object),
                _ => Facts::default(),
            },
            Node::Apply(apply) => self.asked_by(apply),
            Node::Local { up, slot } => {
                let means = self.frame_at(*up).and_then(|frame| self.means(frame, *slot));
                means.map(|means| means.facts.clone()).unwrap_or_default()
            }
            _ => Facts::default(),
        }
    }

    /// `std.typeof x == 'Number`, `x == null`
    fn equality(&self, asked: NodeId, known: NodeId) -> Option<Facts> {
        let (place, head) = match self.term.node(known) {
            // open: it says nothing of the place
            Node::Null if self.is_jsonnet() => return None,
            Node::Str(name) if self.is_jsonnet() => (self.typeof_of(asked)?, head_of_type(name)?),
            Node::Null => (self.place(asked)?, Head::Null),
            Node::Tag(tag) => (self.typeof_of(asked)?, head_of_tag(tag)?),
            _ => return None,
        };
        Some(Facts::of(place, Fact::Is(head), Fact::IsNot(head)))
    }

    /// The place whose type `std.typeof` is asked for.
    pub(in crate::infer) fn typeof_of(&self, id: NodeId) -> Option<Place> {
        let apply = match self.term.node(id) {
            Node::Apply(apply) => apply,
            Node::Local { up, slot } => return self.means(self.frame_at(*up)?, *slot)?.asked.clone(),
            _ => return None,
        };
        let (func, args) = self.call(apply)?;
        match (self.library_name(func)?.as_slice(), args.as_slice()) {
            ([name], [arg]) if name == "typeof" || (name == "type" && self.is_jsonnet()) => self.place(*arg),
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
            ([name], [arg, field, ..]) if name.starts_with("objectHas") && self.is_jsonnet() => self.has(*field, *arg),
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
            return match self.frames.get(frame) {
                Some(Frame::Record { members, .. }) if !members.contains_key(name) => {
                    let place = Place { frame, root: Root::Sibling(name.clone()), path: Vec::new() };
                    Facts { holds: vec![(place, Fact::Asked)], fails: Vec::new() }
                }
                _ => Facts::default(),
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
            if groups.len() == FIELDS {
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
            if path.len() == FIELDS {
                return None;
            }
        }
        path.reverse();
        let std = if self.is_jsonnet() { JSONNET } else { "std" };
        matches!(self.term.node(id), Node::Global(name) if name == std).then_some(path)
    }

    /// The facts of the arms of a match on what `std.typeof` gave.
    pub(in crate::infer) fn arm_facts(&self, m: &Match) -> Option<Vec<Facts>> {
        let value = self.applied.get(&m.scrutinee).copied();
        let asked = match value {
            Some(_) => self.asked.get(&m.scrutinee).cloned(),
            None => self.typeof_of(m.scrutinee),
        };
        let typeof_ = asked.is_some();
        let place = match (asked, value) {
            (Some(place), _) => place,
            _ if !self.patterns_differ(m) => return None,
            (None, Some(_)) => self.subjects.get(&m.scrutinee)?.clone(),
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

    /// What is known of a place in the branch at hand, without asking anything of it.
    fn known(&self, place: &Place) -> Option<TyRef> {
        if let Some(view) = self.views.iter().rev().find(|view| view.place == *place) {
            return Some(view.ty.clone());
        }
        if !place.path.is_empty() {
            return None;
        }
        match (self.frames.get(place.frame)?, &place.root) {
            (Frame::Slots(slots), Root::Slot(slot)) => slots.get(*slot as usize).map(SlotTy::read),
            (Frame::Record { members, .. }, Root::Sibling(name)) => match members.get(name)? {
                Member::Done(field) => Some(field.ty.clone()),
                Member::Declared(ty) | Member::Pending(Some(ty)) => Some(ty.clone()),
                Member::Pending(None) => None,
            },
            _ => None,
        }
    }

    /// The same of a part of a place; nothing where nothing is known.
    fn known_part(&mut self, place: &Place) -> Option<TyRef> {
        for split in (0..=place.path.len()).rev() {
            let (outer, inner) = place.path.split_at(split);
            let at = Place { path: outer.to_vec(), ..place.clone() };
            let Some(mut ty) = self.known(&at) else { continue };
            for name in inner {
                let head = self.open_head(&ty);
                ty = match &*head {
                    Ty::Record(row) => {
                        let row = self.open_row(row);
                        match (row.get(name), row.tail()) {
                            (Some(field), _) => field.ty.clone(),
                            (None, Tail::Dict(item)) => item.clone(),
                            (None, Tail::Dyn(reason)) => Ty::Dyn(*reason).into(),
                            _ => return None,
                        }
                    }
                    Ty::Dyn(_) => head,
                    _ => return None,
                };
            }
            return Some(ty);
        }
        None
    }

    /// What a branch sees of a place under a fact; nothing where that is what everybody sees.
    fn view_of(&mut self, place: &Place, fact: &Fact, span: Span) -> Option<TyRef> {
        let jsonnet = self.is_jsonnet();
        let known = self.known_part(place);
        let head = known.map(|ty| match &*self.table.head(&ty) {
            Ty::Library(_) => self.open_head(&ty),
            Ty::Forall(_) if jsonnet => {
                let one = self.table.head(&ty);
                let one = self.instantiate(&one);
                self.open_head(&one)
            }
            _ => self.table.head(&ty),
        });
        let unknown = || -> TyRef { Ty::Dyn(DynReason::Tested(span)).into() };
        let shape = |head: Head| match head {
            // of how many parameters is not known
            Head::Function if jsonnet => unknown(),
            head => shape(head, span),
        };
        let free = matches!(head.as_deref(), None | Some(Ty::Live(_)));
        match fact {
            Fact::Judged => free.then(unknown),
            Fact::Asked => free.then(unknown),
            Fact::Has(name) => self.with_field(head?, name, span),
            Fact::Is(wanted) => match head.as_deref() {
                Some(Ty::Union(members)) => {
                    let one = members.iter().find(|m| is_of(m, *wanted) == Some(true));
                    Some(one.cloned().unwrap_or_else(|| shape(*wanted)))
                }
                Some(ty) if !free => match is_of(ty, *wanted) {
                    Some(true) => None,
                    Some(false) => Some(unknown()),
                    None if matches!(ty, Ty::Dyn(_)) => Some(shape(*wanted)),
                    None => None,
                },
                _ => Some(shape(*wanted)),
            },
            Fact::IsNot(other) => match head.as_deref() {
                Some(Ty::Union(members)) => {
                    let mut rest = members.iter().filter(|m| is_of(m, *other) != Some(true));
                    match (rest.next(), rest.next()) {
                        (Some(one), None) => Some(one.clone()),
                        _ => None,
                    }
                }
                Some(ty) if !free => (is_of(ty, *other) == Some(true)).then(unknown),
                _ => Some(unknown()),
            },
        }
    }

    /// A record that is known to have a field: callers may leave it out, since somebody asked.
    fn with_field(&mut self, head: TyRef, name: &Name, span: Span) -> Option<TyRef> {
        let because = Because::new(span, Why::Access(name.clone())).unsure();
        let row = match &*head {
            Ty::Record(row) => self.open_row(row),
            Ty::Live(v) if !self.is_rigid(*v) => {
                let tail = Tail::Live(self.fresh_tail(Kind::Row));
                let any: TyRef = Ty::Record(Row::new(tail.clone())).into();
                let _ = self.unify(&head, &any, &because);
                Row::new(tail)
            }
            _ => return None,
        };
        if row.get(name).is_some() {
            return None;
        }
        match row.tail().clone() {
            Tail::Live(v) if !self.is_rigid(v) => {
                let ty = self.fresh();
                let mut rest = Row::new(Tail::Live(self.fresh_tail(Kind::Row)));
                let field = Field { give: Give::Maybe, need: Need::None, ..Field::given(ty, Some(span)) };
                rest.insert(name.clone(), field);
                let _ = self.bind_tail(v, Ty::Record(rest), &because);
                None
            }
            Tail::Dict(_) | Tail::Dyn(_) => None,
            _ => {
                let mut out = row.clone();
                out.insert(name.clone(), Field::given(Ty::Dyn(DynReason::Tested(span)).into(), Some(span)));
                Some(Ty::Record(out).into())
            }
        }
    }
}

/// What a branch is inferred under.
#[derive(Default)]
pub(in crate::infer) struct Views(Vec<(Place, Fact, Span)>);

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
