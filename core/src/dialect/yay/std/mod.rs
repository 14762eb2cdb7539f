//! The functions of Yay: those of the released language, and those that users of template languages expect.

mod functions;

pub(super) use functions::PAIR;

use crate::dialect::library;
use crate::text::Name;
use crate::ty::{Param, Scheme, Ty, TyRef};
use crate::value::native::{Parameter, Run};
use crate::value::{DataField, Native, Record, Revision, Thunk, Value};

/// One function of the library.
pub struct Item {
    /// Its name. A name that begins with `_` is for syntax that lowers to a call.
    pub name: &'static str,
    /// Its parameters.
    pub params: &'static [Parameter],
    /// The curried type, in the notation of cfg: the first arrows are the parameters.
    pub ty: &'static str,
    /// A description in a few sentences.
    pub doc: &'static str,
    /// Expressions with their values.
    pub examples: &'static [(&'static str, &'static str)],
    /// The implementation.
    pub run: Run,
}

const fn p(name: &'static str) -> Parameter {
    Parameter::required(name)
}

const fn opt(name: &'static str) -> Parameter {
    Parameter::optional(name, || Thunk::done(Value::Null))
}

/// The functions, in alphabetical order.
static ITEMS: &[Item] = &[
    Item {
        name: "default",
        params: &[p("value"), p("fallback")],
        ty: "forall a b. a -> b -> Dyn",
        doc: "The value, or the fallback if the value has no match or is empty.",
        examples: &[("default('', 5)", "5"), ("default('a', 5)", "a")],
        run: functions::default,
    },
    Item {
        name: "import",
        params: &[p("path")],
        ty: "String -> Dyn",
        doc: "The value of a file, in any language. Unlike `include`, it adds no keys to the document.",
        examples: &[],
        run: functions::import,
    },
    Item {
        name: "items",
        params: &[p("dict")],
        ty: "{ _ : Dyn } -> Array (Array Dyn)",
        doc: "The keys of a dictionary with their values, as lists of two elements.",
        examples: &[("items({'a': 1})", "[[a, 1]]")],
        run: functions::items,
    },
    Item {
        name: "join",
        params: &[p("list"), opt("separator")],
        ty: "Array Dyn -> String -> String",
        doc: "The elements of a list as one text, with the separator between them.",
        examples: &[("join([1, 2], '-')", "1-2")],
        run: functions::join,
    },
    Item {
        name: "keys",
        params: &[p("dict")],
        ty: "{ _ : Dyn } -> Array String",
        doc: "The keys of a dictionary, in order.",
        examples: &[("keys({'a': 1})", "[a]")],
        run: functions::keys,
    },
    Item {
        name: "len",
        params: &[p("value")],
        ty: "forall a. a -> Number",
        doc: "The number of characters, elements or keys.",
        examples: &[("len('abc')", "3"), ("len([1, 2])", "2")],
        run: functions::len,
    },
    Item {
        name: "lower",
        params: &[p("text")],
        ty: "String -> String",
        doc: "The text in lower case.",
        examples: &[("lower('ABC')", "abc")],
        run: functions::lower,
    },
    Item {
        name: "range",
        params: &[p("start"), opt("stop"), opt("step")],
        ty: "Number -> Number -> Number -> Array Number",
        doc: "The integers from `start` up to but not including `stop`. With one argument, the integers from 0.",
        examples: &[("range(3)", "[0, 1, 2]"), ("range(1, 6, 2)", "[1, 3, 5]")],
        run: functions::range,
    },
    Item {
        name: "replace",
        params: &[p("text"), p("old"), p("new")],
        ty: "String -> String -> String -> Dyn",
        doc: "The text with every occurrence of `old` replaced by `new`. The result is a number if it reads as one.",
        examples: &[("replace('abc', 'b', 'x')", "axc"), ("replace('x5', 'x', '')", "5")],
        run: functions::replace,
    },
    Item {
        name: "sorted",
        params: &[p("list")],
        ty: "forall a. Array a -> Array a",
        doc: "The elements of a list of numbers or of texts in ascending order.",
        examples: &[("sorted([3, 1, 2])", "[1, 2, 3]")],
        run: functions::sorted,
    },
    Item {
        name: "split",
        params: &[p("text"), opt("separator")],
        ty: "String -> String -> Array String",
        doc: "The parts of a text between the separators. Without a separator, the parts between blanks.",
        examples: &[("split('a,b', ',')", "[a, b]")],
        run: functions::split,
    },
    Item {
        name: "sub",
        params: &[p("pattern"), p("replacement"), p("text")],
        ty: "String -> String -> String -> Dyn",
        doc: "The text with every match of a regular expression replaced. `\\1` in the replacement is the first group. The result is a number if it reads as one.",
        examples: &[("sub('b+', 'x', 'abbc')", "axc")],
        run: functions::sub,
    },
    Item {
        name: "upper",
        params: &[p("text")],
        ty: "String -> String",
        doc: "The text in upper case.",
        examples: &[("upper('abc')", "ABC")],
        run: functions::upper,
    },
    Item {
        name: "zip",
        params: &[p("first"), p("second")],
        ty: "forall a b. Array a -> Array b -> Array (Array Dyn)",
        doc: "The elements of two lists in pairs, as many as the shorter list has.",
        examples: &[("zip([1, 2], ['a', 'b'])", "[[1, a], [2, b]]")],
        run: functions::zip,
    },
    Item {
        name: "_case",
        params: &[p("of"), p("key"), p("keys")],
        ty: "Dyn -> String -> Array String -> Bool",
        doc: "Whether a `select` chooses a case. Fails if it has no case for the value.",
        examples: &[],
        run: functions::case,
    },
    Item {
        name: "_dict",
        params: &[p("pairs")],
        ty: "forall a. Array { key : Dyn, value : a } -> { _ : a }",
        doc: "A dictionary of pairs of a key and a value. Of equal keys, the last pair counts.",
        examples: &[],
        run: functions::dict,
    },
    Item {
        name: "_floordiv",
        params: &[p("left"), p("right")],
        ty: "Number -> Number -> Number",
        doc: "`left // right`",
        examples: &[],
        run: functions::floordiv,
    },
    Item {
        name: "_include",
        params: &[p("path"), p("folders")],
        ty: "String -> Array String -> Dyn",
        doc: "The contents of a file, which is looked for in the folders of `search` too.",
        examples: &[],
        run: functions::include,
    },
    Item {
        name: "_missing",
        params: &[p("name")],
        ty: "forall a. String -> a",
        doc: "Fails because a name has no match.",
        examples: &[],
        run: functions::missing,
    },
    Item {
        name: "_outside",
        params: &[p("document"), p("name")],
        ty: "Dyn -> String -> Dyn",
        doc: "What a document that is composed with this one defines: by `set`, `macro` or `prototype`, or around it.",
        examples: &[],
        run: functions::outside,
    },
    Item {
        name: "_pow",
        params: &[p("left"), p("right")],
        ty: "Number -> Number -> Number",
        doc: "`left ** right`",
        examples: &[],
        run: functions::pow,
    },
    Item {
        name: "_prototype",
        params: &[p("of")],
        ty: "Dyn -> Dyn",
        doc: "The dictionary of a prototype, or of a value that is one.",
        examples: &[],
        run: functions::prototype,
    },
    Item {
        name: "_chosen",
        params: &[p("of"), p("key")],
        ty: "String -> String -> Bool",
        doc: "Whether the case that a `select` chooses is this one.",
        examples: &[],
        run: functions::chosen,
    },
    Item {
        name: "_selected",
        params: &[p("of"), p("keys")],
        ty: "Dyn -> Array String -> String",
        doc: "The case that a `select` chooses. Fails if it has no case for the value.",
        examples: &[],
        run: functions::selected,
    },
    Item {
        name: "_stream",
        params: &[p("value")],
        ty: "forall a. a -> a",
        doc: "A list or a dictionary. Fails for other values.",
        examples: &[],
        run: functions::stream,
    },
    Item {
        name: "_unchanged",
        params: &[p("held"), p("again"), p("below"), p("document"), p("paths")],
        ty: "Dyn -> Dyn -> Dyn -> Dyn -> Array (Array String) -> Bool",
        doc: "Whether a guard held on the layers below. Fails if it does not have the same result in the document.",
        examples: &[],
        run: functions::unchanged,
    },
    Item {
        name: "_within",
        params: &[p("file"), p("document")],
        ty: "Dyn -> Dyn -> Dyn",
        doc: "An included document whose names are looked up in the document around it too.",
        examples: &[],
        run: functions::within,
    },
];

