//! Parses printed types and checks JSON values against them. Independent of the core on purpose.

use serde_json::Value;

/// A printed type.
#[derive(Clone, PartialEq, Debug)]
pub enum Printed {
    /// `Number`
    Number,
    /// `String`
    String,
    /// `Bool`
    Bool,
    /// The type of `null`.
    Null,
    /// `Array T`
    Array(Box<Printed>),
    /// `{ … }`: name, mark (`!`, `?` or a blank) and type of each field; then the type of all other fields, if there
    /// may be any.
    Record(Vec<(String, char, Printed)>, Option<Box<Printed>>),
    /// `[| 'A, 'B T |]`, and whether it is open.
    Enum(Vec<String>, bool),
    /// `A | B`
    Union(Vec<Printed>),
    /// `Dyn` or a variable: any value.
    Any,
    /// A function, which is not data.
    Function,
}

/// Parses a printed type; `None` if it is not understood.
pub fn read(text: &str) -> Option<Printed> {
    let body = match text.trim().strip_prefix("forall ") {
        Some(rest) => rest.split_once(". ")?.1,
        None => text.trim(),
    };
    let body = body.split(" where ").next().unwrap_or(body);
    let mut reader = Reader { rest: body };
    let ty = reader.ty()?;
    reader.rest.trim().is_empty().then_some(ty)
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn eat(&mut self, token: &str) -> bool {
        match self.rest.trim_start().strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn word(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_start();
        if let Some(quoted) = rest.strip_prefix('"') {
            let (name, rest) = quoted.split_once('"')?;
            self.rest = rest;
            return Some(name);
        }
        let end = rest.find(|c: char| !c.is_alphanumeric() && !"_-'".contains(c)).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn ty(&mut self) -> Option<Printed> {
        let mut all = vec![self.application()?];
        loop {
            if self.eat("->") {
                self.ty()?;
                return Some(Printed::Function);
            }
            if self.rest.trim_start().starts_with("|]") || !self.eat("|") {
                break;
            }
            all.push(self.application()?);
        }
        if all.len() == 1 { all.pop() } else { Some(Printed::Union(all)) }
    }

    fn application(&mut self) -> Option<Printed> {
        if self.eat("Array ") {
            return Some(Printed::Array(Box::new(self.atom()?)));
        }
        self.atom()
    }

    fn atom(&mut self) -> Option<Printed> {
        if self.eat("(") {
            let ty = self.ty()?;
            return self.eat(")").then_some(ty);
        }
        if self.eat("[|") {
            return self.tags();
        }
        if self.eat("{") {
            return self.fields();
        }
        Some(match self.word()? {
            "Number" => Printed::Number,
            "String" => Printed::String,
            "Bool" => Printed::Bool,
            "Null" | "null" => Printed::Null,
            _ => Printed::Any,
        })
    }

    fn tags(&mut self) -> Option<Printed> {
        let mut tags = Vec::new();
        let mut open = false;
        while !self.eat("|]") {
            if self.eat(";") {
                open = true;
                self.word()?;
            } else if self.eat("'") {
                tags.push(self.word()?.to_string());
                let next = self.rest.trim_start();
                if !next.starts_with([',', ';', '|']) {
                    self.atom()?;
                }
            } else if !self.eat(",") {
                return None;
            }
        }
        Some(Printed::Enum(tags, open))
    }

    fn fields(&mut self) -> Option<Printed> {
        let mut fields = Vec::new();
        let mut others = None;
        while !self.eat("}") {
            if self.eat("..") {
                others = Some(Box::new(Printed::Any));
            } else if self.eat(";") {
                self.word()?;
                others = Some(Box::new(Printed::Any));
            } else if !self.eat(",") {
                let name = self.word()?.to_string();
                let mark = if self.eat("!") {
                    '!'
                } else if self.eat("?") {
                    '?'
                } else {
                    ' '
                };
                if !self.eat(":") && !self.eat("|") {
                    return None;
                }
                let ty = self.ty()?;
                if name == "_" {
                    others = Some(Box::new(ty));
                } else {
                    fields.push((name, mark, ty));
                }
            }
        }
        Some(Printed::Record(fields, others))
    }
}

impl Printed {
    /// Reports whether an exported value has this type.
    pub fn has(&self, value: &Value) -> bool {
        match (self, value) {
            (Printed::Any, _)
            | (Printed::Number, Value::Number(_))
            | (Printed::String, Value::String(_))
            | (Printed::Bool, Value::Bool(_))
            | (Printed::Null, Value::Null) => true,
            (Printed::Array(item), Value::Array(all)) => all.iter().all(|value| item.has(value)),
            (Printed::Enum(tags, open), Value::String(tag)) => *open || tags.contains(tag),
            (Printed::Union(all), value) => all.iter().any(|ty| ty.has(value)),
            (Printed::Record(fields, others), Value::Object(object)) => {
                let known = fields.iter().all(|(name, mark, ty)| match object.get(name) {
                    Some(value) => ty.has(value),
                    None => *mark == '?',
                });
                known
                    && object.iter().all(|(name, value)| {
                        fields.iter().any(|(field, ..)| field == name)
                            || others.as_ref().is_some_and(|ty| ty.has(value))
                    })
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_value_is_of_its_type_and_of_no_other() {
        let ty = read("{ a : Array Number, b? : [| 'A, 'B |], c : { _ : String } }").expect("a type");
        assert!(ty.has(&serde_json::json!({ "a": [1], "c": { "x": "y" } })));
        assert!(ty.has(&serde_json::json!({ "a": [], "b": "B", "c": {} })));
        assert!(!ty.has(&serde_json::json!({ "a": ["1"], "c": {} })));
        assert!(!ty.has(&serde_json::json!({ "a": [], "c": {}, "d": 1 })));
        assert!(!ty.has(&serde_json::json!({ "a": [] })));
        assert!(read("{ a : Number | String }").expect("a union").has(&serde_json::json!({ "a": "x" })));
    }
}
