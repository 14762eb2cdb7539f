//! YAML streams: files with several documents are merged document by document.
//!
//! Documents are matched by `kind` and `metadata.name`, as Kubernetes names its objects, and by namespace if a file has
//! two of the same name. The stream becomes a record of documents: `Deployment/web` and so on. Documents with a
//! `generateName` are matched by that, and by their order if a file has several of the same.

use super::{Run, language_of};
use crate::dialect::Dialect;
use crate::problem::Problem;
use crate::problem::session::{SessionKind, SessionProblem, Slip};
use crate::session::request::{Input, Request};
use crate::state::files::{File, Form};
use crate::term::build::Builder;
use crate::term::{
    Annot, AnnotKind, Apply, FieldDef, FieldName, Groups, Let, Meta, Node, NodeId, Number, RecordLit, Term,
};
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, Span, near};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// A document of a file.
#[derive(Clone)]
pub(super) struct Document {
    /// Its position in the stream. `None` if it is the whole file.
    pub(super) index: Option<usize>,
    /// Whether its name is only the beginning of the names that will be generated.
    pub(super) generated: bool,
    pub(super) kind: Name,
    pub(super) name: Name,
    pub(super) namespace: Option<Name>,
    pub(super) kind_span: Span,
    /// The span of its namespace.
    pub(super) namespace_span: Option<Span>,
    /// The span of its name.
    pub(super) name_span: Span,
    pub(super) span: Span,
}

/// The documents of a file, by name.
#[derive(Clone)]
pub(super) struct Stream(pub(super) Vec<(Name, Document)>);

