//! External variables (`std.extVar`) and the arguments of a program that is a function. The value of each is a
//! small program, which is parsed when it is first needed.

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

/// An external variable or argument as an option gives it: `--ext-code x=1+1` is `ExternalOption { to: Variable, how: Code,
/// text: "x=1+1" }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalOption {
    /// The receiver.
    pub to: Target,
    /// The form of the text.
    pub how: Content,
    /// `name=text`. A `name` alone takes its text from the environment variable of that name, unless `how` needs a path.
    pub text: String,
}

/// The receiver of an external value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// `std.extVar`.
    Variable,
    /// A named argument of a program that is a function.
    Argument,
}

/// The form of an external value's text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// A string.
    Text,
    /// The text itself, as a string.
    Code,
    /// The path of a file that is a string.
    TextFile,
    /// The path of a file that is a program.
    CodeFile,
}

/// The options that give external values, as they are written on the command line. The settings of a session have the same names.
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

/// An external variable or argument, with its parsed text.
pub struct External {
    option: ExternalOption,
    name: Name,
    /// The text after the `=`, or that of the environment variable.
    text: String,
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

    /// Returns `true` if the text is that of a file.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.option.how, Content::TextFile | Content::CodeFile)
    }

    /// Returns `true` if both come from the same option with the same text.
    pub(crate) fn is_same(&self, other: &External) -> bool {
        self.option == other.option && self.text == other.text
    }

    /// Returns `true` if its value is the text of this file.
    pub(crate) fn is_text_of(&self, path: &Path) -> bool {
        self.option.how == Content::TextFile && self.file().is_some_and(|file| file.path == path)
    }

    /// Its parsed text, if it was parsed without error.
    pub(crate) fn file(&self) -> Option<Rc<File>> {
        self.file.borrow().as_ref()?.as_ref().ok().cloned()
    }

    /// The source of its text, if it was parsed.
    pub(crate) fn source(&self) -> Option<SourceId> {
        self.file.borrow().as_ref()?.as_ref().ok().map(|file| file.source)
    }
}

impl World {
    /// Adds an external variable or argument. It replaces an earlier one of the same name.
    ///
    /// # Errors
    ///
    /// A message for the user, if the option is malformed or the environment variable does not exist.
    pub fn add_external(&self, external: ExternalOption) -> Result<(), String> {
        let is_path = matches!(external.how, Content::TextFile | Content::CodeFile);
        let (name, text) = match external.text.split_once('=') {
            Some((name, text)) => (String::from(name), String::from(text)),
            None if is_path => return Err(format!("`{}` is not of the form NAME=FILE", external.text)),
            None => match self.loader.env(&external.text) {
                Some(text) => (external.text.clone(), text),
                None => return Err(format!("the environment has no variable `{}`", external.text)),
            },
        };
        let name = Name::from(name);
        let mut all = self.state.inputs.externals.borrow_mut();
        all.retain(|other| other.option.to != external.to || other.name != name);
        all.push(Rc::new(External { option: external, name, text, file: RefCell::default() }));
        Ok(())
    }

    /// Returns `true` if an external value is read from a file or may import one.
    pub(crate) fn has_external_files(&self) -> bool {
        self.state.inputs.externals.borrow().iter().any(|external| external.option.how != Content::Text)
    }

    /// Returns the external variables.
    pub(crate) fn external_variables(&self) -> Vec<Rc<External>> {
        self.state
            .inputs
            .externals
            .borrow()
            .iter()
            .filter(|external| external.option.to == Target::Variable)
            .cloned()
            .collect()
    }

    /// Returns the names of the arguments.
    pub fn arguments(&self) -> Vec<Name> {
        self.state
            .inputs
            .externals
            .borrow()
            .iter()
            .filter(|g| g.option.to == Target::Argument)
            .map(|g| g.name.clone())
            .collect()
    }

