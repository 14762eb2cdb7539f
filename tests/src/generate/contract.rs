//! Contracts and types on expressions, records and functions.

use super::{APPLY, Code, Generator, LOW, Ty};

impl Generator {
    /// Returns a contract, as an atom, that most values of this type satisfy.
    pub(super) fn contract(&mut self, ty: &Ty) -> String {
        if self.rng.chance(4) {
            let other = self.ty(1, true);
            return other.text();
        }
        let generic = match self.rng.below(9) {
            0 => Some("std.contract.from_predicate (fun _ => true)".to_string()),
            1 => Some("std.contract.custom (fun _label value => 'Ok value)".to_string()),
            2 => Some("std.contract.from_validator (fun _ => 'Ok)".to_string()),
            3 => Some(format!("std.contract.any_of [std.contract.not Dyn, {}]", ty.text())),
            4 => Some(format!("std.contract.all_of [{}, Dyn]", ty.text())),
            5 => Some(format!("std.contract.Sequence [Dyn, {}]", ty.text())),
            6 => return self.type_as_contract(ty),
            _ => None,
        };
        if let Some(text) = generic {
            return format!("({text})");
        }
        match ty {
            Ty::Num => self.rng.pick(&[
                "std.number.Integer",
                "std.number.Nat",
                "(std.contract.from_predicate (fun n => n < 5000))",
                "(std.contract.from_predicate std.is_number)",
                "(std.contract.from_validator (fun n => if n >= 0 then 'Ok else 'Error { message = \"negative\" }))",
                "(std.contract.custom (fun l v => if v == 42 then 'Error {} else 'Ok v))",
            ]),
            Ty::Str => self.rng.pick(&[
                "std.string.NonEmpty",
                "std.string.Stringable",
                "(std.contract.from_predicate (fun s => std.string.length s < 40))",
                "(std.contract.from_validator (fun s => if s == \"foo\" then 'Error { message = \"foo\" } else 'Ok))",
            ]),
            Ty::Array(_) => self.rng.pick(&["(Array Dyn)", "std.array.NonEmpty"]),
            Ty::Enum(_) => self.rng.pick(&["std.enum.Tag", "std.enum.TagOrString"]),
            Ty::Record(_) => self.rng.pick(&["{ .. }", "{ _ : Dyn }", "{ _ | Dyn }"]),
            _ => self.rng.pick(&["Dyn", "(std.contract.not Number)"]),
        }
        .to_string()
    }

    /// Returns the type itself, in which a record's fields have contracts and defaults, and the record may be open.
    fn type_as_contract(&mut self, ty: &Ty) -> String {
        let Ty::Record(fields) = ty else { return ty.text() };
        let mut pieces: Vec<String> = Vec::new();
        for (label, of) in fields {
            match self.rng.below(8) {
                0 => pieces.push(format!("{label} | {} | optional", of.text())),
                1 => pieces.push(format!("{label} | {} | default = {}", of.text(), self.literal(of, 0).text)),
                2 => pieces.push(label.to_string()),
                3 if self.rng.chance(50) => continue,
                _ => pieces.push(format!("{label} | {}", self.nested(of))),
            }
        }
        if self.rng.chance(25) {
            pieces.push("extra | Number | default = 5".into());
        }
        if pieces.len() < fields.len() || self.rng.chance(40) {
            pieces.push("..".into());
        }
        format!("{{ {} }}", pieces.join(", "))
    }

    fn nested(&mut self, ty: &Ty) -> String {
        if ty.is_data() && self.rng.chance(40) { self.contract(ty) } else { ty.text() }
    }

    /// Returns an expression with an annotation: a type, a contract, a function type, a named contract or an
    /// interface.
    pub(super) fn checked(&mut self, ty: &Ty, depth: usize) -> Code {
        let inner = depth.saturating_sub(1);
        if self.typed {
            return self.expr(ty, inner);
        }
        match self.rng.below(10) {
            0..=1 => {
                let before = std::mem::take(&mut self.scope);
                self.typed = true;
                let body = self.expr(ty, inner);
                self.typed = false;
                self.scope = before;
                Code::atom(format!("({} : {})", body.text, ty.text()))
            }
            2..=4 => {
                let body = self.expr(ty, inner);
                let contract = if ty.is_data() { self.contract(ty) } else { ty.text() };
                Code::atom(format!("({} | {contract})", body.text))
            }
            5 => {
                let name = format!("C{}", self.names);
                self.names += 1;
                let contract = if ty.is_data() { self.contract(ty) } else { ty.text() };
                let body = self.expr(ty, inner);
                let used = self.fresh();
                Code::at(format!("let {name} = {contract} in let {used} | {name} = {} in {used}", body.text), LOW)
            }
            6 => {
                let from = self.ty(1, true);
                let name = self.fresh();
                let argument = self.expr(&from, inner);
                let body = self.with(&name, from.clone(), |g| g.expr(ty, inner));
                let function = format!("((fun {name} => {}) | {} -> {})", body.text, from.text(), ty.text());
                Code::at(format!("{function} {}", argument.arg()), APPLY)
            }
            7 => {
                let name = self.fresh();
                let body = self.expr(ty, inner);
                Code::at(format!("let {name} : forall a. a -> a = fun z => z in {name} {}", body.arg()), LOW)
            }
            8 => {
                let contract = if ty.is_data() { self.contract(ty) } else { ty.text() };
                let body = self.expr(ty, inner);
                let step = *self.rng.pick(&["check", "apply"]);
                let ok = if step == "apply" { "'Ok " } else { "" };
                Code::atom(format!(
                    "({} | (std.contract.custom (fun l v => {ok}(std.contract.{step} {contract} l v))))",
                    body.text
                ))
            }
            _ => match ty {
                Ty::Record(fields) => {
                    let interface: Vec<_> =
                        fields.iter().map(|(label, of)| format!("{label} | {}", self.nested(of))).collect();
                    let body = self.record(fields, inner);
                    Code::at(format!("{{ {} }} & {}", interface.join(", "), body.arg()), 6)
                }
                _ => {
                    let labels = self.labels(1);
                    let body = self.expr(ty, inner);
                    let contract = self.nested(ty);
                    Code::atom(format!("{{ {} | {contract} = {} }}.{}", labels[0], body.text, labels[0]))
                }
            },
        }
    }
}
