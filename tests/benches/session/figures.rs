//! The cost of an input among many definitions: the median, and the slowest if there are several.

use super::{Shape, chain, fan, mesh, mixed};
use cfg_core::{InMemory, Session};
use std::time::Instant;

const SHAPES: [(&str, Shape); 4] = [("chain", chain), ("fan", fan), ("mesh", mesh), ("mixed dialects", mixed)];

/// Measures all shapes with several numbers of definitions.
pub fn run(counts: &[usize]) {
    for &count in counts {
        for (shape, definition) in SHAPES {
            one(shape, definition, count);
        }
        record(count);
    }
}

fn one(shape: &str, definition: Shape, count: usize) {
    let mut session = Session::new(Box::new(InMemory::default()));
    let start = Instant::now();
    for n in 0..count {
        session.submit(&definition(n));
    }
    println!("{shape} of {count}: entered in {:.2} s", start.elapsed().as_secs_f64());
    timed("root, same type", &mut session, &["x0 = 2", "x0 = 3", "x0 = 4", "x0 = 5", "x0 = 6"]);
    timed("undo of it", &mut session, &[":undo", ":undo", ":undo", ":undo", ":undo"]);
    timed("redo of it", &mut session, &[":redo", ":redo", ":redo", ":redo", ":redo"]);
    let leaf = format!("x{} = x1", count - 1);
    timed("leaf, another type", &mut session, &[&leaf]);
    timed("answer: 1 + 1", &mut session, &["1 + 1", "1 + 2", "1 + 3"]);
    timed("answer: x9", &mut session, &["x9", "x9", "x9"]);
    timed("root, another type", &mut session, &["x0 = null"]);
    timed("first undo of that", &mut session, &[":undo"]);
    timed("redo of that", &mut session, &[":redo"]);
    timed("undo of that", &mut session, &[":undo"]);
    complete("complete x12", &mut session, "x12");
    timed(":env", &mut session, &[":env", ":env", ":env"]);
    timed(":env x12", &mut session, &[":env x12", ":env x12", ":env x12"]);
}

/// Measures a record with `count` fields.
fn record(count: usize) {
    let mut session = Session::new(Box::new(InMemory::default()));
    let fields: Vec<String> = (0..count).map(|n| format!("f{n} = {n}")).collect();
    println!("a record of {count} fields");
    timed("entered", &mut session, &[&format!("r = {{ {} }}", fields.join(", "))]);
    complete("complete r.f12, the first", &mut session, "r.f12");
    complete("complete r.f12", &mut session, "r.f12");
    timed(":env r.", &mut session, &[":env r.", ":env r.", ":env r."]);
    timed("answer: r.f9", &mut session, &["r.f9", "r.f9", "r.f9"]);
}

fn complete(what: &str, session: &mut Session, text: &str) {
    let start = Instant::now();
    std::hint::black_box(session.complete(text, text.len()));
    println!("  {what:<28} {:>10.4} ms", start.elapsed().as_secs_f64() * 1000.0);
}

fn timed(what: &str, session: &mut Session, inputs: &[&str]) {
    let mut times: Vec<f64> = Vec::new();
    for input in inputs {
        let start = Instant::now();
        std::hint::black_box(session.submit(input));
        times.push(start.elapsed().as_secs_f64() * 1000.0);
    }
    times.sort_by(f64::total_cmp);
    let slowest = match times.len() {
        1 => String::new(),
        last => format!("  slowest {:.4}", times[last - 1]),
    };
    println!("  {what:<28} {:>10.4} ms{slowest}", times[times.len() / 2]);
}
