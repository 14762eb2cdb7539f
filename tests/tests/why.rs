//! The steps of `why` are enough and all needed: the clash stays when everything else is made unknown, and goes away when
//! any one of them is made unknown too.

use cfg_core::language::StdNames;
use cfg_core::problem::types::TypesKind;
use cfg_core::problem::{Problem, ProblemKind};
use cfg_core::term::{FieldName, Node, NodeId, PatKind, Term};
use cfg_core::text::{SourceId, Span};
use cfg_core::ty::Ty;
use cfg_core::why;
use cfg_core::{Dialect, NoLoader, Session};
use cfg_tests::binary::run;
use cfg_tests::generate::{Topic, clash, program};
use std::collections::HashSet;
use std::sync::Arc;

fn within(inner: Span, outer: Span) -> bool {
    inner.source == outer.source && outer.start <= inner.start && inner.end <= outer.end
}

/// Returns the program with holes for everything that is neither a step nor around one.
fn only(term: &Term, why: &why::WhyAnswer) -> Arc<Term> {
    let steps: Vec<&why::WhyStep> = why.steps.iter().chain(&why.meets).collect();
    let stays = |at: Span| steps.iter().any(|s| within(s.at, at) || s.whole && within(at, s.at));
    let constant = |pat: &cfg_core::term::Pat| match pat.kind {
        PatKind::Const(node) => Some(node),
        _ => None,
    };
    let constants: HashSet<NodeId> = term.pats.iter().filter_map(constant).collect();
    let mut left = term.clone();
    let mut work = vec![term.root];
    while let Some(id) = work.pop() {
        let element = matches!(term.node(id), Node::Record(_)) && is_body(term, id);
        if stays(term.span(id)) || constants.contains(&id) || element {
            work.extend(term.children(id));
        } else {
            left.nodes[id.0 as usize] = Node::Hole;
        }
    }
    Arc::new(left)
}

/// Returns the reduced program with a hole for one step, or `None` where no hole is possible, as in a pattern.
fn without(left: &Term, step: &why::WhyStep) -> Option<Arc<Term>> {
    let is_constant = |id| left.pats.iter().any(|pat| matches!(pat.kind, PatKind::Const(node) if node == id));
    let mut work = vec![left.root];
    while let Some(id) = work.pop() {
        if matches!(left.node(id), Node::Hole) {
            continue;
        }
        if left.span(id) != step.at {
            work.extend(left.children(id));
            continue;
        }
        if is_constant(id) || is_body(left, id) {
            return None;
        }
        let mut without = left.clone();
        without.nodes[id.0 as usize] = Node::Hole;
        return Some(Arc::new(without));
    }
    None
}

/// Whether a clash is between the same kinds of types, too.
fn is_same_clash(a: &Problem, b: &Problem) -> bool {
    let kinds = |p: &Problem| match &p.kind {
        ProblemKind::Types(t) => match &t.what {
            TypesKind::Conflict(c) => Some((kind(&c.found.ty), kind(&c.expected.ty))),
            TypesKind::Mixed { first, other, .. } => Some((kind(&first.0.ty), kind(&other.ty))),
            TypesKind::ChangesType { now, was, .. } => Some((kind(&now.ty), kind(&was.ty))),
            _ => None,
        },
        _ => None,
    };
    same(a, b) && kinds(a) == kinds(b)
}

/// The kind of a type, without what is said about its value: of an enumeration its tags, too.
fn kind(ty: &Ty) -> (std::mem::Discriminant<Ty>, Vec<String>) {
    match ty {
        Ty::Fails(_, inner) | Ty::Sibling(_, inner) => kind(inner),
        Ty::Enum(tags, _) => (std::mem::discriminant(ty), tags.keys().map(|tag| tag.name.to_string()).collect()),
        ty => (std::mem::discriminant(ty), Vec::new()),
    }
}

/// Whether a node is the one field of an object comprehension.
fn is_body(term: &Term, id: NodeId) -> bool {
    term.nodes.iter().any(|node| matches!(node, Node::Comprehension(c) if c.object && c.body == id))
}

