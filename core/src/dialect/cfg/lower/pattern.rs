//! Lowers patterns.
//!
//! The expressions in a pattern (defaults, contracts) cannot refer to the names that the pattern binds, as in Nickel,
//! but they are evaluated in its frame. So they are lowered first ([`Lower::prepare`]), in the order in which
//! [`Lower::bind_pattern`] uses them.

use super::Lower;
use crate::dialect::cfg::problem::CfgProblem;
use crate::dialect::cfg::tree::{self, PId, Pattern};
use crate::problem::syntax::SyntaxKind;
use crate::term::{Annot, FieldPat, NodeId, PatId, PatKind, Rest};
use crate::text::{Name, Span};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// The lowered expressions of a pattern.
#[derive(Default)]
pub(super) struct Prepared(VecDeque<(Vec<Annot>, Option<NodeId>)>);

impl Lower<'_> {
    /// Lowers the expressions in a pattern.
    pub(super) fn prepare(&mut self, pattern: PId) -> Prepared {
        let mut out = Prepared::default();
        self.prepare_into(pattern, &mut out);
        out
    }

    fn prepare_into(&mut self, id: PId, out: &mut Prepared) {
        let tree = self.tree;
        crate::deep::deeper(|| match tree.pattern(id) {
            Pattern::Any | Pattern::Bind(_) | Pattern::Tag(_) => {}
            Pattern::Const(expr) => {
                let node = self.expr(*expr);
                out.0.push_back((Vec::new(), Some(node)));
            }
            Pattern::As(_, inner) | Pattern::Variant(_, inner) => self.prepare_into(*inner, out),
            Pattern::Array(items, _) | Pattern::Or(items) => {
                for item in items {
                    self.prepare_into(*item, out);
                }
            }
            Pattern::Record(fields, _) => {
                for field in fields {
                    let annots = self.annots(&field.metas, "a pattern");
                    let default = field.default.map(|d| self.expr(d));
                    out.0.push_back((annots, default));
                    self.prepare_into(field.pattern, out);
                }
            }
        })
    }

    /// Binds the names of a pattern in the innermost frame.
    pub(super) fn bind_pattern(&mut self, id: PId, prepared: Prepared) -> PatId {
        self.check_pattern(id, &mut FxHashMap::default());
        self.bind_prepared(id, prepared)
    }

    /// Binds the names of a pattern like [`Lower::bind_pattern`], without a check for duplicate names.
    pub(super) fn bind_prepared(&mut self, id: PId, mut prepared: Prepared) -> PatId {
        self.bind(id, &mut prepared, false)
    }

    /// `rebinds`: whether an earlier alternative of an `or` pattern has bound the same names.
    fn bind(&mut self, id: PId, prepared: &mut Prepared, rebinds: bool) -> PatId {
        let tree = self.tree;
        let span = tree.pattern_span(id);
        let kind = crate::deep::deeper(|| match tree.pattern(id) {
            Pattern::Any => PatKind::Any,
            Pattern::Bind(name) => PatKind::Bind(self.slot(name, rebinds)),
            Pattern::As(name, inner) => {
                let slot = self.slot(&name.name, rebinds);
                PatKind::As(slot, self.bind(*inner, prepared, rebinds))
            }
            Pattern::Const(_) => match prepared.0.pop_front() {
                Some((_, Some(node))) => PatKind::Const(node),
                _ => PatKind::Any,
            },
            Pattern::Tag(tag) => PatKind::Tag(tag.clone()),
            Pattern::Variant(tag, inner) => PatKind::Variant(tag.clone(), self.bind(*inner, prepared, rebinds)),
            Pattern::Record(fields, rest) => {
                let fields = fields
                    .iter()
                    .map(|field| {
                        let (annots, default) = prepared.0.pop_front().unwrap_or_default();
                        let pat = self.bind(field.pattern, prepared, rebinds);
                        FieldPat { name: field.name.name.clone(), span: field.name.span, pat, annots, default }
                    })
                    .collect();
                PatKind::Record(fields, self.rest(rest, rebinds))
            }
            Pattern::Array(items, rest) => {
                let items = items.iter().map(|i| self.bind(*i, prepared, rebinds)).collect();
                PatKind::Array(items, self.rest(rest, rebinds))
            }
            Pattern::Or(items) => {
                let items = items.iter().enumerate().map(|(i, p)| self.bind(*p, prepared, rebinds || i > 0)).collect();
                PatKind::Or(items)
            }
        });
        self.builder.pat(kind, span)
    }

    /// Returns the slot of a name: a new one, or that of an earlier alternative.
    fn slot(&mut self, name: &Name, rebinds: bool) -> u32 {
        match self.builder.bound_here(name) {
            Some(slot) if rebinds => slot,
            _ => self.builder.bind(name.clone()),
        }
    }

    fn rest(&mut self, rest: &tree::Rest, rebinds: bool) -> Rest {
        match rest {
            tree::Rest::Closed => Rest::Closed,
            tree::Rest::Open => Rest::Open,
            tree::Rest::Bind(name) => Rest::Bind(self.slot(&name.name, rebinds)),
        }
    }

    /// Collects the names that a pattern binds. Reports duplicate names, duplicate fields, and alternatives that bind
    /// different names.
    pub(super) fn check_pattern(&mut self, id: PId, seen: &mut FxHashMap<Name, Span>) {
        let tree = self.tree;
        let span = tree.pattern_span(id);
        crate::deep::deeper(|| match tree.pattern(id) {
            Pattern::Any | Pattern::Const(_) | Pattern::Tag(_) => {}
            Pattern::Bind(name) => self.record_name(name, span, seen),
            Pattern::As(name, inner) => {
                self.record_name(&name.name, name.span, seen);
                self.check_pattern(*inner, seen);
            }
            Pattern::Variant(_, inner) => self.check_pattern(*inner, seen),
            Pattern::Record(fields, rest) => {
                let mut names: FxHashMap<&Name, Span> = FxHashMap::default();
                for field in fields {
                    if let Some(first) = names.insert(&field.name.name, field.name.span) {
                        let what = Name::new_static("field");
                        let name = field.name.name.clone();
                        self.problem(field.name.span, SyntaxKind::Duplicate { name, what, first });
                        continue;
                    }
                    self.check_pattern(field.pattern, seen);
                }
                self.record_rest(rest, seen);
            }
            Pattern::Array(items, rest) => {
                for item in items {
                    self.check_pattern(*item, seen);
                }
                self.record_rest(rest, seen);
            }
            Pattern::Or(items) => {
                let mut first: Option<FxHashMap<Name, Span>> = None;
                for item in items {
                    let mut names = FxHashMap::default();
                    self.check_pattern(*item, &mut names);
                    let Some(first) = &first else {
                        first = Some(names);
                        continue;
                    };
                    for (name, place) in &names {
                        if !first.contains_key(name) {
                            self.problem(*place, CfgProblem::OrPattern(name.clone()));
                        }
                    }
                    let here = tree.pattern_span(*item);
                    for name in first.keys().filter(|n| !names.contains_key(*n)) {
                        self.problem(here, CfgProblem::OrPattern(name.clone()));
                    }
                }
                for (name, place) in first.unwrap_or_default() {
                    self.record_name(&name, place, seen);
                }
            }
        })
    }

    fn record_rest(&mut self, rest: &tree::Rest, seen: &mut FxHashMap<Name, Span>) {
        if let tree::Rest::Bind(name) = rest {
            self.record_name(&name.name, name.span, seen);
        }
    }

    /// Records that a pattern binds a name. Reports a duplicate; Nickel silently uses the last one.
    fn record_name(&mut self, name: &Name, span: Span, seen: &mut FxHashMap<Name, Span>) {
        if let Some(first) = seen.insert(name.clone(), span) {
            let what = Name::new_static("binding");
            self.warning(span, SyntaxKind::Duplicate { name: name.clone(), what, first });
        }
    }
}
