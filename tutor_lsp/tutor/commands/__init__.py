"""What the commands do: use cases that need several rooms, and the way from a name to one."""
