//! Guards that are not known before evaluation: `cfg check` reports a key that changes its kind if and only if a combination
//! of guards leads to it, with that combination. Generated documents with up to four such guards are compared with all their
//! combinations, which are few enough to try them all.

use cfg_tests::generate::Rng;
use cfg_tests::yay::{Answer, Document, resolve, type_reports};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const DOCUMENTS: u64 = 400;

/// A condition on the guards.
#[derive(Clone)]
enum Condition {
    Guard(usize),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    /// The value of a guard's text is this.
    Equals(usize, &'static str),
}

/// The values of the guards. A guard is false if its text is empty.
type Values = [&'static str; 4];

const VALUES: [&str; 4] = ["", "on", "max", "other"];

impl Condition {
    fn holds(&self, values: &Values) -> bool {
        match self {
            Condition::Guard(guard) => !values[*guard].is_empty(),
            Condition::Not(inner) => !inner.holds(values),
            Condition::And(a, b) => a.holds(values) && b.holds(values),
            Condition::Or(a, b) => a.holds(values) || b.holds(values),
            Condition::Equals(guard, text) => values[*guard] == *text,
        }
    }

    fn text(&self) -> String {
        match self {
            Condition::Guard(guard) => format!("g{guard}"),
            Condition::Not(inner) => format!("not ({})", inner.text()),
            Condition::And(a, b) => format!("({} and {})", a.text(), b.text()),
            Condition::Or(a, b) => format!("({} or {})", a.text(), b.text()),
            Condition::Equals(guard, text) => format!("g{guard} == '{text}'"),
        }
    }

    fn and(self, other: &Option<Condition>) -> Condition {
        match other {
            Some(other) => Condition::And(Box::new(other.clone()), Box::new(self)),
            None => self,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Number,
    String,
    List,
    Dict,
}

/// A definition of a key, with the condition under which it counts.
struct Layer {
    key: String,
    kind: Kind,
    line: usize,
    when: Option<Condition>,
}

#[derive(Default)]
struct Made {
    text: String,
    layers: Vec<Layer>,
}

impl Made {
    fn line(&mut self, indent: usize, text: &str) -> usize {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(indent));
        self.text.lines().count()
    }
}

struct Maker {
    random: Rng,
    guards: usize,
}

impl Maker {
    fn condition(&mut self, depth: u32) -> Condition {
        let guard = self.random.below(self.guards);
        match self.random.below(if depth == 0 { 4 } else { 8 }) {
            0..=2 => Condition::Guard(guard),
            3 => Condition::Equals(guard, VALUES[1 + self.random.below(2)]),
            4 | 5 => Condition::Not(Box::new(self.condition(depth - 1))),
            6 => Condition::And(Box::new(self.condition(depth - 1)), Box::new(self.condition(depth - 1))),
            _ => Condition::Or(Box::new(self.condition(depth - 1)), Box::new(self.condition(depth - 1))),
        }
    }

    fn definition(&mut self, made: &mut Made, indent: usize, when: &Option<Condition>) {
        let key = format!("k{}", self.random.below(3));
        // the same kind is likely, so that most documents have no conflict
        let kind = match self.random.below(9) {
            0 => Kind::Number,
            1 => Kind::List,
            2 | 3 => Kind::Dict,
            _ => Kind::String,
        };
        let line = match kind {
            Kind::Number => made.line(indent, &format!("{key}: 7")),
            Kind::String => made.line(indent, &format!("{key}: text")),
            Kind::List | Kind::Dict => {
                let line = made.line(indent, &format!("{key}:"));
                made.line(indent + 1, if kind == Kind::List { "- 1" } else { "x: 1" });
                line
            }
        };
        made.layers.push(Layer { key, kind, line, when: when.clone() });
    }

    fn stanzas(&mut self, made: &mut Made, indent: usize, when: &Option<Condition>, count: usize) {
        for _ in 0..count {
            if indent > 1 || self.random.below(3) == 0 {
                self.definition(made, indent, when);
                continue;
            }
            let mut none: Option<Condition> = when.clone();
            for branch in 0..1 + self.random.below(3) {
                let condition = self.condition(2);
                let word = if branch == 0 { "if" } else { "elif" };
                made.line(indent, &format!("{word} {}:", condition.text()));
                let inside = Some(condition.clone().and(&none));
                self.stanzas(made, indent + 1, &inside, 1);
                none = Some(Condition::Not(Box::new(condition)).and(&none));
            }
            if self.random.below(3) == 0 {
                made.line(indent, "else:");
                self.stanzas(made, indent + 1, &none, 1);
            }
        }
    }
}

fn document(text: String) -> Document {
    Document { text, files: BTreeMap::new() }
}

fn all_values(guards: usize) -> Vec<Values> {
    let mut all = vec![[""; 4]];
    for guard in 0..guards {
        let with = |values: &Values| {
            VALUES.map(|value| {
                let mut values = *values;
                values[guard] = value;
                values
            })
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// The lines of the definitions that change the kind of a key in a combination, with those that they change.
fn conflicts(layers: &[Layer], values: &Values) -> BTreeSet<(usize, usize)> {
    let mut found = BTreeSet::new();
    for (at, upper) in layers.iter().enumerate() {
        let counts = |layer: &Layer| layer.when.as_ref().is_none_or(|when| when.holds(values));
        if !counts(upper) {
            continue;
        }
        for lower in layers[..at].iter().rev().filter(|lower| lower.key == upper.key) {
            if counts(lower) && lower.kind != upper.kind {
                found.insert((upper.line, lower.line));
            }
            // it hides what is below it in all combinations
            if lower.when.is_none() {
                break;
            }
        }
    }
    found
}

/// Whether a key of a combination has a dictionary above a value of another kind.
fn fails(layers: &[Layer], values: &Values) -> bool {
    let mut kinds: BTreeMap<&str, Vec<Kind>> = BTreeMap::new();
    for layer in layers.iter().filter(|layer| layer.when.as_ref().is_none_or(|when| when.holds(values))) {
        kinds.entry(&layer.key).or_default().push(layer.kind);
    }
    kinds.values().any(|kinds| {
        let dicts = kinds.iter().rev().take_while(|kind| **kind == Kind::Dict).count();
        dicts > 0 && dicts < kinds.len()
    })
}

/// A report of a change of kind.
#[derive(Debug)]
struct Change {
    upper: usize,
    lower: usize,
    /// The lines and columns of the tests that lead to it, with their results.
    when: Vec<(usize, usize, bool)>,
    /// Whether it is the error of the evaluation, which has one combination.
    evaluated: bool,
}

/// Reads a report on a text. Its labels are below the lines to which they belong, at the columns of their marks.
fn change(text: &str, layers: &[Layer], report: &str) -> Option<Change> {
    // a value that has two lines is marked at the second one
    let first =
        |line: usize| layers.iter().map(|layer| layer.line).filter(|first| *first <= line).max().unwrap_or(line);
    let evaluated = report.contains(" cannot continue ");
    if !evaluated && !report.contains("[types/changes-type]") {
        return None;
    }
    let mut change = Change { upper: 0, lower: 0, when: Vec::new(), evaluated };
    let (mut number, mut offset) = (0, 0);
    for line in report.lines() {
        let Some((margin, shown)) = line.split_once('|') else { continue };
        if let Ok(found) = margin.trim().parse::<usize>() {
            number = found;
            offset = shown.find(text.lines().nth(number - 1).expect("a line")).expect("the line");
            continue;
        }
        if shown.contains("^") && change.upper == 0 {
            change.upper = first(number);
        }
        if shown.contains("- this is a") || evaluated && shown.contains(" here") && change.upper != first(number) {
            change.lower = first(number);
        }
        if let Some(words) = shown.find("where this") {
            let marks = shown[..words].trim_end();
            // marks before the words, or a bar that leads down to them
            let column = match marks.ends_with('-') {
                true => marks.trim_end_matches('-').len(),
                false => words,
            };
            change.when.push((number, column - offset, shown.contains("this holds")));
        }
    }
    Some(change)
}

/// The guard that a test at a place reads, and the constant that it compares it with.
fn test_at(text: &str, line: usize, column: usize) -> (usize, Option<&str>) {
    let line = text.lines().nth(line - 1).expect("a line");
    let test = &line[column..];
    let guard = test[1..2].parse().unwrap_or_else(|_| panic!("a guard: {test} in {line}"));
    let constant = test[2..].strip_prefix(" == '").and_then(|rest| rest.split_once('\'')).map(|(text, _)| text);
    (guard, constant)
}

#[test]
fn kinds_change_only_in_combinations_that_can_be_reached() {
    let (mut with, mut without, mut unreachable) = (0, 0, 0);
    for seed in 0..DOCUMENTS {
        let mut maker = Maker { random: Rng::new(seed), guards: 1 + (seed % 4) as usize };
        let mut made = Made::default();
        for guard in 0..maker.guards {
            made.line(0, &format!("g{guard}: {{{{ outside.g{guard} else '' }}}}"));
        }
        let count = 2 + maker.random.below(4);
        maker.stanzas(&mut made, 0, &None, count);
        let all = all_values(maker.guards);
        let mut expected: BTreeSet<(usize, usize)> = BTreeSet::new();
        all.iter().for_each(|values| expected.extend(conflicts(&made.layers, values)));
        let changes: Vec<Change> = type_reports(&document(made.text.clone()))
            .iter()
            .filter_map(|report| change(&made.text, &made.layers, report))
            .collect();
        // one report for each definition that changes the kind of another one
        let uppers: BTreeSet<usize> = expected.iter().map(|(upper, _)| *upper).collect();
        let reported: BTreeSet<usize> = changes.iter().map(|change| change.upper).collect();
        assert_eq!(reported, uppers, "seed {seed}: reported, expected\n{}", made.text);
        for change in &changes {
            assert!(expected.contains(&(change.upper, change.lower)), "seed {seed}: {change:?}\n{}", made.text);
            if change.evaluated {
                continue;
            }
            // every combination with these results has the conflict, and there is one
            let agrees = |values: &&Values| {
                change.when.iter().all(|(line, column, holds)| match test_at(&made.text, *line, *column) {
                    (guard, Some(text)) => (values[guard] == text) == *holds,
                    (guard, None) => values[guard].is_empty() != *holds,
                })
            };
            let such: Vec<&Values> = all.iter().filter(agrees).collect();
            assert!(!such.is_empty(), "seed {seed}: {change:?}\n{}", made.text);
            for values in such {
                let found = conflicts(&made.layers, values);
                assert!(
                    found.contains(&(change.upper, change.lower)),
                    "seed {seed}: {values:?} {change:?}\n{}",
                    made.text
                );
            }
        }
        match uppers.is_empty() {
            true => without += 1,
            false => with += 1,
        }
        let kinds: BTreeSet<String> =
            made.layers.iter().map(|layer| format!("{} {:?}", layer.key, layer.kind)).collect();
        let keys: BTreeSet<&String> = made.layers.iter().map(|layer| &layer.key).collect();
        unreachable += usize::from(uppers.is_empty() && kinds.len() > keys.len());
        // with known guards: the value exists unless a dictionary is above something else
        for values in all.iter().step_by(1 + all.len() / 6) {
            let known: String = values[..maker.guards]
                .iter()
                .enumerate()
                .map(|(guard, value)| format!("g{guard}: {value}\n"))
                .collect();
            let rest: String = made.text.lines().skip(maker.guards).map(|line| format!("{line}\n")).collect();
            let text = known + &rest;
            let (answer, report) = resolve(&document(text.clone()));
            let failed = !matches!(answer, Answer::Value(_));
            assert_eq!(failed, fails(&made.layers, values), "seed {seed}: {report:?}\n{text}");
            let found: BTreeSet<usize> = type_reports(&document(text.clone()))
                .iter()
                .filter_map(|report| change(&text, &made.layers, report))
                .map(|c| c.upper)
                .collect();
            let expected: BTreeSet<usize> = conflicts(&made.layers, values).iter().map(|(upper, _)| *upper).collect();
            assert_eq!(found, expected, "seed {seed}: with known guards\n{text}");
        }
    }
    assert!(
        with > 100 && without > 100 && unreachable > 10,
        "{with} with, {without} without, {unreachable} unreachable"
    );
}
