//! The session at scale. `cargo bench -p cfg-tests --bench session` measures everything: edits, undo, completion,
//! `:env` and answers among 10,000 and 100,000 definitions; memory over 100,000 cells; interrupts. After `--`, select
//! a part with `figures`, `memory` or `interrupts`, and another number of definitions; for interrupts, another word
//! selects those whose name contains it.

mod figures;
mod interrupts;
mod memory;

use cfg_core::{Event, Session};

/// The allocator of the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Returns a session's answer as text.
pub fn answer(session: &mut Session, input: &str) -> String {
    let shown = |event: Event| match event {
        Event::Value { value, ty, .. } => format!("{} : {}\n", value.text(), ty.text()),
        Event::Bound(text) | Event::Answer(text) | Event::View { text, .. } => format!("{}\n", text.text()),
        Event::Diagnostic { report, .. } => format!("{}\n", report.text()),
        _ => String::new(),
    };
    session.submit(input).into_iter().map(shown).collect()
}

/// Returns definition number `n` of a shape.
pub type Shape = fn(usize) -> String;

/// Each definition refers to the previous one.
pub fn chain(n: usize) -> String {
    if n == 0 { String::from("x0 = 1") } else { format!("x{n} = x{} + 1", n - 1) }
}

/// Each definition refers to the root.
pub fn fan(n: usize) -> String {
    if n == 0 { String::from("x0 = 1") } else { format!("x{n} = [x0]") }
}

/// Each definition refers to two others.
pub fn mesh(n: usize) -> String {
    match n {
        0 => String::from("x0 = 1"),
        n => format!("x{n} = [x{}, x{}]", n / 2, n / 3),
    }
}

/// Both languages: each definition refers to one of the other language.
pub fn mixed(n: usize) -> String {
    match n {
        0 => String::from("x0 = 1"),
        n if n % 2 == 0 => format!("x{n} = [x{}]", n / 2),
        n => format!("%%jsonnet\nlocal x{n} = {{ v: x{}, w:: self.v }}", n / 2),
    }
}

fn run() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let counts: Vec<usize> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let parts = ["figures", "memory", "interrupts"];
    let any = words.iter().any(|word| parts.contains(&word.as_str()));
    let asked = |part: &str| !any || words.iter().any(|word| word == part);
    let many = counts.first().copied().unwrap_or(100_000);
    if asked("figures") {
        figures::run(if counts.is_empty() { &[10_000, 100_000] } else { &counts });
    }
    if asked("memory") {
        memory::run(many);
    }
    if asked("interrupts") {
        let named = |word: &&String| {
            !parts.contains(&word.as_str()) && !word.starts_with('-') && word.parse::<usize>().is_err()
        };
        interrupts::run(many, words.iter().find(named).map_or("", String::as_str));
    }
}

fn main() {
    // the same stack size as in the binary
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(run);
    if let Ok(thread) = thread {
        let _ = thread.join();
    }
}
