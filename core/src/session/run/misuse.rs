//! Layers, stacks and rules for lists that were probably meant for another use.

use super::Run;
use crate::problem::data::DataProblem;
use crate::problem::session::{SessionKind, SessionProblem, Slip};
use crate::problem::syntax::SyntaxKind;
use crate::problem::{Problem, ProblemKind};
use crate::session::request::{Input, Request};
use crate::state::files::File;
use crate::term::{FieldName, Node, NodeId};
use crate::text::path::{FieldPath, PathError, rule};
use crate::text::{Name, Span, near};
use crate::value::datum::{Datum, Entry};
use std::path::Path;

/// The fields of a stack.
pub(super) const STACK: [&str; 5] = ["layers", "list", "env", "schema", "set"];
/// The rules for lists.
const RULES: [&str; 4] = ["append", "key", "replace", "unique"];

impl Run<'_> {
    /// Reports a layer that is probably meant as a stack or as a schema.
    pub(super) fn report_other_use(&mut self, path: &Path, file: &File, are_several: bool) {
        let Node::Record(record) = file.term.node(file.term.root) else { return };
        let field = |wanted: &str| {
            let is_wanted = |name: &FieldName| matches!(name, FieldName::Static(name) if name == wanted);
            record.fields.iter().find(|field| is_wanted(&field.name)).and_then(|field| field.body)
        };
        let is_known = |name: &FieldName| matches!(name, FieldName::Static(name) if STACK.contains(&name.as_str()));
        let is_files = |node: NodeId| match file.term.node(node) {
            Node::Array(items) => {
                let is_file = |item: &NodeId| match file.term.node(*item) {
                    Node::Str(text) => self.session.languages().of_path(Path::new(text.as_str())).is_some(),
                    _ => false,
                };
                !items.is_empty() && items.iter().all(is_file)
            }
            _ => false,
        };
        let is_draft = |node: NodeId| {
            matches!(file.term.node(node), Node::Str(id) if id.contains("json-schema.org/"))
                && (field("properties").is_some() || field("type").is_some())
        };
        let shown = path.display();
        let (what, option) =
            if record.fields.iter().all(|field| is_known(&field.name)) && field("layers").is_some_and(is_files) {
                ("a stack", format!("@{shown}"))
            } else if are_several && field("$schema").is_some_and(is_draft) {
                ("a JSON Schema", format!("--schema {shown}"))
            } else {
                return;
            };
        let what = SessionKind::OtherUse { path: Name::from(shown.to_string()), what, option: Name::from(option) };
        let place = record.fields.first().map(|field| field.name_span);
        self.report(&Problem::warning(SessionProblem { span: place, what }));
    }
}

impl Run<'_> {
    /// Reports aliases whose anchor is in another file of the request, before the problems of the file. `O(text)` for each unknown anchor.
    pub(super) fn report_anchors(&mut self, request: &Request, own: &Input, file: &File) {
        for problem in &file.problems {
            let ProblemKind::Syntax(syntax) = &problem.kind else { continue };
            let SyntaxKind::Data(DataProblem::Anchor { name, .. }) = &syntax.what else { continue };
            let is_other = |input: &&Input| !std::ptr::eq(*input, own);
            let mut others = request.inputs.iter().filter(is_other);
            let Some(place) = others.find_map(|input| self.anchor_in(request, input, name)) else { continue };
            let slip = Slip::new("data/anchor", format!("unknown anchor `{name}`"));
            let slip = slip
                .label("an anchor is known only in its own file")
                .other(Some(place), "the anchor is in another file");
            let help = "write the value here too, or move both into one file";
            self.fail(&Problem::error(slip.help(help).at(Some(syntax.span))));
        }
    }

    /// Returns the place of an anchor in a file.
    fn anchor_in(&self, request: &Request, input: &Input, name: &Name) -> Option<Span> {
        let file = self.found(input, request.dialect)?;
        let text = self.session.workspace.text_of(file.source)?;
        let is_end = |c: char| c.is_whitespace() || matches!(c, ',' | ']' | '}');
        let sign = format!("&{name}");
        let begins = |at: usize| {
            text.get(..at).is_none_or(|before| before.is_empty() || before.ends_with([' ', '\n', '[', '{', ',']))
        };
        let ends = |at: usize| text.get(at..).is_none_or(|after| after.is_empty() || after.starts_with(is_end));
        let at = text.match_indices(&sign).map(|(at, _)| at).find(|at| begins(*at) && ends(at + sign.len()))?;
        Some(Span::new(file.source, at, at + sign.len()))
    }
}

/// Returns whether a field of `set` is one of the stack: `list`, whose elements are rules, or `layers`, which names files.
pub(super) fn is_of_stack(entry: &Entry) -> bool {
    let texts: Vec<&str> = match &entry.value {
        Some(Datum::Array(items)) => items.iter().filter_map(text_of).collect(),
        Some(one) => text_of(one).into_iter().collect(),
        None => Vec::new(),
    };
    let is_file = |text: &&str| !text.contains(' ') && Path::new(text).extension().is_some();
    !texts.is_empty()
        && match entry.name.as_str() {
            "list" => texts.iter().all(|text| text.contains('=') && rule(text).is_ok()),
            "layers" => matches!(entry.value, Some(Datum::Array(_))) && texts.iter().all(is_file),
            _ => false,
        }
}

fn text_of(value: &Datum) -> Option<&str> {
    if let Datum::String(text) = value { Some(text) } else { None }
}

/// Returns what is wrong with a rule whose key is a path: `key:metadata.name`.
pub(super) fn key_path(text: &str) -> Option<String> {
    let (before, key) = text.rsplit_once("key:")?;
    let is_key = before.is_empty() || before.ends_with('=');
    (is_key && key.contains('.') && FieldPath::parse(key).is_ok())
        .then(|| format!("a key is one field of the element, and `{key}` is a path to a field inside of another one"))
}

/// Returns the rule for a list that was probably meant: `append=tags` and `tags=key`.
pub(super) fn meant_rule(text: &str) -> Option<String> {
    if !text.contains(['=', ':']) && rule(&format!("{text}=append")).is_ok() && near(text, RULES).is_empty() {
        return Some(format!("{text}=append"));
    }
    let (first, second) = text.split_once(['=', ':'])?;
    let (first, second) = (first.trim(), second.trim());
    let meant = match (first, second) {
        ("key", name) if text.contains('=') => format!("key:{name}"),
        ("append" | "replace" | "unique", path) => format!("{path}={first}"),
        (path, "key" | "key:" | "key=" | "merge" | "deep" | "deepmerge" | "by-key" | "bykey") => {
            let named = rule(&format!("{path}=append")).is_ok().then(|| format!("{path}=key:NAME"));
            return named;
        }
        (path, word) if !text.contains('=') => format!("{path}={word}"),
        (path, "add" | "concat" | "extend" | "join" | "push" | "prepend") => format!("{path}=append"),
        (path, "override" | "overwrite" | "set") => format!("{path}=replace"),
        (path, "union" | "dedupe" | "uniq" | "distinct") => format!("{path}=unique"),
        _ => return None,
    };
    rule(&meant).is_ok().then_some(meant)
}

/// Writes the error of a rule with the whole word that was found in place of its first letter.
pub(super) fn without_letter(error: &PathError, text: &str) -> String {
    let word: String = text.get(error.at..).unwrap_or_default().chars().take_while(|c| c.is_alphanumeric()).collect();
    let written = error.to_string();
    match (error.found, word.chars().count() > 1) {
        (Some(letter), true) => written.replace(&format!("found `{letter}`"), &format!("found `{word}`")),
        _ => written,
    }
}
