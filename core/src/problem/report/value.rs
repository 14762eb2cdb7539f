//! The messages of evaluation problems.

use super::{KindNames, Label, Report, listed};
use crate::meta::Priority;
use crate::problem::datum::Datum;
use crate::problem::value::{ConflictingDefinition, ContractViolation, Limit, READS, ValueKind, ValueProblem};
use crate::styled::Styled;
use crate::text::{Name, Span};

pub(super) fn write(problem: &ValueProblem, kind_names: &KindNames, report: &mut Report) {
    let kind = |name: &Name| (kind_names.kind)(name).to_string();
    let show = |value: &Datum| show(value, kind_names.tag);
    match &problem.what {
        ValueKind::Type { expected, found, needed_by, span, operation } => {
            let (expected, found) = (&kind(expected), &kind(found));
            // a step of a path, with the path before it
            let (needed_by, whole) = match needed_by.split_once("` of `") {
                Some((part, whole)) if needed_by.starts_with(['`']) => (part, Some(whole.trim_end_matches('`'))),
                _ => (needed_by.as_str(), None),
            };
            let part = needed_by.strip_prefix('.').or_else(|| needed_by.strip_prefix("`."));
            if let (Some(field), None) = (part, whole) {
                let hint = (kind_names.parts_hint)(found, field.trim_end_matches('`'));
                report.suggestions.extend(hint.map(String::from));
            }
            report.message = match part {
                Some(field) => match whole {
                    Some(whole) => {
                        format!("`{whole}` is {}, which has no field `{}`", article(found), field.trim_end_matches('`'))
                    }
                    None => format!("{} has no field `{}`", article(found), field.trim_end_matches('`')),
                },
                None if needed_by.starts_with("`[") && whole.is_some() => {
                    let index = needed_by.trim_matches(['`', '[', ']']);
                    format!("`{}` is {}, which has no element {index}", whole.unwrap_or_default(), article(found))
                }
                None if needed_by.starts_with("`[") => {
                    format!("{} has no element {}", article(found), needed_by.trim_matches(['`', '[', ']']))
                }
                None => format!("{needed_by} must be {expected}, but is {found}"),
            };
            if let Some(operator) = needed_by.split('`').nth(1) {
                report.suggestions.extend((kind_names.operator_hint)(operator, found).map(String::from));
            }
            if part.is_none() && expected != "Function" && found == "Function" && !needed_by.starts_with("argument") {
                report.suggestions.push(String::from(ARGUMENTS_MISSING));
            }
            if needed_by == "argument 1 of `std.string.join`" && found == "Array" {
                report.suggestions.push(String::from(SEPARATOR_FIRST));
            }
            mark(report, *span, format!("this is {}", article(found)));
            let place = if span.is_some() { String::from("needed here") } else { format!("needs {expected}") };
            mark(report, *operation, place);
        }
        ValueKind::OnTop { own, below, span, under } => {
            let (own, below) = (&kind(own), &kind(below));
            report.message = format!("{} cannot be on top of {}", article(own), article(below));
            mark(report, Some(*span), format!("this is {}", article(own)));
            mark(report, *under, format!("the definition below is {}", article(below)));
            report.suggestions.push(format!("{} continues only another {own}", article(own)));
        }
        ValueKind::NotAFunction { found, span, extra: Some(extra) } => {
            let found = &kind(found);
            let (takes, given) = (extra.takes, extra.given);
            report.message = format!("too many arguments: the function takes {takes}, and here are {given}");
            mark(report, *span, format!("one too many: with {takes}, the result is {}", article(found)));
            mark(report, extra.function, String::from("the function"));
            report.suggestions.push(String::from("remove the further arguments, or add a parameter to the function"));
        }
        ValueKind::NotAFunction { found, span, extra: None } => {
            let found = &kind(found);
            report.message = format!("not a function: {} cannot be applied", article(found));
            mark(report, *span, format!("this is {}", article(found)));
            report.suggestions.extend((kind_names.call_hint)(found).map(String::from));
        }
        ValueKind::MissingField { name, span, record, near, known } => {
            report.message = (kind_names.missing_field)(name);
            mark(report, *span, String::from("asked for here"));
            mark(report, *record, format!("this {} has no such {}", kind_names.record, kind_names.field));
            match known.as_slice() {
                [] => {}
                [one] => report.notes.push(format!("its only {} is `{one}`", kind_names.field)),
                all => report.notes.push(format!("its {}s are {}", kind_names.field, listed(all))),
            }
            match near.first() {
                // a path as in other programs: `spec/replicas`
                Some(first) if span.is_none() && name.contains('/') && !first.contains('/') => {
                    report
                        .suggestions
                        .push(format!("the names of a path have dots between them: `{}`", name.replace('/', ".")));
                }
                Some(first) => report.suggestions.push(format!("did you mean `{first}`?")),
                None if span.is_none() && is_foreign_path(name) => {
                    report.suggestions.push(String::from(
                        "a path is names with dots between them, without a sign before the first: `a.b[0]`",
                    ));
                }
                None if record.is_some_and(is_real) && problem.origins.is_empty() => {
                    report.suggestions.extend((kind_names.absent_hint)(name));
                }
                None => {}
            }
        }
        ValueKind::MissingDefinition { name, declared, needed, off, holder, written } => {
            report.message = format!("missing definition for `{name}`");
            if let Some(written) = written {
                report.suggestions.push(format!("`{written}` is defined: did you mean `{name}`?"));
            } else if off.is_empty() {
                report.suggestions.extend((kind_names.definition_hint)(name, needed.is_some()));
            }
            let contains = |holder: &Span, at: &Span| {
                holder.source == at.source && holder.start <= at.start && at.end <= holder.end
            };
            let holder = holder.filter(|holder| !declared.iter().any(|at| contains(holder, at)));
            mark(report, holder, format!("`{name}` is not here"));
            for span in declared {
                mark(report, Some(*span), String::from("declared here, without a value"));
            }
            for span in off {
                mark(report, Some(*span), String::from("it is defined only where this holds"));
            }
            mark(report, *needed, String::from("needed here"));
        }
        ValueKind::Conflict { definitions, merged } => conflict(problem, definitions, *merged, kind_names, report),
        ValueKind::MergeFunctions { functions } => {
            report.message = format!("more than one merge function{}", on_field(&problem.path));
            for span in functions {
                mark(report, Some(*span), String::from("one merge function"));
            }
            report.notes.push(String::from("a field has one merge function, or none"));
        }
        ValueKind::NotAMergeFunction { found, arguments, span } => {
            let what = match arguments {
                Some(count) => format!("a function of {count} arguments"),
                None => article(found),
            };
            report.message = format!("the merge function{} is {what}", on_field(&problem.path));
            mark(report, Some(*span), String::from("expected a function of one argument"));
            merge_function(&mut report.notes, &mut report.suggestions);
        }
        ValueKind::Recursion { cycle } => recursion(cycle, report),
        ValueKind::ContainsItself { alias, anchor, name } => {
            report.message = match problem.path.is_empty() {
                true => String::from("a value contains itself, so it has no end"),
                false => format!("`{}` contains itself, so it has no end", path(&problem.path)),
            };
            mark(report, Some(*alias), format!("the alias `*{name}` inside of its own anchor"));
            mark(report, Some(*anchor), format!("the value of `&{name}`"));
            report.suggestions.push(String::from("write the part that is meant in place of the alias"));
        }
        ValueKind::Paradox { guard, held, changed, fails } => {
            let word = |holds: bool| if holds { "True" } else { "False" };
            let reads: Vec<String> = changed
                .iter()
                .map(|c| format!("`{}` changed from {} to {}", c.name, show(&c.was.0), show(&c.now.0)))
                .collect();
            let because = if reads.is_empty() { String::new() } else { format!(": {}", reads.join(", ")) };
            report.message = match fails {
                None => format!("paradox: the guard changed from {} to {}{because}", word(*held), word(!*held)),
                Some(fails) => {
                    let mut inner = Report { message: String::new(), labels: Vec::new(), ..report.clone() };
                    write(fails, kind_names, &mut inner);
                    format!(
                        "paradox: the guard was {} and fails afterwards, with \"{}\"{because}",
                        word(*held),
                        inner.message
                    )
                }
            };
            mark(report, Some(*guard), String::from("what this guards changes what it reads"));
            for change in changed {
                mark(report, change.was.1, format!("it read {}", show(&change.was.0)));
                mark(report, change.now.1, format!("which this changes to {}", show(&change.now.0)));
            }
            for [before, now] in changed.iter().map(|change| change.under) {
                let before = before.filter(|before| Some(*before) != now);
                mark(report, before, String::from("under this guard, which held before"));
                mark(report, now, String::from("under this guard, which then holds"));
            }
            report.suggestions.push(String::from(
                match changed.iter().flat_map(|change| change.under).any(|under| under.is_some()) {
                    true => "the guards need each other: let one of them read a key that neither of them changes",
                    false => "let the guard read a key that it does not change",
                },
            ));
        }
        ValueKind::Contract(broken) => super::contract::write(problem, broken, kind_names, report),
        ValueKind::Limit { limit, allowed, span } => {
            report.message = match limit {
                Limit::Depth => format!("evaluation nests deeper than {allowed} levels"),
                Limit::Steps => format!("evaluation takes more than {allowed} steps"),
                Limit::Memory => format!("evaluation makes more than {allowed} elements"),
                Limit::Room => format!("evaluation ran out of memory: {} MB are left", allowed >> 20),
                Limit::Process => format!("cfg ran out of memory: {} MB are left", allowed >> 20),
            };
            let during = if *limit == Limit::Process { "in this text" } else { "while evaluating this" };
            mark(report, *span, String::from(during));
        }
        ValueKind::Interrupted => report.message = String::from("interrupted"),
        ValueKind::Failed { message, span } => {
            report.message = message.to_string();
            mark(report, *span, String::from("fails here"));
        }
        ValueKind::Undefined { message, span, notes } => {
            report.message = message.to_string();
            mark(report, *span, String::new());
            report.notes.extend(notes.iter().map(Name::to_string));
        }
        ValueKind::NoExternal { name, span } => {
            report.message = format!("undefined external variable: {name}");
            mark(report, *span, String::new());
        }
        ValueKind::NoElement { index, count, list, span } => {
            let plural = if *count == 1 { "" } else { "s" };
            report.message = format!("there is no element [{index}] to set: the list has {count} element{plural}");
            mark(report, *span, String::new());
            report.labels.extend(list.map(|span| Label { span, text: String::from("the list") }));
            report.suggestions.push(format!("an element is appended by the index after the last one, [{count}]"));
        }
        ValueKind::Graph { message, places, help } => {
            report.message = message.to_string();
            for (span, text) in places {
                mark(report, Some(*span), text.to_string());
            }
            report.suggestions.extend(help.iter().map(Name::to_string));
        }
        ValueKind::NoMatch { span, value, fields: Some(fields), place } => {
            report.message = format!("the pattern does not fit {}", show(value));
            let names = |names: &[Name]| {
                let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                format!("the field{} {}", if names.len() == 1 { "" } else { "s" }, quoted.join(", "))
            };
            let (missing, further) = (fields.missing.as_slice(), fields.further.as_slice());
            let label = match (missing.is_empty(), further.is_empty()) {
                (true, true) => String::from("the value has to have this form"),
                (false, _) => format!("the value does not have {}", names(missing)),
                (true, false) => format!("this does not allow {}", names(further)),
            };
            mark(report, Some(*span), label);
            let near = |name: &Name| crate::text::near(name, missing.iter().map(Name::as_str)).into_iter().next();
            match (further.first(), missing.first()) {
                (Some(first), _) => mark(report, *place, format!("the pattern has no `{first}`")),
                (None, Some(_)) => mark(report, *place, String::from("this value")),
                (None, None) => {}
            }
            if let Some(near) = further.first().and_then(near) {
                report.suggestions.push(format!("did you mean `{near}`?"));
            }
            if missing.is_empty() && !further.is_empty() {
                let wanted = fields.wanted.iter().map(Name::as_str).chain([".."]);
                let pattern = wanted.collect::<Vec<_>>().join(", ");
                report.suggestions.push(format!("`..` at the end allows further fields: `{{ {pattern} }}`"));
            }
        }
        ValueKind::NoMatch { span, value, fields: None, .. } => {
            report.message = format!("no pattern fits {}", show(value));
            mark(report, Some(*span), String::from("no pattern here matches it"));
        }
        ValueKind::Incomparable { what, span } => {
            report.message = format!("{what} cannot be compared");
            mark(report, *span, String::from("compared here"));
        }
        ValueKind::Hole { span } => {
            report.message = String::from("this part did not parse");
            mark(report, Some(*span), String::new());
        }
        ValueKind::Unbound { name, span } => {
            report.message = format!("unbound name `{name}`");
            mark(report, Some(*span), String::from("nothing of this name is in scope"));
        }
    }
    if let Some(layer) = problem.layer.as_ref().filter(|_| !kind_names.keeps_kind) {
        let text = format!("`{}` of layer {} of {}", layer.field, layer.number, layer.count);
        match layer.span.filter(|s| is_real(*s) && report.labels.iter().all(|l| l.span != *s)) {
            Some(span) => mark(report, Some(span), format!("in {text}, counted from the left of `+`")),
            None => report.notes.push(format!("it occurred in {text}, counted from the left of `+`")),
        }
    }
    super::origins::write(&problem.origins, kind_names, report);
    if let Some(words) = &problem.words {
        report.message = words.to_string();
    }
    let hinted = matches!(
        problem.what,
        ValueKind::Undefined { .. }
            | ValueKind::Type { .. }
            | ValueKind::NoMatch { .. }
            | ValueKind::Recursion { .. }
            | ValueKind::Limit { .. }
            | ValueKind::NotAFunction { .. }
    );
    if hinted && report.suggestions.is_empty() {
        report.suggestions.extend((kind_names.failure_hint)(&report.message).map(String::from));
    }
    // a contract whose message names the field
    let is_named = |broken: &ContractViolation| super::contract::calls(broken).is_empty();
    let named = matches!(&problem.what, ValueKind::Contract(broken) if is_named(broken))
        || matches!(
            problem.what,
            ValueKind::Conflict { .. }
                | ValueKind::MergeFunctions { .. }
                | ValueKind::NotAMergeFunction { .. }
                | ValueKind::ContainsItself { .. }
        );
    if problem.path.len() > usize::from(!named) && !named {
        report.notes.push(format!("in field `{}`", path(&problem.path)));
    }
    for read in problem.reads.0.iter().filter(|span| is_real(**span)) {
        if report.labels.iter().all(|l| l.span != *read) {
            report.labels.push(Label { span: *read, text: String::from("which is read here") });
        }
    }
    if problem.reads.0.len() >= READS {
        report.notes.push(format!("only the innermost {READS} references are listed"));
    }
    // a rule about a whole graph has no call that a user wrote, nor has an assignment to an element
    let is_called = !matches!(problem.what, ValueKind::Graph { .. } | ValueKind::NoElement { .. });
    let calls = if is_called { problem.calls.as_slice() } else { &[] };
    for call in calls.iter().filter(|span| is_real(**span)).take(3) {
        if report.labels.iter().all(|l| l.span != *call) {
            report.labels.push(Label { span: *call, text: String::from("in this call") });
        }
    }
}

