//! Advice about the forms of mappings and lists, as each data language writes them.

use crate::dialect::Dialect;
use crate::text::Name;

/// Returns how to write a path whose names were joined in one key, which is `written`: `server.port`. `None` for a language in which that is
/// unknown.
pub fn path(language: Dialect, names: &[&str], written: &str) -> Option<Name> {
    let (last, around) = names.split_last()?;
    Some(Name::from(match language.name() {
        "yaml" => {
            let around: Vec<String> = around.iter().map(|name| format!("`{name}:`")).collect();
            format!("a dot is a part of the key: write {}, and `{last}:` indented below it", around.join(", "))
        }
        "json" => {
            let (open, close) = (around.iter().map(|name| format!("\"{name}\": {{")), "}".repeat(around.len()));
            format!("a dot is a part of the key: write `{}\"{last}\": …{close}`", open.collect::<String>())
        }
        "toml" => format!("in quotes it is one key: write `{} = …`", names.join(".")),
        "dotenv" => {
            let variable = written.replace(['.', '/', ':'], "__");
            format!("two underscores separate the names of a path: `{variable}`")
        }
        _ => return None,
    }))
}

/// Returns how the mapping of a key differs from a list with one mapping.
pub fn mapping(language: Dialect, key: Option<&str>) -> Option<Name> {
    Some(match language.name() {
        "yaml" => Name::new_static("a mapping has no dash before its keys: `key: value`"),
        "json" => Name::new_static("a mapping is in braces, without brackets around it: `{\"key\": …}`"),
        "toml" => {
            let key = key.unwrap_or("name");
            Name::from(format!("`[{key}]` begins one table, `[[{key}]]` an element of a list of tables"))
        }
        _ => return None,
    })
}

/// Returns how to write a mapping in place of a list of texts such as `A=2`.
pub fn pairs(language: Dialect) -> Option<Name> {
    Some(Name::new_static(match language.name() {
        "yaml" => "in a mapping a colon and a space follow the name, without a dash before it: `NAME: value`",
        "json" => "in a mapping each name has its value: `{\"NAME\": \"value\"}`",
        "toml" => "in a table each name has its value: `NAME = \"value\"`",
        _ => return None,
    }))
}

/// Returns how to write an element of a list that has a key: `- id: north`. `list` is the name of the list.
pub fn element(language: Dialect, list: &str, key: &str, value: &str) -> Option<Name> {
    Some(Name::from(match language.name() {
        "yaml" => format!("write an element of the list: `- {key}: {value}`"),
        "json" => format!("write a list: `[{{\"{key}\": \"{value}\", …}}]`"),
        "toml" => format!("write an element of the list: `[[{list}]]`, and below it `{key} = \"{value}\"`"),
        _ => return None,
    }))
}

/// Returns how to write the list of a key in place of one of its elements.
pub fn list(language: Dialect, key: Option<&str>) -> Option<Name> {
    Some(match language.name() {
        "yaml" => Name::new_static("each element of a list begins with a dash: `- key: value`"),
        "json" => Name::new_static("a list is in brackets: `[{\"key\": …}]`"),
        "toml" => {
            let key = key.unwrap_or("name");
            Name::from(format!("`[[{key}]]` begins an element of a list of tables, `[{key}]` one table"))
        }
        _ => return None,
    })
}

/// Returns how to write a list of texts, one of which is a key of a mapping.
pub fn texts(language: Dialect, key: &str) -> Option<Name> {
    Some(Name::from(match language.name() {
        "yaml" => format!("an element of the list is a text after a dash: `- {key}`"),
        "json" | "toml" => format!("the list has texts in brackets: `[\"{key}\"]`"),
        _ => return None,
    }))
}
