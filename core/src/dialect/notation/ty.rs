//! Prints types in a language's notation: fields in alphabetical order, variables `a`, `b`, … and row tails `r1`, `r2`, … in
//! the order of first use, quantifiers (if written) in front.

mod joined;

use super::doc::{Doc, lay_out};
use super::{ConstructorNotation, Spelling};
use crate::deep::expect_memory;
use crate::styled::{Role, Styled};
use crate::text::{MASK, Name};
use crate::ty::{
    Constraint, DynReason, Field, Generic, Need, Param, Presence, Row, Scheme, Tail, Ty, TyRef, VariableKind,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use unicode_width::UnicodeWidthStr;

/// Maximum number of type nodes that are printed. The rest is `…`. Types share parts, so a small type can have a very long
/// text.
const LIMIT: usize = 200_000;

/// Prints a scheme with roles, in lines of at most `width` columns if possible.
pub fn styled(spelling: &Spelling, scheme: &Scheme, width: Option<usize>) -> Styled {
    let scheme = scheme.shown.as_deref().unwrap_or(scheme);
    if let Some(own) = spelling.types {
        return own(scheme, width, &[]);
    }
    let mut printer = Printer::new(spelling, scheme, LIMIT);
    let doc = printer.scheme(scheme);
    let mut out = Styled::new();
    lay_out(&doc, width, &mut out);
    out
}

/// Prints the beginning of a type on one line of at most `columns` columns, with `…` in place of what is left out.
/// O(columns), however large the type is.
pub fn brief(spelling: &Spelling, scheme: &Scheme, columns: usize) -> Styled {
    let scheme = scheme.shown.as_deref().unwrap_or(scheme);
    if let Some(own) = spelling.types {
        return own(scheme, None, &[]).cut_to(columns);
    }
    // parts that are left out are not visited, except a few that influence names
    let mut printer = Printer::new(spelling, scheme, columns.saturating_mul(2).min(LIMIT));
    // every type takes at least one column
    printer.budget = columns.min(LIMIT);
    printer.columns = columns;
    let doc = printer.scheme(scheme);
    let mut out = Styled::new();
    lay_out(&doc, None, &mut out);
    out.cut_to(columns)
}

/// Number of columns of a type that a message may need: it shows less.
const MENTIONED: usize = 256;

/// Prints the beginning of a type on one line, for a message. O(1), because a program may have a message for each part of a large type.
pub fn mentioned(spelling: &Spelling, scheme: &Scheme) -> String {
    brief(spelling, scheme, MENTIONED).text()
}

/// Prints a type on one line, with the given names for the variables of its scheme, for several types that share variables.
pub fn named(spelling: &Spelling, scheme: &Scheme, names: &[Name]) -> Styled {
    if let Some(own) = spelling.types {
        return own(scheme, None, names);
    }
    let mut printer = Printer::new(spelling, scheme, LIMIT);
    printer.names.extend(names.iter().zip(0..).map(|(name, index)| ((0, index), name.to_string())));
    // a named row is printed with its name even if it is used only once
    printer.uses.extend((0..names.len() as u32).map(|index| ((0, index), 2)));
    let doc = printer.ty(&scheme.ty, 0);
    let mut out = Styled::new();
    lay_out(&doc, None, &mut out);
    out
}

/// A variable: the scheme that binds it, counted from the outermost, and its index.
type Var = (u32, u32);

struct Printer<'s> {
    spelling: &'s Spelling,
    names: FxHashMap<Var, String>,
    uses: FxHashMap<Var, u32>,
    /// Enum tails that occur only in input positions.
    negative: FxHashMap<Var, bool>,
    kinds: FxHashMap<Var, VariableKind>,
    /// For objects that a definition extends through `self`: the types of what is added below and above, and the enclosing
    /// quantifiers.
    sums: FxHashMap<Var, (TyRef, TyRef, Vec<u32>)>,
    /// For values that have one of two types, of which a caller chooses one: both types, and the enclosing quantifiers.
    joins: FxHashMap<Var, ([TyRef; 2], Vec<u32>)>,
    /// The names of quantified variables, in order.
    types: Vec<String>,
    rows: Vec<String>,
    /// Constraints on variables of a part, to be printed after the whole type.
    waiting: Vec<Doc>,
    /// The number of types and rows that have names.
    named: (usize, usize),
    /// The scheme of each enclosing quantifier.
    nest: Vec<u32>,
    schemes: u32,
    /// Whether the current part is an argument of a function.
    taken: bool,
    budget: usize,
    /// An upper bound for the number of columns left.
    columns: usize,
}

