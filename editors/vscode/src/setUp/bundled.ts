// The server with its libraries, unpacked in packages for one target: on the path of a Python they
// run as they are. Nothing is written beside them.
import { execFile, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cp, mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { findPython, placesHere, type Python, stateOf } from "./find";

const MACHINES: Record<string, readonly string[]> = {
  x64: ["x86_64", "amd64"],
  arm64: ["aarch64", "arm64"],
};

export interface Known {
  file: string;
  /** Folder of the libraries that were compiled for it. */
  tag: string;
}

export class Bundled {
  private constructor(
    /** Folder of the extension. */
    private readonly extension: string,
    /** What its libraries were made for, such as `linux-x64`. */
    readonly target: string,
    /** Folder of the bytecode. */
    private readonly bytecode: string,
    /** File in which the Python is remembered that was found. */
    private readonly memory: string,
  ) {}

  /** What a package brings along; undefined for one that is made for every machine. */
  static in(extension: string, storage: string, version: string): Bundled | undefined {
    const file = join(extension, "libs", "target");
    return existsSync(file)
      ? new Bundled(
          extension,
          readFileSync(file, "utf8").trim(),
          join(storage, "bytecode", version),
          join(storage, "python.json"),
        )
      : undefined;
  }

  private get libs(): string {
    return join(this.extension, "libs");
  }

  /** The Python that comes along, if one does. */
  get carried(): string | undefined {
    const file = join(this.extension, "python", "bin", "python3");
    return existsSync(file) ? file : undefined;
  }

  /** Whether there are libraries for a Python. */
  fits(python: Python): boolean {
    return this.tagOf(python) !== undefined;
  }

  private tagOf({ version, suffix, machine }: Python): string | undefined {
    const tag = `cp${version.join("")}`;
    const [platform = "", processor = ""] = this.target.split("-");
    const end = platform === "darwin" ? "-darwin.so" : "-linux-gnu.so";
    // Free-threaded ones have a "t" behind the version, and libraries of their own.
    const isPlain = suffix.startsWith(`.cpython-${version.join("")}-`) && suffix.endsWith(end);
    const isOurs = isPlain && MACHINES[processor]?.includes(machine) === true;
    return isOurs && existsSync(join(this.libs, tag)) ? tag : undefined;
  }

  /** The Python that was found last, if it is still what it was. */
  known(): Known | undefined {
    try {
      const { file, tag, state } = JSON.parse(readFileSync(this.memory, "utf8")) as Known & {
        state: string;
      };
      const same = stateOf(file) === state && existsSync(join(this.libs, tag));
      return same ? { file, tag } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Looks for a Python that fits, and remembers it. */
  async find(log: (line: string) => void): Promise<Known | undefined> {
    const { python } = await findPython(placesHere(this.carried), (each) => this.fits(each), log);
    return python && this.remember(python);
  }

  /** Remembers a Python that fits; throws nothing where that cannot be written. */
  async remember(python: Python): Promise<Known> {
    const { file } = python;
    const known = { file, tag: this.tagOf(python) ?? "" };
    try {
      await mkdir(join(this.memory, ".."), { recursive: true });
      writeFileSync(this.memory, JSON.stringify({ ...known, state: stateOf(file) }));
    } catch {
      // It is looked for again the next time.
    }
    return known;
  }

  /** What stands before the server's own arguments. */
  get before(): readonly string[] {
    return [...this.launch, "-m", "tutor_lsp"];
  }

  private get launch(): readonly string[] {
    // Without the packages that the machine's Python has: ours would have to agree with them.
    return ["-I", "-S", join(this.libs, "any", "tutor_lsp", "launch.py"), this.bytecode];
  }

  /** What is said where the compiled libraries cannot be loaded; empty where they can. */
  async tried({ file }: Known): Promise<string> {
    const load = [...this.launch, "-c", "import pydantic_core, tree_sitter"];
    return promisify(execFile)(file, load, { cwd: "/" }).then(
      () => "",
      (error: unknown) => String(error),
    );
  }

  /** Copies what the package brings along into another folder, where programs may run: all or nothing. */
  async copyTo(folder: string): Promise<void> {
    const copying = `${folder}.new`;
    await rm(copying, { recursive: true, force: true });
    for (const part of ["libs", "python"].filter((name) => existsSync(join(this.extension, name)))) {
      const options = { recursive: true, verbatimSymlinks: true };
      await cp(join(this.extension, part), join(copying, part), options);
    }
    await rm(folder, { recursive: true, force: true });
    await rename(copying, folder);
  }

  /** Writes the bytecode ahead of its use; removes that of other versions. */
  async compile({ file, tag }: Known): Promise<void> {
    const done = join(this.bytecode, `${tag}.done`);
    if (existsSync(done)) {
      return;
    }
    const folder = join(this.bytecode, "..");
    await mkdir(this.bytecode, { recursive: true });
    const others = readdirSync(folder).map((name) => join(folder, name));
    await Promise.all(
      others
        .filter((other) => other !== this.bytecode)
        .map((other) => rm(other, { recursive: true, force: true })),
    );
    await new Promise<void>((resolve) => {
      const child = spawn(file, [...this.launch, "--compile"], { cwd: "/", stdio: "ignore" });
      child.once("error", () => {
        resolve();
      });
      child.once("exit", (code) => {
        if (code === 0) {
          writeFileSync(done, "");
        }
        resolve();
      });
    });
  }

  /** The first file that is missing or not as it was packed, if there is one. */
  async damaged(): Promise<string | undefined> {
    let files: [name: string, size: number][];
    try {
      const { files: sizes } = JSON.parse(await readFile(join(this.libs, "contents.json"), "utf8")) as {
        files: Record<string, number>;
      };
      files = Object.entries(sizes);
    } catch {
      return "contents.json";
    }
    for (const [name, size] of files) {
      const found = await stat(join(this.extension, name)).catch(() => undefined);
      if (found?.size !== size) {
        return name;
      }
    }
    return undefined;
  }
}
