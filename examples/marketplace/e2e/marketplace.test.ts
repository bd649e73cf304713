import { after, before, type TestContext, test } from 'node:test';
import { freePorts } from '@appregistrar/testkit/system/free-port';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../../../packages/console/browser/chromium.ts';
import { assertAccessible } from '../../../packages/console/browser/console-fixture.ts';
import { assertFitsPhone } from '../../../packages/console/browser/phone.ts';
import { type Marketplace, startMarketplace } from '../setup/marketplace.ts';
import { Story } from './story.ts';
import { Visitor } from './visitor.ts';

let marketplace: Marketplace;
let browser: Browser;
before(async () => {
  marketplace = await startMarketplace(await freePorts(7));
  // The sandbox of Chromium does not work for root.
  browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
});
after(async () => {
  await browser?.close();
  await marketplace?.stop();
});

test('an app is published, rejected, resubmitted, approved, installed, signed in to, changed and revoked, on pages that are accessible in light and dark mode and fit a phone', (context) =>
  runStory('Invoice Sync', { context, between: async () => {}, afterPublishing: assertFits }));

test('the same story works when the registry is killed and restarted between the steps', (context) =>
  runStory('Ledger Link', {
    context,
    between: async () => {
      await marketplace.registry.stop('SIGKILL');
      await marketplace.registry.start();
    },
  }));

/** The pages of the developer, the customer and a person who has not signed in. */
async function assertFits({ ada, noor }: Story): Promise<void> {
  await noor.goto('storefront', '/workspace');
  for (const { page } of [ada, noor]) await assertFitsAll(page);
  const visitor = await Visitor.open(browser, marketplace.addresses);
  for (const part of ['guide', 'portal', 'storefront', 'sampleApp'] as const) {
    await visitor.goto(part);
    await assertFitsAll(visitor.page);
  }
  await visitor.close();
}

async function assertFitsAll(page: Page): Promise<void> {
  await assertAccessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await assertFitsPhone(page);
  await page.setViewportSize({ width: 1_200, height: 900 });
}

async function runStory(
  name: string,
  {
    context,
    between,
    afterPublishing,
  }: {
    context: TestContext;
    between: () => Promise<void>;
    afterPublishing?: (story: Story) => Promise<void>;
  },
): Promise<void> {
  const story = await Story.begin(name, marketplace, browser);
  await story.publish();
  await afterPublishing?.(story);
  await between();
  const chapters = [
    () => story.reject(),
    () => story.resubmit(),
    () => story.approve(),
    () => story.install(),
    () => story.signInByOAuth(),
    () => story.change(),
    async () => context.diagnostic(`a revoked app was gone after ${await story.revoke()} ms`),
  ];
  for (const chapter of chapters) {
    await chapter();
    await between();
  }
  await story.readEvents();
  await story.end();
}
