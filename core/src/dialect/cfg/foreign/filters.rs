//! Filters of jq and yq: `r | .a`, `.xs[] | .id`, `map(.a)`, and `keys` alone.

use super::super::words;
use super::{Place, REPEATED, first_word, is_of_word, is_word, short};

/// Returns advice about a filter. Only a line that is nothing else is translated.
pub(super) fn advice(place: &Place<'_>) -> Option<String> {
    if !place.is_only_line() {
        return None;
    }
    let line = place.line();
    if place.is_unbound {
        // `keys` alone, `r | to_entries`, `has("a")`
        if line == place.sign {
            return words::filter(place.sign).map(|own| {
                let argument = match own {
                    own if own.starts_with("std.array") => "xs",
                    own if own.starts_with("std.string") => "text",
                    _ => "record",
                };
                format!("write `{own} {argument}`: a function is applied to its argument")
            });
        }
        let is_piped =
            place.line_before().trim_end().ends_with('|') || (place.is_first() && place.after.starts_with('('));
        return if is_piped && (call(&line).is_some_and(|(name, _)| name == place.sign) || line.contains('|')) {
            translated(&line)
        } else {
            None
        };
    }
    let before = place.line_before().trim_end();
    if place.sign.starts_with('.') && before.is_empty() {
        if let Some(advice) = update(&line) {
            return Some(advice);
        }
        return if line.contains(['|', '[', '(']) { translated(&line) } else { None };
    }
    let begins = place.sign.starts_with('.') && before.ends_with(['|', '(', '=', '>', '<', '+']) || place.sign == "]";
    let is_filter = begins && line.contains(['.', '|']) && place.sign != "]";
    let general = "write `record.name` for a field, and `std.array.map (fun x => x.name) xs` for that of each element";
    match begins && line.contains(['.', '|']) {
        true => translated(&line).or_else(|| is_filter.then(|| String::from(general))),
        false => None,
    }
}

/// Returns the advice about `.a = 1` and `.a |= 1`.
fn update(line: &str) -> Option<String> {
    if let Some((path, default)) = line.strip_prefix('.').and_then(|rest| rest.split_once(" // ")) {
        let (record, field) = path.rsplit_once('.').unwrap_or(("record", path));
        return (is_word(field) && short(default).is_some()).then(|| {
            format!("write `std.record.get_or \"{field}\" {default} {record}` for a field that may be missing")
        });
    }
    let (path, value) = line.strip_prefix('.')?.split_once('=')?;
    let path = path.trim_end().trim_end_matches(['|', '+', '-', '*', '/']).trim_end();
    let is_path = path.split('.').all(is_word);
    (is_path && !value.starts_with('='))
        .then(|| format!("write `record & {{ {path} | force = … }}`: a record is changed by merging another one"))
}

/// Writes a filter as an expression.
fn translated(line: &str) -> Option<String> {
    let mut value = Value { base: None, item: None };
    for (index, stage) in stages(line)?.into_iter().enumerate() {
        value.stage(stage, index == 0)?;
    }
    let expression = value.finished()?;
    (expression.len() <= 2 * REPEATED).then(|| format!("write `{expression}`"))
}