/// Reports whether two problems have the same position, code and type heads.
fn same(a: &Problem, b: &Problem) -> bool {
    let heads = |p: &Problem| match &p.kind {
        ProblemKind::Types(t) => match &t.what {
            TypesKind::Conflict(c) => Some((c.path.clone(), c.why.clone())),
            _ => None,
        },
        _ => None,
    };
    a.span() == b.span()
        && a.code() == b.code()
        && a.severity <= b.severity
        && heads(a).map(|h| h.0) == heads(b).map(|h| h.0)
}

/// Whether a program's problems of types stay with their steps alone, and with no fewer. Gives how many there were.
fn holds(dialect: Dialect, text: &str) -> Result<usize, String> {
    let session = Session::new(Box::new(NoLoader));
    let read = dialect.program(SourceId(0), text, &StdNames);
    if !read.problems.is_empty() {
        return Ok(0);
    }
    let (_, problems) = session.infer(&read.term);
    let mut tried = 0;
    for problem in problems.iter().filter(|p| matches!(p.kind, ProblemKind::Types(_))).take(3) {
        let Some(why) = session.why_problem(&read.term, problem) else {
            return Err(format!("no answer for {problem:?}\n{text}"));
        };
        tried += 1;
        let left = only(&read.term, &why);
        let (_, problems) = session.infer(&left);
        if !why.least || !problems.iter().any(|p| same(p, problem)) {
            let steps: Vec<&str> =
                why.steps.iter().chain(&why.meets).map(|s| &text[s.at.start as usize..s.at.end as usize]).collect();
            return Err(format!("{text}\n  {problem:?}\n  steps {steps:#?} in {} tries", why.tries));
        }
        for step in why.steps.iter().chain(&why.meets) {
            let Some(without) = without(&left, step) else { continue };
            let (_, problems) = session.infer(&without);
            if problems.iter().any(|p| is_same_clash(p, problem)) {
                let at = &text[step.at.start as usize..step.at.end as usize];
                return Err(format!("{text}\n  {problem:?}\n  the step `{at}` is not needed ({:?})", step.statement));
            }
        }
    }
    Ok(tried)
}

/// Checks that the types of a program's fields remain with only their steps. Returns how many there were.
fn types_hold(dialect: Dialect, text: &str) -> Result<usize, String> {
    let session = Session::new(Box::new(NoLoader));
    let read = dialect.program(SourceId(0), text, &StdNames);
    let Node::Record(lit) = read.term.node(read.term.root) else { return Ok(0) };
    let names = lit.fields.iter().filter_map(|f| match &f.name {
        FieldName::Static(name) => Some(name.clone()),
        FieldName::Computed(_) => None,
    });
    let mut tried = 0;
    for name in names.collect::<Vec<_>>() {
        let mut asked = Term::clone(&read.term);
        asked.nodes.push(Node::Project(read.term.root, name));
        asked.spans.push(read.term.span(read.term.root));
        asked.root = NodeId(asked.nodes.len() as u32 - 1);
        let asked = Arc::new(asked);
        let (before, _) = session.infer(&asked);
        if !matches!(*before.ty, Ty::Number | Ty::String) {
            continue;
        }
        let why = session.why_type(&asked);
        tried += 1;
        let (after, _) = session.infer(&only(&asked, &why));
        if !why.least || before.ty != after.ty {
            return Err(format!("{text}\n  {:?} is {:?}: {:#?}", before.ty, after.ty, why.steps));
        }
    }
    Ok(tried)
}

type Held = fn(Dialect, &str) -> Result<usize, String>;

