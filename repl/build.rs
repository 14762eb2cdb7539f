//! Options for linking the binary.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |what: &str| std::env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        // A fixed load address: the loader of a position-independent executable applies some 26,000 relocations before
        // `main`, and touches each page that has one, which is a third of the time that `cfg eval -e 1` takes. The
        // heap, the stacks and the libraries keep their random addresses.
        println!("cargo:rustc-link-arg-bins=-no-pie");
        if let Some(folder) = static_libraries() {
            // No library is found and loaded at the start, which takes as long as an evaluation of `1`.
            println!("cargo:rustc-link-arg-bins=-L{}", folder.display());
            println!("cargo:rustc-link-arg-bins=-static");
        }
    }
}

/// Makes a folder in which the linker finds only static versions of the C libraries. `None` if the compiler for the
/// target does not have them.
///
/// The linker searches it before all other folders. The option `-static` alone is not enough: `std` names the shared
/// library of the unwinder, `gcc_s`, whose static version has another name.
fn static_libraries() -> Option<PathBuf> {
    // a compiler for another machine has another name
    if std::env::var("HOST") != std::env::var("TARGET") {
        return None;
    }
    let folder = Path::new(&std::env::var_os("OUT_DIR")?).join("static");
    std::fs::create_dir_all(&folder).ok()?;
    for (name, library) in [("libc.a", "libc.a"), ("libm.a", "libm.a"), ("libgcc_s.a", "libgcc_eh.a")] {
        let found = Command::new("cc").arg(format!("-print-file-name={library}")).output().ok()?;
        let found = PathBuf::from(String::from_utf8(found.stdout).ok()?.trim());
        // the compiler repeats the name of a library that it does not have
        if !found.is_absolute() {
            return None;
        }
        std::fs::copy(found, folder.join(name)).ok()?;
    }
    Some(folder)
}
