//! Checks that the answers of `cfg explain` are true, on generated merges with known positions.
//!
//! - It lists exactly the definitions of the path, and those of its parents that conflict with it.
//! - The definitions that count give the value: the one marked `WINS` is the value, and those that tie are in
//!   conflict.
//! - Definitions marked `lost` do not matter: changing them does not change the value.
//! - Definitions marked `WINS` matter: changing them changes the value.

use cfg_core::{Action, Dialect, Format, Medium};
use cfg_tests::generate::Rng;
use cfg_tests::ours::run_as;
use cfg_tests::schema;
use serde_json::Value;
use std::collections::BTreeSet;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// A definition of the program.
#[derive(Clone, Debug)]
struct Def {
    path: Vec<&'static str>,
    /// Line and column of its value, counted from 1.
    at: (u64, u64),
    /// The range of its value, in bytes.
    bytes: std::ops::Range<usize>,
    /// Whether its value is not a record.
    leaf: bool,
}

/// A program with known positions.
struct Program {
    text: String,
    defs: Vec<Def>,
    dialect: Dialect,
    /// Numbers are distinguished by the text that replaces them.
    line: u64,
    column: u64,
}

impl Program {
    fn write(&mut self, text: &str) {
        for c in text.chars() {
            if c == '\n' {
                (self.line, self.column) = (self.line + 1, 1);
            } else {
                self.column += 1;
            }
        }
        self.text.push_str(text);
    }

    /// Generates a merge of a few operands.
    fn generate(dialect: Dialect, seed: u64) -> Program {
        let mut rng = Rng::new(seed);
        let mut program = Program { text: String::new(), defs: Vec::new(), dialect, line: 1, column: 1 };
        let operator = if dialect == Dialect::JSONNET { "\n+ " } else { "\n& " };
        for operand in 0..2 + rng.below(4) {
            if operand > 0 {
                program.write(operator);
            }
            program.record(&mut rng, &mut Vec::new());
        }
        program
    }

    fn record(&mut self, rng: &mut Rng, path: &mut Vec<&'static str>) {
        let mut names = NAMES;
        rng.shuffle(&mut names);
        self.write("{");
        for name in names.iter().take(rng.below(3) + usize::from(path.is_empty())) {
            let nested = path.len() < 3 && rng.chance(55);
            self.write("\n");
            self.write(&" ".repeat(path.len() + 1));
            self.write(name);
            path.push(name);
            match self.dialect {
                dialect if dialect == Dialect::JSONNET => {
                    let colons: &[&str] =
                        if nested { &["+: ", "+: ", ": ", "+:: "] } else { &[": ", ": ", ":: ", ": "] };
                    let colon = *rng.pick(colons);
                    self.write(colon);
                }
                _ => {
                    let meta: &[&str] = if nested {
                        &["", "", "", " | default", " | force", " | default rec", " | force rec", " | priority 1"]
                    } else {
                        &["", "", " | default", " | force", " | priority 2", " | Number", " | Number | default"]
                    };
                    let meta = *rng.pick(meta);
                    self.write(meta);
                    self.write(" = ");
                }
            }
            let (at, start) = ((self.line, self.column), self.text.len());
            let number = self.defs.len();
            self.defs.push(Def { path: path.clone(), at, bytes: 0..0, leaf: !nested });
            if nested {
                self.record(rng, path);
            } else {
                self.write(&rng.below(3).to_string());
            }
            self.defs[number].bytes = start..self.text.len();
            path.pop();
            self.write(",");
        }
        self.write(" }");
    }

    fn explained(&self, path: &str) -> Option<Value> {
        let action = Action::Explain { path: path.into(), medium: Medium::Json };
        let outcome = run_as(self.dialect, &self.text, action);
        let text = outcome.output.text();
        (!text.is_empty()).then(|| serde_json::from_str(&text).expect("JSON"))
    }

    fn value(&self, text: &str, path: &str) -> Option<Value> {
        let action = Action::Eval { at: Some(path.into()), format: Format::Json };
        let outcome = run_as(self.dialect, text, action);
        if outcome.exit != 0 {
            return None;
        }
        serde_json::from_str(&outcome.output.text()).ok()
    }

