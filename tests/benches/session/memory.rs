//! Memory over many cells: new names, redefinitions, results, commands. It should level off once the number of names
//! does.

use cfg_core::{InMemory, Session};

/// Number of names that are bound in the long run.
const NAMES: usize = 1000;

/// Enters `count` cells, and prints the memory of the process at intervals.
pub fn run(count: usize) {
    println!("memory: {count} cells over {NAMES} names");
    let mut session = Session::new(Box::new(InMemory::default()));
    let mut before = resident();
    for n in 0..count {
        session.submit(&cell(n));
        if n % 20 == 19 {
            session.submit(if n % 40 == 19 { ":undo" } else { ":redo" });
        }
        if (n + 1) % (count / 10).max(1) == 0 {
            let now = resident();
            println!("  {:>8} cells {:>8} kB  {:>+8} kB", n + 1, now, now as i64 - before as i64);
            before = now;
        }
    }
}

fn cell(n: usize) -> String {
    let (name, other) = (n % NAMES, (n / 7) % NAMES);
    match n % 5 {
        0 => format!("n{name} = {{ a = {n}, b = [n{}] }}", name.saturating_sub(1)),
        1 => format!("n{name} = {n}"),
        2 => format!("n{name} = {{ c = \"{n}\" }}\nn{name} = n{name} & {{ d = {n} }}"),
        3 => format!("[{n}, std.array.range 0 20]"),
        _ => format!("n{name} = n{other}"),
    }
}

/// Returns the resident memory in kB; 0 if the system does not report it.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
