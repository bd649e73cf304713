import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp } from '@appregistrar/testkit/calls/apps';
import { blockLogo } from '@appregistrar/testkit/calls/logos';
import { createProtectedName } from '@appregistrar/testkit/calls/protected-names';
import { suspendDeveloper } from '@appregistrar/testkit/calls/suspension';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { createReasonTemplate } from '../../server/src/features/reason-templates/reason-templates.ts';
import { runOperation } from '../../server/src/kernel/operation.ts';
import { commandLine, type TokenScope } from '../../server/src/kernel/registry.ts';
import { assertAccessible, ConsoleFixture, hideRepeated, untilLoaded } from './console-fixture.ts';
import { assertReachable } from './keyboard.ts';
import { assertFitsPhone } from './phone.ts';

/** The width at which WCAG 1.4.10 demands that nothing scrolls in two directions. */
const narrow = { viewport: { width: 320, height: 640 } };

let fixture: ConsoleFixture;
const ids = { developer: '', suspended: '', workspace: '', token: '' };
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
  const { data } = fixture;
  const { registry, developer, otherDeveloper } = data;
  const app = await data.newApp({ name: 'Installed', status: 'APPROVED' });
  const { workspaceId } = await data.install(app);
  await deleteApp(registry, commandLine, { appId: (await data.newApp({ name: 'W'.repeat(100) })).id });
  await data.newLogo();
  const { id: blocked } = await data.newLogo();
  await blockLogo(registry, commandLine, { id: blocked, block: { reason: 'Copied from another app.' } });
  await createProtectedName(registry, commandLine, {
    name: 'Acme',
    developerIds: [developer.id],
    note: 'Ask first.',
  });
  await runOperation(createReasonTemplate, registry, {
    caller: commandLine,
    body: {
      title: 'Silent',
      message: 'The callback URL does not respond.',
      code: 'broken_address',
    },
  });
  const suspension = { reason: 'Spam' };
  await suspendDeveloper(registry, commandLine, { userId: otherDeveloper.id, suspension });
  const { id: token } = await data.newToken('developer', { name: 'Nightly job' });
  Object.assign(ids, { developer: developer.id, suspended: otherDeveloper.id, workspace: workspaceId, token });
});
after(() => fixture.close());

interface Screen {
  fragment: () => string;
  /** A text that is shown once the page has loaded. */
  shows: string;
  /** Opens a form or a dialog of the page. */
  open?: (page: Page) => Promise<void>;
}

const open = (name: string) => (page: Page) => page.getByText(name, { exact: true }).click();
const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
/** Presses a button, and waits for the preview in its dialog. */
const preview = (name: string) => async (page: Page) => {
  await press(name)(page);
  await page.getByRole('dialog').getByText('This affects').waitFor();
};

const developer = { fragment: () => `#/developers/${ids.developer}`, shows: 'Installed' };
const workspace = { fragment: () => `#/workspaces/${ids.workspace}`, shows: 'Installed' };
const screens: Record<string, Screen> = {
  developers: { fragment: () => '#/developers', shows: 'Ada Lovelace', open: open('Add a developer') },
  'a developer': { ...developer, open: open('Edit the developer') },
  'a developer to suspend': { ...developer, open: preview('Suspend the developer') },
  'a developer to erase': { ...developer, open: preview('Erase the developer') },
  'a suspended developer': {
    fragment: () => `#/developers/${ids.suspended}`,
    shows: 'This developer has no apps',
    open: preview('End the suspension'),
  },
  'deleted apps': { fragment: () => '#/deleted-apps', shows: 'WWW' },
  workspaces: { fragment: () => '#/workspaces', shows: 'Workspace id' },
  'a workspace': workspace,
  'a workspace that leaves': { ...workspace, open: preview('Remove every app') },
  installations: { fragment: () => '#/installations', shows: 'Installed' },
  logos: { fragment: () => '#/logos', shows: 'Copied from another app.' },
  'a logo to block': { fragment: () => '#/logos', shows: 'Copied from another app.', open: press(/^Block/) },
  settings: {
    fragment: () => '#/settings',
    shows: 'Changes to approved apps',
    open: (page) => page.getByLabel('Customers see the approved version').check(),
  },
  'settings to confirm': {
    fragment: () => '#/settings',
    shows: 'Changes to approved apps',
    async open(page) {
      await page.getByLabel('Several apps may').check();
      await press('Save')(page);
      await page.getByRole('dialog').waitFor();
    },
  },
  'protected names': { fragment: () => '#/protected-names', shows: 'Acme', open: open('Protect a name or a host') },
  'a protected name to remove': { fragment: () => '#/protected-names', shows: 'Acme', open: press('Remove Acme') },
  templates: { fragment: () => '#/templates', shows: 'Silent', open: open('Add a template') },
  'a template to edit': { fragment: () => '#/templates', shows: 'Silent', open: press('Edit Silent') },
  'a token': { fragment: () => `#/tokens/${ids.token}`, shows: 'Nightly job' },
};

async function shown(
  { fragment, shows, open: openAll }: Screen,
  options: BrowserContextOptions & { scopes?: TokenScope[] } = {},
): Promise<Page> {
  const page = await fixture.signedIn(fragment(), options);
  await page.getByRole('main').getByText(shows).first().waitFor();
  await untilLoaded(page);
  await openAll?.(page);
  await hideRepeated(page);
  return page;
}

for (const [name, screen] of Object.entries(screens)) {
  test(`${name}: fits 320 pixels, has large enough touch targets, is accessible in light, dark and forced colours, and the keyboard reaches everything in order`, async () => {
    const page = await shown(screen, narrow);
    await assertFitsPhone(page);
    await assertAccessible(page);
    await page.setViewportSize({ width: 1_200, height: 900 });
    await assertReachable(page);
  });
}

test('a token with the scope read finds nothing on these pages that changes anything', async () => {
  const page = await shown({ fragment: () => '#/developers', shows: 'Ada Lovelace' }, { scopes: ['read'] });
  // Copying, and opening what an id finds.
  const harmless = ['Copy', 'Open'];
  for (const { fragment, shows } of Object.values(screens).filter((screen) => screen !== screens['a token'])) {
    await page.goto(fixture.address + fragment());
    await page.getByRole('main').getByText(shows).first().waitFor();
    const buttons = await page.getByRole('main').getByRole('button').allTextContents();
    assert.deepEqual(
      buttons.filter((name) => !harmless.includes(name)),
      [],
      fragment(),
    );
    assert.equal(await page.locator('main details form').count(), 0, fragment());
  }
});
