//! The parts of answers that several questions share: paths into values, the network of reads, values compared.

pub mod compare;
pub mod network;
pub mod path;
pub mod projection;
