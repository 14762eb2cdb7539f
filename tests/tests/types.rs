//! Types against evaluation, on generated programs of cfg. A program that evaluates has no type error; a program without any
//! type problem does not fail for its types, except where `docs/types.md` says so; and a value has the type of its program.
//!
//! `TYPES_PROGRAMS` is the number of programs of each generator, `TYPES_SEED` the first seed, `TYPES_SHOWN` the number of wrong
//! programs that are printed, and of programs that evaluate and have a warning of the code `TYPES_WARNED`, such as `types/conflict`.

use cfg_core::{Action, CheckOptions, Severity};
use cfg_tests::generate::{Topic, configuration, program};
use cfg_tests::idioms;
use cfg_tests::ours::{Ours, code, eval_beside, run_beside};
use cfg_tests::types;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The failures of evaluation that types are there to prevent.
const PREVENTED: [&str; 6] = [
    "value/type",
    "value/missing-field",
    "value/missing-definition",
    "value/no-match",
    "value/not-a-function",
    "value/contract",
];

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn seeds(usual: u64) -> std::ops::Range<u64> {
    let first = setting("TYPES_SEED", 1);
    first..first + setting("TYPES_PROGRAMS", usual)
}

/// Files, each with its name.
type Files = &'static [(&'static str, &'static str)];

/// A program that imports files.
#[derive(Clone, Copy)]
struct Program<'t> {
    text: &'t str,
    files: Files,
}

impl Program<'_> {
    fn eval(self) -> Ours {
        eval_beside(self.files, self.text)
    }

    /// Returns all type problems, warnings too.
    fn reports(self) -> Vec<(Severity, String)> {
        let outcome = run_beside(self.files, self.text, Action::Check(CheckOptions::default()));
        outcome.reports.iter().map(|(severity, report)| (*severity, report.text())).collect()
    }

    /// Whether the value of the program has its type.
    fn has_its_type(self) -> bool {
        let Ours::Value(value) = self.eval() else { return false };
        let typed = run_beside(self.files, self.text, Action::Type { at: None, pretty: false });
        types::read(typed.output.text().trim()).is_some_and(|ty| ty.has(&value))
    }

    /// Returns the rule of `docs/types.md` by which the value does not have the type.
    fn limit_of_value(self) -> Option<&'static str> {
        // a contract inside of a contract that is not a type
        if self.text.contains("std.contract.apply {") && self.text.contains(" | default = ") {
            return Some("contracts that add fields");
        }
        if unknown_functions().iter().any(|function| self.text.contains(function)) {
            return Some("results of type Dyn");
        }
        // without the override
        let (base, _) = self.text.rsplit_once("\n} & {")?;
        Program { text: &format!("{base}\n}}"), ..self }.has_its_type().then_some("computed from an overridden record")
    }

    /// Whether the line of a failure calls a function whose result is `Dyn`, or reads a name that is defined by one.
    fn reads_unknown(self, report: &str) -> bool {
        let place = report.split_once(" --> program:").map_or("", |(_, rest)| rest.lines().next().unwrap_or_default());
        let line = place.split(':').next().and_then(|line| line.parse::<usize>().ok()).unwrap_or_default();
        let lines: Vec<&str> = self.text.lines().collect();
        let (mut read, mut at) = (vec![line.saturating_sub(1)], 0);
        while let Some(text) = read.get(at).and_then(|line| lines.get(*line)) {
            if unknown_functions().iter().any(|function| text.contains(function)) {
                return true;
            }
            // the lines that define names of this one
            for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
                let defines = |line: &&str| {
                    let line = line.trim_start();
                    let line = line.strip_prefix("let ").unwrap_or(line);
                    line.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', '.']))
                };
                let definitions = lines.iter().enumerate().filter(|(_, line)| !word.is_empty() && defines(line));
                let new: Vec<usize> = definitions.map(|(n, _)| n).filter(|n| !read.contains(n)).collect();
                read.extend(new);
            }
            at += 1;
        }
        false
    }

    /// Returns the rule of `docs/types.md` by which the program fails although it has no type problem.
    fn known_limit(self, report: &str) -> Option<&'static str> {
        let Program { text, .. } = self;
        let first = report.lines().next().unwrap_or_default();
        let named = first.split('`').nth(1).unwrap_or_default();
        match code(report) {
            "value/missing-definition" if is_declared(text, named) => return Some("declared fields"),
            "value/no-match" if guarded(text, first) => return Some("guards"),
            "value/no-match" if first.contains(" fits [") || first.contains(" fit [") => {
                return Some("lengths of arrays");
            }
            "value/missing-field" if may_lack(text, named) => return Some("fields of branches"),
            "value/contract" if text.contains("std.array.fold_left (&) {} [{") => return Some("merges of elements"),
            _ if self.reads_unknown(report) => return Some("results of type Dyn"),
            _ => {}
        }
        // without the contracts that are not types, the fault is reported or evaluation does not run into it
        let plain = without_unknown_contracts(text)?;
        let plain = Program { text: &plain, ..self };
        let same = matches!(plain.eval(), Ours::Failure(other) if code(&other) == code(report));
        (!same || !plain.reports().is_empty()).then_some("unknown values")
    }
}

