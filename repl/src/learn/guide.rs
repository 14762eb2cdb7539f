//! The way through a lesson: what is shown, what runs, and where it stops for the learner.

use super::{COMMANDS, Progress, list};
use cfg_core::lessons::check_hint;
use cfg_core::{Role, Styled};
use cfg_lessons::{Exercise, Lesson, Part};
use std::collections::VecDeque;

/// The commands of an exercise.
const EXERCISE: &str = "type your solution, then `:check`  `:hint`  `:solution`  `:next`";

/// Something that the loop does for a lesson.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Act {
    /// Prints a heading, and the position in the lesson.
    Heading(String, String),
    /// Prints Markdown.
    Prose(String),
    /// Prints a text, wrapped.
    Text(Styled),
    /// Prints a list that is laid out already.
    List(Styled),
    /// Prints the text of a cell.
    Show(String),
    /// Runs the inputs of a cell.
    Run(String),
    /// Runs the commands of a check; the guide is told whether they passed.
    Check(String),
    /// Prints what the learner can do next.
    Keys(&'static str),
}

/// The position in the lessons.
pub struct Guide {
    lessons: Vec<Lesson>,
    progress: Progress,
    lesson: usize,
    step: usize,
    /// The parts of the step that were not shown yet.
    rest: VecDeque<Part>,
    /// The cell that was shown and waits to be run.
    waiting: Option<String>,
    /// The two fields above, as they were at the last stop.
    stop: (VecDeque<Part>, Option<String>),
    /// The number of the current exercise in the lesson, from 1, and the exercise.
    exercise: Option<(usize, Exercise)>,
    /// Number of hints that were shown for it.
    hints: usize,
    /// Whether the inputs come from a stream that is not a terminal.
    script: bool,
}

impl Guide {
    /// Creates a guide through a lesson, or through the one that was played last. It continues where the learner stopped,
    /// unless `restart` is set or the lesson is finished.
    pub fn new(lessons: Vec<Lesson>, progress: Progress, chosen: Option<usize>, restart: bool, script: bool) -> Guide {
        let last = progress.last().and_then(|entry| {
            let at = lessons.iter().position(|lesson| lesson.name == entry.lesson)?;
            // a finished lesson is followed by the next one
            Some(if entry.finished && at + 1 < lessons.len() { at + 1 } else { at })
        });
        let lesson = chosen.or(last).unwrap_or(0);
        let mut guide = Guide {
            lessons,
            progress,
            lesson,
            step: 0,
            rest: VecDeque::new(),
            waiting: None,
            stop: (VecDeque::new(), None),
            exercise: None,
            hints: 0,
            script,
        };
        let entry = guide.current().and_then(|lesson| guide.progress.of(lesson.name));
        let step = entry.filter(|entry| !restart && !entry.finished).map_or(0, |entry| entry.step);
        let steps = guide.current().map_or(0, |lesson| lesson.steps.len());
        guide.enter(if step < steps { step } else { 0 });
        guide
    }

    fn current(&self) -> Option<&Lesson> {
        self.lessons.get(self.lesson)
    }

    /// Moves to the beginning of a step.
    fn enter(&mut self, step: usize) {
        self.step = step;
        let parts = self.current().and_then(|lesson| lesson.steps.get(step)).map(|step| step.parts.clone());
        self.rest = parts.unwrap_or_default().into();
        self.waiting = None;
        self.exercise = None;
        self.hints = 0;
    }

    /// Returns the cells before the current step, which the session needs if the lesson continues there. They include a
    /// solution of each exercise that was solved.
    pub fn earlier(&self) -> Vec<String> {
        let Some(lesson) = self.current() else { return Vec::new() };
        let solved = self.progress.of(lesson.name).map(|entry| entry.solved.clone()).unwrap_or_default();
        let mut number = 0;
        let mut out = Vec::new();
        for part in lesson.steps.iter().take(self.step).flat_map(|step| &step.parts) {
            match part {
                Part::Cell { text, .. } => out.push(text.clone()),
                Part::Exercise(exercise) => {
                    number += 1;
                    if solved.contains(&number) {
                        out.push(exercise.solution.clone());
                    }
                }
                Part::Prose(_) => {}
            }
        }
        out
    }

