//! Writes the tables of the highlighters for Pygments and CodeMirror.

use cfg_tests::highlighters::files;
use std::fs;
use std::io;

fn main() -> io::Result<()> {
    for (path, text) in files() {
        fs::write(&path, text)?;
        println!("{}", path.display());
    }
    Ok(())
}
