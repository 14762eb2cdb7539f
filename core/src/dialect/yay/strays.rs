//! Lines of other languages that are legal, and quietly mean something else: a comment after a value, a dotted key, an argument that no macro
//! reads, an `extend` of a key that is elsewhere. Each is a warning.

use super::lower::names_in_block;
use super::tree::{Block, BlockId, Blocks, Entry, Expr, Id, Stanza, Tree, Value};
use crate::problem::report::{Label, Report};
use crate::problem::syntax::LanguageProblem;
use crate::text::{Name, Span, near};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of warnings of this kind.
const MAX_FOUND: usize = 20;
/// Maximum number of arguments of a call that are looked at.
const MAX_ARGUMENTS: usize = 100;

/// A line that means something else than it seems.
#[derive(Clone, PartialEq, Debug)]
pub enum Stray {
    /// `port: 80 # http`
    Comment,
    /// `app.port: 80` beside `app:`.
    DottedKey {
        /// The first part of the key.
        outer: Name,
        /// The rest.
        inner: Name,
        /// Whether it is written with `extend`.
        extend: bool,
        /// The key `app`.
        definition: Span,
    },
    /// `http://{ name }/`, where there is such a key.
    Braces(Name),
    /// `size: if c: 1 else 2`, `out: for h in hosts: …`
    Directive {
        /// The key, and the directive.
        key: Name,
        /// `if` or `for`.
        word: &'static str,
    },
    /// `{{ "a-{{ name }}" }}`
    Nested(Name),
    /// `include: common.yay`
    IncludeKey,
    /// An argument that the macro does not read.
    Unread {
        /// The macro.
        template: Name,
        /// The argument.
        name: Name,
        /// The macro's name, where it is defined.
        definition: Span,
    },
    /// `call Service:` where `Service` is a prototype.
    CallsPrototype {
        /// The prototype.
        name: Name,
        /// Its name, where it is defined.
        definition: Span,
    },
    /// `extend l:` beside `app:`, which has an `l`.
    ExtendsElsewhere {
        /// The key.
        name: Name,
        /// The key around the one that was meant.
        outer: Name,
        /// The key that was meant.
        definition: Span,
    },
}

/// Returns the strays in a text, with their places. `O(text)`.
pub fn find(tree: &Tree, text: &str) -> Vec<(Span, Stray)> {
    let names = Names::of(tree);
    let mut readers = FxHashMap::default();
    let mut found = Vec::new();
    for block in tree.blocks() {
        for stanza in &block.stanzas {
            match stanza {
                Stanza::Key(entry) => {
                    found.extend(of_value(tree, text, Some(&entry.name.name), entry.value, &names));
                    found.extend(of_key(tree, text, entry, &names));
                }
                Stanza::Item(value, _) => found.extend(of_value(tree, text, None, *value, &names)),
                Stanza::Call(name, args, span) => {
                    let head = Span { end: name.span.end, ..*span };
                    found.extend(of_call(tree, &name.name, head, *args, &names, &mut readers));
                }
                _ => {}
            }
        }
        found.extend(extends_elsewhere(tree, text, block));
    }
    found.extend(nested(tree, text, &names));
    found.truncate(MAX_FOUND);
    found
}

/// The names that a document defines, with their places.
#[derive(Default)]
struct Names<'t> {
    keys: FxHashMap<&'t str, &'t Entry>,
    macros: FxHashMap<&'t str, (Span, BlockId)>,
    prototypes: FxHashMap<&'t str, Span>,
}

impl<'t> Names<'t> {
    fn of(tree: &'t Tree) -> Names<'t> {
        let mut names = Names::default();
        for stanza in tree.blocks().flat_map(|block| &block.stanzas) {
            match stanza {
                Stanza::Key(entry) if !entry.extend => {
                    names.keys.entry(&entry.name.name).or_insert(entry);
                }
                Stanza::Macro(name, body, _) => drop(names.macros.insert(&name.name, (name.span, *body))),
                Stanza::Prototype(name, ..) => drop(names.prototypes.insert(&name.name, name.span)),
                _ => {}
            }
        }
        names
    }
}

/// Returns the line of a scalar, as it is written, with its place.
fn line<'t>(tree: &Tree, text: &'t str, id: Id) -> (Span, &'t str) {
    let span = tree.span(id);
    let line = text.get(span.start as usize..).and_then(|rest| rest.lines().next()).unwrap_or("").trim_end();
    (Span { end: span.start + line.len() as u32, ..span }, line)
}

