//! Lowers `let`, and the definitions of a cell.

use super::Lower;
use crate::dialect::cfg::tree;
use crate::problem::syntax::SyntaxKind;
use crate::term::{Binding, Let, Node, NodeId, PatKind};
use crate::text::{Name, Span};
use rustc_hash::FxHashMap;

impl Lower<'_> {
    pub(super) fn let_in(&mut self, l: &tree::Let, span: Span) -> NodeId {
        self.let_with(l.recursive, &l.bindings, span, |lower| lower.expr(l.body))
    }

    /// Lowers a `let` with a body from `body`. Values and annotations are outside the frame, or inside it if the `let`
    /// is recursive.
    pub(super) fn let_with(
        &mut self,
        recursive: bool,
        written: &[tree::Binding],
        span: Span,
        body: impl FnOnce(&mut Self) -> NodeId,
    ) -> NodeId {
        let mut bindings = Vec::with_capacity(written.len());
        let mut seen = FxHashMap::default();
        if recursive {
            self.builder.open();
            let mut pats = Vec::with_capacity(written.len());
            let mut next = 0;
            for (index, binding) in written.iter().enumerate() {
                let prepared = self.prepare(binding.pattern);
                let mut names = FxHashMap::default();
                self.check_pattern(binding.pattern, &mut names);
                self.report_duplicate_names(names, &mut seen);
                pats.push(self.bind_prepared(binding.pattern, prepared));
                let slots = self.builder.slot_count();
                for slot in next..slots {
                    self.builder.define_slot(slot, index as u32);
                }
                next = slots;
                self.builder.reserve(index as u32);
            }
            for (index, (binding, pat)) in written.iter().zip(pats).enumerate() {
                self.builder.enter(Some(index as u32));
                let meta = self.let_meta(&binding.metas);
                let body = self.expr(binding.value);
                let span = binding.span;
                bindings.push(Binding {
                    pat,
                    annots: meta.annots,
                    doc: meta.doc,
                    push: meta.push,
                    secret: false,
                    body,
                    span,
                });
            }
            self.builder.enter(None);
        } else {
            let values: Vec<_> = written
                .iter()
                .map(|binding| {
                    let meta = self.let_meta(&binding.metas);
                    (meta, self.defining(binding.pattern, binding.value))
                })
                .collect();
            self.builder.open();
            // the expressions of all patterns are lowered before any name is bound
            let prepared: Vec<_> = written.iter().map(|b| self.prepare(b.pattern)).collect();
            for ((binding, (meta, body)), prepared) in written.iter().zip(values).zip(prepared) {
                let mut names = FxHashMap::default();
                self.check_pattern(binding.pattern, &mut names);
                self.report_duplicate_names(names, &mut seen);
                let pat = self.bind_prepared(binding.pattern, prepared);
                let span = binding.span;
                bindings.push(Binding {
                    pat,
                    annots: meta.annots,
                    doc: meta.doc,
                    push: meta.push,
                    secret: false,
                    body,
                    span,
                });
            }
            for index in 0..bindings.len() as u32 {
                self.builder.reserve(index);
            }
        }
        let body = body(self);
        let (slots, groups) = self.builder.close();
        self.push(Node::Let(Box::new(Let { recursive, bindings, body, groups, slots })), span)
    }

    /// Reports names that two bindings of one `let` bind.
    fn report_duplicate_names(&mut self, names: FxHashMap<Name, Span>, seen: &mut FxHashMap<Name, Span>) {
        for (name, span) in names {
            if let Some(first) = seen.insert(name.clone(), span) {
                self.problem(span, SyntaxKind::Duplicate { name, what: Name::new_static("binding"), first });
            }
        }
    }
}

/// The result of the `let` of a cell.
#[derive(Clone, Copy)]
pub(in crate::dialect::cfg) enum CellResult<'n> {
    /// One of its names.
    One(&'n Name, Span),
    /// All of these names, as a record.
    All(&'n [(Name, Span)]),
}

impl CellResult<'_> {
    fn span(self) -> Span {
        match self {
            CellResult::One(_, span) => span,
            CellResult::All(names) => {
                names.iter().map(|(_, s)| *s).reduce(Span::to).unwrap_or(Span::new(crate::text::SourceId(0), 0, 0))
            }
        }
    }
}

/// The parts of a cell.
impl Lower<'_> {
    /// Lowers `pattern | C = e`: the value with its types and contracts. Returns its documentation too.
    pub(in crate::dialect::cfg) fn cell_definition(&mut self, binding: &tree::Binding) -> (NodeId, Option<Name>) {
        let value = self.defining(binding.pattern, binding.value);
        let meta = self.let_meta(&binding.metas);
        let mut root = value;
        if meta.push.is_some() {
            // the two `rec` forms are allowed on a `let`: `let x | default rec = e in x`
            self.builder.open();
            let slot = self.builder.anonymous_slot();
            let pat = self.builder.pat(PatKind::Bind(slot), binding.span);
            let body = self.push(Node::Local { up: 0, slot }, binding.span);
            self.builder.reserve(0);
            let (slots, groups) = self.builder.close();
            let only = Binding {
                pat,
                annots: meta.annots,
                doc: None,
                push: meta.push,
                secret: false,
                body: value,
                span: binding.span,
            };
            let whole = Let { recursive: false, bindings: vec![only], body, groups, slots };
            root = self.push(Node::Let(Box::new(whole)), binding.span);
        } else if !meta.annots.is_empty() {
            root = self.push(Node::Annot(value, meta.annots.into()), binding.span);
        }
        (root, meta.doc.map(|(text, _)| text))
    }

    /// Lowers `let pattern = shared in result`, where `shared` is a global name.
    pub(in crate::dialect::cfg) fn part(
        &mut self,
        pattern: tree::PId,
        shared: &Name,
        result: CellResult<'_>,
    ) -> NodeId {
        let body = self.builder.variable(shared, self.tree.pattern_span(pattern));
        self.builder.open();
        let prepared = self.prepare(pattern);
        let pat = self.bind_pattern(pattern, prepared);
        let body_result = self.result_node(result);
        self.builder.reserve(0);
        let (slots, groups) = self.builder.close();
        let whole = self.tree.pattern_span(pattern);
        let only = Binding::plain(pat, body, whole);
        let bindings = vec![only];
        self.push(Node::Let(Box::new(Let { recursive: false, bindings, body: body_result, groups, slots })), whole)
    }

    /// Lowers `let rec … in result`.
    pub(in crate::dialect::cfg) fn let_rec(&mut self, bindings: &[tree::Binding], result: CellResult<'_>) -> NodeId {
        let span = bindings.iter().map(|b| b.span).reduce(Span::to).unwrap_or_else(|| result.span());
        self.let_with(true, bindings, span, |lower| lower.result_node(result))
    }

    /// Lowers the result of the `let` of a cell.
    fn result_node(&mut self, result: CellResult<'_>) -> NodeId {
        match result {
            CellResult::One(name, span) => self.builder.variable(name, span),
            CellResult::All(names) => self.gather(names, result.span()),
        }
    }

    /// Lowers definitions without a body, for completion inside them.
    pub(in crate::dialect::cfg) fn definitions(&mut self, recursive: bool, bindings: &[tree::Binding]) -> NodeId {
        let span = bindings.first().map_or(Span::new(crate::text::SourceId(0), 0, 0), |b| b.span);
        self.let_with(recursive, bindings, span, |lower| lower.push(Node::Hole, span))
    }
}
