//! The cost of a key at the prompt: the calls to the session for each key, and the time from the key to the screen of
//! a real terminal. Run with `cargo bench -p cfg-tests --bench typing`. The budgets are 5 ms per key, and 10 ms from
//! the start to the prompt.

use cfg_core::{NoLoader, Session};
use cfg_tests::binary::measured;
use cfg_tests::terminal::{Setup, Terminal, key};
use std::time::Instant;

/// Number of definitions in the session.
const DEFINITIONS: usize = 10_000;

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1000.0
}

fn tell(what: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    let at = |part: usize| times.get(times.len() * part / 100).or(times.last()).copied().unwrap_or_default();
    println!("  {what:<52} {:>8.3} ms  {:>8.3} ms", at(50), at(100));
}

/// Makes the calls of the prompt for a key, with the cursor at the end of the line.
fn keyed(session: &mut Session, line: &str) -> f64 {
    let start = Instant::now();
    std::hint::black_box(session.highlight(line));
    std::hint::black_box(session.mistake(line, line.len()));
    std::hint::black_box(session.hint(line, line.len()));
    milliseconds(start)
}

/// Types a line after another text, key by key, then requests completions at its end.
fn typed(session: &mut Session, what: &str, before: &str, line: &str) {
    let mut text = String::from(before);
    let keys = line.chars().map(|c| {
        text.push(c);
        keyed(session, &text)
    });
    let keys = keys.collect();
    tell(what, keys);
    let start = Instant::now();
    let found = session.complete(&text, text.len()).len();
    tell(&format!("  Tab ({found} found)"), vec![milliseconds(start)]);
}

fn asked() {
    println!("asked of a session of {DEFINITIONS} definitions, by key                     median      longest");
    let mut session = Session::new(Box::new(NoLoader));
    for n in 0..DEFINITIONS {
        let definition = match n % 3 {
            0 => format!("x{n} = {{ port = {n}, host = \"h{n}\" }}"),
            1 => format!("x{n} = x{}.port + 1", n - 1),
            _ => format!("x{n} = fun a => x{} + a", n - 1),
        };
        session.submit(&definition);
    }
    let fields: Vec<String> = (0..DEFINITIONS).map(|n| format!("f{n} = {n}")).collect();
    session.submit(&format!("big = {{ {} }}", fields.join(", ")));
    typed(&mut session, "a name of many like it", "", "x1");
    typed(&mut session, "a field", "", "let y = x9999.po");
    typed(&mut session, "a field of a record of 10,000", "", "big.f12");
    typed(&mut session, "a field of a merge of it", "", "(big & { more = 1 }).mo");
    typed(&mut session, "a field of the library", "", "std.array.fo");
    typed(&mut session, "a tag", "", "x0 & { mode = 'a");
    typed(&mut session, "a path of a command", "", ":explain big.f99");
    typed(&mut session, "a cell of another language", "%%jsonnet\n", "local y = big; y.f1");
    let lines: String = (0..390).map(|n| format!("  field_{n} = x{n} & {{ deep = [1, 2, 3] }},\n")).collect();
    typed(&mut session, "below 390 lines", &format!("{{\n{lines}  last = "), "x9998 1");
    let wide: String = (0..700).map(|n| format!("field_{n} = [{n}], ")).collect();
    typed(&mut session, "behind 16 KB on one line", &format!("{{ {wide} last = "), "x9998 1");
    session.submit("small = { alpha = 1, beta = 2 }");
    typed(&mut session, "a field behind 390 lines", &format!("{{\n{lines}  last = "), "small.al");
}

/// Returns the times from a key to the screen.
fn pressed(terminal: &Terminal, from: u16, text: &str) -> Vec<f64> {
    (from + 1..)
        .zip(text.chars())
        .zip(1..)
        .map(|((column, c), typed)| {
            let typed: String = text.chars().take(typed).collect();
            let start = Instant::now();
            terminal.send(&c.to_string());
            terminal
                .wait("the key", |screen| screen.lines().last().is_some_and(|line| line.contains(typed.trim_end())));
            terminal.cursor_in(column);
            milliseconds(start)
        })
        .collect()
}

fn seen() -> std::io::Result<()> {
    let home = tempfile::tempdir()?;
    // built before anything is timed
    measured();
    println!("at a terminal                                             median      longest");
    let starts = (0..20).map(|_| {
        let start = Instant::now();
        let terminal = Terminal::start(home.path(), &Setup { binary: measured, ..Setup::default() });
        terminal.prompt(1);
        milliseconds(start)
    });
    tell("from the start to the prompt", starts.collect());
    let fields: String = (0..DEFINITIONS).map(|n| format!("x{n} = {{ port = {n} }},\n")).collect();
    std::fs::write(home.path().join("many.ncl"), format!("{{\n{fields}}}\n"))?;
    let setup =
        Setup { args: vec![String::from("repl"), String::from("many.ncl")], binary: measured, ..Setup::default() };
    let terminal = Terminal::start(home.path(), &setup);
    terminal
        .wait("the prompt", |screen| screen.lines().last().is_some_and(|l| l.ends_with('>') && l.starts_with("cfg[")));
    terminal.line("let small = 1");
    terminal.wait("its type", |screen| screen.contains("small : Number"));
    terminal.wait("a prompt", |screen| screen.lines().last().is_some_and(|line| line.ends_with('>')));
    let column = terminal.text().lines().last().map_or(0, |line| line.chars().count() + 1);
    let column = u16::try_from(column).unwrap_or_default();
    tell("a key, among 10,000 definitions", pressed(&terminal, column, "x1234.port + x999.po"));
    terminal.send(key::CTRL_C);
    terminal.wait("a prompt", |screen| screen.lines().last().is_some_and(|line| line.ends_with('>')));
    let long: String = (0..150_000).map(|n| format!("{n},\n")).collect();
    let start = Instant::now();
    terminal.paste(&format!("[\n{long}]"));
    let shown = terminal.wait("the paste", |screen| screen.lines().last().is_some_and(|line| line.ends_with('⟧')));
    tell("a paste of 1 MB", vec![milliseconds(start)]);
    let column = shown.lines().last().map_or(0, |line| line.chars().count());
    let column = u16::try_from(column).unwrap_or_default();
    tell("a key behind it", pressed(&terminal, column, " & x99 + x1234"));
    Ok(())
}

fn main() {
    // the same stack size as in the binary
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(asked);
    if let Ok(thread) = thread {
        let _ = thread.join();
    }
    if let Err(error) = seen() {
        println!("no terminal: {error}");
    }
}