/// Returns `true` if a span is in a source. Values that library functions create have none.
pub(super) fn is_real(span: Span) -> bool {
    span.source.0 != u32::MAX
}

pub(super) fn mark(report: &mut Report, span: Option<Span>, text: String) {
    if let Some(span) = span.filter(|s| is_real(*s)) {
        report.labels.push(Label { span, text });
    }
}

pub(crate) fn article(found: &str) -> String {
    match found {
        "Null" | "null" => String::from("null"),
        "Array" | "Enum" | "array" | "object" => format!("an {found}"),
        _ => format!("a {found}"),
    }
}

/// Formats a path as the option `--at` accepts it.
pub(super) fn path(names: &[Name]) -> String {
    let plain = |n: &Name| {
        n.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '\''))
            && n.chars().next().is_some_and(|c| !c.is_ascii_digit())
    };
    let mut out = String::new();
    for name in names {
        // an element of an array
        let index = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        if index.is_some_and(|index| !index.is_empty() && index.bytes().all(|b| b.is_ascii_digit())) {
            out.push_str(name);
            continue;
        }
        if !out.is_empty() {
            out.push('.');
        }
        match plain(name) {
            true => out.push_str(name),
            false => out.push_str(&format!("{name:?}")),
        }
    }
    out
}

fn on_field(names: &[Name]) -> String {
    if names.is_empty() { String::new() } else { format!(" on field `{}`", path(names)) }
}

