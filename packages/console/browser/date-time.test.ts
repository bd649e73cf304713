import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { ConsoleFixture } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

test('a time is relative and follows the clock; exact with its zone as tooltip and for screen readers', async () => {
  const { updatedAt } = await fixture.data.newApp({ name: 'Timed' });
  const page = await fixture.signedIn('#/apps', { timezoneId: 'Asia/Kolkata', locale: 'en-GB' });
  await page.clock.install({ time: Date.parse(updatedAt) });
  await page.reload();
  const time = page.getByRole('row', { name: 'Timed' }).getByRole('time');
  await time.getByText('just now').waitFor();
  await page.clock.runFor(181_000);
  await time.getByText('3 minutes ago').waitFor();
  const exactly = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'long',
    timeZone: 'Asia/Kolkata',
  }).format(new Date(updatedAt));
  assert.match(exactly, /GMT\+5:30$/);
  assert.equal(await time.getAttribute('title'), exactly);
  assert.equal(await time.getAttribute('datetime'), updatedAt);
  assert.equal(await time.textContent(), `3 minutes ago (${exactly})`);
});
