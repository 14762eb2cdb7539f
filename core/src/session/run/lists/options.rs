//! Values of options and variables over files that are merged without an order, and paths that were meant otherwise.

use super::{FoundLists, has_index, is_option, kinds::OtherKind, names::SimilarKey, walk};
use crate::problem::Problem;
use crate::problem::session::Slip;
use crate::session::run::Run;
use crate::session::run::layers::{LayerOrigin, Layers};
use crate::term::Node;
use crate::text::path::{FieldPath, Step, assignment};
use crate::text::{Name, Span};
use crate::value::{Machine, Thunk, Value};

/// Maximum number of parts of an assignment's text that may be assignments too.
const PARTS: usize = 20;

impl Run<'_> {
    /// Reports values of options that replace one of another kind, and their keys that are similar to one of the files. The files
    /// have no order, so that nothing is said about them. `O(fields that the options set)`.
    pub(in crate::session::run) fn report_set(
        &mut self,
        layers: &Layers,
        values: Vec<Thunk>,
        streams: bool,
        at: &[Step],
    ) {
        let stacked = Layers {
            all: layers.all.clone(),
            stacked: true,
            lists: layers.lists.clone(),
            variables: layers.variables.clone(),
            schemas: layers.schemas.clone(),
        };
        let mut found = FoundLists::default();
        if walk(&mut self.session.workspace.machine, &stacked, values, streams, &mut found).is_err() {
            return;
        }
        let concerns = |path: &[Step]| path.starts_with(at) || at.starts_with(path);
        let has_schemas = !layers.schemas.is_empty();
        found.kinds.retain(|other| concerns(&other.path) && !(has_schemas && other.is_of_scalars()));
        self.compared.extend(found.kinds.iter().filter_map(OtherKind::place));
        {
            let sources = self.session.world.sources.borrow();
            found
                .names
                .retain(|similar: &SimilarKey| similar.concerns(at) || similar.is_of(|span| is_option(&sources, span)));
        }
        self.report_kinds(found.kinds);
        self.keep_similar(found.names);
    }

    /// Reports paths of options that cannot be meant: the number of an element where there is a mapping, the name of the only
    /// document, and further assignments in the text of one. `O(options)`.
    pub(in crate::session::run) fn report_paths(&mut self, layers: &Layers, below: &Thunk) {
        let mut slips: Vec<(Slip, Option<Span>)> = Vec::new();
        let mut paths: Vec<(&FieldPath, Span)> = layers.variables.iter().map(|(path, span)| (path, *span)).collect();
        for layer in &layers.all {
            let LayerOrigin::Assignment(path) = &layer.origin else { continue };
            let source = layer.file.source;
            let text = self.session.workspace.text_of(source).unwrap_or_default();
            let length = assignment(&text).map_or(0, |assigned| assigned.path_range.end);
            paths.push((path, Span::new(source, 0, length)));
            let is_text = layer.file.term.nodes.iter().any(|node| matches!(node, Node::Str(_)));
            if is_text && &*layer.file.name == "--set" {
                let machine = &mut self.session.workspace.machine;
                if let Some((path, start)) = further(machine, below, &text) {
                    let span = Span::new(source, start, text.len());
                    // the text has a value for a secret field
                    self.session.world.hide_assigned(&path, span, &[]);
                    let message = format!("one `--set` sets one field, and this text goes on with the field `{path}`");
                    let help = format!("give the option again: `--set {path}=…`; a list is written in JSON");
                    let slip = Slip::new("merge/similar-key", message).label("all of this is one value").help(help);
                    slips.push((slip, Some(span)));
                }
            }
        }
        let machine = &mut self.session.workspace.machine;
        for (path, span) in paths {
            let slip = match path.steps.first() {
                Some(Step::Field(first)) if first.contains('/') => of_only_document(machine, below, first, path),
                _ if has_index(path) => of_mapping(machine, below, path),
                _ => None,
            };
            slips.extend(slip.map(|slip| (slip, Some(span))));
        }
        for (slip, span) in slips {
            self.report(&Problem::warning(slip.at(span)));
        }
    }
}

/// Finds the path of a field that the lower layers have in the rest of an assignment: `a=1,b=2`. Returns also the offset of the value.
fn further(machine: &mut Machine, below: &Thunk, text: &str) -> Option<(FieldPath, usize)> {
    let value = assignment(text).ok()?.value;
    let commas = text.match_indices(',').filter(|(at, _)| *at >= value.start).take(PARTS);
    for start in commas.map(|(at, _)| at + 1) {
        let Some((written, _)) = text.get(start..)?.split_once('=') else { continue };
        if written.contains(',') {
            continue;
        }
        if let Ok(path) = FieldPath::parse(written.trim())
            && !path.steps.is_empty()
            && machine.at(below, &path.steps).is_ok()
        {
            return Some((path, value.start));
        }
    }
    None
}

/// Finds a number in a path where the lower layers have a mapping.
fn of_mapping(machine: &mut Machine, below: &Thunk, path: &FieldPath) -> Option<Slip> {
    for (depth, step) in path.steps.iter().enumerate() {
        let (Step::Index(index), Some(around)) = (step, path.steps.get(..depth)) else { continue };
        let found = machine.at(below, around).ok()?;
        let Value::Record(record) = machine.force(&found).ok()? else { continue };
        let names = record.names_as_defined();
        // numbers may be the keys
        if names.is_empty() || names.iter().any(|name| name.parse::<usize>().is_ok()) {
            return None;
        }
        let list = FieldPath { steps: around.to_vec() };
        let place = machine.definition_at(below, around);
        let message = format!("`{list}[{index}]` makes the key `{index}` of a mapping: `{list}` is not a list");
        let slip = Slip::new("merge/no-such-list", message).label("this is the number of an element");
        let first = names.first().map(Name::as_str).unwrap_or_default();
        let key = FieldPath { steps: [around, &[Step::Field(Name::new(first))]].concat() };
        return Some(
            slip.other(place, "a mapping").help(format!("write the key in place of the number, as in `{key}`")),
        );
    }
    None
}

/// Finds the name of the only document at the beginning of a path: `Deployment/web.spec`.
fn of_only_document(machine: &mut Machine, below: &Thunk, first: &Name, path: &FieldPath) -> Option<Slip> {
    if machine.at(below, path.steps.get(..1)?).is_ok() {
        return None;
    }
    let mut text = |names: &[&'static str]| {
        let steps: Vec<Step> = names.iter().map(|name| Step::Field(Name::new_static(name))).collect();
        let found = machine.at(below, &steps).ok()?;
        match machine.force(&found).ok()? {
            Value::String(text) => Some(text.name()),
            _ => None,
        }
    };
    let (kind, name) = (text(&["kind"])?, text(&["metadata", "name"])?);
    let is_own = *first == format!("{kind}/{name}") || first.split('/').next() == Some(kind.as_str());
    let rest = FieldPath { steps: path.steps.get(1..).filter(|rest| !rest.is_empty())?.to_vec() };
    let message =
        format!("`{first}` becomes a key of the document: there is only one, so that a path begins inside of it");
    is_own.then(|| {
        Slip::new("merge/no-such-document", message).label("no key of the document").help(format!("write `{rest}`"))
    })
}
