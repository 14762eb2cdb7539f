//! Prints a program's value: as a document in a format, or in the form that `-S`, `-y` or `-m` requests.

use super::request::{Format, ProgramOptions, Shape};
use super::{Event, Session};
use crate::dialect::Dialect;
use crate::problem::manifest::{ExportProblem, ManifestKind};
use crate::problem::{Problem, ProblemKind};
use crate::term::Term;
use crate::text::path::Step;
use crate::ty::{Scheme, Ty};
use crate::value::datum::{Datum, MASK};
use crate::value::manifest::objects::Parts;
use crate::value::manifest::{self, ManifestFormat, Style, plain};
use crate::value::{Machine, Thunk, Value};
use std::sync::Arc;

/// The printed value of a program.
#[derive(Default)]
pub(super) struct Printed {
    /// The text for standard output.
    pub text: String,
    /// Files to write, as names and contents.
    pub files: Vec<(String, String)>,
    /// The value as data, if it was computed.
    pub kept: Option<Datum>,
}

/// The way in which a program's value is printed.
pub(super) struct Layout<'r> {
    /// The language of the program.
    pub dialect: Dialect,
    /// `--format`
    pub format: Format,
    /// The options for printing.
    pub options: &'r ProgramOptions,
    /// The receiver of the parts of a large document.
    pub parts: Option<Parts>,
    /// Whether the value is the array of a YAML stream's documents.
    pub stream: bool,
}

impl Layout<'_> {
    /// Prints a data file as JSON from its term, without evaluating it. `None` if that is not possible.
    fn print_data(&self, machine: &mut Machine, program: &Term) -> Result<Option<Printed>, Problem> {
        let asked = self.options.shape != Shape::Document || self.options.string;
        if asked || self.format != Format::Json || self.dialect.0.is_programs {
            return Ok(None);
        }
        let style = Style::data(self.options.keep_order);
        let text = plain::document(machine, program, style, self.parts.as_ref()).map_err(|f| f.problem().clone())?;
        Ok(text.map(|text| Printed { text, ..Printed::default() }))
    }

    /// Prints the part of a program's value at a path. `at`: the value and the path.
    pub fn print_at(&self, machine: &mut Machine, program: &Term, at: (&Thunk, &[Step])) -> Result<Printed, Problem> {
        let (root, path) = at;
        if path.is_empty()
            && let Some(printed) = self.print_data(machine, program)?
        {
            return Ok(printed);
        }
        let mut thunk = machine.at(root, path).map_err(|f| f.problem().clone())?;
        if machine.is_secret(&thunk) {
            thunk = Thunk::done(Value::String(MASK.into()));
        }
        self.print(machine, &thunk)
    }

    /// Prints a value.
    pub fn print(&self, machine: &mut Machine, thunk: &Thunk) -> Result<Printed, Problem> {
        let strings = self.options.string || self.format == Format::Text;
        let asked = self.options.shape != Shape::Document || self.options.string;
        let native = self.dialect.0.own_json && matches!(self.format, Format::Json | Format::Text);
        if !asked && !native {
            let style = match self.dialect.0.is_programs {
                true => Style::portable(self.options.keep_order),
                false => Style::data(self.options.keep_order),
            };
            if let Some(parts) = &self.parts {
                let to = written(self.format, self.stream);
                let (text, kept) = manifest::export_in_parts(machine, thunk, to, style, parts)
                    .map_err(|problem| placed(machine, thunk, problem))?;
                return Ok(Printed { text, kept, ..Printed::default() });
            }
            let whole = manifest::exported_within(machine, thunk, written(self.format, self.stream), style, usize::MAX)
                .map_err(|problem| placed(machine, thunk, problem))?;
            let datum = whole.unwrap_or_else(|| exported(machine, thunk, self.options));
            let text =
                export(&datum, self.format, style, self.stream).map_err(|problem| placed(machine, thunk, problem))?;
            return Ok(Printed { text, kept: Some(datum), ..Printed::default() });
        }
        let print = |machine: &mut Machine| {
            let value = machine.force(thunk)?;
            match &self.options.shape {
                Shape::Document if strings => {
                    let text = self.ended(machine.manifest_string(&value)?);
                    Ok(Printed { text, ..Printed::default() })
                }
                Shape::Document => {
                    let text = self.trimmed(machine.manifest_in_parts(&value, self.parts.as_ref())?);
                    Ok(Printed { text, ..Printed::default() })
                }
                Shape::Stream => {
                    let text = machine.manifest_stream(&value, strings, self.parts.as_ref())?;
                    Ok(Printed { text, ..Printed::default() })
                }
                Shape::Files(folder) => {
                    let mut printed = Printed::default();
                    for (name, text) in machine.manifest_files(&value, strings)? {
                        let path = format!("{folder}{name}");
                        printed.text.push_str(&path);
                        printed.text.push('\n');
                        let text = if strings { self.ended(text) } else { self.trimmed(text) };
                        printed.files.push((path, text));
                    }
                    Ok(printed)
                }
            }
        };
        print(machine).map_err(|fault: crate::value::Fault| fault.problem().clone())
    }

    /// Appends a line end to a text if the options require one.
    fn ended(&self, mut text: String) -> String {
        if self.options.string && !self.options.no_newline {
            text.push('\n');
        }
        text
    }

    /// Removes the line end of a text if the options require that.
    fn trimmed(&self, mut text: String) -> String {
        if self.options.no_newline {
            text.pop();
        }
        text
    }
}

