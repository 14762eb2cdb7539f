//! `cfg diff`: files, layer sets, documents, git revisions.

use cfg_tests::binary::{Ran, root, run, run_command};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(dir.path().join(name), text).expect("a file");
    }
    dir
}

fn diff(dir: &tempfile::TempDir, arguments: &[&str]) -> Ran {
    run(&[&["diff"], arguments].concat(), dir.path(), "")
}

#[track_caller]
fn says(ran: &Ran, code: i32, out: &str, err: &[&str]) {
    assert_eq!((ran.code, ran.out.as_str()), (Some(code), out), "standard error:\n{}", ran.err);
    for part in err {
        assert!(ran.err.contains(part), "{part:?} is not in standard error:\n{}", ran.err);
    }
}

#[test]
fn the_exit_code_says_whether_files_differ() {
    let dir = folder(&[
        ("a.yaml", "x: 1\ny: [a]\n"),
        ("b.json", "{\"y\": [\"a\"], \"x\": 1}"),
        ("c.toml", "x = 2\nz = \"n\"\n"),
        ("bad.yaml", "a: [\n"),
        ("fails.cfg", "{ a = 1 } & 2"),
    ]);
    says(&diff(&dir, &["a.yaml", "b.json"]), 0, "no differences, 2 fields same\n", &[]);
    let text = "~ x  1  ->  2                                     a.yaml:1:4  c.toml:1:5\n\
                - y  [\"a\"]                                        a.yaml:2:4\n\
                + z  \"n\"                                          c.toml:2:5\n\
                3 different, 0 fields same\n";
    says(&diff(&dir, &["a.yaml", "c.toml"]), 1, text, &[]);
    says(
        &diff(&dir, &["a.yaml", "c.toml", "--at", "x"]),
        1,
        "~ (whole)\n    1  ->  2\n1 different, 0 fields same\n",
        &[],
    );
    says(&diff(&dir, &["a.yaml", "none.yaml"]), 2, "", &["none.yaml: no such file"]);
    says(&diff(&dir, &["a.yaml", "bad.yaml"]), 2, "", &["bad.yaml:"]);
    says(&diff(&dir, &["a.yaml", "fails.cfg"]), 2, "", &["fails.cfg:1:"]);
    says(&diff(&dir, &["a.yaml"]), 2, "", &["two sides are needed"]);
    says(&diff(&dir, &["a.yaml", "b.json", "c.toml"]), 2, "", &["cfg diff a.yaml b.json -- c.toml"]);
}

#[test]
fn layer_sets_are_merged_before_they_are_compared() {
    let dir = folder(&[
        ("base.yaml", "port: 80\nhost: a\n"),
        ("prod.yaml", "port: 443\n"),
        ("staging.yaml", "port: 8443\n"),
        ("same.yaml", "port: 443\nhost: a\n"),
    ]);
    let ran = diff(&dir, &["base.yaml", "prod.yaml", "--", "base.yaml", "staging.yaml"]);
    let text = "~ port  443  ->  8443                            prod.yaml:1:7  staging.yaml:1:7\n\
                1 different, 1 field same\n";
    says(&ran, 1, text, &[]);
    says(&diff(&dir, &["base.yaml", "prod.yaml", "--", "same.yaml"]), 0, "no differences, 2 fields same\n", &[]);
}

const OLD: &str = "\
kind: Service
metadata: {name: web}
port: 80
---
kind: Deployment
metadata: {name: web, namespace: n}
spec:
  containers:
  - {name: web, image: 'a:1'}
  - {name: log, image: 'b:1'}
  - {name: old, image: c}
";
const NEW: &str = "\
kind: Deployment
metadata: {name: web, namespace: n}
spec:
  containers:
  - {name: log, image: 'b:2'}
  - {name: web, image: 'a:1'}
---
# none
---
kind: Service
metadata: {name: web}
port: 80
---
kind: Service
metadata: {name: two}
";

