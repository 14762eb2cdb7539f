//! Lines that are legal, and are written as in another language: `port: 80,`, `packages+:`, `call: web`. Each is a warning.

use super::grammar::is_number;
use super::lower::names_in_block;
use super::tree::{Block, BlockId, Blocks, Entry, Expr, Stanza, Tree, Value};
use crate::problem::report::{Label, Report};
use crate::problem::syntax::LanguageProblem;
use crate::text::{Name, Span, is_misspelt};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of warnings of one kind.
const MAX_FOUND: usize = 20;

/// Tags of YAML, and of programs that read it.
const TAGS: [&str; 14] = [
    "!!int", "!!float", "!!str", "!!bool", "!!null", "!!map", "!!seq", "!!binary", "!vault", "!include", "!Ref",
    "!Sub", "!GetAtt", "!Join",
];

/// A line as another language has it.
#[derive(Clone, PartialEq, Debug)]
pub enum Habit {
    /// `port: 80,`, with the number of other such lines.
    Comma(usize),
    /// `{name}`, `$name` or `<%= name %>`, where there is such a key.
    Inserted {
        /// The text.
        written: Name,
        /// The name.
        name: Name,
    },
    /// A value that ends with `}}` and has no `{{`.
    NotOpened,
    /// `!!int 3`
    Tag,
    /// `packages+:`, where there is a key `packages`.
    PlusKey(Name),
    /// `call: web`, `x: call web`, or a key `web` with the arguments of the macro below it.
    NoDirective {
        /// The directive.
        word: &'static str,
        /// The macro, prototype or key.
        name: Name,
        /// Its definition.
        definition: Span,
        /// Whether it is an element of a list.
        is_element: bool,
    },
    /// A key of an instance beside a similar key of its prototype.
    MisspeltKey {
        /// The key.
        key: Name,
        /// The prototype.
        prototype: Name,
        /// The similar key.
        near: Name,
        /// Its definition.
        definition: Span,
    },
    /// A key that one dict has twice, with plain values.
    Twice {
        /// The key.
        key: Name,
        /// The first definition.
        first: Span,
    },
}

/// Returns the habits in a text, with their places. `O(text)`.
pub fn find(tree: &Tree, text: &str) -> Vec<(Span, Habit)> {
    let names = Names::of(tree);
    let mut found = Vec::new();
    let mut commas: Vec<Span> = Vec::new();
    for block in tree.blocks() {
        for stanza in &block.stanzas {
            match stanza {
                Stanza::Key(entry) => {
                    if ends_with_comma(tree, text, entry) {
                        commas.push(entry.span);
                    }
                    found.extend(in_value(tree, text, entry.value, Some(&entry.name.name), &names));
                    found.extend(of_key(tree, entry, &names));
                }
                Stanza::Item(value, _) => found.extend(in_value(tree, text, *value, None, &names)),
                Stanza::New(new) => found.extend(misspelt_keys(tree, new.of, new.body, &names)),
                _ => {}
            }
        }
        found.extend(twice(tree, text, block));
    }
    if let Some(first) = commas.first() {
        let place = Span { start: first.end.saturating_sub(1), ..*first };
        found.push((place, Habit::Comma(commas.len() - 1)));
    }
    found.truncate(MAX_FOUND);
    found
}

/// The names that a document defines.
struct Names<'t> {
    /// All keys, and the names that `set` binds.
    defined: FxHashSet<&'t str>,
    macros: FxHashMap<&'t str, (Span, BlockId)>,
    prototypes: FxHashMap<&'t str, (Span, BlockId)>,
    /// The names that expressions read.
    read: FxHashSet<&'t str>,
}

impl<'t> Names<'t> {
    fn of(tree: &'t Tree) -> Names<'t> {
        let mut names = Names {
            defined: FxHashSet::default(),
            macros: FxHashMap::default(),
            prototypes: FxHashMap::default(),
            read: FxHashSet::default(),
        };
        for stanza in tree.blocks().flat_map(|block| &block.stanzas) {
            match stanza {
                Stanza::Key(entry) => drop(names.defined.insert(&entry.name.name)),
                Stanza::Set(name, ..) => drop(names.defined.insert(&name.name)),
                Stanza::Macro(name, body, _) => drop(names.macros.insert(&name.name, (name.span, *body))),
                Stanza::Prototype(name, body, _) => drop(names.prototypes.insert(&name.name, (name.span, *body))),
                _ => {}
            }
        }
        let read = tree.exprs().filter_map(|(expr, _)| match expr {
            Expr::Name(name) => Some(name.as_str()),
            Expr::Dot(_, name) => Some(name.name.as_str()),
            _ => None,
        });
        names.read.extend(read);
        names
    }
}

/// Returns the text of a scalar that is written on one line, without quotes and templates.
fn plain<'t>(tree: &'t Tree, text: &str, value: Value) -> Option<(Span, &'t str)> {
    let Value::Scalar(id) = value else { return None };
    let Expr::Str(value) = tree.expr(id) else { return None };
    let span = tree.span(id);
    let rest = text.get(span.start as usize..).unwrap_or("");
    let line = rest.lines().next().unwrap_or("").trim_end();
    (line == value.as_str()).then_some((span, value.as_str()))
}

