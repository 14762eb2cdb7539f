//! Exhaustiveness: finds values that no pattern takes, and closes the enums whose tags the patterns decide.
//!
//! The patterns are the rows of a matrix, one column for each part of the value that is still to be compared. A column is
//! replaced by the parts of each form that its patterns name; if no row is left, a value of that form is not covered. Constants
//! never cover all numbers or strings. The elements of an array have one type but may be of different forms, so that an array
//! counts as covered.

use super::Infer;
use super::unify::ClashKind;
use super::why::{UnifyReason, Why};
use crate::problem::types::TypesKind;
use crate::term::{FieldName, Node, NodeId, PatId, PatKind, Rest, Term};
use crate::text::{Name, Span};
use crate::ty::{DynReason, Live, Tag, Tail, Ty, TyRef, VariableKind};
use indexmap::IndexMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Maximum number of matrices of one match. A match of n tags needs about n.
const STEPS: usize = 50_000;
/// Maximum length of an array whose elements are compared.
const ELEMENTS: usize = 16;

/// A value that no pattern takes.
enum Case {
    /// Any value.
    Any,
    Tag(Name, Option<Box<Case>>),
    Constant(Name),
    Record(Vec<(Name, Case)>),
}

impl Case {
    fn is_any(&self) -> bool {
        matches!(self, Case::Any)
    }

    /// Writes the case as a pattern.
    fn write(&self, out: &mut String) {
        super::deep(|| match self {
            Case::Any => out.push('_'),
            Case::Tag(name, argument) => {
                out.push('\'');
                out.push_str(name);
                if let Some(argument) = argument {
                    out.push(' ');
                    let nested = matches!(**argument, Case::Tag(_, Some(_)));
                    out.push_str(if nested { "(" } else { "" });
                    argument.write(out);
                    out.push_str(if nested { ")" } else { "" });
                }
            }
            Case::Constant(text) => out.push_str(text),
            Case::Record(fields) => {
                out.push_str("{ ");
                for (name, case) in fields.iter().filter(|(_, case)| !case.is_any()) {
                    out.push_str(name);
                    out.push_str(" = ");
                    case.write(out);
                    out.push_str(", ");
                }
                out.push_str(".. }");
            }
        });
    }
}

/// The patterns of the remaining columns, the first one last. `None` takes any value.
type Line = Vec<Option<PatId>>;

/// The form that a pattern requires of its value.
enum Form {
    Any,
    Tag(Tag, Option<PatId>),
    Constant(Name),
    Record(Vec<(Name, PatId)>),
    Array(Vec<PatId>, bool),
}

/// The search for a case that is not covered.
struct Coverage<'i, 'a> {
    infer: &'i mut Infer<'a>,
    term: Arc<Term>,
    steps: usize,
    /// The tails of enums whose tags all have patterns.
    decided: Vec<Live>,
    /// The tails of enums that take further tags for some values of the other parts.
    undecided: Vec<Live>,
    /// Whether the search only collects these tails, and therefore visits all cases.
    decides: bool,
}

impl Coverage<'_, '_> {
    /// Returns a case that no line covers, in the order of the columns.
    fn missing(&mut self, lines: Vec<Line>, types: Vec<TyRef>) -> Option<Vec<Case>> {
        self.steps += 1;
        if self.steps > STEPS || self.infer.interrupted() {
            return None;
        }
        super::deep(|| self.missing_here(lines, types))
    }

