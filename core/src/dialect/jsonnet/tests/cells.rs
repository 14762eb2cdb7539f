//! Cells, completeness, highlighting, the cursor.

use crate::dialect::show::show;
use crate::dialect::{CellItem, Completeness, CursorContext, Dialect, StdNames};
use crate::text::SourceId;

fn items(text: &str) -> Vec<String> {
    let cell = Dialect::JSONNET.cell(SourceId(7), text, &StdNames);
    let problems = cell.problems.iter().map(|p| format!("<{}>", p.code()));
    let items = cell.items.iter().map(|item| match item {
        CellItem::Expr(term) => show(term),
        CellItem::Bind { name, term, recursive, doc, .. } => {
            let doc = doc.as_ref().map_or(String::new(), |d| format!(" [{d}]"));
            format!("{name}{doc}{} := {}", if *recursive { " rec" } else { "" }, show(term))
        }
    });
    problems.chain(items).collect()
}

#[test]
fn parts_of_a_cell() {
    for (text, expected) in [
        ("local x = 1", vec!["x := 1"]),
        ("local x = 1;", vec!["x := 1"]),
        ("local x = 1; x + 1", vec!["(let rec $0 = 1 in (Plus $0^0 1))"]),
        ("local x = 1;\nlocal y = x;\n", vec!["x := 1", "y := x"]),
        // as in a file, a line that begins with a bracket continues the line before
        ("local x = 1\n[0]\nx", vec!["x := 1.(0)", "x"]),
        ("local x = 1\nx + 1\n'a'", vec!["x := 1", "(Plus x 1)", "\"a\""]),
        ("local f(a, b=a) = b, y = f(1)", vec!["f := (fun $0 $1=$0^0 => $1^0)", "y := (f 1)"]),
        ("local f(a) = f(a)", vec!["f rec := (let rec $0 = (fun $0 => ($0^1 $0^0)) in $0^0)"]),
        (
            "local a = b, b = 1",
            vec!["a rec := (let rec $0 = $1^0, $1 = 1 in $0^0)", "b rec := (let rec $0 = $1^0, $1 = 1 in $1^0)"],
        ),
        ("std.length", vec!["%std.objects.length"]),
        ("# nothing", vec![]),
        (
            "# about x\nlocal x = 1\n\n# not this\n\n/** of\n * y */\n// too\nlocal y = 2, z = 3",
            vec!["x [about x] := 1", "y [of\ny\ntoo] := 2", "z [of\ny\ntoo] := 3"],
        ),
        ("local x = x", vec!["x rec := (let rec $0 = $0^0 in $0^0)"]),
        ("x = 1", vec!["<syntax/unexpected>", "x"]),
        ("local x = ", vec!["<syntax/unexpected>", "x := ?"]),
        ("local x = 1 in x", vec!["<syntax/unexpected>", "(let rec $0 = 1 in $0^0)"]),
        ("local y = 1\nlocal x = 'a' in y.x", vec!["y := 1", "x := (In \"a\" y.x)"]),
    ] {
        assert_eq!(items(text), expected, "\ncell: {text}");
    }
}

#[test]
fn many_names_of_one_local_share_an_object() {
    let bindings: Vec<String> = (0..2_000).map(|i| format!("x{i} = x{}", (i + 1) % 2_000)).collect();
    let items = items(&format!("local {}", bindings.join(", ")));
    assert_eq!(items.len(), 2_001);
    assert_eq!(items[8], "x7 rec := %7.0.x7");
}

#[test]
fn an_input_is_incomplete_if_more_of_it_could_mend_it() {
    let indent = |indent| Completeness::Incomplete { indent };
    for (text, expected) in [
        ("", Completeness::Complete),
        ("local x = 1", Completeness::Complete),
        ("local x = 1;", Completeness::Complete),
        ("local x =", indent(2)),
        ("{", indent(2)),
        ("{ a: [", indent(4)),
        ("{ a:", indent(4)),
        ("local f(x) = if x then", indent(2)),
        ("assert true;", indent(0)),
        ("1 +", indent(0)),
        ("'abc", indent(0)),
        ("|||\n  abc", indent(0)),
        ("|||\n  abc\n|||", Completeness::Complete),
        ("/* abc", indent(0)),
        ("{ a: ]", Completeness::Complete),
        ("x = )", Completeness::Complete),
        ("{ a: 1 } }", Completeness::Complete),
    ] {
        assert_eq!(Dialect::JSONNET.completeness(text), expected, "\ninput: {text}");
    }
}

#[test]
fn a_text_of_several_lines_holds_inputs() {
    for (text, expected) in [
        ("local x = 1\nlocal y = 2\nx + y", vec!["local x = 1", "local y = 2", "x + y"]),
        ("local x = 1;\nlocal y = 2;\nx + y", vec!["local x = 1;\nlocal y = 2;\nx + y"]),
        ("local f(x) =\n  x;\nf(1)", vec!["local f(x) =\n  x;\nf(1)"]),
        ("{\n  a: 1,\n}\n+ { b: 2 }", vec!["{\n  a: 1,\n}\n+ { b: 2 }"]),
        ("local x = 1\n# of y\nlocal y = 2", vec!["local x = 1", "# of y\nlocal y = 2"]),
        ("local x =", vec!["local x ="]),
    ] {
        assert_eq!(Dialect::JSONNET.inputs(text), expected, "\ntext: {text}");
    }
}

