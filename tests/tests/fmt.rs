//! `cfg fmt`: formatted programs mean the same, and formatting them again changes nothing.

use cfg_core::{Action, Dialect, Format, Input, Languages, NoLoader, Outcome, Request, Session};
use cfg_tests::binary::{root, run};
use std::path::{Path, PathBuf};

fn request(dialect: Dialect, text: &str, action: Action) -> Outcome {
    let input = Input::Text { name: "text".into(), text: text.as_bytes().to_vec() };
    let request = Request { dialect: Some(dialect), ..Request::new(vec![input], action) };
    Session::new(Box::new(NoLoader)).run(request)
}

fn dialect(name: &str) -> Dialect {
    Languages::default().named(name).expect("a language")
}

fn formatted(dialect: Dialect, text: &str) -> Option<String> {
    let outcome = request(dialect, text, Action::Fmt { check: false });
    (outcome.exit == 0).then(|| outcome.output.text())
}

/// Checks the text of a formatted program, and that it is formatted.
#[track_caller]
fn is(name: &str, text: &str, expected: &str) {
    assert_eq!(formatted(dialect(name), text).as_deref(), Some(expected));
    assert_eq!(formatted(dialect(name), expected).as_deref(), Some(expected));
}

#[test]
fn cfg_is_laid_out() {
    is(
        "cfg",
        "\n\n# top\nlet x=1 in   \n{\n      a|Number|default=x+1 , # first\n\n\n\n  # own line\n    b={c=[1,2 , 3],d={ }},\n  f = fun y=>\n       if y then\n            1\n       else\n            -2,\n  s = m%\"\n     kept\n   \"%,\n  t = \"%{  a }\",\n}&\n{e=1}",
        "# top\nlet x = 1 in\n{\n  a | Number | default = x + 1, # first\n\n  # own line\n  b = { c = [1, 2, 3], d = {} },\n  f = fun y =>\n    if y then\n      1\n    else\n      -2,\n  s = m%\"\n     kept\n   \"%,\n  t = \"%{ a }\",\n} &\n{ e = 1 }\n",
    );
}

#[test]
fn jsonnet_is_laid_out() {
    is(
        "jsonnet",
        "// c\nlocal f(x)=x[1:2];\n{\n    a:1,b +: {c::2},\n  /* block */\n      ['k'] : self.a+1,\n  t: |||\n      text\n  |||,\n   g: [x for x in [ 1,2 ]],\n  h: if true then\n          -1\n  else 2,\n}\n",
        "// c\nlocal f(x) = x[1:2];\n{\n  a: 1, b +: { c:: 2 },\n  /* block */\n  ['k']: self.a + 1,\n  t: |||\n      text\n  |||,\n  g: [x for x in [1, 2]],\n  h: if true then\n    -1\n  else 2,\n}\n",
    );
}

#[test]
fn data_and_mcl_are_laid_out() {
    is("json", "{\"a\":1,\n      \"b\" :[ 1,2,\n 3]}", "{\"a\": 1,\n  \"b\": [1, 2,\n    3]}\n");
    is(
        "toml",
        "a=1  # c\n[ t ]\n  b = [ 1,2,\n 3 ]\nd = {x=1}\nw = 07:32:00\ns = '''\n  k  k\n'''\n",
        "a = 1  # c\n[t]\n  b = [1, 2,\n    3]\nd = { x = 1 }\nw = 07:32:00\ns = '''\n  k  k\n'''\n",
    );
    is(
        "yaml",
        "a:   &x\r\n    - b: 'q'  # c\r\n\r\n\r\n      c: !t |\r\n          two\r\n---\r\nd: *x\r\n",
        "a:   &x\r\n  - b: 'q'  # c\r\n\r\n    c: !t |\r\n        two\r\n---\r\nd: *x\r\n",
    );
    is("yay", "a:\n    b:\n        - 1\n\n\nc: {{ a }}\n", "a:\n  b:\n    - 1\n\nc: {{ a }}\n");
    is(
        "mcl",
        "$x=1\nfile \"/tmp/a\" {\n      content => \"a\" ,\n   # c\n}\nif true {\n$y = 2\n}\n",
        "$x = 1\nfile \"/tmp/a\" {\n  content => \"a\",\n  # c\n}\nif true {\n  $y = 2\n}\n",
    );
}

