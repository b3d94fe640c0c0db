// A made-up translation, as translators write it, reaches what the extension contributes, what it says
// itself, and what the server says to it.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import {
  createProtocolConnection,
  InitializeRequest,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { filled, speak, t } from "../src/words/words";
import { OPTIONS, SERVER } from "./server";

const ROOT = join(__dirname, "..", "..");
const POT = join(ROOT, "..", "..", "tutor_lsp", "locale", "tutor_lsp.pot");
const VENV = join(ROOT, "..", "..", ".venv", "bin", "python");
const PYTHON = existsSync(VENV) ? VENV : "python3";

const folder = mkdtempSync(join(tmpdir(), "tutor-lsp-translated-"));
after(() => {
  speak(filled);
  rmSync(folder, { recursive: true, force: true });
});

/** A text in the made-up language. */
const madeUp = (text: string): string => `⟦${text}⟧`;

interface Message {
  context?: string;
  texts: string[];
}

/** The messages of a template for translators, without its header. */
function messages(pot: string): Message[] {
  return pot
    .split(/\n\n+/)
    .map((entry) => {
      const found: Record<string, string> = {};
      let key = "";
      for (const line of entry.split("\n")) {
        const [, keyword, quoted] = /^(msgctxt|msgid_plural|msgid|msgstr)?\S* ?(".*")$/.exec(line) ?? [];
        if (quoted !== undefined) {
          key = keyword ?? key;
          found[key] = (found[key] ?? "") + (JSON.parse(quoted) as string);
        }
      }
      const texts = [found.msgid ?? "", ...(found.msgid_plural === undefined ? [] : [found.msgid_plural])];
      return { texts, ...(found.msgctxt === undefined ? {} : { context: found.msgctxt }) };
    })
    .filter(({ texts }) => texts[0] !== "");
}

/** Pairs of texts and translations in the form that gettext reads: see its manual, "MO Files". */
function compiled(pairs: [string, string][]): Buffer {
  const bytes = pairs
    .map(([text, other]): [Buffer, Buffer] => [Buffer.from(text), Buffer.from(other)])
    .sort(([one], [other]) => Buffer.compare(one, other));
  const head = Buffer.alloc(28 + 16 * bytes.length);
  [0x950412de, 0, bytes.length, 28, 28 + 8 * bytes.length, 0, head.length].forEach((number, at) =>
    head.writeUInt32LE(number, 4 * at),
  );
  let end = head.length;
  const body: Buffer[] = [];
  [0, 1].forEach((side) => {
    bytes.forEach((pair, at) => {
      const text = pair[side] ?? Buffer.alloc(0);
      const place = 28 + 8 * (side * bytes.length + at);
      head.writeUInt32LE(text.length, place);
      head.writeUInt32LE(end, place + 4);
      body.push(text, Buffer.alloc(1));
      end += text.length + 1;
    });
  });
  return Buffer.concat([head, ...body]);
}

const place = join(folder, "locale", "de", "LC_MESSAGES");
mkdirSync(place, { recursive: true });
writeFileSync(
  join(place, "tutor_lsp.mo"),
  compiled([
    ["", "Language: de\nContent-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n"],
    ...messages(readFileSync(POT, "utf8")).map(({ context, texts }): [string, string] => [
      (context === undefined ? "" : `${context}\u0004`) + texts.join("\0"),
      texts.map(madeUp).join("\0"),
    ]),
  ]),
);
const languages = execFileSync(PYTHON, [join(ROOT, "scripts", "l10n.py"), folder, join(folder, "locale")], {
  encoding: "utf8",
});

type Texts = Record<string, string>;
const read = (...path: string[]): Texts => JSON.parse(readFileSync(join(...path), "utf8")) as Texts;

test("what the extension contributes is made for the language", () => {
  assert.equal(languages.trim(), "de");
  const english = read(ROOT, "package.nls.json");
  assert.ok(Object.keys(english).length > 50);
  const wanted = Object.entries(english).map(([key, text]) => [key, madeUp(text)]);
  assert.deepEqual(read(folder, "package.nls.de.json"), Object.fromEntries(wanted));
});

test("what the extension says is made for the language, and is said in it", () => {
  const english = read(ROOT, "l10n", "bundle.l10n.json");
  const bundle = read(folder, "l10n", "bundle.l10n.de.json");
  assert.deepEqual(Object.keys(bundle).sort(), Object.keys(english).sort());
  // As the editor does it with the bundle of its language.
  speak((text, ...values) => filled(bundle[text] ?? text, ...values));
  const withPlace = Object.keys(english).find((text) => /^[^{}]*\{0\}[^{}]*$/.test(text)) ?? "";
  const parts = withPlace.split("{0}");
  const said = t(Object.assign(parts, { raw: parts }), "x");
  assert.equal(said, madeUp(withPlace.replace("{0}", "x")));
  assert.ok(!said.includes("{0}") && said.includes("x"));
});

test("the pages of the walkthrough are made for the language", () => {
  const page = readFileSync(join(folder, "media", "start.nls.de.md"), "utf8").trim();
  const blocks = readFileSync(join(ROOT, "media", "start.md"), "utf8").trim().split("\n\n");
  assert.deepEqual(page.split("\n\n"), blocks.map(madeUp));
});

test("what the server says comes in the editor's language", OPTIONS, async () => {
  const child = spawn(SERVER, [], {
    env: {
      ...process.env,
      LANGUAGE: "en",
      TEXTDOMAINDIR: join(folder, "locale"),
      TUTOR_LSP_HOME: join(folder, "home"),
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.listen();
  try {
    await connection.sendRequest(InitializeRequest.type, {
      processId: process.pid,
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- the type still asks for it
      rootUri: null,
      capabilities: {},
      locale: "de",
      initializationOptions: { ui: "client" },
    });
    await connection.sendNotification("initialized", {});
    const asked = connection.sendRequest("workspace/executeCommand", { command: "tutor.check", arguments: [] });
    await assert.rejects(asked, (error) => error instanceof ResponseError && /^⟦.*⟧$/.test(error.message));
  } finally {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    connection.dispose();
    child.kill();
    await ended;
  }
});
