//! The messages of export problems.

use super::{Label, Report};
use crate::problem::manifest::{ExportProblem, ManifestKind};
use crate::text::path::{FieldPath, Step};

/// Says how a field gets a value.
pub(super) const VALUE_AS_TYPE: &str =
    "a field gets its value with `=`: `{ name = \"web\" }`; after `:` and `|` comes a type: `{ name | String }`";

/// Says what to do with a file that is JSON.
pub(super) const JSON_FILE: &str = "if all of the file is written so, it is JSON: let its name end in `.json`";

pub(super) fn write(problem: &ExportProblem, report: &mut Report) {
    let path = FieldPath { steps: problem.path.clone() }.to_string();
    report.labels.extend(problem.span.map(|span| Label { span, text: String::new() }));
    report.message = match &problem.what {
        ManifestKind::NoForm(what) => {
            report.notes.push(String::from(
                "strings, booleans, numbers, enum tags, null, and records and arrays of these can be exported",
            ));
            if *what == "a contract" {
                report
                    .suggestions
                    .push(String::from("`{ a : T }` is a record type; a record of values is written `{ a = e }`"));
            }
            format!("{what} cannot be exported")
        }
        ManifestKind::ValueAsType(name) => {
            if let Some(label) = report.labels.first_mut() {
                label.text = String::from("this is a value, not a type");
            }
            report.suggestions.push(String::from(VALUE_AS_TYPE));
            report.suggestions.push(String::from(JSON_FILE));
            format!("`{name}` has a value where its type is expected")
        }
        ManifestKind::Applied { given, missing } => {
            let arguments =
                |count: usize| if count == 1 { String::from("1 argument") } else { format!("{count} arguments") };
            if let Some(label) = report.labels.first_mut() {
                label.text = format!("this function takes {}", arguments(given + missing));
            }
            report.suggestions.push(format!("it was given {}: add the others, separated by spaces", arguments(*given)));
            format!("a function that still needs {} cannot be exported", arguments(*missing))
        }
        ManifestKind::Undefined => match problem.path.last() {
            Some(Step::Field(name)) => format!("missing definition for `{name}`"),
            _ => String::from("missing definition"),
        },
        ManifestKind::Null(format) => {
            report.suggestions.push(String::from("delete the key, or give it a value"));
            format!("{format} has no null")
        }
        ManifestKind::TooLarge => {
            report.notes.push(String::from(
                "only numbers from -1.7976931348623157e308 to 1.7976931348623157e308 can be exported",
            ));
            String::from("the number is too large to be exported")
        }
        ManifestKind::Needs { format, needed, found } => format!("{format} needs {needed}, this is {found}"),
        ManifestKind::YamlTag { format, tag } => {
            report.suggestions.push(String::from("`--format yaml` keeps the tag"));
            format!("{format} has no tags, and this value has the tag `{tag}`")
        }
        ManifestKind::Unwritable { format, what } => {
            if what.starts_with("a variable named") {
                report
                    .suggestions
                    .push(String::from("rename the key, or use another format, such as `--format properties`"));
            }
            format!("{format} cannot hold {what}")
        }
        ManifestKind::TooDeep => {
            // a path of thousands of steps would not help
            report.message = String::from("the value is nested too deep to be written");
            return;
        }
        ManifestKind::Unfinished => String::from("the value was not evaluated to its end"),
    };
    if !path.is_empty() {
        report.notes.push(format!("in the exported field `{path}`"));
    }
}
