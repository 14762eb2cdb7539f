//! `:check`: compares the value or the type of an expression with the expected one. The exercises of the lessons use it.

use super::{Argument, Command, Effect, Line};
use crate::answer::Hints;
use crate::answer::check::{Checked, Side, Sides};
use crate::dialect::{Dialect, Languages};
use crate::problem::{Problem, Severity};
use crate::session::{Event, Session};
use crate::state::type_text;
use crate::term::{Node, NodeId, Prim, Term};
use crate::text::{Span, on_one_line};
use crate::value::datum::Datum;
use std::sync::Arc;

pub const COMMAND: Command = Command {
    name: "check",
    aliases: &[],
    usage: ":check [OPTIONS] EXPRESSION",
    summary: "whether an expression is true or has a type: what was expected, what was found, and the hint",
    argument: Argument::Expression,
    effect: Effect::Query,
    run: check,
};

/// The options of the command.
#[derive(Default)]
struct Options {
    hint: Option<String>,
    ty: Option<String>,
}

/// Splits the argument into options and the rest, which is returned as a line.
///
/// # Errors
///
/// A message for the user, if an option has no text.
fn options(line: &Line) -> Result<(Options, Line), String> {
    let mut options = Options::default();
    let mut rest = line.argument();
    loop {
        let word = rest.split(char::is_whitespace).next().unwrap_or_default();
        let option = match word {
            "--hint" => &mut options.hint,
            "--type" => &mut options.ty,
            _ => break,
        };
        let (text, after) =
            quoted(rest[word.len()..].trim_start()).ok_or_else(|| format!("`{word}` needs a text in double quotes"))?;
        *option = Some(text);
        rest = after.trim_start();
    }
    let at = line.text.trim_end().len() - rest.len();
    Ok((options, Line { dialect: line.dialect, text: line.text.clone(), at }))
}

/// Returns the text of a string in double quotes and what follows it. `\"` and `\\` are a quote and a backslash.
fn quoted(text: &str) -> Option<(String, &str)> {
    let inside = text.strip_prefix('"')?;
    let mut out = String::new();
    let mut chars = inside.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((out, &inside[at + 1..])),
            '\\' => match chars.next() {
                Some((_, escaped @ ('"' | '\\'))) => out.push(escaped),
                Some((_, other)) => out.extend(['\\', other]),
                None => return None,
            },
            c => out.push(c),
        }
    }
    None
}

/// Returns the hint of an input that is a check.
pub fn hint(input: &str) -> Option<String> {
    let word = super::word(input)?;
    if super::of_input(input).ok()?.name != COMMAND.name {
        return None;
    }
    let line = Line { dialect: Languages::default().standard(), text: String::from(input), at: word.end };
    options(&line).ok()?.0.hint
}

/// Runs the command: checks the value or, with `--type`, the type of its expression.
fn check(session: &mut Session, line: &Line) -> Vec<Event> {
    session.last_check = Some(false);
    let (options, rest) = match options(line) {
        Ok(split) => split,
        Err(why) => return session.misused(line.dialect, &why, &COMMAND),
    };
    if rest.argument().is_empty() {
        return session.misused(line.dialect, "`:check` needs an expression", &COMMAND);
    }
    let dialect = line.dialect;
    let text = rest.blanked();
    let source = session.world.add_input(&line.name(), &line.text, dialect);
    let program = dialect.program(source, &text, &*session.world);
    let errors = || program.problems.iter().filter(|p| p.severity == Severity::Error);
    if errors().any(|p| p.code().starts_with("syntax/")) {
        return session.diagnostics(dialect, &program.problems).collect();
    }
    let problem = errors().next().cloned();
    let term = session.without_it(program.term);
    let mut events = Vec::new();
    let (subject, failed) = match &options.ty {
        Some(ty) => (term.root, session.check_type(dialect, &term, ty, problem)),
        None => session.check_value(line, &term, problem, &mut events),
    };
    if let Some(stopped) = session.stopped(dialect) {
        events.extend(stopped);
        return events;
    }
    let start = rest.text.len() - rest.text[rest.at..].trim_start().len();
    let whole = on_one_line(&session.workspace.text(Span::new(source, start, start + rest.argument().len())));
    let subject = match subject == term.root {
        true => whole.clone(),
        false => session.written_operand(line, term.span(subject)),
    };
    let check = match &options.ty {
        Some(ty) => format!("{whole}{}{}", dialect.spelling().of, on_one_line(ty)),
        None => whole,
    };
    let hint = options.hint.or_else(|| {
        // `:check x : Number`
        let of = Some(dialect.spelling().of).filter(|of| !of.trim().is_empty())?;
        let (expression, ty) = rest.argument().rsplit_once(of)?;
        let is_written =
            options.ty.is_none() && failed.is_some() && !expression.contains(['{', '"']) && !ty.contains('"');
        is_written.then(|| format!("`:check --type \"{}\" {}` compares the type", ty.trim(), expression.trim()))
    });
    session.last_check = Some(failed.is_none());
    events.extend(session.answered(dialect, &Checked { check, subject, failed, hint }, Hints::default()));
    events
}

