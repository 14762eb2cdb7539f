//! Writes values as JSON, YAML, TOML, properties, `.env` files and plain text.
//!
//! The library writes byte for byte as Nickel does ([`manifest`]). The command line ([`export`]) writes the same, except
//! that its YAML quotes every string that a reader of YAML 1.1 or 1.2 takes for something else, and keeps tags.
//!
//! Fields are sorted by name (by bytes), unless [`Style::as_defined`] is set. Fields that are `not_exported`, and optional fields without a value, are
//! omitted. Enum tags are written as strings. Nothing here recurses on the depth of the value.

mod flat;
mod json;
pub mod objects;
pub mod plain;
#[cfg(test)]
mod tests;
mod toml;
mod tree;
mod yaml;
pub mod yaml_scalar;

use crate::problem::Problem;
use crate::problem::manifest::{ExportProblem, ManifestKind};
use crate::term::{Number, NumberError, NumberForm};
use crate::text::path::Step;
use crate::value::datum::{Datum, Entry, MASK};
use crate::value::{Machine, Thunk};
use objects::Parts;
use tree::{DataTree, Lazy, Part, Tree, ValueTree};

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ManifestFormat {
    /// JSON, indented by two spaces per level.
    #[default]
    Json,
    /// YAML in block style.
    Yaml,
    /// A YAML stream: one document per element of an array.
    YamlDocuments,
    /// TOML. The value must be a record.
    Toml,
    /// Plain text. The value must be a string.
    Text,
    /// Java properties: `a.b=1`. The value must be a record.
    Properties,
    /// A `.env` file: `A_B=1`. The value must be a record.
    Dotenv,
}

/// The choices in writing a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Style {
    /// Whether fields are in the order of the data. Otherwise they are sorted by name.
    pub as_defined: bool,
    /// Whether YAML quotes what some reader takes for something else than a string, and keeps tags.
    portable: bool,
    /// Whether numbers are written with all their digits. Otherwise they are rounded to doubles, as by Nickel.
    in_full: bool,
}

impl Style {
    /// The style of the library: the bytes that Nickel writes.
    const LIBRARY: Style = Style { as_defined: false, portable: false, in_full: false };

    /// Returns the style of the command line for the values of programs.
    pub fn portable(as_defined: bool) -> Style {
        Style { as_defined, portable: true, in_full: false }
    }

    /// Returns the style of the command line for data.
    pub fn data(as_defined: bool) -> Style {
        Style { in_full: true, ..Style::portable(as_defined) }
    }

    /// Formats a number. Fails if it is too large for the style.
    fn export(self, number: &Number, form: NumberForm) -> Result<String, NumberError> {
        let form = if self.portable && form == NumberForm::Yaml { NumberForm::PortableYaml } else { form };
        if self.in_full { number.export_in_full(form) } else { number.export(form) }
    }
}

impl ManifestFormat {
    /// Returns the format's name in messages.
    pub fn name(self) -> &'static str {
        match self {
            ManifestFormat::Json => "JSON",
            ManifestFormat::Yaml | ManifestFormat::YamlDocuments => "YAML",
            ManifestFormat::Toml => "TOML",
            ManifestFormat::Text => "text",
            ManifestFormat::Properties => "a properties file",
            ManifestFormat::Dotenv => "a .env file",
        }
    }
}

/// Writes a value as `std.serialize` does: JSON without a final line end, YAML and TOML with one.
///
/// Fails at the first part of the value that the format cannot represent; a fault inside the value is returned as its
/// problem. Linear in the size of the value, except for sorting fields.
pub fn manifest(value: &Datum, format: ManifestFormat) -> Result<String, Problem> {
    written(value, format, Style::LIBRARY)
}

