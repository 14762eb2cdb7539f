//! Reports about data files, schemas and options: the words for them, and advice in the language of a data file.

use super::Session;
use crate::dialect::{Dialect, forms};
use crate::problem::data::{DataProblem, YamlFault};
use crate::problem::datum::Datum;
use crate::problem::report::{Report, article};
use crate::problem::session::{SessionKind, SessionProblem};
use crate::problem::syntax::SyntaxKind;
use crate::problem::value::{ContractViolation, ValueKind};
use crate::problem::{Problem, ProblemKind};
use crate::text::{SourceId, Span};

impl Session {
    /// Returns the language of a data file.
    fn data_at(&self, span: Span) -> Option<Dialect> {
        self.workspace.dialect_of(span.source).filter(|language| !language.has_cells())
    }

    /// Whether a source is the text of an option of the command line.
    pub(super) fn is_option(&self, source: SourceId) -> bool {
        self.world.sources.borrow().get(source).is_some_and(|source| source.name.starts_with("--"))
    }

    /// Replaces the words for programs in a report about a data file, a schema or an option, and adds advice.
    pub(super) fn about_data(&self, problem: &Problem, report: &mut Report) {
        match &problem.kind {
            ProblemKind::Session(SessionProblem { what: SessionKind::NotFound { .. }, span: Some(span) })
            | ProblemKind::Session(SessionProblem { what: SessionKind::Unreadable { .. }, span: Some(span) }) => {
                self.about_named_file(*span, report);
            }
            ProblemKind::Syntax(syntax)
                if matches!(syntax.what, SyntaxKind::Data(DataProblem::Yaml(YamlFault::Template))) =>
            {
                self.about_template(syntax.span, report);
            }
            ProblemKind::Value(value) => match &value.what {
                ValueKind::Contract(broken) => self.about_rule(broken, report),
                ValueKind::MissingDefinition { name, declared, .. }
                    if !declared.is_empty() && declared.iter().all(|at| self.data_at(*at).is_some()) =>
                {
                    report.message = format!("missing key `{name}`");
                    for label in &mut report.labels {
                        if declared.contains(&label.span) {
                            label.text = String::from("the schema requires it");
                        } else if label.text.ends_with("is not here") {
                            label.text = format!("no `{name}` in this mapping");
                        }
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }

    /// Says that a file with the values of a chart is no template.
    fn about_template(&self, span: Span, report: &mut Report) {
        let sources = self.world.sources.borrow();
        let Some(name) = sources.get(span.source).map(|source| source.name.clone()) else { return };
        let file = name.rsplit(['/', '\\']).next().unwrap_or_default();
        let stem = file.split('.').next().unwrap_or_default();
        if stem == "values" || stem.starts_with("values-") || stem.ends_with("-values") {
            let help = format!(
                "Helm does not fill in `{file}`: write the value here, or put this in quotes and use `tpl` in the template"
            );
            report.suggestions = vec![help];
        }
    }

    /// Says where a file is looked for that data or an option names.
    fn about_named_file(&self, span: Span, report: &mut Report) {
        let is_option = self.is_option(span.source);
        if !is_option && self.data_at(span).is_none() {
            return;
        }
        for label in report.labels.iter_mut().filter(|label| label.text == "imported here") {
            label.text = String::from("named here");
        }
        for note in report.notes.iter_mut().filter(|note| note.starts_with("a path begins at the folder")) {
            *note = String::from(match is_option {
                true => "a path begins at the current folder",
                false => "a path begins at the folder of this file",
            });
        }
    }

    /// Says how a value of another form is written, and names the schema that a rule is in.
    fn about_rule(&self, broken: &ContractViolation, report: &mut Report) {
        let is_schema = broken.contract_span.is_some_and(|span| self.data_at(span).is_some());
        if let (Some(span), true) = (broken.contract_span, is_schema) {
            report.message = report.message.replacen("breaks its contract", "breaks the schema", 1);
            for label in report.labels.iter_mut().filter(|label| label.span == span) {
                label.text = String::from("the rule of the schema");
            }
        }
        let Some(language) = broken.value_span.and_then(|span| self.data_at(span)) else { return };
        // the type of the whole file
        let whole =
            broken.message.as_deref().and_then(|message| message.strip_prefix("expected ")?.split_once(", found "));
        if let (Some((expected, found)), true) = (whole, is_schema) {
            let kind = Dialect::default().of_data().notation().kind_names.kind;
            report.message = format!("the file must be {}, but is {}", article(kind(expected)), article(kind(found)));
        }
        let Some(expected) = broken.expected.as_deref().or(whole.map(|(expected, _)| expected)) else { return };
        let is_mapping = expected == "Record" || expected.starts_with('{');
        let key = broken.field.as_deref();
        report.suggestions.extend(match &broken.value {
            Some(Datum::Array(items)) if is_mapping && matches!(items.first(), Some(Datum::Record(_))) => {
                forms::mapping(language, key).map(|form| form.to_string())
            }
            Some(Datum::Record(_)) if expected.starts_with("Array") => {
                forms::list(language, key).map(|form| form.to_string())
            }
            _ => None,
        });
    }
}
