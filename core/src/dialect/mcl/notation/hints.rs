//! Suggestions for values of a type that something else cannot use.

use crate::dialect::mcl::kinds::BUILT_IN;
use crate::problem::report::alternatives;
use crate::problem::types::Why;
use crate::term::Prim;
use crate::text::Name;

/// The type of a value as it is written in messages, as far as a suggestion depends on it.
fn is_list(ty: &str) -> bool {
    ty == "list" || ty.starts_with("[]")
}

fn is_map(ty: &str) -> bool {
    ty == "map" || ty.starts_with("map{")
}

fn is_struct(ty: &str) -> bool {
    ty == "struct" || ty.starts_with("struct{")
}

/// Suggests another operator, or another form of the operands.
pub fn operator(operator: &str, found: &str) -> Option<&'static str> {
    Some(match operator {
        "+" if is_list(found) => "lists are joined with `list.concat(a, b)`",
        "[]" if is_struct(found) => "a field of a struct is read as `$s->name`",
        "+" if found == "bool" => "a str is made of a bool by `fmt.printf(\"%t\", b)`",
        "||" if found == "str" => {
            "a value in place of an empty text is chosen by `if $x == \"\" { \"a\" } else { $x }`"
        }
        "-" | "*" | "/" if found == "str" => {
            "`+` joins two strs; the other operators work on numbers, which have no quotes"
        }
        _ => return None,
    })
}

/// Suggests how to get at the parts of a value.
pub fn parts(found: &str, field: &str) -> Option<Name> {
    let counts = matches!(field, "length" | "len" | "size" | "count");
    Some(Name::new_static(match found {
        _ if counts && (is_map(found) || is_list(found) || found == "str") => "the number of elements is `len(e)`",
        _ if is_map(found) => "an entry of a map is read as `$m[\"key\"]`",
        _ if is_list(found) => "an element of a list is read as `$list[0]`",
        "str" | "int" | "float" | "bool" => "a value without fields is used as it is: remove `->` and what follows it",
        _ => return None,
    }))
}

/// Suggests how to make a value of the expected type.
pub fn reason(why: &Why, found: &str, expected: &str) -> Option<Name> {
    if let Why::ResourceField(field) = why
        && let Some((kind, field)) = field.rsplit_once('.')
        && let Some(all) = BUILT_IN.values.get(kind).and_then(|fields| fields.get(field))
    {
        return Some(Name::from(format!("it takes {}", alternatives(&quoted(all)))));
    }
    value(why, found, expected).map(Name::new_static)
}

fn quoted(values: &[Name]) -> Vec<Name> {
    values.iter().map(|value| Name::from(format!("`\"{value}\"`"))).collect()
}

fn value(why: &Why, found: &str, expected: &str) -> Option<&'static str> {
    if *why == Why::ResourceName && expected == "[]str" {
        return Some("write one text with the parts inside, `\"/etc/${name}\"`, or make a list of it: `[$a + $b,]`");
    }
    if let (Why::Argument(2.., Some(function)), "int" | "float" | "bool" | "str") = (why, expected)
        && function == "printf"
    {
        return Some(match found {
            "int" => "the code in the format decides the type: write `%d` for an int",
            "float" => "the code in the format decides the type: write `%f` for a float",
            "str" => "the code in the format decides the type: write `%s` for a str",
            "bool" => "the code in the format decides the type: write `%t` for a bool",
            _ => "the code in the format decides the type: write `%v`, which takes any value",
        });
    }
    if let (Why::Element(_), "int" | "float" | "bool" | "str") = (why, found)
        && matches!(expected, "int" | "float" | "bool" | "str")
    {
        return Some("values of several types are the fields of a struct: `struct{port => 80, host => \"a\",}`");
    }
    Some(match (found, expected) {
        (_, "bool") if *why == Why::Condition => match found {
            "int" => "an int is compared with another one: `$n != 0`",
            "float" => "a float is compared with another one: `$n != 0.0`",
            "str" => "a str is compared with another one: `$s == \"a\"`",
            _ if is_list(found) || is_map(found) => "a list or a map is not empty if `len(e) > 0`",
            _ => return None,
        },
        ("int", "str") => {
            "write a number in quotes, `\"80\"`; of a variable, `fmt.printf(\"%d\", $n)` makes a str, after `import \"fmt\"`"
        }
        ("float", "str") => {
            "write a number in quotes, `\"1.5\"`; of a variable, `fmt.printf(\"%f\", $n)` makes a str, after `import \"fmt\"`"
        }
        ("bool", "str") => {
            "write it in quotes, `\"true\"`; of a variable, `fmt.printf(\"%t\", $b)` makes a str, after `import \"fmt\"`"
        }
        ("str", "int") if matches!(why, Why::Operand(Prim::Add)) => {
            "`+` joins two values of one type: of an int, `fmt.printf(\"%d\", $n)` makes a str, after `import \"fmt\"`"
        }
        ("str", "int" | "float") => "a number is written without quotes",
        ("str", "bool") => "`true` and `false` are written without quotes",
        ("int", "float") | ("float", "int") if matches!(why, Why::Operand(_)) => {
            "an operator works on two numbers of one type: `convert.to_float($n)` makes a float of an int, after `import \"convert\"`"
        }
        ("int", "float") => {
            "write a number with a point, `2.0`; of a variable, `convert.to_float($n)` makes a float, after `import \"convert\"`"
        }
        ("float", "int") => {
            "write a number without a point; of a variable, `convert.to_int($x)` makes an int, after `import \"convert\"`"
        }
        (one, list) if list.strip_prefix("[]") == Some(one) => "brackets make a list of one element of it",
        (list, one) if list.strip_prefix("[]") == Some(one) => "an element of a list is read as `e[0]`",
        _ => return None,
    })
}
