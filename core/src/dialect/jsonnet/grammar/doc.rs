//! Documentation: the comments directly above a definition.

use super::Parser;
use crate::text::{Name, Span};

impl Parser<'_> {
    /// Returns the text of the comments directly above the next token. Only comments on separate lines count.
    pub(super) fn doc(&self) -> Option<(Name, Span)> {
        let gap = self.gap();
        if !gap.contains(['#', '/']) {
            return None;
        }
        let (from, mut below) = (self.last_end(), self.token.start);
        let end = self.comments.partition_point(|c| c.end <= below);
        let mut lines = Vec::new();
        let mut span: Option<Span> = None;
        for comment in self.comments[..end].iter().rev().take_while(|c| c.start >= from) {
            let between = self.text.get(comment.end as usize..below as usize).unwrap_or("");
            let before = self.text.get(..comment.start as usize).unwrap_or("");
            let line = before.get(before.rfind('\n').map_or(0, |at| at + 1)..).unwrap_or("");
            if between.matches('\n').count() != 1 || !line.trim().is_empty() {
                break;
            }
            lines.push(bare(self.slice(*comment)));
            let here = self.span_of(*comment);
            span = Some(span.map_or(here, |s| here.to(s)));
            below = comment.start;
        }
        lines.reverse();
        let text = lines.join("\n");
        (!text.trim().is_empty()).then_some((Name::new(text.trim()), span?))
    }
}

/// Returns the text of a comment without its delimiters.
fn bare(comment: &str) -> String {
    if let Some(block) = comment.strip_prefix("/*") {
        let block = block.strip_suffix("*/").unwrap_or(block).trim_start_matches('*');
        let lines = block.lines().map(|l| l.trim().trim_start_matches('*').trim());
        return lines.collect::<Vec<_>>().join("\n").trim().to_string();
    }
    comment.trim_start_matches(['/', '#']).trim().to_string()
}
