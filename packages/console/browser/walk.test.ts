import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { ConsoleFixture, signOut } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

test('a walk through the console', async () => {
  const app = await fixture.data.newApp({ name: 'Walked to', status: 'APPROVED' });
  const { workspaceId } = await fixture.data.install(app);
  const page = await fixture.signedIn('#/apps');
  const open = async (section: string) => {
    const navigation = page.getByRole('navigation', { name: 'Sections' });
    await navigation.getByRole('link', { name: section, exact: true }).click();
    await page.getByRole('heading', { name: section, level: 1 }).waitFor();
  };
  await page.getByLabel('Name starts with').fill('walked');
  await page.getByLabel('Status').selectOption('Approved');
  await page.getByRole('link', { name: 'Walked to' }).click();
  await page.getByRole('link', { name: 'Installations 1' }).click();
  await page.getByRole('button', { name: `Disable ${workspaceId}` }).click();
  await page.getByRole('button', { name: `Enable ${workspaceId}` }).waitFor();
  await page.getByRole('navigation', { name: 'Parts of the app' }).getByRole('link', { name: 'Activity' }).click();
  await page.getByRole('link', { name: 'Everything' }).click();
  await page.getByText('Installation disabled', { exact: true }).waitFor();
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Activity' }).click();
  await page.getByText('Installation disabled', { exact: true }).waitFor();
  const sections = page.getByRole('navigation', { name: 'Sections' }).getByRole('link').locator('.section-name');
  for (const section of await sections.allTextContents()) await open(section);
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('installations counted').waitFor();
  await open('Tokens');
  await page.getByRole('row', { name: 'Grace, reviewer' }).waitFor();
  await open('Webhooks');
  await page.getByText('Add a webhook', { exact: true }).click();
  await page.getByLabel('URL').fill('https://hooks.example.com/walk');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('link', { name: 'https://hooks.example.com/walk' }).click();
  await page.getByRole('row', { name: 'webhook.created' }).waitFor();
  await page.getByRole('link', { name: 'Review', exact: true }).click();
  await page.getByText('No app awaits review.').waitFor();
  await page.getByRole('link', { name: 'Apps', exact: true }).click();
  await page.getByRole('row', { name: 'Walked to' }).waitFor();
  await signOut(page);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
});
