//! The messages between a kernel and the prompts attached to it (`cfg attach`): comms with the target `cfg.prompt`.
//!
//! Front ends get the results of a cell as text and HTML. A prompt wants them as the session made them, with the roles
//! of the text, to paint them in the user's colours, to fold them and to step through them. After each cell of any
//! client, the kernel sends every open comm of this target one `comm_msg` whose parent is the request:
//!
//! ```json
//! { "events": [{ "kind": "value", "number": 3, "value": [["literal", "2"]], "type": [["type", "Number"]], "of": " : " }],
//!   "state": { "language": "cfg", "next": 4, "options": { "theme": "dark" } } }
//! ```
//!
//! After `:explain`, the message has the member `explained`, the number of definitions that the answer lists. The kernel
//! answers a `comm_open` with the state alone. A prompt may ask:
//!
//! | question | answer |
//! |---|---|
//! | `{ "ask": "hint", "code": "…", "cursor": 3 }` | `hint`: a suggestion for the text after the cursor, a byte offset |
//! | `{ "ask": "steps", "columns": 60 }` | `steps`: the last answer to `:steps`, for another width |
//! | `{ "ask": "explained", "path": "x.port", "columns": 60 }` | `explained`: the path and its definitions; of the last explanation if the path is empty |
//! | `{ "ask": "whatif", "path": "x.port", "changes": "off 1", "columns": 60 }` | `tried`: the text of the answer, with the `inputs` that make the changes or the reason why none do (`refused`) |
//!
//! The answer is a `comm_msg` with that member. An `execute_request` may name the width of its answers in its metadata:
//! `{ "cfg": { "columns": 100 } }`.

use cfg_core::config::ROLES;
use cfg_core::steps::{Page, PageRow};
use cfg_core::whatif::{ExplainedField, ListedDefinition, Tried};
use cfg_core::{Dialect, Event, Languages, Role, Severity, Styled};
use serde_json::{Map, Value, json};

/// The name of the target.
pub const TARGET: &str = "cfg.prompt";

/// The options that decide how a prompt looks.
pub const OPTIONS: [&str; 4] = ["theme", "colour", "editing", "fold"];

/// The state of a session that its prompts show.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// The language of inputs.
    pub language: Dialect,
    /// The number of the next cell.
    pub next: u32,
    /// The options in [`OPTIONS`], with their values.
    pub options: Vec<(String, String)>,
}

impl State {
    /// Returns the state as JSON.
    pub fn to_json(&self) -> Value {
        let options: Map<String, Value> =
            self.options.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        json!({ "language": self.language.name(), "next": self.next, "options": options })
    }

    /// Reads a state. `None` if the language is unknown.
    pub fn from_json(languages: Languages, value: &Value) -> Option<State> {
        let language = languages.named(value.get("language")?.as_str()?)?;
        let next = u32::try_from(value.get("next")?.as_u64()?).ok()?;
        let options = value.get("options").and_then(Value::as_object).into_iter().flatten();
        let options = options.filter_map(|(name, value)| Some((name.clone(), String::from(value.as_str()?)))).collect();
        Some(State { language, next, options })
    }
}

/// Returns an event as JSON. `None` for printed text, which is published as a stream.
pub fn event_to_json(event: &Event) -> Option<Value> {
    Some(match event {
        Event::Value { number, value, ty, of, .. } => {
            json!({ "kind": "value", "number": number, "value": runs(value), "type": runs(ty), "of": of })
        }
        Event::Bound(text) => json!({ "kind": "bound", "text": runs(text) }),
        Event::Answer(text) | Event::View { text, .. } => json!({ "kind": "answer", "text": runs(text) }),
        Event::Steps { pages, footer, .. } => steps_to_json(pages, footer),
        Event::Diagnostic { severity, report, .. } => {
            let severity = if *severity == Severity::Error { "error" } else { "warning" };
            json!({ "kind": "diagnostic", "severity": severity, "report": runs(report) })
        }
        Event::Quit => json!({ "kind": "quit" }),
        Event::Output(_) => return None,
    })
}

