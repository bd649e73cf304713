import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { updateSettings } from '@appregistrar/testkit/calls/settings';
import { createWebhook, testWebhook } from '@appregistrar/testkit/calls/webhooks';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { Page } from 'playwright-core';
import { recordAttempts } from '../../server/src/features/webhooks/deliveries/record-attempts.ts';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { assertAccessible, ConsoleFixture, hideRepeated, untilLoaded } from './console-fixture.ts';
import { assertReachable } from './keyboard.ts';
import { assertFitsPhone } from './phone.ts';

const disc = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="red"/></svg>';
const phone = { viewport: { width: 320, height: 740 } };

let fixture: ConsoleFixture;
const ids = { changed: '', waiting: '', webhook: '', delivery: '' };
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
  const { data } = fixture;
  await updateSettings(data.registry, commandLine, { update: { changesToApproved: 'hold' }, existing: 'hold' });
  const changed = await data.newApp({ status: 'APPROVED' });
  for (let at = 0; at < 25; at += 1) await data.install(changed);
  const update = { name: 'Changed', listingInfo: { shortDescription: 'Other than was approved.' } };
  await updateAppAsOperator(data.registry, commandLine, { appId: changed.id, update, ifRevision: undefined });
  const oauthInfo = { callbackUrl: 'https://192.0.2.1/callback' };
  const waiting = await data.newApp({ status: 'AWAITING_REVIEW', oauthInfo });
  await data.newApp({ status: 'REJECTED' });
  for (let at = 0; at < 20; at += 1) await data.newApp();
  await data.newToken('developer');
  const webhook = await createWebhook(data.registry, commandLine, {
    url: 'https://hooks.example.com/',
    name: 'Billing',
  });
  const delivery = await failedDelivery(webhook.id);
  Object.assign(ids, { changed: changed.id, waiting: waiting.id, webhook: webhook.id, delivery });
});
after(() => fixture.close());

/** A delivery whose last attempt got a long response. */
async function failedDelivery(webhookId: string): Promise<string> {
  const { registry } = fixture.data;
  const delivery = await testWebhook(registry, commandLine, webhookId);
  const headers = [['content-type', 'text/plain']] as [string, string][];
  const response = { headers, rest: 'An entry of the log of the receiver.\n'.repeat(80), isBinary: false, isCut: true };
  const exchange = {
    sentAt: 0,
    durationMs: 12,
    url: 'https://hooks.example.com/',
    userAgent: 'app-registry',
    response,
  };
  const { id, eventId, createdAt } = delivery;
  const deliveries = [{ id, eventId, dueAt: Date.parse(createdAt) }];
  const request = { webhookId, queue: eventId, url: '', secrets: [], id: eventId, body: '', deliveries, attempts: 0 };
  const result = { kind: 'rejected', status: 500, text: 'An entry of the log.\n', exchange } as const;
  await recordAttempts(registry, [{ request, result, retryMs: [] }]);
  return id;
}

interface State {
  fragment: () => string;
  /** A text that is shown once the page has loaded. */
  shows: string;
  /** Opens the forms and details of the page. */
  open?: (page: Page) => Promise<void>;
}

const open = (name: string) => (page: Page) => page.getByText(name, { exact: true }).click();
const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();

