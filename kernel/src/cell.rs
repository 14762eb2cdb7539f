//! Parses the text of a notebook cell: code, commands (`:command` or `%command`), a final `;` that suppresses output,
//! and questions (`x?`).

use cfg_core::{Completeness, Session};

/// A part of a cell that the session runs as one input. Blank lines replace the text before it, so that positions in
/// it are positions in the cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellPart {
    /// The input.
    pub text: String,
    /// Whether it is a `:command`.
    pub command: bool,
    /// Offset of the part in the cell, in bytes.
    pub start: usize,
    /// Length of the white space at the beginning of `text`, in bytes.
    pub blank: usize,
}

/// A question about a path: `x?` or `x??`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question<'a> {
    /// The path.
    pub path: &'a str,
    /// The level of detail: 0 or 1.
    pub detail: u64,
}

/// Returns the question if the cell is one.
pub fn question(code: &str) -> Option<Question<'_>> {
    let code = code.trim();
    let path = code.strip_suffix('?')?;
    let (path, detail) = match path.strip_suffix('?') {
        Some(path) => (path, 1),
        None => (path, 0),
    };
    let fits = !path.is_empty() && !path.contains(['\n', '?', '#']) && !path.starts_with([':', '%']);
    fits.then_some(Question { path: path.trim(), detail })
}

/// A cell that writes its text to a file: `%%file NAME`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileCell<'a> {
    /// The name of the file.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

/// Returns why a file cannot be written, without the number that the system gives an error.
pub fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => String::from("there is no such folder"),
        std::io::ErrorKind::PermissionDenied => String::from("permission denied"),
        std::io::ErrorKind::IsADirectory => String::from("it is a folder"),
        std::io::ErrorKind::NotADirectory => String::from("a part of its path is not a folder"),
        _ => error.to_string().split(" (os error").next().unwrap_or_default().to_string(),
    }
}

/// Returns the file that the cell writes, if its first line is `%%file NAME` or `%%writefile NAME`.
pub fn file(code: &str) -> Option<FileCell<'_>> {
    let (line, text) = code.trim_start().split_once('\n').unwrap_or((code.trim(), ""));
    let (magic, name) = line.split_once(char::is_whitespace)?;
    let name = name.trim();
    (matches!(magic, "%%file" | "%%writefile") && !name.is_empty()).then_some(FileCell { name, text })
}

/// Returns the command that a magic with another name stands for.
fn command_of(magic: &str) -> &str {
    match magic {
        "run" => "load",
        "timeit" => "time",
        same => same,
    }
}

/// Returns the cell without a final `;`, and whether there was one.
pub fn quiet(session: &Session, code: &str) -> (String, bool) {
    let end = code.trim_end().len();
    match code.get(..end).and_then(|text| text.strip_suffix(';')) {
        Some(text) if session.completeness(text) == Completeness::Complete => (String::from(text), true),
        _ => (String::from(code), false),
    }
}

/// Returns a cell's parts, in order. A cell without commands is one part.
pub fn parts(session: &Session, code: &str) -> Vec<CellPart> {
    // a cell in another language is a single input: code, or a command; comments may be before the line with its name
    let is_comment = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with('#');
    let mut lines = code.lines().skip_while(is_comment);
    if lines.next().is_some_and(|line| line.trim_start().starts_with("%%")) {
        let command = lines.find(|line| !line.trim().is_empty()).is_some_and(|line| line.trim_start().starts_with(':'));
        return vec![CellPart { text: String::from(code), command, start: 0, blank: 0 }];
    }
    let mut out = Vec::new();
    let mut part = CellPart { text: String::new(), command: false, start: 0, blank: 0 };
    let (mut at, mut lines) = (0, 0);
    for line in code.split_inclusive('\n') {
        let fresh = part.text.trim().is_empty();
        let complete = || session.completeness(&part.text) == Completeness::Complete;
        let command = is_command(line, fresh || part.command);
        // a command continues until its expression is complete; code ends only where it is complete
        if (part.command || (command && !fresh)) && complete() || (command && fresh) {
            let next = CellPart { text: String::new(), command, start: at, blank: 0 };
            let done = std::mem::replace(&mut part, next);
            if !done.text.trim().is_empty() {
                out.push(done);
            }
            if !part.command {
                part.text = "\n".repeat(lines);
                part.blank = lines;
            }
        }
        match line.strip_prefix('%') {
            Some(rest) if part.command && part.text.is_empty() => {
                let word = rest.split(char::is_whitespace).next().unwrap_or_default();
                part.text.push(':');
                part.text.push_str(command_of(word));
                part.text.push_str(rest.strip_prefix(word).unwrap_or_default());
            }
            _ => part.text.push_str(line),
        }
        at += line.len();
        lines += 1;
    }
    if !part.text.trim().is_empty() {
        out.push(part);
    }
    out
}

