//! The unforced parts of a result keep the values they had when the result was computed, no matter when and how they
//! are forced.

use crate::beside::{Files, answer, session};

/// Returns the answer to the last input, whole but for the note that the result is an older one. An input `@file text`
/// writes a file.
fn last(inputs: &[&str]) -> String {
    let files = Files::default();
    let mut session = session(&files);
    let mut came = String::new();
    for input in inputs {
        match input.strip_prefix('@').and_then(|file| file.split_once(' ')) {
            Some((file, text)) => files.put(file, text),
            None => came = without_note(&answer(&mut session, input)),
        }
    }
    came
}

/// Returns an answer without the note that a result is an older one, and without blank lines and spaces at the ends of lines.
fn without_note(answer: &str) -> String {
    let rest = match answer.starts_with("note: ") {
        true => answer.split_once("the result keeps its old value\n").map_or(answer, |(_, rest)| rest),
        false => answer,
    };
    rest.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Asserts that each question has its answer, whether it is asked after a change, before and after it, or after the change was
/// undone and redone.
fn shows(inputs: [&str; 3], asked: &[(&str, &str)]) {
    let [before, result, change] = inputs;
    for (question, expected) in asked {
        let first: Vec<&str> = before.split('\n').chain([result]).collect();
        let ask = [*question];
        let after: Vec<&str> = change.split('\n').collect();
        let late = last(&[&first[..], &after, &ask].concat());
        assert_eq!(late, *expected, "{question} asked after {change:?}");
        let again = last(&[&first[..], &ask, &after, &ask].concat());
        assert_eq!(again, *expected, "{question} asked before and after {change:?}");
        let redone = last(&[&first[..], &after, &[":undo", ":redo"], &ask].concat());
        assert_eq!(redone, *expected, "{question} asked after {change:?} undone and redone");
    }
}

#[test]
fn names_in_a_result_keep_their_meaning() {
    let explained = "$3.a.v = 1 : Number                                                 1 definition\n  \
                     WINS  normal  1  cfg[2]:1:11  v = x\n  \
                     to change it: edit cfg[2]:1:11, or merge `{ a.v | force = … }` over it.";
    let result = "{ a = y, b = fun z => z + x, c | default = [x], d = { e = x } }";
    for change in ["x = 5", "x = 5\nx = 7", "y = 0\nx = 5", "x = \"s\""] {
        let inputs = ["x = 1\ny = { v = x }", result, change];
        shows(
            inputs,
            &[
                ("$3.a.v", "1 : Number"),
                (":query $3.a.v", "• value: 1"),
                (":explain $3.a.v", explained),
                ("$3.d.e", "1 : Number"),
                (":force $3.d", "{ e = 1 } : { e : Number }"),
                (":force $3.c", "[1] : Array Number"),
            ],
        );
        shows(inputs, &[("$3.b 2", "3 : Number"), ("($3 & { c = [2] }).b 2", "3 : Number")]);
    }
}

#[test]
fn names_keep_their_meaning_in_definitions_that_use_a_result() {
    let change = "x = 5";
    let inputs = ["x = 1\ny = { v = x, f = fun n => n + x }", "y", change];
    shows(inputs, &[("$3.v", "1 : Number"), ("{ z = $3.v }", "{ z = 1 } : { z : Number }")]);
    let inputs = ["x = 1\ny = { v = x, f = fun n => n + x }\n0", "z = y", change];
    shows(inputs, &[("z.f 1", "6 : Number"), ("y.f 1", "6 : Number")]);
    let inputs = ["x = 1\n{ b = fun n => n + x }", "y = $2", change];
    shows(inputs, &[("y.b 1", "2 : Number"), ("(y & { c = 1 }).b 1", "2 : Number")]);
}

#[test]
fn computed_parts_are_shared_and_others_are_computed_once() {
    // a function of an older, unchanged definition reads the present values, which are the same
    let inputs = ["x = 1\nf = fun n => n + x\ng = fun n => f n", "{ h = fun n => g n }", "x = 5"];
    shows(inputs, &[("$4.h 1", "2 : Number")]);
    shows(inputs, &[("g 1", "6 : Number"), ("f 1", "6 : Number"), ("[g 1]", "[6] : Array Number")]);
    shows(["x = 1\nz = { b = { c = x } }\nz.b", "z", "x = 5"], &[("$4.b.c", "1 : Number"), ("$3.c", "1 : Number")]);
    shows(
        ["x = 1\nz = { b = { c = x } }\nz.b", "z", "x = 5"],
        &[("z.b.c", "5 : Number"), (":query z.b.c", "• value: 5")],
    );
}

#[test]
fn files_and_variables_in_a_result_keep_their_values() {
    let changed = "@f.cfg { v = 5 }\n:reload";
    shows(
        ["@f.cfg { v = 1 }\n0", "{ b = fun n => n + (import \"f.cfg\").v, c = (import \"f.cfg\").v }", changed],
        &[("$2.c", "1 : Number"), ("($2.b 0)", "1 : Number")],
    );
    let through =
        ["@g.cfg { w = import \"f.cfg\" }\n@f.cfg { v = 1 }\na = import \"f.cfg\"\na.v", "import \"g.cfg\"", changed];
    shows(through, &[("$3.w.v", "1 : Number"), (":query $3.w.v", "• value: 1")]);
    let given =
        [":set ext-code x=1", "%%jsonnet\n{ a: std.extVar('x'), f(n):: n + std.extVar('x') }", ":set ext-code x=5"];
    shows(given, &[("$1.a", "1 : Number"), ("%%jsonnet\n$1.f(0)", "1 : number")]);
    shows([given[0], "%%jsonnet\nlocal e = std.extVar", given[2]], &[("%%jsonnet\ne('x')", "5 : any")]);
}

#[test]
fn cycles_of_names_in_a_result_keep_their_values() {
    let inputs =
        ["x = 1\na = { p = 0, q = 0 }\nb = { p = x, q = a.p }\na = { p = 0, q = b.p }", "{ r = [a, b] }", "x = 5"];
    let ring = "[{ p = 0, q = 1 }, { p = 1, q = 0 }]";
    let whole = format!("{{ r = {ring} }} : {{ r : Array {{ p : Number, q : Number }} }}");
    let typed = format!("{ring} : Array {{ p : Number, q : Number }}");
    let first = "{ p = 0, q = 1 } : { p : Number, q : Number }";
    shows(inputs, &[(":force $5", &whole), ("$5.r", &typed), ("std.array.at 0 $5.r", first)]);
}

#[test]
fn it_does_not_matter_when_something_is_first_asked_for() {
    // something else is defined between the result and the change, and a part is forced
    let inputs = |asked| ["x = 1", "y = { v = x }", "{ b = y, c = y }", "z = 0", asked, "x = 5", "$3.b.v"];
    for asked in ["0", ":query $3.b", "y", ":query y.v", ":sprint $3.b", ":undo"] {
        assert_eq!(last(&inputs(asked)), "1 : Number", "after {asked}");
    }
    let import = [
        "@f.cfg { w = import \"g.cfg\" }",
        "@g.cfg 1",
        "{ b = import \"f.cfg\" }",
        "z = 0",
        ":query $1.b",
        "@g.cfg 5",
        ":reload",
        "$1.b.w",
    ];
    assert_eq!(last(&import), "1 : Number");
}

#[test]
fn unchanged_definitions_are_the_same_in_all_revisions() {
    let deps = |between: &[&str]| {
        let files = Files::default();
        files.put("g.json", "{\"p\": 1}");
        files.put("y.cfg", "{ y = 1 }");
        let mut session = session(&files);
        for input in [&["c = import \"g.json\"", "d = 2", "c"], between, &["a = $3", "[c, a]"]].concat() {
            answer(&mut session, input);
        }
        answer(&mut session, ":deps it")
    };
    let straight = deps(&["d = 2"]);
    assert!(straight.contains("(above)"), "{straight}");
    assert_eq!(deps(&["d = 1", ":undo"]), straight);
    assert_eq!(deps(&["d = 1", ":load y.cfg", ":undo"]), straight);
}

#[test]
fn a_note_says_what_has_changed_since_an_older_result() {
    let note = |inputs: &[&str]| {
        let files = Files::default();
        let mut session = session(&files);
        for input in &inputs[..inputs.len() - 1] {
            match input.strip_prefix('@').and_then(|file| file.split_once(' ')) {
                Some((file, text)) => files.put(file, text),
                None => drop(answer(&mut session, input)),
            }
        }
        let came = answer(&mut session, inputs[inputs.len() - 1]);
        came.lines().find_map(|line| line.strip_prefix("note: ")).unwrap_or("").to_string()
    };
    let file = ["@f.cfg { v = 1 }", "@g.cfg { w = import \"f.cfg\" }", "x = 1", "{ a = x, b = import \"g.cfg\" }"];
    let since = |changes: &[&str], asked| note(&[&file[..], changes, &[asked]].concat());
    for asked in ["$2", ":query $2.a", ":explain $2.a", ":force $2", ":deps $2", "y = $2"] {
        assert!(since(&["x = 5"], asked).starts_with("`$2` was computed before `x` was defined again"), "{asked}");
    }
    assert_eq!(since(&["x = 5", ":undo", "y = 1"], "$2"), "");
    let reload = ["@f.cfg { v = 5 }", ":reload"];
    assert!(since(&reload, ":query $2.b").starts_with("`$2` was computed before `f.cfg` was read again"));
    let given = [":set ext-code x=1", "%%jsonnet\n{ a: std.extVar('x') }", ":set ext-code y=2", "$1"];
    assert_eq!(note(&given), "");
    assert!(note(&[given[0], given[1], ":set ext-code x=2", "$1"]).contains("before `x` was changed"));
}

#[test]
fn every_query_of_a_result_uses_its_revision() {
    let inputs = ["x = 1", "x2 = x", "{ a = x2 } & { b = x2 + 1 }"];
    let ask = |changes: &[&str], question: &str| {
        let files = Files::default();
        let mut session = session(&files);
        for input in inputs.iter().chain(changes) {
            answer(&mut session, input);
        }
        let came = answer(&mut session, question);
        // after the note, which ends with the result's source
        let behind = came.split_once("the result keeps its old value\n").map(|(_, rest)| String::from(rest));
        behind.unwrap_or(came)
    };
    let questions = [
        (":steps $3", "  b  -  &  2  =>  2  only the right has it"),
        (":why $3.a", "  1  1  is Number  cfg[1]:1:5"),
        (":why $3.b", "  1  x2 + 1  is Number  cfg[3]:1:20"),
        (":deps $3", "   `- x  1             cfg[1]:1:5"),
        (":explain $3.b", "  WINS  normal  2  cfg[3]:1:20  b = x2 + 1"),
        (":query $3", "• value: { a = 1, b = 2 }"),
        (":type $3", "{ a : Number, b : Number }"),
        (":force $3", "{ a = 1, b = 2 } : { a : Number, b : Number }"),
    ];
    for (question, line) in questions {
        let straight = ask(&[], question);
        assert!(straight.lines().any(|l| l.trim() == line.trim()), "{question}: {straight}");
        for changes in [&["x = \"s\""][..], &["x2 = \"s\""], &["x = \"s\"", "x2 = 7"], &["x = 1", "y = x"]] {
            assert_eq!(ask(changes, question), straight, "{question} after {changes:?}");
        }
    }
}

#[test]
fn a_result_in_use_outlives_the_history_limit() {
    let files = Files::default();
    let mut session = session(&files);
    for input in [":set history 10", "x = 1", "{ b = fun n => n + x }", "y = $2", "x = 5"] {
        answer(&mut session, input);
    }
    for n in 0..50 {
        answer(&mut session, &format!("z = {n}\nz"));
    }
    assert_eq!(answer(&mut session, "y.b 1"), "2 : Number\n");
    assert!(answer(&mut session, "$20").contains("unbound"));
}

#[test]
fn results_keep_their_values_in_long_chains_of_definitions() {
    let mut inputs =
        vec![String::from("x0 = 1"), String::from("let rec down = fun r => if std.is_number r then r else down r.a")];
    inputs.extend((1..=100).map(|n| format!("x{n} = {{ a = x{} }}", n - 1)));
    let asked = ["std.record.fields x100", "y = 0", "down x100", ":query x50", "z = x70"];
    for mask in 0..1 << asked.len() {
        let mut session = session(&Files::default());
        inputs.iter().for_each(|input| drop(answer(&mut session, input)));
        let chosen = asked.iter().enumerate().filter(|(bit, _)| mask & (1 << bit) != 0);
        chosen.for_each(|(_, input)| drop(answer(&mut session, input)));
        let result = session.next_number();
        answer(&mut session, "{ f = fun n => down x100 + n, r = x100 }");
        answer(&mut session, "y = 1");
        answer(&mut session, "x0 = 5");
        assert_eq!(answer(&mut session, "down x100"), "5 : Number\n", "{mask}");
        assert_eq!(without_note(&answer(&mut session, &format!("${result}.f 1"))), "2 : Number", "{mask}");
        answer(&mut session, ":undo 2");
        answer(&mut session, "x0 = 7");
        assert_eq!(answer(&mut session, "down x100 + down x60"), "14 : Number\n", "{mask}");
        assert_eq!(without_note(&answer(&mut session, &format!("down ${result}.r"))), "1 : Number", "{mask}");
    }
}

#[test]
fn infinite_recursion_in_an_older_result_uses_the_names_of_its_revision() {
    let steps = |changes: &[&str]| {
        let mut session = session(&Files::default());
        for input in ["a = 1", "let d : Number = a", "a = d", "{ r = a }"].iter().chain(changes) {
            answer(&mut session, input);
        }
        let came = answer(&mut session, ":explain $4.r");
        String::from(came.lines().find(|line| line.starts_with("error")).unwrap_or(""))
    };
    assert!(steps(&[]).contains("infinite recursion: d → a → d"), "{}", steps(&[]));
    for changes in [&["a = 0"][..], &["a = 0", "d = 7"], &["a = 0", "a", ":undo"]] {
        assert_eq!(steps(changes), steps(&[]), "{changes:?}");
    }
}
