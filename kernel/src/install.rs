//! `cfg kernel install` and `uninstall`: the folder `kernels/cfg` where Jupyter looks for kernels.

use serde_json::json;
use std::io;
use std::path::{Path, PathBuf};

/// Where a kernel is installed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// For the user.
    User,
    /// Under a prefix: `PREFIX/share/jupyter`.
    Prefix(PathBuf),
}

impl Place {
    /// The prefix of the Python environment that is switched on.
    pub fn sys_prefix(env: impl Fn(&str) -> Option<String>) -> Option<Place> {
        env("VIRTUAL_ENV").or_else(|| env("CONDA_PREFIX")).filter(|p| !p.is_empty()).map(|p| Place::Prefix(p.into()))
    }

    /// The folder of Jupyter's data. `None`: the user has no home.
    pub fn data(&self, env: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
        let var = |name: &str| env(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        match self {
            Place::Prefix(prefix) => Some(prefix.join("share").join("jupyter")),
            Place::User => var("JUPYTER_DATA_DIR").or_else(|| {
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

/// The folder of the kernel in a folder of data.
pub fn folder(data: &Path) -> PathBuf {
    data.join("kernels").join("cfg")
}

/// Installs a binary as a kernel. Gives the folder.
///
/// # Errors
/// What the system says.
pub fn install(data: &Path, binary: &Path) -> io::Result<PathBuf> {
    let folder = folder(data);
    std::fs::create_dir_all(&folder)?;
    let spec = json!({
        "argv": [binary.to_string_lossy(), "kernel", "run", "-f", "{connection_file}"],
        "display_name": "cfg",
        "language": "cfg",
        "interrupt_mode": "message",
        "metadata": { "debugger": false },
    });
    let text = serde_json::to_string_pretty(&spec)? + "\n";
    // a front end never reads half of it
    let half = folder.join("kernel.json.new");
    std::fs::write(&half, text)?;
    std::fs::rename(&half, folder.join("kernel.json"))?;
    Ok(folder)
}

/// Removes it. Gives the folder, if it was there. Nothing but what a kernel's folder holds is removed.
///
/// # Errors
/// What the system says.
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
    fn a_kernel_comes_and_goes() {
        let prefix = tempfile::tempdir().unwrap();
        let data = Place::Prefix(prefix.path().into()).data(|_| None).unwrap();
        assert_eq!(uninstall(&data).unwrap(), None);
        let folder = install(&data, Path::new("/a b/cfg")).unwrap();
        assert_eq!(folder, prefix.path().join("share/jupyter/kernels/cfg"));
        let spec: serde_json::Value =
            serde_json::from_slice(&std::fs::read(folder.join("kernel.json")).unwrap()).unwrap();
        assert_eq!(spec["argv"], json!(["/a b/cfg", "kernel", "run", "-f", "{connection_file}"]));
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
            assert_eq!(Place::User.data(env(set)), folder.map(PathBuf::from));
        }
    }
}
