//! Dependencies as JSON, version 1: `docs/schema/deps.json`.

use super::text::{name, priority};
use super::{Deps, Direction};
use crate::answer::Renderer;
use crate::answer::shared::network::Item;
use crate::dialect::notation::value::one_line;
use crate::meta::Priority;
use crate::value::trace::{TracedDefinition, TracedRole};
use serde_json::{Map, Value, json};

/// Returns an answer as one object: the items next to the value, and below `listed` all items.
pub fn json(deps: &Deps, to: &Renderer<'_>) -> Value {
    let items = &deps.network.items;
    let key = if deps.direction == Direction::Reads { "depends_on" } else { "used_by" };
    let label = |number: usize| items.get(number).map(|item| name(&item.label).text());
    let definitions = |item: &Item| -> Vec<Value> {
        let one = |d: &TracedDefinition| {
            json!({
                "source": d.body.or(d.name).map(|span| to.place(span)),
                "priority": match &d.priority { Priority::Normal => "normal".into(), other => priority(other).trim().to_string() },
                "wins": d.role != TracedRole::Lost,
            })
        };
        item.definitions.iter().map(one).collect()
    };
    let entry = |number: usize| -> Value {
        let Some(item) = items.get(number) else { return Value::Null };
        let mut out = Map::new();
        out.insert("name".into(), json!(name(&item.label).text()));
        out.insert("path".into(), json!(item.path().map(|path| path.to_string())));
        out.insert("value".into(), json!(item.value.as_ref().map(|v| one_line(to.dialect.spelling(), v).text())));
        out.insert("definitions".into(), Value::Array(definitions(item)));
        let next: Vec<_> = deps.next.get(number).into_iter().flatten().filter_map(|n| label(*n)).collect();
        out.insert(key.into(), json!(next));
        Value::Object(out)
    };
    let mut out = Map::new();
    out.insert("version".into(), json!(1));
    out.insert("path".into(), json!(deps.path.to_string()));
    if let Some(item) = deps.asked.first().and_then(|n| items.get(*n)) {
        out.insert("definitions".into(), Value::Array(definitions(item)));
    }
    out.insert(key.into(), json!(deps.first().into_iter().filter_map(label).collect::<Vec<_>>()));
    out.insert("listed".into(), Value::Array(deps.listed().into_iter().map(entry).collect()));
    out.insert("around".into(), json!(deps.through.iter().filter_map(|n| label(*n)).collect::<Vec<_>>()));
    if deps.direction == Direction::Reads {
        let mut all: Vec<String> = deps.places().into_iter().map(|span| to.place(span)).collect();
        all.sort_unstable();
        all.dedup();
        out.insert("places".into(), json!(all));
    }
    out.insert("complete".into(), json!(!deps.network.cut));
    Value::Object(out)
}
