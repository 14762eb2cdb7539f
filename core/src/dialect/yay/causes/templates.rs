//! `new` and `call` with names that nothing defines, in a document without other files.

use super::document::{Document, is_within};
use crate::dialect::yay::tree::{Blocks, Expr, Stanza, Value};
use crate::problem::Problem;
use crate::problem::syntax::{SyntaxKind, SyntaxProblem};
use crate::text::{Name, Span, near};
use rustc_hash::FxHashSet;

/// Adds an error for each prototype and macro that is used in a part of the document that always counts, and that nothing defines.
pub fn find(document: &Document<'_>, problems: &mut Vec<Problem>) {
    let tree = document.tree;
    let Some(root) = document.root else { return };
    if document.stanzas().any(|stanza| matches!(stanza, Stanza::Include(..) | Stanza::Search(..))) {
        return;
    }
    let mut defined: FxHashSet<&Name> = FxHashSet::default();
    let mut templates: [Vec<&str>; 2] = Default::default();
    for stanza in document.stanzas() {
        match stanza {
            Stanza::Macro(name, ..) | Stanza::Prototype(name, ..) => {
                defined.insert(&name.name);
                templates[usize::from(matches!(stanza, Stanza::Macro(..)))].push(&name.name);
            }
            Stanza::Set(name, ..) => drop(defined.insert(&name.name)),
            Stanza::Key(entry) => drop(defined.insert(&entry.name.name)),
            Stanza::For(stanza) => defined.extend(stanza.names.iter().map(|name| &name.name)),
            Stanza::New(new) => defined.extend(new.name.iter().map(|name| &name.name)),
            _ => {}
        }
    }
    let mut found: Vec<(Span, &Name, bool)> = Vec::new();
    let mut work = vec![root];
    while let Some(block) = work.pop() {
        for stanza in &tree.block(block).stanzas {
            match stanza {
                Stanza::Key(entry) => work.extend(entry.value.block()),
                Stanza::Item(Value::Block(block), _) => work.push(*block),
                Stanza::New(new) => {
                    if let Expr::Name(name) = tree.expr(new.of) {
                        found.push((tree.span(new.of), name, false));
                    }
                }
                Stanza::Call(name, ..) => found.push((name.span, &name.name, true)),
                _ => {}
            }
        }
    }
    found.sort_unstable_by_key(|(span, ..)| span.start);
    for (span, name, is_macro) in found {
        let is_reported = problems.iter().filter_map(|problem| document.place(problem)).any(|at| is_within(span, at));
        if defined.contains(name) || name.is_empty() || is_reported {
            continue;
        }
        let near = near(name, templates[usize::from(is_macro)].iter().copied());
        let what = SyntaxKind::Unbound { name: name.clone(), near, field: None, past: None };
        problems.push(Problem::error(SyntaxProblem { span, what }));
    }
}
