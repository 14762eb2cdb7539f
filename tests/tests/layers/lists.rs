//! Rules for lists.

use super::*;

#[test]
fn lists_with_rules_have_types_and_steps() {
    let files: Named = &[
        ("s.toml", "layers = [\"a.yaml\", \"b.yaml\"]\nlist = [\"l=key:name\", \"h=append\"]\n"),
        ("a.yaml", "h: [a]\nl:\n- {name: web, port: 80}\n- {name: db, port: 5432}\n"),
        ("b.yaml", "h: [b]\nl:\n- {name: db, port: 1k, t: x}\n"),
    ];
    let ty = about(files, Action::Type { at: None, pretty: false });
    assert_eq!(ty, "{ h : Array String, l : Array { name : String, port : Number | String, t? : String } }\n");
    let steps = about(
        files,
        Action::Steps { at: None, all: false, most: None, layers: true, types: false, medium: Medium::Text },
    );
    for part in ["step 1 of 1: a.yaml & b.yaml", "append (--list h=append)", "key:name (--list l=key:name)"] {
        assert!(steps.contains(part), "{part:?} is not in\n{steps}");
    }
    assert!(!steps.contains("recomputed"), "{steps}");
    // the elements of a layer have other places than those of the result
    let explained = about(files, Action::Explain { path: "l[0].port".into(), medium: Medium::Text });
    assert!(explained.contains("1 definition\n") && !explained.contains("b.yaml"), "{explained}");
    let explained = about(files, Action::Explain { path: "l[1].port".into(), medium: Medium::Text });
    assert!(explained.contains("WINS  layer 2") && explained.contains("lost  layer 1"), "{explained}");
}

