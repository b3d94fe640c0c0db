// The exercise that most scenarios use: four one-line stubs in Python.
import { join } from "node:path";

export const MOVIE = {
  topic: "Functions and return values, python",
  folder: join("python", "python-functions-movie-night"),
  file: join("src", "exercise", "movie.py"),
  node: "python-functions",
};

export const SOLUTIONS: Record<string, string> = {
  to_minutes: "return hours * 60 + minutes",
  ends_at: "return to_minutes(hour, minute) + length",
  catches_bus: "return end + walk <= bus",
  plan:
    'return f"{title} ends at {clock(ends_at(hour, minute, length))}: ' +
    '{bus_note(catches_bus(ends_at(hour, minute, length), WALK, LAST_BUS))}"',
};

export const STUBS = Object.keys(SOLUTIONS);
