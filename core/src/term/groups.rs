//! Dependency order of recursive definitions: strongly connected components, iteratively.

/// Indices of definitions, grouped by mutual recursion, each group after the groups it uses.
pub type Groups = Vec<Vec<u32>>;

/// The strongly connected components of `count` definitions under `uses` (user, used), in dependency order
/// (Tarjan 1972, with an explicit stack). Members of a group ascend. O(count + uses).
pub fn groups(count: usize, uses: &[(u32, u32)]) -> Groups {
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
    let mut out = Groups::new();
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
                let mut group = Vec::new();
                while let Some(w) = stack.pop() {
                    on_stack[w as usize] = false;
                    group.push(w);
                    if w == v {
                        break;
                    }
                }
                group.sort_unstable();
                out.push(group);
            }
            if let Some((parent, _)) = work.last() {
                let pi = *parent as usize;
                low[pi] = low[pi].min(low[vi]);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::groups;

    #[test]
    fn each_group_follows_what_it_uses() {
        // 0 uses 1, 1 and 2 use each other, 3 uses nothing
        assert_eq!(groups(4, &[(0, 1), (1, 2), (2, 1)]), vec![vec![1, 2], vec![0], vec![3]]);
    }

    #[test]
    fn a_chain_of_any_length_does_not_recurse() {
        let n = 200_000;
        let uses: Vec<_> = (0..n - 1).map(|i| (i, i + 1)).collect();
        assert_eq!(groups(n as usize, &uses).len(), n as usize);
    }
}
