//! Notebook output: HTML says what the text says, and nothing else, whatever a program contains.

use cfg_core::{Event, NoLoader, Rich, Session};
use cfg_tests::binary::root;
use cfg_tests::{node, this_test};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use scraper::{ElementRef, Html, Node};

/// A notebook that requests every view.
const CELLS: &[&str] = &[
    "base = {\n  server = {\n    port | Number | default | doc \"where it listens\" = 8080,\n    host | String | default = \"localhost\",\n    url = \"http://%{host}:%{std.to_string port}\",\n    tags | Array String = [\"base\"],\n    key | secret = \"hunter2\",\n    debug | not_exported = true,\n  },\n  replicas | optional | Number,\n}",
    "prod = { server.port = 443 }",
    "local = { server.port | force = 9443 }",
    "all = base & prod & local",
    "all",
    ":explain all.server.port",
    ":explain all.server",
    ":whatif all.server.port off 1",
    ":whatif all.server.port off 1, off 2, off 3",
    ":steps base & prod & local",
    ":deps all.server.url",
    ":deps --used-by all.server.port",
    ":graph all",
    ":diff base all",
    ":query all.server.port",
    ":env",
    ":env nothing",
    ":info all",
    ":info all.server.port",
    ":info std.array.map",
    ":sprint all",
    ":force all.server",
    ":show table all",
    ":show tree all",
    ":show json { a = [1, { b = \"<x>\" }] }",
    ":show table [{ a = 1 }, { b = 2 }]",
    ":type all",
    ":type fun r => r & { x = 1 }",
    "[{ name = \"a\", port = 1 }, { name = \"b\", port = 2, tls = { cert = \"x\", more = { a = 1, b = 2 } } }]",
    "std.array.generate (fun n => n) 1000",
    "std.array.generate (fun n => { id = n, square = n * n }) 500",
    "{ a.b.c = { e = 1, f = [1, 2, { g = 'Tag, h = 'Variant { x = 1, y = \"long enough to be folded somewhere\" } }] } }",
    "42",
    "{}",
    "fun x => x + 1",
    "base & { server.port = \"80\" }",
    ":why",
    "{ a = 1 } & { a = 2 }",
    ":explain ({ port | default = 1 } & { port = 2 } & { port = 3 }).port",
    ":doc std.array.map",
    ":doc std.array",
    ":doc base",
    ":core base & { port = 1 }",
    ":ast fun x => x + 1",
    ":constraints fun x => [x, x + 1, \"\"]",
    ":constraints fun x y => x & y",
    ":stages 1 + base.port",
    ":stages { a = b, b = 1 }",
    ":stages 1 + true",
    ":stages 1 +",
    ":check base.server.port == 8080",
    ":check --hint \"No <b>more</b>.\" base.server == { port = 1 }",
    ":check --type \"Number\" base.server.host",
    ":check nowhere == 1",
    ":holes 1 + _x",
    "unbound + 1",
    "let x = in",
];

/// Writes the notebook as a page, for inspection, if `RICH_DUMP=FILE` is set.
fn dumped(all: &[(&str, Rich)]) {
    if let Ok(file) = std::env::var("RICH_DUMP") {
        let input = |input: &str| format!("<pre class=input>{}</pre>\n", input.replace('<', "&lt;"));
        let page: String = all.iter().map(|(text, rich)| input(text) + &rich.html).collect();
        std::fs::write(file, page).unwrap();
    }
}

fn session() -> Session {
    let mut session = Session::new(Box::new(NoLoader));
    session.set_rich(true);
    session
}

/// Returns every input with the rich forms of its results.
fn all() -> Vec<(&'static str, Rich)> {
    let mut session = session();
    let of = |input: &&'static str| {
        let all: Vec<_> = session
            .submit(input)
            .into_iter()
            .filter_map(|event| event.rich().cloned())
            .map(|rich| (*input, rich))
            .collect();
        all
    };
    CELLS.iter().flat_map(of).collect()
}

