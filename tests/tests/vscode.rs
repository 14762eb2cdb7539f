//! The kernel under what VS Code's Jupyter extension is made of: `KernelConnection` of `@jupyterlab/services` over the npm package
//! `zeromq`, with the messages that the extension sends. Node.js and npm are the machine's, else PyPI's; the packages go
//! into the target directory, once.

#![cfg(unix)]

use cfg_tests::binary::{cfg, root, run_command};
use cfg_tests::pins::VSCODE;
use cfg_tests::{node, this_test};
use std::time::Duration;

#[test]
fn the_kernel_works_under_the_client_of_vs_code() {
    let test = this_test!();
    if test.is_off() {
        return;
    }
    let packages = node::modules(test, &VSCODE);
    let mut client = node::command(test, "node");
    client.arg(root().join("tests/vscode/client.mjs")).arg(&packages).arg(cfg());
    let folder = tempfile::tempdir().unwrap();
    client.current_dir(folder.path()).env("XDG_DATA_HOME", folder.path());
    let ran = run_command(client, "", Duration::from_secs(120)).expect("it starts");
    assert!(ran.code == Some(0), "{}\n{}", ran.out, ran.err);
}
