//! Units of evaluation. A unit is a part of the program that is evaluated as a whole or not at all: the body of a field, an
//! array element, an argument, a branch, the body of a function.

use crate::text::{Name, Span};
use crate::ty::Failure;
use std::ops::Range;

/// Maximum number of faults of one unit that are remembered besides the first.
pub(super) const FURTHER_FAULTS: usize = 7;

/// A unit, by index into [`Units`].
pub(super) type UnitId = u32;

/// Why a unit is evaluated.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(super) enum Role {
    /// It may never be evaluated.
    #[default]
    Perhaps,
    /// It is the whole program, or an element of the unit around it.
    Part,
    /// It is the body of a field; the span is that of the definition.
    Field(Span),
}

#[derive(Default)]
struct Unit {
    parent: UnitId,
    /// Whether it has been left.
    left: bool,
    role: Role,
    fault: Option<Failure>,
    further_faults: Vec<Failure>,
    assumes: Vec<Span>,
    /// The number of entries of [`Units::found`] when it was entered.
    found: usize,
    demands: Vec<ForcedPath>,
}

/// A field of a parameter, or the parameter itself, that a unit forces.
pub(super) struct ForcedPath {
    /// The frame of the parameter.
    pub frame: usize,
    /// The slot of the parameter in that frame.
    pub slot: u32,
    /// The fields that lead to the forced part.
    pub path: Vec<Name>,
}

/// The units of one inference, and the one that is being inferred.
pub(super) struct Units {
    all: Vec<Unit>,
    current: UnitId,
    /// The findings of all units, in the order in which they were reported. Those of a unit and of the units inside it are a range.
    found: Vec<u32>,
}

/// A unit that has been inferred.
pub(super) struct Finished {
    /// The fault that evaluating the unit is certain to run into.
    pub fault: Option<Failure>,
    /// The faults it runs into if the first one is fixed by an object that its own object is combined with.
    pub further_faults: Vec<Failure>,
    /// The definitions of siblings that it read, assuming that no merge overrides them.
    pub assumes: Vec<Span>,
    /// The findings reported in it and in the units inside it, as a range for [`Units::finding`].
    pub findings: Range<usize>,
}

impl Default for Units {
    /// The unit of the whole program.
    fn default() -> Units {
        Units { all: vec![Unit::default()], current: 0, found: Vec::new() }
    }
}

impl Units {
    /// The unit that is being inferred.
    pub fn current(&self) -> UnitId {
        self.current
    }

    /// Enters a new unit inside the current one. Returns the unit to hand to [`Units::leave`].
    pub fn enter(&mut self, role: Role) -> UnitId {
        let parent = std::mem::replace(&mut self.current, self.all.len() as u32);
        self.all.push(Unit { parent, role, found: self.found.len(), ..Unit::default() });
        parent
    }

    /// Leaves the current unit for the one around it.
    pub fn leave(&mut self, parent: UnitId) -> Finished {
        let left = std::mem::replace(&mut self.current, parent);
        let end = self.found.len();
        let Some(unit) = self.all.get_mut(left as usize) else {
            return Finished { fault: None, further_faults: Vec::new(), assumes: Vec::new(), findings: end..end };
        };
        unit.left = true;
        Finished {
            fault: unit.fault,
            further_faults: std::mem::take(&mut unit.further_faults),
            assumes: std::mem::take(&mut unit.assumes),
            findings: unit.found..end,
        }
    }

    /// A finding of a unit that was left, by its position in [`Finished::findings`].
    pub fn finding(&self, position: usize) -> Option<u32> {
        self.found.get(position).copied()
    }

    /// Whether a unit is the current one or contains it.
    pub fn encloses(&self, unit: UnitId) -> bool {
        self.all.get(unit as usize).is_some_and(|unit| !unit.left)
    }

    /// Records that the current unit read the definition of a sibling, assuming that no merge overrides it.
    pub fn assume(&mut self, at: Span) {
        if let Some(unit) = self.all.get_mut(self.current as usize)
            && unit.assumes.last() != Some(&at)
        {
            unit.assumes.push(at);
        }
    }

    /// Records a problem found in the current unit, by its index in the findings.
    pub fn found(&mut self, finding: u32) {
        self.found.push(finding);
    }

    /// Records that evaluating the current unit runs into a fault. With `several`, later faults are remembered besides the
    /// first.
    pub fn fail(&mut self, fault: Failure, several: bool) {
        let Some(unit) = self.all.get_mut(self.current as usize) else { return };
        match unit.fault {
            None => unit.fault = Some(fault),
            Some(first) => {
                let known = first.span == fault.span || unit.further_faults.iter().any(|f| f.span == fault.span);
                if several && !known && unit.further_faults.len() < FURTHER_FAULTS {
                    unit.further_faults.push(fault);
                }
            }
        }
    }

    /// Records that the current unit forces a field of a parameter.
    pub fn force(&mut self, frame: usize, slot: u32, path: Vec<Name>) {
        if let Some(unit) = self.all.get_mut(self.current as usize) {
            unit.demands.push(ForcedPath { frame, slot, path });
        }
    }

    /// Takes the parts of parameters that the current unit was seen to force.
    pub fn take_forced(&mut self) -> Vec<ForcedPath> {
        self.all.get_mut(self.current as usize).map(|unit| std::mem::take(&mut unit.demands)).unwrap_or_default()
    }

    /// Whether showing the value of a unit evaluates the current one.
    pub fn is_shown_with(&self, unit: UnitId) -> bool {
        let mut at = self.current;
        while at != unit && at != 0 {
            match self.all.get(at as usize) {
                Some(one) if one.role != Role::Perhaps => at = one.parent,
                _ => return false,
            }
        }
        at == unit
    }

    /// The definitions of the fields around a unit, innermost first, as far as showing those fields evaluates the unit.
    /// Empty if it may not be evaluated.
    pub fn fields_around(&self, mut unit: UnitId) -> Vec<Span> {
        let mut fields = Vec::new();
        while let (true, Some(at)) = (unit != 0, self.all.get(unit as usize)) {
            match at.role {
                Role::Field(span) => fields.push(span),
                Role::Part if fields.is_empty() => {}
                // an element or the whole program: not a record with these fields
                Role::Part | Role::Perhaps => break,
            }
            unit = at.parent;
        }
        fields
    }
}
