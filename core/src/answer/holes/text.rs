//! Holes as text: the type that each must have, and the names that fit.

use super::{Hole, InputHoles};
use crate::answer::Renderer;
use crate::answer::types::styled;
use crate::dialect::notation::ty::named;
use crate::problem::ProblemKind;
use crate::styled::{Role, Styled};
use crate::text::Name;

/// Maximum number of names.
pub const SHOWN: usize = 12;

/// Renders the holes as lines, without a line end after the last.
pub fn text(found: &InputHoles, to: &Renderer<'_>) -> Styled {
    let mut out = Styled::new();
    let is_read = found.problems.iter().all(|problem| matches!(problem.kind, ProblemKind::Types(_)));
    if found.holes.is_empty() && is_read {
        let none = "no holes: a name that begins with `_` and is bound nowhere is one, as in `1 + _x`";
        out.push(Role::Dim, none);
    }
    for hole in &found.holes {
        if !out.is_empty() {
            out.plain("\n");
        }
        out.push(Role::Name, hole.name.as_str());
        out.push(Role::Operator, to.dialect.spelling().of);
        out.append(&ty(hole, to));
        out.plain("\n  ");
        out.append(&fits(hole));
    }
    out
}

/// Returns the type that a hole must have. Its variables are unknown, so there is no `forall`.
pub fn ty(hole: &Hole, to: &Renderer<'_>) -> Styled {
    let letters = ('a'..='z').map(|letter| Name::from(String::from(letter)));
    let letters: Vec<Name> = letters.take(hole.ty.vars.len()).collect();
    match letters.len() == hole.ty.vars.len() && hole.ty.constraints.is_empty() {
        true => named(to.dialect.spelling(), &hole.ty, &letters),
        false => styled(&hole.ty, to),
    }
}

/// Returns the names that fit, as a sentence.
pub fn fits(hole: &Hole) -> Styled {
    let fits: Vec<&str> = hole.fits.iter().take(SHOWN).map(|name| name.as_str()).collect();
    let mut out = Styled::of(
        Role::Dim,
        match (fits.as_slice(), hole.any) {
            ([], true) => String::from("anything fits"),
            ([], false) => String::from("no name fits"),
            (fits, true) => format!("anything fits: {}", fits.join(", ")),
            (fits, false) => format!("fits: {}", fits.join(", ")),
        },
    );
    if hole.fits.len() > SHOWN {
        out.push(Role::Dim, format!(" and {} more", hole.fits.len() - SHOWN));
    }
    if hole.cut {
        out.push(Role::Dim, " (not every name was tried)");
    }
    out
}
