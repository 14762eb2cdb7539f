//! The files that were read, one entry per file and form, however often it is imported.
//!
//! The table is persistent, like the environment, so that a snapshot costs O(1).

use super::World;
use super::environment::Typed;
use super::reading;
use crate::dialect::{Dialect, ModuleFiles, Modules, Names, Program};
use crate::loader::Loader;
use crate::problem::session::{SessionKind, SessionProblem};
use crate::problem::{Problem, ProblemKind};
use crate::term::build::Builder;
use crate::term::{Import, ImportKind, Node, Number, Term};
use crate::text::{Name, SourceId, Span, near_files};
use crate::value::Thunk;
use rpds::{RedBlackTreeMap, RedBlackTreeSet};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// The key of an entry: the file and the form in which it is read.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FileKey {
    /// The canonical path.
    pub path: PathBuf,
    /// The form.
    pub form: Form,
}

/// The form in which a file is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Form {
    /// A program or data, in this language.
    Program(Dialect),
    /// A string with its text.
    Text,
    /// An array with its bytes.
    Bytes,
}

/// A file that was read.
pub struct File {
    /// The key of its entry.
    pub key: FileKey,
    /// The path by which it was read.
    pub path: PathBuf,
    /// The path as the user would write it.
    pub name: Name,
    /// Its text.
    pub source: SourceId,
    /// Its parsed content.
    pub term: Arc<Term>,
    /// The problems of its text.
    pub problems: Vec<Problem>,
    /// The time of its last change, as reported by the loader.
    pub stamp: Option<u64>,
    /// Its type, once inferred.
    pub typed: RefCell<Option<Rc<Typed>>>,
    /// Its value, once needed.
    pub thunk: RefCell<Option<Thunk>>,
}

impl File {
    /// Returns a copy without type and value.
    pub fn without_results(&self) -> File {
        File { typed: RefCell::default(), ..self.without_value() }
    }

    /// Returns a copy without value.
    pub fn without_value(&self) -> File {
        File {
            key: self.key.clone(),
            path: self.path.clone(),
            name: self.name.clone(),
            source: self.source,
            term: self.term.clone(),
            problems: self.problems.clone(),
            stamp: self.stamp,
            typed: RefCell::new(self.typed.borrow().clone()),
            thunk: RefCell::default(),
        }
    }
}

/// The files that were read and the paths that were resolved. Both stay as they are until a reload, whatever happens on
/// disk.
#[derive(Clone, Default)]
pub struct Files {
    read: RedBlackTreeMap<FileKey, Rc<File>>,
    /// The canonical path of each path that was resolved.
    found: RedBlackTreeMap<PathBuf, PathBuf>,
    /// The paths at which there was no file. They are not looked at again until a reload.
    missing: RedBlackTreeSet<PathBuf>,
    /// The paths of files that exist and could not be read, with the reasons. They are not read again until a reload.
    unreadable: RedBlackTreeMap<PathBuf, Name>,
}

impl FromIterator<Rc<File>> for Files {
    fn from_iter<I: IntoIterator<Item = Rc<File>>>(all: I) -> Files {
        let read = all.into_iter().map(|file| (file.key.clone(), file)).collect();
        Files { read, ..Files::default() }
    }
}

impl Files {
    /// Returns the file of a key.
    pub fn get(&self, key: &FileKey) -> Option<&Rc<File>> {
        self.read.get(key)
    }

    /// Returns all files, sorted by key.
    pub fn values(&self) -> impl Iterator<Item = &Rc<File>> {
        self.read.values()
    }

    /// Adds a file, or replaces the one with its key.
    pub fn insert(&mut self, file: Rc<File>) {
        self.read.insert_mut(file.key.clone(), file);
    }

    /// Returns the paths at which there was no file.
    pub fn missing(&self) -> impl Iterator<Item = &PathBuf> {
        self.missing.iter()
    }

    /// Returns `true` if a problem is that a file was not found at one of the known missing paths, or could not be read.
    pub fn missed(&self, problem: &Problem) -> bool {
        match &problem.kind {
            ProblemKind::Session(SessionProblem { what: SessionKind::NotFound { tried, .. }, .. }) => {
                tried.iter().any(|path| self.missing.contains(Path::new(path.as_str())))
            }
            ProblemKind::Session(SessionProblem { what: SessionKind::Unreadable { path, .. }, .. }) => {
                self.unreadable.keys().any(|known| display_path(known) == *path)
            }
            _ => false,
        }
    }

