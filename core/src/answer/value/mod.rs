//! A value as a foldable tree. A record is a table of its fields, with columns for type, priority and documentation if
//! a field has them. An array of records is a table of the records. Compound values inside these can be opened.
//!
//! A large value is cut: the first rows are visible, a limited number of further rows can be opened, and the rest is
//! counted. Recurses at most `DEPTH` levels.

use crate::answer::types::{Parts, type_line};
use crate::answer::{Answer, Renderer};
use crate::dialect::Dialect;
use crate::dialect::notation::value::{SpanText, laid_out, one_line};
use crate::meta::Priority;
use crate::problem::Problem;
use crate::state::environment::Typed;
use crate::state::typing::is_graph;
use crate::state::{masked_type, type_text};
use crate::styled::{Role, Styled};
use crate::text::Name;
use crate::ty::Scheme;
use crate::value::datum::{Datum, Entry};
use crate::view::html::{Cell, Html};
use crate::view::json;
use crate::view::rich::Rich;
use serde_json::{Value, json};
use std::rc::Rc;

/// Maximum depth that can be opened. Deeper values are shown on one line.
const DEPTH: usize = 24;
/// Maximum number of parts in all.
const PARTS: usize = 600;
/// Number of rows of a table that are visible at first.
const ROWS: usize = 40;
/// Number of further rows that can be opened.
const MORE: usize = 160;
/// Maximum width of a compound value that is shown on one line, in columns.
const SHORT: usize = 48;
/// Maximum number of parts of a value that is open at first.
const SMALL: usize = 24;
/// Number of plain elements that are visible at first.
const PLAIN: usize = 300;
/// Number of further plain elements that can be opened.
const PLAIN_MORE: usize = 700;
/// Maximum number of fields of a record that have types in the data.
const FIELDS: usize = 400;
/// Maximum width of a value in a summary, in columns.
const PREVIEW: usize = 60;
/// Maximum width of a type in a table, in columns.
const TYPE: usize = 60;
/// Maximum number of columns of a table of records.
const COLUMNS: usize = 12;
/// Maximum width of a value on one line, in columns.
const LINE: usize = 2000;
/// Maximum width of a value that is neither a record nor an array, in columns.
const WHOLE: usize = 20_000;
/// Maximum width of the type in a summary, in columns: the parts show their own types.
const OUTER: usize = 160;

/// The value of an expression, with its type.
pub struct ValueAnswer {
    /// The name of its node in the graph of a document, which is shown before it.
    pub label: Option<String>,
    /// The value, as far as it is evaluated.
    pub datum: Datum,
    /// Its type and the problems of its type.
    pub typed: Rc<Typed>,
    /// The reason why a part of it is missing, if the value itself does not show it.
    pub fault: Option<Problem>,
    /// Whether it is evaluated completely, and is shown like the value of an expression.
    pub is_forced: bool,
}

impl Answer for ValueAnswer {
    fn name(&self) -> &'static str {
        "value"
    }

    fn text(&self, to: &Renderer<'_>) -> Styled {
        let mut out = Styled::new();
        if let Some(label) = &self.label {
            out.push(Role::Dim, label);
            out.plain(": ");
        }
        out.append(&laid_out(to.dialect.spelling(), &self.datum, to.width(), &|span| to.written(span)));
        out
    }

    fn html(&self, to: &Renderer<'_>, html: &mut Html) {
        let scheme = masked_type(&self.typed.scheme, to.sources);
        tree(&self.datum, &Parts::of(&scheme), to.dialect, &|span| to.written(span), html);
    }

    fn json(&self, to: &Renderer<'_>) -> Value {
        data(&self.datum, &masked_type(&self.typed.scheme, to.sources), to.dialect)
    }

    fn value(&self) -> Option<&ValueAnswer> {
        self.is_forced.then_some(self)
    }

    fn problems(&self) -> &[Problem] {
        // those of a forced value are reported with its faults
        if self.is_forced { &[] } else { &self.typed.problems }
    }

    fn fault(&self) -> Option<&Problem> {
        self.fault.as_ref()
    }
}

