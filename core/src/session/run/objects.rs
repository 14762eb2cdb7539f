//! Documents and objects of several layers that are similar, or different although they are merged.

use super::Run;
use super::lists::is_slip;
use super::streams::{Document, Stream, body, document, field, text};
use crate::dialect::Dialect;
use crate::problem::Problem;
use crate::problem::session::{SessionKind, SessionProblem, Slip};
use crate::state::files::File;
use crate::term::{FieldDef, FieldName, Node, NodeId, Term};
use crate::text::{Name, Span, is_misspelt, is_swapped};
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of pairs of documents whose names are compared.
const COMPARED: usize = 1 << 16;
/// Maximum number of documents that a report names.
const NAMED: usize = 4;

impl Run<'_> {
    /// Reports documents that no lower layer has, although one has a document of almost the same name that the layer leaves as it is.
    /// O(new documents × lower documents), up to a limit.
    pub(super) fn report_similar_documents(&mut self, streams: &[Stream]) {
        let mut lower: IndexMap<&Name, &Document> = IndexMap::new();
        let mut namesakes: FxHashMap<(&Name, &Name), Vec<(&Name, &Document)>> = FxHashMap::default();
        let mut slips: Vec<(Slip, Span)> = Vec::new();
        for stream in streams {
            let own: FxHashSet<&Name> = stream.names().collect();
            if own.len().saturating_mul(lower.len()) <= COMPARED {
                for (name, document) in stream.0.iter().filter(|(name, _)| !lower.contains_key(name)) {
                    let is_meant = |(other, at): &(&&Name, &&Document)| match at.kind == document.kind {
                        true => {
                            let (name, meant) = (&document.name, &at.name);
                            (is_misspelt(name, meant) || is_swapped(name, meant)) && !own.contains(**other)
                        }
                        false => {
                            at.name == document.name && is_misspelt(&document.kind, &at.kind) && !own.contains(**other)
                        }
                    };
                    let Some((meant, at)) = lower.iter().find(is_meant) else {
                        let namesakes = namesakes.get(&(&document.kind, &document.name));
                        let others = namesakes.into_iter().flatten().filter(|(name, _)| !own.contains(*name));
                        let others: Vec<(&Name, &Document)> = others.copied().collect();
                        slips.extend(in_other_namespace(document, &others));
                        continue;
                    };
                    let what = SessionKind::SimilarDocument {
                        name: name.clone(),
                        meant: (*meant).clone(),
                        lower: if at.kind == document.kind { at.name_span } else { at.kind_span },
                    };
                    let span = Some(if at.kind == document.kind { document.name_span } else { document.kind_span });
                    self.report(&Problem::warning(SessionProblem { span, what }));
                }
            }
            for (name, document) in &stream.0 {
                if let Some(other) = lower.get(name)
                    && let (Some(own), Some(namespace)) = (&document.namespace, &other.namespace)
                    && own != namespace
                {
                    slips.push(moved(document, own, other, namespace));
                }
                if !lower.contains_key(name) {
                    namesakes.entry((&document.kind, &document.name)).or_default().push((name, document));
                }
                lower.entry(name).or_insert(document);
            }
        }
        for (slip, place) in slips {
            self.report(&Problem::warning(slip.at(Some(place))));
        }
    }

    /// Reports files with different objects that are merged into one: an error if they have no order, since no value can be both objects. Files
    /// without an identity, such as patches, are none. `None` after an error.
    pub(super) fn report_objects(&mut self, files: &[&File], stacked: bool) -> Option<()> {
        let mut below: Option<(Document, &File)> = None;
        for &file in files {
            let root = body(&file.term, file.term.root);
            let named = document(&file.term, None, root).filter(|own| !own.generated);
            let Some(own) = named.or_else(|| nameless(&file.term, root)) else { continue };
            if let Some((other, lower)) = &below {
                let namespaces = own.namespace.as_ref().zip(other.namespace.as_ref());
                let spaced = namespaces.is_some_and(|(own, other)| own != other);
                let are_named = !own.name.is_empty() && !other.name.is_empty();
                if own.kind != other.kind || are_named && own.name != other.name || spaced {
                    let name = |document: &Document| match document.namespace.as_ref().filter(|_| spaced) {
                        _ if document.name.is_empty() => document.kind.clone(),
                        Some(namespace) => Name::from(format!("{}/{namespace}/{}", document.kind, document.name)),
                        None => Name::from(format!("{}/{}", document.kind, document.name)),
                    };
                    let place = |document: &Document| match (own.kind == other.kind, own.name == other.name) {
                        (false, _) => document.kind_span,
                        (true, false) => document.name_span,
                        (true, true) => document.namespace_span.unwrap_or(document.name_span),
                    };
                    let what = SessionKind::OtherObject { objects: [name(&own), name(other)], lower: place(other) };
                    let span = Some(place(&own));
                    if stacked {
                        self.report(&Problem::warning(SessionProblem { span, what }));
                        return Some(());
                    }
                    let is_data = |file: &File| {
                        let language = self.session.workspace.dialect_of(file.source);
                        language.is_some_and(|language| !language.has_cells()) && has_version(file)
                    };
                    if are_named && is_data(file) && is_data(lower) {
                        let message = format!(
                            "`{}` and `{}` hold different objects, `{}` and `{}`",
                            lower.name,
                            file.name,
                            name(other),
                            name(&own)
                        );
                        let slip = Slip::new("merge/other-object", message).label("one object");
                        let help = "to keep both, write them into one file with `---` between them; `--layers` makes one object of both";
                        let slip = slip.other(Some(place(other)), "the other one").help(help);
                        self.fail(&Problem::error(slip.at(span)));
                        return None;
                    }
                }
            }
            below = Some((own, file));
        }
        Some(())
    }

    /// Reports directives of Kubernetes patches in layers, which are merged as keys. `O(nodes)`.
    pub(super) fn report_directives(&mut self, files: &[&File]) {
        for file in files.iter().skip(1) {
            if self.session.workspace.dialect_of(file.source).is_none_or(Dialect::has_cells) {
                continue;
            }
            let fields = file.term.nodes.iter().filter_map(|node| match node {
                Node::Record(record) => record.fields.iter().find(|field| is_directive(&file.term, field)),
                _ => None,
            });
            let Some(first) = fields.min_by_key(|field| field.name_span.start) else { continue };
            let slip = Slip::new("merge/directive", "`$patch` is not applied: it becomes a key of the result");
            let help = "to remove or replace elements, write the whole list here, and use `--list 'PATH=replace'`";
            let slip = slip.label("a directive of Kubernetes patches").help(help);
            self.report(&Problem::warning(slip.at(Some(first.name_span))));
        }
    }
}

