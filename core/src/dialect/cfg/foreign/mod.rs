//! Advice about lines of other languages: what such a line is written as here.

mod filters;
mod names;
mod nix;
mod operators;
mod overrides;
mod statements;

use std::ops::Range;

/// Maximum length of a text that advice repeats, in bytes.
const REPEATED: usize = 60;

/// An error, and the text around it.
struct Place<'t> {
    /// Whether the error is that a name is not bound. Otherwise it is one of syntax.
    is_unbound: bool,
    /// The text before the error.
    before: &'t str,
    /// The text of the error: a name or a sign.
    sign: &'t str,
    /// The text after the error.
    after: &'t str,
}

impl<'t> Place<'t> {
    /// Returns the text of the line before the error.
    fn line_before(&self) -> &'t str {
        self.before.rsplit('\n').next().unwrap_or(self.before)
    }

    /// Returns the text of the line after the error.
    fn line_after(&self) -> &'t str {
        self.after.split('\n').next().unwrap_or(self.after)
    }

    /// Returns `true` if nothing of the line is before the error.
    fn is_first(&self) -> bool {
        self.line_before().trim().is_empty()
    }

    /// Returns `true` if the text has no other line.
    fn is_only_line(&self) -> bool {
        !self.before.trim_start().contains('\n') && !self.after.trim_end().contains('\n')
    }

    /// Returns the line of the error.
    fn line(&self) -> String {
        format!("{}{}{}", self.line_before(), self.sign, self.line_after()).trim().to_string()
    }
}

/// Returns advice about an error at a place, if what is written around it is of another language.
pub(super) fn advice(code: &str, text: &str, at: Range<usize>) -> Option<String> {
    let is_unbound = code == "scope/unbound";
    if !is_unbound && !code.starts_with("syntax/") {
        return None;
    }
    let (before, sign, after) = (text.get(..at.start)?, text.get(at.clone())?, text.get(at.end..)?);
    let place = Place { is_unbound, before, sign, after };
    overrides::advice(&place)
        .or_else(|| nix::advice(&place))
        .or_else(|| statements::advice(&place))
        .or_else(|| filters::advice(&place))
        .or_else(|| if is_unbound { names::advice(&place) } else { operators::advice(&place) })
}

/// Returns `true` if a text is a name.
fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && text.chars().all(is_of_word)
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '\'')
}

/// Returns the name with which a text begins. It may be empty.
fn first_word(text: &str) -> &str {
    text.get(..text.find(|c| !is_of_word(c)).unwrap_or(text.len())).unwrap_or_default()
}

/// Returns `true` if a text contains a name as a whole word.
fn contains_word(text: &str, word: &str) -> bool {
    text.split(|c| !is_of_word(c)).any(|part| part == word)
}

/// Returns a text that may be repeated in advice: it is short, and has its brackets in pairs.
fn short(text: &str) -> Option<&str> {
    let text = text.trim();
    let mut open = 0i32;
    for c in text.chars() {
        match c {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open -= 1,
            '\n' | '`' => return None,
            _ => {}
        }
        if open < 0 {
            return None;
        }
    }
    (open == 0 && !text.is_empty() && text.len() <= REPEATED).then_some(text)
}

/// Returns the beginning of a text, as far as the bracket that closes one before it, or the end of the line.
fn inside(text: &str) -> &str {
    let mut open = 0i32;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open -= 1,
            _ => {}
        }
        if open < 0 || c == '\n' {
            return text.get(..at).unwrap_or_default();
        }
    }
    text
}

