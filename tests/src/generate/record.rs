//! Records: literals with fields whole or in pieces, and merges of several blocks.

use super::{Code, Generator, LOW, Ty};

type Fields = [(&'static str, Ty)];

/// A block of a merge: its definitions, and the fields that these refer to.
#[derive(Default)]
struct Block {
    pieces: Vec<String>,
    defined: Vec<&'static str>,
    needed: Vec<&'static str>,
}

impl Generator {
    /// Runs `body` inside a record with `fields`, of which `open` may be referred to.
    fn inside<T>(&mut self, fields: &Fields, open: &Fields, body: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.scope.clone();
        self.scope.retain(|(name, _)| fields.iter().all(|(label, _)| label != name));
        if !self.typed {
            self.scope.extend(open.iter().map(|(label, ty)| (label.to_string(), ty.clone())));
        }
        let out = body(self);
        self.scope = before;
        out
    }

    /// Returns a record literal with exactly these fields, all defined. Later fields may refer to earlier ones.
    pub(super) fn record(&mut self, fields: &Fields, depth: usize) -> Code {
        let inner = depth.saturating_sub(1);
        let mut pieces = Vec::new();
        for (at, (label, ty)) in fields.iter().enumerate() {
            // occasionally a field can refer to later ones too, because order does not matter; cycles must be detected
            let open = if self.rng.chance(3) { fields } else { &fields[..at] };
            self.inside(fields, open, |g| g.definition(label, ty, "", inner, &mut pieces));
        }
        if self.rng.chance(25) {
            self.rng.shuffle(&mut pieces);
        }
        Code::atom(format!("{{ {} }}", pieces.join(", ")))
    }

    /// Writes the definition of a field: whole, or in pieces if its value is a record.
    fn definition(&mut self, label: &str, ty: &Ty, meta: &str, depth: usize, out: &mut Vec<String>) {
        match ty {
            Ty::Record(parts) if !self.typed && meta.is_empty() && self.rng.chance(35) => {
                // the pieces of a path are not in scope
                for (part, of) in parts {
                    let body = self.expr(of, depth);
                    out.push(format!("{label}.{part} = {}", body.text));
                }
            }
            _ => {
                let body = self.expr(ty, depth);
                let name = match self.rng.below(30) {
                    0 => format!("\"{label}\""),
                    _ => label.to_string(),
                };
                let extra = if self.typed { String::new() } else { self.metadata(ty) };
                out.push(format!("{name}{meta}{extra} = {}", body.text));
            }
        }
    }

    /// Returns metadata that does not change the value.
    fn metadata(&mut self, ty: &Ty) -> String {
        match self.rng.below(24) {
            0 => " | doc \"Some words.\"".into(),
            1 => format!(" | {}", ty.text()),
            2 if ty.is_data() => format!(" | {}", self.contract(ty)),
            3 => " | default".into(),
            4 => " | priority 3".into(),
            5 => " | optional".into(),
            _ => String::new(),
        }
    }

    /// Returns a record with these fields, as a merge of two to four blocks.
    pub(super) fn merged(&mut self, fields: &Fields, depth: usize) -> Code {
        let count = 2 + self.rng.weighted(&[5, 3, 1]);
        let mut blocks: Vec<Block> = (0..count).map(|_| Block::default()).collect();
        for (at, (label, ty)) in fields.iter().enumerate() {
            self.spread(fields, at, label, ty, depth.saturating_sub(1), &mut blocks);
        }
        let mut texts: Vec<Code> = blocks.into_iter().map(|block| self.block(block, fields)).collect();
        self.rng.shuffle(&mut texts);
        self.associated(texts, depth)
    }

    /// Defines a field in one or more blocks, so that one definition wins or all are combined.
    fn spread(&mut self, fields: &Fields, at: usize, label: &'static str, ty: &Ty, depth: usize, blocks: &mut [Block]) {
        let mut order: Vec<usize> = (0..blocks.len()).collect();
        self.rng.shuffle(&mut order);
        match (ty, self.rng.below(10)) {
            // Records are combined, with each part in a separate block.
            (Ty::Record(parts), 0..=6) => {
                for (part_at, (part, of)) in parts.iter().enumerate() {
                    let block = &mut blocks[order[part_at % order.len()]];
                    let path = self.rng.chance(60);
                    let body = self.referring(fields, at, block, label, |g| match path {
                        true => g.expr(of, depth),
                        false => g.inside(parts, &[], |g| g.expr(of, depth)),
                    });
                    let priority = *self.rng.pick(&["", "", "", " | default", " | force"]);
                    if path {
                        block.pieces.push(format!("{label}.{part}{priority} = {body}"));
                    } else {
                        block.pieces.push(format!("{label} = {{ {part}{priority} = {body} }}"));
                    }
                }
            }
            // Two equal values merge to that value.
            (Ty::Num | Ty::Str | Ty::Bool, 0..=1) => {
                let body = self.literal(ty, 0).text;
                for index in &order[..2] {
                    blocks[*index].pieces.push(format!("{label} = {body}"));
                    blocks[*index].defined.push(label);
                }
            }
            // Two definitions with the same priority, in most cases a conflict.
            (_, 9) if self.rng.chance(8) => {
                for index in &order[..2] {
                    let block = &mut blocks[*index];
                    let body = self.referring(fields, at, block, label, |g| g.expr(ty, depth));
                    block.pieces.push(format!("{label} = {body}"));
                }
            }
            // Declared but never defined.
            (_, 8) if self.rng.chance(4) => {
                blocks[order[0]].pieces.push(format!("{label} | {}", ty.text()));
                blocks[order[0]].defined.push(label);
            }
            // One definition wins by its priority.
            (_, 2..=6) => {
                let ladder = [" | default", " | priority -1", "", " | priority 1", " | priority 2.5", " | force"];
                let mut rung = self.rng.below(3);
                for index in order {
                    if rung >= ladder.len() || (rung > 2 && self.rng.chance(50)) {
                        break;
                    }
                    let block = &mut blocks[index];
                    let body = self.referring(fields, at, block, label, |g| g.expr(ty, depth));
                    let contract = if self.rng.chance(15) { format!(" | {}", ty.text()) } else { String::new() };
                    block.pieces.push(format!("{label}{contract}{} = {body}", ladder[rung]));
                    rung += 1 + self.rng.below(2);
                }
            }
            // One definition, and perhaps a declaration in another block.
            _ => {
                let block = &mut blocks[order[0]];
                let body = self.referring(fields, at, block, label, |g| g.expr(ty, depth));
                let priority = *self.rng.pick(&["", "", "", " | default", " | force", " | optional", " | doc \"d\""]);
                block.pieces.push(format!("{label}{priority} = {body}"));
                if self.rng.chance(20) {
                    let contract = if ty.is_data() && self.rng.chance(40) { self.contract(ty) } else { ty.text() };
                    blocks[order[1]].pieces.push(format!("{label} | {contract}"));
                    blocks[order[1]].defined.push(label);
                }
            }
        }
    }

    /// Returns an expression in a block. It may refer to earlier fields, in whichever block they are defined.
    fn referring(
        &mut self,
        fields: &Fields,
        at: usize,
        block: &mut Block,
        label: &'static str,
        body: impl FnOnce(&mut Self) -> Code,
    ) -> String {
        let open: Vec<_> = fields[..at].iter().filter(|_| self.rng.chance(60)).cloned().collect();
        let text = self.inside(fields, &open, body).text;
        block.needed.extend(open.iter().map(|(name, _)| *name).filter(|name| text.contains(name)));
        block.defined.push(label);
        text
    }

    /// Returns the text of a block: its definitions, and declarations of the fields it refers to.
    fn block(&mut self, mut block: Block, fields: &Fields) -> Code {
        let mut needed = std::mem::take(&mut block.needed);
        needed.sort_unstable();
        needed.dedup();
        for name in needed {
            if !block.defined.contains(&name) && self.rng.chance(97) {
                let ty = fields.iter().find(|(label, _)| *label == name).map(|(_, ty)| ty.text());
                match ty {
                    Some(ty) if self.rng.chance(40) => block.pieces.push(format!("{name} | {ty}")),
                    _ => block.pieces.push(name.to_string()),
                }
            }
        }
        if self.rng.chance(40) {
            self.rng.shuffle(&mut block.pieces);
        }
        Code::atom(format!("{{ {} }}", block.pieces.join(", ")))
    }

    /// Merges several records in any associativity, perhaps through names, functions or the library.
    fn associated(&mut self, mut parts: Vec<Code>, depth: usize) -> Code {
        match self.rng.below(12) {
            0 if depth > 0 => {
                let items: Vec<_> = parts.iter().map(|part| part.text.clone()).collect();
                return Code::at(format!("std.record.merge_all [{}]", items.join(", ")), super::APPLY);
            }
            1 => {
                let items: Vec<_> = parts.iter().map(|part| part.text.clone()).collect();
                return Code::at(format!("std.array.fold_left (&) {{}} [{}]", items.join(", ")), super::APPLY);
            }
            2..=4 => {
                let mut lets = String::new();
                for part in &mut parts {
                    let name = self.fresh();
                    lets.push_str(&format!("let {name} = {} in ", part.text));
                    *part = Code::atom(name);
                }
                let merged = self.tree(parts);
                return Code::at(format!("{lets}{}", merged.text), LOW);
            }
            5 => {
                let last = parts.pop().unwrap_or_else(|| Code::atom("{}"));
                let rest = self.tree(parts);
                let name = self.fresh();
                return Code::at(format!("(fun {name} => {name} & {}) {}", rest.under(5), last.arg()), super::APPLY);
            }
            _ => {}
        }
        self.tree(parts)
    }

    fn tree(&mut self, mut parts: Vec<Code>) -> Code {
        while parts.len() > 1 {
            let at = self.rng.below(parts.len() - 1);
            let right = parts.remove(at + 1);
            let left = &parts[at];
            parts[at] = Code::at(format!("{} & {}", left.under(6), right.under(5)), 6);
        }
        parts.pop().unwrap_or_else(|| Code::atom("{}"))
    }
}
