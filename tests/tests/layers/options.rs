//! Options and variables that set something over files without `--layers`, and slips in layers that no rule of a language forbids.

use super::*;

const FILE: &str = "replicas: 2\nimage: {tag: \"1.2\"}\nservers: {web: {port: 80}}\nports: {\"80\": http}\nhosts: [a]\ndebug: false\n\
                    notes: {\"io.example/a\": x}\nmem: 512Mi\nopts: -Xmx1g\n";

/// Returns the reports of a merge.
fn reports(files: Named, stacked: bool, layering: Layering) -> Vec<String> {
    let inputs = files.iter().map(|(name, _)| Input::File(PathBuf::from(*name))).collect();
    let action = Action::Merge { at: None, layers: stacked, format: Format::Json, explain: None };
    let mut request = Request::new(inputs, action);
    request.layering = Layering { stacked, ..layering };
    let outcome = Session::new(Box::new(files.iter().copied().collect::<InMemory>())).run(request);
    outcome.reports.iter().map(|(_, report)| report.text()).collect()
}

fn set(text: &str) -> Layering {
    let sets = vec![SetOption { kind: SetKind::Literal, text: text.into() }];
    Layering { sets, ..Layering::default() }
}

#[track_caller]
fn one(reports: Vec<String>, parts: &[&str]) {
    assert_eq!(reports.len(), 1, "{}", reports.join("\n"));
    for part in parts {
        assert!(reports[0].contains(part), "{part:?} is not in\n{}", reports[0]);
    }
}

#[test]
fn an_option_over_one_file_has_the_warnings_of_layers() {
    for (text, parts) in [
        ("image.tga=1", ["has `tag`", "did you mean `tag`?"].as_slice()),
        ("servrs.web=1", &["did you mean `servers`?"]),
        ("replicas.x=1", &["`replicas` is a mapping here and a number", "`replicas` has no keys"]),
        ("servers[0].port=1", &["makes the key `0` of a mapping", "`servers.web`"]),
        ("debug=True", &["a string here and a boolean", "`true` or `false`"]),
        ("hosts=b", &["a list is written in JSON"]),
        ("replicas=", &["nothing is written after `=`"]),
        ("notes.io.example/a=1", &["has `io.example/a`", "`notes.\"io.example/a\"`"]),
        ("replicas=3,hosts={b}", &["goes on with the field `hosts`", "--set hosts=…"]),
    ] {
        let found = reports(&[("a.yaml", FILE)], false, set(text));
        assert!(!found.is_empty(), "{text}");
        one(found, parts);
    }
}