fn written(value: &Datum, format: ManifestFormat, style: Style) -> Result<String, Problem> {
    let plain = value.without_maps();
    let value = plain.as_ref().unwrap_or(value);
    let mut out = String::new();
    match (format, value) {
        (ManifestFormat::Text, Datum::String(text)) => return Ok(text.to_string()),
        (ManifestFormat::Text, Datum::Secret) => return Ok(String::from(MASK)),
        (ManifestFormat::Text, _) => {
            check(value, format, style)?;
            return Err(needs(format, "a string", value));
        }
        (ManifestFormat::Toml, Datum::Record(entries)) => {
            check(value, format, style)?;
            toml::write(&mut DataTree::new(style), fields(entries, style).into_iter(), &mut out)?;
        }
        (ManifestFormat::Toml, _) => {
            check(value, format, style)?;
            return Err(needs(format, "a record", value));
        }
        (ManifestFormat::Json, _) => {
            check(value, format, style)?;
            json::write(&mut DataTree::new(style), value, &mut out)?;
        }
        (ManifestFormat::Yaml, _) => {
            check(value, format, style)?;
            yaml::write(&mut DataTree::new(style), value, style, &mut out)?;
        }
        (ManifestFormat::YamlDocuments, Datum::Array(documents)) => {
            check(value, format, style)?;
            for document in documents {
                out.push_str("---\n");
                yaml::write(&mut DataTree::new(style), document, style, &mut out)?;
            }
        }
        (ManifestFormat::YamlDocuments, _) => {
            check(value, format, style)?;
            return Err(needs(format, "an array of documents", value));
        }
        (ManifestFormat::Properties | ManifestFormat::Dotenv, Datum::Record(_)) => {
            check(value, format, style)?;
            flat::write(value, format, style, &mut out)?;
        }
        (ManifestFormat::Properties | ManifestFormat::Dotenv, _) => {
            check(value, format, style)?;
            return Err(needs(format, "a record", value));
        }
    }
    Ok(out)
}

/// Number of elements and fields up to which a value is turned into data before it is written.
const WHOLE: usize = 1 << 18;

/// Writes a value as [`export`] does. A large one is computed while it is written, and its parts are passed on, so that memory does not
/// grow with the text. Returns the rest of the text, and the value as data if it is small enough.
pub fn export_in_parts(
    machine: &mut Machine,
    thunk: &Thunk,
    format: ManifestFormat,
    style: Style,
    parts: &Parts,
) -> Result<(String, Option<Datum>), Problem> {
    if let Some(datum) = exported_within(machine, thunk, format, style, WHOLE)? {
        return Ok((export(&datum, format, style)?, Some(datum)));
    }
    let mut tree = ValueTree { machine, format, style, parts, blanks: 0 };
    let (root, mut out) = (Lazy::new(thunk.clone()), String::new());
    match format {
        ManifestFormat::Json => {
            json::write(&mut tree, root, &mut out)?;
            out.push('\n');
        }
        ManifestFormat::Yaml => yaml::write(&mut tree, root, style, &mut out)?,
        ManifestFormat::YamlDocuments => match tree.open(root, 0)? {
            Part::Items(mut documents) => {
                let mut taken = 0;
                while let Some(document) = tree.next(&mut documents) {
                    out.push_str("---\n");
                    let within = |problem| tree::below(problem, Step::Index(taken));
                    yaml::write(&mut tree, document, style, &mut out).map_err(within)?;
                    taken += 1;
                }
            }
            _ => return Err(needs(format, "an array of documents", &Datum::Record(Vec::new()))),
        },
        ManifestFormat::Toml => match tree.open(root, 0)? {
            Part::Fields(fields) => toml::write(&mut tree, fields, &mut out)?,
            _ => return Err(needs(format, "a record", &Datum::Array(Vec::new()))),
        },
        ManifestFormat::Text | ManifestFormat::Properties | ManifestFormat::Dotenv => {
            let datum = match style.as_defined {
                true => tree.machine.exported_as_defined(thunk),
                false => tree.machine.exported(thunk),
            };
            return Ok((export(&datum, format, style)?, Some(datum)));
        }
    }
    Ok((out, None))
}

/// Converts a value to data for an export, if it has at most `most` elements and fields and no limit is reached; `None` otherwise. Fails at
/// the first part that cannot be exported, without forcing the next one, which may not end.
pub fn exported_within(
    machine: &mut Machine,
    thunk: &Thunk,
    format: ManifestFormat,
    style: Style,
    most: usize,
) -> Result<Option<Datum>, Problem> {
    match machine.exported_within(thunk, style.as_defined, most) {
        Some(Ok(datum)) => Ok(Some(datum)),
        Some(Err(failed)) => check(&failed, format, style).map(|()| None),
        None => Ok(None),
    }
}

/// Writes a value as the command line does: like [`manifest`], but JSON gets a final line end, and YAML is written in the
/// given style.
pub fn export(value: &Datum, format: ManifestFormat, style: Style) -> Result<String, Problem> {
    let mut out = written(value, format, style)?;
    if format == ManifestFormat::Json {
        out.push('\n');
    }
    Ok(out)
}

fn needs(format: ManifestFormat, needed: &'static str, value: &Datum) -> Problem {
    let found = match value {
        Datum::Null => "null",
        Datum::Bool(_) => "a boolean",
        Datum::Number(_) => "a number",
        Datum::String(_) => "a string",
        Datum::Tag(_) => "an enum tag",
        Datum::Array(_) => "an array",
        Datum::Record(_) => "a record",
        Datum::Variant(..) => "a tagged value",
        _ => "something else",
    };
    let what = ManifestKind::Needs { format: format.name(), needed, found };
    Problem::error(ExportProblem { path: Vec::new(), span: None, what })
}