/// Writes an enum tag in the notation of a language.
type TagWriter = fn(&str) -> String;

/// Returns `true` if the first name of a path looks like the notation of another program: `/a/b`, `$.a`.
fn is_foreign_path(name: &str) -> bool {
    name == "$" || name.starts_with('/')
}

/// Suggests what to do with a function where its result is expected.
pub(super) const ARGUMENTS_MISSING: &str = "this is a function: give it the arguments that it still needs";
/// The order of the arguments of `std.string.join`.
pub(super) const SEPARATOR_FIRST: &str = "the separator comes first: `std.string.join \", \" parts`";

/// Maximum width of a value in a message, in columns.
pub(super) const SHOWN: usize = 60;
/// Maximum length of the text of a value before it is cut, in bytes. Two values that are compared may differ only at their ends.
const COMPARED: usize = 4000;

fn show(value: &Datum, tag: TagWriter) -> String {
    written(value, tag).cut(SHOWN).text()
}

/// Returns the texts of values that are compared, cut so that they stay different.
fn show_all<'d>(values: impl Iterator<Item = &'d Datum>, tag: TagWriter) -> Vec<String> {
    let values: Vec<Styled> = values.map(|value| written(value, tag)).collect();
    Styled::cut_all(&values, SHOWN).iter().map(Styled::text).collect()
}

