//! The drawings of the document on the resolver, in the notation that it draws them in.

use super::ran;
use crate::session::{Action, Drawing};
use std::collections::BTreeMap;

/// An edge: the labels of its ends and its own.
type Edge = (String, String, String);

/// Returns the edges of a drawing of the document, sorted.
fn of_drawing(drawing: &str) -> Vec<Edge> {
    let label_in =
        |rest: &str| rest.split_once("[label=\"").and_then(|(_, l)| l.split_once('"')).map(|(l, _)| l.to_string());
    let mut labels: BTreeMap<String, String> = BTreeMap::new();
    let mut edges = Vec::new();
    for line in drawing.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (left, rest) = line.split_once([' ', ';']).unwrap_or((line, ""));
        match rest.trim().strip_prefix("-> ") {
            Some(rest) => {
                let (right, rest) = rest.split_once([' ', ';']).unwrap_or((rest, ""));
                edges.push((left.to_string(), label_in(rest).unwrap_or_default(), right.to_string()));
            }
            None => {
                let label = label_in(rest).unwrap_or(left.to_string());
                // the drawing writes a boxed value as the value alone
                let label = if left.starts_with("Boxed") { format!("Boxed({label})") } else { label };
                labels.insert(left.to_string(), label);
            }
        }
    }
    let name = |node: String| labels.get(&node).cloned().unwrap_or(node);
    let mut edges: Vec<Edge> = edges.into_iter().map(|(a, label, b)| (name(a), label, name(b))).collect();
    edges.sort();
    edges
}

/// Returns the edges of the graph of a value, sorted.
fn of_graph(text: &str, at: &str, part: &str) -> Vec<Edge> {
    let at = (!at.is_empty()).then(|| String::from(at));
    let out = ran(&[("main.yay", text)], Action::Graph { at, functions: false, drawing: Drawing::Json });
    let graph: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}"));
    let nodes = graph[part].as_array().unwrap_or_else(|| panic!("{out}"));
    let label = |node: &serde_json::Value| node["label"].as_str().expect("a label").to_string();
    let mut edges = Vec::new();
    for node in nodes {
        for edge in node["edges"].as_array().expect("edges") {
            let to = edge["to"].as_u64().expect("a number") as usize;
            edges.push((label(node), edge["label"].as_str().expect("a label").to_string(), label(&nodes[to])));
        }
    }
    edges.sort();
    edges
}

/// Returns the edges as lines, for small graphs.
fn lines(text: &str, at: &str, part: &str) -> Vec<String> {
    of_graph(text, at, part).into_iter().map(|(from, label, to)| format!("{from} -{label}> {to}")).collect()
}

#[test]
fn a_predecessor_as_it_is_drawn() {
    let drawing = r#"
        Mapping;
        Mapping -> Extend [label="foo"];
        Sequence1 [label="Sequence"];
        Boxed1 [label="1"];
        Boxed2 [label="2"];
        Sequence1 -> Boxed1;
        Sequence1 -> Boxed2;
        Extend -> Sequence1 [label="predecessor"];
        Sequence2 [label="Sequence"];
        Boxed3 [label="3"];
        Sequence2 -> Boxed3;
        Extend -> Sequence2 [label="inner"];
    "#;
    let text = "foo:\n  - 1\n  - 2\n\nextend foo:\n  - 3\n";
    assert_eq!(of_graph(text, "", "parsed"), of_drawing(drawing));
}

#[test]
fn a_loop_before_its_expansion_as_it_is_drawn() {
    let drawing = r#"
        Mapping -> For [label="foo"];
        Function [label="Function(range, 2)"];
        For -> Function [label="sequence"];
        For -> Sequence [label="inner"];
        Access [label="Access(key=i)"];
        Sequence -> Access;
    "#;
    let text = "foo:\n  % for i in range(2)\n      - {{ i }}\n";
    assert_eq!(of_graph(text, "", "parsed"), of_drawing(drawing));
}

#[test]
fn a_loop_after_its_expansion_as_it_is_drawn() {
    let drawing = r#"
        Context0 [label="Context(i=0)"];
        Sequence -> Context0 [label="0"];
        Sequence0 [label="Sequence"];
        Access0 [label="Access(key=i)"];
        Sequence0 -> Access0;
        Context0 -> Sequence0;
        Context1 [label="Context(i=1)"];
        Sequence -> Context1 [label="1"];
        Sequence1 [label="Sequence"];
        Access1 [label="Access(key=i)"];
        Sequence1 -> Access1;
        Context1 -> Sequence1;
    "#;
    let text = "foo:\n  % for i in range(2)\n      - {{ i }}\n";
    assert_eq!(of_graph(text, "foo", "expanded"), of_drawing(drawing));
    // a condition leaves elements out, and an element keeps its number in the result
    let text = "baz:\n  - 1\n  - 2\nfoo:\n  for i in baz if i > 1:\n    - {{ i }}\n";
    assert_eq!(
        lines(text, "foo", "expanded"),
        ["Context(i=2) -> Sequence", "Sequence -> Access(key=i)", "Sequence -0> Context(i=2)"]
    );
}

