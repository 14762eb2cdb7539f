//! Random inputs. The generator knows the kinds of the names of a session, so most inputs have a value.

use crate::model::{Model, Value};
use crate::syntax::{Contract, Expr, Field, Input, Name, Op, Part, Priority};
use std::collections::BTreeMap;

/// The intended kind of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Number,
    Text,
    Truth,
    Array,
    Record,
    Function,
}

const KINDS: [Kind; 6] = [Kind::Number, Kind::Text, Kind::Truth, Kind::Array, Kind::Record, Kind::Function];
const NAMES: [&str; 6] = ["a", "b", "c", "d", "f", "g"];
const FIELDS: [&str; 5] = ["p", "q", "r", "s", "t"];

/// The names in scope and the kinds of their values. `None` if the kind is unknown.
type Known = Vec<(Expr, Option<Kind>)>;

pub struct Generator {
    state: u64,
    locals: usize,
}

impl Generator {
    pub fn new(seed: u64) -> Generator {
        Generator { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, locals: 0 }
    }

    /// Returns a random number less than `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        ((self.state >> 20) as usize) % limit.max(1)
    }

    /// Returns `true` with a probability of `percent` percent.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    /// Generates the next input of a session.
    pub fn input(&mut self, model: &Model) -> Input {
        match self.below(40) {
            0..3 => Input::Undo(1 + self.below(3)),
            3..6 => Input::Redo(1 + self.below(3)),
            6 if self.chance(30) => Input::Reset,
            n => {
                let known = known(model);
                let mut parts = Vec::new();
                if n < 32 {
                    parts.push(self.definition(model, &known));
                }
                if n == 31 {
                    parts.push(self.definition(model, &known));
                }
                if n >= 29 {
                    let kind = self.of(&KINDS);
                    parts.push(Part::Show(self.expr(kind, 3, &known)));
                }
                Input::Cell(parts)
            }
        }
    }

    fn definition(&mut self, model: &Model, known: &Known) -> Part {
        let name = Name::from(self.of(&NAMES));
        if self.chance(4) {
            // a name that may be unbound
            let value = Expr::Name(self.of(&NAMES).into());
            return Part::Define { name, recursive: false, value };
        }
        if self.chance(5) {
            return self.counting(name, known);
        }
        let is = |kind: Kind| known.iter().any(|(e, k)| matches!(e, Expr::Name(n) if *n == name) && *k == Some(kind));
        let predecessor = || Box::new(Expr::Name(name.clone()));
        let value = if model.names().contains(&name) && self.chance(40) {
            match () {
                () if is(Kind::Record) => Expr::Merge(predecessor(), Box::new(self.expr(Kind::Record, 2, known))),
                () if is(Kind::Number) => {
                    Expr::Binary(Op::Add, predecessor(), Box::new(self.expr(Kind::Number, 1, known)))
                }
                () if is(Kind::Array) => {
                    Expr::Array(vec![Expr::At(0, predecessor()), self.expr(Kind::Number, 1, known)])
                }
                () => Expr::Record(vec![self.field("p", Some(*predecessor()))]),
            }
        } else {
            let kind = match name.as_str() {
                "f" | "g" => Kind::Function,
                _ => self.of(&[Kind::Record, Kind::Record, Kind::Record, Kind::Number, Kind::Text, Kind::Array]),
            };
            self.expr(kind, 3, known)
        };
        let contract = [None, Some(Contract::Number), Some(Contract::Text)];
        let value = match if self.chance(8) { self.of(&contract) } else { None } {
            Some(contract) => Expr::Annotated(Box::new(value), contract),
            None => value,
        };
        Part::Define { name, recursive: false, value }
    }

    /// Generates a function that calls itself until a counter reaches zero.
    fn counting(&mut self, name: Name, known: &Known) -> Part {
        let n = || Box::new(Expr::Name("n".into()));
        let number = |n| Box::new(Expr::Number(n));
        let less = Expr::Binary(Op::Subtract, n(), number(1));
        let again = Expr::Apply(Box::new(Expr::Name(name.clone())), Box::new(less));
        let end = self.expr(Kind::Number, 1, known);
        let step = Expr::Binary(Op::Add, n(), Box::new(again));
        let condition = Expr::Binary(Op::Less, n(), number(1));
        let body = Expr::If(Box::new(condition), Box::new(end), Box::new(step));
        Part::Define { name, recursive: true, value: Expr::Function("n".into(), Box::new(body)) }
    }

    fn field(&mut self, name: &str, value: Option<Expr>) -> Field {
        let priority = match self.below(12) {
            0..3 => Priority::Default,
            3 => Priority::Force,
            4 => Priority::Numbered(self.of(&[-1, 2])),
            _ => Priority::Numbered(0),
        };
        let priority = if value.is_none() { Priority::Numbered(0) } else { priority };
        Field { name: name.into(), contract: None, priority, value }
    }

    /// Generates an expression, usually of the given kind.
    pub fn expr(&mut self, kind: Kind, depth: usize, known: &Known) -> Expr {
        let kind = if self.chance(3) { self.of(&KINDS) } else { kind };
        let there: Vec<Expr> = known.iter().filter(|(_, k)| *k == Some(kind)).map(|(e, _)| e.clone()).collect();
        if !there.is_empty() && self.chance(if depth == 0 { 60 } else { 35 }) {
            return self.of(&there);
        }
        if self.chance(2) && !known.is_empty() {
            return self.of(known).0;
        }
        if depth == 0 {
            return self.leaf(kind);
        }
        let d = depth - 1;
        match self.below(12) {
            0 => {
                let condition = self.boxed(Kind::Truth, d, known);
                Expr::If(condition, self.boxed(kind, d, known), self.boxed(kind, d, known))
            }
            1 => {
                let name = self.local();
                let bound = self.of(&KINDS);
                let value = self.boxed(bound, d, known);
                Expr::Let(name.clone(), value, self.boxed(kind, d, &with(known, &name, Some(bound))))
            }
            2 => {
                let name = self.local();
                let bound = self.of(&KINDS);
                let body = self.boxed(kind, d, &with(known, &name, Some(bound)));
                Expr::Apply(Box::new(Expr::Function(name, body)), self.boxed(bound, d, known))
            }
            3 => {
                let Expr::Record(mut fields) = self.record(d, known) else { return self.leaf(kind) };
                let name = self.of(&FIELDS);
                let value = self.expr(kind, d, known);
                fields.retain(|f| f.name != name);
                // Some records lack the field, or only declare it.
                match self.below(16) {
                    0 => {}
                    1 => fields.push(self.field(name, None)),
                    _ => fields.push(self.field(name, Some(value))),
                }
                Expr::Get(Box::new(Expr::Record(fields)), name.into())
            }
            4 => {
                let at = self.below(2);
                let mut all = vec![self.expr(kind, d, known), self.expr(kind, d, known)];
                all.truncate(2 - self.below(8) / 7);
                Expr::At(at, Box::new(Expr::Array(all)))
            }
            _ => self.made(kind, d, known),
        }
    }

    fn boxed(&mut self, kind: Kind, depth: usize, known: &Known) -> Box<Expr> {
        Box::new(self.expr(kind, depth, known))
    }

    fn local(&mut self) -> Name {
        self.locals += 1;
        // a name that may also be bound outside
        if self.chance(20) { self.of(&NAMES).into() } else { format!("l{}", self.locals) }
    }

    fn leaf(&mut self, kind: Kind) -> Expr {
        match kind {
            Kind::Number => Expr::Number(self.below(4) as i64),
            Kind::Text => Expr::Text(self.of(&["", "x", "y"]).into()),
            Kind::Truth => Expr::Truth(self.chance(50)),
            Kind::Array => Expr::Array(vec![Expr::Number(self.below(3) as i64)]),
            Kind::Record => Expr::Record(vec![]),
            Kind::Function => Expr::Function("n".into(), Box::new(Expr::Name("n".into()))),
        }
    }

    /// Generates an expression of exactly the given kind.
    fn made(&mut self, kind: Kind, d: usize, known: &Known) -> Expr {
        match kind {
            Kind::Number => match self.below(5) {
                0 => self.leaf(kind),
                1 => Expr::Length(self.boxed(Kind::Array, d, known)),
                2 => {
                    let function = known.iter().find(|(_, k)| *k == Some(Kind::Function)).map(|(e, _)| e.clone());
                    match function {
                        Some(f) => Expr::Apply(Box::new(f), self.boxed(Kind::Number, d, known)),
                        None if self.chance(8) => Expr::Apply(Box::new(self.leaf(kind)), Box::new(self.leaf(kind))),
                        None => self.leaf(kind),
                    }
                }
                _ => {
                    let op = self.of(&[Op::Add, Op::Add, Op::Subtract, Op::Multiply, Op::Divide]);
                    Expr::Binary(op, self.boxed(kind, d, known), self.boxed(kind, d, known))
                }
            },
            Kind::Text => Expr::Binary(Op::Join, self.boxed(kind, d, known), self.boxed(kind, d, known)),
            Kind::Truth => {
                let (op, of) = self.of(&[(Op::Less, Kind::Number), (Op::Equal, Kind::Number), (Op::Equal, Kind::Text)]);
                Expr::Binary(op, self.boxed(of, d, known), self.boxed(of, d, known))
            }
            Kind::Array if self.chance(25) => {
                Expr::Binary(Op::Concat, self.boxed(kind, d, known), self.boxed(kind, d, known))
            }
            Kind::Array => {
                let of = self.of(&[Kind::Number, Kind::Text, Kind::Record]);
                let count = self.below(3) + 1;
                Expr::Array((0..count).map(|_| self.expr(of, d, known)).collect())
            }
            Kind::Record if self.chance(45) => Expr::Merge(self.boxed(kind, d, known), self.boxed(kind, d, known)),
            Kind::Record => self.record(d, known),
            Kind::Function => {
                let name = self.local();
                let result = if self.chance(75) { Kind::Number } else { self.of(&KINDS) };
                let body = self.boxed(result, d, &with(known, &name, Some(Kind::Number)));
                Expr::Function(name, body)
            }
        }
    }

    fn record(&mut self, d: usize, known: &Known) -> Expr {
        let mut names: Vec<&str> = FIELDS.to_vec();
        names.retain(|_| self.chance(45));
        // the name of a field usually determines whether it is a number, so that merged records often agree
        let kind = |name: &str| match name {
            "p" | "q" => Kind::Number,
            "r" => Kind::Text,
            "s" => Kind::Record,
            _ => Kind::Array,
        };
        let mut known = known.clone();
        for name in &names {
            known = with(&known, name, Some(kind(name)));
        }
        let mut fields = Vec::new();
        for name in names {
            if self.chance(6) {
                let mut field = self.field(name, None);
                field.contract = self.contract(kind(name));
                fields.push(field);
                continue;
            }
            let kind = if self.chance(88) { kind(name) } else { self.of(&KINDS) };
            // the names that the value may use: usually all except the name of the field
            let mut others = known.clone();
            if self.chance(97) {
                others.retain(|(e, _)| !matches!(e, Expr::Name(n) if n == name));
            }
            // equal values with the same priority are common
            let value = if self.chance(35) { self.leaf(kind) } else { self.expr(kind, d, &others) };
            let mut field = self.field(name, Some(value));
            field.contract = if self.chance(12) { self.contract(kind) } else { None };
            fields.push(field);
        }
        Expr::Record(fields)
    }

    fn contract(&mut self, kind: Kind) -> Option<Contract> {
        match kind {
            Kind::Number => Some(Contract::Number),
            Kind::Text => Some(Contract::Text),
            _ => None,
        }
    }
}

