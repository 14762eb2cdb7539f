//! The finished graph of a program: its resources and edges as sorted lists.

use crate::dialect::mcl::kinds::{BUILT_IN, SIZES, range};
use crate::dialect::mcl::report::short;
use crate::term::Number;
use crate::text::Name;
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

/// Fails if a resource that is defined several times has a field in one definition that it lacks in another.
fn alike(machine: &mut Machine, record: &Record, key: &str, call: &Call) -> Result<(), Fault> {
    let mut first: Option<Vec<Name>> = None;
    for part in record.merged_from() {
        let mut names = Vec::new();
        for section in ["fields", "meta"] {
            if let Some(Value::Record(inner)) = field(machine, part, section)? {
                names.extend(machine.fields(&inner)?.into_iter().filter(|f| f.value.is_some()).map(|f| f.name));
            }
        }
        match &first {
            Some(first) if *first != names => {
                let lacks = |a: &[Name], b: &[Name]| a.iter().find(|name| !b.contains(name)).cloned();
                let name = lacks(first, &names).or(lacks(&names, first)).unwrap_or_default();
                let message = format!(
                    "the resource `{}` is defined twice, and `{name}` is set in one definition only",
                    short(key)
                );
                return Err(call.fault(message));
            }
            Some(_) => {}
            None => first = Some(names),
        }
    }
    Ok(())
}

/// Returns the resources of a graph, by kind and name.
pub fn resources(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<Value, Fault> {
    let mut all = Vec::new();
    for (key, record) in part(machine, args, "resources", call)? {
        let kind = text(machine, &record, "kind")?;
        let name = text(machine, &record, "name")?;
        if name.is_empty() {
            return Err(call.fault(format!("a resource of the kind `{kind}` has an empty name")));
        }
        alike(machine, &record, &key, call)?;
        let resource = sized(machine, record, &kind, key)?;
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

/// Returns a resource on a cycle of edges, if there is one. O(edges × log resources).
fn cycle(edges: &[(String, String, bool)]) -> Option<&str> {
    let mut waiting: BTreeMap<&str, usize> = BTreeMap::new();
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to, _) in edges {
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
    let mut end = *waiting.keys().next()?;
    for _ in 0..waiting.len() {
        let before = edges.iter().find(|(from, to, _)| to == end && waiting.contains_key(from.as_str()));
        end = before.map_or(end, |(from, _, _)| from.as_str());
    }
    Some(end)
}

/// Returns the edges of a graph, by their ends. Fails if an end is not a resource of the graph, or if edges form a cycle.
pub fn edges(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<Value, Fault> {
    let edges = part(machine, args, "edges", call)?;
    let known: std::collections::BTreeSet<Name> = match edges.is_empty() {
        true => Default::default(),
        false => part(machine, args, "resources", call)?.into_iter().map(|(key, _)| key).collect(),
    };
    let mut all = Vec::new();
    for (_, record) in edges {
        let (from, to) = (text(machine, &record, "from")?, text(machine, &record, "to")?);
        for end in [&from, &to] {
            if !known.contains(end.as_str()) {
                return Err(call.fault(format!(
                    "the edge {} -> {} has no resource `{}`",
                    short(&from),
                    short(&to),
                    short(end)
                )));
            }
        }
        let notify = matches!(field(machine, &record, "notify")?, Some(Value::Bool(true)));
        all.push((from, to, notify));
    }
    all.sort();
    if let Some(end) = cycle(&all) {
        return Err(call.fault(format!("the edges form a cycle through `{}`", short(end))));
    }
    let data = |name: &'static str, value: Value| DataField::new(Name::new_static(name), Thunk::done(value));
    Ok(Value::array(all.into_iter().map(|(from, to, notify)| {
        let fields =
            vec![data("from", Value::string(from)), data("to", Value::string(to)), data("notify", Value::Bool(notify))];
        Thunk::done(Value::Record(Record::from_data(fields)))
    })))
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
        let of = |edges: &[(&str, &str)]| -> Option<String> {
            let edges: Vec<_> = edges.iter().map(|(a, b)| (String::from(*a), String::from(*b), false)).collect();
            cycle(&edges).map(String::from)
        };
        assert_eq!(of(&[("a", "b"), ("b", "c"), ("a", "c")]), None);
        assert_eq!(of(&[("a", "a")]), Some("a".into()));
        assert!(matches!(
            of(&[("x", "b"), ("b", "c"), ("c", "b"), ("c", "d"), ("d", "e")]).as_deref(),
            Some("b" | "c")
        ));
    }
}
