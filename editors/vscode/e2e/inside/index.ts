// Checks inside the extension host, with the packaged extension and the real server: what cannot be
// seen from outside. The window is on an exercise. Results go to a file.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { until } from "../waiting";

interface Manifest {
  contributes: {
    commands: { command: string }[];
    configuration: { properties: Record<string, { default: unknown }> }[];
  };
}

interface Status {
  session: { id: string; workspace: string };
  units: { id: string; stub: string; state: string; file: string; line: number; tests: string[] }[];
  backend: { name: string };
}

function tutor(): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension("tutor-lsp.tutor-lsp");
  assert.ok(extension !== undefined);
  return extension;
}

const manifest = (): Manifest => tutor().packageJSON as Manifest;

function root(): string {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder !== undefined);
  return folder.uri.fsPath;
}

/** The server's own commands are there once it runs. */
async function ask<T>(command: string): Promise<T> {
  await until(`${command} is there`, async () =>
    (await vscode.commands.getCommands()).includes(command),
  );
  const uri = vscode.Uri.file(join(root(), "LESSON.md")).toString();
  return vscode.commands.executeCommand<T>(command, { uri });
}

async function stub(): Promise<{ uri: vscode.Uri; at: vscode.Position }> {
  const { units } = await ask<Status>("tutor.status");
  const unit = units[0];
  assert.ok(unit !== undefined);
  const uri = vscode.Uri.file(join(root(), unit.file));
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  const line = unit.line - 1;
  return { uri, at: new vscode.Position(line, document.lineAt(line).text.indexOf(unit.stub)) };
}

const CHECKS: Record<string, () => Promise<void>> = {
  "a window on an exercise activates the extension by itself": async () => {
    await until("it is active", () => tutor().isActive);
  },

  "every command of the manifest is registered": async () => {
    const there = new Set(await vscode.commands.getCommands(true));
    const declared = manifest().contributes.commands.map(({ command }) => command);
    assert.ok(declared.length > 20);
    assert.deepEqual(
      declared.filter((command) => !there.has(command)),
      [],
    );
  },

  "the editor knows every setting with its default": () => {
    const settings = vscode.workspace.getConfiguration();
    for (const { properties } of manifest().contributes.configuration) {
      for (const [key, property] of Object.entries(properties)) {
        assert.deepEqual(settings.inspect(key)?.defaultValue, property.default, key);
      }
    }
    return Promise.resolve();
  },

  "a setting that is changed reaches the running server": async () => {
    assert.equal((await ask<Status>("tutor.status")).backend.name, "library");
    // The user's own: a folder's choice of a model would be asked about.
    const settings = vscode.workspace.getConfiguration("tutor");
    await settings.update("backend", "openai", vscode.ConfigurationTarget.Global);
    await until("the server took it over", async () =>
      (await ask<Status>("tutor.status")).backend.name === "openai",
    );
    await settings.update("backend", "library", vscode.ConfigurationTarget.Global);
    await until("the server took that back", async () =>
      (await ask<Status>("tutor.status")).backend.name === "library",
    );
  },

  "a stub that nobody has touched is a hint, not an error": async () => {
    const { uri } = await stub();
    const found = await until("diagnostics are there", () => {
      const all = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "tutor");
      return all.length > 0 && all;
    });
    const { Hint, Information } = vscode.DiagnosticSeverity;
    assert.ok(found.every(({ severity }) => severity === Hint || severity === Information));
    assert.equal(found.filter(({ severity }) => severity === Information).length, 1);
  },

  "all that lenses, hover and code actions offer can be run": async () => {
    const { uri, at } = await stub();
    const lenses = await until("lenses are there", async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        "vscode.executeCodeLensProvider",
        uri,
        100,
      );
      return found.length > 0 && found;
    });
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      "vscode.executeHoverProvider",
      uri,
      at,
    );
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      "vscode.executeCodeActionProvider",
      uri,
      new vscode.Range(at, at),
    );
    const markdown = hovers
      .flatMap(({ contents }) => contents)
      .map((content) => (content as vscode.MarkdownString).value)
      .join("\n");
    const links = [...markdown.matchAll(/\(command:([\w.]+)/g)].flatMap(([, id]) => id ?? []);
    assert.ok(links.length > 0, markdown);
    assert.ok(actions.length > 0);
    const there = new Set(await vscode.commands.getCommands(true));
    const offered = [
      ...links,
      ...lenses.flatMap(({ command }) => command?.command ?? []),
      ...actions.flatMap(({ command }) => command?.command ?? []),
    ].filter((id) => id !== "");
    assert.deepEqual(
      offered.filter((id) => !there.has(id)),
      [],
    );
  },

  "the Testing view has a tree: units, and below them their tests": async () => {
    const { units } = await ask<Status>("tutor.status");
    const inFile = async (file: string): Promise<string[]> => {
      const uri = vscode.Uri.file(join(root(), file));
      const paths = await vscode.commands.executeCommand<string[][]>(
        "vscode.testing.getTestsInFile",
        uri,
      );
      return paths.map((path) => path.join(" ")).sort();
    };
    const [first] = units;
    assert.ok(first !== undefined);
    await until("the units are there", async () => (await inFile(first.file)).length === units.length);
    assert.deepEqual(await inFile(first.file), units.map(({ id }) => `tutorLsp ${id}`).sort());
    assert.deepEqual(
      await vscode.commands.executeCommand("vscode.testing.getControllersWithTests"),
      ["tutorLsp"],
    );
    // Where a test is, a run tells.
    await ask("tutor.check");
    const wanted = units.flatMap(({ id, tests }) => tests.map((name) => `tutorLsp ${id} ${name}`));
    await until("the tests are where they are", async () =>
      (await inFile("tests/test_movie.py")).join() === wanted.sort().join(),
    );
  },
};

/** VS Code's own figures of this window's start: the text of its performance report. */
async function performance(): Promise<string> {
  await vscode.commands.executeCommand("perfview.show");
  const line = await until("the performance report is written", () => {
    const text = vscode.workspace.textDocuments
      .find(({ uri }) => uri.scheme === "perf")
      ?.getText();
    return text?.split("\n").find((found) => /^\|?\s*tutor-lsp\.tutor-lsp\b/.test(found));
  });
  return line;
}

export interface Result {
  title: string;
  error?: string;
}

/** What the extension host calls. */
export async function run(): Promise<void> {
  const file = process.env.TUTOR_INSIDE_RESULTS ?? "";
  const results: Result[] = [];
  for (const [title, check] of Object.entries(CHECKS)) {
    try {
      await check();
      results.push({ title });
    } catch (error) {
      results.push({ title, error: error instanceof Error ? (error.stack ?? "") : String(error) });
    }
  }
  writeFileSync(file, JSON.stringify({ results, activation: await performance().catch(String) }));
}