fn of_value(tree: &Tree, text: &str, key: Option<&Name>, value: Value, names: &Names<'_>) -> Option<(Span, Stray)> {
    let Value::Scalar(id) = value else { return None };
    if !matches!(tree.expr(id), Expr::Str(_) | Expr::Text(_) | Expr::Name(_) | Expr::Number(_)) {
        return None;
    }
    let (span, line) = line(tree, text, id);
    let starts_value = text.get(..span.start as usize).is_some_and(|before| before.ends_with([' ', '\t']));
    if line.starts_with(['|', '>']) || !starts_value {
        return None;
    }
    if let Some(at) = comment(line) {
        return Some((Span { start: span.start + at as u32, ..span }, Stray::Comment));
    }
    if line.starts_with('"') {
        return None;
    }
    if let Some(key) = key
        && let Some(word) = directive(line)
    {
        return Some((span, Stray::Directive { key: key.clone(), word }));
    }
    let (at, name) = braces(line)?;
    let place = Span { start: span.start + at as u32, end: span.start + (at + name.len() + 4) as u32, ..span };
    names.keys.contains_key(name).then(|| (place, Stray::Braces(Name::new(name))))
}

/// Returns the place of a comment after a value: ` # words`, outside of templates and double quotes.
fn comment(line: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut last) = (0usize, false, ' ');
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        match c {
            '"' if !escaped && (at == 0 || quoted || depth > 0) => quoted = !quoted,
            '{' if last == '{' && !quoted => depth += 1,
            '}' if last == '}' && !quoted => depth = depth.saturating_sub(1),
            '#' if depth == 0 && !quoted && at > 0 && matches!(last, ' ' | '\t') => {
                return line.get(at + 1..).is_some_and(|rest| rest.starts_with(' ')).then_some(at);
            }
            _ => {}
        }
        escaped = c == '\\' && !escaped;
        last = c;
    }
    None
}

/// Returns the directive that a text is written as: `if c: a else b`, `for h in hosts: …`.
fn directive(line: &str) -> Option<&'static str> {
    if let Some(rest) = line.strip_prefix("if ") {
        let (_, after) = rest.split_once(": ")?;
        return after.contains(" else ").then_some("if");
    }
    let (name, rest) = line.strip_prefix("for ")?.split_once(" in ")?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let (items, _) = rest.split_once(':')?;
    (is_name && !items.trim().is_empty() && !items.trim().contains(' ')).then_some("for")
}

/// Returns the name in `{ name }` in a text without templates, with the place of the brace.
fn braces(line: &str) -> Option<(usize, &str)> {
    let at = line.find("{ ").filter(|_| !line.contains("{{"))?;
    let (name, _) = line.get(at + 2..)?.split_once(" }")?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then_some((at, name))
}

fn of_key(tree: &Tree, text: &str, entry: &Entry, names: &Names<'_>) -> Option<(Span, Stray)> {
    let key = entry.name.name.as_str();
    if key == "include"
        && let Value::Scalar(id) = entry.value
        && line(tree, text, id).1.ends_with(".yay")
    {
        return Some((entry.span, Stray::IncludeKey));
    }
    let (outer, inner) = key.split_once('.')?;
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
    };
    let around = names.keys.get(outer).filter(|around| around.value.block().is_some())?;
    inner.split('.').all(is_name).then(|| {
        let definition = around.name.span;
        (
            entry.name.span,
            Stray::DottedKey { outer: Name::new(outer), inner: Name::new(inner), extend: entry.extend, definition },
        )
    })
}

/// The names that a macro reads, and those that it binds itself.
struct Reader {
    reads: FxHashSet<Name>,
    bound: FxHashSet<Name>,
}

impl Reader {
    /// Returns the names of a macro. `None` if what it reads is not known: another macro or document reads too. `O(macro)`.
    fn of(tree: &Tree, body: BlockId) -> Option<Reader> {
        let mut blocks = vec![body];
        let mut bound: FxHashSet<Name> = FxHashSet::default();
        while let Some(block) = blocks.pop() {
            for stanza in &tree.block(block).stanzas {
                match stanza {
                    Stanza::Call(..) | Stanza::New(_) | Stanza::Include(..) => return None,
                    Stanza::Set(name, ..) => drop(bound.insert(name.name.clone())),
                    Stanza::For(each) => bound.extend(each.names.iter().map(|name| name.name.clone())),
                    _ => {}
                }
                blocks.extend(blocks_of(stanza));
            }
        }
        let reads: FxHashSet<Name> = names_in_block(tree, body).into_iter().collect();
        let reads_all = ["here", "self", "args"].iter().any(|whole| reads.contains(*whole));
        (!reads_all).then_some(Reader { reads, bound })
    }
}

