//! `:feed`: exactly what depends on an input is computed again. `:diff` of graphs.

use super::check;
use cfg_core::{Event, NoLoader, Session};
use expect_test::expect;

fn texts(events: Vec<Event>) -> String {
    let text = |event: Event| match event {
        Event::Answer(text) | Event::Diagnostic { report: text, .. } => Some(text.text()),
        Event::Value { value, .. } => Some(value.text()),
        _ => None,
    };
    events.into_iter().filter_map(text).collect::<Vec<_>>().join("\n")
}

/// One event in a program of 10,000 definitions costs what depends on it.
#[test]
fn an_event_costs_what_depends_on_it() {
    let mut session = Session::new(Box::new(NoLoader));
    session.submit(":dialect mcl");
    session.submit(":feed datetime.now 1000");
    let mut program = String::from("$x0 = len(\"start\")\n");
    for n in 1..10_000 {
        program += &format!("$x{n} = $x{} + len(\"a\")\n", n - 1);
    }
    program += "$now = datetime.now()\n$later = $now + 60\n$label = fmt.printf(\"%d\", $later)\n";
    program += "$last = $x9999 + len($label)\n";
    session.submit(&program);
    assert_eq!(texts(session.submit("$last")), "10008");
    let whole = session.evaluation_steps();
    assert!(whole > 20_000, "{whole}");
    let before = session.inferences();
    let said = texts(session.submit(":feed datetime.now 99940"));
    assert_eq!(
        said,
        "label  \"1060\"  ->  \"100000\"\nlast   10008   ->  10010\nlater  1060    ->  100000\nnow    1000    ->  99940"
    );
    let event = session.evaluation_steps();
    assert!(event < 200, "{event} steps of {whole}");
    assert!(session.inferences() - before < 10, "{}", session.inferences() - before);
    assert_eq!(texts(session.submit("$last")), "10010");
    // nothing that is computed from it differs
    assert_eq!(
        texts(session.submit(":feed datetime.now 99941")),
        "label  \"100000\"  ->  \"100001\"\nlater  100000    ->  100001\nnow    99940     ->  99941"
    );
}

