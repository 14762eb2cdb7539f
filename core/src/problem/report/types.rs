//! The messages of type problems.

use super::{KindNames, Label, Report, TypeWriter};
use crate::problem::types::{TypeProblem, TypesKind, Why};
use crate::styled::Styled;
use crate::text::{Name, Span};
use crate::ty::{Scheme, Ty};

pub(super) fn write(problem: &TypeProblem, types: &TypeWriter<'_>, report: &mut Report) {
    let short = |scheme: &Scheme| types.short(scheme);
    let kind_names = types.notation.kind_names;
    let mut label = |span: Span, text: String| report.labels.push(Label { span, text });
    match &problem.what {
        TypesKind::Conflict(c) => {
            super::conflict::write(c, problem.span, types, report);
        }
        TypesKind::MissingField { name, record, near, why, wanted, hidden } => {
            report.message = format!("no field `{name}`");
            let size = if let Ty::Record(row) = &*record.ty { row.len() } else { 0 };
            let is_large = size > LISTED;
            label(
                problem.span,
                match why {
                    _ if is_large && !near.is_empty() || size > UNLISTED => format!("there is no `{name}` here"),
                    // the place is that of the read
                    Why::Access(_) | Why::Part => format!("the {} here is {}", kind_names.record, short(record)),
                    Why::Read(path) if !path.is_empty() => format!("`{path}` of this is {}", short(record)),
                    _ => format!("this is {}", short(record)),
                },
            );
            if let Some(wanted) = wanted {
                label(*wanted, asks(why, name, kind_names));
            }
            if let Some(hidden) = hidden {
                return super::origins::hidden(&hidden.name, hidden.span, &hidden.missing, report);
            }
            did_you_mean(near, report);
            let is_optional = matches!(&*record.ty, Ty::Record(row) if row.get(name).is_some());
            if is_optional {
                report.notes.push(format!("`{name}` is optional, and has no value here"));
                report.suggestions.extend((kind_names.optional_hint)(name));
            } else if near.is_empty() && wanted.is_some() && matches!(why, Why::Argument(..)) {
                report.suggestions.push(format!("add a {} `{name}` to it", kind_names.field));
            } else if near.is_empty() && !is_large && wanted.is_none() {
                report.suggestions.extend((kind_names.absent_hint)(name));
            }
        }
        TypesKind::ExtraField { name, why, wanted, near } => {
            report.message = format!("extra field `{name}`");
            label(problem.span, format!("`{name}` is not allowed here"));
            if let Some(wanted) = wanted {
                label(*wanted, refuses(why, name, kind_names));
            }
            if near.is_empty() {
                let further = (kind_names.failure_hint)(&report.message).map(String::from);
                report.suggestions.extend(match why {
                    Why::Argument(..) => {
                        further.map(|further| format!("leave it out; in a function of yours, {further}"))
                    }
                    _ => further,
                });
            }
            did_you_mean(near, report);
        }
        TypesKind::UnknownTag { name, wanted, near, of_parameter: true, .. } => {
            report.message = format!("the value can be `'{name}`, which the function does not take");
            label(problem.span, format!("`'{name}` is not covered"));
            if let Some(wanted) = wanted {
                label(*wanted, format!("this allows `'{name}`"));
            }
            report.suggestions.push(match near.first() {
                Some(near) => format!("the function takes `'{near}`: did you mean `'{name}`?"),
                None => format!("add an arm: `'{name} => …`"),
            });
        }
        TypesKind::UnknownTag { name, why, wanted, near, allowed, .. } => {
            report.message = match why {
                Why::Pattern => format!("the value can be `'{name}`, which no pattern covers"),
                _ => format!("the tag `'{name}` is not one of those that are allowed here"),
            };
            label(problem.span, format!("this can be `'{name}`"));
            if let Some(wanted) = wanted {
                let text = match why {
                    Why::Pattern => format!("`'{name}` is not covered"),
                    Why::Argument(n, f) => format!("the {} argument of {} has no `'{name}`", ordinal(*n), called(f)),
                    Why::Annotation => format!("the annotation has no `'{name}`"),
                    Why::Contract => format!("the contract has no `'{name}`"),
                    _ => reason(why, None, kind_names),
                };
                label(*wanted, text);
            }
            if *why == Why::Pattern && near.is_empty() {
                report.suggestions.push(format!("add an arm: `'{name} => …`"));
            }
            let near: Vec<Name> = near.iter().map(|tag| Name::from(format!("'{tag}"))).collect();
            did_you_mean(&near, report);
            if near.is_empty() && !allowed.is_empty() {
                let tags: Vec<String> = allowed.iter().map(|tag| format!("`'{tag}`")).collect();
                report.suggestions.push(format!("allowed: {}", tags.join(", ")));
            }
        }
        TypesKind::NotCovered { case, wanted } => {
            report.message = format!("the value can be `{case}`, which no pattern covers");
            label(problem.span, String::from("this value"));
            label(*wanted, format!("`{case}` is not covered"));
            report.suggestions.push(format!("add an arm: `{case} => …`"));
        }
        TypesKind::NoDefinition { name, declared } => {
            report.message = format!("`{name}` has no definition");
            label(problem.span, format!("`{name}` is declared, but nothing defines it"));
            if let Some(at) = declared.filter(|at| *at != problem.span) {
                label(at, String::from("declared here, without a value"));
            }
            report.suggestions.extend((kind_names.definition_hint)(name, true));
        }
        TypesKind::TooLarge { name } => {
            let what = name.as_ref().map_or_else(|| String::from("this"), |name| format!("`{name}`"));
            report.message = format!("the type of {what} is too large");
            label(problem.span, String::from("it is unknown from here on"));
        }
        TypesKind::NoMatch { wanted } => {
            report.message = String::from("no pattern matches this value");
            label(problem.span, String::from("this value"));
            label(*wanted, String::from("does not match it"));
        }
        TypesKind::Mixed { why, first, other, part } => {
            let what = match why {
                Why::Element(_) | Why::Operand(_) => "array elements",
                Why::Branch => "branches",
                Why::Arm => "match arms",
                _ => "definitions",
            };
            let [one, two] = types.short_both([&first.0, other]);
            let this = if *part { "a part of this" } else { "this" };
            report.message = match part {
                true => format!("parts of {what} have different types: {one} and {two}"),
                false => format!("{what} of different types: {one} and {two}"),
            };
            label(problem.span, format!("{this} is {two}"));
            label(first.1, format!("and {this} is {one}"));
        }
        TypesKind::ChangesType { path, now, was, other, when } if kind_names.keeps_kind && kind_of(now).is_some() => {
            let noun =
                |scheme: &Scheme| kind_of(scheme).map_or_else(|| short(scheme), |k| String::from((kind_names.kind)(k)));
            let (was, now) = (noun(was), noun(now));
            report.message = format!("`{}` changes from {was} to {now}", path.join("."));
            label(problem.span, format!("this is a {now}"));
            if let Some(other) = other {
                label(*other, format!("this is a {was}"));
            }
            for (guard, holds) in when {
                label(*guard, String::from(if *holds { "where this holds" } else { "where this does not hold" }));
            }
            report.notes.push(format!("a key keeps its kind in all layers: what reads this key expects a {was}"));
        }
        TypesKind::ChangesType { path, now, was, other, .. } => {
            let [was, now] = types.short_both([was, now]);
            report.message = format!("`{}` changes its type from {was} to {now}", path.join("."));
            // nothing in data reads a key
            let is_data = kind_names.field == "key";
            let [stronger, weaker] = match is_data {
                true => ["this layer has", "a lower layer has"],
                false => ["the stronger definition is", "the weaker one is"],
            };
            label(problem.span, format!("{stronger} {now}"));
            if let Some(other) = other {
                label(*other, format!("{weaker} {was}"));
            }
            if !is_data {
                report.notes.push(format!("what reads this field was checked as if it were {was}"));
            }
            let advice = match (now.as_str(), was.as_str()) {
                ("Null", was) if was.starts_with('{') => "to keep the fields, write `{}` here, or delete the field",
                ("String", "Number") => "a number is written without quotes, as in `80`",
                ("String", "Bool") => "`true` and `false` are written without quotes",
                ("String" | "Number" | "Bool", was) if was.starts_with('{') => {
                    "this replaces all fields: to change one of them, define only that one"
                }
                ("String" | "Number" | "Bool", was) if was.starts_with("Array") => {
                    "one element is a list too, in brackets: `[x]`"
                }
                _ => "",
            };
            if !advice.is_empty() {
                report.suggestions.push(String::from(advice));
            }
        }
        TypesKind::PriorityIgnored { name, below } => {
            report.message = format!("`+` ignores priorities: the right definition of `{name}` is used");
            label(problem.span, String::from("this one is used"));
            if let Some(below) = below {
                label(*below, String::from("this one is overridden, whatever its priority"));
            }
            report.suggestions.push(String::from("`&` in cfg compares priorities"));
        }
        TypesKind::Infinite { whole, why, .. } => {
            report.message = match why {
                Why::Sibling(name) => format!("`{name}` contains itself: its type would be infinite"),
                Why::Argument(..) | Why::Result(..) => {
                    let role = reason(why, None, kind_names);
                    if matches!(&*whole.ty, Ty::Fun(..)) {
                        report.suggestions.push(String::from(
                            "a function that takes too few arguments gives a function back: compare how many it takes with how many \
                             it is called with",
                        ));
                    }
                    format!("{role} does not fit: its type would be infinite")
                }
                _ => String::from("a value contains itself: its type would be infinite"),
            };
            label(problem.span, format!("it would be {} with itself inside", short(whole)));
        }
        TypesKind::Rigid { var, ty, other, wanted } => {
            match other {
                Some(other) => {
                    report.message = format!("not as general as its annotation: `{var}` would have to be `{other}`");
                    label(problem.span, format!("this works only if `{var}` and `{other}` are the same type"));
                    report.suggestions.push(format!("let the annotation have `{other}` in the place of `{var}`"));
                }
                None => {
                    let ty = short(ty);
                    report.message = format!("not as general as its annotation: `{var}` would have to be {ty}");
                    label(problem.span, format!("this works for {ty} only"));
                    if ty.chars().all(char::is_alphanumeric) {
                        report.suggestions.push(format!(
                            "let the annotation have `{ty}` in the place of `{var}`, or use only what works for every type"
                        ));
                    }
                }
            }
            if let Some(wanted) = wanted {
                label(*wanted, format!("`{var}` stands for any type the caller chooses"));
            }
        }
        TypesKind::NotFunction { found, takes: 0 } => {
            report.message = format!("{} is not a function", short(found));
            label(problem.span, String::from("called here"));
            report.suggestions.extend((kind_names.call_hint)(&short(found)).map(String::from));
        }
        TypesKind::NotFunction { found, takes } => {
            report.message = format!("too many arguments: the function takes {takes}");
            label(problem.span, format!("one too many: with {takes}, the result is {}", short(found)));
            report.suggestions.push(String::from("remove the further arguments, or add a parameter to the function"));
        }
        TypesKind::NotMergeFunction { found, arguments } => {
            report.message = match arguments {
                Some(count) => format!("a merge function takes one argument, this function takes {count}"),
                None => format!("{} is not a merge function", short(found)),
            };
            label(problem.span, String::from("expected a function of one argument"));
            super::value::merge_function(&mut report.notes, &mut report.suggestions);
        }
        TypesKind::NotContract { found } => {
            report.message = String::from("a value where a type is expected");
            label(problem.span, format!("this is a value, of type {}", short(found)));
            report.suggestions.push(String::from(match &*found.ty {
                Ty::Bool => {
                    "`|` attaches a contract; the logical operators are `&&` and `||`, and a value is written with `=`"
                }
                _ => super::manifest::VALUE_AS_TYPE,
            }));
            if !matches!(&*found.ty, Ty::Bool) {
                report.suggestions.push(String::from(super::manifest::JSON_FILE));
            }
        }
        TypesKind::NoJson { name: None } => {
            report.message = String::from("a function has no JSON");
            label(problem.span, String::from("this is part of what is shown"));
        }
        TypesKind::NoJson { name: Some(name) } => {
            report.message = format!("`{name}` is a function, which has no JSON");
            label(problem.span, String::from("this field is shown"));
            report.suggestions.push((kind_names.function_hint)(name));
        }
        TypesKind::Undefined { name, below: false, near } => {
            report.message = format!("no field `{name}`: neither this object nor one combined with it defines it");
            label(problem.span, String::from("it is needed here"));
            match near.is_empty() {
                false => did_you_mean(near, report),
                true => report.suggestions.push(format!(
                    "define `{name}` in this object, or in one that is combined with it by `+`; a field of an object around it is \
                     read through `$`"
                )),
            }
        }
        TypesKind::Undefined { name, below: true, near } => {
            report.message = format!("no field `{name}` on the left: `super.{name}` has no value");
            label(problem.span, String::from("it is needed here"));
            match near.first() {
                Some(own) if own == name => {
                    report.suggestions.push(format!("`self.{name}` reads the field of this object"))
                }
                Some(near) => report.suggestions.push(format!("did you mean `super.{near}`?")),
                None => {}
            }
            report.suggestions.push(format!("`super` is the object on the left of `+`, which has to define `{name}`"));
        }
        TypesKind::ExtendsNothing { name, near: (near, at), taken } => {
            report.message = format!("`{name}+:` extends nothing: the object on the left has no field `{name}`");
            label(problem.span, String::from("this is a new field"));
            if let Some(at) = at {
                label(*at, format!("`{near}` is defined here"));
            }
            if !taken {
                report.suggestions.push(format!("did you mean `{near}`?"));
            }
        }
        TypesKind::NamesItself { names } => {
            let names: Vec<String> = names.iter().filter(|n| !n.is_empty()).map(|n| format!("`{n}`")).collect();
            report.message = match names.as_slice() {
                [] => String::from("a local that names itself has no value"),
                [one] => format!("{one} names itself: it has no value"),
                [one, rest @ ..] => format!("{one} names itself by way of {}: it has no value", rest.join(", ")),
            };
            if names.len() > 1 {
                report.suggestions.push(String::from("give one of them a value that reads none of the others"));
            }
            label(problem.span, String::from("this refers only to itself"));
        }
        TypesKind::Call { fault, function, usage, defined } => {
            let function = short(function);
            super::call::write(problem.span, fault, &function, (usage, defined), kind_names, report);
        }
        TypesKind::FormatCount { takes, given } => {
            let relation = if given > takes { "too many" } else { "not enough" };
            report.message = format!("{relation} values to format: {given}, the format takes {takes}");
            label(problem.span, format!("values for {takes} were expected here"));
            report
                .suggestions
                .push(String::from("each `%s`, `%d` and so on takes one element of the array; `%%` is a percent sign"));
        }
        TypesKind::NotInEach { name, near, element } => {
            report.message = format!("not every element has a field `{name}`");
            label(problem.span, format!("`{name}` is read from each element"));
            label(*element, format!("this one has no `{name}`"));
            did_you_mean(near, report);
        }
        TypesKind::MissingRequiredField { name, default, parameter } => {
            let (message, place) = match parameter {
                true => (format!("the call does not pass `{name}`"), format!("`{name}` is not passed here")),
                false => (format!("the argument lacks `{name}`"), format!("`{name}` is not in this object")),
            };
            report.message = format!("{message}, whose default is an error");
            label(problem.span, place);
            label(*default, String::from("this is evaluated instead"));
        }
        TypesKind::Raises => {
            report.message = String::from("evaluation fails here");
            label(problem.span, String::from("this is certain to be evaluated"));
            report.suggestions.push(String::from(
                "remove the `error`, give the field a value in an object on the right of `+`, or let a condition exclude the `error`",
            ));
        }
        TypesKind::Ambiguous { ty, name } => {
            let of = name.as_ref().map_or_else(String::new, |name| format!(" of `{name}`"));
            report.message = format!("the type{of} is ambiguous: {}", short(ty));
            label(problem.span, String::from("nothing decides the rest of this type"));
        }
        TypesKind::NoInstance { operator, found, allowed } => {
            report.message = format!("`{operator}` does not work on {}", short(found));
            label(problem.span, format!("it works on {}", instances(*allowed)));
            report
                .suggestions
                .extend((types.notation.kind_names.operator_hint)(operator, &short(found)).map(String::from));
        }
        TypesKind::Arguments { function, name, takes, given } => {
            report.message = format!("func arg count differs: {} takes {takes}, {given} given", called(name));
            label(problem.span, format!("the function is {}", short(function)));
            let plural = |n: usize| format!("{n} argument{}", if n == 1 { "" } else { "s" });
            report.suggestions.push(match given > takes {
                true => format!("remove {}", plural(given - takes)),
                false => format!("add {}", plural(takes - given)),
            });
        }
        TypesKind::Unbound { name, near } => {
            let what = match name.strip_prefix('$') {
                Some(name) => format!("variable `${name}`"),
                None => match name.split_once(' ') {
                    Some(("func", name)) => format!("function `{name}()`"),
                    Some((what, name)) => format!("{what} `{name}`"),
                    None => name.to_string(),
                },
            };
            report.message = format!("{what} is not in scope");
            label(problem.span, String::from("nothing of this name is bound there"));
            report.suggestions.extend(super::syntax::similar(near));
        }
        TypesKind::RejectedCall { name, why } => {
            report.message = format!("`{name}`: {why}");
            label(problem.span, String::from("in this call"));
            if why.contains("format") {
                report.suggestions.push(String::from(
                    "each code of the format, such as `%s`, `%d` or `%v`, takes one value after it; `%%` is a percent sign",
                ));
            }
        }
        TypesKind::Elsewhere => {
            report.message = String::from("a value that this needs cannot be computed");
            label(problem.span, String::from("because of the problem here"));
        }
    }
}

