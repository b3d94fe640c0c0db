"""Market till: totals, a discount and change, without a cent getting lost."""
