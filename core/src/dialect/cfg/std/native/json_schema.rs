//! `std.contract.from_json_schema`: a value against a JSON Schema, with the crate `cfg-json-schema`.

use super::Answer;
use crate::problem::value::ValueKind;
use crate::problem::{Problem, ProblemKind};
use crate::text::{Name, Span, near};
use crate::value::datum::Datum;
use crate::value::machine::Budget;
use crate::value::manifest::{ManifestFormat, manifest};
use crate::value::{Call, Fault, Label, Machine, Step, Thunk, Value};
use cfg_json_schema::{Schema, Violation};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Maximum number of violations in a report.
const SHOWN: usize = 5;
/// Maximum depth of a value and of a schema.
const DEPTH: usize = 200;
/// Maximum number of applications of a part of a schema to a part of a value, and their further number for each part.
const APPLICATIONS: usize = 1_000_000;
const APPLICATIONS_PER_VALUE: usize = 200;
/// Depth up to which the stack has room for the validator, whose recursion is not guarded.
const SHALLOW_ENOUGH: usize = 100;
/// Size of the stack for what is deeper, in bytes. Only the part that is used takes memory.
const STACK: usize = 1 << 26;

/// Maximum number of alternatives that are tried to name those that fit.
const MOST_ALTERNATIVES: usize = 20;

/// The keywords that do not depend on the values of the fields or elements of a value.
const SHALLOW: [&str; 9] = [
    "required",
    "additionalProperties",
    "minProperties",
    "maxProperties",
    "minItems",
    "maxItems",
    "type",
    "propertyNames",
    "dependentRequired",
];

/// The keywords whose messages contain nothing of the value.
const SAY_NOTHING: [&str; 8] =
    ["type", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

/// The keywords about the size of a value.
const LENGTHS: [&str; 6] = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];

/// Validates the second argument against the schema in the first. Messages contain nothing of a value that is secret. Parts that fail are
/// not checked: whoever reads them reports their errors.
pub fn validate(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let [schema, value] = args else { return Err(call.fault("it takes a schema and a value")) };
    let (rules, unknown) = machine.apart_from_secrets(|machine| json(machine, schema, false))?;
    let too_deep = |what| call.fault(format!("{what} is nested deeper than {DEPTH} levels, which cannot be checked"));
    if unknown.depth > DEPTH {
        return Err(too_deep("the schema"));
    }
    if !unknown.is_empty() {
        return Err(call.fault("the schema has a part that is not data, or that is secret"));
    }
    let (data, of_value) = machine.apart_from_secrets(|machine| json(machine, value, true))?;
    if of_value.depth > DEPTH {
        return Err(too_deep("the value"));
    }
    if applications(machine, &rules, &data)?.is_none() {
        return Err(call.fault("the schema applies its parts to the same values too often, which cannot be checked"));
    }
    let check = |machine: &mut Machine| check(machine, [schema, value], (&rules, &data), &of_value, call);
    match unknown.depth.max(of_value.depth) > SHALLOW_ENOUGH {
        true => stacker::grow(STACK, || check(machine)),
        false => check(machine),
    }
}

