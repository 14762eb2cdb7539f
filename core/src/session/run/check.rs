//! `cfg check`: the type problems of programs and of the files that they import.
//!
//! Warnings in libraries are only counted, since the user cannot fix them. A baseline lists the known problems of a
//! repository, so that a check fails only for new ones.

mod baseline;
mod definitions;
mod reached;
mod summary;
mod unbound;

pub use summary::Finding;

use super::{CALL, FAULT, Run, language_of};
use crate::dialect::Dialect;
use crate::problem::session::{SessionKind, SessionProblem};
use crate::problem::types::TypesKind;
use crate::problem::{Problem, ProblemKind, ProblemsByPlace, Severity};
use crate::session::Session;
use crate::session::consequences::WrongArguments;
use crate::session::request::{CheckOptions, Input, Outcome, Request};
use crate::state::files::File;
use crate::state::typing;
use crate::text::{Name, SourceId};
use crate::ty::{Scheme, Ty, TyRef};
use baseline::Key;
use definitions::Definitions;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use summary::Summary;

/// Joins the outcomes of checks in other sessions, each of some of the programs of a request, in their order.
pub(in crate::session) fn join_checks(
    session: &mut Session,
    request: &Request,
    options: &CheckOptions,
    parts: Vec<Outcome>,
) -> Outcome {
    let mut run = Run::new(session, request);
    run.join_checks(options, parts);
    run.outcome
}

/// A check with its findings so far.
struct CheckState<'r> {
    options: &'r CheckOptions,
    /// The folders of libraries.
    libraries: Vec<PathBuf>,
    /// The programs to check, which are not libraries wherever they are.
    programs: BTreeSet<PathBuf>,
    /// The findings so far; `None` if they are for another session, which joins them.
    summary: Option<Summary>,
    /// The definitions of the files with findings.
    definitions: RefCell<FxHashMap<SourceId, Definitions>>,
}

