// Waiting for a state instead of a time.
import assert from "node:assert/strict";

/** Limit for anything that is waited for, in milliseconds. */
const PATIENCE_MS = 30_000;
const LOOK_MS = 10;

/** Looks until something holds; where it does not in time, fails and says what was told. */
export async function eventually(
  what: string,
  holds: () => unknown,
  told: () => string,
): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `${what}: not in time; ${told()}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
