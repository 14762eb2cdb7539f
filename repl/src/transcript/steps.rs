//! Splits a block into inputs and their outputs.

use crate::foreign_commands::prompt_of_cell;
use cfg_core::markdown::Block;

/// The prompt before an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prompt {
    /// `cfg[3]> `
    Session,
    /// `$ `
    Shell,
}

/// One input of a block.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Step {
    /// Its line number, counted from the block's opening fence.
    pub line: usize,
    /// Its lines in the document, including the prompt.
    pub shown: String,
    /// The input itself.
    pub input: String,
    /// The output that the document shows.
    pub output: String,
}

impl Step {
    /// Returns its lines after the prompt of a cell (`cfg[3]`).
    pub fn with_prompt(&self, cell: &str) -> String {
        let rest = self.shown.split_once(']').map_or("", |(_, rest)| rest);
        format!("{cell}{rest}")
    }
}

/// Returns the text after the prompt at the beginning of a line.
fn after_prompt(line: &str, prompt: Prompt) -> Option<&str> {
    let text = match prompt {
        Prompt::Shell => line.strip_prefix('$')?,
        Prompt::Session => prompt_of_cell(line)?.1,
    };
    match text.strip_prefix(' ') {
        Some(text) => Some(text),
        None => text.is_empty().then_some(text),
    }
}

/// Returns the inputs of a block. Fails if there is text above the first one.
pub fn steps(block: &Block, prompt: Prompt) -> Result<Vec<Step>, String> {
    let mut all: Vec<Step> = Vec::new();
    for (at, line) in block.text.lines().enumerate() {
        if let Some(text) = after_prompt(line, prompt) {
            let (shown, input) = (format!("{line}\n"), format!("{text}\n"));
            all.push(Step { line: at + 1, shown, input, output: String::new() });
            continue;
        }
        let Some(step) = all.last_mut() else {
            let sign = if prompt == Prompt::Shell { "$ " } else { "cfg[1]> " };
            return Err(format!("line {}: expected `{sign}` at the beginning of the block", block.line + at + 1));
        };
        // a shell's prompt for a line that continues
        let next = match prompt {
            Prompt::Shell if step.input.ends_with("\\\n") => line.strip_prefix("> "),
            Prompt::Shell => None,
            Prompt::Session => line.trim_start().strip_prefix("… "),
        };
        match next {
            Some(text) if step.output.is_empty() => {
                step.shown.push_str(line);
                step.shown.push('\n');
                step.input.push_str(text);
                step.input.push('\n');
            }
            _ => {
                step.output.push_str(line);
                step.output.push('\n');
            }
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(text: &str) -> Block {
        Block { info: String::from("repl"), text: String::from(text), line: 10, lines: 10..20 }
    }

    #[test]
    fn inputs_continue_and_answers_follow() {
        let all = steps(&block("cfg[1]> f\n      … x\n1\n… 2\njsonnet[7]> g"), Prompt::Session).unwrap();
        let of = |step: &Step| (step.line, step.input.clone(), step.output.clone());
        assert_eq!(of(&all[0]), (1, "f\nx\n".into(), "1\n… 2\n".into()));
        assert_eq!(of(&all[1]), (5, "g\n".into(), "".into()));
        assert_eq!(all[1].with_prompt("jsonnet[2]"), "jsonnet[2]> g\n");
        assert_eq!(all[0].with_prompt("cfg[1]"), all[0].shown);
    }

    #[test]
    fn a_shell_has_another_prompt() {
        let all = steps(&block("$ cfg eval x\\\n> y\n> z"), Prompt::Shell).unwrap();
        assert_eq!((all[0].input.as_str(), all[0].output.as_str()), ("cfg eval x\\\ny\n", "> z\n"));
        let all = steps(&block("$ cfg eval x\n{}\n$5"), Prompt::Shell).unwrap();
        assert_eq!((all.len(), all[0].output.as_str()), (1, "{}\n$5\n"));
        assert!(steps(&block("{}\n$ cfg"), Prompt::Shell).unwrap_err().starts_with("line 11"));
    }
}