/// Whether a value is a number or a string in double quotes, with a comma after it.
fn ends_with_comma(tree: &Tree, text: &str, entry: &Entry) -> bool {
    let Value::Scalar(id) = entry.value else { return false };
    if !matches!(tree.expr(id), Expr::Str(_)) {
        return false;
    }
    let rest = text.get(tree.span(id).start as usize..).unwrap_or("");
    let Some(inside) = rest.lines().next().and_then(|line| line.trim_end().strip_suffix(',')) else { return false };
    let quoted = inside.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    is_number(inside) || matches!(inside, "true" | "false") || quoted.is_some_and(|text| !text.contains('"'))
}

/// Returns what a value of plain text is meant to be.
fn in_value(tree: &Tree, text: &str, value: Value, key: Option<&Name>, names: &Names<'_>) -> Option<(Span, Habit)> {
    let (span, value) = plain(tree, text, value)?;
    if value.ends_with("}}") && !value.contains('{') {
        return Some((Span { start: span.end.saturating_sub(2), ..span }, Habit::NotOpened));
    }
    if let Some(tag) = value.split(' ').next().filter(|tag| TAGS.contains(tag)) {
        return Some((Span { end: span.start + tag.len() as u32, ..span }, Habit::Tag));
    }
    if let Some((word, name, definition)) = named_directive(value, names) {
        return Some((span, Habit::NoDirective { word, name: Name::new(name), definition, is_element: key.is_none() }));
    }
    let name = inserted(value)?;
    // `host: $host` is a line for another program, which has a variable of this name
    let is_other = key.is_some_and(|key| key == name);
    (names.defined.contains(name) && !is_other)
        .then(|| (span, Habit::Inserted { written: Name::new(value), name: Name::new(name) }))
}

/// Returns the directive that a text is: `call web`, `new Service`.
fn named_directive<'v>(value: &'v str, names: &Names<'_>) -> Option<(&'static str, &'v str, Span)> {
    let (word, name) = value.split_once(' ')?;
    let (word, defined) = match word {
        "call" => ("call", &names.macros),
        "new" => ("new", &names.prototypes),
        _ => return None,
    };
    let name = name.trim().trim_end_matches(':');
    Some((word, name, defined.get(name)?.0))
}

