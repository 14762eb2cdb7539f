//! The lists that several layers define: the rule for each, and the record of merge functions that applies the rules.
//!
//! A rule is a merge function at the path of the list: `{ spec.containers | optional | merge (std.merge.list "key:name" {}) }`.
//! So evaluation and explanations need nothing of their own. Which paths need one is found by walking the layers side by
//! side, only where two of them have the same field.

pub(super) mod keys;
mod kinds;
mod kubernetes;
mod levels;
mod names;
mod options;
mod unknown;

use super::Run;
use super::layers::{Layer, LayerOrigin, Layers};
use crate::dialect::Dialect;
use crate::meta::{Priority, Ranked};
use crate::problem::Problem;
use crate::problem::session::{ReplacedList, SessionKind, SessionProblem, Similarity, Slip};
use crate::term::build::Builder;
use crate::term::{Apply, FieldDef, FieldMeta, FieldName, Groups, Node, NodeId, RecordLit, Term};
use crate::text::path::{FieldPath, ListRule, Step};
use crate::text::{Name, SourceId, Sources, Span};
use crate::value::lists::key_of;
use crate::value::{Array, Fault, Machine, Record, Thunk, Value};
use indexmap::{IndexMap, IndexSet};
use keys::{all_have_key, common_key, common_keys, lacks_elements};
use kinds::OtherKind;
use names::SimilarKey;
pub(super) use names::{is_slip, place_of};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Maximum number of pairs of elements that are compared to see whether a list loses elements.
const COMPARED: usize = 1 << 16;
/// Maximum depth of values that are compared.
const DEPTH: usize = 200;

/// The rules at and below a path.
#[derive(Default)]
struct Rules {
    fields: IndexMap<Name, Rules>,
    list: Option<Box<ListNode>>,
}

/// The rule for the list at a path.
struct ListNode {
    rule: ListRule,
    /// The text that is shown as its source: `spec.containers=key:name`. A second line says who made the rule, if it was
    /// not the user.
    text: String,
    /// The place at which an element is set, if there is no rule.
    setter: Option<Span>,
    /// The rules below its elements.
    elements: Rules,
    /// Whether single elements are set, so that there must be a list.
    needed: bool,
}

impl Rules {
    /// Returns the node at a path. `[0]` and `[*]` lead to the elements of a list, whose rule is `replace` until it is set.
    fn at(&mut self, path: &[Step]) -> &mut Rules {
        let mut here = self;
        for (depth, step) in path.iter().enumerate() {
            here = match step {
                Step::Field(name) => here.fields.entry(name.clone()).or_default(),
                Step::Index(_) => &mut here.list_at(path.get(..depth).unwrap_or(path)).elements,
            };
        }
        here
    }

    fn list_at(&mut self, path: &[Step]) -> &mut ListNode {
        self.list.get_or_insert_with(|| {
            let text = format!("{}=replace", general(path));
            Box::new(ListNode {
                rule: ListRule::Replace,
                text,
                setter: None,
                elements: Rules::default(),
                needed: false,
            })
        })
    }
}

/// Writes the path of a list for all elements of the lists on the way: `spec.containers[*].env`.
fn general(path: &[Step]) -> String {
    let mut out = String::new();
    for step in path {
        match step {
            Step::Index(_) => out.push_str("[*]"),
            Step::Field(_) => {
                let name = FieldPath { steps: vec![step.clone()] }.to_string();
                out.push_str(if out.is_empty() { "" } else { "." });
                out.push_str(&name);
            }
        }
    }
    out
}

/// A part of the layers that is still to be walked.
struct Item {
    path: Vec<Step>,
    /// The values of the layers that have it, with their places, the lowest first.
    values: Vec<PlacedThunk>,
    /// The kind of the Kubernetes object that it belongs to.
    kind: Option<Name>,
}

/// A value with its place.
type PlacedThunk = (Thunk, Option<Span>);

/// A list that replaces others.
struct Replaced {
    path: Vec<Step>,
    higher: Option<Span>,
    /// The place of the next lower one.
    lower: Option<Span>,
    /// A field by which the elements can be identified.
    key: Option<Name>,
}