fn check(count: u64, dialect: Dialect, held: Held, text: impl Fn(u64) -> String) {
    let mut tried = 0;
    let failures: Vec<String> = (0..count)
        .filter_map(|seed| match held(dialect, &text(seed)) {
            Ok(n) => {
                tried += n;
                None
            }
            Err(why) => Some(format!("seed {seed}: {why}")),
        })
        .collect();
    println!("{dialect:?}: {tried} problems");
    assert!(tried > count as usize / 20, "only {tried} problems");
    assert!(
        failures.is_empty(),
        "{} of {tried}:\n{}",
        failures.len(),
        failures.into_iter().take(3).collect::<Vec<_>>().join("\n\n")
    );
}

#[test]
fn the_steps_of_a_clash_are_enough_and_needed_in_cfg() {
    check(300, Dialect::CFG, holds, |seed| clash(Dialect::CFG, seed));
}

#[test]
fn the_steps_of_a_clash_are_enough_and_needed_in_jsonnet() {
    check(300, Dialect::JSONNET, holds, |seed| clash(Dialect::JSONNET, seed));
}

#[test]
fn the_steps_of_a_type_are_enough() {
    for dialect in [Dialect::CFG, Dialect::JSONNET] {
        check(100, dialect, types_hold, |seed| clash(dialect, seed));
    }
}

#[test]
fn the_steps_of_a_clash_are_enough_and_needed_of_everything_there_is() {
    for topic in Topic::ALL {
        let count = 60;
        let failures: Vec<String> =
            (0..count).filter_map(|seed| holds(Dialect::CFG, &program(topic, seed)).err()).collect();
        assert!(failures.is_empty(), "{topic:?}: {} of {count}\n{}", failures.len(), failures[0]);
    }
}

/// Returns the output of `cfg why` for files in a new folder.
fn said(files: &[(&str, &str)], arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    let arguments: Vec<String> = std::iter::once("why").chain(arguments.iter().copied()).map(String::from).collect();
    let ran = run(&arguments, folder.path(), "");
    format!("{}{}", ran.out, ran.err)
}

#[test]
fn a_chain_goes_through_imports() {
    let files = [
        ("port.libsonnet", "{ port:: '90' }"),
        ("mixin.libsonnet", "local port = import 'port.libsonnet';\n{ config+:: { port: port.port } }"),
        ("base.libsonnet", "{ config:: { port: 80, name: 'x' }, next: self.config.port * 2 }"),
        ("lib.libsonnet", "(import 'base.libsonnet') + (import 'mixin.libsonnet')"),
        ("main.jsonnet", "local lib = import 'lib.libsonnet';\n{ a: lib.config.port - 1, b: 2 }"),
    ];
    let expected = "type clash at a: string is not number\n\n  1  '90'                 is string     port.libsonnet:1:10\n  \
                    2  lib.config.port - 1  wants number  main.jsonnet:2:6\n  +  9 more steps: how `string` reached a  \
                    (`--step 1`)\n\n  nearest fix: port.libsonnet:1:10  '90' -> 90\n";
    assert_eq!(said(&files, &["main.jsonnet", "a"]), expected);
    let files = [
        ("port.cfg", "{ Port = Number }"),
        ("server.cfg", "let { Port, .. } = import \"port.cfg\" in { Server = { port | Port, host | String } }"),
        (
            "main.cfg",
            "let { Server, .. } = import \"server.cfg\" in\n{ web | Server = { host = \"a\", port = \"80\" }, more = 1 }",
        ),
    ];
    let expected = "type clash at web.port: String is not Number\n\n  1  \"80\"    is String     main.cfg:2:39\n  \
                    2  Number  wants Number  port.cfg:1:10\n  +  2 more steps: how `Number` reached port  \
                    (`--step 2`)\n\n  nearest fix: main.cfg:2:39  \"80\" -> 80\n";
    assert_eq!(said(&files, &["main.cfg"]), expected);
    let data = [("a.yaml", "server:\n  port: 80\n")];
    let expected = "server.port : Number\n\n  1  80  is Number  a.yaml:2:9\n";
    assert_eq!(said(&data, &["a.yaml", "server.port"]), expected);
    assert!(said(&data, &["a.yaml", "server.prt"]).contains("did you mean `port`?"));
}
