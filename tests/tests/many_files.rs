//! `cfg check` of many files uses all cores, and reports as if they were checked one after the other.

use cfg_tests::binary::{Ran, run};
use std::fs;
use std::path::Path;

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

fn check(folder: &Path, options: &[&str], names: &[String]) -> Ran {
    let names = names.iter().map(String::as_str);
    run(&["check"].into_iter().chain(options.iter().copied()).chain(names).collect::<Vec<_>>(), folder, "")
}

fn seen(ran: &Ran) -> (Option<i32>, &str, &str) {
    (ran.code, ran.out.as_str(), ran.err.as_str())
}

#[test]
fn reports_are_those_of_one_job() {
    let (folder, mut names) = files(50);
    fs::write(folder.path().join("bytes.cfg"), b"\xff\xfe\0").expect("a file");
    names.insert(20, String::from("bytes.cfg"));
    for options in [&[][..], &["--strict"], &["--silence", "types/conflict"]] {
        let one = check(folder.path(), &[&["-j", "1"], options].concat(), &names);
        assert!(one.err.matches("-->").count() >= 20, "{}", one.err);
        // all cores, by default and by request
        for jobs in [&[][..], &["-j", "2"], &["--jobs", "7"]] {
            let many = check(folder.path(), &[jobs, options].concat(), &names);
            assert_eq!(seen(&many), seen(&one), "{options:?} {jobs:?}");
        }
    }
}

#[test]
fn a_baseline_and_the_warnings_of_libraries_concern_all_files() {
    let (folder, mut names) = files(20);
    fs::create_dir(folder.path().join("vendor")).expect("a folder");
    fs::write(folder.path().join("vendor/l.jsonnet"), "{ a: { x: 1 }, b: self.a.y }").expect("a file");
    for i in 0..4 {
        let name = format!("v{i}.jsonnet");
        fs::write(folder.path().join(&name), "local l = import 'vendor/l.jsonnet'; l.a").expect("a file");
        names.push(name);
    }
    for jobs in ["1", "3"] {
        let file = format!("known-{jobs}.json");
        let options = ["-j", jobs, "--baseline", &file];
        let recorded = check(folder.path(), &options, &names);
        assert_eq!(recorded.code, Some(0), "{}", recorded.err);
        assert!(recorded.err.contains("1 warning in "), "{}", recorded.err);
        assert_eq!(check(folder.path(), &options, &names).code, Some(0));
    }
    let text = |jobs: &str| fs::read_to_string(folder.path().join(format!("known-{jobs}.json"))).expect("a baseline");
    assert_eq!(text("3"), text("1"));
    assert!(text("1").matches("\"code\"").count() >= 8, "{}", text("1"));
}

#[test]
fn a_secret_of_one_file_is_masked_in_the_reports_of_the_others() {
    let (folder, mut names) = files(20);
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write("s0.cfg", "{ pw | secret | String = \"marker-of-the-secret\" }");
    write("s1.cfg", "{ pw = \"marker-of-the-secret\" + 1 }");
    names.extend(["s0.cfg", "s1.cfg"].map(String::from));
    let one = check(folder.path(), &["-j", "1"], &names);
    let many = check(folder.path(), &["-j", "4"], &names);
    assert_eq!(seen(&many), seen(&one));
    assert!(!many.err.contains("marker-of-the-secret"), "{}", many.err);
}
