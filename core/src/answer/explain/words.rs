//! The words for definitions and checks, for all forms of an explanation.

use crate::answer::explain::{ContractCheck, DefinitionRow, Element, Explanation, Folded, Part, Place, Read, Via};
use crate::dialect::Dialect;
use crate::dialect::notation::value::one_line;
use crate::meta::{Priority, Visibility};
use crate::problem::ProblemKind;
use crate::problem::report::Report;
use crate::problem::value::ValueKind;
use crate::styled::{Role, Styled};
use crate::term::Number;
use crate::text::path::{FieldPath, Step};
use crate::value::datum::Datum;
use crate::value::provenance::{DefinitionOutcome, FoldKind, MergeOutcome, OutcomeReason};
use std::borrow::Cow;

/// Maximum number of names in a list of the fields that a value reads.
pub(super) const READ: usize = 6;
/// The name of the source in which `cfg merge` joins files.
const MERGED: &str = "<merge>";
/// The place of a definition that is in no source.
pub(super) const NOWHERE: &str = "(computed)";

/// `3 definitions, 1 wins`
pub(super) fn summary(e: &Explanation) -> String {
    // A definition that only declares the field does not count.
    let declares =
        |d: &&DefinitionRow| is_rule(d) || matches!(d.because, OutcomeReason::Declares | OutcomeReason::Unset);
    let count = e.definitions.len() + e.more - e.definitions.iter().filter(declares).count();
    let noun = |count: usize| if count == 1 { "definition" } else { "definitions" };
    if e.value.is_none() {
        return String::from(match e.verdict {
            MergeOutcome::Conflict => "conflict",
            MergeOutcome::Missing => "missing",
            _ => "error",
        });
    }
    match (e.verdict, count) {
        (_, 0) => String::from("no definition of its own"),
        (_, 1) => String::from("1 definition"),
        (MergeOutcome::Combined, _) => format!("{count} {}, combined", noun(count)),
        _ => format!("{count} {}, 1 wins", noun(count)),
    }
}

/// ` has no value: 2 definitions tie`
pub(in crate::answer) fn without(e: &Explanation) -> String {
    let ties = e.definitions.iter().filter(|d| d.outcome == DefinitionOutcome::Tie).count();
    match e.verdict {
        MergeOutcome::Conflict => format!(" has no value: {ties} definitions tie"),
        MergeOutcome::Missing => {
            let is_off =
                |d: &&DefinitionRow| d.outcome == DefinitionOutcome::Off && d.because == OutcomeReason::Condition;
            String::from(match e.definitions.iter().filter(is_off).count() {
                0 => " has no value: it is declared, never defined",
                1 => " has no value: its condition is false",
                _ => " has no value: the conditions of its definitions are false",
            })
        }
        _ => String::from(" has no value"),
    }
}

/// Returns the reason why the value is missing, if the definitions do not show it: the check that fails, or the first
/// line of the report.
pub(in crate::answer) fn fault(e: &Explanation, dialect: Dialect) -> Option<String> {
    let is_shown = matches!(e.verdict, MergeOutcome::Conflict | MergeOutcome::Missing);
    let fault = e.fault.as_ref().filter(|_| !is_shown)?;
    let broken = e.checks.iter().find(|check| check.holds == Some(false) && check.ancestor.is_none());
    let winner = e.definitions.iter().find(|d| d.outcome == DefinitionOutcome::Wins).and_then(|d| d.value.as_ref());
    if let (Some(check), Some(value)) = (broken, winner) {
        return Some(format!("{} does not meet {}", one_line(dialect.spelling(), value).cut(40).text(), check.text));
    }
    let message = Report::of(fault, dialect.notation()).message;
    message.lines().next().map(String::from)
}

/// Returns the checks to show: none if the value is missing and the outcome of every check is unknown.
pub(super) fn checks(e: &Explanation) -> Vec<&ContractCheck> {
    if e.value.is_none() && e.checks.iter().all(|check| check.holds.is_none()) {
        return Vec::new();
    }
    // `type: integer` is a type and a rule, both at the same place
    let mut all: Vec<&ContractCheck> = Vec::new();
    for check in &e.checks {
        let is_same = |other: &&ContractCheck| {
            (&other.text, &other.place, other.holds) == (&check.text, &check.place, check.holds)
                && other.ancestor == check.ancestor
        };
        if !(check.holds == Some(true) && all.iter().any(is_same)) {
            all.push(check);
        }
    }
    all
}

