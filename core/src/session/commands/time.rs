//! `:time e`

use super::{Argument, Command, Effect, Line};
use crate::session::{Event, Session};
use crate::styled::{Role, Styled};
use std::time::{Duration, Instant};

pub const COMMAND: Command = Command {
    name: "time",
    aliases: &[],
    usage: ":time EXPRESSION",
    summary: "the value, and the time that parsing, inference and evaluation took",
    argument: Argument::Expression,
    effect: Effect::Report,
    run,
};

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let start = Instant::now();
    let term = match session.wanted(line, &COMMAND) {
        Ok(term) => term,
        Err(problems) => return problems,
    };
    let read = start.elapsed();
    let start = Instant::now();
    let typed = session.world.infer(&term);
    if let Some(stopped) = session.stopped(line.dialect) {
        return stopped;
    }
    let inferred = start.elapsed();
    let mut events = Vec::new();
    let start = Instant::now();
    let thunk = session.workspace.machine.thunk(&term);
    let mut traced = Vec::new();
    let datum = session.datum(&thunk, &mut traced);
    let evaluated = start.elapsed();
    session.typed_beside(line.dialect, &typed, &datum, &mut events);
    events.append(&mut traced);
    let shown = session.next_number();
    session.show(line.dialect, shown, &datum, &typed, &mut events);
    let text =
        format!("read {}, inferred {}, evaluated {}", shown_time(read), shown_time(inferred), shown_time(evaluated));
    events.push(Event::Answer(Styled::of(Role::Dim, text)));
    events
}

fn shown_time(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1000.0;
    if ms < 1.0 {
        format!("{ms:.3} ms")
    } else if ms < 1000.0 {
        format!("{ms:.1} ms")
    } else {
        format!("{:.2} s", ms / 1000.0)
    }
}