/// Returns the expression with which a text ends, after a definition's `=`, a parameter's `=>` and a keyword: `let y = 1 == 2` →
/// `1 == 2`.
fn value_of(text: &str) -> &str {
    let text = text.trim();
    let starts = |at: usize| {
        let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default());
        !before.ends_with(['=', '!', '<', '>']) && !after.starts_with('=')
    };
    let sign = text.char_indices().rev().find(|(at, c)| *c == '=' && starts(*at)).map(|(at, _)| at);
    let mut value = sign.and_then(|at| text.get(at + 1..)).unwrap_or(text).trim_start_matches('>').trim();
    for keyword in ["in", "then", "else"] {
        if let Some((_, rest)) = format!(" {value}").rsplit_once(&format!(" {keyword} ")) {
            value = value.get(value.len() - rest.len()..).unwrap_or(value).trim();
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::advice;

    /// Returns the advice about the place that is marked in a text.
    fn about(code: &str, text: &str) -> String {
        let (before, rest) = text.split_once('«').unwrap();
        let (sign, after) = rest.split_once('»').unwrap();
        let whole = format!("{before}{sign}{after}");
        advice(code, &whole, before.len()..before.len() + sign.len()).unwrap_or_default()
    }

    #[test]
    fn a_line_of_another_language_has_its_equivalent() {
        for (text, expected) in [
            ("let a = 1; «in» a", "write `let a = 1 in a`: bindings are separated by commas"),
            ("let a = 1; b = 2; «in» a + b", "write `let a = 1, b = 2 in a + b`: bindings are separated by commas"),
            ("let inherit «(»r) a; in a", "write `let a = r.a in …`"),
            ("r | «.»a", "write `r.a`"),
            ("r | «.»a | keys", "write `std.record.fields r.a`"),
            ("«.»routes[] | .id", "write `std.array.map (fun x => x.id) routes`"),
            ("«.»routes[0].id", "write `(std.array.at 0 routes).id`"),
            ("xs | map(«.» + 1)", "write `std.array.map (fun x => x + 1) xs`"),
            ("select(«.»port == 80)", "write `std.array.filter (fun x => x.port == 80) xs`"),
            ("1 «if» p else 2", "write `if p then 1 else 2`"),
            ("y = 1 «if» p else 2", "write `if p then 1 else 2`"),
            ("p > 80 «?» 1 : 2", "write `if p > 80 then 1 else 2`"),
            ("{ debug = mode == \"dev\" «?» true : false,", "write `if mode == \"dev\" then true else false`"),
            ("let x = 1 != 1 «?» 1 : 2 in x", "write `if 1 != 1 then 1 else 2`"),
            ("f = fun x => x <= 1 «?» 1 : 2", "write `if x <= 1 then 1 else 2`"),
            ("if p then q «?» 1 : 2 else 3", "write `if q then 1 else 2`"),
            (
                "let f = { x, y «?» 2, ... }: x + y in f r",
                "write `fun { x, y ? 2, .. } => x + y`: a function begins with `fun`",
            ),
            ("let f = { x, «...» }: x in f r", "write `fun { x, .. } => x`: a function begins with `fun`"),
            ("fun { x, ..«.» } => x", "write `..` for further fields"),
            (
                "{\n  ..«.»base,\n  port = 443,\n}",
                "write `base & { port | force = 443 }`: `&` merges records, and `force` overrides a value",
            ),
            (
                "{ ..«.»a.b, c = [1,\n2] }",
                "write `a.b & { c | force = … }`: `&` merges records, and `force` overrides a value",
            ),
            ("{ ..«.»base }", "write `base & { name | force = … }`: `&` merges records, and `force` overrides a value"),
            ("{ tools = with pkgs; «[»git vim], a = 1 }", "write `pkgs.git` for a field of `pkgs`: there is no `with`"),
            (
                "n = std.array.length «$» names",
                "leave out the `$`: an argument follows its function, `f x`, and one that is a call is in parentheses",
            ),
            (
                "resource \"web\" {\n  image = \"nginx\"\n  «ports» = [80]",
                "write `{ resource.web = { a = 1, b = 2 } }`: a block is a field, and fields are separated by commas",
            ),
            ("r.a «?»? 80", "write `std.record.get_or \"a\" 80 r` for a field that may be missing"),
            ("(«+» 1)", "write `fun x => x + 1`: an operator has a value on both sides"),
            ("xs «!»! 0", "write `std.array.at 0 xs`"),
            ("[«..».xs, 4]", "write `xs @ […]`: `@` joins two arrays"),
            ("[1«..»5]", "write `std.array.range 1 6`: the end is not an element"),
            ("r.get(\"a\"«,» 1)", "write `std.record.get_or \"a\" 1 r` for a field that may be missing"),
            ("x :«:» Number", "write `x : Number`: a type comes after one `:`"),
            ("{ a:«:» 1 }", "write `a | not_exported = …` for a field that is not part of the output"),
            ("{ a «?»= 5 }", "write `a | default = …`: another value overrides it"),
            ("{ host = «default» \"a\" }", "write `host | default = …`: metadata comes before the `=`"),
            ("{ force «port» = 443 }", "write `port | force = …`: metadata comes after the name"),
            ("{ a | force «5» = 1 }", "write `| priority 5 = …`: `force` has no number"),
            (
                "{ name | doc \"the name\" «String» = \"web\" }",
                "write `| String`: each part of the metadata begins with `|`",
            ),
            ("x = y where «y» = 1", "write `let y = 1 in y`: a name is bound before it is used"),
            ("import «std.array»", "write `std.array`: the library needs no import"),
            ("import \"x.json\" «&» { a = 1 }", "write `(import \"x.json\") & …`: an import is in parentheses"),
            ("r with «b» = 2", "write `r & { b = … }`: a record is changed by merging another one"),
            ("f 1 2", ""),
        ] {
            if text.contains('«') {
                assert_eq!(about("syntax/unexpected", text), expected, "{text}");
            }
        }
    }

    #[test]
    fn a_name_of_another_language_has_its_equivalent() {
        for (text, expected) in [
            ("(«x»: x + 1)", "write `fun x => x + 1`"),
            ("«x»: y: x", "write `fun x => …`"),
            ("f = (g: «x»: x)", "write `fun x => x`"),
            ("«builtins».length xs", "write `std.array.length …`: the library is `std`"),
            ("«lib».mkForce 5", "write `{ a | force = 5 }`: a priority is metadata of a field"),
            ("«y» <- 5", "write `y = …`"),
            ("«case» p of 1 -> 2", "write `p |> match { pattern => e, … }`"),
            ("«resource» \"x\" \"b\" {", "write `resource.x.b = { … }` in a record: a block is a field"),
            ("x = «ferry».yaml", "write `import \"ferry.yaml\"`: the path of a file is in quotes"),
            ("x = «load» \"ferry.yaml\"", "write `import \"ferry.yaml\"`"),
            ("x = «open»(\"ferry.yaml\")", "write `import \"ferry.yaml\"`"),
            ("x = «hello»", ""),
            ("{ a | «override» = 1 }", "write `| force`: the value with it overrides the others"),
            ("{ a | «required», b = 1 }", "leave out this word: a field without `| optional` has to have a value"),
            ("a || «override»", ""),
            ("x = 1 -- «comment»", "a comment begins with `#`"),
            ("x = 7 «mod» 2", "write `7 % 2` for the remainder of a division"),
            ("x = n «div» 2", "write `std.number.truncate (n / 2)` for a division without its remainder"),
            ("{ x | String «or» Number = 1 }", "write `std.contract.any_of [String, Number]` for one of two contracts"),
            ("x = \"it's \"«quoted»\"\"", "a quote in a text is written `\\\"`"),
            ("{ x = «foo», y = 1 }", ""),
        ] {
            assert_eq!(about("scope/unbound", text), expected, "{text}");
        }
    }
}
