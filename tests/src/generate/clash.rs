//! Programs of both languages with a type error: a string where a number is needed, or the reverse, by way of names,
//! functions, fields, branches, merges and sums.

use super::rng::Rng;
use cfg_core::Dialect;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ty {
    Number,
    String,
}

struct Maker {
    rng: Rng,
    jsonnet: bool,
    /// Names in scope, with their types.
    names: Vec<(String, Ty)>,
    next: usize,
    /// Percentage of expressions of the wrong type.
    wrong: usize,
}

/// Returns the program of a seed, always the same text. Most have a type error, some none.
pub fn clash(dialect: Dialect, seed: u64) -> String {
    let mut maker =
        Maker { rng: Rng::new(seed), jsonnet: dialect == Dialect::JSONNET, names: Vec::new(), next: 0, wrong: 4 };
    let fields: Vec<String> = (0..2 + seed as usize % 3)
        .map(|n| {
            let ty = maker.ty();
            format!("f{n}{} {}", maker.is(), maker.make(ty, 5))
        })
        .collect();
    format!("{{ {} }}", fields.join(", "))
}

impl Maker {
    fn is(&self) -> &'static str {
        if self.jsonnet { ":" } else { " =" }
    }

    fn ty(&mut self) -> Ty {
        *self.rng.pick(&[Ty::Number, Ty::String])
    }

    fn make(&mut self, ty: Ty, depth: usize) -> String {
        let ty = match ty {
            Ty::Number if self.rng.chance(self.wrong) => Ty::String,
            Ty::String if self.rng.chance(self.wrong) => Ty::Number,
            ty => ty,
        };
        let known: Vec<String> = self.names.iter().filter(|(_, t)| *t == ty).map(|(name, _)| name.clone()).collect();
        if !known.is_empty() && self.rng.chance(30) {
            return self.rng.pick(&known).clone();
        }
        if depth == 0 {
            return match ty {
                Ty::Number => self.rng.below(90).to_string(),
                Ty::String => format!("\"s{}\"", self.rng.below(9)),
            };
        }
        let d = depth - 1;
        let name = format!("v{}", self.next);
        self.next += 1;
        match self.rng.below(9) {
            0 => {
                let operator = match ty {
                    Ty::Number => *self.rng.pick(&["*", "-"]),
                    Ty::String if self.jsonnet => "+",
                    Ty::String => "++",
                };
                format!("({} {operator} {})", self.make(ty, d), self.make(ty, d))
            }
            1 => {
                let bound = self.ty();
                let value = self.make(bound, d);
                let annotation = match (self.jsonnet, bound, self.rng.chance(25)) {
                    (false, Ty::Number, true) => " | Number",
                    (false, Ty::String, true) => " | String",
                    _ => "",
                };
                self.names.push((name.clone(), bound));
                let body = self.make(ty, d);
                self.names.pop();
                match self.jsonnet {
                    true => format!("(local {name} = {value}; {body})"),
                    false => format!("(let {name}{annotation} = {value} in {body})"),
                }
            }
            2 => {
                let taken = self.ty();
                let argument = self.make(taken, d);
                self.names.push((name.clone(), taken));
                let body = self.make(ty, d);
                self.names.pop();
                match self.jsonnet {
                    true => format!("(local f{name}({name}) = {body}; f{name}({argument}))"),
                    false => format!("(let f{name} = fun {name} => {body} in f{name} {argument})"),
                }
            }
            3 => {
                let other = self.ty();
                let (a, b) = (self.make(ty, d), self.make(other, d));
                let is = self.is();
                format!("({{ a{is} {a}, b{is} {b} }}.a)")
            }
            4 => {
                let (a, b) = (self.make(ty, d), self.make(ty, d));
                format!("(if 1 < 2 then {a} else {b})")
            }
            5 => {
                let contract = match ty {
                    Ty::Number => "Number",
                    Ty::String => "String",
                };
                let (a, b) = (self.make(ty, d), self.make(ty, d));
                match self.jsonnet {
                    true => format!("({{ a: {a}, c: self.a }} + {{ a: {b} }}).c"),
                    false => format!("({{ a | {contract} | default = {a}, c = a }} & {{ a = {b} }}).c"),
                }
            }
            6 => {
                let (a, b) = (self.make(ty, d), self.make(ty, d));
                match (self.jsonnet, ty) {
                    (true, Ty::Number) => format!("std.max({a}, {b})"),
                    (true, Ty::String) => format!("std.join(\",\", [{a}, {b}])"),
                    (false, Ty::Number) => format!("(std.number.max ({a}) ({b}))"),
                    (false, Ty::String) => format!("(std.string.join \",\" [{a}, {b}])"),
                }
            }
            7 => {
                let a = self.make(ty, d);
                match self.jsonnet {
                    true => format!("([x for x in [{a}]][0])"),
                    false => format!("(std.array.first [{a}])"),
                }
            }
            _ => self.make(ty, 0),
        }
    }
}
