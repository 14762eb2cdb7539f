//! Types in the syntax of mcl, with variables `?1`, `?2`, … in the order of first use.

use crate::styled::{Role, Styled};
use crate::text::Name;
use crate::ty::{Generic, Row, Scheme, Tail, Ty, TyRef};
use rustc_hash::FxHashMap;

/// Maximum number of type nodes that are printed. Types share parts, so a small type can have a very long text.
const LIMIT: usize = 20_000;

/// Prints a scheme with roles, in lines of at most `width` columns if possible. `names`: the names of
/// the scheme's variables; without names, they are numbered.
pub fn styled(scheme: &Scheme, width: Option<usize>, names: &[Name]) -> Styled {
    let mut flat = Printer::new(None, names);
    flat.ty(&scheme.ty, 0);
    match width {
        Some(width) if flat.out.text().chars().count() > width => {
            let mut broken = Printer::new(Some(width), names);
            broken.ty(&scheme.ty, 0);
            broken.out
        }
        _ => flat.out,
    }
}

struct Printer<'n> {
    /// The names of the variables of the outermost scheme.
    given: &'n [Name],
    out: Styled,
    /// The numbers of variables, by the scheme that binds them and their index.
    names: FxHashMap<(u32, u32), usize>,
    nest: Vec<u32>,
    schemes: u32,
    left: usize,
    width: Option<usize>,
}

impl<'n> Printer<'n> {
    fn new(width: Option<usize>, given: &'n [Name]) -> Printer<'n> {
        Printer {
            given,
            out: Styled::new(),
            names: FxHashMap::default(),
            nest: vec![0],
            schemes: 1,
            left: LIMIT,
            width,
        }
    }

    fn op(&mut self, text: &str) {
        self.out.push(Role::Operator, text);
    }

    fn word(&mut self, text: &str) {
        self.out.push(Role::Type, text);
    }

    fn ty(&mut self, ty: &TyRef, indent: usize) {
        if self.left == 0 {
            return self.op("…");
        }
        self.left -= 1;
        crate::deep::deeper(|| self.ty_here(ty, indent));
    }

    fn ty_here(&mut self, ty: &TyRef, indent: usize) {
        match &**ty {
            Ty::Bool => self.word("bool"),
            Ty::String => self.word("str"),
            Ty::Int => self.word("int"),
            Ty::Float => self.word("float"),
            Ty::Number => self.word("number"),
            Ty::Null => self.word("graph"),
            Ty::Var(g) => self.variable(*g),
            Ty::Array(item) => {
                self.op("[]");
                self.ty(item, indent);
            }
            Ty::Map(key, value) => {
                self.word("map");
                self.op("{");
                self.ty(key, indent);
                self.op(": ");
                self.ty(value, indent);
                self.op("}");
            }
            Ty::Fun(params, result) => {
                self.word("func");
                self.op("(");
                for (i, param) in params.iter().enumerate() {
                    if i > 0 {
                        self.op(", ");
                    }
                    self.ty(&param.ty, indent);
                }
                self.op(") ");
                self.ty(result, indent);
            }
            Ty::Record(row) => self.row(row, indent),
            Ty::Forall(scheme) => {
                self.nest.push(self.schemes);
                self.schemes += 1;
                self.ty(&scheme.ty, indent);
                self.nest.pop();
            }
            Ty::Fails(_, inner) | Ty::Sibling(_, inner) | Ty::Error(inner) | Ty::Contract(inner) => {
                self.ty(inner, indent)
            }
            Ty::Enum(..) => self.word("str"),
            Ty::Union(_) | Ty::Live(_) | Ty::Library(_) | Ty::Dyn(_) | Ty::Bottom => self.word("variant"),
        }
    }

    fn variable(&mut self, g: Generic) {
        let at = self.nest.len().saturating_sub(1 + g.up as usize);
        let key = (self.nest.get(at).copied().unwrap_or(0), g.index);
        if let (0, Some(name)) = (key.0, self.given.get(key.1 as usize)) {
            return self.out.push(Role::Type, name.as_str());
        }
        let next = self.names.len() + 1;
        let number = *self.names.entry(key).or_insert(next);
        self.out.push(Role::Type, format!("?{number}"));
    }

    /// Prints a struct, or the variables and functions that a file or a class binds.
    fn row(&mut self, row: &Row, indent: usize) {
        let bound: Vec<(&Name, &TyRef, String)> = match row.fields().any(|(name, _)| is_bound(name)) {
            true => {
                let mut all: Vec<_> = row
                    .fields()
                    .filter_map(|(name, field)| Some((name, &field.ty, String::from(shown(name)?))))
                    .collect();
                all.sort_by(|a, b| a.2.cmp(&b.2));
                all
            }
            false => {
                let graph = row.fields().all(|(_, field)| matches!(&*field.ty, Ty::Null)) && !row.is_empty();
                if graph {
                    return self.empty();
                }
                let order: Vec<&Name> = match &row.order {
                    Some(order) => order.iter().collect(),
                    None => row.fields().map(|(name, _)| name).collect(),
                };
                order
                    .into_iter()
                    .filter_map(|name| row.get(name).map(|field| (name, &field.ty, name.to_string())))
                    .collect()
            }
        };
        self.word("struct");
        self.op("{");
        let broken = self.width.is_some() && bound.len() > 1;
        let count = bound.len();
        for (i, (_, ty, name)) in bound.into_iter().enumerate() {
            if broken {
                self.out.plain(format!("\n{}", "  ".repeat(indent + 1)));
            } else if i > 0 {
                self.op("; ");
            }
            self.out.push(Role::Name, name);
            self.op(" ");
            self.ty(ty, indent + 1);
            if broken && i + 1 < count {
                self.op(";");
            }
        }
        match row.tail() {
            Tail::Closed => {}
            _ if count > 0 => self.op("; ..."),
            _ => self.op("..."),
        }
        if broken {
            self.out.plain(format!("\n{}", "  ".repeat(indent)));
        }
        self.op("}");
    }

    fn empty(&mut self) {
        self.word("struct");
        self.op("{}");
    }
}

/// Returns `true` for the internal name of something that a file or a class binds.
fn is_bound(name: &str) -> bool {
    name.starts_with('$') || name.contains(' ')
}

/// Returns the name of a variable or a function as a program writes it.
fn shown(name: &str) -> Option<&str> {
    name.strip_prefix('$').or_else(|| name.strip_prefix("func "))
}
