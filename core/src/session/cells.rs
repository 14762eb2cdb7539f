//! Running a cell: an input that is not a command, made of definitions and expressions.
//!
//! A cell that does not parse or reads an unbound name changes nothing. A cell whose types or values have errors is kept,
//! together with its errors. Only its expressions are evaluated. An interrupted cell leaves everything as it was.

use super::Session;
use super::changes::changes;
use super::commands;
use super::consequences::{Once, WrongArguments, is_of_another_language, is_reported};
use super::event::Event;
use crate::answer::holes::is_hole;
use crate::dialect::{CellItem, Dialect, Names, notation};
use crate::problem::session::{SessionKind, SessionProblem};
use crate::problem::types::PRIORITY_IGNORED;
use crate::problem::value::ValueKind;
use crate::problem::{Problem, ProblemKind, Severity};
use crate::state::environment::{Definition, Kept, Typed, is_written, rename, uses};
use crate::state::recheck::Changed;
use crate::state::session_state::LastInput;
use crate::state::typing;
use crate::term::Term;
use crate::text::{Name, SourceId, Span};
use crate::value::datum::Datum;
use crate::view::{Role, Styled, rich};
use std::sync::Arc;

/// Number of parts above which a value is dropped on another thread.
const LARGE_VALUE: usize = 10_000;

/// Maximum number of errors inside one value that are reported.
const MAX_FAULTS: usize = 5;

/// Maximum number of changed definitions that are reported after one input.
const MAX_CHANGES: usize = 100;

impl Session {
    /// Runs a cell. `dialect` is its language if it has no `%%` line.
    pub(super) fn cell(&mut self, dialect: Dialect, text: &str) -> Vec<Event> {
        self.why.begin();
        let events = self.read_and_run(dialect, text);
        self.why.end();
        events
    }

    fn read_and_run(&mut self, dialect: Dialect, text: &str) -> Vec<Event> {
        let number = self.next_number();
        let name = self.cell_name(dialect);
        let (dialect, body) = match self.split_language_line(dialect, text) {
            Ok(read) => read,
            Err(problem) => {
                self.set_next_number(number + 1);
                return vec![self.diagnostic(dialect, &problem)];
            }
        };
        let source = self.world.add_input(&name, text, dialect);
        let last = LastInput { dialect, name, text: body.clone() };
        self.world.state.last_input.replace(Some(Arc::new(last)));
        self.run_cell(dialect, source, &body, number)
    }

    /// Reads and runs the text of a cell, without its `%%` line.
    fn run_cell(&mut self, dialect: Dialect, source: SourceId, text: &str, number: u32) -> Vec<Event> {
        let read =
            |own: &[Name]| crate::state::reading::cell(&self.world, dialect, source, text, self.is_loading(), own);
        let mut cell = read(&[]);
        let own = self.without_predecessors(&cell.items);
        if !own.is_empty() {
            cell = read(&own);
        }
        if cell.items.is_empty() && cell.problems.is_empty() {
            return Vec::new();
        }
        self.set_next_number(number + 1);
        let failed = cell.problems.iter().any(|p| p.severity == Severity::Error);
        if let Some(format) = self.pasted_format(dialect, text).filter(|_| failed) {
            let what = SessionKind::Pasted { title: format.title, ending: format.ending };
            let span = super::prompt_lines::first_line(source, text);
            return vec![self.diagnostic(dialect, &Problem::error(SessionProblem { span, what }))];
        }
        cell.problems = self.without_consequences(dialect, cell.problems);
        if failed && (crate::dialect::pasted::is_template(text) || self.advice_about_line(text).is_some()) {
            cell.problems.truncate(1);
        }
        let mut events: Vec<Event> = self.diagnostics(dialect, &cell.problems).collect();
        if failed {
            self.remember_failed(&cell.items, source);
            if let Some((hint, is_command)) = self.suggest_command_or_hole(text, &cell.problems) {
                // what follows the name of a command is no program
                events.truncate(if is_command { 1 } else { events.len() });
                events.push(Event::Answer(Styled::of(Role::Dim, hint)));
            }
            return events;
        }
        self.world.state.newest.borrow_mut().clear();
        self.why.answer = None;
        self.running.kept();
        if cell.items.iter().any(CellItem::imports) {
            let about: Vec<Name> = cell.items.iter().filter_map(CellItem::name).cloned().collect();
            events.extend(self.look_for_missing(dialect, &about));
        }
        for item in cell.items {
            match item {
                CellItem::Bind { name, name_span, recursive, doc, term } => {
                    self.forget_own(Some(&name), &term);
                    let bind = Bind { name, span: Some(name_span), recursive, doc, term };
                    self.bind(dialect, bind, number, &mut events);
                }
                CellItem::Expr(_) if self.running.only_binds => {}
                CellItem::Expr(term) => {
                    self.forget_own(None, &term);
                    self.expression(dialect, term, number, &mut events);
                }
            }
            if self.world.interrupt.is_raised() {
                // `Session::recorded` undoes what was done so far
                if !events.iter().any(is_stopped) {
                    events.push(self.diagnostic(dialect, &self.world.interrupt.problem(None)));
                }
                break;
            }
        }
        events
    }

