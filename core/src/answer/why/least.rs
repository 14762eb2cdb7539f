//! Checks that the steps of a clash are sufficient and necessary, across cells and files. The clash remains when
//! everything else is made unknown, and disappears when any one step is made unknown too.

use super::slice::{fixed, visible, within};
use super::{WhyAnswer, WhyStep, is_same};
use crate::loader::Loader;
use crate::problem::{Problem, ProblemKind};
use crate::session::Session;
use crate::state::Slice;
use crate::term::{Node, NodeId, Term};
use std::io;
use std::path::{Path, PathBuf};

/// Files in memory.
struct Files(&'static [(&'static str, &'static str)]);

impl Loader for Files {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let file = self.0.iter().find(|(name, _)| Path::new(name) == path);
        file.map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.read(path).map(|_| path.to_path_buf())
    }
    fn env(&self, _: &str) -> Option<String> {
        None
    }
    fn list(&self, _: &Path) -> Vec<String> {
        Vec::new()
    }
    fn stamp(&self, _: &Path) -> Option<u64> {
        None
    }
}

/// Hides everything that is neither a step nor around one.
fn keep_only(slice: &mut Slice<'_>, steps: &[&WhyStep]) {
    let stays = |term: &Term, id: NodeId| {
        let at = term.span(id);
        steps.iter().any(|s| within(s.at, at) || s.whole && within(at, s.at))
    };
    for part in 0..slice.len() {
        let Some(term) = slice.term(part).cloned() else { continue };
        let fixed = fixed(&term);
        let mut hidden = Vec::new();
        let mut work = vec![term.root];
        while let Some(id) = work.pop() {
            match stays(&term, id) || fixed.contains(&id) {
                true => work.extend(term.children(id)),
                false => hidden.push(id),
            }
        }
        drop(term);
        hidden.retain(|id| slice.term(part).is_some_and(|term| !matches!(term.node(*id), Node::Hole)));
        slice.hide(part, &hidden);
    }
}

/// Returns the part and the node of a step.
fn place(slice: &Slice<'_>, step: &WhyStep) -> Option<(usize, NodeId)> {
    (0..slice.len()).find_map(|part| {
        let term = slice.term(part)?;
        let fixed = fixed(term);
        let found = visible(slice, part).into_iter().find(|id| term.span(*id) == step.at)?;
        (!fixed.contains(&found)).then_some((part, found))
    })
}

/// Checks that the steps of the first clash of the last input are sufficient and necessary. Returns the number of steps
/// that were tried.
fn check(files: &'static [(&'static str, &'static str)], inputs: &[&str]) -> Result<usize, String> {
    let mut session = Session::new(Box::new(Files(files)));
    let (last, before) = inputs.split_last().expect("an input");
    for input in before {
        session.submit(input);
    }
    let (dialect, text) = session.language_line(last).unwrap_or((session.dialect(), String::from(*last)));
    let source = session.workspace.add_input("last", last, dialect);
    let read = dialect.program(source, &text, session.workspace.names());
    // a clash that only a call causes is a warning of the program itself
    let own = || session.infer(&read.term).1.into_iter().find(|p| matches!(p.kind, ProblemKind::Types(_)));
    let found = super::fault(&session.workspace, &read.term).or_else(|| Some((read.term.clone(), own()?)));
    let (root, problem) = found.ok_or_else(|| format!("{inputs:?}: no clash"))?;
    let why: WhyAnswer =
        super::problem(&session.workspace, &root, &problem).ok_or_else(|| format!("{inputs:?}: no answer"))?;
    let steps: Vec<&WhyStep> = why.steps.iter().chain(&why.meets).collect();
    if !why.least || steps.len() < 2 {
        return Err(format!("{inputs:?}: {steps:#?}"));
    }
    let mut slice = session.workspace.slice(&root);
    keep_only(&mut slice, &steps);
    let holds = |slice: &Slice<'_>| slice.typed(0).problems.iter().any(|p: &Problem| is_same(p, &problem));
    if !holds(&slice) {
        return Err(format!("{inputs:?}: {steps:#?} are not enough"));
    }
    let mut tried = 0;
    for step in &steps {
        let Some((part, node)) = place(&slice, step) else { continue };
        slice.hide(part, &[node]);
        if holds(&slice) {
            return Err(format!("{inputs:?}: {step:#?} is not needed"));
        }
        slice.show(part, &[node]);
        assert!(holds(&slice), "{inputs:?}: what was hidden is shown again");
        tried += 1;
    }
    Ok(tried)
}

