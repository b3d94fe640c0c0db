import assert from "node:assert/strict";
import { test } from "node:test";
import { Starts } from "../src/exercises/starts";

function started(jobId: string, node: string): Parameters<Starts["begun"]>[1] {
  return { jobId, node, language: "rust", depth: "D1", title: node };
}

test("each exercise is judged by its own start, whatever was asked for since", () => {
  let now = 1000;
  const starts = new Starts(() => now);
  const slow = { topic: "slow" };
  starts.ask(slow, false);
  starts.begun(slow, started("job-1", "free-slow"));
  now = 60_000;
  const next = {};
  starts.ask(next, true);
  starts.begun(next, started("job-2", "rs-next"));
  const first = starts.ready("job-1");
  assert.deepEqual([first?.at, first?.goingOn], [1000, false]);
  const second = starts.ready("job-2");
  assert.deepEqual([second?.at, second?.goingOn], [60_000, true]);
  assert.equal(starts.ready("job-1"), undefined);
});

test("answers that come in another order belong to their own questions", () => {
  const starts = new Starts();
  const [one, two] = [{ node: "a" }, { errorCode: "E0382" }];
  starts.ask(one, false);
  starts.ask(two, false);
  assert.deepEqual(starts.begun(two, started("job-2", "b"))?.argument, {
    node: "b",
    language: "rust",
  });
  assert.equal(starts.begun(one, started("job-1", "a"))?.argument.node, "a");
});

test("what failed is what is tried again, and tries are counted", () => {
  const starts = new Starts();
  const [one, two] = [{ node: "a" }, { node: "b" }];
  starts.again(3);
  starts.ask(one, false);
  starts.begun(one, started("job-1", "a"));
  starts.ask(two, false);
  starts.failed("job-1");
  assert.deepEqual([starts.last?.argument.node, starts.last?.tries], ["a", 3]);
  starts.failed("unknown");
  assert.equal(starts.last?.argument.node, "a");
});
