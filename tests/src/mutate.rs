//! Bad input: programs that are cut, spliced, nested and mixed with random tokens and bytes.

mod jsonnet;
mod mcl;
pub mod wire;
mod yay;

use crate::generate::{Rng, Topic, program};

const TOKENS: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "[|",
    "|]",
    "\"",
    "m%\"",
    "\"%",
    "%{",
    ",",
    ";",
    ":",
    "|",
    "=",
    "=>",
    "->",
    "|>",
    "&",
    "&&",
    "||",
    "@",
    "++",
    "+",
    "-",
    "*",
    "/",
    "%",
    "==",
    "!=",
    "<",
    "<=",
    "!",
    ".",
    "..",
    "?",
    "'",
    "'Tag",
    "`Tag",
    "_",
    "let ",
    " in ",
    "rec ",
    "fun ",
    "match ",
    "if ",
    " then ",
    " else ",
    "forall ",
    "import ",
    "include ",
    "default ",
    "force ",
    "priority ",
    "merge ",
    "when ",
    "doc ",
    "optional ",
    "not_exported ",
    "secret ",
    "or ",
    "as ",
    "null",
    "true",
    "Dyn",
    "Number",
    "String",
    "Array ",
    "std.",
    "std.array.",
    "std.record.",
    "std.string.",
    "std.contract.",
    "x",
    "a",
    "0",
    "1",
    "-1",
    "1e400",
    "1e-400",
    "99999999999999999999",
    "0.1",
    "0x",
    "1e",
    "\n",
    "#",
    "\\",
    "\\u{",
    "\u{0}",
    "é",
    "\u{feff}",
    "𝄞",
    "$",
    "~",
    "^",
    "import \"x\" as 'Json",
    "s%\"",
    "std.array.replicate 100000 ",
    "& {}",
    "| {_ : a}",
];

/// Returns a bad input. The same seed always gives the same bytes.
pub fn bad_input(seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed ^ 0xbad);
    let topic = *rng.pick(&Topic::ALL);
    let mut bytes = program(topic, seed).into_bytes();
    for _ in 0..1 + rng.below(4) {
        mutate(&mut rng, &mut bytes, seed);
    }
    bytes
}

const DATA: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "[[",
    "]]",
    ",",
    ":",
    ": ",
    "- ",
    "? ",
    "&x ",
    "*x",
    "<<: *x",
    "!!int ",
    "!",
    "|",
    ">",
    "|2-",
    "\"",
    "'",
    "\"\"\"",
    "\'\'\'",
    "\\",
    "\\u",
    "\\ud83d",
    "#",
    "---\n",
    "...\n",
    "%YAML 1.2\n",
    "=",
    " = ",
    ".",
    "\n",
    "\r\n",
    "\t",
    "  ",
    "\n    ",
    "0",
    "-",
    "+",
    "1e",
    "1e999999999",
    "0x",
    "inf",
    "nan",
    ".inf",
    "1979-05-27",
    "07:32",
    "null",
    "true",
    "~",
    "\u{feff}",
    "\u{0}",
    "\u{85}",
    "\u{2028}",
    "é",
    "𝄞",
    "a",
    "a.b",
    "\"\"",
];

/// Programs, or documents of a data format, that are damaged. The documents are those whose answers are stored.
pub struct Documents {
    texts: Vec<String>,
    /// The tokens that are inserted.
    pieces: &'static [&'static str],
}

impl Documents {
    /// Returns the documents of a format (`json`, `yaml`, `toml`), or the programs of `jsonnet`, `mcl` and `yay`.
    pub fn of(format: &str) -> Documents {
        let language = match format {
            "jsonnet" => Some((jsonnet::PROGRAMS, jsonnet::PIECES)),
            "yay" => Some((yay::PROGRAMS, yay::PIECES)),
            "mcl" => Some((mcl::PROGRAMS, mcl::PIECES)),
            _ => None,
        };
        if let Some((programs, pieces)) = language {
            let texts = programs.iter().map(|text| text.to_string()).collect();
            return Documents { texts, pieces };
        }
        let lines = include_str!("../oracles/data/answers.jsonl").lines();
        let entries = lines.filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        let texts = entries
            .filter(|entry| entry.get("format").and_then(|f| f.as_str()) == Some(format))
            .filter_map(|entry| entry.get("text").and_then(|t| t.as_str()).map(String::from))
            .collect();
        Documents { texts, pieces: DATA }
    }

    /// Returns a bad document. The same seed always gives the same bytes.
    pub fn bad(&self, seed: u64) -> Vec<u8> {
        let mut rng = Rng::new(seed ^ 0xda7a);
        let mut bytes = rng.pick(&self.texts).clone().into_bytes();
        for _ in 0..1 + rng.below(5) {
            let at = rng.below(bytes.len() + 1);
            let end = (at + rng.below(12)).min(bytes.len());
            match rng.below(8) {
                0 => bytes.truncate(at),
                1 => drop(bytes.drain(at..end)),
                2 => {
                    let other = rng.pick(&self.texts).as_bytes();
                    let from = rng.below(other.len() + 1);
                    bytes.splice(at..end, other[from..].iter().copied());
                }
                3 => drop(bytes.splice(at..end.min(at + 1), [rng.below(256) as u8])),
                4 => {
                    let times = *rng.pick(&[3, 30, 300, 3000]);
                    bytes.splice(at..at, rng.pick(self.pieces).repeat(times).into_bytes());
                }
                _ => drop(bytes.splice(at..at, rng.pick(self.pieces).bytes())),
            }
        }
        bytes
    }
}

fn mutate(rng: &mut Rng, bytes: &mut Vec<u8>, seed: u64) {
    let at = rng.below(bytes.len() + 1);
    let end = (at + 1 + rng.below(12)).min(bytes.len());
    match rng.below(12) {
        0 => bytes.truncate(at),
        1..=2 => drop(bytes.drain(at..end)),
        3 => {
            let piece = bytes[at..end].to_vec();
            let to = rng.below(bytes.len() + 1);
            bytes.splice(to..to, piece);
        }
        4..=7 => {
            let token = *rng.pick(TOKENS);
            bytes.splice(at..at, token.bytes());
        }
        8 => {
            let token = *rng.pick(TOKENS);
            bytes.splice(at..end, token.bytes());
        }
        9 => {
            let byte = rng.below(256) as u8;
            bytes.splice(at..end.min(at + 1), [byte]);
        }
        10 => {
            let other = program(*rng.pick(&Topic::ALL), seed.wrapping_mul(31).wrapping_add(7)).into_bytes();
            let from = rng.below(other.len() + 1);
            bytes.splice(at..end, other[from..].iter().copied());
        }
        _ => {
            let token = *rng.pick(&[
                "(",
                "[",
                "{a=",
                "!",
                "-",
                "1+",
                "fun x=>",
                "let x=1 in ",
                "if true then ",
                "{a.b=",
                "x |> ",
            ]);
            let times = *rng.pick(&[3, 30, 3000]);
            bytes.splice(at..at, token.repeat(times).into_bytes());
        }
    }
}
