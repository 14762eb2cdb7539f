//! Faults of whole lines: text that is neither a key nor an element, and blocks that mix keys and elements.

use super::Parser;
use crate::dialect::parser::dollar;
use crate::dialect::yay::lexer::{DIRECTIVES, is_document};
use crate::dialect::yay::problem::YayProblem;
use crate::dialect::yay::token::Kind;
use crate::dialect::yay::tree::{Block, BlockId, Blocks, Entry, Expr, Id, Op, Prefix, Stanza, Tree, Value};
use crate::dialect::yay::{habits, strays, surprises};
use crate::problem::Problem;
use crate::problem::syntax::SyntaxProblem;
use crate::text::{Name, Span, near};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of warnings per text.
const MAX_WARNINGS: usize = 100;
/// Maximum number of words that are read as a key with blanks. A longer line is a sentence.
const MAX_WORDS: usize = 4;
/// Texts that other programs read as truth values.
const TRUTH: [&str; 6] = ["true", "false", "yes", "no", "on", "off"];

/// The kind of the values that a stanza or a block makes, as far as its own lines show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Makes {
    /// No value: only `set`, `macro` and the like.
    Nothing,
    /// Keys.
    Keys,
    /// Elements of a list.
    Elements,
    /// Something else, or not known here.
    Other,
}

/// The facts about the lines above the next one.
#[derive(Default)]
pub struct LinesAbove {
    /// The kinds of the blocks that were read.
    pub made: FxHashMap<BlockId, Makes>,
    /// The words in place of directives that were reported.
    unknown: FxHashSet<Name>,
}

impl Makes {
    fn join(self, other: Makes) -> Makes {
        match (self, other) {
            (Makes::Nothing, makes) | (makes, Makes::Nothing) => makes,
            (a, b) if a == b => a,
            _ => Makes::Other,
        }
    }

    fn of(stanza: &Stanza, made: &FxHashMap<BlockId, Makes>) -> Makes {
        let block = |block: BlockId| made.get(&block).copied().unwrap_or(Makes::Other);
        match stanza {
            Stanza::Key(_) => Makes::Keys,
            Stanza::Item(..) | Stanza::For(_) => Makes::Elements,
            Stanza::New(new) if new.name.is_some() => Makes::Keys,
            Stanza::If(stanza) => {
                let blocks = stanza.branches.iter().map(|(_, block)| *block).chain(stanza.otherwise);
                blocks.map(block).fold(Makes::Nothing, Makes::join)
            }
            Stanza::Search(..) | Stanza::Set(..) | Stanza::Macro(..) | Stanza::Prototype(..) => Makes::Nothing,
            _ => Makes::Other,
        }
    }
}

impl LinesAbove {
    /// Whether a word in place of a directive was reported.
    pub fn has_unknown(&self) -> bool {
        !self.unknown.is_empty()
    }
}