#[test]
fn lists_are_combined_by_a_rule() {
    let files: Named = &[
        ("a.yaml", "h: [a, b]\nc: [{name: x, n: 1, l: [1]}, {name: y}]\n"),
        ("b.yaml", "h: [b, c]\nc: [{name: x, n: 2, l: [2]}, {name: z}]\n"),
    ];
    for (rule, expected) in [
        ("h=append", r#"["a", "b", "b", "c"]"#),
        ("h=unique", r#"["a", "b", "c"]"#),
        ("h=replace", r#"["b", "c"]"#),
        ("append", r#"["a", "b", "b", "c"]"#),
        ("key:name", r#"["b", "c"]"#),
    ] {
        Merge::of(files).list(rule).at("h").yields(expected);
    }
    let merged = r#"[{"name": "x", "n": 2, "l": [2]}, {"name": "y"}, {"name": "z"}]"#;
    Merge::of(files).list("c=key:name").at("c").yields(merged);
    Merge::of(files).list("key:name").at("c").yields(merged);
    // the rule of a path counts before the one for all, and the last one of a path
    Merge::of(files).list("append").list("h=unique").list("h=replace").at("h").yields(r#"["b", "c"]"#);
    // lists of elements
    let both = r#"[{"name": "x", "n": 2, "l": [1, 2]}, {"name": "y"}, {"name": "z"}]"#;
    Merge::of(files).list("c=key:name").list("c[*].l=append").at("c").yields(both);
    Merge::of(files).list("c=key:name").list("c.l=append").at("c").yields(both);
    Merge::of(files).list("h=sort").fails(2, &["`--list h=sort`: expected `append`"]);
    // without an order, equal elements merge and others conflict
    Merge { plain: true, ..Merge::of(&[("a.yaml", "c: [{k: 1, a: 1}]\n"), ("b.yaml", "c: [{k: 1, b: 2}]\n")]) }
        .list("c=key:k")
        .yields(r#"{"c": [{"k": 1, "a": 1, "b": 2}]}"#);
    Merge { plain: true, ..Merge::of(&[("a.yaml", "c: [{k: 1, a: 1}]\n"), ("b.yaml", "c: [{k: 1, a: 2}]\n")]) }
        .list("c=key:k")
        .fails(1, &["cannot be merged", "a.yaml:1:15", "b.yaml:1:15"]);
}

#[test]
fn a_rule_of_a_program_is_left_alone() {
    let files: Named = &[
        ("a.cfg", "{ h | merge std.merge.append = [1], d | default = { l = [1] }, f | force = [1] }"),
        ("b.yaml", "h: [2]\nd: {l: [2]}\nf: [2]\n"),
    ];
    Merge::of(files).list("append").yields(r#"{"h": [1, 2], "d": {"l": [2]}, "f": [1]}"#);
}

#[test]
fn three_layers_merge_by_key_and_each_element_has_its_places() {
    let files: Named = &[
        ("a.yaml", "c:\n- {name: x, v: 1, w: 1}\n- {name: y, v: 1}\n"),
        ("b.yaml", "c:\n- {name: x, v: 2}\n"),
        ("c.yaml", "c:\n- {name: z}\n- {name: x, v: 3}\n"),
    ];
    let merge = || Merge::of(files).list("c=key:name");
    merge().yields(r#"{"c": [{"name": "x", "v": 3, "w": 1}, {"name": "y", "v": 1}, {"name": "z"}]}"#);
    merge().at("c").explains(&[
        "combined by  merge key:name",
        "--list c=key:name",
        "[0] a.yaml:2:3 + b.yaml:2:3 + c.yaml:3:3",
        "[1] a.yaml:3:3",
        "[2] c.yaml:2:3",
    ]);
    merge().at("c[0].v").explains(&["WINS  layer 3  3  c.yaml:3:16", "lost  layer 2  2", "lost  layer 1  1"]);
    let outcome = Merge { explain: Some(Medium::Json), ..merge() }.at("c").run();
    let json: Value = serde_json::from_str(&outcome.output.text()).expect("JSON");
    assert_eq!(json["elements"][0]["also"][1]["line"], 3, "{json}");
}

#[test]
fn kubernetes_keys_are_known() {
    let top = "spec:\n  containers:\n  - name: app\n    env: [{name: B}]\n    args: [y]\n    ports: [{containerPort: 53, hostPort: 1, protocol: TCP}]\n  - name: side\n  tolerations: [{key: b}]\n";
    let files: Named = &[("pod.yaml", POD), ("top.yaml", top)];
    let warned = Merge::of(files).at("spec").yields(
        r#"{"containers": [{"name": "app", "image": "a:1", "args": ["y"], "env": [{"name": "A", "value": "1"}, {"name": "B"}],
            "ports": [{"containerPort": 53, "hostPort": 1, "protocol": "TCP"}, {"containerPort": 53, "protocol": "UDP"}]},
            {"name": "side"}], "tolerations": [{"key": "b"}]}"#,
    );
    assert!(warned.contains("2 lists replace"), "{warned}");
    assert!(
        warned.contains("`spec.tolerations` and `spec.containers[*].args`")
            || warned.contains("`spec.containers[*].args` and `spec.tolerations`"),
        "{warned}"
    );
    Merge::of(files).at("spec.containers").explains(&["key:name (Kubernetes)"]);
    // a rule for all lists counts instead
    Merge::of(files).list("replace").at("spec.containers[1].name").yields("\"side\"");
    Merge::of(files).list("replace").at("spec.containers[0].image").fails(1, &["image"]);
    // other data with these names has no keys
    let other: Named = &[("a.yaml", "containers: [{name: a, n: 1}]\n"), ("b.yaml", "containers: [{name: a}]\n")];
    Merge::of(other).yields(r#"{"containers": [{"name": "a"}]}"#);
    // in a stream of documents
    let service = "kind: Service\nmetadata: {name: s}\n";
    let stream: Named = &[
        (
            "a.yaml",
            &format!("{service}spec: {{ports: [{{port: 80, name: web}}]}}\n---\nkind: A\nmetadata: {{name: b}}\n"),
        ),
        ("b.yaml", &format!("{service}spec: {{ports: [{{port: 80, nodePort: 1}}]}}\n")),
    ];
    Merge::of(stream)
        .set("A/b.x=1")
        .at("Service/s.spec.ports")
        .yields(r#"[{"port": 80, "name": "web", "nodePort": 1}]"#);
    Merge::of(stream).set("Servce/s.x=1").fails(2, &["does not begin with a document", "did you mean `Service/s`?"]);
}

#[test]
fn a_list_that_replaces_another_is_a_warning_with_both_places() {
    let files: Named = &[("a.yaml", "h: [a]\nsame: [1]\n"), ("b.yaml", "h: [b]\nsame: [1]\n")];
    let warned = Merge::of(files).yields(r#"{"h": ["b"], "same": [1]}"#);
    for part in ["the list `h` replaces that of a lower layer", "b.yaml:1:4", "a.yaml:1:4", "--list 'h=append'"] {
        assert!(warned.contains(part), "{part:?} is not in\n{warned}");
    }
    // not if it is said, set on the command line, or not asked for
    for merge in [Merge::of(files).list("h=replace"), Merge::of(files).set("h=[\"b\"]").list("h=replace")] {
        assert_eq!(merge.yields(r#"{"h": ["b"], "same": [1]}"#), "");
    }
    assert_eq!(Merge::of(&files[..1]).set("h=[\"b\"]").at("h").yields("[\"b\"]"), "");
    assert_eq!(Merge::of(files).at("same").yields("[1]"), "");
}

#[test]
fn elements_that_variables_and_assignments_set_have_an_origin() {
    let files: Named = &[("e.yaml", "h: [a, b]\n"), ("e.env", "H__0=q\n")];
    Merge::of(files).at("h[0]").explains(&["h[0] = \"q\" : String", "WINS  layer 2  \"q\"  e.env:1:6"]);
    let whole = ["h = [\"q\", \"b\"] : Array String", "combined by  setting elements", "[0] e.env:1:6  [1] e.yaml:1:8"];
    Merge::of(files).at("h").explains(&whole);
    Merge::of(files).explains(&["h  [\"q\", \"b\"]  e.yaml:1:4  2 parts"]);
    let text = Merge { explain: Some(Medium::Text), ..Merge::of(files) }.set("h[2]=c").at("h").run().output.text();
    assert!(!text.contains("--list") && text.contains("[2] --set h[2]=c"), "{text}");
}

#[test]
fn rules_that_nobody_wrote_are_no_places() {
    let places = |merge: Merge, part: &str| {
        let outcome = merge.run();
        let reports: String = outcome.reports.iter().map(|(_, report)| report.text() + "\n").collect();
        assert!(
            reports.contains(part) && !reports.contains("--list") && !reports.contains("in this call"),
            "{reports}"
        );
    };
    let keyed: Named = &[("a.yaml", "l: [{name: a}]\n"), ("b.yaml", "l: [{name: b}]\n")];
    places(Merge::of(keyed).list("l=key:name").at("nope"), "--> a.yaml:1:1");
    let pod = |image: &str| {
        format!("kind: Pod\nmetadata: {{name: a}}\nspec: {{containers: [{{name: c, image: {image}}}]}}\n")
    };
    let (one, two) = (pod("x"), pod("y"));
    places(Merge::of(&[("a.yaml", &one), ("b.yaml", &two)]).at("nope"), "--> a.yaml:1:1");
    places(Merge::of(&[("a.yaml", "h: [a]\n"), ("b.env", "H__0=x\nH=y\n")]), "--> b.env:1:1");
    places(Merge::of(&[("a.yaml", "h: [a]\n")]).set("h[9]=z"), "--> --set:1:6");
    // the option that is shown for a rule of Kubernetes can be given
    let shown = ["merge key:name (Kubernetes)", "--list spec.containers=key:name\n    1  key:name ["];
    Merge::of(&[("a.yaml", &one), ("b.yaml", &two)]).at("spec.containers").explains(&shown);
}

#[test]
fn unique_and_keys_that_no_element_has() {
    let files: Named = &[("a.yaml", "s: [1, 1, a, {x: 1}, {x: 1}, '1']\n"), ("b.yaml", "s: [a, 2, 1.0, {x: 1}]\n")];
    Merge::of(files).list("s=unique").at("s").yields(r#"[1, "a", {"x": 1}, "1", 2]"#);
    let keyed: Named = &[("a.yaml", "l: [{name: a, v: 1}]\n"), ("b.yaml", "l: [{name: a, v: 2}]\n")];
    let reports = Merge::of(keyed).list("l=key:nmae").at("l[1].v").yields("2");
    assert!(reports.contains("none of them has the field `nmae` [merge/no-such-key]"), "{reports}");
    assert!(reports.contains("did you mean `key:name`?"), "{reports}");
}

#[test]
fn rules_for_lists_keep_the_order_of_the_files() {
    let ordered = |files: Named, rules: &[&str], expected: &str| {
        let inputs = files.iter().map(|(name, _)| Input::File(PathBuf::from(*name))).collect();
        let action = Action::Merge { at: None, layers: true, format: Format::Yaml, explain: None };
        let mut request = Request::new(inputs, action);
        request.options.keep_order = true;
        request.layering.lists = rules.iter().map(|rule| String::from(*rule)).collect();
        let files = Files { files: files.iter().copied().collect(), variables: Vec::new() };
        let outcome = Session::new(Box::new(files)).run(request);
        assert_eq!(outcome.output.text(), expected);
    };
    let pod = "kind: Pod\nmetadata:\n  name: a\nspec:\n  x: 1\n  containers:\n  - name: c\n    image: v1\n";
    let top = pod.replace("v1", "v2");
    ordered(&[("a.yaml", pod), ("b.yaml", &top)], &[], &top);
    let base = "z: 1\na:\n  q: 1\n  b:\n  - 1\n";
    let top = "new: 1\na:\n  b:\n  - 2\n  c: 1\n";
    ordered(
        &[("a.yaml", base), ("b.yaml", top)],
        &["a.b=append"],
        "z: 1\na:\n  q: 1\n  b:\n  - 1\n  - 2\n  c: 1\nnew: 1\n",
    );
}

#[test]
fn a_conflict_in_an_element_has_its_path() {
    let files: Named = &[("a.yaml", "l: [{name: x}, {name: b, v: 2}]\n"), ("b.yaml", "l: [{name: b, v: 3}]\n")];
    let plain = Merge { plain: true, ..Merge::of(files) };
    plain.list("l=key:name").fails(1, &["the values of `l[1].v` cannot be merged", "a.yaml:1:29", "b.yaml:1:18"]);
}

#[test]
fn the_keys_of_elements_are_dependencies() {
    let files: Named = &[
        ("s.toml", "layers = [\"a.yaml\", \"b.yaml\"]\nlist = [\"l=key:name\"]\n"),
        ("a.yaml", "l:\n- {name: a, v: 1}\n- {name: b, v: 2}\n"),
        ("b.yaml", "l:\n- {name: b, v: 3}\n"),
    ];
    let reads = about(files, Action::Deps { path: "l[1].v".into(), used_by: false, json: false });
    assert!(reads.contains("l[0].name") && reads.contains("l[1].name  \"b\"  b.yaml:2:10"), "{reads}");
    let users = about(files, Action::Deps { path: "l[1].name".into(), used_by: true, json: false });
    assert!(users.contains("`- l ") && !users.contains("Nothing reads it"), "{users}");
    // the other fields of an element do not decide where it is merged
    let reads = about(files, Action::Deps { path: "l[0].v".into(), used_by: false, json: false });
    assert!(!reads.contains("l[1].v"), "{reads}");
}
