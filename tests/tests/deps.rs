//! Checks that `cfg deps` is complete, on generated programs of both languages: changing the value of a definition
//! that is not listed must not change the value of the queried field.

use cfg_core::{Action, Dialect, Drawing, Format};
use cfg_tests::binary::root;
use cfg_tests::ours::run_as;
use cfg_tests::schema;

/// A random number generator (xorshift); the seed identifies the program.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

/// A program in which the body of each definition has a number.
enum Piece {
    Text(String),
    Body(usize, Vec<Piece>),
}

struct Maker {
    random: Random,
    bodies: usize,
    jsonnet: bool,
    /// The locals in scope: numbers, and functions of one number.
    numbers: Vec<String>,
    functions: Vec<String>,
}

const FIELDS: [&str; 5] = ["a", "b", "c", "d", "e"];
const PATHS: [&str; 8] = ["a", "b", "c", "d", "e", "r.p", "r.q", "m"];

impl Maker {
    fn body(&mut self, inner: Vec<Piece>) -> Piece {
        self.bodies += 1;
        Piece::Body(self.bodies - 1, inner)
    }

    /// Returns a field of the final record that comes after field `at` in the order that prevents cycles.
    fn later(&mut self, at: usize, defined: &[usize]) -> Option<String> {
        let later: Vec<usize> = defined.iter().copied().filter(|field| *field > at && *field < 5).collect();
        if later.is_empty() {
            return None;
        }
        let name = FIELDS[later[self.random.below(later.len())]];
        Some(if self.jsonnet { format!("{}.{name}", self.random.pick(&["self", "$"])) } else { name.to_string() })
    }

    /// Returns an expression for a number, which may refer to other definitions.
    fn atom(&mut self, at: usize, defined: &[usize], inner: bool) -> String {
        match self.random.below(6) {
            0 => self.random.below(9).to_string(),
            1 if !self.numbers.is_empty() => {
                let n = self.random.below(self.numbers.len());
                self.numbers[n].clone()
            }
            2 if defined.contains(&5) && at < 5 && !inner => {
                format!("{}.{}", if self.jsonnet { "self.r" } else { "r" }, self.random.pick(&["p", "q"]))
            }
            _ => {
                let field = self.later(at, defined);
                let field = field.map(|f| if inner { f.replace("self.", "$.") } else { f });
                field.unwrap_or_else(|| self.random.below(9).to_string())
            }
        }
    }

    fn expression(&mut self, at: usize, defined: &[usize], inner: bool) -> Vec<Piece> {
        let (x, y) = (self.atom(at, defined, inner), self.atom(at, defined, inner));
        let text = match self.random.below(if self.jsonnet { 11 } else { 10 }) {
            0 => x,
            1 => format!("{x} + {y}"),
            2 => format!("if {x} > 3 then {y} else 1"),
            3 if !self.functions.is_empty() => {
                let n = self.random.below(self.functions.len());
                if self.jsonnet {
                    format!("{}({x})", self.functions[n])
                } else {
                    format!("{} ({x})", self.functions[n])
                }
            }
            4 | 5 => {
                let (open, close) = if self.jsonnet { ("local z = ", "; ") } else { ("let z = ", " in ") };
                let bound = self.body(vec![Piece::Text(x)]);
                let unused = self.body(vec![Piece::Text(y)]);
                let (open2, use_) = if self.jsonnet { ("local w = ", "z + 1") } else { ("let w = ", "z + 1") };
                return vec![
                    Piece::Text(open.into()),
                    bound,
                    Piece::Text(format!("{close}{open2}")),
                    unused,
                    Piece::Text(format!("{close}{use_}")),
                ];
            }
            6 => {
                let (p, q) = (self.body(vec![Piece::Text(x)]), self.body(vec![Piece::Text(y)]));
                let (open, between) = if self.jsonnet { ("{ k: ", ", l: ") } else { ("{ k = ", ", l = ") };
                return vec![
                    Piece::Text(open.into()),
                    p,
                    Piece::Text(between.into()),
                    q,
                    Piece::Text(format!("}}.{}", self.random.pick(&["k", "l"]))),
                ];
            }
            7 if self.jsonnet => format!("std.foldl(function(m, n) m + n, [{x}, {y}], 0)"),
            7 => format!("std.array.fold_left (fun m n => m + n) 0 [{x}, {y}]"),
            8 if self.jsonnet => format!("std.length([{x}, {y}]) + [{y}, {x}][0]"),
            8 => format!("std.array.length [{x}, {y}] + std.array.first [{y}]"),
            9 if self.jsonnet => format!("std.length(std.objectFields({{ k: {x}, l: {y} }}))"),
            9 => format!("std.array.length (std.record.fields {{ k = {x}, l = {y} }})"),
            10 => format!("[n for n in [{x}, {y}] if n >= 0][0]"),
            _ => y,
        };
        vec![Piece::Text(text)]
    }

