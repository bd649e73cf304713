import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getAppAsOperator, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { updateSettings } from '@appregistrar/testkit/calls/settings';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { Page } from 'playwright-core';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { ConsoleFixture, untilLoaded } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
  await updateSettings(fixture.data.registry, commandLine, {
    update: { changesToApproved: 'hold' },
    existing: 'hold',
  });
});
after(() => fixture.close());

const translated = '⟦';

/** In the browser: replaces every text node by elements with another text, now and later, as browsers translate a page. */
function translate(mark: string): void {
  const translateIn = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Node[] = root.nodeType === Node.TEXT_NODE ? [root] : [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      if (!text.textContent?.trim() || text.textContent.startsWith(mark)) continue;
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      inner.textContent = mark + text.textContent;
      outer.append(inner);
      text.parentNode?.replaceChild(outer, text);
    }
  };
  translateIn(document.body);
  new MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) translateIn(node);
  }).observe(document.body, { childList: true, subtree: true });
}

async function opened(fragment: string): Promise<Page> {
  const page = await fixture.signedIn(fragment, { isNew: true });
  await untilLoaded(page);
  await page.evaluate(translate, translated);
  await page.locator('h1', { hasText: translated }).waitFor();
  return page;
}

/** What the page says that the app is. */
const shown = async (page: Page) =>
  (await page.locator('h1, .evidence').allTextContents()).join(' ').replaceAll(translated, '');

/** An approved app with a change that awaits a decision. The function makes another one. */
async function changedApp(name: string) {
  const { id } = await fixture.data.newApp({ name, status: 'APPROVED' });
  const change = (text: string) =>
    updateAppAsOperator(fixture.data.registry, commandLine, {
      appId: id,
      update: { name: `${name} ${text}`, listingInfo: { shortDescription: `Description ${text}.` } },
      ifRevision: undefined,
    });
  await change('Seen');
  return { id, change };
}

/** The number of the revision that is approved, which may be the current one. */
async function approvedRevision(id: string): Promise<number> {
  const { approved, revision } = await getAppAsOperator(fixture.data.registry, id);
  return approved?.revision ?? revision;
}

for (const [where, path] of [
  ['the review', 'review'],
  ['the app', 'apps'],
] as const) {
  test(`a translated page of ${where} shows the content that it decides on`, async () => {
    const { id, change } = await changedApp(`Of ${where}:`);
    const page = await opened(`#/${path}/${id}`);
    await change('Unread');
    const show = page.getByRole('button', { name: 'Show the current version' });
    await show.waitFor();
    const earlier = await shown(page);
    assert.match(earlier, /Seen.*Description Seen\./s);
    assert.doesNotMatch(earlier, /Unread/);
    await show.click();
    await page.locator('h1', { hasText: 'Unread' }).waitFor();
    const text = await shown(page);
    assert.match(text, /Unread.*Description Unread\./s);
    assert.doesNotMatch(text, /Seen/);
    const { revision } = await getAppAsOperator(fixture.data.registry, id);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('status').getByText('pproved').first().waitFor();
    await page.goto(fixture.address);
    await untilLoaded(page);
    assert.equal(await approvedRevision(id), revision);
  });
}

test('a translated page decides on the version that it shows, although there is a newer one', async () => {
  const { id, change } = await changedApp('Decided');
  const page = await opened(`#/review/${id}`);
  const { revision } = await getAppAsOperator(fixture.data.registry, id);
  await change('Unread');
  await page.getByRole('button', { name: 'Show the current version' }).waitFor();
  await page.keyboard.press('a');
  await page.getByRole('status').getByText('Decided Seen').waitFor();
  await page.goto(fixture.address);
  await untilLoaded(page);
  assert.equal(await approvedRevision(id), revision);
});

test('a translated page shows the next app, and says which one was decided on', async () => {
  for (const name of ['First in line', 'Second in line'])
    await fixture.data.newApp({ name, status: 'AWAITING_REVIEW' });
  const page = await opened('#/review');
  await page.keyboard.press('j');
  const heading = page.locator('.review-app h1');
  for (const _ of [1, 2]) {
    const name = (await heading.textContent())?.replaceAll(translated, '') ?? '';
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('status').getByText(name).waitFor();
    await heading.filter({ hasNotText: name }).waitFor();
  }
});
