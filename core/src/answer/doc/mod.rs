//! The documentation of a name or field, including names of the library.

mod text;

use super::query::{self, library_path};
use crate::answer::{Answer, Renderer};
use crate::dialect::Dialect;
use crate::dialect::library::LibraryEntry;
use crate::problem::Problem;
use crate::state::Workspace;
use crate::styled::{Role, Styled};
use crate::term::Term;
use crate::term::rules::STD;
use crate::text::Name;
use crate::view::html::{Cell, Html};
use serde_json::{Value, json};
use std::sync::Arc;

/// The documentation of a name or a field.
#[derive(Clone, Debug, Default)]
pub struct Doc {
    /// The path in the question, as written.
    pub name: String,
    /// Its type, on one line.
    pub ty: Styled,
    /// The text.
    pub text: Option<Name>,
    /// Examples: each input with its result.
    pub examples: Vec<(Name, Name)>,
    /// The names in it, for a module of the library.
    pub names: Vec<Name>,
}

/// Returns `true` if a usage is a call of a function, not a signature: `map(func, arr)`.
fn is_call(usage: &str, name: Option<&Name>) -> bool {
    name.is_some_and(|name| usage.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('(')))
}

/// Returns the documentation of a path or expression; `written` is its text. If the field does not exist, the error is
/// the type error.
pub fn doc(session: &mut Workspace, dialect: Dialect, term: Arc<Term>, written: &str) -> Result<Doc, Problem> {
    let ty = session.type_of(dialect, &term);
    let mut doc = Doc { name: String::from(written), ty, ..Doc::default() };
    if let Some((path, entry)) =
        library_path(&term).and_then(|path| Some((path.clone(), session.languages().entry(&path)?)))
    {
        doc.text = Some(Name::new_static(entry.doc()));
        match entry {
            LibraryEntry::Module(module) => {
                doc.ty = Styled::new();
                doc.names = module.sorted();
            }
            LibraryEntry::Item(item) => {
                match item.usage {
                    Some(usage) if path.first().is_some_and(|root| root == STD) || is_call(&usage, path.last()) => {
                        doc.name = format!("{STD}.{usage}");
                    }
                    // a signature
                    Some(usage) => doc.ty = Styled::of(Role::Type, usage),
                    None => {}
                }
                doc.examples = item.examples.iter().map(|(i, o)| (Name::new_static(i), Name::new_static(o))).collect();
            }
        }
        return Ok(doc);
    }
    let answer = query::query(session, term)?;
    doc.text = answer.doc;
    Ok(doc)
}

impl Answer for Doc {
    fn name(&self) -> &'static str {
        "doc"
    }

    fn text(&self, to: &Renderer<'_>) -> Styled {
        text::text(self, to)
    }

    fn html(&self, to: &Renderer<'_>, html: &mut Html) {
        html.element("p", |html| {
            html.styled(&text::heading(self, to));
        });
        match &self.text {
            Some(text) => html.element("p", |html| {
                html.text(text.trim());
            }),
            None => html.paragraph(&Styled::of(Role::Dim, text::NONE)),
        };
        let rows = self.examples.iter().map(|(input, output)| vec![Cell::from(input.as_str()), output.as_str().into()]);
        if !self.examples.is_empty() {
            html.table(&["example", "result"], rows);
        }
        if !self.names.is_empty() {
            html.paragraph(&Styled::of(Role::Name, self.names.join(" ")));
        }
    }

    fn json(&self, to: &Renderer<'_>) -> Value {
        let example = |(input, output): &(Name, Name)| json!({ "input": input.as_str(), "output": output.as_str() });
        json!({
            "version": 1,
            "dialect": to.dialect.name(),
            "name": self.name,
            "type": (!self.ty.is_empty()).then(|| self.ty.text()),
            "documentation": self.text.as_ref().map(|text| text.trim()),
            "examples": self.examples.iter().map(example).collect::<Vec<_>>(),
            "names": self.names.iter().map(|name| name.as_str()).collect::<Vec<_>>(),
        })
    }
}
