//! `cfg merge --set … --in-place` and `--patch`.

use cfg_tests::binary::{Ran, run, run_command};
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

fn merge(dir: &Path, arguments: &[&str]) -> Ran {
    run(&[&["merge"], arguments].concat(), dir, "")
}

fn text(dir: &Path, name: &str) -> String {
    std::fs::read_to_string(dir.join(name)).expect("a file")
}

/// Sets a value in the files, and compares the files with those expected.
#[track_caller]
fn edits(files: &[(&str, &str)], options: &[&str], expected: &[(&str, &str)]) {
    let dir = folder(files);
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    let ran = merge(dir.path(), &[&names, options, &["--in-place"]].concat());
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    for (name, before) in files {
        let after = expected.iter().find(|(own, _)| own == name).map_or(*before, |(_, text)| *text);
        assert_eq!(text(dir.path(), name), after, "{name}");
    }
}

/// Sets a value, which must change no file.
#[track_caller]
fn refuses(files: &[(&str, &str)], options: &[&str], code: i32, says: &[&str]) {
    let dir = folder(files);
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    let ran = merge(dir.path(), &[&names, options, &["--in-place"]].concat());
    assert_eq!((ran.code, ran.out.as_str()), (Some(code), ""), "{}", ran.err);
    for part in says {
        assert!(ran.err.contains(part), "{part:?} is not in {}", ran.err);
    }
    for (name, before) in files {
        assert_eq!(text(dir.path(), name), *before, "{name}");
    }
}

const BASE: &str = "# shipped\nserver:\n  port: 8080   # plain\n  host: 'a'\nlist: [1, 2]\n\nlast: x\n";

#[test]
fn a_number_is_written_as_it_was_typed() {
    for (file, before, after) in [
        ("a.yaml", "tag: 1.1 # x\n", "tag: 1.10 # x\n"),
        ("a.json", "{\"tag\": 1.1}\n", "{\"tag\": 1.10}\n"),
        ("a.toml", "tag = 1.1\n", "tag = 1.10\n"),
    ] {
        let before = before.replace("1.1", "2");
        edits(&[(file, &before)], &["--set", "tag=1.10"], &[(file, after)]);
    }
    edits(&[("a.yaml", "a: 1\n")], &["--set", "b.c=1.10"], &[("a.yaml", "a: 1\nb:\n  c: 1.10\n")]);
}

#[test]
fn the_winning_definition_is_replaced() {
    let top = "[server]\nport = 9443 # tls\n";
    edits(
        &[("base.yaml", BASE), ("top.toml", top)],
        &["--layers", "--set", "server.port=1"],
        &[("top.toml", "[server]\nport = 1 # tls\n")],
    );
    edits(
        &[("base.yaml", BASE), ("top.toml", top)],
        &["--layers", "--set", "server.host=b", "--set", "list=[3]"],
        &[("base.yaml", "# shipped\nserver:\n  port: 8080   # plain\n  host: 'b'\nlist: [3]\n\nlast: x\n")],
    );
    // an element of a list
    edits(&[("base.yaml", BASE)], &["--set", "list[1]=5"], &[("base.yaml", &BASE.replace("[1, 2]", "[1, 5]"))]);
    let json = "{\n  \"a\": {\"b\": 1},\n  \"c\": true\n}\n";
    edits(&[("a.json", json)], &["--set", "a.b=\"x\""], &[("a.json", &json.replace('1', "\"x\""))]);
    let cfg = "# c\n{ port | Number | default = 80, # d\n  url = \"h:%{std.to_string port}\" }\n";
    edits(&[("a.cfg", cfg)], &["--set", "port=443"], &[("a.cfg", &cfg.replace("80,", "443,"))]);
    let jsonnet = "// c\n{ port:: 80, url: 'h:' + $.port, n: { m: 'x' } }\n";
    edits(&[("a.jsonnet", jsonnet)], &["--set", "n.m=y"], &[("a.jsonnet", &jsonnet.replace("'x'", "\"y\""))]);
}

