//! `cfg merge`: merges files of any kind, `a & b & …`, or stacks them as layers.

use super::layers::{Layer, LayerOrigin, Layers, no_such_document};
use super::required::{at_other_levels, one_for_a_key};
use super::secrets::SecretNames;
use super::streams::Stream;
use super::{FAULT, Run, language_of};
use crate::answer::Hints;
use crate::answer::conflicts::{self, FailedPart};
use crate::answer::origins::origins;
use crate::dialect::{Dialect, forms};
use crate::meta::Push;
use crate::problem::session::{SessionKind, SessionProblem};
use crate::problem::types::TypesKind;
use crate::problem::{Problem, ProblemKind, Severity};
use crate::session::emit::{export, exported, path_of, placed};
use crate::session::questions::Question;
use crate::session::request::{Format, Input, ProgramOptions, Request};
use crate::state::files::{File, Form};
use crate::state::typing;
use crate::styled::Styled;
use crate::term::build::Builder;
use crate::term::{Binding, FieldName, Groups, Let, Node, NodeId, PatKind, Term};
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, Span};
use crate::value::Thunk;
use crate::value::datum::Datum;
use crate::value::machine::Budget;
use crate::value::manifest::Style;
use crate::view::Medium;
use indexmap::IndexSet;
use std::sync::Arc;

