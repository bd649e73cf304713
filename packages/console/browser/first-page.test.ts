import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { ConsoleFixture, reloadWithoutPast, untilLoaded } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
  for (let at = 0; at < 50; at += 1) await fixture.data.newApp();
  await fixture.data.newApp({ developerId: fixture.data.otherDeveloper.id, name: 'Another' });
});
after(() => fixture.close());

test('the list of apps needs few requests: the page, its script, style and font, the session, the number to review, the apps, the developers of a page together and each of them once, and the stream of events', async () => {
  const page = await fixture.signedIn('#/apps');
  await untilLoaded(page);
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url().slice(fixture.address.length - 1)));
  await reloadWithoutPast(page);
  await page.getByText('Ada Lovelace').first().waitFor();
  await page.getByRole('link', { name: 'Next' }).click();
  await page.getByText('grace@example.com').waitFor();
  await untilLoaded(page);
  // The browser requests the icon once or twice on its own.
  const counted = requested.filter((path) => !path.startsWith('/assets/icon'));
  assert.deepEqual(counted.map((path) => path.replace(/-[\w-]{8}\.|user_\w+|(cursor|since)=.*/, '*')).toSorted(), [
    '/',
    '/assets/index*css',
    '/assets/index*js',
    '/assets/inter-latin-wght-normal*woff2',
    '/operator/v1/apps?*',
    '/operator/v1/apps?limit=50&withTotal=true',
    '/operator/v1/developers?ids=*&limit=1',
    '/operator/v1/developers?ids=*&limit=1',
    '/operator/v1/events/stream?*',
    '/operator/v1/review-queue?limit=1&withTotal=true',
    '/session',
  ]);
});