impl Run<'_> {
    /// Returns the files as streams if one of them has several documents and something is merged with it. `Err` if a document has no name, which is
    /// reported.
    pub(super) fn streams(&mut self, files: &[&File], merged: bool) -> Result<Option<Vec<Stream>>, ()> {
        let several = |file: &&File| self.elements(file).is_some();
        if !self.identified && (!merged || !files.iter().any(several)) {
            return Ok(None);
        }
        let mut streams: Vec<Vec<Document>> = Vec::new();
        for file in files {
            let root = body(&file.term, file.term.root);
            let parts = match self.elements(file) {
                Some(elements) => elements.into_iter().enumerate().map(|(i, node)| (Some(i), node)).collect(),
                None => vec![(None, root)],
            };
            let count = parts.len();
            let mut documents = Vec::new();
            for (index, node) in parts {
                if matches!(file.term.node(node), Node::Null) {
                    continue;
                }
                match document(&file.term, index, node) {
                    Some(document) => documents.push(numbered(document, &documents)),
                    None => {
                        let nameless = (file.term.span(node), count);
                        let problem = self.nameless(files, file, nameless);
                        self.fail(&problem);
                        return Err(());
                    }
                }
            }
            streams.push(documents);
        }
        streams.iter().for_each(|documents| self.report_twice(documents));
        let streams = named(streams, self.identified);
        self.aliases = aliases(&streams);
        if merged && !self.identified {
            self.report_similar_documents(&streams);
        }
        Ok(Some(streams))
    }

    /// Reports a document that has the kind, namespace and name of another one in the same file.
    fn report_twice(&mut self, documents: &[Document]) {
        let mut seen: FxHashMap<(&Name, Option<&Name>, &Name), Span> = FxHashMap::default();
        for document in documents.iter().filter(|document| !document.generated) {
            let key = (&document.kind, document.namespace.as_ref(), &document.name);
            let Some(first) = seen.insert(key, document.name_span) else { continue };
            let message = format!("`{}/{}` is in this file twice", document.kind, document.name);
            let slip = Slip::new("merge/same-key", message).label("the second document of this kind and name");
            let slip =
                slip.other(Some(first), "the first").help("write one document, or give one of them another name");
            self.report(&Problem::warning(slip.at(Some(document.name_span))));
            return;
        }
    }

    /// Reports documents of a file that have the same kind, namespace and name, if all of its documents have a name.
    pub(super) fn report_twice_in(&mut self, file: &File) {
        let Some(elements) = self.elements(file) else { return };
        let all: Option<Vec<Document>> = elements
            .into_iter()
            .filter(|node| !matches!(file.term.node(*node), Node::Null))
            .map(|node| document(&file.term, None, node))
            .collect();
        if let Some(documents) = all {
            self.report_twice(&documents);
        }
    }

    /// Returns the problem of a document without a name: of a file that holds it, among the number of documents. If that is the whole file, the
    /// several documents of another file are the surprise.
    fn nameless(&self, files: &[&File], file: &File, (span, count): (Span, usize)) -> Problem {
        let second = |other: &&File| Some((other.name.clone(), self.elements(other)?, other.term.clone()));
        let root = body(&file.term, file.term.root);
        let elements = self.elements(file).unwrap_or_else(|| vec![root]);
        let node = elements.into_iter().find(|node| file.term.span(*node) == span).unwrap_or(root);
        let kind = field(&file.term, node, "kind");
        let named = field(&file.term, node, "metadata").and_then(|metadata| field(&file.term, metadata, "name"));
        if let Some(name) = named.filter(|name| text(&file.term, *name).is_none()) {
            let slip =
                Slip::new("merge/nameless-document", "the name of a document is a text, and this is another value");
            let help = "put the name in quotes: documents of a stream are merged by `kind` and `metadata.name`";
            return Problem::error(slip.help(help).at(Some(file.term.span(name))));
        }
        let others = files.iter().find_map(second).filter(|_| count == 1 && !self.identified);
        if let (Some((path, ..)), Some(kind)) = (&others, kind) {
            let message = format!("this document has no `metadata.name`, by which it is merged with those of `{path}`");
            let slip = Slip::new("merge/nameless-document", message).label("a document of this kind");
            let help = "write the name of the document that it changes: `metadata: {name: NAME}`";
            return Problem::error(slip.help(help).at(Some(file.term.span(kind))));
        }
        if let Some((path, elements, term)) = others
            && let Some(node) = elements.get(1)
        {
            let what = SessionKind::SeveralDocuments { path, count: elements.len(), other: file.name.clone() };
            return Problem::error(SessionProblem { span: Some(term.span(*node)), what });
        }
        if kind.is_none() && count > 1 {
            let message = format!("`{}` holds {count} documents, and this one has no name to merge it by", file.name);
            let mut slip = Slip::new("merge/nameless-document", message);
            slip.note = Some(String::from("documents of a stream are merged by `kind` and `metadata.name`"));
            let help = "to merge the file as one mapping, write it without `---`, and each key once";
            return Problem::error(slip.help(help).at(Some(span)));
        }
        let what = SessionKind::NamelessDocument { path: file.name.clone(), count };
        Problem::error(SessionProblem { span: Some(span), what })
    }

    /// Replaces another name of a document at the beginning of a path by the one that the documents have here.
    pub(super) fn respell(&self, path: &mut FieldPath) {
        if let Some(Step::Field(first)) = path.steps.first_mut()
            && let Some(name) = self.aliases.get(first)
        {
            *first = name.clone();
        }
    }

    /// Replaces the name of a document at the beginning of a path by its index, where the value is the array of the
    /// documents of one file. `None` if there is no such document, which is reported.
    pub(super) fn in_document(&mut self, mut path: FieldPath) -> Option<FieldPath> {
        let (Some(Step::Field(name)), Some(file)) = (path.steps.first(), self.stream.clone()) else {
            return Some(path);
        };
        let Some(elements) = self.elements(&file) else { return Some(path) };
        let mut documents = Vec::new();
        for (index, node) in elements.into_iter().enumerate() {
            if let Some(document) = document(&file.term, Some(index), node) {
                documents.push(numbered(document, &documents));
            }
        }
        let streams = named(vec![documents], false);
        let Some(stream) = streams.first().filter(|stream| !stream.0.is_empty()) else { return Some(path) };
        let aliases = aliases(&streams);
        let name = aliases.get(name).unwrap_or(name);
        if let Some(Some(index)) = stream.index_of(name) {
            path.steps.splice(..1, [Step::Index(index)]);
            return Some(path);
        }
        let near = near(name, stream.names().map(Name::as_str));
        let documents = stream.names().take(4).cloned().collect();
        let what = SessionKind::NoSuchDocument { path: Name::from(path.to_string()), near, documents };
        self.fail(&Problem::error(SessionProblem { span: None, what }));
        None
    }

    /// Returns the program of a stream in which the documents have contracts. A contract with a kind is for the documents of
    /// that kind only.
    pub(super) fn with_contracts(
        &self,
        builder: &mut Builder,
        file: &File,
        value: NodeId,
        contracts: &[(NodeId, Option<Name>)],
    ) -> Option<NodeId> {
        let elements = self.elements(file)?;
        let mut documents = Vec::with_capacity(elements.len());
        for (index, node) in elements.into_iter().enumerate() {
            let span = file.term.span(node);
            let document = element(builder, value, index, span);
            let own = field(&file.term, node, "kind").and_then(|kind| text(&file.term, kind));
            let concerns = |kind: &Option<Name>| kind.is_none() || *kind == own;
            let contracts = contracts.iter().filter(|(_, kind)| concerns(kind));
            let annots: Vec<Annot> = match file.term.node(node) {
                Node::Null => Vec::new(),
                _ => contracts.map(|(ty, _)| Annot { kind: AnnotKind::Contract, ty: *ty }).collect(),
            };
            documents.push(match annots.is_empty() {
                true => document,
                false => builder.push(Node::Annot(document, annots.into()), span),
            });
        }
        Some(builder.push(Node::Array(documents.into()), file.term.span(file.term.root)))
    }

    /// Returns whether an input is a stream of documents, and nothing is merged over it.
    pub(super) fn is_stream(&mut self, input: &Input, request: &Request) -> bool {
        if !request.overrides.is_empty() || !request.contracts.is_empty() {
            return false;
        }
        self.input(input, request.dialect).is_some_and(|file| self.elements(&file).is_some())
    }

    /// Reads an input without a report. `None` if it cannot be read.
    pub(super) fn found(&self, input: &Input, dialect: Option<Dialect>) -> Option<Rc<File>> {
        let dialect = self.dialect_beside(input, dialect);
        let dialect = language_of(self.session.languages(), input, dialect);
        self.read(input, dialect).ok()
    }

    /// Returns whether each document of a file has an identity of its own: kind, namespace and name.
    pub(super) fn has_identities(&self, file: &File) -> bool {
        let root = body(&file.term, file.term.root);
        let parts = self.elements(file).unwrap_or_else(|| vec![root]);
        let mut seen = FxHashSet::default();
        let documents = parts.into_iter().filter(|node| !matches!(file.term.node(*node), Node::Null));
        let mut documents = documents.map(|node| document(&file.term, None, node));
        documents.all(|found| found.is_some_and(|d| seen.insert((d.kind, d.namespace, d.name))))
    }

    /// Returns the documents of a file that has several.
    pub(super) fn elements(&self, file: &File) -> Option<Vec<NodeId>> {
        let root = body(&file.term, file.term.root);
        let Node::Array(elements) = file.term.node(root) else { return None };
        let text = self.session.workspace.text_of(file.source)?;
        let whole = file.term.span(root).len() == text.len();
        // a text of the command line is in no list of files
        let dialect = match file.key.form {
            Form::Program(dialect) => Some(dialect),
            _ => self.session.workspace.dialect_of(file.source),
        };
        let documents = dialect?.0.documents?;
        if !whole || elements.len() < 2 {
            return None;
        }
        // a sequence that spans the whole file is one document
        let stream = documents(file.source, &text, self.session.world.interrupt.stop()).term;
        let Node::Array(documents) = stream.node(body(&stream, stream.root)) else { return None };
        (documents.len() == elements.len()).then(|| elements.to_vec())
    }
}

