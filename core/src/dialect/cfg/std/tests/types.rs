//! Tests the signatures against the functions: a program that evaluates without error has no type errors.

use super::super::{Entry, STD, library};
use super::oracle::{ANSWERS, DIFFERENCES};
use crate::dialect::{Dialect, StdNames};
use crate::infer::{self, InferHost, LibraryItem, Options};
use crate::problem::{Problem, Severity};
use crate::term::Import;
use crate::text::{Name, SourceId, Span};
use crate::ty::{DynReason, Scheme, Ty};
use rustc_hash::FxHashMap;
use std::sync::Arc;

#[derive(Default)]
struct Signatures(FxHashMap<String, Arc<Scheme>>);

impl InferHost for Signatures {
    fn global(&mut self, _: &Name) -> Option<Arc<Scheme>> {
        None
    }
    fn library(&mut self, path: &[Name]) -> Option<LibraryItem> {
        Some(match library(path)? {
            Entry::Module(module) => {
                let modules = module.modules.iter().map(|module| module.name());
                let names = module.items.iter().map(|item| item.name).chain(modules);
                LibraryItem::Module(names.map(Name::new_static).collect())
            }
            Entry::Item(item) => {
                let key = path.join(".");
                if let Some(known) = self.0.get(&key) {
                    return Some(LibraryItem::Value(known.clone()));
                }
                let (scheme, problems) = infer::scheme_of_type(&crate::dialect::library::signature(item.ty), self);
                assert!(problems.is_empty(), "{key} : {}: {problems:?}", item.ty);
                let scheme = Arc::new(scheme);
                self.0.insert(key, scheme.clone());
                LibraryItem::Value(scheme)
            }
        })
    }
    fn import(&mut self, _: &Import, span: Span) -> Result<Arc<Scheme>, Problem> {
        Ok(Arc::new(Scheme::mono(Ty::Dyn(DynReason::Data(span)).into())))
    }
    fn interrupted(&self, _: usize) -> bool {
        false
    }
}

#[test]
fn every_signature_reads_as_a_scheme() {
    let mut signatures = Signatures::default();
    let mut modules = vec![&STD];
    while let Some(module) = modules.pop() {
        for item in module.items {
            let path: Vec<Name> = format!("{}.{}", module.path, item.name).split('.').map(Name::new).collect();
            assert!(matches!(signatures.library(&path), Some(LibraryItem::Value(_))), "{path:?}");
        }
        modules.extend(module.modules.iter().copied());
    }
}

#[test]
fn what_evaluates_in_nickel_is_no_type_error_here() {
    let mut signatures = Signatures::default();
    let mut wrong = Vec::new();
    for answers in ANSWERS {
        let mut lines = answers.lines();
        while let (Some(question), Some(answer)) = (lines.next(), lines.next()) {
            let refused = DIFFERENCES.iter().any(|(q, ours, _)| *q == question && *ours == "fails");
            if answer == "=> fails" || refused {
                continue;
            }
            let program = Dialect::CFG.program(SourceId(0), question, &StdNames);
            let inferred = infer::infer(&program.term, &mut signatures, Options::default());
            if let Some(problem) = inferred.problems.iter().find(|p| p.severity == Severity::Error) {
                wrong.push(format!("{question}\n  {problem:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
