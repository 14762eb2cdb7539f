//! Resources and edges: comprehensions over the names of resources, whose fields have the types of their kind.

use crate::infer::Infer;
use crate::infer::scopes::Variable;
use crate::infer::why::Why;
use crate::term::{Clause, Comprehension, FieldName, Node, RecordLit};
use crate::text::Name;
use crate::ty::{Ty, TyRef};

impl Infer<'_> {
    pub(super) fn resources(&mut self, c: &Comprehension) -> TyRef {
        let term = self.term.clone();
        let mut frames = 0;
        for clause in &c.clauses {
            match clause {
                Clause::For { name, items, .. } => {
                    self.expr(*items);
                    let variable = Variable { name: Some(name.clone()), ..Variable::of(Ty::String.into()) };
                    self.scopes.open(vec![variable]);
                    frames += 1;
                }
                Clause::If(condition) => self.expect_exactly(*condition, Ty::Bool, Why::Condition),
            }
        }
        if let Node::Record(lit) = term.node(c.body) {
            self.parts(lit, None);
        }
        for _ in 0..frames {
            self.scopes.close();
        }
        self.graph()
    }

    /// Infers the parts of a resource. `kind`: the kind, if the fields are those of a resource.
    fn parts(&mut self, lit: &RecordLit, kind: Option<&Name>) {
        let term = self.term.clone();
        for field in &lit.fields {
            if let FieldName::Computed(name) = field.name {
                // a label, whose names the clauses over them have checked
                self.expr(name);
            }
        }
        let own = lit.fields.iter().find_map(|field| match (&field.name, field.body.map(|body| term.node(body))) {
            (FieldName::Static(name), Some(Node::Str(kind))) if name == "kind" => Some(kind.clone()),
            _ => None,
        });
        self.scopes.open_record(Default::default(), self.level, None);
        for field in &lit.fields {
            if let Some(guard) = field.meta.guard {
                self.expect_exactly(guard, Ty::Bool, Why::Condition);
            }
            let Some(body) = field.body else { continue };
            let name = match &field.name {
                FieldName::Static(name) => name.clone(),
                FieldName::Computed(_) => Name::default(),
            };
            let inside = match name.as_str() {
                "fields" => own.clone(),
                "meta" => Some(Name::new_static("Meta")),
                _ => None,
            };
            match term.node(body) {
                Node::Record(inner) => self.parts(inner, inside.as_ref()),
                // several meta parameters
                Node::Merge(all) if inside.is_some() => {
                    for part in all {
                        match term.node(*part) {
                            Node::Record(inner) => self.parts(inner, inside.as_ref()),
                            _ => drop(self.expr(*part)),
                        }
                    }
                }
                Node::Annot(value, annots) => {
                    let ty = self.expr(*value);
                    for annot in annots {
                        let wanted = self.contract(annot.ty);
                        let field = match kind {
                            Some(kind) if kind == "Meta" => format!("Meta:{name}"),
                            Some(kind) => format!("{kind}.{name}"),
                            None => name.to_string(),
                        };
                        let because = self.reason_for(*value, Why::ResourceField(Name::from(field)));
                        self.must(&ty, &wanted, because);
                    }
                }
                _ => {
                    self.expr(body);
                }
            }
        }
        self.scopes.close();
    }
}