#[test]
fn strings_stay_strings() {
    for (value, yaml) in [
        ("no", "'no'"),
        ("\"8\"", "'8'"),
        ("a: b", "'a: b'"),
        ("a,b", "\"a,b\""),
        ("8", "8"),
        ("{\"k\": null}", "{\"k\": null}"),
    ] {
        let set = format!("last={value}");
        edits(
            &[("base.yaml", BASE)],
            &["--set", &set],
            &[("base.yaml", &BASE.replace("last: x", &format!("last: {yaml}")))],
        );
    }
    // a block is replaced from its key
    let block = "a:\n  - 1\n  - 2\nb: |\n  text\nc: 1\n";
    edits(&[("b.yaml", block)], &["--set", "a=7"], &[("b.yaml", "a: 7\nb: |\n  text\nc: 1\n")]);
    edits(&[("b.yaml", block)], &["--set", "b=t"], &[("b.yaml", "a:\n  - 1\n  - 2\nb: t\nc: 1\n")]);
}

#[test]
fn a_new_field_goes_after_its_siblings() {
    let edit =
        |text: &str, set: &str, after: &str, name: &str| edits(&[(name, text)], &["--set", set], &[(name, after)]);
    edit(BASE, "server.tls=true", &BASE.replace("'a'\n", "'a'\n  tls: true\n"), "a.yaml");
    edit(BASE, "new.deep.x=1", &format!("{BASE}new:\n  deep:\n    x: 1\n"), "a.yaml");
    edit("- name: a\n  x: 1 # c\n- name: b\n", "[0].y=no", "- name: a\n  x: 1 # c\n  y: 'no'\n- name: b\n", "a.yaml");
    edit("a: {b: 1}", "a.c=2", "a: {b: 1, c: 2}", "a.yaml");
    edit("a: {}\n", "a.c=2", "a: { c: 2 }\n", "a.yaml");
    edit("# only\n", "a.b=2", "# only\na:\n  b: 2\n", "a.yaml");
    edit(
        "{\n    \"a\": 1,\n    \"b\": {\"x\": []}\n}\n",
        "c=2",
        "{\n    \"a\": 1,\n    \"b\": {\"x\": []},\n    \"c\": 2\n}\n",
        "a.json",
    );
    edit("{}\n", "c.d=2", "{\"c\": {\"d\": 2}}\n", "a.json");
    edit(
        "x = 1\n[s]\na = 1 # c\n[s.t]\nb = 1\n",
        "s.c=\"v\"",
        "x = 1\n[s]\na = 1 # c\nc = \"v\"\n[s.t]\nb = 1\n",
        "a.toml",
    );
    // a date or time stays one
    edit("d = 2024-01-01\n", "d=2025-01-01", "d = 2025-01-01\n", "a.toml");
    edit("d = 10:00:00 # t\n", "d=\"11:30:00\"", "d = 11:30:00 # t\n", "a.toml");
    edit("d = 2024-01-01\n", "d=soon", "d = \"soon\"\n", "a.toml");
    edit("d = \"2024-01-01\"\n", "d=2025-01-01", "d = \"2025-01-01\"\n", "a.toml");
    edit("s.a = 1\n", "s.c=2", "s.a = 1\ns.c = 2\n", "a.toml");
    edit("[s]\n", "s.c=2", "[s]\nc = 2\n", "a.toml");
    edit(
        "{\n  a = 1, # c\n  b = { c = 1 } # d\n}\n",
        "e=2",
        "{\n  a = 1, # c\n  b = { c = 1 }, # d\n  e = 2\n}\n",
        "a.cfg",
    );
    edit("{\n  a: 1,\n  b: 2,  // d\n}\n", "e=2", "{\n  a: 1,\n  b: 2,  // d\n  e: 2,\n}\n", "a.jsonnet");
}

