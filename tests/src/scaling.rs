//! Programs that repeat one construct n times, for the growth of reading, inference and evaluation.

use cfg_core::Dialect;

/// A construct that a program repeats.
pub struct Construct {
    /// Its name.
    pub name: &'static str,
    /// Its language.
    pub dialect: Dialect,
    /// Returns the program that repeats it n times.
    pub text: fn(usize) -> String,
    /// The question about the program.
    pub question: Question,
}

/// A question about a program.
#[derive(Clone, Copy)]
pub enum Question {
    /// `cfg check`
    Check,
    /// `cfg explain` of the field `a`.
    Explain,
    /// `cfg steps`
    Steps,
    /// `cfg graph`
    Graph,
}

impl Construct {
    /// Asks something else about the program.
    const fn asks(self, question: Question) -> Construct {
        Construct { question, ..self }
    }
}

const fn cfg(name: &'static str, text: fn(usize) -> String) -> Construct {
    Construct { name, dialect: Dialect::CFG, text, question: Question::Check }
}

const fn jsonnet(name: &'static str, text: fn(usize) -> String) -> Construct {
    Construct { name, dialect: Dialect::JSONNET, text, question: Question::Check }
}

const fn json(name: &'static str, text: fn(usize) -> String) -> Construct {
    Construct { name, dialect: Dialect::JSON, text, question: Question::Check }
}

const fn mcl(name: &'static str, text: fn(usize) -> String) -> Construct {
    Construct { name, dialect: Dialect::MCL, text, question: Question::Check }
}

const fn yay(name: &'static str, text: fn(usize) -> String) -> Construct {
    Construct { name, dialect: Dialect::YAY, text, question: Question::Check }
}

/// Repeats a part for each number below n.
fn each(n: usize, part: impl Fn(usize) -> String, between: &str) -> String {
    (0..n).map(part).collect::<Vec<_>>().join(between)
}

/// Nests a construct n times.
fn nested(n: usize, open: &str, inner: &str, close: &str) -> String {
    [&open.repeat(n), inner, &close.repeat(n)].concat()
}

