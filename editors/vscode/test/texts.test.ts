// Texts that are shown and lack the tag are found, whatever they stand in.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

interface Texts {
  textsOf: (file: string, text: string) => { bare: { getText(): string }[]; translated: string[] };
  tagged: (file: string, text: string) => string;
}

async function texts(): Promise<Texts> {
  const file = join(__dirname, "..", "..", "scripts", "texts.mjs");
  return (await import(pathToFileURL(file).href)) as Texts;
}

const SHOWN: Record<string, string> = {
  "a word that is said of a row": 'branch({ words: "exercise" });',
  "a single letter before a word": 'said("question", "A question", "question", question);',
  "a step of a set-up": 'steps.step("installing", 20);',
  "a message of the status bar": 'vscode.window.setStatusBarMessage("Tutor: stopped", 4000);',
  "a sentence": 'tell("There is no review yet.");',
};

for (const [what, source] of Object.entries(SHOWN)) {
  test(`${what} must be translated`, async () => {
    const { textsOf } = await texts();
    assert.equal(textsOf("src/views/x.ts", `const x = ${source}`).bare.length, 1);
    const told = source.replace(/"((?:A |Tutor|There|inst|exer)[^"]*)"/, "t`$1`");
    assert.deepEqual(textsOf("src/views/x.ts", `const x = ${told}`).bare, []);
  });
}

test("ids, icons and kinds are not texts", async () => {
  const { textsOf } = await texts();
  const source = 'const x = branch({ id: "units", kind: "exercise", icon: "book", words: state });';
  assert.deepEqual(textsOf("src/views/x.ts", source).bare, []);
});

test("the tag is put before a text, with its import once", async () => {
  const { tagged } = await texts();
  const bare = 'import { a } from "./a";\nconst x = branch({ words: "exercise" });\n';
  const told = tagged("src/views/x.ts", bare);
  assert.match(told, /words: t`exercise`/);
  assert.match(told, /^import \{ t \} from "\.\.\/words\/words";$/m);
  assert.equal(tagged("src/views/x.ts", told), told);
});