    /// Begins the lesson: its title and the first stop. With `lists`, the list of lessons comes first.
    pub fn begin(&mut self, lists: bool) -> Vec<Act> {
        let mut acts = Vec::new();
        if lists {
            acts.push(Act::List(list(&self.lessons, &self.progress)));
        }
        let Some(lesson) = self.current() else { return acts };
        let of = format!("lesson {} of {}", self.lesson + 1, self.lessons.len());
        acts.push(Act::Heading(String::from(lesson.title), of));
        if self.step > 0 {
            let welcome = format!(
                "You stopped at this step. The {} earlier cells have been run again. `:back` goes back.",
                self.earlier().len()
            );
            acts.push(Act::Text(Styled::of(Role::Dim, welcome)));
        }
        acts.extend(self.heading());
        acts.extend(self.advance());
        acts
    }

    /// Returns the heading of the current step, and remembers the step.
    fn heading(&mut self) -> Option<Act> {
        let (name, step) = (self.current()?.name, self.step);
        self.progress.change(name, |entry| {
            entry.step = step;
            entry.finished = false;
        });
        let lesson = self.current()?;
        let title = lesson.steps.get(step)?.title;
        let of = format!("step {step} of {}", lesson.steps.len().saturating_sub(1));
        (!title.is_empty()).then(|| Act::Heading(String::from(title), of))
    }

    /// Shows and runs parts up to the next stop: a cell whose output is to be predicted, an exercise, or the end of the
    /// step.
    fn advance(&mut self) -> Vec<Act> {
        self.stop = (self.rest.clone(), self.waiting.clone());
        let mut acts = Vec::new();
        // further answers follow the first one at once, unless there is prose between them
        let mut running = false;
        if let Some(cell) = self.waiting.take() {
            acts.push(Act::Run(cell));
            running = true;
        }
        while let Some(part) = self.rest.pop_front() {
            match part {
                Part::Prose(text) => {
                    self.exercise = None;
                    running = false;
                    acts.push(Act::Prose(text));
                }
                Part::Cell { text, is_answer } => {
                    acts.push(Act::Show(text.clone()));
                    if is_answer && !running {
                        self.waiting = Some(text);
                        acts.push(Act::Keys(self.keys("[Enter] run it  `:back`", "`:next` runs it")));
                        return acts;
                    }
                    acts.push(Act::Run(text));
                }
                Part::Exercise(exercise) => {
                    if !exercise.cell.is_empty() {
                        // shown like a cell of the lesson, but not run
                        acts.push(Act::Text(Styled::from("Begin with this:")));
                        acts.push(Act::Show(exercise.cell.clone()));
                    }
                    let number = self.number();
                    self.exercise = Some((number, exercise));
                    self.hints = 0;
                    if self.is_solved(number) {
                        let text = format!("You solved exercise {number} before. `:solution` shows one solution.");
                        acts.push(Act::Text(Styled::of(Role::Wins, text)));
                        acts.push(Act::Keys(self.keys("[Enter] next", "`:next` goes on")));
                        return acts;
                    }
                    acts.push(Act::Keys(EXERCISE));
                    return acts;
                }
            }
        }
        if self.step + 1 < self.current().map_or(0, |lesson| lesson.steps.len()) {
            acts.push(Act::Keys(self.keys("[Enter] next step  `:back`  `:help lessons`", "`:next` goes on")));
        } else {
            acts.extend(self.finish());
        }
        acts
    }

