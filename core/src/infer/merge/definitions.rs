//! The history of definitions in merges and sums of objects. It decides whether earlier problems still hold. A definition is
//! identified by the span of its body.

use crate::infer::units::UnitId;
use crate::text::{Name, Span};
use crate::ty::TyRef;
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of combinations that [`Merges::current`] follows.
const CHAIN: usize = 64;

/// A conflict between the type that a field requires of a declared sibling and the definition of that sibling.
pub(super) struct DeclaredConflict {
    /// The problem that was reported for it.
    pub finding: u32,
    /// The unit that reads the sibling.
    pub unit: UnitId,
    /// The sibling's definition.
    pub definition: Span,
}

/// The history of the definitions of one inference.
#[derive(Default)]
pub(in crate::infer) struct Merges {
    overridden: FxHashSet<Span>,
    missing: FxHashMap<Span, Vec<Name>>,
    absorbed: FxHashMap<Span, Vec<Span>>,
    supplied: FxHashSet<(Span, Name)>,
    combined: FxHashMap<Span, Span>,
    /// By definition, the definitions that it is an alias of and whose types it has.
    aliases: FxHashMap<Span, Vec<Span>>,
    type_changes: u32,
    operands: (Option<Span>, Option<Span>),
    tag_reads: FxHashMap<Span, Vec<(TyRef, Span)>>,
    pub(super) declared: Vec<DeclaredConflict>,
}

impl Merges {
    /// Records that a sibling reads a definition, which is a tag: the type that it has for the reader, and the place of the reader.
    pub fn read_tag(&mut self, definition: Span, ty: TyRef, reader: Span) {
        self.tag_reads.entry(definition).or_default().push((ty, reader));
    }

    /// The types that a tag has for its readers.
    pub fn tag_reads(&self, definition: Span) -> Vec<(TyRef, Span)> {
        self.tag_reads.get(&definition).cloned().unwrap_or_default()
    }

    /// Records that a merge overrode definitions, or may have, by values of other types.
    pub fn override_by_another_type(&mut self, definitions: impl IntoIterator<Item = Span>) {
        self.overridden.extend(definitions);
    }

    /// Whether a problem that rests on a definition is no longer certain: the definition was overridden, or the label
    /// that was missing in it was supplied.
    pub fn is_outdated(&self, definition: Span, missing: Option<&Name>) -> bool {
        self.overridden.contains(&definition) || self.is_supplied(definition, missing)
    }

    /// Whether a merge supplied the label that was missing in a definition.
    pub fn is_supplied(&self, definition: Span, missing: Option<&Name>) -> bool {
        missing.is_some_and(|name| self.supplied.contains(&(definition, name.clone())))
    }

    /// Records that a problem rests on a definition: on a label that is missing there, if one is named.
    pub fn rest_on(&mut self, definition: Span, missing: Option<&Name>) {
        let names = self.missing.entry(definition).or_default();
        if let Some(name) = missing.filter(|n| !names.contains(n)) {
            names.push(name.clone());
        }
    }

    /// Whether problems rest on any definitions.
    pub fn has_problems(&self) -> bool {
        !self.missing.is_empty()
    }

    /// The labels that problems miss in a definition.
    pub fn missing(&self, definition: Span) -> Vec<Name> {
        self.missing.get(&definition).cloned().unwrap_or_default()
    }

    /// Records that a merge supplied a label that was missing in a definition.
    pub fn supply(&mut self, definition: Span, name: Name) {
        self.supplied.insert((definition, name));
    }

    /// Records that one definition was merged into another one of its priority, if problems rest on it.
    pub fn absorb(&mut self, into: Option<Span>, other: Option<Span>) {
        let (Some(into), Some(other)) = (into, other) else { return };
        if into != other && (self.missing.contains_key(&other) || self.absorbed.contains_key(&other)) {
            let origins = self.absorbed.entry(into).or_default();
            if !origins.contains(&other) {
                origins.push(other);
            }
        }
    }

    /// A definition and those that were absorbed into it.
    pub fn origins(&self, definition: Span) -> Vec<Span> {
        let mut all = vec![definition];
        let mut next = 0;
        while let Some(at) = all.get(next).copied() {
            next += 1;
            for other in self.absorbed.get(&at).into_iter().flatten() {
                if !all.contains(other) {
                    all.push(*other);
                }
            }
        }
        all
    }

    /// Records that readers of one definition now read another one, which it was combined with.
    pub fn combine(&mut self, removed: Option<Span>, kept: Option<Span>) {
        if let (Some(removed), Some(kept)) = (removed, kept)
            && removed != kept
        {
            self.combined.insert(removed, kept);
        }
    }

    /// The definition that readers of a definition read now: the first of those it was combined with for which `known` holds.
    pub fn current(&self, definition: Span, known: impl Fn(&Span) -> bool) -> Span {
        let mut at = definition;
        for _ in 0..CHAIN {
            match self.combined.get(&at) {
                Some(kept) if !known(&at) => at = *kept,
                _ => break,
            }
        }
        at
    }

    /// Records that the type of one definition is that of another one, which it reads.
    pub fn alias(&mut self, definition: Span, aliased: Span) {
        let known = self.aliases.entry(definition).or_default();
        if !known.contains(&aliased) {
            known.push(aliased);
        }
    }

    /// Adds the definitions that some definitions are aliases of, directly or through others. `O(result)`.
    pub fn follow_aliases(&self, definitions: &mut Vec<Span>) {
        let mut seen: FxHashSet<Span> = FxHashSet::default();
        definitions.retain(|at| seen.insert(*at));
        let mut next = 0;
        while let Some(at) = definitions.get(next).copied() {
            next += 1;
            definitions.extend(self.aliases.get(&at).into_iter().flatten().filter(|of| seen.insert(**of)));
        }
    }

    /// Counts a field that a merge gave another type.
    pub fn change_type(&mut self) {
        self.type_changes += 1;
    }

    /// The number of fields whose type a merge has changed so far.
    pub fn type_changes(&self) -> u32 {
        self.type_changes
    }

    /// Sets the definitions that are being merged. Returns the earlier ones, to be restored afterwards.
    pub fn set_operands(&mut self, operands: (Option<Span>, Option<Span>)) -> (Option<Span>, Option<Span>) {
        std::mem::replace(&mut self.operands, operands)
    }

    /// The definitions that are being merged, left and right.
    pub fn operands(&self) -> (Option<Span>, Option<Span>) {
        self.operands
    }
}