/// Lists the types of a set.
fn instances(wanted: crate::ty::Instances) -> String {
    use crate::ty::Instances;
    let all = [
        (Instances::BOOL, "bool"),
        (Instances::STR, "str"),
        (Instances::INT, "int"),
        (Instances::FLOAT, "float"),
        (Instances::LIST, "lists"),
        (Instances::MAP, "maps"),
        (Instances::STRUCT, "structs"),
        (Instances::FUNC, "functions"),
    ];
    let names: Vec<&str> = all.iter().filter(|(one, _)| wanted.has(*one)).map(|(_, name)| *name).collect();
    names.join(", ")
}

/// Describes the place that requires a field.
fn asks(why: &Why, name: &str, kind_names: &KindNames) -> String {
    match why {
        Why::Pattern => format!("the pattern asks for `{name}`"),
        Why::Annotation => format!("the annotation asks for `{name}`"),
        Why::Contract => format!("the contract asks for `{name}`"),
        Why::Defined(name) => format!("`{name}` is defined here"),
        Why::Read(_) => format!("`{name}` is read here"),
        Why::Argument(n, function) => format!("{} asks for `{name}` of its {} argument", called(function), ordinal(*n)),
        _ => reason(why, None, kind_names),
    }
}

/// Describes the place that does not allow a field.
fn refuses(why: &Why, name: &str, kind_names: &KindNames) -> String {
    match why {
        Why::Pattern => format!("the pattern has no `{name}`, and no `..` that would let it pass"),
        Why::Annotation => format!("the annotation has no `{name}`"),
        Why::Contract => format!("the contract has no `{name}`, and no `..` that would let it pass"),
        Why::Argument(n, function) => format!("the {} argument of {} has no `{name}`", ordinal(*n), called(function)),
        _ => reason(why, None, kind_names),
    }
}

