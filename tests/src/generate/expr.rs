//! Expressions by type: literals, operators with Nickel's precedence, functions, `let`, `if`.

use super::{APPLY, Code, Generator, LOW, Topic, Ty};

impl Generator {
    /// Returns an expression of a type, nested to a depth of about `depth`.
    pub(super) fn expr(&mut self, ty: &Ty, depth: usize) -> Code {
        if self.rng.chance(self.noise) {
            let other = self.ty(1, true);
            return self.expr(&other, depth.min(1));
        }
        if self.rng.chance(40)
            && let Some(code) = self.known(ty)
        {
            return code;
        }
        if depth == 0 {
            return self.literal(ty, 0);
        }
        let typed = self.typed;
        let topic = |t: Topic, more: usize, less: usize| if self.topic == t { more } else { less };
        let weights = [
            30,
            14,
            8,
            7,
            6,
            topic(Topic::Patterns, 20, 5),
            if typed { 3 } else { topic(Topic::Contracts, 25, 5) },
            topic(Topic::Library, 40, 10),
            if typed { 0 } else { topic(Topic::Merges, 10, 4) },
            24,
        ];
        match self.rng.weighted(&weights) {
            0 => self.literal(ty, depth),
            1 => self.let_in(ty, depth),
            2 => self.if_else(ty, depth),
            3 => self.applied(ty, depth),
            4 => self.projected(ty, depth),
            5 => self.taken_apart(ty, depth - 1),
            6 => self.checked(ty, depth - 1),
            7 => self.library(ty, depth - 1),
            8 => self.projected_merge(ty, depth),
            _ => self.operator(ty, depth - 1),
        }
    }

    /// Returns a name in scope, or a field of one, of exactly this type.
    fn known(&mut self, ty: &Ty) -> Option<Code> {
        let mut found = Vec::new();
        for (name, has) in &self.scope {
            if has == ty {
                found.push(Code::atom(name.clone()));
            }
            match has {
                Ty::Record(fields) => {
                    found
                        .extend(fields.iter().filter(|(_, t)| t == ty).map(|(f, _)| Code::atom(format!("{name}.{f}"))));
                }
                Ty::Fun(from, to) if **to == *ty && **from == Ty::Num => {
                    found.push(Code::at(format!("{name} 3"), APPLY));
                }
                _ => {}
            }
        }
        if found.is_empty() { None } else { Some(self.rng.pick(&found).clone()) }
    }

    /// Returns a literal of a type; its parts are expressions.
    pub(super) fn literal(&mut self, ty: &Ty, depth: usize) -> Code {
        let inner = depth.saturating_sub(1);
        match ty {
            Ty::Num => {
                let all = ["0", "1", "2", "3", "7", "10", "42", "0.5", "1.25", "100", "1e3", "8080", "0xff", "3.14"];
                let text = *self.rng.pick(&all);
                if self.rng.chance(8) { Code::at(format!("-{text}"), 1) } else { Code::atom(text) }
            }
            Ty::Str => self.string(inner),
            Ty::Bool => Code::atom(*self.rng.pick(&["true", "false"])),
            Ty::Enum(tags) => match self.rng.pick(tags).clone() {
                (tag, None) => Code::atom(format!("'{tag}")),
                (tag, Some(argument)) => {
                    let argument = self.expr(&argument, inner).arg();
                    Code::at(format!("'{tag} {argument}"), APPLY)
                }
            },
            Ty::Array(item) => {
                let count = self.rng.weighted(&[1, 4, 5, 4]);
                let items: Vec<_> = (0..count).map(|_| self.expr(item, inner).text).collect();
                Code::atom(format!("[{}]", items.join(", ")))
            }
            Ty::Record(fields) => self.record(fields, depth),
            Ty::Dict(item) => {
                let count = self.rng.below(4);
                let labels = self.labels(count);
                self.record(&labels.into_iter().map(|l| (l, (**item).clone())).collect::<Vec<_>>(), depth)
            }
            Ty::Fun(from, to) => {
                let name = self.fresh();
                let body = self.with(&name, (**from).clone(), |g| g.expr(to, inner));
                Code::at(format!("fun {name} => {}", body.text), LOW)
            }
        }
    }

    fn string(&mut self, depth: usize) -> Code {
        let mut pieces = String::new();
        for _ in 0..self.rng.weighted(&[1, 6, 3, 1]) {
            if depth > 0 && self.rng.chance(45) {
                let ty = if self.rng.chance(60) { Ty::Str } else { Ty::Num };
                pieces.push_str(&format!("%{{{}}}", self.expr(&ty, depth - 1).text));
            } else {
                let all = ["a", "foo", "bar baz", "é", "http://", "x-1", " ", "Hello", "日本", "100%", "1"];
                pieces.push_str(self.rng.pick::<&str>(&all));
            }
        }
        match self.rng.below(12) {
            0 if !pieces.ends_with('%') => Code::atom(format!("m%\"\n    {pieces}\n      two\n    \"%")),
            1 if !pieces.ends_with('%') => Code::atom(format!("m%\"{pieces}\"%")),
            2 => Code::atom(format!("\"{pieces}\\n\\\"q\\\"\\\\\"")),
            _ => Code::atom(format!("\"{pieces}\"")),
        }
    }

