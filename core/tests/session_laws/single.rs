//! Past violations of the laws, one test each.

use crate::beside::{Files, answer, session};
use cfg_core::Session;
use cfg_core::notebook::PageWidths;

#[test]
fn a_missing_file_is_looked_for_again_when_it_is_imported_again() {
    let files = Files::default();
    let mut session = session(&files);
    assert!(answer(&mut session, "a = import \"x.cfg\"").contains("no file `x.cfg`"));
    files.put("x.cfg", "{ v = 1 }");
    assert!(answer(&mut session, "a").contains("no file `x.cfg`"), "until somebody looks it is as it was");
    let came = answer(&mut session, "b = (import \"x.cfg\").v");
    assert!(came.contains("there now: `x.cfg`") && came.contains("b : Number"), "{came}");
    assert_eq!(answer(&mut session, "a"), "{ v = 1 } : { v : Number }\n");
    answer(&mut session, ":undo");
    assert!(answer(&mut session, "a").contains("no file `x.cfg`"), "undone with what brought it");
}

#[test]
fn a_removed_file_does_not_prevent_others_from_being_reloaded() {
    let files = Files::default();
    files.put("f.cfg", "{ f = 1 }");
    files.put("g.cfg", "{ g = 1 }");
    let mut session = session(&files);
    answer(&mut session, ":load f.cfg");
    answer(&mut session, ":load g.cfg");
    files.remove("f.cfg");
    files.put("g.cfg", "{ g = \"s\" }");
    let came = answer(&mut session, ":reload");
    assert!(came.contains("read again: `g.cfg`") && came.contains("as before: `f.cfg`"), "{came}");
    assert_eq!(answer(&mut session, "f\ng"), "1 : Number\n\"s\" : String\n");
}

#[test]
fn the_types_of_a_cycle_do_not_depend_on_which_definition_closes_it() {
    let types = |inputs: &[&str]| {
        let mut session = session(&Files::default());
        inputs.iter().for_each(|input| drop(answer(&mut session, input)));
        answer(&mut session, ":env")
    };
    let straight = types(&["a = 1", "b = [a]", "a = { v = b }"]);
    assert_eq!(straight, "a : { v : Array { v : Array Dyn } }\nb : Array { v : Array Dyn }\n");
    assert_eq!(straight, types(&["a = \"s\"", "b = [a]", "a = { v = b }", "a = 2", "a = { v = b }"]));
    assert_eq!(straight, types(&["a = 1", "b = [a]", "a = { v = b }", "b = a", "b = null", ":undo 2"]));
}

#[test]
fn an_infinite_recursion_has_the_same_report_from_any_starting_point() {
    let reads = |first: &str| {
        let mut session = session(&Files::default());
        for input in ["c = 1", "d = c", "c = d + 1", first] {
            answer(&mut session, input);
        }
        [":query c", ":query d"].map(|question| answer(&mut session, question))
    };
    assert_eq!(reads("c"), reads("d"));
    for came in reads("c") {
        assert!(came.contains("infinite recursion: d → c → d"), "{came}");
    }
}

#[test]
fn a_saved_result_is_unchanged_after_thousands_of_inputs() {
    let files = Files::default();
    let mut ours = session(&files);
    answer(&mut ours, "x = 0");
    answer(&mut ours, "x = 7");
    answer(&mut ours, "y = [x]");
    assert!(answer(&mut ours, "[y]").contains("[[7]]"));
    for n in 0..2500 {
        answer(&mut ours, &format!("x = {}", n + 10));
    }
    answer(&mut ours, ":save s.session");
    let mut fresh = session(&files);
    answer(&mut fresh, ":load s.session");
    for session in [&mut fresh, &mut ours] {
        assert!(answer(session, "$4").ends_with("the result keeps its old value\n[[7]] : Array (Array Number)\n"));
    }
}

#[test]
fn problems_come_in_the_same_order_when_a_file_is_read_again() {
    let files = Files::default();
    let problems = |session: &mut Session| {
        let all = session.problems().into_iter();
        all.map(|(name, problem)| format!("{name}: {}", problem.text())).collect::<Vec<_>>()
    };
    files.put("f.cfg", "{ f = 2 }");
    let mut ours = session(&files);
    for input in [":load f.cfg", "a = f + 1", "b = a & { k = a }"] {
        answer(&mut ours, input);
    }
    files.put("f.cfg", "{ f = [1].p }");
    answer(&mut ours, ":reload");
    let is = problems(&mut ours);
    let of_b: Vec<&str> = is.iter().filter(|p| p.starts_with("b: ")).filter_map(|p| p.lines().nth(1)).collect();
    assert_eq!(of_b, [" --> cfg[2]:1:9", " --> f.cfg:1:7"]);
    answer(&mut ours, ":save s.session");
    let mut fresh = session(&files);
    answer(&mut fresh, ":load s.session");
    assert_eq!(is, problems(&mut fresh));
}

#[test]
fn a_result_is_explained_with_the_definitions_of_its_revision() {
    let inputs = ["e = 1", "c = {} + e", "%%jsonnet\n{ j: c } + { j+: e }", "e = 2"];
    // parts that were not forced before are not mixed with present values
    for asked_before in [false, true] {
        let mut session = session(&Files::default());
        for input in inputs {
            answer(&mut session, input);
            if asked_before {
                answer(&mut session, ":explain it");
            }
        }
        let came = answer(&mut session, ":explain $3");
        assert!(came.contains("{ j = 1 }") && !came.contains("{ j = 2 }"), "{came}");
        assert_eq!(answer(&mut session, "e"), "2 : Number\n");
    }
}

