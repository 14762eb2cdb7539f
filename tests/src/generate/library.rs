//! Calls of the standard library, as templates, in which `%n` is replaced by a number, and so on.

use super::{APPLY, Code, Generator, Ty};

const NUMBER: &[&str] = &[
    "std.array.length %N",
    "std.array.length %S",
    "std.array.first %N",
    "std.array.last %N",
    "std.array.at 0 %N",
    "std.array.at_or %i %n %N",
    "std.array.fold_left (fun acc v => acc + v) 0 %N",
    "std.array.fold_right (fun v acc => v - acc) 1 %N",
    "std.array.reduce_left (fun p q => p * q) %N",
    "std.array.reduce_right (fun p q => p - q) %N",
    "std.string.length %s",
    "std.string.to_number \"12.5\"",
    "std.number.min %n %n",
    "std.number.max %n %n",
    "std.number.floor %n",
    "std.number.ceil %n",
    "std.number.abs %n",
    "std.number.truncate %n",
    "std.number.fract %n",
    "std.number.pow %i 2",
    "std.number.pow 2 %i",
    "std.record.length %d",
    "std.record.get \"a\" { a = %n, b = 2 }",
    "std.record.get_or \"zz\" %n %d",
    "std.function.id %n",
    "std.function.const %n %s",
    "std.function.flip (fun p q => p - q) %n %n",
    "std.function.compose %f %f %n",
    "std.function.first %n %s",
    "std.function.second %s %n",
    "std.function.pipe %n [%f, %f]",
    "std.record.values %d |> std.array.fold_left (+) 0",
    "std.seq %n %n",
    "std.deep_seq %N %n",
    "(std.array.fold_left (fun acc v => acc & v) {} [{ a = %n }, { b = 1 }]).a",
    "std.array.try_fold_left (fun acc v => if v < 1000 then 'Ok (acc + v) else 'Error acc) 0 %N |> match { 'Ok v => v, 'Error e => e }",
    "(std.string.find \"[0-9]+\" \"port 8080\").index",
    "std.number.sqrt 16",
    "std.number.log 8 2",
    "(+) %n %n",
    "std.array.fold_left (-) %n %N",
    "{ \"odd name\" = %n }.\"odd name\"",
    "(fun { a, b ? 2, .. } => a + b) { a = %n, c = 1 }",
    "(let { a = [p, ..q], .. } = { a = [%n, %n], z = 1 } in p + std.array.length q)",
    "{ a = { b = %n } }.a.b",
    "(%d & { aa = 1 }).aa",
    "std.array.at %i %N",
    "{ include std }.std.number.abs %n",
    "(import \"missing.json\").x",
];
const STRING: &[&str] = &[
    "std.string.join \", \" %S",
    "std.string.trim \"  %t \"",
    "std.string.uppercase %s",
    "std.string.lowercase %s",
    "std.string.replace \"o\" \"0\" %s",
    "std.string.replace_regex \"[a-f]+\" \"<$0>\" %s",
    "std.string.substring 0 1 \"%t\"",
    "std.string.from_number %n",
    "std.string.from %n",
    "std.string.from_bool %b",
    "std.string.from_enum 'Tag",
    "std.to_string %n",
    "std.array.first %S",
    "std.array.at_or 1 %s %S",
    "std.array.fold_left (fun acc v => acc ++ v) \"\" %S",
    "std.serialize 'Json %N",
    "std.serialize 'Json { k = %n }",
    "std.typeof %n |> std.string.from_enum",
    "(std.string.find \"[a-z]+\" \"12 ab\").matched",
    "std.hash 'Sha256 %s",
    "\"a\\u{e9}\\tb\"",
    "m%%\"x %{y} %%{%s}\"%%",
    "std.string.from 'Tag",
    "\"%{'Tag}%{%n}%{%s}\"",
    "'\"odd tag\" |> std.string.from_enum",
    "std.typeof %s |> std.to_string",
    "(fun { name, .. } => name) { name = %s, x = 1 }",
    "std.serialize 'Toml { k = %i, l = %S }",
    "std.serialize 'Yaml { k = %n, l = %s }",
];
const BOOL: &[&str] = &[
    "std.is_number %n",
    "std.is_string %n",
    "std.is_bool %b",
    "std.is_array %N",
    "std.is_record %d",
    "std.is_function %f",
    "std.is_enum 'Tag",
    "std.array.elem %n %N",
    "std.array.all %p %N",
    "std.array.any %p %N",
    "std.string.contains \"a\" %s",
    "std.string.is_match \"^[a-z]+$\" %s",
    "std.number.is_integer %n",
    "std.record.has_field \"a\" %d",
    "std.record.is_empty %d",
    "std.string.to_bool \"true\"",
    "std.enum.is_enum_tag 'Tag",
    "std.enum.is_enum_variant ('Tag 1)",
    "std.string.compare %s %s == 'Lesser",
    "std.number.compare %n %n == 'Equal",
    "std.array.compare std.number.compare %N %N == 'Greater",
    "[null, %n] == [null, %n]",
    "std.is_number null",
    "{ a = %n, b = 2 } == { b = 2, a = %n }",
    "(==) %s %s",
    "std.array.any (fun v => v == null) [%n, null]",
    "std.contract.Equal 1 |> std.is_record",
];
const NUMBERS: &[&str] = &[
    "std.array.map %f %N",
    "std.array.filter %p %N",
    "std.array.reverse %N",
    "std.array.concat %N %N",
    "std.array.prepend %n %N",
    "std.array.append %n %N",
    "std.array.drop_first %N",
    "std.array.drop_last %N",
    "std.array.flatten [%N, %N]",
    "std.array.flat_map (fun v => [v, %n]) %N",
    "std.array.generate %f %i",
    "std.array.range 0 %i",
    "std.array.range_step 0 %i 2",
    "std.array.replicate %i %n",
    "std.array.slice 0 1 %N",
    "std.array.sort std.number.compare %N",
    "std.array.intersperse 0 %N",
    "std.array.map_with_index (fun i v => i * v) %N",
    "std.array.zip_with (fun p q => p + q) %N %N",
    "std.record.values %d",
    "(std.array.partition %p %N).right",
    "(std.array.split_at 1 %N).left",
    "std.array.dedup %N",
    "std.array.dedup_sorted std.number.compare [1, 1, 2, %n]",
    "std.array.filter_map (fun v => if v > 1 then 'Some (v * 2) else 'None) %N",
    "std.array.sort_dedup std.number.compare %N",
];
const STRINGS: &[&str] = &[
    "std.array.map (fun v => \"<%{v}>\") %S",
    "std.array.map std.string.from_number %N",
    "std.string.split \" \" %s",
    "std.string.characters %s",
    "std.record.fields %d",
    "std.array.reverse %S",
    "std.array.sort std.string.compare %S",
    "(std.string.find_all \"[a-z]\" \"a1b2\") |> std.array.map (fun m => m.matched)",
    "std.array.intersperse \"-\" %S",
    "std.record.fields_with_opts { a | optional, b = %n }",
    "std.array.filter (fun v => v != \"a\") %S",
];
const NUMBER_DICT: &[&str] = &[
    "std.record.map (fun key v => v + 1) %d",
    "std.record.map_values %f %d",
    "std.record.filter (fun key v => v > 1) %d",
    "std.record.insert \"new\" %n %d",
    "std.record.remove \"a\" { a = %n, b = 2 }",
    "std.record.update \"a\" %n %d",
    "std.record.from_array [{ field = \"q\", value = %n }]",
    "std.record.merge_all [%d, { zz = %n }]",
    "std.record.freeze %d",
    "std.record.to_array %d |> std.record.from_array",
    "std.deserialize 'Json \"{\\\"a\\\": 1.5}\"",
    "std.record.update \"a\" %n { a = 1, b = a + 1 }",
    "std.record.insert_with_opts \"w\" %n %d",
    "std.record.remove_with_opts \"b\" { a = %n, b | optional }",
    "std.array.group (fun v => if v > 2 then \"big\" else \"small\") %N |> std.record.map_values std.array.length",
];

