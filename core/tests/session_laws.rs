//! The law of the session: after any inputs, edits, failures, undos, redos, reloads and interrupts it reads as a fresh one
//! that was fed with the inputs that survive; and a state that it comes back to reads as it did.

use cfg_core::loader::Loader;
use cfg_core::session::{Event, Interrupt, Session};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Files in memory. Reading `stop.cfg` is somebody who interrupts.
#[derive(Clone, Default)]
struct Files {
    all: Rc<RefCell<BTreeMap<PathBuf, String>>>,
    stop: Rc<RefCell<Option<Interrupt>>>,
}

impl Loader for Files {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if path.ends_with("stop.cfg")
            && let Some(stop) = &*self.stop.borrow()
        {
            stop.raise();
        }
        let all = self.all.borrow();
        all.get(path).map(|t| t.clone().into_bytes()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        let there = path.ends_with("stop.cfg") || self.all.borrow().contains_key(path);
        if there { Ok(path.to_path_buf()) } else { Err(io::ErrorKind::NotFound.into()) }
    }
    fn env(&self, _: &str) -> Option<String> {
        None
    }
    fn list(&self, _: &Path) -> Vec<String> {
        Vec::new()
    }
    fn stamp(&self, _: &Path) -> Option<u64> {
        None
    }
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.all.borrow_mut().insert(path.to_path_buf(), String::from_utf8_lossy(bytes).into_owned());
        Ok(())
    }
}

fn session(files: &Files) -> Session {
    let mut session = Session::new(Box::new(files.clone()));
    *files.stop.borrow_mut() = Some(session.interrupt_handle());
    let stop = session.interrupt_handle();
    session.set_output(Rc::new(move |text| {
        if text.contains("stop") {
            stop.raise();
        }
    }));
    session
}

fn answer(session: &mut Session, input: &str) -> String {
    let text = session.submit(input).into_iter().map(|event| match event {
        Event::Value { value, ty, .. } => format!("{} : {}\n", value.text(), ty.text()),
        Event::Bound(text) | Event::Answer(text) | Event::View { text, .. } => format!("{}\n", text.text()),
        Event::Diagnostic { report, .. } => format!("{}\n", report.text()),
        Event::Steps { .. } | Event::Output(_) | Event::Quit => String::new(),
    });
    text.collect()
}

const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];
const RESULTS: [&str; 4] = ["it", "$1", "$3", "$8"];

/// Everything that can be asked of a session, without entering a cell.
fn all(session: &mut Session, results: &[&str]) -> String {
    let mut out = answer(session, ":env");
    for name in NAMES.iter().chain(&["fa", "fb"]).chain(results) {
        for command in ["type", "query", "deps", "explain"] {
            out += &format!(":{command} {name}\n{}", answer(session, &format!(":{command} {name}")));
        }
    }
    out
}

/// What was done, as far as it stands.
fn done(session: &mut Session) -> String {
    let history = answer(session, ":history");
    let stands = history.lines().filter(|line| !line.trim_end().ends_with("  undone"));
    // columns are as wide as what was undone needs
    let words = stands.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    words.map(|line| line + "\n").collect()
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % limit
    }

    /// An input. What reads what is an order: definitions that read each other have the type of whoever was first.
    fn input(&mut self, files: &Files) -> String {
        let at = self.below(NAMES.len());
        let name = NAMES[at];
        let reads = match at {
            0 => ["fa", "fb", "2"][self.below(3)],
            _ => NAMES[self.below(at)],
        };
        let number = self.below(4);
        match self.below(30) {
            0 => format!("{name} = {number}"),
            1 => format!("{name} = \"{number}\""),
            2 | 3 => format!("{name} = {reads} + 1"),
            4 => format!("{name} = {{ v = {reads}, w{number} | default | doc \"of {name}\" = {number} }}"),
            5 => format!("{name} = {name} & {{ k{number} = {reads} }}"),
            6 => format!("{name} = {reads}.v"),
            7 => format!("let {name} : Number = {reads}"),
            8 => format!("%%jsonnet\nlocal {name} = {reads} + 1"),
            9 => format!("%%jsonnet\nlocal {name} = {{ v: {reads}, h:: self.v, w{number}: {number} }}"),
            10 => format!("%%jsonnet\nlocal {name}(x) = [x, {reads}]"),
            11 => format!("let rec {name} = fun n => if n == 0 then {reads} else {name} (n - 1)"),
            12 | 13 => String::from(name),
            14 => format!("[{reads}, {name}]"),
            15 => format!("it == {name}"),
            16 => format!("{name} = it"),
            17 => format!("{name} = $3"),
            18 => format!("{name} = nope + {reads}"),
            19 => format!("{name} = +* {reads}"),
            20 => format!("{name} = (import \"stop.cfg\") + {reads}"),
            21 => String::from("std.trace \"stop\" (std.array.fold_left (+) 0 (std.array.range 0 100000))"),
            22 => String::from(":load f.cfg"),
            23 => format!("{name} = (import \"f.cfg\").fb"),
            24 => {
                let text = ["{ fa = 1, fb = 2 }", "{ fa = \"s\", fb = { v = 1 } }", "{ fa = 1, fb = fa }", "{ fa = "];
                files.write(Path::new("f.cfg"), text[number].as_bytes()).unwrap();
                String::from(":reload")
            }
            25 | 26 => format!(":undo {}", number + 1),
            27 | 28 => format!(":redo {}", number + 1),
            _ if number == 0 => String::from(":reset"),
            _ => String::from(":undo"),
        }
    }
}