pub(super) fn called(function: &Option<Name>) -> String {
    function.as_ref().map_or_else(|| String::from("the function"), |name| format!("`{name}`"))
}

/// Maximum number of fields of a record whose type is shown although a similar name is suggested.
const LISTED: usize = 20;

/// Maximum number of fields of a record whose type is shown at all.
const UNLISTED: usize = 100;

/// Maximum width of a type in a sentence, in columns.
const MOST: usize = 120;

impl TypeWriter<'_> {
    /// Prints a type, shortened to fit into a sentence.
    pub(super) fn short(&self, scheme: &Scheme) -> String {
        let scheme = (self.mask)(scheme);
        let text = (self.notation.ty)(&scheme);
        if text.chars().count() <= MOST {
            return text;
        }
        if let Ty::Record(row) = &*scheme.ty {
            let names: Vec<&str> =
                row.fields().map(|(name, _)| name.as_str()).filter(|name| !name.starts_with("__")).take(8).collect();
            return format!("{} of {} fields: {}, …", self.notation.kind_names.a_record, row.len(), names.join(", "));
        }
        Styled::from(text).cut(MOST).text()
    }

    /// Prints two types that are compared: if their short forms are equal, the parts that differ.
    pub(super) fn short_both(&self, schemes: [&Scheme; 2]) -> [String; 2] {
        let both = schemes.map(|scheme| self.short(scheme));
        let texts = schemes.map(|scheme| Styled::from((self.notation.ty)(&(self.mask)(scheme))));
        match both[0] == both[1] && texts[0] != texts[1] {
            true => texts.each_ref().map(|text| text.cut_apart(MOST, &texts).text()),
            false => both,
        }
    }
}

