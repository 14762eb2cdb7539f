//! Pictures of resource graphs and function graphs: which edges they have, and what is written on them.

use super::run;
use cfg_core::{Action, Dialect, Drawing, InMemory, Input, NoLoader, Request, Session};
use expect_test::{Expect, expect};

const PROGRAM: &str = "$on = true\nfile \"/a \\\"q\\\" <b>\" {\n\tcontent => \"x\",\n\tNotify => Svc[\"s\"],\n\tBefore => Noop[\"n\"],\n}\n\
svc \"s\" { state => \"running\", Meta:noop => true, }\nnoop \"n\" {\n\tListen => Svc[\"s\"],\n\tNotify => not $on ?: Test[\"t\"],\n}\n\
test \"t\" { uint8 => 1 + 2, }\nTest[\"t\"] -> Noop[\"n\"]\n";

fn graph(program: &str, functions: bool, drawing: Drawing) -> String {
    let input = Input::Text { name: "main.mcl".into(), text: program.into() };
    let action = Action::Graph { at: None, functions, drawing };
    let request = Request { dialect: Some(Dialect::MCL), ..Request::new(vec![input], action) };
    let outcome = Session::new(Box::new(NoLoader)).run(request);
    assert!(outcome.reports.is_empty() && outcome.exit == 0);
    outcome.output.text()
}

#[track_caller]
fn draws(drawing: Drawing, expected: Expect) {
    expected.assert_eq(&graph(PROGRAM, false, drawing));
}