/// The lists of the layers.
#[derive(Default)]
struct FoundLists {
    rules: Rules,
    replaced: Vec<Replaced>,
    kinds: Vec<OtherKind>,
    /// New keys that are similar to a key of a lower layer.
    names: Vec<SimilarKey>,
    /// Elements without the key by which a rule merges them.
    without_key: Vec<Keyless>,
    /// Elements with a key that another one has, or almost has.
    slips: Vec<(Slip, Option<Span>)>,
}

/// An element without the key by which a rule merges the elements of its list.
struct Keyless {
    path: Vec<Step>,
    place: Option<Span>,
    key: Name,
    /// A key that all elements have.
    other: Option<Name>,
    /// The key of the element that was probably meant.
    near: Option<Name>,
    /// Whether the list therefore replaces that of a lower layer. The key is one of the Kubernetes API.
    replaces: bool,
}

impl Run<'_> {
    /// Returns the record with the merge functions for lists; `None` if no list needs one. Reports the lists that replace
    /// others although no rule says so, if they are on the path of the question or below it.
    pub(super) fn list_rules(
        &mut self,
        layers: &Layers,
        values: Vec<Thunk>,
        streams: bool,
        at: &[Step],
    ) -> Option<Arc<Term>> {
        let indexed = |layer: &Layer| match &layer.origin {
            LayerOrigin::Assignment(path) => {
                let term = &layer.file.term;
                Some((path.clone(), term.span(term.root))).filter(|(path, _)| has_index(path))
            }
            _ => None,
        };
        let mut set: Vec<(FieldPath, Span)> = layers.all.iter().filter_map(indexed).collect();
        set.extend(layers.variables.iter().filter(|(path, _)| has_index(path)).cloned());
        let meant = self.report_unknown(layers, &values, streams);
        let has_rules = layers.stacked || !layers.lists.is_empty() || !set.is_empty();
        // a program may declare what the others define
        let is_program =
            |layer: &Layer| self.session.workspace.dialect_of(layer.file.source).is_some_and(Dialect::has_cells);
        if values.len() < 2 && set.is_empty() || !has_rules && !layers.all.iter().any(is_program) {
            return None;
        }
        if !has_rules {
            // only the top: records that are merged without an order may have no end
            let machine = &mut self.session.workspace.machine;
            let top = values.iter().filter_map(|value| record(&machine.force(value).ok()?));
            let top: Vec<Record> = top.collect();
            let mut names = Vec::new();
            if names::similar(machine, &[], &top, &FxHashMap::default(), &mut names).is_ok() {
                names.retain(SimilarKey::is_declared);
                self.keep_similar(names);
            }
            return None;
        }
        let mut found = FoundLists::default();
        let records = values.clone();
        let walked = walk(&mut self.session.workspace.machine, layers, values, streams, &mut found);
        if let Err(fault) = walked
            && fault.is_transient()
        {
            self.fail(fault.problem());
        }
        if !layers.stacked {
            found.names.retain(SimilarKey::is_declared);
        }
        for (path, span) in set {
            for (depth, step) in path.steps.iter().enumerate() {
                if let (Step::Index(_), Some(list)) = (step, path.steps.get(..depth)) {
                    let outermost = list.iter().all(|step| matches!(step, Step::Field(_)));
                    let node = found.rules.at(list).list_at(list);
                    node.needed |= outermost;
                    if node.rule == ListRule::Replace {
                        node.setter.get_or_insert(span);
                    }
                }
            }
        }
        let concerns = |path: &[Step]| path.starts_with(at) || at.starts_with(path);
        found.replaced.retain(|lost| concerns(&lost.path) && !meant.contains(&*general(&lost.path)));
        // a schema says which kinds a scalar may have
        let has_schemas = !layers.schemas.is_empty();
        self.compared.extend(found.kinds.iter().filter_map(OtherKind::place));
        found.kinds.retain(|other| concerns(&other.path) && !(has_schemas && other.is_of_scalars()));
        found.without_key.retain(|element| concerns(&element.path));
        {
            // a key that is set by an option is never a part of another question
            let sources = self.session.world.sources.borrow();
            found.names.retain(|similar| similar.concerns(at) || similar.is_of(|span| is_option(&sources, span)));
        }
        self.report_replaced(found.replaced);
        // a key that is not indented is one fault
        let is_beside = |other: &OtherKind| {
            let of = |similar: &SimilarKey| similar.how == Similarity::OtherLevel && other.is_null_over(&similar.meant);
            found.names.iter().any(of)
        };
        let kinds = std::mem::take(&mut found.kinds).into_iter().filter(|other| !is_beside(other)).collect();
        self.report_kinds(kinds);
        self.keep_similar(found.names);
        for Keyless { path, place, key, other, near, replaces } in found.without_key {
            let path = Name::from(FieldPath { steps: path }.to_string());
            let problem = match (near, replaces) {
                (None, false) => SessionProblem { span: place, what: SessionKind::NoKeyInElement { path, key, other } },
                (near, replaces) => keys::without(&path, &key, near, replaces).at(place),
            };
            self.report(&Problem::warning(problem));
        }
        let has_secrets = self.session.world.sources.borrow().has_secrets();
        for (slip, place) in found.slips.into_iter().filter(|_| !has_secrets) {
            self.report(&Problem::warning(slip.at(place)));
        }
        if found.rules.fields.is_empty() {
            return None;
        }
        let mut builder = Builder::new();
        let whole = self.session.world.add_input("--list", "", self.session.languages().standard());
        let root = self.emit(&mut builder, &found.rules, Span::new(whole, 0, 0), &records);
        Some(Arc::new(builder.finish(root)))
    }

    /// Builds the record of merge functions. `layers` are the values of the layers there: their other fields are declared,
    /// since the lowest record of a merge decides the order of the fields.
    fn emit(&mut self, builder: &mut Builder, rules: &Rules, span: Span, layers: &[Thunk]) -> NodeId {
        crate::deep::deeper(|| {
            let machine = &mut self.session.workspace.machine;
            let values = layers.iter().filter_map(|layer| machine.force(layer).ok());
            let layers: Vec<Record> = values.filter_map(|value| record(&value)).collect();
            let mut names: IndexSet<Name> = layers.iter().flat_map(Record::names_as_defined).collect();
            names.extend(rules.fields.keys().cloned());
            let mut fields = Vec::with_capacity(names.len());
            for name in &names {
                let (body, meta, span) = match rules.fields.get(name).map(|inner| (inner, &inner.list)) {
                    None => (None, FieldMeta { optional: true, ..FieldMeta::NONE }, span),
                    Some((inner, None)) => {
                        let machine = &mut self.session.workspace.machine;
                        let inside = layers.iter().filter_map(|layer| machine.field(layer, name).ok()?);
                        let inside: Vec<Thunk> = inside.collect();
                        (Some(self.emit(builder, inner, span, &inside)), FieldMeta::NONE, span)
                    }
                    Some((_, Some(list))) => {
                        let source =
                            self.session.world.add_input("--list", &list.text, self.session.languages().standard());
                        let span = Span::new(source, 0, list.text.len());
                        let elements = self.emit(builder, &list.elements, span, &[]);
                        let at = list.text.find('=').map_or(0, |at| at + 1);
                        // the user did not write a rule, but the element
                        let written = list.setter.unwrap_or(Span { start: at as u32, ..span });
                        let merge = function(builder, &list.rule, elements, written);
                        let meta = FieldMeta { merge: Some(merge), ..FieldMeta::NONE };
                        match list.needed {
                            true => {
                                let empty = builder.push(Node::Array(Box::default()), span);
                                let priority = Ranked { priority: Priority::Default, span: None };
                                (Some(empty), FieldMeta { priority, ..meta }, span)
                            }
                            false => (None, FieldMeta { optional: true, ..meta }, span),
                        }
                    }
                };
                fields.push(FieldDef {
                    name: FieldName::Static(name.clone()),
                    name_span: span,
                    span,
                    body,
                    included: false,
                    plus: false,
                    meta: meta.into(),
                });
            }
            let groups = Groups::in_order(fields.len() as u32);
            let record = RecordLit { extra: None, fields, open: true, locals: Vec::new(), asserts: Vec::new(), groups };
            builder.push(Node::Record(Box::new(record)), span)
        })
    }

    fn report_replaced(&mut self, replaced: Vec<Replaced>) {
        let sources = self.session.world.sources.borrow();
        // a list of the command line is meant to replace
        let lists =
            replaced.into_iter().filter(|replaced| !replaced.higher.is_some_and(|span| is_option(&sources, span)));
        let lists: Vec<ReplacedList> = lists
            .map(|Replaced { path, higher, lower, key }| ReplacedList {
                path: Name::from(general(&path)),
                higher,
                lower,
                key,
            })
            .collect();
        drop(sources);
        if let Some(first) = lists.first() {
            let span = first.higher;
            self.report(&Problem::warning(SessionProblem { span, what: SessionKind::ListReplaced { lists } }));
        }
    }
}