/// Returns the exported fields in order.
fn fields(entries: &[Entry], style: Style) -> Vec<(&str, &Datum)> {
    let mut fields: Vec<(&str, &Datum)> = entries
        .iter()
        .filter(|entry| !entry.not_exported)
        .filter_map(|entry| entry.value.as_ref().map(|value| (entry.name.as_str(), value)))
        .collect();
    if !style.as_defined {
        fields.sort_unstable_by_key(|(name, _)| *name);
    }
    fields
}

/// Returns whether the name of an enum variant is a tag of YAML, such as `!Ref`.
pub fn is_yaml_tag(name: &str) -> bool {
    name.starts_with('!')
}

/// Formats a number. Numbers that are too large were refused before.
fn number(number: &Number, form: NumberForm, style: Style) -> String {
    style.export(number, form).unwrap_or_else(|_| String::from("null"))
}

/// Maximum number of spaces of indentation in a text. Indentation is quadratic in the depth.
const MOST_BLANKS: usize = 1 << 28;

/// Fails at the first part of a value that the format cannot represent.
fn check(value: &Datum, format: ManifestFormat, style: Style) -> Result<(), Problem> {
    enum Rest<'a> {
        Elements(std::iter::Enumerate<std::slice::Iter<'a, Datum>>),
        Fields(std::slice::Iter<'a, Entry>),
    }
    let mut stack: Vec<Rest> = Vec::new();
    let mut path: Vec<Step> = Vec::new();
    let mut next = Some(value);
    let mut blanks = 0usize;
    loop {
        let fail = |what, path: &[Step]| Err(Problem::error(ExportProblem { path: path.to_vec(), span: None, what }));
        if let Some(value) = next.take() {
            match value {
                Datum::Null if format == ManifestFormat::Toml => return fail(ManifestKind::Null("TOML"), &path),
                Datum::Null | Datum::Bool(_) | Datum::String(_) | Datum::Tag(_) | Datum::Secret => {}
                Datum::Number(number) => {
                    if number.to_i64().is_none() && style.export(number, NumberForm::Json).is_err() {
                        return fail(ManifestKind::TooLarge, &path);
                    }
                }
                Datum::Array(elements) => {
                    stack.push(Rest::Elements(elements.iter().enumerate()));
                    path.push(Step::Index(0));
                }
                Datum::Record(entries) => {
                    stack.push(Rest::Fields(entries.iter()));
                    path.push(Step::Index(0));
                }
                Datum::Variant(tag, argument) if is_yaml_tag(tag) && !matches!(**argument, Datum::Variant(..)) => {
                    if !style.portable || !matches!(format, ManifestFormat::Yaml | ManifestFormat::YamlDocuments) {
                        let (tag, format) = (tag.clone(), format.name());
                        return fail(ManifestKind::YamlTag { format, tag }, &path);
                    }
                    next = Some(argument);
                    continue;
                }
                Datum::Variant(..) => return fail(ManifestKind::NoForm("an enum variant with an argument"), &path),
                Datum::Function(_) => return fail(ManifestKind::NoForm("a function"), &path),
                Datum::Contract(_) => return fail(ManifestKind::NoForm("a contract"), &path),
                Datum::Fault(problem) => return Err((**problem).clone()),
                Datum::Unforced | Datum::Elided(_) | Datum::Map(_) => return fail(ManifestKind::Unfinished, &path),
            }
        }
        let Some(top) = stack.last_mut() else { return Ok(()) };
        let found = match top {
            Rest::Elements(elements) => elements.next().map(|(i, element)| (Step::Index(i), Some(element))),
            Rest::Fields(entries) => entries
                .find(|entry| !(entry.not_exported || entry.optional && entry.value.is_none()))
                .map(|entry| (Step::Field(entry.name.clone()), entry.value.as_ref())),
        };
        match found {
            Some((part, value)) => {
                blanks = blanks.saturating_add(2 * path.len());
                if blanks > MOST_BLANKS && path.len() > 1000 {
                    return fail(ManifestKind::TooDeep, &path);
                }
                if let Some(last) = path.last_mut() {
                    *last = part;
                }
                if value.is_none() {
                    return fail(ManifestKind::Undefined, &path);
                }
                next = value;
            }
            None => {
                stack.pop();
                path.pop();
            }
        }
    }
}