    /// Goes back to the last stop, since a cell of the lesson was interrupted.
    pub fn interrupted(&mut self) -> Vec<Act> {
        (self.rest, self.waiting) = self.stop.clone();
        vec![Act::Keys(self.keys("[Enter] runs it again  `:back`", "`:next` runs it again"))]
    }

    fn keys(&self, terminal: &'static str, script: &'static str) -> &'static str {
        if self.script { script } else { terminal }
    }

    /// Returns the number of the exercise that was just taken from the step, counted in the lesson from 1.
    fn number(&self) -> usize {
        let is_exercise = |part: &&Part| matches!(part, Part::Exercise(_));
        let Some(lesson) = self.current() else { return 0 };
        let before = lesson.exercises().filter(|(step, _)| *step <= self.step).count();
        before.saturating_sub(self.rest.iter().filter(is_exercise).count())
    }

    /// Returns the end of the lesson, and remembers it.
    fn finish(&mut self) -> Vec<Act> {
        self.exercise = None;
        let Some(lesson) = self.current() else { return Vec::new() };
        let (name, all) = (lesson.name, lesson.exercises().count());
        self.progress.change(name, |entry| entry.finished = true);
        let solved = self.progress.of(name).map_or(0, |entry| entry.solved.len());
        let next = match self.lessons.get(self.lesson + 1) {
            Some(next) => format!("`cfg learn {}` is the next lesson: {}.", self.lesson + 2, next.title),
            None => String::from("It was the last one."),
        };
        let text = format!("This was the end of the lesson. You solved {solved} of {all} exercises. {next}");
        vec![Act::Text(Styled::from(text)), Act::Keys("`:back`  `:lessons`  `:quit`")]
    }

    /// Handles an input. `None` if it is not for the lesson but for the session.
    pub fn take(&mut self, input: &str) -> Option<Vec<Act>> {
        let command = match input.trim() {
            // not by a key that is easily pressed
            "" if self.is_unsolved() => return Some(vec![Act::Keys(EXERCISE)]),
            "" if !self.script => ":next",
            input => match super::command(input) {
                Some(command) => command,
                None => return super::with_argument(input).map(|why| vec![Act::Text(Styled::from(why))]),
            },
        };
        Some(match command {
            ":next" => self.next(),
            ":back" => self.back(),
            ":check" => self.check(),
            ":hint" => self.hint(),
            ":solution" => self.solution(),
            _ => vec![Act::List(list(&self.lessons, &self.progress))],
        })
    }

    /// Returns whether the lesson is at an exercise that has not been solved.
    fn is_unsolved(&self) -> bool {
        !self.script && self.exercise.as_ref().is_some_and(|(number, _)| !self.is_solved(*number))
    }

    /// Returns whether an exercise of the lesson, by its number, was solved, now or in an earlier run.
    fn is_solved(&self, number: usize) -> bool {
        let entry = self.current().and_then(|lesson| self.progress.of(lesson.name));
        entry.is_some_and(|entry| entry.solved.contains(&number))
    }

    fn next(&mut self) -> Vec<Act> {
        if self.waiting.is_some() || !self.rest.is_empty() {
            return self.advance();
        }
        let steps = self.current().map_or(0, |lesson| lesson.steps.len());
        if self.step + 1 >= steps {
            return self.finish();
        }
        self.enter(self.step + 1);
        let mut acts: Vec<Act> = self.heading().into_iter().collect();
        acts.extend(self.advance());
        acts
    }

    fn back(&mut self) -> Vec<Act> {
        let whole = self.current().and_then(|lesson| lesson.steps.get(self.step)).map_or(0, |step| step.parts.len());
        // the first stop of a step counts as its beginning
        let stop = |parts: &[Part]| {
            let first = parts.iter().position(|part| match part {
                Part::Cell { is_answer, .. } => *is_answer,
                Part::Exercise(_) => true,
                Part::Prose(_) => false,
            });
            first.map_or(parts.len(), |at| at + 1)
        };
        let parts = self.current().and_then(|lesson| lesson.steps.get(self.step)).map(|step| step.parts.clone());
        let at_first_stop = whole - self.rest.len() <= parts.map_or(0, |parts| stop(&parts))
            && (self.waiting.is_some() || self.exercise.is_some());
        self.enter(if at_first_stop { self.step.saturating_sub(1) } else { self.step });
        let mut acts: Vec<Act> = self.heading().into_iter().collect();
        acts.extend(self.advance());
        acts
    }

    /// Returns what to do if there is no exercise.
    fn no_exercise(&self) -> Vec<Act> {
        let steps: Vec<String> =
            self.current().into_iter().flat_map(Lesson::exercises).map(|(step, _)| step.to_string()).collect();
        let text = match steps.first() {
            Some(step) => format!("There is no exercise here. The exercises are in step {step}."),
            None => String::from("This lesson has no exercises."),
        };
        vec![Act::Text(Styled::from(text))]
    }

    fn check(&mut self) -> Vec<Act> {
        match &self.exercise {
            Some((_, exercise)) => vec![Act::Check(exercise.check.clone())],
            None => self.no_exercise(),
        }
    }

    /// Takes the outcome of the check of the current exercise.
    pub fn checked(&mut self, passed: bool) -> Vec<Act> {
        let Some((number, _)) = self.exercise else { return Vec::new() };
        if !passed {
            return vec![Act::Keys("change your solution, then `:check` again  `:hint`  `:solution`  `:next`")];
        }
        if let Some(name) = self.current().map(|lesson| lesson.name) {
            self.progress.change(name, |entry| {
                entry.solved.insert(number);
            });
        }
        let mut solved = Styled::of(Role::Wins, "Solved");
        solved.plain(format!(": exercise {number}."));
        vec![Act::Text(solved), Act::Keys(self.keys("[Enter] next", "`:next` goes on"))]
    }

    fn hint(&mut self) -> Vec<Act> {
        let Some((_, exercise)) = &self.exercise else { return self.no_exercise() };
        let mut hints: Vec<String> = exercise.check.lines().filter_map(check_hint).collect();
        hints.dedup();
        let Some(hint) = hints.get(self.hints % hints.len().max(1)) else {
            return vec![Act::Text(Styled::from("This exercise has no hint."))];
        };
        let mut text = Styled::of(Role::Note, "Hint");
        text.plain(format!(": {hint}"));
        self.hints += 1;
        vec![Act::Text(text)]
    }

    fn solution(&mut self) -> Vec<Act> {
        let Some((_, exercise)) = &self.exercise else { return self.no_exercise() };
        vec![
            Act::Text(Styled::from("One solution; others are possible:")),
            Act::Show(exercise.solution.clone()),
            Act::Keys("type it, or a solution of your own, then `:check`"),
        ]
    }
}