impl Stream {
    /// Returns the position of a document in its file, `None` if it is the whole file. `None` if there is no such document.
    pub fn index_of(&self, name: &str) -> Option<Option<usize>> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, document)| document.index)
    }

    /// Returns the names of the documents, in order.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        self.0.iter().map(|(name, _)| name)
    }

    /// Creates the record of the only document of a file.
    pub fn record(self, builder: &mut Builder, file: NodeId, span: Span) -> NodeId {
        let documents = self.0.into_iter().map(|(name, document)| (name, document, file)).collect();
        builder.push(Node::Record(Box::new(literal(documents))), span)
    }

    /// Returns the program of a file with several documents as the record of its documents, so that each keeps its own type.
    /// `None` for a file that is one document.
    pub fn program(&self, file: &Term) -> Option<Arc<Term>> {
        let mut term = file.clone();
        let root = body(&term, term.root);
        let Node::Array(elements) = term.node(root) else { return None };
        let element = |document: &Document| elements.get(document.index?).copied();
        let documents: Option<Vec<(Name, Document, NodeId)>> =
            self.0.iter().map(|(name, document)| Some((name.clone(), document.clone(), element(document)?))).collect();
        let (documents, elements) = (documents?, elements.to_vec());
        let span = term.span(root);
        let push = |term: &mut Term, node: Node, span: Span| {
            term.nodes.push(node);
            term.spans.push(span);
            NodeId(term.nodes.len() as u32 - 1)
        };
        let whole = term.span(term.root);
        if let Node::Let(anchors) = term.node(term.root) {
            let anchors = anchors.clone();
            enclose(&mut term, elements);
            let body = push(&mut term, Node::Record(Box::new(literal(documents))), span);
            term.root = push(&mut term, Node::Let(Box::new(Let { body, ..*anchors })), whole);
        } else {
            term.root = push(&mut term, Node::Record(Box::new(literal(documents))), whole);
        }
        Some(Arc::new(term))
    }
}