/// Returns the arguments of a call that have no effect. `O(arguments)`; if there is one, also `O(names that the macro reads)`.
fn of_call(
    tree: &Tree,
    name: &Name,
    head: Span,
    args: Option<BlockId>,
    names: &Names<'_>,
    readers: &mut FxHashMap<BlockId, Option<Reader>>,
) -> Vec<(Span, Stray)> {
    let Some((definition, body)) = names.macros.get(name.as_str()).copied() else {
        let definition = names.prototypes.get(name.as_str()).copied();
        let what = definition.map(|definition| Stray::CallsPrototype { name: name.clone(), definition });
        return what.map(|what| (head, what)).into_iter().collect();
    };
    let reader = readers.entry(body).or_insert_with(|| Reader::of(tree, body));
    let Some(Reader { reads, bound }) = reader else { return Vec::new() };
    let given: Vec<&Entry> =
        args.map(|args| tree.block(args).stanzas.iter().filter_map(Stanza::entry).collect()).unwrap_or_default();
    let is_new = |entry: &&Entry| !reads.contains(&entry.name.name);
    if given.len() > MAX_ARGUMENTS || !given.iter().any(&is_new) {
        return Vec::new();
    }
    // an argument that another one reads
    let own: FxHashSet<Name> = args.map(|args| names_in_block(tree, args).into_iter().collect()).unwrap_or_default();
    let given_names: FxHashSet<&Name> = given.iter().map(|entry| &entry.name.name).collect();
    // an argument that is missing is reported with the misspelt one
    let is_known = |read: &Name| {
        given_names.contains(read)
            || bound.contains(read)
            || names.keys.contains_key(read.as_str())
            || super::meant::is_function(read)
    };
    if !reads.iter().all(is_known) {
        return Vec::new();
    }
    let is_slip = |entry: &Entry| {
        let free = reads.iter().filter(|read| !given_names.contains(read)).map(Name::as_str);
        !near(&entry.name.name, free).is_empty()
    };
    let unread = given.iter().copied().filter(is_new).filter(|entry| !own.contains(&entry.name.name));
    let unread = unread.filter(|entry| !is_slip(entry));
    let what = |entry: &Entry| {
        let name_of = entry.name.name.clone();
        (entry.name.span, Stray::Unread { template: name.clone(), name: name_of, definition })
    };
    unread.map(what).collect()
}

/// Returns the blocks directly below a stanza.
fn blocks_of(stanza: &Stanza) -> Vec<BlockId> {
    match stanza {
        Stanza::Key(Entry { value, .. }) | Stanza::Item(value, _) => value.block().into_iter().collect(),
        Stanza::If(choice) => choice.branches.iter().map(|(_, block)| *block).chain(choice.otherwise).collect(),
        Stanza::For(each) => vec![each.body],
        Stanza::Select(select) => select.cases.iter().filter_map(|(_, value)| value.block()).collect(),
        _ => Vec::new(),
    }
}

/// Returns the keys of a document that extend nothing, and are keys of one of its dicts.
fn extends_elsewhere(tree: &Tree, text: &str, block: &Block) -> Vec<(Span, Stray)> {
    // a block inside may be one of an instance, which extends its prototype
    let is_document =
        text.get(..block.span.start as usize).is_some_and(|before| matches!(before.chars().last(), None | Some('\n')));
    let stanzas = &block.stanzas;
    let entries = || stanzas.iter().filter_map(Stanza::entry);
    // another document, or a macro, may define any key
    let is_open = stanzas.iter().any(|stanza| !matches!(stanza, Stanza::Key(_) | Stanza::Set(..)));
    if is_open || !is_document || !entries().any(|entry| entry.extend) {
        return Vec::new();
    }
    let own: FxHashSet<&str> = entries().filter(|entry| !entry.extend).map(|entry| entry.name.name.as_str()).collect();
    let mut inner: FxHashMap<&str, Option<(&Entry, &Entry)>> = FxHashMap::default();
    for outer in entries() {
        let Some(block) = outer.value.block() else { continue };
        for entry in tree.block(block).stanzas.iter().filter_map(Stanza::entry) {
            let several = inner.contains_key(entry.name.name.as_str());
            inner.insert(&entry.name.name, (!several).then_some((outer, entry)));
        }
    }
    let found = entries().filter(|entry| entry.extend && !own.contains(entry.name.name.as_str()));
    let found = found.filter_map(|entry| {
        let (outer, meant) = (*inner.get(entry.name.name.as_str())?)?;
        let kind = |entry: &Entry| tree.block(entry.value.block()?).stanzas.first().map(std::mem::discriminant);
        let what = Stray::ExtendsElsewhere {
            name: entry.name.name.clone(),
            outer: outer.name.name.clone(),
            definition: meant.name.span,
        };
        (kind(entry) == kind(meant) && kind(entry).is_some()).then_some((entry.name.span, what))
    });
    found.collect()
}

