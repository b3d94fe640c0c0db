// A machine without the server or with another version of it: what is said, and how it is set up.
import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SERVER } from "./host";
import { part } from "./part";
import type { Stage } from "./stage";
import { until } from "./waiting";
import type { Workbench } from "./workbench";

/** How long pip may take (ms): it fetches some thirty packages where its cache is empty. */
const PIP_MS = 200_000;

/** Where the extension makes its private environments. */
function home(stage: Stage): string {
  return join(stage.host.data, "User", "globalStorage", "tutor-lsp.tutor-lsp", "server");
}

/** Folders of private environments, whole or not, and what else is beside them. */
function made(stage: Stage): string[] {
  return existsSync(home(stage)) ? readdirSync(home(stage)) : [];
}

/** Whether all servers that run are private ones, and at least one does. */
function runsItsOwn(stage: Stage): boolean {
  const all = stage.servers().map((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8"));
  return all.length > 0 && all.every((argv) => argv.includes(home(stage)));
}

/** The server under test with another version. */
function otherServer(stage: Stage): string {
  const file = join(stage.folder, "tutor-lsp");
  const python = join(dirname(SERVER), "python");
  const lines = [
    `#!${python}`,
    "import tutor_lsp",
    'tutor_lsp.__version__ = "0.99.0"',
    "from tutor_lsp.cli.main import main",
    "main()",
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  chmodSync(file, 0o755);
  return file;
}

export const setUp = part<Workbench>({
  options: () => ({ machine: { "tutor.server.command": undefined } }),
  open: (stage) => stage.open(),
  scenarios: {
    "the list is read while the server is set up, and a cancel leads back to it": async (
      workbench,
      stage,
    ) => {
      await workbench.palette("Tutor: Start Exercise");
      await workbench.pickReady("Functions and return values");
      const toast = workbench.toast("Setting up the tutor's server");
      await toast.waitFor();
      await workbench.screenshot("set-up");
      await workbench.page.keyboard.press("Escape");
      await workbench.toastButton("Setting up the tutor's server", "Cancel");
      await toast.waitFor({ state: "detached" });
      await workbench.toast("The tutor was not set up.").waitFor();
      // The message comes at once, what was made goes a moment later.
      await until("nothing is left", () => made(stage).length === 0);
    },

    "who leaves the list is led back to it when the server is there": async (workbench, stage) => {
      await workbench.toastButton("The tutor was not set up.", "Choose an Exercise");
      await workbench.pickReady("Functions and return values");
      await workbench.page.keyboard.press("Escape");
      const ready = workbench.toast("The tutor is ready.");
      await ready.waitFor({ timeout: PIP_MS });
      await workbench.toastButton("The tutor is ready.", "Choose an Exercise");
      await workbench.pickReady("Browse");
      await workbench.page.keyboard.press("Escape");
      const [environment = "", ...more] = made(stage);
      assert.deepEqual(more, []);
      assert.ok(existsSync(join(home(stage), environment, "tutor-lsp-version")));
      assert.equal(stage.servers().length, 1);
      assert.ok(runsItsOwn(stage));
    },

    "a server of another version is said with the remedy, and works on": async (
      workbench,
      stage,
    ) => {
      stage.setMachine({ "tutor.server.command": otherServer(stage) });
      const toast = workbench.toast("has version 0.99.0, but this extension 0.1.0");
      await toast.waitFor();
      await toast.filter({ hasText: "Update it as it was installed" }).waitFor();
      await toast.getByRole("button", { name: "Use Its Own Server" }).waitFor();
      await workbench.screenshot("version");
      await workbench.palette("Tutor: Start Exercise");
      await workbench.pickReady("Browse");
      await workbench.page.keyboard.press("Escape");
      assert.ok(!runsItsOwn(stage));
    },

    "where the server does not start the view says so, and mending the setting starts it": async (
      workbench,
      stage,
    ) => {
      stage.setMachine({ "tutor.server.command": "/bin/false" });
      await workbench.toast("(/bin/false) could not be started").waitFor();
      await workbench.palette("Tutor: Focus on Exercise View");
      await workbench.welcome("The tutor's server is not running").waitFor();
      assert.deepEqual(stage.servers(), []);
      stage.setMachine({ "tutor.server.command": otherServer(stage) });
      await until("the server runs", () => stage.servers().length === 1);
      await workbench.welcome("No exercise is open").waitFor();
    },

    "one button lets it use the server that it has set up": async (workbench, stage) => {
      await workbench.toastButton("has version 0.99.0", "Use Its Own Server");
      await until("its own server runs", () => runsItsOwn(stage));
      const settings = readFileSync(join(stage.host.data, "Machine", "settings.json"), "utf8");
      const { "tutor.server.command": command } = JSON.parse(settings) as Record<string, string>;
      assert.ok(command?.startsWith(home(stage)), settings);
      await workbench.palette("Tutor: Start Exercise");
      await workbench.pickReady("Browse");
      await workbench.page.keyboard.press("Escape");
    },

    "a reload during the set-up leads to the list, without a second question": async (workbench, stage) => {
      await workbench.page.close();
      await until("no server runs", () => stage.servers().length === 0);
      rmSync(home(stage), { recursive: true });
      stage.setMachine({ "tutor.server.command": undefined });
      const reloaded = await stage.open();
      await reloaded.palette("Tutor: Start Exercise");
      await reloaded.pickReady("Functions and return values");
      await reloaded.toast("Setting up the tutor's server").waitFor();
      await until("something is made", () => made(stage).length > 0);
      await reloaded.page.reload();
      await reloaded.ready();
      await reloaded.toast("Setting up the tutor's server").waitFor();
      await reloaded.pickReady("Functions and return values", PIP_MS);
      assert.ok(runsItsOwn(stage));
      assert.equal(await reloaded.dialog("").count(), 0);
      // What the first window was making is gone.
      await until("there is one server", () => made(stage).filter((name) => name.startsWith("0.")).length === 1);
      await reloaded.page.keyboard.press("Escape");
    },
  },
});