    /// Returns one operand: some of the fields, and perhaps `r`.
    fn operand(&mut self, number: usize) -> Vec<Piece> {
        let mut defined: Vec<usize> = (0..FIELDS.len()).filter(|_| number == 0 || self.random.below(2) == 0).collect();
        if number == 0 || self.random.below(2) == 0 {
            defined.push(5);
        }
        let mut out = vec![Piece::Text("{".into())];
        for field in defined.clone() {
            if field == 5 {
                let rec = ["r = ", "r = ", "r | default rec = ", "r | force rec = "];
                out.push(Piece::Text(if self.jsonnet { "r+: ".into() } else { self.random.pick(&rec).into() }));
                let mut inside = vec![Piece::Text("{".into())];
                for name in ["p", "q"] {
                    if number > 0 && self.random.below(3) == 0 {
                        continue;
                    }
                    let priority = self.priority(number, 5, &[]);
                    let sibling = if self.jsonnet { "self.p + 1" } else { "p + 1" };
                    let body = match name == "q" && inside.len() > 1 && self.random.below(2) == 0 {
                        true => vec![Piece::Text(sibling.into())],
                        false => self.expression(5, &defined, true),
                    };
                    inside.push(Piece::Text(format!("{name}{priority}")));
                    inside.push(self.body(body));
                    inside.push(Piece::Text(", ".into()));
                }
                inside.push(Piece::Text("}".into()));
                out.push(self.body(inside));
            } else {
                let priority = self.priority(number, field, &defined);
                out.push(Piece::Text(format!("{}{priority}", FIELDS[field])));
                let mut body = self.expression(field, &defined, false);
                if self.jsonnet && number > 0 && self.random.below(3) == 0 {
                    body.push(Piece::Text(format!(" + super.{}", FIELDS[field])));
                }
                out.push(self.body(body));
            }
            out.push(Piece::Text(", ".into()));
        }
        if self.random.below(2) == 0 {
            // elements are not definitions, but names bound in an element are
            let (first, second) = (self.expression(4, &defined, false), self.atom(4, &defined, false));
            out.push(Piece::Text(if self.jsonnet { "m+: ".into() } else { "m | merge join = ".into() }));
            let mut body = vec![Piece::Text("[".into())];
            body.extend(first);
            body.push(Piece::Text(format!(", {second}]")));
            out.push(self.body(body));
            out.push(Piece::Text(", ".into()));
        }
        let asserted = defined.first().filter(|field| **field < 5);
        if self.jsonnet
            && self.random.below(4) == 0
            && let Some(field) = asserted.map(|field| FIELDS[*field])
        {
            out.push(Piece::Text(format!("assert self.{field} >= 0, ")));
        }
        out.push(Piece::Text("}".into()));
        out
    }

    /// Returns the text between a field's name and its body.
    fn priority(&mut self, number: usize, at: usize, defined: &[usize]) -> String {
        if self.jsonnet {
            return self.random.pick(&[": ", ": ", ":: "]).into();
        }
        let contract = self.random.pick(&["", "", " | Number", " | Positive"]);
        let guard = match self.random.below(4) {
            0 if number > 0 => {
                self.later(at, defined).map(|field| format!(" | when ({field} > 4)")).unwrap_or_default()
            }
            _ => String::new(),
        };
        let priority = match self.random.below(4) {
            0 => " | default".into(),
            1 => " | force".into(),
            2 => String::new(),
            _ => format!(" | priority {}", number + 1),
        };
        format!("{contract}{priority}{guard} = ")
    }

