//! Statements and blocks of other languages: `case x of`, `y <- 5`, `resource "a" "b" {`, `data Foo = Bar`, `{{ .Values.a }}`.

use super::{Place, first_word, is_word, short};

/// The names of blocks of configuration languages that have no label.
const BLOCKS: [&str; 14] = [
    "resource",
    "variable",
    "locals",
    "module",
    "output",
    "provider",
    "terraform",
    "server",
    "location",
    "upstream",
    "http",
    "events",
    "job",
    "group",
];

/// Words with which a statement of another language begins, before a name or another argument.
const STATEMENTS: [(&[&str], &str); 9] = [
    (
        &["while", "loop", "until", "foreach", "unless"],
        "there are no loops: `std.array.map (fun x => e) xs`, or `std.array.fold_left`",
    ),
    (&["try", "except", "catch", "rescue"], "there are no exceptions: test a value first, `if c then a else b`"),
    (&["module", "package", "namespace"], "leave out this line: a file and a session have no header"),
    (
        &["class", "struct", "interface", "enum", "trait"],
        "a contract is bound like a value: `Server = { port | Number, .. }`",
    ),
    (&["new"], "a record is written `{ a = 1 }`: there are no classes"),
    (&["async", "await", "yield", "defer", "go"], "an expression is evaluated when it is needed: leave out this word"),
    (&["switch"], "a value is matched with `e |> match { pattern => e, … }`"),
    (
        &["export", "public", "private", "static", "pub"],
        "leave out this word: all names of a session, and all fields of a record, can be read",
    ),
    (&["do", "begin"], "an input is one expression: leave out this word"),
];

/// Returns advice about a statement.
pub(super) fn advice(place: &Place<'_>) -> Option<String> {
    let line = place.line();
    if let Some(advice) = template(place) {
        return Some(advice);
    }
    if place.is_unbound && place.is_first() {
        return first(place, &line);
    }
    if !place.is_unbound
        && place.is_first()
        && is_word(place.sign)
        && let Some(path) = opened_block(place.before)
    {
        return Some(format!(
            "write `{{ {path} = {{ a = 1, b = 2 }} }}`: a block is a field, and fields are separated by commas"
        ));
    }
    // `x = y where y = 1`
    let (bound, value) = (place.line_before().trim_end(), place.line_after().trim_start());
    if !place.is_unbound
        && let Some(body) = bound.strip_suffix("where").filter(|body| body.ends_with(' '))
        && let Some(value) = value.strip_prefix('=').and_then(short).filter(|value| !value.starts_with('='))
        && let Some(body) = short(super::value_of(body))
        && is_word(place.sign)
    {
        return Some(format!("write `let {} = {value} in {body}`: a name is bound before it is used", place.sign));
    }
    let first = first_word(&line);
    if first == "new" && !place.is_unbound {
        return statement(first);
    }
    let line_of_type = line.get(first.len()..).unwrap_or_default().trim_start();
    // `interface Server { host: string; port: number }`
    let named = first_word(line_of_type);
    let is_type = matches!(first, "interface" | "struct" | "class" | "type" | "trait") && !named.is_empty();
    let body = line_of_type.get(named.len()..).unwrap_or_default().trim_start();
    if is_type && body.starts_with(['{', '=', ':']) && !place.is_unbound && place.line_before().contains('{') {
        return Some(format!("write `{named} = {{ port | Number, .. }}`: a contract is bound like a value"));
    }
    let is_after_first = place.line_before().trim() == first;
    if place.is_unbound || !is_after_first {
        return None;
    }
    // `data Color = Red | Green`
    if matches!(first, "data" | "enum" | "newtype" | "type") && !place.is_unbound && place.line_before().trim() == first
    {
        let tags: Option<Vec<&str>> =
            place.line_after().trim_start().strip_prefix('=').map(|tags| tags.split('|').map(str::trim).collect());
        let is_tag = |tag: &&str| is_word(tag) && tag.starts_with(|c: char| c.is_ascii_uppercase());
        if let Some(tags) = tags.filter(|tags| tags.len() > 1 && tags.len() < 6 && tags.iter().all(is_tag)) {
            let tags: Vec<String> = tags.iter().map(|tag| format!("'{tag}")).collect();
            return Some(format!("write `{} = [| {} |]` for one of several tags", place.sign, tags.join(", ")));
        }
    }
    // `data Foo = Bar`, `where y = 1`
    let defines = place.line_after().trim_start().strip_prefix('=').is_some_and(|rest| !rest.starts_with('='));
    match first {
        "data" | "type" | "newtype" | "class" | "struct" if defines && is_word(place.sign) => {
            Some(format!("write `{} = …`: a type is bound like a value, as in `Port = Number`", place.sign))
        }
        "where" | "alias" | "def" | "val" | "static" | "mut" | "auto" | "export" | "public" | "private" | "pub"
        | "declare"
            if defines && is_word(place.sign) =>
        {
            Some(format!("write `let {} = … in …`", place.sign))
        }
        _ => statement(first),
    }
}