    /// Returns the missing paths at which there is a file now, and the unreadable ones that can be read now.
    pub fn appeared(&self, loader: &dyn Loader) -> Vec<PathBuf> {
        let found = self.missing.iter().filter(|path| loader.canonical(path).is_ok());
        let readable = self.unreadable.keys().filter(|path| loader.read(path).is_ok());
        found.chain(readable).cloned().collect()
    }

    /// Removes paths from the missing and the unreadable ones.
    pub fn forget_missing(&mut self, paths: &[PathBuf]) {
        for path in paths {
            self.missing.remove_mut(path);
            self.unreadable.remove_mut(path);
        }
    }

    /// Resolves every found path again, and clears the missing and the unreadable ones. A path that cannot be resolved any more keeps its old
    /// target.
    pub fn look_again(&mut self, loader: &dyn Loader) {
        let now =
            |(path, was): (&PathBuf, &PathBuf)| (path.clone(), loader.canonical(path).unwrap_or_else(|_| was.clone()));
        self.found = self.found.iter().map(now).collect();
        self.missing = RedBlackTreeSet::default();
        self.unreadable = RedBlackTreeMap::default();
    }

    /// Removes a file.
    pub fn remove(&mut self, key: &FileKey) {
        self.read.remove_mut(key);
    }
}

/// Maximum number of files of a folder whose names are compared with that of a missing file.
const MAX_COMPARED: usize = 1_000;

impl World {
    /// Reads the file of an import. It is searched in the folder of the importing file, then in the folders of `-I`.
    pub fn import_file(&self, import: &Import, span: Span) -> Result<Rc<File>, Problem> {
        let file = self.imported_file(import, span)?;
        self.hide_imported(&file, span);
        Ok(file)
    }

    fn imported_file(&self, import: &Import, span: Span) -> Result<Rc<File>, Problem> {
        let written = Path::new(import.path.as_str());
        match (self.form_of(import), &import.kind) {
            (Some(form), _) => match form.modules(import) {
                Some(modules) => self.find_module(modules, import, form, span),
                None => self.find(written, form, Some(span)),
            },
            (None, ImportKind::Code(Some(format))) => {
                let formats = self.languages.get().formats().chain(["Text"]).map(Name::new_static).collect();
                let what = SessionKind::UnknownFormat { path: import.path.clone(), format: format.clone(), formats };
                Err(Problem::error(SessionProblem { span: Some(span), what }))
            }
            (None, _) => self.find(written, Form::Text, Some(span)),
        }
    }

    /// Returns the file of an import if it was resolved before. `Some(None)`: it was searched for and not found. `None`: it
    /// was not searched for yet. Reads no files.
    pub(crate) fn known_file(&self, import: &Import, span: Span) -> Option<Option<Rc<File>>> {
        let form = self.form_of(import)?;
        let base = self.bases.borrow().get(&span.source).cloned().unwrap_or_default();
        let files = self.state.inputs.files.borrow();
        for folder in std::iter::once(&base).chain(self.state.inputs.folders.borrow().iter()) {
            let path = folder.join(import.path.as_str());
            if let Some(found) = files.found.get(&path) {
                return Some(Some(files.read.get(&FileKey { path: found.clone(), form })?.clone()));
            }
            if !files.missing.contains(&path) {
                return None;
            }
        }
        Some(None)
    }

    /// Returns the file at a path, reading it at most once. `span` is the import.
    pub fn find(&self, written: &Path, form: Form, span: Option<Span>) -> Result<Rc<File>, Problem> {
        let error = |what| Problem::error(SessionProblem { span, what });
        let base = span.and_then(|s| self.bases.borrow().get(&s.source).cloned()).unwrap_or_default();
        let mut tried = Vec::new();
        for folder in std::iter::once(&base).chain(self.state.inputs.folders.borrow().iter()) {
            let path = folder.join(written);
            match self.canonical(&path) {
                Some(canonical) => return self.read(&path, FileKey { path: canonical, form }, span),
                None => tried.push(Name::from(path.to_string_lossy())),
            }
        }
        let near = span.map_or_else(Vec::new, |span| self.similar_files(&base, written, span.source));
        Err(error(SessionKind::NotFound { path: Name::from(written.to_string_lossy()), tried, near }))
    }