#[test]
fn accesses_are_chained() {
    let text = "foo:\n  bar: 1\na: {{ foo.bar }}\nb: {{ foo[a] else 2 }}\n";
    assert_eq!(lines(text, "a", "parsed"), ["Access(key=bar) -of> Access(key=foo)"]);
    assert_eq!(
        lines(text, "b", "parsed"),
        [
            "Access -key> Access(key=a)",
            "Access -of> Access(key=foo)",
            "Else -otherwise> Boxed(2)",
            "Else -value> Access"
        ]
    );
}

#[test]
fn an_expansion_resolves_the_guard_and_not_what_it_guards() {
    let text = "cond: COND\ndefault: happy\n\n% if cond == \"hello\"\n    default: really happy\n    \
                other: {{ some.datastructure }}\n";
    let text = |cond: &str| text.replace("COND", cond);
    let out = |cond: &str| {
        let at = Some(String::from("default"));
        ran(&[("main.yay", &text(cond))], Action::Graph { at, functions: false, drawing: Drawing::Json })
    };
    assert!(out("hello").contains(r#""expanded":[{"label":"Boxed(\"really happy\")""#), "{}", out("hello"));
    assert!(out("bye").contains(r#""expanded":[{"label":"Boxed(\"happy\")""#), "{}", out("bye"));
    // the whole document: what is guarded is drawn, not evaluated
    let whole = lines(&text("hello"), "", "expanded");
    assert!(whole.contains(&"Mapping -other> Access(key=datastructure)".to_string()), "{whole:?}");
    assert!(whole.contains(&"Mapping -predecessor> Mapping".to_string()), "{whole:?}");
}

#[test]
fn a_chain_of_guards_expands_to_the_end() {
    let text = "var: 1\n\n% if 0\n    var: 2\n\n% if 0\n    var: 3\n\nfoo: {{ var }}\n";
    let at = Some(String::from("foo"));
    let out = ran(&[("main.yay", text)], Action::Graph { at, functions: false, drawing: Drawing::Text });
    assert_eq!(out, "parsed\n  Access(key=var)  main.yay:9:9\nexpanded\n  Boxed(1)  main.yay:1:6\n");
}

#[test]
fn a_guard_that_fails_has_no_expansion() {
    let text = "a: 1\nif nowhere:\n  a: 2\n";
    let at = || Some(String::from("a"));
    let out = ran(&[("main.yay", text)], Action::Graph { at: at(), functions: false, drawing: Drawing::Text });
    assert!(out.contains("If") && !out.contains("expanded"), "{out}");
    // cycles end
    let out = ran(
        &[("main.yay", "a: {{ b }}\nb: {{ a }}\n")],
        Action::Graph { at: at(), functions: false, drawing: Drawing::Text },
    );
    assert!(out.contains("Access(key=b)") && !out.contains("expanded"), "{out}");
}

#[test]
fn contexts_macros_and_prototypes() {
    let text = "somevar: 123\nfoo:\n  % let temp1 = 123\n  bar: {{ temp1 }}\n";
    assert_eq!(
        lines(text, "foo", "parsed"),
        ["Context -inner> Mapping", "Context -temp1> Boxed(123)", "Mapping -bar> Access(key=temp1)"]
    );
    let text = "prototype P:\n  x: 1\ni:\n  new P:\n    y: 2\n";
    assert_eq!(
        lines(text, "i", "expanded"),
        ["Context(self) -> Mapping", "Mapping -predecessor> Mapping", "Mapping -x> Boxed(1)", "Mapping -y> Boxed(2)"]
    );
    let text = "macro M:\n  x: {{ a }}\ni:\n  call M:\n    a: 2\n";
    assert_eq!(
        lines(text, "i", "expanded"),
        ["Context -a> Boxed(2)", "Context -inner> Mapping", "Mapping -x> Access(key=a)"]
    );
}

#[test]
fn an_expansion_goes_through_loops_and_macros() {
    // a loop in a loop: its list is that of the outer variable
    let text = "foo:\n  for i in range(1, 3):\n    for j in range(i):\n      - {{ i }}{{ j }}\n";
    let edges = lines(text, "foo", "expanded");
    let contexts = |name: &str| edges.iter().filter(|edge| edge.ends_with(&format!("> Context({name})"))).count();
    assert_eq!([contexts("i=1"), contexts("i=2"), contexts("j=0"), contexts("j=1")], [1, 1, 2, 1], "{edges:#?}");
    assert!(edges.iter().all(|edge| !edge.contains("For")), "{edges:#?}");
    // a guard in a loop
    let text = "foo:\n  for i in range(3):\n    - x:\n        if i == 1:\n          y: 2\n";
    let edges = lines(text, "foo", "expanded");
    assert_eq!(edges.iter().filter(|edge| edge.contains("-y>")).count(), 1, "{edges:#?}");
    assert!(edges.iter().all(|edge| !edge.contains("If")), "{edges:#?}");
    // a loop and a guard in a macro, and the macro in a loop
    let text = "macro M:\n  l:\n    for i in range(n):\n      - {{ i }}\n  k:\n    if n == 2:\n      z: 1\n\
                a:\n  call M:\n    n: 2\nb:\n  for c in range(1, 3):\n    - in:\n        call M:\n          n: {{ c }}\n";
    let edges = lines(text, "a", "expanded");
    assert!(edges.contains(&"Sequence -1> Context(i=1)".into()) && edges.contains(&"Mapping -z> Boxed(1)".into()));
    let edges = lines(text, "b", "expanded");
    let count = |part: &str| edges.iter().filter(|edge| edge.contains(part)).count();
    assert_eq!([count("> Context(i=0)"), count("> Context(i=1)"), count("-z>")], [2, 1, 1], "{edges:#?}");
    // directives between elements, and one that fails
    let text = "foo:\n  - 7\n  for i in [1, 2]:\n    - {{ i }}\n  if 0:\n    - 8\n  - 9\n";
    let edges = lines(text, "foo", "expanded");
    assert!(edges.contains(&"Sequence -0> Boxed(7)".into()), "{edges:#?}");
    assert!(edges.contains(&"Sequence -2> Context(i=2)".into()), "{edges:#?}");
    assert!(edges.contains(&"Sequence -3> Boxed(9)".into()), "{edges:#?}");
    let text = "foo:\n  for i in range(2):\n    for j in nowhere:\n      - 1\n";
    assert!(lines(text, "foo", "expanded").iter().any(|edge| edge.ends_with("For")), "{text}");
    // the whole document, and a key inside a dictionary
    let text = "d:\n  foo:\n    for i in range(2):\n      - {{ i }}\n";
    assert!(lines(text, "", "expanded").contains(&"Sequence -1> Context(i=1)".into()));
}

#[test]
fn of_a_long_loop_the_first_elements_are_drawn_and_the_others_counted() {
    let text = "foo:\n  for i in range(1000):\n    - {{ i }}\nextend foo:\n  - 5\n";
    let edges = lines(text, "foo", "expanded");
    let contexts = edges.iter().filter(|edge| edge.contains("> Context(")).count();
    assert_eq!(contexts, 12, "{edges:#?}");
    assert!(edges.contains(&"Sequence -> … 988 more".into()) && edges.contains(&"Sequence -1000> Boxed(5)".into()));
    // an element that is not among them
    let edges = lines(text, "foo[500]", "expanded");
    assert!(edges.contains(&"Context(i=500) -> Sequence".into()), "{edges:#?}");
}

#[test]
fn expansions_go_through_prototypes_and_sets() {
    let prototype = "prototype P:\n  size: 1\n  list:\n    for i in range(self.size):\n      - {{ i }}\n  if self.size == 2:\n    big: yes\n";
    let text = format!("{prototype}x:\n  new P:\n    size: 2\n");
    let expanded = lines(&text, "x", "expanded");
    for edge in ["Sequence -1> Context(i=1)", "Mapping -big> Boxed(\"yes\")", "Mapping -predecessor> Mapping"] {
        assert!(expanded.iter().any(|line| line == edge), "{edge}\n{expanded:#?}");
    }
    assert!(!expanded.iter().any(|line| line.starts_with("If ") || line.starts_with("For ")), "{expanded:#?}");
    // the instance is larger than the prototype says
    assert!(!lines(&text.replace("size: 2\n", "size: 3\n"), "x", "expanded").iter().any(|line| line.contains("big")));
    let text = "foo:\n  for i in range(1, 3):\n    set n = i + 1\n    for j in range(n):\n      - {{ j }}\n";
    let expanded = lines(text, "foo", "expanded");
    assert_eq!(expanded.iter().filter(|line| line.contains("> Context(j=")).count(), 5, "{expanded:#?}");
}
