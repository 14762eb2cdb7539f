//! Tests that the tables are complete and their types can be parsed.

use super::super::LIBRARY;
use super::{Body, item, items};
use crate::dialect::Languages;
use crate::infer::{InferHost, LibraryItem, scheme_of_type};
use crate::problem::Problem;
use crate::term::Import;
use crate::text::{Name, Span};
use crate::ty::{DynReason, Scheme, Ty};
use std::collections::BTreeSet;
use std::sync::Arc;

struct Nowhere;

impl InferHost for Nowhere {
    fn global(&mut self, _: &Name) -> Option<Arc<Scheme>> {
        None
    }
    fn library(&mut self, _: &[Name]) -> Option<LibraryItem> {
        None
    }
    fn import(&mut self, _: &Import, span: Span) -> Result<Arc<Scheme>, Problem> {
        Ok(Arc::new(Scheme::mono(Ty::Dyn(DynReason::Data(span)).into())))
    }
    fn interrupted(&self, _: usize) -> bool {
        false
    }
}

#[test]
fn there_is_one_item_of_each_of_the_161_names() {
    let names: BTreeSet<&str> = items().map(|item| item.name).collect();
    assert_eq!((names.len(), items().count()), (161, 161));
    let is_entry = |path: &[&str]| {
        let path: Vec<Name> = path.iter().map(Name::new).collect();
        Languages::default().entry(&path).is_some()
    };
    assert!(is_entry(&[LIBRARY, "foldl"]) && is_entry(&[LIBRARY]));
    assert!(!is_entry(&["std", "foldl"]) && !is_entry(&[LIBRARY, "fold"]) && item("fold").is_none());
}

#[test]
fn the_type_of_a_function_has_its_parameters() {
    for item in items() {
        let (scheme, problems) = scheme_of_type(&crate::dialect::library::signature(item.ty), &mut Nowhere);
        assert!(problems.is_empty(), "{} : {}: {problems:?}", item.name, item.ty);
        let ty = item.saturated(scheme).ty;
        match (&item.body, &*ty) {
            (Body::Function(_), Ty::Fun(params, _)) => {
                let named = params.iter().filter_map(|p| p.name.as_deref());
                assert!(named.eq(item.params.iter().map(|p| p.name)), "{} : {}", item.usage(), item.ty);
            }
            (Body::Function(_), _) => panic!("{} : {}", item.usage(), item.ty),
            _ => assert!(item.params.is_empty(), "{}", item.name),
        }
    }
}
