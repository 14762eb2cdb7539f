//! Rendering problems as text.

use super::Session;
use crate::answer;
use crate::answer::fixes::Fix;
use crate::answer::why;
use crate::dialect::Dialect;
use crate::problem::report::{Label, Report};
use crate::problem::session::{SessionKind, SessionProblem};
use crate::problem::types::{CallFault, TypeProblem, TypesKind, Why};
use crate::problem::value::{ValueKind, ValueOrigin};
use crate::problem::{Problem, ProblemKind, Severity};
use crate::state::masked_type;
use crate::styled::Styled;
use crate::text::path::FieldPath;
use crate::text::{Name, Span};
use crate::value::secret::HIDDEN;
use crate::view;
use std::path::Path;

/// Maximum length of a text in which annotations are tried, in bytes. Each try infers it again.
const TRIED: usize = 16_000;
/// Number of bytes around an error from which a suggestion may repeat something. There is none if a secret is among them.
const AROUND: usize = 200;
/// The beginning of a suggestion of another name. A report has one.
const MEANT: &str = "did you mean";
/// The beginning of a suggestion about an unbound name that may be a text.
const TEXT: &str = "a text is in quotes, `";
/// The beginning of a suggestion about a text in the place of a number.
const UNQUOTED: &str = "a number is written without quotes";
/// The beginning of a suggestion that says how to define a name.
const DEFINE: &str = "define it";
/// Maximum number of bytes of programs in which annotations are searched for in one request or input.
const MOST_BYTES: usize = 8 * TRIED;

impl Session {
    /// Renders a problem.
    pub(super) fn report(&self, dialect: Dialect, problem: &Problem) -> Styled {
        self.on_page(&self.described(dialect, problem))
    }

    /// Renders a report for the page.
    fn on_page(&self, report: &Report) -> Styled {
        let width = self.page_width().or(self.report_width());
        let sources = self.world.sources.borrow();
        view::report::report(report, &sources, width.unwrap_or(super::DEFAULT_WIDTH), width.is_some())
    }

    /// Returns the message of a problem. For an ambiguous type, the message suggests an annotation that settles it, if there
    /// is one.
    pub(super) fn described(&self, dialect: Dialect, problem: &Problem) -> Report {
        let mut report = self.masked(dialect, problem);
        if let ProblemKind::Session(SessionProblem { what: SessionKind::NotFound { tried, near, .. }, .. }) =
            &problem.kind
            && (tried.len() > 1 || dialect.0.path_variable.is_some() && problem.span().is_some() && near.is_empty())
            && problem.span().is_none_or(|at| self.workspace.dialect_of(at.source).is_none_or(Dialect::has_cells))
            && !problem.span().is_some_and(|at| self.is_option(at.source))
        {
            // a hint is in the words of the face that prints it
            let option = if self.request.is_some() { "-I DIR" } else { ":set import-path DIR" };
            report.suggestions.insert(0, format!("`{option}` adds a folder to look in"));
        }
        if problem.code() == "scope/unbound"
            && let Some(name) = problem.span().map(|span| self.workspace.text(span))
            && self.is_undone(&name)
        {
            report.suggestions.push(format!("`:redo` brings back `{name}`, which was undone"));
        }
        self.narrow(dialect, problem, &mut report);
        self.exchange(problem, &mut report);
        self.without_priorities_of_data(problem, &mut report);
        self.without_call_of_program(problem, &mut report);
        self.external_options(problem, &mut report);
        // a similar name is likelier than one that has to be defined
        let has_similar = report.suggestions.iter().any(|other| other.starts_with(MEANT));
        let defines = |hint: &str| hint.starts_with(DEFINE) && hint.contains(": VALUE`");
        // an index is read from an array, and not from a text or a record
        let is_array = report.message.starts_with("Array");
        let is_of_array = |hint: &str| problem.code() == "types/not-a-function" && hint.starts_with("write `std.array");
        let fits = |hint: &String| !(has_similar && defines(hint)) && (is_array || !is_of_array(hint));
        if let Some(hint) = self.hint_at(problem).filter(fits) {
            let is_name = |hint: &str| [MEANT, DEFINE].into_iter().any(|start| hint.starts_with(start));
            if is_name(&hint) {
                report.suggestions.retain(|other| !is_name(other) && !other.starts_with(TEXT));
            } else if ["write ", "leave out ", "there are no "].iter().any(|start| hint.starts_with(start)) {
                // the whole correction says more than what is suggested for all such values
                report.suggestions.clear();
            } else if problem.code() == "scope/unbound" {
                // what is wrong in this text says more than what is suggested for all unbound names
                let is_general = |other: &str| other.starts_with(DEFINE) || other.starts_with("write `");
                report.suggestions.retain(|other| !is_general(other) && !other.starts_with(TEXT));
            }
            report.suggestions.insert(0, hint);
        }
        super::prompt_advice::about_elements(problem, &mut report);
        self.advise_about_format(problem, &mut report);
        if self.request.is_none() {
            self.advise_at_prompt(problem, &mut report);
        }
        if let Some(fix) = self.annotation(problem) {
            let mut help = format!("with an annotation the type is known, for example `{}`", fix.now);
            // a definition before the statement gives the expression a name
            if let Some((definition, _)) = fix.now.split_once('\n') {
                let name = definition.split_whitespace().next().unwrap_or_default();
                help = format!(
                    "with an annotation the type is known, for example `{definition}`, and `{name}` in place of the expression"
                );
            }
            report.suggestions.push(help);
        }
        // advice that was added quotes the text
        self.hide(problem, &mut report);
        report
    }