impl Run<'_> {
    /// Returns the merge of all layers, in order. `None` if one of them cannot be read; all such layers are reported.
    pub(super) fn merged(&mut self, request: &Request, stacked: bool) -> Option<Merged> {
        self.merged_over(request, stacked, SecretNames::default())
    }

    /// Returns the merge of all layers, where the secrets of other files are known.
    pub(super) fn merged_over(
        &mut self,
        request: &Request,
        stacked: bool,
        mut secret_names: SecretNames,
    ) -> Option<Merged> {
        self.read_all(request, &mut secret_names);
        let mut layers = self.layers(request, stacked)?;
        // a file that contains only comments adds nothing
        let empty = |layer: &Layer| {
            let root = layer.file.term.node(layer.file.term.root);
            layer.origin != LayerOrigin::Table && matches!(root, Node::Null)
        };
        if layers.stacked
            && layers.lists.is_empty()
            && !layers.all.iter().any(|layer| self.elements(&layer.file).is_some())
        {
            let mut kept = Vec::new();
            for layer in std::mem::take(&mut layers.all) {
                let root = layer.file.term.node(layer.file.term.root);
                // what replaces all layers below is rare, and only then they are looked at
                let (is_text, replaces) = (matches!(root, Node::Str(_)), !matches!(root, Node::Record(_)));
                let marks = |below: &Layer| below.file.term.secret_names().next().is_some();
                if is_text && kept.iter().any(marks) {
                    self.check_text(&layer, &layer.file.term)?;
                }
                let below: Vec<Arc<Term>> =
                    kept.iter().filter(|_| replaces).map(|layer| layer.file.term.clone()).collect();
                if layer.origin == LayerOrigin::File
                    && !empty(&layer)
                    && let Some(problem) = self.replacing(&mut kept, &layer.file)
                {
                    below.into_iter().for_each(|term| secret_names.add(term));
                    // a schema may say more about it
                    self.similar.push(problem);
                }
                kept.push(layer);
            }
            layers.all = kept;
        }
        if let Some(first) = layers.all.first().filter(|_| layers.all.iter().all(empty)) {
            let term = self.with_overrides(first.file.term.clone(), request)?;
            let term = self.with_schemas(term, &layers.schemas, None, request)?;
            let has_schemas = !layers.schemas.is_empty();
            return Some(Merged { term, documents: None, stream: false, has_schemas, has_programs: false });
        }
        let files: Vec<&File> =
            layers.all.iter().filter(|l| !empty(l) && !l.origin.is_above()).map(|l| &*l.file).collect();
        let several = layers.all.iter().filter(|layer| !empty(layer)).count() > 1;
        let streams = self.streams(&files, several).ok()?;
        if streams.is_none() {
            self.report_objects(&files, layers.stacked)?;
        }
        if layers.stacked {
            self.report_directives(&files);
        }
        let plain = !several && request.overrides.is_empty() && request.contracts.is_empty();
        let stream = matches!(files.as_slice(), [only] if plain && self.elements(only).is_some());
        let mut streams = streams.map(Vec::into_iter);
        let mut documents: Option<IndexSet<Name>> = None;
        let mut parts: Vec<MergePart> = Vec::new();
        layers.lists.iter_mut().filter_map(|rule| rule.path.as_mut()).for_each(|path| self.respell(path));
        let mut all = std::mem::take(&mut layers.all);
        for layer in &mut all {
            if let LayerOrigin::Assignment(path) = &mut layer.origin {
                self.respell(path);
            }
        }
        for (place, layer) in all.iter().enumerate().filter(|(_, layer)| !empty(layer)) {
            let mut stream = match layer.origin.is_above() {
                true => None,
                false => streams.as_mut().and_then(|streams| streams.next()),
            };
            if let Some(stream) = &stream {
                documents.get_or_insert_default().extend(stream.names().cloned());
            }
            let raised = (layers.stacked || layer.origin.is_above()).then_some(place as u32);
            let (terms, name) = match &layer.origin {
                LayerOrigin::File => {
                    let program = stream.as_ref().and_then(|stream| stream.program(&layer.file.term));
                    if program.is_some() {
                        stream = None;
                    }
                    let language = self.session.workspace.dialect_of(layer.file.source).unwrap_or(self.dialect);
                    let program = program.unwrap_or_else(|| self.applied(language, layer.file.term.clone()));
                    (vec![program], layer.file.name.clone())
                }
                LayerOrigin::Table => (vec![table(&layer.file.term)], layer.file.name.clone()),
                LayerOrigin::Assignment(path) => {
                    self.check_document(path, documents.as_ref())?;
                    (vec![begun(&layer.file.term, path)], Name::from(format!("--set {path}")))
                }
                LayerOrigin::Environment(prefix) => {
                    let below = self.value_of(&parts);
                    let variables = self.variables(&layer.file, prefix, below.as_ref(), documents.as_ref());
                    let set = variables.iter().map(|(path, term)| (path.clone(), term.span(term.root)));
                    layers.variables.extend(set);
                    (variables.into_iter().map(|(_, term)| term).collect(), layer.file.name.clone())
                }
            };
            let terms = self.with_secrets(layer, &mut secret_names, terms)?;
            let spans: Vec<Span> = terms.iter().map(|term| term.span(term.root)).collect();
            let keys: Vec<(Name, Span)> =
                (0..terms.len()).map(|number| key_of(self.first_file + place, number)).zip(spans).collect();
            for ((key, span), term) in keys.iter().zip(terms) {
                self.session.named_part(&mut Builder::new(), key, term, *span);
            }
            parts.push(MergePart { name, keys, stream, raised });
        }
        layers.all = all;
        // a rule with a path is checked against each layer, also against a single one
        let has_paths = layers.lists.iter().any(|rule| rule.path.is_some());
        let values = match layers.stacked || layers.all.len() > 1 || has_paths {
            true => parts.iter().filter_map(|part| self.value_of(&[part.clone().flat()])).collect(),
            false => Vec::new(),
        };
        let mut at = request.action.at().and_then(|at| FieldPath::parse(at).ok()).unwrap_or_default();
        self.respell(&mut at);
        self.report_options(&layers, &parts, documents.is_some(), &at.steps);
        if let Some(rules) = self.list_rules(&layers, values, documents.is_some(), &at.steps) {
            let span = rules.span(rules.root);
            let key = Name::from(format!("%lists{}", self.first_file));
            self.session.named_part(&mut Builder::new(), &key, rules, span);
            // below the layers, so that each step of the merge applies the rules
            let name = Name::new_static("--list");
            parts.insert(0, MergePart { name, keys: vec![(key, span)], stream: None, raised: None });
        }
        // a merge after this one in the same session, as of the second side of `cfg diff`, has other names
        self.first_file += layers.all.len();
        let program = self.merge_of(&parts)?;
        let program = self.with_overrides(program, request)?;
        let only = layers.all.iter().find(|layer| !empty(layer));
        self.stream = only.filter(|_| stream).map(|layer| layer.file.clone());
        let term = self.with_schemas(program, &layers.schemas, documents.as_ref(), request)?;
        let is_program = |layer: &Layer| {
            let language = self.session.workspace.dialect_of(layer.file.source);
            layer.origin == LayerOrigin::File && language.is_some_and(Dialect::has_cells)
        };
        let has_programs = layers.all.iter().any(is_program);
        Some(Merged { term, documents, stream, has_schemas: !layers.schemas.is_empty(), has_programs })
    }

    /// Removes the layers below a file that it replaces as a whole: anything below a list or scalar, and those below a mapping.
    /// Returns the warning about the last one that is not of the same kind. Only data is looked at, not programs.
    fn replacing(&self, layers: &mut Vec<Layer>, above: &File) -> Option<Problem> {
        let own = kind_of(above)?;
        let below = layers.iter().rev().find(|layer| layer.origin == LayerOrigin::File)?.file.clone();
        let other = kind_of(&below)?;
        if own == "a mapping" && other == own {
            return None;
        }
        layers.retain(|layer| layer.origin != LayerOrigin::File);
        let language = self.session.workspace.dialect_of(above.source);
        let advice = language
            .filter(|_| (own, other) == ("a list", "a mapping"))
            .and_then(|language| forms::mapping(language, None))
            .map(Box::new);
        let what = SessionKind::LayerReplaced {
            above: Name::from(above.name.as_str()),
            below: Name::from(below.name.as_str()),
            kinds: Box::new([own, other]),
            lower: below.term.span(below.term.root),
            advice,
        };
        let span = Some(above.term.span(above.term.root));
        (own != other).then(|| Problem::warning(SessionProblem { span, what }))
    }

    /// Reports what options and variables set that was probably meant otherwise.
    fn report_options(&mut self, layers: &Layers, parts: &[MergePart], streams: bool, at: &[Step]) {
        let is_set = |part: &MergePart, layer: Option<&Layer>| {
            part.raised.is_some() && layer.is_some_and(|layer| layer.origin.is_above())
        };
        let origin = |part: &MergePart| layers.all.get(part.raised.unwrap_or(u32::MAX) as usize);
        let (set, below): (Vec<MergePart>, Vec<MergePart>) =
            parts.iter().cloned().partition(|part| is_set(part, origin(part)));
        if set.is_empty() || below.is_empty() {
            return;
        }
        let Some(files) = self.value_of(&below) else { return };
        if !streams {
            self.report_paths(layers, &files);
        }
        if !layers.stacked {
            let above = set.into_iter().filter_map(|part| self.value_of(&[part.flat()]));
            let values = std::iter::once(files).chain(above.collect::<Vec<_>>()).collect();
            self.report_set(layers, values, streams, at);
        }
    }

    /// Returns the program that merges parts. `None` if there are none.
    fn merge_of(&mut self, parts: &[MergePart]) -> Option<Arc<Term>> {
        let mut builder = Builder::new();
        let mut operands = Vec::new();
        let mut names: Vec<&str> = Vec::new();
        for part in parts {
            for (key, span) in &part.keys {
                let mut operand = builder.variable(key, *span);
                if let Some(stream) = part.stream.clone() {
                    operand = stream.record(&mut builder, operand, *span);
                }
                if let Some(layer) = part.raised {
                    operand = layered(&mut builder, operand, layer, *span);
                }
                operands.push(operand);
                names.push(&part.name);
            }
        }
        let root = match operands.as_slice() {
            [] => return None,
            [only] => *only,
            _ => {
                // the operator is in no text, so the command line is shown for it
                let text = names.join(" & ");
                let source = self.session.world.add_input("<merge>", &text, self.session.languages().standard());
                builder.push(Node::Merge(operands.into()), Span::new(source, 0, text.len()))
            }
        };
        Some(Arc::new(builder.finish(root)))
    }

    /// Returns the value of a merge of parts, unforced.
    fn value_of(&mut self, parts: &[MergePart]) -> Option<Thunk> {
        let term = self.merge_of(parts)?;
        Some(self.session.workspace.machine.thunk(&term))
    }

    /// Checks that the path of an assignment to documents begins with one of them.
    fn check_document(&mut self, path: &FieldPath, documents: Option<&IndexSet<Name>>) -> Option<()> {
        match documents.and_then(|documents| no_such_document(path, documents)) {
            Some(what) => self.misassigned(what),
            None => Some(()),
        }
    }

    /// Reads all files, so that no report about one shows a secret that a later one marks.
    fn read_all(&mut self, request: &Request, names: &mut SecretNames) {
        for input in &request.inputs {
            let dialect = self.dialect_beside(input, request.dialect);
            let dialect = language_of(self.session.languages(), input, dialect);
            if let Input::File(path) = input {
                let _ = self.session.world.find(path, Form::Program(dialect), None);
            }
        }
        for path in &request.contracts {
            let language = language_of(self.session.languages(), &Input::File(path.clone()), None);
            if let Ok(contract) = self.session.world.find(path, Form::Program(language), None) {
                names.add(contract.term.clone());
            }
        }
    }

    /// Checks merged layers: their types, and the schemas that they must meet.
    pub(super) fn check_layers(&mut self, request: &Request, strict: bool) {
        if let Some(merged) = self.merged(request, true) {
            // evaluation says more about a value that breaks a contract than its type does
            if merged.has_schemas || !request.contracts.is_empty() {
                self.check_values(&merged);
            } else if merged.has_programs {
                self.check_contracts(&merged);
            }
            self.check_merged(&merged, strict, &request.options);
        }
        self.report_similar();
        // also those about keys and lists
        if strict && self.outcome.reports.iter().any(|(severity, _)| *severity <= Severity::Warning) {
            self.outcome.exit = self.outcome.exit.max(FAULT);
        }
    }

    /// Reports the type problems of merged layers.
    fn check_merged(&mut self, merged: &Merged, strict: bool, options: &ProgramOptions) {
        let typed = self.session.world.infer(&merged.term);
        let mut problems = typed.problems.clone();
        for problem in self.session.world.imported_problems() {
            if !problems.contains(&problem) {
                problems.push(problem);
            }
        }
        let mut suspected = typed.suspected.clone();
        suspected.extend(self.session.world.suspected());
        let verdict = self.verdict(&problems, problems.clone(), suspected, &merged.term, self.dialect, options);
        verdict.apply(&mut problems, &self.evaluated, merged.term.rules);
        super::faults::once_for_a_fault(&mut problems);
        let is_extra = |kind: &ProblemKind| matches!(kind, ProblemKind::Types(types) if matches!(types.what, TypesKind::ExtraField { .. }));
        problems.retain(|problem| {
            let is_said = problem.span().is_some_and(|span| self.has_error_at(span));
            let is_change = matches!(&problem.kind, ProblemKind::Types(types) if matches!(types.what, TypesKind::ChangesType { .. }));
            let is_compared = is_change && problem.span().is_some_and(|span| self.compared.contains(&span));
            !(is_said || is_compared || merged.has_schemas && is_extra(&problem.kind))
        });
        problems.retain(|problem| !self.session.settings().is_silent(problem));
        problems.iter().for_each(|problem| self.report(problem));
        let worst = if strict { Severity::Warning } else { Severity::Error };
        if problems.iter().any(|problem| problem.severity <= worst) {
            self.outcome.exit = self.outcome.exit.max(FAULT);
        }
    }

    /// Prints the merge, or all of its errors.
    pub(super) fn merge(
        &mut self,
        merged: &Merged,
        at: Option<&str>,
        (format, options): (Format, &ProgramOptions),
        explain: Option<Medium>,
    ) {
        let program = &merged.term;
        if let Some(medium) = explain {
            return match at {
                Some(path) => self.ask(&Question::Explain, program, Some(path), medium),
                None => self.origins(program, medium),
            };
        }
        let Some(FieldPath { steps: path }) = self.path(at) else { return };
        let mut events = Vec::new();
        let root = self.session.root(program, self.dialect, &mut events);
        let whole = self.session.with_trace_lines(&mut events, |machine| {
            let thunk = machine.at(&root, &path).map_err(|fault| fault.problem().clone())?;
            let datum = match options.keep_order {
                true => exported(machine, &thunk, options),
                false => machine.datum(&thunk, Budget::ALL),
            };
            Ok((datum, thunk))
        });
        self.write_trace_lines(events);
        match whole {
            Err(problem) => self.faults(vec![FailedPart { path: path.clone(), problem }]),
            Ok((datum, thunk)) => {
                let mut faults = conflicts::faults(&datum, &path);
                at_other_levels(&mut self.session.workspace.machine, &mut faults, &thunk, &path);
                if merged.has_schemas {
                    self.keep_unchecked(&thunk);
                }
                if !faults.is_empty() {
                    self.faults(faults);
                } else {
                    match printed(&datum, (format, options), merged.at(&path)) {
                        Ok(text) => self.outcome.output = Styled::from(text),
                        Err(problem) => {
                            let inner = path_of(&problem);
                            let problem = placed(&mut self.session.workspace.machine, &thunk, problem);
                            self.fault(&FailedPart { path: [path.as_slice(), &inner].concat(), problem });
                        }
                    }
                }
                self.session.last = Some((root, Some(datum), program.clone()));
            }
        }
        // a merge has no true type errors except violated annotations
        if program.has_types() {
            let typed = self.session.world.infer(program);
            for problem in typed.problems.iter().filter(|p| typing::is_annotation(p)) {
                self.fail(problem);
            }
        }
    }

    /// Evaluates an input, and reports where it breaks the schemas of the request.
    pub(super) fn check_schemas(&mut self, input: &Input, request: &Request) {
        let one = Request { inputs: vec![input.clone()], ..request.clone() };
        if let Some(merged) = self.merged(&one, false) {
            self.check_values(&merged);
        }
    }

    /// Evaluates a merge, and reports its errors. An error at a place with a type error is not reported again.
    fn check_values(&mut self, merged: &Merged) {
        let mut events = Vec::new();
        let root = self.session.root(&merged.term, self.dialect, &mut events);
        let value = self.session.with_trace_lines(&mut events, |machine| machine.datum(&root, Budget::ALL));
        self.write_trace_lines(events);
        let mut faults = conflicts::faults(&value, &[]);
        faults.extend(self.required(&root, &value));
        at_other_levels(&mut self.session.workspace.machine, &mut faults, &root, &[]);
        self.keep_unchecked(&root);
        faults.retain(|fault| !fault.problem.span().is_some_and(|span| self.has_error_at(span)));
        one_for_a_key(&mut faults);
        if !faults.is_empty() {
            self.faults(faults);
        }
    }

    /// Evaluates a merge as far as it takes few steps, and reports the contracts that values break.
    fn check_contracts(&mut self, merged: &Merged) {
        let root = self.session.root(&merged.term, self.dialect, &mut Vec::new());
        for problem in self.further_broken(&root, &[]) {
            self.report_at_value(&problem);
            self.outcome.exit = self.outcome.exit.max(FAULT);
        }
    }

    /// Prints where every value of the merge comes from.
    fn origins(&mut self, program: &Arc<Term>, medium: Medium) {
        let mut events = Vec::new();
        let root = self.session.root(program, self.dialect, &mut events);
        self.write_trace_lines(events);
        match origins(&mut self.session.workspace, &root) {
            Ok(origins) => self.print(Ok(Box::new(origins)), medium, Hints::default()),
            Err(problem) => self.fault(&FailedPart { path: Vec::new(), problem }),
        }
    }
}

