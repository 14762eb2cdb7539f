//! The rules that mgmt's language guide states, each with a program and its result.

use cfg_core::{Action, Dialect, Format, InMemory, Input, ProgramOptions, Request, Session, Severity};
use serde_json::Value;

/// Returns the resources and edges of a program: `kind[name] {fields} Meta{…}`, `a -> b`, and `a ~> b` with notification. Of a program that is
/// refused, the codes of its errors.
fn result(newest: bool, program: &str, files: &[(&str, &str)]) -> String {
    let loader: InMemory = files.iter().copied().collect();
    let mut session = Session::new(Box::new(loader));
    let input = Input::Text { name: "main.mcl".into(), text: program.into() };
    let action = Action::Eval { at: None, format: Format::Json };
    let outcome = session.run(Request {
        dialect: Some(Dialect::MCL),
        import_paths: vec!["/modules".into()],
        options: ProgramOptions { newest_syntax: newest, ..ProgramOptions::default() },
        ..Request::new(vec![input], action)
    });
    let errors = outcome.reports.iter().filter(|(severity, _)| *severity == Severity::Error);
    let codes: Vec<String> = errors
        .filter_map(|(_, report)| Some(report.text().lines().next()?.rsplit_once('[')?.1.trim_end_matches(']').into()))
        .collect();
    if outcome.exit != 0 {
        return codes.join(", ");
    }
    let value: Value = serde_json::from_str(&outcome.output.text()).expect("a graph");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let some = |value: &Value, head: &str| match value.as_object() {
        Some(fields) if !fields.is_empty() => format!("{head}{value}"),
        _ => String::new(),
    };
    let mut out: Vec<String> = Vec::new();
    for resource in value["resources"].as_array().expect("resources") {
        let (kind, name) = (text(&resource["kind"]), text(&resource["name"]));
        out.push(format!("{kind}[{name}]{}{}", some(&resource["fields"], " "), some(&resource["meta"], " Meta")));
    }
    for edge in value["edges"].as_array().expect("edges") {
        let arrow = if edge["notify"] == true { "~>" } else { "->" };
        out.push(format!("{} {arrow} {}", text(&edge["from"]), text(&edge["to"])));
    }
    out.join("; ")
}

/// Checks a list of rules: the statement of the guide, a program, and its result.
#[track_caller]
fn hold(rules: &[(&str, &str, &str)], files: &[(&str, &str)]) {
    hold_in(false, rules, files);
}

