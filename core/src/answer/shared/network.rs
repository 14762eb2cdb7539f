//! The network of reads between items with names: fields of a value, locals, definitions and files.
//!
//! An evaluation that traces ([`crate::value::trace`]) identifies thunks. This module gives them the names that a user
//! knows. A thunk without a name (an operand, an element, an argument) is skipped: its readers are treated as reading
//! what it reads.

use crate::deep::expect_memory;
use crate::meta::Priority;
use crate::state::Workspace;
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, Span};
use crate::value::datum::Datum;
use crate::value::machine::Budget;
use crate::value::trace::{Bindings, Id, MAX_DEPTH, Origin, Reads, TracedDefinition, TracedRole};
use crate::value::{Record, Thunk, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum size of a value next to a name.
const SHOWN: Budget = Budget { elements: 12, depth: 2, text: 200 };

/// Maximum number of steps from items to what they read, besides one for each node of the evaluation.
const STEPS: usize = 10_000_000;

/// The kind and the name of an item.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Label {
    /// A field of the value in question. In a session, the first step is a definition. The empty path is the value
    /// itself.
    Field(FieldPath),
    /// A `let` or an object's local, and a path into it.
    Local(Name, FieldPath),
    /// A definition of the session other than the one in question, and a path into it: an earlier definition of the
    /// same name, a result, or a definition that an expression reads.
    Definition(Name, FieldPath),
    /// An external variable or an argument of the program, and a path into it.
    External(Name, FieldPath),
    /// An imported file, and a path into it.
    Import(Name, FieldPath),
    /// A field of a record that has no name.
    Unnamed(Name),
}

/// An item that has a name.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its name.
    pub label: Label,
    /// Its value, if it was computed.
    pub value: Option<Datum>,
    /// Its definitions in source order, including those that lose.
    pub definitions: Vec<TracedDefinition>,
    /// Definitions inside its own definition that its value is made from. They have no line of their own.
    pub inside: Vec<Span>,
    /// The numbers of the items that it reads, in the order of the first read.
    pub reads: Vec<usize>,
}

impl Label {
    /// Returns the number of steps of its path.
    fn depth(&self) -> usize {
        match self {
            Label::Field(path)
            | Label::Local(_, path)
            | Label::Definition(_, path)
            | Label::External(_, path)
            | Label::Import(_, path) => path.steps.len(),
            Label::Unnamed(_) => 0,
        }
    }
}

impl Item {
    /// Returns the winning definition; if several are combined, the last one.
    pub fn winner(&self) -> Option<&TracedDefinition> {
        let counts = |d: &&TracedDefinition| matches!(d.role, TracedRole::Wins | TracedRole::Joined);
        self.definitions.iter().rfind(counts).or(self.definitions.first())
    }

    /// Returns the place of its definition.
    pub fn place(&self) -> Option<Span> {
        self.winner().and_then(|d| d.body.or(d.name))
    }

    /// Returns the number of its definitions that do not contribute to its value.
    pub fn lost(&self) -> usize {
        self.definitions.iter().filter(|d| d.role == TracedRole::Lost && d.body.is_some()).count()
    }

    /// Returns the priority of the winning definition.
    pub fn priority(&self) -> Priority {
        self.winner().map(|d| d.priority.clone()).unwrap_or_default()
    }

    /// Returns the path, if it is a field of the value in question.
    pub fn path(&self) -> Option<&FieldPath> {
        match &self.label {
            Label::Field(path) => Some(path),
            _ => None,
        }
    }
}

/// All items that have a name and were read.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// The items.
    pub items: Vec<Item>,
    /// Whether items are missing because the evaluation was interrupted or is too large.
    pub cut: bool,
    paths: FxHashMap<FieldPath, usize>,
    numbers: FxHashMap<Id, usize>,
    /// The node of each item. Items that several paths lead to have the same node.
    ids: Vec<Id>,
    /// The items that got another name and are not fields.
    renamed: FxHashMap<Label, usize>,
}