    /// Suggests what to do if an unbound name is meant as a hole or as a command, and whether it is a command.
    fn suggest_command_or_hole(&self, text: &str, problems: &[Problem]) -> Option<(String, bool)> {
        let codes = ["scope/unbound", "syntax/unexpected"];
        let places = problems.iter().filter(|problem| codes.contains(&problem.code())).filter_map(Problem::span);
        let places: Vec<(Span, String)> = places.map(|span| (span, self.workspace.text(span))).collect();
        let input = text.trim();
        let first =
            places.first().filter(|(span, _)| text.get(..span.start as usize).is_some_and(|s| s.trim().is_empty()));
        let question = Some(input.trim_matches('?')).filter(|subject| *subject != input).map(str::trim);
        let call = input.split_once('(').filter(|(_, rest)| rest.ends_with(')')).map(|(name, _)| name.trim());
        let mut is_command = false;
        let hint = match (places.iter().find(|(_, name)| is_hole(name)), first, question) {
            (Some((_, hole)), ..) => format!("`:holes` shows the type that `{hole}` must have, and what fits"),
            (_, _, Some(subject))
                if places.iter().any(|(_, text)| text == "?") && self.world.is_bound(root(subject)) =>
            {
                format!("`:info {subject}` shows what is known about it")
            }
            // the language says what the word means in another one
            (_, Some((span, _)), _) if problems.iter().any(|p| p.span() == Some(*span) && self.is_advised(p)) => {
                return None;
            }
            (_, Some((span, word)), _)
                if commands::is_name(word)
                    && !text.get(span.end as usize..).is_some_and(|rest| rest.starts_with('.')) =>
            {
                is_command = true;
                let one_line = if input.contains('\n') { word.as_str() } else { input };
                let argument = call.filter(|name| name == word).and_then(|_| Some(input.split_once('(')?.1));
                match argument.and_then(|rest| rest.strip_suffix(')')).filter(|rest| !rest.contains(['(', ')'])) {
                    Some(argument) => {
                        format!("a command begins with a colon: `:{}`", format!("{word} {argument}").trim())
                    }
                    // `exit 0`
                    None if commands::takes_nothing(word) => format!("a command begins with a colon: `:{word}`"),
                    None => format!("a command begins with a colon: `:{one_line}`"),
                }
            }
            _ if self.is_command_without_colon(input, &places) => {
                is_command = true;
                format!("a command begins with a colon: `:{input}`")
            }
            // `exit()`
            _ if call.is_some_and(|name| commands::is_name(name) && !self.world.is_bound(name)) => {
                is_command = true;
                format!("a command begins with a colon: `:{}`", call.unwrap_or_default())
            }
            _ => return None,
        };
        Some((hint, is_command))
    }

    /// Returns `true` for `type port`: the first of two words is the name of a command, and the error is at the second.
    fn is_command_without_colon(&self, input: &str, places: &[(Span, String)]) -> bool {
        let Some((word, rest)) = input.split_once(' ') else { return false };
        commands::is_name(word)
            && !commands::takes_nothing(word)
            && !self.world.is_bound(word)
            && !input.contains(['\n', '='])
            && places.first().is_some_and(|(_, second)| rest.trim_start().starts_with(second.as_str()))
            && rest.trim_start().starts_with(|c: char| c.is_alphanumeric() || c == '_')
    }

