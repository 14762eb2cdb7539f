//! The calls of a session whose work recurses on the depth of a text. Each has an answer for the case that the system refuses
//! the stack that the recursion needs ([`crate::deep`]), so that no caller has to expect a panic.

use super::config::Configuration;
use super::event::Event;
use super::request::Action;
use super::{Completeness, NameOverview, Outcome, Request, Session, Watch, run};
use crate::answer::complete::Candidate;
use crate::answer::why::{self, WhyAnswer, WhySubject};
use crate::problem::Problem;
use crate::styled::{Role, Styled};
use crate::term::Term;
use crate::text::{MASK, Name};
use crate::ty::{DynReason, Scheme, Ty, TyRef};
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

impl Session {
    /// Returns the result of a query, or the default if the system refuses the stack. The flag that stops all work is then
    /// cleared, because the query did not set it.
    pub(super) fn query<T: Default>(&self, work: impl FnOnce(&Session) -> T) -> T {
        self.query_or(work, T::default)
    }

    pub(super) fn query_or<T>(&self, work: impl FnOnce(&Session) -> T, otherwise: impl FnOnce() -> T) -> T {
        self.world.interrupt.within_stack(|| work(self)).unwrap_or_else(|| {
            self.world.interrupt.lower();
            otherwise()
        })
    }

    /// Like [`Session::query`], for work that changes the session. The flag that stops all work stays set.
    pub(super) fn change<T>(
        &mut self,
        work: impl FnOnce(&mut Session) -> T,
        otherwise: impl FnOnce(&mut Session) -> T,
    ) -> T {
        let interrupt = self.world.interrupt.clone();
        let (aliases, loading) = (self.alias_depth, self.loading.len());
        interrupt.within_stack(|| work(self)).unwrap_or_else(|| {
            self.alias_depth = aliases;
            self.loading.truncate(loading);
            otherwise(self)
        })
    }

    /// Returns the report of work that was stopped, as the only event.
    fn report_of_stop(&mut self) -> Vec<Event> {
        vec![self.diagnostic(self.dialect(), &self.world.interrupt.problem(None))]
    }

    /// Runs one input, a cell or a `:command`, and returns its results in order.
    pub fn submit(&mut self, text: &str) -> Vec<Event> {
        self.change(|session| session.submit_here(text), Session::report_of_stop)
    }

    /// Evaluates an expression without side effects: it takes no number, binds nothing, and leaves `it` as it was.
    pub fn evaluate(&mut self, text: &str) -> Vec<Event> {
        self.change(|session| session.evaluate_here(text), Session::report_of_stop)
    }

    /// Runs a command that changes nothing, such as `:explain a.b`. It takes no number and is not part of the history.
    /// Returns nothing for any other input.
    pub fn ask(&mut self, command: &str) -> Vec<Event> {
        self.change(|session| session.ask_here(command), Session::report_of_stop)
    }

    /// Returns the type and documentation of a path, its metadata and value and, if `explain` is set, where the value comes
    /// from. `None` if nothing is known. Nothing changes.
    pub fn inspect(&mut self, path: &str, explain: bool) -> Option<Styled> {
        self.change(|session| session.inspect_here(path, explain), |_| None)
    }

    /// Runs a request of the command line.
    pub fn run(&mut self, request: Request) -> Outcome {
        self.begin();
        self.request = Some(Rc::new(request.clone()));
        self.change(|session| crate::deep::on_whole_stack(|| run::run(session, request)), run::stopped)
    }

    /// Joins the outcomes of a check whose programs were divided among sessions, by requests with
    /// [`CheckOptions::part`](super::CheckOptions::part). The programs were dealt one by one: of `n` sessions, the first one has
    /// the programs 0, `n`, `2 n`, …. Each report appears once, and a baseline is compared with all of them. `request` is the whole
    /// check.
    pub fn join_checks(&mut self, request: &Request, parts: Vec<Outcome>) -> Outcome {
        match &request.action {
            Action::Check(options) => {
                self.change(|session| run::join_checks(session, request, options, parts), run::stopped)
            }
            _ => Outcome::default(),
        }
    }

