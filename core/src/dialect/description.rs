//! The descriptions of a library's entries: a text file that the compiler reads, so that they cost nothing at run time.
//!
//! ```text
//! # std.number.abs : Number -> Number
//! The absolute value.
//! > std.number.abs (-2.5)
//! < 2.5
//! = fun n => if n < 0 then -n else n
//! ```
//!
//! An entry is its path and type, its documentation on one line, examples with their results, and its body if it is written
//! in the library's own language. A body ends at the next entry. The file begins with the documentation of the module.

/// An expression and its value.
pub type Example = (&'static str, &'static str);

/// A described entry.
#[derive(Clone, Copy)]
pub struct Description {
    /// The full path: `std.number.abs`.
    pub path: &'static str,
    /// The last part of the path: `abs`.
    pub name: &'static str,
    /// The type, in the notation of cfg.
    pub ty: &'static str,
    /// The documentation.
    pub doc: &'static str,
    /// The examples.
    pub examples: &'static [Example],
    /// The body in the library's language. Empty if it has none.
    pub body: &'static str,
}

/// Returns the number of lines that begin with a sign.
pub const fn count(text: &str, sign: u8) -> usize {
    let (bytes, mut at, mut found) = (text.as_bytes(), 0, 0);
    while at < bytes.len() {
        if bytes[at] == sign {
            found += 1;
        }
        at = line_end(bytes, at) + 1;
    }
    found
}

/// Returns the documentation of the module.
pub const fn module_doc(text: &'static str) -> &'static str {
    slice(text, 0, line_end(text.as_bytes(), 0))
}

/// Returns the examples of all entries. `N` is their number.
pub const fn examples<const N: usize>(text: &'static str) -> [Example; N] {
    let mut all = [("", ""); N];
    let (bytes, mut at, mut found) = (text.as_bytes(), 0, 0);
    while at < bytes.len() {
        let end = line_end(bytes, at);
        if bytes[at] == b'>' {
            let result = line_end(bytes, end + 1);
            assert!(bytes[end + 1] == b'<', "an example without a result");
            all[found] = (slice(text, at + 2, end), slice(text, end + 3, result));
            found += 1;
        }
        at = end + 1;
    }
    all
}

/// Returns the entries. `N` is their number; `examples` are those of the file.
pub const fn descriptions<const N: usize>(text: &'static str, examples: &'static [Example]) -> [Description; N] {
    let mut all = [Description { path: "", name: "", ty: "", doc: "", examples: &[], body: "" }; N];
    let (bytes, mut at, mut found, mut used) = (text.as_bytes(), 0, 0, 0);
    while at < bytes.len() {
        let end = line_end(bytes, at);
        if bytes[at] != b'#' {
            at = end + 1;
            continue;
        }
        let entry = &mut all[found];
        found += 1;
        let mut colon = at + 2;
        while !(bytes[colon] == b' ' && bytes[colon + 1] == b':') {
            colon += 1;
        }
        let mut name = colon;
        while bytes[name - 1] != b'.' && bytes[name - 1] != b' ' {
            name -= 1;
        }
        entry.path = slice(text, at + 2, colon);
        entry.name = slice(text, name, colon);
        entry.ty = slice(text, colon + 3, end);
        at = end + 1;
        entry.doc = slice(text, at, line_end(bytes, at));
        at = line_end(bytes, at) + 1;
        let first = used;
        while at < bytes.len() && bytes[at] == b'>' {
            used += 1;
            at = line_end(bytes, line_end(bytes, at) + 1) + 1;
        }
        entry.examples = examples.split_at(first).1.split_at(used - first).0;
        if at < bytes.len() && bytes[at] == b'=' {
            let begin = at + 2;
            while at < bytes.len() && bytes[at] != b'#' {
                at = line_end(bytes, at) + 1;
            }
            let end = if at < bytes.len() { at } else { bytes.len() };
            entry.body = slice(text, begin, end).trim_ascii_end();
        }
    }
    all
}

/// Returns `true` if two texts are equal.
pub const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

const fn line_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'\n' {
        at += 1;
    }
    at
}

const fn slice(text: &'static str, from: usize, to: usize) -> &'static str {
    text.split_at(to).0.split_at(from).1
}
