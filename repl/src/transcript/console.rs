//! Runs commands that call `cfg`. Supports words and quotes, but no other shell syntax.

use std::path::Path;
use std::process::{Command, Stdio};

/// Runs a command line and returns its output, then its diagnostics. Fails with a message if the line does not call
/// `cfg`. `root` is the variable that confines the command, and its value.
pub fn call(line: &str, folder: &Path, root: (&str, &Path)) -> Result<String, String> {
    let words = words(line.trim())?;
    let Some((program, arguments)) = words.split_first() else { return Ok(String::new()) };
    if program != "cfg" {
        return Err(format!("cannot run `{program}`: a console block only runs `cfg`"));
    }
    let failed = |error: std::io::Error| error.to_string();
    let ran = Command::new(std::env::current_exe().map_err(failed)?)
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env(root.0, root.1)
        .stdin(Stdio::null())
        .output()
        .map_err(failed)?;
    let mut text = String::from_utf8_lossy(&ran.stdout).into_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(&String::from_utf8_lossy(&ran.stderr));
    Ok(text)
}

/// Splits a line into words. Blanks separate words, `'…'` and `"…"` quote them, and a backslash at the end of a line
/// continues it.
fn words(line: &str) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\\', Some('"') | None) if chars.peek().is_some() => {
                let next = chars.next().unwrap_or_default();
                if next != '\n' {
                    word.get_or_insert_default().push(next);
                }
            }
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => all.extend(word.take()),
            ('|' | '>' | '<' | '&' | ';' | '$' | '`', None) => {
                return Err(format!("`{c}` needs a shell, and console blocks run without one: {line}"));
            }
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(format!("unclosed quote: {line}"));
    }
    all.extend(word);
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_in_a_shell() {
        let all = words(r#"cfg eval -e '{ a = "x y" }' --at "a b" c\ d ''"#).unwrap();
        assert_eq!(all, ["cfg", "eval", "-e", r#"{ a = "x y" }"#, "--at", "a b", "c d", ""]);
        assert!(words("cfg eval x | head").is_err());
        assert!(words("cfg 'x").is_err());
    }
}
