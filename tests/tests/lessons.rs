//! The exercises of the lessons: each check fails on the empty cell and on wrong solutions, and passes on right ones that
//! are written differently. `tests/lessons/` holds solutions; the lesson holds one more.

use cfg_core::notebook::PageWidths;
use cfg_core::{InMemory, Session};
use cfg_lessons::{Exercise, FILES, LESSONS, Lesson, Part, cells};
use cfg_tests::binary::root;

/// Runs a function on a thread with a stack as large as the prompt's.
fn with_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(128 << 20).spawn(work).unwrap();
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// Runs a cell.
fn enter(session: &mut Session, cell: &str) {
    for input in session.inputs(cell) {
        session.submit(&input);
    }
}

/// Returns a session in which the cells before an exercise ran.
fn before(lesson: &Lesson, exercise: &Exercise) -> Session {
    let files: InMemory = FILES.iter().copied().collect();
    let mut session = Session::new(Box::new(files));
    for part in lesson.steps.iter().flat_map(|step| &step.parts) {
        match part {
            Part::Cell { text, .. } => enter(&mut session, text),
            Part::Exercise(found) if found == exercise => break,
            Part::Exercise(earlier) => enter(&mut session, &earlier.solution),
            Part::Prose(_) => {}
        }
    }
    session
}

/// Runs the check of an exercise after a solution. Returns whether it passed, and what its commands print.
fn checked(lesson: &Lesson, exercise: &Exercise, solution: &str) -> (bool, String) {
    let mut session = before(lesson, exercise);
    enter(&mut session, solution);
    let mut earlier = Vec::new();
    let first = run_check(&mut session, exercise, &mut earlier);
    for _ in 0..2 {
        let (passed, said) = run_check(&mut session, exercise, &mut earlier);
        assert_eq!(passed, first.0, "{}: the check runs again after\n{solution}\n{said}", lesson.name);
    }
    first
}

/// Runs the cell of a check, whose earlier runs had these numbers. Returns whether it passed, and what its commands print.
fn run_check(session: &mut Session, exercise: &Exercise, earlier: &mut Vec<u32>) -> (bool, String) {
    let (mut passed, mut checks, mut said) = (true, 0, String::new());
    let run = session.rerun(earlier);
    let inputs = session.inputs(&exercise.check);
    for (at, input) in inputs.iter().enumerate() {
        let number = session.next_number();
        for event in session.submit_again(input, &run, PageWidths::default(), at + 1 == inputs.len()).0 {
            said += &format!("{event:?}\n");
        }
        earlier.extend((session.next_number() > number).then_some(number));
        if let Some(outcome) = session.check_passed() {
            passed &= outcome;
            checks += 1;
        }
    }
    assert!(checks > 0, "no check in\n{}", exercise.check);
    (passed, said)
}

fn check_lesson(at: usize) {
    let (name, text) = LESSONS[at];
    let lesson = Lesson::new(name, text);
    let others = std::fs::read_to_string(root().join(format!("tests/lessons/{name}.md"))).unwrap();
    let others = cells(&others);
    assert_eq!(lesson.exercises().count(), 5, "{name}");
    for (number, (_, exercise)) in lesson.exercises().enumerate() {
        let number = number + 1;
        let heading = format!("Exercise {number}");
        let of = |kind: &str| {
            let mine =
                others.iter().filter(|(title, words, _)| *title == heading && words.as_str() == format!("cfg {kind}"));
            mine.map(|(_, _, text)| text.as_str()).collect::<Vec<_>>()
        };
        let (right, wrong) = (of("right"), of("wrong"));
        assert!(!right.is_empty() && !wrong.is_empty(), "{name}: {heading} has no other solution");
        // the cell as the learner finds it
        for text in wrong.into_iter().chain([exercise.cell.as_str()]) {
            let (passed, said) = checked(&lesson, exercise, text);
            assert!(!passed, "{name}: {heading} passes with\n{text}\n{said}");
        }
        for text in right.into_iter().chain([exercise.solution.as_str()]) {
            let (passed, said) = checked(&lesson, exercise, text);
            assert!(passed, "{name}: {heading} does not pass with\n{text}\n{said}");
        }
        assert!(
            exercise.check.lines().all(|line| !line.starts_with(":check") || line.contains("--hint")),
            "{name}: {heading}"
        );
    }
}

macro_rules! lessons {
    ($($name:ident = $at:literal;)*) => {
        $(
            #[test]
            fn $name() {
                with_stack(|| check_lesson($at));
            }
        )*

        #[test]
        fn every_lesson_is_tested() {
            assert_eq!([$($at),*].len(), LESSONS.len());
        }
    };
}

lessons! {
    types = 0;
    merging = 1;
    metadata = 2;
    inheritance = 3;
    deployment = 4;
    lazy_graph = 5;
    unification = 6;
    reactivity = 7;
}

/// Each lesson says what it is for, how long it takes, how to run it, and what comes next.
#[test]
fn every_lesson_has_a_goal_a_time_and_a_next_one() {
    for (at, lesson) in Lesson::all().iter().enumerate() {
        for word in ["Goal", "Time", "Before", "Next"] {
            assert!(lesson.about(word).is_some_and(|text| !text.is_empty()), "{}: {word}", lesson.name);
        }
        let (_, text) = LESSONS[at];
        assert!(text.contains(&format!("`cfg learn {}`", at + 1)), "{}", lesson.name);
        if let Some((next, _)) = LESSONS.get(at + 1) {
            assert!(text.matches(&format!("({next}.ipynb)")).count() >= 2, "{}", lesson.name);
        }
        assert!(lesson.steps.iter().any(|step| step.title == "Half-way"), "{}", lesson.name);
    }
}