#[test]
fn the_field_of_an_error_does_not_depend_on_earlier_output() {
    let deep = [
        "std.deep_seq e 1",
        "e == { x = b, y = 1 }",
        "%%jsonnet\nstd.toString(e)",
        "std.serialize 'Json e",
        ":force e",
    ];
    for first in ["1", "b", "e"].into_iter().chain(deep) {
        let mut session = session(&Files::default());
        for input in
            ["b = { v = { w = nope.x }, nope = [1] }", "e = { x = b, y = { z = { n = 1 & 2 } & { m = 1 } } }", first]
        {
            answer(&mut session, input);
        }
        let came = answer(&mut session, ":query b.v.w");
        assert!(came.contains("in field `v.w`"), "after {first}: {came}");
        let came = answer(&mut session, "e");
        assert!(came.contains("the values of `y.z.n` cannot be merged"), "after {first}: {came}");
    }
}

#[test]
fn a_replaced_definition_reads_the_current_files() {
    let reads = |asked_between: &str| {
        let files = Files::default();
        let mut session = session(&files);
        answer(&mut session, "0");
        answer(&mut session, "a = import \"n.cfg\"");
        answer(&mut session, asked_between);
        files.put("n.cfg", "{ v = 1 }");
        answer(&mut session, ":reload");
        answer(&mut session, "a = { v = a }");
        answer(&mut session, ":query a")
    };
    assert_eq!(reads(""), reads(":query a"));
    assert!(reads("").contains("{ v = { v = 1 } }"));
}

#[test]
fn a_name_that_a_file_no_longer_binds_has_no_dependents() {
    let files = Files::default();
    files.put("g.json", "{\"p\": 1}");
    let mut session = session(&files);
    for input in [":load g.json", "a = p + 1", ":query a"] {
        answer(&mut session, input);
    }
    files.put("g.json", "{}");
    answer(&mut session, ":reload");
    assert!(answer(&mut session, ":query a").contains("unbound name `p`"));
}

#[test]
fn a_file_reads_no_name_of_the_session_whatever_is_wrong_with_it() {
    let files = Files::default();
    files.put("f.cfg", "[v]\nf = 3");
    let types = |inputs: &[&str]| {
        let mut session = session(&files);
        inputs.iter().for_each(|input| drop(answer(&mut session, input)));
        answer(&mut session, ":type a")
    };
    for inputs in [["v = 1", "a = import \"f.cfg\""], ["a = import \"f.cfg\"", "v = 1"]] {
        assert_eq!(types(&inputs), "forall a. Array a\n", "{inputs:?}");
    }
}

#[test]
fn an_external_variable_from_a_file_is_reloaded_with_the_file() {
    let files = Files::default();
    files.put("f.cfg", "{ v = 1 }");
    let mut session = session(&files);
    for input in [":set ext-code-file x=f.cfg", "%%jsonnet\nlocal b = std.extVar('x')", "b"] {
        answer(&mut session, input);
    }
    files.put("f.cfg", "{ v = \"s\" }");
    answer(&mut session, ":reload");
    assert_eq!(answer(&mut session, "b"), "{ v = \"s\" } : { v : String }\n");
}

#[test]
fn a_notebook_that_is_saved_loads_to_the_same_state() {
    let files = Files::default();
    let mut ours = session(&files);
    let mut run = |parts: &[&str], earlier: &[u32]| {
        let again = ours.rerun(earlier);
        for (at, part) in parts.iter().enumerate() {
            ours.submit_again(part, &again, PageWidths::default(), at + 1 == parts.len());
        }
    };
    run(&["a = 1\nx = { n = 1 }", "y = 1"], &[]);
    run(&["x = x & { m = 1 }"], &[]);
    run(&["z = 1"], &[]);
    run(&["x = x & { m = 2 }"], &[3]);
    run(&["b = 2", "x = { n = 2 }", ":type x"], &[1, 2]);
    run(&["x = x & { k = 1 }"], &[3, 5]);
    ours.forget_cells(&[4], PageWidths::default());
    answer(&mut ours, ":save s.session");
    let mut fresh = session(&files);
    answer(&mut fresh, ":load s.session");
    let reads = |session: &mut Session| [":env", ":query x"].map(|question| answer(session, question));
    assert_eq!(reads(&mut ours), reads(&mut fresh));
    let [bound, x] = reads(&mut ours);
    assert_eq!(bound, "b : Number\nx : { k : Number, n : Number }\n");
    assert!(x.contains("{ k = 1, n = 2 }"), "{x}");
}

#[test]
fn what_a_report_shows_of_a_value_is_no_part_of_the_evaluation() {
    // the report on `a` shows the record, whose field `p` needs `a`: that is no recursion of the program
    for (program, fault) in [
        ("{ a = { x | Number = { p = b } }.x, b = a }", "`x` must be a Number, but is a Record"),
        ("{ a = { x = 1 & { p = b } }.x, b = a }", "cannot be merged"),
        ("{ a = ({ x = { p = b } } & { x = 1 }).x, b = a }", "the values of `x` cannot be merged"),
        ("{ a = { p = b } |> match { 1 => 2 }, b = a }", "no pattern fits"),
    ] {
        let mut session = session(&Files::default());
        let came = answer(&mut session, program);
        assert!(!came.contains("infinite recursion"), "{came}");
        let shown = came.lines().filter(|line| line.contains("= <error: ") && line.contains(fault));
        let shown: usize = shown.map(|line| line.matches("<error: ").count()).sum();
        assert_eq!(shown, 2, "{came}");
    }
}
