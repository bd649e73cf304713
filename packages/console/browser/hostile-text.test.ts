import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createDeveloper } from '@appregistrar/testkit/calls/developers';
import { reviewApp } from '@appregistrar/testkit/calls/review';
import type { Page } from 'playwright-core';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { type ConsoleFixture, untilLoaded } from './console-fixture.ts';
import { WebhookFixture } from './webhook-fixture.ts';

let webhooks: WebhookFixture;
let fixture: ConsoleFixture;
before(async () => {
  webhooks = await WebhookFixture.open();
  fixture = webhooks.console;
});
after(() => webhooks.close());

/** The content of each field, up to its maximum length where that matters. */
interface Hostile {
  kind: string;
  name: string;
  short: string;
  long: string;
  person: string;
}

const script = '<img src=x onerror=alert(1)>';
const rightToLeft = 'مرحبا (abc) שלום 123!';
const families = (count: number) => '👩‍👩‍👧‍👦'.repeat(count);
const kinds: Hostile[] = [
  { kind: 'script', name: script, short: script, long: `${script}\n${script}`, person: script },
  { kind: 'right to left', name: rightToLeft, short: rightToLeft, long: rightToLeft, person: rightToLeft },
  { kind: 'emoji', name: '😀'.repeat(100), short: families(71), long: families(500), person: '🇺🇦'.repeat(50) },
  {
    kind: 'one long word',
    name: 'W'.repeat(100),
    short: 'W'.repeat(500),
    long: 'W'.repeat(4_000),
    person: 'W'.repeat(100),
  },
];

for (const hostile of kinds) {
  test(`${hostile.kind}: any text is shown as text, isolated, and breaks no page`, async () => {
    const { appId, rejectedId, rejectedName, reason, webhookId } = await written(hostile);
    const { token } = await fixture.data.newToken('operator', { name: hostile.name });
    const page = await fixture.newWindow({ viewport: { width: 360, height: 740 } });
    await page.goto(fixture.address);
    await page.getByLabel('Operator token').fill(token);
    await page.keyboard.press('Enter');
    const { name, short, long, person } = hostile;
    for (const [fragment, texts] of [
      ['#/apps', [name, rejectedName, person]],
      [`#/apps/${appId}`, [name, short, person]],
      [`#/apps/${appId}/listing`, [name, short, long]],
      [`#/apps/${appId}/activity`, [name, short, long]],
      ['#/events', [name]],
      [`#/apps/${rejectedId}`, [rejectedName, reason]],
      ['#/review', [name]],
      [`#/review/${appId}`, [name, short, long]],
      ['#/tokens', [name]],
      ['#/webhooks', [name]],
      // The registry stores the response of a receiver, but replaces bidirectional controls.
      [`#/webhooks/${webhookId}`, [name, `\ufffd${responseOf(hostile)}`]],
      ['#/overview', []],
    ] as const) {
      await page.goto(fixture.address + fragment);
      for (const text of texts) await untilShown(page, text);
      await untilLoaded(page);
      await assertHarmless(page, [...texts]);
      await page.setViewportSize({ width: 1_200, height: 900 });
      await assertHarmless(page, [...texts]);
      await page.setViewportSize({ width: 360, height: 740 });
    }
  });
}

test('bidirectional controls are refused, and the page shows the error', async () => {
  const { id } = await fixture.data.newApp({ status: 'AWAITING_REVIEW' });
  const page = await fixture.signedIn(`#/apps/${id}`);
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByLabel('Reason (shared with the developer)').fill('\u202egnp.exe');
  await page.getByRole('button', { name: 'Reject the app' }).click();
  await page.getByRole('alert').getByText('bidirectional controls').waitFor();
  await fixture.takeLogged(1, 'the browser logs the 422');
});

const responseOf = ({ name }: Pick<Hostile, 'name'>) => [...name].slice(0, 28).join('');

async function written({ name, short, long, person }: Hostile) {
  const { registry } = fixture.data;
  const [email, firstName, lastName] = [`${crypto.randomUUID()}@example.com`, person, person];
  const { id: developerId } = await createDeveloper(registry, commandLine, { email, firstName, lastName });
  const listingInfo = { backgroundColor: '#0b7285', shortDescription: short, longDescription: long };
  const app = await fixture.data.newApp({ developerId, name, listingInfo, status: 'AWAITING_REVIEW' });
  const rejectedName = `${[...name].slice(0, 98).join('')}2`;
  const rejected = await fixture.data.newApp({ developerId, name: rejectedName, status: 'AWAITING_REVIEW' });
  const reason = [...long].slice(0, 2_000).join('');
  await reviewApp(registry, commandLine, { appId: rejected.id, step: 'reject', details: { message: reason } });
  // The response of a receiver follows no rules of the registry.
  webhooks.receiver.respond = (_, response) => response.end(`\u202e${responseOf({ name })}`);
  const webhook = await webhooks.newWebhook(name);
  await fixture.data.install(app);
  return { appId: app.id, rejectedId: rejected.id, rejectedName, reason, webhookId: webhook.id };
}

test('a name with bidirectional controls, which no current registry returns, affects only itself', async () => {
  await fixture.data.newApp({ name: 'Reversed' });
  const page = await fixture.signedIn();
  await page.route('**/operator/v1/apps?name=reversed*', async (route) => {
    const list = await (await route.fetch()).text();
    await route.fulfill({ contentType: 'application/json', body: list.replace('Reversed', reversed) });
  });
  await page.goto(`${fixture.address}#/apps?name=reversed`);
  await untilShown(page, reversed);
  await assertHarmless(page, [reversed]);
});

const reversed = '\u202egnp.exe\u2067';

async function untilShown(page: Page, text: string): Promise<void> {
  while (!(await page.locator('main').innerText()).includes(text)) {
    const refresh = page.getByRole('button', { name: 'Refresh' });
    if ((await refresh.count()) > 0) await refresh.click();
    await page.waitForTimeout(20);
  }
}

/** No text became markup, each is isolated, and the page is not wider than the window. */
async function assertHarmless(page: Page, texts: string[]): Promise<void> {
  assert.equal(await page.locator('img[src="x"]').count(), 0);
  const [width, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.equal(width, window, page.url());
  assert.deepEqual(await page.evaluate(notIsolated, texts), [], page.url());
}

/** In the browser: the elements with a text that is not isolated from the direction of its surroundings. */
function notIsolated(texts: string[]): string[] {
  const found: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { nodeValue, parentElement } = walker.currentNode;
    const isGiven = texts.some((text) => nodeValue?.includes(text));
    if (!isGiven || parentElement?.closest('bdi, [dir="auto"]')) continue;
    found.push(parentElement?.outerHTML.slice(0, 300) ?? '');
  }
  return found;
}