impl Network {
    /// Returns the number of the item at a path.
    pub fn find(&self, path: &FieldPath) -> Option<usize> {
        self.paths.get(path).copied()
    }

    /// Returns the number of the item for a node of the evaluation.
    pub fn number(&self, id: Id) -> Option<usize> {
        self.numbers.get(&id).copied()
    }

    /// Returns the number of the item for a node that was found at a path.
    pub fn number_at(&self, id: Id, path: &FieldPath) -> Option<usize> {
        self.find(path).filter(|number| self.ids.get(*number) == Some(&id)).or_else(|| self.number(id))
    }

    /// Returns the field that a reader reads through a name for a record around it: `a` for `me.a` after `local me = self`. `None` for
    /// a part of another record: that may be several fields of the value in question.
    pub fn field_around(&self, reader: usize, number: usize) -> Option<usize> {
        let Label::Local(_, inner) = &self.item(number)?.label else { return None };
        let first = self.ids.get(number).and_then(|id| self.number(*id))?;
        let record = self.item(first)?.path()?.steps.strip_suffix(inner.steps.as_slice())?;
        (!inner.steps.is_empty() && self.item(reader)?.path()?.steps.starts_with(record)).then_some(first)
    }

    /// Returns the numbers of the other items that have the same nodes as some items. O(items).
    pub fn aliases(&self, numbers: &[usize]) -> Vec<usize> {
        let ids: FxHashSet<Id> = numbers.iter().filter_map(|number| self.ids.get(*number)).copied().collect();
        let known: FxHashSet<usize> = numbers.iter().copied().collect();
        let all = self.ids.iter().enumerate().filter(|(number, id)| ids.contains(id) && !known.contains(number));
        all.map(|(number, _)| number).collect()
    }

    /// Returns the item with a number.
    pub fn item(&self, number: usize) -> Option<&Item> {
        self.items.get(number)
    }

    /// Returns the items that an item reads, in order. A container is left out if it is only on the path to another
    /// item that is read.
    pub fn reads(&self, number: usize) -> Vec<usize> {
        let Some(item) = self.items.get(number) else { return Vec::new() };
        let mut above: FxHashSet<Label> = FxHashSet::default();
        for label in item.reads.iter().filter_map(|n| self.items.get(*n)).map(|other| &other.label) {
            above.extend(around(label));
        }
        let of_own = |label: &Label| match (label, item.path()) {
            (Label::Field(path), Some(own)) => own.steps.starts_with(&path.steps),
            _ => false,
        };
        let keep = |n: &&usize| {
            self.items.get(**n).is_some_and(|other| !of_own(&other.label) && !above.contains(&other.label))
        };
        item.reads.iter().filter(keep).copied().collect()
    }

    /// Returns the items that read each item, by the same rule.
    pub fn readers(&self) -> Vec<Vec<usize>> {
        let mut out = vec![Vec::new(); self.items.len()];
        for reader in 0..self.items.len() {
            for read in self.reads(reader) {
                if let Some(readers) = out.get_mut(read) {
                    readers.push(reader);
                }
            }
        }
        out
    }
}

/// Returns the labels of the items around an item with a path.
fn around(label: &Label) -> Vec<Label> {
    let (Label::Field(path)
    | Label::Local(_, path)
    | Label::Definition(_, path)
    | Label::External(_, path)
    | Label::Import(_, path)) = label
    else {
        return Vec::new();
    };
    let above = (0..path.steps.len()).filter_map(|length| path.steps.get(..length));
    let above = above.map(|steps| FieldPath { steps: steps.to_vec() });
    let labels = above.map(|above| match label {
        Label::Local(name, _) => Label::Local(name.clone(), above),
        Label::Definition(name, _) => Label::Definition(name.clone(), above),
        Label::External(name, _) => Label::External(name.clone(), above),
        Label::Import(name, _) => Label::Import(name.clone(), above),
        _ => Label::Field(above),
    });
    labels.collect()
}

