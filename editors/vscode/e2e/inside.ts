// Runs inside/index.ts in the extension host of a window on an exercise, and reports its checks.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { made, MOVIE } from "./exercise";
import { Host, noteFigure, ROOT } from "./host";
import type { Registered, World } from "./part";
import type { Result } from "./inside/index";
import { Stage } from "./stage";
import { PATIENCE_MS, until } from "./waiting";

/** Bar for the extension's own code between `activate` and its return, in milliseconds. */
const ACTIVATION_MS = 50;
/** How many windows may be opened until one stays below: other processes may take the time. */
const WINDOWS = 3;

interface Answer {
  results: Result[];
  activation: string;
}

/** Opens a window that runs the checks, and waits for what they found. */
async function play(stage: Stage): Promise<Answer> {
  const { host } = stage;
  const { results } = host;
  rmSync(results, { force: true });
  const installed = readdirSync(host.extensions).find((name) => name.startsWith("tutor-lsp.tutor"));
  const at = (path: string): string => `vscode-remote://${host.authority}${path}`;
  const payload = [
    ["extensionDevelopmentPath", at(join(host.extensions, installed ?? ""))],
    ["extensionTestsPath", at(join(ROOT, "build", "e2e", "inside", "index"))],
    ["skipWelcome", "true"],
  ];
  const page = await stage.context.newPage();
  let said = "";
  let code: number | undefined;
  await page.exposeFunction("codeAutomationLog", (_level: string, args: unknown[]) => {
    said += `${args.join(" ")}\n`;
  });
  await page.exposeFunction("codeAutomationExit", (given: number) => {
    code = given;
  });
  const folder = encodeURIComponent(join(stage.home, MOVIE.folder));
  const query = `folder=${folder}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
  await page.goto(`http://${host.authority}/?${query}`);
  await until("the checks have run", () => code !== undefined, 3 * PATIENCE_MS);
  assert.ok(existsSync(results), said);
  await page.close();
  return JSON.parse(readFileSync(results, "utf8")) as Answer;
}

/** From VS Code's own table: load, call and finish of the activation, in milliseconds. */
function called(activation: string): number {
  const cells = activation.split("|").map((cell) => cell.trim());
  const numbers = cells.filter((cell) => /^\d+$/.test(cell)).map(Number);
  assert.equal(numbers.length, 3, activation);
  return numbers[1] ?? Infinity;
}

export const inside: Registered = (name: string, world: () => World) => {
  describe(name, () => {
    let host: Host;
    let stage: Stage;

    before(async () => {
      host = await Host.start("inside", { driver: true });
      stage = await Stage.begin("inside", { host, browser: world().browser });
      made(stage.home, MOVIE.node);
    });
    after(async () => {
      await stage.end();
      await host.stop();
    });

    test("what is checked inside the extension host", async (t) => {
      let { results, activation } = await play(stage);
      for (const { title, error } of results) {
        await t.test(title, () => {
          assert.equal(error, undefined);
        });
      }
      assert.ok(results.length > 5);
      await t.test(`activation takes less than ${ACTIVATION_MS} ms`, async () => {
        for (let more = WINDOWS - 1; more > 0 && called(activation) >= ACTIVATION_MS; more -= 1) {
          ({ results, activation } = await play(stage));
        }
        noteFigure("activation (ms)", called(activation));
        assert.ok(called(activation) < ACTIVATION_MS, activation);
      });
    });
  });
};
