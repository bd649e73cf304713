import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { ConsoleFixture, untilLoaded } from './console-fixture.ts';

/** Of the window in height, as browsers measure it. What is below 0.1 counts as good. */
const shiftMax = 0.05;

let fixture: ConsoleFixture;
let appId: string;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
  const { data } = fixture;
  const app = await data.newApp({ name: 'Installed in several workspaces', status: 'APPROVED' });
  for (let at = 0; at < 25; at += 1) await data.install(app);
  for (let at = 0; at < 10; at += 1) await data.newApp({ status: 'AWAITING_REVIEW' });
  appId = app.id;
});
after(() => fixture.close());

test('the frame shows before the script of the console is loaded', async () => {
  const page = await fixture.newWindow();
  let load = () => {};
  const held = new Promise<void>((resolve) => {
    load = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(fixture.address, { waitUntil: 'commit' });
  await page.locator('.shell > .bar').waitFor();
  load();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.locator('.shell').waitFor({ state: 'hidden' });
});

test('what is loaded over a slow network does not move what shows already', async () => {
  const page = await fixture.signedIn('#/settings', { isNew: true });
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries() as (PerformanceEntry & { value: number })[]) shifts.push(value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const session = await page.context().newCDPSession(page);
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 100,
    downloadThroughput: 200_000,
    uploadThroughput: 200_000,
  });
  for (const fragment of ['review', 'events', 'overview', 'workspaces', `apps/${appId}/activity`]) {
    await page.goto('about:blank');
    await page.goto(`${fixture.address}#/${fragment}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await untilLoaded(page);
    const shifts = (await page.evaluate('shifts')) as number[];
    const sum = shifts.reduce((total, value) => total + value, 0);
    assert.ok(sum <= shiftMax, `${fragment}: ${sum}`);
  }
});