    /// Returns the program with another value for a definition.
    fn edited(&self, def: &Def, value: &str) -> String {
        [&self.text[..def.bytes.start], value, &self.text[def.bytes.end..]].concat()
    }

    /// Returns all defined paths.
    fn paths(&self) -> BTreeSet<Vec<&'static str>> {
        self.defs.iter().map(|def| def.path.clone()).collect()
    }

    fn check(&self) {
        for path in self.paths() {
            let dotted = path.join(".");
            let Some(answer) = self.explained(&dotted) else {
                // a parent of the path is not a record
                assert_eq!(self.value(&self.text, &dotted), None, "{dotted} of\n{}", self.text);
                continue;
            };
            self.told(&answer, &dotted);
        }
    }

    fn told(&self, answer: &Value, asked: &str) {
        let context = || format!("{asked} of\n{}\n{answer:#}", self.text);
        assert_eq!(schema::mismatch(&schema(), answer), None, "{}", context());
        let about = answer["path"].as_str().expect("a path");
        let steps: Vec<&str> = about.split('.').collect();
        let rows = answer["definitions"].as_array().expect("definitions");
        let place = |row: &Value| {
            let number = |key: &str| row["source"][key].as_u64().unwrap_or(0);
            (number("line"), number("column"))
        };
        let listed: BTreeSet<_> = rows.iter().map(place).collect();
        assert_eq!(listed.len(), rows.len(), "a definition is told of twice: {}", context());
        let defines = |def: &&Def| def.path == steps || (def.leaf && steps.starts_with(&def.path));
        let expected: BTreeSet<_> = self.defs.iter().filter(defines).map(|def| def.at).collect();
        assert_eq!(listed, expected, "{}", context());

        let now = self.value(&self.text, about);
        match answer["verdict"].as_str() {
            Some("conflict") => {
                assert_eq!(now, None, "{}", context());
                assert!(rows.iter().filter(|row| row["outcome"] == "tie").count() > 1, "{}", context());
            }
            Some("wins" | "combined") if answer["error"].is_null() => {
                if let Some(written) = &now
                    && !written.is_object()
                {
                    assert_eq!(number(&answer["value"]), number(written), "{}", context());
                }
            }
            _ => {}
        }
        for row in rows {
            let at = place(row);
            let def = self.defs.iter().find(|def| def.at == at).expect("a definition of the program");
            match row["outcome"].as_str() {
                Some("lost") => {
                    // if both values are records, definitions that do not count are not checked
                    let other = if def.leaf { "77" } else { "{ d = 77 }" };
                    let other = if self.dialect == Dialect::JSONNET { other.replace('=', ":") } else { other.into() };
                    if now.is_some() {
                        assert_eq!(self.value(&self.edited(def, &other), about), now, "{at:?} of {}", context());
                    }
                }
                Some("wins")
                    if now.is_some()
                        && def.leaf
                        && def.path == steps
                        && !rows.iter().any(|row| row["outcome"] == "same") =>
                {
                    assert_eq!(number(&row["value"]), now.as_ref().and_then(number), "{}", context());
                    let then = self.value(&self.edited(def, "77"), about);
                    assert_eq!(then.as_ref().and_then(number), Some(77.0), "{at:?} of {}", context());
                }
                _ => {}
            }
        }
    }
}

/// Returns the schema in `docs/schema`.
fn schema() -> Value {
    serde_json::from_str(include_str!("../../docs/schema/explain.json")).expect("a schema")
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64()
}

#[test]
fn explain_is_true_of_merges() {
    let count = std::env::var("CFG_EXPLAIN").ok().and_then(|n| n.parse().ok()).unwrap_or(120);
    for seed in 0..count {
        Program::generate(Dialect::CFG, seed).check();
    }
}

#[test]
fn explain_is_true_of_chains() {
    let count = std::env::var("CFG_EXPLAIN").ok().and_then(|n| n.parse().ok()).unwrap_or(120);
    for seed in 0..count {
        Program::generate(Dialect::JSONNET, seed).check();
    }
}