    fn missing_here(&mut self, lines: Vec<Line>, mut types: Vec<TyRef>) -> Option<Vec<Case>> {
        if lines.is_empty() {
            return Some(types.iter().map(|_| Case::Any).collect());
        }
        let ty = types.pop()?;
        let mut split = Vec::with_capacity(lines.len());
        for line in lines {
            self.split(line, &mut split);
        }
        let kind = |form: &Form| match form {
            Form::Any => 0,
            Form::Tag(..) => 1,
            Form::Constant(_) => 2,
            Form::Record(_) => 3,
            Form::Array(..) => 4,
        };
        let mut kinds = split.iter().map(|(form, _)| kind(form)).filter(|k| *k > 0);
        let first = kinds.next();
        if kinds.any(|k| Some(k) != first) {
            // patterns of several types test the type of the value
            return None;
        }
        match first {
            Some(1) => self.tags(split, &ty, types),
            Some(2) => self.constants(split, &ty, types),
            Some(3) => self.fields(split, &ty, types),
            Some(4) => self.elements(split, &ty, types),
            _ => {
                let mut found = self.missing(split.into_iter().map(|(_, line)| line).collect(), types)?;
                found.push(Case::Any);
                Some(found)
            }
        }
    }

    fn head(&mut self, ty: &TyRef) -> TyRef {
        let head = self.infer.open_head(ty);
        let one = self.infer.instantiate(&head);
        self.infer.open_head(&one)
    }

    /// Adds a line to `out` with the form of its first pattern, once for each alternative.
    fn split(&self, mut line: Line, out: &mut Vec<(Form, Line)>) {
        let mut work = vec![line.pop().flatten()];
        while let Some(pat) = work.pop() {
            let Some(pat) = pat else {
                out.push((Form::Any, line.clone()));
                continue;
            };
            let form = match &self.term.pat(pat).kind {
                PatKind::Any | PatKind::Bind(_) => Form::Any,
                PatKind::As(_, inner) => {
                    work.push(Some(*inner));
                    continue;
                }
                PatKind::Or(alternatives) => {
                    work.extend(alternatives.iter().rev().map(|p| Some(*p)));
                    continue;
                }
                PatKind::Tag(name) => Form::Tag(Tag::plain(name.clone()), None),
                PatKind::Variant(name, inner) => Form::Tag(Tag::variant(name.clone()), Some(*inner)),
                PatKind::Const(node) => Form::Constant(match self.term.node(*node) {
                    Node::Null => Name::new_static("null"),
                    Node::Bool(true) => Name::new_static("true"),
                    Node::Bool(false) => Name::new_static("false"),
                    other => Name::from(format!("{other:?}")),
                }),
                PatKind::Record(fields, _) => Form::Record(fields.iter().map(|f| (f.name.clone(), f.pat)).collect()),
                PatKind::Array(items, rest) => Form::Array(items.to_vec(), !matches!(rest, Rest::Closed)),
            };
            out.push((form, line.clone()));
        }
    }

    /// Searches a column of tags. Lines that take any tag belong to each of them.
    fn tags(&mut self, split: Vec<(Form, Line)>, ty: &TyRef, types: Vec<TyRef>) -> Option<Vec<Case>> {
        let (known, tail) = match &*self.head(ty) {
            Ty::Enum(tags, tail) => self.infer.open_tags(tags, tail),
            _ => (BTreeMap::new(), Tail::Dyn(DynReason::Library)),
        };
        let mut any: Vec<Line> = Vec::new();
        let mut named: IndexMap<Tag, Vec<Line>> = IndexMap::new();
        for (form, mut line) in split {
            match form {
                Form::Tag(tag, argument) => {
                    line.extend(tag.variant.then_some(argument));
                    named.entry(tag).or_default().push(line);
                }
                _ => any.push(line),
            }
        }
        let with = |found: Vec<Case>, tag: &Tag| {
            let mut found = found;
            let argument = if tag.variant { found.pop().map(Box::new) } else { None };
            found.push(Case::Tag(tag.name.clone(), argument));
            found
        };
        let unnamed = known.keys().find(|tag| !named.contains_key(*tag)).cloned();
        if let (Some(tag), true, false) = (&unnamed, any.is_empty(), self.decides) {
            let argument = tag.variant.then(|| Box::new(Case::Any));
            let mut found: Vec<Case> = types.iter().map(|_| Case::Any).collect();
            found.push(Case::Tag(tag.name.clone(), argument));
            return Some(found);
        }
        for (tag, mut lines) in named {
            let argument = known.get(&tag);
            if argument.is_none() && matches!(tail, Tail::Closed) {
                continue;
            }
            let mut types = types.clone();
            if tag.variant {
                types.push(argument.cloned().flatten().unwrap_or_else(unknown));
                lines.extend(any.iter().map(|line| line.iter().copied().chain([None]).collect::<Line>()));
            } else {
                lines.extend(any.iter().cloned());
            }
            if let Some(found) = self.missing(lines, types)
                && !self.decides
            {
                return Some(with(found, &tag));
            }
        }
        if let Tail::Live(v) = tail {
            let list = if any.is_empty() { &mut self.decided } else { &mut self.undecided };
            list.push(v);
        }
        if any.is_empty() {
            return None;
        }
        if unnamed.is_none() && matches!(tail, Tail::Closed) {
            return None;
        }
        let mut found = self.missing(any, types)?;
        found.push(match unnamed {
            Some(tag) => Case::Tag(tag.name, tag.variant.then(|| Box::new(Case::Any))),
            None => Case::Any,
        });
        Some(found)
    }

