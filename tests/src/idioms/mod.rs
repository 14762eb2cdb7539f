//! Programs of cfg as people write them: contracts and functions in files of their own, pipelines of library functions, `match` on
//! tags with arguments, destructured parameters with defaults, merges with priorities, texts. Some have a fault.

mod templates;

use crate::generate::Rng;

/// The files that the programs import, by name.
pub const FILES: &[(&str, &str)] = &[
    (
        "contracts.ncl",
        r#"{
  Port | doc "A TCP port" = std.contract.from_predicate (fun p => std.is_number p && p > 0 && p < 65536),
  Name =
    std.contract.from_validator (
      fun s =>
        if std.is_string s && std.string.length s > 0 then
          'Ok
        else
          'Error { message = "a name must not be empty" }
    ),
  Lowered =
    std.contract.custom (
      fun _label value =>
        if std.is_string value then
          'Ok (std.string.lowercase value)
        else
          'Error { message = "expected a string" }
    ),
  NullOr = fun Contract => std.contract.any_of [std.contract.from_predicate (fun v => v == null), Contract],
  Limits = {
    cpu | Number | default = 1,
    memory | Number | optional,
  },
  Service = {
    name | doc "The name of the service" | Name,
    port | Port | default = 80,
    kind | [| 'Web, 'Db |] | default = 'Web,
    tags | Array String | default = [],
    limits | Limits | default = {},
    ..
  },
}
"#,
    ),
    (
        "lib.ncl",
        r#"let contracts = import "contracts.ncl" in
let arrays = std.array in
{
  url = fun s => "http://%{s.name}:%{std.to_string s.port}",
  sum | Array Number -> Number = std.array.fold_left (fun acc x => acc + x) 0,
  service | String -> Number -> contracts.Service = fun n p => { name = n, port = p },
  make = fun { n, p ? 80 } => { name = n, port = p, kind = 'Web, tags = [], limits = { cpu = 1 } },
  with_port = fun p s => s & { port | force = p },
  describe = match {
    'Tcp port => "tcp %{std.to_string port}",
    'Unix path => path,
    'None => "-",
  },
  by_name = fun services =>
    services
    |> std.array.map (fun s => { field = s.name, value = s })
    |> std.record.from_array,
  opt = fun c r => if c then r else {},
  when = fun c x => if c then [x] else [],
  or_else = fun a b => if a != null then a else b,
  pick = fun c a b => if c then a else b,
  as_array = fun x => if std.is_array x then x else [x],
  labelled = fun r => if std.record.has_field "labels" r then r else r & { labels = { made = true } },
  web = fun s => if s.kind == 'Web then s else { name = "w", port = 80, kind = 'Web, tags = [], limits = { cpu = 1 } },
  compose = fun fs x => std.array.fold_left (fun acc f => f acc) x fs,
  get_in = fun path d r =>
    std.array.fold_left
      (fun acc k => if std.is_record acc && std.record.has_field k acc then acc."%{k}" else d)
      r
      path,
  group = fun key xs =>
    std.array.fold_left
      (fun acc x => let k = key x in std.record.update k (std.record.get_or k [] acc @ [x]) acc)
      {}
      xs,
  split = fun test xs =>
    std.array.fold_left
      (fun acc x => if test x then { yes = acc.yes @ [x], no = acc.no } else { yes = acc.yes, no = acc.no @ [x] })
      { yes = [], no = [] }
      xs,
  overlay = fun layers => std.array.fold_left (fun acc l => acc & l) {} layers,
  depth = fun t => 1 + std.array.fold_left (fun acc c => std.number.max acc (depth c)) 0 t.children,
  array = {
    total : forall a. (a -> Number) -> Array a -> Number
      = fun f xs => xs |> std.array.map f |> std.array.fold_left (fun acc x => acc + x) 0,
    keep = fun test xs => arrays.fold_left (fun acc x => if test x then acc @ [x] else acc) [] xs,
  },
}
"#,
    ),
];

