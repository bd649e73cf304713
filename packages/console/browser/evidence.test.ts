import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { transferApp, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { createDeveloper } from '@appregistrar/testkit/calls/developers';
import { createAppNote, listAppDecisions, reviewApp } from '@appregistrar/testkit/calls/review';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { Locator, Page } from 'playwright-core';
import { approvedContent } from '../../client/src/operator/index.ts';
import type { OperatorApp } from '../../server/src/features/apps/app-schemas.ts';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { assertAccessible, ConsoleFixture } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

const update = (appId: string, content: object) =>
  updateAppAsOperator(fixture.data.registry, commandLine, { appId, update: content, ifRevision: undefined });
const field = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const labels = (page: Page) => page.locator('.evidence > .compared-fields h3').allTextContents();
const marked = async (place: Locator) => [
  await place.locator('del').allTextContents(),
  await place.locator('ins').allTextContents(),
];
const isOfPhoneWidth = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

let changedApps = 0;

async function changedApp(): Promise<OperatorApp> {
  changedApps += 1;
  const [before, later] = [await fixture.data.newLogo(), await fixture.data.newLogo()];
  const { id } = await fixture.data.newApp({
    name: `Invoice Sync ${changedApps}`,
    logoId: before.id,
    listingInfo: {
      backgroundColor: '#0b7285',
      shortDescription: 'Keeps invoices and ledgers in step.',
      longDescription: 'Copies every invoice to your ledger within a minute.\n\nNothing to configure.',
    },
    oauthInfo: { loginUrl: 'https://sync.example/login', callbackUrl: 'https://sync.example/callback' },
    status: 'APPROVED',
  });
  return update(id, {
    name: `Invoice Sink ${changedApps}`,
    logoId: later.id,
    listingInfo: {
      backgroundColor: '#7b7b7b',
      longDescription: 'Copies every bill to your ledger within a minute.\n\nNothing to configure.',
    },
    oauthInfo: { loginUrl: null, callbackUrl: 'https://xn--pypal-4ve.example/callback?to=1' },
  });
}

test('a changed app shows its risks and its changed fields first, each by its kind, and folds the rest', async () => {
  const current = await changedApp();
  const [id, approved] = [current.id, approvedContent(current)];
  const page = await fixture.signedIn(`#/apps/${id}/review`);
  await field(page, 'Name').waitFor();
  assert.deepEqual(await labels(page), [
    'Callback URL',
    'Login URL',
    'Name',
    'Logo',
    'Long description',
    'Background colour',
  ]);
  assert.deepEqual(await marked(field(page, 'Name')), [
    ['y', 'c'],
    ['i', 'k'],
  ]);
  assert.deepEqual(await marked(field(page, 'Long description')), [['invoice'], ['bill']]);
  const logos = await field(page, 'Logo').locator('img').all();
  assert.deepEqual(await Promise.all(logos.map((logo) => logo.getAttribute('src'))), [
    `/logos/${approved?.logoId}`,
    `/logos/${current.logoId}`,
  ]);
  for (const logo of logos) assert.deepEqual((await logo.boundingBox())?.width, 96);
  const swatches = await field(page, 'Background colour').locator('rect').all();
  assert.deepEqual(
    await Promise.all(swatches.map((swatch) => swatch.evaluate((rect) => getComputedStyle(rect).fill))),
    ['rgb(11, 114, 133)', 'rgb(123, 123, 123)'],
  );
  await field(page, 'Background colour').getByText('neither dark nor white text').waitFor();
  await field(page, 'Login URL').getByText('Removed').waitFor();
  const callback = field(page, 'Callback URL');
  assert.deepEqual(await marked(callback), [['sync.example'], ['xn--pypal-4ve.example', '?to=1']]);
  await callback.getByText('Host in Unicode: pаypal.example').waitFor();
  await page.getByRole('list', { name: 'Warnings' }).getByText('When approved, it was sync.example').waitFor();
  assert.equal(await field(page, 'Short description').isVisible(), false);
  await page.getByText('1 field unchanged: Short description').click();
  await field(page, 'Short description').getByText('Keeps invoices and ledgers in step.').waitFor();
});

test('before and after are cards of the same size, regardless of their texts', async () => {
  const { id } = await fixture.data.newApp({ name: 'Short', status: 'APPROVED' });
  const page = await fixture.signedIn(`#/apps/${id}/review`);
  const cards = page.getByRole('article', { name: 'Marketplace card' });
  await cards.waitFor();
  const shortDescription = 'Many words. '.repeat(40).trim();
  await update(id, {
    name: 'W'.repeat(100),
    listingInfo: { shortDescription, longDescription: 'Lines.\n'.repeat(500) },
  });
  await page.reload();
  await page.getByRole('article', { name: 'Marketplace card: Approved' }).waitFor();
  const [earlier, now, ...others] = await Promise.all((await cards.all()).map((card) => card.boundingBox()));
  assert.deepEqual([earlier?.width, earlier?.height, others.length], [now?.width, now?.height, 0]);
  assert.ok(now && now.height < 250);
});

test('a submission that was never approved is shown without a comparison, and empty fields are folded', async () => {
  const oauthInfo = { callbackUrl: 'https://192.0.2.1/callback' };
  const { id } = await fixture.data.newApp({ name: 'Newcomer', oauthInfo, status: 'AWAITING_REVIEW' });
  const page = await fixture.signedIn(`#/apps/${id}/review`, { viewport: { width: 320, height: 740 } });
  await field(page, 'Name').waitFor();
  assert.deepEqual(await labels(page), ['Callback URL', 'Name', 'Background colour'], 'those with warnings come first');
  assert.equal(await page.locator('.evidence del, .evidence ins').count(), 0);
  const warnings = page.getByRole('list', { name: 'Warnings' });
  assert.match((await warnings.textContent()) ?? '', /IP address 192\.0\.2\.1/);
  await page.getByText('4 fields empty: Logo, Short description, Long description, Login URL').click();
  await field(page, 'Logo').getByText('Empty').waitFor();
  assert.ok(await isOfPhoneWidth(page));
});

test('a submission after a rejection shows its messages at their fields, and what has changed since', async () => {
  const { id } = await fixture.data.newApp({
    name: 'Rejected once',
    listingInfo: { shortDescription: 'Best app.' },
    status: 'AWAITING_REVIEW',
  });
  const fields = [{ pointer: '/listingInfo/shortDescription', message: 'Say what it does.' }];
  const details = { message: 'Almost there.', code: 'incomplete', note: 'Look again.', fields };
  await reviewApp(fixture.data.registry, commandLine, { appId: id, step: 'reject', details });
  await update(id, { listingInfo: { shortDescription: 'Best app for invoices.' } });
  await fixture.data.review(id, 'submit');
  const page = await fixture.signedIn(`#/apps/${id}/review`);
  const decision = page.getByRole('region', { name: 'Last decision' });
  await decision.getByText('Almost there.').waitFor();
  assert.match((await decision.textContent()) ?? '', /^Rejected .* by demo incomplete.*Look again\./);
  await field(page, 'Short description').getByText('demo: Say what it does.').waitFor();
  await field(page, 'Short description').locator('ins').waitFor();
  await page.getByText('1 change since revision 1').waitFor();
  assert.deepEqual(await labels(page), ['Short description']);
  assert.deepEqual(await marked(field(page, 'Short description')), [[], [' for invoices']]);
  await assertAccessible(page);
  await page.getByLabel('Compared with').selectOption('Nothing');
  await field(page, 'Name').waitFor();
  assert.equal(await page.locator('.evidence ins').count(), 0);
});

test('a transfer shows that the content has stayed, and the record of the new developer', async () => {
  const { id } = await fixture.data.newApp({ name: 'Handed over', status: 'APPROVED' });
  const transfer = { developerId: fixture.data.otherDeveloper.id };
  await transferApp(fixture.data.registry, commandLine, { appId: id, transfer });
  const page = await fixture.signedIn(`#/review/${id}`);
  await page.getByText(/^No changes since revision/).waitFor();
  assert.deepEqual(await labels(page), []);
  await page.getByRole('region', { name: 'Developer' }).getByText('grace@example.com').waitFor();
});

test('field messages are sent with a rejection, using only the keyboard', async () => {
  const { id } = await fixture.data.newApp({ status: 'AWAITING_REVIEW' });
  const page = await fixture.signedIn(`#/apps/${id}/review`, { scopes: ['review'] });
  await page.getByRole('button', { name: 'Comment on Name' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Too long.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const mark = page.getByRole('button', { name: 'Comment on Name' });
  assert.ok(await mark.evaluate((button) => button === document.activeElement), 'removed, and the focus is back');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Too short.');
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByLabel('Reason (shared with the developer)').fill('See the name.');
  await page.getByRole('button', { name: 'Reject the app' }).click();
  await field(page, 'Name').getByText('Too short.').waitFor();
  assert.equal(await page.locator('.evidence').getByRole('textbox').count(), 0);
  const { items } = await listAppDecisions(fixture.data.registry, { appId: id, query: {}, showsNotes: true });
  assert.deepEqual(items[0]?.fields, [{ pointer: '/name', message: 'Too short.' }]);
});

test('the developer record counts the decisions about their apps', async () => {
  const { id: userId } = await createDeveloper(fixture.data.registry, commandLine, { email: 'new@example.com' });
  await fixture.data.newApp({ developerId: userId, status: 'REJECTED' });
  const { id } = await fixture.data.newApp({ developerId: userId, status: 'AWAITING_REVIEW' });
  for (const fragment of [`#/apps/${id}/review`, `#/review/${id}`]) {
    const page = await fixture.signedIn(fragment);
    const record = page.getByRole('region', { name: 'Developer' });
    await record.getByText('Since').waitFor();
    assert.match((await record.textContent()) ?? '', /Apps1 waiting, 1 rejectedDecisions1 rejectedSince/);
  }
});

test('reviewers write notes for each other and delete their own', async () => {
  const { id } = await fixture.data.newApp({ status: 'AWAITING_REVIEW' });
  await createAppNote(fixture.data.registry, commandLine, { appId: id, note: { text: 'By another.' } });
  const page = await fixture.signedIn(`#/apps/${id}/review`, { scopes: ['review'] });
  const notes = page.getByRole('region', { name: 'Notes' });
  await notes.getByText('By another.').waitFor();
  assert.equal(await notes.getByRole('button', { name: /^Delete/ }).count(), 0);
  const text = notes.getByLabel('New note');
  await text.fill('The same\nsender again.');
  await notes.getByRole('button', { name: 'Add note' }).click();
  await notes.getByRole('listitem').nth(1).waitFor();
  assert.match(
    (await notes.getByRole('listitem').first().textContent()) ?? '',
    /Grace, reviewer.*The same\nsender again/s,
  );
  assert.equal(await text.inputValue(), '');
  await assertAccessible(page);
  await notes.getByRole('button', { name: 'Delete your note' }).click();
  await page.getByRole('button', { name: 'Delete the note' }).click();
  await notes.getByText('The same').waitFor({ state: 'detached' });
  assert.equal(await notes.getByRole('listitem').count(), 1);
});

test('a token with the scope portal sees why it has no notes, and not who is reviewing', async () => {
  const { id } = await fixture.data.newApp({ status: 'AWAITING_REVIEW' });
  const page = await fixture.signedIn(`#/apps/${id}/review`, { scopes: ['portal', 'review'] });
  const notes = page.getByRole('region', { name: 'Notes' });
  await notes.getByText('cannot see notes and who is reviewing').waitFor();
  assert.equal(await notes.getByRole('textbox').count(), 0);
});

test('the scope read alone shows the same evidence, without buttons to mark fields', async () => {
  const { id } = await changedApp();
  const page = await fixture.signedIn(`#/apps/${id}/review`, { scopes: ['read'] });
  await field(page, 'Callback URL').waitFor();
  assert.equal(await page.locator('.evidence').getByRole('button').count(), 0);
});

for (const width of [320, 1_440]) {
  test(`${width} px: a change of everything fits the window and is accessible, in light and dark mode`, async () => {
    const { id } = await changedApp();
    const page = await fixture.signedIn(`#/apps/${id}/review`, { viewport: { width, height: 900 } });
    await field(page, 'Callback URL').waitFor();
    assert.ok(await isOfPhoneWidth(page));
    // The marketplace card is as hard to read as the page says.
    await update(id, { listingInfo: { backgroundColor: '#ffffff' } });
    await page.reload();
    await field(page, 'Callback URL').waitFor();
    await assertAccessible(page);
  });
}

const hostile: Record<string, [earlier: string, now: string]> = {
  'long words': ['W'.repeat(10_000), `${'W'.repeat(9_999)}V`],
  'long texts': ['word '.repeat(2_000), 'other words '.repeat(833)],
  'right to left': ['مرحبا (abc) שלום 123!', 'مرحبا (abd) שלום 456!'],
  markup: ['<b onclick=alert(1)>', '<img src=x onerror=alert(1)>'],
};
for (const [kind, [earlier, now]] of Object.entries(hostile)) {
  test(`${kind}: hostile texts are compared as text, and break no page`, async () => {
    const { id } = await fixture.data.newApp({ listingInfo: { longDescription: 'A' }, status: 'APPROVED' });
    const page = await fixture.newWindow({ viewport: { width: 320, height: 740 } });
    await page.route(`**/apps/${id}`, async (route) => {
      const app = await (await route.fetch()).json();
      const approved = { revision: app.revision, etag: app.etag, listingInfo: { longDescription: earlier } };
      Object.assign(app, { changedSinceApproval: true, approved });
      app.listingInfo.longDescription = now;
      await route.fulfill({ json: app });
    });
    const { token } = await fixture.data.newToken('operator');
    await page.goto(`${fixture.address}#/apps/${id}/review`);
    await page.getByLabel('Operator token').fill(token);
    await page.keyboard.press('Enter');
    const text = field(page, 'Long description').locator('.difference');
    await text.waitFor();
    const rest = page.getByRole('button', { name: 'Show all of Long description' });
    if (await rest.isVisible()) await rest.click();
    const shown = (part: 'del' | 'ins') =>
      text.evaluate(
        (element, without) => {
          const copy = element.cloneNode(true) as Element;
          for (const other of copy.querySelectorAll(without)) other.remove();
          return copy.textContent;
        },
        part === 'del' ? 'ins' : 'del',
      );
    assert.deepEqual([await shown('del'), await shown('ins')], [earlier, now]);
    assert.equal(await page.locator('img[src="x"], b[onclick]').count(), 0);
    assert.ok(await isOfPhoneWidth(page));
  });
}

test('invisible characters are shown, except the joiners within an emoji', async () => {
  const { id } = await fixture.data.newApp({ name: 'Paypal 👩‍👩‍👧 ❤️!', status: 'APPROVED' });
  await update(id, {
    name: 'Pay\u200bpal 👩‍👩‍👧 ❤️!',
    listingInfo: { longDescription: 'One\ntwo\u00adthree نمی\u200cخواهم' },
  });
  const page = await fixture.signedIn(`#/apps/${id}/review`);
  await field(page, 'Name').waitFor();
  assert.deepEqual(await marked(field(page, 'Name')), [[], ['U+200B']]);
  assert.equal(await field(page, 'Name').locator('.value').textContent(), 'PayU+200Bpal 👩‍👩‍👧 ❤️!');
  assert.deepEqual(await field(page, 'Long description').locator('.hidden-character').allTextContents(), ['U+00AD']);
});
