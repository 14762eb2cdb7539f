//! Embeds cfg in a program. The program holds the files, and reads values, types, explanations and problems as data.
//!
//! ```sh
//! cargo run -p cfg-core --example embed
//! ```

#![allow(clippy::disallowed_macros, reason = "a program prints, unlike the core")]

use cfg_core::serde_json::Value as Json;
use cfg_core::{Action, Event, Format, InMemory, Input, Request, Session, Severity};
use std::error::Error;

/// The defaults of a server, and a file of its user that overrides one of them.
const FILES: [(&str, &str); 2] = [
    ("server.cfg", "{ host | String | default = \"localhost\", port | Number | default = 80, next = port + 1 }"),
    ("user.cfg", "(import \"server.cfg\") & { port = 8080 }"),
];

/// A value and its type. `docs/schema/value.json` describes `data`.
struct Answer {
    value: Json,
    ty: String,
    data: Json,
}

/// A problem. `docs/schema/problem.json` describes the data that it is read from.
#[derive(Debug)]
struct Problem {
    code: String,
    message: String,
    place: String,
}

/// Runs an expression. Returns its value, or the errors if there are any.
fn evaluate(session: &mut Session, expression: &str) -> Result<Answer, Vec<Problem>> {
    let (mut answer, mut problems) = (None, Vec::new());
    for event in session.submit(expression) {
        let data = event.rich().map_or(Json::Null, |rich| rich.json.clone());
        match event {
            Event::Value { ty, .. } => answer = Some(Answer { value: data["value"].clone(), ty: ty.text(), data }),
            Event::Diagnostic { severity: Severity::Error, .. } => problems.push(problem(&data)),
            _ => {}
        }
    }
    match answer {
        Some(answer) if problems.is_empty() => Ok(answer),
        _ => Err(problems),
    }
}

fn problem(data: &Json) -> Problem {
    let text = |value: &Json| value.as_str().unwrap_or_default().to_string();
    let source = &data["places"][0]["source"];
    let place = format!("{}:{}:{}", text(&source["file"]), source["line"], source["column"]);
    Problem { code: text(&data["code"]), message: text(&data["message"]), place }
}

/// Asks a question, such as `:explain a.b`, and returns the answer as data, described by a file in `docs/schema`.
fn ask(session: &mut Session, question: &str) -> Option<Json> {
    session.submit(question).into_iter().find_map(|event| event.rich().map(|rich| rich.json.clone()))
}

fn main() -> Result<(), Box<dyn Error>> {
    let files: InMemory = FILES.into_iter().collect();
    let mut session = Session::new(Box::new(files.clone()));
    // answers have a form as data too
    session.set_rich(true);

    session.submit("config = import \"user.cfg\"");
    let answer = evaluate(&mut session, "config").map_err(|problems| format!("{problems:?}"))?;
    assert_eq!(answer.value["port"], 8080);
    assert_eq!(answer.ty, "{ host : String, next : Number, port : Number }");
    assert_eq!(answer.data["fields"][0]["name"], "host");
    println!("the port is {}, the type {}", answer.value["port"], answer.ty);

    let explanation = ask(&mut session, ":explain config.port").ok_or("no explanation")?;
    let definitions = explanation["definitions"].as_array().ok_or("no definitions")?;
    for definition in definitions {
        println!(
            "{}: {} at {}:{}",
            definition["outcome"], definition["value"], definition["place"]["file"], definition["place"]["line"]
        );
    }
    assert_eq!(definitions.len(), 2);

    let problems = evaluate(&mut session, "config & { port = \"80\" }").err().ok_or("a problem was expected")?;
    for Problem { code, message, place } in &problems {
        println!("{place}: {message} [{code}]");
    }
    assert!(problems.iter().any(|problem| problem.code == "value/merge-conflict"));

    // the same as `cfg eval user.cfg --format yaml`, without a prompt
    let request = Request::new(vec![Input::File("user.cfg".into())], Action::Eval { at: None, format: Format::Yaml });
    let outcome = Session::new(Box::new(files)).run(request);
    assert_eq!((outcome.exit, outcome.output.text().as_str()), (0, "host: localhost\nnext: 8081\nport: 8080\n"));
    print!("{}", outcome.output.text());
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
