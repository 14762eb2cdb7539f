//! The fields of a row: a persistent map from names to fields. Copies share their nodes. Each node has the marks of its subtree,
//! so that searches and rewrites skip subtrees without the marks that they look for. A comparison of two rows skips
//! the nodes that both share.

use super::{Field, Marks};
use crate::text::Name;
use std::cmp::Ordering;
use std::sync::Arc;

/// Maximum ratio of the sizes of the subtrees of a node.
const MAX_RATIO: usize = 3;
/// Minimum ratio of the inner and the outer grandchild on the heavy side at which rebalancing rotates twice.
const DOUBLE_RATIO: usize = 2;

/// A persistent map from names to fields, balanced by weight.
#[derive(Clone, Default)]
pub struct Fields(Option<Arc<Node>>);

#[derive(Clone)]
struct Node {
    entry: Arc<Entry>,
    left: Fields,
    right: Fields,
    size: usize,
    marks: Marks,
}

struct Entry {
    name: Name,
    field: Field,
    marks: Marks,
}

impl Entry {
    fn new(name: Name, field: Field) -> Arc<Entry> {
        let marks = Marks::of_field(&field);
        Arc::new(Entry { name, field, marks })
    }
}

impl Node {
    /// Computes the size and the marks again after a change of the entry or of a subtree.
    fn update(&mut self) {
        self.size = 1 + self.left.len() + self.right.len();
        self.marks = self.entry.marks.and(self.left.marks()).and(self.right.marks());
    }

    /// Updates and balances the node after one field was added to a subtree or removed from it.
    fn balance(&mut self) {
        let (left, right) = (self.left.len(), self.right.len());
        if left + right > 1 {
            if right > MAX_RATIO * left {
                if let Some(node) = self.right.0.as_mut()
                    && node.left.len() >= DOUBLE_RATIO * node.right.len()
                {
                    Arc::make_mut(node).rotate_right();
                }
                return self.rotate_left();
            }
            if left > MAX_RATIO * right {
                if let Some(node) = self.left.0.as_mut()
                    && node.right.len() >= DOUBLE_RATIO * node.left.len()
                {
                    Arc::make_mut(node).rotate_left();
                }
                return self.rotate_right();
            }
        }
        self.update();
    }

    fn rotate_left(&mut self) {
        let Some(mut child) = self.right.0.take() else { return self.update() };
        let node = Arc::make_mut(&mut child);
        self.right = std::mem::take(&mut node.left);
        self.update();
        std::mem::swap(self, node);
        self.left = Fields(Some(child));
        self.update();
    }

    fn rotate_right(&mut self) {
        let Some(mut child) = self.left.0.take() else { return self.update() };
        let node = Arc::make_mut(&mut child);
        self.left = std::mem::take(&mut node.right);
        self.update();
        std::mem::swap(self, node);
        self.right = Fields(Some(child));
        self.update();
    }
}

