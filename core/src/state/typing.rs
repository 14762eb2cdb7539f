//! Type inference for the session: terms, files and library items, each inferred once.

use super::World;
use super::activity::Phase;
use super::environment::Typed;
use super::external::Target;
use super::files::File;
use crate::dialect::library::LibraryEntry;
use crate::dialect::{Dialect, notation};
use crate::infer::{self, InferHost, LibraryItem, Options, PartialCall, TypedNodes};
use crate::problem::types::TypesKind;
use crate::problem::{Problem, ProblemKind, Severity};
use crate::styled::{Role, Styled};
use crate::term::{Import, NodeId, Term};
use crate::text::{MASK, Name, SourceId, Sources, Span};
use crate::ty::{DynReason, Row, Scheme, Ty};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;
use unicode_width::UnicodeWidthStr;

/// Maximum number of signatures of calls that are kept.
const MAX_CALLS: usize = 1000;

/// The names that are visible in a term of the session.
pub(crate) struct SessionScope<'a>(pub &'a World);

impl InferHost for SessionScope<'_> {
    fn global(&mut self, name: &Name) -> Option<Arc<Scheme>> {
        let known = self.0.key(name).and_then(|key| self.0.typed(&key)).map(|t| t.scheme.clone());
        known.or_else(|| self.0.called_type(name))
    }

    fn library(&mut self, path: &[Name]) -> Option<LibraryItem> {
        let (root, rest) = path.split_first()?;
        let library = self.0.languages.get().library(root)?;
        let rest: Vec<&str> = rest.iter().map(Name::as_str).collect();
        Some(match library.entry(&rest)? {
            LibraryEntry::Module(module) => {
                LibraryItem::Module(module.names.into_iter().map(Name::new_static).collect())
            }
            LibraryEntry::Item(item) => {
                let key = Name::from(path.iter().map(Name::as_str).collect::<Vec<_>>().join("."));
                if let Some(known) = self.0.library.borrow().get(&key) {
                    return Some(LibraryItem::Value(known.clone()));
                }
                let (signature, _) = infer::scheme_of_type(&library.signature(&rest, &item), self);
                let scheme = Arc::new(library.scheme(&rest, signature));
                self.0.library.borrow_mut().insert(key, scheme.clone());
                LibraryItem::Value(scheme)
            }
        })
    }

    fn import(&mut self, import: &Import, span: Span) -> Result<Arc<Scheme>, Problem> {
        let file = self.0.import_file(import, span)?;
        let name = Name::from(file.name.as_str());
        if self.0.inferring.borrow().iter().any(|(key, _)| *key == file.key) {
            // files may import each other lazily; within the cycle their types are unknown
            return Ok(Arc::new(Scheme::mono(Ty::Dyn(DynReason::Cycle(span)).into())));
        }
        self.0.inferring.borrow_mut().push((file.key.clone(), name));
        let typed = self.0.file_type(&file);
        self.0.inferring.borrow_mut().pop();
        Ok(typed.scheme.clone())
    }

    fn external(&mut self, name: &Name) -> Option<Arc<Scheme>> {
        let file = self.0.external_file(Target::Variable, name)?.ok()?;
        if self.0.inferring.borrow().iter().any(|(key, _)| *key == file.key) {
            return None;
        }
        self.0.inferring.borrow_mut().push((file.key.clone(), file.name.clone()));
        let typed = self.0.file_type(&file);
        self.0.inferring.borrow_mut().pop();
        Some(typed.scheme.clone())
    }

    fn call(&mut self, path: &[Name], call: &PartialCall) -> Option<Result<Arc<Scheme>, Name>> {
        let (root, rest) = path.split_first()?;
        let library = self.0.languages.get().library(root)?;
        let rest: Vec<&str> = rest.iter().map(Name::as_str).collect();
        let text = match library.call(&rest, call)? {
            Ok(text) => text,
            Err(why) => return Some(Err(why)),
        };
        let known = self.0.calls.borrow().get(&text).and_then(|calls| calls.get(path).cloned());
        if let Some(known) = known {
            return Some(Ok(known));
        }
        let (signature, _) = infer::scheme_of_type(&library.parse(&text)?, self);
        let scheme = Arc::new(library.scheme(&rest, signature));
        let mut calls = self.0.calls.borrow_mut();
        if calls.len() > MAX_CALLS {
            calls.clear();
        }
        calls.entry(text).or_default().insert(path.into(), scheme.clone());
        Some(Ok(scheme))
    }

    fn interrupted(&self, steps: usize) -> bool {
        self.0.interrupt.is_raised_after(steps)
    }

    fn expect(&self, bytes: u64) {
        self.0.interrupt.stop().expect(bytes);
    }
}