/// Returns the programs of the repository: files, and code in documents.
fn programs() -> Vec<(String, Dialect, String)> {
    let mut out = Vec::new();
    let mut folders: Vec<PathBuf> =
        ["docs", "tests", "notebooks", "kernel", "core", "repl"].iter().map(|name| root().join(name)).collect();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() && name != "target" && name != "node_modules" {
                folders.push(path);
                continue;
            }
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            let shown = path.strip_prefix(root()).unwrap_or(Path::new("")).display().to_string();
            if let Some(dialect) = Languages::default().of_path(&path) {
                out.push((shown.clone(), dialect, text.clone()));
            }
            if name.ends_with(".md") {
                for (n, block) in text.split("\n```").enumerate().filter(|(n, _)| n % 2 == 1) {
                    let (info, code) = block.split_once('\n').unwrap_or((block, ""));
                    let language = info.split_whitespace().next().unwrap_or_default();
                    if let Some(dialect) = Languages::default().named(language) {
                        out.push((format!("{shown} block {n}"), dialect, format!("{code}\n")));
                    }
                }
            }
        }
    }
    out
}

#[test]
fn every_program_of_the_repository_means_the_same_and_stays_formatted() {
    let (mut count, mut wrong) = (0, Vec::new());
    for (name, dialect, text) in programs().into_iter().filter(|(_, _, text)| text.len() < 30_000) {
        let Some(once) = formatted(dialect, &text) else { continue };
        count += 1;
        if formatted(dialect, &once).as_deref() != Some(once.as_str()) {
            wrong.push(format!("{name}: formatting it twice changes it again\n{once}"));
        }
        let words = |text: &str| text.split_whitespace().collect::<String>();
        if words(&text) != words(&once) {
            wrong.push(format!("{name}: more than blanks changed"));
        }
        // programs that take long are not evaluated
        if name.contains("benches") || text.len() > 4_000 {
            continue;
        }
        let value = |text: &str| {
            let outcome = request(dialect, text, Action::Eval { at: None, format: Format::Json });
            (outcome.exit, outcome.output.text())
        };
        if value(&text) != value(&once) {
            wrong.push(format!("{name}: another value\n{once}"));
        }
    }
    assert!(count > 100, "{count} programs");
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn files_are_changed_and_check_changes_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).expect("a file");
    let text = |name: &str| std::fs::read_to_string(dir.path().join(name)).expect("a file");
    file("a.cfg", "{a=1}\n");
    file("b.jsonnet", "{ a: 1 }\n");
    let ran = run(&["fmt", "--check", "a.cfg", "b.jsonnet"], dir.path(), "");
    assert_eq!((ran.code, ran.out.as_str(), text("a.cfg").as_str()), (Some(1), "a.cfg\n", "{a=1}\n"), "{}", ran.err);
    let ran = run(&["fmt", "a.cfg", "b.jsonnet"], dir.path(), "");
    assert_eq!((ran.code, ran.out.as_str(), text("a.cfg").as_str()), (Some(0), "", "{ a = 1 }\n"), "{}", ran.err);
    assert_eq!(run(&["fmt", "--check", "a.cfg", "b.jsonnet"], dir.path(), "").code, Some(0));
    let ran = run(&["fmt", "-"], dir.path(), "{a=1}");
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "{ a = 1 }\n"), "{}", ran.err);
    // a secret is a part of the text
    let secret = "{ a | secret = \"MARK\" }\n";
    assert_eq!(run(&["fmt", "-"], dir.path(), secret).out, secret);
    // what cannot be formatted is said, and the other files are formatted
    file("a.cfg", "{a=1}\n");
    file("c.yaml", "a: \"x\n\n\n  y\"\n");
    file("d.cfg", "{a=\n");
    let ran = run(&["fmt", "c.yaml", "d.cfg", "a.cfg"], dir.path(), "");
    assert_eq!((ran.code, text("a.cfg").as_str()), (Some(2), "{ a = 1 }\n"));
    assert_eq!((text("c.yaml").as_str(), text("d.cfg").as_str()), ("a: \"x\n\n\n  y\"\n", "{a=\n"));
    assert!(
        ran.err.contains("c.yaml: it cannot be laid out without a change of its meaning") && ran.err.contains("d.cfg:"),
        "{}",
        ran.err
    );
    let dos = "{\r\n    a = 1,\r\n}\r\n";
    file("e.cfg", dos);
    run(&["fmt", "e.cfg"], dir.path(), "");
    assert_eq!(text("e.cfg"), "{\r\n  a = 1,\r\n}\r\n");
}
