//! The tables of the library are sound, and functions give what mgmt 0.0.26 gives for the same arguments.

use super::modules::MODULES;
use super::table::{Form, Function};
use super::top;
use crate::dialect::library::Library;
use crate::infer::PartialCall;
use crate::term::Number;
use crate::value::{Call, Machine, NoHost, Thunk, Value};
use std::collections::BTreeSet;
use std::rc::Rc;

#[test]
fn names_are_unique_and_sorted() {
    let paths: BTreeSet<&str> = MODULES.iter().map(|module| module.path).collect();
    assert_eq!(paths.len(), MODULES.len());
    for module in MODULES {
        let names: Vec<&str> = module.functions.iter().map(|function| function.name).collect();
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(names, sorted, "{}", module.path);
    }
}

#[test]
fn every_signature_is_a_function_type() {
    let std = &super::STD;
    for module in MODULES {
        for function in module.functions {
            let path = match module.path {
                "" => vec![function.name],
                path => vec![path, function.name],
            };
            assert!(std.entry(&path).is_some(), "{path:?}");
            assert!(function.signature.starts_with("func("), "{path:?}");
            assert!(function.doc.ends_with('.'), "{path:?}");
        }
    }
}

fn function(path: &str, name: &str) -> &'static Function {
    super::STD.function(path, name).unwrap_or_else(|| panic!("{path}.{name}"))
}

fn strings(all: &[&str]) -> Vec<Thunk> {
    all.iter().map(|text| Thunk::done(Value::string(*text))).collect()
}

/// Calls a function, and prints its value or its failure.
fn run(path: &str, name: &str, args: &[Thunk]) -> String {
    let mut machine = Machine::new(Rc::new(NoHost));
    let call = Call::default();
    match (function(path, name).run)(&mut machine, args, &call) {
        Ok(value) => match super::plain::Plain::of(&mut machine, &Thunk::done(value), &call) {
            Ok(plain) => plain.printed(),
            Err(fault) => format!("{fault:?}"),
        },
        Err(_) => String::from("fails"),
    }
}

fn int(i: i64) -> Thunk {
    Thunk::done(Value::Number(Number::Int(i)))
}

fn float(d: f64) -> Thunk {
    Thunk::done(Value::Number(Number::Double(d)))
}

fn list(elements: Vec<Thunk>) -> Thunk {
    Thunk::done(Value::array(elements))
}

#[test]
fn strings_as_in_mgmt() {
    let with = |path: &str, name: &str, texts: &[&str], numbers: &[i64]| {
        let args: Vec<Thunk> = strings(texts).into_iter().chain(numbers.iter().map(|i| int(*i))).collect();
        run(path, name, &args)
    };
    assert_eq!(with("strings", "left_pad", &["ab", "xy"], &[5]), "xyxyab");
    assert_eq!(with("strings", "right_pad", &["ab", "."], &[1]), "ab");
    assert_eq!(with("strings", "substr", &["héllo"], &[1, 3]), "é");
    assert_eq!(with("strings", "substr", &["hello"], &[3, 1]), "fails");
    assert_eq!(with("strings", "substr", &["hello"], &[0, 9]), "fails");
    assert_eq!(with("strings", "split", &["abc", ""], &[]), "[a b c]");
    assert_eq!(with("golang/strings", "title", &["hello wOrld"], &[]), "Hello WOrld");
    assert_eq!(with("golang/strings", "index", &["héllo", "l"], &[]), "3");
    assert_eq!(with("golang/strings", "replace", &["aaa", "a", "b"], &[2]), "bba");
    assert_eq!(with("golang/strings", "count", &["abc", ""], &[]), "4");
    assert_eq!(with("golang/strings", "repeat", &["a"], &[-1]), "fails");
    assert_eq!(with("golang/path/filepath", "rel", &["/a/b", "/a/c/d"], &[]), "../c/d");
    assert_eq!(with("golang/strconv", "append_int", &["x"], &[5, 10]), "x5");
    assert_eq!(with("golang/strconv", "quoted_prefix", &["\"ab\"c"], &[]), "\"ab\"");
    assert_eq!(with("golang/strconv", "atoi", &["x"], &[]), "fails");
    assert_eq!(with("convert", "parse_bool", &["yes"], &[]), "fails");
    assert_eq!(with("regexp", "match", &["(", "abc"], &[]), "fails");
    assert_eq!(with("", "len", &["héé"], &[]), "5");
}