/// The shape of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    Num,
    Str,
    Bool,
    /// `'Web` or `'Db`.
    Tag,
    /// `'Tcp Number`, `'Unix String` or `'None`.
    End,
    Nums,
    Strs,
    Svc,
    Svcs,
    ByName,
    Counts,
    Limits,
}

const SHAPES: [(&str, Shape); 12] = [
    ("num", Shape::Num),
    ("str", Shape::Str),
    ("bool", Shape::Bool),
    ("tag", Shape::Tag),
    ("nums", Shape::Nums),
    ("strs", Shape::Strs),
    ("svc", Shape::Svc),
    ("svcs", Shape::Svcs),
    ("by_name", Shape::ByName),
    ("counts", Shape::Counts),
    ("limits", Shape::Limits),
    ("end", Shape::End),
];

/// The names of the fields of services, which hide variables inside of record literals.
const FIELDS: [&str; 14] =
    ["name", "port", "kind", "tags", "limits", "cpu", "memory", "url", "n", "p", "web", "db", "a", "b"];

struct Generator {
    rng: Rng,
    /// Visible variables, inner ones last.
    scope: Vec<(String, Shape)>,
    /// Percentage of expressions of a wrong shape.
    faults: usize,
}

/// Returns the program of a seed, always the same text. About half have no fault on purpose.
pub fn program(seed: u64) -> String {
    let mut rng = Rng::new(seed ^ 0x6964_696f_6d73);
    let faults = *rng.pick(&[0, 0, 1, 3]);
    let mut generator = Generator { rng, scope: Vec::new(), faults };
    let text = generator.program();
    match generator.rng.chance(if faults == 0 { 0 } else { 30 }) {
        true => generator.misspelt(text),
        false => text,
    }
}

impl Generator {
    fn shape(&mut self, count: usize) -> Shape {
        SHAPES[self.rng.below(count)].1
    }

    fn expr(&mut self, shape: Shape, depth: usize) -> String {
        let shape = if self.rng.chance(self.faults) { self.shape(SHAPES.len()) } else { shape };
        let known: Vec<String> = self.scope.iter().filter(|(_, s)| *s == shape).map(|(name, _)| name.clone()).collect();
        if !known.is_empty() && self.rng.chance(45) {
            return self.rng.pick(&known).clone();
        }
        let all = templates::of(shape);
        let template = if depth == 0 {
            let leaves = all.iter().position(|t| t.contains('<')).unwrap_or(all.len());
            *self.rng.pick(&all[..leaves.max(1)])
        } else {
            *self.rng.pick(all)
        };
        self.filled(template, depth.saturating_sub(1))
    }

    /// Replaces the parts of a template by expressions.
    fn filled(&mut self, template: &str, depth: usize) -> String {
        let mut out = String::new();
        let mut rest = template;
        while let Some((before, hole)) = rest.split_once('<') {
            out.push_str(before);
            // an operator
            let Some((inside, after)) = hole.split_once('>').filter(|_| hole.starts_with(|c: char| c.is_alphabetic()))
            else {
                out.push('<');
                rest = hole;
                continue;
            };
            rest = after;
            let scope = self.scope.clone();
            let (name, bound) = inside.split_once('|').unwrap_or((inside, ""));
            if let Some((variable, shape)) = bound.split_once(':') {
                self.scope.retain(|(other, _)| other != variable);
                self.scope.push((variable.to_string(), named(shape)));
            }
            if name.ends_with('!') {
                self.scope.retain(|(other, _)| !FIELDS.contains(&other.as_str()));
            }
            out.push_str(&self.expr(named(name.trim_end_matches('!')), depth));
            self.scope = scope;
        }
        out + rest
    }