impl Fields {
    /// The number of fields.
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |node| node.size)
    }

    /// Whether there are no fields.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The union of the marks of all fields.
    pub fn marks(&self) -> Marks {
        self.0.as_ref().map_or_else(Marks::default, |node| node.marks)
    }

    /// Returns a field by name. O(log fields).
    pub fn get(&self, name: &str) -> Option<&Field> {
        let mut at = self;
        while let Some(node) = &at.0 {
            at = match name.cmp(&node.entry.name) {
                Ordering::Less => &node.left,
                Ordering::Greater => &node.right,
                Ordering::Equal => return Some(&node.entry.field),
            };
        }
        None
    }

    /// Adds a field or replaces it. O(log fields).
    pub fn insert(&mut self, name: Name, field: Field) {
        self.insert_entry(Entry::new(name, field));
    }

    /// Adds an entry or replaces it. Returns whether it was added.
    fn insert_entry(&mut self, entry: Arc<Entry>) -> bool {
        let Some(node) = self.0.as_mut() else {
            *self = Fields::single(entry);
            return true;
        };
        let node = Arc::make_mut(node);
        let marks = entry.marks;
        let (is_added, side) = match entry.name.cmp(&node.entry.name) {
            Ordering::Less => (node.left.insert_entry(entry), &node.left),
            Ordering::Greater => (node.right.insert_entry(entry), &node.right),
            Ordering::Equal => {
                node.entry = entry;
                node.update();
                return false;
            }
        };
        let heavy = side.len();
        if is_added {
            node.size += 1;
            node.marks = node.marks.and(marks);
            let light = node.size - 1 - heavy;
            if heavy > 1 && heavy > MAX_RATIO * light {
                node.balance();
            }
        } else {
            node.update();
        }
        is_added
    }

    fn single(entry: Arc<Entry>) -> Fields {
        let marks = entry.marks;
        Fields(Some(Arc::new(Node { entry, left: Fields::default(), right: Fields::default(), size: 1, marks })))
    }

    /// Removes a field. O(log fields).
    pub fn remove(&mut self, name: &str) {
        if self.get(name).is_some() {
            self.remove_present(name);
        }
    }

    /// Removes a field that the map has.
    fn remove_present(&mut self, name: &str) {
        let Some(node) = self.0.as_mut() else { return };
        let node = Arc::make_mut(node);
        match name.cmp(&node.entry.name) {
            Ordering::Less => node.left.remove_present(name),
            Ordering::Greater => node.right.remove_present(name),
            Ordering::Equal => {
                let from_right = node.right.len() > node.left.len();
                let next = if from_right { node.right.take_first() } else { node.left.take_last() };
                match next {
                    Some(entry) => node.entry = entry,
                    None => {
                        self.0 = None;
                        return;
                    }
                }
            }
        }
        node.balance();
    }

    fn take_first(&mut self) -> Option<Arc<Entry>> {
        let node = Arc::make_mut(self.0.as_mut()?);
        match node.left.take_first() {
            Some(entry) => {
                node.balance();
                Some(entry)
            }
            None => {
                let entry = node.entry.clone();
                *self = std::mem::take(&mut node.right);
                Some(entry)
            }
        }
    }

    fn take_last(&mut self) -> Option<Arc<Entry>> {
        let node = Arc::make_mut(self.0.as_mut()?);
        match node.right.take_last() {
            Some(entry) => {
                node.balance();
                Some(entry)
            }
            None => {
                let entry = node.entry.clone();
                *self = std::mem::take(&mut node.left);
                Some(entry)
            }
        }
    }

    /// The fields in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = (&Name, &Field)> {
        self.iter_where(|_| true)
    }

    /// The fields whose marks pass a test, in alphabetical order. Skips whole subtrees whose marks fail it.
    pub fn iter_where(&self, test: impl Fn(Marks) -> bool) -> impl Iterator<Item = (&Name, &Field)> {
        let mut path: Vec<&Node> = Vec::new();
        let mut next = Some(self);
        std::iter::from_fn(move || {
            loop {
                let mut at = next.take();
                while let Some(node) = at.and_then(|at| at.0.as_deref()).filter(|node| test(node.marks)) {
                    path.push(node);
                    at = Some(&node.left);
                }
                let node = path.pop()?;
                next = Some(&node.right);
                if test(node.entry.marks) {
                    return Some((&node.entry.name, &node.entry.field));
                }
            }
        })
    }

    /// Pairs the fields of two maps by name, in alphabetical order: `(name, field of self, field of other)`. Skips
    /// nodes that both maps share if `skip_shared` is true for their marks. Fields that are equal but not shared are
    /// paired too. O(fields), and O(changes · log fields) for maps of which one was made from the other.
    pub fn unshared_pairs<'f>(
        &'f self,
        other: &'f Fields,
        skip_shared: impl Fn(Marks) -> bool + 'f,
    ) -> UnsharedPairs<'f> {
        let steps = |fields: &'f Fields| fields.0.as_ref().map(Step::Tree).into_iter().collect();
        UnsharedPairs { left: steps(self), right: steps(other), skip_shared: Box::new(skip_shared) }
    }

    /// The address of the root node, as a key for caches that hold the map; `None` for an empty map.
    pub fn address(&self) -> Option<usize> {
        self.0.as_ref().map(|node| Arc::as_ptr(node) as usize)
    }

    /// Whether another map shares the root node.
    pub fn is_shared(&self) -> bool {
        self.0.as_ref().is_some_and(|node| Arc::strong_count(node) > 1)
    }

    /// The field of the root node, with the maps of those before it and after it.
    pub fn root(&self) -> Option<(&Fields, (&Name, &Field), &Fields)> {
        self.0.as_ref().map(|node| (&node.left, (&node.entry.name, &node.entry.field), &node.right))
    }

    /// Returns a map with the same names and new fields: `left` before the root, `root` at it (`None` keeps it),
    /// `right` after it. The names of `left` and `right` must be those of this map. Unchanged nodes are shared.
    pub fn with_parts(&self, left: Fields, root: Option<Field>, right: Fields) -> Fields {
        let Some(node) = &self.0 else { return Fields::default() };
        if root.is_none() && left.address() == node.left.address() && right.address() == node.right.address() {
            return self.clone();
        }
        let entry = match root {
            Some(field) => Entry::new(node.entry.name.clone(), field),
            None => node.entry.clone(),
        };
        let mut new = Node { entry, left, right, size: node.size, marks: node.marks };
        new.update();
        Fields(Some(Arc::new(new)))
    }
}

impl PartialEq for Fields {
    fn eq(&self, other: &Fields) -> bool {
        self.len() == other.len() && self.unshared_pairs(other, |_| true).all(|(_, a, b)| a == b)
    }
}

/// The iterator of [`Fields::unshared_pairs`].
pub struct UnsharedPairs<'f> {
    left: Vec<Step<'f>>,
    right: Vec<Step<'f>>,
    skip_shared: Box<dyn Fn(Marks) -> bool + 'f>,
}