/// Returns the texts in expressions that contain a template.
fn nested(tree: &Tree, text: &str, names: &Names<'_>) -> Vec<(Span, Stray)> {
    let found = tree.exprs().filter_map(|(expr, span)| {
        let Expr::Str(inside) = expr else { return None };
        let (_, rest) = inside.split_once("{{")?;
        let (name, _) = rest.split_once("}}")?;
        let start = span.start as usize;
        let is_quoted = text.get(start..).is_some_and(|rest| rest.starts_with(['"', '\'']));
        let before = text.get(..start)?.rsplit('\n').next()?;
        let is_inside = before.rfind("{{").is_some_and(|open| !before.get(open..).unwrap_or("").contains("}}"));
        let name = name.trim();
        (is_quoted && is_inside && names.keys.contains_key(name)).then(|| (span, Stray::Nested(Name::new(name))))
    });
    found.collect()
}

impl LanguageProblem for Stray {
    fn code(&self) -> &'static str {
        match self {
            Stray::Unread { .. } => "types/call",
            Stray::ExtendsElsewhere { .. } => "types/extends-nothing",
            _ => "syntax/open-text",
        }
    }

    fn write(&self, span: Span, report: &mut Report) {
        let mut other: Option<(Span, String)> = None;
        let (message, label, help) = match self {
            Stray::Comment => (
                String::from("a comment after a value is a part of it"),
                String::from("this is a part of the text"),
                String::from("a comment has a line of its own: write it above the key"),
            ),
            Stray::DottedKey { outer, inner, extend, definition } => {
                other = Some((*definition, String::from("this dict does not change")));
                let first = inner.split('.').next().unwrap_or_default();
                let line = match (extend, first == inner) {
                    (true, true) => format!("extend {first}:"),
                    (false, true) => format!("{first}: VALUE"),
                    (_, false) => format!("{first}: …"),
                };
                (
                    format!("`{outer}.{inner}` is one key, with a dot in its name"),
                    format!("this does not set `{first}` in `{outer}`"),
                    format!("write `extend {outer}:`, and `{line}` indented below it"),
                )
            }
            Stray::Braces(name) => (
                format!("`{{ {name} }}` is plain text"),
                String::from("nothing is inserted here"),
                format!("to insert the value, write `{{{{ {name} }}}}`"),
            ),
            Stray::Directive { key, word: "if" } => (
                String::from("this choice is plain text"),
                String::from("a directive has a line of its own"),
                format!("write `{key}: {{{{ A if CONDITION else B }}}}`"),
            ),
            Stray::Directive { key, .. } => (
                String::from("this loop is plain text"),
                String::from("a directive has a line of its own"),
                format!("write it on a line of its own below `{key}:`, and its element as `- ` on the line below it"),
            ),
            Stray::Nested(name) => (
                String::from("a template in a text of an expression is plain text"),
                String::from("nothing is inserted here"),
                format!("join the texts with `+`, as in `\"a-\" + {name}`"),
            ),
            Stray::IncludeKey => (
                String::from("`include:` is an ordinary key"),
                String::from("nothing is included here"),
                String::from("write `include \"FILE\"`, without a colon"),
            ),
            Stray::Unread { template, name, definition } => {
                other = Some((*definition, String::from("the macro is defined here")));
                (
                    format!("the macro `{template}` reads no `{name}`"),
                    String::from("this argument has no effect"),
                    format!("remove it, or read it in the macro: `{{{{ {name} }}}}`"),
                )
            }
            Stray::CallsPrototype { name, definition } => {
                other = Some((*definition, String::from("the prototype is defined here")));
                (
                    format!("`{name}` is a prototype, not a macro"),
                    String::from("the lines below have no effect"),
                    format!("write `new {name}:`, with the keys indented below it"),
                )
            }
            Stray::ExtendsElsewhere { name, outer, definition } => {
                other = Some((*definition, format!("`{name}` in `{outer}` is defined here")));
                (
                    format!("there is no `{name}` to extend here"),
                    format!("this makes a new key `{name}`"),
                    format!("write `extend {outer}:`, and `extend {name}:` with its lines indented below it"),
                )
            }
        };
        report.message = message;
        report.labels.push(Label { span, text: label });
        report.labels.extend(other.map(|(span, text)| Label { span, text }));
        report.suggestions.push(help);
    }
}
