//! The tables of the highlighters for Pygments and CodeMirror, generated from the lexers and highlighters of the core.

use crate::binary::root;
use cfg_core::{Languages, NoLoader, Session};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Returns the paths of the files, with their expected contents.
pub fn files() -> [(PathBuf, String); 2] {
    let by = "written by `cargo run -p cfg-tests --example highlighters`";
    // one entry per line
    let tables = tables().to_string().replace("]],[", "]],\n[").replace("],\"", "],\n\"");
    let lines = tables.replace('\\', "\\\\").replace('\'', "\\'");
    let python =
        format!("\"\"\"Tokens and roles, {by}.\"\"\"\n\nimport json\n\nTABLES = json.loads(\n    '''{lines}'''\n)\n");
    let script = format!("// Tokens and roles, {by}.\n\nexport const TABLES = {tables};\n");
    let static_ = "kernel/python/data/data/share/jupyter/labextensions/cfg-kernel/static/tables.js";
    [(root().join("kernel/python/src/cfg_kernel/tables.py"), python), (root().join(static_), script)]
}

fn tables() -> Value {
    let languages = Languages::default();
    let edited = || languages.interactive().filter_map(|language| Some((language, language.0.cells?.editor?)));
    let scanned = edited().map(|(language, editor)| (String::from(language.name()), (editor.scanner)()));
    let editors = edited().map(|(language, editor)| {
        let names = json!({
            "title": language.0.title,
            "endings": language.0.endings,
            "aliases": editor.aliases,
            "mime": editor.mime,
            "lexer": editor.lexer,
            "takes_files": editor.takes_files,
            "is_indented": editor.is_indented,
            "home": editor.home,
            "quotes": editor.quotes,
            "line_comment": editor.line_comment,
            "block_comment": editor.block_comment,
        });
        (String::from(language.name()), names)
    });
    json!({
        "standard": languages.standard().name(),
        "languages": scanned.collect::<Map<String, Value>>(),
        "editors": editors.collect::<Map<String, Value>>(),
        "commands": without_expression(),
    })
}

/// Returns the command names, including abbreviations, whose argument is not highlighted as an expression.
fn without_expression() -> Vec<String> {
    let mut session = Session::new(Box::new(NoLoader));
    let names: Vec<String> = session.complete(":", 1).into_iter().map(|c| c.text.trim().replace(':', "")).collect();
    let shortened = names.iter().flat_map(|name| (1..=name.len()).map(|end| String::from(&name[..end])));
    let letters = ('a'..='z').map(String::from);
    let others = ["?", "exi", "exit"].map(String::from);
    let mut all: Vec<String> = shortened.chain(letters).chain(others).collect();
    all.sort();
    all.dedup();
    all.retain(|word| session.highlight(&format!(":{word} 1")).len() == 1);
    all
}
