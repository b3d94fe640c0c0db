// What results of tests say. Pure.
import type { Standing, TestResult, Unit } from "./protocol";

/** How many units are done, such as "3 of 4 before this edit". */
export function doneText(units: readonly Unit[], standing?: Standing | null): string {
  const passing = units.filter(({ state }) => state === "passing").length;
  return standing?.words ?? `${passing} of ${units.length}`;
}

/** Whether the results of a unit's tests are of another text than its state. */
export function isOutdated(unit: Unit, tests: readonly TestResult[]): boolean {
  if (unit.old !== undefined) {
    return unit.old;
  }
  const own = tests.filter(({ name }) => unit.tests.includes(name));
  const allPassed = own.length > 0 && own.every(({ outcome }) => outcome === "passed");
  // A text that does not parse is not run, so what passed before would look as if it still did.
  return unit.state === "stale" || (unit.state !== "passing" && allPassed);
}

/** Text of a failure, in one sentence. */
export function failureText(result: TestResult): string {
  return result.message ?? `${result.name} does not pass`;
}
