// Draws media/icon.png, the extension's icon, from media/tutor.svg:  node scripts/icon.mjs
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const media = join(dirname(dirname(fileURLToPath(import.meta.url))), "media");
const PX = 128;

const browser = await chromium.launch({
  executablePath: process.env.TUTOR_LSP_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  const page = await browser.newPage({ viewport: { width: PX, height: PX } });
  await page.setContent(
    `<style>body{margin:0;background:#0550ae;display:grid;place-items:center;height:100vh}
     svg{width:75%;height:75%;stroke:#fff}</style>${readFileSync(join(media, "tutor.svg"), "utf8")}`,
  );
  await page.screenshot({ path: join(media, "icon.png") });
} finally {
  await browser.close();
}
