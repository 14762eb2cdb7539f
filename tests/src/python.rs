//! Python environments for the tests that need them, made once, under the target directory, from PyPI.

use crate::needs::{Test, on_path, once, target};
use crate::pins::{Environment, PYPI, names};
use std::path::PathBuf;
use std::process::Command;

const INSTALL: &str = "`apt-get install python3 python3-venv` (3.10 or later)";

/// The `python3` of the machine.
///
/// # Panics
/// If the machine has none, or none that makes environments.
pub fn python3(test: Test) -> PathBuf {
    let Some(python) = on_path(&["python3"]) else { test.lacks("there is no `python3`", INSTALL) };
    let mut check = Command::new(&python);
    check.args(["-c", "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))"]);
    test.run(check, INSTALL);
    python
}

/// The Python of an environment with the packages in it, in the versions of [`PYPI`].
///
/// # Panics
/// If the environment cannot be made, or a package was installed that has no version in [`PYPI`].
pub fn venv(test: Test, environment: &Environment) -> PathBuf {
    const NETWORK: &str = "pip needs a network, or an index that `PIP_INDEX_URL` names";
    let venv = target().join("python").join(environment.name);
    let python = venv.join("bin").join("python");
    once(&venv, &format!("{:?}\n{PYPI}", environment.packages), || {
        let mut make = Command::new(python3(test));
        make.args(["-m", "venv"]).arg(&venv);
        test.run(make, INSTALL);
        let versions = venv.join("versions.txt");
        std::fs::write(&versions, PYPI).expect("the target directory can be written");
        let pip = || {
            let mut pip = Command::new(&python);
            pip.args(["-m", "pip", "--disable-pip-version-check"]);
            pip
        };
        let mut install = pip();
        install.args(["install", "--quiet", "--constraint"]).arg(&versions).args(environment.packages);
        test.run(install, NETWORK);
        let mut list = pip();
        list.args(["list", "--format=freeze"]);
        let installed = test.run(list, NETWORK);
        let free = unpinned(&installed);
        assert!(free.is_empty(), "installed, but without a version in tests/src/pypi.txt: {free:?}");
    });
    python
}

/// The packages of a list that have no version in [`PYPI`], or another one. What comes with an environment may have any.
fn unpinned(installed: &str) -> Vec<String> {
    const OWN: [&str; 3] = ["pip", "setuptools", "wheel"];
    let pinned: Vec<_> = names(PYPI).collect();
    let free = names(installed).filter(|one| !OWN.contains(&one.0.as_str()) && !pinned.contains(one));
    free.map(|(name, version)| format!("{name} {version}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_without_its_version_is_noticed() {
        let (name, version) = names(PYPI).next().unwrap();
        assert_eq!(unpinned(&format!("pip==1\n{name}=={version}\n")), Vec::<String>::new());
        assert_eq!(unpinned(&format!("{name}==0.0.1\nnew_one==2\n")), [format!("{name} 0.0.1"), "new-one 2".into()]);
    }
}
