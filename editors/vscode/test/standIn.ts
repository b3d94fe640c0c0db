// A stand-in for the server: answers commands as it is told, and can be broken.
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { say } from "./data";

/**
 * Says what is in answers.json; an answer with `error` is a refusal, and notifications that it
 * `tells` come first. One that is `held` comes once it may. Ends at once if broken.
 */
const SCRIPT = `
const { appendFileSync, existsSync, readFileSync } = require("node:fs");
const at = (name) => require("node:path").join(__dirname, name);
appendFileSync(at("starts"), process.pid + "\\n");
if (existsSync(at("broken"))) {
  process.exit(1);
}
const capabilities = { executeCommandProvider: { commands: ["tutor.check"] }, hoverProvider: true };
function answer({ method, params }) {
  if (method === "initialize") {
    return { result: { capabilities, serverInfo: { name: "stand-in", version: "0.1.0" } } };
  }
  appendFileSync(at("asked"), JSON.stringify(params ?? {}) + "\\n");
  const given = JSON.parse(readFileSync(at("answers.json"), "utf8"))[params?.command];
  return given?.error ? { error: given.error } : { result: given ?? null };
}
function send(message) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  process.stdout.write("Content-Length: " + Buffer.byteLength(body) + "\\r\\n\\r\\n" + body);
}
let input = Buffer.alloc(0);
process.stdin.on("data", (data) => {
  input = Buffer.concat([input, data]);
  for (;;) {
    const head = input.indexOf("\\r\\n\\r\\n") + 4;
    const length = Number(/Content-Length: (\\d+)/.exec(input.subarray(0, head))?.[1]);
    if (head < 4 || input.length < head + length) {
      return;
    }
    const message = JSON.parse(input.subarray(head, head + length));
    input = input.subarray(head + length);
    if (message.method === "exit") {
      process.exit(0);
    }
    if (message.method === "workspace/didChangeConfiguration") {
      appendFileSync(at("told"), JSON.stringify(message.params.settings) + "\\n");
    }
    if (message.method === "tutor/modelChanged") {
      appendFileSync(at("heard"), JSON.stringify(message.params) + "\\n");
    }
    if (message.id !== undefined && message.method !== undefined) {
      const answered = answer(message);
      (answered.result?.tells ?? []).forEach(send);
      const held = () => answered.result?.held && !existsSync(at("released"));
      const say = () => (held() ? setTimeout(say, 5) : send({ id: message.id, ...answered }));
      say();
    }
  }
});
`;

export const STATUS = {
  session: null,
  units: null,
  jobs: [],
  backend: { name: "stand-in", why: "it is one", answersQuestions: true },
  home: "/",
  version: "0.1.0",
  say: say("The status"),
};

export class StandIn {
  readonly folder = mkdtempSync(join(tmpdir(), "tutor-stand-in-"));

  constructor(private readonly answers: Record<string, unknown> = {}) {
    writeFileSync(this.script, SCRIPT);
    this.answer("tutor.status", STATUS);
  }

  /** From now on this is what it says to a command. */
  answer(command: string, result: unknown): void {
    this.answers[command] = result;
    const file = join(this.folder, "answers.json");
    // It may be reading them now.
    writeFileSync(`${file}.new`, JSON.stringify(this.answers));
    renameSync(`${file}.new`, file);
  }

  /** What starts it. */
  get settings(): { command: string; args: string[] } {
    return { command: process.execPath, args: [this.script] };
  }

  /** Processes that were started, first one first. */
  get starts(): number[] {
    return this.lines("starts").map(Number);
  }

  /** Commands that it was asked to run, first one first. */
  get asked(): { command?: string; arguments: object[] }[] {
    return this.noted("asked") as { command?: string; arguments: object[] }[];
  }

  /** Settings that it was told of since its start, first ones first. */
  get told(): unknown[] {
    return this.noted("told");
  }

  /** What it was told of the editor's model, first ones first. */
  get heard(): unknown[] {
    return this.noted("heard");
  }

  /** Whether further starts fail. */
  set broken(broken: boolean) {
    const file = join(this.folder, "broken");
    if (broken) {
      writeFileSync(file, "");
    } else {
      rmSync(file, { force: true });
    }
  }

  /** Whether answers that are `held` may come. */
  set released(released: boolean) {
    const file = join(this.folder, "released");
    if (released) {
      writeFileSync(file, "");
    } else {
      rmSync(file, { force: true });
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private noted(name: string): unknown[] {
    return this.lines(name).map((line): unknown => JSON.parse(line));
  }

  /** Those that are written to their end: it may be writing one now. */
  private lines(name: string): string[] {
    const file = join(this.folder, name);
    return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
  }

  private get script(): string {
    return join(this.folder, "server.cjs");
  }
}
