//! The shared part of the readers: nodes, records with duplicate keys, a limited number of problems.

use crate::dialect::Program;
use crate::problem::data::DataProblem;
use crate::problem::syntax::{SyntaxKind, SyntaxProblem};
use crate::problem::{Problem, Severity};
use crate::term::build::Builder;
use crate::term::{FieldDef, FieldName, Groups, Meta, Node, NodeId, PatId, PatKind, RecordLit, SelfAlias, groups};
use crate::text::{Name, SourceId, Span};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Maximum number of reported problems per file.
const MOST_PROBLEMS: usize = 100;

/// Maximum number of fields for which names are compared pairwise.
const FEW: usize = 16;

/// A field of a record.
pub(in crate::dialect) struct Entry {
    pub name: Name,
    pub name_span: Span,
    pub value: NodeId,
    /// Whether it is a YAML merge key `<<`.
    pub merges: bool,
}

/// The term and the problems of a file under construction.
pub(in crate::dialect) struct Build {
    source: SourceId,
    term: Builder,
    problems: Vec<Problem>,
    /// The index of each name in the current record. Kept to save allocations.
    seen: FxHashMap<Name, u32>,
    /// The fields of each record that was compared with a duplicate. A table is made once for all duplicates.
    fields: FxHashMap<NodeId, FxHashMap<Name, NodeId>>,
}

impl Build {
    pub fn new(source: SourceId) -> Build {
        Build {
            source,
            term: Builder::new(),
            problems: Vec::new(),
            seen: FxHashMap::default(),
            fields: FxHashMap::default(),
        }
    }

    /// Makes room for a number of nodes.
    pub fn make_room(&mut self, nodes: usize) {
        self.term.make_room(nodes);
    }