/// Counts how often a part of a schema is applied to a part of a value, which decides the time of the validation: it doubles with
/// each level of `allOf: [{$ref: a}, {$ref: a}]`. `None` if the number is too large for the size of the value. O(result).
fn applications(
    machine: &mut Machine,
    rules: &serde_json::Value,
    data: &serde_json::Value,
) -> Result<Option<usize>, Fault> {
    use serde_json::Value as Json;
    let (mut values, mut parts) = (0, vec![data]);
    while let Some(part) = parts.pop() {
        values += 1;
        match part {
            Json::Array(items) => parts.extend(items),
            Json::Object(fields) => parts.extend(fields.values()),
            _ => {}
        }
    }
    let most = APPLICATIONS + APPLICATIONS_PER_VALUE * values;
    let (mut count, mut work) = (0, vec![(rules, data)]);
    while let Some((schema, value)) = work.pop() {
        machine.tick()?;
        count += 1;
        if count > most {
            return Ok(None);
        }
        let Json::Object(keywords) = schema else { continue };
        for (keyword, part) in keywords {
            match (keyword.as_str(), part, value) {
                ("allOf" | "anyOf" | "oneOf", Json::Array(all), _) => work.extend(all.iter().map(|one| (one, value))),
                ("not" | "if" | "then" | "else", ..) => work.push((part, value)),
                ("$ref", Json::String(target), _) => {
                    let target = target.strip_prefix('#').and_then(|pointer| rules.pointer(pointer));
                    work.extend(target.map(|target| (target, value)));
                }
                ("dependentSchemas", Json::Object(all), _) => work.extend(all.values().map(|one| (one, value))),
                ("properties", Json::Object(all), Json::Object(fields)) => {
                    work.extend(fields.iter().filter_map(|(name, field)| Some((all.get(name)?, field))));
                }
                ("patternProperties", Json::Object(all), Json::Object(fields)) => {
                    let each = |one| fields.values().map(move |field| (one, field));
                    work.extend(all.values().flat_map(each));
                }
                ("additionalProperties", _, Json::Object(fields)) => {
                    let known = keywords.get("properties").and_then(Json::as_object);
                    let is_known = |name: &String| known.is_some_and(|known| known.contains_key(name));
                    work.extend(fields.iter().filter(|(name, _)| !is_known(name)).map(|(_, field)| (part, field)));
                }
                ("items" | "prefixItems", Json::Array(all), Json::Array(items)) => work.extend(all.iter().zip(items)),
                ("items" | "contains", _, Json::Array(items)) => work.extend(items.iter().map(|item| (part, item))),
                _ => {}
            }
        }
    }
    Ok(Some(count))
}

/// Validates the JSON of a value against that of a schema.
fn check(
    machine: &mut Machine,
    [schema, value]: [&Thunk; 2],
    (rules, data): (&serde_json::Value, &serde_json::Value),
    unknown: &Unknown,
    call: &Call,
) -> Answer {
    let rules_json = rules;
    let rules = Schema::new(rules).map_err(|error| call.fault(format!("not a JSON Schema: {}", error.message)))?;
    machine.apart_from_secrets(|machine| {
        let mut found: Vec<Violation> = Vec::new();
        let mut more = 0;
        rules.violations(data, |mut violation| {
            machine.tick()?;
            // nothing that is printed depends on the length of a secret
            if unknown.is_secret(&violation.at) && LENGTHS.contains(&violation.keyword.as_str()) {
                return Ok(());
            }
            if unknown.is_secret(&violation.at) && !SAY_NOTHING.contains(&violation.keyword.as_str()) {
                violation.message = format!("a secret breaks the rule `{}`", violation.keyword);
            }
            match found.len() < SHOWN {
                _ if unknown.concern(&violation) => {}
                true => found.push(violation),
                false => more += 1,
            }
            Ok::<(), Fault>(())
        })?;
        advise(&mut found, rules_json, data, unknown);
        let causes: Vec<Option<String>> = found.iter().map(|violation| cause(rules_json, data, violation)).collect();
        for (violation, cause) in found.iter_mut().zip(&causes) {
            if let Some((_, key)) = cause.as_ref().and_then(|cause| cause.rsplit_once('/')) {
                violation.message.push_str(&format!(", which this `{key}` requires"));
            }
        }
        if found.is_empty() {
            return Ok(Value::tag("Ok"));
        }
        let first = found.remove(0);
        let mut notes: Vec<String> = found
            .iter()
            .map(|violation| match shown(&steps(&violation.at)) {
                at if at.is_empty() => format!("also: {}", violation.message),
                at => format!("also: {} (`{at}`)", violation.message),
            })
            .collect();
        // the error of the whole value hides those of its parts
        notes.extend(unknown.broken.iter().take(SHOWN).map(|(at, why)| format!("also: {why} (`{at}`)")));
        more += unknown.broken.len().saturating_sub(SHOWN);
        if more > 0 {
            notes.push(format!("{more} more"));
        }
        let notes = notes.into_iter().map(|note| Thunk::done(Value::string(Name::from(note))));
        let mut others = Vec::with_capacity(found.len());
        let mut causes = causes.into_iter();
        let first_cause = causes.next().flatten();
        for violation in &found {
            let cause = causes.next().flatten();
            let other = label(machine, schema, value, (violation, cause), unknown).unwrap_or_default();
            let message = Some(Name::from(violation.message.as_str()));
            others.push(Thunk::done(Value::Label(Rc::new(Label { message, ..other }))));
        }
        let mut fields = vec![
            (Name::new_static("message"), Thunk::done(Value::string(Name::from(first.message.as_str())))),
            (Name::new_static("notes"), Thunk::done(Value::array(notes))),
        ];
        if !others.is_empty() && unknown.broken.is_empty() {
            fields.push((Name::new_static("others"), Thunk::done(Value::array(others))));
        }
        if let Some(label) = label(machine, schema, value, (&first, first_cause), unknown) {
            fields.push((Name::new_static("blame_location"), Thunk::done(Value::Label(Rc::new(label)))));
        }
        Ok(Value::Variant(Name::new_static("Error"), Thunk::done(Value::record(fields))))
    })
}

