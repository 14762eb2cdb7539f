//! The request of `cfg diff`.

use super::request_of;
use crate::cli::{Diff, Reading};
use crate::fault::{Fault, command};
use cfg_core::{Action, DiffLayout, Request};

/// Builds the request of `cfg diff`. Fails unless there are two sides.
pub(super) fn request(diff: Diff) -> Result<Request, Fault> {
    if diff.right.iter().any(|word| word == "--") {
        return Err(Fault::new("a comparison has two sides, and there are more")
            .help("one `--` separates the layers of the sides: `cfg diff A1 A2 -- B1 B2`"));
    }
    let (left, right) = match (diff.files.as_slice(), diff.right.as_slice()) {
        ([left, right], []) => (std::slice::from_ref(left), std::slice::from_ref(right)),
        (files @ [_, .., last], []) => {
            let words = ["cfg", "diff"].into_iter().chain(files.iter().map(String::as_str).take(files.len() - 1));
            let words: Vec<String> = words.chain(["--", last]).map(String::from).collect();
            return Err(Fault::new(format!("a comparison has two sides, and there are {} files", files.len()))
                .help(format!("`--` separates the layers of the sides: {}", command(&words))));
        }
        (_, []) => {
            return Err("two sides are needed: `cfg diff A B`, or `cfg diff A1 A2 -- B1 B2` for layers".into());
        }
        (left, right) => (left, right),
    };
    let inputs = left.iter().chain(right).map(|name| crate::git::input(name)).collect::<Result<Vec<_>, _>>()?;
    let layout = match diff.format.as_str() {
        _ if diff.side_by_side => DiffLayout::SideBySide,
        "json" => DiffLayout::Json,
        "side" => DiffLayout::SideBySide,
        _ => DiffLayout::Text,
    };
    let action = Action::Diff { left: left.len(), at: diff.at, layout };
    let reading =
        Reading { dialect: diff.dialect, import_paths: diff.import_paths, inputs: diff.inputs, ..Reading::default() };
    let mut request = request_of(inputs, reading, action);
    request.layering.lists = diff.lists;
    Ok(request)
}
