//! Stages as JSON, version 1: `docs/schema/stages.json`.

use super::Stages;
use super::text::failure;
use crate::answer::Renderer;
use serde_json::{Value, json};

/// Returns the stages as one object.
pub fn json(stages: &Stages, to: &Renderer<'_>) -> Value {
    let stage = |(stage, made): &(super::Stage, super::StageResult)| match made {
        Ok(answer) => json!({"stage": stage.name(), "kind": answer.name(), "data": answer.json(to)}),
        Err(problem) => json!({"stage": stage.name(), "problem": failure(problem, to).text()}),
    };
    json!({
        "version": 1,
        "dialect": to.dialect.name(),
        "stages": stages.0.iter().map(stage).collect::<Vec<_>>(),
    })
}
