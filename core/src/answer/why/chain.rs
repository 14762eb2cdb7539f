//! The parts of a slice in the order in which types travel, from their origin to the clash.

use super::names::Scopes;
use super::slice::{self, within};
use super::{PassingConstruct, Side, Statement, WhyAnswer, WhyStep, WhySubject, inner, same_type};
use crate::infer::{Inferred, Options, TypedNodes};
use crate::problem::types::{TypeProblem, TypesKind};
use crate::state::Slice;
use crate::term::{FieldName, Node, NodeId, PatKind, Term, rules};
use crate::text::{Name, Span};
use crate::ty::{Scheme, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A part of the program of which something remains in the slice.
struct Part<'m> {
    index: usize,
    scopes: Scopes<'m>,
    types: Inferred,
    /// Constants in patterns.
    constants: FxHashSet<NodeId>,
}

type NodePlace = (usize, NodeId);

struct Chain<'m, 'w> {
    slice: &'m Slice<'w>,
    parts: Vec<Part<'m>>,
    visited: FxHashSet<NodePlace>,
    steps: Vec<(NodePlace, WhyStep)>,
    /// The expected type, in a clash.
    wanted: Option<Arc<Scheme>>,
    /// The type found, in a clash or in a question about a type.
    found: Option<Arc<Scheme>>,
    /// The field that does not exist.
    missing: Option<Name>,
    /// Places that belong to the expected type.
    asking: Vec<Span>,
}

/// Returns the steps to a problem of part 0.
pub(super) fn problem(slice: &Slice<'_>, types: &TypeProblem) -> WhyAnswer {
    let mut chain = Chain::new(slice);
    let mut giving = vec![types.span];
    if let TypesKind::Conflict(c) = &types.what {
        chain.wanted = Some(c.expected.clone());
        chain.found = Some(c.found.clone());
        chain.asking.extend(c.wanted);
        chain.asking.extend(c.expected_by.iter().map(|(span, _)| *span));
        giving.extend(c.found_by.iter().map(|(span, _)| *span));
    }
    if let TypesKind::MissingField { name, .. } | TypesKind::Undefined { name, .. } = &types.what {
        chain.missing = Some(name.clone());
    }
    let first = chain.top_within(types.span);
    for span in &giving {
        for at in chain.tops_within(*span) {
            chain.walk(at, Side::Found);
        }
    }
    // the nodes that expect a type are around it, the nearest first
    let mut around = Vec::new();
    let mut at = first;
    while let Some((part, node)) = at {
        let parent = chain.part(part).and_then(|p| p.scopes.parent(node));
        around.extend(parent.map(|p| (part, p)));
        at = parent.map(|p| (part, p));
    }
    for at in &around {
        chain.walk(*at, Side::Wanted);
    }
    for part in 0..slice.len() {
        if let Some(root) = chain.part(part).map(|p| p.scopes.term.root) {
            chain.walk((part, root), Side::Wanted);
        }
    }
    let mut path = first.and_then(|(part, node)| Some(chain.part(part)?.scopes.fields(node))).unwrap_or_default();
    if let TypesKind::Conflict(c) = &types.what
        && !path.ends_with(&c.path)
    {
        path.extend(c.path.iter().cloned());
    }
    let meets = chain.meeting(&around, types.span);
    chain.done(path, meets)
}

/// Returns the steps to the type of part 0.
pub(super) fn ty(slice: &Slice<'_>, scheme: &Arc<Scheme>) -> WhyAnswer {
    let mut chain = Chain::new(slice);
    let mut path = Vec::new();
    // the expression in question is not a step of the answer
    let mut question: Vec<NodePlace> = Vec::new();
    let mut target = chain.part(0).map(|p| p.scopes.term.root);
    while let (Some(id), Some(part)) = (target, chain.part(0)) {
        target = match part.scopes.term.node(id) {
            Node::Project(inner, name) => {
                path.push(name.clone());
                question.push((0, id));
                Some(*inner)
            }
            Node::Global(_) if slice.read(0, id).is_some() => {
                question.push((0, id));
                None
            }
            _ => None,
        };
    }
    path.reverse();
    chain.found = Some(scheme.clone());
    if let Some(root) = chain.part(0).map(|p| p.scopes.term.root) {
        chain.walk((0, root), Side::Found);
    }
    chain.steps.retain(|(at, _)| !question.contains(at));
    chain.done(path, None)
}