#[test]
fn the_right_layer_is_changed() {
    // a new field belongs to the layer that has its record
    edits(
        &[("a.yaml", "s: {x: 1}\n"), ("b.yaml", "t: {x: 1}\n")],
        &["--layers", "--set", "s.y=2"],
        &[("a.yaml", "s: {x: 1, y: 2}\n")],
    );
    // a computed value is overridden in a later layer
    edits(
        &[("a.cfg", "{ a = 1, b = a + 1 }"), ("b.yaml", "c: 1\n")],
        &["--layers", "--set", "b=5"],
        &[("b.yaml", "c: 1\nb: 5\n")],
    );
    // equal definitions are changed together
    edits(
        &[("a.yaml", "x: 1\n"), ("b.yaml", "x: 1\n")],
        &["--set", "x=2"],
        &[("a.yaml", "x: 2\n"), ("b.yaml", "x: 2\n")],
    );
    // an alias is replaced where it is, not its anchor
    let anchors = "a: &x 1\nb: *x\n";
    edits(&[("a.yaml", anchors)], &["--set", "b=2"], &[("a.yaml", "a: &x 1\nb: 2\n")]);
    // a field of a merge key is written over
    let merged = "base: &b\n  x: 1\n  y: 2\nuse:\n  <<: *b\n  z: 3\n";
    edits(&[("a.yaml", merged)], &["--set", "use.x=9"], &[("a.yaml", &format!("{merged}  x: 9\n"))]);
    // a document of a stream
    let stream = "kind: A\nmetadata: {name: x}\nv: 1\n---\nkind: A\nmetadata: {name: y}\nv: 1\n";
    edits(
        &[("s.yaml", stream), ("t.yaml", "kind: A\nmetadata: {name: x}\n")],
        &["--layers", "--set", "A/y.v=3"],
        &[("s.yaml", "kind: A\nmetadata: {name: x}\nv: 1\n---\nkind: A\nmetadata: {name: y}\nv: 3\n")],
    );
}

#[test]
fn a_record_is_merged_with_the_record_that_is_there() {
    let block = "m:\n  a: 1 # c\n  n: {x: 1}\nt:\n- k: 1\n";
    edits(
        &[("a.yaml", block)],
        &["--set-json", "m={\"z\": 3, \"n\": {\"x\": 2}}"],
        &[("a.yaml", "m:\n  a: 1 # c\n  n: {x: 2}\n  z: 3\nt:\n- k: 1\n")],
    );
    edits(&[("a.yaml", block)], &["--set-json", "t[0]={}"], &[("a.yaml", block)]);
    // a record over a value of another kind replaces it
    edits(&[("a.yaml", "m: 1\n")], &["--set-json", "m={\"z\": 3}"], &[("a.yaml", "m: {\"z\": 3}\n")]);
}

#[test]
fn the_comment_after_a_collection_stays() {
    let text = "h: [a, b]  # two\nm: {a: 1}      # map\nt:\n- {n: 1} # c\n- [x] # d\n";
    let edit = |set: &str, from: &str, to: &str| {
        edits(&[("a.yaml", text)], &["--set-json", set], &[("a.yaml", &text.replace(from, to))]);
    };
    edit("h=[\"z\"]", "[a, b]", "[\"z\"]");
    edit("m=5", "{a: 1}", "5");
    edit("t[0]=1", "{n: 1}", "1");
    edit("t[1]=1", "[x]", "1");
}

#[test]
fn an_element_is_appended() {
    let edit =
        |name: &str, text: &str, set: &str, after: &str| edits(&[(name, text)], &["--set", set], &[(name, after)]);
    edit("a.yaml", "l: [a, b] # c\n", "l[2]=x", "l: [a, b, x] # c\n");
    edit("a.yaml", "l: []\n", "l[0]=x", "l: [x]\n");
    edit("a.yaml", "l:\n  - a\n  - n: 1 # c\nm: 1\n", "l[2]=x", "l:\n  - a\n  - n: 1 # c\n  - x\nm: 1\n");
    edit("a.yaml", "l:\n- a", "l[1].b=2", "l:\n- a\n- {\"b\": 2}\n");
    edit("a.json", "{\"l\": [\n  1\n]}\n", "l[1]=2", "{\"l\": [\n  1,\n  2\n]}\n");
    edit("a.toml", "l = [1, 2]\n", "l[2]=3", "l = [1, 2, 3]\n");
    edit("a.cfg", "{ l = [1, 2] }\n", "l[2]=3", "{ l = [1, 2, 3] }\n");
}

#[test]
fn a_variable_is_changed_where_the_value_comes_from() {
    let base = "server: {port: 1, name: x}\n";
    let variables = "# c\nSERVER__PORT=443 # tls\nSERVER__NAME=\"a b\"\n";
    let edit = |set: &str, from: &str, to: &str| {
        edits(
            &[("base.yaml", base), ("p.env", variables)],
            &["--layers", "--set", set],
            &[("p.env", &variables.replace(from, to))],
        );
    };
    edit("server.port=5", "443", "5");
    edit("server.name=c $d", "\"a b\"", "\"c \\$d\"");
}

