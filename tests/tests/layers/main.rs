//! Layers beyond files: `--set`, environment variables, `.env` files, stacks, and rules for lists.

mod lists;
mod meant;
mod options;
mod slips;

use cfg_core::{
    Action, Format, InMemory, Input, Layering, Loader, Medium, Outcome, Request, Session, SetKind, SetOption,
};
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};

type Named<'a> = &'a [(&'a str, &'a str)];

/// Files in memory, with environment variables.
struct Files {
    files: InMemory,
    variables: Vec<(String, String)>,
}

impl Loader for Files {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.read(path)
    }
    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.files.canonical(path)
    }
    fn env(&self, name: &str) -> Option<String> {
        self.variables.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())
    }
    fn vars(&self) -> Vec<(String, String)> {
        self.variables.clone()
    }
    fn list(&self, path: &Path) -> Vec<String> {
        self.files.list(path)
    }
    fn stamp(&self, path: &Path) -> Option<u64> {
        self.files.stamp(path)
    }
}

/// A merge of layers.
#[derive(Default)]
struct Merge<'a> {
    files: Named<'a>,
    variables: Named<'a>,
    layering: Layering,
    at: Option<&'a str>,
    plain: bool,
    explain: Option<Medium>,
}

impl<'a> Merge<'a> {
    fn of(files: Named<'a>) -> Merge<'a> {
        Merge { files, ..Merge::default() }
    }

    fn set(mut self, text: &str) -> Self {
        self.layering.sets.push(SetOption { kind: SetKind::Literal, text: text.into() });
        self
    }

    fn set_as(mut self, kind: SetKind, text: &str) -> Self {
        self.layering.sets.push(SetOption { kind, text: text.into() });
        self
    }

    fn list(mut self, rule: &str) -> Self {
        self.layering.lists.push(rule.into());
        self
    }

    fn env(mut self, prefix: &str, variables: Named<'a>) -> Self {
        self.layering.env.push(prefix.into());
        self.variables = variables;
        self
    }

    fn at(self, path: &'a str) -> Self {
        Merge { at: Some(path), ..self }
    }

    fn run(self) -> Outcome {
        let input = |(name, _): &(&str, &str)| match name.strip_prefix('@') {
            Some(stack) => Input::Stack(PathBuf::from(stack)),
            None => Input::File(PathBuf::from(*name)),
        };
        // a file that another one names is not an input
        let inputs = self.files.iter().filter(|(name, _)| !name.starts_with('+')).map(input).collect();
        let action = Action::Merge {
            at: self.at.map(String::from),
            layers: !self.plain,
            format: Format::Json,
            explain: self.explain,
        };
        let mut request = Request::new(inputs, action);
        request.layering = self.layering;
        let files = self.files.iter().map(|(name, text)| (name.trim_start_matches(['@', '+']), *text)).collect();
        let variables = self.variables.iter().map(|(a, b)| (String::from(*a), String::from(*b))).collect();
        Session::new(Box::new(Files { files, variables })).run(request)
    }

    /// Checks the result as JSON.
    #[track_caller]
    fn yields(self, expected: &str) -> String {
        let outcome = self.run();
        let reports: String = outcome.reports.iter().map(|(_, report)| report.text() + "\n").collect();
        let ours: Option<Value> = serde_json::from_str(&outcome.output.text()).ok();
        let expected: Value = serde_json::from_str(expected).expect("JSON");
        assert_eq!((outcome.exit, ours), (0, Some(expected)), "{reports}");
        reports
    }

    /// Checks the exit code and parts of the reports.
    #[track_caller]
    fn fails(self, exit: u8, parts: &[&str]) {
        let outcome = self.run();
        let reports: String = outcome.reports.iter().map(|(_, report)| report.text() + "\n").collect();
        assert_eq!(outcome.exit, exit, "{reports}");
        for part in parts {
            assert!(reports.contains(part), "{part:?} is not in\n{reports}");
        }
    }

    /// Checks parts of the explanation of a field.
    #[track_caller]
    fn explains(self, parts: &[&str]) {
        let outcome = Merge { explain: Some(Medium::Text), ..self }.run();
        let text = outcome.output.text();
        for part in parts {
            assert!(text.contains(part), "{part:?} is not in\n{text}");
        }
    }
}

const BASE: &str = "image: {repository: nginx, tag: '1.27'}\nserver: {port: 80, hosts: [a, b]}\n";

#[test]
fn an_assignment_is_the_topmost_layer_and_may_add_fields() {
    let base = &[("base.yaml", BASE)];
    Merge::of(base).set("server.port=443").at("server.port").yields("443");
    Merge::of(base).set("new.\"a b\".c=x").at("new").yields(r#"{"a b": {"c": "x"}}"#);
    // also without `--layers`, where files must not differ
    Merge { plain: true, ..Merge::of(base) }.set("server.port=443").at("server.port").yields("443");
    // the last one wins
    Merge::of(base).set("server.port=1").set("server.port=2").at("server.port").yields("2");
    let computed = &[("a.cfg", "{ port | default = 80, url = \"h:%{std.to_string port}\" }")];
    Merge::of(computed).set("port=1").yields(r#"{"port": 1, "url": "h:1"}"#);
}

#[test]
fn values_are_read_as_the_option_says() {
    let base: Named = &[("base.yaml", "a: 0\n"), ("+note.txt", "line\n")];
    for (kind, text, expected) in [
        (SetKind::Literal, "a=1.5", "1.5"),
        (SetKind::Literal, "a=true", "true"),
        (SetKind::Literal, "a=on", "\"on\""),
        (SetKind::Literal, "a=[1, {\"b\": 2}]", "[1, {\"b\": 2}]"),
        (SetKind::Literal, "a=\"1\"", "\"1\""),
        (SetKind::Text, "a=1.5", "\"1.5\""),
        (SetKind::Json, "a={\"b\": null}", "{\"b\": null}"),
        (SetKind::File, "a=note.txt", "\"line\\n\""),
    ] {
        Merge::of(base).set_as(kind, text).at("a").yields(expected);
    }
    Merge::of(base).set_as(SetKind::Json, "a=x").fails(2, &["text without quotes", "--set-json:1:3"]);
    Merge::of(base).set("a..b=1").fails(2, &["expected a field name or a quoted name, found `.`", "--set:1:3"]);
    Merge::of(base).set("a").fails(2, &["not an assignment", "found the end"]);
    let warned = Merge::of(base).set("a={b}").at("a").yields("\"{b}\"");
    assert!(warned.contains("the value is read as a string"), "{warned}");
    Merge::of(base).set_as(SetKind::File, "a=none.txt").fails(1, &["no file `none.txt`"]);
}

#[test]
fn one_element_of_a_list_is_set_and_its_other_fields_stay() {
    let base: Named = &[("base.yaml", "c: [{n: x, m: 1}, {n: y}]\nh: [a, b]\n"), ("top.yaml", "h: [c, d]\n")];
    Merge::of(base).set("c[0].m=2").at("c").yields(r#"[{"n": "x", "m": 2}, {"n": "y"}]"#);
    Merge::of(base).set("h[1]=z").at("h").yields(r#"["c", "z"]"#);
    Merge::of(base).set("h[2]=z").at("h").yields(r#"["c", "d", "z"]"#);
    Merge::of(base).set("h[0]=z").list("h=append").at("h").yields(r#"["z", "b", "c", "d"]"#);
    Merge::of(base).set("new[0].a=1").set("new[0].b=2").at("new").yields(r#"[{"a": 1, "b": 2}]"#);
    Merge::of(base).set("c[0].k[0]=1").set("c[0].k[1]=2").at("c[0].n").yields("\"x\"");
    Merge::of(base).set("h[7]=z").fails(1, &["no element [7] to set: the list has 2 elements", "--set:1:6"]);
    // on a record, an index is the field of that name
    Merge::of(&[("a.yaml", "m: {'0': 1, x: 2}\n")]).set("m[0]=5").at("m").yields(r#"{"0": 5, "x": 2}"#);
    Merge::of(base).set("c[0].m=2").at("c[0].m").explains(&["WINS  layer 3  2  --set c[0].m=2", "lost  layer 1  1"]);
}

#[test]
fn an_explanation_names_the_option() {
    let base: Named = &[("base.yaml", BASE)];
    Merge::of(base).set("server.port=443").at("server.port").explains(&[
        "WINS  layer 2  443  --set server.port=443",
        "lost  layer 1   80  base.yaml:2:16",
        "edit --set server.port=443, or set it with a later option",
    ]);
    let outcome =
        Merge { explain: Some(Medium::Json), at: Some("server.port"), ..Merge::of(base) }.set("server.port=1");
    let json: Value = serde_json::from_str(&outcome.run().output.text()).expect("JSON");
    assert_eq!(json["definitions"][1]["source"]["file"], "--set server.port=1");
}

#[test]
fn a_secret_of_an_option_is_masked() {
    let base: Named = &[("base.cfg", "{ pw | secret | String | default = \"x\", port = 1 }")];
    for explain in [None, Some(Medium::Text), Some(Medium::Json), Some(Medium::Html)] {
        for at in [None, Some("pw"), Some("port")] {
            let merge = Merge { explain, at, ..Merge::of(base) }.set("pw=topsecret").set("port=2");
            let outcome = merge.env("APP_", &[("APP_PW", "topsecret")]).run();
            let reports: String = outcome.reports.iter().map(|(_, report)| report.text()).collect();
            let shown = outcome.output.text() + &reports;
            assert!(!shown.contains("topsecret"), "{at:?} {explain:?}\n{shown}");
        }
    }
}

#[test]
fn environment_variables_map_to_paths() {
    let base: Named = &[("base.yaml", "server: {port: 80, logLevel: info, 'max-age': 1}\nhosts: [a]\n")];
    let all: Named = &[
        ("APP_SERVER__PORT", "443"),
        ("APP_SERVER__LOG_LEVEL", "warn"),
        ("APP_SERVER__MAX_AGE", "2"),
        ("APP_HOSTS__0", "b"),
        ("APP_NEW_NAME", "a \"b\"\n$c"),
        ("OTHER", "1"),
    ];
    Merge::of(base).env("APP_", all).yields(
        r#"{"server": {"port": 443, "logLevel": "warn", "max-age": 2}, "hosts": ["b"], "new_name": "a \"b\"\n$c"}"#,
    );
    Merge::of(base)
        .env("APP_", all)
        .set("server.port=1")
        .at("server.port")
        .explains(&["WINS  layer 3    1  --set server.port=1", "lost  layer 2  443  --env APP_SERVER__PORT=443"]);
    let warned = Merge::of(base).env("NONE_", all).at("server.port").yields("80");
    assert!(warned.contains("no environment variable begins with `NONE_`"), "{warned}");
    Merge::of(base).env("", all).fails(2, &["`--env` needs a prefix"]);
}

#[test]
fn a_dotenv_file_is_a_layer() {
    let files: Named = &[("base.yaml", BASE), ("prod.env", "# port\nSERVER__PORT=443\nIMAGE__TAG=\"1.28\"\n")];
    Merge::of(files)
        .yields(r#"{"image": {"repository": "nginx", "tag": "1.28"}, "server": {"port": 443, "hosts": ["a", "b"]}}"#);
    Merge::of(files).at("server.port").explains(&["WINS  layer 2  443  prod.env:2:14"]);
    // alone, it is data
    let alone: Named = &[(".env", "A__B=1\n")];
    let mut request =
        Request::new(vec![Input::File(PathBuf::from(".env"))], Action::Eval { at: None, format: Format::Json });
    request.dialect = None;
    let outcome = Session::new(Box::new(alone.iter().copied().collect::<InMemory>())).run(request);
    assert_eq!(outcome.output.text(), "{\n  \"A__B\": \"1\"\n}\n");
}

#[test]
fn a_variable_with_an_empty_part_is_reported() {
    let files: Named = &[("base.yaml", "a: {b: 0}\n"), ("p.env", "A____B=7\nA__B__=8\n__A=9\n")];
    let reports = Merge::of(files).yields(r#"{"a": {"b": 0}}"#);
    for (name, place) in [("A____B", "p.env:1:1"), ("A__B__", "p.env:2:1"), ("__A", "p.env:3:1")] {
        assert!(
            reports.contains(&format!("the variable `{name}` has no effect")) && reports.contains(place),
            "{reports}"
        );
    }
}

const STREAM: &str = "kind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1}\n---\nkind: Service\nmetadata: {name: web}\n\
                      spec: {port: 80}\n";

#[test]
fn variables_of_several_documents_begin_with_one() {
    let env = "DEPLOYMENT_WEB__SPEC__REPLICAS=5\nSPEC__PORT=81\n";
    let reports = Merge::of(&[("app.yaml", STREAM), ("p.env", env)]).yields(
        r#"[{"kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 5}},
            {"kind": "Service", "metadata": {"name": "web"}, "spec": {"port": 80}}]"#,
    );
    for part in ["the path `spec.port` does not begin with a document", "p.env:2:1", "`Service/web`"] {
        assert!(reports.contains(part), "{part:?} is not in\n{reports}");
    }
}

/// Returns the output of a command about the layers of a stack.
fn about(files: Named, action: Action) -> String {
    let files: InMemory = files.iter().copied().collect();
    let request = Request::new(vec![Input::Stack(PathBuf::from("s.toml"))], action);
    let outcome = Session::new(Box::new(files)).run(request);
    let reports: String = outcome.reports.iter().map(|(_, report)| report.text() + "\n").collect();
    format!("{}{reports}", outcome.output.text())
}

#[test]
fn each_document_keeps_its_type() {
    let over = "kind: Deployment\nmetadata: {name: web}\nspec: {replicas: x}\n";
    let anchored = STREAM.replace("{replicas: 1}", "&s {replicas: 1}").replace("{port: 80}", "{port: 80, of: *s}");
    for base in [STREAM, &anchored] {
        let files: Named = &[("s.toml", "layers = [\"a.yaml\", \"b.yaml\"]\n"), ("a.yaml", base), ("b.yaml", over)];
        let reports = about(files, Action::Check(Default::default()));
        assert_eq!(reports.matches("warning").count(), 1, "{reports}");
        assert!(
            reports.contains("`\"Deployment/web\".spec.replicas` is a string here and a number in a lower layer"),
            "{reports}"
        );
    }
}

#[test]
fn a_stack_names_the_layers_and_their_rules() {
    let stack = "layers = [\"base.yaml\", \"prod.yaml\"]\nlist = [\"server.hosts=append\"]\n[set]\nserver.port = 9\n";
    let files: Named =
        &[("@team/stack.toml", stack), ("+team/base.yaml", BASE), ("+team/prod.yaml", "server: {hosts: [c]}\n")];
    Merge { plain: true, ..Merge::of(files) }
        .set("image.tag=2")
        .yields(r#"{"image": {"repository": "nginx", "tag": 2}, "server": {"port": 9, "hosts": ["a", "b", "c"]}}"#);
    Merge::of(files).at("server.port").explains(&["WINS  layer 3   9  team/stack.toml:4:15", "team/base.yaml:2:16"]);
    for (stack, parts) in [
        ("layers = []\nlayer = 1\n", ["a stack has no field `layer`; did you mean `layers`?", "s.toml:2:1"].as_slice()),
        ("list = \"append\"\n", &["a stack needs `layers`"]),
        ("layers = [\"none.yaml\"]\n", &["no file `none.yaml`", "s.toml:1:11"]),
        ("layers = [1]\n", &["`layers` is a list of strings", "s.toml:1:11"]),
        ("layers = []\nlist = \"a=sort\"\n", &["expected `append`, `key:`, `replace` or `unique`"]),
        ("layers = []\nset = 1\n", &["`set` is a table"]),
    ] {
        Merge::of(&[("@s.toml", stack)]).fails(1, parts);
    }
}

const POD: &str = "kind: Pod\nspec:\n  containers:\n  - name: app\n    image: a:1\n    args: [x]\n    env: [{name: A, value: '1'}]\n    ports: [{containerPort: 53}, {containerPort: 53, protocol: UDP}]\n  tolerations: [{key: a}]\n";

const SHOP: &str = "kind: Deployment\nmetadata: {name: web, namespace: shop}\nspec: {replicas: 1, args: [a], template: {metadata: {labels: {app: web}}}, \
                    selector: {matchLabels: {app: web}}}\n---\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {port: 80}\n";
const ABOVE: &str = "kind: Deployment\nmetadata: {name: web, namespace: shop}\nspec: {replicas: 2, args: [b]}\n";

/// `cfg diff` names a document with its namespace. Every path may, and it may leave it out.
#[test]
fn a_document_may_be_named_with_its_namespace() {
    let files: Named = &[("a.yaml", SHOP), ("b.yaml", ABOVE)];
    for name in ["Deployment/web", "Deployment/shop/web"] {
        Merge::of(files).at(&format!("\"{name}\".spec.replicas")).yields("2");
        let args = format!("\"{name}\".spec.args");
        Merge::of(files).at(&args).list(&format!("{args}=append")).yields(r#"["a", "b"]"#);
        Merge::of(files).set(&format!("\"{name}\".spec.replicas=5")).at("Deployment/web.spec.replicas").yields("5");
        Merge::of(&[("a.yaml", SHOP)]).at(&format!("\"{name}\".spec.replicas")).yields("1");
    }
    // two documents without their namespaces have the same name
    let two =
        format!("{SHOP}---\nkind: Deployment\nmetadata: {{name: web, namespace: other}}\nspec: {{replicas: 3}}\n");
    let files: Named = &[("a.yaml", &two), ("b.yaml", ABOVE)];
    Merge::of(files).at("Deployment/other/web.spec.replicas").yields("3");
    let outcome = Merge::of(files).set("Deployment/web.spec.replicas=5").run();
    assert_eq!((outcome.exit, outcome.output.text().as_str()), (2, ""));
}

/// Explains a merge on a page of some columns. No line is wider.
#[track_caller]
fn on_page(files: Named, at: Option<&str>, columns: usize) -> String {
    let inputs = files.iter().map(|(name, _)| Input::File(PathBuf::from(*name))).collect();
    let at = at.map(String::from);
    let action = Action::Merge { at, layers: true, format: Format::Json, explain: Some(Medium::Text) };
    let mut session = Session::new(Box::new(files.iter().copied().collect::<InMemory>()));
    session.set_width(columns);
    let text = session.run(Request::new(inputs, action)).output.text();
    for line in text.lines() {
        assert!(line.chars().count() <= columns, "{line:?} is too wide in\n{text}");
    }
    text
}

#[test]
fn paths_that_do_not_fit_have_their_documents_as_headings() {
    let files: Named = &[("a.yaml", SHOP), ("b.yaml", ABOVE)];
    let at = |columns| on_page(files, None, columns);
    assert!(at(120).contains("\"Deployment/web\".spec.template.metadata.labels.app  \"web\"  "), "{}", at(120));
    for columns in [50, 60] {
        let text = at(columns);
        let lines: Vec<&str> = text.lines().collect();
        let place = |line: &str| lines.iter().position(|own| *own == line);
        assert!(
            place("\"Deployment/web\"").is_some() && place("\"Deployment/web\"") < place("\"Service/web\""),
            "{text}"
        );
        // the beginning and the end of a path are shown
        for path in ["spec.s", "spec.t"] {
            assert!(lines.iter().any(|line| line.trim_start().starts_with(path)), "{path}:\n{text}");
        }
    }
}

#[test]
fn values_are_cut_before_places_break() {
    let long = "server: {name: 'a name that is much too long for a narrow page', port: 80}\n";
    let above = "server: {name: 'another name that is much too long for the page'}\n";
    let files: Named = &[("folder/of/cluster.yaml", long), ("folder/of/region.yaml", above)];
    let text = on_page(files, Some("server.name"), 60);
    for place in ["folder/of/cluster.yaml:1:16", "folder/of/region.yaml:1:16"] {
        assert!(text.lines().any(|line| line.contains(place)), "{place} is not in\n{text}");
    }
}
