//! Runs mcl programs in this process and compares the results with those of mgmt (`tests/oracles/mcl/`).

use crate::differences::Difference;
use crate::ours::code;
use cfg_core::{Action, Dialect, Format, InMemory, Input, Outcome, Request, Session, Severity};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A program and the files that it imports, by name.
#[derive(Clone, Debug)]
pub struct Program {
    /// The program's text.
    pub text: String,
    /// The imported files.
    pub files: BTreeMap<String, String>,
}

/// The stages that can refuse a program, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// Lexing and parsing.
    Parse,
    /// Checks of single nodes of the tree.
    Init,
    /// Interpolation of strings, and nesting of classes.
    Interpolate,
    /// Scopes and the order of definitions.
    Scope,
    /// Type unification: a conflict.
    Unify,
    /// Type unification: an ambiguity.
    Ambiguous,
}

impl Stage {
    /// Returns the stage with the name that a stored answer has. mgmt reports lexing and parsing as one stage.
    pub fn of_name(name: &str) -> Option<Stage> {
        Some(match name {
            "lex" | "parse" => Stage::Parse,
            "init" => Stage::Init,
            "interpolate" => Stage::Interpolate,
            "scope" => Stage::Scope,
            "unify" => Stage::Unify,
            "ambiguous" => Stage::Ambiguous,
            _ => return None,
        })
    }

    /// Returns the stage of one of our reports, by its code and, where one code is for several stages, by its first line.
    fn of_report(report: &str) -> Option<Stage> {
        let is_about = |what: &str| report.starts_with(&format!("error: duplicate definition of {what} "));
        Some(match code(report).split_once('/')? {
            ("scope", "duplicate") if is_about("class") => Stage::Interpolate,
            ("scope", "duplicate") if is_about("field") => Stage::Init,
            ("init", "unknown-kind" | "unknown-field") => Stage::Unify,
            ("init", _) => Stage::Init,
            ("interpolation", _) => Stage::Interpolate,
            ("syntax", "escape") => Stage::Interpolate,
            ("syntax", _) => Stage::Parse,
            ("scope" | "import", _) => Stage::Scope,
            ("types", "ambiguous") => Stage::Ambiguous,
            ("types", _) => Stage::Unify,
            _ => return None,
        })
    }
}

/// The resource graph of a program.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Graph {
    /// The resources, `kind[name]`, sorted.
    pub vertices: Vec<String>,
    /// The edges, `kind[a] -> kind[b]`, sorted.
    pub edges: Vec<String>,
    /// The printed values of fields of `test` resources: name, field, value.
    pub fields: BTreeMap<(String, String), String>,
}

/// The result of a program.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// A stage refuses the program.
    Refused(Stage),
    /// The program types, but fails when it runs.
    Fails,
    /// The program types; mgmt then hangs or crashes.
    Accepted,
    /// The program runs.
    Graph(Graph),
    /// A defect of ours: a panic, or a failure without a known code.
    Broken(String),
}

/// Returns the texts of a JSON array.
fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|text| Some(String::from(text.as_str()?))).collect()
}

impl Answer {
    /// Reads a stored answer, `[stage, rest]`.
    pub fn kept(stage: &str, rest: &Value) -> Option<Answer> {
        Some(match stage {
            "run" => Answer::Fails,
            "accepted" => Answer::Accepted,
            "graph" => {
                let (vertices, edges) = (texts(&rest[0])?, texts(&rest[1])?);
                let field = |field: &Value| {
                    let [name, field, value] = texts(field)?.try_into().ok()?;
                    Some(((name, field.to_lowercase()), value))
                };
                Answer::Graph(Graph {
                    vertices,
                    edges,
                    fields: rest[2].as_array()?.iter().map(field).collect::<Option<_>>()?,
                })
            }
            name => Answer::Refused(Stage::of_name(name)?),
        })
    }

    /// Returns whether this, mgmt's answer, and ours are the same. Of the fields, those of `test` resources that mgmt prints are compared:
    /// each that one of them sets, the other sets too, to the same value.
    pub fn agrees(&self, ours: &Answer) -> bool {
        match (self, ours) {
            (Answer::Accepted, Answer::Graph(_) | Answer::Fails) => true,
            (Answer::Graph(theirs), Answer::Graph(ours)) => {
                theirs.vertices == ours.vertices
                    && theirs.edges == ours.edges
                    && theirs.fields.iter().all(|(field, value)| ours.fields.get(field) == Some(value))
                    && ours.fields.iter().all(|(field, value)| {
                        theirs.fields.contains_key(field) || !is_printed(&field.0, &field.1, value)
                    })
            }
            (theirs, ours) => theirs == ours,
        }
    }