/// Reads an event. `None` if it is not one.
pub fn event_from_json(languages: Languages, event: &Value) -> Option<Event> {
    let text = |name: &str| event.get(name).and_then(styled);
    Some(match event.get("kind")?.as_str()? {
        "value" => {
            let of = event.get("of").and_then(Value::as_str);
            Event::Value {
                number: u32::try_from(event.get("number")?.as_u64()?).ok()?,
                value: text("value")?,
                ty: text("type")?,
                of: languages.all().map(|l| l.spelling().of).find(|known| Some(*known) == of).unwrap_or(" : "),
                rich: None,
            }
        }
        "bound" => Event::Bound(text("text")?),
        "answer" => Event::Answer(text("text")?),
        "steps" => {
            let (pages, footer) = steps_from_json(event)?;
            Event::Steps { pages, footer, rich: None }
        }
        "diagnostic" => {
            let error = event.get("severity").and_then(Value::as_str) == Some("error");
            let severity = if error { Severity::Error } else { Severity::Warning };
            Event::Diagnostic { severity, report: text("report")?, rich: None }
        }
        "quit" => Event::Quit,
        _ => return None,
    })
}

/// Returns the pages of `:steps` as JSON.
pub fn steps_to_json(pages: &[Page], footer: &Styled) -> Value {
    let row = |row: &PageRow| json!({ "path": row.path, "text": runs(&row.text), "unchanged": row.unchanged });
    let page = |page: &Page| {
        let rows: Vec<Value> = page.rows.iter().map(row).collect();
        json!({ "title": runs(&page.title), "rows": rows, "compact": page.compact })
    };
    json!({ "kind": "steps", "pages": pages.iter().map(page).collect::<Vec<_>>(), "foot": runs(footer) })
}

/// Reads the pages of `:steps`, and the text below them.
pub fn steps_from_json(value: &Value) -> Option<(Vec<Page>, Styled)> {
    let flag = |value: &Value, name: &str| value.get(name).and_then(Value::as_bool).unwrap_or(false);
    let row = |row: &Value| {
        Some(PageRow {
            path: String::from(row.get("path")?.as_str()?),
            text: styled(row.get("text")?)?,
            unchanged: flag(row, "unchanged"),
        })
    };
    let page = |page: &Value| {
        Some(Page {
            title: styled(page.get("title")?)?,
            rows: page.get("rows")?.as_array()?.iter().map(row).collect::<Option<_>>()?,
            compact: flag(page, "compact"),
        })
    };
    let pages = value.get("pages")?.as_array()?.iter().map(page).collect::<Option<_>>()?;
    Some((pages, styled(value.get("foot")?)?))
}

/// Returns a field with its definitions as JSON.
pub fn explained_to_json(field: &ExplainedField) -> Value {
    let row = |row: &ListedDefinition| {
        let ListedDefinition { outcome, strength, value, place } = row;
        json!({ "outcome": outcome, "strength": strength, "value": runs(value), "place": place })
    };
    json!({ "path": field.path, "definitions": field.definitions.iter().map(row).collect::<Vec<_>>() })
}

/// Reads a field with its definitions. `None` if it is not one.
pub fn explained_from_json(value: &Value) -> Option<ExplainedField> {
    let row = |row: &Value| {
        let word = |name: &str| row.get(name)?.as_str();
        Some(ListedDefinition {
            outcome: String::from(word("outcome")?),
            strength: String::from(word("strength")?),
            value: styled(row.get("value")?)?,
            place: String::from(word("place")?),
        })
    };
    Some(ExplainedField {
        path: String::from(value.get("path")?.as_str()?),
        definitions: value.get("definitions")?.as_array()?.iter().map(row).collect::<Option<_>>()?,
    })
}

/// Returns an answer to changes of definitions as JSON.
pub fn tried_to_json(tried: &Tried) -> Value {
    json!({ "text": runs(&tried.text), "inputs": tried.inputs.as_ref().ok(), "refused": tried.inputs.as_ref().err() })
}

