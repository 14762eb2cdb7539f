//! Prose for problems of lexers, parsers and lowerings.

use super::{Label, Report};
use crate::problem::syntax::{Syntax, SyntaxKind};

pub(super) fn write(problem: &Syntax, report: &mut Report) {
    if let SyntaxKind::Data(what) = &problem.what {
        return super::data::write(what, problem.span, report);
    }
    let mut label = String::new();
    match &problem.what {
        SyntaxKind::Unexpected { found, expected } => {
            report.message = match found {
                Some(token) => format!("unexpected `{token}`"),
                None => String::from("unexpected end of input"),
            };
            if !expected.is_empty() {
                label = format!("expected {}", expected.join(", "));
            }
        }
        SyntaxKind::Unclosed(what) => {
            report.message = format!("unclosed {what}");
            label = String::from("opened here");
        }
        SyntaxKind::Unbound { name, near } => {
            report.message = format!("unbound name `{name}`");
            label = String::from("nothing of this name is in scope");
            if let Some(first) = near.first() {
                report.helps.push(format!("did you mean `{first}`?"));
            }
        }
        SyntaxKind::Data(_) => {}
    }
    report.labels.push(Label { span: problem.span, text: label });
}
