import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getAppAsOperator, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { Page } from 'playwright-core';
import { createReasonTemplate } from '../../server/src/features/reason-templates/reason-templates.ts';
import { runOperation } from '../../server/src/kernel/operation.ts';
import { commandLine } from '../../server/src/kernel/registry.ts';
import {
  assertAccessible,
  ConsoleFixture,
  sendDecisions,
  signOut,
  untilLoaded,
  withoutEndOfUndo,
} from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

const message = (page: Page) => page.getByLabel('Message to the developer');
const status = async (id: string) => (await getAppAsOperator(fixture.data.registry, id)).reviewStatus;
const stored = (page: Page) =>
  page.evaluate(() => Object.entries(localStorage).filter(([name]) => name.startsWith('unsent-decision')));
const waiting = (name: string) => fixture.data.newApp({ name, status: 'AWAITING_REVIEW' });

async function opened(id: string): Promise<Page> {
  const page = await fixture.signedIn(`#/review/${id}`);
  await withoutEndOfUndo(page);
  await untilLoaded(page);
  return page;
}

async function shown(page: Page, name: string): Promise<void> {
  await page.locator('h1:focus', { hasText: new RegExp(`^${name}$`) }).waitFor();
  await page.locator('.decision-steps button:enabled', { hasText: 'Approve' }).waitFor();
}

/** Until a request has arrived that nothing here waits for. */
async function untilApproved(id: string): Promise<void> {
  while ((await status(id)) !== 'APPROVED') await new Promise((resolve) => setImmediate(resolve));
}

test('Z takes the latest decision back, with what was written, and leaves no event', async () => {
  const { id } = await waiting('Undone');
  await waiting('After it');
  const events = (await fixture.data.eventsOf(id)).length;
  const page = await opened(id);
  await shown(page, 'Undone');
  await page.keyboard.press('m');
  await page.keyboard.type('Whose name is this?');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('r');
  await message(page).fill('Please explain.');
  await page.keyboard.press('Control+Enter');
  await shown(page, 'After it');
  await page.getByRole('status').getByText('Sent back Undone').waitFor();
  await page.getByText('1 not sent yet').waitFor();
  await assertAccessible(page);
  await page.keyboard.press('z');
  await shown(page, 'Undone');
  await page.getByRole('textbox', { name: 'Comment on Name' }).waitFor();
  await page.keyboard.press('r');
  assert.equal(await message(page).inputValue(), 'Please explain.');
  await sendDecisions(page);
  assert.deepEqual([await status(id), (await fixture.data.eventsOf(id)).length], ['AWAITING_REVIEW', events]);
  assert.deepEqual(await stored(page), []);
});

test('a decision is sent with the next one, on leaving the review, and with the page', async () => {
  const [one, two, three] = [await waiting('One'), await waiting('Two'), await waiting('Three')];
  const page = await opened(one.id);
  await shown(page, 'One');
  await page.keyboard.press('a');
  await shown(page, 'Two');
  assert.equal(await status(one.id), 'AWAITING_REVIEW');
  await page.keyboard.press('a');
  await untilApproved(one.id);
  assert.equal(await status(two.id), 'AWAITING_REVIEW');
  await sendDecisions(page);
  await untilApproved(two.id);
  await page.goto(`${fixture.address}#/review/${three.id}`);
  await shown(page, 'Three');
  await page.keyboard.press('a');
  await page.getByText('1 not sent yet').waitFor();
  await page.goto('about:blank');
  await untilApproved(three.id);
});

test('signing out sends a decision before the session ends', async () => {
  const { id } = await waiting('Last one');
  const page = await opened(id);
  await shown(page, 'Last one');
  await page.keyboard.press('a');
  await page.getByText('1 not sent yet').waitFor();
  await signOut(page);
  await page.getByLabel('Operator token').waitFor();
  assert.deepEqual([await status(id), await stored(page)], ['APPROVED', []]);
});

test('what a crash has left is listed after the next sign-in, and can be sent or discarded', async () => {
  const [sent, discarded] = [await waiting('Crashed'), await waiting('Given up')];
  const page = await opened(sent.id);
  const left: [string, string][] = [];
  for (const name of ['Crashed', 'Given up']) {
    if (name === 'Given up') await page.getByRole('link', { name }).click();
    await shown(page, name);
    await page.keyboard.press('a');
    await page.getByRole('status').getByText(`Approved ${name}`).waitFor();
    left.push(...(await stored(page)));
    await page.keyboard.press('z');
    await shown(page, name);
  }
  await page.evaluate((entries) => {
    for (const [name, text] of entries) {
      const decision = JSON.parse(text);
      localStorage.setItem(name, JSON.stringify({ ...decision, madeAt: decision.madeAt - 60_000 }));
    }
  }, left);
  await page.reload();
  const list = page.getByRole('list', { name: 'Not sent' });
  await list.getByRole('listitem').filter({ hasText: 'approve Crashed' }).getByRole('button', { name: 'Send' }).click();
  await list.getByRole('button', { name: 'Discard' }).click();
  await list.waitFor({ state: 'detached' });
  await untilLoaded(page);
  assert.deepEqual([await status(sent.id), await status(discarded.id)], ['APPROVED', 'AWAITING_REVIEW']);
  assert.deepEqual(await stored(page), []);

  // It has arrived, although the page did not see that, and the same person signs in with a new token.
  const [name = '', text = ''] = left[0] ?? [];
  await page.evaluate(
    (entry) =>
      localStorage.setItem(entry.name, JSON.stringify({ ...JSON.parse(entry.text), madeAt: Date.now() - 60_000 })),
    { name, text },
  );
  const { token } = await fixture.data.newToken('operator', { scopes: ['admin'], name: 'Grace, reviewer' });
  await page.context().request.post(`${fixture.address}session`, { data: { token } });
  await page.reload();
  await page.waitForFunction((entry) => localStorage.getItem(entry) === null, name);
  assert.equal(await list.count(), 0);
});