/// Reads an answer to changes of definitions. `None` if it is not one.
pub fn tried_from_json(value: &Value) -> Option<Tried> {
    let inputs = match value.get("inputs")?.as_array() {
        Some(inputs) => Ok(inputs.iter().map(|input| input.as_str().map(String::from)).collect::<Option<_>>()?),
        None => Err(String::from(value.get("refused")?.as_str()?)),
    };
    Some(Tried { text: styled(value.get("text")?)?, inputs })
}

fn runs(text: &Styled) -> Value {
    let name = |role: Role| ROLES.iter().find(|(_, r)| *r == role).map_or("plain", |(name, _)| *name);
    text.runs().iter().map(|(role, run)| json!([name(*role), run])).collect()
}

fn styled(value: &Value) -> Option<Styled> {
    let mut out = Styled::new();
    for run in value.as_array()? {
        let [role, text] = run.as_array()?.as_slice() else { return None };
        let role = ROLES.iter().find(|(name, _)| Some(*name) == role.as_str()).map_or(Role::Plain, |(_, role)| *role);
        out.push(role, text.as_str()?);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfg_core::{NoLoader, Session};

    #[test]
    fn events_are_read_as_they_were_written() {
        let languages = Languages::default();
        let mut session = Session::with_languages(languages, Box::new(NoLoader));
        let inputs =
            ["let x = { a | default = 1 } & { a = 2 }", "x.a", "%%jsonnet\n[1, 2]", ":steps x", ":type x", "1 + \"a\""];
        let mut kinds = Vec::new();
        for event in inputs.into_iter().flat_map(|input| session.submit(input)).chain([Event::Quit]) {
            let json = event_to_json(&event).unwrap();
            kinds.push(json["kind"].as_str().unwrap().to_string());
            // as it is sent
            let read = event_from_json(languages, &serde_json::from_str(&json.to_string()).unwrap()).unwrap();
            let plain = match event {
                Event::View { text, .. } => Event::Answer(text),
                event => event,
            };
            assert_eq!(format!("{read:?}"), format!("{plain:?}"));
        }
        assert_eq!(kinds, ["bound", "value", "value", "steps", "answer", "diagnostic", "quit"]);
        assert!(event_to_json(&Event::Output("x".into())).is_none());
        for wrong in [json!(1), json!({}), json!({ "kind": "value" }), json!({ "kind": "bound", "text": [["a"]] })] {
            assert!(event_from_json(languages, &wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn definitions_and_their_changes_are_read_as_they_were_written() {
        let mut session = Session::new(Box::new(NoLoader));
        session.submit("let x = { a | default = 1 } & { a = 2 }");
        let sent = |value: Value| serde_json::from_str::<Value>(&value.to_string()).unwrap();
        let field = session.explain_again("x.a").unwrap();
        assert_eq!(field.definitions.len(), 2);
        assert_eq!(explained_from_json(&sent(explained_to_json(&field))), Some(field));
        for (changes, possible) in [("off 1", true), ("off 9", false)] {
            let tried = session.try_changes("x.a", changes);
            assert_eq!(tried.inputs.is_ok(), possible);
            assert_eq!(tried_from_json(&sent(tried_to_json(&tried))), Some(tried));
        }
        for wrong in [json!(null), json!({ "path": "a", "definitions": [{}] }), json!({ "text": [] })] {
            assert_eq!((explained_from_json(&wrong), tried_from_json(&wrong)), (None, None), "{wrong}");
        }
    }

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let languages = Languages::default();
        let options = vec![(String::from("theme"), String::from("dark"))];
        let state = State { language: languages.named("jsonnet").unwrap(), next: 7, options };
        assert_eq!(State::from_json(languages, &state.to_json()), Some(state));
        assert_eq!(State::from_json(languages, &json!({ "language": "no such", "next": 1 })), None);
    }
}