/// Checks rules of the syntax of 2026, if `newest` is set.
#[track_caller]
pub fn hold_in(newest: bool, rules: &[(&str, &str, &str)], files: &[(&str, &str)]) {
    let wrong: Vec<String> = rules
        .iter()
        .map(|(rule, program, expected)| (rule, program, expected, result(newest, program, files)))
        .filter(|(_, _, expected, found)| *expected != found)
        .map(|(rule, program, expected, found)| format!("{rule}\n{program}\nexpected: {expected}\nfound:    {found}\n"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn types() {
    hold(
        &[
            ("all expressions must have a type", "test \"t\" { int64 => 1, }", r#"test[t] {"int64":1}"#),
            (
                "a list of strings is not a list of ints",
                "$a []int = [\"a\",]\ntest \"t\" { int64 => $a[0], }",
                "types/conflict",
            ),
            (
                "bool: true or false",
                "test \"t\" { bool => true, boolptr => false, }",
                r#"test[t] {"bool":true,"boolptr":false}"#,
            ),
            (
                "str: any string in quotes",
                "test \"t\" { anotherstr => \"string!\", }",
                r#"test[t] {"anotherstr":"string!"}"#,
            ),
            ("int: 42 or -13", "test \"t\" { int64 => 42, int8 => -13, }", r#"test[t] {"int64":42,"int8":-13}"#),
            (
                "an int is int64: the largest",
                "test \"t\" { int64 => 9223372036854775807, }",
                r#"test[t] {"int64":9223372036854775807}"#,
            ),
            ("an int is int64: no larger", "test \"t\" { int64 => 9223372036854775808, }", "syntax/number"),
            ("float: 3.1415926", "test \"t\" { float64 => 3.1415926, }", r#"test[t] {"float64":3.1415926}"#),
            ("an int is not a float", "test \"t\" { float64 => 3, }", "types/conflict"),
            (
                "list: values of one type",
                "$l = [6, 7, 8, 9,]\ntest \"t\" { int64 => $l[3], }",
                r#"test[t] {"int64":9}"#,
            ),
            ("list: not of two types", "$l = [6, \"7\",]\ntest \"t\" { int64 => $l[0], }", "types/conflict"),
            (
                "an empty list has a type",
                "$l []str = []\ntest \"t\" { slicestring => $l, }",
                r#"test[t] {"slicestring":[]}"#,
            ),
            (
                "the type of an empty list can be inferred",
                "test \"t\" { slicestring => [], }",
                r#"test[t] {"slicestring":[]}"#,
            ),
            ("without hints it can be impossible", "$l = []\ntest \"t\" { int64 => len($l), }", "types/ambiguous"),
            (
                "map: keys of one type, values of another",
                "$m = {\"boiling\" => 100, \"freezing\" => 0, \"room\" => 25, \"house\" => 22, \"canada\" => -30,}\ntest \"t\" { int64 => $m[\"canada\"], }",
                r#"test[t] {"int64":-30}"#,
            ),
            (
                "map: not keys of two types",
                "$m = {\"a\" => 1, 2 => 2,}\ntest \"t\" { int64 => len($m), }",
                "types/conflict",
            ),
            (
                "map: not values of two types",
                "$m = {\"a\" => 1, \"b\" => \"2\",}\ntest \"t\" { int64 => len($m), }",
                "types/conflict",
            ),
            (
                "map: any type for either",
                "$m = {[1,] => {true => 2.5,},}\ntest \"t\" { float64 => $m[[1,]][true], }",
                r#"test[t] {"float64":2.5}"#,
            ),
            (
                "struct: fields of their own types",
                "$s = struct{answer => \"42\", james => \"awesome\", is_mgmt_awesome => true,}\ntest \"t\" { bool => $s->is_mgmt_awesome, anotherstr => $s->answer, }",
                r#"test[t] {"anotherstr":"42","bool":true}"#,
            ),
            (
                "struct: fields are ordered",
                "test \"t\" { bool => struct{a => 1, b => 2,} == struct{b => 2, a => 1,}, }",
                "types/conflict",
            ),
            ("struct: fields are bare", "$s = struct{\"a\" => 1,}", "syntax/unexpected"),
            ("a map's keys are quoted", "$m = {a => 1,}", "syntax/unexpected"),
            (
                "func: arguments of different types and a return type",
                "$f func($s str, bool) struct{foo str; bar int} = func($s str, $b bool) { struct{foo => $s, bar => 1,} }\ntest \"t\" { anotherstr => $f(\"x\", true)->foo, }",
                r#"test[t] {"anotherstr":"x"}"#,
            ),
            (
                "a variable can have the type of a function",
                "$f = func($x) { $x + 1 }\ntest \"t\" { int64 => $f(41), }",
                r#"test[t] {"int64":42}"#,
            ),
        ],
        &[],
    );
}

#[test]
fn statements_and_resources() {
    hold(
        &[
            ("bind: without output", "$x = 42", ""),
            ("if: the then branch", "if true { noop \"a\" {} } else { noop \"b\" {} }", "noop[a]"),
            ("if: the else branch", "if false { noop \"a\" {} } else { noop \"b\" {} }", "noop[b]"),
            ("if: the else branch is optional", "if 1 == 2 { noop \"a\" {} }", ""),
            ("if: the condition is a bool", "if 1 { noop \"a\" {} }", "types/conflict"),
            ("an if expression has two branches", "$x = if true { 1 }", "syntax/unexpected"),
            (
                "an if expression gives the value of one of them",
                "$b = true\n$x = if $b {\n\t42\n} else {\n\t-13\n}\ntest \"t\" { int64 => $x, }",
                r#"test[t] {"int64":42}"#,
            ),
            ("branches of an if statement contain statements", "if true { 42 }", "syntax/unexpected"),
            (
                "edge: produces an edge",
                "file \"/tmp/hello\" {}\nprint \"alert4\" {}\nFile[\"/tmp/hello\"] -> Print[\"alert4\"]",
                "file[/tmp/hello]; print[alert4]; file[/tmp/hello] -> print[alert4]",
            ),
            ("class: without output", "class foo { noop \"a\" {} }", ""),
            ("include: produces output", "class foo { noop \"a\" {} }\ninclude foo", "noop[a]"),
            (
                "an include can be called multiple times",
                "class bar($a, $b) { test $a { int64 => $b, } }\ninclude bar(\"hello\", 42)\ninclude bar(\"world\", 13)",
                r#"test[hello] {"int64":42}; test[world] {"int64":13}"#,
            ),
            (
                "statements are in any order",
                "include c\ntest \"${x}\" {}\n$x = $y\nclass c { noop \"${y}\" {} }\n$y = \"z\"",
                "noop[z]; test[z]",
            ),
            ("a name is bound once in a scope", "$x = 1\n$x = 2", "scope/duplicate"),
            (
                "a child scope can bind it again",
                "$x = \"outer\"\nif true {\n\t$x = \"inner\"\n\ttest \"${x}\" {}\n}\nnoop \"${x}\" {}",
                "noop[outer]; test[inner]",
            ),
            (
                "a parameter that is omitted is undefined",
                "file \"/a\" { content => \"\", }\nfile \"/b\" {}",
                r#"file[/a] {"content":""}; file[/b]"#,
            ),
            (
                "elvis: if true, the parameter is used",
                "$b = true\nfile \"/a\" { content => $b ?: \"x\", state => $const.res.file.state.exists, }",
                r#"file[/a] {"content":"x","state":"exists"}"#,
            ),
            (
                "elvis: if false, it is undefined",
                "$b = false\nfile \"/a\" { content => $b ?: \"x\", state => $const.res.file.state.exists, }",
                r#"file[/a] {"state":"exists"}"#,
            ),
            ("elvis: the condition is a bool", "file \"/a\" { content => \"b\" ?: \"x\", }", "types/conflict"),
            (
                "meta parameters",
                "noop \"a\" { Meta:noop => true, Meta:delay => true ?: 42, Meta:autoedge => false, Meta:poll => false ?: 5, }",
                r#"noop[a] Meta{"autoedge":false,"delay":42,"noop":true}"#,
            ),
            (
                "of the same meta parameter, the last value",
                "noop \"a\" { Meta:delay => 1, Meta:delay => 2, }",
                r#"noop[a] Meta{"delay":2}"#,
            ),
            (
                "a meta parameter struct",
                "$b = true\nnoop \"a\" { Meta => $b ?: struct{noop => false, retry => -1, delay => 0, poll => 5, limit => 4.2, burst => 3, sema => [\"foo:1\", \"bar:3\",], autoedge => true, autogroup => false,}, }",
                r#"noop[a] Meta{"autoedge":true,"autogroup":false,"burst":3,"delay":0,"limit":4.2,"noop":false,"poll":5,"retry":-1,"sema":["foo:1","bar:3"]}"#,
            ),
            (
                "the struct as a value",
                "$m = struct{poll => 5, retry => 1,}\nnoop \"a\" { Meta => $m, }\nnoop \"b\" { Meta => $m, }",
                r#"noop[a] Meta{"poll":5,"retry":1}; noop[b] Meta{"poll":5,"retry":1}"#,
            ),
            ("the struct supports elvis", "noop \"a\" { Meta => false ?: struct{poll => 5,}, }", "noop[a]"),
            ("its fields do not", "noop \"a\" { Meta => struct{poll => true ?: 5,}, }", "syntax/unexpected"),
            ("a name is a str", "noop 1 {}", "types/conflict"),
            (
                "a list of names builds a list of resources with the same parameters",
                "test [\"a\", \"b\",] { int64 => 1, }",
                r#"test[a] {"int64":1}; test[b] {"int64":1}"#,
            ),
            (
                "with an internal edge of each of them",
                "noop [\"a\", \"b\",] { Before => Noop[\"c\"], }\nnoop \"c\" {}",
                "noop[a]; noop[b]; noop[c]; noop[a] -> noop[c]; noop[b] -> noop[c]",
            ),
            (
                "an interpolated name is statically a str",
                "class c($n) { noop \"${n}\" {} }\ninclude c(\"a\")",
                "noop[a]",
            ),
            ("a name in brackets is a list", "$n = \"a\"\nnoop [$n,] {}", "noop[a]"),
            ("what is not statically a str is a list", "noop \"a\" + \"b\" {}", "types/conflict"),
            (
                "each resource has a unique name",
                "noop \"a\" { comment => \"x\", }\nnoop \"a\" { comment => \"y\", }",
                "value/merge-conflict",
            ),
            (
                "the four internal edges",
                "noop \"m\" { Before => Noop[\"b\"], Depend => Noop[\"d\"], Notify => Noop[\"n\"], Listen => Noop[\"l\"], }\nnoop [\"b\", \"d\", \"n\", \"l\",] {}",
                "noop[b]; noop[d]; noop[l]; noop[m]; noop[n]; noop[d] -> noop[m]; noop[l] ~> noop[m]; noop[m] -> noop[b]; noop[m] ~> noop[n]",
            ),
            (
                "multiple internal edges of one kind",
                "noop \"m\" { Depend => Noop[\"a\"], Depend => Noop[\"b\"], }\nnoop [\"a\", \"b\",] {}",
                "noop[a]; noop[b]; noop[m]; noop[a] -> noop[m]; noop[b] -> noop[m]",
            ),
            (
                "internal edges support elvis",
                "noop \"m\" { Depend => false ?: Noop[\"a\"], Before => true ?: Noop[\"b\"], }\nnoop [\"a\", \"b\",] {}",
                "noop[a]; noop[b]; noop[m]; noop[m] -> noop[b]",
            ),
            (
                "the example of the guide",
                "$b = true\nif $b {\n\tpkg \"drbd\" {\n\t\tstate => \"installed\",\n\t\tBefore => File[\"/etc/drbd.conf\"],\n\t\tBefore => Svc[\"drbd\"],\n\t}\n}\nfile \"/etc/drbd.conf\" {\n\tcontent => \"some config\",\n\tDepend => $b ?: Pkg[\"drbd\"],\n\tNotify => Svc[\"drbd\"],\n}\nsvc \"drbd\" {\n\tstate => \"running\",\n}",
                r#"file[/etc/drbd.conf] {"content":"some config"}; pkg[drbd] {"state":"installed"}; svc[drbd] {"state":"running"}; file[/etc/drbd.conf] ~> svc[drbd]; pkg[drbd] -> file[/etc/drbd.conf]; pkg[drbd] -> svc[drbd]"#,
            ),
            (
                "edges can be chained",
                "noop [\"a\", \"b\", \"c\",] {}\nNoop[\"a\"] -> Noop[\"b\"] -> Noop[\"c\"]",
                "noop[a]; noop[b]; noop[c]; noop[a] -> noop[b]; noop[b] -> noop[c]",
            ),
            (
                "the kind in an edge is capitalized",
                "noop [\"a\", \"b\",] {}\nnoop[\"a\"] -> Noop[\"b\"]",
                "syntax/unexpected",
            ),
            (
                "the names in an edge may be lists",
                "noop [\"a\", \"b\", \"c\",] {}\nNoop[[\"a\", \"b\",]] -> Noop[\"c\"]",
                "noop[a]; noop[b]; noop[c]; noop[a] -> noop[c]; noop[b] -> noop[c]",
            ),
            (
                "the graph has no cycle",
                "noop [\"a\", \"b\",] {}\nNoop[\"a\"] -> Noop[\"b\"]\nNoop[\"b\"] -> Noop[\"a\"]",
                "value/graph",
            ),
        ],
        &[],
    );
}

#[test]
fn classes() {
    hold(
        &[
            (
                "a variable and a class may have one name",
                "$foo = \"v\"\nclass foo { noop \"${foo}\" {} }\ninclude foo",
                "noop[v]",
            ),
            (
                "a function and a variable too",
                "$foo = \"v\"\nfunc foo($x) { $x }\nnoop \"${foo}\" {}\ntest \"t\" { anotherstr => foo($foo), }",
                r#"noop[v]; test[t] {"anotherstr":"v"}"#,
            ),
            (
                "one input type static, one inferred",
                "class baz($a str, $b) { test $a { int64 => $b, } }\ninclude baz(\"x\", 1)",
                r#"test[x] {"int64":1}"#,
            ),
            (
                "the static type holds",
                "class baz($a str, $b) { test $a { int64 => $b, } }\ninclude baz(1, 1)",
                "types/conflict",
            ),
            ("the number of arguments holds", "class baz($a) {}\ninclude baz", "scope/class-arguments"),
            (
                "a class can be used via two signatures",
                "class p($v) { test \"${name}\" { bool => $v == $v, }\n$name = \"x\" }\ninclude p(1)\ninclude p(\"a\")",
                r#"test[x] {"bool":true}"#,
            ),
            (
                "classes can be nested",
                "import \"fmt\"\nclass c1($a, $b) {\n\tclass c2($c) {\n\t\ttest $a {\n\t\t\tstringptr => fmt.printf(\"%s is %d\", $b, $c),\n\t\t}\n\t}\n\tif $a == \"t1\" {\n\t\tinclude c2(42)\n\t}\n}\ninclude c1(\"t1\", \"hello\")\ninclude c1(\"t2\", \"goodbye\")",
                r#"test[t1] {"stringptr":"hello is 42"}"#,
            ),
            ("a recursive class is refused", "class a { include a }\ninclude a", "scope/recursive"),
            ("also with indirection", "class a { include b }\nclass b { include a }\ninclude a", "scope/recursive"),
            (
                "colons in names nest classes",
                "class base() {}\nclass base:inner() {}\nclass base:inner:deepest() { noop \"d\" {} }\ninclude base as b\ninclude b.inner as i\ninclude i.deepest",
                "noop[d]",
            ),
            (
                "the inner class is accessible only after its parent is included",
                "class base {}\nclass base:inner { noop \"i\" {} }\ninclude inner",
                "scope/unbound",
            ),
            ("a prefix must name a class", "class nx:inner {}", "scope/unbound"),
            (
                "include as: variables are exported, resources are pulled out",
                "import \"fmt\"\nclass c1 {\n\ttest \"t1\" {}\n\t$x = \"hello\"\n}\ninclude c1 as i1\ntest \"print0\" {\n\tanotherstr => fmt.printf(\"%s\", $i1.x),\n\tonlyshow => [\"AnotherStr\",],\n}",
                r#"test[print0] {"anotherstr":"hello","onlyshow":["AnotherStr"]}; test[t1]"#,
            ),
            (
                "include as: child classes are exported",
                "class c1 {\n\ttest \"t1\" {}\n\t$x = \"hello\"\n\tclass c0 {\n\t\ttest \"t2\" {}\n\t\t$x = \"goodbye\"\n\t}\n}\ninclude c1 as i1\ninclude i1.c0 as i0\ntest \"print0\" { anotherstr => $i1.x, }\ntest \"print1\" { anotherstr => $i0.x, }",
                r#"test[print0] {"anotherstr":"hello"}; test[print1] {"anotherstr":"goodbye"}; test[t1]; test[t2]"#,
            ),
            (
                "include as: functions are exported",
                "class c { func f($n) { $n + 1 } }\ninclude c as i\ntest \"t\" { int64 => i.f(1), }",
                r#"test[t] {"int64":2}"#,
            ),
            (
                "include as: parameters are exported",
                "class c($p) {}\ninclude c(7) as i\ntest \"t\" { int64 => $i.p, }",
                r#"test[t] {"int64":7}"#,
            ),
            (
                "without as, nothing is exported",
                "class c { $x = 1 }\ninclude c\ntest \"t\" { int64 => $c.x, }",
                "scope/unbound",
            ),
            (
                "duplicates are removed: a class is practically a singleton",
                "class s { test \"t\" { int64 => 1, } }\ninclude s\ninclude s",
                r#"test[t] {"int64":1}"#,
            ),
            (
                "outputs of several classes are collated",
                "class a { test \"t\" { int64 => 1, } }\nclass b { test \"t\" { int64 => 1, } }\ninclude a\ninclude b",
                r#"test[t] {"int64":1}"#,
            ),
            (
                "a named function has one type per use",
                "func id($x) { $x }\ntest \"t\" { int64 => id(1), anotherstr => id(\"a\"), }",
                r#"test[t] {"anotherstr":"a","int64":1}"#,
            ),
            (
                "a lambda has one type",
                "$id = func($x) { $x }\ntest \"t\" { int64 => $id(1), anotherstr => $id(\"a\"), }",
                "types/conflict, types/conflict",
            ),
            (
                "a recursive function is refused",
                "func f($x) { f($x) }\ntest \"t\" { int64 => f(1), }",
                "scope/recursive",
            ),
        ],
        &[],
    );
}

#[test]
fn imports() {
    let files = [
        (
            "dir1/file.mcl",
            "$foo = 13\nclass foo { test \"class\" { int64 => $foo, } }\nfunc foo() { \"func\" }\nnoop \"ignored\" {}",
        ),
        ("dir2/main.mcl", "import \"lib.mcl\"\n$a = $lib.b"),
        ("dir2/lib.mcl", "$b = \"of the module\""),
        ("/modules/github.com/purpleidea/mgmt-example1/main.mcl", "$a = \"of the copy\""),
        ("/modules/github.com/purpleidea/mgmt-example1/metadata.yaml", "main: \"main.mcl\""),
    ];
    hold(
        &[
            (
                "a system module",
                "import \"fmt\"\ntest \"t\" { anotherstr => fmt.printf(\"%d\", 1), }",
                r#"test[t] {"anotherstr":"1"}"#,
            ),
            (
                "without the import, it is not in scope",
                "test \"t\" { anotherstr => fmt.printf(\"%d\", 1), }",
                "scope/unbound",
            ),
            (
                "a system module with slashes has its last token",
                "import \"golang/strings\"\ntest \"t\" { anotherstr => strings.to_upper(\"a\"), }",
                r#"test[t] {"anotherstr":"A"}"#,
            ),
            ("an unknown system module", "import \"fnt\"", "scope/import"),
            (
                "a file: a variable, a class and a function of one name",
                "import \"dir1/file.mcl\"\ninclude file.foo\ntest \"t\" { int64 => $file.foo, anotherstr => file.foo(), }",
                r#"test[class] {"int64":13}; test[t] {"anotherstr":"func","int64":13}"#,
            ),
            (
                "as another name",
                "import \"dir1/file.mcl\" as f\ntest \"t\" { int64 => $f.foo, }",
                r#"test[t] {"int64":13}"#,
            ),
            (
                "then not by its own name",
                "import \"dir1/file.mcl\" as f\ntest \"t\" { int64 => $file.foo, }",
                "scope/unbound",
            ),
            (
                "as *: into the top-level scope",
                "import \"dir1/file.mcl\" as *\ninclude foo\ntest \"t\" { int64 => $foo, }",
                r#"test[class] {"int64":13}; test[t] {"int64":13}"#,
            ),
            (
                "a system module as *",
                "import \"fmt\" as *\ntest \"t\" { anotherstr => printf(\"%d\", 1), }",
                r#"test[t] {"anotherstr":"1"}"#,
            ),
            (
                "which might conflict with another identifier",
                "import \"fmt\" as *\nfunc printf($x) { $x }",
                "scope/duplicate",
            ),
            (
                "a module, its imports relative to itself",
                "import \"dir2/\"\nnoop \"${dir2.a}\" {}",
                "noop[of the module]",
            ),
            (
                "a remote module, from a local copy",
                "import \"git://github.com/purpleidea/mgmt-example1/\"\nnoop \"${example1.a}\" {}",
                "noop[of the copy]",
            ),
            (
                "a remote module that is not there",
                "import \"git://github.com/purpleidea/mgmt-example2/\"",
                "scope/import",
            ),
            ("a file that is not there", "import \"nope.mcl\"", "import/not-found"),
        ],
        &files,
    );
}

#[test]
fn expressions() {
    hold(
        &[
            (
                "interpolation expands strings",
                "$foo = \"42\"\ntest \"t\" { anotherstr => \"the answer is: ${foo}\", }",
                r#"test[t] {"anotherstr":"the answer is: 42"}"#,
            ),
            (
                "only of type str",
                "$foo = 42\ntest \"t\" { anotherstr => \"the answer is: ${foo}\", }",
                "types/conflict",
            ),
            (
                "an ambiguity needs an annotation",
                "$f = func($x) { $x }\n$g = $f\ntest \"t\" { int64 => len([$g,]), }",
                "types/ambiguous",
            ),
            (
                "which resolves it",
                "$f func(int) int = func($x) { $x }\ntest \"t\" { int64 => len([$f,]), }",
                r#"test[t] {"int64":1}"#,
            ),
            ("a conflict cannot be reconciled", "$x = 1 + \"a\"\ntest \"t\" { int64 => $x, }", "types/conflict"),
            (
                "lookups have defaults",
                "test \"t\" { int64 => [1,][5] || 2, int32 => {\"a\" => 1,}[\"b\"] || 3, int16 => struct{a => 1,}->b || 4, }",
                r#"test[t] {"int16":4,"int32":3,"int64":2}"#,
            ),
            (
                "in",
                "test \"t\" { bool => 1 in [1, 2,], boolptr => 3 in [1, 2,], }",
                r#"test[t] {"bool":true,"boolptr":false}"#,
            ),
            ("and, or and not", "test \"t\" { bool => not (true and false) or false, }", r#"test[t] {"bool":true}"#),
            (
                "comparisons",
                "test \"t\" { bool => 1 < 2, boolptr => 2.5 >= 3.5, }",
                r#"test[t] {"bool":true,"boolptr":false}"#,
            ),
            ("which do not chain", "test \"t\" { bool => 1 < 2 < 3, }", "syntax/chained"),
            (
                "arithmetic",
                "test \"t\" { int64 => 7 - 2 * 3, float64 => 7 / 2, anotherstr => \"a\" + \"b\", }",
                r#"test[t] {"anotherstr":"ab","float64":3.5,"int64":1}"#,
            ),
            ("not of two types", "test \"t\" { float64 => 1.5 + 1, }", "types/conflict"),
            ("panic ends the program", "panic(\"x\")\nnoop \"a\" {}", "value/undefined"),
            ("panic of an empty string does not", "panic(\"\")\nnoop \"a\" {}", "noop[a]"),
        ],
        &[],
    );
}
