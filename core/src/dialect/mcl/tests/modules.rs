use super::*;
use crate::{Action, Dialect, Format, InMemory, Input, Request, Session};
use expect_test::{Expect, expect};

/// Checks the result of `main.mcl` in a tree of files: its resources, or its reports.
#[track_caller]
fn makes(files: &[(&str, &str)], folders: &[&str], expected: Expect) {
    let text = files.iter().find(|(name, _)| *name == "main.mcl").map_or("", |(_, text)| *text);
    let mut session = Session::new(Box::new(files.iter().copied().collect::<InMemory>()));
    let input = Input::File(PathBuf::from("main.mcl"));
    let action = Action::Eval { at: None, format: Format::Json };
    let request = Request {
        dialect: Some(Dialect::MCL),
        import_paths: folders.iter().map(PathBuf::from).collect(),
        ..Request::new(vec![input], action)
    };
    let outcome = session.run(request);
    let value: serde_json::Value = serde_json::from_str(&outcome.output.text()).unwrap_or_default();
    let resources = value["resources"].as_array().into_iter().flatten();
    let names: Vec<String> = resources.map(|r| format!("{}[{}]\n", r["kind"], r["name"]).replace('"', "")).collect();
    let reports: String = outcome.reports.iter().map(|(_, report)| format!("{}\n", report.text())).collect();
    assert!(!text.is_empty());
    expected.assert_eq(&(names.concat() + &reports));
}

#[test]
fn namespaces() {
    let of = |path: &str| default_namespace(path).to_string();
    assert_eq!(of("fmt"), "fmt");
    assert_eq!(of("math/trig"), "trig");
    assert_eq!(of("foo/file1.mcl"), "file1");
    assert_eq!(of("bar/baz/"), "baz");
    assert_eq!(of("git://github.com/purpleidea/mgmt-example1/"), "example1");
    assert_eq!(of("git://github.com/x/mgmt-Foo-Bar/"), "foo_bar");
    assert_eq!(of("git://github.com/x/foo-mgmt/"), "foo_mgmt");
    assert_eq!(of("git://github.com/x/mgmt-/"), "mgmt_");
}

