"""From a wish to an open exercise: resolved, consented to, then made or resumed."""
