//! `cfg watch`: evaluates a program again after each change of what it reads, and prints the differences.

use super::Run;
use crate::answer::diff::of_values;
use crate::answer::resources::{LiveGraph, Resources, changes, is_graph, resources};
use crate::answer::{Answer, Hints};
use crate::problem::session::SessionKind;
use crate::session::settings::Origin;
use crate::session::{Content, Event, ExternalOption, Outcome, Request, Session, Target};
use crate::styled::{Role, Styled};
use crate::text::Name;
use crate::value::Thunk;
use crate::view::{Drawing, Medium};
use std::path::PathBuf;

/// The last result of a watched program, and the format in which its changes are printed.
#[derive(Default)]
pub struct Watch {
    medium: Medium,
    last: Option<Last>,
    /// The evaluation that continues after an event. `None` if the whole program must be evaluated: at first, after a change of a file
    /// that is not an input, and if its value is not a graph.
    live: Option<LiveGraph>,
    /// The files that had changed on disk when files were last read again, with their stamps at that time.
    tried: Vec<(PathBuf, Option<u64>)>,
}

enum Last {
    Graph(Resources),
    Value(Thunk),
}

impl Watch {
    /// Creates a watch that prints in a format.
    pub fn new(medium: Medium) -> Watch {
        Watch { medium, ..Watch::default() }
    }

    /// Returns the number of thunks that the last event computed. `None` if the whole program was evaluated.
    pub fn computed(&self) -> Option<usize> {
        self.live.as_ref().map(LiveGraph::computed)
    }
}

impl Session {
    pub(in crate::session) fn watch_here(&mut self, request: &Request, watch: &mut Watch) -> Outcome {
        self.begin();
        let is_first = self.request.is_none();
        self.request = Some(request.clone().into());
        let mut run = Run::new(self, request);
        if is_first && !run.prepare(request) {
            return run.outcome;
        }
        run.watch(request, watch);
        run.mask(true);
        let outcome = run.outcome;
        self.clean_up();
        outcome
    }

    pub(in crate::session) fn read_changed_files_here(&mut self, watch: &mut Watch) -> Vec<Event> {
        self.begin();
        let dialect = self.dialect();
        let changed = self.changed_on_disk();
        if changed.is_empty() || changed == watch.tried {
            return Vec::new();
        }
        let inputs = self.inputs_in_files(&changed);
        watch.tried = changed;
        match (&mut watch.live, inputs) {
            (Some(live), Some(inputs)) => inputs.iter().for_each(|name| live.will_change(&self.workspace, name)),
            _ => watch.restart(),
        }
        let events = self.reload(dialect);
        self.mask_events(events)
    }

    /// Returns the external variables whose texts are in these files. `None` if a file is something else.
    fn inputs_in_files(&self, changed: &[(PathBuf, Option<u64>)]) -> Option<Vec<Name>> {
        let mut names = Vec::new();
        let variables = self.world.external_variables();
        for (path, _) in changed {
            let before = names.len();
            let of_file = variables.iter().filter(|variable| variable.is_text_of(path));
            names.extend(of_file.map(|variable| variable.name().clone()));
            if names.len() == before {
                return None;
            }
        }
        Some(names)
    }

    /// Returns the files whose stamps differ from those that were read, with the stamps, in the order of their paths.
    fn changed_on_disk(&self) -> Vec<(PathBuf, Option<u64>)> {
        let files = self.world.state.inputs.files.borrow();
        let stamp = |path: &PathBuf| (path.clone(), self.world.loader.stamp(path));
        let known = files.values().filter(|file| self.world.loader.stamp(&file.path) != file.stamp);
        let mut changed: Vec<_> = known.map(|file| stamp(&file.path)).collect();
        changed.extend(files.appeared(&*self.world.loader).iter().map(|path| stamp(&PathBuf::from(path))));
        changed.sort();
        changed
    }

    pub(in crate::session) fn feed_here(&mut self, watch: &mut Watch, name: &str, value: &str) -> Result<(), String> {
        self.begin();
        if let Some(live) = &mut watch.live {
            live.will_change(&self.workspace, name);
            let text = format!("{name}={value}");
            return self.world.add_external(ExternalOption { target: Target::Variable, content: Content::Code, text });
        }
        match self.assign(self.dialect(), "ext-code", &format!("{name}={value}"), Origin::CommandLine) {
            Ok(_) => Ok(()),
            Err(_) => Err(format!("`{value}` is not a value")),
        }
    }
}

