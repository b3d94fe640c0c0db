"""League table: who is first, who shares a place, and sorted by any column."""