/// The names of the functions in `idioms::FILES` whose results are `Dyn` or `{ .. }`, as their types say.
fn unknown_functions() -> &'static [String] {
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let (_, lib) = idioms::FILES[1];
        let names = lib.lines().filter_map(|line| line.strip_prefix("  ")?.split([' ', '=']).next());
        let names = names.filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
        let is_unknown = |name: &&str| {
            let text = format!("(import \"lib.ncl\").{name}");
            let ty = run_beside(idioms::FILES, &text, Action::Type { at: None, pretty: false }).output.text();
            ty.trim().ends_with("-> Dyn") || ty.trim().ends_with("-> { .. }")
        };
        names.filter(is_unknown).map(|name| format!("lib.{name} ")).collect()
    })
}

/// Whether a record of a program declares a field without a definition: `{ name | Number, … }`.
fn is_declared(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let own = text[..at].ends_with([' ', '{', '\n']);
        let rest = text[at + name.len()..].trim_start();
        let end = rest.find(['=', ',', '}', '\n']).unwrap_or(rest.len());
        own && rest.starts_with([':', '|', ',', '}']) && !rest[end..].starts_with('=')
    })
}

/// Whether an arm with the tag of a value that no pattern fits has a guard.
fn guarded(text: &str, report: &str) -> bool {
    let Some((_, value)) = report.split_once(" fits ").or_else(|| report.split_once(" fit ")) else { return false };
    let value = value.split([' ', '[']).next().unwrap_or_default();
    arms(text).iter().any(|arm| arm.contains(" if ") && arm.split_whitespace().any(|word| word == value))
}

/// Returns the text before each `=>` of a program, from the comma or brace that is before it outside of brackets.
fn arms(text: &str) -> Vec<&str> {
    let arm = |(end, _): (usize, &str)| {
        let mut depth = 0usize;
        let start = text[..end].char_indices().rev().find(|(_, c)| match c {
            ')' | '}' | ']' => {
                depth += 1;
                false
            }
            '(' | '{' | '[' if depth > 0 => {
                depth -= 1;
                false
            }
            ',' | '{' | '(' | '[' => depth == 0,
            _ => false,
        });
        &text[start.map_or(0, |(at, _)| at + 1)..end]
    };
    text.match_indices("=>").map(arm).collect()
}

/// Whether some record of a program defines a field that another one, in a branch or an element, may lack.
fn may_lack(text: &str, name: &str) -> bool {
    let defined = [" = ", " | ", " ? "].iter().any(|sign| text.contains(&format!("{name}{sign}")));
    defined && ["if ", "match {", "["].iter().any(|sign| text.contains(sign))
}

/// Removes the contracts that are not types from a program; `None` if there are none.
fn without_unknown_contracts(text: &str) -> Option<String> {
    let named: Vec<String> = (0..10).map(|n| format!("C{n}")).filter(|name| names_unknown(text, name)).collect();
    let mut out = String::new();
    let mut rest = text;
    let mut removed = false;
    while let Some(at) = rest.find(" | ") {
        let (before, after) = (&rest[..at], &rest[at + 3..]);
        let length = contract_length(after);
        let contract = &after[..length];
        out.push_str(before);
        if is_unknown(contract) || named.iter().any(|name| name == contract) {
            removed = true;
        } else {
            out.push_str(" | ");
            out.push_str(contract);
        }
        rest = &after[length..];
    }
    out.push_str(rest);
    removed.then_some(out)
}

fn is_unknown(contract: &str) -> bool {
    ["Dyn", "std.", "contracts."].iter().any(|name| contract.contains(name))
}

/// Whether a program defines a contract of this name that is not a type.
fn names_unknown(text: &str, name: &str) -> bool {
    let definition = text.split_once(&format!("let {name} = ")).map(|(_, rest)| rest);
    definition.is_some_and(|rest| is_unknown(rest.split(" in ").next().unwrap_or_default()))
}

/// The length of the contract at the start of a text: names, or one group in brackets with the names before it.
fn contract_length(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' if depth == 0 => return at,
            ')' | '}' | ']' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            ',' | '=' | '|' | '\n' if depth == 0 => return text[..at].trim_end().len(),
            _ => {}
        }
    }
    text.len()
}

/// Whether a report of a program that evaluates is a false error. A missing file is an error even if nothing needs it.
fn is_false(severity: Severity, report: &str) -> bool {
    severity == Severity::Error && (code(report).starts_with("types/") || code(report).starts_with("value/"))
}

