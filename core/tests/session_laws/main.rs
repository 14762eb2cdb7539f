//! The law of the session: after any inputs, edits, failures, undos, redos, reloads and interrupts, it answers like a
//! new session that ran only the inputs that remain. A state that it returns to answers as it did before.

mod beside;
mod inputs;
mod notebook;
mod past;
mod single;
mod story;

use beside::{Files, Reading, all, answer, difference, session};
use cfg_core::Session;
use inputs::{Input, NAMES, Random};
use std::collections::BTreeMap;
use story::{Story, speak};

const RESULTS: [&str; 5] = ["it", "$1", "$3", "$5", "$8"];
/// The names that the files bind.
const FIELDS: [&str; 6] = ["fa", "fb", "p", "q", "m", "v"];

/// Returns the inputs that remain, as `:history` shows them.
fn done(session: &mut Session) -> String {
    let history = answer(session, ":history");
    let stands = history.lines().filter(|line| !line.trim_end().ends_with("  undone"));
    // undone inputs also affect the width of columns
    let words = stands.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    words.map(|line| line + "\n").collect()
}

/// Checks that two readings are the same.
fn same(what: &str, is: &Reading, other: &Reading) -> Result<(), String> {
    match difference(is, other) {
        difference if difference.is_empty() => Ok(()),
        difference => Err(format!("{what}: {difference}")),
    }
}

/// Runs all inputs, and returns the first violation of the law.
fn law(inputs: &[Input]) -> Result<(), String> {
    let files = Files::default();
    files.put("f.cfg", "{ fa = 1, fb = 2 }");
    files.put("g.json", "{\"p\": 1}");
    files.put("h.jsonnet", "{ m: (import 'f.cfg').fb, h:: 1 }");
    files.put("y.yaml", "v: 1\nl: [x]\n");
    let mut story = Story::new(&files);
    // the readings of states, by language and remaining inputs
    let mut known: BTreeMap<(&str, Vec<usize>), Reading> = BTreeMap::new();
    let names: Vec<&str> = NAMES.into_iter().chain(FIELDS).collect();
    let everything: Vec<&str> = names.iter().copied().chain(RESULTS).collect();
    let mut is = all(&mut story.session, &everything);
    for input in inputs {
        let came = story.enter(input);
        let was = std::mem::replace(&mut is, all(&mut story.session, &everything));
        if came.contains("[value/interrupted]") {
            same(&format!("{:?}: an interrupt changes nothing\n{came}", input.text), &is, &was)?;
        }
        let moves = [":undo", ":redo"].iter().any(|word| input.text.starts_with(word));
        let state = (story.session.dialect().name(), story.stands().to_vec());
        if moves && let Some(was) = known.get(&state) {
            same("what is come back to is as it was", &is, was)?;
        }
        known.insert(state, is.clone());
        let mut fresh = story.again();
        same("it reads as a fresh one", &is, &all(&mut fresh, &everything))?;
        saved(&mut story.session, &files, &names, &everything)?;
    }
    Ok(())
}

/// Checks that a saved session answers like one that loads it.
fn saved(ours: &mut Session, files: &Files, names: &[&str], everything: &[&str]) -> Result<(), String> {
    let done = done(ours);
    // after a file changed, evaluating again gives other results, and so does running a cell again
    let reads_results = |line: &str| [" it", "$1", "$3", "$5", "$8"].iter().any(|result| line.contains(result));
    let changed = [":reload", ":set", ":load"].iter().any(|word| done.contains(word));
    let asked = match changed {
        true if done.lines().any(reads_results) => return Ok(()),
        true => names,
        false => everything,
    };
    answer(ours, ":save s.session");
    let mut fresh = session(&files.as_read(ours));
    answer(&mut fresh, ":load s.session");
    speak(&mut fresh, ours.dialect());
    same("it reads as it was saved", &all(ours, asked), &all(&mut fresh, asked))
}

/// Removes inputs without which the law is still violated.
fn shrunk<T: Clone>(mut inputs: Vec<T>, law: impl Fn(&[T]) -> Result<(), String>) -> Vec<T> {
    let mut at = inputs.len();
    while at > 0 {
        at -= 1;
        let without = [&inputs[..at], &inputs[at + 1..]].concat();
        if law(&without).is_err() {
            inputs = without;
            at = at.min(inputs.len());
        }
    }
    inputs
}

/// Checks a law on random inputs. `SESSION_LAWS` is the number of seeds, `SESSION_LAWS_FROM` the first one.
#[expect(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "how many seeds is asked of who runs the tests, not of the core; they are told what was found as it is"
)]
fn hold<T: Clone + std::fmt::Debug>(inputs: impl Fn(u64, usize) -> Vec<T>, law: impl Fn(&[T]) -> Result<(), String>) {
    let asked = |name: &str| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let (seeds, length) = match asked("SESSION_LAWS") {
        Some(seeds) => (seeds, 40),
        None => (12, 25),
    };
    let from = asked("SESSION_LAWS_FROM").unwrap_or(1);
    let mut broken = Vec::new();
    for seed in from..from + seeds {
        let inputs = inputs(seed, length);
        if let Err(said) = law(&inputs) {
            let inputs = shrunk(inputs, &law);
            let said = law(&inputs).err().unwrap_or(said);
            let inputs: Vec<String> = inputs.iter().map(|input| format!("{input:?}")).collect();
            let said = format!("seed {seed}, after\n{}\n{said}", inputs.join("\n"));
            if asked("SESSION_LAWS").is_none() {
                panic!("{said}");
            }
            eprintln!("{said}");
            broken.push(seed);
        }
    }
    assert!(broken.is_empty(), "broken by the seeds {broken:?}");
}

#[test]
fn a_session_answers_like_a_new_one_with_the_remaining_inputs() {
    let inputs = |seed, length| {
        let mut random = Random(seed);
        (0..length).map(|_| random.input()).collect()
    };
    hold(inputs, law);
}

/// Returns the number of terms inferred for an input.
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
