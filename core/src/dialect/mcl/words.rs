//! The words that can follow at the cursor: kinds of resources, their fields, meta parameters, edges, constants, variables, functions,
//! classes and modules. The place is found in the tokens, since the text around the cursor is rarely complete.

use super::kinds::{Constant, Kinds};
use super::library::{self, Functions, Module};
use super::token::{Kind, Token};
use crate::dialect::parser::Lexed;
use crate::dialect::{Names, Word};
use crate::text::Name;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The words that begin an edge in a resource.
const EDGES: [&str; 4] = ["Before", "Depend", "Listen", "Notify"];
/// The words that begin a statement.
const STATEMENTS: [&str; 6] = ["class", "func", "if", "import", "include", "panic"];
/// The words that begin an expression.
const EXPRESSIONS: [&str; 6] = ["false", "func", "if", "not", "struct", "true"];

/// The text around the cursor.
struct Place<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// Number of tokens before the word at the cursor.
    before: usize,
    names: &'a dyn Names,
}

/// Returns the words that can follow, and the bytes that they replace. `None` if the place needs more than tokens.
pub(super) fn words(
    text: &str,
    lexed: &Lexed<Kind>,
    offset: usize,
    names: &dyn Names,
) -> Option<(Vec<Word>, Range<usize>)> {
    let typed = text.get(..offset)?;
    let unclosed = |token: &Token| lexed.unclosed.is_some_and(|open| open.start == token.start);
    let is_string = |token: &&Token| {
        token.kind == Kind::Str && (token.start as usize) < offset && (offset < token.end as usize || unclosed(token))
    };
    if let Some(string) = lexed.tokens.iter().find(is_string) {
        let start = string.start as usize + 1;
        let index = lexed.tokens.iter().position(|token| token.start == string.start)?;
        let is_import = index.checked_sub(1).is_some_and(|index| lexed.tokens[index].kind == Kind::Import);
        let partial = text.get(start..offset).filter(|_| is_import)?;
        let found = modules(names, |module| module.path.starts_with(partial));
        return (!found.is_empty()).then_some((found, start..offset));
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':' | '$');
    let mut start =
        typed.rfind(|c| !is_part(c)).map_or(0, |at| at + typed[at..].chars().next().map_or(1, char::len_utf8));
    start += typed[start..].len() - typed[start..].trim_start_matches([':', '.']).len();
    let rest = &text[offset..];
    let end = offset + rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
    let partial = typed.get(start..)?;
    let before = lexed.tokens.partition_point(|token| token.end as usize <= start);
    let place = Place { text, tokens: &lexed.tokens, before, names };
    let mut found = place.words(partial)?;
    found.retain(|word| word.text.starts_with(partial));
    let mut seen = BTreeSet::new();
    found.retain(|word| seen.insert(word.text.clone()));
    (!found.is_empty()).then_some((found, start..end))
}

fn word(text: impl Into<String>, kind: &'static str) -> Word {
    Word { text: text.into(), kind, ty: None, doc: None }
}

fn library_of(names: &dyn Names) -> &'static Functions {
    let library = names.languages().library(super::lower::LIBRARY);
    library.and_then(|library| library.own()?.downcast_ref()).unwrap_or(&library::STD)
}

/// Returns the modules of the library as words.
fn modules(names: &dyn Names, is_wanted: impl Fn(&Module) -> bool) -> Vec<Word> {
    let all = library_of(names).modules().filter(|module| !module.path.is_empty() && is_wanted(module));
    all.map(|module| Word { doc: Some(String::from(module.doc)), ..word(module.path, "name") }).collect()
}

impl<'a> Place<'a> {
    fn kind(&self, index: usize) -> Option<Kind> {
        Some(self.tokens.get(index)?.kind)
    }

