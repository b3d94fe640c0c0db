// All parts in one code-server and one Chromium. TUTOR_LSP_E2E names those to play, else all.
import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { accessible } from "./accessible";
import { anywhere } from "./anywhere";
import { beside } from "./beside";
import { due } from "./due";
import { failures } from "./failures";
import { hands } from "./hands";
import { Host, launchBrowser } from "./host";
import { inside } from "./inside";
import { keys } from "./keys";
import { layout } from "./layout";
import { minute } from "./minute";
import { model } from "./model";
import { whole } from "./names";
import type { Registered, World } from "./part";
import { pictures } from "./pictures";
import { report } from "./report";
import { session } from "./session";
import { setUp } from "./setUp";
import { translated } from "./translated";
import { trust } from "./trust";
import { walkthrough } from "./walkthrough";
import { windows } from "./windows";

const PARTS: Record<string, Registered> = {
  session,
  anywhere,
  windows,
  walkthrough,
  trust,
  model,
  pictures,
  beside,
  "set-up": setUp,
  hands,
  accessible,
  report,
  translated,
  due,
  layout,
  keys,
  inside,
  names: whole,
};

/** Played where they are named alone: they need the package for this machine. */
const APART = { minute, failures };

const wanted = (process.env.TUTOR_LSP_E2E ?? "").split(" ").filter((name) => name !== "");
const unknown = wanted.filter((name) => !(name in PARTS || name in APART));
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

  for (const [name, register] of Object.entries({ ...PARTS, ...APART })) {
    if ((wanted.length === 0 && name in PARTS) || wanted.includes(name)) {
      register(name, () => world);
    }
  }
});