/// Returns the kind of a value in data. `None` for null, and for what is not data.
fn kind_of(value: &Value) -> Option<&'static str> {
    match value {
        Value::Record(_) => Some("a mapping"),
        Value::Array(_) => Some("a list"),
        Value::String(_) | Value::Number(_) | Value::Bool(_) => Some("a scalar"),
        _ => None,
    }
}

/// Returns whether a place is in the text of an option of the command line.
fn is_option(sources: &Sources, span: Span) -> bool {
    sources.get(span.source).is_some_and(|source| source.name.starts_with("--"))
}

fn has_index(path: &FieldPath) -> bool {
    path.steps.iter().any(|step| matches!(step, Step::Index(_)))
}

/// `std.merge.list "rule" elements`
fn function(builder: &mut Builder, rule: &ListRule, elements: NodeId, span: Span) -> NodeId {
    let std = builder.variable(&Name::new_static("std"), span);
    let module = builder.push(Node::Project(std, Name::new_static("merge")), span);
    let func = builder.push(Node::Project(module, Name::new_static("list")), span);
    let text = builder.push(Node::Str(Name::from(rule.to_string())), span);
    let args = vec![(None, text), (None, elements)];
    builder.push(Node::Apply(Box::new(Apply { func, args, tailstrict: false })), span)
}

