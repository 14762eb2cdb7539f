//! Types of generated Jsonnet programs that are written as real mixins are. A program that evaluates has no problem, and planted
//! faults are found. `SEED` and `COUNT` choose other programs; `MISSED=1` prints the faults that are not found.

use cfg_tests::generate::Rng;
use cfg_tests::jsonnet::{Answer, Class, Program, check, eval};
use cfg_tests::mixins::{composed, faults, program};
use cfg_tests::ours::code;
use std::collections::BTreeMap;
use std::thread;

const STACK: usize = 64 << 20;

fn variable(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn alone(text: &str) -> Program {
    Program { text: text.into(), files: BTreeMap::new() }
}

/// Calls a function on a thread with a large stack.
fn deep<T: Send>(f: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, f).expect("thread");
        worker.join().expect("result")
    })
}

#[test]
fn programs_that_evaluate_have_no_problem() {
    let (seed, count) = (variable("SEED", 1), variable("COUNT", 400));
    let wrong = deep(|| {
        let mut wrong = Vec::new();
        for seed in seed..seed + count {
            let text = program(seed);
            if let Answer::Failure(message, _) = eval(&alone(&text)) {
                wrong.push(format!("seed {seed} does not evaluate: {message}\n{text}"));
                continue;
            }
            for (_, report) in check(&alone(&text)) {
                wrong.push(format!("seed {seed}: {report}\n{text}"));
            }
        }
        wrong
    });
    assert!(
        wrong.is_empty(),
        "{} of {count}:\n{}",
        wrong.len(),
        wrong.iter().take(8).cloned().collect::<Vec<_>>().join("\n\n")
    );
}

/// The largest share, in percent, of the composed programs with a warning. Each is about a part that the result does not need, of which types
/// alone do not see that it cannot fail.
const WARNED: usize = 5;

/// Programs that are composed at random. Most evaluate. `TYPES=1` makes each of them a function, so that types alone decide.
#[test]
fn composed_programs_that_evaluate_have_no_error() {
    let (seed, count) = (variable("SEED", 1), variable("COUNT", 400));
    let alone_by_types = std::env::var("TYPES").is_ok();
    let (wrong, warned, styled, evaluate) = deep(|| {
        let (mut wrong, mut warned, mut styled) = (Vec::new(), Vec::new(), Vec::new());
        let mut evaluate = 0;
        for seed in seed..seed + count {
            let text = composed::program(seed);
            if matches!(eval(&alone(&text)), Answer::Failure(..)) {
                continue;
            }
            evaluate += 1;
            let checked = if alone_by_types { format!("function(argument)\n{text}") } else { text.clone() };
            let reports = check(&alone(&checked));
            for (_, report) in reports.iter().filter(|(error, _)| *error) {
                wrong.push(format!("seed {seed}: {report}\n{text}"));
            }
            // two definitions of a field, and elements, of different types are allowed and reported
            let is_style = |report: &str| matches!(code(report), "types/changes-type" | "types/mixed");
            if let Some((_, first)) = reports.iter().find(|(_, report)| !is_style(report)) {
                warned.push(format!("seed {seed}: {first}\n{text}"));
            } else if let Some((_, first)) = reports.first() {
                styled.push(format!("seed {seed}: {first}\n{text}"));
            }
        }
        (wrong, warned, styled, evaluate)
    });
    if std::env::var("MISSED").is_ok() {
        warned.iter().chain(&styled).for_each(|one| eprintln!("{one}\n"));
    }
    eprintln!(
        "programs that evaluate, those with a warning, those with different types only: {evaluate}, {}, {}",
        warned.len(),
        styled.len()
    );
    assert!(evaluate * 2 > count as usize, "{evaluate} of {count} evaluate");
    assert!(wrong.is_empty(), "{} errors in {evaluate}:\n{}", wrong.len(), wrong[..wrong.len().min(8)].join("\n\n"));
    assert!(warned.len() * 100 <= evaluate * WARNED, "{} of {evaluate} have a warning", warned.len());
}

/// The least share, in percent, of the faults that make a program fail that are reported, and that are errors.
const REPORTED: usize = 85;
const ERRORS: usize = 60;

#[test]
fn faults_that_fail_are_found() {
    let (seed, count) = (variable("SEED", 1), variable("COUNT", 60));
    let (all, missed) = deep(|| {
        let mut all: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
        let mut missed = Vec::new();
        for seed in seed..seed + count {
            let text = program(seed);
            let r = &mut Rng::new(seed);
            for kind in faults::KINDS {
                let Some(mutant) = faults::plant(&text, kind, r) else { continue };
                let Answer::Failure(message, Class::Evaluated) = eval(&alone(&mutant)) else { continue };
                let reports = check(&alone(&mutant));
                let counts = all.entry(kind).or_default();
                counts[0] += 1;
                counts[1] += usize::from(!reports.is_empty());
                counts[2] += usize::from(reports.iter().any(|(error, _)| *error));
                if !reports.iter().any(|(error, _)| *error) {
                    let how = if reports.is_empty() { "silent" } else { "warning" };
                    missed
                        .push(format!("{kind}: {how}: {message}\n{mutant}\n{}", reports.first().map_or("", |r| &r.1)));
                }
            }
        }
        (all, missed)
    });
    if std::env::var("MISSED").is_ok() {
        missed.iter().for_each(|one| eprintln!("{one}\n"));
    }
    let [fail, reported, errors] =
        all.values().fold([0; 3], |sum, one| [sum[0] + one[0], sum[1] + one[1], sum[2] + one[2]]);
    eprintln!("faults that fail, those reported, those reported as errors: {fail}, {reported}, {errors}; {all:?}");
    assert!(fail > 100, "{fail} faults fail");
    assert!(reported * 100 >= fail * REPORTED, "{reported} of {fail} are reported: {all:?}");
    assert!(errors * 100 >= fail * ERRORS, "{errors} of {fail} are errors: {all:?}");
}