    /// Evaluates a watched program and returns the differences from its last result. The first time, returns the whole result.
    /// If the program has errors, returns these, and the next result is compared with the last one without errors.
    pub fn watch(&mut self, request: &Request, watch: &mut Watch) -> Outcome {
        self.change(|session| session.watch_here(request, watch), run::stopped)
    }

    /// Reads the files that changed on disk again. Returns events that report them; none if no file changed. A file with
    /// errors is read only once for each change.
    pub fn read_changed_files(&mut self, watch: &mut Watch) -> Vec<Event> {
        self.change(|session| session.read_changed_files_here(watch), Session::report_of_stop)
    }

    /// Sets an external variable of the programs to its next value, which is an expression.
    ///
    /// # Errors
    ///
    /// Returns a message for the user if the variable cannot be set to this value.
    pub fn feed(&mut self, watch: &mut Watch, name: &str, value: &str) -> Result<(), String> {
        self.change(|session| session.feed_here(watch, name, value), |_| Err(too_deep(name)))
    }

    /// Sets an option, like `:set name value`, for the command line.
    ///
    /// # Errors
    ///
    /// Returns a message for the user if there is no such option, or if the value is not valid.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.change(|session| session.set_option_here(name, value), |_| Err(too_deep(name)))
    }

    /// Applies the text of a configuration file. Returns the settings for the face, and reports about invalid entries. Paths
    /// are relative to the file's folder. O(text).
    pub fn configure(&mut self, file: &Path, text: &str) -> (Configuration, Vec<Event>) {
        self.change(
            |session| session.configure_here(file, text),
            |session| (Configuration::default(), session.report_of_stop()),
        )
    }

    /// Returns whether an input is complete, according to the parser. A command always is, unless its argument is an
    /// expression (`:type`, `:time`). An input that is too deep for the stack is complete: running it reports that.
    pub fn completeness(&self, text: &str) -> Completeness {
        self.query_or(|session| session.completeness_here(text), || Completeness::Complete)
    }

    /// Splits a text of several lines, for example a paste, into its inputs: cells and commands. A text that is too deep for the
    /// stack is one input.
    pub fn inputs(&self, text: &str) -> Vec<String> {
        self.query_or(|session| session.inputs_here(text), || vec![String::from(text)])
    }

    /// Returns the roles of an input's parts, in order and without overlap. Parts without a role are plain.
    pub fn highlight(&self, text: &str) -> Vec<(Range<usize>, Role)> {
        self.query(|session| session.highlight_here(text))
    }

    /// Returns the range before the cursor (a byte offset) that is wrong whatever is typed next, according to the parser.
    /// O(length).
    pub fn mistake(&self, text: &str, cursor: usize) -> Option<Range<usize>> {
        self.query(|session| session.mistake_here(text, cursor))
    }

    /// Returns the completions at the cursor (a byte offset), best first.
    pub fn complete(&mut self, text: &str, cursor: usize) -> Vec<Candidate> {
        self.change(|session| session.complete_here(text, cursor), |_| Vec::new())
    }

    /// Returns a suggestion for the text after the cursor, which a face shows dimmed.
    pub fn hint(&mut self, text: &str, cursor: usize) -> Option<String> {
        self.change(|session| session.hint_here(text, cursor), |_| None)
    }

    /// Returns the names that the user defined, in order, without their values. Nothing is evaluated.
    pub fn overview(&self) -> Vec<NameOverview> {
        self.query(Session::overview_here)
    }

    /// Returns the inference problems of all definitions, by name, as if they were entered again.
    pub fn problems(&self) -> Vec<(Name, Styled)> {
        self.query(Session::problems_here)
    }

    /// Returns an input of one or more lines as it may be stored and shown: with its secret literals masked, and other quoted
    /// texts that are contents of secrets. An input that is too deep for the stack is masked as a whole.
    pub fn masked_input(&self, text: &str) -> String {
        self.query_or(|session| session.masked_input_here(text), || String::from(MASK))
    }

    /// Returns the type of a term and its type problems. Near-linear in the size of the term.
    pub fn infer(&self, term: &Arc<Term>) -> (Arc<Scheme>, Vec<Problem>) {
        let inferred = self.world.interrupt.within_stack(|| self.world.infer(term));
        match inferred {
            Some(typed) => (typed.scheme.clone(), typed.problems.clone()),
            None => {
                let problem = self.world.interrupt.problem(Some(term.span(term.root)));
                self.world.interrupt.lower();
                (unknown(), vec![problem])
            }
        }
    }

    /// Returns the parts of a program that determine its type.
    pub fn why_type(&self, term: &Arc<Term>) -> WhyAnswer {
        self.query_or(
            |session| why::ty(&session.workspace, term),
            || WhyAnswer::without_steps(WhySubject::Type(unknown()), term.rules),
        )
    }

    /// Returns the parts of a program that cause one of the problems of [`Session::infer`]. `None` if the problem is not
    /// a clash of types.
    pub fn why_problem(&self, term: &Arc<Term>, problem: &Problem) -> Option<WhyAnswer> {
        self.query(|session| why::problem(&session.workspace, term, problem))
    }
}