    /// Returns the answer as it is stored.
    pub fn to_json(&self) -> Value {
        match self {
            Answer::Refused(stage) => json!([format!("{stage:?}").to_lowercase(), ""]),
            Answer::Fails => json!(["run", ""]),
            Answer::Accepted => json!(["accepted", null]),
            Answer::Broken(why) => json!(["broken", why]),
            Answer::Graph(Graph { vertices, edges, fields }) => {
                let fields: Vec<_> = fields.iter().map(|((name, field), value)| json!([name, field, value])).collect();
                json!(["graph", [vertices, edges, fields]])
            }
        }
    }
}

/// Returns `true` for a field whose value mgmt prints, and which is not as in a resource without fields. mgmt prints the name of a resource
/// as a format, and a value of several lines cannot be read. It prints 0 for every `uint8`.
fn is_printed(name: &str, field: &str, value: &str) -> bool {
    const EMPTY: [(&str, &str); 9] = [
        ("bool", "false"),
        ("str", ""),
        ("int", "0"),
        ("int8", "0"),
        ("int64", "0"),
        ("float64", "0"),
        ("slicestring", "[]"),
        ("mapintfloat", "map[]"),
        ("anotherstr", ""),
    ];
    let readable = |text: &str| !text.contains(['\n', '\r', '%', '\u{b}', '\u{c}']);
    let empty = EMPTY.iter().find(|(known, _)| *known == field);
    readable(name) && readable(value) && !value.trim().is_empty() && empty.is_some_and(|(_, empty)| *empty != value)
}

fn request(program: &Program, action: Action) -> Outcome {
    let mut session = Session::new(Box::new(program.files.clone().into_iter().collect::<InMemory>()));
    let input = Input::Text { name: "main.mcl".into(), text: program.text.clone().into_bytes() };
    session.run(Request {
        dialect: Some(Dialect::MCL),
        // the local copies of remote modules
        import_paths: vec!["modules".into()],
        ..Request::new(vec![input], action)
    })
}

/// Checks and runs a program. Needs a large stack.
pub fn run(program: &Program) -> Answer {
    catch_unwind(AssertUnwindSafe(|| answer(program))).unwrap_or_else(|_| Answer::Broken("panic".into()))
}

fn answer(program: &Program) -> Answer {
    let checked = request(program, Action::Check(cfg_core::CheckOptions::default()));
    if checked.exit != 0 {
        // All errors are reported here. mgmt reports the first one of the earliest stage.
        let errors = checked.reports.iter().filter(|(severity, _)| *severity == Severity::Error);
        let stage = errors.filter_map(|(_, report)| Stage::of_report(&report.text())).min();
        let fails = checked.reports.iter().any(|(_, report)| code(&report.text()).starts_with("value/"));
        return match stage {
            Some(stage) => Answer::Refused(stage),
            None if fails => Answer::Fails,
            None => Answer::Broken(crate::ours::first_report(&checked)),
        };
    }
    let ran = request(program, Action::Eval { at: None, format: Format::Json });
    if ran.exit != 0 {
        return Answer::Fails;
    }
    match serde_json::from_str(&ran.output.text()).ok().as_ref().and_then(graph) {
        Some(graph) => Answer::Graph(graph),
        None => Answer::Broken(ran.output.text()),
    }
}

/// Reads the resource graph that `cfg eval` prints.
fn graph(value: &Value) -> Option<Graph> {
    let text = |value: &Value, key: &str| Some(String::from(value[key].as_str()?));
    let mut graph = Graph::default();
    for resource in value["resources"].as_array()? {
        let (kind, name) = (text(resource, "kind")?, text(resource, "name")?);
        for (field, value) in resource["fields"].as_object().filter(|_| kind == "test").into_iter().flatten() {
            graph.fields.insert((name.clone(), field.clone()), go(value, field.starts_with("float")));
        }
        graph.vertices.push(format!("{kind}[{name}]"));
    }
    for edge in value["edges"].as_array()? {
        graph.edges.push(format!("{} -> {}", text(edge, "from")?, text(edge, "to")?));
    }
    graph.vertices.sort();
    graph.edges.sort();
    graph.edges.dedup();
    Some(graph)
}