    /// Returns `true` if the report of a problem says what a word of another language is here.
    fn is_advised(&self, problem: &Problem) -> bool {
        let advice = self.described(self.dialect(), problem).suggestions;
        advice.iter().any(|advice| {
            advice.starts_with("the value of an expression")
                || advice.starts_with("`:load ")
                || advice.ends_with("read the environment")
        })
    }

    /// Makes a definition and updates everything that depends on it.
    pub(super) fn bind(&mut self, dialect: Dialect, bind: Bind, cell: u32, events: &mut Vec<Event>) {
        let Bind { name, span, recursive, doc, mut term } = bind;
        let key = name.clone();
        if name == "std" {
            events.push(
                self.diagnostic(
                    dialect,
                    &Problem::error(SessionProblem { span, what: SessionKind::Reserved { name } }),
                ),
            );
            return;
        }
        let (old, it) = {
            let environment = self.world.state.environment.borrow();
            (environment.get(&key).cloned(), environment.it.clone())
        };
        let read = self.predecessor(&key);
        let old_key = read.as_ref().filter(|_| !recursive).map(|old| old.old_key());
        rename(&mut term, |used| match used.as_str() {
            _ if *used == name => old_key.clone(),
            "it" => it.clone(),
            _ => None,
        });
        let typed = {
            // while the new definition is inferred, its predecessor must be bound under its key
            if let (Some(kept), Some(old)) = (&old_key, &read)
                && term.globals.iter().any(|(used, _)| used == kept)
            {
                self.world.state.environment.borrow_mut().bind_fixed(kept.clone(), (**old).clone());
            }
            self.world.infer(&term)
        };
        if self.world.interrupt.is_raised() {
            return;
        }
        if cell == 0 {
            // a field of a file: the errors inside it were reported for the file
            self.report_types(dialect, &typed, events);
        } else {
            // nothing is evaluated, so only certain errors count: not `self.x`, `super.x` or an `error` that may be
            // overridden
            let once = Once::default();
            let shown = |p: &&Problem| {
                !typing::is_only_if_needed(p)
                    && !self.settings().is_silent(p)
                    && self.should_show(p)
                    && once.is_first(p)
            };
            events.extend(self.diagnostics(dialect, typed.problems.iter().filter(shown)));
            events.extend(self.stale(dialect, &term));
            self.world.state.newest.borrow_mut().push(term.clone());
        }
        let is_read = |kept: &&Name| term.globals.iter().any(|(used, _)| used == *kept);
        let newest = old.as_ref().map(|old| old.id) == read.as_ref().map(|read| read.id);
        self.world.replaced(&key, old_key.as_ref().filter(is_read).filter(|_| newest));
        let read_key = old_key.filter(|kept| is_read(&kept));
        self.running.binds(&name, read_key.clone());
        self.time.touch(&key);
        {
            let mut environment = self.world.state.environment.borrow_mut();
            let uses = uses(&term);
            let rank = environment.rank(&uses);
            let id = environment.fresh();
            let typed = typed.clone();
            environment.define(Definition {
                name: key.clone(),
                id,
                cell,
                span,
                doc,
                term,
                uses,
                typed,
                kept: None,
                rank,
            });
            if let Some(older) = read_key.filter(|_| !newest) {
                environment.record_read(&older);
            }
            environment.limit(Some(&key), self.settings().history);
            if key == "it" {
                environment.it = None;
            }
        }
        let type_changed = old.as_ref().is_none_or(|old| !old.typed.scheme.is_same(&typed.scheme));
        let definition_cycle =
            if self.may_close_ring(&key, old.as_deref()) { self.world.definition_cycle(&key) } else { Vec::new() };
        if !definition_cycle.is_empty() {
            self.world.note_ring(&key);
        }
        let key = std::slice::from_ref(&key);
        let changed = self.world.recheck(key, if type_changed { key } else { &[] });
        let [key] = key else { return };
        // a cycle may have changed its type
        let typed = self.world.typed(key).unwrap_or(typed);
        if is_written(key) {
            events.push(Event::Bound(self.name_and_type(dialect, key, &typed)));
            self.running.shows_type(key, dialect);
        }
        if !definition_cycle.is_empty() {
            let names = definition_cycle.into_iter().filter(|n| is_written(n)).collect();
            events.push(self.diagnostic(
                dialect,
                &Problem::warning(SessionProblem { span, what: SessionKind::DefinitionCycle { names } }),
            ));
        }
        let (own, others): (Vec<Changed>, Vec<Changed>) = changed.into_iter().partition(|c| c.key == *key);
        let shown = |p: &&Problem| !typing::is_only_if_needed(p) && !self.settings().is_silent(p);
        events.extend(self.diagnostics(dialect, own.iter().flat_map(Changed::new_problems).filter(shown)));
        events.extend(self.report_changes(dialect, others));
    }