/// A part of a merge: a layer.
#[derive(Clone)]
struct MergePart {
    /// The name in the text of the merge.
    name: Name,
    /// The names that the programs of the layer are bound to, with their places.
    keys: Vec<(Name, Span)>,
    /// The documents, for a file of a stream.
    stream: Option<Stream>,
    /// The number of the layer, if it overrides lower ones.
    raised: Option<u32>,
}

impl MergePart {
    /// Returns the part as if it were the lowest layer.
    fn flat(self) -> MergePart {
        MergePart { raised: None, ..self }
    }
}

/// Returns the name that a program of a layer is bound to. The first one of a layer has the name of a file.
fn key_of(place: usize, number: usize) -> Name {
    match number {
        0 => Name::from(format!("%file{place}")),
        _ => Name::from(format!("%file{place}.{number}")),
    }
}

/// Returns the record of an assignment, which begins with the first field of its path.
fn begun(term: &Arc<Term>, path: &FieldPath) -> Arc<Term> {
    let (Node::Record(record), Some(Step::Field(first))) = (term.node(term.root), path.steps.first()) else {
        return term.clone();
    };
    let mut record = record.clone();
    match record.fields.as_mut_slice() {
        [field] if !matches!(&field.name, FieldName::Static(name) if name == first) => {
            field.name = FieldName::Static(first.clone());
        }
        _ => return term.clone(),
    }
    let mut term = Term::clone(term);
    if let Some(root) = term.nodes.get_mut(term.root.0 as usize) {
        *root = Node::Record(record);
    }
    Arc::new(term)
}