/// Names the items that were read while `root` was evaluated. `at` is the path of `root`: the name of a definition in a
/// session, empty for a program. O(items read).
pub fn network(session: &mut Workspace, reads: &Reads, root: Option<&Thunk>, at: &FieldPath) -> Network {
    let (labels, secrets) = (vec![None; reads.count()], secret_records(reads));
    let mut namer = Namer { reads, labels, fields: FxHashMap::default(), elements: Vec::new(), secrets };
    for id in 0..reads.count() as Id {
        if let Some((record, name)) = reads.as_field(id) {
            namer.fields.entry(record.address()).or_default().push((name.clone(), id));
        }
    }
    let mut bindings = Bindings::default();
    let alone = root.is_some();
    if let Some(root) = root.and_then(|root| reads.node(root)) {
        namer.name(root, Label::Field(at.clone()));
    }
    let mut locals = Vec::new();
    for id in 1..reads.count() as Id {
        match reads.origin(id) {
            // An internal name of the command line's programs is not shown.
            Origin::Definition(name) if name.contains('%') => {}
            // For an expression, a definition is not a part of the value in question.
            Origin::Definition(name) if crate::state::is_written(name) && !(alone && at.steps.is_empty()) => {
                namer.name(id, Label::Field(FieldPath::from(std::slice::from_ref(name))));
            }
            Origin::Definition(name) => {
                let name = name.split('@').next().unwrap_or_default();
                namer.name(id, Label::Definition(Name::new(name), FieldPath::root()));
            }
            Origin::External(name) => namer.name(id, Label::External(name.clone(), FieldPath::root())),
            Origin::Import(name) => namer.name(id, Label::Import(name.clone(), FieldPath::root())),
            Origin::Code(..) => locals.extend(reads.binding(id, &mut bindings).map(|found| (id, found))),
            _ => {}
        }
    }
    let mut spans: FxHashMap<Id, Vec<TracedDefinition>> = FxHashMap::default();
    for (id, (name, place, body)) in locals {
        let name = if name.is_empty() { Name::from(session.written(place)) } else { name };
        namer.name(id, Label::Local(name, FieldPath::root()));
        let defined = TracedDefinition {
            body: Some(body),
            name: Some(place),
            priority: Priority::Normal,
            role: TracedRole::Wins,
        };
        spans.insert(id, vec![defined]);
    }
    namer.name_parts_of_elements();
    for id in 1..reads.count() as Id {
        let Some((record, name)) = reads.as_field(id) else { continue };
        let definitions = reads.definitions(record, name);
        if namer.label(id).is_none()
            && !namer.secrets.contains(&record.address())
            && definitions.iter().any(|d| d.body.is_some())
        {
            namer.name(id, Label::Unnamed(name.clone()));
        }
        spans.insert(id, definitions);
    }
    for id in 1..reads.count() as Id {
        if let Origin::Definition(_) | Origin::Import(_) | Origin::External(_) = reads.origin(id) {
            let body = reads.thunk(id).and_then(|thunk| reads.code(thunk));
            let defined = body.map(|body| TracedDefinition {
                body: Some(body),
                name: None,
                priority: Priority::Normal,
                role: TracedRole::Wins,
            });
            spans.insert(id, defined.into_iter().collect());
        }
    }
    build(session, reads, &namer.labels, spans)
}

struct Namer<'r> {
    reads: &'r Reads,
    labels: Vec<Option<Label>>,
    /// The fields that were read, by the addresses of their records.
    fields: FxHashMap<usize, Vec<(Name, Id)>>,
    /// The elements of arrays that have names and are records.
    elements: Vec<(Record, Label)>,
    /// The addresses of the records that were computed from secrets. The names of their fields may be secrets.
    secrets: FxHashSet<usize>,
}