/// Renders a value with its type. The schema of the data is `docs/schema/value.json`.
pub fn value(datum: &Datum, scheme: &Scheme, dialect: Dialect, texts: SpanText<'_>) -> Rich {
    let mut html = Html::new();
    tree(datum, &Parts::of(scheme), dialect, texts, &mut html);
    Rich::new("value", &html, data(datum, scheme, dialect))
}

/// Returns a value with its type as data.
fn data(datum: &Datum, scheme: &Scheme, dialect: Dialect) -> Value {
    let types = Parts::of(scheme);
    let fields = match datum {
        Datum::Record(entries) => entries.iter().take(FIELDS).map(|entry| field(entry, &types, dialect)).collect(),
        _ => Value::Null,
    };
    json!({
        "version": 1,
        "dialect": dialect.name(),
        "type": type_line(scheme, dialect),
        "value": json::value(datum),
        "fields": fields,
    })
}

fn field(entry: &Entry, types: &Parts, dialect: Dialect) -> Value {
    json!({
        "name": entry.name.as_str(),
        "type": types.field(&entry.name).scheme().map(|ty| type_line(ty, dialect)),
        "priority": json::priority(&entry.priority),
        "documentation": entry.doc.as_ref().map(Name::as_str),
        "defined": entry.value.is_some(),
        "optional": entry.optional,
        "not_exported": entry.not_exported,
    })
}

/// Writes a value as a part of a page.
pub fn tree(datum: &Datum, types: &Parts, dialect: Dialect, texts: SpanText<'_>, to: &mut Html) {
    let mut tree = Tree { dialect, texts, left: PARTS, open: is_small(datum) };
    match datum {
        Datum::Record(entries) if !entries.is_empty() => {
            let mut summary = size(datum);
            tree.of_type(types, OUTER, &mut summary);
            to.details(true, &summary, |html| tree.inside(datum, types, 0, html));
        }
        Datum::Array(items) if !items.is_empty() && !tree.is_short(datum) => {
            let mut summary = size(datum);
            tree.of_type(types, OUTER, &mut summary);
            to.details(true, &summary, |html| tree.inside(datum, types, 0, html));
        }
        _ => {
            let mut line = laid_out(dialect.spelling(), datum, 80, texts).cut(WHOLE);
            tree.of_type(types, LINE, &mut line);
            to.preformatted(&line);
        }
    }
}

/// Returns the number of parts of a compound value, in words.
fn size(datum: &Datum) -> Styled {
    let counted = |count: usize, one: &str| Styled::of(Role::Dim, crate::text::counted(count, one));
    match datum {
        Datum::Record(entries) => counted(count(entries.iter().map(|e| e.value.as_ref())), "field"),
        Datum::Array(items) => counted(count(items.iter().map(Some)), "element"),
        _ => Styled::new(),
    }
}

/// Returns the number of parts, including those that were cut off.
fn count<'a>(parts: impl Iterator<Item = Option<&'a Datum>>) -> usize {
    parts.map(|part| if is_elided(part) { elided(part).unwrap_or(0) } else { 1 }).sum()
}

fn is_plain(datum: &Datum) -> bool {
    !matches!(datum, Datum::Record(_) | Datum::Array(_) | Datum::Variant(..))
}

fn is_elided(datum: Option<&Datum>) -> bool {
    matches!(datum, Some(Datum::Elided(_)))
}

/// Returns the number of parts that were cut off, if this part represents them.
fn elided(datum: Option<&Datum>) -> Option<usize> {
    match datum {
        Some(Datum::Elided(Some(count))) => Some(*count),
        _ => None,
    }
}

/// A tree under construction.
struct Tree<'a> {
    dialect: Dialect,
    texts: SpanText<'a>,
    /// Number of parts that may still be drawn.
    left: usize,
    /// Whether disclosure elements are initially open.
    open: bool,
}

