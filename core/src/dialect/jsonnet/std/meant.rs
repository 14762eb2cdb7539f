//! Names of functions that the library does not have: the function that was probably meant, for a name from another language, from
//! another version, or made of the same words.

use super::table::{Body, Item};
use super::{item, items};
use std::ops::Range;

/// Names from other languages and libraries, in lower case and without `_`, and the name here.
const FOREIGN: &[(&str, &str)] = &[
    ("arrayhas", "member"),
    ("atoi", "parseInt"),
    ("average", "avg"),
    ("b64dec", "base64Decode"),
    ("b64enc", "base64"),
    ("capitalize", "asciiUpper"),
    ("chr", "char"),
    ("concatmap", "flatMap"),
    ("debug", "trace"),
    ("delete", "objectRemoveKey"),
    ("difference", "setDiff"),
    ("distinct", "set"),
    ("downcase", "asciiLower"),
    ("dumps", "manifestJson"),
    ("each", "map"),
    ("entries", "objectKeysValues"),
    ("enumerate", "mapWithIndex"),
    ("env", "extVar"),
    ("flat", "flattenArrays"),
    ("flatten", "flattenArrays"),
    ("fold", "foldl"),
    ("foldleft", "foldl"),
    ("foldright", "foldr"),
    ("foreach", "map"),
    ("fromjson", "parseJson"),
    ("fromyaml", "parseYaml"),
    ("getenv", "extVar"),
    ("getordefault", "get"),
    ("gsub", "strReplace"),
    ("has", "objectHas"),
    ("hasfield", "objectHas"),
    ("haskey", "objectHas"),
    ("hasprefix", "startsWith"),
    ("hassuffix", "endsWith"),
    ("includes", "member"),
    ("indexof", "find"),
    ("int", "parseInt"),
    ("intersect", "setInter"),
    ("intersection", "setInter"),
    ("isbool", "isBoolean"),
    ("isdict", "isObject"),
    ("isint", "isInteger"),
    ("islist", "isArray"),
    ("ismap", "isObject"),
    ("isnum", "isNumber"),
    ("isstr", "isString"),
    ("items", "objectKeysValues"),
    ("json", "manifestJson"),
    ("keys", "objectFields"),
    ("kind", "type"),
    ("len", "length"),
    ("loads", "parseJson"),
    ("lstrip", "lstripChars"),
    ("ltrim", "lstripChars"),
    ("mean", "avg"),
    ("merge", "mergePatch"),
    ("number", "parseInt"),
    ("omit", "objectRemoveKey"),
    ("ord", "codepoint"),
    ("parsefloat", "parseJson"),
    ("parsenumber", "parseInt"),
    ("power", "pow"),
    ("print", "trace"),
    ("printf", "format"),
    ("reduce", "foldl"),
    ("reduceright", "foldr"),
    ("replace", "strReplace"),
    ("replaceall", "strReplace"),
    ("rstrip", "rstripChars"),
    ("rtrim", "rstripChars"),
    ("search", "findSubstr"),
    ("size", "length"),
    ("sortby", "sort"),
    ("sprintf", "format"),
    ("str", "toString"),
    ("string", "toString"),
    ("stringify", "manifestJson"),
    ("strip", "trim"),
    ("strlen", "length"),
    ("sub", "strReplace"),
    ("substring", "substr"),
    ("times", "repeat"),
    ("toint", "parseInt"),
    ("tojson", "manifestJson"),
    ("tonumber", "parseInt"),
    ("totoml", "manifestToml"),
    ("toyaml", "manifestYamlDoc"),
    ("trimleft", "lstripChars"),
    ("trimprefix", "lstripChars"),
    ("trimright", "rstripChars"),
    ("trimspace", "trim"),
    ("trimsuffix", "rstripChars"),
    ("typeof", "type"),
    ("union", "setUnion"),
    ("unique", "set"),
    ("upcase", "asciiUpper"),
    ("values", "objectValues"),
    ("without", "objectRemoveKey"),
    ("yaml", "manifestYamlDoc"),
];

/// Words that mean the same in the names of functions. The second one is the one of the library.
const WORDS: &[(&str, &str)] = &[
    ("bool", "boolean"),
    ("decode", "parse"),
    ("dump", "manifest"),
    ("dict", "object"),
    ("encode", "manifest"),
    ("integer", "int"),
    ("key", "fields"),
    ("keys", "fields"),
    ("list", "array"),
    ("lists", "arrays"),
    ("load", "parse"),
    ("lowercase", "lower"),
    ("map", "object"),
    ("render", "manifest"),
    ("string", "str"),
    ("to", ""),
    ("from", ""),
    ("case", ""),
    ("uppercase", "upper"),
];

