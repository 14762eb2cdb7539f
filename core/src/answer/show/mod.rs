//! A value in a form that the user chose: a table, a tree, JSON, or YAML.

mod html;
mod text;

use super::value::ValueAnswer;
use crate::answer::{Answer, Renderer};
use crate::problem::Problem;
use crate::problem::session::{SessionKind, SessionProblem};
use crate::styled::Styled;
use crate::text::Name;
use crate::text::path::{FieldPath, Step};
use crate::value::datum::{Datum, Entry};
use crate::value::manifest::{ManifestFormat, manifest};
use crate::view::html::Html;
use serde_json::Value;

/// Maximum number of rows of a table.
const ROWS: usize = 200;
/// Maximum number of columns of a table.
const COLUMNS: usize = 12;

/// The form of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A row for each field of a record, or for each record of an array.
    Table,
    /// A line for each part, indented by its depth.
    Tree,
    /// JSON.
    Json,
    /// YAML.
    Yaml,
}

impl Form {
    /// The names of the forms.
    pub const NAMES: [&'static str; 4] = ["table", "tree", "json", "yaml"];

    /// Returns the form with a name.
    pub fn from_name(name: &str) -> Option<Form> {
        Some(match name {
            "table" => Form::Table,
            "tree" => Form::Tree,
            "json" => Form::Json,
            "yaml" => Form::Yaml,
            _ => return None,
        })
    }
}

/// A value and its form.
pub struct Shown {
    /// The form.
    pub form: Form,
    /// The value, evaluated completely.
    pub value: ValueAnswer,
    /// The value in the format of the form, for JSON and YAML.
    text: String,
}

impl Shown {
    /// Makes an answer from a value.
    ///
    /// # Errors
    ///
    /// Fails for JSON and YAML if the value has no form there.
    pub fn new(form: Form, value: ValueAnswer) -> Result<Shown, Problem> {
        let format = match form {
            Form::Json => ManifestFormat::Json,
            Form::Yaml => ManifestFormat::Yaml,
            Form::Table | Form::Tree => return Ok(Shown { form, value, text: String::new() }),
        };
        let text = match manifest(&value.datum, format) {
            Ok(text) => text,
            // a missing part is reported with its place
            Err(_) if value.fault.is_some() => String::new(),
            Err(_) => {
                let named = if form == Form::Json { "JSON" } else { "YAML" };
                let why = match refused(&value.datum) {
                    Some((_, Datum::Fault(problem))) => return Err((**problem).clone()),
                    Some((path, part)) => {
                        let what = if matches!(part, Datum::Function(_)) { "a function" } else { "a contract" };
                        let part = if path.steps.is_empty() { String::from("this") } else { format!("`{path}`") };
                        format!("{part} is {what}, which has no form in {named}")
                    }
                    None => format!("this value, or a part of it, has no form in {named}"),
                };
                let what = SessionKind::BadCommand {
                    why: Name::from(why),
                    usage: Name::new_static(":show tree EXPRESSION"),
                    meant: None,
                    example: None,
                };
                return Err(Problem::error(SessionProblem { span: None, what }));
            }
        };
        Ok(Shown { form, value, text })
    }
}

/// Returns the first part of a value that has no form in any format: an error, a function or a contract. O(value).
fn refused(datum: &Datum) -> Option<(FieldPath, &Datum)> {
    /// The next part to look at, with the step to it and the number of steps around it; `None` for the whole value.
    type Part<'d> = (Option<(usize, Step)>, &'d Datum);
    let mut work: Vec<Part<'_>> = vec![(None, datum)];
    let mut steps: Vec<Step> = Vec::new();
    while let Some((place, datum)) = work.pop() {
        if let Some((depth, step)) = place {
            steps.truncate(depth);
            steps.push(step);
        }
        let depth = steps.len();
        match datum {
            Datum::Fault(_) | Datum::Function(_) | Datum::Contract(_) => return Some((FieldPath { steps }, datum)),
            Datum::Record(entries) => work.extend(entries.iter().rev().filter_map(|entry: &Entry| {
                Some((Some((depth, Step::Field(entry.name.clone()))), entry.value.as_ref()?))
            })),
            Datum::Array(items) => {
                work.extend(items.iter().enumerate().rev().map(|(at, item)| (Some((depth, Step::Index(at))), item)));
            }
            _ => {}
        }
    }
    None
}

/// A table of values.
struct Rows<'a> {
    /// The titles of the columns.
    head: Vec<String>,
    /// The first cell of each row, and the others. `None` where a record has no such field.
    rows: Vec<(String, Vec<Option<&'a Datum>>)>,
    /// Number of rows that are left out.
    more: usize,
}

/// Returns the table of a value. `None` if it is neither a record nor an array.
fn table(datum: &Datum) -> Option<Rows<'_>> {
    match datum {
        Datum::Record(entries) => {
            let rows = entries.iter().take(ROWS).map(|entry| (entry.name.to_string(), vec![entry.value.as_ref()]));
            let head = vec![String::from("field"), String::from("value")];
            Some(Rows { head, rows: rows.collect(), more: entries.len().saturating_sub(ROWS) })
        }
        Datum::Map(entries) => {
            let rows = entries.iter().take(ROWS).map(|(key, value)| (String::new(), vec![Some(key), Some(value)]));
            let head = vec![String::new(), String::from("key"), String::from("value")];
            Some(Rows { head, rows: rows.collect(), more: entries.len().saturating_sub(ROWS) })
        }
        Datum::Array(items) => {
            let mut columns: Vec<&Name> = Vec::new();
            for item in items.iter().take(ROWS) {
                let Datum::Record(entries) = item else { continue };
                for entry in entries {
                    if !columns.contains(&&entry.name) && columns.len() < COLUMNS {
                        columns.push(&entry.name);
                    }
                }
            }
            let is_records = !columns.is_empty() && items.iter().all(|item| matches!(item, Datum::Record(_)));
            let rows = items.iter().take(ROWS).enumerate().map(|(at, item)| {
                let cells = match item {
                    Datum::Record(entries) if is_records => {
                        let entry = |name: &&Name| entries.iter().find(|entry| entry.name == **name);
                        columns.iter().map(|name| entry(name).and_then(|entry| entry.value.as_ref())).collect()
                    }
                    item => vec![Some(item)],
                };
                (at.to_string(), cells)
            });
            let names = match is_records {
                true => columns.iter().map(|name| name.to_string()).collect(),
                false => vec![String::from("value")],
            };
            let head = std::iter::once(String::from("#")).chain(names).collect();
            Some(Rows { head, rows: rows.collect(), more: items.len().saturating_sub(ROWS) })
        }
        _ => None,
    }
}

impl Answer for Shown {
    fn name(&self) -> &'static str {
        "value"
    }

    fn text(&self, to: &Renderer<'_>) -> Styled {
        text::text(self, to)
    }

    fn html(&self, to: &Renderer<'_>, html: &mut Html) {
        html::html(self, to, html);
    }

    fn json(&self, to: &Renderer<'_>) -> Value {
        self.value.json(to)
    }

    fn fault(&self) -> Option<&Problem> {
        self.value.fault.as_ref()
    }
}
