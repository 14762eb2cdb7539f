//! Cells, completeness, highlighting, the cursor.

use crate::dialect::show::show;
use crate::dialect::{CellItem, Completeness, CursorContext, Dialect, StdNames};
use crate::text::SourceId;

fn items(text: &str) -> Vec<String> {
    let cell = Dialect::CFG.cell(SourceId(7), text, &StdNames);
    let problems = cell.problems.iter().map(|p| format!("<{}>", p.code()));
    let items = cell.items.iter().map(|item| match item {
        CellItem::Expr(term) => show(term),
        CellItem::Bind { name, doc, term, .. } => {
            let doc = doc.as_ref().map_or(String::new(), |d| format!(" [{d}]"));
            format!("{name}{doc} := {}", show(term))
        }
    });
    problems.chain(items).collect()
}

#[test]
fn parts_of_a_cell() {
    for (text, expected) in [
        ("x = 1", vec!["x := 1"]),
        ("let x = 1", vec!["x := 1"]),
        ("x | Number | doc \"d\" = 1", vec!["x [d] := (1 | <Number>)"]),
        ("x = 1, y = x; x + y", vec!["x := 1", "y := x", "(Add x y)"]),
        ("x = 1\ny = x\nx\n  y\n+ y", vec!["x := 1", "y := x", "(Add (x y) y)"]),
        ("let x = 1 in\nx", vec!["(let $0 = 1 in $0^0)"]),
        ("let x = 1\nlet y = 2\n", vec!["x := 1", "y := 2"]),
        ("f = fun x =>\n  x\n{\n  a = 1,\n}", vec!["f := (fun $0 => $0^0)", "{a = 1}"]),
        ("let rec f = fun x => f x", vec!["f := (let rec $0 = (fun $0 => ($0^1 $0^0)) in $0^0)"]),
        (
            "let {a, b = [c, ..]} = {}",
            vec![
                "%7.0 := {}",
                "a := (let {a=$0 b=[$1 ..]} = %7.0 in $0^0)",
                "c := (let {a=$0 b=[$1 ..]} = %7.0 in $1^0)",
            ],
        ),
        ("# nothing", vec![]),
        ("x = x", vec!["<scope/unbound>", "x := x"]),
        ("a.b = 1", vec!["<syntax/path-binding>", "%7.0 := 1"]),
        ("x | default rec = 1", vec!["x := (let $0 | default rec = 1 in $0^0)"]),
        ("x | default = 1", vec!["<syntax/metadata>", "x := 1"]),
    ] {
        assert_eq!(items(text), expected, "\ncell: {text}");
    }
}

#[test]
fn many_names_of_one_let_share_a_record() {
    let names: Vec<String> = (0..2_000).map(|i| format!("x{i}")).collect();
    let recursive: Vec<String> = names.iter().map(|n| format!("{n} | doc \"{n}\" = {n}")).collect();
    for text in [format!("let {{ {} }} = {{}}", names.join(", ")), format!("let rec {}", recursive.join(", "))] {
        let items = items(&text);
        assert!(items.contains(&"x7 := %7.1.x7".to_string()) || items.contains(&"x7 [x7] := %7.0.x7".to_string()));
        assert!(items.len() >= 2_001);
    }
}

#[test]
fn an_input_is_incomplete_if_more_of_it_could_mend_it() {
    let indent = |indent| Completeness::Incomplete { indent };
    for (text, expected) in [
        ("", Completeness::Complete),
        ("x = 1", Completeness::Complete),
        ("x =", indent(2)),
        ("{", indent(2)),
        ("{ a = [", indent(4)),
        ("fun x =>", indent(2)),
        ("let x = 1 in", indent(0)),
        ("if true then 1", indent(0)),
        ("1 +", indent(0)),
        ("\"abc", indent(0)),
        ("m%\"abc", indent(0)),
        ("\"%{", indent(2)),
        ("1 |> match {", indent(2)),
        ("{ a = ]", Completeness::Complete),
        ("x = )", Completeness::Complete),
        ("{ a = 1 } }", Completeness::Complete),
        ("{ a = 1 §", Completeness::Complete),
        ("[1 = 2", Completeness::Complete),
    ] {
        assert_eq!(Dialect::CFG.completeness(text), expected, "\ninput: {text}");
    }
}