/// Splits a filter at its pipes. `None` if it has other operators with this sign.
fn stages(line: &str) -> Option<Vec<&str>> {
    if line.contains("|>") || line.contains("||") || line.contains("|=") {
        return None;
    }
    let (mut open, mut start, mut all) = (0i32, 0, Vec::new());
    let mut in_text = false;
    for (at, c) in line.char_indices() {
        match c {
            '"' => in_text = !in_text,
            _ if in_text => {}
            '(' | '[' => open += 1,
            ')' | ']' => open -= 1,
            '|' if open == 0 => {
                all.push(line.get(start..at)?.trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    all.push(line.get(start..)?.trim());
    (open == 0).then_some(all)
}

/// The value of the stages that were read.
struct Value {
    /// The expression. `None` at the beginning.
    base: Option<String>,
    /// After `[]`: the expression of one element, `x`.
    item: Option<String>,
}

impl Value {
    fn stage(&mut self, stage: &str, is_first: bool) -> Option<()> {
        if stage == "." {
            return Some(());
        }
        if stage.starts_with('.') && stage.chars().all(|c| is_of_word(c) || matches!(c, '.' | '[' | ']')) {
            return self.path(stage, is_first);
        }
        if let Some((name, argument)) = call(stage) {
            return self.call(name, argument);
        }
        let name = first_word(stage);
        if is_first {
            self.base = Some(is_word(name).then(|| String::from(name))?);
            return self.path(stage.get(name.len()..)?, false);
        }
        if stage == "add" {
            self.apply(|xs| format!("std.array.fold_left (fun a b => a + b) 0 {xs}"), "xs");
            return Some(());
        }
        if name == stage && is_word(name) {
            let function = words::filter(name)?;
            self.apply(|argument| format!("{function} {argument}"), "record");
            return Some(());
        }
        // `. + 1`
        let body = closure(stage)?;
        match &mut self.item {
            Some(item) if item == "x" => *item = body,
            _ => return None,
        }
        Some(())
    }

    /// Applies a function to the value, or to each element.
    fn apply(&mut self, function: impl Fn(&str) -> String, of: &str) {
        match &mut self.item {
            Some(item) => *item = function(&argument(item)),
            None => self.base = Some(function(&argument(self.base.as_deref().unwrap_or(of)))),
        }
    }

    /// Reads `.a.b[0].c[]`.
    fn path(&mut self, path: &str, is_root: bool) -> Option<()> {
        let mut rest = path;
        let mut is_root = is_root;
        while !rest.is_empty() {
            if let Some(inner) = rest.strip_prefix('[').or(rest.strip_prefix(".[")) {
                let (index, after) = inner.split_once(']')?;
                rest = after;
                if index.is_empty() {
                    if self.item.is_some() {
                        return None;
                    }
                    self.item = Some(String::from("x"));
                } else if index.chars().all(|c| c.is_ascii_digit()) {
                    self.base.as_ref()?;
                    self.apply(|array| format!("std.array.at {index} {array}"), "xs");
                } else {
                    return None;
                }
                continue;
            }
            let name = first_word(rest.strip_prefix('.')?);
            rest = rest.get(1 + name.len()..)?;
            if !is_word(name) {
                return None;
            }
            match (&mut self.item, &mut self.base) {
                (Some(item), _) => *item = format!("{}.{name}", argument(item)),
                (None, Some(base)) => *base = format!("{}.{name}", argument(base)),
                (None, None) if is_root => self.base = Some(String::from(name)),
                (None, None) => return None,
            }
            is_root = false;
        }
        Some(())
    }

    /// Applies a function with an argument: `map(.a)`.
    fn call(&mut self, name: &str, inner: &str) -> Option<()> {
        let is_text = inner.len() > 2 && inner.starts_with('"') && inner.ends_with('"');
        match name {
            "map" | "select" | "all" | "any" => {
                let body = closure(inner)?;
                if name == "select" && self.item.as_deref() == Some("x") {
                    let base = argument(self.base.as_deref().unwrap_or("xs"));
                    self.base = Some(format!("std.array.filter (fun x => {body}) {base}"));
                    return Some(());
                }
                let function = if name == "select" { "filter" } else { name };
                self.apply(|xs| format!("std.array.{function} (fun x => {body}) {xs}"), "xs");
            }
            "has" if is_text => self.apply(|record| format!("std.record.has_field {inner} {record}"), "record"),
            "join" if is_text => self.apply(|xs| format!("std.string.join {inner} {xs}"), "xs"),
            "split" if is_text => self.apply(|text| format!("std.string.split {inner} {text}"), "text"),
            "del" => {
                let field = inner.strip_prefix('.').filter(|field| is_word(field))?;
                self.apply(|record| format!("std.record.remove \"{field}\" {record}"), "record");
            }
            "with_entries" => self.apply(|record| format!("std.record.map (fun name value => …) {record}"), "record"),
            _ => return None,
        }
        Some(())
    }

    fn finished(self) -> Option<String> {
        match (self.base, self.item.filter(|item| item != "x")) {
            (base, None) => base,
            (base, Some(item)) => Some(format!("std.array.map (fun x => {item}) {}", argument(&base?))),
        }
    }
}

/// Writes an expression as an argument.
fn argument(expression: &str) -> String {
    if expression.contains(' ') { format!("({expression})") } else { String::from(expression) }
}

/// Splits `map(.a)` into the name and the argument.
fn call(stage: &str) -> Option<(&str, &str)> {
    let (name, inner) = stage.strip_suffix(')')?.split_once('(')?;
    (is_word(name) && short(inner).is_some()).then_some((name, inner.trim()))
}

/// Writes the body of a closure, in which the argument is a dot: `.a + 1` → `x.a + 1`.
fn closure(body: &str) -> Option<String> {
    if body.contains(['|', '[', '"', '{']) && !body.contains("== \"") {
        return None;
    }
    let (mut out, mut last) = (String::new(), ' ');
    let mut chars = body.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '.' && !is_of_word(last) && !matches!(last, ')' | ']' | '"') {
            match chars.peek() {
                Some(next) if next.is_ascii_digit() || *next == '.' => return None,
                Some(next) if next.is_ascii_alphabetic() => out.push_str("x."),
                _ => out.push('x'),
            }
        } else {
            out.push(c);
        }
        last = c;
    }
    out.contains('x').then(|| out.replace(" and ", " && ").replace(" or ", " || "))
}
