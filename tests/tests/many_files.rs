//! `cfg check` of many files uses all cores, and reports as if they were checked one after the other.

use cfg_tests::binary::{Ran, run};
use std::fs;

/// Writes `count` programs. Every third has an error, every seventh does not parse, and all import a file with a warning.
fn files(count: usize) -> (tempfile::TempDir, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write("shared.cfg", "{ f = fun x => x, wrong = 1 + \"shared\" }");
    let names: Vec<String> = (0..count).map(|i| format!("f{i:03}.cfg")).collect();
    for (i, name) in names.iter().enumerate() {
        let body = match i {
            _ if i % 7 == 6 => format!("{{ a = {i} +, }}"),
            _ if i % 3 == 2 => format!("{{ a = {i} + \"b\" }}"),
            _ => format!("{{ a = {i} }}"),
        };
        write(name, &format!("let s = import \"shared.cfg\" in {body}"));
    }
    (folder, names)
}

/// Returns the places of the reports, in order.
fn places(ran: &Ran) -> Vec<String> {
    let place = |line: &str| line.trim_start().strip_prefix("--> ").map(String::from);
    ran.err.lines().filter_map(place).collect()
}

#[test]
fn reports_are_in_the_order_of_the_files_and_none_hides_another() {
    let (folder, names) = files(50);
    let args = |names: &[String]| [&[String::from("check")], names].concat();
    let together = run(&args(&names), folder.path(), "");
    // few files are checked one after the other
    let mut apart: Vec<String> = Vec::new();
    for name in &names {
        let one = run(&args(std::slice::from_ref(name)), folder.path(), "");
        apart.extend(places(&one).into_iter().filter(|place| !place.starts_with("shared.cfg")));
    }
    let shared = |all: &[String]| all.iter().filter(|place| place.starts_with("shared.cfg")).count();
    let (own, found) = (places(&together), shared(&places(&together)));
    let one = shared(&places(&run(&args(&names[..1]), folder.path(), "")));
    assert_eq!((together.code, found), (Some(1), one), "{}", together.err);
    let own: Vec<String> = own.into_iter().filter(|place| !place.starts_with("shared.cfg")).collect();
    assert_eq!(own, apart);
    assert!(apart.len() >= 20, "{apart:?}");
}
