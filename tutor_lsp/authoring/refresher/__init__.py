"""A refresher: one unit of a passed exercise, with everything else given and fresh values.

Deliberately absent: when one is due, and any call to a model.
"""
