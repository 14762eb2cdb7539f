//! Steps as JSON, version 1: `docs/schema/steps.json`.

use super::text::priority;
use crate::answer::Renderer;
use crate::answer::shared::compare::Side;
use crate::answer::steps::{Chain, EffectReason, Entry, MergeStep, Steps};
use crate::view::json;
use serde_json::{Map, Value, json};

/// Returns the steps as one object.
pub fn json(steps: &Steps, to: &Renderer<'_>) -> Value {
    let entries = |(_, step): (&Chain, &MergeStep)| entries(step, to);
    let each = || steps.chains.iter().flat_map(|chain| chain.steps.iter().map(move |step| (chain, step)));
    let stopped = steps.demands.cut
        || steps.chains.iter().any(|c| c.steps.len() < c.total)
        || each().any(|(_, step)| !step.whole);
    let merges: Vec<Value> = steps.chains.iter().map(|chain| merge(chain, to)).collect();
    let mut out = json!({
        "version": 1,
        "steps": each().flat_map(entries).collect::<Vec<Value>>(),
        "result": steps.result.as_ref().map(json::value),
        "fields": steps.leaves.count,
        "without_value": steps.leaves.faults,
        "merges": merges,
        "stopped": stopped,
    });
    if !steps.demands.steps.is_empty() {
        out["demands"] = steps.demands.json(to);
    }
    out
}

fn merge(chain: &Chain, to: &Renderer<'_>) -> Value {
    let operand = |label: &crate::answer::steps::Label| json!({ "label": to.label(label), "source": json::secret_source(label.span, label.secret, to.sources) });
    // `merged_at` is the place of an operator with its operands, so its text contains theirs
    let secret = chain.first.secret || chain.steps.iter().any(|step| step.operand.secret);
    let steps = chain.steps.iter().map(|step| {
        json!({
            "n": step.n,
            "operator": step.operator.text(),
            "operand": operand(&step.operand),
            "merged_at": json::secret_source(step.merged, secret, to.sources),
            "same": step.same,
            "shown": step.shown(),
            "not_compared": step.unknown,
            "whole": step.whole,
            "unchanged": step.unchanged.iter().map(|(path, _)| json::path(path)).collect::<Vec<_>>(),
        })
    });
    json!({
        "path": json::path(&chain.at),
        "first": operand(&chain.first),
        "total": chain.total,
        "steps": steps.collect::<Vec<_>>(),
    })
}

fn entries(step: &MergeStep, to: &Renderer<'_>) -> Vec<Value> {
    step.entries.iter().map(|entry| self::entry(step.n, entry, to)).collect()
}

fn entry(n: usize, entry: &Entry, to: &Renderer<'_>) -> Value {
    let mut out = Map::new();
    out.insert("n".into(), json!(n));
    out.insert("kind".into(), json!(entry.kind.word()));
    out.insert("path".into(), json::path(&entry.path));
    for (name, side) in [("left", &entry.left), ("right", &entry.right), ("result", &entry.result)] {
        out.insert(name.into(), side.as_ref().map_or(Value::Null, |side| json::value(&side.value)));
    }
    out.insert("because".into(), json!(to.reason(entry)));
    let side = |side: &Option<Side>| match side {
        Some(side) => json!({
            "priority": priority(&side.priority),
            "source": json::secret_source(side.span, side.is_secret(), to.sources),
        }),
        None => Value::Null,
    };
    out.insert("from".into(), json!({ "left": side(&entry.left), "right": side(&entry.right) }));
    if let EffectReason::Reads(paths) = &entry.because {
        out.insert("reads".into(), paths.iter().map(json::path).collect());
    }
    if let EffectReason::Function(span) = &entry.because {
        out.insert("merge_function".into(), json::source(Some(*span), to.sources));
    }
    let checks = entry
        .checks
        .iter()
        .map(|check| json!({ "source": json::source(Some(check.span), to.sources), "holds": check.holds }));
    out.insert("checks".into(), checks.collect());
    out.insert("hidden".into(), json!(entry.hidden));
    Value::Object(out)
}