impl Parser<'_> {
    /// Returns the problem of a key whose value is an anchor of YAML, on the line above the next token, and the place of the anchor.
    pub(super) fn anchor_above(&self) -> Option<(Span, YayProblem)> {
        let before = self.text.get(..self.token.start as usize)?.trim_end();
        let above = before.lines().next_back()?;
        let (key, anchor) = above.trim().split_once(": &")?;
        let end = before.len() as u32;
        let span = Span { source: self.source, start: end.saturating_sub(anchor.len() as u32 + 1), end };
        let help = Name::from(format!(
            "remove `&{anchor}`: a part is read by its path, `{{{{ {key}.name }}}}`, and `prototype` and `new` repeat a whole dict"
        ));
        Some((span, YayProblem::Foreign { message: "there are no anchors", help }))
    }

    /// Returns the key on the line above an element of a list that is not indented below it.
    fn key_above(&self, element: Span) -> Option<&str> {
        let above = self.text.get(..element.start as usize)?.trim_end().lines().next_back()?;
        above.trim().strip_suffix(':').filter(|key| !key.contains(' '))
    }

    /// Returns the problem of a key that is indented less than the keys of the element above it.
    fn out_of_element(&self, above: Option<&Stanza>, stanza: &Stanza) -> Option<YayProblem> {
        let (Stanza::Item(Value::Block(block), _), Stanza::Key(entry)) = (above?, stanza) else { return None };
        let first = self.tree.block(*block).stanzas.first()?.entry()?;
        let [own, inner] = [entry, first].map(|entry| self.column_of(entry.span.start));
        let by = inner.checked_sub(own).filter(|by| *by > 0 && !entry.extend && !first.extend)?;
        let key = entry.name.name.clone();
        Some(YayProblem::OutOfElement { key, first: first.name.name.clone(), first_span: first.name.span, by })
    }

    /// Reports what is wrong with the lines of a block together. `texts` are the places of its lines of plain text. `is_broken`: whether
    /// something in the block was reported.
    pub(super) fn check_lines(&mut self, stanzas: &[Stanza], texts: &[Span], is_broken: bool) -> Makes {
        let mut first: [Option<Span>; 2] = [None, None];
        let mut makes = Makes::Nothing;
        let mut mixed = is_broken;
        let mut values = 0;
        let mut above: Option<&Stanza> = None;
        for stanza in stanzas {
            let above = above.replace(stanza);
            let own = Makes::of(stanza, &self.state.made);
            makes = makes.join(own);
            values += usize::from(own != Makes::Nothing);
            let (place, elements) = match own {
                Makes::Keys => (0, false),
                Makes::Elements => (1, true),
                Makes::Nothing | Makes::Other => continue,
            };
            let span = stanza.span(&self.tree);
            first[place].get_or_insert(span);
            if let (Some(before), false) = (first[1 - place], mixed) {
                mixed = true;
                let problem = match self.key_above(span).filter(|_| elements) {
                    Some(key) => YayProblem::Foreign {
                        message: "elements of a list that are not indented",
                        help: Name::from(format!("indent the elements of `{key}`: `  - a`")),
                    },
                    None => self.out_of_element(above, stanza).unwrap_or(YayProblem::Mixed { elements, first: before }),
                };
                self.fault(span, problem);
            }
        }
        // several lines with one mistake are one mistake
        let mut reported = [false; 2];
        for span in texts {
            let Some(problem) = text_problem(self.text, *span, values > 1) else { continue };
            let kind = match problem {
                YayProblem::NoBlankInElement(_) => Some(0),
                YayProblem::Foreign { .. } | YayProblem::NotAKey(_) => Some(1),
                _ => None,
            };
            if let YayProblem::NotADirective { word, .. } = &problem
                && !self.state.unknown.insert(word.clone())
            {
                continue;
            }
            let again = kind.and_then(|kind| reported.get_mut(kind)).is_some_and(|seen| std::mem::replace(seen, true));
            if !again {
                self.fault(*span, problem);
            }
        }
        makes
    }

    /// Reports a line of plain text with an indented block below it.
    pub(super) fn fault_of_opened(&mut self, line: Span) {
        let text = self.text.get(line.start as usize..line.end as usize).unwrap_or("");
        let problem = match text_problem(self.text, line, true) {
            Some(YayProblem::NotAKey(_)) if !text.contains(' ') => YayProblem::NoColon(Name::new(text)),
            // each `case` of one `select` is one mistake
            Some(YayProblem::NotADirective { word, .. }) if !self.state.unknown.insert(word.clone()) => return,
            Some(problem) => problem,
            None => return,
        };
        self.fault(line, problem);
    }

    /// Reports a comment of another language on the first line, and skips the text. Returns `false` if there is none.
    pub(super) fn check_comment(&mut self) -> bool {
        let line = self.text.get(self.token.start as usize..).and_then(|rest| rest.lines().next()).unwrap_or("");
        let length = line.trim_end().len() as u32;
        let Some((message, help)) = foreign_comment(line) else { return false };
        let start = self.token.start;
        self.fault(
            Span { source: self.source, start, end: start + length },
            YayProblem::Foreign { message, help: Name::new_static(help) },
        );
        while !self.is_at_end() {
            self.bump();
        }
        true
    }

    /// Reports a line that is read as an expression and looks like a key without a colon. Returns `false` if it does not.
    pub(super) fn check_first_line(&mut self) -> bool {
        let [first, second] = [0, 1].map(|at| self.tokens.get(at).copied());
        let (Some(first), Some(second)) = (first, second) else { return false };
        let begins = matches!(second.kind, Kind::Ident | Kind::Number) || second.kind.is_string();
        if self.at != 1 || first.kind != Kind::Ident || !(begins || second.kind == Kind::Colon) {
            return false;
        }
        let line = self.text.get(first.start as usize..).and_then(|rest| rest.lines().next()).unwrap_or("");
        let end = first.start + line.trim_end().len() as u32;
        let span = Span { source: self.source, start: first.start, end };
        let next = self.text.get(end as usize..).unwrap_or("").lines().find(|line| !line.trim().is_empty());
        if second.start > end && next.is_some_and(|next| next.starts_with([' ', '\t']) && is_document(next)) {
            self.fault_of_opened(span);
            return true;
        }
        let word = line.split(' ').next().unwrap_or(line);
        let is_foreign = super::super::problem::foreign_directive(word).is_some();
        let blanks = key_with_blanks(line.trim_end()).filter(|_| !is_foreign);
        match blanks.or_else(|| text_problem(self.text, span, is_foreign)) {
            Some(problem) => self.fault(span, problem),
            None => return false,
        }
        true
    }
}

