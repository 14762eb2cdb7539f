//! Files that were read: one entry a file, however often it is imported.
//!
//! The table is persistent, as the environment is: a snapshot of both is a snapshot of the session.

use super::World;
use super::environment::Typed;
use super::reading;
use crate::dialect::{Dialect, Names};
use crate::loader::Loader;
use crate::problem::session::{Session as Met, SessionKind};
use crate::problem::{Kind, Problem};
use crate::term::build::Builder;
use crate::term::{Import, ImportKind, Node, Number, Term};
use crate::text::{Name, SourceId, Span};
use crate::value::Thunk;
use rpds::{RedBlackTreeMap, RedBlackTreeSet};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// What makes a file's entry: the file, and what it is read as.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FileKey {
    /// The file's identity.
    pub path: PathBuf,
    /// What it is read as.
    pub form: Form,
}

/// What a file is read as.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Form {
    /// A program or data.
    Program(Dialect),
    /// Its text.
    Text,
    /// Its bytes, as an array of numbers.
    Bytes,
}

/// A file that was read.
pub struct File {
    /// Its entry.
    pub key: FileKey,
    /// The path it is read by.
    pub path: PathBuf,
    /// The path as the user would write it.
    pub name: Name,
    /// Its text.
    pub source: SourceId,
    /// What it means.
    pub term: Arc<Term>,
    /// What is wrong with its text.
    pub problems: Vec<Problem>,
    /// When it changed last, as far as the loader knows.
    pub stamp: Option<u64>,
    /// Its type, once somebody asked.
    pub typed: RefCell<Option<Rc<Typed>>>,
    /// Its value, once somebody asked.
    pub thunk: RefCell<Option<Thunk>>,
}

impl File {
    /// The file without what was computed of it.
    pub fn without_results(&self) -> File {
        File { typed: RefCell::default(), ..self.without_value() }
    }

    /// The file without its value.
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

/// The table: what was read, and where it was found. Until a reload all of it is as it was, whatever happens on the disk.
#[derive(Clone, Default)]
pub struct Files {
    read: RedBlackTreeMap<FileKey, Rc<File>>,
    /// The file that each path was found to be.
    found: RedBlackTreeMap<PathBuf, PathBuf>,
    /// The paths that were looked at where nothing was. Nothing is there until somebody looks again.
    missing: RedBlackTreeSet<PathBuf>,
}

impl FromIterator<Rc<File>> for Files {
    fn from_iter<I: IntoIterator<Item = Rc<File>>>(all: I) -> Files {
        let read = all.into_iter().map(|file| (file.key.clone(), file)).collect();
        Files { read, ..Files::default() }
    }
}

impl Files {
    /// The file of a key.
    pub fn get(&self, key: &FileKey) -> Option<&Rc<File>> {
        self.read.get(key)
    }

    /// All files, in order of keys.
    pub fn values(&self) -> impl Iterator<Item = &Rc<File>> {
        self.read.values()
    }

    /// Enters a file, in the place of what its key had.
    pub fn insert(&mut self, file: Rc<File>) {
        self.read.insert_mut(file.key.clone(), file);
    }

    /// The paths where nothing was.
    pub fn missing(&self) -> impl Iterator<Item = &PathBuf> {
        self.missing.iter()
    }

    /// Whether a problem is that nothing was where somebody has looked.
    pub fn missed(&self, problem: &Problem) -> bool {
        match &problem.kind {
            Kind::Session(Met { what: SessionKind::NotFound { tried, .. }, .. }) => {
                tried.iter().any(|path| self.missing.contains(Path::new(path.as_str())))
            }
            _ => false,
        }
    }

    /// The paths where nothing was and something is now.
    pub fn appeared(&self, loader: &dyn Loader) -> Vec<PathBuf> {
        self.missing.iter().filter(|path| loader.canonical(path).is_ok()).cloned().collect()
    }

    /// Forgets that there was nothing at these paths.
    pub fn forget_missing(&mut self, paths: &[PathBuf]) {
        for path in paths {
            self.missing.remove_mut(path);
        }
    }

