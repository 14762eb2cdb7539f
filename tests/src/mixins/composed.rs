//! Jsonnet programs that combine the library, objects, comprehensions, conditions and functions at random: expressions of a type are
//! composed of expressions of other types. Most of them evaluate.

use crate::generate::Rng;
use std::fmt::Write;

/// A type of generated expressions.
#[derive(Clone, PartialEq)]
enum Kind {
    Number,
    String,
    Bool,
    Array(Box<Kind>),
    Object(Vec<(&'static str, Kind)>),
}

/// The names of fields.
const NAMES: &[&str] = &["name", "kind", "spec", "labels", "port", "data"];
/// The functions that a program can call.
const HELPERS: &str = "local id(x) = x;
local orElse(a, b) = if a != null then a else b;
local pick(c, a, b) = if c then a else b;
local apply(f, x) = f(x);
local fallback(x, y=null) = if y == null then x else y;
local asArray(x) = if std.isArray(x) then x else [x];
local get(o, k, d=null) = if k in o then o[k] else d;
local compose(fs) = function(x) std.foldl(function(a, f) f(a), fs, x);
local sum(mixins) = std.foldl(function(a, b) a + b, mixins, {});
local values(o) = [o[k] for k in std.objectFields(o)];
local patch(o, p) = o + p;
local rename(o, n) = o { name: n };
local deep(o) = if std.isObject(o) then std.mapWithKey(function(k, v) deep(v), o) else if std.isArray(o) then std.map(deep, o) else o;
";

struct Composer<'r> {
    r: &'r mut Rng,
    /// The expressions that can be read here, with their types.
    scope: Vec<(String, Kind)>,
    /// The number of names so far.
    names: usize,
    /// The number of expressions that may still be composed.
    left: usize,
}

/// Returns the program of a seed.
pub fn program(seed: u64) -> String {
    let r = &mut Rng::new(seed);
    let left = 20 + r.below(50);
    let mut c = Composer { r, scope: Vec::new(), names: 0, left };
    let mut text = String::from(HELPERS);
    for _ in 0..c.r.below(3) {
        let kind = c.kind(2);
        let body = c.of(&kind, 3);
        let name = c.name();
        let _ = writeln!(text, "local {name} = {body};");
        c.scope.push((name, kind));
    }
    let mut config = Vec::new();
    let mut fields = Vec::new();
    let outer = c.scope.len();
    for i in 0..1 + c.r.below(3) {
        let kind = c.kind(2);
        config.push(format!("c{i}: {}", c.of(&kind, 2)));
        c.scope.push((format!("$._config.c{i}"), kind));
    }
    let configured: Vec<Kind> = c.scope[outer..].iter().map(|(_, kind)| kind.clone()).collect();
    let mut made = Vec::new();
    for i in 0..1 + c.r.below(3) {
        let kind = c.kind(3);
        let hidden = if c.r.chance(25) { "::" } else { ":" };
        fields.push(format!("f{i}{hidden} {}", c.of(&kind, 4)));
        c.scope.push((format!("$.f{i}"), kind.clone()));
        made.push(kind);
    }
    let _ = write!(text, "local base = {{ _config:: {{ {} }}, {} }};\nbase", config.join(", "), fields.join(", "));
    for n in 0..c.r.below(4) {
        let mut parts = Vec::new();
        if c.r.chance(50) {
            let i = c.r.below(configured.len());
            let new = c.within("lower", &configured[i], &configured[i], 2);
            parts.push(format!("_config+:: {{ local lower = super.c{i}, c{i}: {new} }}"));
        }
        if c.r.chance(60) {
            let i = c.r.below(made.len());
            match &made[i] {
                Kind::Object(names) if c.r.chance(60) => {
                    let (name, kind) = c.r.pick(names).clone();
                    let new = c.within("lower", &kind, &kind, 2);
                    parts.push(format!(
                        "f{i}+: {{ local lower = super.{name}, {name}: {new}, more{n}: {} }}",
                        c.number()
                    ));
                }
                kind => {
                    let kind = kind.clone();
                    let new = c.within("lower", &kind, &kind, 2);
                    parts.push(format!("local lower = super.f{i}, f{i}: {new}"));
                }
            }
        }
        let kind = c.kind(2);
        parts.push(format!("g{n}: {}", c.of(&kind, 3)));
        let object = format!("{{ {} }}", parts.join(", "));
        let _ = match c.r.below(3) {
            0 => write!(text, "\n+ ({{}} + {object})"),
            1 => write!(text, " {object}"),
            _ => write!(text, "\n+ {object}"),
        };
        c.scope.push((format!("$.g{n}"), kind));
    }
    text
}

impl Composer<'_> {
    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn number(&mut self) -> String {
        self.r.below(9).to_string()
    }