/// The names that are visible in a file: the library and imports, but nothing that the session binds.
struct InFile<'a>(SessionScope<'a>);

impl InferHost for InFile<'_> {
    fn global(&mut self, _: &Name) -> Option<Arc<Scheme>> {
        None
    }

    fn library(&mut self, path: &[Name]) -> Option<LibraryItem> {
        self.0.library(path)
    }

    fn import(&mut self, import: &Import, span: Span) -> Result<Arc<Scheme>, Problem> {
        self.0.import(import, span)
    }

    fn external(&mut self, name: &Name) -> Option<Arc<Scheme>> {
        self.0.external(name)
    }

    fn call(&mut self, path: &[Name], call: &PartialCall) -> Option<Result<Arc<Scheme>, Name>> {
        self.0.call(path, call)
    }

    fn interrupted(&self, steps: usize) -> bool {
        self.0.interrupted(steps)
    }

    fn expect(&self, bytes: u64) {
        self.0.expect(bytes);
    }
}

impl World {
    /// Infers a term. Has no effect except that files and library items are read once and remembered.
    pub fn infer(&self, term: &Arc<Term>) -> Rc<Typed> {
        self.infer_in(term, &mut SessionScope(self))
    }

    /// Infers a term whose free names `outside` knows.
    fn infer_in(&self, term: &Arc<Term>, outside: &mut dyn InferHost) -> Rc<Typed> {
        self.inferences.set(self.inferences.get() + 1);
        let _inferring = self.activity.begin(Phase::Inferring);
        let mut inferred = infer::infer(term, outside, Options::default());
        if term.rules.is_exact() {
            self.name_problems_of_files(&mut inferred.problems);
        }
        self.sort_problems(term, &mut inferred.problems);
        Rc::new(Typed { scheme: inferred.scheme, problems: inferred.problems, suspected: inferred.suspected })
    }

    /// Replaces each problem that only says that another file has one by that problem, which is an error here.
    fn name_problems_of_files(&self, problems: &mut Vec<Problem>) {
        if !problems.iter().any(is_elsewhere) {
            return;
        }
        let imported = self.imported_problems();
        for problem in problems.iter_mut().filter(|p| is_elsewhere(p)) {
            let is_reported_there = |p: &&Problem| {
                p.span() == problem.span() && matches!(p.kind, ProblemKind::Types(_)) && !is_elsewhere(p)
            };
            if let Some(found) = imported.iter().find(is_reported_there) {
                *problem = Problem { severity: Severity::Error, ..found.clone() };
            }
        }
        let mut seen: Vec<Problem> = Vec::new();
        problems.retain(|p| !seen.contains(p) && (seen.push(p.clone()), true).1);
    }

