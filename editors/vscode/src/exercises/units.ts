// Which unit to open, its icon, and what its tests are called. Pure.
import type { UnitInfo } from "../server/protocol";

/** The unit to open: the focus, else the first that does not pass, else the first. */
export function focusUnit(units: readonly UnitInfo[]): UnitInfo | undefined {
  return (
    units.find((unit) => unit.focus) ?? units.find((unit) => unit.state !== "passing") ?? units[0]
  );
}

/** The unit of `file` whose stub begins last at or before a zero-based line. */
export function unitAt(units: readonly UnitInfo[], file: string, line: number): UnitInfo | undefined {
  return units
    .filter((unit) => unit.file === file && unit.line <= line + 1)
    .reduce<UnitInfo | undefined>((last, unit) => (last && last.line > unit.line ? last : unit), undefined);
}

/** Whether no stub of an exercise has been written yet. */
export function isFresh(units: readonly UnitInfo[]): boolean {
  return units.every(({ state }) => state === "todo");
}

export const ICONS: Record<UnitInfo["state"], string> = {
  passing: "pass",
  failing: "error",
  todo: "circle-outline",
  stale: "history",
};

/**
 * What the tests of a unit are called in a list of its own, by their names: as words, without what all of
 * them begin with; by the whole name where that would leave nothing, or two of them alike.
 */
export function testLabels({ stub, tests }: Pick<UnitInfo, "stub" | "tests">): Map<string, string> {
  const own = /\w+$/.exec(stub)?.[0].toLowerCase() ?? stub;
  const told = tests.map((name) => {
    const bare = name.replace(/^test_/, "");
    const rest = bare.startsWith(`${own}_`) ? bare.slice(own.length + 1) : bare;
    return /^[a-z0-9]+(_[a-z0-9]+)*$/.test(rest) ? rest.replaceAll("_", " ") : name;
  });
  const once = new Set(told).size === told.length;
  return new Map(tests.map((name, at) => [name, once ? (told[at] ?? name) : name]));
}