#[test]
fn what_stands_at_the_cursor() {
    let at = |text: &str| {
        let place = text.find('^').unwrap_or(text.len());
        let text = text.replacen('^', "", 1);
        let found = Dialect::CFG.cursor(SourceId(0), &text, place, &StdNames);
        let what = match found.at {
            CursorContext::Field { term, of } => {
                format!("field of {}", &text[term.span(of).start as usize..term.span(of).end as usize])
            }
            CursorContext::Name { bound } => format!("name {bound:?}"),
            CursorContext::Annotation { bound } => format!("annotation {bound:?}"),
            CursorContext::FieldName { .. } => "field name".into(),
            CursorContext::Tag => "tag".into(),
            CursorContext::Path => "path".into(),
            CursorContext::Nothing => "nothing".into(),
            CursorContext::Words(_) => unreachable!("only mcl knows words"),
        };
        format!("{}..{} {:?} {what}", found.replace.start, found.replace.end, found.partial)
    };
    for (text, expected) in [
        ("std.array.ma^", "10..12 \"ma\" field of std.array"),
        ("let r = {a = 1} in r.^", "21..21 \"\" field of r"),
        ("x = std.^\ny = 1", "8..8 \"\" field of std"),
        ("fun foo => fo^ + 1", "11..13 \"fo\" name [\"foo\"]"),
        ("foo = 1; fo^", "9..11 \"fo\" name [\"foo\"]"),
        ("{a = 1, b = ^ }", "12..12 \"\" name [\"a\", \"b\"]"),
        ("{a = 1, b^}", "8..9 \"b\" field name"),
        ("{a | de^}", "5..7 \"de\" annotation [\"a\"]"),
        ("x | Number | ^", "13..13 \"\" annotation []"),
        ("{}.\"a b^", "3..7 \"\\\"a b\" field of {}"),
        ("{}.\"^\" + 1", "3..5 \"\\\"\" field of {}"),
        ("'Fo^", "0..3 \"'Fo\" tag"),
        ("import \"a/b^", "8..11 \"a/b\" path"),
        ("import \"^\"", "8..8 \"\" path"),
        ("\"ab^c\"", "3..3 \"\" nothing"),
        ("\"a%{std.^}\"", "8..8 \"\" field of std"),
        ("", "0..0 \"\" name []"),
        ("f (x.^", "5..5 \"\" field of x"),
    ] {
        assert_eq!(at(text), expected, "\ntext: {text}");
    }
}

#[test]
fn colours() {
    let shown = |text: &str| {
        let roles = Dialect::CFG.highlight(text).into_iter().map(|(range, role)| format!("{}:{role:?}", &text[range]));
        roles.filter(|r| !r.ends_with("Operator")).collect::<Vec<_>>().join(" ")
    };
    for (text, expected) in [
        ("let x = 'A \"s%{1}\" # c", "let:Keyword x:Name 'A:Tag \":String s:String 1:Literal \":String # c:Comment"),
        (
            "{a | merge f | default, b : Num, include c}",
            "a:Name merge:Keyword default:Keyword b:Name Num:Type include:Keyword",
        ),
        // the text after `|` is not a name, whatever follows
        (
            "{ a | Port | default = 1, b.force | rec force = a }",
            "a:Name default:Keyword 1:Literal force:Name rec:Keyword force:Keyword",
        ),
        ("a | T = 1\nb = a\n| C", "a:Name 1:Literal b:Name"),
        ("'\"a b\" == include § \"", "'\":Tag a b:Tag \":Tag §:Invalid \":String"),
    ] {
        assert_eq!(shown(text), expected, "\ntext: {text}");
    }
}

#[test]
fn what_nothing_behind_it_mends() {
    // `«…»` marks the expected range; a text without it has no certain mistake
    for marked in [
        "{ a = [1, 2 «}» ",
        "1 + «)»",
        "x = 1 «=» 2 ",
        "if a «else» b ",
        // a word may be incomplete
        "if a else",
        "",
        "{ a = ",
        "\"a %{b",
        "m%\"a",
        "let x = 1",
        "{ a | doc ",
        "fun x ",
        "a |> match { 'B ",
    ] {
        let place = marked.find('«').map(|at| at..marked.find('»').map_or(0, |end| end - '«'.len_utf8()));
        let text = marked.replace(['«', '»'], "");
        assert_eq!(Dialect::CFG.mistake(&text), place, "{text}");
    }
}

#[test]
fn nothing_is_certain_before_a_program_that_parses() {
    for program in [
        "{ a | Number | default = 1, b = \"%{std.to_string (a + 1)} x\", c.d.e = [1, 'Tag, null] } & { a = 5 }",
        "let rec f = fun n => if n == 0 then 0 else f (n - 1) in f 3 |> (fun x => x)",
        "x |> match { 'A => 1, 'B { c, .. } => c, [h, ..t] if h > 1 => h, _ => -1 }",
        "m%%\"a \"% %%{b} c\"%% ++ \"\\u{e9}\" # comment",
        "let C | doc \"x\" = { f : forall a. a -> a, g : [| 'X, 'Y Number |] } in (v | C) : { _ | Dyn }",
        "x = 1, y = x + 1\nz = { \"odd name\" = 1, include y }.\"odd name\"",
    ] {
        let mut prefix = String::new();
        for c in program.chars() {
            prefix.push(c);
            assert_eq!(Dialect::CFG.mistake(&prefix), None, "{prefix}");
        }
    }
}
