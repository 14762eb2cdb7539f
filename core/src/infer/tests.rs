//! Programs on the left, types or problems on the right.

use super::{Inferred, LibraryItem, Options, Outside, infer};
use crate::dialect::OnlyStd;
use crate::dialect::cfg::library::{Entry, library};
use crate::dialect::cfg::notation::ty::line;
use crate::dialect::cfg::program;
use crate::problem::report::Report;
use crate::problem::{Problem, Severity};
use crate::term::Import;
use crate::text::{Name, SourceId, Span};
use crate::ty::Scheme;
use std::sync::Arc;

/// The library, and nothing else.
pub(super) struct Std;

impl Outside for Std {
    fn global(&mut self, _: &Name) -> Option<Arc<Scheme>> {
        None
    }
    fn library(&mut self, path: &[Name]) -> Option<LibraryItem> {
        Some(match library(path)? {
            Entry::Module(m) => {
                let items = m.items.iter().map(|i| Name::from(i.name));
                LibraryItem::Module(items.chain(m.modules.iter().map(|m| Name::from(m.name()))).collect())
            }
            Entry::Item(item) => {
                let parsed = program(SourceId(9), item.ty, &OnlyStd);
                let (scheme, _) = super::scheme_of_type(&parsed.term, &mut NoStd);
                LibraryItem::Value(Arc::new(scheme))
            }
        })
    }
    fn import(&mut self, _: &Import, _: Span) -> Result<Arc<Scheme>, Problem> {
        Ok(Arc::new(Scheme::mono(crate::ty::Ty::Dyn(crate::ty::DynReason::Library).into())))
    }
    fn interrupted(&self) -> bool {
        false
    }
}

struct NoStd;

impl Outside for NoStd {
    fn global(&mut self, _: &Name) -> Option<Arc<Scheme>> {
        None
    }
    fn library(&mut self, _: &[Name]) -> Option<LibraryItem> {
        None
    }
    fn import(&mut self, _: &Import, _: Span) -> Result<Arc<Scheme>, Problem> {
        Ok(Arc::new(Scheme::mono(crate::ty::Ty::Bottom.into())))
    }
    fn interrupted(&self) -> bool {
        false
    }
}

pub(super) fn inferred(text: &str) -> Inferred {
    let parsed = program(SourceId(0), text, &OnlyStd);
    assert!(parsed.problems.is_empty(), "{text}: {:?}", parsed.problems);
    infer(&parsed.term, &mut Std, Options::default())
}

/// The program has this type, and there is nothing to say.
#[track_caller]
fn ty(text: &str, expected: &str) {
    let out = inferred(text);
    assert_eq!(line(&out.scheme), expected, "{text}");
    assert_eq!(messages(&out), Vec::<String>::new(), "{text}");
}

/// The program has this type, and these problems: `error: …` or `warning: …`.
#[track_caller]
fn says(text: &str, expected: &str, problems: &[&str]) {
    let out = inferred(text);
    assert_eq!(line(&out.scheme), expected, "{text}");
    assert_eq!(messages(&out), problems, "{text}");
}

fn messages(out: &Inferred) -> Vec<String> {
    out.problems
        .iter()
        .map(|p| {
            let report = Report::of(p);
            let severity = if p.severity == Severity::Error { "error" } else { "warning" };
            format!("{severity}: {}", report.message)
        })
        .collect()
}

#[test]
fn literals_records_functions() {
    ty("1", "Number");
    ty("{ b = \"x\", a = { c = true } }", "{ a : { c : Bool }, b : String }");
    ty("fun x => x", "forall a. a -> a");
    ty("fun f x => f (f x)", "forall a. (a -> a) -> a -> a");
    ty("let id = fun x => x in { a = id 1, b = id \"x\" }", "{ a : Number, b : String }");
    ty("[]", "forall a. Array a");
    ty("[[1], []]", "Array (Array Number)");
    ty("fun r => r.x", "forall a. { x : a, .. } -> a");
    ty("fun r => r.x + r.y.z", "{ x : Number, y : { z : Number, .. }, .. } -> Number");
}

#[test]
fn a_field_that_is_a_function_is_polymorphic_for_its_siblings() {
    ty("{ id = fun x => x, a = id 1, b = id \"x\" }", "forall a. { a : Number, b : String, id : a -> a }");
    ty(
        "{ even = fun n => if n == 0 then true else odd (n - 1), odd = fun n => if n == 0 then false else even (n - 1) }",
        "{ even : Number -> Bool, odd : Number -> Bool }",
    );
}

#[test]
fn merges_of_known_records() {
    ty("{ a = 1 } & { b = \"x\" }", "{ a : Number, b : String }");
    ty("{ a | Number, b = a + 1 } & { a = 2 }", "{ a : Number, b : Number }");
    ty("{ a | Number, b = a + 1 }", "{ a! : Number, b : Number }");
    ty("{ a | Number | optional, b = 1 }", "{ a? : Number, b : Number }");
    ty(
        "{ conf | default = { foo = 1, bar.baz = \"stuff\" } } & { conf = { bar.baz = \"shapoinkl\" } }",
        "{ conf : { bar : { baz : String } } }",
    );
    ty(
        "{ foo | { bar : Num, baz : Str } } & {foo = {}} & {foo.bar = 1} & {foo.baz = \"a\"}",
        "{ foo : { bar : Number, baz : String } }",
    );
    ty(
        "{ foo | { bar : Num, baz : Str } } & ({foo = {}} & {foo.bar = 1} & {foo.baz = \"a\"})",
        "{ foo : { bar : Number, baz : String } }",
    );
    ty(
        "{ a | default = 1, b = a + 1 } & { a | priority 1 = 2 } & { a | priority 2 = 3 }",
        "{ a : Number, b : Number }",
    );
}

#[test]
fn merges_with_the_unknown() {
    ty("fun r => r & { x = 1 }", "forall r1. { x? : Number; r1 } -> { x : Number; r1 }");
    ty("fun a b => a & b", "forall a b c. a -> b -> c where c = a & b");
    ty("let f = fun r => r & { x = 1 } in f { y = \"a\" }", "{ x : Number, y : String }");
    says(
        "let f = fun r => r & { x = 1 } in f { x | default = \"a\" }",
        "{ x : Number }",
        &["warning: `x` changes its type from String to Number"],
    );
}

#[test]
fn conflicts() {
    says("{ a = 1 } & { a = \"one\" }", "{ a : Number | String }", &["error: `a` cannot be both Number and String"]);
    says(
        "{ foo | Num | default = 5, bar = foo } & { foo = \"a\" }",
        "{ bar : Number, foo : Number }",
        &["error: `foo` is String, its contract wants Number"],
    );
    says("let x = 1 + \"a\" in 2", "Number", &["warning: expected Number, found String"]);
    says("{ a = 1 + \"a\" }", "{ a : Number }", &["error: expected Number, found String"]);
    says("{ a | default = 1 + \"a\" } & { a = 2 }", "{ a : Number }", &["warning: expected Number, found String"]);
    says("let f = fun x => x + 1 in f \"a\"", "Number", &["error: expected Number, found String"]);
    says(
        "let f = fun x => if x == 1 then x + 1 else 0 in f \"a\"",
        "Number",
        &["warning: expected Number, found String"],
    );
    says("{ name = 1 }.nmae", "forall a. a", &["error: no field `nmae`"]);
    says("[1, \"a\"]", "Array (Number | String)", &["warning: array elements of different types: Number and String"]);
    says("(1 : String)", "String", &["error: expected String, found Number"]);
}