/// Returns the path, or a name for the whole value.
pub(super) fn path(e: &Explanation) -> String {
    if let Some(title) = &e.title {
        return title.clone();
    }
    if e.path.steps.is_empty() { String::from("all of it") } else { e.path.to_string() }
}

/// Returns the definitions in display order: the winning ones, those that they extend, then the losing ones, the
/// strongest first.
pub(super) fn shown(e: &Explanation) -> Vec<&DefinitionRow> {
    let class = |d: &DefinitionRow| match d.outcome {
        DefinitionOutcome::Wins | DefinitionOutcome::Part | DefinitionOutcome::Tie | DefinitionOutcome::Same => 0,
        DefinitionOutcome::Prev => 1,
        DefinitionOutcome::Lost => 2,
        DefinitionOutcome::Off => 3,
    };
    // A definition that only declares the field is shown through its contracts if there is a value to check.
    let is_told = |number: usize, d: &DefinitionRow| {
        e.verdict != MergeOutcome::Missing
            && matches!(d.because, OutcomeReason::Declares | OutcomeReason::Unset)
            && e.checks.iter().any(|check| check.definition == Some(number))
    };
    let all =
        e.definitions.iter().enumerate().filter(|(number, d)| !is_rule(d) && !is_told(*number, d)).map(|(_, d)| d);
    let mut all: Vec<&DefinitionRow> = all.collect();
    all.sort_by(|a, b| {
        let within = || match class(a) {
            1 | 2 => b.priority.rank(&a.priority).then(b.layer.cmp(&a.layer)),
            _ => std::cmp::Ordering::Equal,
        };
        class(a).cmp(&class(b)).then_with(within)
    });
    all
}

/// Returns `true` for what a rule for lists adds to a merge. It is not a definition of the user.
fn is_rule(d: &DefinitionRow) -> bool {
    d.place.as_ref().is_some_and(Place::is_rule)
}

/// Returns the word for a priority.
pub(super) fn priority(priority: &Priority) -> String {
    match priority {
        Priority::Default => String::from("default"),
        Priority::Normal => String::from("normal"),
        Priority::Number(n) if *n == Number::ZERO => String::from("normal"),
        Priority::Number(n) => n.to_string(),
        Priority::Layer(layer) => format!("layer {}", layer + 1),
        Priority::Force => String::from("force"),
    }
}

/// Returns a priority for use in a sentence or a table: never a number alone.
fn ranked(own: &Priority) -> String {
    match own {
        Priority::Number(n) if *n != Number::ZERO => format!("priority {n}"),
        own => priority(own),
    }
}

/// Returns the words for a definition's strength: its priority or its layer.
pub(in crate::answer) fn strength(d: &DefinitionRow, e: &Explanation) -> String {
    match d.layer {
        Some(layer) if e.chain => format!("layer {layer}"),
        _ if d.pushed && matches!(d.priority, Priority::Default | Priority::Force) => {
            format!("{} rec", priority(&d.priority))
        }
        _ => ranked(&d.priority),
    }
}