test('a decision that does not arrive stays listed, and can be sent again', async () => {
  const { id } = await waiting('Unreachable');
  const page = await opened(id);
  await shown(page, 'Unreachable');
  await page.route('**/reject', (route) => route.abort(), { times: 1 });
  await page.keyboard.press('r');
  await message(page).fill('Kept.');
  await page.keyboard.press('Control+Enter');
  await sendDecisions(page);
  await page.goBack();
  const failed = page.getByRole('list', { name: 'Not sent' }).getByText('send back Unreachable');
  await failed.filter({ hasText: 'cannot be reached' }).waitFor();
  assert.equal(await status(id), 'AWAITING_REVIEW');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await failed.waitFor({ state: 'detached' });
  await untilLoaded(page);
  const { reviewStatus, rejectionReason } = await getAppAsOperator(fixture.data.registry, id);
  assert.deepEqual([reviewStatus, rejectionReason], ['REJECTED', 'Kept.']);
  fixture.takeErrors();
});

test('several changes are approved together and undone together, and a change of a URL is not among them', async () => {
  const { registry } = fixture.data;
  const change = async (name: string, update: object) => {
    const { id } = await fixture.data.newApp({ name, status: 'APPROVED' });
    await updateAppAsOperator(registry, commandLine, { appId: id, update, ifRevision: undefined });
    return id;
  };
  const text = { listingInfo: { shortDescription: 'Changed.' } };
  const ids = [await change('First text', text), await change('Second text', text)];
  const url = await change('New callback', { oauthInfo: { callbackUrl: 'https://new.example/' } });
  const page = await opened(ids[0] ?? '');
  await shown(page, 'First text');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await shown(page, 'Second text');
  await page.keyboard.press('j');
  await page.locator('h1:focus', { hasText: 'New callback' }).waitFor();
  await page.keyboard.press('Shift+X');
  await page.getByText('3 selected').waitFor();
  await page.getByText(/New callback needs a decision of its own/).waitFor();
  await assertAccessible(page);
  const isUndecided = async (id: string) => (await getAppAsOperator(registry, id)).changedSinceApproval;
  await page.keyboard.press('a');
  await page.getByText('Approved 2 apps').waitFor();
  await page.keyboard.press('z');
  await page.getByRole('link', { name: 'Second text' }).waitFor();
  await page.getByRole('checkbox', { name: 'Select Second text' }).check();
  await page.getByRole('checkbox', { name: 'Select First text' }).check();
  await page.getByRole('button', { name: 'Approve 2 together' }).click();
  await page.getByText('Approved 2 apps').waitFor();
  await sendDecisions(page);
  assert.deepEqual(await Promise.all([...ids, url].map(isUndecided)), [false, false, true]);
});

test('ten reviews take 22 keys and 69 characters: six approved, three sent back with a reason and a comment', async () => {
  const { registry } = fixture.data;
  const template = { title: 'Callback host', message: 'The callback URL points to a host that we do not know.' };
  await runOperation(createReasonTemplate, registry, { caller: commandLine, body: template });
  const apps = [];
  for (let at = 0; at < 10; at += 1) apps.push(await waiting(`App ${at}`));
  const page = await opened(apps[0]?.id ?? '');
  await untilLoaded(page);
  let keys = 0;
  let characters = 0;
  const press = async (key: string) => {
    keys += 1;
    await page.keyboard.press(key);
  };
  const comment = 'Who runs this host now?';
  for (let at = 0; at < 10; at += 1) {
    await shown(page, `App ${at}`);
    if (at < 6) await press('a');
    else if (at < 9) {
      await press('m');
      await page.keyboard.type(comment);
      characters += comment.length;
      await press('Control+Enter');
      await press('r');
      await page.getByRole('button', { name: 'Callback host' }).waitFor();
      await press('1');
      await press('Control+Enter');
    } else await press('j');
  }
  await sendDecisions(page);
  assert.deepEqual([keys, characters], [22, 69]);
  const states = await Promise.all(apps.map(({ id }) => getAppAsOperator(registry, id)));
  assert.deepEqual(
    states.map(({ reviewStatus }) => reviewStatus),
    [...Array(6).fill('APPROVED'), ...Array(3).fill('REJECTED'), 'AWAITING_REVIEW'],
  );
  assert.equal(states[6]?.rejectionReason, template.message);
});
