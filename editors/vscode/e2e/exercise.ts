// The exercise that most scenarios use: four one-line stubs in Python.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { SERVER } from "./host";

export const MOVIE = {
  topic: "Functions and return values",
  folder: join("exercises", "python-functions-movie-night"),
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

/** An exercise as the server has made it. */
export interface Made {
  workspace: string;
  units: { file: string }[];
}

/** Makes an exercise of the library in a tutor's home, before any window is open. */
export function made(home: string, node: string): Made {
  const args = ["start", "--home", home, "--node", node, "--backend", "library", "--json"];
  return JSON.parse(execFileSync(SERVER, args, { encoding: "utf8" })) as Made;
}