impl Run<'_> {
    /// Checks all programs of a request.
    pub(super) fn check_all(&mut self, request: &Request, options: &CheckOptions) {
        self.session.world.state.change_settings(|settings| settings.silent.extend(options.silence.iter().cloned()));
        let summary = match options.part {
            true => Ok(None),
            false => Summary::new(&*self.session.world.loader, options).map(Some),
        };
        let summary = match summary {
            Ok(summary) => summary,
            Err(what) => {
                self.report(&Problem::error(SessionProblem { span: None, what }));
                self.outcome.exit = CALL;
                return;
            }
        };
        let canonical = |path: &PathBuf| self.session.world.loader.canonical(path).ok();
        let programs: BTreeSet<PathBuf> = request
            .inputs
            .iter()
            .filter_map(|input| if let Input::File(path) = input { canonical(path) } else { None })
            .collect();
        let configured = self.session.settings().inputs.libraries.iter().map(PathBuf::from).collect::<Vec<_>>();
        let folders = request.options.libraries.iter().chain(&configured).filter_map(canonical);
        // a folder with one of the programs is not a library
        let libraries = folders.filter(|folder| !programs.iter().any(|path| path.starts_with(folder))).collect();
        let mut checked = CheckState { options, libraries, programs, summary, definitions: RefCell::default() };
        for input in &request.inputs {
            match &mut checked.summary {
                Some(summary) => summary.begin_program(),
                None => self.outcome.findings.push(Vec::new()),
            }
            if let Input::Stack(_) = input {
                let one = Request { inputs: vec![input.clone()], ..request.clone() };
                self.check_layers(&one, options.strict);
                continue;
            }
            self.check(input, request, &mut checked);
            if !request.layering.schemas.is_empty() || !request.contracts.is_empty() {
                self.check_schemas(input, request);
            }
        }
        if options.part {
            self.outcome.has_secrets = self.session.world.sources.borrow().has_secrets();
        }
        if let Some(summary) = checked.summary {
            self.sum_up(summary);
        }
    }

    /// Joins the findings of checks in other sessions, to which the programs were dealt one by one.
    pub(super) fn join_checks(&mut self, options: &CheckOptions, mut parts: Vec<Outcome>) {
        let mut summary = match Summary::new(&*self.session.world.loader, options) {
            Ok(summary) => summary,
            Err(what) => {
                self.report(&Problem::error(SessionProblem { span: None, what }));
                self.outcome.exit = CALL;
                return;
            }
        };
        if let Some(refused) = parts.iter().position(|part| !part.reports.is_empty()) {
            self.outcome = parts.swap_remove(refused);
            return;
        }
        self.outcome.exit = parts.iter().map(|part| part.exit).max().unwrap_or(0);
        let mut parts: Vec<_> = parts.into_iter().map(|part| part.findings.into_iter()).collect();
        let count = parts.len();
        for program in 0..parts.iter().map(ExactSizeIterator::len).sum() {
            summary.begin_program();
            for finding in parts.get_mut(program % count).and_then(Iterator::next).unwrap_or_default() {
                self.keep(finding, &mut summary, options);
            }
        }
        self.sum_up(summary);
    }

    /// Reports a finding, unless it is only counted or was reported before.
    fn keep(&mut self, finding: Finding, summary: &mut Summary, options: &CheckOptions) {
        if !summary.is_reported(&finding) {
            return;
        }
        let worst = if options.strict { Severity::Warning } else { Severity::Error };
        if finding.severity <= worst {
            self.outcome.exit = self.outcome.exit.max(FAULT);
        }
        self.outcome.reports.push((finding.severity, finding.report));
    }

    /// Reports what was counted.
    fn sum_up(&mut self, summary: Summary) {
        let (file, facts) = summary.end();
        self.outcome.files.extend(file);
        facts.into_iter().for_each(|what| self.tell(what));
    }

    /// Reports a fact about the check.
    fn tell(&mut self, what: SessionKind) {
        let kind = SessionProblem { span: None, what }.into();
        self.report(&Problem { severity: Severity::Note, kind });
    }

    fn check(&mut self, input: &Input, request: &Request, checked: &mut CheckState<'_>) {
        let reported = self.outcome.reports.len();
        let Some(file) = self.input(input, request.dialect) else {
            if checked.options.part {
                let reports = self.outcome.reports.drain(reported..);
                if let Some(findings) = self.outcome.findings.last_mut() {
                    findings.extend(reports.map(|(severity, report)| Finding::whole(severity, report)));
                }
            }
            return;
        };
        let dialect = language_of(self.session.languages(), input, request.dialect);
        let mut problems: Vec<Problem> = file.problems.clone();
        if !file.problems.iter().any(|p| p.severity == Severity::Error) {
            let typed = self.session.world.file_type(&file);
            problems.extend(typed.problems.iter().cloned());
            let call = self.applied(dialect, file.term.clone());
            if !Arc::ptr_eq(&call, &file.term) {
                problems.extend(self.session.world.infer(&call).problems.iter().cloned());
            }
            let mut known = ProblemsByPlace::default();
            for problem in &problems {
                known.insert(problem);
            }
            for mut problem in self.session.world.imported_problems() {
                // in an exact program, a problem that was reported as an error is not repeated as a warning
                let is_error = |p: &Problem| p.severity == Severity::Error && p.kind == problem.kind;
                if file.term.rules.is_exact()
                    && problem.severity == Severity::Warning
                    && known.at_place_of(&problem).iter().any(is_error)
                {
                    continue;
                }
                let own = known.contains(&problem);
                // a type error of an imported file counts only if this program needs the value
                if !own && typing::is_conditional(&problem) && !typing::is_needed(&typed.problems, &problem) {
                    if typing::is_only_if_needed(&problem) {
                        continue;
                    }
                    problem.severity = Severity::Warning;
                }
                known.insert(&problem);
                problems.push(problem);
            }
            self.add_unbound(&mut problems, &file, dialect, &typed.scheme);
            let mut suspected = typed.suspected.clone();
            suspected.extend(self.session.world.suspected());
            self.drop_unused_mixtures(&mut problems, &suspected, &file, dialect, &typed.scheme);
            let counts = |p: &Problem| checked.options.all || !self.is_of_library(p, checked);
            suspected.retain(counts);
            let counting: Vec<Problem> = problems.iter().filter(|p| counts(p)).cloned().collect();
            let verdict = self.verdict(&problems, counting, suspected, &file.term, dialect, &request.options);
            verdict.apply(&mut problems, &self.evaluated, file.term.rules);
        }
        if let Some(find) = dialect.0.causes
            && let Some(text) = self.session.world.text_of(file.source)
        {
            find(file.source, &text, &mut problems);
        }
        let was_said =
            |p: &Problem| self.said.at_place_of(p).iter().any(|s| s.kind == p.kind && s.severity <= p.severity);
        problems.retain(|p| !was_said(p));
        problems.retain(|p| !self.session.settings().is_silent(p));
        super::faults::once_for_a_fault(&mut problems);
        let wrong = WrongArguments::of(&problems);
        problems.retain(|p| !self.session.follows_argument(p, &wrong));
        for problem in &problems {
            if !self.said.insert(problem) {
                continue;
            }
            let finding = self.finding(problem, dialect, &file, checked);
            if let Some(summary) = &mut checked.summary {
                self.keep(finding, summary, checked.options);
            } else if let Some(findings) = self.outcome.findings.last_mut() {
                findings.push(finding);
            }
        }
    }

    /// Returns what is to be reported of a problem.
    fn finding(&self, problem: &Problem, dialect: Dialect, file: &Rc<File>, checked: &CheckState<'_>) -> Finding {
        let severity = problem.severity;
        let sources = self.session.world.sources.borrow();
        if !checked.options.all
            && severity != Severity::Error
            && let Some(span) = problem.span()
            && self.is_in_library(span.source, checked)
        {
            let file = sources.get(span.source).map(|source| Name::from(&*source.name)).unwrap_or_default();
            return Finding::in_library(severity, Key::of(problem, String::new(), &sources), file);
        }
        // the key is needed only to find the problem again
        let is_compared = checked.options.part || checked.options.baseline.is_some();
        let key = is_compared.then(|| Key::of(problem, self.session.described(dialect, problem).message, &sources));
        drop(sources);
        let note = self.needing(problem, file, checked);
        Finding::new(severity, key, self.session.report_noted(dialect, problem, note))
    }

    /// Whether a problem is in a library.
    fn is_of_library(&self, problem: &Problem, checked: &CheckState<'_>) -> bool {
        problem.span().is_some_and(|span| self.is_in_library(span.source, checked))
    }

    /// Whether a source is a file of a library: in a folder of `-J`, or in a folder with the name `vendor`.
    fn is_in_library(&self, source: SourceId, checked: &CheckState<'_>) -> bool {
        let Some(file) = self.session.world.file_of(source) else { return false };
        let path = &file.key.path;
        let vendor = || std::path::Path::new(file.name.as_str()).components().any(|part| part.as_os_str() == "vendor");
        !checked.programs.contains(path)
            && (checked.libraries.iter().any(|folder| path.starts_with(folder)) || vendor())
    }

    /// Removes warnings about values of several types in data, and about those that nothing uses as one type: neither the
    /// program nor, as its result, a reader of it. `suspected`: further uses.
    fn drop_unused_mixtures(
        &self,
        problems: &mut Vec<Problem>,
        suspected: &[Problem],
        file: &Rc<File>,
        dialect: Dialect,
        result: &Scheme,
    ) {
        let mixed = |p: &Problem| matches!(&p.kind, ProblemKind::Types(t) if matches!(t.what, TypesKind::Mixed { .. }));
        if !problems.iter().any(mixed) {
            return;
        }
        let mut used: Vec<TyRef> = Vec::new();
        for problem in problems.iter().chain(suspected) {
            if let ProblemKind::Types(t) = &problem.kind
                && let TypesKind::Conflict(c) = &t.what
            {
                unions(&c.found.ty, &mut used);
                unions(&c.expected.ty, &mut used);
            }
        }
        let mut shown = Vec::new();
        if dialect.0.is_programs {
            unions(&result.ty, &mut shown);
        }
        let world = &self.session.world;
        problems.retain(|problem| {
            let ProblemKind::Types(t) = &problem.kind else { return true };
            let TypesKind::Mixed { first, other, .. } = &t.what else { return true };
            let own = t.span.source == file.source;
            let language = if own { Some(dialect) } else { world.dialect_of(t.span.source) };
            let has = |union: &TyRef| {
                let Ty::Union(members) = &**union else { return false };
                let has = |ty: &Ty| members.iter().any(|m| std::mem::discriminant(&**m) == std::mem::discriminant(ty));
                has(&first.0.ty) && has(&other.ty)
            };
            // a result may be `null` on purpose
            let may_be_null = [&first.0.ty, &other.ty].into_iter().any(|ty| matches!(**ty, Ty::Null));
            language.is_some_and(|language| language.0.is_programs)
                && (used.iter().any(has) || own && !may_be_null && shown.iter().any(has))
        });
    }

    /// Returns a note that names the definition which can fail because of a warning, and with it the results that need it.
    fn needing(&self, problem: &Problem, file: &Rc<File>, checked: &CheckState<'_>) -> Option<String> {
        let ProblemKind::Types(types) = &problem.kind else { return None };
        if problem.severity != Severity::Warning || !types.what.can_fail() {
            return None;
        }
        let file = match types.span.source == file.source {
            true => file.clone(),
            false => self.session.world.file_of(types.span.source)?,
        };
        let sources = self.session.world.sources.borrow();
        let text = &sources.get(file.source)?.text;
        let mut definitions = checked.definitions.borrow_mut();
        let definitions = definitions.entry(file.source).or_insert_with(|| Definitions::of(&file.term, text));
        let (path, is_function) = definitions.path_around(types.span)?;
        Some(if is_function { format!("a call of `{path}` can fail") } else { format!("what reads `{path}` can fail") })
    }
}

/// Collects the unions at the head of a type, in its elements and in its results.
fn unions(ty: &TyRef, out: &mut Vec<TyRef>) {
    let mut at = ty;
    loop {
        at = match &**at {
            Ty::Fails(_, inner) | Ty::Sibling(_, inner) | Ty::Array(inner) | Ty::Fun(_, inner) => inner,
            Ty::Forall(scheme) => &scheme.ty,
            Ty::Union(_) => return out.push(at.clone()),
            _ => return,
        };
    }
}