    /// Returns `true` if a new definition may be part of a cycle: the old one was, or the new one reads another name than
    /// it.
    fn may_close_ring(&self, key: &Name, old: Option<&Definition>) -> bool {
        let environment = self.world.state.environment.borrow();
        let Some(new) = environment.get(key) else { return false };
        environment.rings().contains(key) || old.is_none_or(|old| new.uses.iter().any(|used| !old.uses.contains(used)))
    }

    /// Checks everything that depends on the keys again and reports what changed. If many definitions changed, the nearest
    /// are reported, and the number of the others.
    pub(super) fn recheck(&mut self, dialect: Dialect, values: &[Name], types: &[Name]) -> Vec<Event> {
        values.iter().for_each(|key| self.world.note_ring(key));
        let changed = self.world.recheck(values, types);
        if self.world.interrupt.is_raised() {
            self.workspace.machine.discard(changed);
            return Vec::new();
        }
        self.report_changes(dialect, changed)
    }

    /// Reports the definitions that changed because of another one.
    fn report_changes(&self, dialect: Dialect, changed: Vec<Changed>) -> Vec<Event> {
        if self.world.interrupt.is_raised() {
            return Vec::new();
        }
        let (shown, rest) = changed.split_at(changed.len().min(MAX_CHANGES));
        let mut events: Vec<Event> = shown.iter().flat_map(|c| self.report_change(dialect, c)).collect();
        if !rest.is_empty() {
            let failing = rest.iter().filter(|c| c.new_problems().any(|p| p.severity == Severity::Error)).count();
            let count = rest.len();
            let errors = if failing > 0 { format!(", {failing} of them with new errors") } else { String::new() };
            events.push(Event::Answer(Styled::of(Role::Dim, format!("{count} more changed{errors}"))));
        }
        events
    }

    /// Reports a changed definition: its new type, its new problems, or that it no longer has an error.
    fn report_change(&self, dialect: Dialect, changed: &Changed) -> Vec<Event> {
        let Changed { key, before, after } = changed;
        let mut events = Vec::new();
        // a definition that no longer fails may have the same type: that is reported below
        let old_type = typing::type_beside(dialect, &before.scheme).text();
        if is_written(key) && old_type != typing::type_beside(dialect, &after.scheme).text() {
            let mut line = Styled::of(Role::Dim, "changed: ");
            let [was, is] = [before, after]
                .map(|typed| typing::masked_type(&typed.scheme, &self.world.sources.borrow()).into_owned());
            match changes(dialect, &was, &is) {
                Some(fields) => {
                    line.push(Role::Name, key.as_str());
                    line.append(&fields);
                }
                None => {
                    line.append(&self.name_and_type(dialect, key, after));
                    line.push(Role::Dim, "  (was ");
                    line.push(Role::Dim, old_type);
                    line.push(Role::Dim, ")");
                }
            }
            events.push(Event::Answer(line));
        }
        let shown = |p: &&Problem| !typing::is_only_if_needed(p) && !self.settings().is_silent(p);
        events.extend(self.diagnostics(dialect, changed.new_problems().filter(shown)));
        let error =
            |p: &Problem| p.severity == Severity::Error && !typing::is_elsewhere(p) && !typing::is_only_if_needed(p);
        // the error may be in another definition now
        let fails = |p: &Problem| error(p) || typing::is_elsewhere(p);
        if is_written(key) && before.problems.iter().any(error) && !after.problems.iter().any(fails) {
            let mut line = Styled::of(Role::Name, key.as_str());
            line.plain(" no longer has an error");
            events.push(Event::Answer(line));
        }
        events
    }

