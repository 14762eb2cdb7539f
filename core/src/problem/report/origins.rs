//! The origins of the values that an operation does not work on.

use super::value::{article, mark};
use super::{KindNames, Label, Report};
use crate::problem::types::Why;
use crate::problem::value::ValueOrigin;
use crate::text::{Name, Span};

/// Marks where the values come from that an operation does not work on, and suggests what to do.
pub(super) fn write(all: &[ValueOrigin], kind_names: &KindNames, report: &mut Report) {
    // two arguments that are exchanged need no conversion
    let exchanged = all.iter().any(|origin| matches!(origin, ValueOrigin::Function { span: None, help: Some(_), .. }));
    for origin in all {
        match origin {
            ValueOrigin::Operand { span, kind, operator } => {
                let kind = (kind_names.kind)(kind);
                // the operation itself is marked without a text, and its operands say more
                report.labels.retain(|label| !(label.text.is_empty() && label.span.start == span.start));
                if report.labels.iter().all(|label| label.span != *span) {
                    mark(report, Some(*span), format!("this is {}", article(kind)));
                }
                let hint = (kind_names.operator_hint)(operator, kind).map(String::from);
                if let Some(hint) = hint.filter(|hint| !report.suggestions.contains(hint)) {
                    report.suggestions.push(hint);
                }
            }
            ValueOrigin::Field { name, span, layer } => {
                let layer = layer.map_or_else(String::new, |(number, count)| format!(", in layer {number} of {count}"));
                mark(report, Some(*span), format!("`{name}` is defined here{layer}"));
            }
            ValueOrigin::Hidden { name, span, missing } => hidden(name, *span, missing, report),
            ValueOrigin::Similar(name) => report.suggestions.insert(0, format!("did you mean `{name}`?")),
            ValueOrigin::Function { usage, span, help } => {
                match span {
                    Some(span) => mark(report, Some(*span), format!("the function takes `{usage}`")),
                    None => report.notes.push(format!("the function is `{usage}`")),
                }
                report.suggestions.extend(help.iter().map(Name::to_string));
            }
            ValueOrigin::Argument { span, found, parameter, expected, .. } => {
                let original = (kind_names.kind)(found);
                let found = article(original);
                let kinds = expected.iter().map(|kind| article(kind)).collect::<Vec<_>>().join(" or ");
                let hint = |kind: &Name| (kind_names.reason_hint)(&Why::Argument(1, None), original, kind);
                let hint = expected.iter().find_map(hint).map(|hint| hint.to_string());
                report.suggestions.extend(hint.filter(|hint| !exchanged && !report.suggestions.contains(hint)));
                match span {
                    Some(_) => mark(report, *span, format!("this is {found}, and `{parameter}` takes {kinds}")),
                    None => report.notes.push(format!("`{parameter}` takes {kinds}, and it is {found}")),
                }
            }
            ValueOrigin::Shown { span, value } => mark(report, Some(*span), format!("this is {value}")),
            ValueOrigin::False(span) => {
                report.labels.retain(|label| label.span != *span);
                let label = Label { span: *span, text: String::from("this is false") };
                report.labels.insert(0, label);
            }
            ValueOrigin::Below(name) => report.suggestions.push(format!(
                "`super` is the object on the left of `+`; where it may lack the field: `if '{name}' in super then super.{name} else …`"
            )),
            // the options that set it are those of the face that prints the message
            ValueOrigin::External(_) => {}
            ValueOrigin::Own { name, span } => {
                mark(report, *span, format!("`{name}` of this object"));
                report.suggestions.push(format!("`self.{name}` reads the field of this object"));
            }
            ValueOrigin::Outer { name, span, outermost } => {
                mark(report, *span, String::from("a field of an object around this one"));
                report.suggestions.push(match outermost {
                    true => format!("`self` is the innermost object; the outermost one has the field: `$.{name}`"),
                    false => format!(
                        "`self` is the innermost object: with `local outer = self,` beside the field, `outer.{name}`"
                    ),
                });
            }
        }
    }
}

/// Says which definition below has a field that a record lacks, and how the record keeps it. `name`: the field that holds both records.
pub(super) fn hidden(name: &Name, below: Span, missing: &Name, report: &mut Report) {
    report.labels.push(Label { span: below, text: format!("the `{name}` below has `{missing}`") });
    report.suggestions.push(format!(
        "`{name}:` replaces all of the object below; `{name}+:` keeps its fields, or `{name}+::` if it is hidden"
    ));
}