#[test]
fn a_module_in_a_folder() {
    makes(
        &[("main.mcl", "import \"m/\"\ntest $m.a {}"), ("m/main.mcl", "$a = \"main\"")],
        &[],
        expect![[r#"
            test[main]
        "#]],
    );
    let named = [
        ("main.mcl", "import \"m/\" as n\ninclude n.c"),
        ("m/metadata.yaml", "main: \"sub/entry.mcl\"\nfiles: \"files/\"\nlicense: \"GPLv3\"\n"),
        ("m/sub/entry.mcl", "import \"x.mcl\"\nclass c { test $x.name {} }"),
        ("m/sub/x.mcl", "$name = \"beside the entry\""),
        ("m/main.mcl", "class c { test \"main\" {} }"),
    ];
    makes(
        &named,
        &[],
        expect![[r#"
            test[beside the entry]
        "#]],
    );
    makes(
        &[("main.mcl", "import \"m/\" as *\ntest $a {}"), ("m/main.mcl", "$a = \"star\""), ("m/metadata.yaml", "")],
        &[],
        expect![[r#"
            test[star]
        "#]],
    );
    makes(
        &[("main.mcl", "import \"m/\"\n"), ("m/metadata.yaml", "main: \"gone.mcl\"")],
        &[],
        expect![[r#"
            error: cannot import "m/": the module has no file `m/gone.mcl` [scope/import]
             --> main.mcl:1:8
              |
            1 | import "m/"
              |        ^^^^
        "#]],
    );
}

#[test]
fn mistakes_in_metadata() {
    let mistake = |metadata: &str, expected: Expect| {
        let files =
            [("main.mcl", "import \"m/\"\n"), ("m/metadata.yaml", metadata), ("m/main.mcl", ""), ("up.mcl", "")];
        makes(&files, &[], expected);
    };
    mistake(
        "main: \"/main.mcl\"",
        expect![[r#"
        error: cannot import "m/": `m/metadata.yaml`: `main` must be the relative path of a file [scope/import]
         --> main.mcl:1:8
          |
        1 | import "m/"
          |        ^^^^
    "#]],
    );
    mistake(
        "path: \"modules\"",
        expect![[r#"
        error: cannot import "m/": `m/metadata.yaml`: `path` must be the relative path of a folder, with a `/` at its end [scope/import]
         --> main.mcl:1:8
          |
        1 | import "m/"
          |        ^^^^
    "#]],
    );
    mistake(
        "files: 1",
        expect![[r#"
        error: cannot import "m/": `m/metadata.yaml`: `files` must be the relative path of a folder, with a `/` at its end [scope/import]
         --> main.mcl:1:8
          |
        1 | import "m/"
          |        ^^^^
    "#]],
    );
    mistake(
        "parentpathblock: yes please",
        expect![[r#"
        error: cannot import "m/": `m/metadata.yaml`: `parentpathblock` must be true or false [scope/import]
         --> main.mcl:1:8
          |
        1 | import "m/"
          |        ^^^^
    "#]],
    );
    mistake(
        "- main",
        expect![[r#"
        error: cannot import "m/": `m/metadata.yaml`: it must be a map [scope/import]
         --> main.mcl:1:8
          |
        1 | import "m/"
          |        ^^^^
    "#]],
    );
    mistake(
        "main: [",
        expect![[r#"
            error: unclosed bracket `[` [data/syntax]
             --> m/metadata.yaml:1:7
              |
            1 | main: [
              |       ^ opened here, never closed
              |
              = help: close it with `]`
        "#]],
    );
}

/// A remote module is searched in the folders of the importing module, then in those around it, then in those for imports.
#[test]
fn remote_modules_are_read_from_folders() {
    let import = "import \"git://host/x/mgmt-lib/\"\ntest $lib.a {}";
    makes(
        &[("main.mcl", import)],
        &[],
        expect![[r#"
        error: no local copy of the module "git://host/x/mgmt-lib/" [scope/import]
         --> main.mcl:1:8
          |
        1 | import "git://host/x/mgmt-lib/"
          |        ^^^^^^^^^^^^^^^^^^^^^^^^ nothing is fetched
          |
          = help: put the module into a folder for modules: `path` in the metadata.yaml of the importing module, `--module-path DIR`, or `MCL_MODULE_PATH`
    "#]],
    );
    makes(
        &[("main.mcl", import)],
        &["/cache", "/other"],
        expect![[r#"
        error: no local copy of the module "git://host/x/mgmt-lib/" [scope/import]
         --> main.mcl:1:8
          |
        1 | import "git://host/x/mgmt-lib/"
          |        ^^^^^^^^^^^^^^^^^^^^^^^^ nothing is fetched
          |
          = note: looked for `/cache/host/x/mgmt-lib/metadata.yaml`, then `/other/host/x/mgmt-lib/metadata.yaml`
          = help: put the module into a folder for modules: `path` in the metadata.yaml of the importing module, `--module-path DIR`, or `MCL_MODULE_PATH`
    "#]],
    );
    // a module needs a `metadata.yaml`
    let cached = [
        ("main.mcl", import),
        ("/cache/host/x/mgmt-lib/main.mcl", "$a = \"no metadata\""),
        ("/other/host/x/mgmt-lib/main.mcl", "$a = \"other\""),
        ("/other/host/x/mgmt-lib/metadata.yaml", ""),
    ];
    makes(
        &cached,
        &["/cache", "/other"],
        expect![[r#"
        test[other]
    "#]],
    );
    let around = |inner: &str| {
        let inner = format!("path: \"own/\"\n{inner}");
        let files = [
            ("main.mcl", "import \"m/\"\ntest $m.a {}"),
            ("m/metadata.yaml", "path: \"modules/\""),
            ("m/main.mcl", "import \"git://host/y/\"\n$a = $y.a"),
            ("m/modules/host/y/metadata.yaml", inner.as_str()),
            ("m/modules/host/y/main.mcl", "import \"git://host/z\"\n$a = $z.a"),
            ("m/modules/host/z/metadata.yaml", ""),
            ("m/modules/host/z/main.mcl", "$a = \"of the module around it\""),
            ("/cache/host/z/metadata.yaml", ""),
            ("/cache/host/z/main.mcl", "$a = \"of the folders for imports\""),
        ];
        files.map(|(name, text)| (name.to_string(), text.to_string()))
    };
    let check = |inner: &str, expected: Expect| {
        let files = around(inner);
        let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        makes(&files, &["/cache"], expected);
    };
    check(
        "",
        expect![[r#"
        test[of the module around it]
    "#]],
    );
    check(
        "parentpathblock: true",
        expect![[r#"
        test[of the folders for imports]
    "#]],
    );
    makes(
        &[("main.mcl", "import \"git://host/../../etc/\"\n")],
        &["/cache"],
        expect![[r#"
        error: cannot import "git://host/../../etc/": the path of a remote module is a host and names, without `.` and `..` [scope/import]
         --> main.mcl:1:8
          |
        1 | import "git://host/../../etc/"
          |        ^^^^^^^^^^^^^^^^^^^^^^^
    "#]],
    );
}
