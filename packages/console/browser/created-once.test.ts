import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import type { Page } from 'playwright-core';
import { ConsoleFixture } from './console-fixture.ts';

const disc = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="red"/></svg>';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite, { WEBHOOK_ALLOW_PRIVATE: '1' });
});
after(() => fixture.close());

interface Creation {
  table: 'access_tokens' | 'webhooks' | 'logos';
  open: () => Promise<Page>;
  /** Fills in everything, so that only the last step is left. */
  enter: (page: Page) => Promise<void>;
  /** The last step, and its retry after a failure. */
  create: (page: Page) => Promise<void>;
  retry: (page: Page) => Promise<void>;
}

const submit = (page: Page) => page.getByRole('button', { name: /^(Create|Add)$/ }).click();
const creations: Creation[] = [
  {
    table: 'access_tokens',
    open: () => fixture.signedIn('#/tokens'),
    async enter(page) {
      await page.getByText('Create a token').click();
      await page.getByLabel('Name (to identify it)').fill('Once');
      await page.getByLabel('review apps').check();
    },
    create: submit,
    retry: submit,
  },
  {
    table: 'webhooks',
    open: () => fixture.signedIn('#/webhooks'),
    async enter(page) {
      await page.getByText('Add a webhook', { exact: true }).click();
      await page.getByLabel('URL').fill('https://hooks.example.com/once');
    },
    create: submit,
    retry: submit,
  },
  {
    table: 'logos',
    open: async () => fixture.signedIn(`#/apps/${(await fixture.data.newApp()).id}/listing`),
    enter: async () => {},
    create: (page) =>
      page
        .getByLabel('Drop an image here')
        .setInputFiles({ name: 'disc.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(disc) }),
    retry: (page) => page.getByRole('button', { name: 'Try again' }).click(),
  },
];

for (const { table, open, enter, create, retry } of creations) {
  const count = async () => (await rowsOf(fixture.data.registry.storage, table)).length;

  test(`a retry after a lost response creates one row in ${table}`, async () => {
    const page = await open();
    await enter(page);
    const before = await count();
    const keys: (string | undefined)[] = [];
    await page.route(`**/operator/v1/${addresses[table]}`, async (route, request) => {
      if (request.method() !== 'POST') return route.continue();
      keys.push(request.headers()['idempotency-key']);
      if (keys.length > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await create(page);
    await page.getByRole('alert').getByText('The registry cannot be reached').waitFor();
    assert.equal(await count(), before + 1);
    await retry(page);
    await page.getByRole('alert').or(page.locator('.sizes')).filter({ hasNotText: 'cannot be reached' }).waitFor();
    assert.equal(await count(), before + 1);
    assert.match(keys[0] ?? '', /^\d+(-\d+){3}$/);
    assert.equal(keys[1], keys[0]);
    fixture.takeErrors();
    // After a response, the same request creates another row.
    await create(page);
    for (; (await count()) < before + 2; ) await page.waitForTimeout(20);
    assert.notEqual(keys[2], keys[0]);
  });
}

const addresses = { access_tokens: 'tokens', webhooks: 'webhooks', logos: 'logos' };

test('a double click creates one', async () => {
  const page = await fixture.signedIn('#/webhooks');
  const before = (await rowsOf(fixture.data.registry.storage, 'webhooks')).length;
  await page.getByText('Add a webhook', { exact: true }).click();
  await page.getByLabel('URL').fill('https://hooks.example.com/twice');
  await page.getByRole('button', { name: 'Add' }).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await page.getByRole('region', { name: 'The new secret' }).waitFor();
  await page.getByRole('link', { name: 'https://hooks.example.com/twice' }).waitFor();
  assert.equal((await rowsOf(fixture.data.registry.storage, 'webhooks')).length, before + 1);
});
