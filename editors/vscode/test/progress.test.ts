import assert from "node:assert/strict";
import { test } from "node:test";
import { ProgressNotifications } from "../src/server/progress";

/** Notifications as VS Code would show them, and what was sent to the server. */
function notifications() {
  const opened: { title: string; cancel: () => void; steps: object[]; closed: boolean }[] = [];
  const cancelled: unknown[] = [];
  const all = new ProgressNotifications(
    (title, cancel) => {
      const entry = { title, cancel, steps: [] as object[], closed: false };
      opened.push(entry);
      return {
        report: (step) => entry.steps.push(step),
        close: () => {
          entry.closed = true;
        },
      };
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

test("percentages become increments that add up, and the last message stays until the next one", () => {
  const { opened, handle } = notifications();
  handle("t", { kind: "begin", title: "Making it", cancellable: true, percentage: 5 });
  handle("t", { kind: "report", message: "tests 1/3", percentage: 40 });
  handle("t", { kind: "report", percentage: 50 });
  handle("t", { kind: "report", message: "tests 2/3" });
  assert.deepEqual(opened[0]?.steps, [
    { message: "", increment: 5 },
    { message: "tests 1/3", increment: 35 },
    { message: "tests 1/3", increment: 10 },
    { message: "tests 2/3", increment: 0 },
  ]);
});

test("the end closes the notification and lets the client drop its token", () => {
  const { opened, handle, passedOn } = notifications();
  handle("t", { kind: "begin", title: "Making it", cancellable: true });
  handle("t", { kind: "end", message: "done" });
  assert.equal(opened[0]?.closed, true);
  assert.equal(passedOn(), 1);
});

test("Cancel is told to the server under the right token", () => {
  const { opened, cancelled, handle } = notifications();
  handle("a", { kind: "begin", title: "A", cancellable: true });
  handle("b", { kind: "begin", title: "B", cancellable: true });
  opened[1]?.cancel();
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

test("a server that is gone leaves no notification behind", () => {
  const { all, opened, handle, passedOn } = notifications();
  handle("a", { kind: "begin", title: "A", cancellable: true });
  handle("b", { kind: "begin", title: "B", cancellable: true });
  all.closeAll();
  assert.deepEqual(
    opened.map(({ closed }) => closed),
    [true, true],
  );
  handle("a", { kind: "report", percentage: 10 });
  assert.equal(passedOn(), 1);
});
