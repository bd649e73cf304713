// Takes docs/images/marketplace-*.png and comment-*.png: pages of `npm run marketplace`, as its end-to-end test walks through them.
import { writeFile } from 'node:fs/promises';
import { chromium, type Locator, type Page } from 'playwright-core';
import sharp from 'sharp';
import { Story } from '../examples/marketplace/e2e/story.ts';
import { defaultPort } from '../examples/marketplace/setup/addresses.ts';
import { startMarketplace } from '../examples/marketplace/setup/marketplace.ts';
import { chromiumPath } from '../packages/console/browser/chromium.ts';

const bytesMax = 300_000;
const colorSchemes = ['light', 'dark'] as const;
/** Of two pictures beside each other. */
const half = { width: 760, height: 640 };
const gap = 32;

const marketplace = await startMarketplace(defaultPort);
// Chromium has no sandbox when root runs it.
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
try {
  const story = await Story.begin('Invoice Sync', marketplace, browser, { deviceScaleFactor: 2 });
  const { ada, ruth, noor } = story;
  await story.publish();
  const comments: Picture[] = [];
  await story.reject(async () =>
    comments.push(
      await shot(ruth.page, half, ruth.page.getByRole('textbox', { name: 'Comment on Short description' })),
    ),
  );
  comments.push(await shot(ada.page, half));
  await writeTogether(comments);
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
  const picture = await shot(page, { width: 1_280, height: 800 });
  for (const colorScheme of colorSchemes) await write(picture[colorScheme], `marketplace-${name}-${colorScheme}.png`);
}

/** Each scheme as PNG. */
interface Picture {
  light: Buffer;
  dark: Buffer;
}

/** `shown` is scrolled into view. */
async function shot(page: Page, size: { width: number; height: number }, shown?: Locator): Promise<Picture> {
  await page.setViewportSize(size);
  await shown?.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const images = [];
  for (const colorScheme of colorSchemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    images.push(await page.screenshot({ animations: 'disabled' }));
  }
  const [light, dark] = images as [Buffer, Buffer];
  return { light, dark };
}

/** The same comment as the reviewer writes it, and as the developer reads it. */
async function writeTogether([left, right]: Picture[]): Promise<void> {
  if (!left || !right) throw new Error('a picture is missing');
  for (const colorScheme of colorSchemes) {
    const { width, height } = await sharp(left[colorScheme]).metadata();
    const both = sharp(left[colorScheme])
      .extend({ right: width + gap, background: { r: 0, g: 0, b: 0, alpha: 0 } })
      .composite([{ input: right[colorScheme], left: width + gap, top: 0 }]);
    console.log(`${2 * width + gap} × ${height}`);
    await write(await both.png().toBuffer(), `comment-${colorScheme}.png`);
  }
}

async function write(image: Buffer, name: string): Promise<void> {
  const small = await sharp(image).png({ palette: true, effort: 10, compressionLevel: 9 }).toBuffer();
  const file = new URL(`../docs/images/${name}`, import.meta.url);
  if (small.length > bytesMax) throw new Error(`${file.pathname} would have ${small.length} bytes`);
  await writeFile(file, small);
  console.log(`${name}: ${small.length} bytes`);
}