impl Session {
    /// Compares the type of an expression with a type, as text. `problem` is an error of the expression that was found before
    /// inference, such as an unbound name. Returns both sides if they differ.
    fn check_type(&self, dialect: Dialect, term: &Arc<Term>, ty: &str, problem: Option<Problem>) -> Option<Sides> {
        let expected = on_one_line(ty);
        let found = match problem {
            Some(problem) => self.failed_side(dialect, &problem),
            None => {
                let typed = self.world.infer(term);
                match typed.problems.iter().find(|p| p.severity == Severity::Error) {
                    Some(problem) => self.failed_side(dialect, problem),
                    None => Side::Type(on_one_line(&type_text(dialect, &typed.scheme).text())),
                }
            }
        };
        let same = matches!(&found, Side::Type(found) if *found == expected);
        (!same).then_some(Sides { expected: Side::Type(expected), found })
    }

    /// Evaluates a condition. Returns the node whose value was checked and, unless the condition is true, both sides. The sides
    /// of an equation are its operands; those of any other condition are `true` and its value. `problem` is an error that was
    /// found before evaluation. Adds to `events` what the evaluation printed.
    fn check_value(
        &mut self,
        line: &Line,
        term: &Arc<Term>,
        problem: Option<Problem>,
        events: &mut Vec<Event>,
    ) -> (NodeId, Option<Sides>) {
        let dialect = line.dialect;
        let (subject, wanted) = match term.node(term.root) {
            Node::Prim(Prim::Eq, operands) => match operands[..] {
                [left, right] => (left, Some(right)),
                _ => (term.root, None),
            },
            _ => (term.root, None),
        };
        let problem = problem.or_else(|| {
            let typed = term.rules.is_exact().then(|| self.world.infer(term))?;
            typed.problems.iter().find(|p| p.severity == Severity::Error).cloned()
        });
        let found = match problem {
            Some(problem) => self.failed_side(dialect, &problem),
            None => {
                let whole = self.value_of(term, term.root, events);
                if let Datum::Bool(true) = whole {
                    return (subject, None);
                }
                let value =
                    if wanted.is_some() { self.value_of(term, subject, &mut Vec::new()) } else { whole.clone() };
                match (&whole, &value) {
                    (_, Datum::Fault(problem)) => self.failed_side(dialect, problem),
                    // the other operand fails, or the operands have values that cannot be compared
                    (Datum::Fault(problem), _) if problem.code() != "value/type" => self.failed_side(dialect, problem),
                    _ => Side::Value(value),
                }
            }
        };
        let expected = match wanted.map(|wanted| (wanted, self.value_of(term, wanted, &mut Vec::new()))) {
            // the expected operand fails too, so its text is shown
            Some((wanted, Datum::Fault(_))) => Side::Type(self.written_operand(line, term.span(wanted))),
            Some((_, value)) => Side::Value(value),
            None => Side::Value(Datum::Bool(true)),
        };
        (subject, Some(Sides { expected, found }))
    }

    /// Returns the text of an operand on one line. The span of a variable in mcl begins after its `$`.
    fn written_operand(&self, line: &Line, span: Span) -> String {
        let sign = line.text.get(..span.start as usize).is_some_and(|before| before.ends_with('$'));
        on_one_line(&format!("{}{}", if sign { "$" } else { "" }, self.workspace.text(span)))
    }

    /// Evaluates a node that is not inside a function, a record or a `let`.
    fn value_of(&mut self, term: &Arc<Term>, root: NodeId, events: &mut Vec<Event>) -> Datum {
        let part = Arc::new(Term { root, ..Term::clone(term) });
        let thunk = self.workspace.machine.thunk(&part);
        self.datum(&thunk, events)
    }

