//! `cfg kernel install` and `uninstall`: the folder `kernels/cfg` in Jupyter's data folder.

use serde_json::{Map, json};
use std::io;
use std::path::{Path, PathBuf};

/// The pictures that front ends show for the kernel, by file name.
const LOGOS: [(&str, &[u8]); 3] = [
    ("logo-svg.svg", include_bytes!("logo/logo-svg.svg")),
    ("logo-32x32.png", include_bytes!("logo/logo-32x32.png")),
    ("logo-64x64.png", include_bytes!("logo/logo-64x64.png")),
];

/// Environment variables of a kernel, so that many kernels share a machine: mimalloc reserves 64 MiB of addresses instead of
/// 1 GiB and uses no huge pages, and the C library reserves for one thread instead of each. An idle kernel then has 10 MB in
/// memory instead of 35 MB.
const ENVIRONMENT: [(&str, &str); 3] =
    [("MIMALLOC_ARENA_RESERVE", "65536"), ("MIMALLOC_ALLOW_THP", "0"), ("MALLOC_ARENA_MAX", "1")];

/// The place where a kernel is installed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InstallScope {
    /// For the current user.
    User,
    /// Under a prefix: `PREFIX/share/jupyter`.
    Prefix(PathBuf),
}

impl InstallScope {
    /// Returns the prefix of the active Python environment.
    pub fn sys_prefix(env: impl Fn(&str) -> Option<String>) -> Option<InstallScope> {
        env("VIRTUAL_ENV")
            .or_else(|| env("CONDA_PREFIX"))
            .filter(|p| !p.is_empty())
            .map(|p| InstallScope::Prefix(p.into()))
    }

    /// Returns Jupyter's data folder. `None` if the user has no home folder.
    pub fn data(&self, env: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
        let var = |name: &str| env(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        match self {
            InstallScope::Prefix(prefix) => Some(prefix.join("share").join("jupyter")),
            InstallScope::User => var("JUPYTER_DATA_DIR").or_else(|| {
                if cfg!(windows) {
                    Some(var("APPDATA")?.join("jupyter"))
                } else if cfg!(target_os = "macos") {
                    Some(var("HOME")?.join("Library").join("Jupyter"))
                } else {
                    let data = var("XDG_DATA_HOME").or_else(|| Some(var("HOME")?.join(".local").join("share")))?;
                    Some(data.join("jupyter"))
                }
            }),
        }
    }
}

/// Returns the kernel's folder in a data folder.
pub fn folder(data: &Path) -> PathBuf {
    data.join("kernels").join("cfg")
}

/// Installs a binary as a kernel and returns the kernel's folder.
///
/// # Errors
/// Returns the system's error.
pub fn install(data: &Path, binary: &Path) -> io::Result<PathBuf> {
    let folder = folder(data);
    std::fs::create_dir_all(&folder)?;
    let spec = json!({
        "argv": [binary.to_string_lossy(), "kernel", "run", "-f", "{connection_file}"],
        "display_name": "cfg",
        "language": "cfg",
        "interrupt_mode": "message",
        "metadata": { "debugger": false },
        "env": ENVIRONMENT.iter().map(|(name, value)| (String::from(*name), json!(value))).collect::<Map<_, _>>(),
    });
    for (name, picture) in LOGOS {
        std::fs::write(folder.join(name), picture)?;
    }
    let text = serde_json::to_string_pretty(&spec)? + "\n";
    // so that a front end never reads an incomplete file
    let half = folder.join("kernel.json.new");
    std::fs::write(&half, text)?;
    std::fs::rename(&half, folder.join("kernel.json"))?;
    Ok(folder)
}

/// Removes the kernel and returns its folder, if it was installed. Only removes the kernel's own folder.
///
/// # Errors
/// Returns the system's error.
pub fn uninstall(data: &Path) -> io::Result<Option<PathBuf>> {
    let folder = folder(data);
    if !folder.join("kernel.json").is_file() {
        return Ok(None);
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(Some(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_is_installed_and_removed() {
        let prefix = tempfile::tempdir().unwrap();
        let data = InstallScope::Prefix(prefix.path().into()).data(|_| None).unwrap();
        assert_eq!(uninstall(&data).unwrap(), None);
        let folder = install(&data, Path::new("/a b/cfg")).unwrap();
        assert_eq!(folder, prefix.path().join("share/jupyter/kernels/cfg"));
        let spec: serde_json::Value =
            serde_json::from_slice(&std::fs::read(folder.join("kernel.json")).unwrap()).unwrap();
        assert_eq!(spec["argv"], json!(["/a b/cfg", "kernel", "run", "-f", "{connection_file}"]));
        for (name, picture) in LOGOS {
            assert_eq!(std::fs::read(folder.join(name)).unwrap(), picture);
            // the Python package brings the same
            let package = "python/data/data/share/jupyter/kernels/cfg";
            let package = Path::new(env!("CARGO_MANIFEST_DIR")).join(package).join(name);
            assert_eq!(std::fs::read(package).unwrap(), picture);
        }
        assert_eq!(uninstall(&data).unwrap(), Some(folder.clone()));
        assert!(!folder.exists());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_users_folder() {
        let env = |set: &'static [(&str, &str)]| {
            move |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, v)| String::from(*v))
        };
        for (set, folder) in [
            (&[("HOME", "/h")][..], Some("/h/.local/share/jupyter")),
            (&[("HOME", "/h"), ("XDG_DATA_HOME", "/x")], Some("/x/jupyter")),
            (&[("JUPYTER_DATA_DIR", "/j")], Some("/j")),
            (&[], None),
        ] {
            assert_eq!(InstallScope::User.data(env(set)), folder.map(PathBuf::from));
        }
    }
}
