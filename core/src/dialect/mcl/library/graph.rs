//! The finished graph of a program: its resources and edges as sorted lists.

use crate::text::Name;
use crate::value::{Call, DataField, Fault, Machine, Record, Thunk, Value};

/// Returns a field of a record, forced.
fn field(machine: &mut Machine, record: &Record, name: &str) -> Result<Option<Value>, Fault> {
    let fields = machine.fields(record)?;
    match fields.into_iter().find(|field| field.name == name).and_then(|field| field.value) {
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
                let message =
                    format!("the resource `{key}` is defined twice, and `{name}` is set in one definition only");
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
        alike(machine, &record, &key, call)?;
        all.push((kind, name, record));
    }
    all.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
    Ok(Value::array(all.into_iter().map(|(_, _, record)| Thunk::done(Value::Record(record)))))
}

/// Returns the edges of a graph, by their ends. Fails if an end is not a resource of the graph.
pub fn edges(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<Value, Fault> {
    let known: std::collections::BTreeSet<Name> =
        part(machine, args, "resources", call)?.into_iter().map(|(key, _)| key).collect();
    let mut all = Vec::new();
    for (_, record) in part(machine, args, "edges", call)? {
        let (from, to) = (text(machine, &record, "from")?, text(machine, &record, "to")?);
        for end in [&from, &to] {
            if !known.contains(end.as_str()) {
                return Err(call.fault(format!("the edge {from} -> {to} has no resource `{end}`")));
            }
        }
        let notify = matches!(field(machine, &record, "notify")?, Some(Value::Bool(true)));
        all.push((from, to, notify));
    }
    all.sort();
    let data = |name: &'static str, value: Value| DataField::new(Name::new_static(name), Thunk::done(value));
    Ok(Value::array(all.into_iter().map(|(from, to, notify)| {
        let fields =
            vec![data("from", Value::string(from)), data("to", Value::string(to)), data("notify", Value::Bool(notify))];
        Thunk::done(Value::Record(Record::from_data(fields)))
    })))
}
