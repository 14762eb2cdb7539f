//! Cells that are run again, in any order.

use super::PageWidths;
use crate::loader::NoLoader;
use crate::session::{Event, Session};

fn values(events: &[Event]) -> Vec<String> {
    let value = |event: &Event| match event {
        Event::Value { number, value, .. } => Some(format!("{number}: {}", value.text())),
        _ => None,
    };
    events.iter().filter_map(value).collect()
}

#[test]
fn an_expression_beside_the_cells_leaves_no_trace() {
    let mut session = Session::new(Box::new(NoLoader));
    assert_eq!(values(&session.submit("let x = 20\nx + 1")), ["1: 21"]);
    assert_eq!(values(&session.evaluate("x * 2")), ["2: 40"]);
    assert!(matches!(session.evaluate("nothing").as_slice(), [Event::Diagnostic { .. }]));
    assert_eq!(values(&session.submit("it")), ["2: 21"]);
}

/// Runs cells by name, as a notebook does.
struct Notebook {
    session: Session,
    runs: Vec<(&'static str, Vec<u32>)>,
}

impl Notebook {
    fn new() -> Notebook {
        Notebook { session: Session::new(Box::new(NoLoader)), runs: Vec::new() }
    }

    fn run(&mut self, cell: &'static str, text: &str) -> super::CellReads {
        let number = self.session.next_number();
        let at = self.runs.iter().position(|(name, _)| *name == cell).unwrap_or_else(|| {
            self.runs.push((cell, Vec::new()));
            self.runs.len() - 1
        });
        let again = self.session.rerun(&self.runs[at].1);
        let (first, rest) = text.split_once("\n;\n").unwrap_or(("", text));
        if !first.is_empty() {
            self.session.submit_again(first, &again, PageWidths::default(), false);
            self.runs[at].1.push(number);
        }
        let number = self.session.next_number();
        let (events, reads) = self.session.submit_again(rest, &again, PageWidths::default(), true);
        assert!(
            !events.iter().any(|e| matches!(e, Event::Diagnostic { severity: crate::problem::Severity::Error, .. }))
        );
        self.runs[at].1.push(number);
        reads
    }