    fn written(&self, index: usize) -> &'a str {
        let token = self.tokens.get(index).map_or(0..0, |token| token.start as usize..token.end as usize);
        self.text.get(token).unwrap_or_default()
    }

    fn words(&self, partial: &str) -> Option<Vec<Word>> {
        if partial.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        if partial.starts_with('$') {
            return Some(self.variables());
        }
        let (kinds, _) = Kinds::of(&self.names.tables());
        let last = self.before.checked_sub(1);
        let last_kind = last.and_then(|last| self.kind(last));
        if let Some(fields) = self.resource(&kinds) {
            return Some(fields);
        }
        let is_edge = last_kind == Some(Kind::Arrow)
            || last_kind == Some(Kind::Rocket) && last.is_some_and(|l| l > 0 && EDGES.contains(&self.written(l - 1)));
        if is_edge {
            return Some(ends(&kinds));
        }
        if last_kind == Some(Kind::Include) {
            return Some(self.classes());
        }
        if partial.is_empty() || matches!(last_kind, Some(Kind::Dot | Kind::As | Kind::Class | Kind::Func)) {
            return None;
        }
        if let Some((module, _)) = partial.rsplit_once('.') {
            return Some(self.functions_of(module));
        }
        let mut found = Vec::new();
        if self.is_statement() {
            found.extend(kinds.kinds.keys().map(|kind| word(kind.as_str(), "name")));
            found.extend(ends(&kinds));
            found.extend(STATEMENTS.iter().map(|keyword| word(*keyword, "keyword")));
        }
        found.extend(EXPRESSIONS.iter().map(|keyword| word(*keyword, "keyword")));
        found.extend(self.functions());
        Some(found)
    }

    /// Returns `true` if a statement can begin at the cursor.
    fn is_statement(&self) -> bool {
        let Some(last) = self.before.checked_sub(1) else { return true };
        let Some(token) = self.tokens.get(last) else { return true };
        let start = self.tokens.get(self.before).map_or(self.text.len(), |next| next.start as usize);
        let gap = self.text.get(token.end as usize..start.max(token.end as usize)).unwrap_or_default();
        match token.kind {
            Kind::RBrace | Kind::LBrace => true,
            Kind::Str
            | Kind::Ident
            | Kind::Int
            | Kind::Float
            | Kind::RBracket
            | Kind::RParen
            | Kind::True
            | Kind::False => gap.contains('\n'),
            _ => false,
        }
    }

    /// Returns the fields, meta parameters and edges of the resource around the cursor, if the name of one can follow.
    fn resource(&self, kinds: &Kinds) -> Option<Vec<Word>> {
        let last = self.before.checked_sub(1)?;
        if !matches!(self.kind(last), Some(Kind::LBrace | Kind::Comma)) {
            return None;
        }
        let open = self.opening(self.before)?;
        if self.kind(open) != Some(Kind::LBrace) {
            return None;
        }
        let fields = kinds.kinds.get(self.kind_before(open)?.as_str())?;
        let typed = |(name, ty): (&Name, &Name)| Word { ty: Some(ty.to_string()), ..word(name.as_str(), "field") };
        let mut found: Vec<Word> = fields.iter().map(typed).collect();
        found.extend(EDGES.iter().map(|edge| word(*edge, "keyword")));
        found.push(word("Meta", "keyword"));
        let meta =
            |(name, ty): (&Name, &Name)| Word { ty: Some(ty.to_string()), ..word(format!("Meta:{name}"), "field") };
        found.extend(kinds.meta.iter().map(meta));
        Some(found)
    }

    /// Returns the index of the bracket that is open before a token.
    fn opening(&self, before: usize) -> Option<usize> {
        let mut depth = 0;
        for index in (0..before).rev() {
            match self.kind(index)? {
                Kind::RBrace | Kind::RBracket | Kind::RParen => depth += 1,
                Kind::LBrace | Kind::LBracket | Kind::LParen if depth == 0 => return Some(index),
                Kind::LBrace | Kind::LBracket | Kind::LParen => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// Returns the kind of the resource whose block a brace opens. `None` if the brace opens something else.
    fn kind_before(&self, open: usize) -> Option<String> {
        // the name: a string, a list, a variable or a call
        let mut at = open.checked_sub(1)?;
        if matches!(self.kind(at)?, Kind::RBracket | Kind::RParen) {
            let is_call = self.kind(at) == Some(Kind::RParen);
            at = self.opening(at)?;
            if is_call {
                at = at.checked_sub(1)?;
            }
        }
        if self.kind(at) == Some(Kind::Ident) {
            while at > 0
                && self.touches(at)
                && matches!(self.kind(at - 1), Some(Kind::Ident | Kind::Dot | Kind::Dollar))
            {
                at -= 1;
            }
        }
        let mut at = at.checked_sub(1)?;
        let mut kind = String::from(self.written(at));
        while at > 0 && self.touches(at) && matches!(self.kind(at - 1), Some(Kind::Ident | Kind::Colon)) {
            at -= 1;
            kind.insert_str(0, self.written(at));
        }
        Some(kind)
    }

    /// Returns `true` if nothing is between a token and the one before it.
    fn touches(&self, index: usize) -> bool {
        let before = index.checked_sub(1).and_then(|before| self.tokens.get(before));
        self.tokens.get(index).is_some_and(|token| before.is_some_and(|before| before.end == token.start))
    }

    /// Returns the constants, and the variables of the session and of the text.
    fn variables(&self) -> Vec<Word> {
        let (kinds, _) = Kinds::of(&self.names.tables());
        let mut found: Vec<Word> = Vec::new();
        let own = self.names.all().into_iter().filter(|name| !name.contains([' ', '%', '@', '$']));
        found.extend(
            own.filter(|name| !matches!(name.as_str(), "std" | "it")).map(|name| word(format!("${name}"), "name")),
        );
        for index in 1..self.tokens.len() {
            let is_variable = self.kind(index) == Some(Kind::Ident) && self.kind(index - 1) == Some(Kind::Dollar);
            // the word at the cursor is not one of them
            if is_variable && self.touches(index) && index != self.before + 1 && self.written(index) != "const" {
                found.push(word(format!("${}", self.written(index)), "name"));
            }
        }
        let value = |constant: &Constant| match constant {
            Constant::Str(text) => format!("{:?}", text.as_str()),
            Constant::Int(int) => int.to_string(),
        };
        let constant =
            |(name, of): (&Name, &Constant)| Word { ty: Some(value(of)), ..word(format!("$const.{name}"), "name") };
        found.extend(kinds.constants.iter().map(constant));
        found
    }

    /// Returns the classes of the session and of the text.
    fn classes(&self) -> Vec<Word> {
        let own = self.names.all();
        let mut found: Vec<Word> =
            own.iter().filter_map(|name| name.strip_prefix("class ")).map(|name| word(name, "name")).collect();
        for index in 1..self.tokens.len() {
            if self.kind(index) == Some(Kind::Ident) && self.kind(index - 1) == Some(Kind::Class) {
                found.push(word(self.written(index), "name"));
            }
        }
        found
    }

    /// Returns the functions of a module, which the text may import under another name.
    fn functions_of(&self, module: &str) -> Vec<Word> {
        let mut paths: BTreeMap<&str, &str> = BTreeMap::new();
        for index in 0..self.tokens.len() {
            if self.kind(index) == Some(Kind::Import) && self.kind(index + 2) == Some(Kind::As) {
                paths.insert(self.written(index + 3), self.written(index + 1).trim_matches('"'));
            }
        }
        let wanted = paths.get(module).copied().unwrap_or(module);
        let is_it = |path: &str| path == wanted || path.rsplit('/').next() == Some(wanted);
        let all = library_of(self.names).modules();
        let exact = library_of(self.names).module(wanted).map(|module| module.path);
        let is_wanted = |path: &str| exact.map_or_else(|| is_it(path), |exact| path == exact);
        let functions =
            all.filter(|found| !found.path.is_empty() && is_wanted(found.path)).flat_map(|found| found.functions);
        functions
            .map(|function| Word {
                text: format!("{module}.{}", function.name),
                kind: "name",
                ty: Some(String::from(function.signature)),
                doc: Some(String::from(function.doc)),
            })
            .collect()
    }

    /// Returns the functions without a namespace, and the namespaces.
    fn functions(&self) -> Vec<Word> {
        let own = self.names.all();
        let of = |prefix: &'static str| own.iter().filter_map(move |name| name.strip_prefix(prefix));
        let mut found: Vec<Word> = of("func ").chain(of("namespace ")).map(|name| word(name, "name")).collect();
        for index in 1..self.tokens.len() {
            if self.kind(index) == Some(Kind::Ident) && self.kind(index - 1) == Some(Kind::Func) {
                found.push(word(self.written(index), "name"));
            }
        }
        let top = library_of(self.names).module("").into_iter().flat_map(|module| module.functions);
        found.extend(top.filter(|function| !function.name.starts_with('%')).map(|function| Word {
            text: String::from(function.name),
            kind: "name",
            ty: Some(String::from(function.signature)),
            doc: Some(String::from(function.doc)),
        }));
        let last = |module: &Module| String::from(module.path.rsplit('/').next().unwrap_or(module.path));
        let modules = library_of(self.names).modules().filter(|module| !module.path.is_empty());
        found.extend(modules.map(|module| Word { doc: Some(String::from(module.doc)), ..word(last(module), "name") }));
        found
    }
}

/// Returns the kinds as an edge has them: `File`, `Http:Server`.
fn ends(kinds: &Kinds) -> Vec<Word> {
    let capital = |part: &str| part[..1].to_ascii_uppercase() + &part[1..];
    let end = |kind: &Name| kind.split(':').filter(|part| !part.is_empty()).map(capital).collect::<Vec<_>>().join(":");
    kinds.kinds.keys().map(|kind| word(end(kind), "name")).collect()
}
