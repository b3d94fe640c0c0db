// The extension's keys beside those that VS Code itself brings, on every system that it knows.
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ARTEFACTS, ROOT } from "./host";
import type { Registered, World } from "./part";
import { Stage } from "./stage";
import { until } from "./waiting";

/** What a browser calls itself there: VS Code takes the system's keys from that. */
const SYSTEMS = {
  Linux: "X11; Linux x86_64",
  macOS: "Macintosh; Intel Mac OS X 10_15_7",
  Windows: "Windows NT 10.0; Win64; x64",
};

type System = keyof typeof SYSTEMS;

interface Binding {
  key: string;
  command: string;
}

/** The keys of the extension's manifest. */
function ours(): Binding[] {
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    contributes: { keybindings: Binding[] };
  };
  return manifest.contributes.keybindings;
}

/** The keys of a window, VS Code's own and those of extensions. */
async function listed(world: World, system: System): Promise<Binding[]> {
  const file = join(ARTEFACTS, `keys-${system}.json`);
  rmSync(file, { force: true });
  const userAgent = `Mozilla/5.0 (${SYSTEMS[system]}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36`;
  const stage = await Stage.begin(`keys-${system}`, world, { orders: { keys: file }, userAgent });
  try {
    await stage.open();
    // Settings files have comments, and this one ends with a list of commands in one.
    return await until("the list of keys is there", () => {
      const text = existsSync(file) ? readFileSync(file, "utf8") : "";
      const isWhole = text.includes("\n]");
      return isWhole && (JSON.parse(text.replace(/^\s*\/\/.*$/gm, "")) as Binding[]);
    });
  } finally {
    await stage.end();
  }
}

/** The first of the keys that are pressed one after the other. */
function first({ key }: Binding): string {
  return key.split(" ")[0] ?? "";
}

export const keys: Registered = (name: string, world: () => World) => {
  describe(name, () => {
    for (const system of Object.keys(SYSTEMS) as System[]) {
      test(`the tutor's keys take none from VS Code on ${system}`, async () => {
        const all = await listed(world(), system);
        const wanted = ours();
        // Some of them are for commands of VS Code, which has others for these.
        const isOwn = (each: Binding): boolean =>
          wanted.some(({ key, command }) => each.key === key && each.command === command);
        const own = all.filter(isOwn);
        assert.equal(own.length, wanted.length, JSON.stringify(own));
        const begins = new Set(own.map(first));
        const others = all.filter((binding) => !isOwn(binding));
        assert.ok(others.length > 1000, `${others.length} keys`);
        assert.deepEqual(
          others.filter((binding) => begins.has(first(binding))),
          [],
        );
        // The list is that of the system: its main modifier says so.
        const save = others.find(({ command }) => command === "workbench.action.files.save");
        assert.equal(save?.key, system === "macOS" ? "cmd+s" : "ctrl+s");
      });
    }
  });
};