#[test]
fn an_option_that_means_what_it_says_is_silent() {
    for text in [
        "replicas=3",
        "image.tag=\"1.30\"",
        "image.pullPolicy=Always",
        "servers.db.port=1",
        "ports[443]=https",
        "hosts[1]=b",
        "hosts=[\"b\"]",
        "debug=true",
        "notes.\"io.example/b\"=1",
        "opts=-Xmx2g,x=1",
        "new.key=1",
        "mem=536870912",
    ] {
        let found = reports(&[("a.yaml", FILE)], false, set(text));
        assert_eq!(found, Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_variable_over_one_file_has_the_warnings_of_layers() {
    let low = ("a.yaml", "server: localhost\nhosts: [a]\n");
    let both = |text| reports(&[low, ("b.env", text)], true, Layering::default());
    one(
        both("SERVER__PORT=1\n"),
        &["`server` is a mapping here and a string", "`__` leads to a key inside of `server`"],
    );
    one(both("HOSTS=b,c\n"), &["a list is written in JSON"]);
    assert_eq!(both("SERVER=x\nHOSTS__0=b\n"), Vec::<String>::new());
}

#[test]
fn a_path_may_not_begin_with_the_only_document() {
    let file = ("a.yaml", "kind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1}\n");
    one(reports(&[file], true, set("Deployment/web.spec.replicas=3")), &["there is only one", "write `spec.replicas`"]);
    assert_eq!(reports(&[file], true, set("spec.replicas=3")), Vec::<String>::new());
}

#[test]
fn a_layer_in_the_middle_loses_what_is_below_it() {
    let files = |middle| [("a.yaml", "c: {x: 1}\n"), ("b.yaml", middle), ("c.yaml", "c: {y: 1}\n")];
    one(reports(&files("c: 60\n"), true, Layering::default()), &["b.yaml:1:4", "a.yaml:1:4", "which is lost"]);
    // `null` in the middle is how a mapping is replaced as a whole
    assert_eq!(reports(&files("c: null\n"), true, Layering::default()), Vec::<String>::new());
}

#[test]
fn keys_of_elements_are_compared() {
    let rule = |rule: &str| Layering { lists: vec![rule.into()], ..Layering::default() };
    let merged = |low: &str, high: &str, text| reports(&[("a.yaml", low), ("b.yaml", high)], true, rule(text));
    one(merged("h: [a]\n", "h: [b]\n", "h=key:name"), &["they are no mappings", "`--list 'h=unique'`"]);
    one(merged("u: [{name: a}]\n", "u: [{nmae: a}]\n", "u=key:name"), &["did you mean `name` in place of `nmae`?"]);
    one(merged("u: [{id: 1}, {id: 1}]\n", "u: [{id: 1}]\n", "u=key:id"), &["have the same `id`", "a.yaml:1:15"]);
    one(
        merged("p: [{n: 80}]\n", "p: [{n: \"80\"}]\n", "p=key:n"),
        &["its `n` is a string, and that of the lower layer a number"],
    );
    assert_eq!(merged("u: [{id: 1}, {id: 2}]\n", "u: [{id: 2}, {id: 3}]\n", "u=key:id"), Vec::<String>::new());
}

#[test]
fn objects_of_kubernetes_are_told_apart() {
    let deployment = "apiVersion: v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec: {containers: [{name: a, image: x}]}\n";
    let service = "kind: Service\nmetadata: {name: web}\n";
    let stream = format!("{deployment}---\n{service}");
    let over = |low: &str, high: &str| reports(&[("a.yaml", low), ("b.yaml", high)], true, Layering::default());
    one(over(deployment, "apiVersion: v1\nkind: List\n"), &["`List` is merged over `Deployment/web`"]);
    one(over(&stream, "kind: Deployment\nmetadata: {name: web, namespace: shpo}\n"), &["`Deployment/shpo/web`"]);
    one(over(&stream, "kind: Deployment\nspec: {}\n"), &["has no `metadata.name`", "b.yaml:1:7"]);
    one(over(deployment, "spec: {containers: [{nme: a}]}\n"), &["did you mean `name` in place of `nme`?"]);
    one(over(deployment, "spec: {containers: [{name: a, $patch: delete}]}\n"), &["`$patch` is not applied"]);
    one(over(&format!("{service}---\n{service}"), service), &["`Service/web` is in this file twice", "a.yaml:5:18"]);
    for high in
        ["spec: {replicas: 2}\n", "apiVersion: v1\nkind: Deployment\nspec: {containers: [{name: a, image: y}]}\n"]
    {
        assert_eq!(over(deployment, high), Vec::<String>::new(), "{high}");
    }
    // the kind of other data is a value like each other
    assert_eq!(over("kind: small\n", "kind: large\n"), Vec::<String>::new());
}

#[test]
fn a_path_that_is_asked_for_has_the_warnings_of_its_misspellings() {
    let asked = |upper: &'static str, name: &'static str, at: &str| {
        let files = [("a.yaml", "database: {host: x}\nserver: {port: 1}\n"), (name, upper)];
        let inputs = files.iter().map(|(name, _)| Input::File(PathBuf::from(*name))).collect();
        let action = Action::Merge { at: Some(at.into()), layers: true, format: Format::Json, explain: None };
        let request = Request::new(inputs, action);
        let outcome = Session::new(Box::new(files.into_iter().collect::<InMemory>())).run(request);
        outcome.reports.iter().map(|(_, report)| report.text()).collect::<Vec<_>>()
    };
    for at in ["database", "database.host"] {
        one(asked("databse: {host: y}\n", "b.yaml", at), &["did you mean `database`?"]);
        one(asked("DATABSE__HOST=y\n", "b.env", at), &["did you mean `database`?"]);
    }
    assert_eq!(asked("databse: {host: y}\n", "b.yaml", "server"), [""; 0]);
}

#[test]
fn a_value_that_a_format_cannot_hold_is_reported_at_the_layer_that_wins() {
    let files = [("a.yaml", "db: {host: x}\n"), ("b.yaml", "db: {host: null}\n")];
    let inputs = files.iter().map(|(name, _)| Input::File(PathBuf::from(*name))).collect();
    let action = Action::Merge { at: None, layers: true, format: Format::Toml, explain: None };
    let outcome = Session::new(Box::new(files.into_iter().collect::<InMemory>())).run(Request::new(inputs, action));
    one(outcome.reports.iter().map(|(_, report)| report.text()).collect(), &["TOML has no null", "b.yaml:1:12"]);
}
