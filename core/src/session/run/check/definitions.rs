//! The definitions of a file around a place.

use crate::term::{Binding, FieldName, Node, NodeId, PatKind, Term};
use crate::text::{Name, Span};

/// A field, a method or a local.
struct Definition {
    span: Span,
    is_field: bool,
    name: Name,
    is_function: bool,
    /// The innermost definition around this one, by index.
    around: Option<usize>,
}

/// The definitions of a file, in the order of their places, the outer ones first.
pub(super) struct Definitions(Vec<Definition>);

impl Definitions {
    /// The definitions of a file. O(nodes of the term), and sorting them.
    pub fn of(term: &Term, text: &str) -> Definitions {
        let mut all: Vec<Definition> = Vec::new();
        let mut add = |span: Span, is_field: bool, name: Option<Name>, body: NodeId| {
            if let Some(name) = name.filter(|name| !name.is_empty()) {
                let is_function = matches!(term.node(body), Node::Lambda(_));
                all.push(Definition { span, is_field, name, is_function, around: None });
            }
        };
        let named = |binding: &Binding| {
            let pat = term.pat(binding.pat);
            let PatKind::Bind(_) = pat.kind else { return None };
            let name = text.get(pat.span.start as usize..pat.span.end as usize)?;
            name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '\'' || c == '-').then(|| Name::from(name))
        };
        for node in &term.nodes {
            let bindings = match node {
                Node::Record(record) => {
                    for field in &record.fields {
                        if let (FieldName::Static(name), Some(body)) = (&field.name, field.body) {
                            add(field.span, true, Some(name.clone()), body);
                        }
                    }
                    &record.locals
                }
                Node::Let(l) => &l.bindings,
                _ => continue,
            };
            for binding in bindings {
                add(binding.span, false, named(binding), binding.body);
            }
        }
        all.sort_by_key(|one| (one.span.source, one.span.start, std::cmp::Reverse(one.span.end)));
        let mut open: Vec<(usize, Span)> = Vec::new();
        for (index, one) in all.iter_mut().enumerate() {
            while open.pop_if(|(_, outer)| !encloses(*outer, one.span)).is_some() {}
            one.around = open.last().map(|(outer, _)| *outer);
            open.push((index, one.span));
        }
        Definitions(all)
    }

    /// Returns the path of the innermost definition around a place. Also returns whether it is a function. `None` outside of
    /// definitions. O(definitions around the place).
    pub fn path_around(&self, at: Span) -> Option<(String, bool)> {
        let after = self.0.partition_point(|one| (one.span.source, one.span.start) <= (at.source, at.start));
        let mut next = after.checked_sub(1);
        let mut around = Vec::new();
        while let Some(one) = next.and_then(|index| self.0.get(index)) {
            if encloses(one.span, at) {
                around.push(one);
            }
            next = one.around;
        }
        let mut path = String::new();
        let mut called = false;
        for one in around.into_iter().rev() {
            if !one.is_field {
                path.clear();
            } else if !path.is_empty() {
                path.push_str(if called { "(…)." } else { "." });
            }
            path.push_str(&one.name);
            called = one.is_function;
        }
        (!path.is_empty()).then_some((path, called))
    }
}

fn encloses(outer: Span, inner: Span) -> bool {
    outer.source == inner.source && outer.start <= inner.start && inner.end <= outer.end
}
