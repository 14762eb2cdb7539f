//! The holes of an input: unbound names `_x`, the type that each must have, and the names that fit.
//!
//! A name fits if replacing the hole with it causes no new type error. The inference is the one that checks programs,
//! so parameters, fields, `let` names, session names and library names are all candidates. A name that would read
//! itself does not fit (`circle`).

mod circle;
mod names;
mod text;

use crate::answer::{Answer, Renderer};
use crate::dialect::{self, CellItem, Dialect, Languages, Names, Program, Stop};
use crate::infer::{Options, TypedNodes};
use crate::problem::{Problem, Severity};
use crate::state::Workspace;
use crate::styled::{Role, Styled};
use crate::term::{Node, NodeId, Term};
use crate::text::{Name, SourceId, Span};
use crate::ty::{Scheme, Ty};
use crate::view::html::{Cell, Html};
use crate::view::json::source;
use serde_json::{Value, json};
use std::sync::Arc;

/// Maximum number of names to try in a hole, and maximum size of all programs to infer, in bytes.
const TRIED: usize = 1000;
const WORK: usize = 4_000_000;

/// A hole.
#[derive(Clone, Debug)]
pub struct Hole {
    /// Its name as written: `_x`.
    pub name: Name,
    /// Its place.
    pub span: Span,
    /// The type that it must have. Its variables are unknown, not general.
    pub ty: Arc<Scheme>,
    /// The names that fit: first the names bound around it, then the session's names and the fields of its records,
    /// then the library's, the least general first.
    pub fits: Vec<Name>,
    /// Whether every value fits.
    pub any: bool,
    /// Whether some names were not tried.
    pub cut: bool,
}

/// The holes of an input.
#[derive(Clone, Debug, Default)]
pub struct InputHoles {
    /// The holes, in the order of the text.
    pub holes: Vec<Hole>,
    /// The problems to report: of the syntax and of names, except holes. If the text does not parse, no holes are found.
    pub problems: Vec<Problem>,
    /// Type errors, which are reported unless the input reported them.
    pub clashes: Vec<Problem>,
}

impl Answer for InputHoles {
    fn name(&self) -> &'static str {
        "holes"
    }

    fn text(&self, to: &Renderer<'_>) -> Styled {
        text::text(self, to)
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn html(&self, to: &Renderer<'_>, html: &mut Html) {
        let row = |hole: &Hole| {
            let name = Cell::Head(Styled::of(Role::Name, hole.name.as_str()));
            vec![name, text::ty(hole, to).into(), text::fits(hole).into()]
        };
        match self.holes.is_empty() {
            true => html.paragraph(&text::text(self, to)),
            false => html.table(&["hole", "type", "names"], self.holes.iter().map(row)),
        };
    }

    fn json(&self, to: &Renderer<'_>) -> Value {
        let hole = |hole: &Hole| {
            json!({
                "name": hole.name.as_str(),
                "type": text::ty(hole, to).text(),
                "place": source(Some(hole.span), to.sources),
                "fits": hole.fits.iter().map(|name| name.as_str()).collect::<Vec<_>>(),
                "any": hole.any,
                "cut": hole.cut,
            })
        };
        let holes: Vec<Value> = self.holes.iter().map(hole).collect();
        json!({ "version": 1, "dialect": to.dialect.name(), "holes": holes })
    }
}

/// Returns `true` if an unbound name is a hole: `_` followed by more characters.
pub fn is_hole(name: &str) -> bool {
    name.len() > 1 && name.starts_with('_')
}

/// The names of a session, with holes accepted as unbound names.
pub(super) struct Open<'a>(pub &'a dyn Names);

impl Names for Open<'_> {
    fn is_bound(&self, name: &str) -> bool {
        is_hole(name) || self.0.is_bound(name)
    }
    fn all(&self) -> Vec<Name> {
        self.0.all()
    }
    fn is_session(&self) -> bool {
        self.0.is_session()
    }
    fn stop(&self) -> Stop<'_> {
        self.0.stop()
    }
    fn languages(&self) -> Languages {
        self.0.languages()
    }
    fn tables(&self) -> Vec<Program> {
        self.0.tables()
    }
    fn read_program(&self, dialect: Dialect, source: SourceId, program: &Program) {
        self.0.read_program(dialect, source, program);
    }
    fn read_cell(&self, dialect: Dialect, source: SourceId, cell: &dialect::Cell) {
        self.0.read_cell(dialect, source, cell);
    }
}