/// Adds the name that was probably meant to the messages about unexpected keys and values of an enumeration. A key that is missing because it is
/// misspelt is not reported itself.
fn advise(found: &mut Vec<Violation>, rules: &serde_json::Value, data: &serde_json::Value, unknown: &Unknown) {
    let mut misspelt: Vec<(String, Name)> = Vec::new();
    // what is similar to a secret tells something of it
    for violation in found.iter_mut().filter(|violation| !unknown.is_secret(&violation.at)) {
        let meant = match violation.keyword.as_str() {
            "additionalProperties" | "unevaluatedProperties" | "patternProperties" => {
                let Some((around, key)) = violation.at.rsplit_once('/') else { continue };
                let key = key.replace("~1", "/").replace("~0", "~");
                let present = data.pointer(around).and_then(serde_json::Value::as_object);
                let free = |name: &&String| present.is_none_or(|present| !present.contains_key(*name));
                let rule = violation.keyword_at.rsplit_once('/').map_or("", |(rule, _)| rule);
                let declared = rules.pointer(rule).and_then(|rule| rule.get("properties")?.as_object());
                let declared = declared.into_iter().flat_map(serde_json::Map::keys).filter(free);
                let meant = near(&key, declared.map(String::as_str)).into_iter().next();
                misspelt.extend(meant.clone().map(|meant| (around.to_owned(), meant)));
                let patterns = rules.pointer(rule).and_then(|rule| rule.get("patternProperties")?.as_object());
                if let (None, Some(patterns)) = (&meant, patterns) {
                    let patterns: Vec<String> = patterns.keys().map(|pattern| format!("{pattern:?}")).collect();
                    violation.message.push_str(&format!(", which does not match {}", patterns.join(" or ")));
                }
                meant
            }
            "enum" => {
                let allowed = rules.pointer(&violation.keyword_at).and_then(serde_json::Value::as_array);
                let allowed = allowed.into_iter().flatten().filter_map(serde_json::Value::as_str);
                let written = data.pointer(&violation.at).and_then(serde_json::Value::as_str);
                written.and_then(|written| near(written, allowed).into_iter().next())
            }
            // which alternatives fit depends on the values inside
            "oneOf"
                if violation.message.starts_with("the value fits several") && !unknown.has_secret_in(&violation.at) =>
            {
                let all = rules.pointer(&violation.keyword_at).and_then(serde_json::Value::as_array);
                let part = data.pointer(&violation.at);
                let fits = |rule: &serde_json::Value| {
                    // a reference leads out of the part of the schema
                    !rule.to_string().contains("\"$ref\"")
                        && Schema::new(rule)
                            .is_ok_and(|rule| part.is_some_and(|part| rule.violations(part, Err).is_ok()))
                };
                let all = all.into_iter().flatten().take(MOST_ALTERNATIVES).enumerate();
                let fitting: Vec<String> =
                    all.filter(|(_, rule)| fits(rule)).map(|(at, _)| (at + 1).to_string()).collect();
                if let ([first @ .., last], true) = (fitting.as_slice(), fitting.len() > 1) {
                    violation.message.push_str(&format!(": alternatives {} and {last} fit", first.join(", ")));
                }
                None
            }
            "required" => {
                // the schema may be misspelt
                let name = violation.message.strip_prefix("missing key `").and_then(|rest| rest.strip_suffix('`'));
                let rule = violation.keyword_at.rsplit_once("/required").map_or("", |(rule, _)| rule);
                let declared = rules.pointer(rule).and_then(|rule| rule.get("properties")?.as_object());
                if let (Some(name), Some(declared)) = (name, declared)
                    && !declared.contains_key(name)
                    && let Some(other) = near(name, declared.keys().map(String::as_str)).into_iter().next()
                {
                    violation.message.push_str(&format!(", which the schema does not declare; it declares `{other}`"));
                }
                None
            }
            _ => {
                let written = data.pointer(&violation.at).and_then(serde_json::Value::as_str);
                let choices = || violation.choices.iter().map(String::as_str);
                written.and_then(|written| near(written, choices()).into_iter().next())
            }
        };
        if let Some(meant) = meant {
            violation.message.push_str(&format!("; did you mean `{meant}`?"));
        }
    }
    let is_of_misspelt = |violation: &Violation| {
        let at = |(around, name): &(String, Name)| {
            *around == violation.at && violation.message == format!("missing key `{name}`")
        };
        violation.keyword == "required" && misspelt.iter().any(at)
    };
    found.retain(|violation| !is_of_misspelt(violation));
}

