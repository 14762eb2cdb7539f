//! A growable list that never moves its items. Moving a hundred megabytes at once would delay an interrupt too long.

/// Number of items per chunk. A chunk takes some megabytes, so that its memory comes in large pages.
const CHUNK: usize = 1 << 17;

/// A list of items in chunks. Appending is O(1) in the worst case, not only amortized.
#[derive(Debug)]
pub(crate) struct Chunks<T>(Vec<Vec<T>>);

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Chunks(Vec::new())
    }
}

impl<T> Chunks<T> {
    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.0.last().map_or(0, |last| (self.0.len() - 1) * CHUNK + last.len())
    }

    /// Appends an item.
    pub fn push(&mut self, item: T) {
        match self.0.last_mut() {
            Some(last) if last.len() < CHUNK => last.push(item),
            before => {
                // Most lists are short, so the first chunk grows on demand.
                let mut chunk = if before.is_some() { Vec::with_capacity(CHUNK) } else { Vec::new() };
                chunk.push(item);
                self.0.push(chunk);
            }
        }
    }

    /// Returns the item at an index. O(1).
    pub fn get(&self, at: usize) -> Option<&T> {
        self.0.get(at / CHUNK)?.get(at % CHUNK)
    }

    /// Returns the item at an index, mutably. O(1).
    pub fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        self.0.get_mut(at / CHUNK)?.get_mut(at % CHUNK)
    }

    /// Iterates over the items in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().flatten()
    }

    /// Iterates over the items in order, mutably.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.iter_mut().flatten()
    }

    /// Returns the chunks in order.
    pub fn into_chunks(self) -> impl Iterator<Item = Vec<T>> {
        self.0.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_keep_their_numbers() {
        let mut all = Chunks::default();
        (0..3 * CHUNK + 5).for_each(|n| all.push(n));
        all.iter_mut().for_each(|n| *n += 1);
        assert_eq!(
            (all.len(), all.get(2 * CHUNK), all.get(3 * CHUNK + 5)),
            (3 * CHUNK + 5, Some(&(2 * CHUNK + 1)), None)
        );
        assert!(all.iter().copied().eq(1..=3 * CHUNK + 5));
        assert_eq!(all.into_chunks().map(|chunk| chunk.len()).collect::<Vec<_>>(), [CHUNK, CHUNK, CHUNK, 5]);
    }
}
