use crate::dialect::Program;
pub(super) fn read(s: crate::text::SourceId, t: &str) -> Program {
    super::json::read(s, t)
}
