// What keeps the server of the package for this machine from starting, caused for real: each failure
// is one sentence with its mend, one button does it, and leads back to the list. Not part of the
// default run; needs a user who may mount, on Linux:
//
//   TUTOR_LSP_VSIX=dist/tutor-lsp-linux-x64.vsix e2e/run.sh failures
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { MOVIE } from "./exercise";
import { Host } from "./host";
import { Machine } from "./machine";
import { kept, type Registered } from "./part";
import { Stage } from "./stage";
import { until } from "./waiting";
import type { Workbench } from "./workbench";

/** How long (ms) a set-up from the wheel may take: pip fetches what its cache lacks. */
const PIP_MS = 200_000;
const LIMIT_MS = 300_000;
/** Whether this machine is cut off. */
const OFFLINE = process.env.TUTOR_LSP_OFFLINE === "true";

interface Failure {
  /** Makes the machine so. */
  cause: (machine: Machine, stage: Stage) => void;
  /** What is said of it, and the button under it; undefined where it does not keep the list away. */
  said?: RegExp;
  button?: string;
  /** Mends what only the learner can, before the button is pressed. */
  learner?: (machine: Machine) => void;
  /** What is so once the list is there. */
  after?: (machine: Machine, stage: Stage) => void;
  /** Whether the list is read before the failure is known. */
  listFirst?: boolean;
  /** Whether it ends with a set-up that fetches from the package index. */
  fetches?: boolean;
}

/** Folder of the libraries in the installed package. */
function libs({ host }: Stage): string {
  const installed = host.installed("tutor-lsp.tutor-lsp");
  return join(installed, "libs");
}

