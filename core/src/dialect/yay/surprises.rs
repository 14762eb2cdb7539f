//! Lines that are legal, and whose value is surely not the one that was meant: `groups: [a, b]` is text. Each is a warning.

use super::flow;
use super::grammar::is_number;
use super::problem::listed;
use super::tree::{Block, BlockId, Blocks, Clause, Entry, Expr, Id, Op, Stanza, Tree, Value};
use crate::problem::report::{Label, Report};
use crate::problem::syntax::LanguageProblem;
use crate::text::{Name, Span, near};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// Maximum number of names in a message.
const MAX_LISTED: usize = 4;
/// Maximum length of a text in brackets that is quoted, in bytes.
const MAX_FLOW: usize = 200;
/// Maximum difference in length between a key that is extended and the one that was meant.
const MAX_DIFFERENCE: usize = 2;

/// A line whose value is not the one that was meant.
#[derive(Clone, PartialEq, Debug)]
pub enum Surprise {
    /// `key: [a, b]` or `key: {a: b}`: the value is text.
    FlowText {
        /// Whether it is written as a list.
        is_list: bool,
        /// The correction.
        help: Name,
        /// The places that read it as a list or a dict. If there are any, it is an error.
        reads: Vec<Span>,
    },
    /// A loop whose block has keys and no `-`: its elements are the names of the keys.
    KeysInLoop {
        /// The keys.
        keys: Vec<Name>,
    },
    /// `extend name:` where only a similar key is defined.
    ExtendsNothing {
        /// The key.
        name: Name,
        /// The similar key.
        near: Name,
        /// Its definition.
        definition: Span,
    },
    /// `port == "80"` where `port` is a number.
    NumberIsText {
        /// The key.
        key: Name,
        /// The text as written, without quotes.
        text: Name,
        /// Whether the comparison is `==`.
        is_equal: bool,
        /// The definition of the key.
        definition: Span,
    },
}

/// Returns the surprises in a text, with their places. `O(text)`.
pub fn find(tree: &Tree, text: &str) -> Vec<(Span, Surprise)> {
    let mut found = Vec::new();
    let reads = reads_of_lists(tree);
    for Block { stanzas, .. } in tree.blocks() {
        for stanza in stanzas {
            match stanza {
                Stanza::Key(entry) => {
                    found.extend(flow_words(tree, text, Some(&entry.name.name), entry.value, &reads));
                    found.extend(flow_element(text, entry));
                }
                Stanza::Item(value, _) => found.extend(flow_words(tree, text, None, *value, &reads)),
                Stanza::For(stanza) => found.extend(keys_in_loop(tree.block(stanza.body))),
                _ => {}
            }
        }
    }
    found.extend(extends_nothing(tree));
    found.extend(numbers_as_text(tree));
    found
}

/// Returns the first line of a value as it is written.
fn written<'t>(tree: &Tree, text: &'t str, id: Id) -> &'t str {
    let rest = text.get(tree.span(id).start as usize..).unwrap_or("");
    rest.lines().next().unwrap_or("").trim_end()
}

/// Returns the surprise of a value that is surely meant as a list or a dict of YAML, or that an expression reads as a list.
fn flow_words(
    tree: &Tree,
    text: &str,
    key: Option<&Name>,
    value: Value,
    reads: &FxHashMap<&Name, Vec<Span>>,
) -> Option<(Span, Surprise)> {
    let Value::Scalar(id) = value else { return None };
    let (span, mut surprise) = flow_text(tree, text, key, value)?;
    let Surprise::FlowText { is_list: true, reads: places, .. } = &mut surprise else { return Some((span, surprise)) };
    places.extend(key.and_then(|key| reads.get(key)).into_iter().flatten());
    let line = written(tree, text, id);
    let inside = flow::inside(line.strip_suffix(',').unwrap_or(line));
    let is_sure = !places.is_empty() || inside.is_some_and(|inside| flow::is_surely_list(key, inside));
    is_sure.then_some((span, surprise))
}