    /// Returns the contract of a shape, if any.
    fn contract(&mut self, shape: Shape) -> &'static str {
        match shape {
            Shape::Num => self.rng.pick::<&str>(&["Number", "contracts.Port", "Dyn"]),
            Shape::Str => self.rng.pick::<&str>(&["String", "contracts.Name", "contracts.NullOr String"]),
            Shape::Bool => "Bool",
            Shape::Tag => "[| 'Web, 'Db |]",
            Shape::End => "[| 'Tcp Number, 'Unix String, 'None |]",
            Shape::Nums => "Array Number",
            Shape::Strs => "Array String",
            Shape::Svc => self.rng.pick::<&str>(&["contracts.Service", "{ name | String, port | Number, .. }"]),
            Shape::Svcs => "Array contracts.Service",
            Shape::ByName => "{ _ | contracts.Service }",
            Shape::Counts => "{ _ : Number }",
            Shape::Limits => "contracts.Limits",
        }
    }

    fn program(&mut self) -> String {
        let mut lines =
            vec![String::from("let contracts = import \"contracts.ncl\" in\nlet lib = import \"lib.ncl\" in")];
        for i in 0..self.rng.below(3) {
            let shape = self.shape(SHAPES.len());
            let meta = if self.rng.chance(30) { format!(" | {}", self.contract(shape)) } else { String::new() };
            lines.push(format!("let v{i}{meta} = {} in", self.expr(shape, 2)));
            self.scope.push((format!("v{i}"), shape));
        }
        let outside = self.scope.len();
        let mut fields = Vec::new();
        for i in 0..1 + self.rng.below(4) {
            let shape = self.shape(SHAPES.len() - 1);
            let mut meta = String::new();
            if self.rng.chance(15) {
                meta.push_str(&format!(" | doc \"field {i}\""));
            }
            if self.rng.chance(35) {
                meta.push_str(&format!(" | {}", self.contract(shape)));
            }
            meta.push_str(self.rng.pick::<&str>(&["", "", " | default", " | default", " | priority 1"]));
            fields.push(format!("  f{i}{meta} = {},", self.expr(shape, 3)));
            self.scope.push((format!("f{i}"), shape));
        }
        let known = self.scope.split_off(outside);
        let mut all = format!("{{\n{}\n}}", fields.join("\n"));
        if self.rng.chance(50) {
            let over: Vec<String> = known
                .iter()
                .filter_map(|(name, shape)| {
                    let priority = *self.rng.pick(&["", " | force", " | priority 2"]);
                    self.rng.chance(40).then(|| format!("{name}{priority} = {}", self.expr(*shape, 1)))
                })
                .collect();
            all = format!("{all} & {{ {} }}", over.join(", "));
        }
        let shown = match self.rng.below(4) {
            0 | 1 => all,
            2 => format!("({all}).{}", self.rng.pick(&known).0),
            _ => {
                let (name, of) = self.rng.pick(&known).clone();
                self.scope.push((String::from("x"), of));
                let shape = self.shape(SHAPES.len() - 1);
                format!("let x = ({all}).{name} in {}", self.expr(shape, 2))
            }
        };
        lines.push(shown);
        lines.join("\n")
    }

    /// Misspells a name in a program.
    fn misspelt(&mut self, text: String) -> String {
        let mut pairs = [
            (".port", ".prot"),
            (".name", ".nmae"),
            ("'Web", "'Wbe"),
            (" port = ", " prt = "),
            ("{ name = ", "{ nam = "),
            (", kind = ", ", knd = "),
            ("'Db =>", "'Bd =>"),
            ("lib.url", "lib.ulr"),
            ("fun s =>", "fun s t =>"),
        ];
        self.rng.shuffle(&mut pairs);
        match pairs.iter().find(|(right, _)| text.contains(right)) {
            Some((right, wrong)) => text.replacen(right, wrong, 1),
            None => text,
        }
    }
}

fn named(name: &str) -> Shape {
    SHAPES.iter().find(|(other, _)| *other == name).map_or(Shape::Num, |(_, shape)| *shape)
}