/// Returns what is wrong with a line of plain text. Alone below a key it may be the key's value.
fn text_problem(text: &str, span: Span, among_others: bool) -> Option<YayProblem> {
    let line = text.get(span.start as usize..span.end as usize)?.trim_end();
    let (sign, rest) = match line.strip_prefix('%') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, line),
    };
    if let Some((message, help)) = foreign(text, span, line) {
        return Some(YayProblem::Foreign { message, help });
    }
    if line.strip_prefix("extend ").is_some_and(|key| !key.contains([' ', ':'])) {
        return Some(YayProblem::NoColon(Name::new(line)));
    }
    let length = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let (word, after) = rest.split_at(length);
    let similar = near(word, DIRECTIVES.iter().map(|(word, _)| *word).chain(["extend"]));
    if !word.is_empty() && (sign || (line.ends_with(':') && after.starts_with(' ') && !similar.is_empty())) {
        return Some(YayProblem::NotADirective { word: Name::new(word), near: similar });
    }
    let is_key =
        |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    if let Some((key, value)) = line.split_once(':')
        && is_key(key)
        && !value.is_empty()
        && !value.starts_with([' ', '/'])
        && (among_others || !value.contains(':'))
    {
        return Some(YayProblem::NoBlank { key: Name::new(key), value: Name::new(value) });
    }
    if let Some(rest) = line.strip_prefix("else if ") {
        let line = rest.chars().take(40).collect::<String>();
        return Some(YayProblem::NotADirective {
            word: Name::new_static("else if"),
            near: vec![Name::from(format!("elif {line}"))],
        });
    }
    if let Some(value) =
        line.strip_prefix('-').filter(|value| value.starts_with(|c: char| c.is_alphanumeric() || c == '"'))
        && among_others
    {
        return Some(YayProblem::NoBlankInElement(Name::from(value.chars().take(40).collect::<String>())));
    }
    let is_short = after.strip_prefix(' ').is_some_and(|after| !after.trim().contains(' '));
    if super::super::problem::foreign_directive(word).is_some() && after.starts_with(' ') && (among_others || is_short)
    {
        return Some(YayProblem::NotADirective { word: Name::new(word), near: Vec::new() });
    }
    if among_others && let Some(problem) = key_with_blanks(line) {
        return Some(problem);
    }
    match line.split_once(' ') {
        Some((key, value)) if is_key(key) && !value.trim().contains(' ') => Some(YayProblem::NoColon(Name::new(key))),
        _ if among_others => Some(YayProblem::NotAKey(Name::from(line.chars().take(40).collect::<String>()))),
        _ => None,
    }
}

