//! A graph of dependencies as text, and in the notations of Graphviz and Mermaid.

use super::svg;
use crate::answer::Renderer;
use crate::answer::graph::Graph;
use crate::dialect::Dialect;
use crate::styled::table::Table;
use crate::styled::{Role, Styled};
use crate::view::Drawing;
use crate::view::html::escape;

/// Renders the graph, without a line end after the last line.
pub fn draw(graph: &Graph, drawing: Drawing, to: &Renderer<'_>) -> Styled {
    match drawing {
        Drawing::Text => text(graph, to),
        Drawing::Dot => Styled::from(dot(graph).as_str()),
        Drawing::Mermaid => Styled::from(mermaid(graph).as_str()),
        Drawing::Svg => Styled::from(svg::svg(graph, to.dialect, svg::PAGE).as_str()),
        Drawing::Json => Styled::from(super::json::json(graph, to).to_string()),
    }
}

/// Renders a line for each field that reads others.
pub fn text(graph: &Graph, to: &Renderer<'_>) -> Styled {
    let mut table = Table::new().within(to.page);
    for (number, node) in graph.nodes.iter().enumerate() {
        let mut read = Styled::new();
        for (_, to) in graph.edges.iter().filter(|(from, _)| *from == number) {
            if !read.is_empty() {
                read.plain(", ");
            }
            read.push(Role::Name, graph.nodes.get(*to).map(|n| n.name()).unwrap_or_default());
        }
        if !read.is_empty() {
            table.row([Styled::of(Role::Name, node.name()), Styled::of(Role::Dim, "reads"), read]);
        }
    }
    let mut out = table.fit();
    for line in closing(graph) {
        if !out.is_empty() {
            out.plain("\n");
        }
        out.push(Role::Dim, line);
    }
    out
}

/// Returns a picture for a page that may be dark or light.
pub fn picture(graph: &Graph, dialect: Dialect) -> String {
    svg::svg(graph, dialect, svg::PART)
}

/// Returns the sentences after the arrows.
pub fn closing(graph: &Graph) -> Vec<String> {
    let mut notes = Vec::new();
    match (graph.nodes.is_empty(), graph.apart) {
        (true, 0) if graph.fault.is_some() => notes.push(String::from("There is no value.")),
        (true, 0) => notes.push(String::from("The value has no fields, so none reads another.")),
        (true, 1) => notes.push(String::from("The one field reads nothing.")),
        (true, apart) => notes.push(format!("None of {apart} fields reads another one.")),
        (false, 0) => {}
        (false, 1) => notes.push(String::from("1 other field reads nothing, and nothing reads it.")),
        (false, apart) => notes.push(format!("{apart} other fields read nothing, and nothing reads them.")),
    }
    if graph.cut {
        notes.push(String::from("The list is incomplete: the evaluation is too large, or was stopped."));
    }
    notes
}

/// Returns a label for Graphviz.
pub fn dot_quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

/// Returns a label for Mermaid.
pub fn mermaid_label(text: &str) -> String {
    let mut label = String::new();
    escape(text, &mut label);
    // Mermaid writes a quote as the entity `#quot;` and a number sign by its code.
    label.replace('#', "&35;").replace('&', "#").replace('\n', " ")
}

/// Returns the graph for Graphviz. An arrow goes from the reader to the field that it reads.
fn dot(graph: &Graph) -> String {
    let quoted = dot_quoted;
    let mut out = String::from("digraph {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];\n");
    for node in &graph.nodes {
        out += &format!("  {};\n", quoted(&node.name()));
    }
    for (from, to) in &graph.edges {
        if let (Some(from), Some(to)) = (graph.nodes.get(*from), graph.nodes.get(*to)) {
            out += &format!("  {} -> {};\n", quoted(&from.name()), quoted(&to.name()));
        }
    }
    out + "}"
}