    /// Evaluates and shows an expression, and binds it to `it` and `$number`.
    fn expression(&mut self, dialect: Dialect, mut term: Arc<Term>, number: u32, events: &mut Vec<Event>) {
        let it = self.it_for(number);
        rename(&mut term, |used| if used == "it" { it.clone() } else { None });
        let typed = self.world.infer(&term);
        if self.world.interrupt.is_raised() {
            return;
        }
        events.extend(self.stale(dialect, &term));
        self.running.shows(&uses(&term));
        self.world.state.newest.borrow_mut().push(term.clone());
        if is_of_another_language(&typed) {
            self.report_other_language(dialect, &typed, events);
            return;
        }
        if term.rules.is_exact() && typed.problems.iter().any(|p| p.severity == Severity::Error) {
            // such an expression has no value
            events.extend(self.diagnostics(dialect, typed.problems.iter().filter(|p| !self.settings().is_silent(p))));
            return;
        }
        let thunk = self.workspace.machine.thunk(&term);
        let key = Name::from(format!("${number}"));
        {
            let mut environment = self.world.state.environment.borrow_mut();
            let (id, uses) = (environment.fresh(), uses(&term));
            let rank = environment.rank(&uses);
            let revision = self.world.now();
            let (typed, kept) = (typed.clone(), Some(Kept { thunk: thunk.clone(), revision }));
            let (name, term) = (key.clone(), term.clone());
            let kept = Definition { name, id, cell: number, span: None, doc: None, term, uses, typed, kept, rank };
            environment.bind_fixed(key.clone(), kept);
            if self.running.is_asked() {
                environment.it = Some(key.clone());
            }
        }
        self.keep_snapshot();
        if !self.running.is_asked() {
            // an earlier result of that number may have been read
            let readers = self.recheck(dialect, std::slice::from_ref(&key), std::slice::from_ref(&key));
            events.extend(readers);
        }
        if let Some(notify) = self.before_evaluation.clone() {
            notify(self);
        }
        let mut traced = Vec::new();
        let datum = self.datum(&thunk, &mut traced);
        if self.world.interrupt.is_raised() {
            // the value is not shown
            events.append(&mut traced);
            crate::dialect::background::discard(datum);
            return;
        }
        {
            let mut environment = self.world.state.environment.borrow_mut();
            environment.record_result(&key);
            environment.limit(None, self.settings().history);
        }
        self.typed_beside(dialect, &typed, &datum, events);
        events.append(&mut traced);
        self.show(dialect, number, &datum, &typed, events);
        let large = match &datum {
            Datum::Array(elements) => elements.len() > LARGE_VALUE,
            Datum::Record(fields) => fields.len() > LARGE_VALUE,
            _ => false,
        };
        if large || self.world.interrupt.is_raised() {
            crate::dialect::background::discard(datum);
        }
    }

    /// Reports the problems that inference found in an expression, except failures of what it reads, which were reported
    /// there.
    pub(super) fn report_types(&self, dialect: Dialect, typed: &Typed, events: &mut Vec<Event>) {
        events.extend(self.own_problems(dialect, &typed.problems));
    }

