//! The explanation of a type as JSON, version 1: `docs/schema/why.json`.

use super::text::{sources, spelled};
use super::{PassingConstruct, Side, Statement, WhyAnswer, WhyStep, WhySubject};
use crate::answer::Renderer;
use crate::text::Span;
use serde_json::{Value, json};

/// Returns an answer as one object.
pub fn json(why: &WhyAnswer, to: &Renderer<'_>) -> Value {
    let place = |span: Span| {
        let source = to.sources.get(span.source);
        let at = source.map(|s| (s.position(span.start), s.position(span.end)));
        match (source, at) {
            (Some(source), Some((start, end))) => json!({
                "file": &*source.name, "line": start.line, "column": start.column,
                "end_line": end.line, "end_column": end.column,
            }),
            _ => Value::Null,
        }
    };
    let numbered = sources(why);
    let step = |at: Option<usize>, step: &WhyStep| {
        let ty = match &step.statement {
            Statement::Is(ty) | Statement::Wants(ty) => Some(to.ty(ty).text()),
            _ => None,
        };
        json!({
            "number": at.and_then(|at| numbered.iter().position(|n| *n == at)).map(|n| n + 1),
            "side": match step.side { Side::Found => "found", Side::Wanted => "wanted" },
            "role": role(&step.statement),
            "type": ty,
            "says": to.statement(&step.statement).text(),
            "text": to.sources.slice(step.span),
            "path": spelled(&step.path),
            "at": place(step.at),
        })
    };
    let (code, ty) = match &why.subject {
        WhySubject::Problem(problem) => (Some(problem.code()), None),
        WhySubject::Type(scheme) => (None, Some(to.ty(scheme).text())),
    };
    json!({
        "version": 1,
        "path": spelled(&why.path),
        "sentence": to.sentence(why).text(),
        "code": code,
        "type": ty,
        "steps": why.steps.iter().enumerate().map(|(at, s)| step(Some(at), s)).collect::<Vec<_>>(),
        "meets": why.meets.as_ref().map(|s| step(None, s)),
        "fix": why.fix.as_ref().map(|fix| json!({ "at": place(fix.span), "was": fix.was, "now": fix.now })),
        "least": why.least,
    })
}

fn role(statement: &Statement) -> &'static str {
    match statement {
        Statement::Is(_) => "is",
        Statement::Wants(_) => "wants",
        Statement::Names(_) => "name",
        Statement::Reads(_) => "field",
        Statement::Passes(through) => match through {
            PassingConstruct::Merge => "merge",
            PassingConstruct::Inherit => "inherit",
            PassingConstruct::Call(..) => "call",
            PassingConstruct::Operator(_) => "operator",
            PassingConstruct::Condition => "if",
            PassingConstruct::Match => "match",
            PassingConstruct::Array => "array",
            PassingConstruct::Index => "index",
            PassingConstruct::Import(_) => "import",
            PassingConstruct::Comprehension => "comprehension",
            PassingConstruct::Super => "super",
        },
    }
}
