//! A language is its folder and its line in the table: the rest of the program does not name it.

use cfg_core::Languages;
use cfg_tests::binary::root;
use std::fs;
use std::path::{Path, PathBuf};

/// The places outside the folders of languages that may name one, each with the reason.
const ALLOWED: &[(&str, &str, &str)] = &[
    ("core/src/session/config/mod.rs", "Dialect::OF_CONFIGURATION", "the format of `cfg.toml` is fixed"),
    ("core/src/lib.rs", "dialect::cfg::notation", "other languages may begin with the spelling of the standard one"),
    ("kernel/python/pyproject.toml", "cfg-", "Pygments finds lexers by entry points, which are written here"),
];

/// Returns the words that name a language: its name, title, endings and aliases. The standard language has the name of
/// the program, and the formats of data (`json`) are names of output formats too, so that these are not words to look for.
fn words() -> Vec<String> {
    let languages = Languages::default();
    let mut words = Vec::new();
    for dialect in languages.all().filter(|dialect| dialect.has_cells()) {
        let aliases = dialect.0.cells.and_then(|cells| cells.editor).map_or(&[][..], |editor| editor.aliases);
        words.extend([dialect.name(), dialect.0.title].map(str::to_lowercase));
        words.extend(dialect.0.endings.iter().chain(dialect.0.formats).chain(aliases).map(|w| w.to_lowercase()));
        words.extend(dialect.0.path_variable.map(str::to_lowercase));
    }
    words.retain(|word| word != languages.standard().name());
    words.sort();
    words.dedup();
    words
}

/// Returns the first word of a line that names a language.
fn named(line: &str, words: &[String]) -> Option<String> {
    let lower = line.to_lowercase();
    let is_word = |c: char| c.is_alphanumeric();
    let word = words.iter().find(|word| {
        lower.match_indices(word.as_str()).any(|(at, _)| {
            // `JsonnetInputs` and `jsonnet_path` name it, `yay` in `display_ay` does not
            let long = word.len() > 4;
            let before = lower[..at].chars().next_back().is_some_and(is_word);
            let after = lower[at + word.len()..].chars().next().is_some_and(is_word);
            long || !before && !after
        })
    });
    let handle = ["Dialect::", "dialect::cfg", "dialect::data"].into_iter().find(|handle| {
        line.match_indices(handle).any(|(at, _)| {
            let next = line[at + handle.len()..].chars().next();
            // constants such as `Dialect::CFG`, and paths into the folder of a language
            match *handle {
                "Dialect::" => {
                    let whole = at == 0 || !line[..at].ends_with(is_word);
                    whole && line[at + handle.len()..].starts_with(|c: char| c.is_uppercase())
                }
                _ => next.is_none_or(|c| !is_word(c)),
            }
        })
    });
    word.cloned().or(handle.map(String::from))
}

/// Returns the lines of a file that are program text: without comments, and without the tests at its end.
fn code(text: &str, comment: &str) -> Vec<(usize, String)> {
    let end = text.find("#[cfg(test)]\nmod ").filter(|at| text[*at..].lines().nth(1).is_some_and(|l| l.ends_with('{')));
    let lines = text[..end.unwrap_or(text.len())].lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim_start().starts_with(comment))
        .map(|(n, line)| (n + 1, line.split(&format!(" {comment} ")).next().unwrap_or(line).to_string()))
        .collect()
}

/// Lists the files below a folder.
fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for entry in entries.map(|entry| entry.unwrap().path()) {
        match entry.is_dir() {
            true => files(&entry, out),
            false => out.push(entry),
        }
    }
}

/// Returns `true` for a module of tests: by its name, or because its parent declares it so.
fn is_test(file: &Path) -> bool {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let parent = fs::read_to_string(file.with_file_name("mod.rs")).unwrap_or_default();
    name == "tests"
        || file.parent().is_some_and(|folder| folder.ends_with("tests"))
        || parent.contains(&format!("#[cfg(test)]\nmod {name};"))
}

#[test]
fn nothing_outside_the_folders_of_languages_names_a_language() {
    let (root, words) = (root(), words());
    assert!(["jsonnet", "libsonnet", "nickel", "ncl"].iter().all(|word| words.iter().any(|w| w == word)), "{words:?}");
    let mut all = Vec::new();
    for folder in ["core/src", "repl/src", "kernel/src", "kernel/python"] {
        files(&root.join(folder), &mut all);
    }
    let mut found = Vec::new();
    let mut needed = vec![false; ALLOWED.len()];
    for file in all {
        let path = file.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        let comment = match file.extension().and_then(|ending| ending.to_str()) {
            Some("rs" | "js") => "//",
            Some("py" | "toml") => "#",
            _ => continue,
        };
        // generated from the table
        let generated = path.ends_with("tables.py") || path.ends_with("tables.js");
        if path.starts_with("core/src/dialect/") || generated || is_test(&file) {
            continue;
        }
        for (number, line) in code(&fs::read_to_string(&file).unwrap(), comment) {
            let Some(word) = named(&line, &words) else { continue };
            match ALLOWED.iter().position(|(file, text, _)| *file == path && line.contains(text)) {
                Some(place) => needed[place] = true,
                None => found.push(format!("{path}:{number}: `{word}` in `{}`", line.trim())),
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    for ((file, text, _), needed) in ALLOWED.iter().zip(needed) {
        assert!(needed, "`{text}` in {file} is allowed and does not occur");
    }
}

/// Pygments finds the lexers by entry points, which must agree with the table.
#[test]
fn every_highlighter_has_an_entry_point() {
    let project = fs::read_to_string(root().join("kernel/python/pyproject.toml")).unwrap();
    let languages = Languages::default();
    for dialect in languages.interactive() {
        let Some(editor) = dialect.0.cells.and_then(|cells| cells.editor) else { continue };
        let (first, rest) = dialect.name().split_at(1);
        let line = match dialect == languages.standard() {
            true => String::from("cfg = \"cfg_kernel.lexers:CfgLexer\""),
            false => format!("{} = \"cfg_kernel.lexers:Cfg{}{rest}Lexer\"", editor.lexer, first.to_uppercase()),
        };
        assert!(project.lines().any(|l| l == line), "`{line}` is not in kernel/python/pyproject.toml");
    }
}
