//! Names of the libraries of other languages: `builtins.length`, `json.dumps`, `os.environ`, `var.port`, `open("a.yaml")`.

use super::super::words;
use super::{Place, first_word, is_of_word, is_word};

/// Libraries of other languages, of which functions are read as fields.
const LIBRARIES: [&str; 10] = ["builtins", "lib", "pkgs", "json", "yaml", "toml", "math", "strings", "re", "itertools"];

/// Names of the environment in other languages, and the field of each that is the environment.
const ENVIRONMENTS: [(&str, &str); 7] = [
    ("env", ""),
    ("ENV", ""),
    ("process", "env"),
    ("os", "environ"),
    ("os", "getenv"),
    ("sys", "env"),
    ("Deno", "env"),
];

/// Functions of other languages that read a file.
const READERS: [&str; 12] = [
    "load",
    "open",
    "read",
    "require",
    "include",
    "source",
    "file",
    "readFile",
    "read_file",
    "readfile",
    "importstr",
    "use",
];

/// The endings of files that can be imported.
const ENDINGS: [&str; 8] = ["yaml", "yml", "json", "toml", "ncl", "cfg", "env", "jsonnet"];

/// The equivalent of a variable of the environment.
const ENVIRONMENT: &str = "write the value itself, or `import \"vars.env\"` for variables in a file: an expression does not read the environment";

/// Returns advice about a name that is not bound.
pub(super) fn advice(place: &Place<'_>) -> Option<String> {
    let (name, after) = (place.sign, place.after);
    if let Some(advice) = beside(place) {
        return Some(advice);
    }
    let field = after.strip_prefix('.').map(first_word).unwrap_or_default();
    if matches!(name, "array" | "record" | "string" | "number" | "enum" | "contract") && !field.is_empty() {
        return Some(format!("write `std.{name}.{field}`: the library is `std`"));
    }
    if after.trim_start().starts_with("<-") && place.line_before().contains('[') || place.line_before().contains(" <- ")
    {
        return Some(String::from("write `std.array.map (fun x => e) xs`: there are no comprehensions"));
    }
    let argument = after.trim_start_matches([' ', '(']);
    if argument.len() < after.len() && argument.starts_with('"') {
        match name {
            "int" | "float" | "parseInt" | "parseFloat" | "tonumber" | "num" | "toInt" => {
                return Some(String::from("write `std.string.to_number \"80\"` for the number in a text"));
            }
            _ => {}
        }
    }
    if let Some(path) = file(place) {
        return Some(format!("write `import \"{path}\"`: the path of a file is in quotes"));
    }
    if let Some(path) = read_file(place, field) {
        return Some(format!("write `import \"{path}\"`"));
    }
    let reads_environment = |(of, own): &(&str, &str)| *of == name && (own.is_empty() || *own == field);
    if !field.is_empty() && ENVIRONMENTS.iter().any(reads_environment)
        || name == "env" && after.starts_with(['[', ':'])
        || place.line_before().trim_end().ends_with("env:")
        || matches!(name, "getenv" | "getEnv") && after.starts_with(['(', ' '])
    {
        return Some(String::from(ENVIRONMENT));
    }
    if matches!(name, "var" | "local" | "vars" | "locals") && !field.is_empty() {
        return Some(format!("write `{field}`: a name is used by itself"));
    }
    if LIBRARIES.contains(&name) && !field.is_empty() {
        return library(name, after.strip_prefix('.')?);
    }
    let line = place.line();
    if place.is_only_line() && line == format!("[{name}]") && name.len() > 1 {
        return Some(format!("write `{name} = {{ … }}` for a table of TOML; an array of a text is `[\"{name}\"]`"));
    }
    // `kind: Service`
    if let Some(own) = line.strip_suffix(name).and_then(|rest| rest.trim_end().strip_suffix(':')).map(str::trim)
        && place.is_only_line()
        && is_word(own)
        && name.len() > 1
        && words::foreign_word(name).is_none()
    {
        return Some(format!("write `{own} = \"{name}\"` for a text: after `:` comes a type"));
    }
    // `y : Number`
    if place.is_first()
        && place.is_only_line()
        && let Some(ty) = after.trim().strip_prefix([':', '|']).map(str::trim)
        && is_word(ty)
        && ty.starts_with(|c: char| c.is_ascii_uppercase())
    {
        return Some(format!("write `{name} : {ty} = …`: a definition has a value"));
    }
    // `a: b: c: 1`
    if line.split_once(": ").is_some_and(|(outer, rest)| is_word(outer) && rest.starts_with(&format!("{name}:"))) {
        let outer = first_word(&line);
        return Some(format!("write `{{ {outer}.{name} = … }}` for a field in a field"));
    }
    let argument = after.trim_start_matches([' ', '\t']);
    let is_called = after.starts_with('(')
        || argument.len() < after.len() && argument.starts_with(|c: char| c.is_alphanumeric() || "_\"[{(".contains(c));
    let may_be_text = place.line_before().trim_end().ends_with(['=', ':']) && !after.starts_with('(');
    if is_called && !may_be_text {
        if name == "sum" || name == "add" {
            return Some(String::from("write `std.array.fold_left (fun a b => a + b) 0 xs`"));
        }
        return words::of_nix(name).map(|(own, why)| format!("write `{own}`: {why}"));
    }
    None
}