/// Returns the field `set` of a stack.
fn table(term: &Arc<Term>) -> Arc<Term> {
    let mut term = Term::clone(term);
    let (root, span) = (term.root, term.span(term.root));
    term.root = NodeId(term.nodes.len() as u32);
    term.nodes.push(Node::Project(root, Name::new_static("set")));
    term.spans.push(span);
    Arc::new(term)
}

/// The merge of several files.
pub(super) struct Merged {
    /// The program.
    pub term: Arc<Term>,
    /// For merged streams, the names of the documents in order.
    documents: Option<IndexSet<Name>>,
    /// Whether the value is the array of a single stream's documents.
    stream: bool,
    /// Whether the value has contracts from schemas.
    has_schemas: bool,
    /// Whether a layer is a program, which may have contracts.
    has_programs: bool,
}

/// The documents of a value.
enum Documents<'m> {
    /// The value is one document.
    One,
    /// The value is an array of documents.
    Array,
    /// The value is a record of documents, with their names in order.
    Named(&'m IndexSet<Name>),
}

impl Merged {
    /// Returns the documents of the value at a path.
    fn at(&self, path: &[Step]) -> Documents<'_> {
        match &self.documents {
            _ if !path.is_empty() => Documents::One,
            Some(names) => Documents::Named(names),
            None if self.stream => Documents::Array,
            None => Documents::One,
        }
    }
}

