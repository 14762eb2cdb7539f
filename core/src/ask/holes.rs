//! The holes of an input: names `_x` that nothing binds, the type each must have, and the names that fit.
//!
//! A name fits if the input with the name in the hole's place has no problem of types that the input with the hole does
//! not have: the same inference decides that checks programs. So names of functions' parameters, of fields and of `let`
//! are told as those of the session are. A field that would read itself has the right type too, and is told.

use crate::dialect::{At, CellItem, Dialect, Names, Stop};
use crate::infer::Options;
use crate::session::Session;
use crate::term::{Node, Term};
use crate::text::{Name, Span};
use crate::ty::Scheme;
use std::sync::Arc;

/// How many names are tried in a hole, and how many bytes of programs are inferred in all.
const TRIED: usize = 500;
const WORK: usize = 4_000_000;

/// A hole.
#[derive(Clone, Debug)]
pub struct Hole {
    /// As written: `_x`.
    pub name: Name,
    /// Where.
    pub span: Span,
    /// The type it must have.
    pub ty: Arc<Scheme>,
    /// The names that fit: those bound around it first, then the session's.
    pub fits: Vec<Name>,
    /// Whether some names were not tried.
    pub cut: bool,
}

/// Whether a name that nothing binds is a hole: `_` and more behind it.
pub fn is_hole(name: &str) -> bool {
    name.len() > 1 && name.starts_with('_')
}

/// The names of a session, and holes.
struct Open<'a>(&'a dyn Names);

impl Names for Open<'_> {
    fn is_bound(&self, name: &str) -> bool {
        is_hole(name) || self.0.is_bound(name)
    }
    fn all(&self) -> Vec<Name> {
        self.0.all()
    }
    fn stop(&self) -> Stop<'_> {
        self.0.stop()
    }
}

/// The holes of an input, in the order of its text; none where it does not parse. Nothing is evaluated.
/// O(holes × names × the input's inference), at most `WORK` bytes of programs.
pub fn holes(session: &mut Session, dialect: Dialect, text: &str) -> Vec<Hole> {
    let Some((mut found, problems)) = read(session, dialect, text) else { return Vec::new() };
    found.sort_by_key(|hole| hole.span.start);
    let mut left = WORK;
    for hole in &mut found {
        let (start, end) = (hole.span.start as usize, hole.span.end as usize);
        let source = session.add_source("<input>", text);
        let around = match dialect.cursor(source, text, end, session.names()).at {
            At::Name { bound } | At::Annotation { bound } => bound,
            _ => Vec::new(),
        };
        let mut names = around;
        names.retain(|name| !is_hole(name) && dialect_writes(name));
        let mine: Vec<Name> = session.definitions_from("", TRIED + 1).into_iter().map(|(name, _)| name).collect();
        for name in mine {
            if !is_hole(&name) && !names.contains(&name) {
                names.push(name);
            }
        }
        hole.cut = names.len() > TRIED;
        names.truncate(TRIED);
        for name in names {
            if left < text.len() || session.is_stopped() {
                hole.cut = true;
                break;
            }
            left -= text.len();
            let (Some(before), Some(after)) = (text.get(..start), text.get(end..)) else { break };
            let filled = [before, name.as_str(), after].concat();
            if read(session, dialect, &filled).is_some_and(|(_, now)| now <= problems) {
                hole.fits.push(name);
            }
        }
    }
    found
}

/// Whether a name is written as it is.
fn dialect_writes(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '\''))
}

/// The holes of an input and how many problems its types have. `None`: it does not parse, or names something unbound.
fn read(session: &Session, dialect: Dialect, text: &str) -> Option<(Vec<Hole>, usize)> {
    let source = session.add_source("<input>", text);
    let cell = dialect.cell(source, text, &Open(session.names()));
    if !cell.problems.is_empty() {
        return None;
    }
    let (mut holes, mut problems) = (Vec::new(), 0);
    for item in cell.items {
        let term = match item {
            CellItem::Bind { term, .. } | CellItem::Expr(term) => term,
        };
        problems += of_term(session, &term, &mut holes);
    }
    Some((holes, problems))
}

fn of_term(session: &Session, term: &Arc<Term>, holes: &mut Vec<Hole>) -> usize {
    let inferred = session.inferred(term, Options { nodes: true, ..Options::default() });
    for (index, node) in term.nodes.iter().enumerate() {
        let Node::Global(name) = node else { continue };
        if !is_hole(name) || session.names().is_bound(name) {
            continue;
        }
        let id = crate::term::NodeId(index as u32);
        if let Some(ty) = inferred.type_of(id) {
            let (name, ty) = (name.clone(), ty.clone());
            holes.push(Hole { name, span: term.span(id), ty, fits: Vec::new(), cut: false });
        }
    }
    inferred.problems.len()
}
