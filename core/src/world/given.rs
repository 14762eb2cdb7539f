//! What programs are given from outside, as jsonnet has it: external variables (`std.extVar`) and arguments for a program
//! that is a function. Each is a small program of its own, read when it is first asked for.

use super::World;
use super::anew::Key;
use super::files::{File, FileKey, Form, not_utf_8, text_of, text_term};
use crate::dialect::Dialect;
use crate::problem::session::{Session as Met, SessionKind};
use crate::problem::{Problem, Severity};
use crate::term::Term;
use crate::text::{Name, SourceId};
use crate::value::trace::Origin;
use crate::value::{Epoch, Fault, Machine, Thunk};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// What is given to programs, as the words of an option say it: `--ext-code x=1+1` is `Gift { to: Variable, how: Code,
/// text: "x=1+1" }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gift {
    /// What it is to be.
    pub to: To,
    /// What the text is.
    pub how: How,
    /// `name=text`; `name` alone is a variable of the environment, where the text is no path.
    pub text: String,
}

/// Who is given something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum To {
    /// `std.extVar`.
    Variable,
    /// A program that is a function: an argument by name.
    Argument,
}

/// What the text of a gift is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// A string.
    Text,
    /// An expression.
    Code,
    /// The path of a file that is a string.
    TextFile,
    /// The path of a file that is a program.
    CodeFile,
}

/// The options that give something, in jsonnet's spelling; of a session they are the settings of the same names.
pub const OPTIONS: [(&str, To, How); 8] = [
    ("ext-str", To::Variable, How::Text),
    ("ext-code", To::Variable, How::Code),
    ("ext-str-file", To::Variable, How::TextFile),
    ("ext-code-file", To::Variable, How::CodeFile),
    ("tla-str", To::Argument, How::Text),
    ("tla-code", To::Argument, How::Code),
    ("tla-str-file", To::Argument, How::TextFile),
    ("tla-code-file", To::Argument, How::CodeFile),
];

/// One thing that is given, and what came of reading it.
pub struct Given {
    gift: Gift,
    name: Name,
    /// The text behind the `=`, or the environment's.
    text: String,
    file: RefCell<Option<Result<Rc<File>, Problem>>>,
}

impl Given {
    /// The name that it is given under.
    pub(crate) fn name(&self) -> &Name {
        &self.name
    }

    /// Whether the same is given, as far as the words go.
    pub(crate) fn is_same(&self, other: &Given) -> bool {
        self.gift == other.gift && self.text == other.text
    }

    /// What came of reading it, once it was.
    pub(crate) fn file(&self) -> Option<Rc<File>> {
        self.file.borrow().as_ref()?.as_ref().ok().cloned()
    }

    /// The text that it was read from, once it was.
    pub(crate) fn source(&self) -> Option<SourceId> {
        self.file.borrow().as_ref()?.as_ref().ok().map(|file| file.source)
    }
}

impl World {
    /// Gives programs something; a later gift of the same name stands in for the earlier one. Fails with a sentence.
    pub fn give(&self, gift: Gift) -> Result<(), String> {
        let is_path = matches!(gift.how, How::TextFile | How::CodeFile);
        let (name, text) = match gift.text.split_once('=') {
            Some((name, text)) => (String::from(name), String::from(text)),
            None if is_path => return Err(format!("`{}` is not of the form NAME=FILE", gift.text)),
            None => match self.loader.env(&gift.text) {
                Some(text) => (gift.text.clone(), text),
                None => return Err(format!("the environment has no variable `{}`", gift.text)),
            },
        };
        let name = Name::from(name);
        let mut all = self.state.inputs.given.borrow_mut();
        all.retain(|other| other.gift.to != gift.to || other.name != name);
        all.push(Rc::new(Given { gift, name, text, file: RefCell::default() }));
        Ok(())
    }

    /// Whether something is given that stands in a file, or may import one.
    pub(crate) fn is_given_in_files(&self) -> bool {
        self.state.inputs.given.borrow().iter().any(|given| given.gift.how != How::Text)
    }

    /// The external variables that are given.
    pub(crate) fn given_as_they_are(&self) -> Vec<Rc<Given>> {
        self.state.inputs.given.borrow().iter().filter(|given| given.gift.to == To::Variable).cloned().collect()
    }

    /// The names of the arguments that are given.
    pub fn arguments(&self) -> Vec<Name> {
        self.state.inputs.given.borrow().iter().filter(|g| g.gift.to == To::Argument).map(|g| g.name.clone()).collect()
    }