    fn kind(&mut self, depth: usize) -> Kind {
        match self.r.below(if depth == 0 { 5 } else { 9 }) {
            0 | 1 => Kind::Number,
            2 | 3 => Kind::String,
            4 => Kind::Bool,
            5 | 6 => Kind::Array(Box::new(self.kind(depth - 1))),
            _ => self.object(depth - 1),
        }
    }

    fn object(&mut self, depth: usize) -> Kind {
        let mut names = NAMES.to_vec();
        self.r.shuffle(&mut names);
        names.truncate(1 + self.r.below(3));
        Kind::Object(names.into_iter().map(|name| (name, self.kind(depth))).collect())
    }

    /// Returns an expression, with a name of a type in scope.
    fn within(&mut self, name: &str, kind: &Kind, wanted: &Kind, depth: usize) -> String {
        self.scope.push((name.into(), kind.clone()));
        let text = self.of(wanted, depth);
        self.scope.pop();
        text
    }

    /// Returns an expression whose value has the type.
    fn of(&mut self, kind: &Kind, depth: usize) -> String {
        if depth == 0 || self.left == 0 || self.r.chance(15) {
            return self.leaf(kind);
        }
        self.left -= 1;
        if self.r.chance(45) { self.any(kind, depth - 1) } else { self.own(kind, depth - 1) }
    }

    fn leaf(&mut self, kind: &Kind) -> String {
        let known: Vec<String> = self.scope.iter().filter(|(_, k)| k == kind).map(|(text, _)| text.clone()).collect();
        if !known.is_empty() && self.r.chance(60) {
            return self.r.pick(&known).clone();
        }
        match kind {
            Kind::Number => self.number(),
            Kind::String => format!("'{}'", self.r.pick::<&str>(&["a", "b", "web", "x-1"])),
            Kind::Bool => self.r.pick::<&str>(&["true", "false"]).to_string(),
            Kind::Array(item) => {
                let item = item.clone();
                let items: Vec<String> = (0..1 + self.r.below(2)).map(|_| self.leaf(&item)).collect();
                format!("[{}]", items.join(", "))
            }
            Kind::Object(fields) => {
                let fields: Vec<String> =
                    fields.clone().iter().map(|(name, kind)| format!("{name}: {}", self.leaf(kind))).collect();
                format!("{{ {} }}", fields.join(", "))
            }
        }
    }