impl Watch {
    /// Ends the evaluation that continues after events.
    fn restart(&mut self) {
        if let Some(live) = self.live.take() {
            self.last = Some(Last::Graph(live.into_last()));
        }
    }
}

impl Run<'_> {
    /// Applies the options of a request to the session. Returns `false` if one is wrong, which is reported.
    pub(super) fn prepare(&mut self, request: &Request) -> bool {
        let paths: Vec<PathBuf> =
            request.options.libraries.iter().rev().chain(&request.import_paths).cloned().collect();
        self.session.world.state.inputs.folders.borrow_mut().splice(0..0, paths);
        if request.options.newest_syntax {
            self.session.read_again(self.dialect, true);
            self.dialect = self.session.languages().named(self.dialect.name()).unwrap_or(self.dialect);
        }
        if let Some(path) = &request.options.kinds {
            // reports a file that cannot be read
            if self.input(&super::Input::File(path.clone()), None).is_none() {
                return false;
            }
            let _ = self.session.set_option("kinds", &path.to_string_lossy());
        }
        if request.options.reveal {
            self.session.reveal_secrets();
        }
        if let Some(frames) = request.options.max_stack {
            self.session.workspace.machine.limits.frames = Some(frames);
        }
        for external in &request.options.externals {
            if let Err(why) = self.session.world.add_external(external.clone()) {
                let _: Option<()> = self.misassigned(SessionKind::BadExternal { why: Name::from(why) });
                return false;
            }
        }
        true
    }

    /// Prints what an event changed.
    fn updated(&mut self, mut live: LiveGraph, watch: &mut Watch, is_first: bool) {
        match live.update(&mut self.session.workspace) {
            Ok(found) if is_first || !found.is_empty() => {
                self.print(Ok(Box::new(found)), watch.medium, Hints::default());
            }
            Ok(_) => {}
            Err(problem) => self.fail(&problem),
        }
        watch.live = Some(live);
    }

    fn watch(&mut self, request: &Request, watch: &mut Watch) {
        if let Some(live) = watch.live.take() {
            return self.updated(live, watch, false);
        }
        let Some(program) = request.inputs.first().and_then(|input| self.program(input, request)) else { return };
        if program.rules.is_exact() && self.is_refused(&program) {
            return;
        }
        let none = || Resources { resources: Vec::new(), edges: Vec::new(), drawing: Drawing::Text };
        if program.rules.makes_resources() {
            let last = match &watch.last {
                Some(Last::Graph(last)) => last.clone(),
                _ => none(),
            };
            let mut live = LiveGraph::new(&mut self.session.workspace, &program, last);
            if live.is_possible(&mut self.session.workspace) {
                return self.updated(live, watch, watch.last.is_none());
            }
        }
        let mut events = Vec::new();
        let root = self.session.root(&program, self.dialect, &mut events);
        self.write_trace_lines(events);
        if program.rules.makes_resources() && is_graph(&mut self.session.workspace, &root) {
            let graph = match resources(&mut self.session.workspace, &root) {
                Ok(graph) => graph,
                Err(problem) => return self.fail(&problem),
            };
            let before = match &watch.last {
                Some(Last::Graph(before)) => before,
                _ => &none(),
            };
            let found = changes(before, &graph);
            let is_first = watch.last.is_none();
            watch.last = Some(Last::Graph(graph));
            if is_first || !found.is_empty() {
                self.print(Ok(Box::new(found)), watch.medium, Hints::default());
            }
            return;
        }
        if let Err(fault) = self.session.workspace.machine.force_deep(&root) {
            return self.fail(fault.problem());
        }
        match watch.last.replace(Last::Value(root.clone())) {
            Some(Last::Value(before)) => {
                let found = of_values(&mut self.session.workspace, &before, &root);
                if !found.changes.is_empty() {
                    let answer: Box<dyn Answer> = Box::new(found);
                    self.print(Ok(answer), watch.medium, Hints::default());
                }
            }
            _ => {
                let budget = self.session.settings().budget;
                let datum = self.session.workspace.machine.datum(&root, budget);
                let spelling = self.dialect.spelling();
                let mut text = crate::dialect::notation::value::one_line(spelling, &datum);
                if watch.medium == Medium::Json {
                    text = Styled::from(crate::view::json::value(&datum).to_string());
                }
                text.push(Role::Plain, "\n");
                self.outcome.output = text;
            }
        }
    }
}

#[cfg(test)]
mod tests;