/// Types alone show only that a part may fail. Evaluation shows whether the result needs it.
#[test]
fn a_warning_that_evaluation_runs_into_is_an_error() {
    let said = |text: &str| {
        let reports = check(&alone(text));
        reports.iter().map(|(error, report)| format!("{}{}", if *error { "!" } else { "" }, code(report))).collect()
    };
    let expected = |codes: &[&str]| codes.iter().map(|code| (*code).to_owned()).collect::<Vec<String>>();
    for (text, codes) in [
        ("local a = [{ e: {}.x }]; [g { z: 1 } for g in a]", &["!types/missing-field"] as &[_]),
        ("{ a: if std.length('x') == 1 then 'x' - 1 else 2 }", &["!types/conflict"]),
        ("local f(o) = o.v, o = { v: 'x' - 1 }; { a: f(o), b:: 'y' - 1 }", &["!types/conflict", "types/conflict"]),
        // nothing is below the literal
        ("{ a: { c: super.c } }", &["!types/undefined"]),
        ("local lib = { m: { c: super.c + 1 } }; { c: 1 } + lib.m", &[]),
        ("local o = { r:: { a: 1 } } + { x: '%(b)s' % ($.r { c: 1 }) }; [o]", &["!types/missing-field"]),
        ("{ c+:: { n: self.q }, v: $.c.n }", &["!types/undefined"]),
        ("local f(c) = '%(a)s' % c; { a: f({}), b:: f({ b: 1 }) }", &["!types/missing-field", "types/missing-field"]),
        ("local a = [1, 'x']; { a: std.sort(a) }", &["types/mixed", "!types/conflict"]),
        // the result does not need the part
        ("local a = [{ e: {}.x }]; std.length([g { z: 1 } for g in a])", &["types/missing-field"]),
        ("{ a: if std.length('x') == 2 then 'x' - 1 else 2 }", &["types/conflict"]),
        // evaluation fails elsewhere
        ("{ a: 1 / (1 - 1), f():: 'x' - 1 }", &["types/conflict", "!value/undefined"]),
        ("{ a: std.parseJson('{'), b:: {}.x }", &["types/missing-field", "!value/undefined"]),
        // a function is not called
        ("function(p) { a: if p then 'x' - 1 else 2 }", &["types/conflict"]),
    ] {
        let said: Vec<String> = said(text);
        assert_eq!(said, expected(codes), "{text}");
    }
}

/// The result does not contain the faults that types see, or suspect, in what was evaluated.
#[test]
fn what_evaluation_passes_has_no_problem() {
    for (text, expected) in [
        // evaluation does not compare the types of two definitions, or of elements
        ("{ a: 1, b: self.a + 'x' } + { a: 'y' }", &["types/changes-type"] as &[_]),
        ("{ a: [1], n: std.length(self.a) } + { a: 'xyz' }", &["types/changes-type"]),
        ("[1, 'x']", &["types/mixed"]),
        ("local xs = [['a', 1], ['b', 2]]; { [x[0]]: x[1] for x in xs }.a + 1", &[]),
        ("local base = { [n]: { kind: n } for n in ['a'] }; base + { a+: { x: 1 }, c: $.a.kind }", &[]),
        ("local f(x) = if std.length('a') == 1 then x else 1; f('s') + 'x'", &[]),
        ("({ a: $.q('x'), b: $.q(['x']) } + { q(x):: x }) { q(x):: [super.q(x)] }", &[]),
        // types alone do not know
        ("function(p) { a: 1, b: self.a + 'x' } + { a: 'y' }", &["types/changes-type"]),
        // what the result does not need may fail
        ("local f(x) = { r:: x.y }; { a: f({ z: 1 }) }", &["types/missing-field"]),
        ("{ c: { a: 1 }, x:: self.c.a } { c: { b: 2 } }", &["types/missing-field"]),
        // evaluation runs into what is only suspected
        ("std.map(function(x) x.a, [{ a: 1 }, { b: 2 }])", &["!types/missing-field"]),
        ("local f(x) = if std.length('a') == 2 then 1 else x; f('s') - 1", &["!types/conflict"]),
    ] {
        let reports = check(&alone(text)).into_iter();
        let found: Vec<String> =
            reports.map(|(error, report)| format!("{}{}", if error { "!" } else { "" }, code(&report))).collect();
        assert_eq!(found, expected, "{text}");
    }
}
