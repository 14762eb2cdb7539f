//! A session's input: definitions and expressions.
//!
//! ```text
//! local x = 1                 a definition, with or without a `;` after it
//! local f(a) = a, y = f(x)    several; they see each other, as in a `local` of the language
//! local x = 1; x + 1          an expression: nothing is bound
//! x + y                       an expression
//! ```

use super::grammar::JsonnetGrammar;
use super::tree::{Binding, Tree};
use crate::dialect::parser::Reading;
use crate::text::{Name, Span};
use rustc_hash::FxHashSet;

/// Maximum number of names in a recursive `local` that is lowered once for each name. One with more names is lowered to a single
/// object that contains them.
const MANY: usize = 16;

/// All variables of a cell, in source order.
pub type Uses<'t> = Vec<(&'t Name, Span)>;

/// Returns all variables of a text.
pub(super) fn uses(tree: &Tree) -> Uses<'_> {
    let mut uses: Uses<'_> = tree.variables().collect();
    uses.sort_by_key(|(_, span)| span.start);
    uses
}

impl Reading<'_, JsonnetGrammar> {
    /// Lowers the bindings of a `local`.
    pub(super) fn local(&mut self, bindings: &[Binding], doc: Option<&Name>, span: Span) {
        let recursive = self.recursive(bindings);
        if recursive && bindings.len() > MANY {
            let all = self.lower(|lower| lower.all_bound(bindings, span));
            let names = bindings.iter().map(|b| (b.name.name.clone(), b.name.span, doc.cloned()));
            return self.bind_members(all, span, true, names);
        }
        // the bindings of a recursive `local` do not see each other as definitions of the session
        let terms: Vec<_> = match recursive {
            true => bindings.iter().map(|b| self.lower(|lower| lower.bound(bindings, &b.name))).collect(),
            false => Vec::new(),
        };
        let mut terms = terms.into_iter();
        for Binding { name, value, .. } in bindings {
            let term = terms.next().unwrap_or_else(|| self.lower(|lower| lower.expr(*value)));
            self.bind(name.name.clone(), name.span, recursive, doc.cloned(), term);
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
        let mut at = self.facts.partition_point(|(_, span)| span.start < begin);
        for binding in bindings {
            while let Some((name, _)) = self.facts.get(at).filter(|(_, span)| span.start < binding.span.end) {
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
