//! The answers that are tables: who reads whom, what differs, what is bound, what is known of a field.

use crate::answer::deps::{Deps, Direction};
use crate::answer::env::Bound;
use crate::answer::graph::Graph;
use crate::answer::query::Query;
use crate::answer::shared::compare::{Change, Comparison, Side};
use crate::answer::steps::text::{Draw, priority};
use crate::answer::{deps::text as deps_view, graph::text as graph_view, query::text as query_view};
use crate::dialect::Dialect;
use crate::dialect::notation::value::{Texts, one_line, value as written};
use crate::meta::Priority;
use crate::styled::{Role, Styled};
use crate::text::Span;
use crate::view::html::{Cell, Html};
use crate::view::json;
use crate::view::rich::Rich;
use serde_json::{Value, json};

/// How places are written: `file:line:column`.
pub type Places<'a> = &'a dyn Fn(Span) -> String;

/// So many rows a table has.
const ROWS: usize = 400;
/// How much of a value stands in a table.
const VALUE: usize = 200;

/// Who depends on whom: a picture, and a table of who reads what. The data: `cfg graph --format json`.
pub fn graph(graph: &Graph, dialect: Dialect, places: Places<'_>) -> Rich {
    let mut html = Html::new();
    let path = |number: usize| graph.nodes.get(number).map(|node| node.path.to_string()).unwrap_or_default();
    let rows = graph.nodes.iter().enumerate().filter_map(|(number, node)| {
        let reads: Vec<String> =
            graph.edges.iter().filter(|(from, _)| *from == number).map(|(_, to)| path(*to)).collect();
        let value = node.value.as_ref().map(|value| one_line(dialect.spelling(), value).cut(VALUE)).unwrap_or_default();
        let place = Styled::of(Role::Dim, node.place.map(places).unwrap_or_default());
        let row = vec![
            Cell::Head(Styled::of(Role::Name, path(number))),
            Cell::Text(value),
            Cell::Text(Styled::of(Role::Name, reads.join(", "))),
            Cell::Text(place),
        ];
        (!reads.is_empty()).then_some(row)
    });
    let mut rows: Vec<Vec<Cell>> = rows.collect();
    let svg = (!graph.nodes.is_empty()).then(|| graph_view::picture(graph, dialect));
    if let Some(svg) = &svg {
        html.picture(svg, "Who depends on whom: the table below says the same");
        let left_out = rows.len().saturating_sub(ROWS);
        rows.truncate(ROWS);
        html.details(false, &Styled::from("who reads what"), |html| {
            html.table(&["field", "value", "reads", "where"], rows);
            if left_out > 0 {
                html.paragraph(&Styled::of(Role::Dim, format!("… {left_out} more")));
            }
        });
    }
    for line in graph_view::closing(graph) {
        html.paragraph(&Styled::of(Role::Dim, line));
    }
    Rich { svg, ..Rich::new("graph", &html, graph_view::json(graph, dialect, places)) }
}

/// What a value is made from, or who reads it: lists in lists. The data: `cfg deps --format json`.
pub fn deps(deps: &Deps, dialect: Dialect, places: Places<'_>) -> Rich {
    let mut html = Html::new();
    let items = &deps.network.items;
    let mut title = Styled::of(Role::Name, deps_view::asked(deps));
    if let Some(item) = deps.asked.first().and_then(|n| items.get(*n)) {
        title.plain("  ");
        title.append(&deps_view::place(item, places));
    }
    html.heading(2, &title);
    let first = deps.first();
    if !first.is_empty() {
        let words = if deps.direction == Direction::Reads { "is made from" } else { "is read by" };
        html.paragraph(&Styled::from(words));
        let mut list = List { deps, dialect, places, drawn: vec![false; items.len()], left: ROWS };
        list.level(&first, 0, &mut html);
        if list.left == 0 {
            html.paragraph(&Styled::of(Role::Dim, format!("… more than {ROWS} lines")));
        }
    }
    if !deps.through.is_empty() {
        html.heading(3, &Styled::from("where it stands is decided by"));
        let around = deps.through.iter().filter_map(|n| items.get(*n));
        let row = |item: &crate::answer::shared::network::Item| {
            vec![
                Cell::Head(deps_view::name(&item.label)),
                Cell::Text(deps_view::value(item, dialect)),
                Cell::Text(deps_view::place(item, places)),
            ]
        };
        html.table(&["", "value", "where"], around.take(ROWS).map(row).collect::<Vec<_>>());
    }
    html.paragraph(&Styled::of(Role::Dim, deps_view::closing(deps)));
    Rich::new("deps", &html, deps_view::json(deps, dialect, places))
}