/// Returns the reason for a definition's outcome.
pub(super) fn reason(d: &DefinitionRow, e: &Explanation) -> String {
    let joined = || match &d.join {
        Some(join) if join.place.file == MERGED => format!("merged as {}", join.text),
        Some(join) => format!("merged at {}  {}", join.place, join.text),
        None => d.text.clone(),
    };
    let of = match &d.ancestor {
        Some(path) => format!("is all of {path}: "),
        None => String::new(),
    };
    let said = match &d.because {
        // the place of an option is its text
        OutcomeReason::Only | OutcomeReason::Strongest | OutcomeReason::Uppermost
            if d.place.as_ref().is_some_and(Place::is_option) =>
        {
            String::new()
        }
        // indentation means nothing in a row
        OutcomeReason::Only | OutcomeReason::Strongest | OutcomeReason::Uppermost if redefines(e) => {
            crate::text::on_one_line(&d.text)
        }
        OutcomeReason::Only | OutcomeReason::Strongest | OutcomeReason::Uppermost => d.text.clone(),
        OutcomeReason::Differs => joined(),
        // The summary already says that they are combined.
        OutcomeReason::Merged | OutcomeReason::Folded => String::new(),
        OutcomeReason::WithParent { because, .. } => {
            let (path, place) = match &d.parent {
                Some((path, place)) => (path.to_string(), place.as_ref()),
                None => (String::new(), None),
            };
            let at = place.map(|place| format!(" ({place})")).unwrap_or_default();
            format!("lost with {path}{at}: {}", priority_reason(because, &parent_priority(&d.because), e))
        }
        OutcomeReason::ThroughFunction { .. } => {
            let path = d.parent.as_ref().map(|(path, _)| path.to_string()).unwrap_or_default();
            format!("combined as a part of {path}")
        }
        OutcomeReason::Condition => match &d.guard {
            Some(guard) => format!("its condition is false: {}  {guard}", guard.text),
            None => String::from("its condition is false"),
        },
        because => priority_reason(because, &d.priority, e),
    };
    let mark = match d.visibility {
        Visibility::Hidden => "hidden (`::`)",
        Visibility::Forced => "shown (`:::`)",
        Visibility::Inherit => "",
    };
    let between = if mark.is_empty() || said.is_empty() { "" } else { "; " };
    format!("{mark}{between}{of}{said}")
}

fn parent_priority(because: &OutcomeReason) -> Priority {
    match because {
        OutcomeReason::WithParent { priority, .. } => priority.clone(),
        _ => Priority::Normal,
    }
}

/// Returns a reason that depends only on the priority of its definition.
fn priority_reason(because: &OutcomeReason, own: &Priority, e: &Explanation) -> String {
    match because {
        OutcomeReason::Above if redefines(e) => String::from("a later definition replaces it"),
        OutcomeReason::Weaker(top) => format!("{} beats {}", ranked(top), ranked(own)),
        OutcomeReason::Above => String::from("the object above it defines it too"),
        OutcomeReason::Equal => String::from("equal, counts once"),
        OutcomeReason::Again => String::from("the same definition again"),
        OutcomeReason::Unset => String::from("optional, and not set"),
        OutcomeReason::Declares => String::from("declares it without a value"),
        OutcomeReason::Read => String::from("read as `super` by the object above it"),
        OutcomeReason::Removed => String::from("removed by an object above it"),
        OutcomeReason::Condition => String::from("its condition is false"),
        OutcomeReason::WithParent { because, priority, .. } => priority_reason(because, priority, e),
        _ => String::new(),
    }
}

/// Returns the keyword before a merge function.
pub(super) fn keyword(fold: &Folded) -> &'static str {
    match fold.kind {
        FoldKind::Function if fold.sets_elements => "",
        FoldKind::Function => "merge ",
        FoldKind::Plus => "+:",
    }
}

/// Returns a merge function as it is called: its name, the rule for a list, or `f`.
pub(super) fn function(fold: &Folded) -> String {
    match fold.kind {
        FoldKind::Function if fold.sets_elements => String::from("set"),
        // a rule may be followed by who made it: `key:name (Kubernetes)`
        FoldKind::Function if fold.call_place.is_rule() => {
            String::from(fold.call_place.text.split_whitespace().next().unwrap_or_default())
        }
        FoldKind::Function => String::from(last_name(&fold.call_place.text).unwrap_or("f")),
        FoldKind::Plus => String::new(),
    }
}

/// Returns a merge function as it is introduced: its name, or its source text.
pub(super) fn function_written(fold: &Folded) -> String {
    match fold.kind {
        FoldKind::Function if fold.sets_elements => String::from("setting elements"),
        FoldKind::Function if fold.call_place.is_rule() => crate::text::on_one_line(&fold.call_place.text).to_string(),
        FoldKind::Function if last_name(&fold.call_place.text).is_none() => {
            Styled::from(crate::text::on_one_line(&fold.call_place.text)).cut(44).text()
        }
        _ => function(fold),
    }
}

/// Returns the last name of a path: `f` for `f`, `std.f` and `(import "a").f`.
fn last_name(text: &str) -> Option<&str> {
    let (before, last) = text.rsplit_once('.').map_or((None, text), |(before, last)| (Some(before), last));
    let path = before
        .is_none_or(|before| before.split('.').all(is_name) || (before.starts_with('(') && before.ends_with(')')));
    (path && is_name(last)).then_some(last)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '\''))
}

