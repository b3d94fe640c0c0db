// The small things that a stand-in for the editor is made of.
import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

type Listener = (event: unknown) => unknown;

export class Emitter {
  private readonly listeners = new Set<Listener>();

  readonly event = (listener: Listener, self?: unknown): { dispose: () => void } => {
    const bound: Listener = (event) => listener.call(self, event);
    this.listeners.add(bound);
    return { dispose: () => this.listeners.delete(bound) };
  };

  fire(event: unknown): void {
    for (const listener of [...this.listeners]) {
      listener(event);
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}

export class TokenSource {
  readonly token = { isCancellationRequested: false, onCancellationRequested: nothing };

  readonly cancel = nothing;
  readonly dispose = nothing;
}

export class Uri {
  private constructor(
    readonly fsPath: string,
    readonly fragment = "",
    readonly query = "",
  ) {}

  readonly scheme = "file";

  static file(path: string): Uri {
    return new Uri(path);
  }

  static from({ path, query }: { path: string; query: string }): Uri {
    return new Uri(path, "", query);
  }

  static parse(text: string): Uri {
    return new Uri(text.startsWith("file:") ? fileURLToPath(text) : text);
  }

  with({ fragment }: { fragment: string }): Uri {
    return new Uri(this.fsPath, fragment);
  }

  toString(): string {
    return pathToFileURL(this.fsPath).toString();
  }
}

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  /** Of two positions, or of lines and characters in turn. */
  constructor(start: Position | number, end: Position | number, line = 0, character = 0) {
    this.start = typeof start === "number" ? new Position(start, Number(end)) : start;
    this.end = typeof end === "number" ? new Position(line, character) : end;
  }

  union(other: Range): Range {
    return new Range(this.start, other.end);
  }
}

export class Diagnostic {
  constructor(
    readonly range: Range,
    public message: string,
    readonly severity: number,
  ) {}
}

const LANGUAGES: Record<string, string> = { md: "markdown", py: "python", rs: "rust" };

export class Document {
  readonly languageId: string;
  readonly version = 1;
  readonly eol = 1;
  isDirty = false;
  saves = 0;
  readonly isClosed = false;

  constructor(readonly uri: Uri) {
    this.languageId = LANGUAGES[uri.fsPath.split(".").pop() ?? ""] ?? "plaintext";
  }

  getText(): string {
    return readFileSync(this.uri.fsPath, "utf8");
  }

  get lineCount(): number {
    return this.getText().split("\n").length;
  }

  lineAt(line: number): { range: Range; text: string; firstNonWhitespaceCharacterIndex: number } {
    const text = this.getText().split("\n")[line] ?? "";
    const range = new Range(new Position(line, 0), new Position(line + 1, 0));
    return { range, text, firstNonWhitespaceCharacterIndex: text.search(/\S|$/) };
  }

  save(): Promise<boolean> {
    this.isDirty = false;
    this.saves += 1;
    return Promise.resolve(true);
  }
}

export class TabInputText {
  constructor(readonly uri: Uri) {}
}

export class TabInputCustom {
  readonly viewType = "vscode.markdown.preview.editor";

  constructor(readonly uri: Uri) {}
}

/** Something that can be called, constructed, extended and asked for any member. */
export function anything(): unknown {
  // Arrow functions cannot be constructed, and a base class must be.
  const base = function (this: unknown): unknown {
    return this;
  };
  return new Proxy(base, {
    get: (target, key) => {
      if (key === "prototype") {
        return target.prototype as unknown;
      }
      if (key === "then") {
        return undefined;
      }
      // An empty list where one is gone through, an empty word where text is wanted.
      return key === Symbol.iterator
        ? () => [].values()
        : key === Symbol.toPrimitive
          ? () => ""
          : anything();
    },
    apply: () => anything(),
    set: () => true,
  });
}

/** `known`, and anything for what it lacks. */
export function withDefault<T extends object>(known: T): T {
  return new Proxy(known, {
    get: (target, key) => {
      const own = Reflect.has(target, key);
      return own || typeof key === "symbol" ? (Reflect.get(target, key) as unknown) : anything();
    },
  });
}

export function nothing(): void {
  return undefined;
}
