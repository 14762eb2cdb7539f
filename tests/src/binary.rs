//! The binary `cfg`: built once per test process, run with a time limit.

use crate::needs::{profile, target};
use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// The output and exit code of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ran {
    /// The exit code; `None` if the process was killed, for example by the time limit.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// Returns the binary: `$CFG_BIN`, or one built with cargo in the profile of this test process.
///
/// # Panics
/// If it cannot be built.
pub fn cfg() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let folder = profile();
        let name = folder.file_name().and_then(OsStr::to_str).unwrap_or("debug");
        given_or_built(if name == "debug" { "dev" } else { name }, &folder)
    })
}

/// Returns the binary that benchmarks measure: `$CFG_BIN`, or one built with cargo in the profile `dist`.
///
/// # Panics
/// If it cannot be built.
pub fn measured() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| given_or_built("dist", &target().join("dist")))
}

fn given_or_built(profile: &str, folder: &Path) -> PathBuf {
    if let Some(given) = std::env::var_os("CFG_BIN") {
        return PathBuf::from(given);
    }
    let mut cargo = Command::new(option_env!("CARGO").unwrap_or("cargo"));
    cargo.args(["build", "--quiet", "-p", "cfg-repl", "--bin", "cfg", "--profile", profile, "--target-dir"]);
    let status = cargo.arg(target()).current_dir(root()).status().expect("cargo runs");
    assert!(status.success(), "cfg does not build");
    folder.join(format!("cfg{}", std::env::consts::EXE_SUFFIX))
}

/// Returns the root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// Runs `cfg` in a folder with `input` as standard input, for at most 20 seconds.
///
/// # Panics
/// If the process cannot be started.
pub fn run<S: AsRef<OsStr>>(args: &[S], folder: &Path, input: &str) -> Ran {
    let mut command = Command::new(cfg());
    command.args(args).current_dir(folder).env_remove("NO_COLOR");
    run_command(command, input, Duration::from_secs(20)).expect("cfg starts")
}

/// Runs a command to its end; kills it after `limit`.
pub fn run_command(mut command: Command, input: &str, limit: Duration) -> io::Result<Ran> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let input = input.to_string();
    let stdin = child.stdin.take();
    let feeder = thread::spawn(move || stdin.map(|mut pipe| pipe.write_all(input.as_bytes())));
    let out = drain(child.stdout.take());
    let err = drain(child.stderr.take());
    let code = wait(&mut child, limit)?;
    let _ = feeder.join();
    Ok(Ran { code, out: out.join().unwrap_or_default(), err: err.join().unwrap_or_default() })
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<i32>> {
    let end = Instant::now() + limit;
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code());
        }
        if Instant::now() >= end {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}
