//! Patterns: `match`, destructuring `let` and `fun`, defaults, rests, guards, `or`, aliases.

use super::{Code, Generator, LOW, Ty};

impl Generator {
    /// Returns an expression of type `ty` that destructures a value.
    pub(super) fn taken_apart(&mut self, ty: &Ty, depth: usize) -> Code {
        let inner = depth.saturating_sub(1);
        let of = match self.rng.below(if self.typed { 2 } else { 6 }) {
            0..=2 => self.enum_ty(1, self.typed),
            3 => Ty::Array(Box::new(self.ty(0, true))),
            4 => Ty::Num,
            _ => self.record_ty(2, true),
        };
        let value = self.expr(&of, inner);
        match &of {
            Ty::Record(fields) if self.rng.chance(75) => {
                let fields = fields.clone();
                let (pattern, bound) = self.record_pattern(&fields);
                let body = self.binding(bound, |g| g.expr(ty, inner));
                match self.rng.below(4) {
                    0 => Code::at(format!("(fun {pattern} => {}) {}", body.text, value.arg()), super::APPLY),
                    1 => Code::at(format!("{} |> match {{ {pattern} => {} }}", value.under(6), body.text), 6),
                    _ => Code::at(format!("let {pattern} = {} in {}", value.text, body.text), LOW),
                }
            }
            _ => {
                let arms = self.arms(&of, ty, inner);
                Code::at(format!("{} |> match {{ {} }}", value.under(6), arms.join(", ")), 6)
            }
        }
    }

    fn binding<T>(&mut self, bound: Vec<(String, Ty)>, body: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.scope.clone();
        for (name, ty) in bound {
            self.scope.retain(|(other, _)| *other != name);
            self.scope.push((name, ty));
        }
        let out = body(self);
        self.scope = before;
        out
    }

    fn record_pattern(&mut self, fields: &[(&'static str, Ty)]) -> (String, Vec<(String, Ty)>) {
        let mut pieces = Vec::new();
        let mut bound = Vec::new();
        let mut all = true;
        for (label, of) in fields {
            match self.rng.below(9) {
                0..=2 => {
                    pieces.push(label.to_string());
                    bound.push((label.to_string(), of.clone()));
                }
                3..=4 => {
                    let name = self.fresh();
                    pieces.push(format!("{label} = {name}"));
                    bound.push((name, of.clone()));
                }
                5 if *of == Ty::Num => {
                    pieces.push(format!("{label} ? 5"));
                    bound.push((label.to_string(), of.clone()));
                }
                6 => {
                    let name = self.fresh();
                    pieces.push(format!("{label} | {} = {name}", of.text()));
                    bound.push((name, of.clone()));
                }
                7 if matches!(of, Ty::Record(_)) => {
                    if let Ty::Record(parts) = of {
                        let (pattern, more) = self.record_pattern(&parts.clone());
                        // a name occurs only once in a pattern
                        if more.iter().all(|(name, _)| fields.iter().all(|(other, _)| other != name)) {
                            pieces.push(format!("{label} = {pattern}"));
                            bound.extend(more);
                        } else {
                            all = false;
                        }
                    }
                }
                _ => all = false,
            }
        }
        if self.rng.chance(10) {
            let absent = "absent";
            pieces.push(format!("{absent} ? 1"));
            bound.push((absent.into(), Ty::Num));
        }
        if !all || self.rng.chance(30) {
            if self.rng.chance(25) {
                pieces.push(format!("..{}", self.fresh()));
            } else {
                pieces.push("..".into());
            }
        }
        let pattern = format!("{{ {} }}", pieces.join(", "));
        if self.rng.chance(15) {
            let name = self.fresh();
            bound.push((name.clone(), Ty::Record(fields.to_vec())));
            return (format!("{name} @ {pattern}"), bound);
        }
        (pattern, bound)
    }

    /// Returns the arms of a `match` on a value of type `of`; most are exhaustive.
    fn arms(&mut self, of: &Ty, ty: &Ty, depth: usize) -> Vec<String> {
        let mut arms = Vec::new();
        match of {
            Ty::Enum(tags) => {
                for (tag, argument) in tags {
                    if !self.typed && self.rng.chance(8) {
                        continue;
                    }
                    match argument {
                        None => {
                            let guard = if !self.typed && self.rng.chance(15) {
                                format!(" if {}", self.expr(&Ty::Bool, depth.min(1)).text)
                            } else {
                                String::new()
                            };
                            let other = *self.rng.pick(&super::TAGS);
                            let pattern = if !self.typed && self.rng.chance(15) && other != *tag {
                                format!("'{tag} or '{other}")
                            } else {
                                format!("'{tag}")
                            };
                            arms.push(format!("{pattern}{guard} => {}", self.expr(ty, depth).text));
                        }
                        Some(of) => {
                            let name = self.fresh();
                            let body = self.with(&name, of.clone(), |g| g.expr(ty, depth));
                            arms.push(format!("'{tag} {name} => {}", body.text));
                        }
                    }
                }
                if arms.is_empty() || (!self.typed && self.rng.chance(80)) {
                    arms.push(format!("_ => {}", self.expr(ty, depth).text));
                }
            }
            Ty::Array(item) => {
                let name = self.fresh();
                let second = self.fresh();
                let body = self.with(&name, (**item).clone(), |g| g.expr(ty, depth));
                arms.push(format!("[{name}] => {}", body.text));
                let body = self
                    .with(&name, (**item).clone(), |g| g.with(&second, Ty::Array(item.clone()), |g| g.expr(ty, depth)));
                arms.push(format!("[{name}, ..{second}] => {}", body.text));
                if self.rng.chance(80) {
                    arms.push(format!("[] => {}", self.expr(ty, depth).text));
                }
            }
            Ty::Num => {
                let name = self.fresh();
                let first = *self.rng.pick(&["1", "2 or 3", "42", "0.5"]);
                arms.push(format!("{first} => {}", self.expr(ty, depth).text));
                let (guard, body) =
                    self.with(&name, Ty::Num, |g| (g.expr(&Ty::Bool, depth.min(1)).text, g.expr(ty, depth).text));
                arms.push(format!("{name} if {guard} => {body}"));
                arms.push(format!("_ => {}", self.expr(ty, depth).text));
            }
            _ => {
                let name = self.fresh();
                let body = self.with(&name, of.clone(), |g| g.expr(ty, depth));
                arms.push(format!("{name} => {}", body.text));
            }
        }
        arms
    }
}