#[test]
fn the_same_inputs_are_the_same_bytes() {
    let first = all();
    let whats: std::collections::BTreeSet<_> = first.iter().map(|(_, rich)| rich.what).collect();
    let every = [
        "ast",
        "check",
        "constraints",
        "core",
        "deps",
        "diff",
        "doc",
        "env",
        "explain",
        "graph",
        "holes",
        "info",
        "problem",
        "query",
        "stages",
        "steps",
        "type",
        "value",
        "whatif",
        "why",
    ];
    assert_eq!(whats.into_iter().collect::<Vec<_>>(), every);
    assert_eq!(first, all());
    dumped(&first);
}

/// The same questions in a language whose objects inherit.
const CHAINS: &[&str] = &[
    ":dialect jsonnet",
    "local base = { name: 'a', port: 80, url: 'http://%s:%d' % [self.name, self.port], hidden:: function(x) x, list: [1] }",
    "local prod = base { port: 443, name+: 'b', list+: [{ c: error 'no' }] }",
    "prod",
    "base",
    "function(x) x + 1",
    ":type prod",
    ":explain prod.url",
    ":explain prod",
    ":steps base { port: 443 }",
    ":why base { port: 443 }",
    ":deps prod.url",
    ":deps --used-by prod.port",
    ":graph prod",
    ":diff base prod",
    ":query prod.port",
    ":query prod.hidden",
    ":env",
    ":doc std.map",
    ":core prod { port: 1 }",
    ":ast prod { port: 1 }",
    ":constraints function(x) x + 1",
    ":stages prod.port + 1",
    ":holes _x + 1",
    "prod.no_such",
    "local x = ; x",
    "error 'by hand'",
    "assert 1 == 2 : 'never'; 1",
];

/// Inputs for answers that only programs with resources have.
const RESOURCES: &[&str] = &[
    ":dialect mcl",
    "file \"/tmp/a\" { content => \"x\", Meta:noop => true, }",
    ":graph noop [\"a\", \"b\",] {}\nNoop[\"a\"] -> Noop[\"b\"]",
    ":stages noop [\"a\", \"b\",] {}",
    ":steps --types func($x) { [$x + 1, $x + \"a\", $x[0],] }",
    ":constraints func($x) { $x + 1 }",
    "noop \"a\" { Meta:retry => 3, }\ntest \"b\" {}\nNoop[\"a\"] -> Test[\"b\"]",
    ":diff $1, $2",
    ":graph --functions test \"t\" { int64 => len(\"a\") + 1, }",
    ":feed datetime.now 1",
    "$later = datetime.now() + 60",
    "$later",
    ":feed datetime.now 2",
];

/// Inputs for answers that only documents with a graph have.
const DOCUMENTS: &[&str] = &[
    ":dialect yay",
    "foo:\n  - 1\nkey: {{ foo[0] }}\n",
    "extend foo:\n  for i in [2, 3]:\n    - {{ i }}\n",
    ":graph",
    ":graph foo",
    ":graph key",
    ":steps foo",
];

#[test]
fn the_data_matches_its_schema() {
    let mut seen = std::collections::BTreeSet::new();
    for (cells, kinds) in [(CELLS, 20), (CHAINS, 17), (RESOURCES, 9), (DOCUMENTS, 2)] {
        let mut session = session();
        let mut whats = std::collections::BTreeSet::new();
        for input in cells {
            for rich in session.submit(input).into_iter().filter_map(|event| event.rich().cloned()) {
                let path = cfg_tests::binary::root().join(format!("docs/schema/{}.json", rich.what));
                let schema = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
                let schema = serde_json::from_str(&schema).expect("a schema is JSON");
                assert_eq!(cfg_tests::schema::mismatch(&schema, &rich.json), None, "{} of {input}", rich.what);
                whats.insert(rich.what);
            }
        }
        assert_eq!(whats.len(), kinds, "{whats:?}");
        seen.extend(whats);
    }
    // there is no schema without an answer
    let schemas = std::fs::read_dir(cfg_tests::binary::root().join("docs/schema")).unwrap();
    let names = schemas.filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_string()));
    assert_eq!(names.collect::<std::collections::BTreeSet<_>>(), seen.iter().map(|s| s.to_string()).collect());
}