#[test]
fn an_input_with_arguments_changes_the_calls_with_them() {
    check(
        &[
            ":dialect mcl",
            ":feed os.readfile(\"/etc/a\") \"one\"",
            ":feed os.readfile(\"/etc/b\") \"two\"",
            "$a = os.readfile(\"/etc/a\")",
            "$b = os.readfile(\"/etc/b\")",
            "func f() { len(os.readfile(\"/etc/a\")) }",
            "$n = f()",
            "$a + $b + fmt.printf(\"%d\", $n)",
            ":feed os.readfile(\"/etc/b\") \"twice\"",
            ":feed os.readfile(\"/etc/a\") \"first\"",
            ":feed os.readfile(\"/etc/a\") \"again\"",
            ":feed os.args 1",
            "import \"os\" as system",
            "$c = system.readfile(\"/etc/b\")",
            "$c",
            ":feed os.readfile(\"/etc/b\") \"\"",
        ],
        expect![[r#"
            > :dialect mcl
            > :feed os.readfile("/etc/a") "one"
            `os.readfile("/etc/a")` is set; no definition can read it
            > :feed os.readfile("/etc/b") "two"
            `os.readfile("/etc/b")` is set; no definition can read it
            > $a = os.readfile("/etc/a")
            a str
            > $b = os.readfile("/etc/b")
            b str
            > func f() { len(os.readfile("/etc/a")) }
            func f func() int
            > $n = f()
            n int
            > $a + $b + fmt.printf("%d", $n)
            "onetwo3" : str
            > :feed os.readfile("/etc/b") "twice"
            b  "two"  ->  "twice"
            > :feed os.readfile("/etc/a") "first"
            a  "one"  ->  "first"
            n  3      ->  5
            > :feed os.readfile("/etc/a") "again"
            a  "first"  ->  "again"
            > :feed os.args 1
            `os.args` is set; no definition can read it
            > import "os" as system
            > $c = system.readfile("/etc/b")
            c str
            > $c
            "twice" : str
            > :feed os.readfile("/etc/b") ""
            b  "twice"  ->  ""
            c  "twice"  ->  ""
        "#]],
    );
}

/// In other languages any use of the library may read any variable.
#[test]
fn a_computed_name_of_a_variable_is_found() {
    check(
        &[
            ":dialect jsonnet",
            ":feed port 80",
            "local name = 'po' + 'rt'",
            "local a = std.extVar(name)",
            "local b = { url: 'http://x:%d' % std.extVar('port') }",
            "[a, b]",
            ":feed port 443",
            ":feed other 1",
        ],
        expect![[r#"
            > :dialect jsonnet
            > :feed port 80
            `port` is set; no definition can read it
            > local name = 'po' + 'rt'
            name ∈ string
            > local a = std.extVar(name)
            a ∈ any
            > local b = { url: 'http://x:%d' % std.extVar('port') }
            b ∈ {url ∈ string}
            > [a, b]
            [80, { url: "http://x:80" }] : [any]
            > :feed port 443
            a  80                      ->  443
            b  { url: "http://x:80" }  ->  { url: "http://x:443" }
            > :feed other 1
            `other` is set; none of the 2 values that can read it changed
        "#]],
    );
}

#[test]
fn graphs_differ_by_resource() {
    check(
        &[
            ":dialect mcl",
            "class web($port) { file \"/etc/web\" { content => fmt.printf(\"port %d\", $port), Meta:noop => true, } }",
            "include web(80)\nsvc \"web\" { state => \"running\", }\nFile[\"/etc/web\"] -> Svc[\"web\"]",
            "include web(443)\nsvc \"web\" { state => \"running\", startup => \"enabled\", }\npkg \"web\" {}\nPkg[\"web\"] -> File[\"/etc/web\"]",
            ":diff $2 $3",
            ":diff $3, $2",
            ":diff $2, $2",
            ":diff (1) (2)",
            "noop \"n\" {}",
            ":diff $4, $2",
        ],
        expect![[r#"
            > :dialect mcl
            > class web($port) { file "/etc/web" { content => fmt.printf("port %d", $port), Meta:noop => true, } }
            class web func(int) struct{port int}
            > include web(80)
            svc "web" { state => "running", }
            File["/etc/web"] -> Svc["web"]
            file "/etc/web" {
              content => "port 80",
              Meta:noop => true,
            }
            svc "web" {
              state => "running",
            }
            File["/etc/web"] -> Svc["web"]
            > include web(443)
            svc "web" { state => "running", startup => "enabled", }
            pkg "web" {}
            Pkg["web"] -> File["/etc/web"]
            file "/etc/web" {
              content => "port 443",
              Meta:noop => true,
            }
            pkg "web" {}
            svc "web" {
              startup => "enabled",
              state => "running",
            }
            Pkg["web"] -> File["/etc/web"]
            > :diff $2 $3
            ~ file[/etc/web]
              ~ content  "port 80" -> "port 443"
            + pkg[web]
            ~ svc[web]
              + startup  "enabled"
            - file[/etc/web] -> svc[web]
            + pkg[web] -> file[/etc/web]
            1 added, 2 changed, 2 edges different; 0 resources same
            > :diff $3, $2
            ~ file[/etc/web]
              ~ content  "port 443" -> "port 80"
            - pkg[web]
            ~ svc[web]
              - startup  "enabled"
            - pkg[web] -> file[/etc/web]
            + file[/etc/web] -> svc[web]
            1 removed, 2 changed, 2 edges different; 0 resources same
            > :diff $2, $2
            no differences; 2 resources same
            > :diff (1) (2)
            ~ (whole)
                1  ->  2
            1 different, 0 fields same
            > noop "n" {}
            noop "n" {}
            > :diff $4, $2
            + file[/etc/web]
                content    "port 80"
                Meta:noop  true
            - noop[n]
            + svc[web]
                state  "running"
            + file[/etc/web] -> svc[web]
            2 added, 1 removed, 1 edge different; 0 resources same
        "#]],
    );
}
