//! Dependencies as HTML: nested collapsible lists.

use super::{Deps, Direction, text};
use crate::answer::Renderer;
use crate::answer::shared::ROWS;
use crate::answer::shared::network::Item;
use crate::styled::{Role, Styled};
use crate::view::html::{Cell, Html};

/// Writes an answer.
pub fn html(deps: &Deps, to: &Renderer<'_>, html: &mut Html) {
    let items = &deps.network.items;
    let mut title = Styled::of(Role::Name, text::asked(deps));
    if let Some(item) = deps.asked.first().and_then(|n| items.get(*n)) {
        title.plain("  ");
        title.append(&text::place(item, to));
    }
    html.heading(2, &title);
    let first = deps.first();
    if !first.is_empty() {
        let words = if deps.direction == Direction::Reads { "is made from" } else { "is read by" };
        html.paragraph(&Styled::from(words));
        let mut list = List { deps, to, drawn: vec![false; items.len()], left: ROWS };
        list.level(&first, 0, html);
        if list.left == 0 {
            html.paragraph(&Styled::of(Role::Dim, format!("… more than {ROWS} lines")));
        }
    }
    if !deps.through.is_empty() {
        html.heading(3, &Styled::from("the records around it are made from"));
        let around = deps.through.iter().filter_map(|n| items.get(*n));
        let row = |item: &Item| {
            vec![
                Cell::Head(text::shown_name(&item.label, to.dialect)),
                Cell::Text(text::value(item, to.dialect)),
                Cell::Text(text::place(item, to)),
            ]
        };
        html.table(&["", "value", "where"], around.take(ROWS).map(row).collect::<Vec<_>>());
    }
    html.paragraph(&Styled::of(Role::Dim, text::closing(deps, to)));
}

/// A tree of dependencies, under construction.
struct List<'a> {
    deps: &'a Deps,
    to: &'a Renderer<'a>,
    /// Whether each item and the items below it are already drawn.
    drawn: Vec<bool>,
    /// Number of lines that may still be drawn.
    left: usize,
}

impl List<'_> {
    /// Maximum depth of nested lists.
    const MAX_DEPTH: usize = 20;

    /// Writes a list of items, each with the items below it. Items below one that was drawn before are not repeated.
    fn level(&mut self, numbers: &[usize], depth: usize, html: &mut Html) {
        html.element("ul", |html| {
            for number in numbers {
                let Some(item) = self.deps.network.items.get(*number) else { continue };
                if self.left == 0 {
                    return;
                }
                self.left -= 1;
                let next = self.deps.next.get(*number).into_iter().flatten().copied();
                let next: Vec<usize> = next.filter(|n| !self.deps.asked.contains(n)).collect();
                let is_drawn = self.drawn.get_mut(*number).is_some_and(|drawn| std::mem::replace(drawn, true));
                let mut line = text::shown_name(&item.label, self.to.dialect);
                line.plain("  ");
                line.append(&text::value(item, self.to.dialect));
                line.plain("  ");
                line.append(&text::place(item, self.to));
                let is_cut = is_drawn || depth >= Self::MAX_DEPTH;
                html.element("li", |html| {
                    if next.is_empty() {
                        html.styled(&line);
                    } else if is_cut {
                        line.push(Role::Dim, if is_drawn { "  (above)" } else { "  …" });
                        html.styled(&line);
                    } else {
                        html.details(true, &line, |html| self.level(&next, depth + 1, html));
                    }
                });
            }
        });
    }
}