#[test]
fn line_ends_and_the_byte_order_mark_stay() {
    edits(
        &[("a.yaml", "a:\r\n  x: 1\r\nb: 2\r\n")],
        &["--set", "a.y=7"],
        &[("a.yaml", "a:\r\n  x: 1\r\n  y: 7\r\nb: 2\r\n")],
    );
    edits(&[("a.toml", "[a]\r\nx = 1\r\n")], &["--set", "a.y=7"], &[("a.toml", "[a]\r\nx = 1\r\ny = 7\r\n")]);
    edits(
        &[("a.json", "{\r\n  \"a\": 1\r\n}\r\n")],
        &["--set", "b=7"],
        &[("a.json", "{\r\n  \"a\": 1,\r\n  \"b\": 7\r\n}\r\n")],
    );
    edits(&[("a.yaml", "\u{feff}a: 1\nb: 2\n")], &["--set", "b=7"], &[("a.yaml", "\u{feff}a: 1\nb: 7\n")]);
}

#[test]
fn a_secret_is_not_edited_and_the_message_says_why() {
    refuses(
        &[("a.cfg", "{ pw | secret }"), ("b.yaml", "pw: nn\n")],
        &["--layers", "--set", "pw=zz"],
        1,
        &["the value is secret, so that a change of it cannot be verified; edit b.yaml:1:5"],
    );
}

