"""What lets a process that is there for one verb begin with little."""
