//! Runs the examples in `README.md` and `docs/` with `cfg transcript` and compares their output exactly. With
//! `UPDATE=1` in the environment, rewrites the output that differs.

use cfg_tests::binary::{root, run};
use std::fs;
use std::path::{Path, PathBuf};

/// Collects the Markdown files below a folder.
fn markdown(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()) {
        if path.is_dir() {
            markdown(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            found.push(path);
        }
    }
}

fn transcript(options: &[&str], files: &[PathBuf]) -> cfg_tests::binary::Ran {
    let mut arguments = vec![String::from("transcript")];
    arguments.extend(options.iter().map(|option| option.to_string()));
    arguments.extend(files.iter().map(|file| file.display().to_string()));
    run(&arguments, root(), "")
}

#[test]
fn documents_show_what_the_session_shows() {
    let mut files = vec![root().join("README.md")];
    markdown(&root().join("docs"), &mut files);
    files.sort();
    let update: &[&str] = if std::env::var_os("UPDATE").is_some() { &["--update"] } else { &[] };
    let ran = transcript(update, &files);
    assert!(ran.code == Some(0) && ran.err.is_empty(), "{}{}", ran.out, ran.err);
    let inputs: usize =
        ran.out.lines().filter_map(|l| l.rsplit(": ").next()?.split(' ').next()?.parse::<usize>().ok()).sum();
    assert!(inputs > 50, "hardly a document holds a transcript:\n{}", ran.out);
}

#[test]
fn differing_output_is_reported_and_rewritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.md");
    let text = "# X\n\n```cfg file=a.cfg\n{ a = 1 }\n```\n\n```repl\ncfg[1]> (import \"a.cfg\").a +\n      … 1\n3\ncfg[7]> :type 1\nNumber\n```\n\n```console\n$ cfg eval a.cfg --at 'a'\n```\n";
    fs::write(&path, text).expect("written");
    let files = [path.clone()];
    let ran = transcript(&[], &files);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    for part in [
        "x.md:8: cfg[1]> (import",
        "    2\n",
        "    3\n",
        "x.md:11: cfg[2]> :type 1",
        "x.md:16: $ cfg eval",
        "3 of 3 differ",
    ] {
        assert!(ran.out.contains(part), "{part:?} is not in\n{}", ran.out);
    }
    assert_eq!(fs::read_to_string(&path).expect("read"), text, "nothing is rewritten unasked");
    assert_eq!(transcript(&["--update"], &files).code, Some(0));
    let new = text.replace("\n3\n", "\n2\n").replace("cfg[7]", "cfg[2]").replace("'a'\n", "'a'\n1\n");
    assert_eq!(fs::read_to_string(&path).expect("read"), new);
    assert_eq!(transcript(&[], &files).code, Some(0));
    assert_eq!(transcript(&[], &[folder.path().join("none.md")]).code, Some(2));
}
