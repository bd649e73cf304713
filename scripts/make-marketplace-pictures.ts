// Takes docs/images/marketplace-*.png: pages of `npm run marketplace`, as its end-to-end test walks through them.
import { writeFile } from 'node:fs/promises';
import { chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { Story } from '../examples/marketplace/e2e/story.ts';
import { defaultPort } from '../examples/marketplace/setup/addresses.ts';
import { startMarketplace } from '../examples/marketplace/setup/marketplace.ts';
import { chromiumPath } from '../packages/console/browser/chromium.ts';

const bytesMax = 150_000;

const marketplace = await startMarketplace(defaultPort);
// Chromium has no sandbox when root runs it.
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
try {
  const story = await Story.begin('Invoice Sync', marketplace, browser);
  const { ada, noor } = story;
  await story.publish();
  await story.reject();
  await take(ada.page, 'portal');
  await story.resubmit();
  await story.approve();
  await noor.goto('storefront');
  await take(noor.page, 'storefront');
  await noor.goto('guide');
  await take(noor.page, 'guide');
  await story.end();
} finally {
  await browser.close();
  await marketplace.stop();
}

async function take(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 1_280, height: 800 });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const image = await page.screenshot({ animations: 'disabled' });
    const small = await sharp(image).png({ palette: true, effort: 10, compressionLevel: 9 }).toBuffer();
    const file = new URL(`../docs/images/marketplace-${name}-${colorScheme}.png`, import.meta.url);
    if (small.length > bytesMax) throw new Error(`${file.pathname} would have ${small.length} bytes`);
    await writeFile(file, small);
    console.log(`marketplace-${name}-${colorScheme}.png: ${small.length} bytes`);
  }
}