    /// Marks the part of an expression that is wrong, by its text: the name of an argument in place of its value, and the field that is read
    /// in place of an expression of several lines. A field that is called gets no advice about a default.
    fn narrow(&self, dialect: Dialect, problem: &Problem, report: &mut Report) {
        if let ProblemKind::Value(value) = &problem.kind
            && let ValueKind::MissingDefinition { holder: Some(holder), .. } = &value.what
            && let Some(label) = report.labels.iter_mut().find(|label| label.span == *holder)
            && let Some(text) = self.world.text_of(holder.source)
            && let Some(first) =
                text.get(holder.start as usize..holder.end as usize).and_then(|text| text.lines().next())
        {
            label.span.end = label.span.start + first.trim_end().len() as u32;
        }
        let ProblemKind::Types(types) = &problem.kind else { return };
        self.unquoted(types, report);
        self.tag_of_text(types, report);
        let (start, end) = (types.span.start as usize, types.span.end as usize);
        let Some(label) = report.labels.first_mut().filter(|label| label.span == types.span) else { return };
        let Some(text) = self.world.text_of(types.span.source) else { return };
        let (Some(before), Some(marked)) = (text.get(..start), text.get(start..end)) else { return };
        if let (TypesKind::MissingField { name, .. }, Some('(')) =
            (&types.what, text.get(end..).and_then(|rest| rest.chars().next()))
        {
            let of_values = (dialect.notation().kind_names.absent_hint)(name);
            report.suggestions.retain(|advice| Some(advice) != of_values.as_ref());
        }
        let range = match &types.what {
            TypesKind::Call {
                fault: CallFault::NoParameter { name, .. } | CallFault::RepeatedArgument { name },
                ..
            } => {
                let named = before.trim_end().strip_suffix('=').map(str::trim_end);
                named.filter(|named| named.ends_with(name.as_str())).map(|named| named.len() - name.len()..named.len())
            }
            TypesKind::MissingField { name, .. } if marked.contains('\n') && marked.ends_with(name.as_str()) => {
                Some(end - name.len()..end)
            }
            _ => None,
        };
        if let Some(range) = range {
            label.span = Span { source: types.span.source, start: range.start as u32, end: range.end as u32 };
        }
    }

    /// Removes the advice to leave out the quotes of a text that is no number and no `true` or `false`.
    fn unquoted(&self, types: &TypeProblem, report: &mut Report) {
        let is_declared = match &types.what {
            TypesKind::ChangesType { .. } => false,
            TypesKind::Conflict(c) if matches!(c.why, Why::Contract | Why::Annotation) => true,
            _ => return,
        };
        let range = types.span.start as usize..types.span.end as usize;
        let sources = self.world.sources.borrow();
        // nothing may depend on what a secret is
        if sources.get(types.span.source).is_some_and(|source| source.overlaps_secret(range)) {
            return;
        }
        let written = self.workspace.text(types.span);
        let inside = written.strip_prefix(['"', '\'']).and_then(|rest| rest.strip_suffix(['"', '\'']));
        let fits = |text: &str| text.parse::<f64>().is_ok() || matches!(text, "true" | "false");
        if inside.map_or(is_declared, fits) {
            return;
        }
        let of_number = report.suggestions.iter().any(|advice| advice.starts_with(UNQUOTED));
        report.suggestions.retain(|advice| !advice.contains("written without quotes"));
        if is_declared && of_number {
            report.suggestions.push(String::from("this text is no number: write a number, or allow a text"));
        }
    }

