//! `cfg merge`: files of any kind as one program, `a & b & …`, or one above the other.

use super::Run;
use crate::ask::conflicts::{self, Fault};
use crate::ask::fixes::fixes;
use crate::dialect::Dialect;
use crate::meta::Push;
use crate::problem::Severity;
use crate::session::Asked;
use crate::session::emit::export;
use crate::session::request::{Format, Medium, Request};
use crate::session::typing;
use crate::term::build::Builder;
use crate::term::{Binding, Groups, Let, Node, NodeId, PatKind, Term};
use crate::text::{Name, Span};
use crate::value::machine::Budget;
use crate::view;
use std::sync::Arc;

/// So many faults are reported in full, each with its place in the text; more conflicts are listed.
const IN_FULL: usize = 3;

impl Run<'_> {
    /// The merge of all inputs, in their order. `None`: one of them cannot be read, which was reported, for each of them.
    pub(super) fn merged(&mut self, request: &Request, layers: bool) -> Option<Arc<Term>> {
        let mut builder = Builder::new();
        let mut operands = Vec::new();
        let mut whole: Option<Span> = None;
        let mut empty = None;
        let mut good = true;
        for (index, input) in request.inputs.iter().enumerate() {
            let Some(file) = self.input(input, request.dialect).filter(|file| self.parsed(file)) else {
                good = false;
                continue;
            };
            let span = file.term.span(file.term.root);
            // a file of nothing but comments adds nothing
            if matches!(file.term.node(file.term.root), Node::Null) {
                empty = Some(file.term.clone());
                continue;
            }
            whole.get_or_insert(span);
            let operand = self.part(&mut builder, &format!("%file{index}"), file.term.clone(), span);
            let layer = operands.len() as u32;
            operands.push(if layers { layered(&mut builder, operand, layer, span) } else { operand });
        }
        let root = match (operands.as_slice(), whole) {
            _ if !good => return None,
            ([only], _) => *only,
            (_, Some(span)) => builder.push(Node::Merge(operands.into()), span),
            (_, None) => return empty,
        };
        Some(Arc::new(builder.finish(root)))
    }

    /// Prints the merge, or what keeps it from being: every fault there is, and not the first alone.
    pub(super) fn merge(&mut self, program: &Arc<Term>, at: Option<&str>, format: Format, _explain: Option<Medium>) {
        self.session.world.dialect.set(Dialect::Cfg);
        let Some(path) = self.path(at) else { return };
        let mut events = Vec::new();
        let root = self.session.root(program, Dialect::Cfg, &mut events);
        let merged = self.session.traced(&mut events, |machine| {
            let thunk = machine.at(&root, &path).map_err(|fault| fault.problem().clone())?;
            Ok((machine.datum(&thunk, Budget::ALL), thunk))
        });
        self.traced(events);
        match merged {
            Err(problem) => self.faults(vec![Fault { path: path.clone(), problem }]),
            Ok((datum, thunk)) => {
                let faults = conflicts::faults(&datum, &path);
                if !faults.is_empty() {
                    self.faults(faults);
                } else {
                    match export(&datum, format) {
                        Ok(text) => self.outcome.output = view::Styled::from(text),
                        Err(problem) => {
                            let inner = super::met_at(&problem);
                            let problem = super::placed(&mut self.session.machine, &thunk, problem);
                            self.fault(&Fault { path: [path.as_slice(), &inner].concat(), problem });
                        }
                    }
                }
                self.session.last = Some((root, Some(datum), program.clone()));
            }
        }
        // of a merge, no error of types can be true but a broken `: T`
        if program.has_types() {
            let typed = self.session.world.infer(program);
            for problem in typed.problems.iter().filter(|p| typing::is_annotation(p)) {
                self.fail(problem);
            }
        }
    }

    /// Says what is wrong with a field, and the edits that settle it.
    fn fault(&mut self, fault: &Fault) {
        let fixes = fixes(self.session, Asked::Request, &fault.path, &fault.problem);
        let report = self.session.world.report_settled(&fault.problem, &fixes);
        self.outcome.reports.push((Severity::Error, report));
        self.outcome.exit = self.outcome.exit.max(super::FAULT);
    }

    /// Says what is wrong: the first few in full, the other conflicts in a list.
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
        let width = self.session.world.width.get();
        let report = view::conflicts::list(&conflicts, &self.session.world.sources.borrow(), width);
        self.outcome.reports.push((Severity::Error, report));
    }
}

/// A file as a layer: what it says counts for more than what lower ones say.
fn layered(builder: &mut Builder, body: NodeId, layer: u32, span: Span) -> NodeId {
    if layer == 0 {
        return body;
    }
    let pat = builder.pat(PatKind::Bind(0), span.at_start());
    let binding = Binding { pat, annots: Vec::new(), doc: None, push: Some(Push::Layer(layer)), body, span };
    let read = builder.push(Node::Local { up: 0, slot: 0 }, span);
    let slots = vec![Name::new_static("%layer")];
    let it = Let { recursive: false, bindings: vec![binding], body: read, groups: Groups::in_order(1), slots };
    builder.push(Node::Let(Box::new(it)), span)
}
