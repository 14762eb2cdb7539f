//! The session at scale: edits, undo, completion and `:env` among 10,000 and 100,000 definitions.
//! `cargo bench -p cfg-tests --bench session`; a number behind `--` is another count of definitions.

use cfg_core::loader::NoLoader;
use cfg_core::session::Session;
use std::time::Instant;

fn chain(n: usize) -> String {
    if n == 0 { String::from("x0 = 1") } else { format!("x{n} = x{} + 1", n - 1) }
}

fn fan(n: usize) -> String {
    if n == 0 { String::from("x0 = 1") } else { format!("x{n} = [x0]") }
}

fn mesh(n: usize) -> String {
    match n {
        0 => String::from("x0 = 1"),
        n => format!("x{n} = [x{}, x{}]", n / 2, n / 3),
    }
}

fn timed(what: &str, session: &mut Session, inputs: &[&str]) {
    let mut times: Vec<f64> = Vec::new();
    for input in inputs {
        let start = Instant::now();
        std::hint::black_box(session.submit(input));
        times.push(start.elapsed().as_secs_f64() * 1000.0);
    }
    times.sort_by(f64::total_cmp);
    println!("  {what:<28} {:>10.4} ms", times[times.len() / 2]);
}

fn run() {
    let asked: Vec<usize> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let counts = if asked.is_empty() { vec![10_000, 100_000] } else { asked };
    for count in counts {
        for (shape, definition) in [("chain", chain as fn(usize) -> String), ("fan", fan), ("mesh", mesh)] {
            let mut session = Session::new(Box::new(NoLoader));
            let start = Instant::now();
            for n in 0..count {
                session.submit(&definition(n));
            }
            println!("{shape} of {count}: entered in {:.2} s", start.elapsed().as_secs_f64());
            timed("root, same type", &mut session, &["x0 = 2", "x0 = 3", "x0 = 4", "x0 = 5", "x0 = 6"]);
            timed("undo of it", &mut session, &[":undo", ":undo", ":undo", ":undo", ":undo"]);
            timed("leaf", &mut session, &[&format!("x{} = x1", count - 1)]);
            timed("root, another type", &mut session, &["x0 = null"]);
            timed("undo of that", &mut session, &[":undo"]);
            timed("redo of that", &mut session, &[":redo"]);
            timed("undo of that", &mut session, &[":undo"]);
            let start = Instant::now();
            std::hint::black_box(session.complete("x12", 3));
            println!("  {:<28} {:>10.4} ms", "complete", start.elapsed().as_secs_f64() * 1000.0);
            timed(":env", &mut session, &[":env"]);
        }
    }
}

fn main() {
    // as the command has it
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(run);
    if let Ok(thread) = thread {
        let _ = thread.join();
    }
}