const states: Record<string, State> = {
  apps: { fragment: () => '#/apps', shows: 'Ada Lovelace' },
  'no matching app': { fragment: () => '#/apps?name=nothing', shows: 'No matching apps.' },
  'an app to create': { fragment: () => '#/apps', shows: 'Ada Lovelace', open: press('Create an app') },
  'an app that has changed': { fragment: () => `#/apps/${ids.changed}`, shows: 'Ada Lovelace' },
  'the listing of an app': {
    fragment: () => `#/apps/${ids.changed}/listing`,
    shows: 'Empty',
    open: open('Edit the content'),
  },
  'an app to delete': {
    fragment: () => `#/apps/${ids.changed}/listing`,
    shows: 'Empty',
    async open(page) {
      await press('Delete the app')(page);
      await page.getByText('25 installations').waitFor();
    },
  },
  'the installations of an app': { fragment: () => `#/apps/${ids.changed}/installations`, shows: 'workspace_' },
  'no matching installation': {
    fragment: () => `#/apps/${ids.changed}/installations?state=disabled`,
    shows: 'No matching installations',
  },
  'an app to install': {
    fragment: () => `#/apps/${ids.changed}/installations`,
    shows: 'workspace_',
    open: press('Install into a workspace'),
  },
  'the activity of an app': { fragment: () => `#/apps/${ids.changed}/activity`, shows: 'App updated' },
  'all activity of an app': {
    fragment: () => `#/apps/${ids.changed}/activity?show=all`,
    shows: 'Installation created',
  },
  events: {
    fragment: () => '#/events',
    shows: 'Token created',
    async open(page) {
      await open('More filters')(page);
      await page.getByText('Before and after').first().click();
    },
  },
  'no such event': { fragment: () => '#/events?type=app.purged', shows: 'No matching events.' },
  'the reason of a revocation': {
    fragment: () => `#/apps/${ids.changed}`,
    shows: 'Ada Lovelace',
    open: press('Revoke'),
  },
  'the reason to reject a change': {
    fragment: () => `#/apps/${ids.changed}`,
    shows: 'Ada Lovelace',
    open: press('Reject'),
  },
  'an earlier revision': {
    fragment: () => `#/apps/${ids.changed}/activity`,
    shows: 'Revision 1',
    async open(page) {
      await open('Compare revision 1 with the current content')(page);
      await page.getByRole('region', { name: 'Name', exact: true }).waitFor();
    },
  },
  'a revision to bring back': {
    fragment: () => `#/apps/${ids.changed}/activity`,
    shows: 'Revision 1',
    open: press('Revert to revision 1'),
  },
  'a transfer': {
    fragment: () => `#/apps/${ids.changed}/listing`,
    shows: 'Empty',
    open: open('Transfer to another developer'),
  },
  'the reason of a rejection': {
    fragment: () => `#/apps/${ids.waiting}`,
    shows: 'Ada Lovelace',
    open: press('Reject'),
  },
  'a new logo': {
    fragment: () => `#/apps/${ids.waiting}/listing`,
    shows: 'New logo',
    async open(page) {
      const image = { name: 'disc.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(disc) };
      await page.getByLabel('Drop an image here').setInputFiles(image);
      await page.getByText('128 px').waitFor();
    },
  },
  review: { fragment: () => '#/review', shows: 'IP address', open: open('Filter and sort') },
  'an app to review': { fragment: () => `#/review/${ids.changed}`, shows: 'Other than was approved.' },
  'a rejection in the review': {
    fragment: () => `#/review/${ids.waiting}`,
    shows: 'has an IP address for a host',
    async open(page) {
      await page.getByRole('button', { name: 'Comment on Callback URL' }).click();
      await page.getByRole('button', { name: 'Send back' }).click();
      await page.getByText('Code, note for reviewers').click();
      await page.getByLabel('Code (machine-readable)').waitFor();
    },
  },
  tokens: { fragment: () => '#/tokens', shows: 'Active', open: open('Create a token') },
  'a token to revoke': {
    fragment: () => '#/tokens',
    shows: 'Active',
    open: (page) =>
      page
        .getByRole('button', { name: /^Revoke/ })
        .first()
        .click(),
  },
  webhooks: {
    fragment: () => '#/webhooks',
    shows: 'Billing',
    async open(page) {
      await open('Add a webhook')(page);
      await page.getByLabel('only these').check();
    },
  },
  'a webhook': {
    fragment: () => `#/webhooks/${ids.webhook}`,
    shows: 'token.created',
    async open(page) {
      await open('Edit the webhook')(page);
      await open('Redeliver since a time')(page);
    },
  },
  'a delivery': {
    fragment: () => `#/webhooks/${ids.webhook}/deliveries/${ids.delivery}`,
    shows: 'An entry of the log of the receiver',
  },
  'failed deliveries': {
    fragment: () => `#/webhooks/${ids.webhook}?state=failed`,
    shows: 'An entry of the log',
    open: press('Redeliver all failed'),
  },
  'a webhook to delete': {
    fragment: () => `#/webhooks/${ids.webhook}`,
    shows: 'token.created',
    open: press('Delete the webhook'),
  },
  'a file to import': {
    fragment: () => '#/import',
    shows: 'Drop a file here',
    async open(page) {
      const file = { name: 'apps.csv', mimeType: 'text/csv', buffer: Buffer.from('name,Colour\nLedger,red\n') };
      await page.locator('input[type="file"]').setInputFiles(file);
      await page.getByRole('button', { name: 'Try without importing' }).click();
      await page.getByText('Errors in one record').waitFor();
    },
  },
  'a change to undo': {
    fragment: () => `#/apps/${ids.changed}/activity`,
    shows: 'App updated',
    async open(page) {
      await page.locator('.timeline .revert button').first().click();
      await page.locator('.revert-effect section').first().waitFor();
    },
  },
  overview: { fragment: () => '#/overview', shows: 'installations counted' },
  'an unknown page': { fragment: () => '#/nothing/here', shows: 'no page at this address' },
};

async function shown({ fragment, shows, open: openAll }: State, options = {}): Promise<Page> {
  const page = await fixture.signedIn(fragment(), options);
  await page.getByRole('main').getByText(shows).first().waitFor();
  await untilLoaded(page);
  await openAll?.(page);
  await hideRepeated(page);
  return page;
}

for (const [name, state] of Object.entries(states)) {
  test(`${name}: fits 320 pixels, has large enough touch targets, is accessible in light, dark and forced colours, and the keyboard reaches everything in order`, async () => {
    const page = await shown(state, phone);
    await assertFitsPhone(page);
    await assertAccessible(page);
    await page.setViewportSize({ width: 1_200, height: 900 });
    await assertReachable(page);
  });
}

test('the sign-in page fits the width of a phone, is accessible in light and dark mode, and the keyboard reaches everything', async () => {
  const page = await fixture.newWindow(phone);
  await page.goto(fixture.address);
  await page.getByText('Where do I get a token?').click();
  await assertFitsPhone(page);
  await assertAccessible(page);
  await assertReachable(page);
});

test('Escape closes a form or confirmation, and returns the focus to its button', async () => {
  for (const [state, opener] of [
    ['the reason of a rejection', 'Reject'],
    ['a webhook to delete', 'Delete the webhook'],
  ] as const) {
    const page = await shown(states[state] as State);
    if (opener === 'Reject') await page.getByRole('textbox', { name: 'Reason' }).pressSequentially('Half a');
    await page.keyboard.press('Escape');
    const button = page.getByRole('button', { name: opener, exact: true });
    await button.waitFor();
    assert.ok(await button.evaluate((element) => element === document.activeElement), opener);
    await page.keyboard.press('Enter');
    if (opener === 'Reject') assert.equal(await page.getByRole('textbox', { name: 'Reason' }).inputValue(), 'Half a');
    else
      assert.ok(
        await page.getByRole('button', { name: 'Cancel' }).evaluate((cancel) => cancel === document.activeElement),
      );
  }
});

test('the accessibility check finds wrong colours, missing labels and missing headings', async () => {
  const page = await shown(states.apps as State);
  await assertAccessible(page);
  // Through the object model, as the content security policy blocks added style elements.
  const worsen: [RegExp, () => void][] = [
    [/color-contrast/, () => document.querySelector('main')?.setAttribute('class', 'bad')],
    [
      /label|select-name/,
      () => {
        for (const label of document.querySelectorAll('label'))
          label.replaceWith(...label.querySelectorAll('input, select'));
      },
    ],
    [/page-has-heading-one/, () => document.querySelector('h1')?.remove()],
  ];
  await page.evaluate(() =>
    document.styleSheets[0]?.insertRule('.bad, .bad * { color: #999 !important; background: #aaa !important }'),
  );
  for (const [rule, break_] of worsen) {
    await page.evaluate(break_);
    await assert.rejects(assertAccessible(page), rule);
  }
});

test('the keyboard check finds an unreachable element', async () => {
  const page = await shown(states.apps as State);
  await page
    .locator('select')
    .first()
    .evaluate((select) =>
      select.addEventListener('keydown', (event) => (event as KeyboardEvent).key === 'Tab' && event.preventDefault()),
    );
  await assert.rejects(assertReachable(page));
});