impl<'s> Printer<'s> {
    /// Creates a printer. `look` is the number of nodes that are visited in advance.
    fn new(spelling: &'s Spelling, scheme: &Scheme, look: usize) -> Printer<'s> {
        let mut p = Printer {
            spelling,
            names: FxHashMap::default(),
            uses: FxHashMap::default(),
            negative: FxHashMap::default(),
            kinds: FxHashMap::default(),
            sums: FxHashMap::default(),
            joins: FxHashMap::default(),
            types: Vec::new(),
            rows: Vec::new(),
            waiting: Vec::new(),
            named: (0, 0),
            nest: vec![0],
            schemes: 1,
            taken: false,
            budget: look,
            columns: usize::MAX,
        };
        p.declare(0, scheme);
        p.count(&scheme.ty, false);
        for t in scheme.constraints.iter().filter(|c| is_printed(c)).flat_map(Constraint::parts) {
            p.count(t, true);
        }
        p.nest = vec![0];
        p.schemes = 1;
        p.budget = LIMIT;
        p
    }

    fn declare(&mut self, scheme: u32, s: &Scheme) {
        for (i, kind) in s.vars.iter().enumerate() {
            self.kinds.insert((scheme, i as u32), *kind);
        }
        let mut nest = self.nest.clone();
        if scheme > 0 {
            nest.push(scheme);
        }
        for c in &s.constraints {
            let [left, right, result] = c.parts();
            let Ty::Var(Generic { up: 0, index }) = **result else { continue };
            match c {
                Constraint::Inherit { .. } => {
                    self.sums.insert((scheme, index), (left.clone(), right.clone(), nest.clone()));
                }
                Constraint::Join { .. } if self.spelling.curried => {
                    self.joins.insert((scheme, index), ([left.clone(), right.clone()], nest.clone()));
                }
                _ => {}
            }
        }
    }

    fn var(&self, g: Generic) -> Var {
        let at = self.nest.len().saturating_sub(1 + g.up as usize);
        (self.nest.get(at).copied().unwrap_or(0), g.index)
    }

    /// Counts the uses of row variables, in the order of printing.
    fn count(&mut self, ty: &TyRef, negative: bool) {
        // only parts with free variables, or with variables inside a quantifier
        if self.budget == 0 || ty.marks().free == 0 && !ty.marks().forall {
            return;
        }
        self.budget -= 1;
        crate::deep::deeper(|| match &**ty {
            Ty::Array(t) | Ty::Error(t) | Ty::Contract(t) | Ty::Fails(_, t) | Ty::Sibling(_, t) => {
                self.count(t, negative)
            }
            Ty::Map(k, v) => {
                self.count(k, negative);
                self.count(v, negative);
            }
            Ty::Fun(params, result) => {
                params.iter().for_each(|p| self.count(&p.ty, !negative));
                self.count(result, negative);
            }
            Ty::Union(ts) => ts.iter().for_each(|t| self.count(t, negative)),
            Ty::Enum(tags, tail) => {
                tags.values().flatten().for_each(|t| self.count(t, negative));
                self.count_tail(tail, negative);
            }
            Ty::Record(row) => {
                row.fields().for_each(|(_, f)| self.count(&f.ty, negative));
                self.count_tail(row.tail(), negative);
            }
            Ty::Forall(s) => {
                self.enter(s);
                self.count(&s.ty, negative);
                s.constraints
                    .iter()
                    .filter(|c| is_printed(c))
                    .flat_map(Constraint::parts)
                    .for_each(|t| self.count(t, true));
                self.nest.pop();
            }
            _ => {}
        });
    }

    fn enter(&mut self, s: &Scheme) {
        let id = self.schemes;
        self.schemes += 1;
        self.declare(id, s);
        self.nest.push(id);
    }

    fn count_tail(&mut self, tail: &Tail, negative: bool) {
        match tail {
            Tail::Var(g) => {
                let v = self.var(*g);
                *self.uses.entry(v).or_default() += 1;
                *self.negative.entry(v).or_default() |= negative;
            }
            Tail::Dict(t) => self.count(t, negative),
            _ => {}
        }
    }

    fn name(&mut self, g: Generic) -> String {
        let v = self.var(g);
        if let Some(name) = self.names.get(&v) {
            return name.clone();
        }
        let name = match self.kinds.get(&v) {
            Some(VariableKind::Row | VariableKind::Tags) => {
                self.named.1 += 1;
                let name = format!("r{}", self.named.1);
                self.rows.push(name.clone());
                name
            }
            _ => {
                // `r1`, `r2`, … are reserved for rows
                let i = self.named.0;
                self.named.0 += 1;
                let name = match i {
                    0..26 => char::from(b'a' + i as u8).to_string(),
                    _ => {
                        let letters = b"abcdefghijklmnopqstuvwxyz";
                        let letter = char::from(letters[(i - 26) % letters.len()]);
                        format!("{letter}{}", (i - 26) / letters.len() + 1)
                    }
                };
                self.types.push(name.clone());
                name
            }
        };
        self.names.insert(v, name.clone());
        name
    }

    fn scheme(&mut self, scheme: &Scheme) -> Doc {
        let body = self.ty(&scheme.ty, 0);
        let mut waiting = std::mem::take(&mut self.waiting);
        self.constraints(scheme, &mut waiting);
        let mut all = Vec::new();
        if self.spelling.quantified && !(self.types.is_empty() && self.rows.is_empty()) {
            let names = self.types.iter().chain(&self.rows).cloned().collect::<Vec<_>>().join(" ");
            all.push(Doc::Text(Role::Keyword, Name::new_static("forall ")));
            all.push(Doc::Text(Role::Type, Name::from(names)));
            all.push(Doc::op(". "));
        }
        all.push(body);
        all.extend(waiting);
        Doc::All(all)
    }

    /// Adds the constraints of a scheme to `waiting`: `where c = a + b, …`.
    fn constraints(&mut self, scheme: &Scheme, waiting: &mut Vec<Doc>) {
        for c in &scheme.constraints {
            // printed as part of the type, or not expressible
            match c {
                Constraint::Inherit { extension, .. } if is_object(extension) => continue,
                Constraint::Join { .. } => continue,
                c if !is_printed(c) => continue,
                _ => {}
            }
            let op = match c {
                Constraint::Merge { .. } => " & ",
                _ => " + ",
            };
            let [left, right, result] = c.parts();
            let result = self.ty(result, 1);
            let left = self.ty(left, 1);
            let right = self.ty(right, 1);
            let lead =
                if waiting.is_empty() { Doc::Text(Role::Keyword, Name::new_static(" where ")) } else { Doc::op(", ") };
            waiting.push(Doc::All(vec![lead, result, Doc::op(" = "), left, Doc::op(op), right]));
        }
    }

    /// Prints a type. `place`: 0 top level, 1 left of an arrow, 2 argument.
    fn ty(&mut self, ty: &TyRef, place: u8) -> Doc {
        if self.budget == 0 || self.columns == 0 {
            return Doc::op("…");
        }
        self.budget -= 1;
        crate::deep::deeper(|| self.ty_here(ty, place))
    }

    fn ty_here(&mut self, ty: &TyRef, place: u8) -> Doc {
        let word = |w: &'static str| Doc::Text(Role::Type, Name::new_static(w));
        let spelling = self.spelling;
        // no type is shorter than one column
        self.columns = self.columns.saturating_sub(1);
        match &**ty {
            Ty::Null => word(spelling.null),
            Ty::Bool => word(spelling.boolean),
            Ty::Number => word(spelling.number),
            Ty::Int => word("Int"),
            Ty::Float => word("Float"),
            Ty::String => word(spelling.string_type),
            Ty::Dyn(_) | Ty::Bottom | Ty::Live(_) | Ty::Library(_) => word(spelling.unknown),
            Ty::Var(g) => match self.sum(*g).or_else(|| self.joined(*g, place)) {
                Some(doc) => doc,
                None => Doc::Text(Role::Type, Name::from(self.name(*g))),
            },
            Ty::Fails(_, t) | Ty::Sibling(_, t) => self.ty_here(t, place),
            Ty::Array(t) => match spelling.array {
                ConstructorNotation::Word(word) => self.applied(word, t, place),
                ConstructorNotation::Brackets => {
                    let item = self.ty(t, 0);
                    Doc::All(vec![Doc::op("["), item, Doc::op("]")])
                }
            },
            Ty::Contract(t) => self.applied("Contract ", t, place),
            Ty::Error(t) => self.applied("Error ", t, place),
            Ty::Map(_, v) => {
                let item = self.dictionary(v);
                self.braces(vec![item], None)
            }
            Ty::Fun(params, result) if !spelling.curried => self.function(params, result, place),
            Ty::Fun(params, result) => {
                let mut out = Vec::new();
                for p in params {
                    self.taken = !self.taken;
                    out.push(self.ty(&p.ty, 1));
                    self.taken = !self.taken;
                    out.push(Doc::op(" -> "));
                }
                // `A -> (B | C)`: an arrow binds more tightly
                let union = match &**result {
                    Ty::Union(_) => true,
                    Ty::Var(g) => self.joins.contains_key(&self.var(*g)),
                    _ => false,
                };
                out.push(self.ty(result, u8::from(union)));
                parenthesised(Doc::All(out), place >= 1)
            }
            Ty::Union(ts) => {
                let mut out = Vec::new();
                for (i, t) in ts.iter().enumerate() {
                    if i > 0 {
                        out.push(Doc::op(" | "));
                    }
                    out.push(self.ty(t, 2));
                }
                parenthesised(Doc::All(out), place >= 1)
            }
            Ty::Forall(s) => {
                let id = self.schemes;
                self.enter(s);
                let doc = if self.taken {
                    let (types, rows) = (self.types.len(), self.rows.len());
                    let outside = std::mem::take(&mut self.waiting);
                    let body = self.ty_here(&s.ty, 0);
                    let mut waiting = std::mem::replace(&mut self.waiting, outside);
                    self.constraints(s, &mut waiting);
                    let alone = waiting.is_empty();
                    waiting.insert(0, body);
                    let body = Doc::All(waiting);
                    let own: Vec<String> =
                        self.names.iter().filter(|(v, _)| v.0 == id).map(|(_, n)| n.clone()).collect();
                    let mut names = take_own(&mut self.types, types, &own);
                    names.extend(take_own(&mut self.rows, rows, &own));
                    if !spelling.quantified {
                        names.clear();
                    }
                    quantified(names, body, if alone { place } else { place.max(1) })
                } else {
                    // quantifiers of a part are printed in front of the whole type, its constraints after it
                    let body = self.ty_here(&s.ty, place);
                    let mut waiting = std::mem::take(&mut self.waiting);
                    self.constraints(s, &mut waiting);
                    self.waiting = waiting;
                    body
                };
                self.nest.pop();
                doc
            }
            Ty::Record(row) => self.row(row),
            Ty::Enum(tags, tail) => self.tags(tags, tail),
        }
    }

    /// Prints an object as the sum of what was added to it, if that is known.
    fn sum(&mut self, g: Generic) -> Option<Doc> {
        let mut var = self.var(g);
        let (_, extension, nest) = self.sums.get(&var)?;
        if !is_object(extension) {
            return None;
        }
        let before = std::mem::replace(&mut self.nest, nest.clone());
        let mut row = Row::new(Tail::Dyn(DynReason::Library));
        let mut seen = Vec::new();
        while let Some((base, extension, nest)) = self.sums.remove(&var) {
            if let Ty::Record(more) = &*extension {
                for (name, field) in more.fields().filter(|(_, f)| f.presence != Presence::No) {
                    if row.get(name).is_none() {
                        row.insert(name.clone(), field.clone());
                    }
                }
            }
            let next = match &*base {
                Ty::Var(g) if g.up == 0 => (var.0, g.index),
                _ => var,
            };
            seen.push((var, (base, extension, nest)));
            var = next;
        }
        let doc = self.row(&row);
        self.nest = before;
        self.sums.extend(seen);
        Some(doc)
    }

    fn applied(&mut self, former: &'static str, t: &TyRef, place: u8) -> Doc {
        let inner = self.ty(t, 2);
        let doc = Doc::All(vec![Doc::Text(Role::Type, Name::new_static(former)), inner]);
        parenthesised(doc, place >= 2)
    }

    fn row(&mut self, row: &Row) -> Doc {
        let mut items = Vec::new();
        for (name, f) in row.fields().filter(|(name, _)| !(self.spelling.is_internal)(name)) {
            expect_memory(items.len());
            items.push(self.field(name, f));
            if self.budget == 0 || self.columns == 0 {
                break;
            }
        }
        let mut end = None;
        match row.tail() {
            Tail::Closed | Tail::Live(_) => {}
            // next to named fields, no notation can express the type of the others
            Tail::Dict(_) if !row.is_empty() => items.push(Doc::op(self.spelling.rest)),
            Tail::Dict(t) => {
                let item = self.dictionary(t);
                items.push(item);
            }
            Tail::Dyn(_) => items.push(Doc::op(self.spelling.rest)),
            Tail::Var(g) => {
                let shared = self.uses.get(&self.var(*g)).copied().unwrap_or(0) > 1;
                if shared && !self.spelling.rows_behind {
                    let name = self.name(*g);
                    items.push(Doc::Text(Role::Type, Name::from(format!("{name}{}", self.spelling.rest))));
                } else if shared {
                    let name = self.name(*g);
                    end = Some(Box::new(Doc::All(vec![Doc::op("; "), Doc::Text(Role::Type, Name::from(name))])));
                } else {
                    items.push(Doc::op(self.spelling.rest));
                }
            }
        }
        if items.is_empty() && end.is_none() {
            return Doc::op("{}");
        }
        self.braces(items, end)
    }

    fn braces(&self, items: Vec<Doc>, tail: Option<Box<Doc>>) -> Doc {
        Doc::Block { open: Box::new(Doc::op("{")), items, tail, close: "}", blank: self.spelling.blank }
    }

    /// Prints the type of a dictionary's fields.
    fn dictionary(&mut self, item: &TyRef) -> Doc {
        let item = self.ty(item, 0);
        Doc::All(vec![Doc::Text(Role::Name, Name::new_static(self.spelling.key)), Doc::op(self.spelling.of), item])
    }

    /// Prints a function: `(a, b?) -> c`, where `b` is optional.
    fn function(&mut self, params: &[Param], result: &TyRef, place: u8) -> Doc {
        let mut items = Vec::with_capacity(params.len());
        for p in params {
            self.taken = !self.taken;
            let ty = self.ty(&p.ty, if p.optional { 1 } else { 0 });
            self.taken = !self.taken;
            items.push(if p.optional { Doc::All(vec![ty, Doc::op("?")]) } else { ty });
        }
        let open = Box::new(Doc::op("("));
        let params = Doc::Block { open, items, tail: None, close: ")", blank: false };
        let union = matches!(**result, Ty::Union(_));
        let result = self.ty(result, u8::from(union));
        parenthesised(Doc::All(vec![params, Doc::op(" -> "), result]), place >= 1)
    }

    fn field(&mut self, field: &str, f: &Field) -> Doc {
        let mark = match (f.presence, f.need) {
            (_, Need::Super) => "<",
            (Presence::No, _) | (_, Need::Own) => "!",
            (Presence::Maybe, _) => "?",
            (Presence::Yes, _) => "",
        };
        let name = format!("{}{mark}", (self.spelling.field)(field));
        // including the separator before the type
        self.columns = self.columns.saturating_sub(name.width() + self.spelling.of.width());
        let ty = self.ty(&f.ty, 0);
        Doc::All(vec![Doc::Text(Role::Name, Name::from(name)), Doc::op(self.spelling.of), ty])
    }

    fn tags(&mut self, tags: &BTreeMap<crate::ty::Tag, Option<TyRef>>, tail: &Tail) -> Doc {
        let mut items = Vec::new();
        for (tag, arg) in tags {
            let word = match tag.name.as_str() {
                MASK => Doc::Text(Role::Dim, tag.name.clone()),
                name => Doc::Text(Role::Tag, Name::from((self.spelling.tag)(name))),
            };
            items.push(match arg {
                None => word,
                Some(t) => {
                    let arg = self.ty(t, 2);
                    Doc::All(vec![word, Doc::op(" "), arg])
                }
            });
        }
        let end = match tail {
            Tail::Var(g) => {
                let v = self.var(*g);
                let shared = self.uses.get(&v).copied().unwrap_or(0) > 1;
                // a value's tags are all known, so a tail that only occurs there is not printed
                let open = shared || self.negative.get(&v).copied().unwrap_or(false);
                open.then(|| self.name(*g))
            }
            Tail::Dyn(_) => Some(String::from("Dyn")),
            _ => None,
        };
        let end = end.map(|n| Box::new(Doc::All(vec![Doc::op("; "), Doc::Text(Role::Type, Name::from(n))])));
        Doc::Block { open: Box::new(Doc::op("[|")), items, tail: end, close: "|]", blank: true }
    }
}

/// Removes the names that a quantifier itself binds from those to be bound in front.
fn take_own(all: &mut Vec<String>, from: usize, own: &[String]) -> Vec<String> {
    let (mine, theirs) = all.split_off(from.min(all.len())).into_iter().partition(|n| own.contains(n));
    all.extend::<Vec<String>>(theirs);
    mine
}

fn quantified(names: Vec<String>, body: Doc, place: u8) -> Doc {
    if names.is_empty() {
        return parenthesised(body, place > 0);
    }
    let front = [
        Doc::Text(Role::Keyword, Name::new_static("forall ")),
        Doc::Text(Role::Type, Name::from(names.join(" "))),
        Doc::op(". "),
        body,
    ];
    parenthesised(Doc::All(front.into()), place >= 1)
}

/// Returns `true` if the right operand of a `+` is an object, so that the sum is one too.
fn is_object(extension: &Ty) -> bool {
    match extension {
        Ty::Fails(_, inner) | Ty::Sibling(_, inner) => is_object(inner),
        _ => matches!(extension, Ty::Record(_)),
    }
}

fn parenthesised(doc: Doc, needed: bool) -> Doc {
    if needed { Doc::All(vec![Doc::op("("), doc, Doc::op(")")]) } else { doc }
}

/// Whether a constraint is part of a printed type. What a format reads is not, nor that a value has a text.
fn is_printed(constraint: &Constraint) -> bool {
    !matches!(constraint, Constraint::Format { .. } | Constraint::Text { .. })
}