    /// Looks again where every file is that was found, and forgets what was not. One that is gone stays as it was.
    pub fn look_again(&mut self, loader: &dyn Loader) {
        let now =
            |(path, was): (&PathBuf, &PathBuf)| (path.clone(), loader.canonical(path).unwrap_or_else(|_| was.clone()));
        self.found = self.found.iter().map(now).collect();
        self.missing = RedBlackTreeSet::default();
    }

    /// Takes a file out.
    pub fn remove(&mut self, key: &FileKey) {
        self.read.remove_mut(key);
    }
}

impl World {
    /// The file that an import means: next to the importing file, then in the folders of `-I`.
    pub fn import_file(&self, import: &Import, span: Span) -> Result<Rc<File>, Problem> {
        let written = Path::new(import.path.as_str());
        match (self.form_of(import), &import.kind) {
            (Some(form), _) => self.find(written, form, Some(span)),
            (None, ImportKind::Code(format)) => {
                let what = SessionKind::UnknownFormat { path: import.path.clone(), format: format.clone() };
                Err(Problem::error(Met { span: Some(span), what }))
            }
            (None, _) => self.find(written, Form::Text, Some(span)),
        }
    }

    /// The file that an import was found to mean. `Some(None)`: it was looked for, and nothing was there. `None`: nobody has
    /// looked. Nothing is read.
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

    /// A file by path, read once. `span` is where it is imported.
    pub fn find(&self, written: &Path, form: Form, span: Option<Span>) -> Result<Rc<File>, Problem> {
        let error = |what| Problem::error(Met { span, what });
        let base = span.and_then(|s| self.bases.borrow().get(&s.source).cloned()).unwrap_or_default();
        let mut tried = Vec::new();
        for folder in std::iter::once(&base).chain(self.state.inputs.folders.borrow().iter()) {
            let path = folder.join(written);
            match self.canonical(&path) {
                Some(canonical) => return self.read(&path, FileKey { path: canonical, form }, span),
                None => tried.push(Name::from(path.to_string_lossy())),
            }
        }
        Err(error(SessionKind::NotFound { path: Name::from(written.to_string_lossy()), tried }))
    }

    /// The file that a path is, as it was first looked for.
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
        let file = Rc::new(self.parse_file(path, key, span)?);
        self.state.inputs.files.borrow_mut().insert(file.clone());
        Ok(file)
    }

    /// Reads and lowers a file, without looking at the table.
    pub fn parse_file(&self, path: &Path, key: FileKey, span: Option<Span>) -> Result<File, Problem> {
        let name = tidy(path);
        let stamp = self.loader.stamp(path);
        let bytes = self.loader.read_until(path, &|| self.interrupt.is_raised()).map_err(|e| {
            if self.interrupt.is_raised() {
                return super::interrupted();
            }
            let what = SessionKind::Unreadable { path: name.clone(), reason: Name::from(reason(&e)) };
            Problem::error(Met { span, what })
        })?;
        let (text, broken) = text_of(&bytes);
        let broken = broken.filter(|_| key.form != Form::Bytes);
        let source = self.add_source(name.as_str(), text.clone(), path.parent().unwrap_or(Path::new("")));
        let (term, mut problems) = match key.form {
            Form::Text => (text_term(source, &text), Vec::new()),
            Form::Bytes => (bytes_term(source, &bytes), Vec::new()),
            Form::Program(dialect) => {
                let dialect = super::input::built(self.languages, dialect, span)?;
                let program = reading::program(&self.interrupt, dialect, source, &text);
                if self.stop().is_asked() {
                    // not to be kept: read again, it may be whole
                    return Err(super::interrupted());
                }
                (program.term, program.problems)
            }
        };
        problems.splice(0..0, broken.map(|at| not_utf_8(source, at)));
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
    /// What an import reads its file as. `None`: no format has that name.
    fn form_of(&self, import: &Import) -> Option<Form> {
        Some(match &import.kind {
            ImportKind::Text => Form::Text,
            ImportKind::Bytes => Form::Bytes,
            ImportKind::Code(None) => {
                // like nickel, a file of unknown ending is a program
                let by_ending = self.languages.of_path(Path::new(import.path.as_str()));
                Form::Program(by_ending.unwrap_or(self.languages.standard()))
            }
            ImportKind::Code(Some(format)) if format == "Text" => Form::Text,
            ImportKind::Code(Some(format)) => Form::Program(self.languages.of_format(format)?),
        })
    }
}

/// A path as a person would write it: without `.` and `a/..`.
fn tidy(path: &Path) -> Name {
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

/// A file's text, without a byte order mark; what is not UTF-8 is replaced, and where the first of it stands.
pub fn text_of(bytes: &[u8]) -> (Arc<str>, Option<usize>) {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => (Arc::from(text), None),
        Err(error) => (Arc::from(String::from_utf8_lossy(bytes)), Some(error.valid_up_to())),
    }
}

/// The problem of a text that is not UTF-8 at a byte.
pub fn not_utf_8(source: SourceId, at: usize) -> Problem {
    let span = Some(Span::new(source, at, at + char::REPLACEMENT_CHARACTER.len_utf8()));
    Problem::error(Met { span, what: SessionKind::NotUtf8 })
}

fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::IsADirectory => String::from("it is a folder"),
        std::io::ErrorKind::PermissionDenied => String::from("permission denied"),
        std::io::ErrorKind::NotFound => String::from("no such file"),
        _ => error.to_string(),
    }
}

