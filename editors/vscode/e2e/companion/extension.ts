// What the tests need beside the tutor: a model that answers from a file, rust-analyzer, and a tool
// that reports an error in any Rust file, the list of keybindings. Each only if its orders name it.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import * as vscode from "vscode";
import type { Orders } from "../stage";

/** The part of VS Code 1.104 that the types of 1.100 lack. */
interface Provider {
  provideLanguageModelChatInformation(): object[];
  provideLanguageModelChatResponse(
    model: object,
    messages: readonly { content: readonly { value?: string }[] }[],
    options: object,
    progress: vscode.Progress<object>,
    token: vscode.CancellationToken,
  ): Promise<void>;
  provideTokenCount(): Promise<number>;
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const orders = readJson(process.env.TUTOR_COMPANION ?? "") as Orders;
  if (orders.answers !== undefined) {
    context.subscriptions.push(registerModel(orders.answers, orders.hold ?? ""));
  }
  if (orders.analyzer !== undefined) {
    // A large file, which would be read before the tutor's.
    const { startAnalyzer } = await import("./analyzer.js");
    context.subscriptions.push(startAnalyzer(orders.analyzer));
  }
  if (orders.error !== undefined) {
    context.subscriptions.push(reportError(orders.error));
  }
  if (orders.keys !== undefined) {
    void writeKeys(orders.keys);
  }
}

/** Keeps the keybindings that hold in this window unless its user changes them. */
async function writeKeys(file: string): Promise<void> {
  const uri = vscode.Uri.parse("vscode://defaultsettings/keybindings.json");
  const document = await vscode.workspace.openTextDocument(uri);
  writeFileSync(file, document.getText());
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}

function registerModel(file: string, hold: string): vscode.Disposable {
  const answers = readJson(file) as Record<string, string>;
  const provider: Provider = {
    provideLanguageModelChatInformation: () => [
      {
        id: "companion-1",
        name: "Companion",
        family: "companion",
        version: "1",
        maxInputTokens: 1_000_000,
        maxOutputTokens: 100_000,
        capabilities: {},
      },
    ],
    provideLanguageModelChatResponse: async (_model, messages, _options, progress, token) => {
      const text = messages.flatMap(({ content }) => content.map(({ value }) => value)).join("");
      const schema = text.slice(text.lastIndexOf("\n\n{"));
      const role = /"role":\{"enum":\["([\w-]+)"\]/.exec(schema.replaceAll(" ", ""))?.[1] ?? "?";
      const call = [...text.matchAll(/^Call (\d+)/gm)].at(-1)?.[1] ?? "1";
      appendFileSync(`${file}.log`, `${role} ${call}\n`);
      writeFileSync(`${file}.last`, text);
      while (existsSync(hold) && readFileSync(hold, "utf8").trim() === role) {
        if (token.isCancellationRequested) {
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const answer = answers[`${role} ${call}`];
      if (answer === undefined) {
        throw new Error(`nothing to say to ${role} ${call}`);
      }
      // Models fence what they were asked not to fence.
      progress.report(new vscode.LanguageModelTextPart(`\`\`\`json\n${answer}\n\`\`\``));
    },
    provideTokenCount: () => Promise.resolve(1),
  };
  const lm = vscode.lm as unknown as {
    registerLanguageModelChatProvider(vendor: string, provider: Provider): vscode.Disposable;
  };
  return lm.registerLanguageModelChatProvider("companion", provider);
}

function reportError(code: string): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection("companion");
  const report = (document: vscode.TextDocument): void => {
    if (document.languageId === "rust") {
      const found = new vscode.Diagnostic(document.lineAt(0).range, "reported by the companion");
      found.code = code;
      found.source = "rustc";
      collection.set(document.uri, [found]);
    }
  };
  vscode.workspace.textDocuments.forEach(report);
  return vscode.Disposable.from(collection, vscode.workspace.onDidOpenTextDocument(report));
}