fn law(seed: u64, length: usize) {
    let mut random = Random(seed);
    let files = Files::default();
    files.write(Path::new("f.cfg"), b"{ fa = 1, fb = 2 }").unwrap();
    let mut ours = session(&files);
    let mut inputs: Vec<String> = Vec::new();
    // what stands on the disk that a state has read, and how it read, by what was done
    let mut known: BTreeMap<String, (String, String)> = BTreeMap::new();
    let mut read = files.all.borrow()[Path::new("f.cfg")].clone();
    for _ in 0..length {
        let had = done(&mut ours).contains("f.cfg");
        let input = random.input(&files);
        inputs.push(input.clone());
        let came = answer(&mut ours, &input);
        let moves = input.starts_with(":undo") || input.starts_with(":redo");
        let done = done(&mut ours);
        if moves {
            if let Some((text, _)) = known.get(&done) {
                read = text.clone();
            }
        } else if (input == ":reload" && !came.contains("stay loaded"))
            || (input == ":load f.cfg" && !came.contains("error"))
            || !had
            || !done.contains("f.cfg")
        {
            read = files.all.borrow()[Path::new("f.cfg")].clone();
        }
        let is = all(&mut ours, &RESULTS);
        let inputs = || inputs.join("\n");
        if moves && let Some((_, was)) = known.get(&done) {
            assert_eq!(*was, is, "seed {seed}: what is come back to, after\n{}", inputs());
        }
        known.insert(done.clone(), (read.clone(), is.clone()));
        // a result stays what it was seen as when a file changes: evaluated again, it is another
        let reads_results = |line: &str| [" it", "$3"].iter().any(|result| line.contains(result));
        let results: &[&str] = match done.contains(":reload") {
            true if done.lines().any(reads_results) => continue,
            true => &[],
            false => &RESULTS,
        };
        answer(&mut ours, ":save s.session");
        let beside = Files::default();
        beside.all.replace(files.all.borrow().clone());
        beside.write(Path::new("f.cfg"), read.as_bytes()).unwrap();
        let mut fresh = session(&beside);
        answer(&mut fresh, ":load s.session");
        let (fresh, is) = (all(&mut fresh, results), all(&mut ours, results));
        assert_eq!(fresh, is, "seed {seed}: a fresh session, after\n{}", inputs());
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "how many seeds is asked of who runs the tests, not of the core")]
fn a_session_reads_as_a_fresh_one_fed_with_what_survives() {
    let (seeds, length) = match std::env::var("SESSION_LAWS").ok().and_then(|n| n.parse().ok()) {
        Some(seeds) => (seeds, 40),
        None => (12, 25),
    };
    for seed in 1..=seeds {
        law(seed, length);
    }
}

/// How many terms are inferred for an input.
fn inferred(session: &mut Session, input: &str) -> u64 {
    let before = session.inferences();
    let came = answer(session, input);
    assert!(!came.contains("error"), "{came}");
    session.inferences() - before
}

#[test]
fn only_what_may_have_another_type_is_inferred_again() {
    let mut session = session(&Files::default());
    let enter = |session: &mut Session, input: String| inferred(session, &input);
    enter(&mut session, String::from("x0 = 1"));
    for n in 1..100 {
        assert_eq!(enter(&mut session, format!("x{n} = [x{}]", n - 1)), 1);
        assert_eq!(enter(&mut session, format!("y{n} = std.array.length x{n}")), 1);
    }
    assert_eq!(inferred(&mut session, "x0 = 2"), 1, "the type is the same");
    assert_eq!(
        inferred(&mut session, "x0 = \"s\""),
        1 + 2 * 99,
        "every type below is another, and each is inferred once"
    );
    assert_eq!(inferred(&mut session, "x98 = [x97]"), 1);
    assert_eq!(inferred(&mut session, "y5 = \"s\""), 1, "nobody reads it");
    for time in [":undo", ":undo 2", ":redo 3", ":undo 200", ":redo 200", ":reset", ":undo", ":history x0"] {
        assert_eq!(inferred(&mut session, time), 0, "{time}");
    }
}
