// Which Python on this machine the server can run with. Programs are asked what they are: a name
// says little, and one that is found may not start.
import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { promisify } from "node:util";

/** The oldest version (of 3) that the server runs on, and the newest that libraries come for. */
export const OLDEST = 11;
const NEWEST = 14;
/** How long (ms) one may take to say what it is: pyenv's and conda's start others first. */
const ANSWERS_WITHIN = 10_000;
/** How many are asked at a time. */
const AT_A_TIME = 3;

const ASKED =
  "import sys; print(sys.executable); print('%d %d' % sys.version_info[:2])\n" +
  "import _imp, os; print(_imp.extension_suffixes()[0]); print(os.uname()[4])";

/** A Python that starts. */
export interface Python {
  /** The program itself, not what stands on PATH for it. */
  file: string;
  /** Major and minor version. */
  version: readonly [number, number];
  /** How it calls libraries that were compiled for it, such as `.cpython-312-x86_64-linux-gnu.so`. */
  suffix: string;
  /** The processor that it was made for, as `uname -m` has it. */
  machine: string;
}

export interface Places {
  /** The environment's PATH. */
  pathVariable: string;
  /** The user's folder. */
  home: string;
  platform: NodeJS.Platform;
  /** Folders to look into besides, instead of those where a Python usually is. */
  others?: readonly string[];
  /** A Python that the extension brings along. */
  carried?: string | undefined;
}

/** Programs that may be a Python, best first; each exists. */
export function candidates({ pathVariable, home, platform, others, carried }: Places): string[] {
  const versions = Array.from({ length: NEWEST - OLDEST + 1 }, (_, index) => `3.${NEWEST - index}`);
  const names = ["python3", ...versions.map((version) => `python${version}`), "python"];
  const onPath = pathVariable.split(delimiter).filter((folder) => folder.startsWith("/"));
  const folders = [...onPath, ...(others ?? usual(home, versions))];
  const seen = new Set<string>();
  const found = folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .filter((file) => {
      const real = isProgram(file) && !isPlaceholder(file, platform) ? realpathSync(file) : undefined;
      // Shims are told apart by their names: one program may stand behind all of them.
      const key = real === undefined || isShim(file) ? file : real;
      const isNew = real !== undefined && !seen.has(key);
      seen.add(key);
      return isNew;
    });
  // A shim starts another program first, and may have none to start.
  const direct = found.filter((file) => !isShim(file));
  const own = carried !== undefined && isProgram(carried) ? [carried] : [];
  return [...direct, ...found.filter(isShim), ...own];
}

/** What changes when a program is replaced. */
export function stateOf(file: string): string {
  const { mtimeMs, size } = statSync(file);
  return `${mtimeMs} ${size}`;
}

/** Whether a program only chooses the Python that it starts, as those of pyenv, asdf and mise do. */
function isShim(file: string): boolean {
  return file.includes(/* not shown */ "/shims/") || realpathSync(file).endsWith("/libexec/pyenv");
}

/** The version that a program's own name says; undefined where it says none. */
function claimed(file: string): readonly [number, number] | undefined {
  const [, major, minor] = /^python(\d)\.(\d+)$/.exec(basename(realpathSync(file))) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor)];
}

/**
 * Where a Python usually is: an editor that was started from a desktop often lacks the PATH of the
 * learner's shell.
 */
function usual(home: string, versions: readonly string[]): string[] {
  const managed = [join(home, ".pyenv", "versions"), join(home, ".local", "share", "uv", "python")];
  const ofManagers = managed
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).sort().reverse().map((name) => join(folder, name)));
  const conda = ["miniconda3", "miniforge3", "anaconda3"].map((name) => join(home, name));
  return [
    join(home, ".local", "bin"),
    ...["/opt/homebrew/bin", "/usr/local/bin", "/usr/bin"],
    ...versions.map((version) => `/Library/Frameworks/Python.framework/Versions/${version}/bin`),
    ...[...ofManagers, ...conda].map((folder) => join(folder, "bin")),
  ];
}

