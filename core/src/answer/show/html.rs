//! The answer as a page.

use super::{Form, Shown, table};
use crate::answer::{Answer, Renderer};
use crate::dialect::notation::value::one_line;
use crate::styled::{Role, Styled};
use crate::text::counted;
use crate::view::html::{Cell, Html};

/// Maximum width of a cell, in columns.
const CELL: usize = 200;

/// Writes an answer.
pub fn html(answer: &Shown, to: &Renderer<'_>, html: &mut Html) {
    let rows = match answer.form {
        Form::Table => table(&answer.value.datum),
        Form::Tree | Form::Json | Form::Yaml => None,
    };
    if let Some(rows) = rows {
        let head: Vec<&str> = rows.head.iter().map(String::as_str).collect();
        let lines = rows.rows.iter().map(|(name, cells)| {
            let cells = cells.iter().map(|datum| match datum {
                Some(datum) => Cell::Text(one_line(to.dialect.spelling(), datum).cut(CELL)),
                None => Cell::Text(Styled::new()),
            });
            std::iter::once(Cell::Head(Styled::of(Role::Name, name))).chain(cells).collect()
        });
        html.table(&head, lines.collect::<Vec<Vec<Cell>>>());
        if rows.more > 0 {
            html.paragraph(&Styled::of(Role::Dim, format!("… {}", counted(rows.more, "more row"))));
        }
        return;
    }
    match answer.form {
        Form::Json | Form::Yaml => {
            html.preformatted(&Styled::from(answer.text.trim_end()));
        }
        Form::Tree => {
            html.preformatted(&super::text::text(answer, to));
        }
        Form::Table => answer.value.html(to, html),
    }
}
