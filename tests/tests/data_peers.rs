//! JSON, YAML and TOML documents. cfg must read and write them as Nickel and Python do. `oracles/data/ask.py` stores
//! the answers of both.

use cfg_core::{Action, Dialect, Format, InMemory, Input, Languages, NoLoader, Request, Session};
use cfg_tests::differences::{self, Difference};
use cfg_tests::kept;
use cfg_tests::ours::{class, first_report};
use serde_json::Value;
use std::collections::BTreeMap;

/// Returns the output of `cfg eval` for a document, or the class of its failure.
fn eval(dialect: Dialect, text: &str, format: Format) -> Result<String, String> {
    let request = Request {
        dialect: Some(dialect),
        ..Request::new(
            vec![Input::Text { name: "doc".into(), text: text.as_bytes().to_vec() }],
            Action::Eval { at: None, format },
        )
    };
    let outcome = Session::new(Box::new(NoLoader)).run(request);
    match outcome.exit {
        0 => Ok(outcome.output.text()),
        _ => Err(class(&first_report(&outcome)).to_string()),
    }
}

/// Returns the YAML of the library for a document. The command line quotes what some readers take for something else
/// (`data_out.rs`), and writes streams.
fn library(dialect: Dialect, text: &str) -> Option<String> {
    let file = format!("doc.{}", dialect.name());
    let program = format!("std.serialize 'Yaml (import \"{file}\")");
    let files: InMemory = [(file.as_str(), text), ("main.cfg", program.as_str())].into_iter().collect();
    let action = Action::Eval { at: None, format: Format::Text };
    let outcome = Session::new(Box::new(files)).run(Request::new(vec![Input::File("main.cfg".into())], action));
    (outcome.exit == 0).then(|| outcome.output.text())
}

/// The rules for different answers, each with its number of answers. The reasons are in `docs/nickel.md`.
const DIFFERENCES: &[(&str, usize)] = &[
    ("decimals in TOML", 3),
    ("line separators", 71),
    ("local tags", 11),
    ("numbers in full", 19),
    ("tags in quotes", 150),
];

/// The classes of cfg's failures where Nickel fails too, each with its number.
const REFUSED: &[(&str, usize)] = &[
    ("data/control", 3),
    ("data/duplicate-key", 3),
    ("data/escape", 9),
    ("data/syntax", 294),
    ("data/tag", 4),
    ("data/unclosed", 81),
    ("data/unexpected", 27),
    ("not data", 431),
];

/// Returns `true` if a rule allows a difference. Everything but the scalar that the rule is about must be equal.
fn allows(rule: &str, Difference { question, theirs, ours }: &Difference) -> bool {
    let toml = question.starts_with("[\"toml\",");
    let toml_of_yaml = question.starts_with("[\"yaml\",\"toml\",");
    match rule {
        "decimals in TOML" => toml && theirs != "refused" && same_but_decimals(theirs, ours),
        "numbers in full" => theirs != "refused" && same_but_decimals(theirs, ours),
        "line separators" => without_separators(theirs) == without_separators(ours),
        // JSON and TOML have no tags
        "local tags" if question.starts_with("[\"yaml\",\"yaml\",") => ours.contains("!foo x"),
        // TOML has no null, and `#70.5` is no number
        "tags in quotes" if ours == "refused" => {
            toml_of_yaml && question.contains("!!null") || question.contains("!!float >-\\n  #70.5")
        }
        "tags in quotes" => {
            let plain = |text: &str| without_separators(text).replace(['\'', '"'], "");
            question.contains("!!") && same_but_decimals(&plain(theirs), &plain(ours))
        }
        "local tags" => question.contains("!foo ") && ours == "refused",
        _ => false,
    }
}

/// Returns `true` if two texts are equal except for numbers of which one is the double nearest to the other.
fn same_but_decimals(left: &str, right: &str) -> bool {
    let is_number = |c: char| c.is_ascii_digit() || ".+-eE".contains(c);
    // Splits a text into numbers and the text between them.
    let runs = |text: &str| {
        let mut runs: Vec<String> = Vec::new();
        let mut numeric = None;
        for c in text.chars() {
            if numeric != Some(is_number(c)) {
                runs.push(String::new());
                numeric = Some(is_number(c));
            }
            if let Some(run) = runs.last_mut() {
                run.push(c);
            }
        }
        runs
    };
    let same = |(left, right): (&String, &String)| {
        let double = |text: &str| text.parse::<f64>().ok();
        left == right || double(left).is_some() && double(left) == double(right)
    };
    let (left, right) = (runs(left), runs(right));
    left.len() == right.len() && left.iter().zip(&right).all(same)
}

/// Replaces each string that is a line separator by `?`. The strings are `"\L"` and, in Nickel's YAML, `'…'` with added
/// blanks.
fn without_separators(text: &str) -> String {
    let mut parts = text.split("'\u{2028}");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        match part.trim_start_matches(' ').strip_prefix('\'') {
            Some(rest) => out.extend(["?", rest]),
            None => out.extend(["'\u{2028}", part]),
        }
    }
    out.replace("\"\\L\"", "?")
}

/// The number of documents.
const DOCUMENTS: usize = 900;

#[test]
fn documents_have_the_same_meaning_as_in_nickel() {
    let (text, count) = kept::answers("data", "answers.jsonl");
    let mut differ = Vec::new();
    let (mut documents, mut refused) = (0, BTreeMap::<String, usize>::new());
    for line in text.lines() {
        documents += 1;
        let Ok(Value::Object(entry)) = serde_json::from_str(line) else { panic!("{line}") };
        let field = |name: &str| entry.get(name).and_then(Value::as_str);
        let (Some(dialect), Some(text)) =
            (field("format").and_then(|name| Languages::default().named(name)), field("text"))
        else {
            panic!("{line}")
        };
        for (name, format) in [("json", Format::Json), ("yaml", Format::Yaml), ("toml", Format::Toml)] {
            let (mut ours, nickels) = (eval(dialect, text, format), field(name));
            if format == Format::Yaml && ours.as_deref().ok() != nickels {
                ours = library(dialect, text).map_or(ours, Ok);
            }
            match (&ours, nickels) {
                (Ok(ours), Some(nickels)) if ours == nickels => {}
                (Err(class), None) => *refused.entry(class.clone()).or_default() += 1,
                (ours, nickels) => {
                    let shown = |answer: Option<&str>| answer.unwrap_or("refused").to_string();
                    let ours = ours.as_deref().ok();
                    differ.push(Difference {
                        question: serde_json::json!([dialect.name(), name, text]).to_string(),
                        theirs: shown(nickels),
                        ours: shown(ours),
                    });
                }
            }
        }
    }
    assert_eq!((documents, count), (DOCUMENTS, DOCUMENTS), "documents");
    differences::compare("data", DIFFERENCES, allows, differ).unwrap_or_else(|e| panic!("{e}"));
    // Nickel's failures are stored without a reason; these are the reasons of cfg.
    assert_eq!(refused, REFUSED.iter().map(|(class, count)| (class.to_string(), *count)).collect());
}