/// Returns `true` if a value has few enough parts to show all of them at once.
fn is_small(datum: &Datum) -> bool {
    let mut left = SMALL;
    let mut work = vec![datum];
    while let Some(datum) = work.pop() {
        let Some(rest) = left.checked_sub(1) else { return false };
        left = rest;
        match datum {
            Datum::Array(items) if items.len() <= left => work.extend(items),
            Datum::Record(entries) if entries.len() <= left => {
                work.extend(entries.iter().filter_map(|entry| entry.value.as_ref()));
            }
            Datum::Array(_) | Datum::Record(_) => return false,
            Datum::Variant(_, argument) => work.push(argument),
            _ => {}
        }
    }
    true
}

impl Tree<'_> {
    fn of_type(&self, types: &Parts, most: usize, out: &mut Styled) {
        if let Some(ty) = types.scheme()
            && !is_graph(self.dialect, ty)
        {
            out.push(Role::Dim, self.dialect.spelling().of);
            out.append(&type_text(self.dialect, ty).cut(most));
        }
    }

    /// Returns the annotations of a field: its priority, unless it is normal, and its flags.
    fn note(&self, entry: &Entry) -> String {
        let metadata = self.dialect.spelling().metadata;
        let mut out = match &entry.priority {
            Priority::Normal | Priority::Layer(_) => String::new(),
            other => crate::answer::steps::text::priority(other),
        };
        if out == "normal" {
            out.clear();
        }
        let hidden = if metadata { "not exported" } else { "hidden" };
        for (flag, word) in [(entry.optional, "optional"), (entry.not_exported, hidden)] {
            if flag {
                out.push_str(if out.is_empty() { "" } else { ", " });
                out.push_str(word);
            }
        }
        out
    }

    fn line(&self, datum: &Datum) -> Styled {
        laid_out(self.dialect.spelling(), datum, usize::MAX, self.texts).cut(LINE)
    }

    /// Returns `true` if a value is short and nothing in it has a priority or documentation.
    fn is_short(&self, datum: &Datum) -> bool {
        let flat = match datum {
            Datum::Array(items) => items.len() <= SHORT && items.iter().all(is_plain),
            Datum::Record(entries) => {
                let plain = |e: &Entry| {
                    e.value.as_ref().is_some_and(is_plain)
                        && e.doc.is_none()
                        && matches!(e.priority, Priority::Normal | Priority::Layer(_))
                };
                entries.len() <= SHORT && entries.iter().all(plain)
            }
            Datum::Variant(_, argument) => return self.is_short(argument),
            _ => return true,
        };
        flat && one_line(self.dialect.spelling(), datum).text().chars().count() <= SHORT
    }

    /// Writes a value inside another one.
    fn part(&mut self, datum: &Datum, types: &Parts, depth: usize, to: &mut Html) {
        self.left = self.left.saturating_sub(1);
        let compound = match datum {
            Datum::Variant(_, argument) => &**argument,
            other => other,
        };
        let opens = matches!(compound, Datum::Record(_) | Datum::Array(_)) && depth < DEPTH && self.left > 0;
        if !opens || self.is_short(datum) {
            to.styled(&self.line(datum));
            return;
        }
        let mut summary = Styled::new();
        if !self.open {
            summary = one_line(self.dialect.spelling(), datum).cut(PREVIEW);
            summary.push(Role::Dim, "  ");
        }
        let inner = match datum {
            Datum::Variant(tag, _) => {
                if self.open {
                    summary.push(Role::Tag, (self.dialect.spelling().tag)(tag));
                    summary.plain(" ");
                }
                types.argument(tag)
            }
            _ => types.clone(),
        };
        summary.append(&size(compound));
        self.of_type(&inner, TYPE, &mut summary);
        to.details(self.open, &summary, |html| self.inside(compound, &inner, depth + 1, html));
    }

    /// Writes the parts of a compound value.
    fn inside(&mut self, datum: &Datum, types: &Parts, depth: usize, to: &mut Html) {
        match datum {
            Datum::Record(entries) => self.record(entries, types, depth, to),
            Datum::Array(items) => match columns(items) {
                Some(columns) => self.records(items, &columns, types, depth, to),
                None if items.iter().all(is_plain) => self.plain(items, to),
                None => self.array(items, types, depth, to),
            },
            _ => {}
        }
    }

    fn record(&mut self, entries: &[Entry], types: &Parts, depth: usize, to: &mut Html) {
        let shown: Vec<&Entry> = entries.iter().filter(|e| !(e.optional && e.value.is_none())).collect();
        // a value that can be opened shows its type, and those of its parts, itself
        let known = |e: &&Entry| match e.value.as_ref().is_some_and(|value| !self.is_short(value)) {
            true => None,
            false => types.field(&e.name).scheme().map(|ty| type_text(self.dialect, ty).cut(TYPE)),
        };
        let known: Vec<Option<Styled>> = shown.iter().take(ROWS + MORE).map(known).collect();
        let says = Columns {
            types: known.iter().any(Option::is_some),
            notes: shown.iter().any(|e| !self.note(e).is_empty()),
            // a language without priorities has hidden fields
            note: match self.dialect.spelling().metadata {
                true if shown.iter().any(|e| e.optional || e.not_exported) => "metadata",
                true => "priority",
                false => "visibility",
            },
            doc: shown.iter().any(|e| e.doc.is_some()),
        };
        self.folded(shown.len(), count(shown.iter().map(|e| e.value.as_ref())), to, |tree, range, html| {
            let rows: Vec<_> =
                shown.get(range.clone()).into_iter().flatten().zip(known.get(range).unwrap_or_default()).collect();
            html.element("table", |html| {
                says.head(html);
                html.element("tbody", |html| {
                    for (entry, ty) in rows {
                        html.element("tr", |html| tree.row(entry, ty.as_ref(), &says, types, depth, html));
                    }
                });
            });
        });
    }

    fn row(&mut self, entry: &Entry, ty: Option<&Styled>, says: &Columns, types: &Parts, depth: usize, to: &mut Html) {
        to.with("th", &[("scope", "row")], |html| {
            // the row for parts that were cut off has no name
            if !is_elided(entry.value.as_ref()) {
                html.styled(&Styled::of(Role::Name, (self.dialect.spelling().field)(&entry.name)));
            }
        });
        let after = [
            (says.types, ty.cloned().unwrap_or_default()),
            (says.notes, Styled::of(Role::Keyword, self.note(entry))),
            (says.doc, Styled::from(entry.doc.as_ref().map_or("", |doc| doc.trim_end()))),
        ];
        let mut after: Vec<Styled> = after.into_iter().filter_map(|(shown, text)| shown.then_some(text)).collect();
        // the table of a value that can be opened needs the space of the empty cells after it
        let opens = entry.value.as_ref().is_some_and(|value| !self.is_short(value));
        let empty = after.iter().take_while(|text| opens && text.is_empty()).count();
        after.drain(..empty);
        to.wide_cell_of(empty + 1, |html| match &entry.value {
            Some(value) => self.part(value, &types.field(&entry.name), depth, html),
            None => {
                html.styled(&Styled::of(Role::Dim, "no value yet"));
            }
        });
        for text in after {
            to.cell(&Cell::Text(text));
        }
    }

    /// Writes a table with a row for each record.
    fn records(&mut self, items: &[Datum], columns: &[Name], types: &Parts, depth: usize, to: &mut Html) {
        let element = types.element();
        let spelling = self.dialect.spelling();
        self.folded(items.len(), count(items.iter().map(Some)), to, |tree, range, html| {
            html.element("table", |html| {
                html.element("thead", |html| {
                    html.element("tr", |html| {
                        html.with("th", &[("scope", "col")], |html| {
                            html.styled(&Styled::of(Role::Dim, "#"));
                        });
                        for name in columns {
                            html.with("th", &[("scope", "col")], |html| {
                                html.styled(&Styled::of(Role::Name, (spelling.field)(name)));
                            });
                        }
                    });
                });
                html.element("tbody", |html| {
                    for at in range {
                        let Some(item) = items.get(at) else { break };
                        html.element("tr", |html| {
                            html.with("th", &[("scope", "row")], |html| {
                                html.styled(&Styled::of(Role::Dim, at.to_string()));
                            });
                            for name in columns {
                                html.cell_of(|html| {
                                    let Datum::Record(entries) = item else { return };
                                    let value = entries.iter().find(|e| e.name == *name).and_then(|e| e.value.as_ref());
                                    if let Some(value) = value {
                                        tree.part(value, &element.field(name), depth, html);
                                    }
                                });
                            }
                        });
                    }
                });
            });
        });
    }

    /// Writes plain elements, one after another.
    fn plain(&mut self, items: &[Datum], to: &mut Html) {
        let (seen, more) = items.split_at(items.len().min(PLAIN));
        let line = |items: &[Datum]| {
            let mut out = Styled::new();
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(Role::Operator, ", ");
                }
                out.append(&self.line(item));
            }
            out
        };
        to.element("p", |html| {
            html.styled(&line(seen));
        });
        let (more, rest) = more.split_at(more.len().min(self.left).min(PLAIN_MORE));
        let rest = count(rest.iter().map(Some));
        if !more.is_empty() {
            let summary = Styled::of(Role::Dim, format!("… {} more", count(more.iter().map(Some)) + rest));
            to.details(false, &summary, |html| {
                html.styled(&line(more));
            });
        }
        self::rest(rest, to);
        self.left = self.left.saturating_sub(items.len());
    }

    fn array(&mut self, items: &[Datum], types: &Parts, depth: usize, to: &mut Html) {
        let element = types.element();
        self.folded(items.len(), count(items.iter().map(Some)), to, |tree, range, html| {
            let start = range.start.to_string();
            html.with("ol", &[("start", &start)], |html| {
                for at in range {
                    let Some(item) = items.get(at) else { break };
                    html.element("li", |html| tree.part(item, &element, depth, html));
                }
            });
        });
    }

    /// Writes the first rows, then a limited number of rows that can be opened, then the number of remaining rows.
    /// `whole` includes the rows that were cut off before.
    fn folded(
        &mut self,
        count: usize,
        whole: usize,
        to: &mut Html,
        mut rows: impl FnMut(&mut Self, std::ops::Range<usize>, &mut Html),
    ) {
        let all = count.min(self.left.max(1));
        let seen = if all <= ROWS + 5 { all } else { ROWS };
        rows(self, 0..seen, to);
        let until = all.min(seen + MORE);
        let left = |drawn: usize| if drawn < count { whole.saturating_sub(drawn) } else { 0 };
        if until > seen {
            let summary = Styled::of(Role::Dim, format!("… {} more", whole.saturating_sub(seen)));
            to.details(false, &summary, |html| {
                rows(self, seen..until, html);
                rest(left(until), html);
            });
        } else {
            rest(left(seen), to);
        }
    }
}

