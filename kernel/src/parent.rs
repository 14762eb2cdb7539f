//! A kernel ends with the process that started it, which says who it is in `JPY_PARENT_PID`.

#[cfg(unix)]
use std::time::Duration;

/// How often is looked.
#[cfg(unix)]
const OFTEN: Duration = Duration::from_millis(500);

/// Calls `gone` when the parent is there no more. Without a parent that says so, never.
#[cfg(unix)]
pub fn watch(gone: impl FnOnce() + Send + 'static) {
    use rustix::process::{Pid, test_kill_process};
    let said = std::env::var("JPY_PARENT_PID").ok().and_then(|pid| pid.parse::<i32>().ok());
    let Some(pid) = said.filter(|pid| *pid > 1).and_then(Pid::from_raw) else { return };
    let there = move || !matches!(test_kill_process(pid), Err(rustix::io::Errno::SRCH));
    // of another namespace, say: nothing is known of it
    if !there() {
        return;
    }
    // a child of its own learns it even where the parent is a zombie
    let first = std::os::unix::process::parent_id();
    let own = u32::try_from(pid.as_raw_pid()).is_ok_and(|pid| pid == first);
    let _ = std::thread::Builder::new().name("parent".into()).spawn(move || {
        while there() && !(own && std::os::unix::process::parent_id() != first) {
            std::thread::sleep(OFTEN);
        }
        gone();
    });
}

/// Not known on this system.
#[cfg(not(unix))]
pub fn watch(_: impl FnOnce() + Send + 'static) {}
