//! `:stages`: the result of each stage for an expression, from its tokens to its value.

mod html;
mod json;
mod scopes;
mod text;
mod tokens;

pub use scopes::Scopes;
pub use tokens::Tokens;

use crate::answer::{Answer, forms};
use crate::problem::Problem;

/// A stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The tokens of the text.
    Tokens,
    /// The syntax tree, with strings as they are written.
    Tree,
    /// The syntax tree with the parts of strings.
    Interpolated,
    /// The names of each scope, in the order in which they are computed.
    Scope,
    /// The constraints of type inference, and their solution.
    Constraints,
    /// The graph of which value is computed from which.
    Functions,
    /// The value.
    Values,
    /// The graph of resources.
    Resources,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Stage; 8] = [
        Stage::Tokens,
        Stage::Tree,
        Stage::Interpolated,
        Stage::Scope,
        Stage::Constraints,
        Stage::Functions,
        Stage::Values,
        Stage::Resources,
    ];

    /// The word for the stage.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Tokens => "tokens",
            Stage::Tree => "tree",
            Stage::Interpolated => "interpolated",
            Stage::Scope => "scope",
            Stage::Constraints => "constraints",
            Stage::Functions => "functions",
            Stage::Values => "values",
            Stage::Resources => "resources",
        }
    }
}

/// The answer of a stage, or the problem that stopped it.
pub type StageResult = Result<Box<dyn Answer>, Problem>;

/// The stages that an expression reaches. The last one may have failed.
#[derive(Default)]
pub struct Stages(pub Vec<(Stage, StageResult)>);

impl Stages {
    /// Keeps only one stage. If it was not reached, keeps the stage that failed.
    pub fn keep(&mut self, only: Stage) {
        if self.0.iter().any(|(stage, _)| *stage == only) {
            self.0.retain(|(stage, _)| *stage == only);
        } else {
            self.0.retain(|(_, result)| result.is_err());
        }
    }
}

impl Answer for Stages {
    forms!("stages");

    fn fault(&self) -> Option<&Problem> {
        self.0.iter().find_map(|(_, result)| result.as_ref().err())
    }
}
