//! Finds running kernels by their connection files, which Jupyter keeps in its runtime folder.

use super::ConnectionInfo;
use serde_json::Value;
use std::net::{TcpStream, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Maximum time for finding out whether a kernel listens.
const KNOCK: Duration = Duration::from_millis(300);
/// Maximum number of connection files that are tried, newest first. Kernels that were killed leave theirs.
const MOST: usize = 200;

/// A connection file whose kernel listens.
#[derive(Clone, Debug)]
pub struct Found {
    /// The file.
    pub file: PathBuf,
    /// Its contents.
    pub connection: ConnectionInfo,
    /// When the file was written.
    pub written: SystemTime,
    /// The notebook or console that started the kernel, if the file names it.
    pub of: Option<String>,
}

impl Found {
    /// Reads a connection file.
    ///
    /// # Errors
    /// Returns a message that explains the problem.
    pub fn read(file: &Path) -> Result<Found, String> {
        let shown = file.display();
        let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read `{shown}`: {error}"))?;
        let wrong = |error: serde_json::Error| format!("`{shown}` is not a connection file: {error}");
        let connection = serde_json::from_str(&text).map_err(wrong)?;
        let value: Value = serde_json::from_str(&text).map_err(wrong)?;
        let of = value.get("jupyter_session").and_then(Value::as_str).filter(|name| !name.is_empty()).map(String::from);
        let written = std::fs::metadata(file).and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
        Ok(Found { file: file.to_path_buf(), connection, written, of })
    }

    /// Reports whether something listens at the address of the shell.
    pub fn listens(&self) -> bool {
        let ConnectionInfo { ip, shell_port, transport, .. } = &self.connection;
        match transport {
            jupyter_protocol::connection_info::Transport::IPC => Path::new(&format!("{ip}-{shell_port}")).exists(),
            jupyter_protocol::connection_info::Transport::TCP => {
                let addresses = (ip.as_str(), *shell_port).to_socket_addrs();
                addresses.is_ok_and(|mut all| all.any(|to| TcpStream::connect_timeout(&to, KNOCK).is_ok()))
            }
        }
    }
}

/// Returns the kernels that listen, newest first. With `ours`, leaves out those whose files name another kernel.
pub fn find(env: impl Fn(&str) -> Option<String>, ours: bool) -> Vec<Found> {
    let Some(folder) = runtime(env) else { return Vec::new() };
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut all: Vec<Found> = files.filter(|file| is_kernel(file)).filter_map(|file| Found::read(&file).ok()).collect();
    all.retain(|found| !ours || found.connection.kernel_name.as_deref().is_none_or(|name| name.starts_with("cfg")));
    all.sort_by_key(|found| std::cmp::Reverse(found.written));
    all.truncate(MOST);
    all.retain(Found::listens);
    all
}

/// Returns the connection file that a name refers to: a path, or the name of a file in the runtime folder, with or without
/// `kernel-` and `.json`. The name of a running kernel may be cut short if no other one begins like it.
pub fn named(name: &str, env: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let folder = runtime(&env);
    let inside = |file: String| folder.as_ref().map(|folder| folder.join(file));
    let places = [Some(PathBuf::from(name)), inside(String::from(name)), inside(format!("kernel-{name}.json"))];
    places.into_iter().flatten().find(|file| file.is_file()).or_else(|| cut_short(name, env))
}

/// Returns the connection file of the only running kernel whose name begins like this.
fn cut_short(name: &str, env: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let begins = format!("kernel-{}", name.strip_prefix("kernel-").unwrap_or(name));
    let file_name = |found: &Found| found.file.file_name().and_then(|file| file.to_str()).map(String::from);
    let mut all = find(env, false);
    all.retain(|found| file_name(found).is_some_and(|file| file.starts_with(&begins)));
    match all.as_slice() {
        [only] if !name.is_empty() => Some(only.file.clone()),
        _ => None,
    }
}

fn is_kernel(file: &Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with("kernel-") && name.ends_with(".json")
}

/// Returns Jupyter's runtime folder.
fn runtime(env: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let named = env("JUPYTER_RUNTIME_DIR").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    named.or_else(|| Some(crate::install::InstallScope::User.data(env)?.join("runtime")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::net::TcpListener;

    #[test]
    fn the_newest_kernel_that_listens_is_first() {
        let folder = tempfile::tempdir().unwrap();
        let listeners: Vec<TcpListener> = (0..3).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let write = |name: &str, port: u16, kernel: Option<&str>, age: u64| {
            let mut text = json!({
                "ip": "127.0.0.1", "transport": "tcp", "key": "k", "signature_scheme": "hmac-sha256",
                "shell_port": port, "iopub_port": 1, "stdin_port": 1, "control_port": 1, "hb_port": 1,
                "jupyter_session": "a.ipynb",
            });
            if let Some(kernel) = kernel {
                text["kernel_name"] = json!(kernel);
            }
            let path = folder.path().join(name);
            std::fs::write(&path, text.to_string()).unwrap();
            let file = std::fs::File::options().append(true).open(path).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        };
        let port = |n: usize| listeners[n].local_addr().unwrap().port();
        write("kernel-old.json", port(0), Some("cfg"), 90);
        write("kernel-new.json", port(1), None, 30);
        write("kernel-other.json", port(2), Some("python3"), 10);
        let gone = TcpListener::bind("127.0.0.1:0").unwrap();
        write("kernel-gone.json", gone.local_addr().unwrap().port(), Some("cfg"), 0);
        drop(gone);
        write("jpserver-1.json", port(0), Some("cfg"), 0);
        std::fs::write(folder.path().join("kernel-broken.json"), "{").unwrap();
        let env = |name: &str| (name == "JUPYTER_RUNTIME_DIR").then(|| folder.path().to_string_lossy().into_owned());
        let names = |ours| {
            let stem = |found: &Found| found.file.file_stem().unwrap().to_string_lossy().into_owned();
            find(env, ours).iter().map(stem).collect::<Vec<_>>()
        };
        assert_eq!(names(true), ["kernel-new", "kernel-old"]);
        assert_eq!(names(false), ["kernel-other", "kernel-new", "kernel-old"]);
        assert_eq!(find(env, true)[0].of.as_deref(), Some("a.ipynb"));
        for name in ["old", "kernel-old.json", folder.path().join("kernel-old.json").to_str().unwrap()] {
            assert_eq!(named(name, env), Some(folder.path().join("kernel-old.json")), "{name}");
        }
        assert_eq!(named("no such", env), None);
        // names are long: their beginnings will do, but not for a kernel that is gone or for several
        write("kernel-1f0c5f6e-aa.json", port(0), Some("cfg"), 5);
        write("kernel-1f0c77aa-bb.json", port(1), Some("cfg"), 5);
        assert_eq!(named("1f0c5", env), Some(folder.path().join("kernel-1f0c5f6e-aa.json")));
        assert_eq!(named("kernel-1f0c7", env), Some(folder.path().join("kernel-1f0c77aa-bb.json")));
        for name in ["1f0c", "gon", ""] {
            assert_eq!(named(name, env), None, "{name}");
        }
    }
}
