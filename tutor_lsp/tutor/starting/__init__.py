"""From a wish to an open exercise: what is meant, agreed to, made or gone on with."""
