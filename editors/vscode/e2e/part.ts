// A part of the tests: scenarios that are played one after the other on a stage of their own.
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { ARTEFACTS, type Host } from "./host";
import { Stage, type StageOptions } from "./stage";

/** Limit of one scenario, in milliseconds; a wait inside ends long before. */
const LIMIT_MS = 240_000;

/** What all parts share. */
export interface World {
  host: Host;
  browser: Browser;
}

export interface Part<Own> {
  /** What the stage is to be like. */
  options?: () => StageOptions;
  /** Opens the windows; what it gives is handed to every scenario. */
  open: (stage: Stage) => Promise<Own>;
  /** By what they show. Each goes on where the one before has left off. */
  scenarios: Record<string, (own: Own, stage: Stage) => Promise<void>>;
  close?: () => void;
}

/** Registers a part with the test runner. */
export type Registered = (name: string, world: () => World) => void;

export function part<Own>({ options, open, scenarios, close }: Part<Own>): Registered {
  return (name, world) => {
    describe(name, () => {
      let stage: Stage;
      let own: Own;
      /** The scenario that did not pass: those behind it would only wait for what never comes. */
      let broken: string | undefined;

      before(async () => {
        stage = await Stage.begin(name, world(), options?.());
        own = await kept(stage, "opening", () => open(stage));
      });
      after(async () => {
        await stage.end();
        close?.();
      });

      for (const [title, play] of Object.entries(scenarios)) {
        test(title, { timeout: LIMIT_MS }, async () => {
          if (broken !== undefined) {
            throw new Error(`not played, because this did not pass: ${broken}`);
          }
          broken = title;
          await kept(stage, title, () => play(own, stage));
          broken = undefined;
        });
      }
    });
  };
}

/** Does `body`; if it fails, the error says where pictures and logs are. */
export async function kept<T>(stage: Stage, title: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    const pictures = await stage.keepPictures(title);
    const where = `Pictures: ${pictures}-*.png, logs: ${ARTEFACTS}/${stage.name}-*.log`;
    throw new Error(`${stage.name}, "${title}": ${String(error)}\n${where}`, { cause: error });
  }
}
