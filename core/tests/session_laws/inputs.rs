//! Random inputs.

use std::time::Duration;

/// The names that inputs bind.
pub const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

/// A source of random inputs.
pub struct Random(pub u64);

/// An input, and what happens around it.
#[derive(Clone, Debug)]
pub struct Input {
    /// A change of a file before it.
    pub disk: Option<(&'static str, Option<&'static str>)>,
    /// The text that is entered.
    pub text: String,
    /// The notebook cell that it is, if any.
    pub cell: Option<usize>,
    /// Whether the cell is run again with its last text, without a request.
    pub refresh: bool,
    /// The time after which it is interrupted.
    pub interrupt: Option<Duration>,
}

impl Random {
    /// Returns a number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % limit
    }

    fn of(&mut self, all: &[&'static str]) -> &'static str {
        all[self.below(all.len())]
    }

    /// Returns a random input.
    pub fn input(&mut self) -> Input {
        let (mut disk, mut cell, mut refresh) = (None, None, false);
        let text = match self.below(48) {
            0..20 => self.definition(),
            20..28 => self.expression(),
            28..30 => format!(":load {}", self.of(&["f.cfg", "g.json", "h.jsonnet", "y.yaml"])),
            30..34 => {
                disk = Some(self.change());
                String::from(if self.below(8) == 0 { "0" } else { ":reload" })
            }
            34..39 => self.command(),
            39..42 => {
                cell = Some(self.below(3));
                refresh = self.below(4) == 0;
                self.cell()
            }
            42 | 43 => format!(":undo {}", self.below(4) + 1),
            44 => format!(":redo {}", self.below(4) + 1),
            45 if self.below(4) == 0 => String::from(":reset"),
            45 if self.below(3) == 0 => String::from(":dialect jsonnet"),
            45 => String::from(":dialect cfg"),
            _ => String::from(self.of(&[":undo", ":redo"])),
        };
        Input { disk, text, cell, refresh, interrupt: self.interrupt() }
    }

    /// Returns a time after which to interrupt, or `None`.
    pub fn interrupt(&mut self) -> Option<Duration> {
        let within = [40, 400, 4000][self.below(3)];
        (self.below(12) == 0).then(|| Duration::from_micros(self.below(within) as u64))
    }

    /// Returns the text of a notebook cell.
    pub fn cell(&mut self) -> String {
        let inputs = 1 + self.below(2);
        let inputs: Vec<String> = (0..inputs)
            .map(|_| match self.below(4) {
                0 => String::from(NAMES[self.below(NAMES.len())]),
                1 => {
                    let name = NAMES[self.below(NAMES.len())];
                    format!("{name} = {name} & {{ k{} = {} }}", self.below(4), self.below(4))
                }
                _ => self.definition(),
            })
            .collect();
        // a cell has one language
        match inputs.iter().any(|input| input.starts_with("%%")) {
            true => inputs.into_iter().next().unwrap_or_default(),
            false => inputs.join("\n"),
        }
    }

    fn definition(&mut self) -> String {
        let at = self.below(NAMES.len());
        let (name, number) = (NAMES[at], self.below(4));
        let reads = match self.below(8) {
            // a definition that reads it may create a cycle
            0 => NAMES[self.below(NAMES.len())],
            _ if at == 0 => self.of(&["fa", "fb", "p", "m", "2"]),
            _ => NAMES[self.below(at)],
        };
        match self.below(30) {
            0 | 1 => format!("{name} = {number}"),
            2 => format!("{name} = \"{number}\""),
            3 => format!("{name} = {reads} + 1"),
            4 => format!("{name} = {{ v = {reads}, w{number} | default | doc \"of {name}\" = {number} }}"),
            5 => format!("{name} = {name} & {{ k{number} = {reads} }}"),
            6 => format!("{name} = {reads}.v"),
            7 => format!("let {name} : Number = {reads}"),
            8 => format!("%%jsonnet\nlocal {name} = {reads} + 1"),
            9 => format!("%%jsonnet\nlocal {name} = {{ v: {reads}, h:: self.v, w{number}: {number} }}"),
            10 => format!("%%jsonnet\nlocal {name}(x) = [x, {reads}]"),
            11 => format!("let rec {name} = fun n => if n == 0 then {reads} else {name} (n - 1)"),
            12 => format!("{name} = it"),
            13 => format!("{name} = ${}", self.of(&["1", "3", "5", "8"])),
            14 => format!("{name} = nope + {reads}"),
            15 => format!("{name} = +* {reads}"),
            16 => format!("{name} = (import \"stop.cfg\") + {reads}"),
            17 => format!("{name} = (import \"f.cfg\").fb"),
            18 => format!("{name} = import \"g.json\""),
            19 => format!("%%jsonnet\nlocal {name} = (import 'h.jsonnet').m"),
            20 => format!("%%jsonnet\nlocal {name} = std.extVar('x')"),
            21 => format!("let {name} : {{ v : Number; _ }} = {{ v | priority {number} = {reads} }}"),
            22 => format!("let {name} | doc \"a list\" = [{reads}, {number}]"),
            23 => format!("{name} = fun x => {{ x, y = {reads} }}"),
            24 => format!("{name} = {{ v = {reads}, f = fun n => [n, {reads}], l | default = {reads} }}"),
            25 => format!("{name} = {reads} & {{ l = {number} }}"),
            26 => format!("%%jsonnet\nlocal {name} = {{ v: {reads}, f(n): [n, {reads}], l:: std.extVar('x') }}"),
            27 => format!("{name} = import \"{}\"", self.of(&["y.yaml", "t.toml", "none.cfg"])),
            28 => format!("%%jsonnet\nlocal {name} = {reads} + {{ v+: {number} }}"),
            _ => format!("{name} = {{ v | {{ w | Number, _ }} = {reads}, i = import \"f.cfg\" }}"),
        }
    }

    fn expression(&mut self) -> String {
        let (one, other) = (self.of(&NAMES), self.of(&NAMES));
        let result = self.of(&["it", "$1", "$3", "$5", "$8"]);
        match self.below(22) {
            0..3 => String::from(one),
            3 => format!("[{one}, {other}]"),
            4 => format!("it == {one}"),
            5 => format!("%%jsonnet\n{{ j: {one} }} + {{ j+: {other} }}"),
            6 => format!("a = {one}\n{other}\nb = 1"),
            7 => String::from("std.trace \"stop\" (std.array.fold_left (+) 0 (std.array.range 0 100000))"),
            8 => String::from("std.array.fold_left (+) 0 (std.array.range 0 2000)"),
            // thunks that are not forced yet
            9 => format!("{{ v = {one}, f = fun n => [n, {other}], l | default = {other} }}"),
            10 => format!("fun n => {{ n, v = {one} }}"),
            11 => format!("%%jsonnet\n{{ v:: {one}, f(n):: [n, {other}], x:: std.extVar('x') }}"),
            12 => String::from("{ v | not_exported = import \"f.cfg\", f = fun n => import \"g.json\" }"),
            13 => format!("%%jsonnet\n{{ v:: import 'h.jsonnet', f(n):: (import 'f.cfg') + {{ fa: {one} }} }}"),
            // and inputs that force them later
            14 => format!("{result}.v"),
            15 => format!("{result}.f 1"),
            16 => format!("%%jsonnet\n{result}.f(1)"),
            17 => format!("{result} & {{ l = 1 }}"),
            18 => format!("%%jsonnet\n{result} + {{ v+: 1 }}"),
            19 => format!("{one}.f 1"),
            20 => format!("[{one}.l, {result}.l]"),
            _ => format!("std.deep_seq {result} {one}"),
        }
    }

    /// Returns a file and its new text. `None` if it is removed.
    fn change(&mut self) -> (&'static str, Option<&'static str>) {
        let gone = self.below(8) == 0;
        let (file, texts): (_, &[&'static str]) = match self.below(5) {
            0 | 1 => (
                "f.cfg",
                &[
                    "{ fa = 1, fb = 2 }",
                    "{ fa = \"s\", fb = { v = 1 } }",
                    "{ fa = 1, fb = fa }",
                    "{ fb = (import \"g.json\").p }",
                    "{ fa = ",
                ],
            ),
            2 => ("g.json", &["{\"p\": 1}", "{\"p\": \"s\", \"q\": [1]}", "{}", "{\"p\"", "[1, 2]"]),
            3 => (
                self.of(&["y.yaml", "t.toml", "none.cfg"]),
                &["v = 1", "v: 1\nl: [1, 2]", "{ v = import \"f.cfg\" }", "[v]\nf = 3"],
            ),
            _ => (
                "h.jsonnet",
                &["{ m: (import 'f.cfg').fb, h:: 1 }", "{ m: 3, q: self.m + 1 }", "{ m: std.extVar('x') }"],
            ),
        };
        (file, (!gone).then(|| self.of(texts)))
    }

    fn command(&mut self) -> String {
        let number = self.below(3);
        let result = self.of(&["it", "$1", "$3", "$5"]);
        match self.below(14) {
            0 | 1 => format!(":set ext-code x={}", self.of(&["1", "'s'", "{ v: 1 }", "error 'no'", "import 'f.cfg'"])),
            2 => format!(":set ext-str x={number}"),
            3 => format!(":def k = fun x => {{ k{number} = x }}"),
            4 => String::from(":def k ="),
            5 => format!(":k {}", self.of(&NAMES)),
            6 => String::from(":save other.session"),
            7 => String::from(":load other.session"),
            8 => format!(":set jpath lib{number}"),
            9 => format!(":force {}", self.of(&NAMES)),
            10 => format!(":force {result}"),
            11 => format!(":query {result}.{}", self.of(&["v", "l", "f"])),
            12 => format!(":explain {result}.v"),
            _ => format!(":set ext-code-file x={}", self.of(&["f.cfg", "h.jsonnet", "nope.cfg"])),
        }
    }
}
