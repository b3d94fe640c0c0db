import assert from "node:assert/strict";
import { test } from "node:test";
import { Pace } from "../src/setUp/pace";

/** One with a clock of its own. */
function paced(): { pace: Pace; pass: (ms: number) => void } {
  let now = 1_000_000;
  return { pace: new Pace(() => now), pass: (ms) => (now += ms) };
}

test("the time left follows from the pace so far, and passes", () => {
  const { pace, pass } = paced();
  assert.equal(pace.left(), "");
  pass(5000);
  pace.at(5);
  assert.equal(pace.left(), "");
  pass(5000);
  pace.at(25);
  assert.equal(pace.left(), "about 30 s left");
  pass(10_000);
  assert.equal(pace.left(), "about 20 s left");
  pace.at(50);
  assert.equal(pace.left(), "about 20 s left");
  pass(18_000);
  assert.equal(pace.left(), "");
});

test("minutes are said as minutes", () => {
  const { pace, pass } = paced();
  pass(60_000);
  pace.at(20);
  assert.equal(pace.left(), "about 4 min left");
});

test("a machine that slept, or whose clock was set back, is not slow for that", () => {
  const { pace, pass } = paced();
  pass(10_000);
  pace.at(25);
  pass(3 * 3_600_000);
  pace.at(70);
  assert.equal(pace.left(), "about 30 s left");
  pass(-3_600_000);
  assert.equal(pace.left(), "about 30 s left");
});
