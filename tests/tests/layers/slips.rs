//! Slips in layers that the reader of a file cannot see: keys, documents, variables and texts that mean something else than was meant, and the
//! correct files beside them.

use super::*;

/// Returns the reports of a merge of files in layers.
fn reports(files: Named) -> Vec<String> {
    said(files, true)
}

fn said(files: Named, layers: bool) -> Vec<String> {
    let inputs = files.iter().map(|(name, _)| Input::File(PathBuf::from(*name))).collect();
    let action = Action::Merge { at: None, layers, format: Format::Json, explain: None };
    let outcome = Session::new(Box::new(files.iter().copied().collect::<InMemory>())).run(Request::new(inputs, action));
    outcome.reports.iter().map(|(_, report)| report.text()).collect()
}

fn over(low: &str, high: &str) -> Vec<String> {
    reports(&[("a.yaml", low), ("b.yaml", high)])
}

#[track_caller]
fn one(reports: Vec<String>, parts: &[&str]) {
    assert_eq!(reports.len(), 1, "{}", reports.join("\n"));
    for part in parts {
        assert!(reports[0].contains(part), "{part:?} is not in\n{}", reports[0]);
    }
}

#[track_caller]
fn silent(reports: Vec<String>) {
    assert_eq!(reports, Vec::<String>::new());
}

#[test]
fn variables_of_the_environment_have_the_warnings_of_files() {
    let low: Named = &[("a.yaml", "log: {level: info, format: json}\n")];
    let merged = |plain: bool, variable: (&'static str, &'static str)| {
        let merge = Merge { plain, ..Merge::of(low) };
        let variables = [variable];
        let outcome = Merge { variables: &variables, ..merge.env("APP_", &[]) }.run();
        outcome.reports.iter().map(|(_, report)| report.text()).collect::<Vec<_>>()
    };
    for plain in [true, false] {
        one(
            merged(plain, ("APP_LOG", "debug")),
            &["`log` is a string here and a mapping", "--env:1:9", "a.yaml:1:6", "`APP_LOG__KEY=…`"],
        );
        one(merged(plain, ("APP_LOG__LEVL", "x")), &["`log.levl` is new here", "did you mean `level`?"]);
        one(merged(plain, ("APP_LOG__LEVEL__X", "x")), &["`log.level` is a mapping here", "`__` leads to a key"]);
        for (name, value) in [("APP_LOG__LEVEL", "debug"), ("APP_LOG__FILE", "x"), ("APP_NAME", "x")] {
            silent(merged(plain, (name, value)));
        }
    }
}

#[test]
fn a_file_of_variables_without_the_prefix_is_meant_as_it_is() {
    let files = |text: &'static str| [("a.yaml", "server: {port: 80}\n"), ("b.env", text)];
    let own: Named = &[("APP_SERVER__HOST", "h")];
    let both = r#"{"port": 9000, "host": "h"}"#;
    assert_eq!(Merge::of(&files("SERVER__PORT=9000\n")).env("APP_", own).at("server").yields(both), "");
    assert_eq!(Merge::of(&files("APP_SERVER__PORT=9000\nPATH_X=1\n")).env("APP_", own).at("server").yields(both), "");
    let mixed = files("APP_SERVER__X=1\nSERVER__PORT=9000\n");
    let warned = Merge::of(&mixed).env("APP_", own).at("server.port").yields("80");
    for part in ["`SERVER__PORT` has no effect", "b.env:2:1", "write `APP_SERVER__PORT`", "merge/no-variables"] {
        assert!(warned.contains(part), "{part}: {warned}");
    }
}

