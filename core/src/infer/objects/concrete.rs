//! Names that are computed from constants, and comprehensions over the names of a known object.
//!
//! ```text
//! { ['x-' + n]: o.part[n] for n in std.objectFields(o.part) }
//! ```
//!
//! has the fields of `o.part` under other names, with their types and faults.

use crate::infer::Infer;
use crate::infer::why::{UnifyReason, Why};
use crate::term::{Comprehension, FieldName, ImportKind, Node, NodeId, Prim};
use crate::text::{Name, Span};
use crate::ty::{Failure, Field, Presence, Row, Tail, Ty, TyRef, VariableKind};

/// Maximum number of fields that such a comprehension makes.
const FIELDS: usize = 2000;
/// Maximum length of a computed name, in bytes.
const NAME: usize = 1000;

/// A value that a program reads by a path from a variable or a file.
#[derive(Clone, PartialEq, Debug)]
struct Place {
    root: Root,
    steps: Vec<Step>,
}

#[derive(Clone, PartialEq, Debug)]
enum Root {
    /// A variable: its frame and its slot.
    Variable(usize, u32),
    /// A file, by the path that the program writes.
    Import(Name),
}

#[derive(Clone, PartialEq, Debug)]
enum Step {
    /// A field.
    Field(Name),
    /// The field whose name is the variable of the `for` with this frame.
    Item(usize),
}

/// The names over which a `for` iterates.
enum Names {
    /// Those of an array literal.
    Written(Vec<Name>),
    /// The fields of an object. With `hidden`, the hidden ones too.
    Of { place: Place, hidden: bool },
}

/// A `for` over names that are known when its object is.
struct Loop {
    frame: usize,
    names: Names,
    /// Whether it may leave out some of the names.
    filtered: bool,
}

/// The loops of a comprehension.
#[derive(Default)]
pub(super) struct Loops {
    all: Vec<Loop>,
    /// The types of the places that do not depend on a loop.
    bases: Vec<(Place, TyRef)>,
    /// Whether the names of a loop, or the conditions, are not known.
    unknown: bool,
    /// Whether there are conditions.
    conditions: bool,
}

/// The name of each loop, by frame.
type Round = Vec<(usize, Name)>;

/// A field that a comprehension makes.
struct Made {
    name: Option<Name>,
    ty: Option<TyRef>,
    presence: Presence,
}

