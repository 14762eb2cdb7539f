//! The modules `golang/path` and `golang/path/filepath`: slash-separated paths, as text.

use super::args::{Answer, input, of_text, pure, text};
use super::table::Module;
use crate::value::{Call, Machine, Thunk, Value};

/// The module `golang/path`.
pub static PATH: Module = Module {
    path: "golang/path",
    doc: "The functions of Go's package `path`. They work on the text of a path only.",
    functions: &[
        pure("base", "func(path str) str", "Returns the last element of a path.", |m, a, c| mapped(m, a, c, base)),
        pure(
            "clean",
            "func(path str) str",
            "Returns the shortest path that is equal: without `.`, `..` and double slashes.",
            |m, a, c| mapped(m, a, c, clean),
        ),
        pure("dir", "func(path str) str", "Returns the path without its last element.", |m, a, c| mapped(m, a, c, dir)),
        pure("ext", "func(path str) str", "Returns the extension, with its dot.", |m, a, c| mapped(m, a, c, ext)),
        pure("is_abs", "func(path str) bool", "Returns whether a path begins with a slash.", is_abs),
    ],
};

/// The module `golang/path/filepath`.
pub static FILEPATH: Module = Module {
    path: "golang/path/filepath",
    doc: "The functions of Go's package `path/filepath`, as on Linux.",
    functions: &[
        input!(
            "golang/path/filepath",
            "abs",
            "func(path str) str",
            "Returns the absolute path. It depends on the current folder."
        ),
        pure("base", "func(path str) str", "Returns the last element of a path.", |m, a, c| mapped(m, a, c, base)),
        pure(
            "clean",
            "func(path str) str",
            "Returns the shortest path that is equal: without `.`, `..` and double slashes.",
            |m, a, c| mapped(m, a, c, clean),
        ),
        pure("dir", "func(path str) str", "Returns the path without its last element.", |m, a, c| mapped(m, a, c, dir)),
        input!(
            "golang/path/filepath",
            "eval_symlinks",
            "func(path str) str",
            "Returns the path after all symbolic links are followed."
        ),
        pure("ext", "func(path str) str", "Returns the extension, with its dot.", |m, a, c| mapped(m, a, c, ext)),
        pure("from_slash", "func(path str) str", "Returns the path: the separator is a slash.", |m, a, c| {
            mapped(m, a, c, |path| String::from(path))
        }),
        pure(
            "has_prefix",
            "func(path str, prefix str) bool",
            "Returns whether the first string begins with the second.",
            has_prefix,
        ),
        pure("is_abs", "func(path str) bool", "Returns whether a path begins with a slash.", is_abs),
        pure(
            "is_local",
            "func(path str) bool",
            "Returns whether a path is relative, not empty, and stays in its folder.",
            |m, a, c| Ok(Value::Bool(is_local(text(m, a, 0, c)?.as_str()))),
        ),
        pure("localize", "func(path str) str", "Returns a path that is local. Fails if it is not.", localize),
        pure("rel", "func(base str, target str) str", "Returns the path of `target` as seen from `base`.", rel),
        pure("to_slash", "func(path str) str", "Returns the path: the separator is a slash.", |m, a, c| {
            mapped(m, a, c, |path| String::from(path))
        }),
        pure("volume_name", "func(path str) str", "Returns an empty string: paths have no volumes.", |m, a, c| {
            text(m, a, 0, c)?;
            Ok(Value::string(""))
        }),
    ],
};

fn mapped(machine: &mut Machine, args: &[Thunk], call: &Call, run: fn(&str) -> String) -> Answer {
    let path = text(machine, args, 0, call)?;
    of_text(machine, run(path.as_str()))
}

fn clean(path: &str) -> String {
    let is_rooted = path.starts_with('/');
    let mut out: Vec<&str> = Vec::new();
    for element in path.split('/') {
        match element {
            "" | "." => {}
            ".." if out.last().is_some_and(|last| *last != "..") => {
                out.pop();
            }
            ".." if is_rooted => {}
            element => out.push(element),
        }
    }
    match (is_rooted, out.is_empty()) {
        (true, _) => format!("/{}", out.join("/")),
        (false, true) => String::from("."),
        (false, false) => out.join("/"),
    }
}

fn base(path: &str) -> String {
    let trimmed = path.trim_end_matches('/');
    String::from(match (path, trimmed) {
        ("", _) => ".",
        (_, "") => "/",
        (_, path) => path.rsplit('/').next().unwrap_or(path),
    })
}

fn dir(path: &str) -> String {
    clean(path.rfind('/').map_or("", |at| &path[..=at]))
}

fn ext(path: &str) -> String {
    let last = path.rsplit('/').next().unwrap_or(path);
    String::from(last.rfind('.').map_or("", |at| &last[at..]))
}

fn is_abs(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(Value::Bool(text(machine, args, 0, call)?.as_str().starts_with('/')))
}

fn has_prefix(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (path, prefix) = (text(machine, args, 0, call)?, text(machine, args, 1, call)?);
    Ok(Value::Bool(path.as_str().starts_with(prefix.as_str())))
}

fn is_local(path: &str) -> bool {
    let cleaned = clean(path);
    !path.is_empty() && !path.starts_with('/') && cleaned != ".." && !cleaned.starts_with("../")
}

/// Accepts what Go's `io/fs.ValidPath` does: no empty elements, no `.` and `..` except the path `.`.
fn localize(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let path = text(machine, args, 0, call)?;
    let is_plain = |element: &str| !matches!(element, "" | "." | "..");
    match path.as_str() == "." || path.as_str().split('/').all(is_plain) && !path.as_str().contains('\0') {
        true => Ok(Value::String(path)),
        false => Err(call.fault(format!("{:?} is not a local path", path.as_str()))),
    }
}

fn rel(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (from, to) = (clean(text(machine, args, 0, call)?.as_str()), clean(text(machine, args, 1, call)?.as_str()));
    let elements = |path: &str| -> Vec<String> {
        path.split('/').filter(|element| !matches!(*element, "" | ".")).map(String::from).collect()
    };
    let (base, target) = (elements(&from), elements(&to));
    let common = base.iter().zip(&target).take_while(|(a, b)| a == b).count();
    if from.starts_with('/') != to.starts_with('/') || base[common..].iter().any(|element| element == "..") {
        return Err(call.fault(format!("there is no path from {from:?} to {to:?}")));
    }
    let up = base[common..].iter().map(|_| String::from(".."));
    let path: Vec<String> = up.chain(target[common..].iter().cloned()).collect();
    of_text(machine, if path.is_empty() { String::from(".") } else { path.join("/") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        let cleaned = ["/a/../b//c/.", "", "../a/..", "/..", "a/b/../../..", "./x"].map(clean);
        assert_eq!(cleaned, ["/b/c", ".", "..", "/", "..", "x"]);
        assert_eq!(["/a/b/", "", "///", "x.y"].map(base), ["b", ".", "/", "x.y"]);
        assert_eq!(["/a/b", "a", "/a", "a/b/"].map(dir), ["/a", ".", "/", "a/b"]);
        assert_eq!(["a.tar.gz", "a.b/c", ".x"].map(ext), [".gz", "", ".x"]);
        assert_eq!(["a/b", "../a", "a/../..", "", "/a"].map(is_local), [true, false, false, false, false]);
    }
}
