//! Options for linking the binary.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |what: &str| std::env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        // A fixed load address: the loader of a position-independent executable applies some 26,000 relocations before
        // `main`, and touches each page that has one, which is a third of the time that `cfg eval -e 1` takes. The
        // heap, the stacks and the libraries keep their random addresses.
        println!("cargo:rustc-link-arg-bins=-no-pie");
        // one library fewer to find and load
        println!("cargo:rustc-link-arg-bins=-static-libgcc");
    }
}