    /// Returns the paths of files with names similar to that of a path, written like the path, nearest first, without the file that
    /// imports it.
    fn similar_files(&self, base: &Path, written: &Path, importer: SourceId) -> Vec<Name> {
        let Some(name) = written.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
        let folder = written.parent().unwrap_or(Path::new(""));
        let searched = base.join(folder);
        let searched = if searched.as_os_str().is_empty() { Path::new(".") } else { &searched };
        let all = self.loader.list(searched);
        let own = self.sources.borrow().get(importer).map(|source| source.name.to_string()).unwrap_or_default();
        let own = Path::new(&own).file_name().filter(|_| folder.as_os_str().is_empty());
        let is_own = |name: &str| own.is_some_and(|own| own == name);
        let files =
            all.iter().map(String::as_str).filter(|name| !name.ends_with('/') && !is_own(name)).take(MAX_COMPARED);
        let path = |name: Name| Name::from(folder.join(name.as_str()).to_string_lossy());
        near_files(name, files).into_iter().map(path).collect()
    }

    /// Returns the canonical path, as it was when first looked up. `None` if there was no file.
    fn canonical(&self, path: &Path) -> Option<PathBuf> {
        {
            let files = self.state.inputs.files.borrow();
            if files.missing.contains(path) {
                return None;
            }
            if let Some(known) = files.found.get(path) {
                return Some(known.clone());
            }
        }
        let found = self.loader.canonical(path);
        let mut files = self.state.inputs.files.borrow_mut();
        match found {
            Ok(canonical) => {
                files.found.insert_mut(path.to_path_buf(), canonical.clone());
                Some(canonical)
            }
            Err(_) => {
                files.missing.insert_mut(path.to_path_buf());
                None
            }
        }
    }

    fn read(&self, path: &Path, key: FileKey, span: Option<Span>) -> Result<Rc<File>, Problem> {
        if let Some(file) = self.state.inputs.files.borrow().get(&key) {
            return Ok(file.clone());
        }
        if let Some(reason) = self.state.inputs.files.borrow().unreadable.get(path) {
            let what = SessionKind::Unreadable { path: display_path(path), reason: reason.clone() };
            return Err(Problem::error(SessionProblem { span, what }));
        }
        let parsed = self.parse_file(path, key, span);
        let mut files = self.state.inputs.files.borrow_mut();
        if let Err(problem) = &parsed
            && let ProblemKind::Session(SessionProblem { what: SessionKind::Unreadable { reason, .. }, .. }) =
                &problem.kind
        {
            files.unreadable.insert_mut(path.to_path_buf(), reason.clone());
        }
        let file = Rc::new(parsed?);
        files.insert(file.clone());
        Ok(file)
    }

    /// Reads and lowers a file without using the table.
    pub fn parse_file(&self, path: &Path, key: FileKey, span: Option<Span>) -> Result<File, Problem> {
        let name = display_path(path);
        let stamp = self.loader.stamp(path);
        let bytes = self.loader.read_until(path, &|| self.interrupt.is_raised()).map_err(|e| {
            if self.interrupt.is_raised() {
                return self.interrupt.problem(span);
            }
            let what = SessionKind::Unreadable { path: name.clone(), reason: Name::from(reason(&e)) };
            Problem::error(SessionProblem { span, what })
        })?;
        let (text, broken) = text_of(&bytes);
        let broken = broken.filter(|_| key.form != Form::Bytes);
        // large bytes are not kept while their text is read
        let bytes = match key.form {
            Form::Bytes => bytes,
            _ => {
                drop(bytes);
                Vec::new()
            }
        };
        let source = self.add_source(name.as_str(), text.clone(), path.parent().unwrap_or(Path::new("")));
        let (term, mut problems) = match key.form {
            Form::Text => (text_term(source, &text), Vec::new()),
            Form::Bytes => (bytes_term(source, &bytes), Vec::new()),
            Form::Program(dialect) => {
                let dialect = super::input::built(self.languages.get(), dialect, span)?;
                let program = reading::program(self, dialect, source, &text);
                if self.stop().is_asked() {
                    // do not cache it: the next attempt may parse all of it
                    return Err(self.interrupt.problem(Some(Span::new(source, 0, 0))));
                }
                (program.term, program.problems)
            }
        };
        self.hide_again_imported(&key.path, source, &problems);
        if let Some(at) = broken {
            // what the parser says about the bytes that are no text does not help
            problems = vec![not_utf_8(source, at)];
        }
        let path = path.to_path_buf();
        Ok(File {
            key,
            path,
            name,
            source,
            term,
            problems,
            stamp,
            typed: RefCell::default(),
            thunk: RefCell::default(),
        })
    }
}

