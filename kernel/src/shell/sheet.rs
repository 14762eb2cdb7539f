//! Sends the style sheet of outputs once to each client, with the first HTML that it gets. A notebook then contains it once.
//!
//! The output that has it loses it when its cell runs again, so that run sends it again, and so do updates of that output.

use cfg_core::STYLE_SHEET;
use serde_json::Value;
use std::collections::HashMap;

/// Maximum number of clients that are remembered.
const CLIENTS: usize = 10_000;

/// The outputs that have the style sheet.
#[derive(Default)]
pub struct Sheets {
    /// By client.
    carriers: HashMap<String, Carrier>,
    client: String,
    cell: String,
    /// Whether the next HTML gets the sheet.
    due: bool,
}

/// The output of a client that has the style sheet.
struct Carrier {
    /// The id of its cell; empty for a client without cells.
    cell: String,
    /// Its display id.
    display: Option<String>,
}

impl Sheets {
    /// Begins the output of a cell.
    pub fn begin(&mut self, client: String, cell: &str) {
        self.due = match self.carriers.get(&client) {
            None => true,
            Some(carrier) => !cell.is_empty() && carrier.cell == cell,
        };
        self.client = client;
        cell.clone_into(&mut self.cell);
    }

    /// Forgets the outputs of deleted cells.
    pub fn deleted(&mut self, cells: &[&str]) {
        let had = self.carriers.len();
        self.carriers.retain(|_, carrier| !cells.contains(&carrier.cell.as_str()));
        self.due |= self.carriers.len() < had && !self.carriers.contains_key(&self.client);
    }

    /// Returns the content of a message with the style sheet in its HTML. `None` if it does not need it.
    pub fn styled(&mut self, kind: &str, content: &Value) -> Option<Value> {
        let html = content.get("data")?.get("text/html")?.as_str()?;
        let display = content.get("transient").and_then(|t| t.get("display_id")).and_then(Value::as_str);
        match kind {
            "display_data" | "execute_result" if self.due => {
                self.due = false;
                if self.carriers.len() >= CLIENTS {
                    self.carriers.clear();
                }
                let carrier = Carrier { cell: self.cell.clone(), display: display.map(String::from) };
                self.carriers.insert(self.client.clone(), carrier);
            }
            "update_display_data" => {
                let has = |carrier: &Carrier| display.is_some() && carrier.display.as_deref() == display;
                self.carriers.values().any(has).then_some(())?;
            }
            _ => return None,
        }
        // the first line stays the first, for the place of a folded output
        let rest = html.strip_prefix(" \n").unwrap_or(html);
        let styled = format!(" \n<style>{STYLE_SHEET}</style>\n{rest}");
        let mut content = content.clone();
        *content.get_mut("data")?.get_mut("text/html")? = Value::String(styled);
        Some(content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn has_sheet(sheets: &mut Sheets, kind: &str, display: &str) -> bool {
        let content = json!({ "data": { "text/html": " \n<p>a</p>" }, "transient": { "display_id": display } });
        let styled = sheets.styled(kind, &content);
        assert!(styled.as_ref().is_none_or(|c| c["data"]["text/html"].as_str().unwrap().starts_with(" \n<style>.cfg")));
        styled.is_some()
    }

    #[test]
    fn a_client_gets_the_sheet_once() {
        let mut sheets = Sheets::default();
        sheets.begin("a".into(), "c1");
        assert_eq!(
            [has_sheet(&mut sheets, "display_data", "1"), has_sheet(&mut sheets, "execute_result", "2")],
            [true, false]
        );
        sheets.begin("a".into(), "c2");
        assert!(!has_sheet(&mut sheets, "display_data", "3"));
        // updates of the output that has it
        assert!(
            has_sheet(&mut sheets, "update_display_data", "1") && !has_sheet(&mut sheets, "update_display_data", "3")
        );
        // its cell runs again
        sheets.begin("a".into(), "c1");
        assert!(has_sheet(&mut sheets, "display_data", "4") && !has_sheet(&mut sheets, "update_display_data", "1"));
        sheets.begin("b".into(), "");
        assert!(has_sheet(&mut sheets, "display_data", "5"));
        sheets.begin("b".into(), "");
        assert!(!has_sheet(&mut sheets, "display_data", "6"));
        // its cell is deleted
        sheets.begin("a".into(), "c2");
        sheets.deleted(&["c1"]);
        assert!(has_sheet(&mut sheets, "display_data", "7"));
    }
}