const FILES: &[(&str, &str)] = &[
    ("port.libsonnet", "{ port:: '90', other: 1 }"),
    ("base.libsonnet", "{ config:: { port: 80, name: 'x' }, next: self.config.port * 2 }"),
    ("mixin.libsonnet", "local p = import 'port.libsonnet';\n{ config+:: { port: p.port, more: 1 } }"),
    ("port.cfg", "{ Port = Number, Name = String }"),
    ("server.cfg", "let { Port, .. } = import \"port.cfg\" in { Server = { port | Port, host | String } }"),
    ("data.json", "{ \"port\": \"80\", \"host\": \"a\", \"rest\": [1, 2] }"),
    ("add.cfg", "{ add = fun x y => x + y, join = fun x y => x ++ y }"),
];

#[test]
fn across_cells_and_files() {
    let programs: &[&[&str]] = &[
        // functions
        &["let add = fun x y => x + y", "let name = \"a\"", "{ bad = add 1 name, good = add 1 2 }"],
        &["let add = fun x y => x + y", "std.array.map (add 1) [\"7\"]"],
        &["let twice = fun f x => f (f x)", "let inc = fun n => n + 1", "twice inc \"a\""],
        &["let f = fun x => x.nme ++ \"\"", "let r = { name = \"a\" }", "[f r]"],
        &["let pick = fun c a b => if c then a else b", "pick true 1 2 ++ \"a\""],
        // merges
        &[
            "let base = { server = { host | String = \"l\", port | Number | default = 8080 } }",
            "base & { server.port = \"80\" }",
        ],
        &["let a = { x = 1, y = 2 }", "let b = { y = \"s\", z = 3 }", "a & b"],
        &["let a = { x | default = 1, y = x + 1 }", "let b = { z = 1 }", "(a & b & { w = 2 }).y ++ \"s\""],
        &["c = { a.b = 1 }", "c = c & { a.d = 2 }", "c & { a.b = { e = 1 } }"],
        // inheritance
        &[
            "%%jsonnet\nlocal base = { port: 80, twice: self.port * 2 }",
            "%%jsonnet\n(base { port: '80', p: super.port }).twice - 1",
        ],
        &[
            "%%jsonnet\nlocal base = { name: 'a', n: 1 }",
            "%%jsonnet\nlocal mixin = { n: super.name }",
            "%%jsonnet\n(base + mixin).n * 2",
        ],
        &["%%jsonnet\nlocal f(x) = { v: x, w: 1 }", "%%jsonnet\n{ a: f('s').v / 2, b: 1 }"],
        // imports
        &["let server = import \"server.cfg\"", "{ port = \"80\", host = \"a\" } | server.Server"],
        &["(import \"add.cfg\").add 1 \"s\""],
        &["d = import \"data.json\"", "e = d & { more = 1 }", "{ next = e.port + 1, host = e.host }"],
        &[
            "%%jsonnet\nlocal lib = (import 'base.libsonnet') + (import 'mixin.libsonnet')",
            "%%jsonnet\n{ a: lib.config.port - 1 }",
        ],
        // earlier cells
        &["x = 1", "y = [x]", "z = { v = y }", "x = \"s\"", "std.array.first z.v + 1"],
        &["x = { a = 1 }", "x = x & { b = \"t\" }", "x = x & { c = 2 }", "x.b * x.a"],
        &["a = \"1\"", "b = a", "c = b", "d = { e = c, f = 1 }", "if d.e then 1 else 2"],
    ];
    let (tried, wrong): (Vec<_>, Vec<_>) = programs.iter().map(|inputs| check(FILES, inputs)).partition(Result::is_ok);
    let wrong: Vec<String> = wrong.into_iter().filter_map(Result::err).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    let tried: usize = tried.into_iter().flatten().sum();
    assert!(tried >= 3 * programs.len(), "{tried} steps were tried");
}