/// Prints a value as Go's `%v` does. `is_float` is whether its numbers are floats.
fn go(value: &Value, is_float: bool) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => match number.as_f64().filter(|_| is_float || !number.is_i64()) {
            Some(float) => go_float(float),
            None => number.to_string(),
        },
        Value::Array(elements) => {
            format!("[{}]", elements.iter().map(|e| go(e, is_float)).collect::<Vec<_>>().join(" "))
        }
        Value::Object(entries) => {
            // maps of test resources have ints as keys and floats as values
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_by_key(|(key, _)| key.parse::<i64>().unwrap_or(0));
            let entries: Vec<_> = entries.iter().map(|(key, value)| format!("{key}:{}", go(value, true))).collect();
            format!("map[{}]", entries.join(" "))
        }
        other => other.to_string(),
    }
}

fn go_float(float: f64) -> String {
    let scientific = format!("{float:e}");
    match scientific.split_once('e') {
        Some((digits, power)) if !(-4..6).contains(&power.parse().unwrap_or(0)) => {
            let (sign, power) = power.strip_prefix('-').map_or(('+', power), |power| ('-', power));
            format!("{digits}e{sign}{power:0>2}")
        }
        _ => float.to_string(),
    }
}

/// The rules of the known differences that `docs/mcl.md` documents, special ones first. `tests/tests/mcl_oracle.rs` says what each is about.
pub const RULES: [&str; 15] = [
    "string end",
    "lookup",
    "earlier",
    "repeated meta",
    "parameters",
    "last digit",
    "nested class",
    "minus",
    "partial meta",
    "import all",
    "variant",
    "double key",
    "unused",
    "mgmt fails",
    "stage",
];

/// Compares our answer with mgmt's. Returns the rule that allows the difference: `None` if they agree, and an empty name if no rule allows it.
pub fn rule(program: &Program, theirs: &Answer, ours: &Answer) -> Option<&'static str> {
    if theirs.agrees(ours) {
        return None;
    }
    let question = json!([program.text, program.files]).to_string();
    let shown = |answer: &Answer| answer.to_json().to_string();
    let difference = Difference { question, theirs: shown(theirs), ours: shown(ours) };
    Some(RULES.into_iter().find(|rule| allows(rule, &difference)).unwrap_or_default())
}

/// Returns whether a rule allows a difference.
pub fn allows(rule: &str, Difference { question, theirs, ours }: &Difference) -> bool {
    let stage = |answer: &str| answer.split('"').nth(1).unwrap_or_default().to_string();
    let (theirs, ours) = (stage(theirs), stage(ours));
    let refused = |stage: &str| ["parse", "init", "interpolate", "scope", "unify", "ambiguous"].contains(&stage);
    match rule {
        "string end" => theirs == "parse" && question.contains(r#"\\\\\""#),
        "lookup" => theirs == "ambiguous" && ["graph", "run", "unify"].contains(&ours.as_str()),
        "earlier" => ["run", "accepted"].contains(&theirs.as_str()) && refused(&ours),
        "stage" => refused(&theirs) && refused(&ours),
        "repeated meta" => theirs == "init" && ours == "graph" && question.matches("Meta:").count() > 1,
        "mgmt fails" => theirs == "run" && ours == "graph",
        "parameters" => ours == "scope" && question.contains("($a, $a)"),
        "last digit" => (theirs.as_str(), ours.as_str()) == ("graph", "graph") && question.contains("pow("),
        "nested class" => ours == "scope" && question.contains("class nx:deep"),
        "minus" => theirs == "parse" && question.contains(" -1"),
        "partial meta" => theirs == "unify" && question.contains("Meta => struct{noop => true,}"),
        "import all" => theirs == "scope" && question.contains(" as *"),
        // mgmt counts a key that a map literal has twice as two
        "double key" => (theirs.as_str(), ours.as_str()) == ("graph", "graph") && question.contains("len({"),
        // mgmt does not look into a class that nothing includes, and not at definitions that nothing uses
        "unused" => theirs == "graph" && ["scope", "unify"].contains(&ours.as_str()) && question.contains("class "),
        "variant" => theirs == "unify" && question.contains(" variant"),
        _ => false,
    }
}
