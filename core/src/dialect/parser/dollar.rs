//! `${x}` in a string of a language that inserts values in another way.

/// Returns the paths in a text that are written `${a.b}`. `None` if there are none, or if the text is rather for a shell, a
/// template of GitHub or a dashboard: it has several lines, other uses of `$`, or a name in capitals or with `__`.
pub fn inserted(text: &str) -> Option<Vec<&str>> {
    if text.contains('\n') || text.contains('`') {
        return None;
    }
    let mut paths = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        let inside = rest.get(at + 1..)?.strip_prefix('{')?;
        let (path, after) = inside.split_once('}')?;
        if !path.split('.').all(is_name) || path.starts_with("__") || !path.contains(|c: char| c.is_lowercase()) {
            return None;
        }
        paths.push(path);
        rest = after;
    }
    (!paths.is_empty()).then_some(paths)
}

/// Returns the name that a path begins with.
pub fn head(path: &str) -> &str {
    path.split('.').next().unwrap_or(path)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::inserted;

    #[test]
    fn what_inserts_nothing_elsewhere_is_found() {
        for (text, expected) in [
            ("${x}", Some(vec!["x"])),
            ("http://${host}:${server.port}/", Some(vec!["host", "server.port"])),
            ("plain, {x} and %{x}", None),
            ("${HOME}/bin", None),
            ("${{ github.ref }}", None),
            ("${x:-1}", None),
            ("${x} and $y", None),
            ("for x in *; do echo ${x}; done $(ls)", None),
            ("echo ${x}\necho", None),
            ("${__interval}", None),
            ("`echo ${x}`", None),
            ("${}", None),
            ("${x", None),
            ("$", None),
        ] {
            assert_eq!(inserted(text), expected, "{text}");
        }
    }
}