/// An array literal of bytes.
fn bytes_term(source: SourceId, bytes: &[u8]) -> Arc<Term> {
    let mut builder = Builder::new();
    let span = Span::new(source, 0, 0);
    let items = bytes.iter().map(|b| builder.push(Node::Number(Number::Double(f64::from(*b))), span)).collect();
    let root = builder.push(Node::Array(items), span);
    Arc::new(builder.finish(root))
}

/// A program of which nothing is known.
pub fn nothing() -> Arc<Term> {
    let mut builder = Builder::new();
    let root = builder.push(Node::Hole, Span::new(SourceId(0), 0, 0));
    Arc::new(builder.finish(root))
}

/// A string literal of a whole text.
pub fn text_term(source: SourceId, text: &str) -> Arc<Term> {
    let mut builder = Builder::new();
    let root = builder.push(Node::Str(Name::new(text)), Span::new(source, 0, text.len()));
    Arc::new(builder.finish(root))
}

impl World {
    /// The text of a program that was read.
    pub(crate) fn text_of_file(&self, canonical: &Path) -> Option<Arc<str>> {
        let files = self.state.inputs.files.borrow();
        let file =
            files.values().find(|file| file.key.path == canonical && matches!(file.key.form, Form::Program(_)))?;
        self.sources.borrow().get(file.source).map(|source| source.text.clone())
    }

    /// The path of the file that a text was read from.
    pub(crate) fn path_of(&self, source: SourceId) -> Option<PathBuf> {
        self.state.inputs.files.borrow().values().find(|file| file.source == source).map(|file| file.key.path.clone())
    }

    /// The language that a text is written in.
    pub(crate) fn dialect_of(&self, source: SourceId) -> Option<Dialect> {
        let form =
            self.state.inputs.files.borrow().values().find(|file| file.source == source).map(|file| file.key.form);
        match form {
            Some(Form::Program(dialect)) => Some(dialect),
            Some(_) => None,
            None => Some(self.state.dialect.get()),
        }
    }
}

impl World {
    /// Forgets the types and values of all files: some file changed, and they may import it. Their texts stay.
    pub(crate) fn forget_results(&self) {
        self.inputs_changed();
        self.files_again(File::without_results);
        self.forget_externals();
    }

    /// Forgets the values of all files.
    pub(crate) fn forget_values_of_files(&self) {
        self.files_again(File::without_value);
        self.forget_external_values();
    }

    fn files_again(&self, anew: impl Fn(&File) -> File) {
        let files = self.state.inputs.files.borrow().clone();
        let mut fresh = files.clone();
        for file in files.values() {
            fresh.insert(Rc::new(anew(file)));
        }
        *self.state.inputs.files.borrow_mut() = fresh;
    }
}