/// Walks the layers side by side. O(fields that several layers have).
fn walk(
    machine: &mut Machine,
    layers: &Layers,
    values: Vec<Thunk>,
    streams: bool,
    found: &mut FoundLists,
) -> Result<(), Fault> {
    let values = values.into_iter().map(|value| (value, None)).collect();
    let mut work = vec![Item { path: Vec::new(), values, kind: None }];
    let options: FxHashMap<SourceId, bool> = layers.all.iter().filter_map(Layer::as_option).collect();
    // a schema says at which level a key is
    let has_levels = layers.stacked && layers.schemas.is_empty();
    while let Some(Item { path, values, kind }) = work.pop() {
        machine.tick()?;
        // records that contain themselves have no end
        if path.len() > DEPTH {
            continue;
        }
        let mut known = Vec::with_capacity(values.len());
        for (value, span) in values {
            match machine.force(&value) {
                // changes of single elements come after the rule
                Ok(Value::Record(record)) if record.changes_elements() => {}
                Ok(found) => known.push(((value, span), found)),
                // reported when the merge is evaluated
                Err(fault) if fault.is_transient() => return Err(fault),
                Err(_) => {}
            }
        }
        // what a layer with another kind of value replaces does not count
        let top = known.last().map(|(_, value)| std::mem::discriminant(value));
        let from =
            known.iter().rposition(|(_, value)| Some(std::mem::discriminant(value)) != top).map_or(0, |at| at + 1);
        if layers.stacked
            && !path.is_empty()
            && let Some(((_, lower), below)) = from.checked_sub(1).and_then(|at| known.get(at))
            && let Some(((_, higher), above)) = known.get(from)
            && let Some(other) = OtherKind::of(machine, &path, (above, *higher), (below, *lower))?
        {
            found.kinds.push(other);
        }
        if layers.stacked && !path.is_empty() {
            // a layer in the middle loses what is below it, also if a higher one has the first kind again
            for pair in known.get(..from).unwrap_or_default().windows(2) {
                let [((_, lower), below), ((_, higher), above)] = pair else { continue };
                if !matches!(above, Value::Null)
                    && let Some(other) = OtherKind::of(machine, &path, (above, *higher), (below, *lower))?
                {
                    found.kinds.push(other.covered());
                }
            }
        }
        let known = known.split_off(if layers.stacked { from } else { 0 });
        if known.len() < 2 {
            continue;
        }
        let records: Vec<Record> = known.iter().filter_map(|(_, v)| record(v)).collect();
        if records.len() == known.len() {
            if !(streams && path.is_empty()) {
                names::similar(machine, &path, &records, &options, &mut found.names)?;
            }
            if has_levels {
                levels::other_levels(machine, &path, (&records, usize::from(streams)), &mut found.names)?;
            }
            fields(machine, &path, &records, kind, &mut work)?;
            continue;
        }
        let arrays: Vec<(PlacedThunk, Array)> = known.into_iter().filter_map(|(t, v)| Some((t, array(&v)?))).collect();
        if arrays.len() >= 2 {
            list(machine, layers, streams, path, arrays, kind, found, &mut work)?;
        }
    }
    Ok(())
}

