//! The messages of problems in Jsonnet programs. If the reference implementation has a message for a problem, ours begins
//! with it.

use super::problem::{
    Dashed, DuplicateKind, JsonnetProblem, Mistake, NamePlace, NotInComprehension, OuterAccess, WrittenPath,
};
use crate::problem::report::{Label, Report, expected_here, similar, unexpected, was};
use crate::text::Span;

/// Suggests a fix for a common mistake.
fn mistake(what: Mistake) -> &'static str {
    match what {
        Mistake::ColonForEquals => "a field is written with a colon: `name: value`",
        Mistake::Braces => "an object is written in braces: `{ name: value }`",
        Mistake::Local => "bind a name with `local name = value;`",
        Mistake::Comma => "fields and elements are separated by `,`; `;` ends a `local` or an `assert`",
        Mistake::MissingComma => "a `,` is missing before this",
        Mistake::TwoStrings => "a `,` is missing before this, or a `+`, which joins two strings",
        Mistake::ErrorWord => "a message comes after `error`: `error 'text'`",
        Mistake::Semicolon => "`local` and `assert` end in `;`: `local x = 1; x + 1`",
        Mistake::OneEquals => "a name is bound with one `=`: `local x = 1;`",
        Mistake::Let => "bind a name with `local name = value;`",
        Mistake::Function => "a function is written `function(x) e`, a named one `local f(x) = e;`",
        Mistake::FunctionWord => "a function is written `function(x) e`, a named one `local f(x) = e;`",
        Mistake::Comprehension => "to map an array, write `[e for x in xs]`",
        Mistake::Closing => "there is no open bracket for this: remove it",
        Mistake::LocalValue => "a name is bound to a value: `local name = value;`",
        Mistake::IfThenElse => "a choice is written `if c then a else b`",
        Mistake::SemicolonForComma => "the last of the names that a `local` binds is followed by `;`",
        Mistake::TwoEquals => "equality is written `==`, inequality `!=`",
        Mistake::Dollar => {
            "a variable is written without `$`; a field of the outermost object is read with a point: `$.name`"
        }
        Mistake::ConditionalField => "a field with a condition is written `[if c then 'name']: value`",
        Mistake::ComputedFields => "an object of computed fields is written `{ [name]: value for name in names }`",
        Mistake::ForEntries => "a `for` has one variable: `for k in std.objectFields(o)`, with `o[k]` for the value",
        Mistake::ForOf => "write `for x in xs`",
        Mistake::And => "`and` is written `&&`",
        Mistake::Or => "`or` is written `||`",
        Mistake::Not => "`not e` is written `!e`",
        Mistake::Spread => "objects and arrays are combined with `+`: `other + { … }`, `[1] + others`",
        Mistake::Digits => "a digit is needed on both sides of the point: `0.5`",
        Mistake::PlusColon => "`+:` is written without a space in it",
        Mistake::QuoteInside => {
            "the string ends before this: inside `'…'` a quote is written `\\'`, or write the text in `\"…\"`"
        }
        Mistake::Template => {
            "a string is in `'…'` or `\"…\"`, and a value is put into it by `%`: `'http://%s/' % host`"
        }
        Mistake::LocalInObject => "inside of an object, a `local` or an `assert` ends in `,`: `{ local x = 1, a: x }`",
        Mistake::RepeatedLocal => {
            "after `,` comes a name without `local`: `local a = 1, b = 2;`; or end the first one with `;`"
        }
        Mistake::TextWithColon => "a text with `:` in it is in quotes: `'nginx:1.25'`",
        Mistake::DottedNumbers => "an address or a version is a text, in quotes: `'10.0.0.1'`, `'1.2.3'`",
        Mistake::MissingColon => "a field is written with a colon: `name: value`",
        Mistake::NotIn => "that an object has no such field is written `!('name' in object)`",
        Mistake::Quotes => "a string is written in straight quotes: `\"…\"` or `'…'`",
        Mistake::Blank => "this is a no-break space: write an ordinary one",
        Mistake::QuotedName => "a field's name begins with a letter, or is a string: `'1a': value`",
        Mistake::IfBraces => "an `if` has no braces: `if c then a else b`",
        Mistake::Interpolated => "a value is put into a string by `'…%s…' % value`, or by `+`",
        Mistake::DefaultValue => {
            "there is no such operator: `std.get(object, 'field', default)`, or `if x == null then … else x`"
        }
        Mistake::Return => "a function has the value of its body, without `return`: `local f(x) = x + 1;`",
        Mistake::LastSemicolon => "remove it: `;` ends a `local` or an `assert`, and an expression comes after it",
        Mistake::Assignment => "a value cannot be changed; `object + { field: value }` is a new one",
        Mistake::PlusEquals => "a field that an object on the right extends is written `field+: value`",
        Mistake::Increment => "there is no `++`: write `x + 1`",
        Mistake::Joined => "strings are joined by `+`; a field whose name is a string is read by `object['name']`",
        Mistake::TrailingOperator => "an operator has a value on both sides: `1 + 2`",
        Mistake::ElementIndex => "an element of an array is read with its number in brackets: `xs[0]`",
        Mistake::ElementField => {
            "one element of an array is not overridden by itself: `xs: [super.xs[0] { … }] + super.xs[1:]`"
        }
        Mistake::QuotedField => {
            "a field's name with other signs than letters, digits and `_` is a string: `'my-key': value`"
        }
        Mistake::MissingValue => "write the value after the colon: `name: value`",
        Mistake::ExtraComma => "remove this comma, or write what is missing before it",
        Mistake::OtherBracket => "a bracket of another kind is still open: close that one first",
        Mistake::BindImport => "an import is bound to a name: `local x = import 'a.libsonnet';`",
        Mistake::SecondExpression => {
            "a second expression begins here: remove it, or join both with an operator such as `+`"
        }
        Mistake::NoBody => "`;` and an expression come after it: `local x = 1; x + 1`",
        Mistake::Tailstrict => "`tailstrict` comes after the arguments: `f(x) tailstrict`",
        Mistake::ElseColon => "there is no colon in a choice: `if c then a else b`",
        Mistake::Brackets => "a computed field name is written in brackets: `[e]: value`",
        Mistake::FieldValue => "a field has a value: `{ x: x }`",
        Mistake::Condition => "a condition of a comprehension is written `if`: `[x for x in xs if x > 1]`",
        Mistake::ForFirst => "in a comprehension, `for` comes first: `[e for x in xs if c]`",
        Mistake::Call => "a function is called with parentheses: `f(x)`",
        Mistake::ImportAs => "bind an import with `local name = import 'path';`",
        Mistake::ElseIf => "it is written `else if`",
        Mistake::NestedField => "a field in a field is written `a+: { b: e }`, or `a: { b: e }`",
    }
}

