//! Layers that are legal, and most likely not what the user meant: each has one warning, at the place of the slip, with the correction.

use super::*;

const LOWER: &str = "replicas: 2\nserver:\n  port: 80\n  pool: {min: 1, max: 9}\nqueues:\n- {name: orders, workers: 4}\n\
                     - {name: mails, workers: 1}\ntags: [a]\nenv: {A: x}\n";

/// Returns the reports of a merge of layers over [`LOWER`].
fn reports(files: Named, layering: Layering) -> Vec<String> {
    let mut all = vec![("low.yaml", LOWER)];
    all.extend(files);
    let inputs = all.iter().map(|(name, _)| Input::File(PathBuf::from(*name))).collect();
    let mut request = Request::new(inputs, Action::CheckLayers(Default::default()));
    request.layering = Layering { stacked: true, ..layering };
    let outcome = Session::new(Box::new(all.into_iter().collect::<InMemory>())).run(request);
    outcome.reports.iter().map(|(_, report)| report.text()).collect()
}

#[track_caller]
fn warns(files: Named, layering: Layering, parts: &[&str]) {
    let reports = reports(files, layering);
    assert_eq!(reports.len(), 1, "{files:?}: {}", reports.join("\n"));
    for part in parts {
        assert!(reports[0].contains(part), "{part:?} is not in\n{}", reports[0]);
    }
}

fn set(text: &str) -> Layering {
    let sets = vec![SetOption { kind: SetKind::Literal, text: text.into() }];
    Layering { sets, ..Layering::default() }
}

fn list(rule: &str) -> Layering {
    Layering { lists: vec![rule.into()], ..Layering::default() }
}

