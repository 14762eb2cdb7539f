//! Programs as configurations are written: a record with contracts, defaults and fields that read other fields, combined with
//! overrides, through functions and record types. Some definitions and uses are of a wrong type.

use super::Rng;

/// The content of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    String,
    Bool,
    Tag,
    Array,
    Record,
    Function,
}

const KINDS: [Kind; 7] = [Kind::Number, Kind::String, Kind::Bool, Kind::Tag, Kind::Array, Kind::Record, Kind::Function];

struct Generator {
    rng: Rng,
    /// Percentage of definitions and uses of a wrong type.
    faults: usize,
}

/// Returns the program of a seed, always the same text. About one in three has no fault on purpose.
pub fn configuration(seed: u64) -> String {
    let mut rng = Rng::new(seed ^ 0x636f_6e66);
    let faults = *rng.pick(&[0, 4, 12]);
    Generator { rng, faults }.program()
}

impl Generator {
    fn kind(&mut self) -> Kind {
        KINDS[self.rng.weighted(&[6, 5, 3, 4, 5, 5, 3])]
    }

    /// Returns the kind, or another one if this is to be a fault.
    fn or_other(&mut self, kind: Kind) -> Kind {
        if self.rng.chance(self.faults) { self.kind() } else { kind }
    }

    fn literal(&mut self, kind: Kind) -> String {
        let kind = self.or_other(kind);
        let all: &[&str] = match kind {
            Kind::Number => &["0", "1", "7", "8080"],
            Kind::String => &["\"\"", "\"a\"", "\"x y\""],
            Kind::Bool => &["true", "false"],
            Kind::Tag => &["'A", "'B", "'A", "'B", "'C"],
            Kind::Array => &["[]", "[1]", "[1, 2]", "[0, 3, 5]"],
            Kind::Record => &["{ u = 1, v = \"s\" }", "{ u = 0, v = \"\" }", "{ u | default = 2, v = \"t\" }"],
            Kind::Function => &["(fun x => x)", "(fun x => x + 1)", "(fun _x => 3)"],
        };
        let text = *self.rng.pick(all);
        if self.rng.chance(8) { format!("(let z = {text} in z)") } else { String::from(text) }
    }