/// Returns the function that was probably meant by a name that the library does not have.
fn meant(name: &str) -> Option<&'static Item> {
    let plain: String = name.chars().filter(|c| *c != '_').collect::<String>().to_lowercase();
    let same = |item: &&Item| item.name.to_lowercase() == plain;
    if let Some(found) = items().find(same) {
        return Some(found);
    }
    if let Ok(at) = FOREIGN.binary_search_by_key(&plain.as_str(), |(name, _)| name) {
        return FOREIGN.get(at).and_then(|(_, own)| item(own));
    }
    // one letter differs: the letters decide
    if items().any(|item| strsim::osa_distance(item.name, name) <= 1) {
        return None;
    }
    let wanted = words(name);
    let found = items().filter(|item| !item.name.starts_with('_') && !wanted.is_empty()).filter_map(|item| {
        let own = words(item.name);
        wanted.iter().all(|word| own.contains(word)).then_some((own.len() - wanted.len().min(own.len()), item))
    });
    found.min_by_key(|(further, item)| (*further, item.name.len())).map(|(_, item)| item)
}

/// Returns the words of a name, `manifestYamlDoc` or `manifest_yaml_doc`, as the library would write them.
fn words(name: &str) -> Vec<String> {
    let mut all: Vec<String> = vec![String::new()];
    let mut upper = true;
    for c in name.chars() {
        if c == '_' || c.is_uppercase() && !upper {
            all.push(String::new());
        }
        upper = c.is_uppercase();
        if let Some(last) = all.last_mut().filter(|_| c != '_') {
            last.extend(c.to_lowercase());
        }
    }
    let usual = |word: String| match WORDS.iter().find(|(other, _)| *other == word) {
        Some((_, own)) => String::from(*own),
        None => word,
    };
    all.into_iter().map(usual).filter(|word| !word.is_empty()).collect()
}

/// Returns a suggestion about an error in reading a function that the library does not have: `std.upper`.
pub fn hint(text: &str, at: Range<usize>) -> Option<String> {
    let read = text.get(at)?.strip_prefix(crate::dialect::jsonnet::STD)?.trim_start();
    let dotted = read.strip_prefix('.').map(str::trim);
    let indexed = || read.strip_prefix('[')?.strip_suffix(']').map(|name| name.trim().trim_matches(['"', '\'']));
    let name = dotted.or_else(indexed)?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let found = meant(name).filter(|_| is_name && item(name).is_none())?;
    let usage = match found.body {
        Body::Function(_) => {
            let params = found.params.iter().map(|param| (param.name, param.default.is_some()));
            crate::problem::parameter_list(params)
        }
        Body::Value(_) | Body::ThisFile => String::new(),
    };
    Some(format!("did you mean `{}.{}{usage}`?", crate::dialect::jsonnet::STD, found.name))
}

#[cfg(test)]
mod tests {
    use super::{FOREIGN, hint, item, meant};

    #[test]
    fn names_from_elsewhere() {
        assert!(FOREIGN.is_sorted_by_key(|(name, _)| name));
        for (name, own) in FOREIGN {
            assert!(item(own).is_some(), "{own}");
            assert!(item(name).is_none(), "{name}");
        }
        for (name, expected) in [
            ("manifestYaml", "manifestYamlDoc"),
            ("upper", "asciiUpper"),
            ("toUpperCase", "asciiUpper"),
            ("lowercase", "asciiLower"),
            ("to_lower", "asciiLower"),
            ("parseJSON", "parseJson"),
            ("decodeYaml", "parseYaml"),
            ("objectKeys", "objectFields"),
            ("hasKey", "objectHas"),
            ("flattenArray", ""),
            ("maap", ""),
            ("encodeJson", "manifestJson"),
            ("frobnicate", ""),
        ] {
            assert_eq!(meant(name).map_or("", |item| item.name), expected, "{name}");
        }
    }

    #[test]
    fn the_hint_shows_the_parameters() {
        let about = |text: &str| hint(text, 0..text.len());
        assert_eq!(about("std.upper").as_deref(), Some("did you mean `std.asciiUpper(str)`?"));
        assert_eq!(about("std['unique']").as_deref(), Some("did you mean `std.set(arr, keyF=…)`?"));
        for text in ["std.map", "std.frobnicate", "other.upper", "std.upper('a')", "std"] {
            assert_eq!(about(text), None, "{text}");
        }
    }
}
