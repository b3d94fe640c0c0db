"""Step chart: what a list of daily steps has to say."""
