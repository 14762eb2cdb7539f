//! Tests that need more than Rust. Their dependencies are installed under the target directory; if that is not
//! possible, the test fails.
//!
//! Nothing is installed on the machine, and a test with a missing dependency does not pass. The failure says what is
//! missing, how to install it, and how to switch off the test.
//! `CFG_TEST_SKIP=shells::zsh_loads_its_completions,jupyterlab` switches off one test by its name, and all tests of a
//! file by the name of the file. A test that is switched off reports that on standard error.
//!
//! The versions of all dependencies are in [`pins`](crate::pins).

use crate::binary::run_command;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The variable that switches off tests. It contains names of tests and of test files, separated by commas.
const SKIP: &str = "CFG_TEST_SKIP";

/// A test by its full name, such as `shells::zsh_loads_its_completions`: the file, then the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Test(&'static str);

/// Returns the [`Test`] of the enclosing function.
#[macro_export]
macro_rules! this_test {
    () => {{
        fn here() {}
        $crate::needs::Test::around(&here)
    }};
}

impl Test {
    /// Returns the test whose body defines the function `inner`. Called by [`this_test!`].
    pub fn around<F>(_inner: &F) -> Test {
        let name = std::any::type_name::<F>();
        Test(name.rsplit_once("::").map_or(name, |(test, _)| test))
    }

    /// Returns the full name.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// Returns `true` if `CFG_TEST_SKIP` switches off this test. Reports that on standard error, even if the output of
    /// tests is captured.
    pub fn is_off(self) -> bool {
        let off = is_named(self.0, &std::env::var(SKIP).unwrap_or_default());
        if off {
            // the test harness would capture `eprintln!`
            let _ = writeln!(std::io::stderr(), "test {} is switched off by {SKIP}", self.0);
        }
        off
    }

    /// Fails the test because `what` is missing. `install` says how to get it.
    ///
    /// # Panics
    /// Always.
    pub fn lacks(self, what: &str, install: &str) -> ! {
        panic!("{}", self.missing(what, install))
    }

    fn missing(self, what: &str, install: &str) -> String {
        format!("{what}\n  install it: {install}\n  or switch this test off: {SKIP}={}", self.0)
    }

    /// Runs a program that must succeed within ten minutes, and returns its standard output.
    ///
    /// # Panics
    /// If it cannot be started or fails. The message includes `install`.
    pub fn run(self, command: Command, install: &str) -> String {
        let shown = format!("{command:?}");
        match run_command(command, "", Duration::from_secs(600)) {
            Ok(ran) if ran.code == Some(0) => ran.out,
            Ok(ran) => self.lacks(&format!("{shown} failed: {}{}", ran.out, ran.err), install),
            Err(why) => self.lacks(&format!("{shown}: {why}"), install),
        }
    }
}

/// Returns `true` if a list of tests and files contains a test.
fn is_named(test: &str, list: &str) -> bool {
    let file = test.split("::").next();
    list.split(',').map(str::trim).any(|entry| entry == test || Some(entry) == file)
}

/// Returns the target directory of Cargo, wherever it is.
///
/// # Panics
/// If this process was not built by Cargo.
pub fn target() -> PathBuf {
    profile().parent().expect("the folder of a profile is in the target directory").to_path_buf()
}

/// Returns the folder of the profile with which this process was built: `<target>/debug`, `<target>/release`.
///
/// # Panics
/// If this process was not built by Cargo.
pub fn profile() -> PathBuf {
    let me = std::env::current_exe().expect("a test has a path");
    let profile = me.ancestors().find(|dir| dir.join("deps").is_dir());
    profile.expect("a test is in <target>/<profile>/deps").to_path_buf()
}

/// Waits until no other test or process installs anything, and blocks the others until the result is dropped.
///
/// # Panics
/// If the target directory cannot be written.
pub fn exclusively() -> File {
    let lock = File::create(target().join("installing.lock")).expect("the target directory can be written");
    lock.lock().expect("a file can be locked");
    lock
}

/// Creates `folder`, unless it exists and was created from the same `recipe`. `make` fills an empty folder.
///
/// # Panics
/// If the target directory cannot be written.
pub fn once(folder: &Path, recipe: &str, make: impl FnOnce()) {
    let _one = exclusively();
    let ready = folder.join("ready");
    if std::fs::read_to_string(&ready).is_ok_and(|made| made == recipe) {
        return;
    }
    if folder.exists() {
        std::fs::remove_dir_all(folder).expect("the target directory can be written");
    }
    std::fs::create_dir_all(folder).expect("the target directory can be written");
    make();
    std::fs::write(ready, recipe).expect("the target directory can be written");
}

/// Returns the path of the first of these programs on `PATH`.
pub fn on_path(programs: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let mut places = programs.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.find(|place| place.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_has_the_name_of_its_function() {
        assert_eq!(this_test!().name(), "cfg_tests::needs::tests::a_test_has_the_name_of_its_function");
    }

    #[test]
    fn a_name_or_a_file_switches_off_and_a_part_of_a_name_does_not() {
        for list in ["shells::zsh", "jupyter, shells::zsh", "shells"] {
            assert!(is_named("shells::zsh", list), "{list}");
        }
        for list in ["", "shells::zs", "zsh", "shell", "shells::fish", "shells::"] {
            assert!(!is_named("shells::zsh", list), "{list}");
        }
    }

    #[test]
    fn a_failure_says_what_to_install_and_how_to_switch_the_test_off() {
        let said = Test("shells::zsh").missing("there is no `zsh`", "`apt-get install zsh`");
        assert_eq!(
            said,
            "there is no `zsh`\n  install it: `apt-get install zsh`\n  or switch this test off: CFG_TEST_SKIP=shells::zsh"
        );
    }

    #[test]
    fn a_folder_is_made_once_for_each_recipe() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("made");
        let mut made = 0;
        for recipe in ["a", "a", "b", "b", "a"] {
            once(&folder, recipe, || made += 1);
        }
        assert_eq!(made, 3);
    }
}