    /// Returns an expression of a form that exists for values of all types.
    fn any(&mut self, t: &Kind, d: usize) -> String {
        let other = self.kind(1);
        let v = self.name();
        match self.r.below(44) {
            0 => format!("(if {} then {} else {})", self.of(&Kind::Bool, d), self.of(t, d), self.of(t, d)),
            1 => {
                let bound = self.of(&other, d);
                format!("(local {v} = {bound}; {})", self.within(&v, &other, t, d))
            }
            2 => format!("orElse({}, {})", self.r.pick::<&str>(&["null", "id(null)"]), self.of(t, d)),
            3 => format!("orElse({}, {})", self.of(t, d), self.of(t, d)),
            4 => format!("pick({}, {}, {})", self.of(&Kind::Bool, d), self.of(t, d), self.of(t, d)),
            5 => format!("apply(function({v}) {}, {})", self.within(&v, &other, t, d), self.of(&other, d)),
            6 => format!("fallback({})", self.of(t, d)),
            7 => format!("fallback({}, {})", self.of(t, d), self.of(t, d)),
            8 => format!("get({{ name: {}, w: {} }}, 'name')", self.of(t, d), self.of(&other, d)),
            9 => format!("get({{ w: {} }}, 'name', {})", self.of(&other, d), self.of(t, d)),
            10 => format!("id({})", self.of(t, d)),
            11 => format!("{{ v: {}, w: {} }}.v", self.of(t, d), self.of(&other, d)),
            12 => format!("[{}, {}][0]", self.of(t, d), self.of(&other, d)),
            13 => format!("std.get({{ v: {} }}, 'v', {})", self.of(t, d), self.of(&other, d)),
            14 => {
                let items = Kind::Array(Box::new(other.clone()));
                self.scope.push((format!("a{v}"), t.clone()));
                let step = self.within(&v, &other, t, d);
                self.scope.pop();
                format!("std.foldl(function(a{v}, {v}) {step}, {}, {})", self.of(&items, d), self.of(t, d))
            }
            15 => format!("{{ local me = self, v: {}, r: me.v }}.r", self.of(t, d)),
            16 => format!("({{ v: {}, r: self.v }} + {{ v: {} }}).r", self.of(&other, d), self.of(t, d)),
            17 => format!("({{ v: {} }} + {{ r: super.v }}).r", self.of(t, d)),
            18 => format!(
                "({{ v: {}, r: {} }} {{ v: {} }}).r",
                self.of(&other, d),
                self.of(t, d),
                self.of(&Kind::Number, d)
            ),
            19 => format!("{{ m(x):: x, r: self.m({}), s: self.m({}) }}.r", self.of(t, d), self.of(&other, d)),
            20 => format!(
                "({{ local me = self, r: me.m({}), s: me.m({}) }} + {{ m(x):: x }}).r",
                self.of(t, d),
                self.of(&other, d)
            ),
            21 => format!("std.parseJson(std.manifestJsonEx({{ v: {} }}, ' ')).v", self.of(t, d)),
            22 => format!(
                "std.mergePatch({{ v: {}, w: {} }}, {{ v: {} }}).v",
                self.of(t, d),
                self.of(&other, d),
                self.of(t, d)
            ),
            23 => format!("std.objectValues({{ v: {} }})[0]", self.of(t, d)),
            24 => format!("std.objectKeysValues({{ v: {}, w: {} }})[0].value", self.of(t, d), self.of(&other, d)),
            25 => {
                let new = self.within(&v, &other, t, d);
                let (first, second) = (self.of(&other, d), self.of(&Kind::String, d));
                format!(
                    "std.mapWithKey(function(k, {v}) if k == 'v' then {new} else {v}, {{ v: {first}, w: {second} }}).v"
                )
            }
            26 => format!("sum([{{ v: {} }}, {{ w: {} }}]).v", self.of(t, d), self.of(&other, d)),
            27 => format!("std.foldl(function(o, p) o + p, [{{ v: {} }}, {{ w: self.v }}], {{}}).w", self.of(t, d)),
            28 => format!("compose([function(o) o {{ v: {} }}, function(o) o {{ w: o.v }}])({{}}).w", self.of(t, d)),
            29 => format!("{{ [k]: {} for k in ['v', 'w'] }}.v", self.within("k", &Kind::String, t, d)),
            30 => format!("std.objectRemoveKey({{ v: {}, w: {} }}, 'w').v", self.of(t, d), self.of(&other, d)),
            31 => format!("{{ [if std.length('x') == 1 then 'v']: {}, w: {} }}.v", self.of(t, d), self.of(&other, d)),
            32 => format!("({{ o: {{ v: {} }} }} + {{ o+: {{ w: {} }} }}).o.v", self.of(t, d), self.of(&other, d)),
            33 => format!("deep({{ v: {}, w: [{}] }}).v", self.of(t, d), self.of(&other, d)),
            34 => format!(
                "patch({{ v: {}, w: {} }}, {{ w+: {} }}).v",
                self.of(t, d),
                self.of(&Kind::Number, d),
                self.number()
            ),
            35 => format!(
                "rename({{ v: {}, name: {} }}, {}).v",
                self.of(t, d),
                self.of(&other, d),
                self.of(&Kind::String, d)
            ),
            36 => {
                format!("({{ v: {} }} + {{ v: if 'v' in super then super.v else {} }}).v", self.of(t, d), self.of(t, d))
            }
            37 => format!(
                "({{ [k]: {{ n: {} }} for k in ['v'] }} + {{ v+: {{ m: {} }} }}).v.n",
                self.of(t, d),
                self.of(&other, d)
            ),
            38 => format!("({{ [k]: {} for k in ['v'] }} + {{ r: $.v }}).r", self.leaf(t)),
            39 => {
                let from = Kind::Object(vec![("name", other.clone()), ("spec", t.clone())]);
                format!("[x.spec for x in [{}]][0]", self.of(&from, d))
            }
            40 => format!(
                "(local {v} = [['k', {}], ['l', {}]]; {{ [x[0]]: x[1] for x in {v} }}.k)",
                self.of(t, d),
                self.of(&other, d)
            ),
            41 => format!("(if std.isString({}) then {} else {})", self.of(&other, d), self.of(t, d), self.of(t, d)),
            42 => format!(
                "asArray({})[0]",
                match t {
                    Kind::Array(_) => format!("[{}]", self.of(t, d)),
                    _ => self.of(t, d),
                }
            ),
            _ => format!("values({{ v: {} }})[0]", self.of(t, d)),
        }
    }

