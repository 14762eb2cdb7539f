//! Finds similar names for "did you mean" hints.

use super::Name;

/// Maximum number of names offered.
const OFFERED: usize = 3;
/// Maximum length, in characters, of a name that is compared.
const MAX_LENGTH: usize = 64;
/// Minimum length of a name that is offered the names that begin with it, in characters.
const BEGINNING: usize = 4;
/// Names of functions in other languages, and the usual ones here.
const SYNONYMS: [(&str, &str); 35] = [
    ("push", "append"),
    ("add", "append"),
    ("list", "array"),
    ("lists", "array"),
    ("object", "record"),
    ("map", "record"),
    ("upper", "uppercase"),
    ("lower", "lowercase"),
    ("size", "length"),
    ("len", "length"),
    ("count", "length"),
    ("reduce", "fold_left"),
    ("foldl", "fold_left"),
    ("foldr", "fold_right"),
    ("keys", "fields"),
    ("contains", "elem"),
    ("includes", "elem"),
    ("head", "first"),
    ("tail", "drop_first"),
    ("nth", "at"),
    ("get", "at"),
    ("index", "at"),
    ("concatMap", "flat_map"),
    ("flatMap", "flat_map"),
    ("some", "any"),
    ("every", "all"),
    ("has", "has_field"),
    ("toUpper", "uppercase"),
    ("toUpperCase", "uppercase"),
    ("to_upper", "uppercase"),
    ("toLower", "lowercase"),
    ("toLowerCase", "lowercase"),
    ("to_lower", "lowercase"),
    ("substr", "substring"),
    ("replaceAll", "replace"),
];

/// Returns the candidates nearest to `name`, by optimal string alignment distance, then by the part that differs after a common
/// beginning, then in alphabetical order; none if no candidate is near. `O(candidates × length²)`; candidates that differ too much in
/// length or in their letters take `O(length)`.
///
/// If none is near: the candidates that begin with the name, or with which it begins, and those that other languages call so (`push`: `append`).
pub fn near<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<Name> {
    let mut others: Vec<(usize, usize, usize, &str)> = Vec::new();
    let length = name.chars().count();
    if length == 0 || length > MAX_LENGTH {
        return Vec::new();
    }
    // A third of the letters may differ. A name of one letter is only near to its other case.
    let allowed = (length.max(3) / 3).min(4);
    let mut found: Vec<(usize, usize, usize, &str)> = Vec::new();
    let synonyms: Vec<&str> = SYNONYMS.iter().filter(|(other, _)| *other == name).map(|(_, own)| *own).collect();
    let name_letters = letter_set(name);
    for candidate in candidates {
        match synonyms.iter().position(|own| *own == candidate) {
            Some(place) => others.push((0, place, 0, candidate)),
            None if length >= BEGINNING && candidate.len() > name.len() && candidate.starts_with(name) => {
                others.push((1, candidate.len(), 0, candidate));
            }
            None if candidate.len() >= BEGINNING && name.starts_with(candidate) && candidate.len() < name.len() => {
                others.push((2, name.len() - candidate.len(), 0, candidate));
            }
            None => {}
        }
        if candidate.len().abs_diff(name.len()) > allowed * 4 || candidate == name {
            continue;
        }
        let longer = candidate.chars().count().abs_diff(length);
        if longer > allowed {
            continue;
        }
        if candidate.eq_ignore_ascii_case(name) {
            found.push((0, 0, longer, candidate));
            continue;
        }
        // a step of the distance replaces one letter at most
        if (letter_set(candidate) ^ name_letters).count_ones() as usize > 2 * allowed {
            continue;
        }
        let distance = strsim::osa_distance(name, candidate);
        // another word of three letters is no slip: `sum`, `sub`
        let is_other_word = length == 3 && longer == 0 && strsim::levenshtein(name, candidate) == 1;
        if distance <= allowed && distance < length && !is_other_word {
            let differing = length - name.chars().zip(candidate.chars()).take_while(|(a, b)| a == b).count();
            found.push((distance, differing, longer, candidate));
        }
    }
    if found.is_empty() {
        found = others;
    }
    found.sort_unstable();
    found.dedup();
    found.into_iter().take(OFFERED).map(|(.., name)| Name::new(name)).collect()
}

