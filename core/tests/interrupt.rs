//! An interrupt stops whatever is running, and the session continues.

use cfg_core::language::{Names, Stop, StopFlag};
use cfg_core::text::{Name, SourceId};
use cfg_core::{Action, Dialect, Event, Format, InMemory, Input, Interrupt, Loader, NoLoader, Request, Session};
use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Submits a text while another thread raises the interrupt again and again.
fn interrupted(session: &mut Session, text: &str) -> Vec<Event> {
    let done = AtomicBool::new(false);
    let handle = session.interrupt_handle();
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(1));
                handle.raise();
            }
        });
        let events = session.submit(text);
        done.store(true, Ordering::Relaxed);
        events
    })
}

fn codes(events: &[Event]) -> Vec<String> {
    let code = |event: &Event| match event {
        Event::Diagnostic { report, .. } => {
            let text = report.text();
            let (_, rest) = text.split_once('[')?;
            Some(String::from(rest.split_once(']')?.0))
        }
        _ => None,
    };
    events.iter().filter_map(code).collect()
}

#[test]
fn whatever_runs_is_interrupted_and_the_session_continues() {
    let long = format!("[{}]", "{ a = 1, b = \"two\", c = [3] }, ".repeat(100_000));
    let typed = format!("{{ {} }}", (0..30_000).map(|i| format!("f{i} = fun x => x + {i}, ")).collect::<String>());
    for (what, text) in [
        ("reading", long.as_str()),
        ("inference", typed.as_str()),
        ("evaluation", "let rec f = fun x => f x in f 1"),
        ("a long array", "std.array.fold_left (fun a b => a + b) 0 (std.array.range 0 1000000)"),
    ] {
        let mut session = Session::new(Box::new(NoLoader));
        session.submit("kept = 1");
        let events = interrupted(&mut session, text);
        assert_eq!(codes(&events), ["value/interrupted"], "{what}");
        assert_eq!(codes(&session.submit("kept + 1")), Vec::<String>::new(), "{what}");
    }
}

/// Files whose reading raises the interrupt, once there is one.
struct Raising(InMemory, Rc<RefCell<Option<Interrupt>>>);

impl Loader for Raising {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.1.borrow().iter().for_each(Interrupt::raise);
        self.0.read(path)
    }
    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.0.canonical(path)
    }
    fn env(&self, name: &str) -> Option<String> {
        self.0.env(name)
    }
    fn list(&self, path: &Path) -> Vec<String> {
        self.0.list(path)
    }
    fn stamp(&self, path: &Path) -> Option<u64> {
        self.0.stamp(path)
    }
}

#[test]
fn a_file_is_not_parsed_after_an_interrupt() {
    for (name, text) in [("a.cfg", "{ a = [ }"), ("a.jsonnet", "{ a: [ }"), ("a.yaml", "a: [")] {
        let reports = |interrupted: bool| {
            let interrupt = Rc::default();
            let files: InMemory = [(name, text)].into_iter().collect();
            let mut session = Session::new(Box::new(Raising(files, Rc::clone(&interrupt))));
            interrupt.replace(interrupted.then(|| session.interrupt_handle()));
            let outcome = session.run(Request::new(
                vec![Input::File(PathBuf::from(name))],
                Action::Eval { at: None, format: Format::Json },
            ));
            outcome.reports.iter().map(|(_, report)| report.text()).collect::<String>()
        };
        // what is wrong with the text is not found
        let (stopped, whole) = (reports(true), reports(false));
        assert!(stopped.contains("[value/interrupted]") && !stopped.contains("syntax"), "{name}: {stopped}");
        assert!(whole.contains("syntax") && !whole.contains("[value/interrupted]"), "{name}: {whole}");
    }
}

/// Binds `std`, and is interrupted from the start.
struct Stopped(StopFlag);

impl Names for Stopped {
    fn is_bound(&self, name: &str) -> bool {
        name == "std"
    }
    fn all(&self) -> Vec<Name> {
        Vec::new()
    }
    fn stop(&self) -> Stop<'_> {
        Stop::on(&self.0)
    }
}

#[test]
fn a_text_whose_parsing_is_interrupted_has_no_other_problem() {
    let stopped = Stopped(StopFlag::default());
    stopped.0.set();
    for dialect in [Dialect::CFG, Dialect::JSON, Dialect::YAML, Dialect::TOML] {
        let program = dialect.program(SourceId(0), "{ a = [1, nowhere", &stopped);
        let codes: Vec<_> = program.problems.iter().map(|p| p.code()).collect();
        assert_eq!(codes, ["value/interrupted"], "{}", dialect.name());
    }
    assert!(Dialect::CFG.cell(SourceId(0), "a = 1, b = a", &stopped).items.is_empty());
}

/// Evaluates a value of 100,000 records completely.
fn huge(session: &mut Session) {
    session.submit("huge = std.array.map (fun n => { n, s = [n] }) (std.array.range 0 100000)");
    assert!(codes(&session.submit("std.array.fold_left (fun a r => a + std.array.length r.s) 0 huge")).is_empty());
    while session.free_deferred(&|| false) {}
}

#[test]
fn unused_values_are_freed_while_idle() {
    let mut session = Session::new(Box::new(NoLoader));
    huge(&mut session);
    session.submit("huge = 1");
    assert!(session.free_deferred(&|| true), "whoever asks for something is not kept waiting");
    assert!(!session.free_deferred(&|| false), "who waits does all of it");
    assert!(!session.free_deferred(&|| true), "then nothing is left");
}

#[test]
fn unused_values_are_freed_during_the_next_input() {
    let mut session = Session::new(Box::new(NoLoader));
    huge(&mut session);
    session.submit("huge = 1");
    assert!(session.free_deferred(&|| true));
    // a script is never idle
    let inner = "std.array.fold_left (fun b m => b + m) a (std.array.range 0 500)";
    let busy = format!("std.array.fold_left (fun a n => {inner}) 0 (std.array.range 0 800)");
    assert!(codes(&session.submit(&busy)).is_empty());
    assert!(!session.free_deferred(&|| true), "nothing is left");
}