/// Returns the correction of a directive in the braces of a template language: `{% for x in xs %}`.
fn without_braces(line: &str) -> String {
    let inside = line.trim_start_matches("{%").trim_end_matches("%}").trim_matches(['-', '+']).trim();
    let word = inside.split([' ', '(']).next().unwrap_or("");
    match word {
        "for" | "if" | "elif" | "else" if line.ends_with("%}") => {
            format!("write `{inside}:`, with its lines indented below it; there is no end")
        }
        "set" | "include" if line.ends_with("%}") => format!("write `{inside}`"),
        _ if word.starts_with("end") => String::from("a block ends where its indentation ends: remove this line"),
        _ => String::from(
            "write the directive without the braces, `if CONDITION:`, with its lines indented below it; there is no end",
        ),
    }
}

/// Returns the message and the correction for a comment of another language.
fn foreign_comment(line: &str) -> Option<(&'static str, &'static str)> {
    let is_comment = line.starts_with("// ") || line.starts_with("/*");
    is_comment.then_some(("a comment of another language", "a comment begins with `#`"))
}

/// Returns the problem of a key of several words: `max memory: 512`.
fn key_with_blanks(line: &str) -> Option<YayProblem> {
    let (key, value) = line.split_once(": ").or_else(|| Some((line.strip_suffix(':')?, "")))?;
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    let words = key.split(' ').count();
    if !(2..=MAX_WORDS).contains(&words) || !key.split(' ').all(is_word) {
        return None;
    }
    let value = value.trim();
    let (joined, quoted) = (format!("{}: {value}", key.replace(' ', "_")), format!("\"{key}\": {value}"));
    let help = Name::from(format!("write `{}`, or `{}`", joined.trim(), quoted.trim()));
    Some(YayProblem::Foreign { message: "a key with blanks", help })
}

/// Returns the message and the correction for a line that other programs read.
fn foreign(text: &str, span: Span, line: &str) -> Option<(&'static str, Name)> {
    if line.starts_with("{%") {
        return Some(("a line of a template", Name::from(without_braces(line))));
    }
    if matches!(line, "endif" | "endfor" | "endmacro" | "end" | "fi" | "done" | "}") {
        let help = "a block ends where its indentation ends: remove this line";
        return Some(("a line that ends a block", Name::new_static(help)));
    }
    if let Some((message, help)) = foreign_comment(line) {
        return Some((message, Name::new_static(help)));
    }
    if line == "---" || line == "..." {
        return Some(("a line between documents", Name::new_static("remove this line: a file is one document")));
    }
    let above = text.get(..span.start as usize)?.trim_end().lines().next_back()?;
    let indent = |line: &str| line.len() - line.trim_start().len();
    let own = text.get(..span.start as usize)?.lines().next_back().map_or(0, indent);
    let key = above.trim().strip_suffix('|').or_else(|| above.trim().strip_suffix('>'))?;
    (key.trim_end().ends_with(':') && indent(above) >= own)
        .then(|| ("text that is not indented", Name::from(format!("indent the lines below `{}`", above.trim()))))
}

