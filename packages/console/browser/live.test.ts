import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { createAppNote } from '@appregistrar/testkit/calls/review';
import { updateSettings } from '@appregistrar/testkit/calls/settings';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import type { Page, Request } from 'playwright-core';
import { OperatorClient } from '../../client/src/operator/index.ts';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { assertAccessible, ConsoleFixture, reloadWithoutPast, untilLoaded, withoutEvents } from './console-fixture.ts';

const reason = (page: Page) => page.getByLabel(/^(Reason \(shared with the|Message to the) developer/);
/** How often the page reads what has no events. */
const rereadMs = 5_000;
const ruiApproved = /^Rui approved this (just now|\d+ s ago)\./;

onSqlite((engine) => {
  let fixture: ConsoleFixture;
  let rui: OperatorClient;
  before(async () => {
    fixture = await ConsoleFixture.open(engine);
    const { token } = await fixture.data.newToken('operator', { scopes: ['admin'], name: 'Rui' });
    rui = new OperatorClient({ baseUrl: fixture.address, token });
  });
  after(() => fixture.close());

  /** The page is marked: a reload would lose the mark. */
  async function opened(fragment: string): Promise<Page> {
    const page = await fixture.signedIn(fragment);
    await untilLoaded(page);
    await page.evaluate(() => Object.assign(window, { isMarked: true }));
    return page;
  }
  const isMarked = (page: Page) => page.evaluate(() => 'isMarked' in window);
  const approve = async (id: string) => rui.apps.approve(id, { revision: (await rui.apps.get(id)).etag });

  describe('the review mode', () => {
    test('shows who has just decided on the open app, and keeps the text, the focus and the place', async () => {
      const longDescription = 'Long. '.repeat(300);
      const listingInfo = { longDescription };
      const { id } = await fixture.data.newApp({ name: 'Contested', status: 'AWAITING_REVIEW', listingInfo });
      await fixture.data.newApp({ name: 'Another', status: 'AWAITING_REVIEW' });
      const page = await opened(`#/review/${id}`);
      await page.getByText('2 open').waitFor();
      // Less than the evidence is high.
      await page.setViewportSize({ width: 1_200, height: 420 });
      await page.keyboard.press('r');
      await reason(page).fill('I would reject it.');
      await page.keyboard.press('ArrowLeft');
      await page.locator('.review-evidence').evaluate((evidence) => evidence.scrollTo(0, 150));
      await approve(id);

      const news = page.getByRole('region', { name: 'Decision' }).getByRole('status');
      await news.getByText(ruiApproved).filter({ hasText: 'Your text is kept.' }).waitFor();
      await page.getByText('1 open').waitFor();
      await page.keyboard.type('!');
      assert.equal(await reason(page).inputValue(), 'I would reject it!.');
      assert.equal(await page.locator('.review-evidence').evaluate(({ scrollTop }) => scrollTop), 150);
      assert.equal(await page.getByText(/Conflict|412|409/).count(), 0, 'never a problem title');
      await assertAccessible(page);

      // The form closes with it. A page on which no one writes shows the current version by itself.
      await page.getByRole('button', { name: 'Show the current version' }).click();
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('button', { name: 'Revoke' }).click();
      assert.equal(await reason(page).inputValue(), 'I would reject it!.');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Go to the next app' }).click();
      await page.locator('h1:focus', { hasText: 'Another' }).waitFor();
      assert.ok(await isMarked(page));
      await approve((await rui.apps.list({ name: 'Another' }).page()).items[0]?.id ?? '');
    });

    test('does not replace the content on screen, and says that it has changed', async () => {
      await updateSettings(fixture.data.registry, commandLine, {
        update: { changesToApproved: 'hold' },
        existing: 'hold',
      });
      const { id } = await fixture.data.newApp({ name: 'Before', status: 'APPROVED' });
      const change = (name: string) =>
        updateAppAsOperator(fixture.data.registry, commandLine, { appId: id, update: { name }, ifRevision: undefined });
      await change('Seen');
      const page = await opened(`#/review/${id}`);
      await change('Unseen');
      await page.getByText(/^The developer changed this app/).waitFor();
      await page.getByRole('link', { name: 'Unseen' }).waitFor();
      await page.locator('h1', { hasText: 'Seen' }).waitFor();
      await page.getByRole('button', { name: 'Show the current version' }).click();
      await page.locator('h1', { hasText: 'Unseen' }).waitFor();
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('status').getByText('Approved Unseen').waitFor();
    });

    test('updates the queue and its count, with one request for many changes', async () => {
      const page = await opened('#/review');
      await page.getByText('0 open').waitFor();
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      const ids: string[] = [];
      for (const name of ['One', 'Two', 'Three', 'Four']) {
        ids.push((await fixture.data.newApp({ name, status: 'AWAITING_REVIEW' })).id);
      }
      await page.getByText('4 open').waitFor();
      await page.getByRole('link', { name: 'Four' }).waitFor();
      for (const id of ids) await approve(id);
      await page.getByText('0 open').waitFor();
      // Each app was submitted and approved.
      assert.ok(requests.length <= 2 * ids.length, requests.join('\n'));
      assert.ok(await isMarked(page));
    });

    test('shows the claims and notes of another reviewer, and keeps the text and the focus', async () => {
      const { id } = await fixture.data.newApp({ name: 'Shared', status: 'AWAITING_REVIEW' });
      const { id: otherId } = await fixture.data.newApp({ name: 'Next', status: 'AWAITING_REVIEW' });
      const page = await opened(`#/review/${id}`);
      const ofRui = await fixture.signedIn(`#/review/${id}`, { name: 'Rui' });
      await untilLoaded(ofRui);
      await rui.apps.claim(otherId);
      await page.keyboard.press('r');
      await reason(page).fill('I would reject it.');
      await page.keyboard.press('ArrowLeft');

      await ofRui.keyboard.press('c');
      const claimed = page.getByRole('article').getByText('Assigned to Rui');
      await claimed.waitFor();
      await page.getByRole('button', { name: 'Send back anyway' }).waitFor();
      await page.keyboard.type('!');
      assert.equal(await reason(page).inputValue(), 'I would reject it!.');
      await assertAccessible(page);

      const notes = page.getByRole('region', { name: 'Notes' });
      const draft = notes.getByLabel('New note');
      await draft.fill('I saw this befor.');
      await page.keyboard.press('ArrowLeft');
      const scrolled = await page.locator('.review-context').evaluate(({ scrollTop }) => scrollTop);
      await ofRui.getByLabel('New note').fill('The same sender as last week.');
      await ofRui.getByRole('button', { name: 'Add note' }).click();
      await notes.getByText('The same sender as last week.').waitFor();
      await page.keyboard.type('e');
      assert.equal(await draft.inputValue(), 'I saw this before.');
      assert.equal(await page.locator('.review-context').evaluate(({ scrollTop }) => scrollTop), scrolled);

      await ofRui.keyboard.press('c');
      await claimed.waitFor({ state: 'detached' });
      // Not through the server of the page, as of another process.
      await createAppNote(fixture.data.registry, commandLine, { appId: id, note: { text: 'From another process.' } });
      await notes.getByText('From another process.').waitFor();
      await page.getByRole('link', { name: 'Next' }).getByText('Assigned to Rui').waitFor();
      assert.equal(await reason(page).inputValue(), 'I would reject it!.');
      assert.ok(await isMarked(page));
      for (const one of [id, otherId]) await approve(one);
    });

    test('reads claims and notes again only while the window is in view', async () => {
      const { id } = await fixture.data.newApp({ name: 'Unwatched', status: 'AWAITING_REVIEW' });
      const page = await fixture.signedIn(`#/review/${id}`, { isNew: true });
      await page.clock.install();
      await page.reload();
      await untilLoaded(page);
      const isRead = (end: string) => page.waitForRequest((request) => request.url().endsWith(end));
      await Promise.all([isRead(`/apps/${id}`), isRead(`/apps/${id}/notes?limit=100`), page.clock.runFor(rereadMs)]);
      await setHidden(page, true);
      await untilLoaded(page);
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.clock.runFor(2 * rereadMs);
      await untilLoaded(page);
      assert.deepEqual(requests, []);
      await approve(id);
    });
  });

  test('the page of an app shows who has just decided, and the list of apps its new status', async () => {
    const { id } = await fixture.data.newApp({ name: 'Watched', status: 'AWAITING_REVIEW' });
    const page = await opened(`#/apps/${id}`);
    const list = await opened('#/apps?name=Watched');
    await approve(id);
    await page.getByRole('status').getByText(ruiApproved).waitFor();
    await page.getByRole('button', { name: 'Revoke' }).waitFor();
    await page.getByRole('region', { name: 'Decisions' }).getByText('Approved').waitFor();
    await assertAccessible(page);
    await list.getByRole('row', { name: 'Watched' }).getByText('Approved').waitFor();
  });

  test('the page of an app shows what has just happened to it, but no old decisions', async () => {
    const { id } = await fixture.data.newApp({ name: 'Followed', status: 'APPROVED' });
    const page = await opened(`#/apps/${id}`);
    const news = page.getByRole('status');
    const update = { listingInfo: { shortDescription: 'Changed by its developer.' } };
    await updateAppAsOperator(fixture.data.registry, commandLine, { appId: id, update, ifRevision: undefined });
    await news.getByText(/^The developer changed this app/).waitFor();
    assert.equal(await page.getByText('Changed by its developer.').count(), 0);
    await page.getByRole('button', { name: 'Show the current version' }).click();
    await page.getByText('Changed by its developer.').first().waitFor();

    await approve(id);
    const draft = await fixture.data.newApp({ name: 'Submitted' });
    await page.goto(`${fixture.address}#/apps/${draft.id}`);
    await page.getByRole('heading', { name: 'Submitted', level: 1 }).waitFor();
    await rui.apps.submit(draft.id);
    await news.getByText('This app has been submitted for review.').waitFor();
    // The page reads the app again with its news. A withdrawal before that would be no news to it.
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await rui.apps.withdraw(draft.id);
    await news.getByText(/^The submission has been withdrawn/).waitFor();
    await rui.apps.delete(draft.id);
    await news.getByText('This app has been deleted.').waitFor();
    // It would read the notes once more, and log a 404 in the next test.
    await page.close();
    fixture.takeErrors();
  });

  test('a submission that is withdrawn before the page shows it is no news', async () => {
    const { id } = await fixture.data.newApp({ name: 'Undecided' });
    const page = await opened(`#/apps/${id}`);
    const isWithdrawn = Promise.withResolvers<void>();
    let reads = 0;
    await page.route(`**/operator/v1/apps/${id}`, async (route) => {
      reads += 1;
      // The first is for the news.
      if (reads > 1) await isWithdrawn.promise;
      await route.continue();
    });
    await rui.apps.submit(id);
    const news = page.getByRole('status').getByText('This app has been submitted for review.');
    await news.waitFor();
    await rui.apps.withdraw(id);
    isWithdrawn.resolve();
    await news.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Submit for review' }).waitFor();
  });

  test('a decision that another reviewer made first is explained on the page of an app', async () => {
    const { id } = await fixture.data.newApp({ name: 'Lost race', status: 'AWAITING_REVIEW' });
    const page = await fixture.signedIn(`#/apps/${id}`);
    await withoutEvents(page);
    await page.getByRole('button', { name: 'Reject' }).click();
    await reason(page).fill('I would reject it.');
    await approve(id);
    await page.getByRole('button', { name: 'Reject the app' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText(ruiApproved).filter({ hasText: 'Your text is kept.' }).waitFor();
    await alert.getByRole('link', { name: 'Continue with the review queue' }).waitFor();
    await page.getByRole('button', { name: 'Revoke' }).click();
    assert.equal(await reason(page).inputValue(), 'I would reject it.');
    await fixture.takeLogged(1, 'the browser logs the 409');
  });

  test('a window shows no notices of its own changes', async () => {
    const { id } = await fixture.data.newApp({ name: 'Own', status: 'AWAITING_REVIEW' });
    const page = await opened(`#/apps/${id}`);
    // An earlier event of the app would make the page read it once more, maybe after the revocation.
    await reloadWithoutPast(page);
    await untilLoaded(page);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('App approved.').waitFor();
    // The page reads the app again after its own approval. A revocation before that would be no news to it.
    await page.getByRole('button', { name: 'Revoke' }).waitFor();
    // Its event comes after the own ones.
    await rui.apps.revoke(id, { message: 'No.' });
    await page
      .getByRole('status')
      .getByText(/^Rui revoked the approval of this/)
      .waitFor();
    assert.equal(await page.getByText('You, in another window').count(), 0);
  });

  test('the log of events shows the newest one at once, and keeps what is opened', async () => {
    const { id } = await fixture.data.newApp({ name: 'Logged', status: 'AWAITING_REVIEW' });
    const page = await opened(`#/events?appId=${id}`);
    const entry = page.getByRole('listitem').filter({ hasText: 'App created' });
    await entry.locator('summary').first().click();
    await approve(id);
    await page.getByRole('listitem').filter({ hasText: 'App approved' }).waitFor();
    assert.equal(await entry.locator('details[open]').count(), 1);
    assert.ok(await isMarked(page));
  });

  test('a filter that is refused says so, although its list was read again meanwhile', async () => {
    const page = await opened('#/installations');
    const isRequested = Promise.withResolvers<void>();
    let requests = 0;
    await page.route('**/operator/v1/installations?userId=nothing*', async (route) => {
      requests += 1;
      // The second one aborts the first.
      if (requests > 1) await route.continue();
      else isRequested.resolve();
    });
    await page.getByLabel('Installed by (user id)').fill('nothing');
    await page.keyboard.press('Enter');
    await isRequested.promise;
    await fixture.data.install(await fixture.data.newApp({ status: 'APPROVED' }));
    await page.locator('[aria-invalid="true"]').waitFor();
    assert.equal(requests, 2);
    await fixture.takeLogged(1, 'the browser logs the 422');
  });

  test('a hidden window closes its stream, and catches up when it is visible', async () => {
    const page = await opened('#/review');
    const { id } = await fixture.data.newApp({ name: 'Meanwhile', status: 'AWAITING_REVIEW' });
    await page.getByText('1 open').waitFor();
    const isStream = (request: Request) => request.url().includes('/events/stream');
    await Promise.all([page.waitForEvent('requestfailed', isStream), setHidden(page, true)]);
    await approve(id);
    await page.getByText('1 open').waitFor();
    await setHidden(page, false);
    await page.getByText('0 open').waitFor();
  });

  test('a revoked token shows the sign-in page at once', async () => {
    const page = await opened('#/review');
    const { items } = await rui.tokens.list({ kind: 'operator' }).page();
    const newest = items.findLast(({ name }) => name === 'Grace, reviewer');
    await rui.tokens.revoke(newest?.id ?? '');
    await page.getByLabel('Operator token').waitFor();
    fixture.takeErrors();
  });
});

async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}