/// Raises the variables of documents, which get a record around them. O(nodes).
fn enclose(term: &mut Term, mut work: Vec<NodeId>) {
    while let Some(id) = work.pop() {
        match term.nodes.get_mut(id.0 as usize) {
            Some(Node::Local { up, .. }) => *up += 1,
            Some(Node::Array(items)) => work.extend(items.iter()),
            Some(Node::Record(record)) => work.extend(record.fields.iter().filter_map(|field| field.body)),
            Some(Node::Variant(_, inner) | Node::Project(inner, _)) => work.push(*inner),
            _ => {}
        }
    }
}

/// Returns the record of documents.
fn literal(documents: Vec<(Name, Document, NodeId)>) -> RecordLit {
    let field = |(name, document, body): (Name, Document, NodeId)| FieldDef {
        name: FieldName::Static(name),
        name_span: document.name_span,
        span: document.span,
        body: Some(body),
        included: false,
        plus: false,
        meta: Meta::default(),
    };
    let fields: Vec<FieldDef> = documents.into_iter().map(field).collect();
    let groups = Groups::in_order(fields.len() as u32);
    RecordLit { extra: None, fields, open: false, locals: Vec::new(), asserts: Vec::new(), groups }
}

/// Names the documents of files by kind and name; by namespace too where a file has two of the same name, or if they are to
/// be `identified`.
fn named(streams: Vec<Vec<Document>>, identified: bool) -> Vec<Stream> {
    let mut twice: FxHashSet<(Name, Name)> = FxHashSet::default();
    for documents in &streams {
        let mut seen = FxHashSet::default();
        let keys = documents.iter().map(|d| (d.kind.clone(), d.name.clone()));
        twice.extend(keys.filter(|key| !seen.insert(key.clone())));
    }
    let key = |d: Document| {
        let short = match identified {
            true => d.namespace.is_none(),
            false => !twice.contains(&(d.kind.clone(), d.name.clone())),
        };
        let name = match &d.namespace {
            _ if short => format!("{}/{}", d.kind, d.name),
            namespace => format!("{}/{}/{}", d.kind, namespace.as_deref().unwrap_or("default"), d.name),
        };
        (Name::from(name), d)
    };
    streams.into_iter().map(|documents| Stream(documents.into_iter().map(key).collect())).collect()
}

