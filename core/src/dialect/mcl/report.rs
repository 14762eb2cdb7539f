//! The messages of problems in mcl programs.

use super::kinds::BUILT_IN;
use super::problem::{Elsewhere, MclProblem, Meant, Named};
use super::token::Kind;
use crate::problem::report::{Label, Report, alternatives, expected_here, listed, similar, unexpected, was};
use crate::text::{Name, Span};

/// Maximum number of characters of a name in a message.
const LONGEST: usize = 60;

/// Shortens a name, and shows it on one line.
pub(in crate::dialect::mcl) fn short(text: &str) -> String {
    let shown = text.replace('\n', "\\n").replace('\r', "\\r");
    match shown.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown,
    }
}

/// Suggests a fix for a common mistake.
fn meant(what: Meant) -> &'static str {
    match what {
        Meant::Arrow => "a field of a resource is written `name => value,`",
        Meant::Braces => "the statements after a condition are in braces: `if c { … }`",
        Meant::Fields => "the fields of a resource are in braces: `kind \"name\" { field => value, }`",
        Meant::NameFirst => "the name of a resource comes before its brace: `file \"/a\" { state => \"exists\", }`",
        Meant::EdgeOf => "the kind of a resource in an edge begins with a capital: `Pkg[\"nginx\"]`",
        Meant::MapKey => {
            "the keys of a map are in quotes, `{\"host\" => \"a\",}`; fields of several types are those of a `struct{host => \"a\", port => 80,}`"
        }
        Meant::MapArrow => "a map is written `{\"host\" => \"a\",}`: its keys are values, so a text is in quotes",
        Meant::Null => {
            "mcl has no null: leave the field out, or use a value of the same type, for example `\"\"`, that means that there is none"
        }
        Meant::ByPlace => {
            "arguments have no names: write the values only, in the order of the parameters, `f(\"a\", 80)`"
        }
        Meant::OneExpression => {
            "the body of a function or of a branch is one expression: write the value in the place where the variable is used"
        }
        Meant::ClassBody => {
            "a function computes a value; a class has resources: `class c($x) { … }`, used by `include c(…)`"
        }
        Meant::Bind => "a variable is bound by `$name = value`",
        Meant::Compare => "equality is written `==`, inequality `!=`",
        Meant::ElseIf => "write `else { if … { … } }`",
        Meant::Return => "the last expression of a function is its result, without `return`",
        Meant::Not => "negation is written `not e`",
        Meant::And => "the operators are `and`, `or` and `not`",
        Meant::Or => {
            "conditions are joined with `or`; `||` gives a default only after a lookup: `$m[\"key\"] || \"a\"`"
        }
        Meant::Quotes => "a string is written in straight double quotes: `\"…\"`",
        Meant::Negate => "only a number has a sign: write `0 - e`",
        Meant::Variable => "a text is in quotes, a variable is written `$name`, and a call `name(…)`",
        Meant::CommaOfLine => "elements on one line have no comma at the end: `[1, 2]`",
        Meant::CommaOfLines => "each element on its own line ends with a comma, also the last one",
        Meant::Lines => "elements are all on one line, or each on lines of its own and followed by a comma",
        Meant::Statements => "a statement ends with its line",
        Meant::Except => "a fallback is written `e <|> fallback`",
        Meant::Newest => "this is syntax of 2026: set the option `syntax` to 2026 to use it",
        Meant::Choice => "a choice is written `if c { 1 } else { 2 }`",
        Meant::Function => "a function is written `func f($x) { $x + 1 }`",
        Meant::Unless => "write `if not c { … }`",
        Meant::Case => "write `if $x == \"a\" { … } else { if $x == \"b\" { … } }`",
        Meant::Resource => "a resource begins with its kind: `file \"/a\" { state => \"exists\", }`",
        Meant::Node => "there are no nodes: a program is for one host, and `if $hostname == \"a\" { … }` chooses",
        Meant::Inherits => "a class inherits nothing, it includes the other one: `class a { include b … }`",
        Meant::Namespace => "what is in a namespace follows a point: `include a.b`",
        Meant::ParameterType => "the type of a parameter follows its name, without a colon: `$name str`",
        Meant::ParameterDefault => "parameters have no defaults: give the value in each `include` or call",
        Meant::Join => "strs are joined with `+`, and `\"a ${x}\"` inserts a variable",
        Meant::Method => {
            "values have no methods: a function takes the value, `strings.to_lower($x)`, after `import \"strings\"`"
        }
        Meant::Prefix => "remove the letter: every string inserts variables, `\"a ${x}\"`",
        Meant::TripleQuotes => "a text of several lines is in `\"…\"` too: write one quote",
        Meant::LowerCase => "it is written in lower case: `true`, `false`",
        Meant::Comprehension => {
            "a list is made of another one by `iter.map($list, func($x) { $x + 1 })`, after `import \"iter\"`"
        }
        Meant::Comment => "a comment begins with `#`",
        Meant::Loop => {
            "one resource for each name: `pkg $names { … }`, where `$names` is a list; `for $i, $x in [1, 2] { … }` is syntax of 2026, of the option `--syntax 2026`"
        }
    }
}