impl<'m, 'w> Chain<'m, 'w> {
    fn new(slice: &'m Slice<'w>) -> Chain<'m, 'w> {
        let mut parts = Vec::new();
        let mut reached = vec![0];
        let mut at = 0;
        while let Some(index) = reached.get(at).copied() {
            at += 1;
            let Some(term) = slice.term(index) else { continue };
            let visible = slice::visible(slice, index);
            for node in &visible {
                if let Some(read) = slice.read(index, *node)
                    && !reached.contains(&read)
                {
                    reached.push(read);
                }
            }
            let constants = term
                .pats
                .iter()
                .filter_map(|pat| match pat.kind {
                    PatKind::Const(node) => Some(node),
                    _ => None,
                })
                .collect();
            let scopes = Scopes::new(term, &visible);
            let types = slice.inferred(index, Options { nodes: TypedNodes::All, ..Options::default() });
            parts.push(Part { index, scopes, types, constants });
        }
        let asking = Vec::new();
        Chain {
            slice,
            parts,
            visited: FxHashSet::default(),
            steps: Vec::new(),
            wanted: None,
            found: None,
            missing: None,
            asking,
        }
    }

    fn part(&self, index: usize) -> Option<&Part<'m>> {
        self.parts.iter().find(|p| p.index == index)
    }

    /// Returns the topmost nodes within a span.
    fn tops_within(&self, span: Span) -> Vec<NodePlace> {
        let mut out = Vec::new();
        for part in &self.parts {
            let term = part.scopes.term;
            let mut work = vec![term.root];
            while let Some(id) = work.pop() {
                let at = term.span(id);
                if matches!(term.node(id), Node::Hole) {
                    continue;
                }
                if within(at, span) {
                    out.push((part.index, id));
                } else {
                    work.extend(term.children(id).into_iter().rev());
                }
            }
        }
        out
    }

    fn top_within(&self, span: Span) -> Option<NodePlace> {
        self.tops_within(span).into_iter().next()
    }

    /// Adds the steps of a node and of the nodes that it depends on; the origins of a type precede the nodes that pass
    /// it on.
    fn walk(&mut self, from: NodePlace, side: Side) {
        // a node is pushed twice: its second visit comes after the nodes that it depends on
        let mut work = vec![(from, false)];
        while let Some((at, leaving)) = work.pop() {
            let (index, id) = at;
            let Some(part) = self.part(index) else { continue };
            let term = part.scopes.term;
            if leaving {
                if let Some(step) = self.step(at, side) {
                    self.steps.push((at, step));
                }
                continue;
            }
            if matches!(term.node(id), Node::Hole) {
                continue;
            }
            if side == Side::Found && from != at && self.asking.iter().any(|span| within(term.span(id), *span)) {
                continue;
            }
            if !self.visited.insert(at) {
                continue;
            }
            let next = self.below(at);
            work.push((at, true));
            work.extend(next.into_iter().rev().map(|at| (at, false)));
        }
    }

    /// Returns the nodes that a node depends on: its parts, the expression of a name, and what it reads.
    fn below(&self, at: NodePlace) -> Vec<NodePlace> {
        let (index, id) = at;
        let Some(part) = self.part(index) else { return Vec::new() };
        let mut next = Vec::new();
        // a library path or a type is one step, whatever its syntax
        if !self.is_one(at) {
            next.extend(part.scopes.term.children(id).into_iter().map(|child| (index, child)));
        }
        next.extend(part.scopes.meant(id).into_iter().map(|node| (index, node)));
        if let Some(read) = self.slice.read(index, id)
            && let Some(root) = self.part(read).map(|p| p.scopes.term.root)
        {
            next.push((read, root));
        }
        next
    }

    /// Returns `true` if a node is one step as a whole.
    fn is_one(&self, at: NodePlace) -> bool {
        let Some(part) = self.part(at.0) else { return false };
        match part.scopes.term.node(at.1) {
            Node::Type(_) => !self.names_in(part.scopes.term, at.1),
            Node::Project(inner, _) => {
                matches!(part.scopes.term.node(*inner), Node::This { .. }) || self.is_library(at)
            }
            _ => false,
        }
    }

    /// Returns `true` if a type refers to something defined elsewhere.
    fn names_in(&self, term: &Term, id: NodeId) -> bool {
        slice::below(term, id).iter().any(|n| {
            matches!(term.node(*n), Node::Local { .. } | Node::Member { .. } | Node::Global(_) | Node::Import(_))
        })
    }

    /// Returns `true` if a node is a path into a library.
    fn is_library(&self, (index, mut id): NodePlace) -> bool {
        let Some(part) = self.part(index) else { return false };
        loop {
            match part.scopes.term.node(id) {
                Node::Project(inner, _) => id = *inner,
                Node::Global(_) => return self.slice.read(index, id).is_none(),
                _ => return false,
            }
        }
    }

    fn step(&self, at: NodePlace, side: Side) -> Option<WhyStep> {
        let (index, id) = at;
        let part = self.part(index)?;
        let term = part.scopes.term;
        let children = term.children(id);
        let leaf = children.iter().all(|c| matches!(term.node(*c), Node::Hole));
        let own = || part.types.type_of(id).cloned().unwrap_or_else(|| Arc::new(Scheme::mono(Ty::Bottom.into())));
        let is = || Statement::Is(own());
        let wants = || self.wanted.clone().map_or_else(is, Statement::Wants);
        let statement = |statement: Statement| Some((statement, leaf));
        // a node with another type is not an origin; it only passes types on
        let comes = || self.found.as_ref().is_none_or(|found| same_type(&own().ty, &found.ty, 0));
        let source = |statement: Statement| match (&statement, side) {
            (Statement::Is(_), Side::Found) => Some((statement, comes())),
            _ => Some((statement, true)),
        };
        let (statement, source) = match term.node(id) {
            Node::Hole | Node::Let(_) | Node::Annot(..) => None,
            Node::This { .. } => Some((Statement::Names(Name::new_static("self")), false)),
            Node::Null | Node::Bool(_) | Node::Number(_) | Node::Str(_) | Node::Tag(_) | Node::Variant(..) => {
                if part.constants.contains(&id) { source(wants()) } else { source(is()) }
            }
            Node::Interp(_) => source(is()),
            Node::Array(_) | Node::Lambda(_) | Node::Record(_) if leaf => source(is()),
            Node::Array(_) => statement(Statement::Passes(PassingConstruct::Array)),
            Node::Lambda(_) | Node::Record(_) => None,
            Node::Local { .. } => {
                statement(Statement::Names(part.scopes.name(id).unwrap_or_default())).map(|(s, _)| (s, false))
            }
            Node::Member { name, .. } => Some((Statement::Names(name.clone()), false)),
            Node::Global(_) | Node::Project(..) if self.is_library(at) => source(is()),
            Node::Global(name) => Some((Statement::Names(name.clone()), false)),
            Node::Super { .. } => statement(Statement::Passes(PassingConstruct::Super)),
            Node::Project(_, name) => {
                Some((Statement::Reads(name.clone()), leaf || self.missing.as_ref() == Some(name)))
            }
            Node::Apply(apply) => {
                let seen = |id: &NodeId| !matches!(term.node(*id), Node::Hole);
                let argument = apply.args.iter().position(|(_, arg)| seen(arg)).map(|n| n as u32 + 1);
                statement(Statement::Passes(PassingConstruct::Call(argument, self.called(part, apply.func))))
            }
            Node::If(_) => statement(Statement::Passes(PassingConstruct::Condition)),
            Node::Match(_) => statement(Statement::Passes(PassingConstruct::Match)),
            Node::Merge(_) => statement(Statement::Passes(PassingConstruct::Merge)),
            Node::Inherit(_) => statement(Statement::Passes(PassingConstruct::Inherit)),
            Node::Index(_) => statement(Statement::Passes(PassingConstruct::Index)),
            Node::Comprehension(_) => statement(Statement::Passes(PassingConstruct::Comprehension)),
            Node::Prim(prim, _) => match side {
                Side::Found if !comes() => {
                    statement(Statement::Passes(PassingConstruct::Operator(prim.symbol()))).map(|(s, _)| (s, false))
                }
                _ if matches!(&*inner(&own().ty), Ty::Record(_)) => {
                    Some((Statement::Passes(PassingConstruct::Inherit), false))
                }
                Side::Wanted if self.wanted.is_some() => source(wants()),
                Side::Wanted => statement(Statement::Passes(PassingConstruct::Operator(prim.symbol()))),
                Side::Found => source(is()),
            },
            Node::Import(import) => Some((Statement::Passes(PassingConstruct::Import(import.path.clone())), false)),
            Node::Type(_) => {
                let accepted = match &*own().ty {
                    Ty::Contract(inner) => Arc::new(Scheme { ty: inner.clone(), ..Scheme::clone(&own()) }),
                    _ => own(),
                };
                source(Statement::Wants(accepted))
            }
        }?;
        Some(WhyStep {
            span: self.written(part, id),
            at: term.span(id),
            whole: self.is_one(at),
            side,
            statement,
            path: part.scopes.fields(id),
            source,
        })
    }

    /// Returns the span to show for a node. An annotation includes its field.
    fn written(&self, part: &Part<'_>, id: NodeId) -> Span {
        let term = part.scopes.term;
        let span = term.span(id);
        let Some(parent) = part.scopes.parent(id) else { return span };
        match term.node(parent) {
            Node::Record(lit) => {
                let field = lit.fields.iter().find(|f| f.meta.annots.iter().any(|a| a.ty == id));
                match field {
                    Some(f) if matches!(f.name, FieldName::Static(_)) && f.name_span.end <= span.start => {
                        f.name_span.to(span)
                    }
                    _ => span,
                }
            }
            Node::Let(l) => match l.bindings.iter().find(|b| b.annots.iter().any(|a| a.ty == id)) {
                Some(b) if term.pat(b.pat).span.end <= span.start => term.pat(b.pat).span.to(span),
                _ => span,
            },
            _ => span,
        }
    }

    fn called(&self, part: &Part<'_>, func: NodeId) -> Option<Name> {
        match part.scopes.term.node(func) {
            Node::Local { .. } => part.scopes.name(func),
            Node::Member { name, .. } | Node::Project(_, name) | Node::Global(name) => Some(name.clone()),
            _ => None,
        }
    }

    /// Returns the nodes that some nodes are in or are read by, directly or not. O(slice).
    fn around_all(&self, inner: Vec<NodePlace>) -> FxHashSet<NodePlace> {
        let mut above: FxHashMap<NodePlace, Vec<NodePlace>> = FxHashMap::default();
        for at in &self.visited {
            for next in self.below(*at) {
                above.entry(next).or_default().push(*at);
            }
        }
        let mut found = FxHashSet::default();
        let mut work = inner;
        while let Some(at) = work.pop() {
            if found.insert(at) {
                work.extend(above.get(&at).into_iter().flatten());
            }
        }
        found
    }

    /// Returns the first merge, from the inside out, that the clash and a place that expects a type are both in, also through
    /// names and imports: only there do they meet.
    fn common_merge(&self, clash: NodePlace) -> Option<usize> {
        let found = self.around_all(vec![clash]);
        let asking = self.asking.iter().flat_map(|span| self.tops_within(*span)).collect();
        let wanted = self.around_all(asking);
        let merges = |step: &WhyStep| {
            matches!(step.statement, Statement::Passes(PassingConstruct::Merge | PassingConstruct::Inherit))
        };
        self.steps.iter().position(|(at, step)| merges(step) && found.contains(at) && wanted.contains(at))
    }

    /// Returns the place where the two sides meet: the nearest merge or call around the clash, otherwise the first merge of
    /// both sides, otherwise any merge.
    fn meeting(&mut self, around: &[NodePlace], clash: Span) -> Option<WhyStep> {
        let joins = |step: &WhyStep, calls: bool| match &step.statement {
            Statement::Passes(PassingConstruct::Merge | PassingConstruct::Inherit) => true,
            Statement::Passes(PassingConstruct::Call(..)) => calls,
            _ => false,
        };
        let near = around.iter().find_map(|at| self.steps.iter().position(|(a, s)| a == at && joins(s, true)));
        let any = || self.steps.iter().position(|(_, s)| joins(s, false));
        let common = || self.common_merge(self.top_within(clash)?);
        let place = near.or_else(common).or_else(any)?;
        let ((index, id), mut step) = self.steps.remove(place);
        // the argument that contains the clash
        if let (Statement::Passes(PassingConstruct::Call(argument, _)), Some(part)) =
            (&mut step.statement, self.part(index))
            && let Node::Apply(apply) = part.scopes.term.node(id)
            && let Some(at) = apply.args.iter().position(|(_, arg)| within(clash, part.scopes.term.span(*arg)))
        {
            *argument = Some(at as u32 + 1);
        }
        Some(step)
    }

    fn done(self, path: Vec<Name>, meets: Option<WhyStep>) -> WhyAnswer {
        let mut steps: Vec<WhyStep> = self.steps.into_iter().map(|(_, step)| step).collect();
        steps.sort_by_key(|step| step.side);
        // if a step expects the type directly, steps such as library functions only pass it on
        if steps.iter().any(|s| s.side == Side::Wanted && s.source && matches!(s.statement, Statement::Wants(_))) {
            let of = |s: &WhyStep| s.side == Side::Wanted && matches!(s.statement, Statement::Is(_));
            steps.iter_mut().filter(|s| of(s)).for_each(|s| s.source = false);
        }
        let subject = WhySubject::Type(Arc::new(Scheme::mono(Ty::Bottom.into())));
        WhyAnswer { subject, path, steps, meets, fix: None, rules: &rules::CORE, least: true, tries: 0 }
    }
}