/// A large value gives a small page at once: its first parts, a limited number that can be opened, and the count of
/// the rest.
#[test]
fn large_values_are_shortened() {
    let mut session = session();
    for (input, most, says) in [
        ("std.array.generate (fun n => n) 100000", 100_000, "100000 elements"),
        (
            "std.array.generate (fun n => { id = n, name = \"n\", more = { b = [[n, n], [2]] } }) 100000",
            450_000,
            "100000 elements",
        ),
        (
            "std.record.from_array (std.array.generate (fun n => { field = \"f%{std.to_string n}\", value = n }) 20000)",
            150_000,
            "20000 fields",
        ),
        ("std.array.fold_left (fun acc m => { inner = acc, n = m }) {} (std.array.range 0 2000)", 100_000, "2 fields"),
        ("std.array.fold_left (fun acc m => [acc, m]) [] (std.array.range 0 2000)", 100_000, "2 elements"),
        ("std.string.join \"\" (std.array.generate (fun n => \"0123456789\") 100000)", 30_000, "…"),
        ("{ text = std.string.join \"\" (std.array.generate (fun n => \"0123456789\") 100000) }", 10_000, "…"),
        (":type std.record.from_array (std.array.generate (fun n => { field = \"f\", value = n }) 9)", 5_000, "Number"),
    ] {
        let rich = session
            .submit(input)
            .into_iter()
            .filter_map(|event| event.rich().cloned())
            .find(|rich| rich.what != "problem")
            .unwrap_or_else(|| panic!("{input}"));
        let text = known(&rich.html).unwrap_or_else(|wrong| panic!("{input}: {wrong}"));
        assert!(rich.html.len() < most, "{input}: {} bytes", rich.html.len());
        assert!(text.contains(says), "{input}: {}", text.chars().take(300).collect::<String>());
    }
}

#[test]
fn a_secret_never_appears() {
    for (input, rich) in all() {
        let svg = rich.svg.unwrap_or_default();
        assert!(!format!("{}{}{svg}", rich.html, rich.json).contains("hunter2"), "{input}");
    }
}

#[test]
fn every_view_is_made_of_known_elements() {
    for (input, rich) in all() {
        let text = known(&rich.html).unwrap_or_else(|wrong| panic!("{input}: {wrong}\n{}", rich.html));
        assert!(!text.is_empty(), "{input}");
    }
}

const ELEMENTS: &[&str] = &[
    "html", "div", "style", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "pre", "p", "h2", "h3",
    "ul", "ol", "li", "span", "strong", "del", "mark", "img", "code", "wbr",
];

/// Returns the text of a fragment if it parses to exactly what is written: only known elements and attributes, each
/// where its tag is, and nothing that runs or loads code.
fn known(html: &str) -> Result<String, String> {
    let parsed = Html::parse_fragment(html);
    let mut tags = Vec::new();
    let mut text = String::new();
    for node in parsed.root_element().descendants() {
        match node.value() {
            Node::Element(element) => {
                let name = element.name();
                tags.push(name);
                if !ELEMENTS.contains(&name) {
                    return Err(format!("<{name}>"));
                }
                for (attribute, value) in element.attrs() {
                    let fine = match attribute {
                        // the whole result is never typeset as mathematics
                        "class" => {
                            value == "cfg mathjax_ignore tex2jax_ignore"
                                || value.bytes().all(|b| b.is_ascii_lowercase())
                        }
                        "style" => !value.contains(['<', '(', '@', '\\']),
                        "scope" => matches!(value, "row" | "col"),
                        "open" => value.is_empty(),
                        "colspan" | "start" => value.bytes().all(|b| b.is_ascii_digit()),
                        "src" => value.starts_with("data:image/svg+xml;base64,"),
                        "alt" => true,
                        _ => false,
                    };
                    if !fine {
                        return Err(format!("{attribute}={value:?}"));
                    }
                }
            }
            Node::Text(run) => {
                let style = node.parent().and_then(ElementRef::wrap).is_some_and(|of| of.value().name() == "style");
                if !style {
                    text.push_str(run);
                }
            }
            Node::Document | Node::Fragment => {}
            other => return Err(format!("{other:?}")),
        }
    }
    // the parser moved and added nothing
    let written: Vec<&str> = html
        .match_indices('<')
        .filter_map(|(at, _)| html.get(at + 1..))
        .filter(|tag| !tag.starts_with('/'))
        .filter_map(|tag| tag.split([' ', '>']).next())
        .collect();
    if tags.first() == Some(&"html") {
        tags.remove(0);
    }
    if tags != written {
        return Err(format!("{tags:?} is not {written:?}"));
    }
    Ok(text)
}