    fn value(&mut self, text: &str) -> String {
        let events = self.session.evaluate(text);
        let value = events.iter().find_map(|e| match e {
            Event::Value { value, .. } => Some(value.text()),
            _ => None,
        });
        value.unwrap_or_else(|| String::from("none"))
    }
}

#[test]
fn a_cell_run_again_reads_what_stood_before_it_and_never_itself() {
    let mut notebook = Notebook::new();
    notebook.run("a", "x = { n = 1 }");
    notebook.run("b", "x = x & { b = 1 }");
    assert_eq!(notebook.value("x"), "{ b = 1, n = 1 }");
    // run again: nothing is added twice
    notebook.run("b", "x = x & { b = 2 }");
    assert_eq!(notebook.value("x"), "{ b = 2, n = 1 }");
    // the cell before: its definition is the newest now, and not built on what was built on it
    notebook.run("a", "x = { n = 3 }");
    assert_eq!(notebook.value("x"), "{ n = 3 }");
    notebook.run("b", "x = x & { b = 2 }");
    assert_eq!(notebook.value("x"), "{ b = 2, n = 3 }");
    notebook.run("c", "x = x & { c = 1 }");
    notebook.run("a", "x = { n = 4 }");
    notebook.run("b", "x = x & { b = 2 }");
    notebook.run("c", "x = x & { c = 1 }");
    assert_eq!(notebook.value("x"), "{ b = 2, c = 1, n = 4 }");
    // inputs of one run read each other
    notebook.run("d", "x = x & { d = 1 }\n;\nx = x & { e = 1 }");
    notebook.run("d", "x = x & { d = 2 }\n;\nx = x & { e = 2 }\nx = x & { f = 1 }");
    assert_eq!(notebook.value("x"), "{ b = 2, c = 1, d = 2, e = 2, f = 1, n = 4 }");
}

#[test]
fn a_key_that_extends_its_predecessor_does_not_extend_itself_when_its_cell_runs_again() {
    let mut notebook = Notebook::new();
    notebook.session.submit(":dialect yay");
    notebook.run("a", "web:\n  port: 80\nweb:\n  host: a");
    notebook.run("b", "web:\n  tls: true");
    let all = r#"{ host: "a", port: 80, tls: "true" }"#;
    assert_eq!(notebook.value("{{ web }}"), all);
    // nothing defined `web` before the first cell
    notebook.run("a", "web:\n  port: 81\nweb:\n  host: a");
    assert_eq!(notebook.value("{{ web }}"), r#"{ host: "a", port: 81 }"#);
    notebook.run("b", "web:\n  tls: true");
    assert_eq!(notebook.value("{{ web }}"), all.replace("80", "81"));
    notebook.run("c", "list:\n  - 1");
    notebook.run("c", "list:\n  - 2\nextend list:\n  - 3");
    assert_eq!(notebook.value("{{ list }}"), "[2, 3]");
    // a name that the cell does not define is still read
    notebook.run("d", "port: {{ web.port }}\nown: {{ port }}");
    notebook.run("d", "port: {{ web.port }}\nown: {{ port }}");
    assert_eq!(notebook.value("{{ own }}"), "81");
}

#[test]
fn what_a_cell_binds_no_more_is_what_it_was_before() {
    let mut notebook = Notebook::new();
    notebook.run("a", "x = 1");
    notebook.run("b", "x = 2\ny = x");
    assert_eq!((notebook.value("x"), notebook.value("y")), ("2".into(), "2".into()));
    notebook.run("b", "z = x");
    assert_eq!(
        (notebook.value("x"), notebook.value("y"), notebook.value("z")),
        ("1".into(), "none".into(), "1".into())
    );
    let runs = notebook.runs[0].1.clone();
    notebook.session.forget_cells(&runs, PageWidths::default());
    assert_eq!(notebook.value("x"), "none");
    notebook.session.submit(":undo");
    assert_eq!(notebook.value("z"), "1");
}

#[test]
fn prints_tell_what_was_read_from_what_was_not() {
    let mut notebook = Notebook::new();
    notebook.run("a", "let x = 1\nlet other = 1");
    notebook.run("b", "let y = x + 1");
    let reads = [
        notebook.run("c", "y"),
        notebook.run("d", "other"),
        notebook.run("e", "x = x + 1"),
        notebook.run("f", ":type y"),
    ];
    let fingerprints = |notebook: &Notebook| notebook.session.fingerprints(&reads.iter().collect::<Vec<_>>());
    let before = fingerprints(&notebook);
    notebook.run("b", "let y = x + 2");
    let after = fingerprints(&notebook);
    let changed: Vec<bool> = before.iter().zip(&after).map(|(a, b)| a != b).collect();
    assert_eq!(changed, [true, false, false, true]);
    notebook.run("b", "let y = x + 1");
    assert_eq!(fingerprints(&notebook), before);
}

#[test]
fn what_is_tried_out_leaves_no_trace() {
    let mut session = Session::new(Box::new(NoLoader));
    session.submit("let x = { a = 1 }");
    session.submit("x");
    let seen = session.try_out(|session| {
        session.submit("let x = 7");
        session.submit(":set type off");
        session.submit("%%jsonnet\nlocal z = 1");
        values(&session.submit("x"))
    });
    assert_eq!(seen, ["5: 7"]);
    assert_eq!(values(&session.submit("it & x")), ["3: { a = 1 }"]);
    assert_eq!(session.option("type").as_deref(), Some("on"));
    assert!(session.evaluate("z").iter().all(|e| matches!(e, Event::Diagnostic { .. })));
}

#[test]
fn cells_have_the_numbers_of_the_notebook() {
    let mut session = Session::new(Box::new(NoLoader));
    session.set_next_number(7);
    assert_eq!(values(&session.submit("1")), ["7: 1"]);
    assert_eq!(values(&session.submit("$7 + 1")), ["8: 2"]);
}

#[test]
fn a_question_about_the_last_result_that_runs_again_is_about_the_result_before_it() {
    let mut session = Session::new(Box::new(NoLoader));
    session.submit("{ n = 1 }");
    let text = |events: &[Event]| -> String {
        let shown = events.iter().filter_map(|event| match event {
            Event::Answer(text) | Event::View { text, .. } => Some(text.text()),
            _ => None,
        });
        shown.collect()
    };
    let number = session.next_number();
    let before = text(&session.submit(":query it.n"));
    assert!(before.contains('1'), "{before}");
    session.submit("5");
    session.set_next_number(number);
    let again = session.rerun_unasked(&[number]);
    let (events, _) = session.submit_again(":query it.n", &again, PageWidths::default(), true);
    assert_eq!(text(&events), before);
}

impl Notebook {
    /// Runs a cell of several inputs. Returns its values, errors and answers.
    fn shows(&mut self, cell: &'static str, inputs: &[&str]) -> Vec<String> {
        let runs = self.runs.iter().find(|(name, _)| *name == cell).map(|(_, runs)| runs.clone());
        let again = self.session.rerun(&runs.unwrap_or_default());
        let mut shown = Vec::new();
        for (at, input) in inputs.iter().enumerate() {
            let number = self.session.next_number();
            let (events, _) = self.session.submit_again(input, &again, PageWidths::default(), at + 1 == inputs.len());
            if self.session.next_number() > number {
                match self.runs.iter_mut().find(|(name, _)| *name == cell) {
                    Some((_, runs)) => runs.push(number),
                    None => self.runs.push((cell, vec![number])),
                }
            }
            shown.extend(events.into_iter().filter_map(|event| match event {
                Event::Value { value, .. } => Some(value.text()),
                Event::Diagnostic { report, .. } => Some(report.text().lines().next().unwrap_or_default().into()),
                Event::View { text, .. } => Some(text.text()),
                Event::Answer(line) => Some(line.text()),
                _ => None,
            }));
        }
        shown
    }
}

#[test]
fn a_cell_run_again_does_not_read_the_definitions_of_its_earlier_runs() {
    let mut notebook = Notebook::new();
    notebook.shows("a", &["x = 1"]);
    notebook.shows("c", &["y = x + 1"]);
    for _ in 0..3 {
        // directly, through another definition, and in a definition
        assert_eq!(notebook.shows("b", &["x\ny\nz = x * 10\nz\nx = 5\nx"]), ["1", "2", "10", "5"]);
        assert_eq!(notebook.value("[x, y, z]"), "[5, 6, 50]");
    }
    notebook.session.submit(":undo");
    assert_eq!(notebook.value("[x, y, z]"), "[5, 6, 50]");
    notebook.session.submit(":undo 2");
    assert_eq!(notebook.value("[x, y]"), "[1, 2]");
    // a definition by another cell that is newer counts
    notebook.shows("d", &["x = 7"]);
    for _ in 0..3 {
        assert_eq!(notebook.shows("b", &["x\nx = 5"]), ["7"]);
    }
}

#[test]
fn a_question_in_a_cell_run_again_does_not_read_its_own_definitions() {
    let mut notebook = Notebook::new();
    notebook.shows("a", &["x = 1"]);
    notebook.shows("c", &["y = x + 1"]);
    for _ in 0..3 {
        let shown = notebook.shows("b", &[":type x", ":check y == 2", "x = \"s\"", ":type x", ":check x == \"s\""]);
        assert_eq!(shown.first().map(String::as_str), Some("Number"), "{shown:?}");
        assert_eq!(notebook.session.check_passed(), Some(true));
        assert_eq!(shown.iter().filter(|line| *line == "String").count(), 1, "{shown:?}");
        assert!(!shown.iter().any(|line| line.contains("fails")), "{shown:?}");
        assert_eq!(notebook.value("x"), "\"s\"");
    }
}

#[test]
fn a_name_that_only_earlier_runs_of_the_cell_defined_is_unbound() {
    let mut notebook = Notebook::new();
    notebook.shows("b", &["x = 5"]);
    for text in ["x\nx = 6", "z = x + 1\nx = 6"] {
        for _ in 0..2 {
            let shown = notebook.shows("b", &[text]);
            assert!(shown.iter().any(|line| line.contains("[scope/unbound]")), "{text}: {shown:?}");
            // a cell that does not run changes nothing
            assert_eq!(notebook.value("x"), "5");
        }
    }
    assert_eq!(notebook.shows("b", &["x = 6\nx"]), ["6"]);
}