/// Returns one word for whether a check holds.
pub(super) fn holds(check: &ContractCheck) -> &'static str {
    match check.holds {
        Some(true) => "ok",
        Some(false) => "FAILS",
        None => "later",
    }
}

/// Returns the style of that word.
pub(super) fn holds_role(check: &ContractCheck) -> Role {
    match check.holds {
        Some(true) => Role::Wins,
        Some(false) => Role::Error,
        None => Role::Dim,
    }
}

/// Returns the origin of a check, or the reason why it fails.
pub(super) fn origin(check: &ContractCheck, e: &Explanation, dialect: Dialect) -> String {
    let mut parts = Vec::new();
    parts.extend(broken(check, dialect));
    if let Some(via) = &check.via {
        parts.push(self::via(via));
    }
    if let Some(of) = &check.ancestor {
        parts.push(format!("on all of {of}"));
    }
    if let Some(definition) = check.definition.and_then(|number| e.definitions.get(number))
        && e.definitions.len() > 1
        && check.via.is_none()
    {
        let outcome = match definition.outcome {
            DefinitionOutcome::Wins => Some("winning"),
            DefinitionOutcome::Lost => Some("losing"),
            _ => None,
        };
        let strength = strength(definition, e);
        match (definition.because == OutcomeReason::Declares, outcome) {
            (true, _) => parts.push(String::from("written where it is declared")),
            (false, Some(outcome)) => parts.push(format!("written on the {outcome} {strength}")),
            (false, None) => {}
        }
    }
    if check.assert {
        parts.push(String::from("assert"));
    }
    if check.own {
        parts.push(String::from("a type annotation, only for its own definition"));
    }
    if check.holds.is_none() && check.fault.is_none() {
        parts.push(String::from(if e.value.is_some() { "checked when it is called" } else { "not reached" }));
    }
    parts.join("; ")
}

/// Returns the message of a check that fails.
fn broken(check: &ContractCheck, dialect: Dialect) -> Option<String> {
    let fault = check.fault.as_ref()?;
    let ProblemKind::Value(met) = &fault.kind else { return None };
    let ValueKind::Contract(broken) = &met.what else {
        let message = Report::of(fault, dialect.notation()).message;
        return message.lines().next().map(String::from);
    };
    match (&broken.message, &broken.expected, &broken.found) {
        (Some(message), ..) => message.lines().next().map(String::from),
        (None, Some(expected), Some(found)) => Some(format!("wants {expected}, the value is {found}")),
        _ => None,
    }
}

/// `via server : Server (base.cfg:2:3)`
pub(super) fn via(via: &Via) -> String {
    let mut out = String::from("via ");
    if let Some(field) = &via.field {
        out.push_str(field);
        out.push_str(" : ");
    }
    match &via.place {
        Some(place) if via.contract.is_empty() && place.text.chars().count() <= 24 => out.push_str(&place.text),
        _ if via.contract.is_empty() => out.push_str("a contract"),
        _ => out.push_str(&via.contract),
    }
    if let Some(place) = &via.place {
        out.push_str(&format!(" ({place})"));
    }
    out
}

/// `[0] base.cfg:6:13`
pub(super) fn element(element: &Element) -> String {
    format!("[{}] {}", element.index, element_origin(element))
}

/// Returns the places of an element: `base.cfg:6:13 + prod.cfg:8:20`.
pub(super) fn element_origin(element: &Element) -> String {
    match &element.place {
        Some(place) => element.also.iter().fold(place.to_string(), |all, also| format!("{all} + {also}")),
        None => String::from("made by the function"),
    }
}

/// Returns the words for the number of items left out.
pub(super) fn more(count: usize) -> String {
    format!("{count} more")
}

/// Returns the words for the steps before those that are shown.
pub(super) fn earlier(count: usize) -> String {
    if count == 1 { String::from("1 earlier step") } else { format!("{count} earlier steps") }
}

/// Returns the words for a field of a record.
pub(super) fn part(part: &Part) -> String {
    let lost = match part.lost {
        0 => String::new(),
        lost => format!("{lost} lost"),
    };
    match part.outcome {
        Some(DefinitionOutcome::Part) => String::from("combined"),
        Some(DefinitionOutcome::Tie) => String::from("TIE"),
        _ => lost,
    }
}

