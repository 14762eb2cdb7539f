//! The unforced parts of a result keep the values they had when the result was computed, no matter when and how they
//! are forced.

use crate::beside::{Files, answer, session};
use cfg_core::session::Session;

/// Returns the answer to the last of some inputs. `@file text` among them changes a file.
fn last(inputs: &[&str]) -> String {
    let files = Files::default();
    let mut session = session(&files);
    told(&mut session, &files, inputs)
}

fn told(session: &mut Session, files: &Files, inputs: &[&str]) -> String {
    let mut came = String::new();
    for input in inputs {
        match input.strip_prefix('@').and_then(|file| file.split_once(' ')) {
            Some((file, text)) => files.put(file, text),
            None => came = answer(session, input),
        }
    }
    // omits the note that the result is older
    let told = came.lines().filter(|line| !line.trim_start().starts_with(['|', '-', '=']) && !line.is_empty());
    told.filter(|line| !line.starts_with("note")).map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Checks that the last input shows the same when each of `asked` was entered right after the result, before things
/// changed.
fn shows(inputs: [&str; 3], then: &str, asked: &[&str]) {
    let [before, result, change] = inputs;
    let expected = |came: String, how: &str| assert!(came.contains(then), "{how}: {came}");
    for question in asked {
        let first: Vec<&str> = before.split('\n').chain([result]).collect();
        let ask = [*question];
        let after: Vec<&str> = change.split('\n').collect();
        expected(last(&[&first[..], &after, &ask].concat()), "asked late");
        expected(last(&[&first[..], &ask, &after, &ask].concat()), "asked before and after");
        expected(last(&[&first[..], &after, &[":undo", ":redo"], &ask].concat()), "undone and done again");
    }
}

#[test]
fn names_mean_what_they_meant() {
    let result = "{ a = y, b = fun z => z + x, c | default = [x], d = { e = x } }";
    for change in ["x = 5", "x = 5\nx = 7", "y = 0\nx = 5", "x = \"s\""] {
        let inputs = ["x = 1\ny = { v = x }", result, change];
        shows(inputs, "1", &["$3.a.v", ":query $3.a.v", ":explain $3.a.v", "$3.d.e", ":force $3.d", ":force $3.c"]);
        shows(inputs, "3", &["$3.b 2", "($3 & { c = 2 }).b 2"]);
    }
}

#[test]
fn so_they_do_through_what_is_defined_from_a_result() {
    let change = "x = 5";
    let inputs = ["x = 1\ny = { v = x, f = fun n => n + x }", "y", change];
    shows(inputs, "1", &["$3.v", "{ z = $3.v }"]);
    let inputs = ["x = 1\ny = { v = x, f = fun n => n + x }\n0", "z = y", change];
    shows(inputs, "6", &["z.f 1", "y.f 1"]);
    let inputs = ["x = 1\n{ b = fun n => n + x }", "y = $2", change];
    shows(inputs, "2", &["y.b 1", "(y & { c = 1 }).b 1"]);
}

#[test]
fn what_is_there_is_shared_and_what_is_not_is_computed_once() {
    // a function of an older, unchanged definition reads the present values, which are the same
    let inputs = ["x = 1\nf = fun n => n + x\ng = fun n => f n", "{ h = fun n => g n }", "x = 5"];
    shows(inputs, "2", &["$4.h 1"]);
    shows(inputs, "6", &["g 1", "f 1", "[g 1]"]);
    shows(["x = 1\nz = { b = { c = x } }\nz.b", "z", "x = 5"], "1", &["$4.b.c", "$3.c"]);
    shows(["x = 1\nz = { b = { c = x } }\nz.b", "z", "x = 5"], "5", &["z.b.c", ":query z.b.c"]);
}

#[test]
fn files_and_variables_are_what_they_were() {
    let changed = "@f.cfg { v = 5 }\n:reload";
    shows(
        ["@f.cfg { v = 1 }\n0", "{ b = fun n => n + (import \"f.cfg\").v, c = (import \"f.cfg\").v }", changed],
        "1",
        &["$2.c", "($2.b 0)"],
    );
    let through =
        ["@g.cfg { w = import \"f.cfg\" }\n@f.cfg { v = 1 }\na = import \"f.cfg\"\na.v", "import \"g.cfg\"", changed];
    shows(through, "1", &["$3.w.v", ":query $3.w.v"]);
    let given =
        [":set ext-code x=1", "%%jsonnet\n{ a: std.extVar('x'), f(n):: n + std.extVar('x') }", ":set ext-code x=5"];
    shows(given, "1", &["$1.a", "%%jsonnet\n$1.f(0)"]);
    shows([given[0], "%%jsonnet\nlocal e = std.extVar", given[2]], "5", &["%%jsonnet\ne('x')"]);
}

#[test]
fn rings_of_names_are_what_they_were() {
    let inputs = ["x = 1\na = { p = 0, q = b.p }\nb = { p = x, q = a.p }", "{ r = [a, b] }", "x = 5"];
    shows(inputs, "1", &[":force $4", "$4.r", "std.array.at 0 $4.r"]);
}

#[test]
fn it_does_not_matter_when_something_is_first_asked_for() {
    // something else is defined between the result and the change, and a part is forced
    let inputs = |asked| ["x = 1", "y = { v = x }", "{ b = y, c = y }", "z = 0", asked, "x = 5", "$3.b.v"];
    for asked in ["0", ":query $3.b", "y", ":query y.v", ":sprint $3.b", ":undo"] {
        assert!(last(&inputs(asked)).contains('1'), "after {asked}");
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
    assert!(last(&import).contains('1'));
}

#[test]
fn what_means_the_same_then_and_now_is_one_thing() {
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
fn who_reads_an_older_result_is_told_what_has_changed_since() {
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
    assert!(note(&[given[0], given[1], ":set ext-code x=2", "$1"]).contains("before `x` was given something else"));
}

#[test]
fn every_question_about_a_result_is_about_what_it_was() {
    let inputs = ["x = 1", "x2 = x", "{ a = x2 } & { b = x2 + 1 }"];
    let ask = |changes: &[&str], question: &str| {
        let files = Files::default();
        let mut session = session(&files);
        for input in inputs.iter().chain(changes) {
            answer(&mut session, input);
        }
        let came = answer(&mut session, question);
        // after the note, which ends with the result's source
        let behind = came.split_once("this result is what it was\n").map(|(_, rest)| String::from(rest));
        behind.unwrap_or(came)
    };
    for question in
        [":steps $3", ":why $3.a", ":why $3.b", ":deps $3", ":explain $3.b", ":query $3", ":type $3", ":force $3"]
    {
        let straight = ask(&[], question);
        for changes in [&["x = \"s\""][..], &["x2 = \"s\""], &["x = \"s\"", "x2 = 7"], &["x = 1", "y = x"]] {
            assert_eq!(ask(changes, question), straight, "{question} after {changes:?}");
        }
    }
}

#[test]
fn a_result_that_is_read_stays_what_it_was_however_many_come_after_it() {
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
fn so_it_is_where_more_is_read_than_is_looked_at_at_once() {
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
        assert!(answer(&mut session, &format!("${result}.f 1")).ends_with("2 : Number\n"), "{mask}");
        answer(&mut session, ":undo 2");
        answer(&mut session, "x0 = 7");
        assert_eq!(answer(&mut session, "down x100 + down x60"), "14 : Number\n", "{mask}");
        assert!(answer(&mut session, &format!("down ${result}.r")).ends_with("1 : Number\n"), "{mask}");
    }
}

#[test]
fn a_recursion_of_then_is_told_by_the_names_of_then() {
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