fn rest(count: usize, to: &mut Html) {
    if count > 0 {
        to.paragraph(&Styled::of(Role::Dim, format!("… {count} more are not drawn")));
    }
}

/// The optional columns of a table of fields: those that are not empty.
struct Columns {
    types: bool,
    notes: bool,
    note: &'static str,
    doc: bool,
}

impl Columns {
    fn head(&self, to: &mut Html) {
        let all = [
            ("field", true),
            ("value", true),
            ("type", self.types),
            (self.note, self.notes),
            ("documentation", self.doc),
        ];
        to.element("thead", |html| {
            html.element("tr", |html| {
                for (title, _) in all.into_iter().filter(|(_, shown)| *shown) {
                    html.with("th", &[("scope", "col")], |html| {
                        html.styled(&Styled::of(Role::Dim, title));
                    });
                }
            });
        });
    }
}

/// Returns the fields of an array's records, if it has two or more elements, all records, with few fields. Elements
/// that were cut off at the end have a row with only their index.
fn columns(items: &[Datum]) -> Option<Vec<Name>> {
    if items.len() < 2 {
        return None;
    }
    let mut columns: Vec<Name> = Vec::new();
    for item in items.iter().take(ROWS + MORE) {
        let Datum::Record(entries) = item else { return None };
        for entry in entries {
            if is_elided(entry.value.as_ref()) {
                return None;
            }
            if entry.value.is_some() && !columns.contains(&entry.name) {
                columns.push(entry.name.clone());
            }
        }
        if columns.len() > COLUMNS {
            return None;
        }
    }
    (!columns.is_empty()).then_some(columns)
}
