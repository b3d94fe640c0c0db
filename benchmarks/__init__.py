"""Side-by-side measurements: `python -m benchmarks`. Only ratios within one run mean anything."""
