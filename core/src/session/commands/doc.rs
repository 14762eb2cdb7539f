//! `:doc path`

use super::{Argument, Command, Line};
use crate::ask;
use crate::problem::session::SessionKind;
use crate::session::{Event, Session};
use crate::text::Name;

pub const COMMAND: Command = Command {
    name: "doc",
    aliases: &[],
    usage: ":doc PATH",
    summary: "the documentation of a name or field, the library's too",
    example: &[":doc std.array.map"],
    argument: Argument::Expression,
    run,
};

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let path = line.argument();
    if path.is_empty() {
        return session.misused("of what?", &COMMAND);
    }
    match ask::doc::doc(session, path) {
        Ok(Some(doc)) => {
            vec![Event::Answer(crate::view::doc::doc(&doc, session.dialect().spelling().of, session.page_width()))]
        }
        Ok(None) => {
            let what = SessionKind::NothingThere { path: Name::new(path), near: session.world.near(path) };
            vec![session.met(what)]
        }
        Err(problem) => vec![session.diagnostic(&problem)],
    }
}