impl World {
    /// Returns the form in which an import reads its file. `None` if the format is unknown.
    fn form_of(&self, import: &Import) -> Option<Form> {
        Some(match &import.kind {
            ImportKind::Text => Form::Text,
            ImportKind::Bytes => Form::Bytes,
            ImportKind::Code(None) => {
                // a file with an unknown extension is a program
                let by_ending = self.languages.get().of_path(Path::new(import.path.as_str()));
                Form::Program(by_ending.unwrap_or(self.languages.get().standard()))
            }
            ImportKind::Code(Some(format)) if format == "Text" => Form::Text,
            ImportKind::Code(Some(format)) => Form::Program(self.languages.get().of_format(format)?),
        })
    }
}

impl Form {
    /// Returns the search for modules if an import names a module.
    fn modules(self, import: &Import) -> Option<&'static dyn Modules> {
        match self {
            Form::Program(dialect) => dialect.0.modules.filter(|modules| modules.is_module(&import.path)),
            _ => None,
        }
    }
}

/// The files that a search for a module can look at: all of them, each read at most once.
struct Searched<'w> {
    world: &'w World,
    folder: PathBuf,
}

impl ModuleFiles for Searched<'_> {
    fn folder(&self) -> &Path {
        &self.folder
    }

    fn search(&self) -> Vec<PathBuf> {
        self.world.state.inputs.folders.borrow().clone()
    }

    fn exists(&self, path: &Path) -> bool {
        self.world.canonical(path).is_some()
    }

    fn data(&self, path: &Path) -> Option<Program> {
        self.world.data_at(path)
    }
}

impl World {
    /// Reads the main file of an imported module.
    fn find_module(&self, modules: &dyn Modules, import: &Import, form: Form, span: Span) -> Result<Rc<File>, Problem> {
        let folder = self.bases.borrow().get(&span.source).cloned().unwrap_or_default();
        let written = folder.join(import.path.as_str());
        let known = self.state.inputs.files.borrow().found.get(&written).cloned();
        if let Some(known) = known {
            return self.read(&known, FileKey { path: known.clone(), form }, Some(span));
        }
        let path = modules.find(&import.path, span, &Searched { world: self, folder })?;
        let Some(canonical) = self.canonical(&path) else {
            let path = Name::from(path.to_string_lossy());
            let what = SessionKind::NotFound { tried: vec![path.clone()], path, near: Vec::new() };
            return Err(Problem::error(SessionProblem { span: Some(span), what }));
        };
        let file = self.read(&path, FileKey { path: canonical.clone(), form }, Some(span))?;
        self.state.inputs.files.borrow_mut().found.insert_mut(written, canonical);
        Ok(file)
    }

    /// Reads the data file at a path. `None` if it does not exist or cannot be read.
    pub(crate) fn data_at(&self, path: &Path) -> Option<Program> {
        let form = Form::Program(self.languages.get().of_path(path)?);
        let canonical = self.canonical(path)?;
        let file = self.read(path, FileKey { path: canonical, form }, None).ok()?;
        Some(Program { term: file.term.clone(), problems: file.problems.clone() })
    }

    /// Returns the data files with which the user extends the language of a text, the nearest first.
    pub(crate) fn tables_of(&self, dialect: Dialect, source: SourceId) -> Vec<Program> {
        let base = self.bases.borrow().get(&source).cloned().unwrap_or_default();
        self.tables_for(dialect, &base)
    }

    /// Returns the data files with which the user extends a language, for texts in a folder.
    pub(crate) fn tables_for(&self, dialect: Dialect, base: &Path) -> Vec<Program> {
        let Some(name) = dialect.0.table else { return Vec::new() };
        let folders: Vec<PathBuf> = self.state.inputs.folders.borrow().clone();
        let own = Some(self.state.settings.borrow().kinds.clone()).filter(|path| !path.is_empty()).map(PathBuf::from);
        let own = own.into_iter();
        let mut paths: Vec<PathBuf> = own
            .chain(std::iter::once(base).chain(folders.iter().map(PathBuf::as_path)).map(|folder| folder.join(name)))
            .collect();
        paths.dedup();
        paths.iter().filter_map(|path| self.data_at(path)).collect()
    }
}

