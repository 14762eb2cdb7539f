//! Imported modules: folders with a main file, which may have a `metadata.yaml`.
//!
//! ```yaml
//! main: "main.mcl"          # the file that an import reads, relative to the module
//! path: "modules/"          # the folder in which the module's remote imports are searched first
//! files: "files/"           # the folder of its other files
//! parentpathblock: false    # whether the paths of the modules around it are ignored
//! ```
//!
//! `import "dir/"` reads the module in a folder next to the importing file. `import "git://host/name/"` reads `host/name/` in the
//! first of these folders that has such a module: the `path` of the importing module, those of the modules around it, and the
//! folders for imports (`-I`, `MCL_MODULE_PATH`). Nothing is fetched.

use super::problem::MclProblem;
use crate::dialect::{ModuleFiles, Modules, Program};
use crate::problem::Problem;
use crate::problem::syntax::SyntaxProblem;
use crate::term::{FieldName, ImportKind, Node};
use crate::text::{Name, Span};
use std::path::{Component, Path, PathBuf};

/// The name of the file that describes a module.
const METADATA: &str = "metadata.yaml";
/// The main file of a module that names no other.
const MAIN: &str = "main.mcl";

/// The search for modules.
pub struct Search;

/// The contents of a `metadata.yaml`.
#[derive(Default)]
struct Metadata {
    main: Option<Name>,
    path: Option<Name>,
    blocks_parents: bool,
}

/// Returns the path of a remote module below the folders of a search, without its transport: `host/name`.
fn remote(path: &str) -> Option<&str> {
    Some(path.split_once("://")?.1.trim_end_matches('/'))
}

/// Returns the namespace that an import has without `as`.
///
/// ```text
/// "golang/strings"  strings        "dir/lib.mcl"                         lib
/// "dir/"            dir            "git://host/mgmt-Some-Thing/"         some_thing
/// ```
pub fn default_namespace(path: &str) -> Name {
    let trimmed = path.trim_end_matches('/');
    let last = trimmed.rsplit('/').next().unwrap_or(trimmed);
    if remote(path).is_none() {
        return Name::new(last.strip_suffix(".mcl").unwrap_or(last));
    }
    let named = last.strip_prefix("mgmt-").filter(|rest| !rest.is_empty()).unwrap_or(last);
    Name::from(named.to_lowercase().replace('-', "_"))
}

/// Returns the file or module that an import names, with its kind. `None` if it names a module of the library.
pub fn imported(path: &str) -> Option<(Name, ImportKind)> {
    if Search.is_module(path) {
        return Some((Name::new(path), ImportKind::Code(Some(Name::new_static("Mcl")))));
    }
    path.ends_with(".mcl").then(|| (Name::new(path), ImportKind::Code(None)))
}

impl Modules for Search {
    fn is_module(&self, path: &str) -> bool {
        path.ends_with('/') || remote(path).is_some()
    }

    fn find(&self, path: &str, span: Span, files: &dyn ModuleFiles) -> Result<PathBuf, Problem> {
        let problem = |what: MclProblem| Problem::error(SyntaxProblem { span, what: what.into() });
        let refused =
            |why: String| problem(MclProblem::Module { path: Name::new(path), why: Name::from(why), near: Vec::new() });
        let Some(name) = remote(path) else {
            let folder = files.folder().join(path);
            let file = match files.data(&folder.join(METADATA)) {
                Some(data) => folder.join(main_of(&folder, data, &refused)?),
                None => folder.join(MAIN),
            };
            return match files.exists(&file) {
                true => Ok(file),
                false => Err(refused(format!("the module has no file `{}`", file.display()))),
            };
        };
        if name.is_empty() || Path::new(name).components().any(|part| !matches!(part, Component::Normal(_))) {
            return Err(refused(String::from("the path of a remote module is a host and names, without `.` and `..`")));
        }
        let mut tried = Vec::new();
        for around in own_paths(files).into_iter().chain(files.search()) {
            let folder = around.join(name);
            let described = folder.join(METADATA);
            match files.data(&described) {
                Some(data) => return Ok(folder.join(main_of(&folder, data, &refused)?)),
                None => tried.push(Name::from(described.to_string_lossy())),
            }
        }
        Err(problem(MclProblem::NotCached { path: Name::new(path), tried }))
    }
}

/// Returns the main file of a module, relative to the module.
fn main_of(folder: &Path, data: Program, refused: &dyn Fn(String) -> Problem) -> Result<String, Problem> {
    let described = folder.join(METADATA);
    let metadata = match data.problems.first() {
        Some(problem) => return Err(problem.clone()),
        None => Metadata::read(&data).map_err(|why| refused(format!("`{}`: {why}", described.display())))?,
    };
    Ok(metadata.main.map_or_else(|| String::from(MAIN), |main| main.to_string()))
}

/// Returns the folders in which the module of the importing file searches its remote imports: its `path`, then those of the modules
/// around it, unless it blocks them.
fn own_paths(files: &dyn ModuleFiles) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for folder in files.folder().ancestors() {
        let Some(data) = files.data(&folder.join(METADATA)).filter(|data| data.problems.is_empty()) else { continue };
        let Ok(metadata) = Metadata::read(&data) else { continue };
        out.extend(metadata.path.map(|path| folder.join(path.as_str())));
        if metadata.blocks_parents {
            break;
        }
    }
    out
}

impl Metadata {
    /// Reads a file. The error is the mistake in it.
    fn read(data: &Program) -> Result<Metadata, String> {
        let term = &data.term;
        let mut out = Metadata::default();
        let fields = match term.node(term.root) {
            Node::Record(lit) => lit.fields.as_slice(),
            // an empty file
            Node::Null => &[],
            _ => return Err(String::from("it must be a map")),
        };
        for field in fields {
            let (FieldName::Static(name), Some(body)) = (&field.name, field.body) else { continue };
            let value = term.node(body);
            match (name.as_str(), value) {
                ("main", Node::Str(text)) if is_inside(text) && !text.ends_with('/') => out.main = Some(text.clone()),
                ("main", _) => return Err(String::from("`main` must be the relative path of a file")),
                ("path", Node::Str(text)) if text.is_empty() => {}
                ("path", Node::Str(text)) if is_inside(text) && text.ends_with('/') => out.path = Some(text.clone()),
                ("files", Node::Str(text)) if text.is_empty() || is_inside(text) && text.ends_with('/') => {}
                ("path" | "files", _) => {
                    return Err(format!("`{name}` must be the relative path of a folder, with a `/` at its end"));
                }
                ("parentpathblock", Node::Bool(blocks)) => out.blocks_parents = *blocks,
                ("parentpathblock", _) => return Err(String::from("`parentpathblock` must be true or false")),
                _ => {}
            }
        }
        Ok(out)
    }
}

/// Returns `true` for a relative path.
fn is_inside(path: &str) -> bool {
    !path.is_empty() && Path::new(path).is_relative()
}

#[cfg(test)]
#[path = "tests/modules.rs"]
mod tests;