/// Adds a name that hides all others of the same spelling.
fn with(known: &Known, name: &str, kind: Option<Kind>) -> Known {
    let root = |e: &Expr| {
        let mut e = e;
        while let Expr::Get(inner, _) = e {
            e = inner;
        }
        matches!(e, Expr::Name(n) if n == name)
    };
    let mut known: Known = known.iter().filter(|(e, _)| !root(e)).cloned().collect();
    known.push((Expr::Name(name.into()), kind));
    known
}

/// Returns the names and results of a session, with their kinds.
fn known(model: &Model) -> Known {
    let mut out = Known::new();
    let mut roots: BTreeMap<String, Expr> = model.names().into_iter().map(|n| (n.clone(), Expr::Name(n))).collect();
    roots.extend(model.results().into_iter().rev().take(3).map(|n| (format!("${n}"), Expr::Result(n))));
    if model.has_it() {
        roots.insert("it".into(), Expr::It);
    }
    for root in roots.values() {
        for (path, value) in model.shape(root) {
            let expr = path.into_iter().fold(root.clone(), |e, name| Expr::Get(Box::new(e), name));
            let kind = match value {
                Value::Number(_) => Kind::Number,
                Value::Text(_) => Kind::Text,
                Value::Truth(_) => Kind::Truth,
                Value::Array(_) => Kind::Array,
                Value::Record(_) => Kind::Record,
                Value::Function(..) => Kind::Function,
            };
            out.push((expr, Some(kind)));
        }
    }
    out
}

