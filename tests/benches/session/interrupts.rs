//! Measures the time from an interrupt to the session's answer, at several moments of each kind of work. Checks that
//! the session is unchanged afterwards.

use super::{answer, chain, fan, mesh};
use cfg_core::{Event, InMemory, Session};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The times of the interrupts, as fractions of the duration of the work.
const MOMENTS: [f64; 6] = [0.02, 0.1, 0.3, 0.5, 0.7, 0.9];

/// Maximum duration for this purpose; longer work is interrupted as if it took this long.
const LONGEST: Duration = Duration::from_secs(4);

/// Measures the kinds of work whose name contains a word, with `count` definitions.
pub fn run(count: usize, named: &str) {
    println!("interrupts, ms from when they are raised; {count} definitions");
    let work = |what: &str, kind: &str, count: usize, input: &str| {
        if what.contains(named) {
            work(what, kind, count, input);
        }
    };
    let big: Vec<String> = (0..200_000).map(|n| format!("f{n} = [{n}, \"text {n}\", {{ a = {n} }}]")).collect();
    let big = format!("{{ {} }}", big.join(", "));
    let text = format!("big = {big}");
    let calls: Vec<String> = (0..20_000).map(|n| format!("g{n} = fun x y => [x, y.a{n}, f y, x + {n}]")).collect();
    let calls = format!("let f = fun r => r.b & {{ c = r.d }} in {{ {} }}", calls.join(", "));
    work("parse and infer 10 MB", "", count, &text);
    work("infer functions", "", count, &format!("fs = {calls}"));
    work(
        "evaluate",
        "",
        count,
        "std.array.fold_left (fun acc n => std.array.fold_left (+) acc (std.array.range 0 1000)) 0 (std.array.range 0 100000)",
    );
    work(
        "print a huge result",
        "huge",
        count,
        "std.array.map (fun n => { n, s = \"text\" }) (std.array.range 0 1000000)",
    );
    work("a huge result again", "held", count, "huge");
    work("replace a huge value", "held", count, "huge = 1");
    work("recheck dependents (chain)", "chain", count, "x0 = null");
    work("recheck 100000 (fan)", "fan", 100_000, "x0 = null");
    work("recheck 100000 (mesh)", "mesh", 100_000, "x0 = null");
    work("recheck dependents (mesh)", "mesh", count, "x0 = null");
    work(":save", "mesh", count, ":save s.session");
    work(":load of that", "saved", count, ":load s.session");
    work(":env", "mesh", count, ":env");
    work(":env of a record", "record", count, ":env r.");
    work(":diff 1", "mesh", count, ":diff 1");
    work(":diff of two records", "records", count, ":diff r (r & { f7 | force = 3 })");
    work(":explain", "record", count, ":explain r");
    work(":steps", "record", count, ":steps r & { z = 1 }");
    work(":deps", "chain", count, &format!(":deps x{}", count.min(20_000) - 1));
    work(":query", "record", count, ":query r");
    work(":info", "chain", count, ":info x0");
    work(":history", "mesh", count, ":history");
    work(":undo", "chain", count, &format!(":undo {}", count / 2));
}

/// Returns a session for a kind of work.
fn session(kind: &str, count: usize) -> Session {
    let files = InMemory::default();
    let mut session = Session::new(Box::new(files.clone()));
    let shape = match kind {
        "chain" => Some(chain as super::Shape),
        "fan" => Some(fan as super::Shape),
        "mesh" | "saved" => Some(mesh as super::Shape),
        _ => None,
    };
    for n in (0..count).filter(|_| kind != "saved") {
        match shape {
            Some(shape) => session.submit(&shape(n)),
            None => break,
        };
    }
    match kind {
        "huge" | "held" => {
            for what in ["show-elements", "show-text"] {
                session.submit(&format!(":set {what} 100000000"));
            }
            if kind == "held" {
                session.submit("huge = std.array.map (fun n => { n, s = \"text\" }) (std.array.range 0 1000000)");
                session.submit("std.array.length (std.array.filter (fun r => r.n > 3) huge)");
            }
        }
        "record" | "records" => {
            let fields: Vec<String> = (0..count).map(|n| format!("f{n} = {{ a = {n} }}")).collect();
            session.submit(&format!("r = {{ {} }}", fields.join(", ")));
        }
        "saved" => {
            let inputs: String = (0..count).map(|n| format!("#[{}]\n{}\n", n + 1, mesh(n))).collect();
            files.put("s.session", format!("# cfg session: `:load` enters these inputs again\n{inputs}"));
        }
        "mesh" => drop(session.submit("x1 = \"s\"")),
        _ => {}
    }
    session
}

