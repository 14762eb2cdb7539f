//! External variables (`std.extVar`) and the arguments of a program that is a function: together, external values. Each
//! is kept as a small program, which is parsed when it is first needed.

use super::World;
use super::files::{File, FileKey, Form, not_utf_8, text_of, text_term};
use super::fresh::Key;
use crate::dialect::Dialect;
use crate::problem::{Problem, Severity};
use crate::term::Term;
use crate::text::{Name, SourceId};
use crate::value::trace::Origin;
use crate::value::{Fault, Machine, Revision, Thunk};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// An option that sets an external value: `--ext-code x=1+1` is `ExternalOption { target: Variable, content: Code,
/// text: "x=1+1" }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalOption {
    /// The kind of external value.
    pub target: Target,
    /// The meaning of the text.
    pub content: Content,
    /// `name=text`. A `name` alone takes its text from the environment variable of that name, unless `content` needs a path.
    pub text: String,
}

/// The kinds of external values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// An external variable: `std.extVar(name)`.
    Variable,
    /// A named argument of a program that is a function.
    Argument,
}

/// The meaning of an external value's text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// The value is the text itself, as a string.
    Text,
    /// The text is a program, whose result is the value.
    Code,
    /// The text is the path of a file. The value is the content of the file, as a string.
    TextFile,
    /// The text is the path of a program, whose result is the value.
    CodeFile,
}

impl Content {
    /// Returns `true` if the text is a path.
    fn is_path(self) -> bool {
        matches!(self, Content::TextFile | Content::CodeFile)
    }
}

/// The options that set external values, as they are written on the command line. The settings of a session have the same
/// names.
pub const OPTIONS: [(&str, Target, Content); 8] = [
    ("ext-str", Target::Variable, Content::Text),
    ("ext-code", Target::Variable, Content::Code),
    ("ext-str-file", Target::Variable, Content::TextFile),
    ("ext-code-file", Target::Variable, Content::CodeFile),
    ("tla-str", Target::Argument, Content::Text),
    ("tla-code", Target::Argument, Content::Code),
    ("tla-str-file", Target::Argument, Content::TextFile),
    ("tla-code-file", Target::Argument, Content::CodeFile),
];

/// An external variable or argument, with its parsed program.
pub struct External {
    option: ExternalOption,
    name: Name,
    /// The text after the `=`, or that of the environment variable.
    text: String,
    /// The parsed program, or why it cannot be read. `None` until it is needed.
    file: RefCell<Option<Result<Rc<File>, Problem>>>,
}

impl External {
    /// The name of the variable or argument.
    pub(crate) fn name(&self) -> &Name {
        &self.name
    }

    /// The text after the `=`, or that of the environment variable.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns `true` if the value is read from a file.
    pub(crate) fn is_file(&self) -> bool {
        self.option.content.is_path()
    }

    /// Returns `true` if both come from the same option with the same text, also if an environment variable has it.
    pub(crate) fn is_same(&self, other: &External) -> bool {
        self.option == other.option && self.text == other.text
    }

    /// Returns `true` if its value is known to be the text of this file.
    pub(crate) fn is_text_of(&self, path: &Path) -> bool {
        self.option.content == Content::TextFile && self.file().is_some_and(|file| file.path == path)
    }

    /// Its program, if it has been read. The program may have syntax errors.
    pub(crate) fn file(&self) -> Option<Rc<File>> {
        self.file.borrow().as_ref()?.as_ref().ok().cloned()
    }

    /// The source of its program, if it has been read.
    pub(crate) fn source(&self) -> Option<SourceId> {
        self.file().map(|file| file.source)
    }
}

impl World {
    /// Adds the external variable or argument that an option sets. It replaces an earlier one of the same name.
    ///
    /// # Errors
    ///
    /// A message for the user, if the option is malformed or the environment variable does not exist.
    pub fn add_external(&self, option: ExternalOption) -> Result<(), String> {
        let (name, text) = match option.text.split_once('=') {
            Some((name, text)) => (String::from(name), String::from(text)),
            None if option.content.is_path() => return Err(format!("`{}` is not of the form NAME=FILE", option.text)),
            None => match self.loader.env(&option.text) {
                Some(text) => (option.text.clone(), text),
                None => {
                    return Err(format!(
                        "no value: write `{0}=VALUE`; the environment has no variable `{0}`",
                        option.text
                    ));
                }
            },
        };
        let name = Name::from(name);
        let mut all = self.state.inputs.externals.borrow_mut();
        all.retain(|other| other.option.target != option.target || other.name != name);
        all.push(Rc::new(External { option, name, text, file: RefCell::default() }));
        Ok(())
    }

    /// Returns `true` if an external value is read from a file or may import one.
    pub(crate) fn has_external_files(&self) -> bool {
        self.state.inputs.externals.borrow().iter().any(|external| external.option.content != Content::Text)
    }

    /// Returns the external variables.
    pub(crate) fn external_variables(&self) -> Vec<Rc<External>> {
        let all = self.state.inputs.externals.borrow();
        all.iter().filter(|external| external.option.target == Target::Variable).cloned().collect()
    }

    /// Returns the names of the arguments.
    pub fn arguments(&self) -> Vec<Name> {
        let all = self.state.inputs.externals.borrow();
        let arguments = all.iter().filter(|external| external.option.target == Target::Argument);
        arguments.map(|external| external.name.clone()).collect()
    }

