// Which processes belong to a run of the tests, as /proc shows them.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface Running {
  pid: number;
  argv: string[];
}

/** Processes for which `mine` holds; those that end meanwhile, or are not ours to see, are left out. */
function processes(mine: (pid: string, argv: string[]) => boolean): Running[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const argv = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
        return argv.length > 0 && mine(pid, argv) ? [{ pid: Number(pid), argv }] : [];
      } catch {
        return [];
      }
    });
}

/** Processes that run the tutor's server for the user with this home. */
export function servers(userHome: string): number[] {
  const home = Buffer.from(`HOME=${userHome}\0`);
  return processes(
    (pid, argv) =>
      argv.includes("serve") &&
      argv.some((word) => word.endsWith("tutor-lsp") || word === "tutor_lsp") &&
      readFileSync(`/proc/${pid}/environ`).includes(home),
  ).map(({ pid }) => pid);
}

/** Processes that were started from `folder`, work in it, or have it in their arguments. */
export function leftOvers(folder: string): Running[] {
  return processes((pid, argv) => {
    const inside = argv.some((word) => word.includes(folder));
    return (
      Number(pid) !== process.pid &&
      (inside ||
        readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) ||
        readFileSync(`/proc/${pid}/environ`).includes(`HOME=${folder}`))
    );
  });
}