    /// Sorts the problems of a term independently of the order in which files were read: first those in its own text, then
    /// those in cells, then those in files by path. O(problems × log problems + files that have problems × files).
    fn sort_problems(&self, term: &Term, problems: &mut [Problem]) {
        let own = term.span(term.root).source;
        if problems.len() < 2 || problems.iter().all(|p| p.span().is_none_or(|span| span.source == own)) {
            return;
        }
        let mut sources: Vec<_> = problems.iter().filter_map(|problem| Some(problem.span()?.source)).collect();
        sources.sort_unstable();
        sources.dedup();
        let mut paths: Vec<_> = sources.into_iter().map(|source| (self.path_of(source), source)).collect();
        paths.sort_unstable();
        // The number of each source in the order of the paths. Sources without a path have the same number.
        let mut ranks: FxHashMap<SourceId, usize> = FxHashMap::default();
        for group in paths.chunk_by(|a, b| a.0 == b.0) {
            let rank = ranks.len();
            ranks.extend(group.iter().map(|(_, source)| (*source, rank)));
        }
        problems.sort_by_key(|problem| {
            let place = problem.span().map(|span| (span.source, span.start));
            let foreign = place.filter(|(source, _)| *source != own);
            (foreign.is_some(), foreign.and_then(|(source, _)| ranks.get(&source).copied()), place)
        });
    }

    /// Returns the fields of a record node with their types, sorted by name. Empty if the node is not a record.
    pub fn fields_of(&self, term: &Arc<Term>, node: NodeId) -> Vec<(Name, Scheme)> {
        let inferred = infer::infer(
            term,
            &mut SessionScope(self),
            Options { nodes: TypedNodes::Of(&[node]), ..Options::default() },
        );
        inferred.type_of(node).map(|scheme| record_fields(scheme)).unwrap_or_default()
    }

    /// Returns the type of a node of a term.
    pub fn node_type(&self, term: &Arc<Term>, node: NodeId) -> Option<Arc<Scheme>> {
        let inferred = infer::infer(
            term,
            &mut SessionScope(self),
            Options { nodes: TypedNodes::Of(&[node]), ..Options::default() },
        );
        inferred.type_of(node).cloned()
    }

    /// Returns the type of a file, inferring it the first time.
    pub fn file_type(&self, file: &File) -> Rc<Typed> {
        if let Some(typed) = &*file.typed.borrow() {
            return typed.clone();
        }
        let typed = self.infer_in(&file.term, &mut InFile(SessionScope(self)));
        if !self.interrupt.is_raised() {
            *file.typed.borrow_mut() = Some(typed.clone());
        }
        typed
    }
}

impl World {
    /// Returns the problems of every file whose type was inferred.
    pub fn imported_problems(&self) -> Vec<crate::problem::Problem> {
        let files = self.state.inputs.files.borrow();
        files
            .values()
            .flat_map(|f| {
                let typed = f.typed.borrow().clone();
                let own = f.problems.iter().map(|problem| self.shown_problem(f, problem));
                own.chain(typed.into_iter().flat_map(|t| t.problems.clone())).collect::<Vec<_>>()
            })
            .collect()
    }
}

impl World {
    /// Returns the places at which every file whose type was inferred may fail, if evaluation runs into them.
    pub fn suspected(&self) -> Vec<Problem> {
        let files = self.state.inputs.files.borrow();
        let typed = files.values().filter_map(|f| f.typed.borrow().clone());
        typed.flat_map(|typed| typed.suspected.clone()).collect()
    }
}

/// Returns the fields of a record type with their types, sorted by name. Empty if it is not a record.
pub fn record_fields(scheme: &Scheme) -> Vec<(Name, Scheme)> {
    let mut scheme = scheme.clone();
    loop {
        match &*scheme.ty.clone() {
            Ty::Fails(_, inner) | Ty::Sibling(_, inner) => scheme.ty = inner.clone(),
            Ty::Forall(inner) => scheme = (**inner).clone(),
            Ty::Record(row) => {
                let mut fields: Vec<(Name, Scheme)> = row
                    .fields()
                    .map(|(name, field)| (name.clone(), Scheme { ty: field.ty.clone(), ..scheme.clone() }))
                    .collect();
                fields.sort_by(|a, b| a.0.cmp(&b.0));
                return fields;
            }
            _ => return Vec::new(),
        }
    }
}

