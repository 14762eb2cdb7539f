//! Looks in literals that are bound to variables for elements that they do not have.

use super::{Lower, key};
use crate::dialect::mcl::problem::{MclProblem, Named};
use crate::dialect::mcl::tree::{Expr, Id, Piece};
use crate::text::{Name, Span, near};

/// Maximum number of elements of a literal that is looked through at each use.
const LONGEST: usize = 64;

impl<const N: bool> Lower<'_, N> {
    /// Reports `$m["k"]` and `$l[5]` if the variable is bound to a literal without such an element.
    pub(super) fn report_missing(&mut self, of: Id, index: Id, span: Span) {
        let Expr::Variable(name) = self.tree.expr(of) else { return };
        let bound = key(Named::Variable, &name.name);
        let Some(def) = self.state.scopes.iter().rev().find_map(|scope| scope.names.get(&bound)) else { return };
        let Some(literal) = def.id.and_then(|id| self.state.collections.get(&id)) else { return };
        let (variable, at) = (name.name.clone(), def.span);
        match (self.tree.expr(*literal), self.tree.expr(index)) {
            (Expr::Map(entries), Expr::Str(pieces, _)) if entries.len() <= LONGEST => {
                let Some(wanted) = plain(pieces) else { return };
                let keys: Option<Vec<Name>> = entries.iter().map(|(key, _)| self.text(*key)).collect();
                let Some(keys) = keys.filter(|keys| !keys.contains(&wanted)) else { return };
                let near = near(&wanted, keys.iter().map(Name::as_str));
                self.warning(span, MclProblem::NoKey { variable, at, key: wanted, near, keys });
            }
            (Expr::List(elements), Expr::Int(index)) if usize::try_from(*index).is_ok_and(|i| i >= elements.len()) => {
                let length = elements.len();
                self.warning(span, MclProblem::NoElement { variable, at, index: *index, length });
            }
            _ => {}
        }
    }

    /// Returns the text of a string literal without variables.
    fn text(&self, id: Id) -> Option<Name> {
        match self.tree.expr(id) {
            Expr::Str(pieces, _) => plain(pieces),
            _ => None,
        }
    }
}

fn plain(pieces: &[Piece]) -> Option<Name> {
    match pieces {
        [] => Some(Name::default()),
        [Piece::Text(text)] => Some(text.clone()),
        _ => None,
    }
}