    /// Returns the parsed text of an external variable or argument. `None` if there is none of that name.
    pub fn external_file(&self, to: Target, name: &str) -> Option<Result<Rc<File>, Problem>> {
        let external =
            self.state.inputs.externals.borrow().iter().find(|g| g.option.to == to && g.name == name).cloned()?;
        if let Some(known) = &*external.file.borrow() {
            return Some(known.clone());
        }
        let read = self.read_external(&external);
        *external.file.borrow_mut() = Some(read.clone());
        Some(read)
    }

    fn read_external(&self, external: &External) -> Result<Rc<File>, Problem> {
        let name = match external.option.to {
            Target::Variable => format!("<extvar:{}>", external.name),
            Target::Argument => format!("<top-level-arg:{}>", external.name),
        };
        let path = Path::new(&external.text);
        match external.option.how {
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

    /// Returns the value of an external variable or argument.
    pub fn external_value(&self, machine: &mut Machine, to: Target, name: &str) -> Option<Thunk> {
        let file = match self.external_file(to, name)? {
            Ok(file) => file,
            Err(problem) => return Some(failed(problem)),
        };
        self.value_of_external(machine, &file, name, self.last_change_of_inputs())
    }

    /// Returns the value of an external variable or argument, made in a revision.
    pub(crate) fn value_of_external(
        &self,
        machine: &mut Machine,
        file: &Rc<File>,
        name: &str,
        revision: Revision,
    ) -> Option<Thunk> {
        if let Some(problem) = file.problems.iter().find(|p| p.severity == Severity::Error) {
            return Some(failed(problem.clone()));
        }
        let origin = || Origin::External(Name::new(name));
        let key = Key::File(Rc::as_ptr(file) as usize);
        if let Some(thunk) = self.fresh_value(machine, key, (&file.term, revision), origin) {
            return Some(thunk);
        }
        let mut thunk = file.thunk.borrow_mut();
        Some(thunk.get_or_insert_with(|| machine.imported_of(&file.term, revision)).clone())
    }

    /// Forgets the values and types of all external values, because a file that one of them reads has changed.
    pub fn forget_externals(&self) {
        self.refresh_externals(|_| None);
    }

    /// Forgets the values of all external values.
    pub(crate) fn forget_external_values(&self) {
        // one that is read from a file shares the file's entry
        let known = |file: &Rc<File>| {
            self.state.inputs.files.borrow().get(&file.key).filter(|f| f.source == file.source).cloned()
        };
        self.refresh_externals(|file| {
            let file = file.as_ref().ok()?;
            Some(Ok(known(file).unwrap_or_else(|| Rc::new(file.without_value()))))
        });
    }

    /// Replaces every external value by a copy. `left` returns the part of its parsed text to keep.
    fn refresh_externals(&self, left: impl Fn(&Result<Rc<File>, Problem>) -> Option<Result<Rc<File>, Problem>>) {
        let copy = |external: &Rc<External>| {
            let External { option, name, text, file } = &**external;
            let file = RefCell::new(file.borrow().as_ref().and_then(&left));
            Rc::new(External { option: option.clone(), name: name.clone(), text: text.clone(), file })
        };
        let all: Vec<Rc<External>> = self.state.inputs.externals.borrow().iter().map(copy).collect();
        self.state.inputs.externals.replace(all);
    }

    /// Parses a text that is not in a file. Fails if its language is not built.
    pub fn text_file(&self, name: &str, text: &[u8], dialect: Dialect) -> Result<Rc<File>, Problem> {
        let dialect = super::input::built(self.languages.get(), dialect, None)?;
        let (text, broken) = text_of(text);
        let source = self.add_source(name, text.clone(), Path::new(""));
        let mut program = super::reading::program(self, dialect, source, &text);
        if let Some(at) = broken {
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

fn failed(problem: Problem) -> Thunk {
    Thunk::lazy(move |_| Err(Fault::of(problem.clone())))
}