/// Prints an input.
pub fn text(input: &Input) -> String {
    match input {
        Input::Undo(count) => format!(":undo {count}"),
        Input::Redo(count) => format!(":redo {count}"),
        Input::Reset => String::from(":reset"),
        Input::Cell(parts) => {
            let parts: Vec<String> = parts.iter().map(part).collect();
            // after a `let`, a comma would begin its next binding
            parts.join(if parts.iter().any(|part| part.starts_with("let ")) { "\n" } else { ", " })
        }
    }
}

fn part(part: &Part) -> String {
    match part {
        Part::Show(e) => expression(e),
        Part::Define { name, recursive, value } => {
            let (contract, value) = match value {
                Expr::Annotated(e, contract) => (format!(" | {}", contract.text()), &**e),
                e => (String::new(), e),
            };
            let keyword = match (recursive, contract.is_empty()) {
                (true, _) => "let rec ",
                (false, false) => "let ",
                (false, true) => "",
            };
            format!("{keyword}{name}{contract} = {}", expression(value))
        }
    }
}

/// Prints an expression.
pub fn expression(e: &Expr) -> String {
    match e {
        Expr::Number(n) => n.to_string(),
        Expr::Text(text) => format!("\"{text}\""),
        Expr::Truth(truth) => truth.to_string(),
        Expr::Array(all) => format!("[{}]", all.iter().map(expression).collect::<Vec<_>>().join(", ")),
        Expr::Record(fields) => {
            let field = |f: &Field| {
                let contract = f.contract.map(|c| format!(" | {}", c.text())).unwrap_or_default();
                let value = f.value.as_ref().map(|v| format!(" = {}", expression(v))).unwrap_or_default();
                format!("{}{contract}{}{value}", f.name, f.priority.text())
            };
            format!("{{ {} }}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        Expr::Function(name, body) => format!("(fun {name} => {})", expression(body)),
        Expr::Apply(f, x) => format!("({} {})", expression(f), expression(x)),
        Expr::Name(name) | Expr::Global(name) => name.clone(),
        Expr::It => String::from("it"),
        Expr::Result(n) => format!("${n}"),
        Expr::Definition(n) => format!("<{n}>"),
        Expr::Get(e, name) => format!("{}.{name}", expression(e)),
        Expr::At(at, e) => format!("(std.array.at {at} {})", expression(e)),
        Expr::Length(e) => format!("(std.array.length {})", expression(e)),
        Expr::Merge(a, b) => format!("({} & {})", expression(a), expression(b)),
        Expr::Binary(op, a, b) => {
            let op = match op {
                Op::Add => "+",
                Op::Subtract => "-",
                Op::Multiply => "*",
                Op::Divide => "/",
                Op::Less => "<",
                Op::Equal => "==",
                Op::Join => "++",
                Op::Concat => "@",
            };
            format!("({} {op} {})", expression(a), expression(b))
        }
        Expr::If(c, a, b) => format!("(if {} then {} else {})", expression(c), expression(a), expression(b)),
        Expr::Let(name, value, body) => format!("(let {name} = {} in {})", expression(value), expression(body)),
        Expr::Annotated(e, c) => format!("({} | {})", expression(e), c.text()),
    }
}
