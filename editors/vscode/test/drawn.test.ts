// A preview that VS Code may have drawn before it read the newest text: the bundle in a stand-in.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { review } from "./data";
import { FakeEditor } from "./fake";
import { StandIn } from "./standIn";

const ROOT = join(__dirname, "..", "..");

const editor = new FakeEditor();
let folder: string;
let coach: string;
let server: StandIn;
let extension: { activate: (context: object) => void; deactivate: () => Promise<void> };

before(() => {
  folder = mkdtempSync(join(tmpdir(), "tutor-vscode-"));
  coach = join(folder, ".tutor", "coach.md");
  mkdirSync(dirname(coach));
  writeFileSync(join(folder, ".tutor", "exercise.json"), "{}");
  writeFileSync(join(folder, "a.py"), "x = 1\n");
  writeFileSync(coach, "# The newest\n");
  server = new StandIn({ "tutor.review": review() });
  Object.assign(editor.settings, server.settings);
  editor.folders.push(folder);
  const packageJSON: unknown = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  extension = editor.load(join(ROOT, "dist", "extension.js")) as typeof extension;
  extension.activate(editor.extension(packageJSON, join(folder, "storage")));
  editor.show(join(folder, "a.py"));
  editor.read(coach);
});

after(async () => {
  await extension.deactivate();
  server.remove();
  rmSync(folder, { recursive: true });
});

function drawn(): number {
  return editor.executed.filter(({ id }) => id === "markdown.preview.refresh").length;
}

test("what the editor has read already is drawn once", async () => {
  await editor.run("tutorLsp.review");
  await editor.eventually("it is drawn", () => drawn() === 1);
});

test("what it has yet to read is drawn once more after that", async () => {
  const held = editor.document(coach);
  let text = "# Older\n";
  held.getText = () => text;
  const before = drawn();
  await editor.run("tutorLsp.review");
  await editor.eventually("it is drawn as it is", () => drawn() === before + 1);
  text = readFileSync(coach, "utf8");
  await editor.eventually("it is drawn anew", () => drawn() === before + 2);
});