/// Returns the places that read keys as lists, by the name of the key: `name[0]`, `len(name)`, `join(name, ",")`.
fn reads_of_lists(tree: &Tree) -> FxHashMap<&Name, Vec<Span>> {
    let mut found: FxHashMap<&Name, Vec<Span>> = FxHashMap::default();
    for (expr, _) in tree.exprs() {
        let of = match expr {
            Expr::Index(of, index) if matches!(tree.expr(*index), Expr::Number(_)) => *of,
            Expr::Call(function, args) => match (tree.expr(*function), &**args) {
                (Expr::Name(name), [(None, of), ..]) if matches!(name.as_str(), "len" | "join" | "sorted") => *of,
                _ => continue,
            },
            _ => continue,
        };
        let name = match tree.expr(of) {
            Expr::Name(name) => name,
            Expr::Dot(_, name) => &name.name,
            _ => continue,
        };
        found.entry(name).or_default().push(tree.span(of));
    }
    found
}

/// Returns the surprise of a value that is read as a list or a dict, and written as one of YAML, of plain words and numbers.
pub fn flow_text(tree: &Tree, text: &str, key: Option<&Name>, value: Value) -> Option<(Span, Surprise)> {
    let Value::Scalar(id) = value else { return None };
    let line = written(tree, text, id);
    let value = match tree.expr(id) {
        // a text in double quotes is meant as it is
        Expr::Str(value) if line == value.as_str() => Cow::Borrowed(value.as_str()),
        // a template is a word
        Expr::Text(_) if line.starts_with('[') && line.ends_with(']') => Cow::Owned(flow::without_templates(line)?),
        _ => return None,
    };
    if value.len() > MAX_FLOW {
        return None;
    }
    // the comma of JSON after it
    let value = value.strip_suffix(',').unwrap_or(&value);
    let key = key.map_or_else(|| String::from("-"), |key| format!("{key}:"));
    let surprise = if let Some(inside) = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        if !flow::is_list(inside) {
            return None;
        }
        // the elements may be secret
        let (list, one) = if flow::is_numbers(inside) { ("[1, 2]", "1") } else { ("[\"a\", \"b\"]", "a") };
        let help = format!("write `{key} {{{{ {list} }}}}`, or each element on a line of its own, as in `- {one}`");
        Surprise::FlowText { is_list: true, help: Name::from(help), reads: Vec::new() }
    } else {
        let inside = value.strip_prefix('{')?.strip_suffix('}')?;
        if !flow::is_dict(inside) {
            return None;
        }
        let help = match key.as_str() {
            "-" => String::from("write each key on a line of its own, the first one as `- key: value`"),
            _ => format!("write each key on a line of its own below `{key}`, as in `  key: value`"),
        };
        Surprise::FlowText { is_list: false, help: Name::from(help), reads: Vec::new() }
    };
    Some((tree.span(id), surprise))
}

/// Returns the surprise of `- {a: b}`, whose key is `{a`.
fn flow_element(text: &str, entry: &Entry) -> Option<(Span, Surprise)> {
    let written = text.get(entry.span.start as usize..entry.span.end as usize)?;
    let inside = written.strip_prefix('{')?.strip_suffix('}')?;
    if !flow::is_dict(inside) {
        return None;
    }
    let help = Name::new_static("write each key on a line of its own, the first one as `- key: value`");
    Some((entry.span, Surprise::FlowText { is_list: false, help, reads: Vec::new() }))
}

/// Returns the surprise of a loop whose block has only keys.
fn keys_in_loop(body: &Block) -> Option<(Span, Surprise)> {
    let mut keys = Vec::new();
    let mut first = None;
    for stanza in &body.stanzas {
        match stanza {
            Stanza::Key(entry) if !entry.extend => {
                first.get_or_insert(entry.name.span);
                keys.push(entry.name.name.clone());
            }
            Stanza::Set(..) => {}
            _ => return None,
        }
    }
    first.map(|span| (span, Surprise::KeysInLoop { keys }))
}