/// Returns the other names of documents, with or without the namespace, that only one document has.
fn aliases(streams: &[Stream]) -> FxHashMap<Name, Name> {
    let mut found: FxHashMap<Name, Option<Name>> = FxHashMap::default();
    for (key, d) in streams.iter().flat_map(|stream| &stream.0) {
        let namespace = d.namespace.as_deref().unwrap_or("default");
        for alias in [format!("{}/{}", d.kind, d.name), format!("{}/{namespace}/{}", d.kind, d.name)] {
            let alias = found.entry(Name::from(alias)).or_insert_with(|| Some(key.clone()));
            alias.take_if(|other| other != key);
        }
    }
    for name in streams.iter().flat_map(Stream::names) {
        found.remove(name);
    }
    found.into_iter().filter_map(|(alias, key)| Some((alias, key?))).collect()
}

/// `std.array.at index array`
fn element(builder: &mut Builder, array: NodeId, index: usize, span: Span) -> NodeId {
    let std = builder.variable(&Name::new_static("std"), span);
    let module = builder.push(Node::Project(std, Name::new_static("array")), span);
    let func = builder.push(Node::Project(module, Name::new_static("at")), span);
    let index = builder.push(Node::Number(Number::Int(index as i64)), span);
    let args = vec![(None, index), (None, array)];
    builder.push(Node::Apply(Box::new(Apply { func, args, tailstrict: false })), span)
}

/// Returns the content of a file, without its anchors.
pub(super) fn body(term: &Term, root: NodeId) -> NodeId {
    match term.node(root) {
        Node::Let(anchors) => anchors.body,
        _ => root,
    }
}

/// Reads the kind and name of a document.
pub(super) fn document(term: &Term, index: Option<usize>, node: NodeId) -> Option<Document> {
    let kind = field(term, node, "kind")?;
    let kind_span = term.span(kind);
    let kind = text(term, kind)?;
    let metadata = field(term, node, "metadata")?;
    let named = field(term, metadata, "name").or_else(|| field(term, metadata, "generateName"))?;
    let namespaced = field(term, metadata, "namespace");
    let namespace = namespaced.and_then(|id| text(term, id));
    let namespace_span = namespaced.map(|id| term.span(id));
    let (name, name_span) = (text(term, named)?, term.span(named));
    let generated = field(term, metadata, "name").is_none();
    Some(Document {
        index,
        generated,
        kind,
        kind_span,
        name,
        namespace,
        namespace_span,
        name_span,
        span: term.span(node),
    })
}

/// Adds its number to the name of a document if documents before it have the same generated name: `x-#2`.
fn numbered(mut document: Document, before: &[Document]) -> Document {
    let of = |name: &Name| Name::new(name.split('#').next().unwrap_or_default());
    let is_alike =
        |other: &&Document| other.generated && other.kind == document.kind && of(&other.name) == document.name;
    let alike = before.iter().filter(is_alike).count();
    if document.generated && alike > 0 {
        document.name = Name::from(format!("{}#{}", document.name, alike + 1));
    }
    document
}

/// Returns the value of a field of a literal. An anchor is followed to its binding.
pub(super) fn field(term: &Term, mut node: NodeId, name: &str) -> Option<NodeId> {
    if let (Node::Local { slot, .. }, Node::Let(anchors)) = (term.node(node), term.node(term.root)) {
        node = anchors.bindings.get(*slot as usize)?.body;
    }
    let Node::Record(record) = term.node(node) else { return None };
    record.fields.iter().find(|f| matches!(&f.name, FieldName::Static(own) if own == name))?.body
}

pub(super) fn text(term: &Term, node: NodeId) -> Option<Name> {
    match term.node(node) {
        Node::Str(text) => Some(text.clone()),
        _ => None,
    }
}
