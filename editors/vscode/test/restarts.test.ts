import assert from "node:assert/strict";
import { test } from "node:test";
import { Restarts } from "../src/server/restarts";

const MINUTE = 60_000;

test("a server that dies now and then is always started again", () => {
  const restarts = new Restarts();
  for (let minute = 0; minute < 60; minute += 1) {
    assert.equal(restarts.again(minute * MINUTE), true);
  }
});

test("a server that keeps dying is given up after four tries in three minutes", () => {
  const restarts = new Restarts();
  const answers = [0, 1, 2, 3, 4].map((second) => restarts.again(second * 1000));
  assert.deepEqual(answers, [true, true, true, true, false]);
});

test("after a while it gets its tries back", () => {
  const restarts = new Restarts();
  [0, 1, 2, 3, 4].forEach((second) => restarts.again(second * 1000));
  assert.equal(restarts.again(10 * MINUTE), true);
});
