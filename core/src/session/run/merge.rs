//! `cfg merge`: merges files of any kind, `a & b & …`, or stacks them as layers.

use super::{Run, language_of};
use crate::answer::conflicts::{self, Conflicts, Fault};
use crate::answer::fixes::{Asked, fixes};
use crate::answer::origins::origins;
use crate::answer::{Answer, Hints};
use crate::dialect::{Dialect, Languages};
use crate::meta::Push;
use crate::problem::{Problem, Severity};
use crate::session::emit::{export, path_of, placed};
use crate::session::questions::Question;
use crate::session::request::{Format, Input, Request};
use crate::state::typing;
use crate::styled::Styled;
use crate::term::build::Builder;
use crate::term::{Binding, Groups, Let, Node, NodeId, PatKind, Term};
use crate::text::path::FieldPath;
use crate::text::{Name, Span};
use crate::value::datum::Datum;
use crate::value::machine::Budget;
use crate::value::manifest;
use crate::view::Medium;
use indexmap::IndexSet;
use std::sync::Arc;

/// Maximum number of conflicts reported in full, with an excerpt. Further ones are listed.
const IN_FULL: usize = 3;

impl Run<'_> {
    /// Returns the merge of all inputs, in order. `None` if one of them cannot be read; all such inputs are reported.
    pub(super) fn merged(&mut self, request: &Request, layers: bool) -> Option<Merged> {
        let mut files = Vec::new();
        let mut empty = None;
        let mut good = true;
        for (place, input) in request.inputs.iter().enumerate() {
            let dialect = request.dialect.or_else(|| unsaid(self.session.languages(), input, &request.inputs));
            let notation = language_of(self.session.languages(), input, dialect);
            match self.input(input, dialect).filter(|file| self.parsed(notation, file)) {
                None => good = false,
                // a file that contains only comments adds nothing
                Some(file) if matches!(file.term.node(file.term.root), Node::Null) => empty = Some(file),
                Some(file) => files.push((place, file)),
            }
        }
        if !good {
            return None;
        }
        if files.is_empty() {
            let term = self.with_overrides(empty?.term.clone(), request)?;
            return Some(Merged { term, documents: None });
        }
        let streams = self.streams(&files.iter().map(|(_, file)| &**file).collect::<Vec<_>>()).ok()?;
        let mut documents: Option<IndexSet<Name>> = None;
        let mut streams = streams.map(Vec::into_iter);
        let mut builder = Builder::new();
        let mut operands = Vec::new();
        for (place, file) in &files {
            let span = file.term.span(file.term.root);
            let mut operand = self.session.named_part(&mut builder, &format!("%file{place}"), file.term.clone(), span);
            if let Some(stream) = streams.as_mut().and_then(|streams| streams.next()) {
                documents.get_or_insert_default().extend(stream.names().cloned());
                operand = stream.record(&mut builder, operand, span);
            }
            operands.push(if layers { layered(&mut builder, operand, *place as u32, span) } else { operand });
        }
        let root = match operands.as_slice() {
            [only] => *only,
            _ => {
                // the operator is in no text, so the command line is shown for it
                let names: Vec<&str> = files.iter().map(|(_, file)| file.name.as_str()).collect();
                let text = names.join(" & ");
                let source = self.session.world.add_input("<merge>", &text, self.session.languages().standard());
                builder.push(Node::Merge(operands.into()), Span::new(source, 0, text.len()))
            }
        };
        let term = self.with_overrides(Arc::new(builder.finish(root)), request)?;
        Some(Merged { term, documents })
    }

    /// Prints the merge, or all of its errors.
    pub(super) fn merge(&mut self, merged: &Merged, at: Option<&str>, format: Format, explain: Option<Medium>) {
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
        let whole = self.session.traced(&mut events, |machine| {
            let thunk = machine.at(&root, &path).map_err(|fault| fault.problem().clone())?;
            Ok((machine.datum(&thunk, Budget::ALL), thunk))
        });
        self.traced(events);
        match whole {
            Err(problem) => self.faults(vec![Fault { path: path.clone(), problem }]),
            Ok((datum, thunk)) => {
                let faults = conflicts::faults(&datum, &path);
                if !faults.is_empty() {
                    self.faults(faults);
                } else {
                    match printed(&datum, format, merged.documents.as_ref().filter(|_| path.is_empty())) {
                        Ok(text) => self.outcome.output = Styled::from(text),
                        Err(problem) => {
                            let inner = path_of(&problem);
                            let problem = placed(&mut self.session.workspace.machine, &thunk, problem);
                            self.fault(&Fault { path: [path.as_slice(), &inner].concat(), problem });
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

    /// Prints where every value of the merge comes from.
    fn origins(&mut self, program: &Arc<Term>, medium: Medium) {
        let mut events = Vec::new();
        let root = self.session.root(program, self.dialect, &mut events);
        self.traced(events);
        match origins(&mut self.session.workspace, &root) {
            Ok(origins) => self.print(Ok(Box::new(origins)), medium, Hints::default()),
            Err(problem) => self.fault(&Fault { path: Vec::new(), problem }),
        }
    }

    /// Reports the error of a field with the edits that fix it.
    fn fault(&mut self, fault: &Fault) {
        let again = self.session.replay(self.dialect);
        let fixes = fixes(&mut self.session.workspace, &again, Asked::Request, &fault.path, &fault.problem);
        let report = self.session.report_settled(self.dialect, &fault.problem, &fixes);
        self.outcome.reports.push((Severity::Error, report));
        self.outcome.exit = self.outcome.exit.max(super::FAULT);
    }

    /// Reports errors: the first few in full, further conflicts as a list.
    fn faults(&mut self, faults: Vec<Fault>) {
        let (conflicts, others): (Vec<Fault>, Vec<Fault>) = faults.into_iter().partition(|f| f.is_conflict());
        for fault in others.iter().take(IN_FULL * 4) {
            self.fault(fault);
        }
        if conflicts.len() <= IN_FULL {
            for fault in &conflicts {
                self.fault(fault);
            }
            return;
        }
        self.outcome.exit = self.outcome.exit.max(super::FAULT);
        let report = self.session.rendering(self.dialect, Hints::default(), |to| Conflicts(conflicts).text(to));
        self.outcome.reports.push((Severity::Error, report));
    }
}

/// Returns the language of an input that does not specify it, such as standard input or a file with an unknown
/// extension. If the other inputs are data files, it is data (YAML, which includes JSON).
fn unsaid(languages: Languages, input: &Input, beside: &[Input]) -> Option<Dialect> {
    let ending = |input: &Input| if let Input::File(path) = input { languages.of_path(path) } else { None };
    match ending(input) {
        Some(said) => Some(said),
        None => beside.iter().filter_map(ending).find(|other| !other.has_cells()).map(Dialect::widest),
    }
}

/// The merge of several files.
pub(super) struct Merged {
    /// The program.
    pub term: Arc<Term>,
    /// For streams, the names of the documents in order.
    documents: Option<IndexSet<Name>>,
}

/// Prints a value in a format. A stream is printed as a stream with its documents in order, in JSON as an array.
fn printed(datum: &Datum, format: Format, documents: Option<&IndexSet<Name>>) -> Result<String, Problem> {
    let (Some(names), Datum::Record(entries)) = (documents, datum) else { return export(datum, format) };
    let mut found: Vec<_> =
        entries.iter().filter_map(|e| Some((names.get_index_of(&e.name)?, e.value.clone()?))).collect();
    found.sort_by_key(|(index, _)| *index);
    let stream = Datum::Array(found.into_iter().map(|(_, document)| document).collect());
    match format {
        Format::Yaml => manifest::export(&stream, manifest::ManifestFormat::YamlDocuments),
        Format::Json => export(&stream, format),
        Format::Toml | Format::Text => export(datum, format),
    }
}

/// Wraps a file as a layer: its definitions override those of lower layers.
fn layered(builder: &mut Builder, body: NodeId, layer: u32, span: Span) -> NodeId {
    let pat = builder.pat(PatKind::Bind(0), span.at_start());
    let binding = Binding { pat, annots: Vec::new(), doc: None, push: Some(Push::Layer(layer)), body, span };
    let read = builder.push(Node::Local { up: 0, slot: 0 }, span);
    let slots = vec![Name::new_static("%layer")];
    let it = Let { recursive: false, bindings: vec![binding], body: read, groups: Groups::in_order(1), slots };
    builder.push(Node::Let(Box::new(it)), span)
}
