// Which unit to open, and what is told of one. Pure.
import { joined } from "./messages";
import type { Unit } from "./protocol";

/** The unit to open: the focus, else the first that does not pass, else the first. */
export function focusUnit(units: readonly Unit[]): Unit | undefined {
  return (
    units.find((unit) => unit.focus) ?? units.find((unit) => unit.state !== "passing") ?? units[0]
  );
}

export const STATES: Record<Unit["state"], { icon: string; words: string }> = {
  passing: { icon: "$(pass)", words: "passes" },
  failing: { icon: "$(error)", words: "not yet" },
  todo: { icon: "$(circle-outline)", words: "to do" },
  stale: { icon: "$(history)", words: "from before the last edit" },
};

/** A unit's state in words; the server's where it is of another text. */
export function stateWords({ state, old, words }: Unit): string {
  return (state === "stale" || old === true ? words : undefined) ?? STATES[state].words;
}

/** A unit's id and state in words, and whether it is the one to work at. */
export function unitText(unit: Unit): string {
  const { id, state, focus } = unit;
  return joined(id, stateWords(unit), focus && state !== "passing" && "you are here");
}