/// Reports whether a line is a command. A `%` begins a command only at the start of an input, where it cannot be an
/// operator.
fn is_command(line: &str, first: bool) -> bool {
    let magic = line.strip_prefix('%').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
    line.starts_with(':') || (first && magic)
}

/// Converts an offset in characters into an offset in bytes.
pub fn byte_of(text: &str, characters: usize) -> usize {
    text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at)
}

/// Converts an offset in bytes into an offset in characters.
pub fn characters_before(text: &str, byte: usize) -> usize {
    text.char_indices().take_while(|(at, _)| *at < byte).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfg_core::NoLoader;

    fn texts(code: &str) -> Vec<String> {
        parts(&Session::new(Box::new(NoLoader)), code).into_iter().map(|p| p.text).collect()
    }

    #[test]
    fn cells_are_split_into_inputs() {
        for (code, inputs) in [
            ("let x = 1\nx + 1", &["let x = 1\nx + 1"][..]),
            ("%type 1", &[":type 1"]),
            ("%run a.cfg\n%timeit 1", &[":load a.cfg\n", ":time 1"]),
            (":type 1\n%type 2\n3", &[":type 1\n", ":type 2\n", "\n\n3"]),
            ("let x = 1\n:type x", &["let x = 1\n", ":type x"]),
            (":type {\n  a = 1\n}\n2", &[":type {\n  a = 1\n}\n", "\n\n\n2"]),
            ("let x = {\n:type 1", &["let x = {\n:type 1"]),
            ("7\n%m", &["7\n%m"]),
            ("% if x", &["% if x"]),
            ("%%jsonnet\n:a", &["%%jsonnet\n:a"]),
            ("# a note\n\n%%jsonnet\n:a", &["# a note\n\n%%jsonnet\n:a"]),
            (" \n", &[]),
        ] {
            assert_eq!(texts(code), inputs, "{code}");
        }
    }

    #[test]
    fn cells_that_write_files() {
        for (code, name, text) in
            [("%%file a b.cfg\n1\n2\n", "a b.cfg", "1\n2\n"), ("\n%%writefile x", "x", ""), ("%%file x\n", "x", "")]
        {
            assert_eq!(file(code), Some(FileCell { name, text }), "{code}");
        }
        for code in ["%%file", "%%file \n1", "%%files a\n1", "%file a", "%%cfg\n%%file a"] {
            assert_eq!(file(code), None, "{code}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn reasons_have_no_number_of_the_system() {
        for (number, expected) in
            [(2, "there is no such folder"), (13, "permission denied"), (28, "No space left on device")]
        {
            assert_eq!(reason(&std::io::Error::from_raw_os_error(number)), expected);
        }
    }

    #[test]
    fn questions() {
        for (code, path, detail) in [("x?", "x", 0), (" a.b??\n", "a.b", 1)] {
            assert_eq!(question(code), Some(Question { path, detail }));
        }
        for code in ["x", "?", "x???", "a\nb?", ":help ?"] {
            assert_eq!(question(code), None, "{code}");
        }
    }

    #[test]
    fn a_semicolon_suppresses_output() {
        let session = Session::new(Box::new(NoLoader));
        assert_eq!(quiet(&session, "1 + 1; \n"), (String::from("1 + 1"), true));
        assert_eq!(quiet(&session, "\"a;\""), (String::from("\"a;\""), false));
    }

    #[test]
    fn positions_are_characters() {
        let text = "aé😀b";
        for (characters, byte) in [(0, 0), (1, 1), (2, 3), (3, 7), (4, 8)] {
            assert_eq!((byte_of(text, characters), characters_before(text, byte)), (byte, characters));
        }
        assert_eq!(byte_of(text, 99), 8);
    }
}