/// Returns the advice about the first name of a line.
fn first(place: &Place<'_>, line: &str) -> Option<String> {
    let (name, rest) = (place.sign, place.line_after());
    let argument = rest.trim_start();
    let has_argument =
        argument.len() < rest.len() && argument.starts_with(|c: char| c.is_alphanumeric() || "_\"{(".contains(c));
    if argument.starts_with("<-") && is_word(name) {
        return Some(format!("write `{name} = …`"));
    }
    if name == "case" && has_argument {
        let subject = argument.split_once(" of").and_then(|(subject, _)| short(subject)).unwrap_or("value");
        return Some(format!("write `{subject} |> match {{ pattern => e, … }}`"));
    }
    if let Some(advice) = block(name, argument).filter(|_| has_argument) {
        return Some(advice);
    }
    let is_statement = has_argument || argument.starts_with(':') || line == name;
    is_statement.then(|| statement(name)).flatten()
}

fn statement(word: &str) -> Option<String> {
    STATEMENTS.iter().find(|(words, _)| words.contains(&word)).map(|(_, advice)| String::from(*advice))
}

/// Returns the path of the block with labels that a text is in: `resource "a" {` → `resource.a`.
fn opened_block(before: &str) -> Option<String> {
    let mut closed = 0;
    let open = before.rfind(|c| {
        closed += i32::from(c == '}') - i32::from(c == '{');
        closed < 0
    })?;
    let head = before.get(..open)?.rsplit('\n').next()?.trim_start();
    let name = first_word(head);
    let path = block_path(name, head.get(name.len()..)?)?;
    path.contains('.').then_some(path)
}

/// Returns the advice about a block: `resource "a" "b" {`.
fn block(name: &str, after: &str) -> Option<String> {
    let (labels, _) = after.split_once('{')?;
    let path = block_path(name, labels)?;
    Some(match path.contains('.') {
        false => format!("write `{name} = {{ … }}`: a block is a field, whose value is a record"),
        true => format!("write `{path} = {{ … }}` in a record: a block is a field"),
    })
}

/// Returns the path of a block by its name and labels: `resource "a" "b"` → `resource.a.b`. `None` if it is none.
fn block_path(name: &str, labels: &str) -> Option<String> {
    let labels: Vec<&str> = labels.split_whitespace().collect();
    let are_labels = labels.iter().all(|label| {
        label.len() > 2 && label.starts_with('"') && label.ends_with('"') && is_word(label.trim_matches('"'))
            || is_word(label)
    });
    let is_block = are_labels && (BLOCKS.contains(&name) || labels.first().is_some_and(|label| label.starts_with('"')));
    let path: String = labels.iter().map(|label| format!(".{}", label.trim_matches('"'))).collect();
    is_block.then(|| format!("{name}{path}"))
}

/// Returns the advice about a template: `{{ .Values.a }}`, `{% if a %}`.
fn template(place: &Place<'_>) -> Option<String> {
    if place.is_unbound {
        return None;
    }
    let is_double = place.sign.starts_with('{') && place.before.ends_with('{');
    let rest = place.after.trim_start_matches(['{', '-', ' ']);
    let is_action = rest.starts_with(['.', '$'])
        || ["if", "end", "else", "range", "with", "include", "define", "template", "toYaml", "block"]
            .contains(&first_word(rest))
        || place.after.contains("}}");
    if is_double && is_action {
        return Some(String::from(
            "this is a template: make a file of it first, as `helm template` does, and read that; here a text with a value is `\"%{x}\"`",
        ));
    }
    (place.sign.starts_with('%') && place.before.ends_with('{')).then(|| {
        String::from(
            "this is a template: make a file of it first, and read that; here a text with a value is `\"%{x}\"`",
        )
    })
}