/// Returns the keys that extend nothing, beside a similar key with the same kind of value.
fn extends_nothing(tree: &Tree) -> Vec<(Span, Surprise)> {
    let stanzas = || tree.blocks().flat_map(|block| &block.stanzas);
    // another document, or a macro, may define any key
    let is_open =
        |stanza: &Stanza| matches!(stanza, Stanza::Include(..) | Stanza::Call(..) | Stanza::New(_) | Stanza::Scalar(_));
    let extended = |stanza: &Stanza| matches!(stanza, Stanza::Key(entry) if entry.extend);
    if !stanzas().any(extended) || stanzas().any(is_open) {
        return Vec::new();
    }
    let defined: FxHashSet<&Name> = stanzas()
        .filter_map(|stanza| match stanza {
            Stanza::Key(entry) if !entry.extend => Some(&entry.name.name),
            Stanza::New(new) => new.name.as_ref().map(|name| &name.name),
            _ => None,
        })
        .collect();
    let is_list = |value: Value| {
        let block = tree.block(value.block()?);
        match block.stanzas.first()? {
            Stanza::Item(..) => Some(true),
            Stanza::Key(_) => Some(false),
            _ => None,
        }
    };
    let mut found = Vec::new();
    for block in tree.blocks() {
        let entries: Vec<&Entry> = block.stanzas.iter().filter_map(Stanza::entry).collect();
        for entry in entries.iter().filter(|entry| entry.extend && !defined.contains(&entry.name.name)) {
            let Some(kind) = is_list(entry.value) else { continue };
            let others = entries.iter().filter(|other| !other.extend && is_list(other.value) == Some(kind));
            let others: FxHashMap<&str, Span> =
                others.map(|other| (other.name.name.as_str(), other.name.span)).collect();
            let name = &entry.name.name;
            let Some(close) = near(name, others.keys().copied()).into_iter().next() else { continue };
            if close.len().abs_diff(name.len()) > MAX_DIFFERENCE {
                continue;
            }
            let Some(definition) = others.get(close.as_str()).copied() else { continue };
            found.push((entry.name.span, Surprise::ExtendsNothing { name: name.clone(), near: close, definition }));
            if found.len() >= MAX_LISTED {
                return found;
            }
        }
    }
    found
}

/// Returns the comparisons of a key that is a number with a text of digits.
fn numbers_as_text(tree: &Tree) -> Vec<(Span, Surprise)> {
    let compared = |expr: &Expr| {
        let Expr::Binary(op @ (Op::Eq | Op::Ne), left, right) = expr else { return None };
        let (name, text) = match (tree.expr(*left), tree.expr(*right)) {
            (Expr::Name(name), Expr::Str(text)) | (Expr::Str(text), Expr::Name(name)) => (name, text),
            _ => return None,
        };
        is_number(text).then_some((*op, name, text))
    };
    if !tree.exprs().any(|(expr, _)| compared(expr).is_some()) {
        return Vec::new();
    }
    // the first definition of each key, if all of them are numbers
    let mut numbers: FxHashMap<&Name, Option<Span>> = FxHashMap::default();
    let mut is_open = false;
    for stanza in tree.blocks().flat_map(|block| &block.stanzas) {
        match stanza {
            Stanza::Key(entry) => {
                let is_number = matches!(entry.value, Value::Scalar(id) if matches!(tree.expr(id), Expr::Number(_)));
                let known = numbers.entry(&entry.name.name).or_insert(Some(entry.span));
                *known = known.filter(|_| is_number);
            }
            Stanza::Set(name, ..) => drop(numbers.insert(&name.name, None)),
            Stanza::For(stanza) => {
                numbers.extend(stanza.names.iter().map(|name| (&name.name, None)));
            }
            Stanza::New(new) => numbers.extend(new.name.iter().map(|name| (&name.name, None))),
            Stanza::Include(..) => is_open = true,
            _ => {}
        }
    }
    if is_open {
        return Vec::new();
    }
    // a name that is bound inside of an expression may be any value
    for (expr, _) in tree.exprs() {
        let clauses = match expr {
            Expr::Lambda(params, _) => {
                numbers.extend(params.iter().map(|(name, _)| (&name.name, None)));
                continue;
            }
            Expr::ListComp(_, clauses) | Expr::DictComp(_, clauses) => clauses,
            _ => continue,
        };
        let bound = clauses.iter().filter_map(|clause| match clause {
            Clause::For(names, _) => Some(names),
            Clause::If(_) => None,
        });
        numbers.extend(bound.flatten().map(|name| (&name.name, None)));
    }
    let found = tree.exprs().filter_map(|(expr, span)| {
        let (op, key, text) = compared(expr)?;
        let definition = (*numbers.get(key)?)?;
        let what = Surprise::NumberIsText { key: key.clone(), text: text.clone(), is_equal: op == Op::Eq, definition };
        Some((span, what))
    });
    found.collect()
}

