//! Random inputs.

use std::time::Duration;

/// The names that inputs bind.
pub const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

/// What can be done, at random.
pub struct Random(pub u64);

/// One thing that is done to a session.
#[derive(Clone, Debug)]
pub struct Input {
    /// What is done to a file before.
    pub disk: Option<(&'static str, Option<&'static str>)>,
    /// What is entered.
    pub text: String,
    /// After how long somebody interrupts.
    pub interrupt: Option<Duration>,
}

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % limit
    }

    fn of(&mut self, all: &[&'static str]) -> &'static str {
        all[self.below(all.len())]
    }

    /// Something to do.
    pub fn input(&mut self) -> Input {
        let mut disk = None;
        let text = match self.below(40) {
            0..20 => self.definition(),
            20..24 => self.expression(),
            24..26 => format!(":load {}", self.of(&["f.cfg", "g.json", "h.jsonnet"])),
            26..30 => {
                disk = Some(self.change());
                String::from(":reload")
            }
            30..35 => self.command(),
            35 | 36 => format!(":undo {}", self.below(4) + 1),
            37 => format!(":redo {}", self.below(4) + 1),
            38 if self.below(4) == 0 => String::from(":reset"),
            _ => String::from(self.of(&[":undo", ":redo"])),
        };
        let interrupt = (self.below(12) == 0).then(|| Duration::from_micros(self.below(400) as u64));
        Input { disk, text, interrupt }
    }

    fn definition(&mut self) -> String {
        let at = self.below(NAMES.len());
        let (name, number) = (NAMES[at], self.below(4));
        let reads = match self.below(8) {
            // one that reads it may close a circle
            0 => NAMES[self.below(NAMES.len())],
            _ if at == 0 => self.of(&["fa", "fb", "p", "m", "2"]),
            _ => NAMES[self.below(at)],
        };
        match self.below(24) {
            0 => format!("{name} = {number}"),
            1 => format!("{name} = \"{number}\""),
            2 | 3 => format!("{name} = {reads} + 1"),
            4 => format!("{name} = {{ v = {reads}, w{number} | default | doc \"of {name}\" = {number} }}"),
            5 => format!("{name} = {name} & {{ k{number} = {reads} }}"),
            6 => format!("{name} = {reads}.v"),
            7 => format!("let {name} : Number = {reads}"),
            8 => format!("%%jsonnet\nlocal {name} = {reads} + 1"),
            9 => format!("%%jsonnet\nlocal {name} = {{ v: {reads}, h:: self.v, w{number}: {number} }}"),
            10 => format!("%%jsonnet\nlocal {name}(x) = [x, {reads}]"),
            11 => format!("let rec {name} = fun n => if n == 0 then {reads} else {name} (n - 1)"),
            12 => format!("{name} = it"),
            13 => format!("{name} = $3"),
            14 => format!("{name} = nope + {reads}"),
            15 => format!("{name} = +* {reads}"),
            16 => format!("{name} = (import \"stop.cfg\") + {reads}"),
            17 => format!("{name} = (import \"f.cfg\").fb"),
            18 => format!("{name} = import \"g.json\""),
            19 => format!("%%jsonnet\nlocal {name} = (import 'h.jsonnet').m"),
            20 => format!("%%jsonnet\nlocal {name} = std.extVar('x')"),
            21 => format!("let {name} : {{ v : Number; _ }} = {{ v | priority {number} = {reads} }}"),
            22 => format!("let {name} | doc \"a list\" = [{reads}, {number}]"),
            _ => format!("{name} = fun x => {{ x, y = {reads} }}"),
        }
    }

    fn expression(&mut self) -> String {
        let (one, other) = (self.of(&NAMES), self.of(&NAMES));
        match self.below(8) {
            0 | 1 => String::from(one),
            2 => format!("[{one}, {other}]"),
            3 => format!("it == {one}"),
            4 => format!("%%jsonnet\n{{ j: {one} }} + {{ j+: {other} }}"),
            5 => format!("a = {one}\n{other}\nb = 1"),
            6 => String::from("std.trace \"stop\" (std.array.fold_left (+) 0 (std.array.range 0 100000))"),
            _ => String::from("std.array.fold_left (+) 0 (std.array.range 0 2000)"),
        }
    }

    /// What a file is to be. `None`: gone.
    fn change(&mut self) -> (&'static str, Option<&'static str>) {
        let gone = self.below(8) == 0;
        let (file, texts): (_, &[&'static str]) = match self.below(3) {
            0 => (
                "f.cfg",
                &[
                    "{ fa = 1, fb = 2 }",
                    "{ fa = \"s\", fb = { v = 1 } }",
                    "{ fa = 1, fb = fa }",
                    "{ fb = (import \"g.json\").p }",
                    "{ fa = ",
                ],
            ),
            1 => ("g.json", &["{\"p\": 1}", "{\"p\": \"s\", \"q\": [1]}", "{}", "{\"p\"", "[1, 2]"]),
            _ => ("h.jsonnet", &["{ m: (import 'f.cfg').fb, h:: 1 }", "{ m: 3, q: self.m + 1 }"]),
        };
        (file, (!gone).then(|| self.of(texts)))
    }

    fn command(&mut self) -> String {
        let number = self.below(3);
        match self.below(9) {
            0 => format!(":set ext-code x={}", self.of(&["1", "'s'", "{ v: 1 }", "error 'no'"])),
            1 => format!(":set ext-str x={number}"),
            2 => format!(":def k = fun x => {{ k{number} = x }}"),
            3 => String::from(":def k ="),
            4 => format!(":k {}", self.of(&NAMES)),
            5 => String::from(":save other.session"),
            6 => String::from(":load other.session"),
            7 => format!(":set jpath lib{number}"),
            _ => format!(":force {}", self.of(&NAMES)),
        }
    }
}
