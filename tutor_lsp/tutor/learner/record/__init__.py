"""The learner record as a whole: losses, backups, export and import."""
