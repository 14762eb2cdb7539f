//! `:get PATH`, `:expand PATH`, `:fold e`: a value computed only as far as one demand needs.

use super::{Argument, Command, Effect};
use crate::session::questions::{Extent, Question};

pub const GET: Command = Command {
    name: "get",
    aliases: &[],
    usage: ":get PATH",
    summary: "goes to a field and computes only what is on the way to it; `_` marks what is not computed",
    argument: Argument::Path,
    effect: Effect::Query,
    run: |session, line| session.inquire(line, &GET, &Question::Demand(Extent::Value)),
};

pub const EXPAND: Command = Command {
    name: "expand",
    aliases: &[],
    usage: ":expand PATH",
    summary: "computes a value far enough to go into it: its fields or elements, but not their values",
    argument: Argument::Path,
    effect: Effect::Query,
    run: |session, line| session.inquire(line, &EXPAND, &Question::Demand(Extent::Parts)),
};

pub const FOLD: Command = Command {
    name: "fold",
    aliases: &[],
    usage: ":fold EXPRESSION",
    summary: "an expression with the parts replaced that follow from constants; nothing else is computed",
    argument: Argument::Path,
    effect: Effect::Query,
    run: |session, line| session.inquire(line, &FOLD, &Question::Folded),
};
