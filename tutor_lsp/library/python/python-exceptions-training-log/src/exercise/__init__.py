"""Training log: read what people type, and say clearly what is wrong with the rest."""