/// The fields of the schema of a node with side effects.
pub(super) const SCHEMA: [&str; 2] = crate::term::rules::NODE_SCHEMA;

/// Returns all functions.
pub fn items() -> impl Iterator<Item = &'static Item> {
    ITEMS.iter()
}

/// Returns the function with a name. `O(functions)`.
pub fn item(name: &str) -> Option<&'static Item> {
    items().find(|item| item.name == name)
}

/// The library of Yay.
pub struct Std;

impl library::Library for Std {
    fn entry(&self, path: &[&str]) -> Option<library::LibraryEntry> {
        Some(match path {
            [] => library::LibraryEntry::Module(library::Module {
                doc: "The functions of yay.",
                names: items().map(|item| item.name).collect(),
            }),
            [name] => {
                let item = item(name)?;
                let usage = Some(item.usage());
                library::LibraryEntry::Item(library::Item {
                    doc: item.doc,
                    ty: item.ty,
                    usage,
                    examples: item.examples,
                })
            }
            _ => return None,
        })
    }

    fn value(&self, _: &str, born: Revision) -> library::LibraryValue {
        let fields = items().map(|item| {
            let value = Native::named(item.name, item.params, item.run).value_of(born);
            DataField { not_exported: true, ..DataField::new(Name::new_static(item.name), Thunk::done(value)) }
        });
        library::LibraryValue(Value::Record(Record::from_data(fields)))
    }