/// Returns the warnings about a text: what is read, but probably means something else than was intended. `reported`: the errors of the text,
/// which are not reported again. `O(text)`.
pub fn warnings(tree: &Tree, text: &str, reported: &[Problem]) -> Vec<Problem> {
    let mut found: Vec<Problem> = Vec::new();
    // paths that no key can be
    let mut bare: Vec<(Span, YayProblem)> = Vec::new();
    let mut tabs: Vec<Span> = Vec::new();
    // the anchor, and the place that uses it, are one mistake
    let has_anchor = reported.iter().filter_map(Problem::span).any(|at| at_start(text, at).starts_with('&'));
    let has_tab = reported.iter().any(|problem| problem.code() == "syntax/tab");
    let reported: FxHashSet<Span> = reported.iter().filter_map(Problem::span).collect();
    let mut warn = |span: Span, what: YayProblem| {
        if found.len() < MAX_WARNINGS && !reported.contains(&span) {
            found.push(Problem::warning(SyntaxProblem { span, what: what.into() }));
        }
    };
    let names: FxHashSet<&str> = tree
        .blocks()
        .flat_map(|block| &block.stanzas)
        .filter_map(|stanza| match stanza {
            Stanza::Key(entry) => Some(entry.name.name.as_str()),
            Stanza::Set(name, ..) => Some(name.name.as_str()),
            _ => None,
        })
        .collect();
    // the keys whose text is a word for a truth value
    let words: FxHashMap<&str, &Name> = tree
        .blocks()
        .flat_map(|block| &block.stanzas)
        .filter_map(|stanza| match stanza {
            Stanza::Key(Entry { name, value: Value::Scalar(id), .. }) => match tree.expr(*id) {
                Expr::Str(word) if TRUTH.contains(&word.as_str()) => Some((name.name.as_str(), word)),
                _ => None,
            },
            _ => None,
        })
        .collect();
    for Block { stanzas, .. } in tree.blocks() {
        for stanza in stanzas {
            let span = stanza.span(tree);
            let before = text.get(..span.start as usize).unwrap_or("");
            let indent = before.rfind('\n').map_or(before, |end| &before[end + 1..]);
            if let Some(at) = indent.find('\t').filter(|at| indent[..*at].trim().is_empty()) {
                let start = (before.len() - indent.len() + at) as u32;
                tabs.push(Span { start, end: start + 1, ..span });
            }
            if let Stanza::Include(path, _) = stanza
                && let Expr::Dot(file, ending) = tree.expr(*path)
                && matches!(tree.expr(*file), Expr::Name(_))
                && matches!(ending.name.as_str(), "yay" | "yaml" | "yml" | "json")
            {
                let path = text.get(tree.span(*path).start as usize..tree.span(*path).end as usize).unwrap_or("");
                let is_key = matches!(tree.expr(*file), Expr::Name(name) if names.contains(name.as_str()));
                match is_key {
                    true => warn(span, YayProblem::BarePath(Name::new(path))),
                    false => bare.push((span, YayProblem::BarePath(Name::new(path)))),
                }
            }
            if let Stanza::Key(Entry { value: Value::Scalar(id), .. }) | Stanza::Item(Value::Scalar(id), _) = stanza
                && let Expr::Str(text) = tree.expr(*id)
                && let Some(path) = inserted_name(text, &names)
            {
                warn(tree.span(*id), YayProblem::Dollar(path));
            }
            if let Stanza::Key(Entry { name, value: Value::Scalar(id), .. }) = stanza
                && name.name == "<<"
                && !has_anchor
                && matches!(tree.expr(*id), Expr::Str(text) if text.starts_with('*'))
            {
                let help = Name::new_static("`prototype` and `new` repeat a whole dict, and `extend` adds keys to one");
                warn(span, YayProblem::Foreign { message: "`<<` is an ordinary key: there are no anchors", help });
            }
            if let Stanza::Scalar(id) = stanza
                && let Expr::Text(_) = tree.expr(*id)
                && let Some(line) = text.get(tree.span(*id).start as usize..).and_then(|rest| rest.lines().next())
                && let Some((_, after)) = line.strip_prefix("{{").and_then(|rest| rest.split_once("}}"))
                && after.strip_prefix(':').is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            {
                warn(tree.span(*id), YayProblem::ComputedKey);
            }
            if let Stanza::If(choice) = stanza {
                for (guard, _) in &choice.branches {
                    if let Some((key, word)) = truth_of_text(tree, *guard, &words) {
                        warn(tree.span(*guard), YayProblem::TruthOfText(key, word));
                    }
                }
            }
            let (Stanza::Key(Entry { value, .. }) | Stanza::Item(value, _)) = stanza else {
                continue;
            };
            let written =
                |id| text.get(tree.span(id).start as usize..).and_then(|rest| rest.lines().next()).unwrap_or("");
            if let Value::Scalar(id) = value
                && matches!(tree.expr(*id), Expr::Str(_) | Expr::Text(_))
                && is_open_quote(written(*id))
            {
                let start = tree.span(*id).start;
                warn(Span { start, end: start + 1, ..tree.span(*id) }, YayProblem::OpenQuote);
            }
            if let Value::Scalar(id) = value
                && let Some(inside) =
                    written(*id).trim_end().strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''))
                && !inside.is_empty()
                && !inside.contains('\'')
                && (inside.contains("{{") || !inside.contains('{'))
            {
                warn(tree.span(*id), YayProblem::SingleQuotes(Name::new(inside)));
            }
            if let Value::Scalar(id) = value
                && let Expr::Str(written) = tree.expr(*id)
                && let Some(bracket) = open_bracket(written)
                && text.get(tree.span(*id).start as usize..).is_some_and(|rest| rest.starts_with(bracket))
            {
                warn(tree.span(*id), YayProblem::OpenText(Name::new(bracket)));
            }
        }
    }
    // the lines with tabs are one mistake
    if let Some(first) = tabs.iter().min_by_key(|tab| tab.start)
        && !has_tab
    {
        let what = YayProblem::Tab(tabs.len() - 1);
        found.push(Problem::warning(SyntaxProblem { span: *first, what: what.into() }));
    }
    found.extend(bare.into_iter().map(|(span, what)| Problem::error(SyntaxProblem { span, what: what.into() })));
    let surprises =
        surprises::find(tree, text).into_iter().map(|(span, what)| SyntaxProblem { span, what: what.into() });
    let habits = habits::find(tree, text).into_iter().map(|(span, what)| SyntaxProblem { span, what: what.into() });
    let strays = strays::find(tree, text).into_iter().map(|(span, what)| SyntaxProblem { span, what: what.into() });
    for problem in surprises.chain(habits).chain(strays) {
        if found.len() < MAX_WARNINGS && !reported.contains(&problem.span) {
            found.push(Problem::warning(problem));
        }
    }
    found
}

