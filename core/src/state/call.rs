//! Calling a program that is a function with the top-level arguments.

use super::external::Target;
use super::{Main, Workspace, World};
use crate::term::build::Builder;
use crate::term::{Apply, Node, PatKind, Term};
use crate::text::{Name, Span};
use crate::ty::Scheme;
use crate::value::{Fault, Machine, Thunk, Value};
use std::path::Path;
use std::sync::Arc;

/// The name under which the call reads the program.
const PROGRAM: Name = Name::new_static("%program");
/// The prefix of the names under which the call reads the arguments.
const ARGUMENT: &str = "%argument:";

/// The name of the source of the call, of which no report shows a line.
const CALL: &str = "<top-level-call>";

/// A program that is a function, for a report about its call.
pub(crate) struct CalledProgram {
    /// The span of its parameters, or of the function if it has none.
    pub span: Span,
    /// Its parameters: `(env, port=…)`.
    pub parameters: String,
    /// The parameters that have no default and no argument.
    pub missing: Vec<Name>,
    /// The names of all parameters.
    pub names: Vec<Name>,
}

impl World {
    /// Returns whether a place is in the text of the call of a program.
    pub fn is_call_of_program(&self, span: Span) -> bool {
        self.sources.borrow().get(span.source).is_some_and(|source| &*source.name == CALL)
    }

    /// Describes the program that is called, if its function or the name of a local one is at its end. O(the depth of its `local`s).
    pub fn called_program(&self) -> Option<CalledProgram> {
        let term = self.main.borrow().as_ref()?.term.clone();
        let mut at = term.root;
        let mut lets = Vec::new();
        while let Node::Let(binding) = term.node(at) {
            lets.push(binding);
            at = binding.body;
        }
        // `local f(x) = …; f`
        if let Node::Local { up, slot } = term.node(at) {
            let binding = lets.iter().rev().nth(*up as usize)?;
            let bound =
                |one: &&crate::term::Binding| matches!(term.pat(one.pat).kind, PatKind::Bind(own) if own == *slot);
            at = binding.bindings.iter().find(bound)?.body;
        }
        let Node::Lambda(lambda) = term.node(at) else { return None };
        let given = self.arguments();
        let place = |param: &crate::term::Param| term.pat(param.pat).span;
        let span = match (lambda.params.first(), lambda.params.last()) {
            (Some(first), Some(last)) => place(first).to(place(last)),
            _ => term.span(at),
        };
        let names: Vec<Name> = lambda.params.iter().filter_map(|param| param.name.clone()).collect();
        let needed =
            lambda.params.iter().filter(|param| param.default.is_none()).filter_map(|param| param.name.clone());
        let listed = lambda.params.iter().map(|param| (param.name.as_deref().unwrap_or("_"), param.default.is_some()));
        Some(CalledProgram {
            span,
            parameters: crate::problem::parameter_list(listed),
            missing: needed.filter(|name| !given.contains(name)).collect(),
            names,
        })
    }

    /// Creates the call of a program with the top-level arguments. Its text, `main.jsonnet(env=…)`, is for reports.
    pub fn call_of(&self, program: &Arc<Term>) -> Arc<Term> {
        let mut builder = Builder::with_rules(program.rules);
        let file = self.sources.borrow().get(program.span(program.root).source).map(|source| source.name.clone());
        let arguments: Vec<String> = self.arguments().iter().map(|name| format!("{name}=…")).collect();
        let file = file.as_deref().filter(|name| !name.starts_with('<')).unwrap_or("program");
        let text = format!("{file}({})", arguments.join(", "));
        let end = text.len();
        let source = self.add_source(CALL, text.into(), Path::new(""));
        let span = Span::new(source, 0, end);
        let func = builder.push(Node::Global(PROGRAM), span);
        let argument = |name: Name| {
            let node = builder.push(Node::Global(Name::from(format!("{ARGUMENT}{name}"))), span);
            (Some(name), node)
        };
        let args = self.arguments().into_iter().map(argument).collect();
        let root = builder.push(Node::Apply(Box::new(Apply { func, args, tailstrict: false })), span);
        self.main.replace(Some(Main { term: program.clone(), typed: None }));
        Arc::new(builder.finish(root))
    }

    /// Returns the value of a name in a call of the program.
    pub fn called_value(&self, machine: &mut Machine, name: &str) -> Option<Thunk> {
        if let Some(argument) = name.strip_prefix(ARGUMENT) {
            return self.external_value(machine, Target::Argument, argument);
        }
        let main = self.main.borrow().as_ref().filter(|_| PROGRAM == name)?.term.clone();
        Some(machine.thunk(&main))
    }

    /// Returns the type of a name in a call of the program.
    pub fn called_type(&self, name: &str) -> Option<Arc<Scheme>> {
        if let Some(argument) = name.strip_prefix(ARGUMENT) {
            let file = self.external_file(Target::Argument, argument)?.ok()?;
            return Some(self.file_type(&file).scheme.clone());
        }
        let main =
            self.main.borrow().as_ref().filter(|_| PROGRAM == name).map(|m| (m.term.clone(), m.typed.clone()))?;
        let typed = main.1.unwrap_or_else(|| self.infer(&main.0));
        if let Some(main) = &mut *self.main.borrow_mut() {
            main.typed = Some(typed.clone());
        }
        Some(typed.scheme.clone())
    }
}

impl Workspace {
    /// Returns the value of a program, unforced. If it is a function and its language calls programs, the value of its call.
    pub(crate) fn program_value(&mut self, program: &Arc<Term>) -> Thunk {
        let thunk = self.machine.thunk(program);
        if !self.dialect_of(program.span(program.root).source).is_some_and(|dialect| dialect.0.calls_with_arguments) {
            return thunk;
        }
        let forced = self.machine.force(&thunk);
        self.called(program, thunk, forced)
    }

    /// Returns the value of a forced program. If it is a function, the value of its call with the top-level arguments.
    pub(crate) fn called(&mut self, program: &Arc<Term>, thunk: Thunk, forced: Result<Value, Fault>) -> Thunk {
        match forced {
            Ok(Value::Function(_) | Value::Native(_) | Value::Guarded(_)) => {
                let call = self.world.call_of(program);
                self.machine.thunk(&call)
            }
            _ => thunk,
        }
    }
}
