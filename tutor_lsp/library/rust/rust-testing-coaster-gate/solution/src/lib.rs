//! The gate of a roller coaster: how long people wait, what the light shows, and who may ride.

pub mod answers;
pub mod height;
pub mod light;
pub mod queue;
pub mod rule;
