"""From a learner's code to the known mistake that it makes."""