    fn program(mut self) -> (Vec<Piece>, usize) {
        let (bind, end) = if self.jsonnet { ("local", ";") } else { ("let", " in") };
        let mut out = Vec::new();
        if !self.jsonnet {
            out.push(Piece::Text("let Positive = ".into()));
            let body = vec![Piece::Text("std.contract.from_predicate (fun n => n >= 0)".into())];
            out.push(self.body(body));
            out.push(Piece::Text(" in let join = ".into()));
            out.push(self.body(vec![Piece::Text("fun sides => sides.lower @ sides.higher".into())]));
            out.push(Piece::Text(" in".into()));
        }
        for number in 0..1 + self.random.below(3) {
            let value = self.atom(6, &[], true);
            out.push(Piece::Text(format!("{bind} n{number} = ")));
            out.push(self.body(vec![Piece::Text(value)]));
            out.push(Piece::Text(end.into()));
            let (used, other) = (self.atom(6, &[], true), self.atom(6, &[], true));
            let function = match self.jsonnet {
                true => format!("function(x) if x > 2 then x + {used} else {other}"),
                false => format!("fun x => if x > 2 then x + {used} else {other}"),
            };
            out.push(Piece::Text(format!("{bind} f{number} = ")));
            out.push(self.body(vec![Piece::Text(function)]));
            out.push(Piece::Text(end.into()));
            self.numbers.push(format!("n{number}"));
            self.functions.push(format!("f{number}"));
        }
        let count = 1 + self.random.below(3);
        let mut operands = Vec::new();
        for number in 0..count {
            let operand = self.operand(number);
            if self.random.below(2) == 0 {
                out.push(Piece::Text(format!("{bind} o{number} = ")));
                out.push(self.body(operand));
                out.push(Piece::Text(end.into()));
                operands.push(vec![Piece::Text(format!("o{number}"))]);
            } else {
                operands.push(operand);
            }
        }
        for (number, operand) in operands.into_iter().enumerate() {
            if number > 0 {
                out.push(Piece::Text(if self.jsonnet { "+".into() } else { "&".into() }));
            }
            out.extend(operand);
        }
        (out, self.bodies)
    }
}

/// Returns the text with one body replaced, and the line of each body.
fn render(pieces: &[Piece], replaced: Option<(usize, &str)>, lines: &mut Vec<(usize, usize)>) -> String {
    fn write(pieces: &[Piece], replaced: Option<(usize, &str)>, out: &mut String, lines: &mut Vec<(usize, usize)>) {
        for piece in pieces {
            match piece {
                Piece::Text(text) => {
                    out.push_str(text);
                    out.push(' ');
                }
                Piece::Body(number, inner) => {
                    out.push('\n');
                    lines.push((*number, out.matches('\n').count() + 1));
                    match replaced {
                        Some((body, text)) if body == *number => out.push_str(text),
                        _ => write(inner, replaced, out, lines),
                    }
                    out.push('\n');
                }
            }
        }
    }
    let mut out = String::new();
    write(pieces, replaced, &mut out, lines);
    out
}

fn value(dialect: Dialect, program: &str, path: &str) -> (u8, String) {
    let outcome = run_as(dialect, program, Action::Eval { at: Some(path.into()), format: Format::Json });
    (outcome.exit, outcome.output.text())
}

/// Returns an answer that satisfies its schema.
fn answer(dialect: Dialect, program: &str, action: Action, name: &str) -> Option<serde_json::Value> {
    let json = serde_json::from_str(&run_as(dialect, program, action).output.text()).ok()?;
    let path = root().join(format!("docs/schema/{name}.json"));
    let schema = serde_json::from_str(&std::fs::read_to_string(path).expect("a schema")).expect("JSON");
    assert_eq!(schema::mismatch(&schema, &json), None, "{name} of\n{program}");
    Some(json)
}

/// Returns the lines on which the listed definitions begin; `None` if there is no such field.
fn listed(dialect: Dialect, program: &str, path: &str) -> Option<Vec<usize>> {
    let json = answer(dialect, program, Action::Deps { path: path.into(), used_by: false, json: true }, "deps")?;
    assert_eq!(json["complete"], true, "{program}");
    let places = json["places"].as_array()?.iter().filter_map(|place| place.as_str());
    places.map(|place| place.rsplit(':').nth(1)?.parse().ok()).collect()
}

