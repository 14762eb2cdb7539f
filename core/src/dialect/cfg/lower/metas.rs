//! Lowers annotations and metadata, and reports those that are not allowed where they are written.

use super::Lower;
use crate::dialect::cfg::problem::CfgProblem;
use crate::dialect::cfg::tree::{Expr, Id, Meta, MetaKind, Op};
use crate::dialect::parser::Focus;
use crate::meta::{Priority, Push, Ranked};
use crate::problem::syntax::SyntaxKind;
use crate::term::{Annot, Apply, FieldMeta, Node, NodeId};
use crate::text::{Name, Span, is_misspelt};

/// The metadata keywords that are not reserved: a bound name of that spelling has precedence.
enum Word {
    Secret,
    Merge(Vec<Id>),
    When(Vec<Id>),
}

/// The metadata that a `let` may have.
#[derive(Default)]
pub(super) struct LetMeta {
    pub annots: Vec<Annot>,
    pub doc: Option<(Name, Span)>,
    pub push: Option<Push>,
}

impl Lower<'_> {
    /// Returns the keyword of `| secret`, `| merge f` or `| when (c)`, unless a name of that spelling is bound.
    fn word(&self, id: Id) -> Option<Word> {
        let (head, args) = match self.tree.expr(id) {
            Expr::Name(_) => (id, &[][..]),
            Expr::Apply(head, args) => (*head, &args[..]),
            _ => return None,
        };
        let Expr::Name(name) = self.tree.expr(head) else { return None };
        let word = match (name.as_str(), args) {
            ("secret", []) => Word::Secret,
            ("merge", [_, ..]) => Word::Merge(args.to_vec()),
            ("when", [_, ..]) => Word::When(args.to_vec()),
            _ => return None,
        };
        (!self.is_defined(name)).then_some(word)
    }

    /// Returns the keyword of `| when k == 'A`, where it is parsed as a function inside an operand.
    fn misparsed_guard(&self, id: Id) -> Option<Name> {
        let mut left = id;
        while let Expr::Binary(_, operand, _) = self.tree.expr(left) {
            left = *operand;
        }
        let word = match self.word(left)? {
            Word::Secret => return None,
            Word::Merge(_) => "merge",
            Word::When(_) => "when",
        };
        (left != id).then(|| Name::new_static(word))
    }

    /// Returns the value in `| secret "x"` and `| secret == "x"`, which lack the `=`.
    fn value_of_secret(&self, id: Id) -> Option<Id> {
        let (first, value) = match self.tree.expr(id) {
            Expr::Apply(head, args) => (*head, *args.first()?),
            Expr::Binary(Op::Eq, left, right) => (*left, *right),
            _ => return None,
        };
        matches!(self.word(first), Some(Word::Secret)).then_some(value)
    }

    /// Whether a contract is a name that nothing defines and that is almost `secret`: `| secert`. The field is masked in the report about it.
    fn is_almost_secret(&self, ty: Id) -> bool {
        let Expr::Name(name) = self.tree.expr(ty) else { return false };
        let is_almost = name.eq_ignore_ascii_case("secret") || is_misspelt(&name.to_lowercase(), "secret");
        is_almost && !self.is_defined(name)
    }

    /// Returns the name that a contract is, or the one that it applies.
    fn first_name(&self, ty: Id) -> Option<Name> {
        match self.tree.expr(ty) {
            Expr::Name(name) => Some(name.clone()),
            Expr::Apply(head, _) => match self.tree.expr(*head) {
                Expr::Name(name) => Some(name.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// Lowers a type or contract, and adds it to `annots`.
    fn annot(&mut self, annots: &mut Vec<Annot>, ty: Id, is_type: bool) {
        let kind = Self::annot_kind(annots, is_type);
        let at_cursor = !is_type && matches!(self.tree.expr(ty), Expr::Cursor);
        let ty = if is_type { self.annotation(ty) } else { self.expr(ty) };
        if let (true, Some(Focus::Name(names))) = (at_cursor, &mut self.focus) {
            self.focus = Some(Focus::Annotation(std::mem::take(names)));
        }
        annots.push(Annot { kind, ty });
    }

    /// Lowers the operand of `merge` or `when`, which may be an application.
    fn operand(&mut self, parts: &[Id]) -> NodeId {
        let Some((head, args)) = parts.split_first() else { return self.hole() };
        let func = self.expr(*head);
        if args.is_empty() {
            return func;
        }
        let span = args.iter().fold(self.builder.span(func), |s, a| s.to(self.tree.span(*a)));
        let args = args.iter().map(|a| (None, self.expr(*a))).collect();
        self.push(Node::Apply(Box::new(Apply { func, args, tailstrict: false })), span)
    }

    fn hole(&mut self) -> NodeId {
        let span = Span::new(crate::text::SourceId(0), 0, 0);
        self.push(Node::Hole, span)
    }

    /// Lowers the metadata of a field.
    pub(super) fn field_meta(&mut self, field: &Name, metas: &[Meta]) -> FieldMeta {
        let mut out = FieldMeta::default();
        let mut ranked: Option<Span> = None;
        for meta in metas {
            let span = meta.span;
            let priority = match &meta.kind {
                MetaKind::Type(ty) => {
                    self.annot(&mut out.annots, *ty, true);
                    continue;
                }
                MetaKind::Contract(ty) => {
                    if let Some(value) = self.value_of_secret(*ty) {
                        out.secret = true;
                        self.problem(self.tree.span(value), CfgProblem::NoEquals(field.clone()));
                        continue;
                    }
                    if let Some(word) = self.misparsed_guard(*ty) {
                        self.problem(self.tree.span(*ty), CfgProblem::OperandNeedsParentheses(word));
                        continue;
                    }
                    match self.word(*ty) {
                        None => {
                            out.secret |= self.is_almost_secret(*ty);
                            self.state.metadata = self.first_name(*ty);
                            self.annot(&mut out.annots, *ty, false);
                            self.state.metadata = None;
                        }
                        Some(Word::Secret) => out.secret = true,
                        Some(Word::Merge(parts)) => {
                            let function = self.operand(&parts);
                            self.set_once(&mut out.merge, function, "merge function", span);
                        }
                        Some(Word::When(parts)) => {
                            let guard = self.operand(&parts);
                            self.set_once(&mut out.guard, guard, "condition", span);
                        }
                    }
                    continue;
                }
                MetaKind::Doc(text) => {
                    // as in Nickel: the first one is used
                    out.doc.get_or_insert_with(|| (text.clone(), span));
                    continue;
                }
                MetaKind::Optional => {
                    out.optional = true;
                    continue;
                }
                MetaKind::NotExported => {
                    out.not_exported = true;
                    continue;
                }
                MetaKind::Default => Some(Priority::Default),
                MetaKind::Force => Some(Priority::Force),
                MetaKind::Priority(n) => Some(Priority::Number(n.clone())),
                MetaKind::Push(push) => {
                    out.push = Some(*push);
                    None
                }
            };
            match ranked {
                Some(first) => self.problem(span, CfgProblem::Priorities { field: field.clone(), first }),
                None => {
                    ranked = Some(span);
                    if let Some(priority) = priority {
                        out.priority = Ranked { priority, span: Some(span) };
                    }
                }
            }
        }
        out
    }

    /// Stores a merge function or a condition. Reports a second one on the same definition.
    fn set_once(&mut self, slot: &mut Option<NodeId>, node: NodeId, what: &'static str, span: Span) {
        match *slot {
            None => *slot = Some(node),
            Some(first) => {
                let first = self.builder.span(first);
                let (name, what) = (Name::new_static("|"), Name::new_static(what));
                self.problem(span, SyntaxKind::Duplicate { name, what, first });
            }
        }
    }

    /// Lowers the types and contracts of a construct that is not a field. Reports all other metadata.
    pub(super) fn annots(&mut self, metas: &[Meta], on: &'static str) -> Vec<Annot> {
        let mut annots = Vec::new();
        for meta in metas {
            match &meta.kind {
                MetaKind::Type(ty) => self.annot(&mut annots, *ty, true),
                MetaKind::Contract(ty) if self.word(*ty).is_none() => self.annot(&mut annots, *ty, false),
                _ => self.report_misplaced(meta, on),
            }
        }
        annots
    }

    /// Lowers the metadata that a `let` may have: types, contracts, `doc` and the two `rec` forms.
    pub(super) fn let_meta(&mut self, metas: &[Meta]) -> LetMeta {
        let mut out = LetMeta::default();
        for meta in metas {
            match &meta.kind {
                MetaKind::Type(ty) => self.annot(&mut out.annots, *ty, true),
                MetaKind::Contract(ty) if self.word(*ty).is_none() => self.annot(&mut out.annots, *ty, false),
                MetaKind::Doc(text) => drop(out.doc.get_or_insert_with(|| (text.clone(), meta.span))),
                MetaKind::Push(push) if out.push.is_none() => out.push = Some(*push),
                _ => self.report_misplaced(meta, "a let binding"),
            }
        }
        out
    }

    /// Reports metadata that is not allowed on a construct.
    fn report_misplaced(&mut self, meta: &Meta, on: &'static str) {
        let word = match &meta.kind {
            MetaKind::Type(_) => ":",
            MetaKind::Contract(id) => match self.word(*id) {
                Some(Word::Secret) => "secret",
                Some(Word::Merge(_)) => "merge",
                Some(Word::When(_)) => "when",
                None => "|",
            },
            MetaKind::Doc(_) => "doc",
            MetaKind::Default => "default",
            MetaKind::Force => "force",
            MetaKind::Priority(_) => "priority",
            MetaKind::Push(Push::Default) => "default rec",
            MetaKind::Push(Push::Force) => "force rec",
            MetaKind::Push(Push::Layer(_)) => "layer",
            MetaKind::Optional => "optional",
            MetaKind::NotExported => "not_exported",
        };
        self.problem(meta.span, CfgProblem::Metadata { word: Name::new_static(word), on: Name::new_static(on) });
    }
}