    fn constants(&mut self, split: Vec<(Form, Line)>, ty: &TyRef, types: Vec<TyRef>) -> Option<Vec<Case>> {
        let mut any: Vec<Line> = Vec::new();
        let mut named: IndexMap<Name, Vec<Line>> = IndexMap::new();
        for (form, line) in split {
            match form {
                Form::Constant(text) => named.entry(text).or_default().push(line),
                _ => any.push(line),
            }
        }
        let all: &[Name] = match &*self.head(ty) {
            Ty::Bool => &[Name::new_static("true"), Name::new_static("false")],
            Ty::Null => &[Name::new_static("null")],
            _ => &[],
        };
        let other = all.iter().find(|text| !named.contains_key(*text)).cloned();
        let complete = !all.is_empty() && other.is_none();
        for (text, mut lines) in named {
            lines.extend(any.iter().cloned());
            if let Some(mut found) = self.missing(lines, types.clone())
                && !self.decides
            {
                found.push(Case::Constant(text));
                return Some(found);
            }
        }
        if complete || (any.is_empty() && other.is_none()) {
            return None;
        }
        let mut found = self.missing(any, types)?;
        found.push(other.map_or(Case::Any, Case::Constant));
        Some(found)
    }

    fn fields(&mut self, split: Vec<(Form, Line)>, ty: &TyRef, mut types: Vec<TyRef>) -> Option<Vec<Case>> {
        let mut names: IndexMap<Name, ()> = IndexMap::new();
        for (form, _) in &split {
            if let Form::Record(fields) = form {
                names.extend(fields.iter().map(|(name, _)| (name.clone(), ())));
            }
        }
        let row = match &*self.head(ty) {
            Ty::Record(row) => Some(self.infer.open_row(row)),
            _ => None,
        };
        for name in names.keys() {
            let field = row.as_ref().and_then(|row| row.get(name));
            types.push(field.map_or_else(unknown, |f| f.ty.clone()));
        }
        let lines = split.into_iter().map(|(form, mut line)| {
            let mut parts = vec![None; names.len()];
            if let Form::Record(fields) = form {
                for (name, pat) in fields {
                    if let Some(part) = names.get_index_of(&name).and_then(|i| parts.get_mut(i)) {
                        *part = Some(pat);
                    }
                }
            }
            line.extend(parts);
            line
        });
        let lines: Vec<Line> = lines.collect();
        let mut found = self.missing(lines, types)?;
        let parts = found.split_off(found.len().saturating_sub(names.len()));
        found.push(Case::Record(names.into_keys().zip(parts).collect()));
        Some(found)
    }

