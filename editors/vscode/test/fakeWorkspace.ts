// What a stand-in for the editor has of its workspace: folders and their trust, documents, settings.
import { Document, Emitter, Uri, withDefault } from "./fakeParts";

export class FakeWorkspace {
  readonly settings: Record<string, unknown> = {};
  readonly folders: string[] = [];
  isTrusted = true;
  /** How often the window's learner was asked for trust, and what they answer. */
  asksForTrust = 0;
  grantsTrust = false;
  private readonly documents: Document[] = [];
  private readonly opened = new Emitter();
  private readonly trusted = new Emitter();
  private readonly configured = new Emitter();
  private readonly refolded = new Emitter();

  /** Changes settings of the server's program. */
  configure(settings: Record<string, unknown>): void {
    Object.assign(this.settings, settings);
    const keys = Object.keys(settings).join();
    const ofTutor = keys === "home" ? "tutor.home" : "tutor.server";
    const changed = keys.includes(".") ? keys : ofTutor;
    const affectsConfiguration = (name: string): boolean => changed.startsWith(name);
    this.configured.fire({ affectsConfiguration });
  }

  /** Takes a folder out of the window. */
  closeFolder(folder: string): void {
    this.folders.splice(this.folders.indexOf(folder), 1);
    this.refolded.fire(undefined);
  }

  grantTrust(): void {
    this.isTrusted = true;
    this.trusted.fire(undefined);
  }

  document(file: string): Document {
    const known = this.documents.find(({ uri }) => uri.fsPath === file);
    if (known !== undefined) {
      return known;
    }
    const document = new Document(Uri.file(file));
    document.getText();
    this.documents.push(document);
    this.opened.fire(document);
    return document;
  }

  protected answerAboutTrust(): Promise<unknown> {
    this.asksForTrust += 1;
    if (this.grantsTrust) {
      this.grantTrust();
    }
    return Promise.resolve([]);
  }

  protected workspacePart(): object {
    const folders = (): object[] | undefined => {
      const all = this.folders.map((folder) => ({ uri: Uri.file(folder), name: folder }));
      return all.length === 0 ? undefined : all;
    };
    const part = {
      textDocuments: this.documents,
      workspaceFile: undefined,
      notebookDocuments: [],
      openTextDocument: ({ fsPath }: Uri) => Promise.resolve(this.document(fsPath)),
      onDidOpenTextDocument: this.opened.event,
      onDidGrantWorkspaceTrust: this.trusted.event,
      onDidChangeWorkspaceFolders: this.refolded.event,
      onDidChangeConfiguration: this.configured.event,
      getConfiguration: () => ({
        update: (key: string, value: unknown) => {
          this.configure({ [key]: value });
          return Promise.resolve();
        },
        get: (key: string, otherwise: unknown) => this.settings[key] ?? otherwise,
        inspect: (key: string) => ({ globalValue: this.settings[key] }),
      }),
    };
    Object.defineProperties(part, {
      isTrusted: { get: () => this.isTrusted },
      workspaceFolders: { get: folders },
    });
    return withDefault(part);
  }
}
