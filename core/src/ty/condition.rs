//! Conditions under which definitions count, and the combinations of guards that can be reached.

use crate::text::{Name, Span};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Maximum number of combinations that are tried. Beyond it, a combination counts as one that can be reached.
const MAX_COMBINATIONS: usize = 4_096;

/// A condition, as operations in postfix order.
pub type Condition = Arc<[ConditionOp]>;

/// An operation of a [`Condition`].
#[derive(Clone, Debug)]
pub enum ConditionOp {
    /// A test of a value that is not known before evaluation.
    Test(Arc<Test>),
    /// A condition that is known.
    Known(bool),
    /// Negates the last condition.
    Not,
    /// Whether the last two conditions hold.
    And,
    /// Whether one of the last two conditions holds.
    Or,
}

/// A test of a value.
#[derive(Clone, Debug)]
pub struct Test {
    /// The expression that is tested. Equal texts mean equal values.
    pub subject: Name,
    /// The relation that it must have to a constant.
    pub relation: Relation,
    /// Whether the relation must not hold.
    pub negated: bool,
    /// The place of the test.
    pub span: Span,
}

impl Test {
    fn holds(&self, value: &Candidate) -> bool {
        self.relation.holds(value) != self.negated
    }
}

/// A relation between a value and a constant.
#[derive(Clone, PartialEq, Debug)]
pub enum Relation {
    /// It is true.
    IsTrue,
    /// It equals a constant.
    Equals(Constant),
    /// It is less than a number.
    Less(f64),
    /// It is less than or equal to a number.
    AtMost(f64),
    /// Its text is the given one of some keys. A text that is not one of the keys fails.
    Case(Name, Arc<[Name]>),
}

/// A constant that a value is compared with.
#[derive(Clone, PartialEq, Debug)]
pub enum Constant {
    /// A number.
    Number(f64),
    /// A text.
    Text(Name),
}

/// A value that a subject may have. It represents all values for which all tests have the same results.
#[derive(Clone, PartialEq, Debug)]
enum Candidate {
    Constant(Constant),
    /// Any other value that is true or false.
    Other(bool),
}

impl Relation {
    fn holds(&self, value: &Candidate) -> bool {
        let number = match value {
            Candidate::Constant(Constant::Number(number)) => Some(*number),
            _ => None,
        };
        match (self, value) {
            (Relation::IsTrue, Candidate::Other(truth)) => *truth,
            (Relation::IsTrue, Candidate::Constant(Constant::Number(number))) => *number != 0.0,
            (Relation::IsTrue, Candidate::Constant(Constant::Text(text))) => !text.is_empty(),
            (Relation::Equals(constant), Candidate::Constant(value)) => constant == value,
            (Relation::Equals(_), Candidate::Other(_)) => false,
            (Relation::Less(limit), _) => number.is_some_and(|number| number < *limit),
            (Relation::AtMost(limit), _) => number.is_some_and(|number| number <= *limit),
            (Relation::Case(key, _), Candidate::Constant(Constant::Text(text))) => key == text,
            (Relation::Case(..), _) => false,
        }
    }
}

/// The values that a subject may have, and the one that is assumed.
struct Subject {
    candidates: Vec<Candidate>,
    /// The index of the assumed value; `None` if any value is possible.
    assumed: Option<usize>,
}

/// Returns values of a subject that represent all others for some tests.
fn candidates(relations: &[&Relation]) -> Vec<Candidate> {
    let mut numbers: Vec<f64> = Vec::new();
    let mut texts: Vec<Name> = Vec::new();
    let mut ordered = false;
    for relation in relations {
        match relation {
            Relation::IsTrue => {}
            Relation::Equals(Constant::Number(number)) => numbers.push(*number),
            Relation::Equals(Constant::Text(text)) => texts.push(text.clone()),
            Relation::Less(number) | Relation::AtMost(number) => {
                ordered = true;
                numbers.push(*number);
            }
            Relation::Case(_, keys) => {
                return keys.iter().map(|key| Candidate::Constant(Constant::Text(key.clone()))).collect();
            }
        }
    }
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    texts.sort();
    texts.dedup();
    let mut all: Vec<f64> = Vec::new();
    if ordered {
        if relations.contains(&&Relation::IsTrue) {
            numbers.push(0.0);
            numbers.sort_by(f64::total_cmp);
            numbers.dedup();
        }
        all.extend(numbers.first().map(|first| first - 1.0));
        all.extend(numbers.windows(2).map(|pair| f64::midpoint(pair[0], pair[1])));
        all.extend(numbers.last().map(|last| last + 1.0));
    }
    all.extend(numbers);
    let texts = texts.into_iter().filter(|_| !ordered).map(|text| Candidate::Constant(Constant::Text(text)));
    let mut candidates: Vec<Candidate> =
        all.into_iter().map(|number| Candidate::Constant(Constant::Number(number))).chain(texts).collect();
    if !ordered {
        candidates.extend([Candidate::Other(true), Candidate::Other(false)]);
    }
    candidates
}

/// Returns the value of a condition, if the assumed values decide it.
fn decided(condition: &[ConditionOp], subjects: &FxHashMap<&Name, Subject>) -> Option<bool> {
    let mut stack: Vec<Option<bool>> = Vec::new();
    for op in condition {
        let result = match op {
            ConditionOp::Known(value) => Some(*value),
            ConditionOp::Test(test) => subjects.get(&test.subject).and_then(|subject| {
                let holds = |value: &Candidate| test.holds(value);
                match subject.assumed {
                    Some(at) => subject.candidates.get(at).map(holds),
                    None => None,
                }
            }),
            ConditionOp::Not => stack.pop().flatten().map(|value| !value),
            ConditionOp::And => match (stack.pop().flatten(), stack.pop().flatten()) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (a, b) => a.zip(b).map(|_| true),
            },
            ConditionOp::Or => match (stack.pop().flatten(), stack.pop().flatten()) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (a, b) => a.zip(b).map(|_| false),
            },
        };
        stack.push(result);
    }
    // no operation: the definition always counts
    stack.pop().unwrap_or(Some(true))
}