/// Reads the kind of an object without a name, such as a list. `None` if it has no version, so that it may be a patch or other data.
fn nameless(term: &Term, node: NodeId) -> Option<Document> {
    text(term, field(term, node, "apiVersion")?)?;
    let kind = field(term, node, "kind")?;
    let span = term.span(kind);
    Some(Document {
        index: None,
        generated: false,
        kind: text(term, kind)?,
        kind_span: span,
        name: Name::new_static(""),
        namespace: None,
        namespace_span: None,
        name_span: span,
        span: term.span(node),
    })
}

/// Whether a field is `$patch` with one of its values.
fn is_directive(term: &Term, field: &FieldDef) -> bool {
    let is_named = matches!(&field.name, FieldName::Static(name) if name == "$patch");
    let value = field.body.filter(|_| is_named).and_then(|body| text(term, body));
    value.is_some_and(|value| matches!(value.as_str(), "delete" | "replace" | "merge"))
}

/// Whether a file is one object with a version.
fn has_version(file: &File) -> bool {
    let root = body(&file.term, file.term.root);
    field(&file.term, root, "apiVersion").is_some_and(|version| text(&file.term, version).is_some())
}

/// Returns the name of a document with its namespace.
fn spaced(document: &Document, namespace: &Name) -> String {
    format!("{}/{namespace}/{}", document.kind, document.name)
}

/// Returns the slip of a new document, if lower layers have others of its kind and name that this layer leaves as they are: it has no namespace,
/// or a misspelt one.
fn in_other_namespace(document: &Document, others: &[(&Name, &Document)]) -> Option<(Slip, Span)> {
    let others: Vec<(&Name, &Document)> =
        others.iter().filter_map(|(_, other)| Some((other.namespace.as_ref()?, *other))).collect();
    let (kind, name) = (&document.kind, &document.name);
    let (first, found) = match &document.namespace {
        Some(own) => *others.iter().find(|(namespace, _)| is_near(own, namespace))?,
        None => *others.first()?,
    };
    let help = match (&document.namespace, others.len()) {
        (Some(_), _) => format!("did you mean `{first}`?"),
        (None, _) => {
            let named: Vec<String> =
                others.iter().take(NAMED).map(|(namespace, _)| format!("`namespace: {namespace}`")).collect();
            format!("write the namespace of the one that is meant: {}", named.join(" or "))
        }
    };
    let message = match &document.namespace {
        Some(own) => format!(
            "the document `{}` is new here, and a lower layer has `{}`",
            spaced(document, own),
            spaced(found, first)
        ),
        None if others.len() > 1 => {
            format!(
                "the document `{kind}/{name}` is new here, and lower layers have {} of this kind and name",
                others.len()
            )
        }
        None => format!("the document `{kind}/{name}` is new here, and a lower layer has `{}`", spaced(found, first)),
    };
    let label = match &document.namespace {
        Some(_) => "no lower layer has this document",
        None => "without a namespace, it is not one of them",
    };
    let slip = Slip::new("merge/similar-key", message).label(label);
    let place = found.namespace_span.unwrap_or(found.name_span);
    let slip = slip.other(Some(place), "this document stays as it is").help(help);
    Some((slip, document.namespace_span.unwrap_or(document.name_span)))
}

/// Returns the slip of a document that changes the namespace of the one below it.
fn moved(document: &Document, own: &Name, other: &Document, namespace: &Name) -> (Slip, Span) {
    let (upper, lower) = (spaced(document, own), spaced(other, namespace));
    let message = format!("`{upper}` is merged over `{lower}`, and so moves it to the namespace `{own}`");
    let mut slip = Slip::new("merge/other-object", message).label("the namespace of the result");
    slip.note =
        Some(String::from("namespaces tell documents apart only if a file has several with the same kind and name"));
    let help = match is_near(own, namespace) {
        true => format!("did you mean `{namespace}`?"),
        false => String::from("to keep both objects, write both documents into the lower file"),
    };
    let place = other.namespace_span.unwrap_or(other.name_span);
    let slip = slip.other(Some(place), "the namespace of the lower layer").help(help);
    (slip, document.namespace_span.unwrap_or(document.name_span))
}

/// Whether a namespace is probably a slip for another one: `gren` for `green`, but not `zone-a` for `zone-b`.
fn is_near(own: &str, meant: &str) -> bool {
    own.len().min(meant.len()) > 3 && (is_misspelt(own, meant) || is_slip(own, meant))
}
