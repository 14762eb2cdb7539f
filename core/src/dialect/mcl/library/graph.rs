//! The finished graph of a program: its resources and edges as sorted lists.

use crate::dialect::mcl::kinds::{BUILT_IN, SIZES, range};
use crate::dialect::mcl::report::short;
use crate::problem::report::similar;
use crate::problem::value::ValueKind;
use crate::term::Number;
use crate::text::{Name, Span, near};
use crate::value::{Call, DataField, Fault, Machine, Record, Step, Thunk, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Returns a field of a record, forced.
fn field(machine: &mut Machine, record: &Record, name: &str) -> Result<Option<Value>, Fault> {
    match machine.field(record, name)? {
        Some(thunk) => Ok(Some(machine.force(&thunk)?)),
        None => Ok(None),
    }
}

/// Returns the records of a part of the graph, by their keys.
fn part(machine: &mut Machine, args: &[Thunk], name: &str, call: &Call) -> Result<Vec<(Name, Record)>, Fault> {
    let graph = machine.record(args, 0, call)?;
    let Some(Value::Record(all)) = field(machine, &graph, name)? else { return Ok(Vec::new()) };
    let mut out = Vec::new();
    for field in machine.fields(&all)? {
        if let Some(thunk) = field.value
            && let Value::Record(record) = machine.force(&thunk)?
        {
            out.push((field.name, record));
        }
    }
    Ok(out)
}

fn text(machine: &mut Machine, record: &Record, name: &str) -> Result<String, Fault> {
    Ok(match field(machine, record, name)? {
        Some(Value::String(text)) => String::from(text.as_str()),
        _ => String::new(),
    })
}

/// Returns the place of the definition of a field of a record.
fn place(machine: &mut Machine, record: &Record, path: &[&'static str]) -> Option<Span> {
    let path: Vec<Step> = path.iter().map(|name| Step::Field(Name::new_static(name))).collect();
    machine.definition_at(&Thunk::done(Value::Record(record.clone())), &path)
}

/// Makes the fault of a rule that statements break.
fn broken(message: String, places: Vec<(Option<Span>, Name)>, help: Vec<Name>) -> Fault {
    let places = places.into_iter().filter_map(|(span, text)| Some((span?, text))).collect();
    Fault::new(ValueKind::Graph { message: Name::from(message), places, help })
}

/// The statements that are merged into a resource, with the names that each of them sets in a section.
type Settings = Vec<(Record, Vec<Name>)>;

/// Returns the names that each definition of a resource sets in a section.
fn settings(machine: &mut Machine, record: &Record, section: &str) -> Result<Settings, Fault> {
    let mut out = Vec::new();
    for part in record.merged_from() {
        let mut names = Vec::new();
        if let Some(Value::Record(inner)) = field(machine, part, section)? {
            names.extend(machine.fields(&inner)?.into_iter().filter(|f| f.value.is_some()).map(|f| f.name));
        }
        out.push((part.clone(), names));
    }
    Ok(out)
}

/// Returns a resource in which each field that only some of its definitions set fails. `None` if there is no such field.
fn unlike(machine: &mut Machine, record: &Record, key: &str, call: &Call) -> Result<Option<Record>, Fault> {
    let mut failing = Vec::new();
    for section in ["fields", "meta"] {
        let settings = settings(machine, record, section)?;
        let mut fields: Vec<DataField> = Vec::new();
        for (at, (part, names)) in settings.iter().enumerate() {
            for name in names {
                // the definitions before this one set the names that were looked at
                if settings.iter().take(at).any(|(_, names)| names.contains(name)) {
                    continue;
                }
                let Some((lacking, _)) = settings.iter().find(|(_, names)| !names.contains(name)) else { continue };
                let path = [Step::Field(Name::new_static(section)), Step::Field(name.clone())];
                let set = machine.definition_at(&Thunk::done(Value::Record(part.clone())), &path);
                let fault = broken(
                    format!(
                        "the resource `{}` is defined twice, and `{name}` is set in one definition only",
                        short(key)
                    ),
                    vec![
                        (set, Name::new_static("set here")),
                        (
                            place(machine, lacking, &["kind"]),
                            Name::from(format!("this definition does not set `{name}`")),
                        ),
                    ],
                    vec![Name::new_static("what several statements say of one resource must be equal")],
                );
                fields.push(DataField::new(name.clone(), Thunk::failed(fault)));
            }
        }
        if !fields.is_empty() {
            let fields = Thunk::done(Value::Record(Record::from_data(fields)));
            failing.push(DataField::new(Name::new_static(section), fields));
        }
    }
    if failing.is_empty() {
        return Ok(None);
    }
    let both = [Value::Record(record.clone()), Value::Record(Record::from_data(failing))].map(Thunk::done);
    match machine.merge_records(&both, call)? {
        Value::Record(merged) => Ok(Some(merged)),
        _ => Ok(None),
    }
}

/// Returns the resources of a graph, by kind and name.
pub fn resources(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<Value, Fault> {
    let mut all = Vec::new();
    for (key, record) in part(machine, args, "resources", call)? {
        let kind = text(machine, &record, "kind")?;
        let name = text(machine, &record, "name")?;
        if name.is_empty() {
            let at = place(machine, &record, &["name"]);
            let label = Name::new_static("this is an empty string");
            let help = Name::new_static("a resource needs a name of at least one character");
            return Err(broken(
                format!("a resource of the kind `{kind}` has an empty name"),
                vec![(at, label)],
                vec![help],
            ));
        }
        let resource = match unlike(machine, &record, &key, call)? {
            Some(failing) => Thunk::done(Value::Record(failing)),
            None => sized(machine, record, &kind, key)?,
        };
        all.push((kind, name, resource));
    }
    all.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
    Ok(Value::array(all.into_iter().map(|(_, _, resource)| resource)))
}

/// An int field with a size.
struct SizedField {
    name: Name,
    value: Thunk,
    /// The least and the greatest value.
    range: (i64, i64),
}

/// Returns the sized int fields that a resource sets.
fn sized_fields(machine: &mut Machine, record: &Record, kind: &str) -> Result<Vec<SizedField>, Fault> {
    let mut types: Cow<'_, BTreeMap<Name, Name>> = match BUILT_IN.kinds.get(kind) {
        Some(types) => Cow::Borrowed(types),
        None => Cow::Owned(BTreeMap::new()),
    };
    if let Some(Value::Record(extended)) = field(machine, record, SIZES)? {
        for field in machine.fields(&extended)? {
            if let Some(Value::String(ty)) = field.value.map(|ty| machine.force(&ty)).transpose()? {
                types.to_mut().insert(field.name, ty.name());
            }
        }
    }
    let mut out = Vec::new();
    if !types.values().any(|ty| range(ty).is_some()) {
        return Ok(out);
    }
    let Some(Value::Record(fields)) = field(machine, record, "fields")? else { return Ok(out) };
    for field in machine.fields(&fields)? {
        if let (Some(value), Some(range)) = (field.value, types.get(&field.name).and_then(|ty| range(ty))) {
            out.push(SizedField { name: field.name, value, range });
        }
    }
    Ok(out)
}

/// Returns a resource whose ints are checked against the sizes of their fields when the resource is read. Only that depends on
/// their values: the list of resources does not.
fn sized(machine: &mut Machine, record: Record, kind: &str, key: Name) -> Result<Thunk, Fault> {
    let fields = sized_fields(machine, &record, kind)?;
    if fields.is_empty() {
        return Ok(Thunk::done(Value::Record(record)));
    }
    let kept: Vec<(Name, (i64, i64))> = fields.iter().map(|field| (field.name.clone(), field.range)).collect();
    let values: Vec<Thunk> = fields.into_iter().map(|field| field.value).collect();
    Ok(Thunk::holding((record, values), move |machine, (record, values)| {
        for ((name, (low, high)), value) in kept.iter().zip(values) {
            if let Value::Number(Number::Int(i)) = machine.force(value)?
                && !(*low..=*high).contains(&i)
            {
                let path = [Step::Field(Name::new_static("fields")), Step::Field(name.clone())];
                let span = machine.definition_at(&Thunk::done(Value::Record(record.clone())), &path);
                let key = short(&key);
                let message = format!("the field `{name}` of `{key}` is {i}, and must be from {low} to {high}");
                return Err(Fault::undefined(message, span));
            }
        }
        Ok(Value::Record(record.clone()))
    }))
}

/// An edge: its ends, whether it notifies, and its record.
type Edge = (String, String, bool, Record);

/// Returns the ends of a cycle of edges, in order, if there is one. O(edges × log resources).
fn cycle<'e>(edges: &[(&'e str, &'e str)]) -> Option<Vec<&'e str>> {
    let mut waiting: BTreeMap<&str, usize> = BTreeMap::new();
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in edges {
        waiting.entry(from).or_default();
        *waiting.entry(to).or_default() += 1;
        next.entry(from).or_default().push(to);
    }
    let mut ready: Vec<&str> = waiting.iter().filter(|(_, count)| **count == 0).map(|(end, _)| *end).collect();
    while let Some(end) = ready.pop() {
        waiting.remove(end);
        for to in next.get(end).into_iter().flatten() {
            if let Some(count) = waiting.get_mut(to) {
                *count -= 1;
                if *count == 0 {
                    ready.push(to);
                }
            }
        }
    }
    // The remaining resources are on a cycle or after one. Following edges backwards leads to a cycle.
    let mut before: BTreeMap<&str, &'e str> = BTreeMap::new();
    for (from, to) in edges.iter().filter(|(from, to)| waiting.contains_key(from) && waiting.contains_key(to)) {
        before.entry(to).or_insert(from);
    }
    let mut end: &'e str = before.values().next()?;
    for _ in 0..before.len() {
        end = *before.get(end)?;
    }
    let start = end;
    let mut out = vec![start];
    while let Some(from) = before.get(end).copied().filter(|from| *from != start) {
        out.push(from);
        end = from;
    }
    out.reverse();
    Some(out)
}

/// Maximum number of edges of a cycle that a message shows.
const SHOWN: usize = 8;

/// Returns the edges of a graph, by their ends. Fails if an end is not a resource of the graph, or if edges form a cycle.
pub fn edges(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<Value, Fault> {
    let edges = part(machine, args, "edges", call)?;
    let known: std::collections::BTreeSet<Name> = match edges.is_empty() {
        true => Default::default(),
        false => part(machine, args, "resources", call)?.into_iter().map(|(key, _)| key).collect(),
    };
    let mut all: Vec<Edge> = Vec::new();
    for (_, record) in edges {
        let (from, to) = (text(machine, &record, "from")?, text(machine, &record, "to")?);
        for end in [&from, &to] {
            if !known.contains(end.as_str()) {
                let near = near(end, known.iter().map(Name::as_str));
                let (kind, name) = end.split_once('[').unwrap_or((end, ""));
                let name = name.strip_suffix(']').unwrap_or(name);
                let help =
                    similar(&near).unwrap_or_else(|| format!("define it: `{} \"{}\" {{}}`", short(kind), short(name)));
                let message = format!("the edge {} -> {} has no resource `{}`", short(&from), short(&to), short(end));
                let label = Name::from(format!("the program defines no `{}`", short(end)));
                return Err(broken(message, vec![(place(machine, &record, &["from"]), label)], vec![Name::from(help)]));
            }
        }
        let notify = matches!(field(machine, &record, "notify")?, Some(Value::Bool(true)));
        all.push((from, to, notify, record));
    }
    all.sort_by(|a, b| (&a.0, &a.1, a.2).cmp(&(&b.0, &b.1, b.2)));
    let ends: Vec<(&str, &str)> = all.iter().map(|(from, to, ..)| (from.as_str(), to.as_str())).collect();
    if let Some(cycle) = cycle(&ends) {
        return Err(cyclic(machine, &all, &cycle));
    }
    let data = |name: &'static str, value: Value| DataField::new(Name::new_static(name), Thunk::done(value));
    Ok(Value::array(all.into_iter().map(|(from, to, notify, _)| {
        let fields =
            vec![data("from", Value::string(from)), data("to", Value::string(to)), data("notify", Value::Bool(notify))];
        Thunk::done(Value::Record(Record::from_data(fields)))
    })))
}

/// Makes the fault of edges that form a cycle, with the place of each.
fn cyclic(machine: &mut Machine, all: &[Edge], cycle: &[&str]) -> Fault {
    let mut places = Vec::new();
    for (at, from) in cycle.iter().enumerate().take(SHOWN) {
        let to = cycle.get(at + 1).or(cycle.first()).copied().unwrap_or_default();
        let edge = all.iter().find(|edge| edge.0 == *from && edge.1 == to);
        let at = edge.and_then(|(_, _, _, record)| place(machine, record, &["from"]));
        places.push((at, Name::from(format!("{} -> {}", short(from), short(to)))));
    }
    let first = cycle.first().copied().unwrap_or_default();
    let help = Name::new_static("a resource cannot come before itself: remove one of these edges");
    broken(format!("the edges form a cycle through `{}`", short(first)), places, vec![help])
}

/// Returns the graph of a `for` statement: those of all elements of a list, merged.
pub fn of_elements(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<Value, Fault> {
    let (list, body) = (machine.array(args, 0, call)?, machine.function(args, 1, call)?);
    machine.charge_computed_elements(list.len())?;
    let mut graphs = Vec::with_capacity(list.len());
    for (index, element) in machine.items(&list)?.iter().enumerate() {
        let index = Thunk::done(Value::Number(Number::Int(i64::try_from(index).unwrap_or(i64::MAX))));
        graphs.push(Thunk::apply(body.clone(), vec![index, element.clone()], *call));
    }
    machine.merge_records(&graphs, call)
}

/// Returns the graph of a `forkv` statement: those of all entries of a map, merged.
pub fn of_entries(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<Value, Fault> {
    let body = machine.function(args, 1, call)?;
    let Some(Value::Map(map)) = args.first().map(|map| machine.force(map)).transpose()? else {
        return Err(call.fault("argument 1 is not a map"));
    };
    machine.charge_computed_elements(map.len())?;
    let graphs: Vec<Thunk> = map
        .iter()
        .map(|(key, value)| Thunk::apply(body.clone(), vec![Thunk::done(key.clone()), value.clone()], *call))
        .collect();
    machine.merge_records(&graphs, call)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles() {
        assert_eq!(cycle(&[("a", "b"), ("b", "c"), ("a", "c")]), None);
        assert_eq!(cycle(&[("a", "a")]), Some(vec!["a"]));
        let of = cycle(&[("x", "b"), ("b", "c"), ("c", "b"), ("c", "d"), ("d", "e")]);
        assert!(matches!(of.as_deref(), Some(["b", "c"] | ["c", "b"])), "{of:?}");
        let of = cycle(&[("a", "b"), ("b", "c"), ("c", "a")]).unwrap_or_default();
        assert!(matches!(of.as_slice(), ["a", "b", "c"] | ["b", "c", "a"] | ["c", "a", "b"]), "{of:?}");
    }
}