/// Returns the addresses of the records that were computed from secrets.
fn secret_records(reads: &Reads) -> FxHashSet<usize> {
    let secret = |id| reads.thunk(id).filter(|thunk| thunk.secret().is_some()).and_then(Thunk::computed);
    let address = |value| if let Value::Record(record) = value { Some(record.address()) } else { None };
    (1..reads.count() as Id).filter_map(secret).filter_map(address).collect()
}

impl Namer<'_> {
    fn label(&self, id: Id) -> Option<&Label> {
        self.labels.get(id as usize)?.as_ref()
    }

    /// Names a node that has no name yet, and the values that it holds.
    fn name(&mut self, id: Id, label: Label) {
        let mut work = std::collections::VecDeque::from([(id, label)]);
        while let Some((id, label)) = work.pop_front() {
            let Some(place) = self.labels.get_mut(id as usize) else { continue };
            if place.is_some() {
                continue;
            }
            *place = Some(label.clone());
            if label.depth() >= MAX_DEPTH {
                continue;
            }
            match self.reads.value(id) {
                Some(Value::Record(record)) if !self.secrets.contains(&record.address()) => {
                    for (name, id) in self.fields.get(&record.address()).into_iter().flatten() {
                        work.push_back((*id, then(&label, Step::Field(name.clone()))));
                    }
                }
                Some(Value::Array(array)) => {
                    for index in 0..array.len() {
                        let Some(element) = array.at(index) else { continue };
                        let label = then(&label, Step::Index(index));
                        if let Some(Value::Record(record)) = element.computed() {
                            self.elements.push((record, label.clone()));
                        }
                        if let Some(id) = self.reads.node(&element) {
                            work.push_back((id, label));
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

impl Namer<'_> {
    /// Names the fields of the records that elements were merged from, as the fields of the elements. A rule for a list
    /// reads them: the elements with the same `name` are merged. O(elements + records that they were merged from).
    fn name_parts_of_elements(&mut self) {
        for (record, label) in std::mem::take(&mut self.elements) {
            let mut work = vec![record];
            while let Some(record) = work.pop() {
                if self.secrets.contains(&record.address()) {
                    continue;
                }
                work.extend(record.made_from().iter().rev().cloned());
                for (name, id) in self.fields.get(&record.address()).cloned().unwrap_or_default() {
                    self.name(id, then(&label, Step::Field(name)));
                }
            }
        }
    }
}

fn then(label: &Label, step: Step) -> Label {
    match label {
        Label::Field(path) => Label::Field(path.then(step)),
        Label::Local(name, path) => Label::Local(name.clone(), path.then(step)),
        Label::Definition(name, path) => Label::Definition(name.clone(), path.then(step)),
        Label::External(name, path) => Label::External(name.clone(), path.then(step)),
        Label::Import(name, path) => Label::Import(name.clone(), path.then(step)),
        Label::Unnamed(name) => Label::Unnamed(name.clone()),
    }
}

/// Returns `true` if one span lies in another.
fn lies_in(inner: Span, outer: Span) -> bool {
    inner.source == outer.source && outer.start <= inner.start && inner.end <= outer.end
}

fn build(
    session: &mut Workspace,
    reads: &Reads,
    labels: &[Option<Label>],
    mut definitions: FxHashMap<Id, Vec<TracedDefinition>>,
) -> Network {
    let mut network = Network { cut: reads.is_full(), ..Network::default() };
    let mut shown: Vec<Id> = Vec::new();
    // the other nodes of items
    let mut further: FxHashMap<usize, Vec<Id>> = FxHashMap::default();
    for (label, id) in labels.iter().zip(0..) {
        let Some(label) = label else { continue };
        let number = network.items.len();
        expect_memory(number);
        if let Label::Field(path) = label {
            // an element of a list and the records that it was merged from have the same path
            if let Some(known) = network.paths.get(path).copied()
                && let Some(item) = network.items.get_mut(known)
            {
                network.numbers.insert(id, known);
                let known_bodies: FxHashSet<Option<Span>> = item.definitions.iter().map(|d| d.body).collect();
                let own = definitions.remove(&id).unwrap_or_default();
                item.definitions.extend(own.into_iter().filter(|d| !known_bodies.contains(&d.body)));
                further.entry(known).or_default().push(id);
                continue;
            }
            network.paths.insert(path.clone(), number);
        }
        network.numbers.insert(id, number);
        network.ids.push(id);
        shown.push(id);
        network.items.push(Item {
            label: label.clone(),
            value: None,
            definitions: definitions.remove(&id).unwrap_or_default(),
            inside: Vec::new(),
            reads: Vec::new(),
        });
    }
    let of_record = |id: &Id| match reads.value(*id) {
        Some(Value::Record(record)) => Some(record.address()),
        _ => None,
    };
    let named: FxHashSet<usize> = shown.iter().filter_map(of_record).collect();
    // The steps that are left for nodes inside of other items: of n items inside each other, each one leads to all of its inner ones.
    let mut steps = STEPS.saturating_add(reads.count());
    // The last item that reached each node.
    let mut met: Vec<usize> = vec![usize::MAX; reads.count()];
    for (number, id) in shown.iter().enumerate() {
        let own: Vec<Span> = network
            .items
            .get(number)
            .into_iter()
            .flat_map(|item| item.definitions.iter().filter_map(|d| d.body))
            .collect();
        let (mut found, mut inside) = (Vec::new(), Vec::new());
        let nodes = further.get(&number).into_iter().flatten().rev().chain([id]);
        let mut work: Vec<Id> = nodes.flat_map(|id| reads.reads(*id).iter().rev()).copied().collect();
        if let Some(Value::Record(record)) = reads.value(*id) {
            work.extend(reads.asserts(&record));
        }
        if let Some(place) = met.get_mut(*id as usize) {
            *place = number;
        }
        while let Some(next) = work.pop() {
            let Some(left) = steps.checked_sub(1) else {
                network.cut = true;
                break;
            };
            steps = left;
            expect_memory(left);
            match met.get_mut(next as usize) {
                Some(place) if *place != number => *place = number,
                _ => continue,
            }
            if let Some(other) = network.numbers.get(&next).copied()
                && let Some(item) = network.items.get(other)
            {
                let bodies: Vec<Span> = item.definitions.iter().filter_map(|d| d.body).collect();
                let hidden = match &item.label {
                    Label::Local(..) | Label::Unnamed(_) => bodies.iter().all(|b| own.iter().any(|o| lies_in(*b, *o))),
                    // An element is a part of its array's text.
                    Label::Field(path) => matches!(path.steps.last(), Some(Step::Index(_))) && bodies.is_empty(),
                    _ => false,
                };
                if !hidden {
                    found.push(other);
                    continue;
                }
                inside.extend(bodies);
            }
            // The asserts of a record are read by the record itself, which is around all of its fields.
            if let Origin::Asserts(record) = reads.origin(next)
                && named.contains(&record.address())
                && !matches!(reads.value(*id), Some(Value::Record(own)) if own.same(record))
            {
                continue;
            }
            work.extend(reads.reads(next).iter().rev().copied());
        }
        if let Some(item) = network.items.get_mut(number) {
            item.reads = found;
            item.inside = inside;
        }
    }
    for number in 0..shown.len() {
        let mut found = network.items.get(number).map(|item| item.reads.clone()).unwrap_or_default();
        network.rename(reads, &mut found);
        if let Some(item) = network.items.get_mut(number) {
            item.reads = found;
        }
    }
    for (number, id) in shown.iter().enumerate() {
        let value = value(session, reads, *id);
        if let Some(item) = network.items.get_mut(number) {
            item.value = value;
        }
    }
    for number in shown.len()..network.items.len() {
        let first = network.ids.get(number).and_then(|id| network.number(*id));
        let Some(first) = first.and_then(|first| network.items.get(first)).cloned() else { continue };
        if let Some(item) = network.items.get_mut(number) {
            *item = Item { label: item.label.clone(), ..first };
        }
    }
    network
}

impl Network {
    /// Replaces the items that a reader reached through other records than those of their names by items with the names
    /// of its own way: in `{ a: s, b: s, c: $.b.x }` the field `c` reads `b.x`, although `a.x` is the same value.
    fn rename(&mut self, reads: &Reads, found: &mut [usize]) {
        let label = |network: &Network, number: usize| network.items.get(number).map(|item| item.label.clone());
        let mut order: Vec<usize> = (0..found.len()).collect();
        order.sort_by_key(|at| {
            found.get(*at).and_then(|number| self.items.get(*number)).map_or(0, |item| item.label.depth())
        });
        let read: FxHashSet<Label> = found.iter().filter_map(|number| label(self, *number)).collect();
        let mut containers: FxHashMap<usize, (Label, usize)> = FxHashMap::default();
        for at in order {
            let Some(number) = found.get(at).copied() else { continue };
            let (Some(id), Some(mut own)) = (self.ids.get(number).copied(), label(self, number)) else { continue };
            if let Some((record, name)) = reads.as_field(id)
                && let Some((container, holder)) = containers.get(&record.address())
                && around(&own).last().is_none_or(|parent| !read.contains(parent) && !self.comes_from(*holder, parent))
                && own != then(container, Step::Field(name.clone()))
            {
                own = then(container, Step::Field(name.clone()));
                if let Some(place) = found.get_mut(at) {
                    *place = self.alias(id, own.clone());
                }
            }
            // an internal name is no better
            let is_internal = matches!(&own, Label::Local(name, _) if name.starts_with('%'));
            if let Some(Value::Record(record)) = reads.value(id)
                && !is_internal
            {
                containers.entry(record.address()).or_insert((own, number));
            }
        }
    }

    /// Returns whether an item reads an item with a label, directly or not: after `local c = $.config`, the local `c` comes
    /// from the field `config`.
    fn comes_from(&self, number: usize, label: &Label) -> bool {
        const MOST: usize = 200;
        let mut seen = FxHashSet::default();
        let mut work = vec![number];
        while let (Some(number), true) = (work.pop(), seen.len() < MOST) {
            let Some(item) = self.items.get(number).filter(|_| seen.insert(number)) else { continue };
            if item.label == *label {
                return true;
            }
            work.extend(&item.reads);
        }
        false
    }

    /// Returns the number of the item for a node with another name. Adds it if there is none.
    fn alias(&mut self, id: Id, label: Label) -> usize {
        let known = match &label {
            Label::Field(path) => self.find(path),
            _ => self.renamed.get(&label).copied(),
        };
        known.filter(|number| self.ids.get(*number) == Some(&id)).unwrap_or_else(|| {
            let number = self.items.len();
            match &label {
                Label::Field(path) => drop(self.paths.entry(path.clone()).or_insert(number)),
                _ => drop(self.renamed.insert(label.clone(), number)),
            }
            self.ids.push(id);
            let (definitions, inside, reads) = (Vec::new(), Vec::new(), Vec::new());
            self.items.push(Item { label, value: None, definitions, inside, reads });
            number
        })
    }
}

/// Returns a short form of a computed value; a secret one is masked.
fn value(session: &mut Workspace, reads: &Reads, id: Id) -> Option<Datum> {
    if let Some((record, name)) = reads.as_field(id).map(|(r, n)| (r.clone(), n.clone()))
        && is_secret(session, &record, &name)
    {
        return Some(Datum::Secret);
    }
    let thunk = reads.thunk(id)?.clone();
    if let Some(Value::Record(record)) = thunk.computed() {
        return Some(Datum::Elided(Some(record.count())));
    }
    thunk.is_forced().then(|| session.machine().datum_without_forcing(&thunk, SHOWN))
}

/// Returns `true` if a field is marked secret.
pub(crate) fn is_secret(session: &mut Workspace, record: &Record, name: &Name) -> bool {
    matches!(session.machine().metadata(record, name), Ok(Some(found)) if found.field.secret)
}
