"""Movie night: when does the film end, and is there still a bus home?"""