/// Returns the commands of a lesson as a table, for `:help`.
pub fn help() -> Styled {
    let mut out = Styled::of(Role::Heading, "\nThe lesson\n");
    for (name, purpose) in COMMANDS {
        out.plain("  ");
        out.push(Role::Keyword, format!("{name:<11}"));
        out.plain(format!("{purpose}\n"));
    }
    out.plain("\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Title\n\nIntro.\n\n## 1. One\n\n```cfg\na = 1\n```\n\n**Predict.** What?\n\n```cfg answer\na\n```\n\n```cfg answer\n:type a\n```\n\n\
        **Rule.** So.\n\n## Exercises\n\nTask 1.\n\n```cfg exercise\n```\n\n```cfg check\n:check --hint \"Bind it.\" b == 1\n:check b > 0\n```\n\n\
        ```cfg solution\nb = 1\n```\n\nTask 2.\n\n```cfg exercise\nc = 0\n```\n\n```cfg check\n:check c == 1\n```\n\n```cfg solution\nc = 1\n```\n";

    fn guide(progress: Progress, chosen: Option<usize>, restart: bool) -> Guide {
        let lessons = vec![Lesson::new("00-test", TEXT), Lesson::new("01-next", "# Next\n\nIntro.\n")];
        Guide::new(lessons, progress, chosen, restart, false)
    }

    /// Returns acts in short.
    fn short(acts: &[Act]) -> Vec<String> {
        let of = |act: &Act| match act {
            Act::Heading(title, at) => format!("# {title} ({at})"),
            Act::Prose(text) => text.clone(),
            Act::Text(text) => format!("text: {}", text.text()),
            Act::List(text) => format!("list: {}", text.text().lines().count()),
            Act::Show(text) => format!("show: {text}"),
            Act::Run(text) => format!("run: {text}"),
            Act::Check(text) => format!("check: {text}"),
            Act::Keys(_) => String::from("keys"),
        };
        acts.iter().map(of).collect()
    }

    #[track_caller]
    fn does(guide: &mut Guide, input: &str, expected: &[&str]) {
        assert_eq!(short(&guide.take(input).unwrap_or_default()), expected, "{input:?}");
    }

    #[test]
    fn commands_of_a_lesson_take_no_argument() {
        let mut guide = guide(Progress::default(), None, false);
        guide.begin(false);
        does(&mut guide, ":next 5", &["text: `:next` goes one step at a time: it takes no number."]);
        does(&mut guide, " :back 2", &["text: `:back` goes one step at a time: it takes no number."]);
        does(&mut guide, ":hint x", &["text: `:hint` takes no argument."]);
        // the session's own
        assert_eq!(guide.take(":check 1 == 1"), None);
    }

    #[test]
    fn an_exercise_that_was_solved_says_so_when_it_is_set_again() {
        let mut progress = Progress::default();
        progress.change("00-test", |entry| {
            entry.step = 2;
            entry.solved.insert(1);
        });
        let mut guide = guide(progress, None, false);
        let solved = "text: You solved exercise 1 before. `:solution` shows one solution.";
        assert!(short(&guide.begin(false)).contains(&String::from(solved)));
        // Enter goes on, to one that was not
        does(&mut guide, "", &["Task 2.", "text: Begin with this:", "show: c = 0", "keys"]);
        does(&mut guide, "", &["keys"]);
    }

    #[test]
    fn a_lesson_stops_at_predictions_exercises_and_ends_of_steps() {
        let mut guide = guide(Progress::default(), None, false);
        assert_eq!(short(&guide.begin(false)), ["# Title (lesson 1 of 2)", "Intro.", "keys"]);
        does(
            &mut guide,
            "",
            &["# 1. One (step 1 of 2)", "show: a = 1", "run: a = 1", "**Predict.** What?", "show: a", "keys"],
        );
        does(&mut guide, ":next", &["run: a", "show: :type a", "run: :type a", "**Rule.** So.", "keys"]);
        does(&mut guide, " ", &["# Exercises (step 2 of 2)", "Task 1.", "keys"]);
        // Enter does not skip an exercise
        does(&mut guide, "", &["keys"]);
        does(&mut guide, ":next", &["Task 2.", "text: Begin with this:", "show: c = 0", "keys"]);
        does(&mut guide, "", &["keys"]);
        let end = "text: This was the end of the lesson. You solved 0 of 2 exercises. `cfg learn 2` is the next lesson: Next.";
        does(&mut guide, ":next", &[end, "keys"]);
        does(&mut guide, "", &[end, "keys"]);
    }

    #[test]
    fn an_interrupted_cell_runs_again() {
        let mut guide = guide(Progress::default(), None, false);
        guide.begin(false);
        let first = short(&guide.take("").unwrap_or_default());
        assert_eq!(short(&guide.interrupted()), ["keys"]);
        // a cell that prepares the step
        let again = short(&guide.take("").unwrap_or_default());
        assert_eq!(again, first[1..]);
        let answer = ["run: a", "show: :type a", "run: :type a", "**Rule.** So.", "keys"];
        does(&mut guide, "", &answer);
        guide.interrupted();
        does(&mut guide, "", &answer);
        does(&mut guide, "", &["# Exercises (step 2 of 2)", "Task 1.", "keys"]);
    }

    #[test]
    fn inputs_of_the_learner_are_for_the_session() {
        let mut guide = guide(Progress::default(), None, false);
        guide.begin(false);
        for input in ["1 + 1", ":type 1", ":check 1 == 1", ":nex", "next"] {
            assert_eq!(guide.take(input), None, "{input}");
        }
    }

    #[test]
    fn an_exercise_is_checked_and_remembered() {
        let mut guide = guide(Progress::default(), None, false);
        guide.begin(false);
        does(&mut guide, ":check", &["text: There is no exercise here. The exercises are in step 2."]);
        guide.take(":next");
        guide.take(":next");
        guide.take(":next");
        does(&mut guide, ":check", &["check: :check --hint \"Bind it.\" b == 1\n:check b > 0"]);
        does(&mut guide, ":hint", &["text: Hint: Bind it."]);
        does(&mut guide, ":hint", &["text: Hint: Bind it."]);
        does(&mut guide, ":solution", &["text: One solution; others are possible:", "show: b = 1", "keys"]);
        assert_eq!(short(&guide.checked(false)), ["keys"]);
        assert!(guide.progress.of("00-test").is_some_and(|entry| entry.solved.is_empty()));
        assert_eq!(short(&guide.checked(true)), ["text: Solved: exercise 1.", "keys"]);
        does(&mut guide, "", &["Task 2.", "text: Begin with this:", "show: c = 0", "keys"]);
        assert_eq!(short(&guide.checked(true)), ["text: Solved: exercise 2.", "keys"]);
        assert_eq!(guide.progress.of("00-test").map(|entry| entry.solved.len()), Some(2));
        does(&mut guide, ":hint", &["text: This exercise has no hint."]);
    }

    #[test]
    fn back_goes_to_the_beginning_of_the_step_and_then_to_the_step_before() {
        let mut guide = guide(Progress::default(), None, false);
        guide.begin(false);
        guide.take("");
        guide.take("");
        let one = ["# 1. One (step 1 of 2)", "show: a = 1", "run: a = 1", "**Predict.** What?", "show: a", "keys"];
        does(&mut guide, ":back", &one);
        does(&mut guide, ":back", &["Intro.", "keys"]);
        does(&mut guide, ":back", &["Intro.", "keys"]);
        does(&mut guide, "", &one);
    }

    #[test]
    fn a_lesson_continues_where_the_learner_stopped() {
        let mut progress = Progress::default();
        progress.change("00-test", |entry| entry.step = 1);
        let mut again = guide(progress.clone(), None, false);
        assert_eq!(again.earlier(), Vec::<String>::new());
        assert_eq!(short(&again.begin(true)).get(3).map(String::as_str), Some("# 1. One (step 1 of 2)"));
        progress.change("00-test", |entry| {
            entry.step = 2;
            entry.solved.insert(1);
        });
        assert_eq!(guide(progress.clone(), None, false).earlier(), ["a = 1", "a", ":type a"]);
        assert_eq!(guide(progress.clone(), Some(0), true).step, 0);
        assert_eq!(guide(progress.clone(), Some(1), false).lesson, 1);
        progress.change("00-test", |entry| entry.finished = true);
        assert_eq!(guide(progress.clone(), None, false).lesson, 1, "a finished lesson is followed by the next one");
        assert_eq!(guide(progress.clone(), Some(0), false).step, 0, "a finished lesson begins again");
        progress.change("00-test", |entry| (entry.finished, entry.step) = (false, 99));
        assert_eq!(guide(progress, None, false).step, 0, "a lesson may have become shorter");
    }
}