    /// What is given under a name, read. `None`: nothing is.
    pub fn given(&self, to: To, name: &str) -> Option<Result<Rc<File>, Problem>> {
        let given = self.state.inputs.given.borrow().iter().find(|g| g.gift.to == to && g.name == name).cloned()?;
        if let Some(known) = &*given.file.borrow() {
            return Some(known.clone());
        }
        let read = self.read_given(&given);
        *given.file.borrow_mut() = Some(read.clone());
        Some(read)
    }

    fn read_given(&self, given: &Given) -> Result<Rc<File>, Problem> {
        let name = match given.gift.to {
            To::Variable => format!("<extvar:{}>", given.name),
            To::Argument => format!("<top-level-arg:{}>", given.name),
        };
        let path = Path::new(&given.text);
        match given.gift.how {
            How::Code => self.text_file(&name, given.text.as_bytes(), self.languages.called()),
            How::Text => {
                let source = self.add_source(&name, given.text.as_str().into(), Path::new(""));
                Ok(Rc::new(File::of_term(&name, source, text_term(source, &given.text), Vec::new())))
            }
            How::TextFile => self.find(path, Form::Text, None),
            How::CodeFile => {
                let dialect = self.languages.of_path(path).filter(|d| d.is_spoken());
                self.find(path, Form::Program(dialect.unwrap_or(self.languages.called())), None)
            }
        }
    }

    /// The value of what is given under a name.
    pub fn given_value(&self, machine: &mut Machine, to: To, name: &str) -> Option<Thunk> {
        let file = match self.given(to, name)? {
            Ok(file) => file,
            Err(problem) => return Some(failed(problem)),
        };
        self.value_of_given(machine, &file, name, self.last_change_outside())
    }

    /// The value of what was given under a name, made at a moment.
    pub(crate) fn value_of_given(
        &self,
        machine: &mut Machine,
        file: &Rc<File>,
        name: &str,
        born: Epoch,
    ) -> Option<Thunk> {
        if let Some(problem) = file.problems.iter().find(|p| p.severity == Severity::Error) {
            return Some(failed(problem.clone()));
        }
        let origin = || Origin::External(Name::new(name));
        let key = Key::File(Rc::as_ptr(file) as usize);
        if let Some(thunk) = self.anew(machine, key, (&file.term, born), origin) {
            return Some(thunk);
        }
        let mut thunk = file.thunk.borrow_mut();
        Some(thunk.get_or_insert_with(|| machine.imported_of(&file.term, born)).clone())
    }

    /// Forgets the values and types of what is given: a file it stands in changed.
    pub fn forget_given(&self) {
        self.given_again(|_| None);
    }

    /// Forgets the values of what is given.
    pub(crate) fn forget_given_values(&self) {
        // what stands in a file is that file
        let known = |file: &Rc<File>| {
            self.state.inputs.files.borrow().get(&file.key).filter(|f| f.source == file.source).cloned()
        };
        self.given_again(|file| {
            let file = file.as_ref().ok()?;
            Some(Ok(known(file).unwrap_or_else(|| Rc::new(file.anew_of_type()))))
        });
    }

    /// What is given, as others that are remembered, with what is left of what came of reading it.
    fn given_again(&self, left: impl Fn(&Result<Rc<File>, Problem>) -> Option<Result<Rc<File>, Problem>>) {
        let anew = |given: &Rc<Given>| {
            let Given { gift, name, text, file } = &**given;
            let file = RefCell::new(file.borrow().as_ref().and_then(&left));
            Rc::new(Given { gift: gift.clone(), name: name.clone(), text: text.clone(), file })
        };
        let all: Vec<Rc<Given>> = self.state.inputs.given.borrow().iter().map(anew).collect();
        self.state.inputs.given.replace(all);
    }

    /// A text that stands in for a file. Fails where its language is not built.
    pub fn text_file(&self, name: &str, text: &[u8], dialect: Dialect) -> Result<Rc<File>, Problem> {
        if !dialect.is_built() {
            return Err(Problem::error(Met { span: None, what: SessionKind::NotBuilt { dialect: dialect.name() } }));
        }
        let (text, broken) = text_of(text);
        let source = self.add_source(name, text.clone(), Path::new(""));
        let mut program = super::reading::program(&self.interrupt, dialect, source, &text);
        program.problems.splice(0..0, broken.map(|at| not_utf_8(source, at)));
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