/// Suggests a fix for an unexpected token, from what is expected in its place.
fn other_hint(found: &str, expected: &[Name]) -> Option<&'static str> {
    let wants = |what: &str| expected.iter().any(|e| e == what);
    Some(match found {
        ";" => "a statement ends without a `;`: remove it",
        "/" | "//" => "a comment begins with `#`",
        "}" | "]" | ")" if wants("a statement") => "there is no open bracket for this: remove it",
        "=>" if wants("`(`") => {
            "fields are in the braces of a resource, `kind \"name\" { field => value, }`, or of a `struct{…}`"
        }
        _ if wants("the name of a field") && found.starts_with('"') => {
            "the names of fields have no quotes: `struct{host => \"a\",}`"
        }
        _ if wants("the name of a variable") && found.starts_with(|c: char| c.is_ascii_digit()) => {
            "an element is read by its number in brackets: `$x[0]`"
        }
        "=" if wants("`,`") => "a `[` or `(` before this is still open: close it",
        ":" if wants("an operator") || wants("`=`") => "a variable with a type is bound by `$name int = value`",
        ":" if wants("`{`") => "a resource is written `kind \"name\" { field => value, }`",
        ":" => "a map is written `{\"key\" => value,}`",
        "->" if wants("`=>`") => "a field is set by `name => value,`",
        "->" | "{" if wants("`]`") => "close the name of the resource with `]`: `File[\"/a\"]`",
        "?:" => {
            "`?:` is for the fields of a resource, which are set if a condition holds; a choice is written `if c { 1 } else { 2 }`"
        }
        "?" => "a choice is written `if c { 1 } else { 2 }`",
        "string" | "text" if wants("`,`") => "the type of a text is `str`",
        "integer" | "number" if wants("`,`") => "the type of a whole number is `int`, of another one `float`",
        "boolean" if wants("`,`") => "the type of `true` and `false` is `bool`",
        "{" if wants("the name of a class") => "a class is used by `include base`, and defined by `class base { … }`",
        "%" => "the rest of a division is `math.mod(a, b)`, after `import \"math\"`",
        "." if wants("`,`") => "strs are joined with `+`",
        "." if wants("`=>`") => "a meta parameter is written `Meta:noop => true,`",
        "=" if wants("`{`") => "a function or a class has its body in braces, without `=`: `func f($x) { $x + 1 }`",
        ">" | "=" if wants("an expression") => "inequality is written `!=`, equality `==`",
        "+" => "a variable is bound once: `$next = $x + 1` is another one",
        "," | "}" if wants("an expression") => "write the value that is missing",
        _ if wants("`->`") => "an edge has two ends: `File[\"/a\"] -> File[\"/b\"]`",
        _ if wants("`else`") => "an `if` in an expression has both branches: `if c { 1 } else { 2 }`",
        _ if wants("a parameter: `$name`") => "parameters have a `$`: `func f($x) { … }`",
        _ if wants("the name of a class") && found.starts_with(char::is_uppercase) => {
            "the name of a class begins with a lower-case letter"
        }
        _ if wants("a path in quotes") => "the path of an import is in quotes: `import \"fmt\"`",
        _ if wants("`[`") && found.starts_with('"') => {
            "a resource begins with a lower-case letter, `file \"/a\" { … }`; an edge has brackets, `File[\"/a\"] -> File[\"/b\"]`"
        }
        _ if wants("`,`") => "elements and fields are separated by commas, with one after the last: `[1, 2,]`",
        _ if wants("`=>`") => "a field is set by `name => value,`; a loop is written `for $i, $x in [1, 2,] { … }`",
        _ if wants("a statement") => "arguments of a class are in parentheses: `include c(\"a\")`",
        "" if wants("`{`") => "a resource is written `kind \"name\" { field => value, }`",
        "" => "the program ends too early: write what is expected",
        _ => return None,
    })
}

