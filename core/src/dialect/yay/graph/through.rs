//! Expansion inside the bodies of loops and macros: their directives are expanded too, with the values of the variables around them.

use super::expand::Expander;
use super::{Edge, Node, NodeIndex, Role, What};

impl Expander<'_> {
    /// Expands the directives inside a node. References are not followed. A directive that fails, or that reads names without a known
    /// value, is left as it is.
    pub(super) fn through(&mut self, index: NodeIndex) -> NodeIndex {
        crate::deep::deeper(|| self.through_here(index))
    }

    fn through_here(&mut self, index: NodeIndex) -> NodeIndex {
        if let Some(known) = self.through.get(&index) {
            return *known;
        }
        let node = self.node(index);
        if self.is_full() || !matches!(node.what, What::Mapping | What::Sequence | What::Context) {
            return index;
        }
        // a node that contains itself is left as it is
        self.through.insert(index, index);
        let mut parts: Vec<(&Edge, Vec<NodeIndex>)> = Vec::with_capacity(node.edges.len());
        for edge in &node.edges {
            let inside = match edge.role {
                Role::Element | Role::Index(_) => self.elements(edge.to),
                _ => vec![self.inside(edge.to)],
            };
            parts.push((edge, inside));
        }
        let changed = parts.iter().any(|(edge, inside)| *inside != [edge.to]);
        let joined = parts.iter().any(|(_, inside)| inside.len() != 1);
        let mut own = Node { edges: Vec::new(), ..node.clone() };
        let mut number = 0;
        for (edge, inside) in parts {
            for to in inside {
                match edge.role {
                    Role::Element | Role::Index(_) if joined => number = self.element(&mut own, number, to),
                    _ => own.edge(edge.role.clone(), to),
                }
            }
        }
        if !changed {
            return index;
        }
        let made = self.add(own);
        self.through.insert(index, made);
        made
    }

    /// Adds an element to a sequence. Returns the index of the next one.
    pub(super) fn element(&mut self, sequence: &mut Node, number: usize, part: NodeIndex) -> usize {
        match self.node(part).what {
            What::More(count) => {
                sequence.edge(Role::Element, part);
                number.saturating_add(count)
            }
            _ => {
                sequence.edge(Role::Index(number), part);
                number.saturating_add(1)
            }
        }
    }

    /// Expands a part of a node if it is a directive, and what it holds.
    fn inside(&mut self, part: NodeIndex) -> NodeIndex {
        let node = self.node(part);
        let directive = matches!(node.what, What::If | What::Select | What::For(_) | What::Call | What::New);
        let expanded = match directive && self.is_known(&node) {
            true => self.expand(part, None).unwrap_or(part),
            false => part,
        };
        self.through(expanded)
    }

    /// Expands a part of a list. The elements of a directive are elements of the list.
    fn elements(&mut self, part: NodeIndex) -> Vec<NodeIndex> {
        let node = self.node(part);
        if !matches!(node.what, What::If | What::Select | What::For(_)) || !self.is_known(&node) {
            return vec![self.inside(part)];
        }
        let expanded = match node.what {
            What::For(_) => self.expand(part, None).map(Some),
            _ => self.chosen(&node),
        };
        match expanded {
            Err(_) => vec![part],
            // no branch holds
            Ok(None) => Vec::new(),
            Ok(Some(expanded)) => {
                let expanded = self.inside(expanded);
                let list = self.node(expanded);
                match list.what {
                    What::Sequence => list.edges.iter().map(|edge| edge.to).collect(),
                    _ => vec![expanded],
                }
            }
        }
    }

    /// Returns `true` if a directive can be expanded: its guard or its list has a value.
    fn is_known(&mut self, node: &Node) -> bool {
        match node.what {
            What::If | What::Select | What::For(_) => matches!(self.value(node), Ok(Some(_))),
            _ => true,
        }
    }
}
