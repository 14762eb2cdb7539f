//! A session's input: definitions and expressions.
//!
//! ```text
//! local x = 1                 a definition, with or without a `;` after it
//! local f(a) = a, y = f(x)    several; they see each other, as in a `local` of the language
//! local x = 1; x + 1          an expression: nothing is bound
//! x + y                       an expression
//! ```

use super::FOLLOWING;
use super::grammar::JsonnetGrammar;
use super::lower::Lower;
use super::tree::{Binding, Item, Spanned, Tree};
use crate::dialect::parser::{self, Making};
use crate::dialect::{Cell, Names};
use crate::problem::Problem;
use crate::term::Term;
use crate::text::{Name, SourceId, Span};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Maximum number of names of one recursive `local` that do not share an object.
const MANY: usize = 16;

/// Reads an input of a session. Total. Near-linear in the length of the text.
pub fn cell(source: SourceId, text: &str, names: &dyn Names) -> Cell {
    let parsed = parser::cell::<JsonnetGrammar>(source, text, names.stop());
    let mut uses: Vec<(&Name, Span)> = parsed.tree.variables().collect();
    uses.sort_by_key(|(_, span)| span.start);
    let mut reader = Reader { tree: &parsed.tree, uses, names, made: Making::new(source, parsed.problems) };
    for item in &parsed.parts {
        if names.stop().is_asked() || reader.made.is_hopeless() {
            break;
        }
        match item {
            Item::Expr(id) => {
                let term = reader.lower(|lower| {
                    let (term, problems, _) = lower.whole(*id);
                    (term, problems)
                });
                reader.made.show(term);
            }
            Item::Local { bindings, doc, span } => reader.local(bindings, doc.as_ref().map(|(text, _)| text), *span),
        }
    }
    reader.made.finish(FOLLOWING)
}

struct Reader<'a> {
    tree: &'a Tree,
    /// All variables, in source order.
    uses: Vec<(&'a Name, Span)>,
    names: &'a dyn Names,
    made: Making,
}

impl Reader<'_> {
    fn lower(&mut self, make: impl FnOnce(Lower<'_>) -> (Term, Vec<Problem>)) -> Arc<Term> {
        self.made.lowered(make(Lower::new(self.tree, self.names, &self.made.earlier)))
    }

    fn bind(&mut self, name: &Spanned, recursive: bool, doc: Option<&Name>, term: Arc<Term>) {
        self.made.bind(name.name.clone(), name.span, recursive, doc.cloned(), term);
    }

    fn local(&mut self, bindings: &[Binding], doc: Option<&Name>, span: Span) {
        if !self.recursive(bindings) {
            for binding in bindings {
                let term = self.lower(|lower| {
                    let (term, problems, _) = lower.whole(binding.value);
                    (term, problems)
                });
                self.bind(&binding.name, false, doc, term);
            }
        } else if bindings.len() > MANY {
            // a separate term for each name would take quadratic time
            let shared = Spanned { name: self.made.hidden_name(), span };
            let all = self.lower(|lower| lower.all_bound(bindings, span));
            self.bind(&shared, true, None, all);
            for binding in bindings {
                let term = self.lower(|lower| lower.member(&shared.name, &binding.name));
                self.bind(&binding.name, true, doc, term);
            }
        } else {
            let terms: Vec<_> = bindings.iter().map(|b| self.lower(|lower| lower.bound(bindings, &b.name))).collect();
            for (binding, term) in bindings.iter().zip(terms) {
                self.bind(&binding.name, true, doc, term);
            }
        }
    }

    /// Returns `true` if a binding may use its own name or that of a later one, or if a name is bound twice.
    fn recursive(&self, bindings: &[Binding]) -> bool {
        let mut later = FxHashSet::default();
        for binding in bindings {
            if !later.insert(&binding.name.name) {
                return true;
            }
        }
        let begin = bindings.first().map_or(0, |b| b.span.start);
        let mut at = self.uses.partition_point(|(_, span)| span.start < begin);
        for binding in bindings {
            while let Some((name, _)) = self.uses.get(at).filter(|(_, span)| span.start < binding.span.end) {
                if later.contains(name) {
                    return true;
                }
                at += 1;
            }
            later.remove(&binding.name.name);
        }
        false
    }
}