#[test]
fn a_stack_may_be_on_either_side() {
    let dir = folder(&[("a.yaml", "x: 1\n"), ("s.toml", "layers = [\"a.yaml\"]\n[set]\nx = 7\n")]);
    for (sides, change) in [(["@s.toml", "a.yaml"], "~ x  7  ->  1"), (["a.yaml", "@s.toml"], "~ x  1  ->  7")] {
        let ran = diff(&dir, &sides);
        assert_eq!(ran.code, Some(1), "{sides:?}: {}", ran.err);
        assert!(ran.out.starts_with(change), "{sides:?}: {}", ran.out);
    }
}

#[test]
fn documents_and_elements_are_matched_by_identity() {
    let dir = folder(&[
        ("old.yaml", OLD),
        ("new.yaml", NEW),
        ("one.yaml", "kind: Service\nmetadata: {name: web}\nport: 81\n"),
    ]);
    let ran = diff(&dir, &["old.yaml", "new.yaml"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    for part in [
        "\"Deployment/n/web\".spec.containers[order]",
        "[\"name=web\", \"name=log\"]  ->  [\"name=log\", \"name=web\"]",
        "~ \"Deployment/n/web\".spec.containers[name=log].image",
        "\"b:1\"  ->  \"b:2\"",
        "- \"Deployment/n/web\".spec.containers[name=old]",
        "+ \"Service/two\"",
        "4 different",
    ] {
        assert!(ran.out.contains(part), "{part:?} is not in\n{}", ran.out);
    }
    // a file with one document is compared with the document of the same identity
    let ran = diff(&dir, &["old.yaml", "one.yaml"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    for part in ["- \"Deployment/n/web\"", "~ \"Service/web\".port", "80  ->  81", "2 different"] {
        assert!(ran.out.contains(part), "{part:?} is not in\n{}", ran.out);
    }
    let json = diff(&dir, &["old.yaml", "new.yaml", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    let change =
        json["changes"].as_array().and_then(|all| all.iter().find(|c| c["left"]["value"] == "b:1")).expect("a change");
    assert_eq!(change["label"], "\"Deployment/n/web\".spec.containers[name=log].image");
    assert_eq!(change["path"], "\"Deployment/n/web\".spec.containers[0].image");
    let schema = std::fs::read_to_string(root().join("docs/schema/diff.json")).expect("the schema");
    let schema: serde_json::Value = serde_json::from_str(&schema).expect("a schema");
    assert_eq!(cfg_tests::schema::mismatch(&schema, &json), None);
}

#[test]
fn elements_without_names_are_compared_in_order() {
    let dir = folder(&[("a.yaml", "- {name: a}\n- {name: a}\n- 1\n"), ("b.yaml", "- {name: a}\n- {name: b}\n- 1\n")]);
    let ran = diff(&dir, &["a.yaml", "b.yaml"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.starts_with("~ [1].name  \"a\"  ->  \"b\""), "{}", ran.out);
}

#[test]
fn two_columns_fit_the_width_and_cut_nothing() {
    let long = "word ".repeat(30) + "end";
    let dir = folder(&[
        ("a.yaml", &format!("a: 1\nb: {long}\nc: {{d: x}}\n")),
        ("b.yaml", &format!("a: 2\nb: {long}s\ne: y\n")),
    ]);
    let ran = diff(&dir, &["a.yaml", "b.yaml", "--side-by-side"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.out.lines().all(|line| line.chars().count() <= 80), "{}", ran.out);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], format!("{:38} | b.yaml", "a.yaml"));
    assert_eq!(lines[2..4], ["a", &format!("{:38} ~   2", "  1")]);
    let left: String = lines.iter().map(|line| line.chars().take(38).collect::<String>()).collect();
    let right: String = lines.iter().map(|line| line.chars().skip(41).collect::<String>() + " ").collect();
    assert_eq!((left.matches("word").count(), right.matches("word").count()), (30, 30));
    assert!(left.contains("end\"") && right.contains("ends\""));
    assert!(ran.out.contains(&format!("{:38} <\n", "  { d = \"x\" }")), "{}", ran.out);
    assert!(ran.out.contains(&format!("{:38} >   \"y\"\n", "")), "{}", ran.out);
    assert_eq!(diff(&dir, &["a.yaml", "b.yaml", "--format", "side"]), ran);
}

#[test]
fn a_secret_is_never_shown() {
    let dir = folder(&[("a.cfg", "{ p | secret = \"MARK1\" }"), ("b.cfg", "{ p | secret = \"MARK2\" }")]);
    for format in ["text", "json", "side"] {
        let ran = diff(&dir, &["a.cfg", "b.cfg", "--format", format]);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(!ran.out.contains("MARK"), "{}", ran.out);
    }
}

fn git(dir: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]);
    command.args(arguments).current_dir(dir);
    let ran = run_command(command, "", Duration::from_secs(60)).expect("git can be run");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[test]
fn a_file_at_a_git_revision() {
    let dir = folder(&[("values.yaml", "replicas: 1\n")]);
    git(dir.path(), &["init", "-q"]);
    git(dir.path(), &["add", "values.yaml"]);
    git(dir.path(), &["commit", "-q", "-m", "one"]);
    std::fs::write(dir.path().join("values.yaml"), "replicas: 3\n").expect("a file");
    let text = "~ replicas  1  ->  3                     HEAD:values.yaml:1:11  values.yaml:1:11\n1 different, 0 fields same\n";
    says(&diff(&dir, &["HEAD:values.yaml", "values.yaml"]), 1, text, &[]);
    says(&diff(&dir, &["HEAD:values.yaml", "HEAD:./values.yaml"]), 0, "no differences, 1 field same\n", &[]);
    says(&diff(&dir, &["HEAD:none.yaml", "values.yaml"]), 2, "", &["the revision `HEAD` has no file `none.yaml`"]);
    git(dir.path(), &["branch", "release-1.2"]);
    for (sides, part) in [
        (["HEAD:vales.yaml", "values.yaml"], "did you mean `HEAD:values.yaml`?"),
        (["release-12:values.yaml", "values.yaml"], "did you mean `release-1.2:values.yaml`?"),
        (["HEAD~1:values.yaml", "values.yaml"], "`HEAD` is the first commit"),
        (["HEAD", "values.yaml"], "did you mean `cfg diff HEAD:values.yaml values.yaml`?"),
        (["-", "-"], "standard input can be read once"),
    ] {
        says(&diff(&dir, &sides), 2, "", &[part]);
    }
    says(&diff(&dir, &["--", "-x:values.yaml", "values.yaml"]), 2, "", &[]);
    says(&diff(&dir, &["HEAD:./", "values.yaml"]), 2, "", &["HEAD:./: is a folder"]);
    // a file whose name has a colon is a file
    std::fs::write(dir.path().join("HEAD:x.yaml"), "replicas: 3\n").expect("a file");
    says(&diff(&dir, &["HEAD:x.yaml", "values.yaml"]), 0, "no differences, 1 field same\n", &[]);
}

/// Documents are matched where a side is a stack, or has variables.
#[test]
fn stacks_are_compared_by_document() {
    let stream = "kind: A\nmetadata: {name: x}\nv: 1\n---\nkind: B\nmetadata: {name: x}\n";
    let dir = folder(&[
        ("a.yaml", stream),
        ("s.toml", "layers = [\"a.yaml\"]\n[set]\n\"A/x\".v = 2\n"),
        ("p.env", "A_X__V=3\n"),
    ]);
    let text = "~ \"A/x\".v  1  ->  2                               a.yaml:3:4  s.toml:3:11\n\
                1 different, 4 fields same\n";
    says(&diff(&dir, &["a.yaml", "@s.toml"]), 1, text, &[]);
    assert_eq!(diff(&dir, &["@s.toml", "@s.toml"]).code, Some(0));
    let ran = diff(&dir, &["a.yaml", "p.env", "--", "a.yaml"]);
    assert!(ran.code == Some(1) && ran.out.starts_with("~ \"A/x\".v  3  ->  1 "), "{}{}", ran.out, ran.err);
}

/// Two values that differ only at their ends are never cut to the same text, in any answer that lists both.
#[test]
fn what_is_compared_stays_different() {
    let image =
        "registry.example.com/team/some/very/long/path/to/the/repository/of/images/that/is/longer/than/a/line/shop";
    let [lower, upper] = ["1", "2"].map(|tag| format!("image: {image}:2.{tag}\n"));
    let dir = folder(&[
        ("a.yaml", &lower),
        ("b.yaml", &upper),
        ("tie.cfg", &format!("{{ image = \"{image}:2.1\" }} & {{ image = \"{image}:2.2\" }}")),
    ]);
    for (arguments, times) in [
        (&["diff", "a.yaml", "b.yaml"][..], 1),
        (&["diff", "-y", "a.yaml", "b.yaml"], 1),
        (&["merge", "a.yaml", "b.yaml"], 2),
        (&["merge", "a.yaml", "b.yaml", "--explain", "--at", "image"], 2),
        (&["merge", "--layers", "a.yaml", "b.yaml", "--explain", "--at", "image"], 1),
        (&["eval", "tie.cfg"], 2),
        (&["explain", "tie.cfg", "image"], 2),
        (&["steps", "--layers", "a.yaml", "b.yaml"], 1),
    ] {
        let ran = run(arguments, dir.path(), "");
        let text = ran.out + &ran.err;
        for end in ["2.1", "2.2"] {
            assert!(text.matches(end).count() >= times, "{end} in {arguments:?}:\n{text}");
        }
    }
}

/// A value with a local tag of YAML is written as in YAML, in every answer about data.
#[test]
fn a_tag_is_written_as_in_yaml() {
    let dir = folder(&[("a.yaml", "m: !Ref x\n"), ("b.yaml", "m: !Ref y\n")]);
    for arguments in [
        &["diff", "a.yaml", "b.yaml"][..],
        &["merge", "a.yaml", "b.yaml"],
        &["merge", "--layers", "a.yaml", "b.yaml", "--explain"],
        &["merge", "a.yaml", "b.yaml", "--explain", "--at", "m"],
        &["merge", "--layers", "a.yaml", "b.yaml", "--explain", "--at", "m"],
        &["explain", "a.yaml", "m"],
        &["query", "a.yaml", "m"],
        &["steps", "--layers", "a.yaml", "b.yaml"],
    ] {
        let ran = run(arguments, dir.path(), "");
        let text = ran.out + &ran.err;
        assert!(
            text.contains("!Ref \"") && !text.contains("'!Ref") && !text.contains("'\"!Ref"),
            "{arguments:?}:\n{text}"
        );
    }
}

/// JSON has all digits of a number.
#[test]
fn json_does_not_round() {
    for (old, new) in [
        ("12345678901234567891", "12345678901234567892"),
        ("\"123456789012345678901234567891\"", "\"123456789012345678901234567892\""),
    ] {
        let file = |number: &str| format!("id: {}\n", number.trim_matches('"'));
        let dir = folder(&[("a.yaml", &file(old)), ("b.yaml", &file(new))]);
        for (arguments, numbers) in [
            (&["diff", "a.yaml", "b.yaml", "--format", "json"][..], &[old, new][..]),
            (&["merge", "a.yaml", "--explain", "--format", "json"], &[old]),
            (&["merge", "a.yaml", "--explain", "id", "--format", "json"], &[old]),
        ] {
            let out = run(arguments, dir.path(), "").out;
            for number in numbers {
                assert!(out.contains(&format!("\"value\":{number},")), "{arguments:?}: {number} is not in {out}");
            }
        }
    }
}

/// Of a long text that differs in one place, that place is shown.
#[test]
fn long_texts_are_shown_around_their_difference() {
    let text = |middle: &str| format!("s: \"{}{middle}{}\"\n", "some line\\n".repeat(400), "more\\n".repeat(400));
    let dir = folder(&[("a.yaml", &text("1.0")), ("b.yaml", &text("2.0"))]);
    let out = diff(&dir, &["a.yaml", "b.yaml"]).out;
    assert!(out.contains("1.0more") && out.contains("2.0more"), "{out}");
    // no escape is divided
    assert!(!out.contains("…n") && !out.contains("\\…"), "{out}");
}
