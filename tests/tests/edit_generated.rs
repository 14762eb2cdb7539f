//! `--set PATH=VALUE --in-place` on generated files: the file then has the value, and nothing else of it changes.

use cfg_core::{Action, Format, InMemory, Input, Request, Session};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

const KEYS: [&str; 10] = ["a", "b", "name", "port", "x y", "on", "a.b", "é", "null", "k#"];
const TEXTS: [&str; 10] = ["web", "1.27", "yes", "", "a b", "x: y", "it's", "say \"x\"", "# no", "two\nlines\n"];

fn scalar(random: &mut Random) -> Value {
    match random.below(6) {
        0 => json!(random.below(10_000)),
        1 => json!(-3),
        2 => json!(true),
        _ => json!(random.one(&TEXTS)),
    }
}

fn tree(random: &mut Random, depth: usize) -> Value {
    match random.below(5) {
        _ if depth == 3 => record(random, depth),
        0 | 1 if depth > 0 => record(random, depth),
        2 if depth > 0 => (0..random.below(4)).map(|_| tree(random, depth - 1)).collect(),
        _ => scalar(random),
    }
}

fn record(random: &mut Random, depth: usize) -> Value {
    let mut fields = Map::new();
    for _ in 0..random.below(4) + usize::from(depth == 3) {
        let name = random.one(&KEYS).to_string();
        fields.insert(name, tree(random, depth - 1));
    }
    fields.into()
}

/// The text of a file, with a comment of its own on many lines.
struct Text {
    out: String,
    comments: usize,
    mark: &'static str,
}

impl Text {
    fn comment(&mut self, random: &mut Random) {
        if random.below(3) == 0 {
            self.comments += 1;
            self.out.push_str(&format!("  {} c{}", self.mark, self.comments));
        }
        self.out.push('\n');
    }

    fn yaml(&mut self, random: &mut Random, value: &Value, column: usize) {
        let entries: Vec<(String, &Value)> = match value {
            Value::Object(fields) => fields.iter().map(|(name, value)| (format!("{}:", json!(name)), value)).collect(),
            Value::Array(items) => items.iter().map(|value| (String::from("-"), value)).collect(),
            _ => return,
        };
        for (head, value) in entries {
            if random.below(6) == 0 {
                self.out.push_str(&" ".repeat(column));
                self.out.push('#');
                self.comment(random);
            }
            self.out.push_str(&format!("{}{head}", " ".repeat(column)));
            let is_block =
                value.as_object().is_some_and(|v| !v.is_empty()) || value.as_array().is_some_and(|v| !v.is_empty());
            match value {
                _ if is_block && random.below(4) > 0 => {
                    self.comment(random);
                    let inside = if value.is_array() && head != "-" { 2 * random.below(2) } else { 2 };
                    self.yaml(random, value, column + inside);
                }
                Value::String(text) if text == "two\nlines\n" => {
                    let margin = " ".repeat(column + 2);
                    self.out.push_str(&format!(" |\n{margin}two\n{margin}lines\n"));
                }
                _ => {
                    self.out.push_str(&format!(" {value}"));
                    self.comment(random);
                }
            }
        }
    }

    fn program(&mut self, random: &mut Random, value: &Value, column: usize, defines: &str) {
        let Value::Object(fields) = value else {
            return self.out.push_str(&value.to_string().replace("\":", &format!("\"{defines}")));
        };
        self.out.push('{');
        self.comment(random);
        for (name, value) in fields {
            self.out.push_str(&format!("{}{}{defines} ", " ".repeat(column + 2), json!(name)));
            self.program(random, value, column + 2, defines);
            self.out.push(',');
            self.comment(random);
        }
        self.out.push_str(&format!("{}}}", " ".repeat(column)));
    }

    fn toml(&mut self, random: &mut Random, fields: &Map<String, Value>, path: &str) {
        let (tables, values): (Vec<_>, Vec<_>) =
            fields.iter().partition(|(name, value)| value.is_object() && name.as_str() != "a.b");
        for (name, value) in values {
            self.out.push_str(&format!("{} = {}", json!(name), value.to_string().replace("\":", "\" = ")));
            self.comment(random);
        }
        for (name, value) in tables {
            let path = if path.is_empty() { json!(name).to_string() } else { format!("{path}.{}", json!(name)) };
            self.out.push_str(&format!("[{path}]"));
            self.comment(random);
            self.toml(random, value.as_object().expect("a table"), &path);
        }
    }
}

/// Returns the paths of all values, as steps and as text.
fn paths(value: &Value, path: (Vec<Value>, String), out: &mut Vec<(Vec<Value>, String)>) {
    out.push(path.clone());
    let then = |step: Value, text: String| (path.0.iter().cloned().chain([step]).collect(), text);
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let dot = if path.1.is_empty() { "" } else { "." };
                paths(value, then(json!(name), format!("{}{dot}{}", path.1, json!(name))), out);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                paths(value, then(json!(index), format!("{}[{index}]", path.1)), out);
            }
        }
        _ => {}
    }
}