fn did_you_mean(near: &[Name], report: &mut Report) {
    if let Some(first) = near.first() {
        report.suggestions.push(format!("did you mean `{first}`?"));
    }
}

/// Explains why a type was expected, in the terms of a language. Mentions the type if `expected` is given.
pub fn reason(why: &Why, expected: Option<&str>, kind_names: &KindNames) -> String {
    let ty = expected.unwrap_or("a type");
    match why {
        Why::Operand(prim) => match expected {
            Some(ty) => format!("`{}` works on {ty}", (kind_names.operator)(*prim)),
            None => format!("an operand of `{}`", (kind_names.operator)(*prim)),
        },
        Why::Argument(n, name) => {
            let function = called(name);
            match expected {
                Some(ty) => format!("{function} takes {ty} as its {} argument", ordinal(*n)),
                None => format!("the {} argument of {function}", ordinal(*n)),
            }
        }
        Why::Result(n, name) => {
            let function = called(name);
            match expected {
                Some(ty) => format!("{function} takes a function that returns {ty} as its {} argument", ordinal(*n)),
                None => format!("the result of the {} argument of {function}", ordinal(*n)),
            }
        }
        Why::Called => String::from("only a function can be called"),
        Why::Condition => format!("a condition is {}", kind_names.a_boolean),
        Why::Element(_) => match (kind_names.kind)("Array") {
            "list" => String::from("the elements of a list, or the values of a map, have one type"),
            _ => String::from("the elements of an array have one type"),
        },
        Why::Branch => String::from("both branches have one type"),
        Why::Arm => String::from("all arms have one type"),
        Why::Pattern => format!("the pattern matches {ty}"),
        Why::Interpolated => {
            String::from("only strings, numbers, booleans and enum tags can be interpolated into a string")
        }
        // a class has its graph under a name that programs cannot write
        Why::Access(name) if name.starts_with('%') => String::from("only a class can be included"),
        Why::Access(name) => format!("only {} has a field `{name}`", kind_names.a_record),
        Why::Read(_) => String::from("a field of it is read"),
        Why::Part => format!("only {} has fields", kind_names.a_record),
        Why::Computed => format!("a computed field name is {}", kind_names.a_string),
        Why::Annotation => format!("the annotation says {}", expected.unwrap_or("otherwise")),
        Why::Contract => match expected {
            Some(ty) => format!("the contract wants {ty}"),
            None => String::from("the contract says so"),
        },
        Why::Given => match expected {
            Some(ty) => format!("this contract wants {ty}"),
            None => String::from("the contract says so"),
        },
        Why::Merge => String::from("merging two values of one priority needs one type"),
        Why::Sibling(name) => format!("`{name}` is used as {ty} by the fields beside it"),
        Why::Recursive => format!("its own uses take it for {ty}"),
        Why::Default => String::from("the default of a pattern has the pattern's type"),
        Why::TypePart => String::from("a part of a type"),
        Why::Defined(name) => format!("`{name}` is defined as it is"),
        Why::Format(directive) => match expected {
            Some(ty) => format!("`{directive}` takes {ty}"),
            None => format!("`{directive}` of the format"),
        },
        Why::Iterated => String::from(match (kind_names.kind)("Array") {
            "list" => "a `for` goes over a list",
            _ => "a comprehension goes over an array",
        }),
        Why::Index => format!("the index is {ty}"),
        Why::ResourceField(field) => match expected {
            Some(ty) => format!("the field `{field}` is {ty}"),
            None => format!("the field `{field}`"),
        },
        Why::ResourceName => String::from("the name of a resource is a text that is written out, or a list of str"),
        Why::Key(_) => String::from("the keys of a map have one type"),
        Why::InString => String::from("only a str can be interpolated into a string"),
        Why::Use => String::from("the function that is used here asks for it"),
    }
}

pub(super) fn ordinal(n: u32) -> String {
    match n {
        1 => "first".into(),
        2 => "second".into(),
        3 => "third".into(),
        n => format!("{n}th"),
    }
}

/// Returns the evaluator's name of the kind of value that a type describes, if there is one kind.
fn kind_of(scheme: &Scheme) -> Option<&'static str> {
    Some(match &*scheme.ty {
        Ty::Number => "Number",
        Ty::String => "String",
        Ty::Bool => "Bool",
        Ty::Array(_) => "Array",
        Ty::Record(_) => "Record",
        _ => return None,
    })
}