/// Returns the graph for Mermaid. An arrow goes from the reader to the field that it reads.
fn mermaid(graph: &Graph) -> String {
    let mut out = String::from("graph LR");
    for (number, node) in graph.nodes.iter().enumerate() {
        let label = mermaid_label(&node.name());
        out += &format!("\n  n{number}[\"{label}\"]");
    }
    for (from, to) in &graph.edges {
        out += &format!("\n  n{from} --> n{to}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::draw;
    use crate::answer::deps::DepsQuestion;
    use crate::answer::graph::graph;
    use crate::answer::{Hints, Renderer};
    use crate::dialect::Dialect;
    use crate::loader::NoLoader;
    use crate::session::{Drawing, Session};
    use expect_test::{Expect, expect};

    fn check(drawing: Drawing, program: &str, answer: Expect) {
        let mut session = Session::new(Box::new(NoLoader));
        let source = session.workspace.add_input("p.cfg", program, Dialect::CFG);
        let program = Dialect::CFG.program(source, program, session.workspace.names());
        let graph =
            graph(&mut session.workspace, &DepsQuestion::of_program(&program.term, Vec::new())).expect("a graph");
        let sources = session.workspace.world.sources.borrow();
        let page = Renderer { page: Some(40), dialect: Dialect::CFG, sources: &sources, hints: Hints::default() };
        answer.assert_eq(&draw(&graph, drawing, &page).text());
    }

    const PROGRAM: &str = "let p = 80 in { a = \"%{r.b}<\", \"c d\" = p, r = { b = \"%{a'}%{std.to_string n}\", n = 1, a' = \"x\" }, z = 1 }";

    #[test]
    fn drawings() {
        check(
            Drawing::Text,
            PROGRAM,
            expect![[r#"
            a    reads  r.b
            r.b  reads  r.a', r.n
            3 other fields read nothing, and nothing reads them."#]],
        );
        check(
            Drawing::Dot,
            "{ a = \"%{\"q\\\"\"}\", \"q\\\"\" = 1, b = a, a' = b }",
            expect![[r#"
            digraph {
              rankdir=LR;
              node [shape=box, fontname="monospace"];
              "a";
              "a'";
              "b";
              "a'" -> "b";
              "b" -> "a";
            }"#]],
        );
        check(
            Drawing::Mermaid,
            "{ \"x<#\\\"&\" = b, b = 1 }",
            expect![[r##"
            graph LR
              n0["#quot;x#lt;#35;\#quot;#amp;#quot;"]
              n1["b"]
              n0 --> n1"##]],
        );
        check(
            Drawing::Json,
            PROGRAM,
            expect![[
                r#"{"version":1,"nodes":[{"path":"a","value":"\"x1<\"","source":"p.cfg:1:21"},{"path":"r.a'","value":"\"x\"","source":"p.cfg:1:92"},{"path":"r.b","value":"\"x1\"","source":"p.cfg:1:53"},{"path":"r.n","value":"1","source":"p.cfg:1:84"}],"edges":[{"reader":"a","reads":"r.b"},{"reader":"r.b","reads":"r.a'"},{"reader":"r.b","reads":"r.n"}],"apart":3,"complete":true}"#
            ]],
        );
        check(
            Drawing::Svg,
            "{ \"<a>\" = b, b = c, c = \"<script>\" }",
            expect![[r#"
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 427 76" width="427" height="76" role="img">
            <title>The dependencies: an arrow goes from a field to a field that it reads</title>
            <style>svg{color-scheme:light dark;background:#fff;--ink:#1f2328;--soft:#59636e;--box:#f6f8fa;--line:#8c959f}@media(prefers-color-scheme:dark){svg{background:#0d1117;--ink:#e6edf3;--soft:#9198a1;--box:#161b22;--line:#6e7681}}text{font:12px monospace;fill:var(--ink)}.v{font-size:11px;fill:var(--soft)}rect{fill:var(--box);stroke:var(--line)}path{fill:none;stroke:var(--line)}.h{fill:var(--line);stroke:none}</style>
            <path d="M105.0 38.0C137.0 38.0 137.0 38.0 169.0 38.0"/>
            <path class="h" d="M169.0 38.0l-6 -3.5v7z"/>
            <path d="M258.0 38.0C290.0 38.0 290.0 38.0 322.0 38.0"/>
            <path class="h" d="M322.0 38.0l-6 -3.5v7z"/>
            <rect x="16.0" y="21.0" width="89.0" height="34" rx="4"/>
            <text x="24.0" y="35.0">&quot;&lt;a&gt;&quot;</text>
            <text class="v" x="24.0" y="49.0">&quot;&lt;script&gt;&quot;</text>
            <rect x="169.0" y="21.0" width="89.0" height="34" rx="4"/>
            <text x="177.0" y="35.0">b</text>
            <text class="v" x="177.0" y="49.0">&quot;&lt;script&gt;&quot;</text>
            <rect x="322.0" y="21.0" width="89.0" height="34" rx="4"/>
            <text x="330.0" y="35.0">c</text>
            <text class="v" x="330.0" y="49.0">&quot;&lt;script&gt;&quot;</text>
            </svg>"#]],
        );
        check(Drawing::Text, "{ a = 1 }", expect!["The one field reads nothing."]);
        check(
            Drawing::Text,
            "{ a = b, b = a, c = { d = c.e, e = 1 } }",
            expect![[r#"
            a    reads  b
            b    reads  a
            c.d  reads  c.e
            1 other field reads nothing, and nothing reads it."#]],
        );
    }
}