#[test]
fn text_has_each_edge_its_direction_and_its_notification() {
    draws(
        Drawing::Text,
        expect![[r#"
            Edge: file[/a "q" <b>] -> noop[n]
            Edge: file[/a "q" <b>] -> svc[s] # notify
            Edge: svc[s] -> noop[n] # notify
            Edge: test[t] -> noop[n]
            Vertex: file[/a "q" <b>]
            Vertex: noop[n]
            Vertex: svc[s]
            Vertex: test[t]
        "#]],
    );
}

#[test]
fn dot_has_them_with_quoted_names() {
    draws(
        Drawing::Dot,
        expect![[r#"
            digraph {
              rankdir=LR;
              node [shape=box, fontname="monospace"];
              "file[/a \"q\" <b>]";
              "noop[n]";
              "svc[s]";
              "test[t]";
              "file[/a \"q\" <b>]" -> "noop[n]";
              "file[/a \"q\" <b>]" -> "svc[s]" [style=bold, label="notify"];
              "svc[s]" -> "noop[n]" [style=bold, label="notify"];
              "test[t]" -> "noop[n]";
            }
        "#]],
    );
}

#[test]
fn mermaid_has_them_with_quoted_names() {
    draws(
        Drawing::Mermaid,
        expect![[r#"
            graph LR
              n0["file[/a #quot;q#quot; #lt;b#gt;]"]
              n1["noop[n]"]
              n2["svc[s]"]
              n3["test[t]"]
              n0 --> n1
              n0 ==>|notify| n2
              n2 ==>|notify| n1
              n3 --> n1
        "#]],
    );
}

/// Returns the texts of a picture with the middle of each.
fn texts(svg: &str) -> Vec<(String, f64, f64)> {
    let number = |tag: &str, name: &str| -> f64 {
        let (_, rest) = tag.split_once(&format!(" {name}=\"")).expect("an attribute");
        rest.split('"').next().and_then(|n| n.parse().ok()).expect("a number")
    };
    let text = |part: &str| {
        let (tag, rest) = part.split_once('>')?;
        let (text, _) = rest.split_once("</text>")?;
        Some((String::from(text), number(tag, "x"), number(tag, "y")))
    };
    svg.split("<text").skip(1).filter_map(text).collect()
}

#[test]
fn a_picture_has_an_arrow_for_each_edge_and_says_which_notify() {
    let svg = graph(PROGRAM, false, Drawing::Svg);
    assert_eq!(svg.matches("<path class=\"h\"").count(), 4);
    assert_eq!(svg.matches("<rect").count(), 4);
    let texts = texts(&svg);
    let find = |wanted: &str| texts.iter().filter(|(text, ..)| text == wanted).cloned().collect::<Vec<_>>();
    assert_eq!(find("notify").len(), 2, "{svg}");
    let (file, svc, noop) = (&find("file[/a &quot;q&quot; &lt;b&gt;]")[0], &find("svc[s]")[0], &find("noop[n]")[0]);
    assert_eq!(find("state =&gt; &quot;running&quot;").len(), 1);
    // each label is on its arrow: between the boxes that the arrow connects
    let mut labels = find("notify");
    labels.sort_by(|a, b| a.1.total_cmp(&b.1));
    assert!(file.1 < labels[0].1 && labels[0].1 < svc.1, "{labels:?}");
    assert!(svc.1 < labels[1].1 && labels[1].1 < noop.1, "{labels:?}");
    // without notification there are no labels
    let plain = graph("noop \"a\" { Before => Noop[\"b\"], }\nnoop \"b\" {}\n", false, Drawing::Svg);
    assert_eq!(plain.matches("<text").count(), 2, "{plain}");
}

#[test]
fn a_function_graph_says_which_argument_a_value_goes_into() {
    const FUNCTIONS: &str = "test \"t\" { int64 => len(\"x\") + 1, Meta:noop => true, }\n";
    let text = graph(FUNCTIONS, true, Drawing::Text);
    assert!(text.contains("len\n    value <- \"x\"\n"), "{text}");
    let label = |text: &str, argument: &str| text.matches(argument).count();
    let dot = graph(FUNCTIONS, true, Drawing::Dot);
    let mermaid = graph(FUNCTIONS, true, Drawing::Mermaid);
    let svg = graph(FUNCTIONS, true, Drawing::Svg);
    for argument in ["a", "b", "value", "name", "int64", "Meta:noop"] {
        assert_eq!(
            label(&dot, &format!("[label=\"{argument}\"]")),
            text.matches(&format!(" {argument} ")).count().max(1),
            "{dot}"
        );
        assert!(label(&mermaid, &format!("|\"{argument}\"|")) >= 1, "{argument}: {mermaid}");
        assert!(label(&svg, &format!(">{argument}</text>")) >= 1, "{argument}: {svg}");
    }
}

#[test]
fn the_graph_of_a_result_at_the_prompt() {
    let mut session = Session::new(Box::new(NoLoader));
    let said = run(
        &mut session,
        &[
            ":dialect mcl",
            "noop \"a\" { Notify => Noop[\"b\"], }  noop \"b\" {}",
            "noop \"c\" {}",
            ":graph $1",
            ":graph",
            ":explain noop[d]",
            ":explain noop[c].comment",
            ":explain nope[c].comment",
        ],
    );
    expect![[r#"
        > :dialect mcl
        > noop "a" { Notify => Noop["b"], }  noop "b" {}
        noop "a" {}
        noop "b" {}
        Noop["a"] -> Noop["b"] # notify
        > noop "c" {}
        noop "c" {}
        > :graph $1
        Edge: noop[a] -> noop[b] # notify
        Vertex: noop[a]
        Vertex: noop[b]
        > :graph
        Vertex: noop[c]
        > :explain noop[d]
        error: there is no resource `noop[d]` [path/no-resource] = help: did you mean `noop[c]`?
        > :explain noop[c].comment
        error: field comment was not found in struct [value/missing-field] --> mcl[2]:1:1
        > :explain nope[c].comment
        error: there is no resource `nope[c]` [path/no-resource] = help: did you mean `noop[c]`?
    "#]]
    .assert_eq(&said);
}

/// A stream of events and definitions that was written down gives the same values, and goes on in the same way.
#[test]
fn a_saved_session_with_events_replays_the_same() {
    let inputs = [
        ":dialect mcl",
        ":feed datetime.now 1700000000",
        "$hour = datetime.hour(datetime.now())",
        "$long = len(fmt.printf(\"%d\", $hour))",
        "class c($n) { test \"t\" { int64 => $n, } }",
        "include c($hour)",
        ":feed datetime.now 1700003600",
        ":feed os.readfile(\"/motd\") \"hello\"",
        "$motd = os.readfile(\"/motd\")",
    ];
    let questions = [
        "[$hour, $long,]",
        "include c($hour)",
        "$motd",
        ":feed datetime.now 1700007200",
        ":feed os.readfile(\"/motd\") \"bye\"",
    ];
    let files = InMemory::default();
    let mut written = Session::new(Box::new(files.clone()));
    run(&mut written, &inputs);
    run(&mut written, &[":save s.session"]);
    let mut read = Session::new(Box::new(files));
    let loaded = run(&mut read, &[":load s.session", ":dialect mcl"]);
    assert!(!loaded.contains("error"), "{loaded}");
    let replayed = run(&mut read, &questions);
    assert_eq!(replayed, run(&mut written, &questions));
    assert!(replayed.contains("hour  23  ->  0") && replayed.contains("motd  \"hello\"  ->  \"bye\""), "{replayed}");
}
