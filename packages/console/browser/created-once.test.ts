import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlite } from 'app-registry-testkit/engines/engines';
import { rowsOf } from 'app-registry-testkit/registry/recorded';
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
  /** Enters all that is needed, and leaves only the last step. */
  enter: (page: Page) => Promise<void>;
  /** What makes it, once everything is entered, and makes it again. */
  make: (page: Page) => Promise<void>;
  again: (page: Page) => Promise<void>;
}

const submit = (page: Page) => page.getByRole('button', { name: /^(Issue|Add)$/ }).click();
const creations: Creation[] = [
  {
    table: 'access_tokens',
    open: () => fixture.signedIn('#/tokens'),
    async enter(page) {
      await page.getByText('Issue a token').click();
      await page.getByLabel('Name, so that you know it again').fill('Once');
      await page.getByLabel('decide about apps').check();
    },
    make: submit,
    again: submit,
  },
  {
    table: 'webhooks',
    open: () => fixture.signedIn('#/webhooks'),
    async enter(page) {
      await page.getByText('Add a webhook', { exact: true }).click();
      await page.getByLabel('Address').fill('https://hooks.example.com/once');
    },
    make: submit,
    again: submit,
  },
  {
    table: 'logos',
    open: async () => fixture.signedIn(`#/apps/${(await fixture.data.newApp()).id}`),
    enter: async () => {},
    make: (page) =>
      page
        .getByLabel('Drop an image here')
        .setInputFiles({ name: 'disc.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(disc) }),
    again: (page) => page.getByRole('button', { name: 'Try again' }).click(),
  },
];

for (const { table, open, enter, make, again } of creations) {
  const count = async () => (await rowsOf(fixture.data.registry.storage, table)).length;

  test(`one is made in ${table} when the answer was lost and it is asked for again`, async () => {
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
    await make(page);
    await page.getByRole('alert').getByText('The registry cannot be reached').waitFor();
    assert.equal(await count(), before + 1);
    await again(page);
    await page.getByRole('alert').or(page.locator('.sizes')).filter({ hasNotText: 'cannot be reached' }).waitFor();
    assert.equal(await count(), before + 1);
    assert.match(keys[0] ?? '', /^[0-9a-f]{32}$/);
    assert.equal(keys[1], keys[0]);
    fixture.takeFaults();
    // The same once more is another one.
    await make(page);
    for (; (await count()) < before + 2; ) await page.waitForTimeout(20);
    assert.notEqual(keys[2], keys[0]);
  });
}

const addresses = { access_tokens: 'tokens', webhooks: 'webhooks', logos: 'logos' };

test('two clicks at one time make one', async () => {
  const page = await fixture.signedIn('#/webhooks');
  const before = (await rowsOf(fixture.data.registry.storage, 'webhooks')).length;
  await page.getByText('Add a webhook', { exact: true }).click();
  await page.getByLabel('Address').fill('https://hooks.example.com/twice');
  await page.getByRole('button', { name: 'Add' }).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await page.getByRole('region', { name: 'The new secret' }).waitFor();
  await page.getByRole('link', { name: 'https://hooks.example.com/twice' }).waitFor();
  assert.equal((await rowsOf(fixture.data.registry.storage, 'webhooks')).length, before + 1);
});