/// Writes a number of arguments.
fn counted(arguments: usize) -> String {
    format!("{arguments} argument{}", if arguments == 1 { "" } else { "s" })
}

pub(super) fn write(problem: &MclProblem, span: Span, report: &mut Report) {
    let mut label = String::new();
    let mut further = Vec::new();
    let mut further_notes = Vec::new();
    let mut help = |text: String| report.suggestions.push(text);
    report.message = match problem {
        MclProblem::Unexpected { found, expected, meant: what } => {
            label = expected_here(expected);
            let hint = what.map(meant).or_else(|| other_hint(found.as_deref().unwrap_or_default(), expected));
            if let Some(hint) = hint {
                help(hint.to_string());
            }
            unexpected(found)
        }
        MclProblem::Unclosed(what) => {
            label = String::from("opened here, never closed");
            if let Some(close) = match what.as_str() {
                "brace `{`" => Some("close it with `}`"),
                "bracket `[`" => Some("close it with `]`"),
                "parenthesis `(`" => Some("close it with `)`"),
                "string" => Some("end it with `\"`"),
                _ => None,
            } {
                help(String::from(close));
            }
            format!("unclosed {what}")
        }
        MclProblem::Reserved(word) => format!("`{}` is a reserved word", short(word)),
        MclProblem::Escape(escape) => {
            help(String::from("the escapes are `\\a \\b \\f \\n \\r \\t \\v \\\\ \\\" \\$`"));
            format!("unknown escape `{escape}`")
        }
        MclProblem::Number(text) => {
            label = format!("`{text}` does not fit into 64 bits");
            String::from("the number is too large")
        }
        MclProblem::Chained(op) => {
            help(String::from("combine two comparisons with `and`"));
            format!("comparisons cannot be chained: `{op}`")
        }
        MclProblem::Interpolation(why) => {
            help(String::from("a variable in a string is written `${name}`; a dollar sign alone is `\\$`"));
            why.to_string()
        }
        MclProblem::UnknownKind { kind, near } => {
            if let Some(near) = similar(near) {
                help(near);
            }
            format!("no resource kind `{}` available", short(kind))
        }
        MclProblem::UnknownField { kind, field, near, known } => {
            let fields: Vec<String> = known.iter().map(|field| format!("`{field}`")).collect();
            let list = || (!fields.is_empty()).then(|| format!("its fields are {}", fields.join(", ")));
            if let Some(hint) = similar(near).or_else(list) {
                help(hint);
            }
            format!("the resource kind `{}` has no field `{}`", short(kind), short(field))
        }
        MclProblem::UnknownMeta { name, near } => {
            help(similar(near).unwrap_or_else(|| {
                let all: Vec<Name> = BUILT_IN.meta.keys().cloned().collect();
                format!("the meta parameters are {}", listed(&all))
            }));
            format!("there is no meta parameter `{}`", short(name))
        }
        MclProblem::RepeatedField { field, first } => {
            label = String::from("set again here");
            further.push((*first, String::from("first set here")));
            help(String::from("a resource sets a field once: remove one of them"));
            format!("the field `{}` is set twice", short(field))
        }
        MclProblem::Literal { found, annotation } => {
            label = format!("this is {found}");
            further.push((*annotation, String::from("the annotation says another type")));
            help(format!("change the annotation to `{found}`, or the value"));
            format!("the value is {found}, and the annotation says another type")
        }
        MclProblem::Range { kind, field, value, range: (low, high), set } => {
            if let Some(set) = set {
                further.push((*set, format!("the field `{}` is set to it", short(field))));
            }
            label = format!("expected an int from {low} to {high}");
            help(format!("write a number in this range, or set a field of a larger type than `{}`", short(field)));
            format!("the field `{}` of `{}` is {value}, and must be from {low} to {high}", short(field), short(kind))
        }
        MclProblem::Value { kind, field, value, all, near } => {
            let all: Vec<Name> =
                all.iter().filter(|v| !v.is_empty()).map(|v| Name::from(format!("`\"{v}\"`"))).collect();
            label = format!("expected {}", alternatives(&all));
            if let [near, ..] = near.as_slice() {
                help(format!("did you mean `\"{near}\"`?"));
            }
            format!("the field `{}` of `{}` cannot be \"{}\"", short(field), short(kind), short(value))
        }
        MclProblem::NotAnEdge { word, near } => {
            label = String::from("expected `Before`, `Depend`, `Notify` or `Listen`");
            help(match near.as_slice() {
                [near, ..] => format!("write `{near} => …`"),
                [] => {
                    String::from("`Before` and `Depend` order two resources; `Notify` and `Listen` pass on changes too")
                }
            });
            format!("`{}` makes no edge to a resource", short(word))
        }
        MclProblem::SmallEdge(edge) => {
            label = String::from("expected a capital letter");
            help(format!("write `{}`", short(edge)));
            String::from("an edge names the kinds of resources with capitals")
        }
        MclProblem::NoComma { close } => {
            label = String::from("expected `,` after this");
            help(String::from(match *close {
                "}" => "every field ends with a comma, the last one too: `{ state => \"exists\", }`",
                _ => "every element ends with a comma, the last one too: `[1, 2,]`",
            }));
            String::from("missing comma")
        }
        MclProblem::NotClosed { open, next } => {
            let (name, open, close) = match open {
                Kind::LParen => ("parenthesis", "(", ")"),
                Kind::LBracket => ("bracket", "[", "]"),
                _ => ("brace", "{", "}"),
            };
            label = String::from("opened here, never closed");
            further.push((*next, format!("what begins here cannot be inside of `{open}`")));
            help(format!("write the `{close}` before this"));
            format!("unclosed {name} `{open}`")
        }
        MclProblem::NoElse => {
            label = String::from("expected `else` after this");
            help(String::from("write both branches: `if c { 1 } else { 2 }`"));
            String::from("an `if` in an expression has no value without an `else`")
        }
        MclProblem::BareName(name) => {
            label = String::from("expected a text in quotes");
            help(match name.starts_with(|c: char| c.is_ascii_lowercase()) && !name.contains(['/', '.', '-', ':']) {
                true => format!("write `\"{0}\"`; the variable is `${0}`", short(name)),
                false => format!("write `\"{}\"`", short(name)),
            });
            format!("the name of a resource is a text: unexpected `{}`", short(name))
        }
        MclProblem::VariableName { found, proper, difference } => {
            label = String::from("expected small letters, digits and `_`");
            help(match difference {
                Some(difference) => {
                    format!("write `${}`; a difference is written `${}`", short(proper), short(difference))
                }
                None => format!("write `${}`", short(proper)),
            });
            format!("`${}` is not the name of a variable", short(found))
        }
        MclProblem::EdgeEnd { word, list } => {
            label = String::from("expected a resource, as in `Svc[\"a\"]`");
            help(match list {
                true => format!(
                    "write one edge for each resource: `{0} => File[\"a\"],` and `{0} => Svc[\"b\"],`",
                    short(word)
                ),
                false => format!("the other end is a kind and a name: `{} => Svc[\"a\"],`", short(word)),
            });
            format!("`{}` needs the other end of the edge", short(word))
        }
        MclProblem::Length(variable) => {
            label = String::from("no field of this name is in scope");
            help(format!("the number of elements is `len(${})`", short(variable)));
            format!("`${}` has no fields that are read with a `.`", short(variable))
        }
        MclProblem::NoInclude(name) => {
            label = String::from("a call is not a statement");
            help(format!("the statements of a class are included by `include {}(…)`", short(name)));
            format!("unexpected call of `{}`", short(name))
        }
        MclProblem::Collect => {
            label = String::from("collects nothing");
            String::from("there are no other hosts whose resources could be collected")
        }
        MclProblem::Module { path, why, near } => {
            if let Some(near) = similar(near) {
                help(near);
            }
            format!("cannot import \"{}\": {why}", short(path))
        }
        MclProblem::FieldInString { variable, field } => {
            label = String::from("only a variable can be inserted");
            let (variable, field) = (short(variable), short(field));
            help(format!("bind the field first, `${field} = ${variable}->{field}`, and insert that: `${{{field}}}`"));
            format!("`${{{variable}.{field}}}` is not a variable")
        }
        MclProblem::Dollar(name) => {
            label = String::from("nothing is inserted here");
            help(format!("to insert the value, write `${{{}}}`", short(name)));
            format!("`${}` in a string is plain text", short(name))
        }
        MclProblem::VariablePath(path) => {
            label = String::from("the path of an import must be constant");
            help(String::from("write the path of each module in an `import` of its own, without `${…}`"));
            format!("cannot import \"{}\": a path has no variables", short(path))
        }
        MclProblem::NotCached { path, tried } => {
            label = String::from("nothing is fetched");
            let tried: Vec<String> = tried.iter().map(|path| format!("`{path}`")).collect();
            if !tried.is_empty() {
                further_notes.push(format!("looked for {}", tried.join(", then ")));
            }
            help(String::from(
                "put the module into a folder for modules: `path` in the metadata.yaml of the importing module, `--module-path DIR`, or \
                 `MCL_MODULE_PATH`",
            ));
            format!("no local copy of the module \"{}\"", short(path))
        }
        MclProblem::Table(why) => {
            label = String::from("left out");
            why.to_string()
        }
        MclProblem::Unbound { what, name, near, elsewhere } => {
            let other = match elsewhere {
                Some(Elsewhere::Module(module)) => Some(format!("write `import \"{module}\"` first")),
                Some(Elsewhere::Branch(_)) => Some(format!(
                    "bind it outside, with a choice as its value: `${0} = if … {{ … }} else {{ … }}`",
                    short(name)
                )),
                Some(Elsewhere::Class(class, _)) => Some(format!(
                    "give the include a name, and read it through that: `include {0} as own` and `$own.{1}`",
                    short(class),
                    short(name)
                )),
                Some(Elsewhere::As(Named::Class)) => {
                    Some(format!("`{name}` is a class: its statements are included by `include {name}`"))
                }
                Some(Elsewhere::As(Named::Function)) => {
                    Some(format!("`{name}` is a function: call it by `{name}(…)`, without `$`"))
                }
                Some(Elsewhere::As(Named::Variable)) if *what == Named::Function => {
                    Some(format!("`${name}` is a variable: call it by `${name}(…)`"))
                }
                _ => None,
            };
            let through = |suggestion: String| match elsewhere {
                Some(Elsewhere::Namespace(namespace)) => {
                    format!(
                        "{suggestion}; a {} of the import is written `{}`",
                        what.word(),
                        short(&what.written(&format!("{namespace}.{name}")))
                    )
                }
                _ => suggestion,
            };
            match elsewhere {
                Some(Elsewhere::Branch(at)) => further.push((*at, String::from("bound only inside of these braces"))),
                Some(Elsewhere::Class(_, at)) => further.push((*at, String::from("bound only inside of this class"))),
                _ => {}
            }
            if let Some(Elsewhere::Module(module)) = elsewhere
                && let Some(near) = similar(near)
            {
                label = format!("no {} of this name exists", what.word());
                help(format!("{near} It needs `import \"{module}\"`"));
            } else if let Some(other) = other {
                if matches!(elsewhere, Some(Elsewhere::Branch(_) | Elsewhere::Class(..))) {
                    label = String::from("not bound here");
                }
                help(other);
            } else {
                let near: Vec<Name> = near.iter().map(|n| what.written(n).into()).collect();
                label = format!("no {} of this name is in scope", what.word());
                help(similar(&near).unwrap_or_else(|| match what {
                    _ if name.contains('.') => {
                        String::from("the namespace before the last dot exists, but has no such name")
                    }
                    Named::Class => through(format!("define it: `class {} {{ … }}`", short(name))),
                    Named::Function => {
                        through(format!("define it, `func {}(…) {{ … }}`, or import its module", short(name)))
                    }
                    Named::Namespace => String::from("a namespace is made by `import \"…\"` or `include … as …`"),
                    _ => through(format!("define it: `{} = …`", short(&what.written(name)))),
                }));
            }
            format!("{} `{}` is not in scope", what.word(), short(&what.written(name)))
        }
        MclProblem::Input(past) => {
            help(was(past));
            format!("`${}` is not in scope", past.number)
        }
        MclProblem::Duplicate { what, name, first } => {
            further.push((*first, String::from("first defined here")));
            if *what == Named::Variable {
                help(String::from("a scope binds a name once; a scope inside it can bind the name again"));
            }
            format!("duplicate definition of {} `{}`", what.word(), short(&what.written(name)))
        }
        MclProblem::Recursive { cycle } => {
            let names: Vec<String> = cycle
                .iter()
                .map(|(what, name, _)| format!("{} `{}`", what.word(), short(&what.written(name))))
                .collect();
            further.extend(cycle.iter().skip(1).map(|(_, _, at)| (*at, String::from("through this"))));
            label = String::from("this refers to itself");
            help(String::from("mcl has no recursion: remove one of these references"));
            match names.as_slice() {
                [one] => format!("recursive reference: {one} refers to itself"),
                _ => format!("recursive reference: {} refer to each other", names.join(", ")),
            }
        }
        MclProblem::NoKey { variable, at, key, near, keys } => {
            label = String::from("this is the empty value of its type");
            if !keys.is_empty() && keys.len() <= 8 {
                further.push((*at, format!("its keys are {}", listed(keys))));
            }
            let default =
                format!("a value for a key that is not there: `${}[\"{}\"] || VALUE`", short(variable), short(key));
            help(similar(near).unwrap_or(default));
            format!("`${}` has no key `{}`", short(variable), short(key))
        }
        MclProblem::NoElement { variable, at, index, length } => {
            label = String::from("this is the empty value of its type");
            further.push((*at, format!("this list has {}", crate::text::counted(*length, "element"))));
            help(match length {
                0 => format!("a value for an element that is not there: `${}[{index}] || VALUE`", short(variable)),
                _ => format!("the first element is `${0}[0]`, the last `${0}[{1}]`", short(variable), length - 1),
            });
            format!("`${}` has no element {index}", short(variable))
        }
        MclProblem::Hides { name, outer } => {
            let name = short(name);
            label = String::from("a new variable, which ends at the closing brace");
            further.push((*outer, String::from("this one keeps its value")));
            help(format!("to choose the value by a condition, write `${name} = if CONDITION {{ … }} else {{ … }}`"));
            format!("nothing uses this `${name}`, and it does not change the `${name}` outside")
        }
        MclProblem::ClassArguments { class, takes, given, at, params } => {
            further.push((*at, String::from("defined here")));
            label = format!("expected {}", counted(*takes));
            let (much, change) = if takes > given { ("add", takes - given) } else { ("remove", given - takes) };
            let missing: Vec<String> = params.iter().skip(*given).map(|name| format!("`${}`", short(name))).collect();
            help(match missing.is_empty() {
                true => format!("{much} {}", counted(change)),
                false => format!("add the value of {}", missing.join(", ")),
            });
            format!("the class `{}` takes {}, found {given}", short(class), counted(*takes))
        }
    };
    report.notes.extend(further_notes);
    report.labels.push(Label { span, text: label });
    report.labels.extend(further.into_iter().map(|(span, text)| Label { span, text }));
}