/// Returns the keys of a block whose stanzas are all keys. Empty for other blocks.
pub fn keys_only(tree: &Tree, block: BlockId) -> Vec<&Entry> {
    let keys = tree.block(block).stanzas.iter().map(Stanza::entry);
    keys.collect::<Option<Vec<_>>>().unwrap_or_default()
}

impl LanguageProblem for Surprise {
    fn code(&self) -> &'static str {
        match self {
            Surprise::FlowText { .. } => "syntax/open-text",
            Surprise::KeysInLoop { .. } => "syntax/keys-in-loop",
            Surprise::ExtendsNothing { .. } => "types/extends-nothing",
            Surprise::NumberIsText { .. } => "syntax/never-equal",
        }
    }

    fn write(&self, span: Span, report: &mut Report) {
        let mut others: Vec<(Span, String)> = Vec::new();
        let (message, label, help) = match self {
            Surprise::FlowText { is_list, help, reads } => {
                let (brackets, kind) = if *is_list { ("brackets", "list") } else { ("braces", "dict") };
                others.extend(reads.iter().map(|read| (*read, format!("read as a {kind} here"))));
                (
                    format!("a {kind} in {brackets} is plain text here"),
                    format!("this value is a text, not a {kind}"),
                    help.to_string(),
                )
            }
            Surprise::KeysInLoop { keys } => {
                let first = keys.first().map_or("", Name::as_str);
                let help = match keys.len() {
                    1 => format!("an element with this key begins with a hyphen: `- {first}: VALUE`"),
                    _ => format!(
                        "an element with these keys begins with a hyphen: `- {first}: VALUE`, with its other keys below `{first}`"
                    ),
                };
                (
                    String::from("this loop makes a list of the names of keys"),
                    format!(
                        "each round adds the {} {}, without a value",
                        plural("text", keys.len()),
                        listed(keys, MAX_LISTED)
                    ),
                    help,
                )
            }
            Surprise::ExtendsNothing { name, near, definition } => {
                others.push((*definition, format!("`{near}` is defined here")));
                (
                    format!("there is no `{name}` to extend"),
                    format!("this makes a new key `{name}`"),
                    format!("did you mean `extend {near}:`?"),
                )
            }
            Surprise::NumberIsText { key, text, is_equal, definition } => {
                others.push((*definition, format!("`{key}` is a number")));
                let (result, sign) = if *is_equal { ("false", "==") } else { ("true", "!=") };
                (
                    String::from("a number never equals a text"),
                    format!("this is always {result}"),
                    format!("write the number without quotes: `{key} {sign} {text}`"),
                )
            }
        };
        report.message = message;
        report.labels.push(Label { span, text: label });
        report.labels.extend(others.into_iter().map(|(span, text)| Label { span, text }));
        report.suggestions.push(help);
    }
}

fn plural(word: &str, count: usize) -> String {
    if count == 1 { word.to_string() } else { format!("{word}s") }
}