/// Returns a combination of guards in which all of some conditions hold: the tests that it needs, with their results. `None`
/// if there is no such combination. Tries up to `MAX_COMBINATIONS`.
pub fn combination(conditions: &[&Condition]) -> Option<Vec<(Span, bool)>> {
    let tests = || {
        conditions.iter().flat_map(|condition| condition.iter()).filter_map(|op| match op {
            ConditionOp::Test(test) => Some(&**test),
            _ => None,
        })
    };
    let mut relations: FxHashMap<&Name, Vec<&Relation>> = FxHashMap::default();
    let mut order: Vec<&Name> = Vec::new();
    for test in tests() {
        let known = relations.entry(&test.subject).or_insert_with(|| {
            order.push(&test.subject);
            Vec::new()
        });
        if !known.contains(&&test.relation) {
            known.push(&test.relation);
        }
    }
    let mut subjects: FxHashMap<&Name, Subject> = FxHashMap::default();
    let mut combinations = 1usize;
    for (name, relations) in &relations {
        let candidates = candidates(relations);
        combinations = combinations.saturating_mul(candidates.len());
        subjects.insert(name, Subject { candidates, assumed: Some(0) });
    }
    let mut found: Vec<(Span, bool)> = Vec::new();
    let mut add = |span: Span, holds: bool| {
        if found.iter().all(|(known, _)| *known != span) {
            found.push((span, holds));
        }
    };
    if combinations > MAX_COMBINATIONS {
        tests().for_each(|test| add(test.span, true));
        return Some(found);
    }
    let all_hold = |subjects: &FxHashMap<&Name, Subject>| {
        conditions.iter().all(|condition| decided(condition, subjects) == Some(true))
    };
    let reached = (0..combinations).any(|combination| {
        let mut rest = combination;
        for name in &order {
            if let Some(subject) = subjects.get_mut(name) {
                subject.assumed = Some(rest % subject.candidates.len());
                rest /= subject.candidates.len();
            }
        }
        all_hold(&subjects)
    });
    if !reached {
        return None;
    }
    for name in &order {
        let before = subjects.get_mut(name).and_then(|subject| subject.assumed.take());
        if !all_hold(&subjects)
            && let Some(subject) = subjects.get_mut(name)
        {
            subject.assumed = before;
        }
    }
    for test in tests() {
        let Some(subject) = subjects.get(&test.subject) else { continue };
        if let Some(value) = subject.assumed.and_then(|at| subject.candidates.get(at)) {
            add(test.span, test.holds(value));
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceId;

    fn test(subject: &str, relation: Relation, at: usize) -> ConditionOp {
        let span = Span::new(SourceId(0), at, at + 1);
        ConditionOp::Test(Arc::new(Test { subject: Name::new(subject), relation, negated: false, span }))
    }

    fn equals(subject: &str, text: &str, at: usize) -> ConditionOp {
        test(subject, Relation::Equals(Constant::Text(Name::new(text))), at)
    }

    fn of(ops: &[ConditionOp]) -> Condition {
        ops.to_vec().into()
    }

    #[test]
    fn a_value_equals_one_constant() {
        let (a, b) = (of(&[equals("mode", "a", 1)]), of(&[equals("mode", "b", 2)]));
        assert_eq!(combination(&[&a, &b]), None);
        assert_eq!(combination(&[&a]).map(|c| c.len()), Some(1));
        let not_b = of(&[equals("mode", "b", 2), ConditionOp::Not]);
        // the second test does not matter: its result follows
        assert!(combination(&[&a, &not_b]).is_some());
    }

    #[test]
    fn numbers_are_ordered() {
        let less = of(&[test("n", Relation::Less(3.0), 1)]);
        let least = of(&[test("n", Relation::Less(3.0), 1), ConditionOp::Not]);
        let at_most = of(&[test("n", Relation::AtMost(2.0), 2)]);
        assert_eq!(combination(&[&less, &least]), None);
        assert_eq!(combination(&[&at_most, &least]), None);
        assert!(combination(&[&less, &at_most]).is_some());
        let neither = of(&[test("n", Relation::AtMost(2.0), 2), ConditionOp::Not]);
        assert!(combination(&[&less, &neither]).is_some());
    }

    #[test]
    fn a_case_excludes_the_others() {
        let keys: Arc<[Name]> = [Name::new("x"), Name::new("y")].into();
        let case = |key: &str, at| of(&[test("of", Relation::Case(Name::new(key), keys.clone()), at)]);
        assert_eq!(combination(&[&case("x", 1), &case("y", 2)]), None);
        let not = |key: &str, at| of(&[test("of", Relation::Case(Name::new(key), keys.clone()), at), ConditionOp::Not]);
        assert_eq!(combination(&[&not("x", 1), &not("y", 2)]), None);
    }

    #[test]
    fn tests_that_do_not_matter_are_left_out() {
        let a_or_b = of(&[test("a", Relation::IsTrue, 1), test("b", Relation::IsTrue, 2), ConditionOp::Or]);
        let found = combination(&[&a_or_b]).expect("a combination");
        assert_eq!(found.len(), 1);
        assert!(found[0].1);
        assert_eq!(combination(&[&of(&[])]), Some(Vec::new()));
        assert_eq!(combination(&[&of(&[ConditionOp::Known(false)])]), None);
    }
}