/// The text of a question.
pub struct HolesQuestion<'a> {
    /// Its language.
    pub dialect: Dialect,
    /// Its name in reports.
    pub name: &'a str,
    /// The text that reports show.
    pub shown: &'a str,
    /// The same text, with everything but the input replaced by spaces.
    pub text: &'a str,
}

/// Returns the holes of an input. Nothing is evaluated. O(holes × names × the input's inference); infers at most `WORK`
/// bytes of programs.
pub fn holes(session: &mut Workspace, question: &HolesQuestion<'_>) -> InputHoles {
    let (dialect, text) = (question.dialect, question.text);
    let source = session.add_input(question.name, question.shown, dialect);
    let mut read = Input::read(session, dialect, source, text);
    let mut holes = std::mem::take(&mut read.holes);
    holes.sort_by_key(|hole| hole.span.start);
    let mut left = WORK;
    for hole in &mut holes {
        fill(session, dialect, text, &read, hole, &mut left);
    }
    InputHoles { holes, problems: read.problems, clashes: read.clashes }
}

/// Finds the names that fit into a hole.
fn fill(session: &mut Workspace, dialect: Dialect, text: &str, read: &Input, hole: &mut Hole, left: &mut usize) {
    let (start, end) = (hole.span.start as usize, hole.span.end as usize);
    let (Some(before), Some(after)) = (text.get(..start), text.get(end..)) else { return };
    let readers = names::readers(session, &read.binds);
    let (mut tried, contract) = names::around(session, dialect, hole.span.source, text, end);
    tried.extend(names::of_session(session, TRIED).into_iter().filter(|name| !readers.contains(names::root(name))));
    let own = tried.len();
    // if every value fits, the whole library fits
    if !hole.any {
        tried.extend(names::of_library(dialect, contract));
    }
    names::once(&mut tried);
    hole.cut = tried.len() > TRIED.max(own);
    tried.truncate(TRIED.max(own));
    for name in tried {
        if *left < text.len() || session.is_stopped() {
            hole.cut = true;
            break;
        }
        *left -= text.len();
        let filled = Input::read(session, dialect, hole.span.source, &[before, name.as_str(), after].concat());
        let no_worse = filled.problems.len() <= read.problems.len() && filled.clashes.len() <= read.clashes.len();
        if no_worse && !filled.terms.iter().any(|term| circle::closes(term, start, name.len())) {
            hole.fits.push(name);
        }
    }
}

/// A parsed and inferred input.
#[derive(Default)]
struct Input {
    /// Its terms.
    terms: Vec<Arc<Term>>,
    /// The names that it binds.
    binds: Vec<Name>,
    holes: Vec<Hole>,
    /// Problems of its syntax and of its names.
    problems: Vec<Problem>,
    /// Its type errors.
    clashes: Vec<Problem>,
}

impl Input {
    fn read(session: &Workspace, dialect: Dialect, source: SourceId, text: &str) -> Input {
        let cell = dialect.cell(source, text, &Open(session.names()));
        let mut input = Input { problems: cell.problems, ..Input::default() };
        input.problems.retain(|problem| problem.severity == Severity::Error);
        if input.problems.iter().any(|problem| problem.code().starts_with("syntax/")) {
            return input;
        }
        for item in cell.items {
            let term = match item {
                CellItem::Bind { name, term, .. } => {
                    input.binds.push(name);
                    term
                }
                CellItem::Expr(term) => term,
            };
            input.infer(session, &term);
            input.terms.push(term);
        }
        input
    }

    fn infer(&mut self, session: &Workspace, term: &Arc<Term>) {
        let is_unbound =
            |node: &Node| matches!(node, Node::Global(name) if is_hole(name) && !session.names().is_bound(name));
        let ids = (0..term.nodes.len()).map(|index| NodeId(index as u32));
        let holes: Vec<NodeId> = ids.filter(|id| is_unbound(term.node(*id))).collect();
        let options = Options { nodes: TypedNodes::Of(&holes), holes: true, ..Options::default() };
        let inferred = session.inferred(term, options);
        for id in holes {
            let Node::Global(name) = term.node(id) else { continue };
            if let Some(ty) = inferred.type_of(id) {
                let any = ty.constraints.is_empty() && matches!(&*crate::answer::why::inner(&ty.ty), Ty::Var(_));
                let (name, ty, span) = (name.clone(), ty.clone(), term.span(id));
                self.holes.push(Hole { name, span, ty, fits: Vec::new(), any, cut: false });
            }
        }
        self.clashes.extend(inferred.problems);
    }
}