/// Returns the JSON pointer of the key because of which another one is required: that of `dependentRequired`, or the first that `if` is about.
fn cause(rules: &serde_json::Value, data: &serde_json::Value, violation: &Violation) -> Option<String> {
    if !violation.message.starts_with("missing key") {
        return None;
    }
    let at = violation.keyword_at.as_str();
    let key = if let Some((around, _)) = at.rsplit_once("/then/") {
        let condition = rules.pointer(around)?.get("if")?;
        condition.get("properties")?.as_object()?.keys().next()?.clone()
    } else {
        let words = ["/dependentRequired/", "/dependentSchemas/", "/dependencies/"];
        let rest = words.into_iter().find_map(|word| Some(at.rsplit_once(word)?.1));
        let key = rest.map(|rest| rest.split('/').next().unwrap_or(rest).replace("~1", "/").replace("~0", "~"));
        // the keyword has one key at most, or the place does not say which
        match (key, at.strip_suffix("/dependentRequired")) {
            (Some(key), _) => key,
            (None, Some(around)) => {
                let all = rules.pointer(around)?.get("dependentRequired")?.as_object()?;
                let present = data.pointer(&violation.at)?.as_object()?;
                let mut found = all.keys().filter(|key| present.contains_key(*key));
                found.next().filter(|_| found.next().is_none())?.clone()
            }
            (None, None) => return None,
        }
    };
    let pointer = format!("{}/{}", violation.at, key.replace('~', "~0").replace('/', "~1"));
    data.pointer(&pointer).is_some().then_some(pointer)
}