/// Suggests the equivalent of a word from another language.
fn foreign_word(name: &str) -> Option<&'static str> {
    Some(match name {
        "and" => "`and` is written `&&`",
        "or" => "`or` is written `||`",
        "not" => "`not e` is written `!e`",
        "nil" | "None" | "undefined" | "Null" => "use `null`",
        "True" | "TRUE" | "yes" => "`true` is written in lower case",
        "False" | "FALSE" | "no" => "`false` is written in lower case",
        "this" => "the object around is `self`",
        "root" | "__root__" => "the outermost object is `$`",
        "fun" | "fn" | "lambda" | "def" | "func" => "a function is written `function(x) e`",
        "print" | "echo" => "the value of an expression is shown without a keyword",
        "return" => "a function has the value of its body, without `return`",
        "len" | "length" => "the length is `std.length(x)`",
        "str" => "a text is made by `std.toString(x)`",
        "int" | "parseInt" => "a number is made from a text by `std.parseInt(x)`",
        "range" => "an array of numbers is `std.range(from, to)`",
        "map" => "`std.map(function(x) e, xs)`, or `[e for x in xs]`",
        "merge" => "objects are combined by `+`",
        "let" | "var" | "const" => "bind a name with `local name = value;`",
        _ => return None,
    })
}

/// Returns the function of the library that has this name in other languages, if the name is hardly that of a variable.
fn of_library(name: &str) -> Option<&'static str> {
    const NAMES: [(&str, &str); 22] = [
        ("keys", "objectFields"),
        ("values", "objectValues"),
        ("has", "objectHas"),
        ("hasattr", "objectHas"),
        ("get", "get"),
        ("filter", "filter"),
        ("join", "join"),
        ("split", "split"),
        ("sort", "sort"),
        ("sum", "sum"),
        ("reverse", "reverse"),
        ("foldl", "foldl"),
        ("foldr", "foldr"),
        ("reduce", "foldl"),
        ("flatten", "flattenArrays"),
        ("toString", "toString"),
        ("to_string", "toString"),
        ("objectFields", "objectFields"),
        ("upper", "asciiUpper"),
        ("lower", "asciiLower"),
        ("extVar", "extVar"),
        ("format", "format"),
    ];
    NAMES.iter().find(|(other, _)| *other == name).map(|(_, own)| *own)
}

