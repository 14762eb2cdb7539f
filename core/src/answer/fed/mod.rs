//! `:feed`: the values that an input changed.

use crate::answer::shared::{ROWS, VALUE};
use crate::answer::{Answer, Renderer};
use crate::dialect::notation::value::one_line;
use crate::styled::table::Table;
use crate::styled::{Role, Styled};
use crate::text::Name;
use crate::value::datum::Datum;
use crate::view::html::{Cell, Html};
use crate::view::json;
use serde_json::{Value, json};

/// The values that an input changed, by name.
pub struct Changed(pub Vec<ChangedValue>);

/// A value that an input changed.
pub struct ChangedValue {
    /// The name.
    pub name: Name,
    /// Its value before.
    pub was: Datum,
    /// Its value now.
    pub now: Datum,
}

impl Answer for Changed {
    fn name(&self) -> &'static str {
        "input-changes"
    }

    fn text(&self, to: &Renderer<'_>) -> Styled {
        let mut table = Table::new();
        let shown = |datum: &Datum| one_line(to.dialect.spelling(), datum);
        for value in &self.0 {
            let name = Styled::of(Role::Name, value.name.as_str());
            table.row([name, shown(&value.was), Styled::of(Role::Operator, "->"), shown(&value.now)]);
        }
        table.within(to.page).fit()
    }

    fn html(&self, to: &Renderer<'_>, html: &mut Html) {
        let shown = |datum: &Datum| one_line(to.dialect.spelling(), datum).cut(VALUE);
        let rows = self.0.iter().take(ROWS).map(|value| {
            let was = Styled::of(Role::Lost, shown(&value.was).text());
            let name = Cell::Head(Styled::of(Role::Name, value.name.as_str()));
            vec![name, Cell::Text(was), Cell::Text(shown(&value.now))]
        });
        html.table(&["name", "before", "after"], rows.collect::<Vec<Vec<Cell>>>());
        if self.0.len() > ROWS {
            html.paragraph(&Styled::of(Role::Dim, format!("… {} more", self.0.len() - ROWS)));
        }
    }

    fn json(&self, _: &Renderer<'_>) -> Value {
        let value = |value: &ChangedValue| json!({"name": value.name.as_str(), "was": json::value(&value.was), "now": json::value(&value.now)});
        json!({ "version": 1, "values": self.0.iter().map(value).collect::<Vec<_>>() })
    }
}