    fn let_in(&mut self, ty: &Ty, depth: usize) -> Code {
        let of = self.ty(1, self.typed);
        let name = self.fresh();
        let value = self.expr(&of, depth - 1);
        if !self.typed && self.rng.chance(15) {
            let other = self.fresh();
            let second = self.expr(&Ty::Num, depth - 1);
            let body = self.with(&name, of, |g| g.with(&other, Ty::Num, |g| g.expr(ty, depth - 1)));
            return Code::at(format!("let {name} = {}, {other} = {} in {}", value.text, second.text, body.text), LOW);
        }
        if !self.typed && self.rng.chance(10) {
            let n = self.fresh();
            let rec = format!("let rec {name} = fun {n} => if {n} <= 0 then 1 else {n} * {name} ({n} - 1) in");
            let fun = Ty::Fun(Box::new(Ty::Num), Box::new(Ty::Num));
            let body = self.with(&name, fun, |g| g.expr(ty, depth - 1));
            return Code::at(format!("{rec} {}", body.text), LOW);
        }
        let body = self.with(&name, of, |g| g.expr(ty, depth - 1));
        Code::at(format!("let {name} = {} in {}", value.text, body.text), LOW)
    }

    fn if_else(&mut self, ty: &Ty, depth: usize) -> Code {
        let condition = self.expr(&Ty::Bool, depth - 1);
        let yes = self.expr(ty, depth - 1);
        let no = self.expr(ty, depth - 1);
        Code::at(format!("if {} then {} else {}", condition.text, yes.text, no.text), LOW)
    }

    /// Returns a function literal that is called at once, curried or piped.
    fn applied(&mut self, ty: &Ty, depth: usize) -> Code {
        let of = self.ty(1, true);
        let name = self.fresh();
        let argument = self.expr(&of, depth - 1);
        let second = self.rng.chance(30).then(|| (self.fresh(), self.expr(&Ty::Num, depth - 1)));
        let body = self.with(&name, of, |g| match &second {
            None => g.expr(ty, depth - 1),
            Some((other, _)) => g.with(other, Ty::Num, |g| g.expr(ty, depth - 1)),
        });
        match second {
            Some((other, value)) => {
                Code::at(format!("(fun {name} {other} => {}) {} {}", body.text, argument.arg(), value.arg()), APPLY)
            }
            None if self.rng.chance(30) => {
                Code::at(format!("{} |> (fun {name} => {})", argument.under(6), body.text), 6)
            }
            None => Code::at(format!("(fun {name} => {}) {}", body.text, argument.arg()), APPLY),
        }
    }

    fn projected(&mut self, ty: &Ty, depth: usize) -> Code {
        let mut labels = self.labels(2);
        let label = labels.remove(0);
        let mut fields = vec![(label, ty.clone())];
        if self.rng.chance(50) {
            fields.push((labels.remove(0), self.ty(0, true)));
        }
        let record = self.record(&fields, depth - 1);
        let access =
            if !self.typed && self.rng.chance(15) { format!("\"%{{\"{label}\"}}\"") } else { label.to_string() };
        Code::atom(format!("{}.{access}", record.arg()))
    }

    fn projected_merge(&mut self, ty: &Ty, depth: usize) -> Code {
        match ty {
            Ty::Record(fields) => self.merged(fields, depth - 1),
            _ => {
                let labels = self.labels(2);
                let fields = [(labels[0], ty.clone()), (labels[1], self.ty(0, true))];
                let merged = self.merged(&fields, depth - 1);
                Code::atom(format!("{}.{}", merged.arg(), labels[0]))
            }
        }
    }

    /// Returns a binary operation with a precedence level. Operands have as few parentheses as associativity allows.
    fn binary(&mut self, operator: &str, level: u8, of: &Ty, depth: usize) -> Code {
        let left = self.expr(of, depth).under(level);
        let right = self.expr(of, depth).under(level - 1);
        Code::at(format!("{left} {operator} {right}"), level)
    }

    fn operator(&mut self, ty: &Ty, depth: usize) -> Code {
        match ty {
            Ty::Num => match self.rng.below(12) {
                0..=3 => self.binary("+", 4, ty, depth),
                4..=5 => self.binary("-", 4, ty, depth),
                6..=8 => self.binary("*", 3, ty, depth),
                9 => {
                    let left = self.expr(ty, depth).under(3);
                    Code::at(format!("{left} / {}", self.rng.pick(&["2", "3", "4", "0.5", "7"])), 3)
                }
                10 => {
                    let left = self.expr(ty, depth).under(3);
                    Code::at(format!("{left} % {}", self.rng.pick(&["2", "3", "1.5"])), 3)
                }
                _ => Code::at(format!("-{}", self.expr(ty, depth).under(0)), 1),
            },
            Ty::Str => self.binary("++", 2, ty, depth),
            Ty::Array(_) => self.binary("@", 2, ty, depth),
            Ty::Bool => match self.rng.below(9) {
                0..=1 => self.binary("&&", 9, ty, depth),
                2..=3 => self.binary("||", 10, ty, depth),
                4 => Code::at(format!("!{}", self.expr(ty, depth).under(1)), 5),
                5..=6 => {
                    let operator = *self.rng.pick(&["<", "<=", ">", ">="]);
                    self.binary(operator, 7, &Ty::Num, depth)
                }
                _ => {
                    let of = if self.typed { Ty::Num } else { self.ty(1, true) };
                    let operator = *self.rng.pick(&["==", "!="]);
                    self.binary(operator, 8, &of, depth)
                }
            },
            _ => self.literal(ty, depth),
        }
    }
}
