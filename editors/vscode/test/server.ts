// Where the real server is, for the tests that speak to it.
import { existsSync } from "node:fs";
import { join } from "node:path";

export const SERVER =
  process.env.TUTOR_LSP_SERVER ?? join(__dirname, "../../../../.venv/bin/tutor-lsp");

export const HERE = existsSync(SERVER);

/** Limit of a test, in milliseconds; far more than it takes. */
const LIMIT_MS = 60_000;

/** Under CI a missing server is a failure, elsewhere its tests are skipped by name. */
export const skip = HERE || process.env.CI === "true" ? false : `${SERVER} is not there`;

/** For every test that needs the server. */
export const OPTIONS = { skip, timeout: LIMIT_MS };