#[test]
fn a_key_of_another_level_is_not_new() {
    for (name, text, parts) in [
        ("a.yaml", "pool: {max: 5}\n", ["a.yaml:1:1", "has `server.pool`", "write `pool` inside of `server`"]),
        (
            "a.json",
            "{\"workers\": 3, \"pool\": {\"min\": 2}}",
            ["a.json:1:16", "has `server.pool`", "inside of `server`"],
        ),
        // one report, although `server` is null as well
        ("a.yaml", "server:\npool: {max: 5}\n", ["a.yaml:2:1", "has `server.pool`", "inside of `server`"]),
        (
            "a.yaml",
            "server.port: 90\n",
            ["a.yaml:1:1", "has `server.port`", "write `server:`, and `port:` indented below it"],
        ),
        ("a.toml", "\"server.port\" = 90\n", ["a.toml:1:1", "has `server.port`", "write `server.port = …`"]),
    ] {
        warns(&[(name, text)], Layering::default(), &parts);
    }
    // another kind of value, other keys, a name that many things have
    for text in ["pool: 5\n", "pool: {size: 3}\n", "port: 9\n", "workers: 3\n"] {
        assert_eq!(reports(&[("a.yaml", text)], Layering::default()), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn an_option_changes_what_a_layer_has() {
    for (text, parts) in [
        ("server.pool.maxx=3", ["`server.pool.maxx` is new here", "did you mean `max`?"]),
        (
            "queues.orders.workers=3",
            ["`queues` is a mapping here and a list", "whose `name` is `orders` is `queues[0]`"],
        ),
        ("replicas.count=3", ["`replicas` is a mapping here and a number", "`replicas` has no keys"]),
        ("server=90", ["`server` is a number here and a mapping", "`server.KEY=…`"]),
    ] {
        warns(&[], set(text), &parts);
    }
    assert_eq!(reports(&[], set("server.host=h")), Vec::<String>::new());
}

#[test]
fn a_rule_for_a_list_needs_its_keys() {
    for (name, text, rule, parts) in [
        (
            "a.yaml",
            "queues:\n- {name: ordres, workers: 9}\n",
            "queues=key:name",
            ["a.yaml:2:10", "the element `ordres` is new here", "did you mean `orders`?"],
        ),
        (
            "a.yaml",
            "queues:\n- {name: orders}\n",
            "queues=key:workers",
            ["a.yaml:2:4", "`queues[0]` has no `workers`", "`--list 'queues=key:name'` merges them by it"],
        ),
        ("a.yaml", "replicas: 3\n", "queus=append", ["--list:1:1", "`queus` has no effect", "did you mean `queues`?"]),
        (
            "a.yaml",
            "replicas: 3\n",
            "server=append",
            ["--list:1:1", "is a mapping, not a list", "lists are `queues` and `tags`"],
        ),
        ("a.yaml", "replicas: 3\n", "queues=key:id", ["--list:1:8", "has the field `id`", "`key:name`"]),
    ] {
        warns(&[(name, text)], list(rule), &parts);
    }
}

#[test]
fn a_value_of_another_form_is_written_otherwise() {
    for (name, text, parts) in [
        ("a.yaml", "server:\n- port: 9\n", ["a.yaml:2:1", "a mapping has no dash before its keys"]),
        ("a.json", "{\"server\": [{\"port\": 9}]}", ["a.json:1:12", "in braces, without brackets"]),
        ("a.toml", "[[server]]\nport = 9\n", ["a.toml:1:1", "`[server]` begins one table"]),
        ("a.yaml", "queues:\n  orders: {workers: 9}\n", ["a.yaml:2:3", "`- name: orders`"]),
        ("a.yaml", "queues:\n  name: orders\n", ["a.yaml:2:3", "begins with a dash"]),
        ("a.yaml", "tags: b\n", ["a.yaml:1:7", "in brackets it is a list of one element"]),
        ("a.yaml", "env:\n- A=2\n", ["a.yaml:2:1", "a colon and a space follow the name"]),
        ("a.yaml", "replicas: '3'\n", ["a.yaml:1:11", "without quotes it is a number"]),
        ("a.yaml", "replicas: three\n", ["a.yaml:1:11", "write a number here"]),
    ] {
        warns(&[(name, text)], Layering::default(), &parts);
    }
}

#[test]
fn a_name_of_the_user_is_compared_with_swapped_letters_only() {
    let lower = "services:\n  web: {image: a}\n  api: {image: b}\n";
    let check = |text: &str| {
        let inputs = ["l.yaml", "a.yaml"].map(|name| Input::File(PathBuf::from(name))).to_vec();
        let mut request = Request::new(inputs, Action::CheckLayers(Default::default()));
        request.layering.stacked = true;
        let files: InMemory = [("l.yaml", lower), ("a.yaml", text)].into_iter().collect();
        Session::new(Box::new(files)).run(request).reports.len()
    };
    assert_eq!(check("services: {wbe: {image: c}}\n"), 1);
    for text in ["services: {webs: {image: c}}\n", "services: {app: {image: c}, worker: {image: d}}\n"] {
        assert_eq!(check(text), 0, "{text}");
    }
}

#[test]
fn a_layer_of_another_use_is_named() {
    let schema = "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"type\": \"object\"}";
    warns(&[("s.json", schema)], Layering::default(), &["s.json:1:2", "did you mean `--schema s.json`?"]);
    warns(&[("s.toml", "layers = [\"a.yaml\"]\n")], Layering::default(), &["s.toml:1:1", "did you mean `@s.toml`?"]);
}

/// A secret of a lower layer is in no advice.
#[test]
fn advice_repeats_no_secret() {
    let lower = "{ password | secret | String = \"SEKRET1\", db = { token | secret | String = \"SEKRET2\" }, \
                 users | Array { name | String, pw | secret | String } = [{ name = \"a\", pw = \"SEKRET3\" }] }";
    for text in [
        "token: SEKRET4\n",
        "passwordd: SEKRET5\n",
        "password: [SEKRET6]\n",
        "db: [{token: SEKRET7}]\n",
        "db.token: SEKRET8\n",
        "users: {a: {pw: SEKRET9}}\n",
    ] {
        let inputs = ["l.cfg", "a.yaml"].map(|name| Input::File(PathBuf::from(name))).to_vec();
        for action in [
            Action::CheckLayers(Default::default()),
            Action::Merge { at: None, layers: true, format: Format::Json, explain: None },
        ] {
            let mut request = Request::new(inputs.clone(), action);
            request.layering.stacked = true;
            let files: InMemory = [("l.cfg", lower), ("a.yaml", text)].into_iter().collect();
            let outcome = Session::new(Box::new(files)).run(request);
            let reports: String = outcome.reports.iter().map(|(_, report)| report.text()).collect();
            assert!(!reports.contains("SEKRET"), "{text}\n{reports}");
        }
    }
}