/// Returns whether a malformed number is a number with a unit, `512Mi`. Not `1e`, `0x1f` or `1_`.
fn has_unit(text: &str) -> bool {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let is_unit = unit.starts_with(|c: char| c.is_ascii_alphabetic()) && unit.chars().all(char::is_alphanumeric);
    is_unit && !unit.eq_ignore_ascii_case("e") && !text.starts_with("0x")
}

pub(super) fn write(problem: &JsonnetProblem, span: Span, report: &mut Report) {
    let mut label = String::new();
    let mut further = Vec::new();
    let mut help = |text: String| report.suggestions.push(text);
    report.message = match problem {
        JsonnetProblem::Unexpected { found, expected, mistake: what } => {
            label = expected_here(expected);
            if let Some(what) = what {
                help(mistake(*what).to_string());
            }
            unexpected(found)
        }
        JsonnetProblem::Unclosed(what) => {
            label = String::from("opened here, never closed");
            if let Some(close) = match what.as_str() {
                "brace `{`" => Some("close it with `}`"),
                "bracket `[`" => Some("close it with `]`"),
                "parenthesis `(`" => Some("close it with `)`"),
                "string" => {
                    Some("end it with the quote that it begins with; a string of several lines is written `|||`")
                }
                _ => None,
            } {
                help(String::from(close));
            }
            if what == "text block" {
                help(String::from("it ends at a line that is indented less than its text and begins with `|||`"));
            }
            format!("unclosed {what}")
        }
        JsonnetProblem::Reserved { word, place } => {
            label = String::from("expected a name");
            match place {
                NamePlace::Field => help(format!("as a field's name it is quoted: `\"{word}\"`")),
                NamePlace::Read => help(format!("such a field is read by `[\"{word}\"]`")),
                NamePlace::Variable => {}
            }
            format!("`{word}` is a reserved word")
        }
        JsonnetProblem::Escape(text) => {
            help(String::from("known escapes: \\\" \\' \\\\ \\/ \\b \\f \\n \\r \\t \\u1234"));
            help(String::from("in `@\"…\"` a backslash is itself"));
            match text.starts_with("\\u") {
                true => {
                    format!("invalid unicode escape `{text}`: four hexadecimal digits, or two such escapes in a pair")
                }
                false => format!("unknown escape sequence `{text}`"),
            }
        }
        JsonnetProblem::BlockNewLine => {
            label = String::from("the text begins on the next line");
            String::from("text block syntax requires new line after `|||`")
        }
        JsonnetProblem::BlockNotIndented => {
            help(String::from("every line of the text is indented as the first one is, which is taken off"));
            String::from("text block's first line must start with whitespace")
        }
        JsonnetProblem::BlockBars(opening) => {
            label = String::from("expected three bars");
            further.push(Label { span: *opening, text: String::from("in this text block") });
            help(String::from("write `|||`"));
            String::from("a text block ends with `|||`")
        }
        JsonnetProblem::BlockOutdented { opening, closed, expected, found } => {
            label = String::from("indented less than the first line");
            let text = if *closed { "in this text block" } else { "in this text block, which nothing closes" };
            further.push(Label { span: *opening, text: String::from(text) });
            help(String::from(match closed {
                true => "indent this line as the first one, or end the text before it with a line `|||`",
                false => "end the text with a line `|||` that is indented less than it",
            }));
            let spaces = |n: u32| format!("{n} space{}", if n == 1 { "" } else { "s" });
            format!(
                "text block indentation mismatch: expected at least {}, found {}",
                spaces(*expected),
                spaces(*found)
            )
        }
        JsonnetProblem::Number(text) => {
            let digits = text.trim_start_matches('0');
            help(if has_unit(text) {
                format!("a text is in quotes: `'{text}'`")
            } else {
                match digits.is_empty() || !digits.chars().all(|c| c.is_ascii_digit()) {
                    true => String::from("numbers are written `12`, `1.5`, `1e9`, `1_000`"),
                    false => format!("a number has no zeros before it, `{digits}`; with them it is a text: `'{text}'`"),
                }
            });
            format!("`{text}` is not a number")
        }
        JsonnetProblem::OutsideObject(word) => {
            label = String::from("no object around this");
            help(match word.as_str() {
                "super" => {
                    String::from("`super` is read in an object on the right of `+`: `{ a: 1 } + { b: super.a }`")
                }
                _ => format!("`{word}` is read in a field of an object: `{{ a: 1, b: {word}.a }}`"),
            });
            match word.as_str() {
                "$" => String::from("no top-level object found: `$` is the outermost object"),
                _ => format!("can't use `{word}` outside of an object"),
            }
        }
        JsonnetProblem::Duplicate { name, what, first } => {
            let what = match what {
                DuplicateKind::Field => "field",
                DuplicateKind::Local => "local var",
                DuplicateKind::Parameter => "function parameter",
            };
            label = String::from("again here");
            further.push(Label { span: *first, text: String::from("first here") });
            help(match what {
                "field" => format!(
                    "remove or rename one of them; a field is changed by an object on the right: `{{ {0}: 1 }} + {{ {0}: 2 }}`",
                    super::notation::name::field(name)
                ),
                _ => String::from("give one of them another name"),
            });
            format!("duplicate {what}: {name}")
        }
        JsonnetProblem::PositionalAfterNamed => {
            label = String::from("give it its parameter's name, or put it before the named ones");
            String::from("positional argument after a named argument is not allowed")
        }
        JsonnetProblem::Date(text) => {
            help(format!("a date is a text, in quotes: `'{text}'`"));
            format!("`{text}` is not a number")
        }
        JsonnetProblem::ComputedImport(written) => {
            label = String::from("expected the path as one string");
            help(match written {
                WrittenPath::Parentheses(path) => {
                    format!("write the path without parentheses: `import {}`", super::notation::name::string(path))
                }
                WrittenPath::Name(name) if name == super::STD => {
                    String::from("leave out the import: `std` is always there, as in `std.length([1])`")
                }
                WrittenPath::Name(name) => {
                    format!("the path is a text in quotes and not a variable: `import '{name}.libsonnet'`")
                }
                WrittenPath::Bare => String::from("a path is in quotes: `import 'lib/a.libsonnet'`"),
                WrittenPath::Part => {
                    String::from("to use what is imported: `(import \"x\").field`, `(import \"x\") + { … }`")
                }
                WrittenPath::Computed => String::from(
                    "a path cannot be computed; choose between imports: `if c then import 'a.libsonnet' else import 'b.libsonnet'`",
                ),
            });
            String::from("computed imports are not allowed")
        }
        JsonnetProblem::BlockImport => String::from("a text block cannot be the path of an import"),
        JsonnetProblem::Dollar(path) => {
            label = String::from("nothing is inserted here");
            help(format!("to insert the value, write `'…%s…' % {path}`, or join strings: `'…' + {path}`"));
            format!("`${{{path}}}` is plain text")
        }
        JsonnetProblem::BareSuper => {
            label = String::from("only a field of it can be read: `super.name`");
            String::from("expected . or [ after super")
        }
        JsonnetProblem::Joined { first } => {
            label = String::from("this replaces the field of the object before");
            further.push(Label { span: *first, text: String::from("this value is lost") });
            help(String::from("write a `,` between the objects, or a `+` if one is meant"));
            String::from("two objects without a comma between them are one")
        }
        JsonnetProblem::PlusMethod(name) => {
            help(format!("to extend the previous method: `{name}(x): super.{name}(x) + …`"));
            format!("cannot use +: syntax sugar in a method: {name}")
        }
        JsonnetProblem::Comprehension(what) => match what {
            NotInComprehension::NoField => {
                label = String::from("expected one field before `for`");
                help(String::from("to make an object from an array, write `{ [x]: e for x in xs }`"));
                String::from("object comprehension can only have one field")
            }
            NotInComprehension::FieldAfter => {
                label = String::from("another field after the comprehension");
                help(String::from("other fields are in an object of their own: `{ [x]: e for x in xs } + { … }`"));
                String::from("object comprehension can only have one field")
            }
            NotInComprehension::Fields => {
                label = String::from("expected one field before `for`");
                help(String::from(
                    "`{ [x]: e for x in xs }` has one field for each element; for several, add objects: \
                     `std.foldl(function(all, x) all + { … }, xs, {})`",
                ));
                String::from("object comprehension can only have one field")
            }
            NotInComprehension::Static => {
                label = String::from("expected a computed name: `[e]`");
                help(String::from("write an expression in brackets as the name: `{ [x]: e for x in xs }`"));
                String::from("object comprehensions can only have [e] fields")
            }
            NotInComprehension::Hidden => String::from("object comprehensions cannot have hidden fields"),
            NotInComprehension::Asserts => String::from("object comprehension cannot have asserts"),
        },
        JsonnetProblem::Unbound { name, near, field, past, dashed, read } => {
            label = String::from("nothing of this name is in scope");
            if let Some(dashed) = dashed {
                let Dashed { left, right, object, name } = &**dashed;
                help(match object {
                    Some(object) => {
                        format!("this is `{left}` minus `{right}`; a field `{name}` is read with `{object}['{name}']`")
                    }
                    None => format!("this is `{left}` minus `{right}`; the name of a variable has no `-` in it"),
                });
            } else if let Some((span, reach)) = field {
                further.push(Label { span: *span, text: String::from("a field of this name") });
                help(match reach {
                    OuterAccess::This => format!("a field is read through its object: `self.{name}`"),
                    OuterAccess::Outermost => {
                        format!("a field is read through its object, the outermost one here: `$.{name}`")
                    }
                    OuterAccess::Between => format!(
                        "a field is read through its object: with `local this = self,` beside the field, `this.{name}`"
                    ),
                });
            } else if let Some(past) = past {
                help(was(past));
            } else if let Some(text) = foreign_word(name) {
                help(text.to_string());
            } else if let Some(text) = similar(near) {
                help(text);
            } else if let Some(own) = of_library(name) {
                help(format!("did you mean `std.{own}`?"));
            } else if !read && !name.starts_with(['$', '_']) {
                help(format!("a text is in quotes: `'{name}'`; a variable is bound with `local {name} = …;`"));
            }
            format!("unknown variable: {name}")
        }
    };
    report.labels.push(Label { span, text: label });
    report.labels.extend(further);
}
