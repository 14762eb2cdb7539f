//! Prose for problems of evaluation.

use super::{Label, Report};
use crate::problem::value::{Value, ValueKind};

pub(super) fn write(problem: &Value, report: &mut Report) {
    report.message = match &problem.what {
        ValueKind::Undefined { message, .. } | ValueKind::Failed { message, .. } => message.to_string(),
        other => format!("{other:?}"),
    };
    if let Some(span) = problem.span() {
        report.labels.push(Label { span, text: String::new() });
    }
}