fn at<'v>(mut value: &'v mut Value, path: &[Value]) -> &'v mut Value {
    for step in path {
        value = match step {
            Value::String(name) => &mut value[name.as_str()],
            step => &mut value[step.as_u64().expect("an index") as usize],
        };
    }
    value
}

fn lines(text: &str) -> BTreeMap<&str, usize> {
    let mut all = BTreeMap::new();
    text.lines().for_each(|line| *all.entry(line).or_default() += 1);
    all
}

/// Returns a file with a value, or the reason why it was not changed.
fn edited(name: &str, text: &str, set: String) -> Result<String, String> {
    let action = Action::Edit { sets: vec![set], layers: true };
    let files: InMemory = [(name, text)].into_iter().collect();
    let outcome = Session::new(Box::new(files)).run(Request::new(vec![Input::File(PathBuf::from(name))], action));
    match outcome.exit {
        0 => Ok(outcome.edits.first().map_or(text.to_string(), |edit| edit.after.clone())),
        _ => Err(outcome.reports.iter().map(|(_, report)| report.text()).collect()),
    }
}

fn read(name: &str, text: &str) -> Value {
    let files: InMemory = [(name, text)].into_iter().collect();
    let action = Action::Eval { at: None, format: Format::Json };
    let outcome = Session::new(Box::new(files)).run(Request::new(vec![Input::File(PathBuf::from(name))], action));
    let reports: String = outcome.reports.iter().map(|(_, report)| report.text()).collect();
    serde_json::from_str(&outcome.output.text()).unwrap_or_else(|e| panic!("{e}: {reports}\n{text}"))
}

#[test]
fn an_edit_sets_the_value_and_changes_nothing_else() {
    for seed in 0..400 {
        let mut random = Random(seed);
        random.below(1);
        let name = ["a.yaml", "a.yaml", "a.json", "a.toml", "a.cfg", "a.jsonnet"][random.below(6)];
        let tree = tree(&mut random, 3);
        let mut text = Text { out: String::new(), comments: 0, mark: if name == "a.jsonnet" { "//" } else { "#" } };
        match name {
            "a.yaml" => text.yaml(&mut random, &tree, 0),
            "a.json" if random.below(2) == 0 => text.out = format!("{tree:#}\n"),
            "a.json" => text.out = tree.to_string(),
            "a.toml" => text.toml(&mut random, tree.as_object().expect("a record"), ""),
            _ => text.program(&mut random, &tree, 0, if name == "a.cfg" { "=" } else { ":" }),
        }
        let before = if random.below(5) == 0 { text.out.replace('\n', "\r\n") } else { text.out };
        assert_eq!(read(name, &before), tree, "{seed}: {before}");
        let mut all = Vec::new();
        paths(&tree, (Vec::new(), String::new()), &mut all);
        let (mut steps, mut path) = all.swap_remove(random.below(all.len()));
        let mut expected = tree.clone();
        let old = at(&mut expected, &steps).clone();
        match &old {
            Value::Object(_) => {
                let dot = if path.is_empty() { "" } else { "." };
                path = format!("{path}{dot}\"new key\"");
                steps.push(json!("new key"));
            }
            Value::Array(items) => {
                path = format!("{path}[{}]", items.len());
                at(&mut expected, &steps).as_array_mut().expect("a list").push(Value::Null);
                steps.push(json!(items.len()));
            }
            _ => {}
        }
        let value = scalar(&mut random);
        *at(&mut expected, &steps) = value.clone();
        let after = edited(name, &before, format!("{path}={value}"))
            .unwrap_or_else(|why| panic!("{seed}: {path}={value}: {why}\n{before}"));
        let shown = format!("{seed}: {path}={value}\n{before}\n---\n{after}");
        assert_eq!(read(name, &after), expected, "{shown}");
        let (was, is) = (lines(&before), lines(&after));
        let gone: usize = was.iter().map(|(line, n)| n.saturating_sub(is.get(line).copied().unwrap_or(0))).sum();
        let several = old.as_str().is_some_and(|old| old.contains('\n'));
        assert!(gone <= if several { 3 } else { 1 }, "{gone} lines changed: {shown}");
        for n in 1..=text.comments {
            let comment = format!("{} c{n}", text.mark);
            let has = |text: &str| text.lines().any(|line| line.ends_with(&comment));
            assert!(has(&after), "{comment}: {shown}");
        }
        if before.contains('\n') {
            let ends = if before.contains("\r\n") { after.matches("\r\n").count() } else { 0 };
            let expected = if before.contains("\r\n") { after.matches('\n').count() } else { 0 };
            assert_eq!(ends, expected, "{shown}");
        }
    }
}