/// Normalizes a path for display: removes `.` and `a/..`.
fn display_path(path: &Path) -> Name {
    use std::path::Component;
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    Name::from(out.to_string_lossy())
}

/// Decodes a file's text, without a byte order mark. Invalid UTF-8 is replaced; the second value is the offset of the first
/// invalid byte.
pub fn text_of(bytes: &[u8]) -> (Arc<str>, Option<usize>) {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => (Arc::from(text), None),
        Err(error) => (Arc::from(String::from_utf8_lossy(bytes)), Some(error.valid_up_to())),
    }
}

/// Creates the problem of a text that is not UTF-8 from byte `at` on.
pub fn not_utf_8(source: SourceId, at: usize) -> Problem {
    let span = Some(Span::new(source, at, at + char::REPLACEMENT_CHARACTER.len_utf8()));
    Problem::error(SessionProblem { span, what: SessionKind::NotUtf8 })
}

fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::IsADirectory => String::from("it is a folder"),
        std::io::ErrorKind::PermissionDenied => String::from("permission denied"),
        std::io::ErrorKind::NotFound => String::from("no such file"),
        _ => error.to_string(),
    }
}

/// Creates an array literal of bytes.
fn bytes_term(source: SourceId, bytes: &[u8]) -> Arc<Term> {
    let mut builder = Builder::new();
    let span = Span::new(source, 0, 0);
    let items = bytes.iter().map(|b| builder.push(Node::Number(Number::Double(f64::from(*b))), span)).collect();
    let root = builder.push(Node::Array(items), span);
    Arc::new(builder.finish(root))
}

/// Creates a program that is a single hole.
pub fn nothing() -> Arc<Term> {
    let mut builder = Builder::new();
    let root = builder.push(Node::Hole, Span::new(SourceId(0), 0, 0));
    Arc::new(builder.finish(root))
}

/// Creates a string literal of a whole text.
pub fn text_term(source: SourceId, text: &str) -> Arc<Term> {
    let mut builder = Builder::new();
    let root = builder.push(Node::Str(Name::new(text)), Span::new(source, 0, text.len()));
    Arc::new(builder.finish(root))
}

impl World {
    /// Returns the text of a program that was read.
    pub(crate) fn text_of_file(&self, canonical: &Path) -> Option<Arc<str>> {
        let files = self.state.inputs.files.borrow();
        let file =
            files.values().find(|file| file.key.path == canonical && matches!(file.key.form, Form::Program(_)))?;
        self.sources.borrow().get(file.source).map(|source| source.text.clone())
    }

    /// Returns the path of the file that a source was read from.
    pub(crate) fn path_of(&self, source: SourceId) -> Option<PathBuf> {
        self.state.inputs.files.borrow().values().find(|file| file.source == source).map(|file| file.key.path.clone())
    }

    /// Returns the file of a source.
    pub(crate) fn file_of(&self, source: SourceId) -> Option<Rc<File>> {
        self.state.inputs.files.borrow().values().find(|file| file.source == source).cloned()
    }

    /// Returns the language of a source. `None` if it is data or made by the program.
    pub(crate) fn dialect_of(&self, source: SourceId) -> Option<Dialect> {
        let form =
            self.state.inputs.files.borrow().values().find(|file| file.source == source).map(|file| file.key.form);
        match form {
            Some(Form::Program(dialect)) => Some(dialect),
            Some(_) => None,
            None => self.languages.get().named(self.sources.borrow().get(source)?.language?),
        }
    }
}

impl World {
    /// Forgets the types and values of all files, because one of them changed and others may import it. Texts are kept.
    pub(crate) fn forget_results(&self) {
        self.record_inputs_change();
        self.replace_files(File::without_results);
        self.forget_externals();
    }

    /// Forgets the values of all files.
    pub(crate) fn forget_values_of_files(&self) {
        self.replace_files(File::without_value);
        self.forget_external_values();
    }

    fn replace_files(&self, copy: impl Fn(&File) -> File) {
        let files = self.state.inputs.files.borrow().clone();
        let mut fresh = files.clone();
        for file in files.values() {
            fresh.insert(Rc::new(copy(file)));
        }
        *self.state.inputs.files.borrow_mut() = fresh;
    }
}
