//! Memory use depends on what is bound and remembered, not on the number of cells that were entered.
#![cfg(target_os = "linux")]

use cfg_core::{NoLoader, Session};

/// Returns the resident memory of the process, in bytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("/proc must be mounted");
    let line =
        status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("the line `VmRSS:` of /proc/self/status");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number of kB") * 1024
}

/// Enters new values of forty names, redefinitions, results, undos and failures.
fn enter(session: &mut Session, from: usize, to: usize) {
    for n in from..to {
        let (name, other) = (n % 40, n / 3 % 40);
        session.submit(&match n % 6 {
            0 => format!("n{name} = {{ a = {n}, b = [n{other}] }}"),
            1 => format!("n{name} = {n}"),
            2 => format!("n{name} = {{ c = \"{n}\" }}\nn{name} = n{name} & {{ d = {n} }}"),
            3 => format!("[{n}, \"some text of its own {n}\"]"),
            4 => format!("n{name} = nope{n} +"),
            _ => String::from(if n % 12 == 5 { ":undo" } else { ":redo" }),
        });
    }
}

#[test]
fn cells_are_forgotten() {
    let mut session = Session::new(Box::new(NoLoader));
    session.submit(":set history 50");
    enter(&mut session, 0, 6000);
    let before = resident();
    enter(&mut session, 6000, 18_000);
    let grown = resident().saturating_sub(before);
    assert!(grown / 12_000 < 150, "{grown} bytes more after 12,000 cells");
}
