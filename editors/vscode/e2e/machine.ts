// A machine for one editor, in a mount namespace of its own: its Python is what a test makes of it,
// and its disks have options of their own.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Host } from "./host";

/** Where programs of the machine are; the extension looks there for a Python, too. */
const SYSTEM = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

/**
 * The machine's Python: not there, too old, newer than all libraries, of musl without and with a
 * compiler, killed as a server, whole.
 */
export type Kind = "none" | "old" | "new" | "musl" | "compiles" | "killed" | "works";

/** What pip says where a library must be compiled, and nothing can. */
const PIP_FAILS = [
  "Building wheels for collected packages: tree-sitter",
  "  error: command 'gcc' failed: No such file or directory",
  "ERROR: Failed building wheel for tree-sitter",
];

export class Machine {
  private readonly folder = mkdtempSync(join(tmpdir(), "tutor-e2e-machine-"));
  /** The machine's own Python, under another name: what it would be replaced by is bound over it. */
  private readonly real = join(this.folder, "real", "python");
  private readonly standIn = join(this.folder, "python3");
  private readonly pip = join(this.folder, "pip");
  private readonly state = join(this.folder, "state");
  /** Folders on which something is mounted. */
  private readonly mounted: string[] = [];
  private host: Host | undefined;

  constructor() {
    const [newest] = pythons();
    assert.ok(newest !== undefined, "this machine has no Python");
    mkdirSync(join(this.real, ".."));
    copyFileSync(newest, this.real);
    mkdirSync(this.tools);
    this.write(this.standIn, [
      `case "$(cat ${this.state}) $*" in`,
      // What it is: itself, whatever it runs; and of which version.
      `  old*print\\(sys.executable\\)*) ${this.real} "$@" | sed "1s,.*,$0,;2s,.*,3 10,"; exit ;;`,
      `  new*print\\(sys.executable\\)*) ${this.real} "$@" | sed "1s,.*,$0,;2s,.*,3 15,;3s,cpython-3..,cpython-315,"; exit ;;`,
      `  musl*print\\(sys.executable\\)* | compiles*print\\(sys.executable\\)*) ${this.real} "$@" | sed "1s,.*,$0,;3s,-linux-gnu,-linux-musl,"; exit ;;`,
      `  *print\\(sys.executable\\)*) ${this.real} "$@" | sed "1s,.*,$0,"; exit ;;`,
      `  killed*" -m tutor_lsp "*) kill -9 $$ ;;`,
      // Its environments have a pip that cannot compile.
      `  musl" -m venv "*) mkdir -p "$3/bin"; ln -s ${this.pip} "$3/bin/python"; exit ;;`,
      "esac",
      `exec ${this.real} "$@"`,
    ]);
    this.write(this.pip, [...PIP_FAILS.map((line) => `echo "${line}"`), "exit 1"]);
    // What installs a Python here, and what a compiler.
    this.write(join(this.tools, "uv"), [
      `echo "$*" > ${this.log}`,
      `chmod +x ${this.standIn}`,
      `echo works > ${this.state}`,
    ]);
    this.write(join(this.tools, "apt-get"), [`echo "$*" > ${this.log}`, `echo compiles > ${this.state}`]);
    this.python("works");
  }

  /** Folders of its programs. */
  get path(): string[] {
    return [this.tools, ...SYSTEM];
  }

  /** What an editor on this machine is started by. */
  get starter(): string[] {
    const binds = pythons().map((file) => `mount --bind ${this.standIn} ${file}`);
    return ["unshare", "--mount", "sh", "-ec", `${binds.join("\n")}\nexec "$@"`, "sh"];
  }

  runs(host: Host): void {
    this.host = host;
  }

  python(kind: Kind): void {
    writeFileSync(this.state, kind);
    chmodSync(this.standIn, kind === "none" ? 0o644 : 0o755);
    // What is another program has another time.
    utimesSync(this.standIn, new Date(), new Date());
  }

  /** What was installed last, if anything was. */
  installed(): string | undefined {
    return existsSync(this.log) ? readFileSync(this.log, "utf8").trim() : undefined;
  }

  /** Mounts a folder with options, as on a disk of its own. */
  remount(folder: string, options: string): void {
    this.within("mount", "--bind", folder, folder);
    this.mounted.push(folder);
    this.within("mount", "-o", `remount,bind,${options}`, folder);
  }

  /** Puts a disk without any space in the place of a folder. */
  fill(folder: string): void {
    this.within("mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", folder);
    this.mounted.push(folder);
    this.within("sh", "-c", `cat /dev/zero > ${join(folder, "full")} 2>/dev/null || true`);
  }

  /** Everything is well again. */
  mend(): void {
    this.python("works");
    this.mounted.splice(0).forEach((folder) => {
      this.within("umount", "--lazy", folder);
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  private get tools(): string {
    return join(this.folder, "bin");
  }

  private get log(): string {
    return join(this.folder, "installed");
  }

  private within(...argv: string[]): void {
    const pid = this.host?.pid ?? 0;
    execFileSync("nsenter", ["--target", String(pid), "--mount", ...argv]);
  }

  private write(file: string, lines: readonly string[]): void {
    writeFileSync(file, `#!/bin/sh\n${lines.join("\n")}\n`, { mode: 0o755 });
  }
}

/** The machine's Pythons themselves, newest first. */
function pythons(): string[] {
  const found = SYSTEM.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /^python(3(\.\d+)?)?$/.test(name))
      .map((name) => realpathSync(join(folder, name))),
  );
  const minor = (file: string): number => Number(/\.(\d+)$/.exec(file)?.[1] ?? 0);
  return [...new Set(found)].sort((one, other) => minor(other) - minor(one));
}
