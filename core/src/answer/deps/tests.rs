//! Dependencies of programs: each test has a program and the expected answer.

use super::{DepsQuestion, Direction, deps};
use crate::answer::explain::recomputed::recomputed;
use crate::dialect::Dialect;
use crate::loader::NoLoader;
use crate::session::Session;
use crate::text::Span;
use crate::text::path::FieldPath;
use std::sync::Arc;

/// Returns a session, and a question about a field of a program.
fn asked(dialect: Dialect, program: &str, path: &str) -> (Session, DepsQuestion) {
    let mut session = Session::new(Box::new(NoLoader));
    session.set_dialect(dialect).expect("a language");
    let source = session.workspace.add_input("p", program, dialect);
    let program = dialect.program(source, program, session.workspace.names());
    assert!(program.problems.is_empty(), "{:?}", program.problems);
    let question = DepsQuestion::of_program(&Arc::clone(&program.term), FieldPath::parse(path).expect("a path").steps);
    (session, question)
}

/// Returns the labels of the listed items, each with the items that it leads to: `a(b c) b c; around`.
fn listed(dialect: Dialect, program: &str, path: &str, direction: Direction) -> String {
    let (mut session, question) = asked(dialect, program, path);
    let deps = deps(&mut session.workspace, &question, direction).expect("a field");
    let name = |n: usize| crate::answer::deps::text::name(&deps.network.items[n].label).text();
    let names = |all: &[usize]| all.iter().map(|n| name(*n)).collect::<Vec<_>>().join(" ");
    let one = |n: &usize| match deps.next[*n].as_slice() {
        [] => name(*n),
        next => format!("{}({})", name(*n), names(next)),
    };
    let tree = deps.first().iter().map(one).collect::<Vec<_>>().join(" ");
    if deps.through.is_empty() { tree } else { format!("{tree}; {}", names(&deps.through)) }
}

#[test]
fn what_a_value_is_made_from() {
    const CFG: Dialect = Dialect::CFG;
    const JSONNET: Dialect = Dialect::JSONNET;
    for (dialect, program, path, answer) in [
        (CFG, "{ a = b, b = c + 1, c = 1, d = 2 }", "a", "b(c)"),
        (CFG, "let x = 1 in { a = x, b = a }", "b", "a(let x)"),
        (CFG, "{ a = let x = b in x + x, b = 1 }", "a", "b"),
        (CFG, "{ r = { x = 1, y = 2 }, a = r.x }", "a", "r.x"),
        (CFG, "{ r = { x = 1, y = 2 }, a = std.record.fields r }", "a", "r"),
        (CFG, "let l = { x | default = 1, y = x } in l & { x = 2 }", "y", "x; let l"),
        (CFG, "let C = Number in { a | C = b, b = 1 }", "a", "let C b"),
        (CFG, "let p = { x = 1, y = 2 } in { a = p.x }", "a", "let p.x; let p"),
        (CFG, "let k = 1 in let f = fun n => n + k in { a = f b, b = 2 }", "a", "let f b let k"),
        (CFG, "{ a = std.array.fold_left (+) 0 [b, c], b = 1, c = 2 }", "a", "b c"),
        (CFG, "{ l = [b, 1], a = std.array.first l, b = 1 }", "a", "l b"),
        (JSONNET, "{ a: self.b, b: $.c, c:: 1 }", "a", "b(c)"),
        (JSONNET, "{ a: 1, b: 2 } + { a: super.a + self.b }", "a", "b"),
        (JSONNET, "{ a: [1], b: 2 } + { a+: [self.b] }", "a", "b"),
        (JSONNET, "local x = 1; { local y = x + self.b, a: y, b: 2 }", "a", "let y(let x b)"),
        (JSONNET, "{ a: 1, b: 2, assert self.b > 1 }", "a", "; b"),
    ] {
        assert_eq!(listed(dialect, program, path, Direction::Reads), answer, "{program}: {path}");
    }
}

#[test]
fn who_reads_a_value() {
    for (program, path, answer) in [
        ("{ a = b, b = c + 1, c = 1, d = 2 }", "c", "b(a)"),
        ("{ a = b, b = c + 1, c = 1, d = 2 }", "d", ""),
        ("{ r = { x = 1, y = 2 }, a = r.x, b = r }", "r.x", "a"),
        ("{ r = { x = 1, y = x }, a = r.y }", "r.x", "r.y(a)"),
    ] {
        assert_eq!(listed(Dialect::CFG, program, path, Direction::UsedBy), answer, "{program}: {path}");
    }
}

#[test]
fn late_binding_recomputes() {
    const CFG: Dialect = Dialect::CFG;
    const JSONNET: Dialect = Dialect::JSONNET;
    for (dialect, program, path, answer) in [
        (CFG, "{ a | default = 1, b = a + 1, c = b } & { a = 5 }", "a", "b 2->6, c 2->6"),
        (CFG, "{ a = 1, b = a + 1 }", "a", ""),
        (CFG, "{ s = { a | default = 1, b = a } } & { s = { a = 2 } }", "s.a", "s.b 1->2"),
        (CFG, "{ s = { a | default = 1, t = { b = a } } } & { s = { a = 2 } }", "s.a", "s.t.b 1->2"),
        (CFG, "{ b = a, a | Number } & { a = 2 }", "a", "b ->2"),
        (CFG, "{ a | default = 1, b = a > 0 } & { a = 2 }", "a", ""),
        (JSONNET, "{ a: 1, b: self.a } + { a: 2 }", "a", "b 1->2"),
    ] {
        let (mut session, question) = asked(dialect, program, path);
        let shown = |datum: &crate::value::datum::Datum| {
            crate::dialect::notation::value::one_line(dialect.spelling(), datum).text()
        };
        // the winner is the last number
        let at = program.rfind(char::is_numeric).unwrap();
        let source = question.term.span(question.term.root).source;
        let all = recomputed(&mut session.workspace, &question, vec![Span::new(source, at, at + 1)]);
        let all = all.iter().map(|r| {
            format!(
                "{} {}->{}",
                r.path,
                r.was.as_ref().map(shown).unwrap_or_default(),
                r.now.as_ref().map(shown).unwrap_or_default()
            )
        });
        assert_eq!(all.collect::<Vec<_>>().join(", "), answer, "{program}: {path}");
    }
}
