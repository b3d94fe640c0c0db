// One process at a time, also where one of them dies: a file with the holder's process id, whose
// time the holder keeps new.
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { isAlive } from "../window/storage";

/** A lock that is older (ms) was left behind, whoever has its process id by now. */
const STALE_MS = 60_000;
/** How often (ms) the holder says that it is there. */
const BEAT_MS = 5000;

/** Takes the lock and gives what releases it; undefined while another process holds it. */
export function takeLock(file: string): (() => void) | undefined {
  if (isStale(file)) {
    rmSync(file, { force: true });
  }
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") {
      return undefined;
    }
    throw error;
  }
  const beat = setInterval(() => {
    try {
      utimesSync(file, new Date(), new Date());
    } catch {
      // Somebody has taken it for stale.
    }
  }, BEAT_MS).unref();
  return () => {
    clearInterval(beat);
    if (holder(file) === process.pid) {
      rmSync(file, { force: true });
    }
  };
}

/** The holder's process id; NaN while it is being written. */
function holder(file: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(file, "utf8"), 10);
  } catch {
    return undefined;
  }
}

function isStale(file: string): boolean {
  const pid = holder(file);
  try {
    const old = Date.now() - statSync(file).mtimeMs > STALE_MS;
    return old || (pid !== undefined && !Number.isNaN(pid) && !isAlive(pid));
  } catch {
    return false;
  }
}