/// Returns `true` if the definitions are ordered by `+`.
fn ordered(e: &Explanation) -> bool {
    e.chain || e.language.rules().extends()
}

/// Returns `true` if a key is changed by another definition of it, later in the document.
fn redefines(e: &Explanation) -> bool {
    e.language.rules().extends_layers()
}

/// Returns a field's name as it is written in a path.
fn named(step: &Step) -> Option<String> {
    match step {
        Step::Field(_) => Some(FieldPath { steps: vec![step.clone()] }.to_string()),
        Step::Index(_) => None,
    }
}

/// Returns a field's name as a program defines it.
fn key(step: &Step, written: fn(&str) -> Cow<'_, str>) -> Option<String> {
    match step {
        Step::Field(name) => Some(written(name).into_owned()),
        Step::Index(_) => None,
    }
}

/// Returns whether a file was installed for a program, and is not edited: it is in a `vendor` folder.
fn is_vendored(file: &str) -> bool {
    file.split(['/', '\\']).rev().skip(1).any(|folder| matches!(folder, "vendor" | "node_modules"))
}

/// Returns the nearest field that the value reads whose definition is not in an installed file, with the place.
fn nearest(e: &Explanation) -> Option<(&Read, &Place)> {
    let own = e.depends_on.iter().filter_map(|read| Some((read, read.place.as_ref()?)));
    own.filter(|(_, place)| !is_vendored(&place.file)).min_by_key(|(read, _)| read.depth)
}

/// Returns an example program that gives the field another value when it is merged: `{ server.port | force = … }`.
/// `None` if a merge cannot change the value.
fn sample(e: &Explanation, winner: &Priority) -> Option<String> {
    if !e.open {
        return None;
    }
    let names: Option<Vec<String>> = e.path.steps.iter().skip(e.name_steps).map(named).collect();
    let names = names.filter(|names| !names.is_empty() && names.iter().map(String::len).sum::<usize>() <= 48)?;
    if ordered(e) {
        let written = e.language.spelling().field;
        let keys: Vec<_> = e.path.steps.iter().skip(e.name_steps).filter_map(|step| key(step, written)).collect();
        if redefines(e) {
            let (last, around) = keys.split_last()?;
            let around: Vec<&str> = around.iter().map(String::as_str).collect();
            let below = if around.is_empty() { String::new() } else { format!(" below `{}:`", around.join(".")) };
            return Some(format!("`{last}: …`{below}"));
        }
        let mut out = String::new();
        for (at, name) in keys.iter().enumerate() {
            out.push_str(&format!("{{ {name}{} ", if at + 1 < keys.len() { "+:" } else { ":" }));
        }
        return Some(format!("`{out}…{}`", " }".repeat(names.len())));
    }
    let strength = if *winner == Priority::Default { "" } else { " | force" };
    Some(format!("`{{ {}{strength} = … }}`", names.join(".")))
}

/// Returns the words for a field that the value reads: the priority of its winning definition, and the number that
/// lost.
pub(super) fn read(read: &Read) -> String {
    let priority = match &read.priority {
        Priority::Normal => None,
        other => Some(ranked(other)),
    };
    let combined = read.combined.then(|| String::from("combined"));
    let places = |places: &[Place]| places.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let ties = (!read.ties.is_empty()).then(|| format!("ties with {}", places(&read.ties)));
    let below = (!read.below.is_empty()).then(|| format!("`super` reads {}", places(&read.below)));
    let lost = (read.lost > 0).then(|| format!("{} lost", read.lost));
    priority.into_iter().chain(combined).chain(ties).chain(below).chain(lost).collect::<Vec<_>>().join(", ")
}

/// Returns the kind of a value, with its article. `None` for null and for values without a kind of their own.
fn kind(value: &Datum) -> Option<&'static str> {
    Some(match value {
        Datum::Bool(_) => "a boolean",
        Datum::Number(_) => "a number",
        Datum::String(_) => "a string",
        Datum::Array(_) => "a list",
        Datum::Record(_) => "a record",
        _ => return None,
    })
}