#[test]
fn numbers_and_addresses_as_in_mgmt() {
    assert_eq!(run("math", "mod", &[int(-7), int(3)]), "-1");
    assert_eq!(run("math", "mod", &[float(7.5), float(2.0)]), "1.5");
    assert_eq!(run("math", "mod", &[int(7), int(0)]), "fails");
    assert_eq!(run("math", "pow", &[float(2.0), float(0.5)]), "1.4142135623730951");
    assert_eq!(run("math", "sqrt", &[float(-1.0)]), "fails");
    assert_eq!(run("convert", "to_int", &[float(-2.7)]), "-2");
    assert_eq!(run("convert", "to_int", &[float(1e30)]), "fails");
    assert_eq!(run("golang/math", "gamma", &[float(5.0)]), "24");
    assert_eq!(run("golang/strconv", "format_int", &[int(i64::MIN), int(16)]), "-8000000000000000");
    assert_eq!(run("net", "cidr_to_mask", &strings(&["192.168.1.2/24"])), "255.255.255.0");
    assert_eq!(run("net", "cidr_to_mask", &strings(&["fe80::1/64"])), "ffff:ffff:ffff:ffff::");
    assert_eq!(run("net", "cidr_to_mask", &strings(&["1.2.3.4/0"])), "0.0.0.0");
    assert_eq!(run("net", "cidr_to_ip", &strings(&["nope"])), "fails");
    assert_eq!(run("net", "macfmt", &strings(&["00-11-22-AA-bb-cc"])), "00:11:22:aa:bb:cc");
    assert_eq!(run("net", "is_mac", &strings(&["nope"])), "fails");
    assert_eq!(run("datetime", "print", &[int(1_443_158_163)]), "2015-09-25 05:16:03 +0000 UTC");
    assert_eq!(run("datetime", "format", &[int(-1), Thunk::done(Value::string("2006"))]), "fails");
}

#[test]
fn lookups_as_in_mgmt() {
    let elements = || list(vec![int(1), int(2)]);
    assert_eq!(run("list", "lookup", &[elements(), int(5)]), "fails");
    assert_eq!(run("list", "lookup", &[elements(), int(-1), int(9)]), "9");
    assert_eq!(run("list", "lookup", &[elements(), int(1), int(9)]), "2");
    assert_eq!(run("list", "concat", &[elements(), elements()]), "[1 2 1 2]");
    assert_eq!(run("", "contains", &[int(2), elements()]), "true");
    assert_eq!(run("", "panic", &strings(&["boom"])), "fails");
    assert_eq!(run("", "panic", &strings(&[""])), "true");
}

fn template(text: &str, data: Thunk) -> String {
    run("golang", "template", &[Thunk::done(Value::string(text)), data])
}

