// A test that leaves pictures of all windows behind when it does not pass.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ARTEFACTS, type Host } from "./host";

/** Limit of one scenario, in milliseconds; a wait inside ends long before. */
const LIMIT_MS = 240_000;

export function scenario(name: string, host: () => Host, body: () => Promise<void>): void {
  void test(name, { timeout: LIMIT_MS }, async () => {
    try {
      await body();
    } catch (error) {
      await keep(name, host());
      throw error;
    }
  });
}

async function keep(name: string, host: Host): Promise<void> {
  const slug = name.replace(/[^a-z0-9]+/gi, "-");
  for (const [index, page] of host.context.pages().entries()) {
    const path = join(ARTEFACTS, `broken-${slug}-${index}`);
    await page.screenshot({ path: `${path}.png`, timeout: 5000 }).catch(() => undefined);
    const html = await page.content().catch(() => "");
    writeFileSync(`${path}.html`, html);
  }
}