/// Returns the label with the places of the value and of the rule; `None` if the whole value violates the schema, and its rule
/// has no place.
fn label(
    machine: &mut Machine,
    schema: &Thunk,
    value: &Thunk,
    (violation, cause): (&Violation, Option<String>),
    unknown: &Unknown,
) -> Option<Label> {
    let path = steps(&violation.at);
    let cause = cause.and_then(|cause| {
        let path = steps(&cause);
        let Some((Step::Field(name), around)) = path.split_last() else { return None };
        let around = machine.at(value, around).ok()?;
        match machine.force(&around).ok()? {
            Value::Record(record) => machine.outline(&record, name).ok()??.span,
            _ => None,
        }
    });
    let rule = machine.written_at(schema, &steps(&violation.keyword_at));
    let written = machine.written_at(value, &path);
    let joined = |(name, body): (Option<Span>, Span)| match name {
        Some(name) if name.source == body.source && name.start <= body.start => Span { start: name.start, ..body },
        // the value of `exclusiveMinimum: true` is the bound, which may be written before it
        Some(name) => name,
        None => body,
    };
    // a key that must not be there is marked itself
    let is_key =
        ["unexpected key", "missing key", "the key `"].iter().any(|begin| violation.message.starts_with(begin));
    let part = machine.at(value, &path).ok();
    Some(Label {
        contract_span: Some(joined(rule?)),
        value_span: match cause {
            Some(cause) => Some(cause),
            None => written.map(|(name, body)| name.filter(|_| is_key).unwrap_or(body)),
        },
        value: part.filter(|part| !is_key && part.secret().is_none() && !unknown.is_secret(&violation.at)),
        inside: Name::from(shown(&path)),
        is_without_values: true,
        ..Label::default()
    })
}

/// Parses a JSON pointer.
fn steps(pointer: &str) -> Vec<Step> {
    pointer.split('/').skip(1).map(|part| Step::Field(Name::from(part.replace("~1", "/").replace("~0", "~")))).collect()
}

/// Formats a path: `a.b[0]`. A step of digits is an index.
fn shown(path: &[Step]) -> String {
    let mut out = String::new();
    for step in path {
        let Step::Field(name) = step else { continue };
        let is_plain = |name: &str| name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
        match name.as_str() {
            index if !index.is_empty() && index.bytes().all(|b| b.is_ascii_digit()) => {
                out.push_str(&format!("[{index}]"));
                continue;
            }
            _ if !out.is_empty() => out.push('.'),
            _ => {}
        }
        match is_plain(name) && !name.is_empty() {
            true => out.push_str(name),
            false => out.push_str(&format!("{name:?}")),
        }
    }
    out
}

/// The parts of a value that are not known, errors and what is not data, and those that are secret.
#[derive(Default)]
struct Unknown {
    /// Their JSON pointers.
    parts: FxHashSet<String>,
    /// The JSON pointers of the values that contain them.
    around: FxHashSet<String>,
    /// The paths of those that break a contract, and the reasons.
    broken: Vec<(String, String)>,
    /// The JSON pointers of the secrets. Those of a schema are not known.
    secrets: FxHashSet<String>,
    /// The depth of the value.
    depth: usize,
}

impl Unknown {
    fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    fn add(&mut self, pointer: &str) {
        self.parts.insert(pointer.into());
        let mut outer = pointer;
        while let Some((before, _)) = outer.rsplit_once('/') {
            if !self.around.insert(before.into()) {
                break;
            }
            outer = before;
        }
    }

    /// Returns whether a pointer leads to a secret, into one, or to a value with one inside. `O(secrets)`.
    fn has_secret_in(&self, pointer: &str) -> bool {
        let is_inside = |secret: &String| secret.strip_prefix(pointer).is_some_and(|rest| rest.starts_with('/'));
        self.is_secret(pointer) || self.secrets.iter().any(is_inside)
    }

    /// Returns whether a pointer leads to a secret, or into one.
    fn is_secret(&self, pointer: &str) -> bool {
        let mut at = Some(pointer).filter(|_| !self.secrets.is_empty());
        while let Some(part) = at {
            if self.secrets.contains(part) {
                return true;
            }
            at = part.rsplit_once('/').map(|(outer, _)| outer);
        }
        false
    }