#[test]
fn templates_as_in_mgmt() {
    let of = |text: &str| template(text, list(strings(&["a", "b", "c"])));
    assert_eq!(of("{{ range $i, $e := . }}{{ $i }}={{ $e }},{{ else }}none{{ end }}"), "0=a,1=b,2=c,");
    assert_eq!(of("{{ range $i, $x := . }}{{ if eq $i 1 }}{{ break }}{{ end }}{{ $x }}{{ end }}"), "a");
    assert_eq!(of("{{ $x := 1 }}{{ if true }}{{ $x = 2 }}{{ end }}{{ $x }}"), "2");
    assert_eq!(of("{{ $x := 1 }}{{ if true }}{{ $x := 2 }}{{ end }}{{ $x }}"), "1");
    assert_eq!(of("{{ define `t` }}[{{ . }}]{{ end }}{{ template `t` . }}"), "[[a b c]]");
    assert_eq!(of("{{ block `b` 1 }}<{{ . }}>{{ end }}"), "<1>");
    assert_eq!(of("{{/* c */}}a {{- /* d */ -}} b"), "ab");
    assert_eq!(of("{{ index . 0 }} {{ slice . 0 1 }} {{ len `héé` }}"), "a [a] 5");
    assert_eq!(
        of("{{ and 1 0 }} {{ or 0 2 }} {{ not 1 }} {{ lt 1 2 }} {{ eq `a` `b` `a` }} {{ ge 2.0 1.0 }}"),
        "0 2 false true true true"
    );
    assert_eq!(of("{{ print 1 2 `a` `b` 3 }}|{{ js `a'b<` }}|{{ urlquery `a b&` }}"), "1 2ab3|a\\'b\\u003C|a+b%26");
    assert_eq!(of("{{ -1 }} {{ 1_000 }} {{ 0b11 }} {{ 1e3 }} {{ \"a\\tb\" }}"), "-1 1000 3 1000 a\tb");
    assert_eq!(of("{{ 1 | printf `%d` | printf `%q` }} {{- ` x` -}}   end"), "\"1\" xend");
    assert_eq!(of("{{ golang_strings_to_upper `a` }}{{ math_minus1 4 }}{{ range 2 }}x{{ end }}"), "A3xx");
    assert_eq!(of("{{ with $x := 5 }}{{ $x }}{{ else }}none{{ end }}{{ with 0 }}a{{ else }}none{{ end }}"), "5none");
    assert_eq!(
        template("{{ .a }} {{ .b }} {{ . }}", Thunk::done(Value::record([("a".into(), int(5))]))),
        "5 <no value> map[a:5]"
    );
    assert_eq!(template("{{ . }}", float(1e23)), "1e+23");
}

#[test]
fn faulty_templates_fail() {
    let texts = [
        "{{ .",
        "{{ end }}",
        "{{ if }}",
        "{{ $y }}",
        "{{ nil }}",
        "{{ nofunc . }}",
        "{{ template `nope` }}",
        "{{ index . 5 }}",
        "{{ eq 1 `a` }}",
        "{{ len 3 }}",
        "{{ .a }}",
        "{{ if . }}x",
        "{{ break }}",
        "{{ else }}",
        "{{ and }}",
        "{{ concat `a` `b` }}",
        "{{ define `t` }}{{ template `t` }}{{ end }}{{ template `t` }}",
        "{{ 1 2 }}",
        "{{ (1 }}",
        "{{ range `a` }}{{ end }}",
        "{{ printf `%999999999d` 1 }}",
    ];
    for text in texts {
        assert_eq!(template(text, list(Vec::new())), "fails", "{text}");
    }
    let deep = format!("{}1{}", "{{ if true }}".repeat(100_000), "{{ end }}".repeat(100_000));
    assert_eq!(template(&deep, int(1)), "fails");
    let deep = format!("{{{{ {}1{} }}}}", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(template(&deep, int(1)), "fails");
}

#[test]
fn the_signature_of_a_call() {
    let typed = |path: &str, name: &str, count: usize| match function(path, name).form {
        Form::Infer(infer) => {
            let types = vec![crate::ty::TyRef::from(crate::ty::Ty::String); count];
            infer(&PartialCall { constants: vec![None; count], types }).ok()
        }
        _ => panic!("{path}.{name} is not inferred"),
    };
    assert_eq!(typed("list", "concat", 2), Some("func([]?1, []?1) []?1".into()));
    assert_eq!(typed("list", "concat", 0), None);
    assert_eq!(typed("list", "lookup", 3), Some("func(list []?1, index int, default ?1) ?1".into()));
    assert_eq!(typed("map", "lookup", 1), None);
    assert_eq!(typed("golang", "template", 2), Some("func(template str, data ?1) str".into()));
    assert!(matches!(function("", "len").form, Form::Build(_)) && top::MODULE.path.is_empty());
}