    /// Returns an error as a side of a check.
    fn failed_side(&self, dialect: Dialect, problem: &Problem) -> Side {
        let message = self.described(dialect, problem).message;
        match problem.code().starts_with("scope/") {
            true => Side::Undefined(message),
            false => Side::Error(message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::hint;
    use crate::session::{Event, Session};

    /// Returns what inputs print, and the outcome of the last one.
    fn checked(dialect: &str, inputs: &[&str]) -> (String, Option<bool>) {
        let mut session = Session::new(Box::new(crate::loader::NoLoader));
        session.submit(&format!(":dialect {dialect}"));
        let mut out = String::new();
        for input in inputs {
            out.clear();
            for event in session.submit(input) {
                let text = match event {
                    Event::Answer(text) | Event::View { text, .. } | Event::Bound(text) => text,
                    Event::Diagnostic { report, .. } => report,
                    _ => continue,
                };
                out += &text.text();
                out += "\n";
            }
        }
        (out, session.check_passed())
    }

    #[track_caller]
    fn is(dialect: &str, inputs: &[&str], expected: &str, passed: Option<bool>) {
        assert_eq!(checked(dialect, inputs), (String::from(expected), passed), "{inputs:?}");
    }

    #[test]
    fn an_equation_shows_both_sides() {
        let double = "let double = fun n => n + 1";
        is("cfg", &[double, ":check double 1 == 2"], "passed: double 1 == 2\n", Some(true));
        is(
            "cfg",
            &[double, ":check --hint \"Use `*`.\" double 4 == 8"],
            "not yet: double 4\n  expected  8\n  found     5\n  hint      Use `*`.\n",
            Some(false),
        );
        is(
            "jsonnet",
            &["local f(x) = [x]", ":check f(1) == [2]"],
            "not yet: f(1)\n  expected  [2]\n  found     [1]\n",
            Some(false),
        );
        is("mcl", &["$x = 3", ":check $x == 3"], "passed: $x == 3\n", Some(true));
        is("yay", &["a: 3", ":check a == 4"], "not yet: a\n  expected  4\n  found     3\n", Some(false));
    }

    #[test]
    fn a_condition_must_be_true() {
        is("cfg", &[":check 1 < 2"], "passed: 1 < 2\n", Some(true));
        is("cfg", &[":check 2 < 1"], "not yet: 2 < 1\n  expected  true\n  found     false\n", Some(false));
        is("cfg", &[":check 1 + 1"], "not yet: 1 + 1\n  expected  true\n  found     2\n", Some(false));
    }

    #[test]
    fn a_type_is_compared_as_it_is_printed() {
        let same = "let same = fun x => x";
        is("cfg", &[same, ":check --type \"forall a.  a -> a\" same"], "passed: same : forall a. a -> a\n", Some(true));
        is(
            "cfg",
            &[same, ":check --type \"Number -> Number\" --hint \"Add 1.\" same"],
            "not yet: same\n  expected  Number -> Number\n  found     forall a. a -> a\n  hint      Add 1.\n",
            Some(false),
        );
        is("mcl", &["$x = [1,]", ":check --type \"[]int\" $x"], "passed: $x []int\n", Some(true));
    }

    #[test]
    fn a_name_that_is_not_defined_is_not_an_error_of_the_check() {
        is(
            "cfg",
            &[":check double 4 == 8"],
            "not yet: double 4\n  expected  8\n  found     nothing: unbound name `double`\n",
            Some(false),
        );
        is(
            "cfg",
            &[":check --type \"Number\" double"],
            "not yet: double\n  expected  Number\n  found     nothing: unbound name `double`\n",
            Some(false),
        );
        is(
            "mcl",
            &[":check $x == 3"],
            "not yet: $x\n  expected  3\n  found     nothing: variable `$x` is not in scope\n",
            Some(false),
        );
    }

    #[test]
    fn an_error_is_what_was_found() {
        let (text, passed) = checked("cfg", &["let r = { a | Number = \"x\" }", ":check r.a == 1"]);
        assert!(text.starts_with("not yet: r.a\n  expected  1\n  found     an error: `a` must be a Number"), "{text}");
        assert_eq!(passed, Some(false));
    }

    #[test]
    fn values_that_differ_are_laid_out_below_each_other() {
        let long =
            "let r = { a = \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\", b = \"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\" }";
        let (text, _) = checked("cfg", &[long, ":check r == {}"]);
        assert!(text.contains("\n  found     {\n              a = "), "{text}");
    }

    #[test]
    fn what_is_wrong_with_the_check_is_a_diagnostic() {
        for (input, part) in [
            (":check", "needs an expression"),
            (":check --hint", "`--hint` needs a text in double quotes"),
            (":check --hint \"open 1 == 1", "`--hint` needs a text in double quotes"),
            (":check 1 ==", "syntax/"),
        ] {
            let (text, passed) = checked("cfg", &[input]);
            assert!(text.contains(part) && text.contains("error"), "{input}: {text}");
            assert_eq!(passed, Some(false), "{input}");
        }
    }

    #[test]
    fn only_a_check_has_an_outcome() {
        is("cfg", &[":check 1 == 1", ":type 1"], "Number\n", None);
    }

    #[test]
    fn the_hint_can_be_read_without_a_session() {
        assert_eq!(hint(":check --type \"a\" --hint \"say \\\"x\\\"\" 1"), Some(String::from("say \"x\"")));
        assert_eq!(hint(":check 1 == 1"), None);
        assert_eq!(hint(":type --hint \"x\" 1"), None);
        assert_eq!(hint("1 + 1"), None);
    }
}
