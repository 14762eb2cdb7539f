//! Random programs in the common subset of `cfg` and Nickel: most are correct, some are not.
//!
//! Generation is directed by types: [`Ty`] is the type that an expression is to have, the scope holds the visible
//! names, and the submodules (expressions, records, contracts, patterns, the library) write the text.

mod clash;
mod config;
mod contract;
mod expr;
mod library;
mod pattern;
mod record;
mod rng;

pub use clash::clash;
pub use config::configuration;

pub use rng::Rng;

/// The type that a generated expression is to have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ty {
    /// A number.
    Num,
    /// A string.
    Str,
    /// A boolean.
    Bool,
    /// Tags, and variants with their arguments.
    Enum(Vec<(&'static str, Option<Ty>)>),
    /// An array.
    Array(Box<Ty>),
    /// A record with known fields.
    Record(Vec<(&'static str, Ty)>),
    /// A record with any fields, all of one type.
    Dict(Box<Ty>),
    /// A function.
    Fun(Box<Ty>, Box<Ty>),
}

impl Ty {
    /// Reports whether JSON can represent values of the type.
    pub fn is_data(&self) -> bool {
        match self {
            Ty::Num | Ty::Str | Ty::Bool => true,
            Ty::Enum(tags) => tags.iter().all(|(_, argument)| argument.is_none()),
            Ty::Array(item) | Ty::Dict(item) => item.is_data(),
            Ty::Record(fields) => fields.iter().all(|(_, ty)| ty.is_data()),
            Ty::Fun(..) => false,
        }
    }

    /// Returns the type in Nickel's notation, as an atom.
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

/// The text of an expression and its precedence (Nickel's own levels; `LOW` is that of `let`, `fun`, `if`).
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
    /// Returns the text, in parentheses if it binds less tightly than `level`.
    fn under(&self, level: u8) -> String {
        if self.level <= level { self.text.clone() } else { format!("({})", self.text) }
    }
    fn arg(&self) -> String {
        self.under(ATOM)
    }
}

/// The topic of a collection of programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Topic {
    /// Arithmetic, strings, arrays, functions, `let`, `if`.
    Expressions,
    /// Records merged in any order and associativity, priorities, late binding.
    Merges,
    /// Contracts and types.
    Contracts,
    /// Patterns and `match`.
    Patterns,
    /// The standard library.
    Library,
    /// All of these, with more errors.
    Mixed,
}

impl Topic {
    /// All topics.
    pub const ALL: [Topic; 6] =
        [Topic::Expressions, Topic::Merges, Topic::Contracts, Topic::Patterns, Topic::Library, Topic::Mixed];

    /// Returns the name of the topic's collection.
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

/// Returns the program of a topic and a seed, always the same text.
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

/// The state of a generator.
pub struct Generator {
    rng: Rng,
    topic: Topic,
    /// Visible names. Later ones shadow earlier ones, and no name occurs twice.
    scope: Vec<(String, Ty)>,
    /// Number of names generated so far.
    names: usize,
    /// Percentage of expressions of a wrong type.
    noise: usize,
    /// Whether the text is inside `: T`, where only code that Nickel's type checker accepts is generated.
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

    /// Returns distinct field names.
    fn labels(&mut self, count: usize) -> Vec<&'static str> {
        let mut all = FIELDS;
        self.rng.shuffle(&mut all);
        all[..count].to_vec()
    }

    /// Returns a record type, nested at most to `depth`.
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

    /// Returns a type, nested at most to `depth`; without functions if `data` is set.
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

    /// Runs `body` with a name in scope and returns its result.
    fn with<T>(&mut self, name: &str, ty: Ty, body: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.scope.clone();
        self.scope.retain(|(other, _)| other != name);
        self.scope.push((name.to_string(), ty));
        let out = body(self);
        self.scope = before;
        out
    }
}
