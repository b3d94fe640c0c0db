//! The gate of a roller coaster: how long people wait, what the signal shows, and who may ride.

pub mod answers;
pub mod height;
pub mod queue;
pub mod rule;
pub mod signal;