pub(super) fn written(value: &Datum, tag: TagWriter) -> Styled {
    let mut out = String::new();
    write_datum(value, tag, &mut out, 0);
    Styled::from(out)
}

fn write_datum(value: &Datum, tag: TagWriter, out: &mut String, depth: u32) {
    if depth > 3 || out.len() > COMPARED {
        return out.push('…');
    }
    match value {
        Datum::Null => out.push_str("null"),
        Datum::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Datum::Number(n) => out.push_str(&n.in_full()),
        Datum::String(s) => out.push_str(&format!("{s:?}")),
        Datum::Tag(t) => out.push_str(&tag(t)),
        Datum::Variant(t, argument) => {
            out.push_str(&tag(t));
            out.push(' ');
            write_datum(argument, tag, out, depth + 1);
        }
        Datum::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                write_datum(item, tag, out, depth + 1);
            }
            out.push(']');
        }
        Datum::Record(entries) => {
            out.push('{');
            for (i, entry) in entries.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { " " });
                out.push_str(&entry.name);
                if let Some(value) = &entry.value {
                    out.push_str(" = ");
                    write_datum(value, tag, out, depth + 1);
                }
            }
            out.push_str(if entries.is_empty() { "}" } else { " }" });
        }
        Datum::Map(entries) => {
            out.push('{');
            for (i, (key, value)) in entries.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                write_datum(key, tag, out, depth + 1);
                out.push_str(" => ");
                write_datum(value, tag, out, depth + 1);
            }
            out.push('}');
        }
        Datum::Function(_) => out.push_str("a function"),
        Datum::Contract(name) => out.push_str(name.as_deref().unwrap_or("a contract")),
        Datum::Secret => out.push_str("a secret"),
        Datum::Fault(_) | Datum::Unforced | Datum::Elided(_) => out.push('…'),
    }
}