#[test]
fn an_edit_that_changes_more_is_refused() {
    let shared = "{ local_x = 1, a = local_x, b = local_x }";
    refuses(&[("a.cfg", shared)], &["--set", "a=2"], 1, &["no file was changed", "`a`"]);
    refuses(&[("a.yaml", "a: 1\n")], &["--set", "a"], 2, &["`a` assigns to no field"]);
    refuses(&[("a.yaml", "a: 1\n")], &["--set", "b[1]=1"], 1, &["no file was changed"]);
    refuses(&[("a.toml", "a = 1\n")], &["--set", "a=null"], 1, &["no file was changed"]);
    refuses(&[("a.yaml", "a: [\n")], &["--set", "a=1"], 1, &["a.yaml:"]);
    let dir = folder(&[("a.yaml", "a: 1\n")]);
    let ran = merge(dir.path(), &["a.yaml", "--in-place"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{}", ran.err);
}

#[test]
fn a_patch_changes_nothing_and_can_be_applied() {
    let dir = folder(&[("base.yaml", BASE), ("top.yaml", "server:\n  port: 1")]);
    let set = ["base.yaml", "top.yaml", "--layers", "--set", "server.port=2", "--set", "last=z"];
    let ran = merge(dir.path(), &[&set[..], &["--patch", "p.diff"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(
        (text(dir.path(), "base.yaml"), text(dir.path(), "top.yaml")),
        (BASE.into(), "server:\n  port: 1".into())
    );
    let ran = merge(dir.path(), &[&set[..], &["--patch", "-"]].concat());
    assert_eq!(ran.out, text(dir.path(), "p.diff"));
    let mut git = Command::new("git");
    git.args(["apply", "p.diff"]).current_dir(dir.path());
    let ran = run_command(git, "", Duration::from_secs(60)).expect("git can be run");
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.err, text(dir.path(), "p.diff"));
    assert_eq!(text(dir.path(), "base.yaml"), BASE.replace("last: x", "last: z"));
    assert_eq!(text(dir.path(), "top.yaml"), "server:\n  port: 2");
}

#[cfg(unix)]
#[test]
fn modes_are_kept_and_links_do_not_lead_out() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let outside = folder(&[("a.yaml", "a: 1\n")]);
    let dir = folder(&[("real.yaml", "a: 1\n")]);
    std::fs::set_permissions(dir.path().join("real.yaml"), std::fs::Permissions::from_mode(0o640)).expect("a mode");
    symlink(outside.path().join("a.yaml"), dir.path().join("out.yaml")).expect("a link");
    symlink("real.yaml", dir.path().join("in.yaml")).expect("a link");
    let ran = merge(dir.path(), &["out.yaml", "--set", "a=2", "--in-place"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("is a link to"), "{}", ran.err);
    assert_eq!(text(outside.path(), "a.yaml"), "a: 1\n");
    let ran = merge(dir.path(), &["in.yaml", "--set", "a=2", "--in-place"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(text(dir.path(), "real.yaml"), "a: 2\n");
    assert!(dir.path().join("in.yaml").is_symlink());
    let mode = std::fs::metadata(dir.path().join("real.yaml")).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    let names = std::fs::read_dir(dir.path()).expect("a folder").count();
    assert_eq!(names, 3, "no other file is left");
}

#[test]
fn a_value_that_is_not_written_is_filled() {
    let file = "a:\nm: {x: , y: 2}\nl:\n- \n- 1\no: # c\nn: 1\n";
    for (path, after) in [
        ("a", file.replacen("a:", "a: 5", 1)),
        ("m.x", file.replacen("x: ,", "x: 5,", 1)),
        ("l[0]", file.replacen("- \n", "- 5\n", 1)),
        ("o", file.replacen("o: # c", "o: 5 # c", 1)),
    ] {
        edits(&[("a.yaml", file)], &["--layers", "--set", &format!("{path}=5")], &[("a.yaml", &after)]);
    }
    // a key without a colon has no value either
    for (file, after) in [
        ("m: {x, z}\n", "m: {x: 5, z}\n"),
        ("m: {z, x}\n", "m: {z, x: 5}\n"),
        ("m: {x}\n", "m: {x: 5}\n"),
        ("m: {z: , x: }\n", "m: {z: , x: 5 }\n"),
        ("m: {x: , z}\n", "m: {x: 5, z}\n"),
        ("m: {\n  x,\n  z\n}\n", "m: {\n  x: 5,\n  z\n}\n"),
    ] {
        edits(&[("a.yaml", file)], &["--layers", "--set", "m.x=5"], &[("a.yaml", after)]);
    }
}

#[test]
fn a_list_in_the_column_of_its_key_is_replaced_and_extended() {
    let file = "k:\n- 3\n-\n  # c\n  a: 1\nz: 1\n";
    edits(&[("a.yaml", file)], &["--layers", "--set", "k=x"], &[("a.yaml", "k: x\nz: 1\n")]);
    let after = file.replacen("a: 1\n", "a: 1\n- 4\n", 1);
    edits(&[("a.yaml", file)], &["--layers", "--set", "k[2]=4"], &[("a.yaml", &after)]);
}

#[test]
fn a_negative_number_is_replaced() {
    for name in ["a.cfg", "a.jsonnet"] {
        let file = if name == "a.cfg" { "{ n = -3, l = [-1] }" } else { "{ n: -3, l: [-1] }" };
        let after = file.replacen("-3", "4", 1);
        edits(&[(name, file)], &["--layers", "--set", "n=4"], &[(name, &after)]);
    }
}

#[test]
fn a_patch_of_a_file_outside_of_the_working_folder_applies_to_the_root() {
    let dir = folder(&[("a.yaml", "a: 1\n")]);
    std::fs::create_dir(dir.path().join("inner")).expect("a folder");
    let ran = merge(&dir.path().join("inner"), &["--layers", "../a.yaml", "--set", "a=2", "--patch", "-"]);
    let path = dir.path().canonicalize().expect("a path").join("a.yaml").display().to_string();
    let expected = format!("--- a{path}\n+++ b{path}\n@@ -1,1 +1,1 @@\n-a: 1\n+a: 2\n");
    assert!(ran.out.starts_with("A file is not in the working folder. To apply: patch -p1 -d / "), "{}", ran.out);
    assert!(ran.out.ends_with(&expected), "{}", ran.out);
}

/// Sets a value in files whose merge has rules for lists.
#[track_caller]
fn edits_in_lists(files: &[(&str, &str)], rule: &str, set: &str, expected: &[(&str, &str)]) {
    edits(files, &["--layers", "--list", rule, "--set", set], expected);
}

#[test]
fn an_element_is_changed_in_the_file_that_it_comes_from() {
    let appended = [("a.yaml", "h: [a, b]\n"), ("b.yaml", "h: [c]\n")];
    edits_in_lists(&appended, "h=append", "h[2]=d", &[("b.yaml", "h: [d]\n")]);
    edits_in_lists(&appended, "h=append", "h[1]=d", &[("a.yaml", "h: [a, d]\n")]);
    let keyed = [("a.yaml", "l:\n- {name: a, v: 1}\n"), ("b.yaml", "l:\n- {name: b}\n- {name: a, w: 2}\n")];
    edits_in_lists(&keyed, "l=key:name", "l[1].v=1", &[("b.yaml", "l:\n- {name: b, v: 1}\n- {name: a, w: 2}\n")]);
    edits_in_lists(&keyed, "l=key:name", "l[0].v=3", &[("a.yaml", "l:\n- {name: a, v: 3}\n")]);
    edits_in_lists(&keyed, "l=key:name", "l[0].w=3", &[("b.yaml", "l:\n- {name: b}\n- {name: a, w: 3}\n")]);
    // in a list of a keyed element, which has another index in each file
    let pod = |containers: &str| format!("kind: Pod\nmetadata: {{name: p}}\nspec:\n  containers:\n{containers}");
    let base = pod("  - {name: web, command: [x]}\n  - name: side\n    command: [y, z]\n");
    let top = pod("  - name: side\n    command: [envoy]\n    env:\n    - {name: A}\n");
    let set = |set: &str, from: &str, to: &str| {
        edits(
            &[("a.yaml", &base), ("b.yaml", &top)],
            &["--layers", "--set-json", set],
            &[("b.yaml", &top.replace(from, to))],
        );
    };
    set("spec.containers[1].command[0]=\"/bin/envoy\"", "[envoy]", "[/bin/envoy]");
    set("spec.containers[1].env[1]={\"name\": \"B\"}", "- {name: A}\n", "- {name: A}\n    - {\"name\": \"B\"}\n");
}

#[test]
fn an_element_is_appended_to_the_list_of_the_highest_layer() {
    let appended = [("a.yaml", "h: [a, b]\n"), ("b.yaml", "h:\n- c\n")];
    edits_in_lists(&appended, "append", "h[3]=d", &[("b.yaml", "h:\n- c\n- d\n")]);
    // the first element of a list that is not there
    edits(&[("a.yaml", "a:\n  b: 1\n")], &["--set", "a.l[0].x=1"], &[("a.yaml", "a:\n  b: 1\n  l: [{\"x\": 1}]\n")]);
}

#[test]
fn a_block_of_text_is_replaced() {
    let edit = |text: &str, set: &str, after: &str| {
        edits(&[("a.yaml", text)], &["--set", set], &[("a.yaml", after)]);
    };
    edit("d:\n  s: |\n    a\n  t: 1\n", "d.s=b", "d:\n  s: b\n  t: 1\n");
    edit("s: >-\n  a\n  b\n\n# c\nt: 1\n", "s=b", "s: b\n\n# c\nt: 1\n");
    edit("d:\n  s: |- # c\n    a\n\n    b\n  # d\n  t: 1\n", "d.s=b", "d:\n  s: b # c\n  # d\n  t: 1\n");
    edit("d:\n  s: |+\n    a\n\n  t: 1\n", "d.s=b", "d:\n  s: b\n  t: 1\n");
    edit("d:\n  s: |\n  t: 1\n", "d.s=b", "d:\n  s: b\n  t: 1\n");
    edit("l:\n- |\n  a\n- b\n", "l[0]=c", "l:\n- c\n- b\n");
    edit("s: |\r\n  a\r\nt: 1\r\n", "s=b", "s: b\r\nt: 1\r\n");
}

#[test]
fn a_value_is_changed_in_the_mapping_of_a_merge_key() {
    let text = "d: &d {x: 1}\ne:\n  <<: [*d, {z: 9}]\n";
    edits(&[("a.yaml", text)], &["--set", "e.z=1"], &[("a.yaml", &text.replace('9', "1"))]);
    // the anchor has other readers
    let after = "d: &d {x: 1}\ne:\n  <<: [*d, {z: 9}]\n  x: 2\n";
    edits(&[("a.yaml", text)], &["--set", "e.x=2"], &[("a.yaml", after)]);
}

#[test]
fn the_table_of_a_stack_is_changed() {
    let dir = folder(&[("a.yaml", "a: 1\n"), ("s.toml", "layers = [\"a.yaml\"]\n[set]\na = 2\n")]);
    let ran = merge(dir.path(), &["@s.toml", "--set", "a=3", "--in-place"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(text(dir.path(), "s.toml"), "layers = [\"a.yaml\"]\n[set]\na = 3\n");
    // a new field belongs to the files
    let ran = merge(dir.path(), &["@s.toml", "--set", "b=3", "--in-place"]);
    assert_eq!((ran.code, text(dir.path(), "a.yaml").as_str()), (Some(0), "a: 1\nb: 3\n"), "{}", ran.err);
}

#[test]
fn an_element_that_a_variable_sets_is_changed_there() {
    let files = [("a.yaml", "h: [a, b]\n"), ("b.env", "H__0=q # x\n")];
    edits(&files, &["--layers", "--set", "h[0]=k"], &[("b.env", "H__0=k # x\n")]);
}

#[test]
fn a_large_number_stays_a_number() {
    edits(&[("a.yaml", "x: 1\n")], &["--set", "x=1e400"], &[("a.yaml", "x: 1e400\n")]);
}

#[test]
fn a_variable_of_the_environment_is_above_all_files() {
    let dir = folder(&[("a.yaml", "a: 1\n")]);
    let mut command = Command::new(cfg_tests::binary::cfg());
    let arguments = ["merge", "--layers", "a.yaml", "--env", "APP_", "--set", "a=3", "--in-place"];
    command.args(arguments).env("APP_A", "2").current_dir(dir.path());
    let ran = run_command(command, "", Duration::from_secs(60)).expect("it runs");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let says = "= help: change the variable, which wins over all files: `--env APP_A=2`";
    assert!(ran.err.contains(says) && !ran.err.contains("--layers`"), "{}", ran.err);
}

#[test]
fn an_edit_has_the_warnings_of_the_merge() {
    for (file, set, part) in [
        ("server:\n  port: 80\n", "sever.port=81", "did you mean `server`?"),
        ("tag: \"1.20\"\n", "tag=1.30", "`tag` is a number here and a string"),
        ("server:\n  port: 80\n", "server=x", "a string here and a mapping"),
    ] {
        let dir = folder(&[("a.yaml", file)]);
        let ran = merge(dir.path(), &["a.yaml", "--set", set, "--in-place"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.err.contains(part), "{set}: {part:?} is not in {}", ran.err);
    }
    let dir = folder(&[("a.yaml", "tag: \"1.20\"\n")]);
    for (option, set) in [("--set", "tag=\"1.30\""), ("--set-string", "tag=1.40")] {
        let ran = merge(dir.path(), &["a.yaml", option, set, "--in-place"]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{set}");
    }
}

#[test]
fn each_changed_file_has_a_line() {
    let dir = folder(&[("a.yaml", "a: 1\n"), ("b.yaml", "a: 2\n")]);
    let ran = merge(dir.path(), &["a.yaml", "b.yaml", "--set", "a=3", "--in-place"]);
    assert_eq!(ran.out, "a.yaml:1:4  a changed\nb.yaml:1:4  a changed\n", "{}", ran.err);
}

#[test]
fn the_reason_why_there_is_no_edit_is_named() {
    refuses(&[("a.yaml", "h:\n- a\n")], &["--set", "h[3]=b"], 1, &["the list has 1 element", "with this value", "[1]"]);
    refuses(&[("a.cfg", "{ n = 2, m = n * 2 }")], &["--set", "m=5"], 1, &["the value is computed at a.cfg:1:14"]);
    let schema = ("s.json", "{\"properties\": {\"port\": {\"maximum\": 9}}}");
    let dir = folder(&[("a.yaml", "port: 1\n"), schema]);
    let ran = merge(dir.path(), &["a.yaml", "--schema", "s.json", "--set", "port=99", "--in-place"]);
    assert!(ran.err.contains("greater than the maximum of 9") && ran.err.contains("with this value"), "{}", ran.err);
    let ran = run(&["merge", "-", "--set", "a=2", "--in-place"], dir.path(), "a: 1\n");
    assert!(ran.err.contains("standard input is not a file"), "{}", ran.err);
}