/// Returns a summary of the session's state.
fn reading(session: &mut Session) -> String {
    let all = [":env", ":type x99", ":type r.f9", ":type x0", "x0", "x9"];
    all.iter().map(|question| answer(session, question)).collect()
}

fn work(what: &str, kind: &str, count: usize, input: &str) {
    let mut whole = session(kind, count);
    let start = Instant::now();
    interrupted(&mut whole, input, LONGEST);
    let length = start.elapsed().min(LONGEST);
    drop(whole);
    let mut now = session(kind, count);
    let before = reading(&mut now);
    let (mut times, mut most) = (Vec::new(), 0.0f64);
    let mut same = true;
    for moment in MOMENTS {
        let after = length.mul_f64(moment);
        let Some((took, busy)) = interrupted(&mut now, input, after) else {
            now = session(kind, count);
            reading(&mut now);
            continue;
        };
        times.push(took.as_secs_f64() * 1000.0);
        most = most.max(busy.as_secs_f64() * 1000.0);
        // asking adds only results
        same &= strip(&reading(&mut now)) == strip(&before);
    }
    let longest = times.iter().copied().fold(0.0, f64::max);
    let times: Vec<String> = times.iter().map(|time| format!("{time:.0}")).collect();
    let same = if same { "" } else { "  READS DIFFERENTLY" };
    println!(
        "  {what:<28} takes {:>6.0} ms: {:<30} longest {longest:.0}, of the processor {most:.0}{same}",
        length.as_secs_f64() * 1000.0,
        times.join(" ")
    );
}

/// Removes the numbers of cells, which increase.
fn strip(reading: &str) -> String {
    let mut out = String::new();
    let mut rest = reading;
    while let Some(at) = rest.find("cfg[") {
        out.push_str(&rest[..at]);
        rest = rest[at..].split_once(']').map_or("", |(_, rest)| rest);
    }
    out + rest
}

/// Returns the processor time of a thread; zero if the system does not report it.
fn processor_time(thread: &Path) -> Duration {
    let known = std::fs::read_to_string(thread.join("schedstat")).unwrap_or_default();
    Duration::from_nanos(known.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or_default())
}

/// Submits an input and interrupts it after a while. Returns the time from the interrupt to the answer, and the
/// processor time of it, since other processes may have run. `None` if the input ended before it noticed.
fn interrupted(session: &mut Session, input: &str, after: Duration) -> Option<(Duration, Duration)> {
    let this = std::fs::canonicalize("/proc/thread-self").unwrap_or_default();
    // the same as a face that waits for the next input
    session.free_deferred(&|| false);
    let (stop, done) = (session.interrupt_handle(), AtomicBool::new(false));
    let start = Instant::now();
    thread::scope(|scope| {
        let waiter = scope.spawn(|| {
            while start.elapsed() < after {
                if done.load(Ordering::Relaxed) {
                    return None;
                }
                thread::sleep(Duration::from_micros(200));
            }
            let raised = (Instant::now(), processor_time(&this));
            stop.raise();
            Some(raised)
        });
        let events = session.submit(input);
        let (end, busy) = (Instant::now(), processor_time(&this));
        done.store(true, Ordering::Relaxed);
        let (raised, before) = waiter.join().ok().flatten()?;
        let stopped = |event: &Event| matches!(event, Event::Diagnostic { report, .. } if report.text().contains("value/interrupted"));
        events.iter().any(stopped).then_some(())?;
        Some((end.checked_duration_since(raised)?, busy.saturating_sub(before)))
    })
}