    fn elements(&mut self, split: Vec<(Form, Line)>, ty: &TyRef, types: Vec<TyRef>) -> Option<Vec<Case>> {
        let item = match &*self.head(ty) {
            Ty::Array(item) => item.clone(),
            _ => unknown(),
        };
        let lengths: BTreeSet<usize> = split
            .iter()
            .filter_map(|(form, _)| match form {
                Form::Array(items, _) => Some(items.len()),
                _ => None,
            })
            .filter(|n| *n <= ELEMENTS)
            .collect();
        for length in lengths {
            let mut lines = Vec::new();
            for (form, line) in &split {
                let mut line = line.clone();
                match form {
                    Form::Array(items, open) if items.len() == length || (*open && items.len() < length) => {
                        line.extend(items.iter().map(|p| Some(*p)).chain(std::iter::repeat(None)).take(length));
                    }
                    Form::Array(..) => continue,
                    _ => line.extend(vec![None; length]),
                }
                lines.push(line);
            }
            let mut types = types.clone();
            types.extend(vec![item.clone(); length]);
            // the elements share one type, so that a case of one of them need not be possible
            self.missing(lines, types);
        }
        None
    }
}

fn unknown() -> TyRef {
    Ty::Dyn(DynReason::Library).into()
}

impl Infer<'_> {
    /// Reports a value of the type that none of the patterns takes. Call it before the patterns are unified with the type,
    /// which adds their tags to it. `at`: the place of the value. `certain`: the value is known to be such a value.
    pub(super) fn uncovered(&mut self, pats: &[PatId], ty: &TyRef, at: Span, certain: bool) {
        let term = self.term.clone();
        let lines = pats.iter().map(|p| vec![Some(*p)]).collect();
        let mut coverage = Coverage {
            infer: self,
            term: term.clone(),
            steps: 0,
            decided: Vec::new(),
            undecided: Vec::new(),
            decides: false,
        };
        let Some(case) = coverage.missing(lines, vec![ty.clone()]).and_then(|mut found| found.pop()) else { return };
        let (Some(first), Some(last)) = (pats.first(), pats.last()) else { return };
        let (first, last) = (term.pat(*first).span, term.pat(*last).span);
        let wanted = Span { end: last.end, ..first };
        match case {
            Case::Any => {}
            Case::Tag(name, None) => {
                let mut taken = Vec::new();
                for (form, _) in self.forms(pats) {
                    if let Form::Tag(tag, _) = form {
                        taken.push(tag.name);
                    }
                }
                let near = super::report::near(&name, taken.iter().filter(|n| **n != name));
                let because = UnifyReason::new(at, Why::Pattern).wanted(wanted).unsure();
                let clash = self.clash(ClashKind::Tag { name, near, allowed: Vec::new() }, &because);
                self.report_clash_in_unit(*clash, &because, certain);
            }
            case => {
                let mut text = String::new();
                case.write(&mut text);
                self.report(at, TypesKind::NotCovered { case: Name::from(text), wanted }, certain);
            }
        }
    }

    fn forms(&mut self, pats: &[PatId]) -> Vec<(Form, Line)> {
        let term = self.term.clone();
        let coverage =
            Coverage { infer: self, term, steps: 0, decided: Vec::new(), undecided: Vec::new(), decides: false };
        let mut out = Vec::new();
        pats.iter().for_each(|p| coverage.split(vec![Some(*p)], &mut out));
        out
    }

    /// Closes each enum in a type if all of its tags have patterns. Call it after the patterns were unified with the type.
    pub(super) fn close_tags(&mut self, pats: &[PatId], ty: &TyRef, at: Span) {
        let term = self.term.clone();
        let lines = pats.iter().map(|p| vec![Some(*p)]).collect();
        let mut coverage =
            Coverage { infer: self, term, steps: 0, decided: Vec::new(), undecided: Vec::new(), decides: true };
        coverage.missing(lines, vec![ty.clone()]);
        let because = UnifyReason::new(at, Why::Pattern).unsure();
        let (decided, undecided) = (coverage.decided, coverage.undecided);
        for v in decided {
            if undecided.iter().any(|other| self.table.root(*other) == self.table.root(v)) {
                continue;
            }
            if !self.is_rigid(v)
                && matches!(self.table.probe(v), super::table::Slot::Free { kind: VariableKind::Tags, .. })
            {
                let _ = self.bind_tail(v, Ty::Enum(BTreeMap::new(), Tail::Closed), &because);
            }
        }
    }

    /// Whether a pattern is certain not to match an expression: a literal that differs from it.
    pub(super) fn misses(&self, pat: PatId, value: NodeId) -> bool {
        super::deep(|| self.misses_here(pat, value))
    }

    fn misses_here(&self, pat: PatId, value: NodeId) -> bool {
        let kind = &self.term.pat(pat).kind;
        let node = self.term.node(value);
        match kind {
            PatKind::Any | PatKind::Bind(_) => return false,
            PatKind::As(_, inner) => return self.misses(*inner, value),
            PatKind::Or(alternatives) => return alternatives.iter().all(|p| self.misses(*p, value)),
            _ => {}
        }
        match node {
            Node::Tag(name) => !matches!(kind, PatKind::Tag(n) if n == name),
            Node::Variant(name, argument) => match kind {
                PatKind::Variant(n, inner) => n != name || self.misses(*inner, *argument),
                _ => true,
            },
            Node::Null | Node::Bool(_) | Node::Number(_) | Node::Str(_) => match kind {
                PatKind::Const(constant) => match (self.term.node(*constant), node) {
                    (Node::Null, Node::Null) => false,
                    (Node::Bool(a), Node::Bool(b)) => a != b,
                    (Node::Number(a), Node::Number(b)) => a != b,
                    (Node::Str(a), Node::Str(b)) => a != b,
                    (Node::Null | Node::Bool(_) | Node::Number(_) | Node::Str(_), _) => true,
                    _ => false,
                },
                _ => true,
            },
            Node::Array(items) => match kind {
                PatKind::Array(pats, rest) => {
                    let fits = match rest {
                        Rest::Closed => pats.len() == items.len(),
                        Rest::Open | Rest::Bind(_) => pats.len() <= items.len(),
                    };
                    !fits || pats.iter().zip(items).any(|(p, item)| self.misses(*p, *item))
                }
                _ => true,
            },
            Node::Record(literal) => {
                let PatKind::Record(fields, rest) = kind else { return true };
                let mut names = Vec::with_capacity(literal.fields.len());
                for field in &literal.fields {
                    let FieldName::Static(name) = &field.name else { return false };
                    names.push((name, field));
                }
                let lacks =
                    fields.iter().any(|f| f.default.is_none() && !names.iter().any(|(name, _)| **name == f.name));
                let extra = matches!(rest, Rest::Closed)
                    && names.iter().any(|(name, def)| {
                        def.body.is_some() && def.meta.guard.is_none() && !fields.iter().any(|f| f.name == **name)
                    });
                lacks
                    || extra
                    || fields.iter().filter(|f| f.annots.is_empty()).any(|f| {
                        let mut own = names.iter().filter(|(name, _)| **name == f.name);
                        match (own.next(), own.next()) {
                            (Some((_, def)), None) => match def.body {
                                Some(body) if def.meta.annots.is_empty() && def.meta.guard.is_none() => {
                                    self.misses(f.pat, body)
                                }
                                _ => false,
                            },
                            _ => false,
                        }
                    })
            }
            _ => false,
        }
    }

    /// Reports that a value is not matched, unless one of the findings from index `from` on reports it. Evaluating the current unit
    /// runs into it.
    pub(super) fn does_not_match(&mut self, from: usize, value: NodeId, wanted: Span) {
        let span = self.term.span(value);
        let inside = |at: Span| at.source == span.source && at.start >= span.start && at.end <= span.end;
        let known = (from..self.findings.len()).rev().map(|i| i as u32).find_map(|i| {
            let at = self.findings.get_mut(i)?.place()?;
            inside(at).then_some((i, at))
        });
        match known {
            Some((id, at)) => self.fails(crate::ty::Failure { id: Some(id), span: at, deep: false }),
            None => drop(self.report(span, TypesKind::NoMatch { wanted }, true)),
        }
    }
}