    /// Returns an expression of a form that exists only for values of the type.
    fn own(&mut self, t: &Kind, d: usize) -> String {
        let other = self.kind(1);
        let v = self.name();
        match t {
            Kind::Number => match self.r.below(7) {
                0 => format!("({} + {})", self.of(t, d), self.of(t, d)),
                1 => format!("({} - {})", self.of(t, d), self.of(t, d)),
                2 => {
                    let of = self.kind(1);
                    let of = if matches!(of, Kind::Number | Kind::Bool) { Kind::String } else { of };
                    format!("std.length({})", self.of(&of, d))
                }
                3 => format!("std.max({}, {})", self.of(t, d), self.of(t, d)),
                4 => {
                    let items = Kind::Array(Box::new(Kind::Number));
                    format!("std.foldl(function(a, x) a + x, {}, 0)", self.of(&items, d))
                }
                5 => format!("({} * 2 %% 7)", self.of(t, d)).replace("%%", "%"),
                _ => format!("std.parseInt(std.toString({}))", self.number()),
            },
            Kind::String => match self.r.below(8) {
                0 => format!("({} + {})", self.of(t, d), self.of(&other, d)),
                1 => format!("({} + {})", self.of(&other, d), self.of(t, d)),
                2 => format!("('%s-%s' % [{}, {}])", self.of(&other, d), self.of(t, d)),
                3 => format!("('%(name)s' % {{ name: {} }})", self.of(&other, d)),
                4 => format!("std.toString({})", self.of(&other, d)),
                5 => format!("std.join(',', {})", self.of(&Kind::Array(Box::new(Kind::String)), d)),
                6 => format!("std.asciiUpper({})", self.of(t, d)),
                _ => format!("std.strReplace({}, 'a', {})", self.of(t, d), self.of(t, d)),
            },
            Kind::Bool => match self.r.below(7) {
                0 => format!("({} == {})", self.of(&other, d), self.of(&other, d)),
                1 => format!("({} < {})", self.of(&Kind::Number, d), self.of(&Kind::Number, d)),
                2 => format!("!{}", self.leaf(t)),
                3 => format!("({} && {})", self.of(t, d), self.of(t, d)),
                4 => format!("std.objectHas({}, 'name')", self.of(&Kind::Object(vec![("name", other.clone())]), d)),
                5 => format!("('spec' in {})", self.of(&Kind::Object(vec![("name", other.clone())]), d)),
                _ => {
                    let items = Kind::Array(Box::new(other.clone()));
                    format!("std.member({}, {})", self.of(&items, d), self.of(&other, d))
                }
            },
            Kind::Array(item) => {
                let items = Kind::Array(Box::new(other.clone()));
                match self.r.below(9) {
                    0 => format!("[{}, {}]", self.of(item, d), self.of(item, d)),
                    1 => format!("({} + {})", self.of(t, d), self.of(t, d)),
                    2 => format!("[{} for {v} in {}]", self.within(&v, &other, item, d), self.of(&items, d)),
                    3 => format!("std.map(function({v}) {}, {})", self.within(&v, &other, item, d), self.of(&items, d)),
                    4 => format!(
                        "std.filter(function({v}) {}, {})",
                        self.within(&v, item, &Kind::Bool, d),
                        self.of(t, d)
                    ),
                    5 => {
                        format!("std.flatMap(function({v}) {}, {})", self.within(&v, &other, t, d), self.of(&items, d))
                    }
                    6 => format!(
                        "std.mapWithIndex(function(i, {v}) {}, {})",
                        self.within(&v, &other, item, d),
                        self.of(&items, d)
                    ),
                    7 => format!(
                        "[{} for {v} in {} if {}]",
                        self.within(&v, &other, item, d),
                        self.of(&items, d),
                        self.within(&v, &other, &Kind::Bool, d)
                    ),
                    _ => format!(
                        "std.foldl(function(a, {v}) a + [{}], {}, [])",
                        self.within(&v, &other, item, d),
                        self.of(&items, d)
                    ),
                }
            }
            Kind::Object(fields) => {
                let fields = fields.clone();
                let Some((first, kind)) = fields.first().cloned() else { return "{}".into() };
                let mut parts: Vec<String> = Vec::new();
                for (name, kind) in &fields {
                    parts.push(format!("{name}: {}", self.of(kind, d)));
                }
                let literal = format!("{{ {} }}", parts.join(", "));
                match self.r.below(12) {
                    0 => format!("({literal} + {{ extra: {} }})", self.of(&other, d)),
                    1 => format!("({} + {{ {first}: {} }})", self.of(t, d), self.of(&kind, d)),
                    2 => format!("std.mergePatch({literal}, {{ extra: {} }})", self.of(&other, d)),
                    3 => format!("({literal} + {{ {first}: super.{first} }})"),
                    4 => format!("std.mapWithKey(function(k, {v}) {v}, {literal})"),
                    5 => format!("{{ [x.key]: x.value for x in std.objectKeysValues({literal}) }}"),
                    6 => format!(
                        "({literal} + {{ [if {} then 'extra']: {} }})",
                        self.of(&Kind::Bool, d),
                        self.of(&other, d)
                    ),
                    7 => format!(
                        "std.foldl(function(o, k) o {{ [k]: {literal}[k] }}, std.objectFields({literal}), {{}})"
                    ),
                    8 => format!("std.objectRemoveKey({literal} {{ extra: {} }}, 'extra')", self.of(&other, d)),
                    9 => format!("(local {v} = {literal}; {v} {{ {first}: {} }})", {
                        let name = format!("{v}.{first}");
                        self.within(&name, &kind, &kind, d)
                    }),
                    _ => literal,
                }
            }
        }
    }
}