#[test]
fn what_stands_at_the_cursor() {
    let at = |text: &str| {
        let place = text.find('^').unwrap_or(text.len());
        let text = text.replacen('^', "", 1);
        let found = Dialect::JSONNET.cursor(SourceId(0), &text, place, &StdNames);
        let written = |term: &crate::term::Term, of| {
            let span = term.span(of);
            text[span.start as usize..span.end as usize].to_string()
        };
        let what = match found.at {
            CursorContext::Field { term, of } => format!("field of {}", written(&term, of)),
            CursorContext::Name { bound } => format!("name {bound:?}"),
            CursorContext::FieldName { base: Some((term, of)) } => format!("field name of {}", written(&term, of)),
            CursorContext::FieldName { base: None } => "field name".into(),
            CursorContext::Path => "path".into(),
            CursorContext::Nothing => "nothing".into(),
            CursorContext::Words(_) => unreachable!("only mcl knows words"),
            CursorContext::Annotation { .. } | CursorContext::Tag => "cfg's".into(),
        };
        format!("{}..{} {:?} {what}", found.replace.start, found.replace.end, found.partial)
    };
    for (text, expected) in [
        ("std.ma^", "4..6 \"ma\" field of std"),
        ("local r = {a: 1}; r.^", "20..20 \"\" field of r"),
        ("local x = std.^\nlocal y = 1", "14..14 \"\" field of std"),
        ("{a: 1, b: self.^}", "15..15 \"\" field of self"),
        ("{a: {b: $.a^}}", "10..11 \"a\" field of $"),
        ("{a: 1} {a: super.^}", "17..17 \"\" field of {a: 1}"),
        ("local f(foo) = fo^", "15..17 \"fo\" name [\"f\", \"foo\"]"),
        ("local foo = 1\nfo^", "14..16 \"fo\" name [\"foo\"]"),
        ("{local a = 1, b: ^ }", "17..17 \"\" name [\"a\"]"),
        ("[x for x in [1] if ^]", "19..19 \"\" name [\"x\"]"),
        ("{a: 1, b^}", "7..8 \"b\" field name"),
        ("local t = {a: 1}; t {^}", "21..21 \"\" field name of t"),
        ("local t = {a: 1}; t + {b: 1, a^}", "29..30 \"a\" field name of t"),
        ("import 'a/b^", "8..11 \"a/b\" path"),
        ("import \"^\"", "8..8 \"\" path"),
        ("importstr @'^'", "12..12 \"\" path"),
        ("'ab^c'", "3..3 \"\" nothing"),
        ("'abc'^", "5..5 \"\" field name"),
        ("# a^", "3..3 \"\" nothing"),
        ("", "0..0 \"\" name []"),
        ("f(x.^", "4..4 \"\" field of x"),
    ] {
        assert_eq!(at(text), expected, "\ntext: {text}");
    }
}

#[test]
fn colours() {
    let shown = |text: &str| {
        let roles =
            Dialect::JSONNET.highlight(text).into_iter().map(|(range, role)| format!("{}:{role:?}", &text[range]));
        roles.filter(|r| !r.ends_with("Operator")).collect::<Vec<_>>().join(" ")
    };
    for (text, expected) in [
        ("local x = 'a'; # c", "local:Keyword x:Name 'a':String # c:Comment"),
        ("{ a: 1, 'b':: self.c }", "a:Name 1:Literal 'b':Name self:Keyword"),
        ("/* d */ [x for x in $.y]", "/* d */:Comment for:Keyword x:Name in:Keyword $:Keyword"),
        ("|||\n  t\n||| § null", "|||\n  t\n|||:String §:Invalid null:Literal"),
    ] {
        assert_eq!(shown(text), expected, "\ntext: {text}");
    }
}

#[test]
fn what_nothing_behind_it_mends() {
    for marked in
        ["{ a: «[» 1, 2 } ", "1 + «)»", "local x = 1 «in» x ", "[x f", "{ a: ", "'a", "local x = 1; x ", "/* a"]
    {
        let place = marked.find('«').map(|at| at..marked.find('»').map_or(0, |end| end - '«'.len_utf8()));
        let text = marked.replace(['«', '»'], "");
        assert_eq!(Dialect::JSONNET.mistake(&text), place, "{text}");
    }
    for program in [
        "{ a:: 1, [b]+: [x for x in [1, 2] if x > 1], assert self.a > 0 : 'm', f(x, y=2):: x } + { a: super.a }",
        "local f(x) = if x then error 'no' else f(x) tailstrict; f(true)",
        "local f(x) = x, y = 'a\\'b' + @\"c\"\"d\"; [f(y)[1:2], $.a, -1e3] /* c */ // d",
        "|||\n  a\n||| + 'b'",
    ] {
        let mut prefix = String::new();
        for c in program.chars() {
            prefix.push(c);
            assert_eq!(Dialect::JSONNET.mistake(&prefix), None, "{prefix}");
        }
    }
}