/** Where a Python is looked for on this machine. */
export function placesHere(carried?: string): Places {
  const { platform, env } = process;
  return { pathVariable: env.PATH ?? "", home: homedir(), platform, carried };
}

/** What a program is; undefined where it does not start, or is no Python 3. */
export async function ask(file: string): Promise<Python | undefined> {
  try {
    const options = { cwd: "/", timeout: ANSWERS_WITHIN };
    const { stdout } = await promisify(execFile)(file, ["-I", "-S", "-c", ASKED], options);
    const [own = "", version = "", suffix = "", machine = ""] = stdout.trim().split("\n");
    const [major = 0, minor = 0] = version.split(" ").map(Number);
    return own === "" ? undefined : { file: own, version: [major, minor], suffix, machine };
  } catch {
    return undefined;
  }
}

/** Whether a program ends well. */
export async function succeeds(file: string, argv: readonly string[]): Promise<boolean> {
  const options = { cwd: "/", timeout: ANSWERS_WITHIN };
  return promisify(execFile)(file, argv, options).then(
    () => true,
    () => false,
  );
}

const HEADERS =
  /* not shown */ "import os, sys, sysconfig\n" +
  /* not shown */ "sys.exit(not os.path.isfile(os.path.join(sysconfig.get_path('include'), 'Python.h')))";

/** Whether what is compiled for a Python finds its headers. */
export function hasHeaders({ file }: Python): Promise<boolean> {
  return succeeds(file, ["-I", "-S", "-c", HEADERS]);
}

export interface Finding {
  python: Python | undefined;
  /** The newest version that was found and does not fit, such as `3.10`. */
  other: string | undefined;
}

/**
 * The first Python that fits. Programs are asked several at a time; those that are too old by their
 * own name are not.
 */
export async function findPython(
  places: Places,
  fits: (python: Python) => boolean | Promise<boolean>,
  log: (line: string) => void,
): Promise<Finding> {
  const all = candidates(places);
  const old = all.map(claimed).filter((version) => version !== undefined && !isRecent({ version }));
  const rest = all.filter((file) => isRecent({ version: claimed(file) ?? [3, OLDEST] }));
  const others = [...old];
  for (let at = 0; at < rest.length; at += AT_A_TIME) {
    const asked = rest.slice(at, at + AT_A_TIME);
    // The best one that fits is taken as soon as those before it have answered.
    for (const [index, answer] of asked.map(ask).entries()) {
      const python = await answer;
      log(`${asked[index]}: ${python === undefined ? "no Python 3 that starts" : `Python ${python.version.join(".")} (${python.suffix})`}`);
      if (python !== undefined && (await fits(python))) {
        return { python, other: undefined };
      }
      others.push(python?.version);
    }
  }
  const [newest] = others
    .filter((version) => version !== undefined)
    .sort(([a, b], [c, d]) => c - a || d - b);
  return { python: undefined, other: newest?.join(".") };
}

/** Looks for a Python again and again, as while one is being installed. */
export class Looking {
  private before: string | undefined;

  /**
   * Whether one fits; with `changedOnly` no program is asked while all that may be one are what they
   * were the last time.
   */
  async finds(places: Places, fits: (python: Python) => boolean, changedOnly: boolean): Promise<boolean> {
    const { before } = this;
    this.before = candidates(places).map((file) => `${file} ${stateOf(file)}`).join("\n");
    if (changedOnly && this.before === before) {
      return false;
    }
    return (await findPython(places, fits, () => undefined)).python !== undefined;
  }
}

/** Whether the server runs on its version. */
export function isRecent({ version: [major, minor] }: Pick<Python, "version">): boolean {
  return major === 3 && minor >= OLDEST;
}

/** Whether the C library is musl, for which few libraries come compiled. */
export function usesMusl({ suffix }: Python): boolean {
  return suffix.includes("-musl");
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** macOS has a python3 that only offers to install developer tools, in a window of its own. */
function isPlaceholder(file: string, platform: NodeJS.Platform): boolean {
  return (
    platform === "darwin" &&
    file.startsWith("/usr/bin/") &&
    !["/Library/Developer/CommandLineTools", "/Applications/Xcode.app"].some((tools) => existsSync(tools))
  );
}