/// Compares the types of programs with their evaluation. At least `floor` percent of the programs must evaluate.
fn compare(programs: impl Iterator<Item = String>, files: Files, floor: usize) {
    let (mut tried, mut valued, mut clean) = (0, 0, 0);
    // the programs that fail for their types: all, those with a problem, those with an error
    let mut failing = [0; 3];
    let mut limits: BTreeMap<&str, usize> = BTreeMap::new();
    // the warnings of programs that evaluate, by code
    let mut warnings: BTreeMap<String, usize> = BTreeMap::new();
    let shown = setting("TYPES_SHOWN", 5) as usize;
    let searched = std::env::var("TYPES_WARNED").ok();
    let mut wrong: Vec<String> = Vec::new();
    for text in programs {
        tried += 1;
        let program = Program { text: &text, files };
        match program.eval() {
            Ours::Broken(what) => wrong.push(format!("broken: {what}\n{text}")),
            Ours::Value(value) => {
                valued += 1;
                let reports = program.reports();
                if let Some((_, error)) = reports.iter().find(|(severity, report)| is_false(*severity, report)) {
                    wrong.push(format!("a false error:\n{text}\n{error}"));
                    continue;
                }
                for (_, report) in &reports {
                    let count = warnings.entry(code(report).to_string()).or_default();
                    *count += 1;
                    if searched.as_deref() == Some(code(report)) && *count <= shown {
                        println!("{report}\n{text}\n");
                    }
                }
                if !reports.is_empty() {
                    continue;
                }
                clean += 1;
                if text.contains("not_exported") {
                    continue;
                }
                // `cfg type` does not evaluate, and reports the parts of the type that are not certain
                let typed = run_beside(files, &text, Action::Type { at: None, pretty: false });
                if !typed.reports.is_empty() {
                    continue;
                }
                let printed = typed.output.text();
                if types::read(printed.trim()).is_some_and(|ty| ty.has(&value)) {
                    continue;
                }
                match program.limit_of_value() {
                    Some(rule) => *limits.entry(rule).or_default() += 1,
                    None => wrong.push(format!("the value is not of the type:\n{text}\n{value}\n{printed}")),
                }
            }
            Ours::Failure(report) if PREVENTED.contains(&code(&report)) => {
                let reports = program.reports();
                failing[0] += 1;
                failing[1] += usize::from(!reports.is_empty());
                failing[2] += usize::from(reports.iter().any(|(severity, _)| *severity == Severity::Error));
                if !reports.is_empty() {
                    continue;
                }
                match program.known_limit(&report) {
                    Some(rule) => *limits.entry(rule).or_default() += 1,
                    None => wrong.push(format!("it checks clean and fails:\n{text}\n{report}")),
                }
            }
            Ours::Failure(_) => {}
        }
    }
    let [fail, reported, errors] = failing;
    println!("{tried} programs, {valued} evaluate, {clean} of them without a type problem; known limits: {limits:?}");
    println!("warnings of those that evaluate: {warnings:?}");
    println!("{fail} fail for their types, {reported} of them have a problem, {errors} an error");
    for text in wrong.iter().take(shown) {
        println!("{text}\n");
    }
    assert!(wrong.is_empty(), "{} of {tried} programs are wrong", wrong.len());
    assert!(tried > 0 && valued * 100 >= floor * tried, "{valued} of {tried} evaluate, {floor} of 100 must");
}

#[test]
fn expressions_of_every_topic() {
    for topic in Topic::ALL {
        compare(seeds(150).map(|seed| program(topic, seed.wrapping_add(70_000_000))), &[], 40);
    }
}

#[test]
fn configurations_with_overrides() {
    compare(seeds(600).map(configuration), &[], 30);
}

#[test]
fn programs_as_people_write_them() {
    compare(seeds(300).map(idioms::program), idioms::FILES, 60);
}

#[test]
fn a_value_of_several_types_is_a_warning_where_it_is_read() {
    let problems = |text: &str| {
        let reports = Program { text, files: &[] }.reports();
        reports.iter().map(|(_, report)| code(report).to_string()).collect::<Vec<_>>()
    };
    // evaluation fails where it is read
    let failing = ["types/mixed", "types/conflict"];
    assert_eq!(problems("let k = if true then 10 else { name = \"x\" } in k.name"), failing);
    assert_eq!(problems("let k = if true then 10 else { name = \"x\" } in [k]"), ["types/mixed"]);
    assert_eq!(problems("let k = if true then { name = \"x\" } else 'None in k.name"), ["types/mixed"]);
    assert_eq!(problems("let k = if true then \"x\" else fun x => x in k 1"), failing);
    assert_eq!(problems("let k = if true then 10 else { name = \"x\" } in 1"), [""; 0]);
}