/// Prints a value in a format. A stream is printed as a stream with its documents in order, in JSON as an array.
fn printed(
    datum: &Datum,
    (format, options): (Format, &ProgramOptions),
    documents: Documents<'_>,
) -> Result<String, Problem> {
    let style = Style::data(options.keep_order);
    let (names, entries) = match (&documents, datum) {
        (Documents::Named(names), Datum::Record(entries)) => (names, entries),
        _ => return export(datum, format, style, matches!(documents, Documents::Array)),
    };
    let mut found: Vec<_> =
        entries.iter().filter_map(|e| Some((names.get_index_of(&e.name)?, e.value.clone()?))).collect();
    found.sort_by_key(|(index, _)| *index);
    let stream = Datum::Array(found.into_iter().map(|(_, document)| document).collect());
    match format {
        Format::Yaml | Format::Json => export(&stream, format, style, true),
        _ => export(datum, format, style, false),
    }
}

/// Wraps a file as a layer: its definitions override those of lower layers.
fn layered(builder: &mut Builder, body: NodeId, layer: u32, span: Span) -> NodeId {
    pushed(builder, body, Push::Layer(layer), span)
}

/// Pushes a priority to the leaves of a value.
pub(super) fn pushed(builder: &mut Builder, body: NodeId, push: Push, span: Span) -> NodeId {
    let pat = builder.pat(PatKind::Bind(0), span.at_start());
    let binding = Binding { pat, annots: Vec::new(), doc: None, push: Some(push), secret: false, body, span };
    let read = builder.push(Node::Local { up: 0, slot: 0 }, span);
    let slots = vec![Name::new_static("%layer")];
    let it = Let { recursive: false, bindings: vec![binding], body: read, groups: Groups::in_order(1), slots };
    builder.push(Node::Let(Box::new(it)), span)
}

/// Returns the kind of the content of a data file. `None` for a program and for null.
fn kind_of(file: &File) -> Option<&'static str> {
    let root = match file.term.node(file.term.root) {
        Node::Let(anchors) => anchors.body,
        _ => file.term.root,
    };
    match file.term.node(root) {
        Node::Record(_) => Some("a mapping"),
        Node::Array(_) => Some("a list"),
        Node::Str(_) | Node::Number(_) | Node::Bool(_) => Some("a scalar"),
        _ => None,
    }
}