    /// Returns whether a violation may be due to a part that is not known.
    fn concern(&self, violation: &Violation) -> bool {
        if self.is_empty() {
            return false;
        }
        let condition = ["/then/", "/else/", "/dependentSchemas/"];
        if condition.iter().any(|keyword| violation.keyword_at.contains(keyword)) {
            return true;
        }
        let mut at = violation.at.as_str();
        loop {
            if self.parts.contains(at) {
                return true;
            }
            match at.rsplit_once('/') {
                Some((outer, _)) => at = outer,
                None => break,
            }
        }
        self.around.contains(&violation.at) && !SHALLOW.contains(&violation.keyword.as_str())
    }
}

/// Returns a value as JSON, with null in place of the parts that are not known. `with_secrets`: secrets are known.
fn json(machine: &mut Machine, thunk: &Thunk, with_secrets: bool) -> Result<(serde_json::Value, Unknown), Fault> {
    // an interrupt or a limit is not an error of the part where it happens
    if let Err(fault) = machine.force_deep(thunk)
        && fault.is_transient()
    {
        return Err(fault);
    }
    let datum = machine.datum(thunk, Budget::ALL);
    let datum = datum.without_maps().unwrap_or(datum);
    let mut unknown = Unknown::default();
    let value = json_of(&datum, &mut String::new(), 0, &mut unknown);
    if unknown.secrets.is_empty() || !with_secrets {
        return Ok((value, unknown));
    }
    let datum = machine.datum_with_secrets(thunk);
    let datum = datum.without_maps().unwrap_or(datum);
    let mut known = Unknown { secrets: unknown.secrets, ..Unknown::default() };
    let value = json_of(&datum, &mut String::new(), 0, &mut known);
    Ok((value, known))
}

/// Returns the message of a broken contract.
fn reason(problem: &Problem) -> Option<String> {
    let ProblemKind::Value(problem) = &problem.kind else { return None };
    match &problem.what {
        ValueKind::Contract(broken) => match (&broken.message, &broken.expected, &broken.found) {
            (Some(message), _, _) => Some(message.to_string()),
            (None, Some(expected), Some(found)) => Some(format!("expected {expected}, found {found}")),
            _ => None,
        },
        _ => None,
    }
}

fn json_of(datum: &Datum, at: &mut String, depth: usize, unknown: &mut Unknown) -> serde_json::Value {
    crate::deep::deeper(|| {
        let length = at.len();
        unknown.depth = unknown.depth.max(depth);
        match datum {
            Datum::Null => return serde_json::Value::Null,
            Datum::Bool(b) => return (*b).into(),
            Datum::String(text) | Datum::Tag(text) => return text.as_str().into(),
            Datum::Number(_) => {
                let text = manifest(datum, ManifestFormat::Json).ok();
                if let Some(number) = text.and_then(|text| serde_json::from_str(&text).ok()) {
                    return number;
                }
            }
            Datum::Array(items) if depth <= DEPTH => {
                let mut all = Vec::with_capacity(items.len());
                for (index, item) in items.iter().enumerate() {
                    at.push_str(&format!("/{index}"));
                    all.push(json_of(item, at, depth + 1, unknown));
                    at.truncate(length);
                }
                return all.into();
            }
            Datum::Record(entries) if depth <= DEPTH => {
                let mut all = serde_json::Map::with_capacity(entries.len());
                for entry in entries {
                    if entry.not_exported || (entry.optional && entry.value.is_none()) {
                        continue;
                    }
                    at.push('/');
                    at.push_str(&entry.name.replace('~', "~0").replace('/', "~1"));
                    let missing = Datum::Unforced;
                    let value = json_of(entry.value.as_ref().unwrap_or(&missing), at, depth + 1, unknown);
                    all.insert(entry.name.to_string(), value);
                    at.truncate(length);
                }
                return all.into();
            }
            Datum::Fault(problem) => {
                unknown.broken.extend(reason(problem).map(|why| (shown(&steps(at)), why)));
            }
            Datum::Secret => {
                unknown.secrets.insert(at.clone());
            }
            _ => {}
        }
        unknown.add(at);
        serde_json::Value::Null
    })
}