/// Returns the text from the beginning of a place.
fn at_start(text: &str, at: Span) -> &str {
    text.get(at.start as usize..).unwrap_or("")
}

/// Returns the key with such a word that a condition tests, and the word: `if debug:`, `if not debug:`, `if debug == true:`.
fn truth_of_text(tree: &Tree, guard: Id, words: &FxHashMap<&str, &Name>) -> Option<(Name, Name)> {
    let (mut at, mut is_compared) = (guard, false);
    let key = loop {
        at = match tree.expr(at) {
            Expr::Paren(inner) | Expr::Unary(Prefix::Not, inner) => *inner,
            Expr::Binary(Op::Eq | Op::Ne, left, right) if is_truth(tree, *right) => {
                is_compared = true;
                *left
            }
            Expr::Chain(left, rest) if matches!(&**rest, [(Op::Eq | Op::Ne, right)] if is_truth(tree, *right)) => {
                is_compared = true;
                *left
            }
            Expr::Name(name) => break name,
            Expr::Dot(_, name) => break &name.name,
            _ => return None,
        };
    };
    // a text counts as true, also `true`
    let word = words.get(key.as_str()).filter(|word| is_compared || matches!(word.as_str(), "false" | "no" | "off"))?;
    Some((key.clone(), Name::clone(word)))
}

fn is_truth(tree: &Tree, id: Id) -> bool {
    matches!(tree.expr(id), Expr::Name(name) if matches!(name.as_str(), "true" | "false"))
}

/// Returns the first path in a text that is written `${a.b}` or `$(a.b)`, if all of them begin with one of these names.
fn inserted_name(text: &str, names: &FxHashSet<&str>) -> Option<Name> {
    let braces = text.contains('$').then(|| text.replace("$(", "${").replace(')', "}"))?;
    let paths = dollar::inserted(&braces)?;
    let known = paths.iter().all(|path| names.contains(dollar::head(path)));
    paths.first().filter(|_| known).map(Name::new)
}

/// Whether a value begins with a double quote and has no other one.
fn is_open_quote(line: &str) -> bool {
    line.strip_prefix('"').is_some_and(|rest| !rest.contains('"'))
}

/// Returns the bracket that a text begins with and does not close.
fn open_bracket(text: &str) -> Option<&'static str> {
    let (open, close, bracket) = match text.chars().next()? {
        '[' => ('[', ']', "["),
        '{' => ('{', '}', "{"),
        _ => return None,
    };
    let mut depth = 0usize;
    for c in text.chars() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth = depth.saturating_sub(1);
        }
    }
    (depth > 0).then_some(bracket)
}
