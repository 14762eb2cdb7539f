//! Ends the kernel when the process that started it ends. `JPY_PARENT_PID` holds that process's id.

#[cfg(unix)]
use std::time::Duration;

/// Time between two checks.
#[cfg(unix)]
const INTERVAL: Duration = Duration::from_millis(500);

/// Calls `on_exit` from another thread once the parent process has ended. Never calls it if no parent is known.
#[cfg(unix)]
pub fn watch(on_exit: impl FnOnce() + Send + 'static) {
    use rustix::process::{Pid, test_kill_process};
    let stated = std::env::var("JPY_PARENT_PID").ok().and_then(|pid| pid.parse::<i32>().ok());
    let Some(pid) = stated.filter(|pid| *pid > 1).and_then(Pid::from_raw) else { return };
    let is_running = move || !matches!(test_kill_process(pid), Err(rustix::io::Errno::SRCH));
    // a process in another namespace cannot be watched
    if !is_running() {
        return;
    }
    // a zombie still counts as running, but its children already have another parent
    let parent_at_start = std::os::unix::process::parent_id();
    let is_child = u32::try_from(pid.as_raw_pid()).is_ok_and(|pid| pid == parent_at_start);
    let _ = std::thread::Builder::new().name("parent".into()).spawn(move || {
        while is_running() && !(is_child && std::os::unix::process::parent_id() != parent_at_start) {
            std::thread::sleep(INTERVAL);
        }
        on_exit();
    });
}

/// Does nothing: parents cannot be watched on this system.
#[cfg(not(unix))]
pub fn watch(_: impl FnOnce() + Send + 'static) {}
