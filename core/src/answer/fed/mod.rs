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

/// The values that an input changed.
pub struct Changed {
    /// The name of the input.
    pub input: Name,
    /// The values that changed, by name.
    pub values: Vec<ChangedValue>,
    /// Number of definitions that depend on the input.
    pub readers: usize,
    /// Number of those whose values were known.
    pub evaluated: usize,
}

impl Changed {
    /// Says what the input did if no value changed.
    fn without_change(&self) -> Option<String> {
        if !self.values.is_empty() {
            return None;
        }
        let input = &self.input;
        Some(match (self.readers, self.evaluated) {
            (0, _) => format!("`{input}` is set; no definition can read it"),
            (1, 0) => format!("`{input}` is set; the definition that can read it was not evaluated yet"),
            (readers, 0) => {
                format!("`{input}` is set; none of the {readers} definitions that can read it was evaluated yet")
            }
            (_, 1) => format!("`{input}` is set; the value that can read it did not change"),
            (_, evaluated) => format!("`{input}` is set; none of the {evaluated} values that can read it changed"),
        })
    }
}

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
        if let Some(nothing) = self.without_change() {
            return Styled::of(Role::Dim, nothing);
        }
        let mut table = Table::new();
        let shown = |datum: &Datum| one_line(to.dialect.spelling(), datum);
        for value in &self.values {
            let name = Styled::of(Role::Name, value.name.as_str());
            table.row([name, shown(&value.was), Styled::of(Role::Operator, "->"), shown(&value.now)]);
        }
        table.within(to.page).fit()
    }

    fn html(&self, to: &Renderer<'_>, html: &mut Html) {
        if let Some(nothing) = self.without_change() {
            html.paragraph(&Styled::of(Role::Dim, nothing));
            return;
        }
        let shown = |datum: &Datum| one_line(to.dialect.spelling(), datum);
        let rows = self.values.iter().take(ROWS).map(|value| {
            let both = [shown(&value.was), shown(&value.now)];
            let [was, now] = both.each_ref().map(|own| own.cut_apart(VALUE, &both));
            let name = Cell::Head(Styled::of(Role::Name, value.name.as_str()));
            vec![name, Cell::Text(Styled::of(Role::Lost, was.text())), Cell::Text(now)]
        });
        html.table(&["name", "before", "after"], rows.collect::<Vec<Vec<Cell>>>());
        if self.values.len() > ROWS {
            html.paragraph(&Styled::of(Role::Dim, format!("… {} more", self.values.len() - ROWS)));
        }
    }

    fn json(&self, _: &Renderer<'_>) -> Value {
        let value = |value: &ChangedValue| json!({"name": value.name.as_str(), "was": json::value(&value.was), "now": json::value(&value.now)});
        json!({ "version": 1, "input": self.input.as_str(), "values": self.values.iter().map(value).collect::<Vec<_>>() })
    }
}