    /// Renders the problems of an expression, except failures of what it reads.
    pub(super) fn own_problems<'p>(
        &'p self,
        dialect: Dialect,
        problems: &'p [Problem],
    ) -> impl Iterator<Item = Event> + 'p {
        let (once, wrong) = (Once::default(), WrongArguments::of(problems));
        let own = move |p: &&Problem| {
            let is_meant = !typing::is_elsewhere(p) && !self.follows_argument(p, &wrong);
            is_meant && !self.settings().is_silent(p) && self.should_show(p) && once.is_first(p)
        };
        self.diagnostics(dialect, problems.iter().filter(own))
    }

    /// Returns whether to show a problem, and remembers it: some notes are shown once per session.
    pub(super) fn should_show(&self, problem: &Problem) -> bool {
        problem.code() != PRIORITY_IGNORED || !self.world.state.plus_noted.replace(true)
    }

    /// Shows a value and the errors in it.
    pub(super) fn show(&self, dialect: Dialect, number: u32, datum: &Datum, typed: &Typed, events: &mut Vec<Event>) {
        if !matches!(datum, Datum::Fault(_)) {
            let spelling = dialect.spelling();
            let (texts, stop) = (|span| self.workspace.written(span), || self.world.interrupt.is_raised());
            let value = notation::value::laid_out_until(spelling, datum, self.columns(), &texts, &stop);
            // interrupted; that is reported
            let Some(value) = value else { return };
            let scheme = typing::masked_type(&typed.scheme, &self.world.sources.borrow()).into_owned();
            let ty = match self.settings().show_type && !typing::is_graph(dialect, &scheme) {
                true => typing::type_beside(dialect, &scheme),
                false => Styled::new(),
            };
            let rich = self.rich.then(|| {
                Box::new(crate::answer::value::value(datum, &scheme, dialect, &|span| self.workspace.written(span)))
            });
            events.push(Event::Value { number, value, ty, of: spelling.of, rich });
        }
        for fault in faults(datum, &|| self.world.interrupt.is_raised()) {
            if !is_reported(fault, typed) {
                events.push(self.diagnostic(dialect, fault));
            }
        }
    }

    /// Forces a value for display. Adds its traces to `events`.
    pub(super) fn datum(&mut self, thunk: &crate::value::Thunk, events: &mut Vec<Event>) -> Datum {
        let budget = self.settings().budget;
        self.with_trace_lines(events, |machine| machine.datum(thunk, budget))
    }

    /// Renders a problem as an event.
    pub(super) fn diagnostic(&self, dialect: Dialect, problem: &Problem) -> Event {
        self.why.record(problem);
        let rich = self.rich.then(|| {
            let report = self.described(dialect, problem);
            Box::new(rich::report::report(&report, &self.world.sources.borrow()))
        });
        Event::Diagnostic { severity: problem.severity, report: self.report(dialect, problem), rich }
    }

    /// Renders problems as events until interrupted, since there may be many.
    pub(super) fn diagnostics<'p>(
        &'p self,
        dialect: Dialect,
        problems: impl IntoIterator<Item = &'p Problem> + 'p,
    ) -> impl Iterator<Item = Event> + 'p {
        problems
            .into_iter()
            .take_while(|_| !self.world.interrupt.is_raised())
            .map(move |problem| self.diagnostic(dialect, problem))
    }
}

/// A definition to make.
pub(super) struct Bind {
    /// The name.
    pub name: Name,
    /// The span of the name.
    pub span: Option<Span>,
    /// Whether the name inside the term refers to the definition itself. The term then binds it.
    pub recursive: bool,
    /// `| doc`
    pub doc: Option<Name>,
    /// The defining term.
    pub term: Arc<Term>,
}

/// Returns `true` if an event says that work was stopped: by the user, or because memory ran out.
pub(super) fn is_stopped(event: &Event) -> bool {
    let says_so = |text: &str| ["[value/interrupted]", "[value/limit]"].iter().any(|code| text.contains(code));
    matches!(event, Event::Diagnostic { report, .. } if says_so(&report.text()))
}

/// Returns the name with which a path begins.
fn root(path: &str) -> &str {
    path.split(['.', '[']).next().unwrap_or(path).trim()
}

/// Returns whether two spans overlap or touch.
pub(super) fn overlap(a: Span, b: Span) -> bool {
    a.source == b.source && a.start <= b.end && b.start <= a.end
}

/// Returns the errors in a value that deserve a report: the value itself, or some inside it. A declared field without a
/// value is only marked in place. Not recursive.
pub(super) fn faults<'d>(datum: &'d Datum, stop: &dyn Fn() -> bool) -> Vec<&'d Problem> {
    if let Datum::Fault(problem) = datum {
        return vec![problem];
    }
    let mut found: Vec<&Problem> = Vec::new();
    let mut work = vec![datum];
    let mut turns = 0u32;
    while let Some(datum) = work.pop() {
        turns = turns.wrapping_add(1);
        if turns & 4095 == 0 && stop() {
            break;
        }
        match datum {
            Datum::Fault(problem) => {
                let missing = matches!(&problem.kind, ProblemKind::Value(problem) if matches!(problem.what, ValueKind::MissingDefinition { .. }));
                if !missing && !found.iter().any(|p| p.kind == problem.kind || p.span() == problem.span()) {
                    found.push(problem);
                    if found.len() == MAX_FAULTS {
                        break;
                    }
                }
            }
            Datum::Variant(_, inner) => work.push(inner),
            Datum::Array(all) => work.extend(all.iter().rev()),
            Datum::Record(all) => work.extend(all.iter().rev().filter_map(|e| e.value.as_ref())),
            _ => {}
        }
    }
    found
}
