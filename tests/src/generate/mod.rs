//! Random programs that both `cfg` and Nickel define: mostly well-behaved, a few at fault.
//!
//! Generation follows a type: [`Ty`] says what an expression is to be, the scope says which names are at hand, and the
//! parts (expressions, records, contracts, patterns, the library) write text for it.

mod clash;
mod contract;
mod expr;
mod library;
mod pattern;
mod record;
mod rng;

pub use clash::clash;

pub use rng::Rng;

/// What a generated expression is to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ty {
    /// A number.
    Num,
    /// A string.
    Str,
    /// A boolean.
    Bool,
    /// Tags, and variants with what they carry.
    Enum(Vec<(&'static str, Option<Ty>)>),
    /// An array.
    Array(Box<Ty>),
    /// A record of known fields.
    Record(Vec<(&'static str, Ty)>),
    /// A record of any fields of one type.
    Dict(Box<Ty>),
    /// A function.
    Fun(Box<Ty>, Box<Ty>),
}

impl Ty {
    /// Whether JSON can hold it.
    pub fn is_data(&self) -> bool {
        match self {
            Ty::Num | Ty::Str | Ty::Bool => true,
            Ty::Enum(tags) => tags.iter().all(|(_, argument)| argument.is_none()),
            Ty::Array(item) | Ty::Dict(item) => item.is_data(),
            Ty::Record(fields) => fields.iter().all(|(_, ty)| ty.is_data()),
            Ty::Fun(..) => false,
        }
    }

    /// The type in Nickel's notation, where it can stand as an atom.
    pub fn text(&self) -> String {
        match self {
            Ty::Num => "Number".into(),
            Ty::Str => "String".into(),
            Ty::Bool => "Bool".into(),
            Ty::Enum(tags) => {
                let tags = tags.iter().map(|(tag, argument)| match argument {
                    None => format!("'{tag}"),
                    Some(ty) => format!("'{tag} {}", ty.text()),
                });
                format!("[| {} |]", tags.collect::<Vec<_>>().join(", "))
            }
            Ty::Array(item) => format!("(Array {})", item.text()),
            Ty::Record(fields) => {
                let fields = fields.iter().map(|(name, ty)| format!("{name} : {}", ty.text()));
                format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
            }
            Ty::Dict(item) => format!("{{ _ : {} }}", item.text()),
            Ty::Fun(from, to) => format!("({} -> {})", from.text(), to.text()),
        }
    }
}

/// Text of an expression and how tightly it binds (Nickel's own levels; `LOW` is `let`, `fun`, `if`).
#[derive(Clone, Debug)]
pub struct Code {
    text: String,
    level: u8,
}

const ATOM: u8 = 0;
const APPLY: u8 = 1;
const LOW: u8 = 20;

impl Code {
    fn atom(text: impl Into<String>) -> Code {
        Code { text: text.into(), level: ATOM }
    }
    fn at(text: impl Into<String>, level: u8) -> Code {
        Code { text: text.into(), level }
    }
    /// The text where nothing looser than `level` may stand.
    fn under(&self, level: u8) -> String {
        if self.level <= level { self.text.clone() } else { format!("({})", self.text) }
    }
    fn arg(&self) -> String {
        self.under(ATOM)
    }
}

/// What the programs of one collection are mostly about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Topic {
    /// Arithmetic, strings, arrays, functions, `let`, `if`.
    Expressions,
    /// Records merged in every association and order, priorities, late binding.
    Merges,
    /// Contracts and types.
    Contracts,
    /// Patterns and `match`.
    Patterns,
    /// The standard library.
    Library,
    /// All of it, with more faults.
    Mixed,
}

impl Topic {
    /// All topics.
    pub const ALL: [Topic; 6] =
        [Topic::Expressions, Topic::Merges, Topic::Contracts, Topic::Patterns, Topic::Library, Topic::Mixed];

    /// The name of the topic's collection.
    pub fn name(self) -> &'static str {
        match self {
            Topic::Expressions => "expressions",
            Topic::Merges => "merges",
            Topic::Contracts => "contracts",
            Topic::Patterns => "patterns",
            Topic::Library => "library",
            Topic::Mixed => "mixed",
        }
    }
}

/// The program of a topic and seed: the same text for ever.
pub fn program(topic: Topic, seed: u64) -> String {
    let mut generator = Generator::new(topic, seed);
    let ty = match topic {
        Topic::Merges => generator.record_ty(2, true),
        Topic::Contracts if generator.rng.chance(60) => generator.record_ty(1, true),
        _ => generator.ty(2, true),
    };
    let code = match (topic, &ty) {
        (Topic::Merges, Ty::Record(fields)) => generator.merged(fields, 3),
        (Topic::Contracts, _) if generator.rng.chance(70) => generator.checked(&ty, 3),
        (Topic::Patterns, _) if generator.rng.chance(80) => generator.taken_apart(&ty, 3),
        (Topic::Library, _) if generator.rng.chance(80) => generator.library(&ty, 3),
        _ => generator.expr(&ty, 4),
    };
    code.text
}

/// The state of a generation.
pub struct Generator {
    rng: Rng,
    topic: Topic,
    /// Names at hand; later ones shadow earlier ones, and no name stands twice.
    scope: Vec<(String, Ty)>,
    /// Names given so far.
    names: usize,
    /// Percent of expressions that are of a wrong type.
    noise: usize,
    /// Inside `: T`, where Nickel checks statically: only what its checker accepts.
    typed: bool,
}

const FIELDS: [&str; 8] = ["a", "b", "c", "host", "port", "name", "opts", "f'"];
const TAGS: [&str; 6] = ["Http", "Ftp", "None", "Some", "Ok", "low"];

impl Generator {
    fn new(topic: Topic, seed: u64) -> Generator {
        let mut rng = Rng::new(seed ^ ((topic as u64) << 56));
        let noise = match topic {
            Topic::Mixed => 3,
            _ if rng.chance(30) => 2,
            _ => 0,
        };
        Generator { rng, topic, scope: Vec::new(), names: 0, noise, typed: false }
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("{}{}", self.rng.pick(&["x", "y", "val", "k_"]), self.names)
    }

    /// Distinct field names.
    fn labels(&mut self, count: usize) -> Vec<&'static str> {
        let mut all = FIELDS;
        self.rng.shuffle(&mut all);
        all[..count].to_vec()
    }

    /// A record type, nested no deeper than `depth`.
    fn record_ty(&mut self, depth: usize, data: bool) -> Ty {
        let count = 1 + self.rng.below(4);
        let labels = self.labels(count);
        Ty::Record(labels.into_iter().map(|label| (label, self.ty(depth.saturating_sub(1), data))).collect())
    }

    fn enum_ty(&mut self, depth: usize, data: bool) -> Ty {
        let mut tags = TAGS;
        self.rng.shuffle(&mut tags);
        let count = 1 + self.rng.below(3);
        let tags = tags[..count].iter().map(|tag| {
            let argument = !data && depth > 0 && self.rng.chance(50);
            (*tag, argument.then(|| self.ty(depth - 1, data)))
        });
        Ty::Enum(tags.collect())
    }

    /// A type, nested no deeper than `depth`; of data only, where `data`.
    fn ty(&mut self, depth: usize, data: bool) -> Ty {
        let weights = [28, 24, 14, 10, 12, if depth > 0 { 18 } else { 0 }, 5, if data || depth == 0 { 0 } else { 8 }];
        match self.rng.weighted(&weights) {
            0 => Ty::Num,
            1 => Ty::Str,
            2 => Ty::Bool,
            3 => self.enum_ty(depth, data),
            4 => Ty::Array(Box::new(if depth == 0 { Ty::Num } else { self.ty(depth - 1, data) })),
            5 => self.record_ty(depth, data),
            6 => Ty::Dict(Box::new(if depth == 0 { Ty::Num } else { self.ty(depth - 1, data) })),
            _ => Ty::Fun(Box::new(self.ty(depth - 1, true)), Box::new(self.ty(depth - 1, true))),
        }
    }

    /// Runs `body` with a name in scope and hands back `text` of it.
    fn with<T>(&mut self, name: &str, ty: Ty, body: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.scope.clone();
        self.scope.retain(|(other, _)| other != name);
        self.scope.push((name.to_string(), ty));
        let out = body(self);
        self.scope = before;
        out
    }
}