/// Returns the set of the letters of a name; some letters share a bit.
fn letter_set(name: &str) -> u64 {
    name.chars().fold(0, |set, letter| set | 1 << (u32::from(letter) % u64::BITS))
}

/// Checks whether a name is most likely a slip of the fingers for another one: one letter is wrong, missing or too many, two are
/// swapped, or only the case or the separators differ: `replcias`, `max_size` for `maxSize`. Stricter than [`near`], since both
/// names may be meant: `http` and `https`, `minSize` and `maxSize`, `node1` and `node2`, `zone-a` and `zone-b`.
pub fn is_misspelt(name: &str, meant: &str) -> bool {
    let letters = |name: &str| name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let [own, other]: [String; 2] = [letters(name), letters(meant)];
    let length = own.chars().count().min(other.chars().count());
    if length > 1 && name != meant && name.to_lowercase() == meant.to_lowercase() {
        return true;
    }
    if (3..=4).contains(&length) && !own.ends_with("ss") && !other.ends_with("ss") {
        let [own, other] = [own.as_str(), other.as_str()];
        if is_doubled(own, other) || is_doubled(other, own) {
            return true;
        }
    }
    if name == meant || !(4..=MAX_LENGTH).contains(&length) {
        return false;
    }
    if own == other {
        return true;
    }
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    let plural = |one: &str, many: &str| many.strip_suffix('s') == Some(one) && length < 6;
    if digits(name) != digits(meant) || plural(&own, &other) || plural(&other, &own) {
        return false;
    }
    // the part between separators in which the names differ
    let common = own.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let swapped = strsim::osa_distance(&own, &other) == 1 && strsim::levenshtein(&own, &other) == 2;
    let short_part = [name, meant].iter().any(|name| part_at(name, common).chars().count() < 4);
    if common == 0 || short_part {
        return false;
    }
    swapped || length > 4 && strsim::osa_distance(&own, &other) == 1
}

/// Checks whether two neighbouring letters of a name are swapped: `wbe` for `web`. Also for names that the user chose, of which two similar
/// ones are usually two things.
pub fn is_swapped(name: &str, meant: &str) -> bool {
    let [own, other]: [Vec<char>; 2] = [name.chars().collect(), meant.chars().collect()];
    if own.len() != other.len() || !(3..=MAX_LENGTH).contains(&own.len()) {
        return false;
    }
    let mut differing = (0..own.len()).filter(|at| own.get(*at) != other.get(*at));
    match (differing.next(), differing.next(), differing.next()) {
        (Some(first), Some(second), None) => {
            let letter = |at: usize| own.get(at).is_some_and(|c| c.is_alphabetic());
            second == first + 1
                && own.get(first) == other.get(second)
                && own.get(second) == other.get(first)
                && letter(first)
                && letter(second)
        }
        _ => false,
    }
}

/// Checks whether a name is another one with one letter written twice: `maxx` for `max`.
fn is_doubled(name: &str, meant: &str) -> bool {
    let common = name.chars().zip(meant.chars()).take_while(|(a, b)| a == b).count();
    let last = name.chars().nth(common.wrapping_sub(1));
    let rest = |name: &str, from: usize| name.chars().skip(from).collect::<String>();
    last.is_some_and(char::is_alphabetic)
        && name.chars().nth(common) == last
        && rest(name, common + 1) == rest(meant, common)
}

/// Returns the part of a name, between separators, that contains a letter or digit, counted without the separators.
fn part_at(name: &str, letter: usize) -> &str {
    let mut count = 0;
    let mut last = "";
    for part in name.split(|c: char| !c.is_alphanumeric()) {
        count += part.chars().count();
        if !part.is_empty() {
            last = part;
        }
        if letter < count {
            break;
        }
    }
    last
}