/// A tree of who reads whom, under construction.
struct List<'a> {
    deps: &'a Deps,
    dialect: Dialect,
    places: Places<'a>,
    /// What has been drawn with what is under it.
    drawn: Vec<bool>,
    /// How many lines may still be drawn.
    left: usize,
}

impl List<'_> {
    /// How deep lists nest.
    const DEEPEST: usize = 20;

    fn level(&mut self, numbers: &[usize], depth: usize, to: &mut Html) {
        to.element("ul", |html| {
            for number in numbers {
                let Some(item) = self.deps.network.items.get(*number) else { continue };
                if self.left == 0 {
                    return;
                }
                self.left -= 1;
                let next: Vec<usize> = self.deps.next.get(*number).into_iter().flatten().copied().collect();
                let next: Vec<usize> = next.into_iter().filter(|n| !self.deps.asked.contains(n)).collect();
                let again = self.drawn.get_mut(*number).is_some_and(|drawn| std::mem::replace(drawn, true));
                let mut line = deps_view::name(&item.label);
                line.plain("  ");
                line.append(&deps_view::value(item, self.dialect));
                line.plain("  ");
                line.append(&deps_view::place(item, self.places));
                html.element("li", |html| match () {
                    () if next.is_empty() => {
                        html.styled(&line);
                    }
                    () if again || depth >= Self::DEEPEST => {
                        line.push(Role::Dim, if again { "  (above)" } else { "  …" });
                        html.styled(&line);
                    }
                    () => {
                        html.details(true, &line, |html| self.level(&next, depth + 1, html));
                    }
                });
            }
        });
    }
}

/// What differs. The data: `docs/schema/diff.json`.
pub fn diff(found: &Comparison, draw: Draw<'_>) -> Rich {
    let mut html = Html::new();
    if !found.changes.is_empty() {
        let rows: Vec<_> = found.changes.iter().take(ROWS).map(|change| differing(change, draw)).collect();
        html.table(&["", "field", "left", "right", ""], rows);
        if found.changes.len() > ROWS {
            html.paragraph(&Styled::of(Role::Dim, format!("… {} more", found.changes.len() - ROWS)));
        }
    }
    html.paragraph(&Styled::of(Role::Dim, crate::answer::diff::text::foot(found)));
    let side = |side: &Option<Side>| match side {
        None => Value::Null,
        Some(side) => {
            let mut source = json::source(side.span, draw.sources);
            if side.is_secret()
                && let Some(text) = source.get_mut("text")
            {
                *text = json!(crate::value::datum::MASK);
            }
            json!({
                "value": json::value(&side.value),
                "priority": json::priority(&side.priority),
                "source": source,
            })
        }
    };
    let change = |change: &Change| {
        json!({
            "path": json::path(&change.path),
            "left": side(&change.left),
            "right": side(&change.right),
            "recomputed": change.recomputed,
            "reads": change.reads.iter().map(json::path).collect::<Vec<_>>(),
        })
    };
    let data = json!({
        "version": 1,
        "changes": found.changes.iter().map(change).collect::<Vec<_>>(),
        "same": found.same,
        "not_compared": found.unknown,
        "complete": found.whole,
    });
    Rich::new("diff", &html, data)
}