    /// Replaces the advice to change a priority where all values are written in data files, which have no priorities.
    fn without_priorities_of_data(&self, problem: &Problem, report: &mut Report) {
        const ADVICE: &str = "give one of them another priority";
        let ProblemKind::Value(value) = &problem.kind else { return };
        let ValueKind::Conflict { definitions, .. } = &value.what else { return };
        let sources = self.world.sources.borrow();
        let languages = self.languages();
        let is_data = |span: Span| {
            let language = sources.get(span.source).and_then(|source| languages.of_path(Path::new(&*source.name)));
            language.is_some_and(|language| !language.has_cells())
        };
        if definitions.iter().filter(|d| d.ties).all(|d| d.span.is_some_and(is_data)) {
            for advice in report.suggestions.iter_mut().filter(|advice| advice.starts_with(ADVICE)) {
                let name = FieldPath::from(value.path.as_slice());
                *advice = format!("data has no priorities: merge `{{ {name} | force = … }}` over both");
            }
        }
    }

    /// Replaces the places in the call of a program that is a function, which no user wrote, by the function; says which options
    /// pass the arguments that are missing.
    fn without_call_of_program(&self, problem: &Problem, report: &mut Report) {
        let is_call = |label: &Label| self.world.is_call_of_program(label.span);
        let primary = report.labels.first().filter(|label| is_call(label)).map(|label| label.text.clone());
        report.labels.retain(|label| !is_call(label));
        let (Some(primary), Some(program)) = (primary, self.world.called_program()) else { return };
        report.labels.retain(|label| label.span != program.span);
        let about_arguments = match &problem.kind {
            ProblemKind::Value(value) => {
                value.origins.iter().any(|origin| matches!(origin, ValueOrigin::Function { .. }))
            }
            ProblemKind::Types(types) => matches!(types.what, TypesKind::Call { .. }),
            _ => false,
        };
        let text = match about_arguments || primary.is_empty() {
            true => format!("the program is a function of `{}`", program.parameters),
            false => format!("an argument of the program: {primary}"),
        };
        report.labels.insert(0, Label { span: program.span, text });
        if !about_arguments {
            return;
        }
        report.suggestions.clear();
        let given = self.world.arguments();
        let unknown = given.iter().find(|name| !program.names.contains(name));
        if let Some(unknown) = unknown {
            let near = crate::text::near(unknown, program.names.iter().map(Name::as_str)).into_iter().next();
            report.suggestions.push(match near {
                Some(near) => format!("did you mean {}?", self.spelled_option("tla-str", &near, "TEXT")),
                None => format!("remove the argument `{unknown}`, or add a parameter to the function"),
            });
        } else if let Some(name) = program.missing.first() {
            let all = match program.missing.as_slice() {
                [_] => String::new(),
                all => format!(
                    "; it also needs {}",
                    all.iter().skip(1).map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
                ),
            };
            report.suggestions.push(format!("{}{all}", self.options("tla", name)));
        }
    }

    /// Says which options give a value to an external variable that a program reads.
    fn external_options(&self, problem: &Problem, report: &mut Report) {
        let ProblemKind::Value(value) = &problem.kind else { return };
        for origin in &value.origins {
            if let ValueOrigin::External(name) = origin {
                report.suggestions.push(self.options("ext", name));
            }
        }
    }

    /// Says which options pass a text or another value, in the words of the face that prints it.
    fn options(&self, kind: &str, name: &str) -> String {
        let text = self.spelled_option(&format!("{kind}-str"), name, "TEXT");
        let code = self.spelled_option(&format!("{kind}-code"), name, "EXPR");
        format!("{text} gives it a text, {code} any other value")
    }

    /// Writes an option with its value.
    fn spelled_option(&self, option: &str, name: &str, value: &str) -> String {
        let assigned = crate::text::shell_argument(&format!("{name}="));
        match self.request.is_some() {
            true => format!("`--{option} {assigned}{value}`"),
            false => format!("`:set {option} {name}={value}`"),
        }
    }

    /// Returns a suggestion about an error from the text around its place.
    fn hint_at(&self, problem: &Problem) -> Option<String> {
        let span = problem.span().filter(|_| {
            let is_certain = problem.severity == Severity::Error;
            is_certain || matches!(problem.code(), "types/conflict" | "types/missing-field" | "types/names-itself")
        })?;
        let hint = self.workspace.dialect_of(span.source)?.0.hint_at?;
        let text = self.world.text_of(span.source).filter(|text| text.len() <= TRIED)?;
        // a suggestion repeats what is written around the place
        let around = (span.start as usize).saturating_sub(AROUND)..(span.end as usize).saturating_add(AROUND);
        if self.world.sources.borrow().get(span.source).is_some_and(|source| source.overlaps_secret(around)) {
            return None;
        }
        hint(problem.code(), &text, span.start as usize..span.end as usize)
    }

