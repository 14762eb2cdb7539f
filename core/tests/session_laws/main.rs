//! The law of the session: after any inputs, edits, failures, undos, redos, reloads and interrupts it reads as a fresh one
//! that was fed with the inputs that survive; and a state that it comes back to reads as it did.

mod beside;
mod inputs;
mod past;
mod single;

use beside::{Files, Reading, all, answer, difference, interrupted, session};
use cfg_core::session::Session;
use inputs::{Input, NAMES, Random};
use std::collections::BTreeMap;

const RESULTS: [&str; 4] = ["it", "$1", "$3", "$8"];
/// What the files bind.
const FIELDS: [&str; 5] = ["fa", "fb", "p", "q", "m"];

/// What was done, as far as it stands.
fn done(session: &mut Session) -> String {
    let history = answer(session, ":history");
    let stands = history.lines().filter(|line| !line.trim_end().ends_with("  undone"));
    // columns are as wide as what was undone needs
    let words = stands.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    words.map(|line| line + "\n").collect()
}

/// Does it all, and says where it read as it should not.
fn law(inputs: &[Input]) -> Result<(), String> {
    let files = Files::default();
    files.put("f.cfg", "{ fa = 1, fb = 2 }");
    files.put("g.json", "{\"p\": 1}");
    files.put("h.jsonnet", "{ m: (import 'f.cfg').fb, h:: 1 }");
    let mut ours = session(&files);
    // how states read, by what was done
    let mut known: BTreeMap<String, Reading> = BTreeMap::new();
    let names: Vec<&str> = NAMES.into_iter().chain(FIELDS).collect();
    let everything: Vec<&str> = names.iter().copied().chain(RESULTS).collect();
    let mut is = all(&mut ours, &everything);
    let same = |what: &str, is: &Reading, other: &Reading| match difference(is, other) {
        difference if difference.is_empty() => Ok(()),
        difference => Err(format!("{what}: {difference}")),
    };
    for input in inputs {
        match input.disk {
            Some((file, Some(text))) => files.put(file, text),
            Some((file, None)) => files.remove(file),
            None => {}
        }
        let came = match input.interrupt {
            Some(after) => interrupted(&mut ours, &input.text, after),
            None => answer(&mut ours, &input.text),
        };
        let was = std::mem::replace(&mut is, all(&mut ours, &everything));
        if came.contains("[value/interrupted]") {
            same(&format!("{:?}: an interrupt changes nothing\n{came}", input.text), &is, &was)?;
        }
        let done = done(&mut ours);
        let moves = [":undo", ":redo"].iter().any(|word| input.text.starts_with(word));
        if moves && let Some(was) = known.get(&done) {
            same("what is come back to is as it was", &is, was)?;
        }
        known.insert(done.clone(), is.clone());
        // a result stays what it was seen as when a file changes: evaluated again, it is another
        let reads_results = |line: &str| [" it", "$3"].iter().any(|result| line.contains(result));
        let changed = [":reload", ":set", ":load"].iter().any(|word| done.contains(word));
        let asked: &[&str] = match changed {
            true if done.lines().any(reads_results) => continue,
            true => &names,
            false => &everything,
        };
        answer(&mut ours, ":save s.session");
        let mut fresh = session(&files.as_read(&ours));
        answer(&mut fresh, ":load s.session");
        same("it reads as a fresh one", &all(&mut ours, asked), &all(&mut fresh, asked))?;
    }
    Ok(())
}

/// The inputs without those that the law is broken without.
fn shrunk(mut inputs: Vec<Input>) -> Vec<Input> {
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

#[test]
#[expect(clippy::disallowed_methods, reason = "how many seeds is asked of who runs the tests, not of the core")]
fn a_session_reads_as_a_fresh_one_fed_with_what_survives() {
    let asked = |name: &str| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let (seeds, length) = match asked("SESSION_LAWS") {
        Some(seeds) => (seeds, 40),
        None => (12, 25),
    };
    let from = asked("SESSION_LAWS_FROM").unwrap_or(1);
    for seed in from..from + seeds {
        let mut random = Random(seed);
        let inputs: Vec<Input> = (0..length).map(|_| random.input()).collect();
        if let Err(said) = law(&inputs) {
            let inputs = shrunk(inputs);
            let said = law(&inputs).err().unwrap_or(said);
            let inputs: Vec<String> = inputs.iter().map(|input| format!("{input:?}")).collect();
            panic!("seed {seed}, after\n{}\n{said}", inputs.join("\n"));
        }
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