/// Returns the names of files that are similar to a name, nearest first: files with the same name and another ending, or with a
/// similar name and ending. Endings alone make no two names similar.
pub fn near_files<'a>(name: &str, files: impl Iterator<Item = &'a str>) -> Vec<Name> {
    let split = |name: &'a str| name.rsplit_once('.').unwrap_or((name, ""));
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let mut renamed: Vec<(usize, &str)> = Vec::new();
    let mut misspelt: Vec<&str> = Vec::new();
    for file in files.filter(|file| *file != name) {
        let (own, other) = split(file);
        let distance = strsim::osa_distance(other, ending);
        match own == stem {
            true => renamed.push((distance, file)),
            // `app.schema.json` for `app.json`
            false if other == ending && own.split('.').next() == Some(stem) => renamed.push((1, file)),
            false if distance <= 2 && !near(stem, [own]).is_empty() => misspelt.push(file),
            false => {}
        }
    }
    renamed.sort_unstable();
    let names = renamed.into_iter().map(|(_, file)| Name::new(file)).chain(near(name, misspelt));
    names.take(OFFERED).collect()
}

#[cfg(test)]
mod tests {
    use super::{is_misspelt, near, near_files};

    #[test]
    fn what_is_offered() {
        let offered = |name, all: &[&'static str]| near(name, all.iter().copied()).join(" ");
        for (name, all, expected) in [
            ("lenght", &["length", "concat", "width"][..], "length"),
            ("prot", &["port", "host"], "port"),
            ("replicsa", &["replicas", "replica"], "replicas replica"),
            ("Foo", &["foo", "bar"], "foo"),
            ("x", &["y", "z"], ""),
            ("x", &["X"], "X"),
            ("abcdef", &["uvwxyz"], ""),
            ("colr", &["colour", "color"], "color"),
            // A transposition is one edit, an exact match is not offered, and at most three names are offered.
            ("ab", &["ba", "ab"], "ba"),
            ("größe", &["grösse", "Große", "größer"], "größer"),
            ("upper", &["lowercase", "uppercase"], "uppercase"),
            ("push", &["map", "append", "prepend"], "append"),
            ("abs", &["absolute"], ""),
            ("port", &["sort", "ports", "part", "pore", "port"], "ports pore part"),
        ] {
            assert_eq!(offered(name, all), expected, "{name}");
        }
    }

    #[test]
    fn slips_are_few() {
        for (name, meant) in [
            ("replcias", "replicas"),
            ("replica", "replicas"),
            ("prot", "port"),
            ("nmae", "name"),
            ("imagePullPolcy", "imagePullPolicy"),
            ("max_size", "maxSize"),
            ("Port", "port"),
            ("Db", "db"),
            ("log-levl", "log-level"),
        ] {
            assert!(is_misspelt(name, meant) && is_misspelt(meant, name), "{name} {meant}");
        }
        for (name, meant) in [
            ("http", "https"),
            ("minSize", "maxSize"),
            ("node1", "node2"),
            ("zone-a", "zone-b"),
            ("host", "port"),
            ("X", "x"),
            ("xAxis", "yAxis"),
            ("port", "ports"),
            ("tag", "tags"),
            ("path", "pato"),
            ("inbound", "outbound"),
            ("port", "port"),
            ("preact", "react"),
        ] {
            assert!(!is_misspelt(name, meant) && !is_misspelt(meant, name), "{name} {meant}");
        }
    }

    #[test]
    fn endings_alone_make_no_files_similar() {
        let offered = |name, all: &[&'static str]| near_files(name, all.iter().copied()).join(" ");
        for (name, all, expected) in [
            ("x.json", &["y.json", "1.json", "ab.json"][..], ""),
            ("x.json", &["x.jsonnet", "y.json"], "x.jsonnet"),
            ("lib.libsonet", &["lib.libsonnet", "lid.jsonnet"], "lib.libsonnet"),
            ("utlis.libsonnet", &["utils.libsonnet", "other.libsonnet"], "utils.libsonnet"),
            ("config", &["confg", "config.yaml"], "config.yaml confg"),
        ] {
            assert_eq!(offered(name, all), expected, "{name}");
        }
    }
}
