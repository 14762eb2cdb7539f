//! `cfg merge`: files of any kind as one program, `a & b & …`.

use super::Run;
use crate::dialect::Dialect;
use crate::session::emit::Layout;
use crate::session::request::{Format, Medium, Request};
use crate::term::build::Builder;
use crate::term::{Node, Term};
use crate::text::Span;
use std::sync::Arc;

impl Run<'_> {
    /// The merge of all inputs, in their order. `None`: one of them cannot be read, which was reported, for each of them.
    pub(super) fn merged(&mut self, request: &Request, _layers: bool) -> Option<Arc<Term>> {
        let mut builder = Builder::new();
        let mut operands = Vec::new();
        let mut whole: Option<Span> = None;
        let mut good = true;
        for (index, input) in request.inputs.iter().enumerate() {
            let Some(file) = self.input(input, request.dialect).filter(|file| self.parsed(file)) else {
                good = false;
                continue;
            };
            let span = file.term.span(file.term.root);
            whole.get_or_insert(span);
            operands.push(self.part(&mut builder, &format!("%file{index}"), file.term.clone(), span));
        }
        let root = match (operands.as_slice(), whole) {
            _ if !good => return None,
            ([only], _) => *only,
            (_, Some(span)) => builder.push(Node::Merge(operands.into()), span),
            (_, None) => return None,
        };
        Some(Arc::new(builder.finish(root)))
    }

    /// Prints the merge, or explains a part of it.
    pub(super) fn merge(
        &mut self,
        program: &Arc<Term>,
        at: Option<&str>,
        format: Format,
        _explain: Option<Medium>,
        request: &Request,
    ) {
        self.session.world.dialect.set(Dialect::Cfg);
        self.eval(program, at, &Layout { dialect: Dialect::Cfg, format, jsonnet: &request.jsonnet });
    }
}
