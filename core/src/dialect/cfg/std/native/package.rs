//! `std.package` in Rust: parsing versions and package ids.

use super::Answer;
use crate::term::Number;
use crate::text::Name;
use crate::value::{Call, Fault, Machine, Thunk, Value};

/// Parses a version: `1.2.3-pre+build` → `'Ok { major, minor, patch, pre, build }`.
pub fn version(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let text = machine.string(args, 0, call)?;
    answer(parts(&text).filter(|parts| parts.numbers.len() == 3), NO_VERSION, call)
}

/// Parses a version in which the last one or two numbers are optional: `1.2` → `'Ok { major, minor }`.
pub fn prefix(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let text = machine.string(args, 0, call)?;
    answer(parts(&text).filter(|parts| parts.pre.is_none() && parts.build.is_none()), NO_VERSION, call)
}

/// Parses the requirement of an exact version: `=1.2.3-pre` → `'Ok { major, minor, patch, pre }`.
pub fn exact(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let text = machine.string(args, 0, call)?;
    let read = text.strip_prefix('=').and_then(parts);
    answer(read.filter(|parts| parts.numbers.len() == 3 && parts.build.is_none()), NO_VERSION, call)
}

/// Parses a package id: `github:org/name/path` → `'Ok { org, name, path }`. The path is optional and may contain further
/// `/`.
pub fn id(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let text = machine.string(args, 0, call)?;
    let mut rest = text.strip_prefix("github:").into_iter().flat_map(|rest| rest.splitn(3, '/'));
    let (org, name, path) = (rest.next(), rest.next(), rest.next());
    let is_name =
        |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b));
    let (Some(org), Some(name)) = (org.filter(is_name), name.filter(is_name)) else { return Ok(error(NO_ID)) };
    if path.is_some_and(|path| path.is_empty() || path.contains('\n')) {
        return Ok(error(NO_ID));
    }
    let fields = [("org", Some(org)), ("name", Some(name)), ("path", path)];
    Ok(ok(fields.into_iter().filter_map(|(name, part)| Some((name, Value::string(part?))))))
}

/// Returns whether a name can be bound without quotes: underscores, a letter, then letters, digits, `_`, `'` and `-`.
pub fn is_identifier(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let name = machine.string(args, 0, call)?;
    let mut rest = name.trim_start_matches('_').bytes();
    let begins = rest.next().is_some_and(|b| b.is_ascii_alphabetic());
    Ok(Value::Bool(begins && rest.all(|b| b.is_ascii_alphanumeric() || b"_'-".contains(&b))))
}

const NO_VERSION: &str = "invalid version";
const NO_ID: &str = "expected a package id of the form `github:<owner>/<repository>`";

/// The parts of a version, with one to three numbers.
struct Parts<'a> {
    numbers: Vec<&'a str>,
    pre: Option<&'a str>,
    build: Option<&'a str>,
}

/// Parses a version by the rules of semantic versioning 2.0.0 (§2, §9, §10). `None` if it is invalid.
fn parts(text: &str) -> Option<Parts<'_>> {
    let (text, build) = text.split_once('+').map_or((text, None), |(before, build)| (before, Some(build)));
    let (numbers, pre) = text.split_once('-').map_or((text, None), |(before, pre)| (before, Some(pre)));
    let numbers: Vec<&str> = numbers.split('.').collect();
    let fits = numbers.len() <= 3
        && numbers.iter().all(|number| is_digits(number) && !has_leading_zero(number))
        && pre
            .is_none_or(|pre| pre.split('.').all(|part| is_word(part) && !(is_digits(part) && has_leading_zero(part))))
        && build.is_none_or(|build| build.split('.').all(is_word));
    fits.then_some(Parts { numbers, pre, build })
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn has_leading_zero(digits: &str) -> bool {
    digits.len() > 1 && digits.starts_with('0')
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

/// Returns the result of a contract: `'Ok` with the parts as a record, or `'Error` with a message.
fn answer(parts: Option<Parts<'_>>, message: &str, call: &Call) -> Answer {
    let Some(Parts { numbers, pre, build }) = parts else { return Ok(error(message)) };
    let mut fields = Vec::with_capacity(5);
    for (name, digits) in ["major", "minor", "patch"].into_iter().zip(numbers) {
        fields.push((name, Value::Number(number(digits, call)?)));
    }
    fields.extend(pre.map(|pre| ("pre", Value::string(pre))));
    fields.extend(build.map(|build| ("build", Value::string(build))));
    Ok(ok(fields))
}

fn number(digits: &str, call: &Call) -> Result<Number, Fault> {
    Number::parse(digits).map_err(|problem| call.fault(format!("\"{digits}\": {problem}")))
}

fn ok(fields: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let fields = fields.into_iter().map(|(name, value)| (Name::new_static(name), Thunk::done(value)));
    Value::variant("Ok", Thunk::done(Value::record(fields)))
}

fn error(message: &str) -> Value {
    let message = (Name::new_static("message"), Thunk::done(Value::string(message)));
    Value::variant("Error", Thunk::done(Value::record([message])))
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn versions_are_taken_apart() {
        let shown = |text| {
            parts(text).map(|p| format!("{} {} {}", p.numbers.join(" "), p.pre.unwrap_or("."), p.build.unwrap_or(".")))
        };
        for (text, expected) in [
            ("0.10.3", Some("0 10 3 . .")),
            ("1.2", Some("1 2 . .")),
            ("7", Some("7 . .")),
            ("1.2.3-alpha.0.x-y", Some("1 2 3 alpha.0.x-y .")),
            ("1.2.3--", Some("1 2 3 - .")),
            ("1.2.3+007.a-b", Some("1 2 3 . 007.a-b")),
            ("1.2.3-rc.1+b-2", Some("1 2 3 rc.1 b-2")),
            ("1.2.3-0a", Some("1 2 3 0a .")),
            ("1.2.3-01", None),
            ("1.2.3-a..b", None),
            ("1.2.3-", None),
            ("1.2.3+", None),
            ("1.2.3+a+b", None),
            ("1.2.3-a_b", None),
            ("1.2.3\n", None),
            ("1.2.3.4", None),
            ("1..3", None),
            ("1.02.3", None),
            ("00", None),
            ("-1.2.3", None),
            ("v1.2.3", None),
            ("1.2.\u{663}", None),
            ("", None),
        ] {
            assert_eq!(shown(text).as_deref(), expected, "{text:?}");
        }
    }
}
