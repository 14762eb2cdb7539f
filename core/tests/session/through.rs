//! `:explain` of a part of a resource: the class, includes and imports that it comes through, and the conditions that left
//! a field out.

use cfg_core::{Action, Event, InMemory, Input, Medium, NoLoader, Request, Session};
use expect_test::expect;

const LIBRARY: &str = "import \"fmt\"
class motd($who, $on) {
	file \"/etc/motd.${who}\" {
		content => fmt.printf(\"hello %s\", $who),
		mode => $on ?: \"u=rw\",
	}
}
class all {
	include motd(\"ann\", true)
	include motd(\"bob\", false)
}
";
const SITE: &str = "import \"lib/motd.mcl\"
include motd.all
class plain {
	noop \"p\" { Meta:retry => 3, }
}
include plain
test \"alone\" { int64 => 1, }
";

fn session() -> Session {
    let files: InMemory = [("lib/motd.mcl", LIBRARY), ("site.mcl", SITE)].into_iter().collect();
    Session::new(Box::new(files))
}

fn explained(path: &str, medium: Medium) -> String {
    let action = Action::Explain { path: path.into(), medium };
    let outcome = session().run(Request::new(vec![Input::File("site.mcl".into())], action));
    let reports: Vec<String> = outcome.reports.iter().map(|(_, report)| report.text()).collect();
    format!("{}{}", outcome.output.text(), reports.join("\n"))
}

#[test]
fn a_field_names_its_class_includes_and_import() {
    let text = |path| explained(path, Medium::Text);
    expect![[r#"
        file[/etc/motd.bob].content = "hello bob" str                       1 definition

          WINS  normal  "hello bob"  lib/motd.mcl:4:14
                content => fmt.printf("hello %s", $who)

          through
            class motd($who, $on)       lib/motd.mcl:2:1
            include motd("bob", false)  lib/motd.mcl:10:2
            class all                   lib/motd.mcl:8:1
            include motd.all            site.mcl:2:1
            import "lib/motd.mcl"       site.mcl:1:1

          to change it: edit lib/motd.mcl:4:14.
    "#]]
    .assert_eq(&text("file[/etc/motd.bob].content"));
    expect![[r#"
        file[/etc/motd.bob].mode has no value: its condition is false            missing

          off  normal  "u=rw"  lib/motd.mcl:5:18
               its condition is false: on  lib/motd.mcl:5:12

          through
            class motd($who, $on)       lib/motd.mcl:2:1
            include motd("bob", false)  lib/motd.mcl:10:2
            class all                   lib/motd.mcl:8:1
            include motd.all            site.mcl:2:1
            import "lib/motd.mcl"       site.mcl:1:1
    "#]]
    .assert_eq(&text("file[/etc/motd.bob].mode"));
    expect![[r#"
        noop[p].Meta:retry = 3 int                                          1 definition

          WINS  normal  3  site.mcl:4:27  Meta:retry => 3

          through
            class plain    site.mcl:3:1
            include plain  site.mcl:6:1

          to change it: edit site.mcl:4:27.
    "#]]
    .assert_eq(&text("noop[p].Meta:retry"));
    // a resource of the program itself comes through nothing
    assert!(!text("test[alone].int64").contains("through"));
}

#[test]
fn the_forms_have_the_same_statements() {
    let html = explained("file[/etc/motd.bob].content", Medium::Html);
    let json: serde_json::Value =
        serde_json::from_str(&explained("file[/etc/motd.bob].content", Medium::Json)).expect("JSON");
    let through: Vec<&str> = json["through"].as_array().unwrap().iter().map(|s| s["text"].as_str().unwrap()).collect();
    let expected = [
        "class motd($who, $on)",
        "include motd(\"bob\", false)",
        "class all",
        "include motd.all",
        "import \"lib/motd.mcl\"",
    ];
    assert_eq!(through, expected);
    assert_eq!(json["resource"], "file[/etc/motd.bob].content");
    for statement in expected {
        assert!(html.contains(&statement.replace('"', "&quot;")) || html.contains(statement), "{statement}: {html}");
    }
}

#[test]
fn inputs_of_a_session_are_statements_too() {
    let mut session = Session::new(Box::new(NoLoader));
    let mut said = String::new();
    for input in [
        ":dialect mcl",
        "class motd($text, $on) { file \"/etc/motd\" { content => $text, mode => $on ?: \"u=rw\", } }",
        "include motd(\"hello\", false)",
        ":explain file[/etc/motd].content",
        ":explain file[/etc/motd].mode",
        "class outer { include motd(\"again\", true) }",
        "include outer",
        ":explain file[/etc/motd].content",
    ] {
        for event in session.submit(input) {
            if let (true, Event::Answer(text)) = (input.starts_with(":explain"), event) {
                said.push_str(&text.text());
                said.push_str("\n\n");
            }
        }
    }
    expect![[r#"
        file[/etc/motd].content = "hello" str                               1 definition

          WINS  normal  "hello"  mcl[1]:1:56  content => $text

          through
            class motd($text, $on)        mcl[1]:1:1
            include motd("hello", false)  mcl[2]:1:1

          to change it: edit mcl[1]:1:56.

        file[/etc/motd].mode has no value: its condition is false                missing

          off  normal  "u=rw"  mcl[1]:1:78  its condition is false: on  mcl[1]:1:72

          through
            class motd($text, $on)        mcl[1]:1:1
            include motd("hello", false)  mcl[2]:1:1

        file[/etc/motd].content = "again" str                               1 definition

          WINS  normal  "again"  mcl[1]:1:56  content => $text

          through
            class motd($text, $on)       mcl[1]:1:1
            include motd("again", true)  mcl[3]:1:15
            class outer                  mcl[3]:1:1
            include outer                mcl[4]:1:1

          to change it: edit mcl[1]:1:56.

    "#]]
    .assert_eq(&said);
}
