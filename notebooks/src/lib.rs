//! The lessons, parsed from the same Markdown files from which `make.py` generates the notebooks.
//!
//! A lesson is divided into steps at its headings of the second level. A fenced block whose first word is `cfg` is a cell.
//! The next word is its kind: none for a cell that runs, `answer` for one whose output the learner predicts, `fails` for
//! one that ends in an error, `again` for one that may if the lesson has run in this session before; in an exercise,
//! `exercise` for the cell that the learner fills in, `check` for the commands that check it, and `solution` for one way
//! to solve it.

/// A file of a lesson: its name without the ending, and its Markdown.
pub const LESSONS: &[(&str, &str)] = &[
    ("01-types", include_str!("../lessons/01-types.md")),
    ("02-merging", include_str!("../lessons/02-merging.md")),
    ("03-metadata", include_str!("../lessons/03-metadata.md")),
    ("04-inheritance", include_str!("../lessons/04-inheritance.md")),
    ("05-deployment", include_str!("../lessons/05-deployment.md")),
    ("06-lazy-graph", include_str!("../lessons/06-lazy-graph.md")),
    ("07-unification", include_str!("../lessons/07-unification.md")),
    ("08-reactivity", include_str!("../lessons/08-reactivity.md")),
];

/// The files that lessons import, with their paths relative to the folder of the notebooks.
pub const FILES: &[(&str, &str)] = &[
    ("deployment/01-chart.cfg", include_str!("../deployment/01-chart.cfg")),
    ("deployment/02-organisation.yaml", include_str!("../deployment/02-organisation.yaml")),
    ("deployment/03-security.cfg", include_str!("../deployment/03-security.cfg")),
    ("deployment/04-team.toml", include_str!("../deployment/04-team.toml")),
    ("deployment/05-platform.json", include_str!("../deployment/05-platform.json")),
    ("deployment/06-region-eu.yaml", include_str!("../deployment/06-region-eu.yaml")),
    ("deployment/07-production.cfg", include_str!("../deployment/07-production.cfg")),
    ("deployment/08-mesh.jsonnet", include_str!("../deployment/08-mesh.jsonnet")),
    ("deployment/09-canary.yaml", include_str!("../deployment/09-canary.yaml")),
    ("deployment/10-hotfix.cfg", include_str!("../deployment/10-hotfix.cfg")),
];

/// A lesson.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lesson {
    /// The name of its file, without the ending: `01-types`.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its steps. The first one is the introduction, without a title.
    pub steps: Vec<Step>,
}

/// A part of a lesson under one heading.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Step {
    /// The heading; empty for the introduction.
    pub title: &'static str,
    /// Its parts, in order.
    pub parts: Vec<Part>,
}

/// A part of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// Markdown without headings of the first two levels and without cells.
    Prose(String),
    /// A cell that runs.
    Cell {
        /// Its text.
        text: String,
        /// Whether the learner predicts its output.
        is_answer: bool,
    },
    /// The cell of an exercise, its check and its solution.
    Exercise(Exercise),
}

/// An exercise. Its task is the prose before it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exercise {
    /// The text that the cell has at first, often none.
    pub cell: String,
    /// The commands of the check.
    pub check: String,
    /// One way to solve it.
    pub solution: String,
}

/// Returns the words of a fenced block of code that begins on this line: `cfg answer`. `None` if none begins.
fn fence(line: &str) -> Option<&str> {
    line.strip_prefix("```").filter(|words| *words == "cfg" || words.starts_with("cfg "))
}