    /// Writes the report of a problem without secrets: without a message that a program wrote in the text of a secret, and without
    /// what a message about syntax quotes of it.
    fn masked(&self, dialect: Dialect, problem: &Problem) -> Report {
        let mut report = {
            let sources = self.world.sources.borrow();
            Report::masked(problem, dialect.notation(), &|scheme| masked_type(scheme, &sources))
        };
        self.about_data(problem, &mut report);
        let place = report.labels.first().map(|label| label.span);
        // the program wrote this message, in the text of a secret
        if let (ProblemKind::Value(_), "value/failed", Some(place)) = (&problem.kind, problem.code(), place)
            && let Some(source) = self.world.sources.borrow().get(place.source)
            && source.overlaps_secret(place.start as usize..place.end as usize)
        {
            report.message = String::from(HIDDEN);
        }
        self.hide(problem, &mut report);
        report
    }

    /// Masks what a report quotes of a secret.
    fn hide(&self, problem: &Problem, report: &mut Report) {
        let place = report.labels.first().map(|label| label.span);
        if let (ProblemKind::Syntax(_), Some(place)) = (&problem.kind, place) {
            let sources = self.world.sources.borrow();
            // a correction repeats the text
            if sources.get(place.source).is_some_and(|source| source.is_secret_throughout()) {
                report.suggestions.clear();
            }
            let labels = report.labels.iter_mut().map(|label| &mut label.text);
            let texts = labels.chain(&mut report.notes).chain(&mut report.suggestions).chain([&mut report.message]);
            for text in texts {
                if let Some(masked) = sources.masked_at(place, text) {
                    *text = masked;
                }
            }
        }
        self.without_words(report);
    }

    /// Masks the contents of secret literals in a report, before it is laid out: no line may depend on their lengths.
    fn without_words(&self, report: &mut Report) {
        let sources = self.world.sources.borrow();
        if !sources.has_secrets() {
            return;
        }
        let labels = report.labels.iter_mut().map(|label| &mut label.text);
        for text in labels.chain(&mut report.notes).chain(&mut report.suggestions).chain([&mut report.message]) {
            if let Some(masked) = sources.masked(text) {
                *text = masked;
            }
        }
    }

    /// Returns an annotation that settles an ambiguous type. Inference has confirmed that it does.
    fn annotation(&self, problem: &Problem) -> Option<why::Fix> {
        let ProblemKind::Types(types) = &problem.kind else { return None };
        let TypesKind::Ambiguous { .. } = &types.what else { return None };
        let text = self.world.text_of(types.span.source).filter(|text| text.len() <= TRIED)?;
        // each search infers the program several times, so that many ambiguous types have the help only at the first ones
        let bytes = self.annotation_bytes.get().saturating_add(text.len());
        self.annotation_bytes.set(bytes);
        if bytes > MOST_BYTES {
            return None;
        }
        let root = self.workspace.program_at(types.span, &text)?;
        why::settling(&self.workspace, &root, problem)
    }

    /// Renders a problem with a further note.
    pub(super) fn report_noted(&self, dialect: Dialect, problem: &Problem, note: Option<String>) -> Styled {
        let mut report = self.described(dialect, problem);
        report.notes.extend(note);
        self.on_page(&report)
    }

    /// Renders a problem with further advice.
    pub(super) fn report_advised(&self, dialect: Dialect, problem: &Problem, advice: String) -> Styled {
        let mut report = self.described(dialect, problem);
        report.suggestions.push(advice);
        self.on_page(&report)
    }

    /// Renders a problem with the edits that fix it, instead of general advice.
    pub(super) fn report_settled(&self, dialect: Dialect, problem: &Problem, fixes: &[Fix]) -> Styled {
        let mut report = self.masked(dialect, problem);
        self.narrow(dialect, problem, &mut report);
        if !fixes.is_empty() {
            let table = answer::fixes::text::table(fixes, dialect, &self.world.sources.borrow()).fit().text();
            report.suggestions = vec![format!("to settle it, one of:\n{table}")];
            self.without_words(&mut report);
        }
        self.on_page(&report)
    }
}
