//! Ends the kernel when the process that started it ends. `JPY_PARENT_PID` holds that process's id.

#[cfg(unix)]
use std::time::Duration;

/// Interval between two checks.
#[cfg(unix)]
const OFTEN: Duration = Duration::from_millis(500);

/// Calls `on_exit` when the parent process ends; never if no parent is known.
#[cfg(unix)]
pub fn watch(on_exit: impl FnOnce() + Send + 'static) {
    use rustix::process::{Pid, test_kill_process};
    let said = std::env::var("JPY_PARENT_PID").ok().and_then(|pid| pid.parse::<i32>().ok());
    let Some(pid) = said.filter(|pid| *pid > 1).and_then(Pid::from_raw) else { return };
    let there = move || !matches!(test_kill_process(pid), Err(rustix::io::Errno::SRCH));
    // the process may be in another namespace, in which case nothing is known about it
    if !there() {
        return;
    }
    // a direct child notices its parent's end even if the parent is a zombie
    let first = std::os::unix::process::parent_id();
    let own = u32::try_from(pid.as_raw_pid()).is_ok_and(|pid| pid == first);
    let _ = std::thread::Builder::new().name("parent".into()).spawn(move || {
        while there() && !(own && std::os::unix::process::parent_id() != first) {
            std::thread::sleep(OFTEN);
        }
        on_exit();
    });
}

/// Does nothing: parents cannot be watched on this system.
#[cfg(not(unix))]
pub fn watch(_: impl FnOnce() + Send + 'static) {}