pub(super) fn closing(e: &Explanation) -> Vec<String> {
    let mut out = Vec::new();
    match (&e.requested_path, &e.path_error) {
        (Some(asked), Some(fault)) => {
            let message = Report::of(fault, e.language.notation()).message;
            out.push(format!("{asked} does not exist: {}", message.lines().next().unwrap_or("")));
        }
        (Some(asked), None) if e.value.is_none() => out.push(format!("so {asked} has no value either")),
        _ => {}
    }
    let winner =
        e.definitions.iter().find(|d| d.outcome == DefinitionOutcome::Wins && d.because != OutcomeReason::Equal);
    // an edit of the value above does not make a path exist
    if let Some(winner) = winner
        && e.value.is_some()
        && e.path_error.is_none()
        && let Some(place) = &winner.place
    {
        let also = match (&winner.priority, sample(e, &winner.priority)) {
            (Priority::Force, _) if !ordered(e) => String::from(". Another `force` here would conflict."),
            (Priority::Layer(_), _) if place.is_option() => String::from(", or set it with a later option."),
            (Priority::Layer(_), _) => String::from(", or set it in a later file."),
            (_, Some(sample)) if !e.language.has_cells() => format!(", or merge a file with {sample}."),
            (_, Some(sample)) if redefines(e) => format!(", or define it again later: {sample}."),
            (_, Some(sample)) if ordered(e) => format!(", or put an object above it: {sample}."),
            (_, Some(sample)) => format!(", or merge {sample} over it."),
            _ => String::from("."),
        };
        // Definitions with an equal value would conflict with a new value.
        let equals =
            e.definitions.iter().filter(|d| d.because == OutcomeReason::Equal).filter_map(|d| d.place.as_ref());
        let alike: Vec<String> = equals.map(|equal| format!(" and {equal}")).collect();
        let together = if alike.is_empty() { "" } else { " to the same value" };
        let over = match sample(e, &winner.priority).filter(|_| is_vendored(&place.file)) {
            Some(sample) if redefines(e) => Some(format!("define it again later: {sample}")),
            Some(sample) if ordered(e) => Some(format!("put an object above it: {sample}")),
            Some(sample) if !e.language.has_cells() => Some(format!("merge a file with {sample}")),
            Some(sample) => Some(format!("merge {sample} over it")),
            None => None,
        };
        let also = match &e.anchor {
            Some((name, count)) => {
                let uses = if *count == 1 { String::from("1 alias uses") } else { format!("{count} aliases use") };
                format!(" in the anchor `{name}`, which {uses}{also}")
            }
            None => also,
        };
        match over {
            Some(over) => {
                let own = match nearest(e) {
                    Some((read, near)) => format!("edit {near} (`{}`, which it reads), or {over}", read.path),
                    None => over,
                };
                out.push(format!("to change it: {own}. {place} is vendored."));
            }
            None => out.push(format!("to change it: edit {}{}{together}{also}", place.editable(), alike.concat())),
        }
        let own = winner.value.as_ref().and_then(kind);
        let other = e.definitions.iter().filter(|d| d.outcome == DefinitionOutcome::Lost).find_map(|d| {
            let other = d.value.as_ref().and_then(kind)?;
            (own? != other).then_some((other, d.place.as_ref()?))
        });
        if let (Some(own), Some((other, place))) = (own, other) {
            out.push(format!("note: {own} replaces {other} ({place})"));
        }
        if winner.priority == Priority::Force {
            let dropped: Vec<String> = e
                .definitions
                .iter()
                .filter(|d| matches!(d.because, OutcomeReason::Weaker(_)) && d.priority != Priority::Default)
                .filter_map(|d| d.place.as_ref().map(ToString::to_string))
                .collect();
            if !dropped.is_empty() {
                let plural = if dropped.len() == 1 { "definition" } else { "definitions" };
                out.push(format!("note: `force` drops the {plural} at {}", dropped.join(", ")));
            }
        }
    }
    if let Some(winner) = winner
        && e.value.is_none()
        && e.checks.iter().any(|check| check.holds == Some(false))
        && let Some(place) = &winner.place
    {
        out.push(format!("to fix it: edit {}", place.editable()));
    }
    if e.flags.hidden {
        out.push(String::from("note: exports leave it out"));
    }
    out
}
