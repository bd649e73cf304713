// Takes docs/images/console-*.png: pages of the built console, with the data of `npm run dev`.
import { writeFile } from 'node:fs/promises';
import { type Browser, chromium, type Page, type Request } from 'playwright-core';
import sharp from 'sharp';
import { OperatorClient } from '../packages/client/src/operator/index.ts';
import { chromiumPath } from '../packages/console/browser/chromium.ts';
import { type DevServer, withDevServer } from './dev-server.ts';

const bytesMax = 300_000;
const operatorAddress = '127.0.0.1:8091';
const colorSchemes = ['light', 'dark'] as const;

interface Picture {
  name: string;
  section: string;
  /** The app in this section whose page is shown, if any. */
  app?: string;
  /** The tab of the section, if not the first. */
  tab?: string;
}

const pictures: Picture[] = [
  // This app has changed since its approval.
  { name: 'review', section: 'Review', app: 'Receipt Box' },
  { name: 'overview', section: 'Activity', tab: 'Overview' },
  { name: 'apps', section: 'Apps' },
  { name: 'app', section: 'Apps', app: 'Receipt Box' },
];

await withDevServer({ OPERATOR_ADDRESS: operatorAddress }, async (server) => {
  // Chromium has no sandbox when root runs it.
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
  try {
    await takeAll(browser, server);
  } finally {
    await browser.close();
  }
});

async function takeAll(browser: Browser, server: DevServer): Promise<void> {
  const address = `http://${operatorAddress}/`;
  const page = await browser.newPage({
    viewport: { width: 1_440, height: 900 },
    deviceScaleFactor: 2,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  const untilLoaded = watchRequests(page);
  const operator = new OperatorClient({ baseUrl: address, token: server.operatorToken });
  await operator.settings.update({ changesToApproved: 'hold' }, { existing: 'hold' });
  await page.goto(`${address}#code=${server.signInCode}`);
  await page.getByRole('banner').waitFor();
  for (const { name, section, app, tab } of pictures) {
    const sections = page.getByRole('navigation', { name: 'Sections' });
    await sections.getByRole('link', { name: section, exact: true }).click();
    if (tab !== undefined) await page.getByRole('link', { name: tab, exact: true }).click();
    if (app !== undefined) await page.getByRole('link', { name: app }).click();
    await page.getByRole('heading', { name: app ?? section, exact: true, level: 1 }).waitFor();
    // Only a reloaded page reports when all its requests have finished.
    await page.reload();
    await page.getByRole('heading', { name: app ?? section, exact: true, level: 1 }).waitFor();
    await untilLoaded();
    for (const colorScheme of colorSchemes) await take(page, name, colorScheme);
  }
}

/** Returns how to wait until nothing has been loaded for a while. The stream of events stays open, so the network is never idle. */
function watchRequests(page: Page): () => Promise<void> {
  const pending = new Set<Request>();
  page.on('request', (request) => {
    if (!request.url().includes('/events/stream')) pending.add(request);
  });
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  return async () => {
    for (let quiet = 0; quiet < 10; quiet += 1) {
      await page.waitForTimeout(50);
      if (pending.size > 0) quiet = 0;
    }
  };
}

async function take(page: Page, name: string, colorScheme: (typeof colorSchemes)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const image = await page.screenshot({ animations: 'disabled' });
  const small = await sharp(image).png({ palette: true, effort: 10, compressionLevel: 9 }).toBuffer();
  const file = new URL(`../docs/images/console-${name}-${colorScheme}.png`, import.meta.url);
  if (small.length > bytesMax) throw new Error(`${file.pathname} would have ${small.length} bytes`);
  await writeFile(file, small);
  console.log(`console-${name}-${colorScheme}.png: ${small.length} bytes`);
}