    fn scheme(&self, path: &[&str], signature: Scheme) -> Scheme {
        path.last().and_then(|name| item(name)).map_or_else(|| signature.clone(), |item| item.saturated(&signature))
    }
}

impl Item {
    /// Returns the call syntax: `join(list, separator?)`.
    fn usage(&self) -> String {
        let params: Vec<String> =
            self.params.iter().map(|p| format!("{}{}", p.name, if p.default.is_some() { "?" } else { "" })).collect();
        format!("{}({})", self.name, params.join(", "))
    }

    /// Converts the curried scheme to that of a function that takes all arguments at once.
    fn saturated(&self, scheme: &Scheme) -> Scheme {
        let mut params = Vec::with_capacity(self.params.len());
        let mut result = scheme.ty.clone();
        for parameter in self.params {
            let Ty::Fun(first, rest) = &*result.clone() else { break };
            let Some(first) = first.first() else { break };
            let name = Some(Name::new_static(parameter.name));
            params.push(Param { name, optional: parameter.default.is_some(), ..Param::of(first.ty.clone()) });
            result = rest.clone();
        }
        // the notation of signatures has no unions
        let union: Vec<TyRef> = match self.name {
            "replace" | "sub" => vec![Ty::Number.into(), Ty::String.into()],
            "default" => params.iter().map(|param| param.ty.clone()).collect(),
            _ => Vec::new(),
        };
        let result = if union.is_empty() { result } else { Ty::Union(union).into() };
        Scheme { ty: Ty::Fun(params, result).into(), ..scheme.clone() }
    }
}