impl Infer<'_> {
    /// Returns the number of frames around the current expression.
    fn depth(&self) -> usize {
        self.scopes.at(0).map_or(0, |frame| frame + 1)
    }

    /// Returns the name that an expression computes from constants.
    pub(super) fn constant_name(&self, id: NodeId) -> Option<Name> {
        self.text_of(id, self.depth(), &Vec::new()).map(Name::from)
    }

    /// Returns the string that an expression with `depth` frames around it has in a round of loops.
    fn text_of(&self, id: NodeId, depth: usize, round: &Round) -> Option<String> {
        let text = match self.term.node(id) {
            Node::Str(text) => text.to_string(),
            Node::Local { up, slot } => {
                let frame = depth.checked_sub(1 + *up as usize)?;
                match round.iter().find(|(at, _)| *at == frame) {
                    Some((_, name)) => name.to_string(),
                    None => {
                        let constant = self.scopes.variable(frame, *slot)?.constant?;
                        let Node::Str(text) = self.term.node(constant) else { return None };
                        text.to_string()
                    }
                }
            }
            Node::Prim(Prim::Plus, operands) => {
                let [left, right] = &**operands else { return None };
                crate::infer::deep(|| Some(self.text_of(*left, depth, round)? + &self.text_of(*right, depth, round)?))?
            }
            Node::Prim(Prim::Rem, operands) => {
                let [format, values] = &**operands else { return None };
                let Node::Str(format) = self.term.node(*format) else { return None };
                let mut values = match self.term.node(*values) {
                    Node::Array(items) => items.to_vec(),
                    _ => vec![*values],
                }
                .into_iter();
                let mut out = String::new();
                let mut parts = format.split('%');
                out.push_str(parts.next()?);
                while let Some(part) = parts.next() {
                    if let Some(rest) = part.strip_prefix('s') {
                        out.push_str(&crate::infer::deep(|| self.text_of(values.next()?, depth, round))?);
                        out.push_str(rest);
                    } else if part.is_empty() {
                        out.push('%');
                        out.push_str(parts.next()?);
                    } else {
                        return None;
                    }
                }
                values.next().is_none().then_some(out)?
            }
            _ => return None,
        };
        (text.len() <= NAME).then_some(text)
    }

    /// Returns the place that an expression with `depth` frames around it reads.
    fn place_of(&self, id: NodeId, depth: usize, loops: &Loops) -> Option<Place> {
        let term = self.term.clone();
        let mut steps = Vec::new();
        let mut at = id;
        let is_loop = |frame: usize| loops.all.iter().any(|l| l.frame == frame);
        let root = loop {
            at = match term.node(at) {
                Node::Project(target, name) => {
                    steps.push(Step::Field(name.clone()));
                    *target
                }
                Node::Index(pair) => {
                    let step = match term.node(pair[1]) {
                        Node::Str(name) => Step::Field(name.clone()),
                        Node::Local { up, slot: 0 } => {
                            let frame = depth.checked_sub(1 + *up as usize)?;
                            is_loop(frame).then_some(Step::Item(frame))?
                        }
                        _ => return None,
                    };
                    steps.push(step);
                    pair[0]
                }
                Node::Local { up, slot } => {
                    let frame = depth.checked_sub(1 + *up as usize)?;
                    if is_loop(frame) || self.scopes.variable(frame, *slot)?.object.is_some() {
                        return None;
                    }
                    break Root::Variable(frame, *slot);
                }
                Node::Import(import) if matches!(import.kind, ImportKind::Code(_)) => {
                    break Root::Import(import.path.clone());
                }
                _ => return None,
            };
            if steps.len() > 64 {
                return None;
            }
        };
        steps.reverse();
        Some(Place { root, steps })
    }

    /// Records the array of a `for`, before its frame is opened.
    pub(super) fn note_loop(&mut self, items: NodeId, loops: &mut Loops) {
        if loops.unknown || self.rules().converts() {
            loops.unknown = true;
            return;
        }
        let frame = self.depth();
        let mut filtered = loops.conditions;
        let term = self.term.clone();
        let mut at = items;
        let names = loop {
            break match term.node(at) {
                Node::Array(items) => {
                    let name = |id: &NodeId| match term.node(*id) {
                        Node::Str(name) => Some(name.clone()),
                        _ => None,
                    };
                    items.iter().map(name).collect::<Option<Vec<Name>>>().map(Names::Written)
                }
                Node::Apply(apply) => match (self.library_function(apply.func).as_deref(), apply.args.as_slice()) {
                    (Some("filter"), [_, (None, array)]) => {
                        filtered = true;
                        at = *array;
                        continue;
                    }
                    (Some(function @ ("objectFields" | "objectFieldsAll")), [(None, object)]) => {
                        let hidden = function == "objectFieldsAll";
                        self.place_of(*object, frame, loops).map(|place| {
                            if !place.steps.iter().any(|step| matches!(step, Step::Item(_))) {
                                let ty = self.in_own_unit(*object);
                                self.is_final(&ty, *object);
                                loops.bases.push((place.clone(), ty));
                            }
                            Names::Of { place, hidden }
                        })
                    }
                    _ => None,
                },
                _ => None,
            };
        };
        match names {
            Some(names) => loops.all.push(Loop { frame, names, filtered }),
            None => loops.unknown = true,
        }
    }

    /// Records a condition of a comprehension.
    pub(super) fn note_condition(&mut self, loops: &mut Loops) {
        loops.conditions = true;
    }

    /// Returns the type of the value at a place in a round of loops, with its faults.
    fn at_place(&mut self, place: &Place, loops: &Loops, round: &Round) -> Option<TyRef> {
        let (base, ty) =
            loops.bases.iter().find(|(base, _)| base.root == place.root && place.steps.starts_with(&base.steps))?;
        let mut ty = ty.clone();
        for step in place.steps.get(base.steps.len()..)? {
            let name = match step {
                Step::Field(name) => name,
                Step::Item(frame) => &round.iter().find(|(at, _)| at == frame)?.1,
            };
            let (head, row) = self.known_object(&ty)?;
            let field = row.get(name).filter(|field| field.presence == Presence::Yes)?;
            let inner = self.of(&field.ty, &head);
            ty = self.instantiate(&inner);
        }
        Some(ty)
    }

    /// Returns an object all of whose fields are known, with its row.
    fn known_object(&mut self, ty: &TyRef) -> Option<(TyRef, Row)> {
        let mut at = ty.clone();
        loop {
            at = match &*at {
                Ty::Fails(_, inner) => inner.clone(),
                // another object may still extend it
                Ty::Sibling(..) => return None,
                Ty::Forall(scheme) if !scheme.vars.contains(&VariableKind::This) => self.instantiate(&at),
                _ => break,
            };
        }
        let head = self.open_head(&at);
        let Ty::Record(row) = &*head else { return None };
        let row = self.open_row(row);
        matches!(row.tail(), Tail::Closed).then_some((head, row))
    }

    /// Returns all rounds of the loops, each with whether it is certain to take place.
    fn rounds(&mut self, loops: &Loops) -> Option<Vec<(Round, bool)>> {
        let mut rounds: Vec<(Round, bool)> = vec![(Vec::new(), !loops.conditions)];
        for one in &loops.all {
            let mut next = Vec::new();
            for (round, certain) in rounds {
                let names: Vec<(Name, bool)> = match &one.names {
                    Names::Written(names) => names.iter().map(|name| (name.clone(), true)).collect(),
                    Names::Of { place, hidden } => {
                        let object = self.at_place(place, loops, &round)?;
                        let (_, row) = self.known_object(&object)?;
                        let fields = row.fields().filter(|(_, f)| f.presence != Presence::No && (*hidden || !f.hidden));
                        fields.map(|(name, f)| (name.clone(), f.presence == Presence::Yes)).collect()
                    }
                };
                for (name, given) in names {
                    let mut round = round.clone();
                    round.push((one.frame, name));
                    next.push((round, certain && given && !one.filtered));
                    if next.len() > FIELDS {
                        return None;
                    }
                }
            }
            rounds = next;
        }
        Some(rounds)
    }

    /// Returns the fields or elements that a comprehension makes, if all rounds of its loops are known. The frames of the loops are
    /// open.
    fn made(&mut self, c: &Comprehension, loops: &Loops) -> Option<Vec<Made>> {
        // a comprehension over written names makes a dictionary
        if loops.unknown || !loops.all.iter().any(|l| matches!(l.names, Names::Of { .. })) {
            return None;
        }
        let term = self.term.clone();
        let depth = self.depth();
        let (label, value) = match (c.object, term.node(c.body)) {
            (false, _) => (None, self.place_of(c.body, depth, loops)),
            (true, Node::Record(lit)) => {
                let [def] = lit.fields.as_slice() else { return None };
                let FieldName::Computed(label) = def.name else { return None };
                (Some(label), self.place_of(def.body?, depth + 1, loops))
            }
            _ => return None,
        };
        let mut made = Vec::new();
        for (round, certain) in self.rounds(loops)? {
            let name = label.and_then(|label| self.text_of(label, depth, &round)).map(Name::from);
            let ty = match &value {
                Some(place) => self.at_place(place, loops, &round),
                None => None,
            };
            made.push(Made { name, ty, presence: if certain { Presence::Yes } else { Presence::Maybe } });
        }
        Some(made)
    }

    /// Returns the type of a comprehension all of whose names, or all of whose values, are known. `body`: the type of its body for any
    /// round.
    pub(super) fn unrolled(&mut self, c: &Comprehension, loops: &Loops, body: &TyRef, span: Span) -> Option<TyRef> {
        let made = self.made(c, loops)?;
        if made.is_empty() {
            return None;
        }
        let all_known = made.iter().all(|one| one.ty.is_some());
        let because = UnifyReason::new(span, Why::Computed).unsure();
        if c.object && made.iter().all(|one| one.name.is_some()) {
            let mut row = Row::new(Tail::Closed);
            for one in made {
                let ty = one.ty.unwrap_or_else(|| body.clone());
                let ty = if one.presence == Presence::Yes { ty } else { self.without_failures(&ty) };
                let name = one.name.unwrap_or_default();
                row.insert(name, Field { presence: one.presence, ..Field::given(ty, None) });
            }
            return Some(Ty::Record(row).into());
        }
        if !all_known {
            return None;
        }
        let mut faults: Vec<Failure> = Vec::new();
        let mut item: Option<TyRef> = None;
        for one in made {
            let Some(ty) = one.ty else { continue };
            if one.presence == Presence::Yes {
                faults.extend(self.failures_in(&ty));
            }
            let ty = self.without_failures(&ty);
            item = Some(match item {
                Some(item) => self.join_quietly(&item, &ty, &because),
                None => ty,
            });
        }
        let item = item?;
        let whole: TyRef =
            if c.object { Ty::Record(Row::new(Tail::Dict(item))).into() } else { Ty::Array(item).into() };
        Some(crate::infer::failing(whole, faults.into_iter().map(|fault| Failure { deep: true, ..fault })))
    }
}
