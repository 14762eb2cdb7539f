//! The dependency order of recursive definitions: strongly connected components, computed iteratively.

use std::ops::Deref;

/// Indices of definitions, grouped by mutual recursion. Each group follows the groups that it uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Groups(Order);

/// Definitions that do not use each other, such as those of a data file, need no list.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Order {
    /// Groups of one definition each, in order; the number of groups.
    Singly(u32),
    /// The indices of all groups, and the end of each group in that list.
    Grouped(Box<(Vec<u32>, Vec<u32>)>),
}

/// The indices of the definitions in one group, in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group<'a> {
    /// A single definition.
    One(u32),
    /// Several definitions.
    Listed(&'a [u32]),
}

impl Deref for Group<'_> {
    type Target = [u32];
    fn deref(&self) -> &[u32] {
        match self {
            Group::One(index) => std::slice::from_ref(index),
            Group::Listed(indices) => indices,
        }
    }
}

impl Default for Groups {
    fn default() -> Self {
        Groups::in_order(0)
    }
}

impl Groups {
    /// Whether each group is one definition, and the groups are in the order of the definitions.
    pub fn are_in_order(&self) -> bool {
        matches!(self.0, Order::Singly(_))
    }

    /// The groups of `count` definitions that do not use each other.
    pub fn in_order(count: u32) -> Groups {
        Groups(Order::Singly(count))
    }

    /// The groups in dependency order.
    pub fn iter(&self) -> impl Iterator<Item = Group<'_>> {
        let (singly, grouped) = match &self.0 {
            Order::Singly(count) => (*count, None),
            Order::Grouped(grouped) => (0, Some(&**grouped)),
        };
        let listed = grouped.into_iter().flat_map(|(indices, ends)| {
            let starts = std::iter::once(&0).chain(ends);
            starts.zip(ends).map(|(start, end)| indices.get(*start as usize..*end as usize).unwrap_or_default())
        });
        (0..singly).map(Group::One).chain(listed.map(Group::Listed))
    }
}

/// The strongly connected components of `count` definitions under `uses` (user, used), in dependency order
/// (Tarjan 1972, with an explicit stack). Indices within a group ascend. O(count + uses).
pub fn groups(count: usize, uses: &[(u32, u32)]) -> Groups {
    if uses.is_empty() {
        return Groups::in_order(count as u32);
    }
    let mut starts = vec![0u32; count + 1];
    for (from, _) in uses {
        starts[*from as usize + 1] += 1;
    }
    for i in 0..count {
        starts[i + 1] += starts[i];
    }
    let mut fill = starts.clone();
    let mut targets = vec![0u32; uses.len()];
    for (from, to) in uses {
        targets[fill[*from as usize] as usize] = *to;
        fill[*from as usize] += 1;
    }

    const NONE: u32 = u32::MAX;
    let mut index = vec![NONE; count];
    let mut low = vec![0u32; count];
    let mut on_stack = vec![false; count];
    let mut stack: Vec<u32> = Vec::new();
    let mut work: Vec<(u32, u32)> = Vec::new();
    let mut next = 0;
    let (mut out, mut ends) = (Vec::with_capacity(count), Vec::new());
    for root in 0..count as u32 {
        if index[root as usize] != NONE {
            continue;
        }
        work.push((root, starts[root as usize]));
        while let Some((v, edge)) = work.pop() {
            let vi = v as usize;
            if index[vi] == NONE {
                index[vi] = next;
                low[vi] = next;
                next += 1;
                stack.push(v);
                on_stack[vi] = true;
            }
            if edge < starts[vi + 1] {
                let w = targets[edge as usize];
                let wi = w as usize;
                work.push((v, edge + 1));
                if index[wi] == NONE {
                    work.push((w, starts[wi]));
                } else if on_stack[wi] {
                    low[vi] = low[vi].min(index[wi]);
                }
                continue;
            }
            if low[vi] == index[vi] {
                let begin = out.len();
                while let Some(w) = stack.pop() {
                    on_stack[w as usize] = false;
                    out.push(w);
                    if w == v {
                        break;
                    }
                }
                out[begin..].sort_unstable();
                ends.push(out.len() as u32);
            }
            if let Some((parent, _)) = work.last() {
                let pi = *parent as usize;
                low[pi] = low[pi].min(low[vi]);
            }
        }
    }
    Groups(Order::Grouped(Box::new((out, ends))))
}

#[cfg(test)]
mod tests {
    use super::{Groups, groups};

    #[test]
    fn each_group_follows_what_it_uses() {
        // 0 uses 1, 1 and 2 use each other, 3 uses nothing
        let listed = |groups: Groups| groups.iter().map(|g| g.to_vec()).collect::<Vec<_>>();
        assert_eq!(listed(groups(4, &[(0, 1), (1, 2), (2, 1)])), [vec![1, 2], vec![0], vec![3]]);
        assert_eq!(listed(groups(2, &[])), [[0], [1]]);
    }

    #[test]
    fn a_chain_of_any_length_does_not_recurse() {
        let n = 200_000;
        let uses: Vec<_> = (0..n - 1).map(|i| (i, i + 1)).collect();
        assert_eq!(groups(n as usize, &uses).iter().count(), n as usize);
    }
}