fn record(value: &Value) -> Option<Record> {
    if let Value::Record(record) = value { Some(record.clone()) } else { None }
}

/// Returns a value. `None` if it has an error.
fn forced(machine: &mut Machine, value: &Thunk) -> Result<Option<Value>, Fault> {
    match machine.force(value) {
        Ok(value) => Ok(Some(value)),
        Err(fault) if fault.is_transient() => Err(fault),
        Err(_) => Ok(None),
    }
}

fn array(value: &Value) -> Option<Array> {
    if let Value::Array(array) = value { Some(array.clone()) } else { None }
}

/// Adds the fields that several records have. A field with a priority or a merge function of its own is left alone.
fn fields(
    machine: &mut Machine,
    path: &[Step],
    records: &[Record],
    mut kind: Option<Name>,
    work: &mut Vec<Item>,
) -> Result<(), Fault> {
    let mut all: IndexMap<Name, (Vec<PlacedThunk>, bool)> = IndexMap::new();
    for record in records {
        let own = match machine.all_fields(record) {
            Ok(own) => own,
            Err(fault) if fault.is_transient() => return Err(fault),
            Err(_) => continue,
        };
        for field in own {
            let Some(value) = field.value else { continue };
            let span = record.defined_at(&field.name);
            let plain = field.priority == Priority::Normal && !record.has_merge_function(&field.name);
            let (values, all_plain) = all.entry(field.name).or_insert((Vec::new(), true));
            values.push((value, span));
            *all_plain &= plain;
        }
    }
    if let Some((kinds, _)) = all.get("kind")
        && let Some(Ok(Value::String(text))) = kinds.last().map(|(value, _)| machine.force(value))
    {
        kind = Some(text.name());
    }
    for (name, (values, plain)) in all.into_iter().rev() {
        if values.len() >= 2 && plain {
            let path = path.iter().cloned().chain([Step::Field(name)]).collect();
            work.push(Item { path, values, kind: kind.clone() });
        }
    }
    Ok(())
}

