// Where the server's executable is looked for. Pure: the caller says what is on the disk.
import * as path from "node:path";

export const EXECUTABLE = "tutor-lsp";

export interface Surroundings {
  /** The setting `tutor.server.command`; empty when not set. */
  setting: string;
  /** Folders of the window, first one first. */
  folders: readonly string[];
  /** The environment's PATH. */
  pathVariable: string;
  home: string;
}

export type Origin = "setting" | "workspace" | "path" | "user";

export interface Candidate {
  file: string;
  origin: Origin;
}

export type Search =
  | { found: true; file: string; origin: Origin }
  | { found: false; setting: string; tried: string[] };

function onPath(name: string, pathVariable: string): string[] {
  return pathVariable
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name));
}

/** A setting's value with `~` and `${workspaceFolder}` replaced. */
export function expand(value: string, folders: readonly string[], home: string): string {
  const trimmed = value.trim();
  const homely = /^~(?=$|[\\/])/.test(trimmed) ? home + trimmed.slice(1) : trimmed;
  return homely.replaceAll("${workspaceFolder}", folders[0] ?? "");
}

/**
 * Every place to look at, best first. A setting counts alone: nothing else is tried, so
 * that a wrong path is said instead of another version being started.
 */
export function candidates(around: Surroundings): Candidate[] {
  const setting = expand(around.setting, around.folders, around.home);
  if (setting !== "") {
    const files = path.isAbsolute(setting)
      ? [setting]
      : setting.includes("/") || setting.includes(path.sep)
        ? around.folders.slice(0, 1).map((folder) => path.join(folder, setting))
        : onPath(setting, around.pathVariable);
    return files.map((file) => ({ file, origin: "setting" }));
  }
  return [
    ...around.folders.map((folder): Candidate => {
      return { file: path.join(folder, ".venv", "bin", EXECUTABLE), origin: "workspace" };
    }),
    ...onPath(EXECUTABLE, around.pathVariable).map((file): Candidate => ({ file, origin: "path" })),
    // An editor started from a desktop often lacks the PATH of the learner's shell.
    { file: path.join(around.home, ".local", "bin", EXECUTABLE), origin: "user" },
  ];
}

/** The first candidate that can be executed. */
export function findServer(around: Surroundings, isExecutable: (file: string) => boolean): Search {
  const all = candidates(around);
  const hit = all.find((candidate) => isExecutable(candidate.file));
  return hit
    ? { found: true, ...hit }
    : { found: false, setting: around.setting.trim(), tried: all.map(({ file }) => file) };
}
