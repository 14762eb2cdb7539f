//! cfg
fn main() {}
