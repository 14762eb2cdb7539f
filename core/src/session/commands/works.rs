//! Checks of the inputs that advice suggests: their paths and files have to exist.

use super::{Argument, Session, find, word};
use crate::answer::shared::projection;
use crate::dialect::Dialect;
use crate::problem::Severity;
use crate::session::load::unquote;
use crate::text::Span;
use crate::text::path::{FieldPath, Step};
use std::path::Path;

impl Session {
    /// Returns an input that was probably meant, with a placeholder for a path or a file that does not exist.
    pub(super) fn working(&self, dialect: Dialect, input: String) -> String {
        if self.would_work(dialect, &input) {
            return input;
        }
        let command = word(&input).and_then(|name| find(input.get(name)?).ok());
        let placeholder = match command.map(|command| command.argument) {
            Some(Argument::File) => "FILE",
            Some(Argument::Expression) => "EXPRESSION",
            _ => "PATH",
        };
        match input.trim_end().rsplit_once(char::is_whitespace) {
            Some((before, _)) => format!("{before} {placeholder}"),
            None => input,
        }
    }

    /// Returns `false` for a command whose argument is a path that does not exist, or a file that does not. Nothing is evaluated.
    pub(super) fn would_work(&self, dialect: Dialect, input: &str) -> bool {
        let Some(name) = word(input) else { return true };
        let (name, rest) = (&input[name.clone()], input[name.end..].trim());
        let Ok(command) = find(name) else { return true };
        // `FILE` and `PATH` are to be replaced
        if rest.is_empty() || rest.chars().all(|c| c.is_ascii_uppercase()) {
            return true;
        }
        match command.argument {
            Argument::File => command.name == "save" || self.world.loader.canonical(Path::new(unquote(rest))).is_ok(),
            Argument::Path | Argument::Expression => {
                // `:show json PATH`, `:deps --used-by PATH`
                let form = usize::from(command.name == "show");
                let mut words = rest.split_whitespace().skip(form).skip_while(|word| word.starts_with("--"));
                match (words.next(), words.next()) {
                    (Some(path), None) => self.may_exist(dialect, path),
                    _ => true,
                }
            }
            _ => true,
        }
    }

    /// Returns `false` for a path that does not exist.
    fn may_exist(&self, dialect: Dialect, text: &str) -> bool {
        let Ok(path) = FieldPath::parse(text) else { return true };
        let [Step::Field(name), ..] = path.steps.as_slice() else { return true };
        let source = self.world.add_input("<expression>", text, dialect);
        if !self.is_bound(name) {
            // numbers and the words of a language are expressions too
            let program = dialect.program(source, text, &*self.world);
            return program.problems.iter().all(|problem| problem.severity != Severity::Error);
        }
        let Some(term) = projection::term(&path, Span::new(source, 0, text.len())) else { return true };
        let typed = self.world.infer(&self.without_it(term));
        typed.problems.iter().all(|problem| problem.severity != Severity::Error)
    }
}