/// Checks that the two directions of `deps` agree, and that the graph has exactly these edges.
fn check_the_other_way(dialect: Dialect, program: &str) {
    let names = |json: &serde_json::Value, key: &str| -> Vec<String> {
        let all = json[key].as_array().into_iter().flatten();
        all.filter_map(|name| name.as_str()).map(String::from).collect()
    };
    let Some(graph) =
        answer(dialect, program, Action::Graph { at: None, functions: false, drawing: Drawing::Json }, "graph")
    else {
        return;
    };
    for path in PATHS {
        let Some(reads) =
            answer(dialect, program, Action::Deps { path: path.into(), used_by: false, json: true }, "deps")
        else {
            continue;
        };
        // an element of a list may refer to the field, too
        let is_path = |name: &str| name == path || name.starts_with(&format!("{path}["));
        for read in names(&reads, "depends_on").iter().filter(|read| PATHS.contains(&read.as_str())) {
            let users = Action::Deps { path: read.clone(), used_by: true, json: true };
            let users = answer(dialect, program, users, "deps").expect("a field that was read");
            let users = names(&users, "used_by");
            assert!(
                users.iter().any(|user| is_path(user)),
                "{path} reads {read}, which is used by {users:?}:\n{program}"
            );
            let is_arrow = |edge: &serde_json::Value| {
                edge["reader"].as_str().is_some_and(is_path) && edge["reads"] == read.as_str()
            };
            let arrows = graph["edges"].as_array().expect("edges");
            assert!(arrows.iter().any(is_arrow), "no arrow from {path} to {read}:\n{program}");
        }
    }
}

/// Checks one program. Returns how many unlisted definitions were changed, and how many listed ones affected the
/// value.
fn check(dialect: Dialect, seed: u64) -> (usize, usize) {
    let jsonnet = dialect == Dialect::JSONNET;
    let random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let maker = Maker { random, bodies: 0, jsonnet, numbers: Vec::new(), functions: Vec::new() };
    let (pieces, bodies) = maker.program();
    let mut lines = Vec::new();
    let program = render(&pieces, None, &mut lines);
    let line = |body: usize| lines.iter().find(|(number, _)| *number == body).map(|(_, line)| *line).expect("a line");
    let (mut unlisted, mut telling) = (0, 0);
    if seed.is_multiple_of(4) {
        check_the_other_way(dialect, &program);
    }
    for path in PATHS {
        let before = value(dialect, &program, path);
        if before.0 != 0 {
            continue;
        }
        let known = listed(dialect, &program, path).unwrap_or_else(|| panic!("no answer for {path} of\n{program}"));
        for body in 0..bodies {
            let text = ["77", "(-5)", if jsonnet { "{ zz: 1 }" } else { "{ zz = 1 }" }][(seed as usize + body) % 3];
            let is_known = known.contains(&line(body));
            if is_known && telling > 3 {
                continue;
            }
            let changed = render(&pieces, Some((body, text)), &mut Vec::new());
            let after = value(dialect, &changed, path);
            if is_known {
                telling += usize::from(before != after);
                continue;
            }
            unlisted += 1;
            assert_eq!(
                after,
                before,
                "seed {seed}: {path} does not list line {} ({text}):\n{program}\nlisted: {known:?}",
                line(body)
            );
        }
    }
    (unlisted, telling)
}

fn check_all(dialect: Dialect) {
    let programs = std::env::var("CFG_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    let (mut unlisted, mut telling) = (0, 0);
    for seed in 1..=programs {
        let (more, told) = check(dialect, seed);
        unlisted += more;
        telling += told;
    }
    println!("{unlisted} definitions changed that are not listed, {telling} listed ones made a difference");
    assert!(unlisted > 10 * programs as usize, "too few programs have a value: {unlisted}");
    assert!(telling as u64 > programs, "what is listed hardly matters: {telling}");
}

#[test]
fn no_unlisted_definition_changes_a_value_of_cfg() {
    check_all(Dialect::CFG);
}

#[test]
fn no_unlisted_definition_changes_a_value_of_jsonnet() {
    check_all(Dialect::JSONNET);
}
