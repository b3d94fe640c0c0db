// The tutor's view in the activity bar: trees.ts put on the screen.
import * as vscode from "vscode";
import type { Context } from "./context";
import { readProblem } from "./messages";
import { type Branch, curriculumTree, sessionsTree, sessionTree } from "./trees";
import { doneText } from "./results";

class Tree implements vscode.TreeDataProvider<Branch>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  readonly view: vscode.TreeView<Branch>;

  constructor(
    id: string,
    private readonly roots: () => Promise<Branch[]> | Branch[],
  ) {
    this.view = vscode.window.createTreeView(id, { treeDataProvider: this });
  }

  refresh(): void {
    this.changed.fire(undefined);
  }

  getChildren(parent?: Branch): Promise<Branch[]> | Branch[] {
    return parent === undefined ? this.roots() : (parent.children ?? []);
  }

  getTreeItem(given: Branch): vscode.TreeItem {
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const leaf = given.children === undefined || given.children.length === 0;
    const item = new vscode.TreeItem(
      given.label,
      leaf ? None : given.collapsed === true ? Collapsed : Expanded,
    );
    item.id = given.id;
    item.accessibilityInformation = { label: given.spoken };
    item.description = given.description ?? "";
    item.tooltip = given.tooltip ?? given.spoken;
    if (given.icon !== undefined) {
      item.iconPath = new vscode.ThemeIcon(given.icon);
    }
    if (given.kind !== undefined) {
      item.contextValue = given.kind;
    }
    if (given.command !== undefined) {
      const [command, argument] = given.command;
      item.command = { command, title: given.label, arguments: [argument] };
    }
    return item;
  }

  dispose(): void {
    this.view.dispose();
    this.changed.dispose();
  }
}

/** Registers the three trees; they follow what the server says. */
export function registerViews(context: Context): void {
  const session = new Tree("tutorLsp.session", () => {
    const { info, units, tests, review } = context.state;
    return sessionTree(info, units, tests, review);
  });
  // Asking the server starts it, which only somebody who looks at the view wants.
  const asked = (read: () => Promise<Branch[]>) => (): Promise<Branch[]> =>
    vscode.workspace.isTrusted && context.canStart()
      ? read().catch((error: unknown) => {
          // The view's own text says what to do then.
          context.log.warn(`A view could not be filled: ${readProblem(error).message}`);
          return [];
        })
      : Promise.resolve([]);
  const curriculum = new Tree(
    "tutorLsp.curriculum",
    asked(async () => curriculumTree(await context.request("tutor.curriculum", {}))),
  );
  const sessions = new Tree(
    "tutorLsp.sessions",
    asked(async () => sessionsTree(await context.request("tutor.sessions", {}), Date.now())),
  );
  let done = "";
  context.own(
    session,
    curriculum,
    sessions,
    // What was not asked before, or of no server.
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      curriculum.refresh();
      sessions.refresh();
    }),
    context.onDidChange((what) => {
      session.refresh();
      const before = done;
      done = doneText(context.state.units, context.state.info?.standing);
      if (what === "record") {
        curriculum.refresh();
      }
      if (what === "record" || done !== before) {
        sessions.refresh();
      }
    }),
  );
}