    /// Returns the program of an external variable or argument, and reads it first if needed. `None` if there is none of
    /// that name.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or this build has no parser for the language.
    pub fn external_file(&self, target: Target, name: &str) -> Option<Result<Rc<File>, Problem>> {
        let is_wanted = |external: &&Rc<External>| external.option.target == target && external.name == name;
        let external = self.state.inputs.externals.borrow().iter().find(is_wanted).cloned()?;
        if let Some(known) = &*external.file.borrow() {
            return Some(known.clone());
        }
        let read = self.read_external(&external);
        *external.file.borrow_mut() = Some(read.clone());
        Some(read)
    }

    fn read_external(&self, external: &External) -> Result<Rc<File>, Problem> {
        let name = match external.option.target {
            Target::Variable => format!("<extvar:{}>", external.name),
            Target::Argument => format!("<top-level-arg:{}>", external.name),
        };
        let path = Path::new(&external.text);
        match external.option.content {
            Content::Code => self.text_file(&name, external.text.as_bytes(), self.languages.get().called()),
            Content::Text => {
                let source = self.add_source(&name, external.text.as_str().into(), Path::new(""));
                Ok(Rc::new(File::of_term(&name, source, text_term(source, &external.text), Vec::new())))
            }
            Content::TextFile => self.find(path, Form::Text, None),
            Content::CodeFile => {
                let dialect = self.languages.get().of_path(path).filter(|d| d.is_interactive());
                self.find(path, Form::Program(dialect.unwrap_or(self.languages.get().called())), None)
            }
        }
    }

    /// Returns the current value of an external variable or argument. `None` if there is none of that name.
    pub fn external_value(&self, machine: &mut Machine, target: Target, name: &str) -> Option<Thunk> {
        let file = match self.external_file(target, name)? {
            Ok(file) => file,
            Err(problem) => return Some(failing(problem)),
        };
        self.value_of_external(machine, &file, name, self.last_change_of_inputs())
    }

    /// Returns the value of an external variable or argument in a revision. `file` is its program.
    pub(crate) fn value_of_external(
        &self,
        machine: &mut Machine,
        file: &Rc<File>,
        name: &str,
        revision: Revision,
    ) -> Option<Thunk> {
        if let Some(problem) = file.problems.iter().find(|p| p.severity == Severity::Error) {
            return Some(failing(problem.clone()));
        }
        let origin = || Origin::External(Name::new(name));
        let key = Key::File(Rc::as_ptr(file) as usize);
        if let Some(thunk) = self.fresh_value(machine, key, (&file.term, revision), origin) {
            return Some(thunk);
        }
        let mut thunk = file.thunk.borrow_mut();
        Some(thunk.get_or_insert_with(|| machine.imported_of(&file.term, revision)).clone())
    }

    /// Forgets the programs of all external values, with their types and values, because a file may have changed that one
    /// of them reads.
    pub fn forget_externals(&self) {
        self.refresh_externals(|_| None);
    }

    /// Forgets the results of all external values, but keeps their programs and types.
    pub(crate) fn forget_external_values(&self) {
        // one that is read from a file shares the entry of the file
        let file_entry = |file: &Rc<File>| {
            self.state.inputs.files.borrow().get(&file.key).filter(|f| f.source == file.source).cloned()
        };
        self.refresh_externals(|file| {
            let file = file.as_ref().ok()?;
            Some(Ok(file_entry(file).unwrap_or_else(|| Rc::new(file.without_value()))))
        });
    }

    /// Replaces every external value by a copy. `kept` returns the part of its program to keep.
    fn refresh_externals(&self, kept: impl Fn(&Result<Rc<File>, Problem>) -> Option<Result<Rc<File>, Problem>>) {
        let copy = |external: &Rc<External>| {
            let External { option, name, text, file } = &**external;
            let file = RefCell::new(file.borrow().as_ref().and_then(&kept));
            Rc::new(External { option: option.clone(), name: name.clone(), text: text.clone(), file })
        };
        let all: Vec<Rc<External>> = self.state.inputs.externals.borrow().iter().map(copy).collect();
        self.state.inputs.externals.replace(all);
    }

    /// Parses a program that is not in a file. `name` is its name in messages.
    ///
    /// # Errors
    ///
    /// This build has no parser for the language. Syntax errors are in the result.
    pub fn text_file(&self, name: &str, text: &[u8], dialect: Dialect) -> Result<Rc<File>, Problem> {
        let dialect = super::input::built(self.languages.get(), dialect, None)?;
        let (text, invalid_at) = text_of(text);
        let source = self.sources.borrow_mut().add_in(name, text.clone(), Some(dialect.name()));
        let mut program = super::reading::program(self, dialect, source, &text);
        if let Some(at) = invalid_at {
            program.problems = vec![not_utf_8(source, at)];
        }
        Ok(Rc::new(File::of_term(name, source, program.term, program.problems).read_as(dialect)))
    }
}

impl File {
    fn of_term(name: &str, source: SourceId, term: Arc<Term>, problems: Vec<Problem>) -> File {
        File {
            key: FileKey { path: PathBuf::from(name), form: Form::Text },
            path: PathBuf::from(name),
            name: Name::new(name),
            source,
            term,
            problems,
            stamp: None,
            typed: RefCell::default(),
            thunk: RefCell::default(),
        }
    }

    fn read_as(mut self, dialect: Dialect) -> File {
        self.key.form = Form::Program(dialect);
        self
    }
}

fn failing(problem: Problem) -> Thunk {
    Thunk::lazy(move |_| Err(Fault::of(problem.clone())))
}
