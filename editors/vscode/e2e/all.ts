// All parts in one code-server and one Chromium. TUTOR_LSP_E2E names those to play, else all.
import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { beside } from "./beside";
import { Host, launchBrowser } from "./host";
import { inside } from "./inside";
import { model } from "./model";
import type { Registered, World } from "./part";
import { session } from "./session";
import { setUp } from "./setUp";
import { trust } from "./trust";
import { walkthrough } from "./walkthrough";
import { windows } from "./windows";

const PARTS: Record<string, Registered> = {
  session,
  windows,
  walkthrough,
  trust,
  model,
  beside,
  "set-up": setUp,
  inside,
};

const wanted = (process.env.TUTOR_LSP_E2E ?? "").split(" ").filter((name) => name !== "");
const unknown = wanted.filter((name) => !(name in PARTS));
assert.deepEqual(unknown, [], `there are ${Object.keys(PARTS).join(", ")}`);

describe("in VS Code", () => {
  let world: World;

  before(async () => {
    const [host, browser] = await Promise.all([Host.start("main"), launchBrowser()]);
    world = { host, browser };
  });
  after(async () => {
    await world.browser.close();
    await world.host.stop();
  });

  for (const [name, register] of Object.entries(PARTS)) {
    if (wanted.length === 0 || wanted.includes(name)) {
      register(name, () => world);
    }
  }
});
