import assert from "node:assert/strict";
import { test } from "node:test";
import { type Body, type Increment, Meter, ProgressNotifications } from "../src/progress";

test("percentages of the whole become increments that add up", () => {
  const meter = new Meter();
  const steps = [10, 35, 35, 100].map((percentage) => {
    meter.update({ percentage });
    return meter.take().increment ?? 0;
  });
  assert.deepEqual(steps, [10, 25, 0, 65]);
});

test("a percentage never goes back, above 100 or off the scale", () => {
  const meter = new Meter();
  meter.update({ percentage: 60 });
  assert.deepEqual(meter.take(), { increment: 60 });
  meter.update({ percentage: 40 });
  assert.deepEqual(meter.take(), {});
  meter.update({ percentage: Number.NaN });
  assert.deepEqual(meter.take(), {});
  meter.update({ percentage: 250 });
  assert.deepEqual(meter.take(), { increment: 40 });
});

test("the last message stays until the next one", () => {
  const meter = new Meter();
  meter.update({ message: "starter 2/8" });
  assert.deepEqual(meter.take(), { message: "starter 2/8" });
  meter.update({ percentage: 30 });
  assert.deepEqual(meter.take(), { message: "starter 2/8", increment: 30 });
});

/** Notifications as VS Code would show them, and what was sent to the server. */
function notifications() {
  const opened: { title: string; body: Body; closed: boolean }[] = [];
  const cancelled: unknown[] = [];
  const all = new ProgressNotifications(
    (title, body) => {
      const entry = { title, body, closed: false };
      opened.push(entry);
      void body.done.then(() => {
        entry.closed = true;
      });
    },
    (token) => cancelled.push(token),
  );
  let passedOn = 0;
  const handle = (token: string, progress: Parameters<typeof all.handle>[1]) => {
    all.handle(token, progress, () => {
      passedOn += 1;
    });
  };
  return { all, opened, cancelled, handle, passedOn: () => passedOn };
}

test("a cancellable progress opens one notification and is kept from the status bar", () => {
  const { opened, handle, passedOn } = notifications();
  handle("t", { kind: "begin", title: "Making it", cancellable: true, percentage: 0 });
  handle("t", { kind: "report", message: "starter 1/8", percentage: 10 });
  assert.equal(opened.length, 1);
  assert.equal(opened[0]?.title, "Making it");
  assert.equal(passedOn(), 0);
});

test("what arrives before the notification is there is shown when it is", () => {
  const { opened, handle } = notifications();
  handle("t", { kind: "begin", title: "Making it", cancellable: true, percentage: 5 });
  handle("t", { kind: "report", message: "tests 1/3", percentage: 40 });
  const shown: Increment[] = [];
  opened[0]?.body.attach((step) => shown.push(step));
  handle("t", { kind: "report", message: "tests 2/3", percentage: 50 });
  assert.deepEqual(shown, [
    { message: "tests 1/3", increment: 40 },
    { message: "tests 2/3", increment: 10 },
  ]);
});

test("the end closes the notification and lets the client drop its token", async () => {
  const { all, opened, handle, passedOn } = notifications();
  handle("t", { kind: "begin", title: "Making it", cancellable: true });
  handle("t", { kind: "end", message: "done" });
  await opened[0]?.body.done;
  assert.equal(all.size, 0);
  assert.equal(passedOn(), 1);
});

test("Cancel is told to the server under the right token", () => {
  const { opened, cancelled, handle } = notifications();
  handle("a", { kind: "begin", title: "A", cancellable: true });
  handle("b", { kind: "begin", title: "B", cancellable: true });
  opened[1]?.body.cancelled();
  assert.deepEqual(cancelled, ["b"]);
});

test("progress that cannot be cancelled stays in the client's own way", () => {
  const { opened, handle, passedOn } = notifications();
  handle("t", { kind: "begin", title: "Quiet" });
  handle("t", { kind: "report", percentage: 10 });
  handle("t", { kind: "end" });
  assert.equal(opened.length, 0);
  assert.equal(passedOn(), 3);
});

test("a server that is gone leaves no notification behind", async () => {
  const { all, opened, handle } = notifications();
  handle("a", { kind: "begin", title: "A", cancellable: true });
  handle("b", { kind: "begin", title: "B", cancellable: true });
  all.closeAll();
  await Promise.all(opened.map(({ body }) => body.done));
  assert.deepEqual(
    opened.map(({ closed }) => closed),
    [true, true],
  );
  assert.equal(all.size, 0);
});