/// Reports whether an SVG picture consists only of known elements, in characters that XML allows.
fn drawn(svg: &str) -> bool {
    const PARTS: &[&str] = &["html", "svg", "title", "style", "path", "rect", "text"];
    let parsed = Html::parse_fragment(svg);
    let mut elements = parsed.root_element().descendants().filter_map(ElementRef::wrap);
    let fine = elements.all(|element| {
        let attributes = element.value().attrs().all(|(name, _)| !name.starts_with("on") && !name.contains("href"));
        PARTS.contains(&element.value().name()) && attributes
    });
    fine && svg.chars().all(|c| c == '\n' || !(c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}')))
}

/// JupyterLab's own sanitiser, which shows what comes of a notebook that is not trusted, takes nothing away but the style
/// sheet: every element, every style that stands on one, the pictures. npm fetches it into the target directory, once.
#[test]
fn a_solution_is_written_as_an_assignment() {
    let events = session().submit(":constraints fun n => n + 1");
    let html = &events.iter().find_map(|event| event.rich()).expect("a rich result").html;
    let text: String = scraper::Html::parse_fragment(html).root_element().text().collect();
    assert_eq!(text.matches("a := Number").count(), 1, "{text}");
}

#[test]
fn an_untrusted_notebook_loses_the_style_sheet_and_nothing_else() {
    let test = this_test!();
    if test.is_off() {
        return;
    }
    let all = all();
    let given: Vec<&str> = all.iter().map(|(_, rich)| rich.html.as_str()).collect();
    let sanitise = |given: &[&str]| {
        let mut node = node::command(test, "node");
        node.arg(root().join("tests/jupyterlab/sanitise.mjs")).arg(node::sanitizer(test).join("sanitizer.mjs"));
        let input = serde_json::to_string(given).unwrap();
        cfg_tests::binary::run_command(node, &input, std::time::Duration::from_secs(60)).expect("node runs")
    };
    let ran = sanitise(&given);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let kept: Vec<String> = serde_json::from_str(&ran.out).expect("what is kept");
    assert_eq!(kept.len(), given.len());
    for ((input, rich), kept) in all.iter().zip(kept) {
        assert_eq!(shape(&kept), shape(&rich.html), "{input}");
    }
    let refused = r##"<p onclick="x" style="color:var(--a)">a<script>b</script></p>"##;
    let ran = sanitise(&[refused]);
    assert_eq!(ran.out, r##"["<p>a</p>"]"##);
}

/// Returns the elements, attributes and texts of a fragment in order, without the style sheet.
fn shape(html: &str) -> Vec<String> {
    let parsed = Html::parse_fragment(html);
    let mut out = Vec::new();
    for node in parsed.root_element().descendants() {
        match node.value() {
            Node::Element(element) if element.name() != "style" => {
                let mut attributes: Vec<_> = element.attrs().collect();
                attributes.sort_unstable();
                out.push(format!("{} {attributes:?}", element.name()));
            }
            Node::Text(text) => {
                let style = node.parent().and_then(ElementRef::wrap).is_some_and(|of| of.value().name() == "style");
                // the line end after the style sheet joins the text around it
                if !style && !text.trim().is_empty() {
                    out.push(text.to_string());
                }
            }
            _ => {}
        }
    }
    out
}

/// Returns a text as a reader sees it: control characters and marks of direction are replaced by visible ones.
fn visible(text: &str) -> String {
    let one = |c: char| match c {
        '\n' | '\t' => c,
        '\0'..='\x1f' => char::from_u32(0x2400 + c as u32).unwrap(),
        '\x7f' => '\u{2421}',
        '\u{80}'..='\u{9f}'
        | '\u{fffe}'
        | '\u{ffff}'
        | '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c => c,
    };
    text.chars().map(one).collect()
}

/// Texts that would break out of their context.
fn hostile() -> impl Strategy<Value = String> {
    const PARTS: &[&str] = &[
        "</td>",
        "</table>",
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "</style>",
        "</pre>",
        "</div>",
        "<!--",
        "-->",
        "]]>",
        "<![CDATA[",
        "&lt;",
        "&amp;",
        "&",
        "\"",
        "'",
        "`",
        " onclick=x ",
        "javascript:",
        "\u{202e}",
        "\u{200f}",
        "\u{1b}[31m",
        "\u{7}",
        "<svg onload=x>",
        "</svg>",
        "\t",
        "é",
        "日本",
        "a",
        " ",
        "<",
        ">",
        "=",
        "</details>",
        "<p>",
        "\u{85}",
        "\u{ffff}",
        "<plaintext>",
        "<textarea>",
        "<select>",
        "</html>",
        "<frameset>",
    ];
    prop::collection::vec(prop::sample::select(PARTS), 1..5).prop_map(|parts| parts.concat())
}

/// Returns a text as a string literal of cfg.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", c as u32)),
            c => out.push(c),
        }
    }
    out + "\""
}

