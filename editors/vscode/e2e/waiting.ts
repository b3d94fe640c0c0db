// Every wait of the end-to-end tests: for a state, never for a time.
import assert from "node:assert/strict";

/** Longest wait for anything, in milliseconds; far more than it takes. */
export const PATIENCE_MS = 60_000;

/** Looks until `holds` gives something, which is the answer. */
export async function until<T>(
  what: string,
  holds: () => Promise<T | undefined | false> | T | undefined | false,
  patience = PATIENCE_MS,
): Promise<T> {
  const deadline = Date.now() + patience;
  for (;;) {
    const found = await holds();
    if (found !== undefined && found !== false) {
      return found;
    }
    assert.ok(Date.now() < deadline, `${what}: not within ${patience / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
