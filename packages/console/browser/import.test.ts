import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { appOf, developerOf } from '@appregistrar/testkit/registry/import-file';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { assertAccessible, ConsoleFixture } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

const emails = async () => (await rowsOf(fixture.data.registry.storage, 'developers')).map(({ email }) => email);
const csv = (text: string) => ({ name: 'developers.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

test('a CSV file is mapped, tried, corrected by its errors, and imported', async () => {
  const page = await fixture.signedIn('#/apps');
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  const file = page.locator('input[type="file"]');
  await file.setInputFiles(csv('Contact;First name\nimported@example.com;Ada\nnobody;Bob\n'));
  await page.getByText('Ignored columns: Contact').waitFor();
  assert.equal(await page.getByLabel('firstName').inputValue(), 'First name');
  await page.getByText('Other fields', { exact: true }).first().click();
  await page.getByLabel('email').selectOption('Contact');
  await page.getByText('Every column is used.').waitFor();
  await page.getByLabel('userId').selectOption('Contact');
  await page.getByLabel('Namespace of ids').fill('6ba7b810-9dad-11d1-80b4-00c04fd430c8');
  const tryIt = page.getByRole('button', { name: 'Try without importing' });
  const importIt = page.getByRole('button', { name: 'Import', exact: true });
  assert.ok(await importIt.isDisabled(), 'only what was tried is imported');
  await tryIt.click();
  await page.getByText('Errors in one record').waitFor();
  await page.getByRole('row', { name: '3 Contact' }).waitFor();
  assert.ok(await importIt.isDisabled());
  await assertAccessible(page);

  await file.setInputFiles(csv('email;userId\nimported@example.com;Contact 1\n'));
  await page.getByLabel('Namespace of ids').fill('6ba7b810-9dad-11d1-80b4-00c04fd430c8');
  await tryIt.click();
  await page.getByText('The file has no errors.').waitFor();
  assert.ok(!(await emails()).includes('imported@example.com'));
  await importIt.click();
  await page.getByText('The file was imported.').waitFor();
  assert.ok((await emails()).includes('imported@example.com'));
  await page.getByRole('row', { name: 'Developers 1 0 0' }).waitFor();
});

test('JSON Lines are imported without a mapping', async () => {
  const developer = developerOf();
  const lines = [developer, appOf(developer.userId, 'From a file')].map((record) => `${JSON.stringify(record)}\n`);
  const page = await fixture.signedIn('#/import');
  const buffer = Buffer.from(lines.join(''));
  await page.locator('input[type="file"]').setInputFiles({ name: 'all.jsonl', mimeType: 'text/plain', buffer });
  await page.getByRole('button', { name: 'Try without importing' }).click();
  await page.getByText('The file has no errors.').waitFor();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('row', { name: 'Apps 1 0 0' }).waitFor();
});

test('a file that is too large is refused with the command that imports it, and a token without the scope sees no form', async () => {
  const page = await fixture.signedIn('#/import');
  const buffer = Buffer.alloc(4 * 1_048_576 + 1, ' ');
  await page.locator('input[type="file"]').setInputFiles({ name: 'large.jsonl', mimeType: 'text/plain', buffer });
  await page.getByRole('alert').getByText('app-registry import').waitFor();
  const reader = await fixture.signedIn('#/import', { scopes: ['read'] });
  await reader.getByText('requires a token with the scope “admin”').waitFor();
  assert.equal(await reader.locator('input[type="file"]').count(), 0);
});
