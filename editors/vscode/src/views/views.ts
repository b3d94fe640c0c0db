// The tutor's view in the activity bar: trees.ts put on the screen.
import * as vscode from "vscode";
import type { Context } from "../context";
import { readProblem } from "../words/messages";
import { onwardTree } from "../exercises/onward";
import { meantRoot } from "../window/place";
import { type Branch, curriculumTree, sessionsTree, sessionTree, type Topics } from "./trees";

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
    const { id, description = "", spoken, tooltip = spoken, icon, kind, command } = given;
    return Object.assign(item, {
      id,
      description,
      tooltip,
      accessibilityInformation: { label: spoken },
      ...(icon && { iconPath: new vscode.ThemeIcon(icon) }),
      ...(kind && { contextValue: kind }),
      ...(command && {
        command: { command: command[0], title: given.label, arguments: [command[1]] },
      }),
    });
  }

  dispose(): void {
    this.view.dispose();
    this.changed.dispose();
  }
}

async function readCurriculum(context: Context): Promise<Branch[]> {
  const { nodes } = await context.request("tutor.curriculum", {});
  const list = { list: "topics", all: true } as const;
  const first = await context.request("tutor.choices", list);
  const languages = first.filter(({ kind }) => kind === "language");
  const ofLanguages = languages.map(async (language): Promise<Topics> => {
    return { language, topics: await context.request("tutor.choices", { ...list, ...language.argument }) };
  });
  const only: Topics = { language: undefined, topics: first };
  return curriculumTree(languages.length === 0 ? [only] : await Promise.all(ofLanguages), nodes);
}

/** Registers the three trees; they follow what the server says. */
export function registerViews(context: Context): void {
  const session = new Tree("tutorLsp.session", () => {
    const { info, units, tests, review } = context.state;
    return meantRoot() === undefined
      ? onwardTree(context.onward.known)
      : sessionTree(info, units, tests, review);
  });
  const badge = (): void => {
    const { due, dueWords } = context.onward.known;
    session.view.badge = due === 0 ? undefined : { value: due, tooltip: dueWords };
  };
  badge();
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
    asked(() => readCurriculum(context)),
  );
  const sessions = new Tree(
    "tutorLsp.sessions",
    asked(async () =>
      sessionsTree(
        await context.request("tutor.choices", { list: "sessions" }),
        await context.request("tutor.sessions", {}),
      ),
    ),
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
      badge();
      const before = done;
      done = context.state.info?.standing?.words ?? "";
      if (what === "record") {
        curriculum.refresh();
      }
      if (what === "record" || done !== before) {
        sessions.refresh();
      }
    }),
  );
}