fn differing(change: &Change, draw: Draw<'_>) -> Vec<Cell> {
    let word = match (&change.left, &change.right) {
        (Some(_), None) => Styled::of(Role::Lost, "removed"),
        (None, Some(_)) if !change.recomputed => Styled::of(Role::Wins, "added"),
        _ => Styled::of(Role::Note, "changed"),
    };
    let path = change.path.to_string();
    let counts = matches!((&change.left, &change.right), (Some(a), Some(b)) if a.priority != b.priority);
    let side = |side: &Option<Side>, lost: bool| {
        let Some(side) = side else { return Cell::Text(Styled::new()) };
        let mut text = draw.side(side, counts).cut(VALUE);
        if lost {
            text = Styled::of(Role::Lost, text.text());
        }
        if let Some(span) = side.span.filter(|_| !change.recomputed) {
            text.plain("\n");
            text.push(Role::Dim, draw.sources.locate(span));
        }
        Cell::Text(text)
    };
    let mut why = Styled::new();
    if change.recomputed {
        let reads: Vec<String> = change.reads.iter().map(ToString::to_string).collect();
        let words = if reads.is_empty() { String::new() } else { format!(", it reads {}", reads.join(", ")) };
        why = Styled::of(Role::Dim, format!("recomputed{words}"));
    }
    vec![
        Cell::Text(word),
        Cell::Head(Styled::of(Role::Name, if path.is_empty() { "(whole)" } else { &path })),
        side(&change.left, true),
        side(&change.right, false),
        Cell::Text(why),
    ]
}

/// What is bound, with types, and how many names are not listed. The data: `docs/schema/env.json`.
pub fn env(all: &[Bound], more: usize, dialect: Dialect) -> Rich {
    let mut html = Html::new();
    let rows = all
        .iter()
        .take(ROWS)
        .map(|bound| vec![Cell::Head(Styled::of(Role::Name, bound.name.as_str())), Cell::Text(bound.ty.cut(VALUE))]);
    html.table(&["name", "type"], rows.collect::<Vec<_>>());
    let left_out = all.len().saturating_sub(ROWS) + more;
    if left_out > 0 {
        html.paragraph(&Styled::of(Role::Dim, format!("… {left_out} more")));
    }
    let names: Vec<_> = all.iter().map(|bound| json!({ "name": bound.name, "type": bound.ty.text() })).collect();
    Rich::new("env", &html, json!({ "version": 1, "dialect": dialect.name(), "names": names, "more": more }))
}

/// What is known of a field. The data: `cfg query --format json`.
pub fn query(query: &Query, dialect: Dialect, texts: Texts<'_>) -> Rich {
    let mut html = Html::new();
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let mut row = |key: &str, value: Styled| rows.push(vec![Cell::Head(Styled::of(Role::Dim, key)), Cell::Text(value)]);
    for contract in &query.contracts {
        row("contract", Styled::of(Role::Type, contract));
    }
    for ty in &query.types {
        row("type", Styled::of(Role::Type, ty));
    }
    if let Some(value) = &query.value {
        row("value", written(dialect.spelling(), value, 76, texts));
    }
    if !matches!(query.priority, Priority::Normal | Priority::Layer(_)) {
        row("priority", Styled::of(Role::Keyword, priority(&query.priority)));
    }
    for merge in &query.merge {
        row("merge", Styled::from(merge.as_str()));
    }
    let flags = [(query.optional, "optional"), (query.not_exported, "not exported"), (query.secret, "secret")];
    for (_, flag) in flags.into_iter().filter(|(set, _)| *set) {
        row(flag, Styled::from("yes"));
    }
    if let Some(doc) = &query.doc {
        row("documentation", Styled::from(doc.trim_end()));
    }
    if let Some(fields) = query.fields.as_ref().filter(|fields| !fields.is_empty()) {
        let names: Vec<_> = fields.iter().map(|name| (dialect.spelling().field)(name)).collect();
        row("fields", Styled::of(Role::Name, names.join(", ")));
    }
    html.table(&[], rows);
    Rich::new("query", &html, query_view::json(query, dialect, texts))
}