/// Returns the type of a program whose type could not be computed.
fn unknown() -> Arc<Scheme> {
    Arc::new(Scheme::mono(TyRef::from(Ty::Dyn(DynReason::Library))))
}

/// Returns the message for an option whose value is too deep for the stack.
fn too_deep(name: &str) -> String {
    format!("the value of `{name}` is too deep: there is not enough memory to read it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deep;
    use crate::loader::NoLoader;
    use crate::session::Input;

    const LEVELS: usize = 20_000;

    /// Runs work on a small stack that cannot grow.
    fn without_segments<T: Send>(work: impl FnOnce(&mut Session) -> T + Send) -> T {
        let run = || {
            let mut session = Session::new(Box::new(NoLoader));
            session.submit("x = { a = 1 }");
            let out = deep::refusing_segments(|| work(&mut session));
            // the session is as before
            let events = session.submit("x.a + 1");
            assert!(matches!(&events[..], [Event::Value { value, .. }] if value.text() == "2"), "{events:?}");
            out
        };
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(1 << 20).spawn_scoped(scope, run);
            thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_else(|| unreachable!("the thread panicked"))
        })
    }

    fn is_limit(events: &[Event]) -> bool {
        matches!(events, [.., Event::Diagnostic { report, .. }] if report.text().contains("[value/limit]"))
    }

    #[test]
    fn inputs_that_are_too_deep_for_the_stack_are_reports() {
        for deep in ["(", "[", "{ a = ", "{ a | Number = ", "'A ("].map(|open| open.repeat(LEVELS) + "x") {
            let command = format!(":type {deep}");
            let submitted = without_segments(|session| [session.submit(&deep), session.submit(&command)]);
            assert!(submitted.iter().all(|events| is_limit(events)), "{submitted:?}");
            assert!(is_limit(&without_segments(|session| session.evaluate(&deep))));
            assert!(is_limit(&without_segments(|session| session.ask(&command))));
        }
    }

    #[test]
    fn questions_of_an_editor_about_a_text_that_is_too_deep_have_an_answer() {
        for deep in ["(", "[", "{ a = ", "\"%{", "'A ("].map(|open| open.repeat(LEVELS)) {
            let end = deep.len();
            without_segments(|session| {
                let _ = session.completeness(&deep);
                assert_eq!(session.inputs(&deep).concat(), deep);
                session.highlight(&deep);
                session.mistake(&deep, end);
                session.complete(&deep, end);
                session.hint(&deep, end);
                session.masked_input(&deep);
                // the next question is answered as usual
                assert!(!session.highlight("let y = 1 in y").is_empty());
                assert!(session.complete("x.", 2).iter().any(|candidate| candidate.text.contains('a')));
            });
        }
    }

    #[test]
    fn a_request_about_a_text_that_is_too_deep_is_a_report() {
        let text = "[".repeat(LEVELS) + &"]".repeat(LEVELS);
        let outcome = without_segments(|session| {
            let inputs = vec![Input::Text { name: "deep.cfg".into(), text: text.into_bytes() }];
            session.run(Request::new(inputs, Action::Check(Default::default())))
        });
        assert!(outcome.reports.iter().any(|(_, report)| report.text().contains("[value/limit]")));
    }
}