/// A block of a lesson: the kinds and the text of a cell, or prose.
enum Block<'t> {
    Heading(u8, &'t str),
    Cell(&'t str, String),
    Prose(String),
}

/// Splits Markdown into headings, cells and prose.
fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut out = Vec::new();
    let mut prose = String::new();
    let mut lines = text.lines();
    let flush = |prose: &mut String, out: &mut Vec<Block<'_>>| {
        let said = std::mem::take(prose);
        if !said.trim().is_empty() {
            out.push(Block::Prose(String::from(said.trim_matches('\n'))));
        }
    };
    while let Some(line) = lines.next() {
        if let Some(words) = fence(line) {
            flush(&mut prose, &mut out);
            let code: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            out.push(Block::Cell(words, code.join("\n")));
        } else if let Some(title) = line.strip_prefix("# ") {
            flush(&mut prose, &mut out);
            out.push(Block::Heading(1, title));
        } else if let Some(title) = line.strip_prefix("## ") {
            flush(&mut prose, &mut out);
            out.push(Block::Heading(2, title));
        } else {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    flush(&mut prose, &mut out);
    out
}

impl Lesson {
    /// Parses a lesson. O(text).
    pub fn new(name: &'static str, text: &'static str) -> Lesson {
        let mut lesson = Lesson { name, title: name, steps: vec![Step::default()] };
        for block in blocks(text) {
            let Some(step) = lesson.steps.last_mut() else { break };
            match block {
                Block::Heading(1, title) => lesson.title = title,
                Block::Heading(_, title) => lesson.steps.push(Step { title, parts: Vec::new() }),
                Block::Prose(text) => step.parts.push(Part::Prose(text)),
                Block::Cell(words, text) => {
                    let kind = words.split_whitespace().nth(1).unwrap_or_default();
                    match (kind, step.parts.last_mut()) {
                        ("exercise", _) => {
                            step.parts.push(Part::Exercise(Exercise { cell: text, ..Exercise::default() }));
                        }
                        ("check", Some(Part::Exercise(exercise))) => exercise.check = text,
                        ("solution", Some(Part::Exercise(exercise))) => exercise.solution = text,
                        (kind, _) => step.parts.push(Part::Cell { text, is_answer: kind == "answer" }),
                    }
                }
            }
        }
        lesson
    }

    /// Parses all lessons.
    pub fn all() -> Vec<Lesson> {
        LESSONS.iter().map(|(name, text)| Lesson::new(name, text)).collect()
    }

    /// Returns what an item of the introduction says: its goal for `Goal`, for instance. The item begins with `- **Goal:**`.
    pub fn about(&self, word: &str) -> Option<String> {
        let Some(Part::Prose(text)) = self.steps.first()?.parts.first() else { return None };
        let (_, rest) = text.split_once(&format!("- **{word}:** "))?;
        let lines = rest.lines().enumerate();
        let item = lines.take_while(|(at, line)| *at == 0 || !(line.is_empty() || line.starts_with("- ")));
        Some(item.map(|(_, line)| line.trim()).collect::<Vec<_>>().join(" "))
    }

    /// Returns the exercises with the indices of their steps, in order.
    pub fn exercises(&self) -> impl Iterator<Item = (usize, &Exercise)> {
        self.steps.iter().enumerate().flat_map(|(at, step)| {
            step.parts.iter().filter_map(move |part| match part {
                Part::Exercise(exercise) => Some((at, exercise)),
                _ => None,
            })
        })
    }
}

/// Returns the cells of Markdown with their words, such as `cfg right`, in order, and the heading that each is under.
pub fn cells(text: &str) -> Vec<(String, String, String)> {
    let mut heading = "";
    let mut out = Vec::new();
    for block in blocks(text) {
        match block {
            Block::Heading(_, title) => heading = title,
            Block::Cell(words, text) => out.push((String::from(heading), String::from(words), text)),
            Block::Prose(_) => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Title\n\n- **Goal:** learn\n  it\n- **Time:** 5 minutes\n\nMore.\n\n## 1. First\n\nSay.\n\n```cfg\n1 +\n1\n```\n\n```cfg answer\n:type 1\n```\n\n\
         ## Exercises\n\nTask.\n\n```cfg exercise\n```\n\n```cfg check\n:check x == 1\n```\n\n```cfg solution\nlet x = 1\n```\n\n```json\n{}\n```\n";

    #[test]
    fn a_lesson_is_divided_at_its_headings() {
        let lesson = Lesson::new("00-test", TEXT);
        assert_eq!(lesson.title, "Title");
        let titles: Vec<&str> = lesson.steps.iter().map(|step| step.title).collect();
        assert_eq!(titles, ["", "1. First", "Exercises"]);
        assert_eq!(
            lesson.steps[1].parts,
            [
                Part::Prose("Say.".into()),
                Part::Cell { text: "1 +\n1".into(), is_answer: false },
                Part::Cell { text: ":type 1".into(), is_answer: true },
            ]
        );
        let exercise = Exercise { cell: String::new(), check: ":check x == 1".into(), solution: "let x = 1".into() };
        assert_eq!(lesson.exercises().collect::<Vec<_>>(), [(2, &exercise)]);
        // a block in another language is prose
        assert_eq!(lesson.steps[2].parts.last(), Some(&Part::Prose("```json\n{}\n```".into())));
    }

    #[test]
    fn goal_and_time_are_read_from_the_introduction() {
        let lesson = Lesson::new("00-test", TEXT);
        assert_eq!(lesson.about("Goal"), Some("learn it".into()));
        assert_eq!(lesson.about("Time"), Some("5 minutes".into()));
        assert_eq!(lesson.about("Level"), None);
    }

    #[test]
    fn every_lesson_and_every_file_of_the_folders_is_here() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let names = |folder: &str| {
            let entries = std::fs::read_dir(root.join(folder)).unwrap();
            let mut names: Vec<String> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        };
        let lessons: Vec<String> = LESSONS.iter().map(|(name, _)| format!("{name}.md")).collect();
        assert_eq!(lessons, names("lessons"));
        let files: Vec<String> = names("deployment").iter().map(|name| format!("deployment/{name}")).collect();
        assert_eq!(FILES.iter().map(|(name, _)| String::from(*name)).collect::<Vec<_>>(), files);
    }
}