#[test]
fn an_escaped_point_in_an_assignment_is_part_of_the_name() {
    let low: Named = &[("a.yaml", "service: {annotations: {prometheus.io/scrape: 'true'}}\n")];
    let set = r"service.annotations.prometheus\.io/scrape=false";
    let reports = Merge::of(low).set(set).at("service.annotations").yields(r#"{"prometheus.io/scrape": false}"#);
    assert!(reports.is_empty() || reports.contains("a boolean here and a string"), "{reports}");
    Merge::of(low).at(r"service.annotations.prometheus\.io/scrape").yields("\"true\"");
}

#[test]
fn a_document_is_of_the_namespace_that_was_meant() {
    let web = |namespace: &str, replicas: u32| {
        let namespace = if namespace.is_empty() { String::new() } else { format!(", namespace: {namespace}") };
        format!("kind: Deployment\nmetadata: {{name: web{namespace}}}\nspec: {{replicas: {replicas}}}\n")
    };
    let low = format!("{}---\n{}", web("blue", 1), web("green", 1));
    one(
        over(&low, &web("", 5)),
        &["`Deployment/web` is new here", "b.yaml:2:18", "a.yaml:2", "`namespace: blue` or `namespace: green`"],
    );
    one(over(&low, &web("gren", 5)), &["`Deployment/gren/web` is new here", "did you mean `green`?"]);
    silent(over(&low, &web("green", 5)));
    silent(over(&low, &web("yellow", 5)));
    // all of them, and one more
    silent(over(&low, &format!("{low}---\n{}", web("", 5))));
    let stream = format!("{}---\nkind: Service\nmetadata: {{name: web, namespace: shop}}\n", web("shop", 1));
    one(over(&stream, &web("shpo", 3)), &["moves it to the namespace `shpo`", "did you mean `shop`?"]);
    one(
        over(&stream, &web("test", 3)),
        &["moves it to the namespace `test`", "write both documents into the lower file"],
    );
    silent(over(&stream, &web("", 3)));
}

#[test]
fn objects_without_an_order_are_not_one() {
    let web = |kind: &str, name: &str| ("", format!("apiVersion: v1\nkind: {kind}\nmetadata: {{name: {name}}}\n"));
    let merged = |low: &str, high: &str| said(&[("a.yaml", low), ("b.yaml", high)], false);
    let (deployment, service) = (web("Deployment", "web").1, web("Service", "web").1);
    one(
        merged(&deployment, &service),
        &["hold different objects, `Deployment/web` and `Service/web`", "b.yaml:2:7", "a.yaml:2:7", "`---`"],
    );
    one(merged(&deployment, &web("Deployment", "db").1), &["`Deployment/web` and `Deployment/db`"]);
    silent(merged(&deployment, "spec: {replicas: 2}\n"));
    silent(merged(&deployment, "kind: Deployment\nspec: {replicas: 2}\n"));
}

#[test]
fn a_key_inside_of_a_mapping_was_meant_beside_it() {
    let toml = |high| reports(&[("a.toml", "debug = false\n[server]\nhost = \"a\"\nport = 80\n"), ("b.toml", high)]);
    one(
        toml("[server]\nhost = \"b\"\ndebug = true\n"),
        &["`server.debug` is new here", "has `debug`", "b.toml:3:1", "a.toml:1:1"],
    );
    for high in [
        "debug = true\n[server]\nhost = \"b\"\n",
        "[server]\ndebug = true\n",
        "debug = true\n[server]\nhost = \"b\"\ndebug = true\n",
        "[server]\nhost = \"b\"\ndebug = \"full\"\n",
        "[server]\nhost = \"b\"\nname = \"x\"\n",
    ] {
        silent(toml(high));
    }
    let low = "logLevel: info\nname: x\nreplicaCount: 1\nserver: {host: a}\npostgresql: {enabled: true}\nenv: {A: x}\n";
    one(over(low, "server:\n  host: b\n  logLevel: debug\n"), &["`server.logLevel` is new here", "has `logLevel`"]);
    silent(over(low, "postgresql: {enabled: true, replicaCount: 2}\n"));
    silent(over(low, "server: {logLevel: debug, host: b}\n"));
    silent(over(low, "env: {A: y, logLevel: z}\n"));
    // another mapping has the key too
    let low = "logLevel: info\nserver: {host: a}\nclient: {logLevel: warn}\n";
    silent(over(low, "server:\n  host: b\n  logLevel: debug\n"));
}

#[test]
fn one_more_of_a_sort_has_what_the_others_have() {
    let low = "services:\n  postgres: {image: p, volumes: [x]}\n  web: {build: .}\n";
    one(over(low, "services: {postgress: {ports: [\"1:1\"]}}\n"), &["services.postgress", "did you mean `postgres`?"]);
    silent(over(low, "services: {postgress: {image: q}}\n"));
    silent(over(low, "services: {postgres: {ports: [\"1:1\"]}}\n"));
    silent(over(low, "services: {worker: {ports: [\"1:1\"]}}\n"));
    silent(over("services: {postgres: {image: p}}\n", "services: {cache: {ports: [\"1:1\"]}}\n"));
    let low = "queues:\n  orders: {size: 1, workers: 2}\n  mails: {size: 2}\n";
    one(over(low, "queues: {ordrs: {workers: 4}}\n"), &["did you mean `orders`?"]);
    silent(over(low, "queues: {ordrs: {size: 4}}\n"));
}

#[test]
fn lists_and_texts_that_are_read_otherwise() {
    let read = |text| reports(&[("a.yaml", text)]);
    one(read("ports:\n  -\"80:80\"\n  -\"443:443\"\n"), &["this is one text, not a list", "a.yaml:2:3", "`- \"a\"`"]);
    silent(read("opts:\n  -Xmx1g\n  -Dx=\"y\"\nflag: -\"x\"\n"));
    one(read("country: NO\n"), &["`NO` has another value", "`false` for readers of YAML 1.1", "write `\"NO\"`"]);
    one(read("ports: [22:22]\n"), &["`1342` for readers of YAML 1.1"]);
    silent(read("country: \"NO\"\nports: [\"22:22\", 8080:80]\nimage: nginx:1.27\non: x\nat: 08:30\ntag: !!str no\n"));
    // no more than three, and one report for a value
    assert_eq!(read("a: [yes, no, on, off, yes]\n").len(), 3);
    one(over("debug: false\n", "debug: yes\n"), &["`debug` is a string here and a boolean"]);
    one(
        read("a: &a {x: 1}\nb: &b {y: 2}\nc:\n  <<: *a\n  <<: *b\n"),
        &["duplicate key `<<`", "a.yaml:5:3", "a.yaml:4:3", "`<<: [*a, *b]`"],
    );
    silent(read("a: &a {x: 1}\nb: &b {y: 2}\nc:\n  <<: [*a, *b]\n"));
}

#[test]
fn a_file_with_an_unknown_ending_has_the_language_of_its_content() {
    let files: Named =
        &[("a.json", "{\"region\": \"x\", \"size\": 1}"), ("b.tfvars", "region = \"y\"\nzones = [\"a\"]\n")];
    let all = Merge::of(files).yields(r#"{"region": "y", "size": 1, "zones": ["a"]}"#);
    assert_eq!(all, "");
    Merge::of(&[("a.json", "{\"region\": \"x\"}"), ("b.conf", "region: y\n")]).yields(r#"{"region": "y"}"#);
}

#[test]
fn an_anchor_in_another_file_is_named() {
    let found = over("x: &common {a: 1}\n", "y:\n  <<: *common\n");
    one(found, &["unknown anchor `common`", "b.yaml:2:7", "a.yaml:1:4", "known only in its own file"]);
    one(over("x: 1\n", "y: *common\n"), &["no `&common` before it"]);
}

#[test]
fn a_template_is_reported_once_with_advice_for_its_file() {
    let text = "a: {{ .Values.a }}\nb: {{ .Values.b }}\n";
    one(reports(&[("deploy.yaml", text)]), &["deploy.yaml:1:4", "`helm template"]);
    one(reports(&[("values-prod.yaml", text)]), &["Helm does not fill in `values-prod.yaml`", "`tpl`"]);
}

#[test]
fn a_mapping_over_a_list_of_pairs_is_written_as_they_are() {
    one(over("web: {env: [A=1, B=2]}\n", "web:\n  env: {C: 1}\n"), &["`- C=…`", "`--list 'web.env=append'` adds it"]);
}