/// Returns `true` if a problem is a violated annotation `: T`.
pub fn is_annotation(problem: &Problem) -> bool {
    matches!(&problem.kind, ProblemKind::Types(t) if t.is_annotation())
}

/// Returns `true` if a problem only repeats that a value from another place fails, which was reported there.
pub fn is_elsewhere(problem: &Problem) -> bool {
    matches!(&problem.kind, ProblemKind::Types(t) if matches!(t.what, TypesKind::Elsewhere))
}

/// Returns `true` if a problem is an error only where its value is needed.
pub fn is_conditional(problem: &Problem) -> bool {
    problem.severity == Severity::Error && matches!(&problem.kind, ProblemKind::Types(t) if !t.is_annotation())
}

/// Returns `true` if a problem of a file matters only where the value is needed.
pub fn is_only_if_needed(problem: &Problem) -> bool {
    matches!(&problem.kind, ProblemKind::Types(t) if t.is_only_if_needed())
}

/// Returns `true` if a program's own problems show that it needs the value that `problem` of another file prevents.
pub fn is_needed(own: &[Problem], problem: &Problem) -> bool {
    own.iter().any(|p| p.severity == Severity::Error && is_elsewhere(p) && p.span() == problem.span())
}

/// Returns a type with the mask in place of tags that are secret. A type is masked before it is laid out or cut, so that no
/// line depends on the length of a secret. O(1) if no tag is secret.
pub fn masked_type<'s>(scheme: &'s Scheme, sources: &Sources) -> Cow<'s, Scheme> {
    if !sources.has_secret_tags() {
        return Cow::Borrowed(scheme);
    }
    let scheme = scheme.shown.as_deref().unwrap_or(scheme);
    Cow::Owned(infer::with_tags(scheme, &|tag| sources.is_secret_tag(tag).then(|| Name::new_static(MASK))))
}

/// Prints a type in a language's notation, in lines of at most `width` columns.
pub fn type_pretty(dialect: Dialect, scheme: &Scheme, width: usize) -> Styled {
    notation::ty::styled(dialect.spelling(), scheme, Some(width))
}

/// The maximum width, in columns, of a type that is shown next to a name. `:type` prints all of it.
const MAX_WIDTH_BESIDE: usize = 2000;

/// Prints a type in a language's notation on one line, shortened if it is long.
pub fn type_beside(dialect: Dialect, scheme: &Scheme) -> Styled {
    type_brief(dialect, scheme, MAX_WIDTH_BESIDE)
}

/// Returns `true` for the type of a graph of resources, which says nothing beside the graph.
pub fn is_graph(dialect: Dialect, scheme: &Scheme) -> bool {
    let has_parts = |row: &Row| !row.is_empty() && row.fields().all(|(_, field)| matches!(&*field.ty, Ty::Null));
    dialect.rules().makes_resources() && matches!(&*scheme.ty, Ty::Record(row) if has_parts(row))
}

/// Prints a name and its type in a language's notation: on one line, or in lines of `page` columns if it is wider than that.
pub fn name_and_type(dialect: Dialect, name: &str, scheme: &Scheme, page: Option<usize>) -> Styled {
    let mut head = Styled::of(Role::Name, name);
    head.push(Role::Operator, dialect.spelling().of);
    let with = |ty: &Styled| {
        let mut out = head.clone();
        out.append(ty);
        out
    };
    let out = with(&type_beside(dialect, scheme));
    match page {
        Some(width) if out.text().width() > width => with(&type_pretty(dialect, scheme, width)),
        _ => out,
    }
}

/// Prints the beginning of a type in a language's notation, on one line of at most `columns` columns.
pub fn type_brief(dialect: Dialect, scheme: &Scheme, columns: usize) -> Styled {
    notation::ty::brief(dialect.spelling(), scheme, columns)
}

/// Prints a type in a language's notation, on one line.
pub fn type_text(dialect: Dialect, scheme: &Scheme) -> Styled {
    notation::ty::styled(dialect.spelling(), scheme, None)
}