fn priority(p: &Priority) -> String {
    match p {
        Priority::Default => String::from("default"),
        Priority::Normal => String::from("normal"),
        Priority::Number(n) => format!("priority {n}"),
        Priority::Layer(n) => format!("layer {}", n + 1),
        Priority::Force => String::from("force"),
    }
}

/// Returns the name of the kind of a value.
fn kind_of(value: &Datum) -> Option<&'static str> {
    Some(match value {
        Datum::Bool(_) => "Bool",
        Datum::Number(_) => "Number",
        Datum::String(_) => "String",
        Datum::Array(_) => "Array",
        Datum::Record(_) => "Record",
        _ => return None,
    })
}

fn conflict(
    problem: &ValueProblem,
    definitions: &[ConflictingDefinition],
    merged: Option<Span>,
    kind_names: &KindNames,
    report: &mut Report,
) {
    let kinds: Vec<String> = definitions
        .iter()
        .filter(|d| d.ties)
        .filter_map(|d| kind_of(&d.value))
        .map(|k| article((kind_names.kind)(k)))
        .collect();
    let of_kinds = match kinds.as_slice() {
        [one, two] if one != two => Some(format!("{one} and {two} cannot be merged")),
        _ => None,
    };
    report.message = if let (true, Some(message)) = (problem.path.is_empty(), &of_kinds) {
        message.clone()
    } else if problem.path.is_empty() {
        String::from("these values cannot be merged")
    } else {
        format!("the values of `{}` cannot be merged", path(&problem.path))
    };
    let functions = definitions.iter().filter(|d| d.ties).any(|d| matches!(d.value, Datum::Function(_)));
    report.secrets.extend(definitions.iter().filter(|d| d.value == Datum::Secret).filter_map(|d| d.span));
    // conflicting definitions first: the first one is the primary place
    let values = show_all(definitions.iter().map(|d| &d.value), kind_names.tag);
    for (d, value) in definitions.iter().zip(&values).filter(|(d, _)| d.ties) {
        mark(report, d.span, format!("{value} ({})", priority(&d.priority)));
    }
    for (d, value) in definitions.iter().zip(&values).filter(|(d, _)| !d.ties) {
        mark(report, d.span, format!("{value} ({}), overridden", priority(&d.priority)));
    }
    mark(report, merged, String::from("merged here"));
    let whole = problem.path.is_empty() && definitions.iter().filter(|d| d.ties).count() > 1;
    if whole && definitions.iter().all(|d| matches!(d.value, Datum::Bool(_))) {
        report.suggestions.push(String::from("`&` merges; the logical operators are `&&` and `||`"));
    } else if whole && definitions.iter().all(|d| matches!(d.value, Datum::Number(_) | Datum::String(_))) {
        report
            .suggestions
            .push(String::from("`&` merges records field by field; other values merge only if they are equal"));
    }
    report.notes.push(match functions {
        false if of_kinds.is_some() && problem.path.is_empty() => {
            String::from("`&` merges records field by field; other values merge only if they are equal")
        }
        true => String::from("functions can only be merged with themselves"),
        false
            if let [one, two] = kinds.as_slice()
                && one != two =>
        {
            format!("they have the same priority, and {one} and {two} are never equal")
        }
        false => String::from("they have the same priority and are not equal"),
    });
    if whole && definitions.iter().all(|d| matches!(d.value, Datum::Array(_))) {
        let joined = (kind_names.operator_hint)("+", (kind_names.kind)("Array"));
        report.suggestions.extend(joined.map(String::from));
    }
    if !problem.path.is_empty() && !functions {
        let name = path(&problem.path);
        // no priority is higher than `force` or lower than `default`
        let ties: Vec<&ConflictingDefinition> = definitions.iter().filter(|d| d.ties).collect();
        let all = |priority: Priority| ties.iter().all(|d| d.priority == priority);
        report.suggestions.push(match (all(Priority::Force), all(Priority::Default)) {
            _ if let Some(hint) = kind_names.equal_hint => String::from(hint),
            (true, _) => {
                format!("keep one `force`: the others may be `{name} = …` or have a number (`{name} | priority 1 = …`)")
            }
            (_, true) => format!("remove `default` from one of them: `{name} = …`"),
            // no definition of the field is one of the two values
            _ if merged.is_some() => String::from(match ties.iter().all(|d| matches!(d.value, Datum::Bool(_))) {
                true => "`&` merges; the logical operators are `&&` and `||`",
                false => "`&` merges records field by field; other values merge only if they are equal",
            }),
            _ => {
                // the definitions are fields of their own records
                let fields = problem.path.iter().rev().take_while(|step| step.starts_with('[')).count() + 1;
                let name =
                    path(problem.path.get(problem.path.len() - fields.min(problem.path.len())..).unwrap_or_default());
                format!("give one of them another priority (`{name} | force = …`, `{name} | default = …`)")
            }
        });
        if kind_names.equal_hint.is_none() && ties.iter().all(|d| matches!(d.value, Datum::Array(_))) {
            report
                .suggestions
                .push(format!("to have the elements of all: `{name} | merge (fun both => both.lower @ both.higher)`"));
        }
    }
}

/// Adds a description of merge functions to the notes, and an example to the suggestions.
pub(super) fn merge_function(notes: &mut Vec<String>, suggestions: &mut Vec<String>) {
    notes.push(String::from(
        "a merge function takes one record: `lower` and `higher` are the two values, `priority` is 'Same or 'Different",
    ));
    suggestions.push(String::from("for example: `merge (fun args => args.lower + args.higher)`"));
}

fn recursion(cycle: &[(Name, Span)], report: &mut Report) {
    report.message = String::from("infinite recursion");
    let names: Vec<&str> = cycle.iter().map(|(name, _)| name.as_str()).filter(|name| !name.is_empty()).collect();
    if let Some(first) = names.first() {
        report.message.push_str(": ");
        report.message.push_str(&names.join(" → "));
        report.message.push_str(" → ");
        report.message.push_str(first);
    }
    for (i, (name, span)) in cycle.iter().enumerate() {
        let next = cycle.get(i + 1).or(cycle.first()).map_or("", |(name, _)| name.as_str());
        let text = if name.is_empty() { String::from("needs itself") } else { format!("`{name}` needs `{next}`") };
        mark(report, Some(*span), text);
    }
}
