//! ARCHITECTURE.md and CONTRIBUTING.md name files and functions that exist.

use cfg_tests::binary::root;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files of the project that git knows or would add, from its root.
fn files() -> BTreeSet<PathBuf> {
    let list = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let out = Command::new("git").args(list).current_dir(root()).output().expect("git");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let all = String::from_utf8(out.stdout).unwrap();
    all.lines().map(PathBuf::from).filter(|path| root().join(path).exists()).collect()
}

/// Returns the text of a document.
fn document(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap()
}

/// Returns what stands between backquotes outside of blocks.
fn quoted(text: &str) -> Vec<String> {
    let outside = text.split("```").step_by(2);
    outside.flat_map(|prose| prose.split('`').skip(1).step_by(2)).map(String::from).collect()
}

/// Returns the paths in the tree at the beginning of ARCHITECTURE.md: each line is an entry of the last line before it that is
/// indented less.
fn tree(text: &str) -> Vec<PathBuf> {
    let block = text.split("```").nth(1).expect("a tree");
    let mut above: Vec<(usize, PathBuf)> = Vec::new();
    let mut all = Vec::new();
    for line in block.lines() {
        let indent = line.len() - line.trim_start().len();
        let names = line.split_whitespace().map(|word| word.trim_end_matches([',', ':', ';']));
        let names: Vec<&str> = names.take_while(|word| word.ends_with('/') || word.ends_with(".rs")).collect();
        above.retain(|(outer, _)| *outer < indent);
        let parent = above.last().map_or(PathBuf::new(), |(_, path)| path.clone());
        all.extend(names.iter().map(|name| parent.join(name)));
        if let Some(first) = names.first() {
            above.push((indent, parent.join(first)));
        }
    }
    all
}

/// Returns `true` if a path, or a path that ends with it, is a file or a folder with files.
fn exists(files: &BTreeSet<PathBuf>, path: &str) -> bool {
    let path = Path::new(path.trim_end_matches('/'));
    files.iter().any(|file| file.ancestors().any(|part| part.ends_with(path)))
}

#[test]
fn the_tree_is_that_of_the_sources() {
    let files = files();
    let all = tree(&document("ARCHITECTURE.md"));
    assert!(all.len() > 80, "{all:?}");
    let missing: Vec<_> = all.iter().filter(|path| !root().join(path).exists()).collect();
    assert!(missing.is_empty(), "{missing:?}");
    // the other way: the folders of the core, of its answers and of its languages
    for folder in ["core/src", "core/src/answer", "core/src/dialect", "core/src/infer", "core/src/value"] {
        let inside = files.iter().filter_map(|file| file.strip_prefix(folder).ok()?.parent()?.iter().next());
        let inside: BTreeSet<_> =
            inside.filter(|name| *name != "tests").map(|name| Path::new(folder).join(name)).collect();
        let unnamed: Vec<_> = inside.iter().filter(|path| !all.iter().any(|named| named.starts_with(path))).collect();
        assert!(unnamed.is_empty(), "not in the tree: {unnamed:?}");
    }
}

#[test]
fn what_the_documents_name_exists() {
    let files = files();
    let sources: Vec<String> = files
        .iter()
        .filter(|file| file.extension().is_some_and(|ending| ending == "rs"))
        .map(|file| std::fs::read_to_string(root().join(file)).unwrap())
        .collect();
    let mut seen = 0;
    for name in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        for quoted in quoted(&document(name)) {
            let is_path = [".rs", ".py", ".md", ".toml", "/"].iter().any(|end| quoted.ends_with(end));
            let is_word = quoted.chars().all(|c| c.is_ascii_alphanumeric() || "_-./:".contains(c));
            if is_path && is_word {
                assert!(exists(&files, &quoted), "{name}: no file `{quoted}`");
                seen += 1;
            }
            let Some((owner, item)) = quoted.rsplit_once("::").filter(|_| is_word) else { continue };
            let owner = owner.rsplit("::").next().unwrap_or(owner);
            let defines = |text: &&String| {
                let module = text.contains(&format!("fn {item}")) && exists(&files, &format!("{owner}.rs"));
                let folder = text.contains(&format!("fn {item}")) && exists(&files, &format!("{owner}/mod.rs"));
                let of_module =
                    ["trait", "struct", "enum"].iter().any(|kind| text.contains(&format!("{kind} {item} ")));
                let of_type = text.contains(owner)
                    && ["fn ", "    ", "pub "].iter().any(|before| {
                        let ends = ["(", "<", ",", " {", ":", " ="];
                        ends.iter().any(|after| text.contains(&format!("{before}{item}{after}")))
                    });
                module || folder || of_module || of_type
            };
            assert!(sources.iter().any(|text| defines(&text)), "{name}: no `{quoted}`");
            seen += 1;
        }
    }
    assert!(seen > 60, "{seen}");
}
