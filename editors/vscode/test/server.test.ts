// The server's life by itself: starts, stops and restarts that come at each other's wrong moment.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { LanguageClient } from "vscode-languageclient/node";
import type { Found } from "../src/setUp/install";
import { startFailed } from "../src/words/messages";
import { Server } from "../src/server/server";

class FakeClient {
  serverProcess: { kill: () => void } | undefined;
  initializeResult = {};
  private running = false;
  private settled = { answer: (): void => undefined, die: (): void => undefined };
  private readonly started = new Promise<void>((resolve, reject) => {
    this.settled = { answer: resolve, die: () => { reject(new Error("died")); } };
  });

  constructor(readonly file: string) {}

  start(): Promise<void> {
    return this.started;
  }

  /** There is a process from now on, which can be killed. */
  spawn(): void {
    this.serverProcess = { kill: this.settled.die };
  }

  answer(): void {
    this.running = true;
    this.settled.answer();
  }

  isRunning(): boolean {
    return this.running;
  }

  dispose(): Promise<void> {
    this.running = false;
    return Promise.resolve();
  }
}

/** How long (ms) a server is left alone. */
const QUIET_MS = 5;

/** What the settings name. */
let file: string;
/** What looking for the server has to wait for, by times. */
let finding: Promise<void>[];
let clients: FakeClient[];
/** Whether programs answer as soon as they are started, else when they are told to. */
let eager: boolean;
/** Programs that die when they are started. */
let broken: Set<string>;
let server: Server;
/** Programs whose next start was made faster. */
let ran: string[];

beforeEach(() => {
  // Timers of the test before may still come.
  const own: string[] = [];
  ran = own;
  [file, finding, clients, eager, broken] = ["one", [], [], true, new Set()];
  const installation = {
    look: (): Found => ({ file, origin: "setting" }),
    args: () => ["serve"],
    find: async (): Promise<Found> => {
      await finding.shift();
      return { file, origin: "setting" };
    },
    compare: () => Promise.resolve(),
    ran: (found: Found) => {
      own.push(found.file);
      return Promise.resolve();
    },
    whyNot: ({ file }: Found) => Promise.resolve(startFailed(file, false)),
  };
  const nothing = (): undefined => undefined;
  server = new Server(installation, { info: nothing, warn: nothing, error: nothing }, {
    home: () => undefined,
    prepare: () =>
      Promise.resolve((named: string) => {
        const client = new FakeClient(named);
        clients.push(client);
        if (broken.has(named)) {
          client.spawn();
          client.serverProcess?.kill();
        } else if (eager) {
          client.answer();
        }
        return client as unknown as LanguageClient;
      }),
    state: nothing,
    hasWork: () => false,
    report: nothing,
  }, QUIET_MS);
});

/** Lets everything happen that waits for nothing. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

function running(): string[] {
  return clients.filter((client) => client.isRunning()).map((client) => client.file);
}

async function fileOf(asked: Promise<LanguageClient>): Promise<string> {
  return ((await asked) as unknown as FakeClient).file;
}

/** The first start gets as far as a program that has not answered. */
async function begin(): Promise<{ asked: Promise<LanguageClient>; client: FakeClient }> {
  eager = false;
  const asked = server.get(true);
  await settle();
  eager = true;
  return { asked, client: clients[0] ?? assert.fail("nothing was started") };
}

test("who asks while it is stopped for a restart joins that restart", async () => {
  await server.get(true);
  const again = server.restart(true);
  file = "two";
  assert.equal(await fileOf(server.get(false)), "two");
  await again;
  assert.deepEqual([clients.length, running()], [2, ["two"]]);
});

test("a restart that fails is over, also for who asked meanwhile, and the next one works", async () => {
  await server.get(true);
  broken.add("one");
  const all = await Promise.allSettled([server.restart(true), server.get(false)]);
  assert.deepEqual(all.map(({ status }) => status), ["rejected", "rejected"]);
  broken.clear();
  assert.equal(await fileOf(server.get(true)), "one");
});

test("a stop ends a restart that is starting or still stopping", async () => {
  for (const moments of [0, 1, 2]) {
    await server.get(true);
    const again = assert.rejects(server.restart(true), { kind: "CANCELLED" });
    for (let moment = 0; moment < moments; moment += 1) {
      await Promise.resolve();
    }
    await server.stop();
    await again;
    assert.deepEqual(running(), []);
  }
});

test("a start that is overtaken before its process is there gives the next one", async () => {
  const { asked, client } = await begin();
  file = "two";
  const again = server.restart(true);
  client.answer();
  assert.equal(await fileOf(asked), "two");
  await again;
  assert.deepEqual(running(), ["two"]);
});

test("a start that is killed for the next one gives that, or keeps quiet where that fails", async () => {
  const { asked, client } = await begin();
  client.spawn();
  file = "two";
  const again = server.restart(true);
  assert.equal(await fileOf(asked), "two");
  await again;
  await server.stop();

  clients = [];
  const second = await begin();
  second.client.spawn();
  file = "three";
  broken.add(file);
  const failed = assert.rejects(server.restart(true), { kind: "NO_SERVER", message: /\(three\)/ });
  await assert.rejects(second.asked, { kind: "CANCELLED" });
  await failed;
});

test("a start that is overtaken while it looks for the server gives the one that runs by then", async () => {
  let found = (): void => undefined;
  finding = [new Promise((resolve) => (found = resolve))];
  const asked = server.get(true);
  await settle();
  assert.ok(server.isCurrent);
  file = "two";
  assert.ok(!server.isCurrent);
  await server.restart(true);
  assert.ok(server.isCurrent);
  found();
  assert.equal(await fileOf(asked), "two");
  assert.deepEqual([clients.length, running()], [1, ["two"]]);
});

test("what is being stopped for a restart looks for the server afterwards", async () => {
  await server.get(true);
  const again = server.restart(true);
  file = "two";
  assert.ok(server.isCurrent);
  await again;
  assert.deepEqual(running(), ["two"]);
});

test("the next start is made faster when the server has been left alone, and not once it is gone", async () => {
  // Timers of the same length end in their order.
  const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  await server.get(true);
  assert.deepEqual(ran, []);
  await quiet();
  assert.deepEqual(ran, ["one"]);
  await server.restart(true);
  await server.stop();
  await quiet();
  assert.deepEqual(ran, ["one"]);
});