impl Generator {
    /// Returns a library call of a type, if there is one.
    pub(super) fn library(&mut self, ty: &Ty, depth: usize) -> Code {
        let number = Ty::Num;
        let templates = match ty {
            Ty::Num => NUMBER,
            Ty::Str => STRING,
            Ty::Bool => BOOL,
            Ty::Array(item) if **item == number => NUMBERS,
            Ty::Array(item) if **item == Ty::Str => STRINGS,
            Ty::Dict(item) if **item == number => NUMBER_DICT,
            _ => return self.literal(ty, depth),
        };
        let template = *self.rng.pick(templates);
        // Under `: T`, expressions that Nickel's type checker cannot type are omitted.
        if self.typed
            && ["dedup", "typeof", "serialize", "check", "merge", "&", "(+)", "==", "opts", "try_", "comp"]
                .iter()
                .any(|word| template.contains(word))
        {
            return self.literal(ty, depth);
        }
        let level = if template.contains("|>") {
            6
        } else if template.contains("==") {
            8
        } else {
            APPLY
        };
        Code::at(self.fill(template, depth), level)
    }

    fn fill(&mut self, template: &str, depth: usize) -> String {
        let inner = depth.saturating_sub(1);
        let numbers = Ty::Array(Box::new(Ty::Num));
        let mut out = String::new();
        let mut rest = template;
        while let Some(at) = rest.find('%') {
            out.push_str(&rest[..at]);
            let hole = rest[at + 1..].chars().next().unwrap_or(' ');
            rest = &rest[at + 1 + hole.len_utf8()..];
            match hole {
                'n' => out.push_str(&self.expr(&Ty::Num, inner).arg()),
                'i' => out.push_str(self.rng.pick::<&str>(&["0", "1", "2", "3", "5"])),
                's' => out.push_str(&self.expr(&Ty::Str, inner).arg()),
                't' => out.push_str(self.rng.pick::<&str>(&["word", "two words", "é", "x"])),
                'b' => out.push_str(&self.expr(&Ty::Bool, inner).arg()),
                'N' => out.push_str(&self.filled(&numbers, inner)),
                'S' => out.push_str(&self.filled(&Ty::Array(Box::new(Ty::Str)), inner)),
                'd' => out.push_str(&self.expr(&Ty::Dict(Box::new(Ty::Num)), inner).arg()),
                'f' => out.push_str(self.rng.pick::<&str>(&[
                    "(fun n => n + 1)",
                    "(fun n => n * 2)",
                    "((+) 10)",
                    "std.function.id",
                    "(fun n => 0 - n)",
                ])),
                'p' => out.push_str(self.rng.pick::<&str>(&["(fun n => n > 1)", "(fun n => n % 2 == 0)", "((<) 2)"])),
                other => {
                    out.push('%');
                    out.push(other);
                }
            }
        }
        out.push_str(rest);
        out
    }

    /// Returns an array, which is rarely empty.
    fn filled(&mut self, ty: &Ty, depth: usize) -> String {
        let text = self.expr(ty, depth).arg();
        match (ty, text.as_str()) {
            (Ty::Array(item), "[]") if self.rng.chance(80) => format!("[{}]", self.literal(item, 0).text),
            _ => text,
        }
    }
}