/** Where the extension keeps its own files. */
function storage({ host }: Stage): string {
  const folder = join(host.data, "User", "globalStorage", "tutor-lsp.tutor-lsp");
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Where it goes if it cannot be there. */
function elsewhere({ host }: Stage): string {
  return join(host.userHome, ".local", "share", "tutor-lsp");
}

/** What the servers are that run. */
function running(stage: Stage): string {
  return stage.servers().map((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8")).join("\n");
}

/** A server that was set up from its wheel. */
const SET_UP = /globalStorage\/tutor-lsp\.tutor-lsp\/server\//;

const FAILURES: Record<string, Failure> = {
  "no Python": {
    cause: (machine) => {
      machine.python("none");
    },
    said: /^The tutor needs Python 3\.11 or later, and none was found on this machine: install one\.$/,
    button: "Install Python",
    listFirst: true,
    after: (machine) => {
      assert.equal(machine.installed(), "python install 3.13");
    },
  },

  "an old Python": {
    cause: (machine) => {
      machine.python("old");
    },
    said: /^The tutor needs Python 3\.11 or later, and the newest on this machine is 3\.10: install a newer one beside it\.$/,
    button: "Install Python",
    listFirst: true,
  },

  "a server that is killed at its start": {
    cause: (machine) => {
      machine.python("killed");
    },
    said: /^The tutor's server was ended from outside while it started \(SIGKILL\), often because memory is short: close something large, then try again\.$/,
    button: "Try Again",
    learner: (machine) => {
      machine.mend();
    },
  },

  "a disk from which no program runs": {
    cause: (machine, { host }) => {
      machine.remount(host.extensions, "noexec");
    },
    said: /^Programs in .* may not run on this machine \(noexec\): let the tutor's server use another folder\.$/,
    button: "Use Another Folder",
    after: (_machine, stage) => {
      assert.match(running(stage), /\.local\/share\/tutor-lsp\/vscode\/package-/);
    },
  },

  "a disk that is full, with a Python that the package has no libraries for": {
    cause: (machine, stage) => {
      machine.python("new");
      machine.fill(storage(stage));
    },
    said: /^The disk of .*\/server is full: free 200 MB there, then try again\.$/,
    button: "Try Again",
    listFirst: true,
    learner: (machine) => {
      machine.mend();
    },
  },

  "a read-only disk, with such a Python": {
    cause: (machine, stage) => {
      machine.python("new");
      machine.remount(storage(stage), "ro");
    },
    said: /^Nothing can be written to .*\/server, where the tutor's server would be set up: let it use another folder\.$/,
    button: "Use Another Folder",
    listFirst: true,
    after: (_machine, stage) => {
      assert.match(running(stage), /\.local\/share\/tutor-lsp\/vscode\/server\//);
    },
    fetches: true,
  },

  "a system with musl, without a compiler": {
    cause: (machine) => {
      machine.python("musl");
    },
    said: /^On this system \(musl\) some libraries of the tutor's server must be compiled: install a C compiler and Python's headers\.$/,
    button: "Install Them",
    listFirst: true,
    after: (machine, stage) => {
      assert.equal(machine.installed(), "install build-essential python3-dev");
      assert.match(running(stage), SET_UP);
    },
    fetches: true,
  },

  "a full disk": {
    cause: (machine, stage) => {
      machine.fill(storage(stage));
    },
  },

  "a read-only disk": {
    cause: (machine, stage) => {
      machine.remount(storage(stage), "ro");
    },
  },

  "a damaged package": {
    cause: (_machine, stage) => {
      const file = join(libs(stage), "any", "modules.pack");
      assert.ok(statSync(file).size > 0);
      writeFileSync(file, "");
    },
    said: /^Files of the tutor's package are damaged or missing: install the extension again\.$/,
    button: "Install It Again",
    after: (_machine, stage) => {
      assert.match(running(stage), SET_UP);
    },
    fetches: true,
  },
};

/** Waits for what is said instead of the list: the whole message, and no other. */
async function isSaid(workbench: Workbench, said: RegExp, listFirst: boolean): Promise<void> {
  if (listFirst) {
    await workbench.choose(MOVIE.topic);
  }
  const messages = workbench.page.locator(".notification-toast .notification-list-item-message");
  const texts = await until("something is said", async () => {
    const all = await messages.allInnerTexts();
    return all.length > 0 && !all.some((text) => text.startsWith("Setting up the tutor's server")) && all;
  });
  assert.equal(texts.length, 1, texts.join("\n"));
  assert.match(texts[0] ?? "", said);
}

export const failures: Registered = (name, world) => {
  describe(name, () => {
    let machine: Machine;
    let host: Host;

    before(async () => {
      machine = new Machine();
      host = await Host.start(name, { path: machine.path, starter: machine.starter });
      machine.runs(host);
    });
    after(async () => {
      await host.stop();
      machine.remove();
    });

    for (const [title, failure] of Object.entries(FAILURES)) {
      const skip = failure.fetches === true && OFFLINE && "it fetches from the package index";
      test(title, { timeout: LIMIT_MS, skip }, async () => {
        const stage = await Stage.begin(title.replace(/[^a-z]+/gi, "-"), { host, browser: world().browser }, {
          machine: { "tutor.server.command": undefined },
        });
        try {
          await kept(stage, title, () => play(stage, failure));
        } finally {
          machine.mend();
          rmSync(elsewhere(stage), { recursive: true, force: true });
          await stage.end();
        }
      });
    }

    async function play(stage: Stage, failure: Failure): Promise<void> {
      failure.cause(machine, stage);
      const workbench = await stage.open();
      await workbench.palette("Tutor: Start Exercise");
      const { said, button = "", listFirst = false } = failure;
      if (said !== undefined) {
        await isSaid(workbench, said, listFirst);
        await workbench.page.screenshot({ path: stage.picture(`failure ${stage.name}`) });
        failure.learner?.(machine);
        await workbench.toastButton("", button);
      }
      await workbench.pickReady(MOVIE.topic);
      assert.equal(await workbench.page.locator(".notification-toast .codicon-error").count(), 0);
      await workbench.page.screenshot({ path: stage.picture(`failure ${stage.name}, mended`) });
      await workbench.choose(MOVIE.topic);
      await workbench.activeTab("movie.py").waitFor({ timeout: PIP_MS });
      await workbench.status.filter({ hasText: "0 of 4" }).waitFor();
      failure.after?.(machine, stage);
    }
  });
};
