"""What the use cases stand on: backends, jobs, tasks, tools, the front end."""