    pub fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start, end)
    }

    /// Adds a problem. Returns `false` if there are too many, and the reader should stop.
    pub fn problem(&mut self, what: DataProblem, severity: Severity, span: Span) -> bool {
        if self.problems.len() > MOST_PROBLEMS {
            return severity != Severity::Error;
        }
        let (what, proceed) =
            if self.problems.len() == MOST_PROBLEMS { (DataProblem::TooMany, false) } else { (what, true) };
        let kind = SyntaxProblem { span, what: SyntaxKind::Data(what) }.into();
        self.problems.push(Problem { severity, kind });
        proceed
    }

    pub fn error(&mut self, what: DataProblem, span: Span) -> bool {
        self.problem(what, Severity::Error, span)
    }

    pub fn node(&mut self, node: Node, span: Span) -> NodeId {
        self.term.push(node, span)
    }

    /// Adds an alias that is inside of its own anchor.
    pub fn self_alias(&mut self, alias: Span, anchor: Span, name: Name) {
        self.term.self_aliases.push(SelfAlias { alias, anchor, name });
    }

    pub fn hole(&mut self, span: Span) -> NodeId {
        self.term.push(Node::Hole, span)
    }

    pub fn node_at(&self, id: NodeId) -> &Node {
        self.term.node(id)
    }

    pub fn node_span(&self, id: NodeId) -> Span {
        self.term.span(id)
    }

    pub fn pat(&mut self, kind: PatKind, span: Span) -> PatId {
        self.term.pat(kind, span)
    }

    pub fn array(&mut self, elements: Vec<NodeId>, span: Span) -> NodeId {
        self.term.push(Node::Array(elements.into()), span)
    }

    /// Builds a record. Fields with the same name form one group, like several definitions of a field in a program.
    /// Duplicates are reported as warnings if `warn` is set.
    pub fn record(&mut self, entries: Vec<Entry>, span: Span, warn: bool) -> NodeId {
        self.seen.clear();
        // indices of duplicates: the first definition, and the duplicate
        let mut again: Vec<(u32, u32)> = Vec::new();
        let few = entries.len() <= FEW;
        for (index, entry) in entries.iter().enumerate() {
            let first = if few {
                entries.iter().take(index).position(|e| e.name == entry.name).map(|first| first as u32)
            } else {
                let first = *self.seen.entry(entry.name.clone()).or_insert(index as u32);
                (first != index as u32).then_some(first)
            };
            again.extend(first.map(|first| (first, index as u32)));
        }
        let groups = if again.is_empty() {
            Groups::in_order(entries.len() as u32)
        } else {
            let both = |(first, index): &(u32, u32)| [(*first, *index), (*index, *first)];
            groups(entries.len(), &again.iter().flat_map(both).collect::<Vec<_>>())
        };
        let duplicates: Vec<_> = again
            .iter()
            .filter_map(|(first, index)| Some((entries.get(*first as usize)?, entries.get(*index as usize)?)))
            .map(|(first, entry)| (entry.name.clone(), entry.name_span, first.name_span, [first.value, entry.value]))
            .collect();
        for (name, span, first, [one, other]) in duplicates.into_iter().filter(|_| warn) {
            let merged = !self.conflict(one, other);
            let severity = if merged { Severity::Warning } else { Severity::Error };
            self.problem(DataProblem::Duplicate { name, first, merged }, severity, span);
        }
        let fields = entries
            .into_iter()
            .map(|entry| FieldDef {
                name: FieldName::Static(entry.name),
                name_span: entry.name_span,
                span: entry.name_span.to(self.term.span(entry.value)),
                body: Some(entry.value),
                included: false,
                plus: false,
                meta: Meta::default(),
            })
            .collect();
        let record = RecordLit { extra: None, fields, open: false, locals: Vec::new(), asserts: Vec::new(), groups };
        self.term.push(Node::Record(Box::new(record)), span)
    }

    /// Returns whether a merge of two values fails for certain: a part of both is not equal, and not two mappings. Values of aliases
    /// are not looked at. O(parts of the second), and once O(fields of the first).
    fn conflict(&mut self, one: NodeId, other: NodeId) -> bool {
        let mut work = vec![(one, other, true)];
        while let Some((one, other, merges)) = work.pop() {
            match (self.term.node(one), self.term.node(other)) {
                (Node::Record(a), Node::Record(b)) => {
                    let defined = |field: &FieldDef| match &field.name {
                        FieldName::Static(name) => Some((name.clone(), field.body?)),
                        FieldName::Computed(_) => None,
                    };
                    let known = self.fields.entry(one).or_insert_with(|| a.fields.iter().filter_map(defined).collect());
                    let of_both = |field: &FieldDef| {
                        let (name, body) = defined(field)?;
                        Some((*known.get(&name)?, body, merges))
                    };
                    let before = work.len();
                    work.extend(b.fields.iter().filter_map(of_both));
                    let same_names = work.len() - before == known.len() && known.len() == b.fields.len();
                    if !merges && !same_names {
                        return true;
                    }
                }
                (Node::Array(a), Node::Array(b)) if a.len() == b.len() => {
                    work.extend(a.iter().zip(b.iter()).map(|(a, b)| (*a, *b, false)));
                }
                (Node::Array(_), Node::Array(_)) => return true,
                (Node::Variant(tag, a), Node::Variant(other, b)) if tag == other => work.push((*a, *b, false)),
                (Node::Null, Node::Null) => {}
                (Node::Bool(a), Node::Bool(b)) if a == b => {}
                (Node::Number(a), Node::Number(b)) if a == b => {}
                (Node::Str(a), Node::Str(b)) if a == b => {}
                // an alias, or a part that did not parse
                (Node::Local { .. } | Node::Project(..) | Node::Hole, _) => {}
                (_, Node::Local { .. } | Node::Project(..) | Node::Hole) => {}
                _ => return true,
            }
        }
        false
    }

    /// Returns the program of a file whose reading was stopped.
    pub fn stopped(source: SourceId) -> Program {
        let mut build = Build::new(source);
        let root = build.hole(build.span(0, 0));
        build.finish(root)
    }

    pub fn finish(mut self, root: NodeId) -> Program {
        self.problems.sort_by_key(|problem| problem.span().map(|span| span.start));
        Program { term: Arc::new(self.term.finish(root)), problems: self.problems }
    }
}
