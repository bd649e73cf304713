import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { createApp } from '../../server/src/registry/apps/create-app.ts';
import { commandLine } from '../../server/src/registry/registry.ts';
import { ConsoleFixture, untilLoaded } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
  // The page reads the list again after an event, also after one of the second in which its stream begins.
  const longAgo = { ...fixture.data.registry, now: () => Date.now() - 60_000 };
  for (let at = 0; at < 30; at += 1) {
    await createApp(longAgo, commandLine, { developerId: fixture.data.developer.userId, name: `App ${at}` });
  }
  await createApp(longAgo, commandLine, { developerId: fixture.data.otherDeveloper.userId, name: 'Another' });
});
after(() => fixture.close());

test('the list of apps needs few requests: the page, its script and style, the session, the apps, each developer once, and the stream of events', async () => {
  const page = await fixture.signedIn('#/apps');
  await untilLoaded(page);
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url().slice(fixture.address.length - 1)));
  await page.reload();
  await page.getByText('Ada Lovelace').first().waitFor();
  await page.getByRole('link', { name: 'Next' }).click();
  await page.getByText('grace@example.com').waitFor();
  await untilLoaded(page);
  // The browser requests the icon once or twice on its own.
  const counted = requested.filter((path) => !path.startsWith('/assets/icon'));
  assert.deepEqual(counted.map((path) => path.replace(/-[\w-]{8}\.|user_\w+|(cursor|after)=.*/, '*')).toSorted(), [
    '/',
    '/assets/index*css',
    '/assets/index*js',
    '/operator/v1/apps?*',
    '/operator/v1/apps?withTotal=true',
    '/operator/v1/developers/*',
    '/operator/v1/developers/*',
    '/operator/v1/events/stream?*',
    '/session',
  ]);
});