/// An unvisited part of a map. An iterator keeps a stack of them and visits the top one next.
#[derive(Clone, Copy)]
enum Step<'f> {
    Tree(&'f Arc<Node>),
    Entry(&'f Arc<Entry>),
}

/// Replaces the tree at the top of the stack by its parts.
fn expand_top(steps: &mut Vec<Step<'_>>) {
    if let Some(Step::Tree(node)) = steps.pop() {
        steps.extend(node.right.0.as_ref().map(Step::Tree));
        steps.push(Step::Entry(&node.entry));
        steps.extend(node.left.0.as_ref().map(Step::Tree));
    }
}

impl<'f> Iterator for UnsharedPairs<'f> {
    type Item = (&'f Name, Option<&'f Field>, Option<&'f Field>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let order = match (self.left.last().copied(), self.right.last().copied()) {
                (Some(Step::Tree(a)), Some(Step::Tree(b))) => {
                    if Arc::ptr_eq(a, b) && (self.skip_shared)(a.marks) {
                        self.left.pop();
                        self.right.pop();
                        continue;
                    }
                    if a.size >= b.size {
                        expand_top(&mut self.left);
                    }
                    if b.size >= a.size {
                        expand_top(&mut self.right);
                    }
                    continue;
                }
                (Some(Step::Tree(_)), _) => {
                    expand_top(&mut self.left);
                    continue;
                }
                (_, Some(Step::Tree(_))) => {
                    expand_top(&mut self.right);
                    continue;
                }
                (Some(Step::Entry(a)), Some(Step::Entry(b))) => {
                    if Arc::ptr_eq(a, b) && (self.skip_shared)(a.marks) {
                        self.left.pop();
                        self.right.pop();
                        continue;
                    }
                    a.name.cmp(&b.name)
                }
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return None,
            };
            let take = |steps: &mut Vec<Step<'f>>| match steps.pop() {
                Some(Step::Entry(entry)) => Some(entry),
                _ => None,
            };
            let a = if order == Ordering::Greater { None } else { take(&mut self.left) };
            let b = if order == Ordering::Less { None } else { take(&mut self.right) };
            let name = &a.or(b)?.name;
            return Some((name, a.map(|entry| &entry.field), b.map(|entry| &entry.field)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Fields;
    use crate::text::Name;
    use crate::ty::{Field, Live, Ty};

    fn field(level: u32) -> Field {
        Field::given(Ty::Live(Live { id: 0, level }).into(), None)
    }

    /// Returns a name. Consecutive `i` give names in scrambled order.
    fn name(i: usize) -> Name {
        Name::from(format!("a{:04}", i * 7919 % 1000))
    }

    fn depth(fields: &Fields) -> usize {
        fields.root().map_or(0, |(left, _, right)| 1 + depth(left).max(depth(right)))
    }

    /// 1,000 fields added in three orders → all are found, in alphabetical order, in a balanced tree; half of them removed → the rest.
    #[test]
    fn adds_and_removes() {
        let orders: [fn(usize) -> Name; 3] =
            [name, |i| format!("a{i:04}").into(), |i| format!("a{:04}", 999 - i).into()];
        for order in orders {
            let mut fields = Fields::default();
            (0..1000).for_each(|i| fields.insert(order(i), field(0)));
            let all = fields.clone();
            assert!(fields.len() == 1000 && depth(&fields) < 22, "{}", depth(&fields));
            (0..500).for_each(|i| fields.remove(&order(i)));
            let names: Vec<&Name> = fields.iter().map(|(name, _)| name).collect();
            assert!(names.len() == 500 && fields.len() == 500 && names.is_sorted() && depth(&fields) < 20);
            assert!((0..1000).all(|i| fields.get(&order(i)).is_some() == (i >= 500)));
            assert_eq!(all.iter().count(), 1000);
        }
    }

    /// `{a0 … a999}` and a copy with one more field, one less and one changed → three differences.
    #[test]
    fn unshared_pairs_of_a_copy() {
        let mut fields = Fields::default();
        (0..1000).for_each(|i| fields.insert(name(i), field(0)));
        let mut copy = fields.clone();
        copy.insert("a0500x".into(), field(0));
        copy.insert("a0100".into(), field(1));
        copy.remove("a0900");
        let found: Vec<_> = fields
            .unshared_pairs(&copy, |_| true)
            .map(|(name, a, b)| (name.as_str(), a.is_some(), b.is_some()))
            .collect();
        assert_eq!(found, [("a0100", true, true), ("a0500x", false, true), ("a0900", true, false)]);
        assert!(fields != copy && fields == fields.clone());
    }

    /// One field of level 5 among 1,000 of level 0 → only it is visited; once it is removed, the marks are those of the rest.
    #[test]
    fn marks_of_subtrees() {
        let mut fields = Fields::default();
        (0..1000).for_each(|i| fields.insert(name(i), field(u32::from(i == 77) * 5)));
        let found: Vec<&Name> = fields.iter_where(|marks| marks.live > 1).map(|(name, _)| name).collect();
        assert_eq!((found, fields.marks().live), (vec![&name(77)], 6));
        fields.remove(&name(77));
        assert_eq!(fields.marks().live, 1);
    }
}