/// Returns a value as data for [`export`].
pub(super) fn exported(machine: &mut Machine, thunk: &Thunk, options: &ProgramOptions) -> Datum {
    if options.keep_order { machine.exported_as_defined(thunk) } else { machine.exported(thunk) }
}

/// Prints a value in a format, the same for every language.
pub(super) fn export(datum: &Datum, format: Format, style: Style, stream: bool) -> Result<String, Problem> {
    manifest::export(datum, written(format, stream), style)
}

/// Returns what is written for a format. As YAML, the documents of a stream are a stream again.
fn written(format: Format, stream: bool) -> ManifestFormat {
    match format {
        Format::Json => ManifestFormat::Json,
        Format::Yaml if stream => ManifestFormat::YamlDocuments,
        Format::Yaml => ManifestFormat::Yaml,
        Format::Properties => ManifestFormat::Properties,
        Format::Dotenv => ManifestFormat::Dotenv,
        Format::Toml => ManifestFormat::Toml,
        Format::Text => ManifestFormat::Text,
    }
}

impl Session {
    /// Returns the value of a program. In a language that calls programs, a program that is a function is called with the
    /// top-level arguments.
    pub(super) fn root(&mut self, program: &Arc<Term>, dialect: Dialect, events: &mut Vec<Event>) -> Thunk {
        let thunk = self.workspace.machine.thunk(program);
        if !dialect.0.calls_with_arguments {
            return thunk;
        }
        let forced = self.with_trace_lines(events, |machine| machine.force(&thunk));
        self.workspace.called(program, thunk, forced)
    }
}

/// Returns `true` for the type of a function.
pub(super) fn is_function(scheme: &Scheme) -> bool {
    let mut ty = scheme.ty.clone();
    loop {
        ty = match &*ty {
            Ty::Fails(_, inner) | Ty::Sibling(_, inner) => inner.clone(),
            Ty::Forall(inner) => inner.ty.clone(),
            Ty::Fun(..) => return true,
            _ => return false,
        };
    }
}

/// Adds the place of the value to a problem of an export. For a missing definition, returns the evaluator's report.
pub(super) fn placed(machine: &mut Machine, root: &Thunk, mut problem: Problem) -> Problem {
    let path = path_of(&problem);
    let ProblemKind::Manifest(ExportProblem { span, what, .. }) = &mut problem.kind else { return problem };
    if *what != ManifestKind::Undefined {
        *span = machine.definition_at(root, &path);
        let value = machine.at(root, &path).and_then(|thunk| machine.force(&thunk));
        if let Ok(function @ Value::Function(closure)) = &value
            && !closure.args.is_empty()
        {
            *what = ManifestKind::Applied { given: closure.args.len(), missing: function.parameters().unwrap_or(1) };
        }
        if let Ok(Value::Native(partial)) = &value
            && !partial.args.is_empty()
            && let Some(missing) = usize::from(partial.native.arity).checked_sub(partial.args.len())
        {
            *what = ManifestKind::Applied { given: partial.args.len(), missing };
        }
        if let Ok(Value::Contract(contract)) = &value
            && let Some((name, place)) = contract.value_as_type()
        {
            (*what, *span) = (ManifestKind::ValueAsType(name), Some(place));
        }
        return problem;
    }
    let fault = machine.at(root, &path).and_then(|thunk| machine.force(&thunk));
    fault.err().map_or(problem, |fault| fault.problem().clone())
}

/// Returns the path at which an export failed.
pub(super) fn path_of(problem: &Problem) -> Vec<Step> {
    let ProblemKind::Manifest(ExportProblem { path, .. }) = &problem.kind else { return Vec::new() };
    path.clone()
}