/// Whatever names, strings, documentation and tags contain, the page has the same elements and shows the text.
#[test]
fn nothing_of_a_program_is_markup() {
    let mut runner = TestRunner::new(Config { cases: 48, failure_persistence: None, ..Config::default() });
    let strings = (hostile(), hostile(), hostile());
    runner
        .run(&strings, |(name, value, doc)| {
            let (n, v, d) = (quoted(&name), quoted(&value), quoted(&doc));
            let inputs = [
                format!("x = {{ {n} | doc {d} | default = {v}, other = [{v}, {v}], y = x.{n}, x = {{ {n} = {v} }} }}"),
                String::from("x"),
                format!("[{{ {n} = {v} }}, {{ {n} = {d} }}]"),
                format!("'{n} {v}"),
                String::from(":type x"),
                String::from(":env"),
                format!(":explain x.{n}"),
                format!(":query x.{n}"),
                format!(":steps x & {{ {n} = {d} }}"),
                String::from(":deps x.y"),
                String::from(":graph x"),
                format!(":diff x (x & {{ {n} = {d} }})"),
                format!("{{ {n} = {v} }} & {{ {n} | Number }}"),
                String::from(":why"),
                format!("x.{n}.{n}"),
                format!("{v} 1"),
                format!("std.fail_with {v}"),
            ];
            let mut session = session();
            let mut said = 0;
            for input in &inputs {
                for event in session.submit(input) {
                    let plain = match &event {
                        Event::View { text, .. } | Event::Value { value: text, .. } => text.text(),
                        _ => String::new(),
                    };
                    let Some(rich) = event.rich() else { continue };
                    let text = known(&rich.html).map_err(|wrong| TestCaseError::fail(format!("{input}: {wrong}")))?;
                    // what the plain text shows of the name and the value, the page shows too
                    for part in [&n, &v] {
                        if plain.contains(part.as_str()) && rich.what != "steps" {
                            said += 1;
                            prop_assert!(text.contains(&visible(part)), "{} of {}: {}", part, input, text);
                        }
                    }
                    if let Some(svg) = &rich.svg {
                        prop_assert!(drawn(svg), "{}", svg);
                    }
                }
            }
            prop_assert!(said > 2, "{}", said);
            Ok(())
        })
        .unwrap();
}