/// Returns the name that a text inserts in another language.
fn inserted(value: &str) -> Option<&str> {
    let is_name = |name: &&str| {
        name.starts_with(|c: char| c.is_lowercase() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let inside = |open: &str, close: &str| value.strip_prefix(open)?.strip_suffix(close).map(str::trim);
    let name = value.strip_prefix('$').or_else(|| inside("<%=", "%>"));
    name.or_else(|| inside("{ {", "} }")).or_else(|| inside("{", "}")).filter(is_name)
}

/// Returns what a key is meant to be.
fn of_key(tree: &Tree, entry: &Entry, names: &Names<'_>) -> Option<(Span, Habit)> {
    let key = entry.name.name.as_str();
    if let Some(name) = key.strip_suffix('+')
        && names.defined.contains(name)
    {
        return Some((entry.name.span, Habit::PlusKey(Name::new(name))));
    }
    if let Value::Scalar(id) = entry.value
        && let Expr::Str(value) = tree.expr(id)
    {
        let (word, defined) = match key {
            "call" => ("call", &names.macros),
            "new" => ("new", &names.prototypes),
            _ => return None,
        };
        let (definition, _) = *defined.get(value.as_str())?;
        return Some((entry.span, Habit::NoDirective { word, name: value.clone(), definition, is_element: false }));
    }
    // a key with the name of a macro, and only arguments of it below
    let (definition, body) = *names.macros.get(key)?;
    let args = super::surprises::keys_only(tree, entry.value.block()?);
    let reads: FxHashSet<Name> = names_in_block(tree, body).into_iter().collect();
    let is_call = !args.is_empty() && args.iter().all(|arg| reads.contains(&arg.name.name));
    let is_read = names.read.contains(key);
    (is_call && !is_read).then(|| {
        (entry.name.span, Habit::NoDirective { word: "call", name: Name::new(key), definition, is_element: false })
    })
}

/// Returns the keys of an instance that its prototype does not have, beside similar keys that it has and the instance does not.
fn misspelt_keys(tree: &Tree, of: super::tree::Id, body: Option<BlockId>, names: &Names<'_>) -> Vec<(Span, Habit)> {
    let (Expr::Name(prototype), Some(body)) = (tree.expr(of), body) else { return Vec::new() };
    let Some((_, own)) = names.prototypes.get(prototype.as_str()) else { return Vec::new() };
    let own: FxHashMap<&str, Span> =
        entries(tree.block(*own)).map(|own| (own.name.name.as_str(), own.name.span)).collect();
    let given: FxHashSet<&str> = entries(tree.block(body)).map(|entry| entry.name.name.as_str()).collect();
    let misspelt = entries(tree.block(body)).filter_map(|entry| {
        let key = &entry.name.name;
        if own.contains_key(key.as_str()) || names.read.contains(key.as_str()) {
            return None;
        }
        let mut close = own.iter().filter(|(other, _)| !given.contains(**other) && is_misspelt(key, other));
        let (near, definition) = close.next()?;
        let what = Habit::MisspeltKey {
            key: key.clone(),
            prototype: prototype.clone(),
            near: Name::new(near),
            definition: *definition,
        };
        Some((entry.name.span, what))
    });
    misspelt.collect()
}

fn entries(block: &Block) -> impl Iterator<Item = &Entry> {
    block.stanzas.iter().filter_map(Stanza::entry)
}

/// Returns the keys of a nested dict that two of its lines define with plain values, so that the first one never counts.
fn twice(tree: &Tree, text: &str, block: &Block) -> Option<(Span, Habit)> {
    // the layers of a document, and the lines around a directive, may define a key again
    let indent = text.get(..block.span.start as usize)?.rsplit('\n').next()?.len();
    if indent == 0 || entries(block).count() < block.stanzas.len() {
        return None;
    }
    let mut first: FxHashMap<&str, Span> = FxHashMap::default();
    for entry in entries(block) {
        let is_plain =
            matches!(entry.value, Value::Scalar(id) if matches!(tree.expr(id), Expr::Str(_) | Expr::Number(_)));
        if entry.extend {
            return None;
        }
        if !is_plain {
            first.remove(entry.name.name.as_str());
            continue;
        }
        if let Some(before) = first.insert(&entry.name.name, entry.name.span) {
            return Some((entry.name.span, Habit::Twice { key: entry.name.name.clone(), first: before }));
        }
    }
    None
}

impl LanguageProblem for Habit {
    fn code(&self) -> &'static str {
        match self {
            Habit::MisspeltKey { .. } => "types/extends-nothing",
            Habit::Twice { .. } => "data/duplicate-key",
            _ => "syntax/open-text",
        }
    }

    fn write(&self, span: Span, report: &mut Report) {
        let mut other: Option<(Span, String)> = None;
        let (message, label, help) = match self {
            Habit::Comma(more) => (
                String::from("a comma after a value is a part of it"),
                match more {
                    0 => String::from("this makes the value a text that ends with a comma"),
                    1 => String::from("this makes the value a text; another line has a comma too"),
                    _ => format!("this makes the value a text; {more} more lines have a comma"),
                },
                String::from("remove the comma: a key and its value end with their line"),
            ),
            Habit::Inserted { written, name } => (
                format!("`{written}` is plain text"),
                String::from("nothing is inserted here"),
                format!("to insert the value, write `{{{{ {name} }}}}`"),
            ),
            Habit::NotOpened => (
                String::from("`}}` closes nothing: this value is plain text"),
                String::from("no `{{` is open here"),
                String::from("write `{{` before the name, as in `{{ name }}`, or remove `}}`"),
            ),
            Habit::Tag => (
                String::from("there are no tags: this value is plain text"),
                String::from("this is a part of the text"),
                String::from("remove the tag: a value of digits is a number, and any other value is a text"),
            ),
            Habit::PlusKey(name) => (
                format!("`{name}+` is a key of its own"),
                format!("this adds nothing to `{name}`"),
                format!("to add elements or keys to `{name}`, write `extend {name}:`"),
            ),
            Habit::NoDirective { word, name, definition, is_element } => {
                let is_call = *word == "call";
                let (kind, does) = if is_call { ("macro", "calls") } else { ("prototype", "makes an instance of") };
                let lines = if is_call { "arguments" } else { "keys" };
                other = Some((*definition, format!("the {kind} is defined here")));
                let place =
                    if *is_element { "below a line with only `-`" } else { "on a line of its own below the key" };
                (
                    format!("nothing {does} the {kind} `{name}` here"),
                    String::from("this is an ordinary key or text"),
                    format!("write `{word} {name}:` {place}, with its {lines} indented below it"),
                )
            }
            Habit::MisspeltKey { key, prototype, near, definition } => {
                other = Some((*definition, format!("`{near}` is defined here")));
                (
                    format!("the prototype `{prototype}` has no `{key}`"),
                    format!("this adds a new key, and leaves `{near}` as it is"),
                    format!("did you mean `{near}`?"),
                )
            }
            Habit::Twice { key, first } => {
                other = Some((*first, String::from("this definition never counts")));
                (
                    format!("duplicate key `{key}`"),
                    String::from("this replaces the value above"),
                    String::from("remove one of them, or give it another name"),
                )
            }
        };
        report.message = message;
        report.labels.push(Label { span, text: label });
        report.labels.extend(other.map(|(span, text)| Label { span, text }));
        report.suggestions.push(help);
    }
}