    fn contract(&mut self, kind: Kind) -> &'static str {
        let kind = self.or_other(kind);
        let all: &[&str] = match kind {
            Kind::Number => &["Number", "Number", "Dyn"],
            Kind::String => &["String", "String", "Dyn"],
            Kind::Bool => &["Bool"],
            Kind::Tag => &["[| 'A, 'B, 'C |]", "[| 'A, 'B |]", "std.enum.Tag"],
            Kind::Array => &["Array Number", "Array Number", "Array Dyn"],
            Kind::Record => {
                &["{ u : Number, v : String }", "{ u | Number, .. }", "{ u | Number, v | String }", "{ _ : Dyn }"]
            }
            Kind::Function => &["Number -> Number", "Dyn"],
        };
        self.rng.pick::<&str>(all)
    }

    /// Returns an expression that uses a value of a kind, and the kind of its result if that is certain.
    fn reader(&mut self, kind: Kind, of: &str) -> (String, Option<Kind>) {
        if self.rng.chance(18) {
            let other = self.literal(kind);
            return match self.rng.below(7) {
                0 => (format!("[{of}]"), None),
                1 => (format!("{{ q = {of} }}.q"), Some(kind)),
                2 => (format!("(if std.is_number {of} then {of} + 1 else 0)"), Some(Kind::Number)),
                3 => (format!("(if true then {of} else {other})"), Some(kind)),
                4 => (format!("(fun y => y) {of}"), Some(kind)),
                5 => (format!("(let y = {of} in y)"), Some(kind)),
                _ => (format!("(std.array.at 0 [{of}, {other}])"), Some(kind)),
            };
        }
        let kind = self.or_other(kind);
        let all: &[(&str, Option<Kind>)] = match kind {
            Kind::Number => &[
                ("($ + 1)", Some(Kind::Number)),
                ("(std.number.abs $)", Some(Kind::Number)),
                ("\"%{std.to_string $}\"", Some(Kind::String)),
                ("($ < 3)", Some(Kind::Bool)),
                ("($ |> match { 0 => \"none\", _ => \"some\" })", Some(Kind::String)),
            ],
            Kind::String => &[
                ("($ ++ \"x\")", Some(Kind::String)),
                ("\"%{$}/y\"", Some(Kind::String)),
                ("(std.string.length $)", Some(Kind::Number)),
            ],
            Kind::Bool => &[
                ("(if $ then 1 else 2)", Some(Kind::Number)),
                ("(!$)", Some(Kind::Bool)),
                ("($ && true)", Some(Kind::Bool)),
                ("($ |> match { true => 'A, false => 'B })", Some(Kind::Tag)),
            ],
            Kind::Tag => &[
                ("($ |> match { 'A => 1, 'B => 2, 'C => 3 })", Some(Kind::Number)),
                ("($ |> match { 'A => 1, 'B => 2 })", Some(Kind::Number)),
                ("($ |> match { 'A => \"a\", _ => \"other\" })", Some(Kind::String)),
                ("({ t = $, w = 1 } |> match { { t = 'A, .. } => 1, { t = 'B, w } => w })", Some(Kind::Number)),
                ("($ == 'A)", Some(Kind::Bool)),
            ],
            Kind::Array => &[
                ("(std.array.length $)", Some(Kind::Number)),
                ("(std.array.map (fun e => e + 1) $)", Some(Kind::Array)),
                ("([9] @ $)", Some(Kind::Array)),
                ("($ |> match { [] => 0, [e, ..] => e })", Some(Kind::Number)),
                ("(std.array.fold_left (fun a e => a + e) 0 $)", Some(Kind::Number)),
            ],
            Kind::Record => &[
                ("($.u + 1)", Some(Kind::Number)),
                ("$.v", Some(Kind::String)),
                ("($ & { u | force = 3 })", Some(Kind::Record)),
                ("(let { u, .. } = $ in u)", Some(Kind::Number)),
                ("((fun { u, w ? 1, .. } => u + w) $)", Some(Kind::Number)),
                ("(std.record.get \"u\" $)", Some(Kind::Number)),
                ("(std.record.values (std.record.map (fun _k e => std.to_string e) $))", None),
                ("(std.record.has_field \"u\" $)", Some(Kind::Bool)),
            ],
            Kind::Function => &[
                ("($ 1)", Some(Kind::Number)),
                ("(std.array.map $ [1, 2])", Some(Kind::Array)),
                ("($ ($ 2))", Some(Kind::Number)),
            ],
        };
        let (text, result) = *self.rng.pick(all);
        (text.replace('$', of), result)
    }

    fn priority(&mut self, default: usize) -> &'static str {
        match self.rng.weighted(&[4, default, 1, 1]) {
            0 => "",
            1 => " | default",
            2 => " | force",
            _ => " | priority 2",
        }
    }

    fn field(&mut self, name: &str, kind: Kind, base: bool) -> String {
        let mut meta = String::new();
        if self.rng.chance(if base { 45 } else { 10 }) {
            let contract = self.contract(kind);
            meta.push_str(&format!(" | {contract}"));
            if base && self.rng.chance(12) {
                return format!("{name}{meta}{}", if self.rng.chance(40) { " | optional" } else { "" });
            }
        }
        meta.push_str(self.priority(if base { 6 } else { 1 }));
        if kind == Kind::Function {
            meta.push_str(" | not_exported");
        }
        format!("{name}{meta} = {}", self.literal(kind))
    }

    fn program(&mut self) -> String {
        let count = 2 + self.rng.below(4);
        let fields: Vec<(String, Kind)> = (0..count).map(|i| (format!("f{i}"), self.kind())).collect();
        let mut all: Vec<String> = fields.iter().map(|(name, kind)| self.field(name, *kind, true)).collect();
        let mut read = Vec::new();
        for i in 0..1 + self.rng.below(4) {
            let (name, kind) = self.rng.pick(&fields).clone();
            let (text, result) = self.reader(kind, &name);
            all.push(format!("r{i} = {text}"));
            read.push((format!("r{i}"), result));
        }
        self.rng.shuffle(&mut all);
        let base = format!("{{ {} }}", all.join(", "));
        let mut over = Vec::new();
        for (name, kind) in &fields {
            if self.rng.chance(45) {
                over.push(self.field(name, *kind, false));
            }
        }
        let over = format!("{{ {} }}", over.join(", "));
        let combined = match self.rng.below(7) {
            0 => String::from("base & over"),
            1 => String::from("over & base"),
            2 => format!("(fun r => {base} & r) over"),
            3 => String::from("(fun r s => r & s) base over"),
            4 => {
                let (name, kind) = self.rng.pick(&fields).clone();
                let contract = self.contract(kind);
                format!("(base & over | {{ {name} : {contract}; Dyn }})")
            }
            5 => {
                let (name, kind) = self.rng.pick(&fields).clone();
                let contract = self.contract(kind);
                format!("(base | {{ {name} | {contract}, .. }}) & over")
            }
            _ => String::from("std.record.merge_all [base, over]"),
        };
        let shown = match self.rng.below(6) {
            0 | 1 => String::from("all"),
            2 => {
                let (name, _) = self.rng.pick(&read).clone();
                format!("all.{name}")
            }
            3 => {
                let (name, result) = self.rng.pick(&read).clone();
                let of = format!("all.{name}");
                match result {
                    Some(kind) => self.reader(kind, &of).0,
                    None => of,
                }
            }
            4 => {
                let (name, kind) = self.rng.pick(&fields).clone();
                self.reader(kind, &format!("all.{name}")).0
            }
            _ => {
                let (name, kind) = self.rng.pick(&fields).clone();
                let default = self.literal(kind);
                let text = self.reader(kind, &name).0;
                format!("(fun {{ {name} ? {default}, .. }} => {text}) {}", self.rng.pick(&["base", "over", "all"]))
            }
        };
        format!("let base = {base} in\nlet over = {over} in\nlet all = {combined} in\n{shown}")
    }
}