/// Returns the advice about a name that is an operator or a part of a text in other languages, from what is beside it.
fn beside(place: &Place<'_>) -> Option<String> {
    let (before, after) = (place.line_before(), place.line_after());
    let trimmed = before.trim_end();
    if trimmed.ends_with("--") && trimmed.len() < before.len() {
        return Some(String::from("a comment begins with `#`"));
    }
    if before.ends_with('"') && after.contains('"') && before.matches('"').count() % 2 == 0 {
        return Some(String::from("a quote in a text is written `\\\"`"));
    }
    let operand =
        |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.')) && !text.is_empty();
    let left = trimmed.rsplit([' ', '(', '=']).next().filter(|left| operand(left))?;
    let right = after.trim_start().split([' ', ')', ',']).next().filter(|right| operand(right))?;
    let is_type = |text: &str| text.starts_with(|c: char| c.is_ascii_uppercase());
    match place.sign {
        "mod" | "rem" | "modulo" => Some(format!("write `{left} % {right}` for the remainder of a division")),
        "div" => Some(format!("write `std.number.truncate ({left} / {right})` for a division without its remainder")),
        "or" if is_type(left) && is_type(right) && trimmed.contains('|') => {
            Some(format!("write `std.contract.any_of [{left}, {right}]` for one of two contracts"))
        }
        _ => None,
    }
}

/// Returns the path of a file that is written without quotes: `x = ferry.yaml`.
fn file<'t>(place: &Place<'t>) -> Option<String> {
    let before = place.line_before().trim_end();
    if !before.ends_with(['=', '&', '(', ':']) {
        return None;
    }
    let rest = place
        .after
        .get(..place.after.find(|c: char| !is_of_word(c) && !matches!(c, '.' | '/')).unwrap_or(place.after.len()))?;
    let (_, ending) = rest.rsplit_once('.')?;
    ENDINGS.contains(&ending).then(|| format!("{}{rest}", place.sign))
}

/// Returns the path of a file that a function of another language reads: `x = load "ferry.yaml"`.
fn read_file<'t>(place: &Place<'t>, field: &str) -> Option<&'t str> {
    let is_reader =
        READERS.contains(&place.sign) || matches!(field, "load" | "safe_load" | "readFile" | "readFileSync" | "open");
    let after = place.after.strip_prefix('.').and_then(|rest| rest.strip_prefix(field)).unwrap_or(place.after);
    let text = after.trim_start().trim_start_matches('(').strip_prefix(['"', '\''])?;
    let path = text.split(['"', '\'', '\n']).next()?;
    let (_, ending) = path.rsplit_once('.')?;
    (is_reader && ENDINGS.contains(&ending)).then_some(path)
}

/// Returns what a function of a library of another language is written as.
fn library(library: &str, called: &str) -> Option<String> {
    let path = called.get(..called.find(|c| !is_of_word(c) && c != '.').unwrap_or(called.len()))?;
    let name = path.rsplit('.').next().filter(|name| is_word(name))?;
    if matches!(name, "getEnv" | "getenv") {
        return Some(String::from(ENVIRONMENT));
    }
    if let Some((own, why)) = words::of_nix(name) {
        return Some(format!("write `{own}`: {why}"));
    }
    let own = words::filter(name).or(match (library, name) {
        ("json" | "yaml" | "toml", "dumps" | "dump" | "stringify" | "safe_dump") => Some("std.serialize 'Json"),
        ("json" | "yaml" | "toml", "loads" | "load" | "parse" | "safe_load") => Some("std.deserialize 'Json"),
        ("math", "floor") => Some("std.number.floor"),
        ("math", "ceil") => Some("std.number.ceil"),
        ("math", "pow") => Some("std.number.pow"),
        ("math", "sqrt") => Some("std.number.sqrt"),
        ("strings", "ToUpper") => Some("std.string.uppercase"),
        ("strings", "ToLower") => Some("std.string.lowercase"),
        ("strings", "Join") => Some("std.string.join"),
        ("strings", "Split") => Some("std.string.split"),
        ("strings", "Contains") => Some("std.string.contains"),
        ("strings", "Replace") => Some("std.string.replace"),
        ("strings", "TrimSpace") => Some("std.string.trim"),
        _ => None,
    });
    Some(match own {
        Some(own) => format!("write `{own} …`: the library is `std`"),
        None => String::from(
            "write `std.array.length xs`, for example: the library is `std`, with `std.array`, `std.record` and `std.string`",
        ),
    })
}
