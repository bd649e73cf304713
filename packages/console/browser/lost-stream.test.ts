import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { ConsoleFixture, untilLoaded } from './console-fixture.ts';
import { Network } from './network.ts';

let network: Network;
let fixture: ConsoleFixture;
before(async () => {
  network = await Network.start();
  fixture = await ConsoleFixture.open(sqlite, {
    OPERATOR_ADDRESS: `127.0.0.1:${network.serverPort}`,
    OPERATOR_BASE_URL: `http://127.0.0.1:${network.port}`,
  });
});
after(async () => {
  await fixture.close();
  await network.stop();
});

test('a lost stream resumes where it stopped, and the page shows what happened in between', async () => {
  const page = await fixture.signedIn('#/review');
  const streams: URL[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/events/stream')) streams.push(new URL(request.url()));
  });
  await fixture.data.newApp({ name: 'Before', status: 'AWAITING_REVIEW' });
  await page.getByText('1 open').waitFor();
  await untilLoaded(page);
  network.cut();
  const { id } = await fixture.data.newApp({ name: 'Meanwhile', status: 'AWAITING_REVIEW' });
  await page.waitForRequest((request) => request.url().includes('/events/stream'));
  network.restore();
  await page.getByText('2 open').waitFor();
  const cursor = streams.at(-1)?.searchParams.get('cursor') ?? '';
  assert.match(
    Buffer.from(cursor, 'base64url').toString(),
    /^\[.*"event_\w+"\]$/,
    'after the last event, not from a time',
  );

  await fixture.data.review(id, 'approve');
  await page.getByText('1 open').waitFor();
  fixture.takeErrors();
});
