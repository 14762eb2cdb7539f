//! Fenced code blocks of a Markdown file, by the `##` heading above them.

/// A fenced block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The info string after the opening fence.
    pub info: String,
    /// The text between the fences, without the last line end.
    pub text: String,
    /// The line of the opening fence, from 1.
    pub line: usize,
    /// The lines of the text, from 0, half-open.
    pub lines: std::ops::Range<usize>,
}

/// A `##` heading and the blocks below it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// The heading.
    pub name: String,
    /// The blocks in order.
    pub blocks: Vec<Block>,
}

/// Returns the sections of a Markdown text. Blocks above the first heading are in a section with an empty name.
pub fn sections(text: &str) -> Vec<Section> {
    let mut all = vec![Section { name: String::new(), blocks: Vec::new() }];
    let mut open: Option<(String, Block)> = None;
    for (number, line) in text.lines().enumerate() {
        match &mut open {
            None => {
                let ticks = line.len() - line.trim_start_matches('`').len();
                if ticks >= 3 && line.get(ticks..).is_some_and(|info| !info.starts_with(char::is_whitespace)) {
                    let (fence, info) = line.split_at(ticks);
                    let block = Block {
                        info: info.trim().to_string(),
                        text: String::new(),
                        line: number + 1,
                        lines: number + 1..number + 1,
                    };
                    open = Some((fence.to_string(), block));
                } else if let Some(name) = line.strip_prefix("## ") {
                    all.push(Section { name: name.trim().to_string(), blocks: Vec::new() });
                }
            }
            Some((fence, _)) if line == fence => {
                if let (Some((_, block)), Some(section)) = (open.take(), all.last_mut()) {
                    section.blocks.push(block);
                }
            }
            Some((_, block)) => {
                if !block.lines.is_empty() {
                    block.text.push('\n');
                }
                block.text.push_str(line);
                block.lines.end = number + 1;
            }
        }
    }
    all.retain(|section| !section.name.is_empty() || !section.blocks.is_empty());
    all
}
