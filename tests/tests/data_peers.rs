//! JSON, YAML and TOML documents must be read and written as by Nickel and Python. `oracles/data/ask.py` stores their
//! answers.

use cfg_core::dialect::{Dialect, Languages};
use cfg_core::loader::NoLoader;
use cfg_core::session::{Action, Format, Input, Request, Session};
use serde_json::Value;

/// Returns the output of `cfg eval` for a document, or `None` if it fails.
fn eval(dialect: Dialect, text: &str, format: Format) -> Option<String> {
    let request = Request {
        inputs: vec![Input::Text { name: "doc".into(), text: text.as_bytes().to_vec() }],
        dialect: Some(dialect),
        import_paths: Vec::new(),
        contracts: Vec::new(),
        overrides: Vec::new(),
        jsonnet: Default::default(),
        action: Action::Eval { at: None, format },
    };
    let outcome = Session::new(Box::new(NoLoader)).run(request);
    (outcome.exit == 0).then(|| outcome.output.text())
}

/// Reports whether a difference is intentional; the reasons are in `docs/nickel.md`.
fn differs_on_purpose(dialect: Dialect, text: &str, ours: Option<&str>, nickels: Option<&str>) -> bool {
    match (ours, nickels) {
        // Nickel's YAML writer adds blanks to the string after such a line end
        (Some(ours), Some(nickels)) if nickels.contains('\u{2028}') && ours.contains("\\L") => true,
        // cfg keeps TOML's decimal numbers exactly, and does not round them to doubles
        (Some(_), Some(_)) => dialect == Dialect::TOML && text.contains("e+1"),
        // cfg keeps integers beyond 64 bits
        (Some(_), None) => dialect == Dialect::TOML && text.contains("9223372036854775808"),
        _ => false,
    }
}

#[test]
fn documents_mean_what_they_mean_to_nickel() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in include_str!("../oracles/data/answers.jsonl").lines() {
        let Ok(Value::Object(entry)) = serde_json::from_str(line) else { panic!("{line}") };
        let field = |name: &str| entry.get(name).and_then(Value::as_str);
        let (Some(dialect), Some(text)) =
            (field("format").and_then(|name| Languages::default().named(name)), field("text"))
        else {
            panic!("{line}")
        };
        for (name, format) in [("json", Format::Json), ("yaml", Format::Yaml), ("toml", Format::Toml)] {
            count += 1;
            let (ours, nickels) = (eval(dialect, text, format), field(name));
            if ours.as_deref() != nickels && !differs_on_purpose(dialect, text, ours.as_deref(), nickels) {
                wrong.push(format!(
                    "{} as {name}: {text:?}\n  ours    {ours:?}\n  nickel's {nickels:?}",
                    dialect.name()
                ));
            }
        }
    }
    assert!(count > 100);
    assert!(wrong.is_empty(), "{} of {count}\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
}