/// Finds the rule of a list, and adds the elements with equal keys.
#[allow(clippy::too_many_arguments)]
fn list(
    machine: &mut Machine,
    layers: &Layers,
    streams: bool,
    path: Vec<Step>,
    arrays: Vec<(PlacedThunk, Array)>,
    kind: Option<Name>,
    found: &mut FoundLists,
    work: &mut Vec<Item>,
) -> Result<(), Fault> {
    // the path of a rule begins below the document
    let within = path.get(usize::from(streams)..).unwrap_or(&path);
    let is_own = |own: &FieldPath| is_of(own, within) || is_of(own, &path);
    let of_path = layers.lists.iter().rev().find(|rule| rule.path.as_ref().is_some_and(is_own));
    let explicit = of_path.map(|rule| rule.rule.clone());
    let general_rule = layers.lists.iter().rev().find(|rule| rule.path.is_none()).map(|rule| rule.rule.clone());
    let mut missing = None;
    let rule = match (&explicit, general_rule) {
        (Some(rule), _) => Some(rule.clone()),
        // a rule for all lists is for those whose elements have the key
        (None, Some(ListRule::Key(keys))) if !all_have_key(machine, &arrays, &keys)? => None,
        (None, Some(rule)) => Some(rule),
        (None, None) => {
            match kind.as_deref().and_then(|kind| kubernetes::merge_key(kind, within)).filter(|_| layers.stacked) {
                Some(ListRule::Key(keys)) if !all_have_key(machine, &arrays, &keys)? => {
                    missing = Some(keys);
                    None
                }
                rule => rule,
            }
        }
    };
    let Some(rule) = rule else {
        if let [.., ((_, under), lower), ((_, over), higher)] = arrays.as_slice()
            && layers.stacked
            && lacks_elements(machine, lower, higher)?
        {
            if let Some(keys) = missing
                && let Some(key) = keys.first()
                && let Some(found_in) = names::without_key(machine, &[lower, higher], &keys)?
            {
                let (index, place, near) = found_in;
                let path = path.into_iter().chain([Step::Index(index)]).collect();
                let key = key.name.clone();
                found.without_key.push(Keyless { path, place, key, other: None, near, replaces: true });
                return Ok(());
            }
            if let Some(slip) = kinds::mapping_among_texts(machine, &path, (lower, *under), higher)? {
                found.slips.push(slip);
                return Ok(());
            }
            let key = common_key(machine, &[lower, higher])?;
            found.replaced.push(Replaced { path, higher: *over, lower: *under, key });
        }
        return Ok(());
    };
    if rule == ListRule::Replace {
        return Ok(());
    }
    let node = found.rules.at(&path).list_at(&path);
    node.text = format!("{}={rule}", general(&path));
    if explicit.is_none() && layers.lists.iter().all(|rule| rule.path.is_some()) {
        node.text.push_str("\n(Kubernetes)");
    }
    node.rule = rule.clone();
    let ListRule::Key(keys) = &rule else { return Ok(()) };
    let lists: Vec<&Array> = arrays.iter().map(|(_, list)| list).collect();
    if let ([key], true) = (keys.as_slice(), layers.stacked) {
        names::similar_elements(machine, &path, &lists, key, &mut found.names)?;
        if explicit.is_some()
            && let Some((index, place, near)) = names::without_key(machine, &lists, keys)?
        {
            let other = common_key(machine, &lists)?;
            let path = path.iter().cloned().chain([Step::Index(index)]).collect();
            let key = key.name.clone();
            found.without_key.push(Keyless { path, place, key, other, near, replaces: false });
        }
    }
    if layers.stacked {
        found.slips.extend(keys::alike(machine, &path, &lists, keys)?);
    }
    let mut groups: IndexMap<String, Vec<PlacedThunk>> = IndexMap::new();
    for (_, array) in &arrays {
        for element in machine.items(array)? {
            machine.tick()?;
            if let Some(key) = key_of(machine, element, keys)? {
                groups.entry(key).or_default().push((element.clone(), None));
            }
        }
    }
    let inner: Vec<Step> = path.into_iter().chain([Step::Index(0)]).collect();
    for values in groups.into_values().rev().filter(|values| values.len() >= 2) {
        work.push(Item { path: inner.clone(), values, kind: kind.clone() });
    }
    Ok(())
}

/// Checks that the path of a rule is that of a list. The indices on the way to the list may be left out.
fn is_of(rule: &FieldPath, path: &[Step]) -> bool {
    let named = |steps: &[Step]| -> Vec<Name> {
        let name = |step: &Step| if let Step::Field(name) = step { Some(name.clone()) } else { None };
        steps.iter().filter_map(name).collect()
    };
    named(&rule.steps) == named(path)
}