/// The constructs.
pub const CONSTRUCTS: &[Construct] = &[
    cfg("match of tags", |n| format!("fun x => x |> match {{ {} }}", each(n, |i| format!("'T{i} => {i}"), ", "))),
    cfg("match of variants", |n| {
        format!("fun x => x |> match {{ {} }}", each(n, |i| format!("'T{i} y => y + {i}"), ", "))
    }),
    cfg("calls of a match", |n| {
        format!("let f = match {{ 'A => 1, 'B => 2, 'C => 3 }} in [\n{}]", each(n, |_| "f 'A".into(), ",\n"))
    }),
    cfg("calls with all tags", |n| {
        let arms = each(n, |i| format!("'T{i} => {i}"), ", ");
        format!("let f = match {{ {arms} }} in [\n{}]", each(n, |i| format!("f 'T{i}"), ",\n"))
    }),
    cfg("merges with unknown", |n| format!("fun r => r {}", each(n, |i| format!("& {{ f{i} = {i} }}"), "\n"))),
    cfg("unknown through lets", |n| {
        let lets = each(n, |i| format!("let x{} = x{i} & {{ a{i} = {i} }} in", i + 1), "\n");
        format!("fun x0 =>\n{lets}\nx{n}")
    }),
    cfg("functions of functions", |n| {
        let fields = each(n, |i| format!("f{} = fun r => r.a{i} + f{i} r", i + 1), ",\n");
        format!("{{ f0 = fun r => 0,\n{fields} }}")
    }),
    cfg("array of tags", |n| format!("[{}]", each(n, |i| format!("'T{i}"), ",\n"))),
    cfg("type errors", |n| format!("{{ {} }}", each(n, |i| format!("a{i} = {i} + \"x\""), ",\n"))),
    cfg("type warnings", |n| format!("{{ {} }}", each(n, |i| format!("a{i} = [{i}, \"x\"]"), ",\n"))),
    cfg("missing fields", |n| format!("let r = {{ b = 1 }} in {{ {} }}", each(n, |i| format!("a{i} = r.c{i}"), ",\n"))),
    cfg("ands", |n| each(n, |_| "true".into(), " && ")),
    cfg("sums", |n| each(n, |_| "1".into(), " + ")),
    cfg("projections", |n| format!("fun x => x{}", ".a".repeat(n))),
    cfg("array patterns", |n| format!("fun x => x |> match {{ {} => 1 }}", nested(n, "[", "a", "]"))),
    cfg("record patterns", |n| format!("fun x => x |> match {{ {} => 1 }}", nested(n, "{ a = ", "b", " }"))),
    cfg("nested records", |n| nested(n, "{ a = ", "1", " }")),
    cfg("nested arrays", |n| nested(n, "[", "1", "]")),
    cfg("nested functions", |n| nested(n, "fun x => ", "x", "")),
    cfg("nested conditions", |n| nested(n, "if true then ", "1", " else 2")),
    cfg("lets in a chain", |n| {
        format!("let x0 = 1 in\n{}\n1", each(n, |i| format!("let x{} = x{i} + 1 in", i + 1), "\n"))
    }),
    cfg("fields in a chain", |n| format!("{{ a0 = 1, {} }}", each(n, |i| format!("a{} = a{i} + 1", i + 1), ",\n"))),
    cfg("merged records", |n| each(n, |i| format!("{{ a{i} = {i} }}"), "\n& ")),
    cfg("rising priorities", |n| each(n, |i| format!("{{ a | priority {i} = {i} }}"), "\n& ")),
    cfg("dictionaries", |n| {
        format!("std.record.map_values (fun x => x + 1) {{ {} }}", each(n, |i| format!("a{i} = {i}"), ",\n"))
    }),
    cfg("pipes", |n| format!("1 {}", each(n, |_| "|> (fun x => x + 1)".into(), "\n"))),
    cfg("broken contracts", |n| nested(n, "{ a | Number | force = ", "1", " }")),
    cfg("contracts", |n| format!("{{ {} }}", each(n, |i| format!("a{i} | Number = {i}"), ",\n"))),
    cfg("calls of a function", |n| format!("let id = fun x => x in {}", nested(n, "id (", "1", ")"))),
    jsonnet("nested +:", |n| nested(n, "{ a+: ", "{}", " }")),
    jsonnet("nested methods", |n| nested(n, "{ m():: ", "{}", " }")),
    jsonnet("unknown + objects", |n| {
        format!("function(o) o {}", each(n, |i| format!("+ {{ f{i}: self.g{i} }}"), "\n"))
    }),
    jsonnet("objects through locals", |n| {
        format!("local o0 = {{}};\n{}\no{n}", each(n, |i| format!("local o{} = o{i} + {{ a{i}: {i} }};", i + 1), "\n"))
    }),
    jsonnet("Jsonnet: ands", |n| each(n, |_| "true".into(), " && ")),
    jsonnet("Jsonnet: in", |n| each(n, |_| "\"a\"".into(), " in ")),
    jsonnet("Jsonnet: asserts", |n| nested(n, "assert true; ", "1", "")),
    jsonnet("Jsonnet: projections", |n| format!("function(x) x{}", ".a".repeat(n))),
    jsonnet("Jsonnet: defaults", |n| nested(n, "(function(a=", "1", ") a)()")),
    jsonnet("Jsonnet: type errors", |n| format!("{{ {} }}", each(n, |i| format!("a{i}: {i} - \"x\""), ",\n"))),
    cfg("extra fields", |n| {
        format!("{{ {} }}", each(n, |i| format!("a{i} = {{ x = 1, y{i} = 2 }} | {{ x | Number }}"), ",\n"))
    }),
    cfg("values as types", |n| format!("{{ {} }}", each(n, |i| format!("a{i} | 1 = 2"), ",\n"))),
    cfg("explain: layers", |n| each(n, |i| format!("{{ a | priority {i} = {i} }}"), "\n& ")).asks(Question::Explain),
    cfg("explain: equal values", |n| each(n, |_| "{ a = 1 }".into(), "\n& ")).asks(Question::Explain),
    cfg("explain: a chain", |n| {
        format!("{{ a0 = 1, {}, a = a{n} }}", each(n, |i| format!("a{} = a{i} + 1", i + 1), ",\n"))
    })
    .asks(Question::Explain),
    cfg("steps: records", |n| each(n, |i| format!("{{ a{i} = {i}, b | priority {i} = {i} }}"), "\n& "))
        .asks(Question::Steps),
    cfg("graph: a chain", |n| format!("{{ a0 = 1, {} }}", each(n, |i| format!("a{} = a{i} + 1", i + 1), ",\n")))
        .asks(Question::Graph),
    jsonnet("explain: +:", |n| each(n, |i| format!("{{ a+: {{ b{i}: {i} }} }}"), "\n+ ")).asks(Question::Explain),
    jsonnet("Jsonnet: wrong calls", |n| format!("local f(a, b) = a; [{}]", each(n, |i| format!("f({i})"), ",\n"))),
    cfg("alternatives of tags", |n| {
        format!("fun x => x |> match {{ {} => 1 }}", each(n, |i| format!("'T{i}"), " or "))
    }),
    cfg("arguments", |n| format!("let f = {} in f{}", nested(n, "fun x => ", "1", ""), " 1".repeat(n))),
    cfg("errors on a line", |n| format!("{{ {} }}", each(n, |i| format!("a{i} = ,"), ""))),
    cfg("nested lets", |n| nested(n, "let x = ", "1", " in x")),
    cfg("else if", |n| nested(n, "if true then 1 else ", "2", "")),
    // the parser looks for the line that was meant to be the body
    cfg("lets without in", |n| "let x = ".repeat(n)),
    cfg("interpolations", |n| nested(n, "\"%{", "\"a\"", "}\"")),
    jsonnet("Jsonnet: named arguments", |n| {
        let parameters = each(n, |i| format!("x{i}=1"), ", ");
        format!("(function({parameters}) 1)({})", each(n, |i| format!("x{i}=2"), ", "))
    }),
    jsonnet("Jsonnet: comprehensions", |n| nested(n, "[", "1", " for x in [1]]")),
    jsonnet("Jsonnet: dollars", |n| format!("{{ z: 1, a: {} }}", nested(n, "{ a: ", "$.z", " }"))),
    jsonnet("Jsonnet: supers", |n| format!("{{ a: 1 }}{}", " + { a: super.a + 1 }".repeat(n))),
    json("JSON: duplicates", |n| {
        let first = each(n, |i| format!("\"k{i}\": 1"), ", ");
        format!("{{ \"a\": {{ {first} }}, {} }}", each(n, |_| String::from("\"a\": {}"), ",\n"))
    }),
    json("JSON: keys", |n| format!("{{ {} }}", each(n, |i| format!("\"k{i}\": {i}"), ",\n"))),
    mcl("mcl: variables", |n| format!("$x0 = 1\n{}", each(n, |i| format!("$x{} = $x{i} + 1", i + 1), "\n"))),
    mcl("mcl: functions", |n| {
        format!("func f0($x) {{ $x }}\n{}", each(n, |i| format!("func f{}($x) {{ f{i}($x) }}", i + 1), "\n"))
    }),
    mcl("mcl: includes", |n| {
        let class = "class c($a) { print \"x${a}\" { msg => \"y\", } }\n";
        format!("{class}{}", each(n, |i| format!("include c(\"{i}\")"), "\n"))
    }),
    mcl("mcl: indexes", |n| format!("func f($x) {{ $x{} }}", "[0]".repeat(n))),
    mcl("mcl: wrong indexes", |n| format!("$x = {}", nested(n, "(", "1", ")[0]"))),
    mcl("mcl: structs", |n| format!("$x = {}", nested(n, "struct{a => ", "1", ",}"))),
    mcl("mcl: resources", |n| each(n, |i| format!("print \"a{i}\" {{ msg => \"x\", }}"), "\n")),
    yay("Yay: ands", |n| format!("a: {{{{ {} }}}}", each(n, |_| "1".into(), " and "))),
    yay("Yay: lines", |n| format!("a: |\n{}", "  line\n".repeat(n))),
    yay("Yay: guards", |n| format!("k: 1\n{}", each(n, |i| format!("% if k == {i}:\n  a{i}: {i}"), "\n"))),
    yay("Yay: references", |n| format!("a0: 1\n{}", each(n, |i| format!("a{}: {{{{ a{i} }}}}", i + 1), "\n"))),
];
