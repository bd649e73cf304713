import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApp } from '@appregistrar/testkit/calls/apps';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { commandLine } from '../../kernel/registry.ts';

forEachEngine((engine) => {
  let http: HttpFixture;
  before(async () => {
    http = await HttpFixture.open(engine);
  });
  after(() => http.close());

  test('a name that is taken, in any spelling that looks alike, refuses the complete update', async () => {
    await http.data.newApp({ name: 'Straße', developerId: http.data.otherDeveloper.id });
    const app = await http.data.newApp({ name: 'My own' });
    const before = await http.stateOf(app.id);
    const response = await http.updateApp(app.id, { name: 'STRASSE', listingInfo: { backgroundColor: '#000' } });
    assert.deepEqual([response.refusal, response.problem.title], ['409 name_taken', 'Conflict Error']);
    assert.deepEqual(await http.stateOf(app.id), before);
    assert.equal((await http.updateApp(app.id, { name: 'MY OWN' })).view.name, 'MY OWN');
  });

  test('a name is free as soon as its app has another one', async () => {
    const [one, other] = [await http.data.newApp({ name: 'Given up' }), await http.data.newApp()];
    await http.updateApp(one.id, { name: 'Something else' });
    assert.equal((await http.updateApp(other.id, { name: 'given up' })).status, 200);
    assert.equal((await http.updateApp(one.id, { name: 'Given up' })).refusal, '409 name_taken');
  });

  test('one of ten apps that request a name concurrently gets it', async () => {
    const apps = await Promise.all(Array.from({ length: 10 }, () => http.data.newApp()));
    const responses = await Promise.all(apps.map((app) => http.updateApp(app.id, { name: 'Wanted by all' })));
    const statuses = responses.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [200, ...Array(9).fill(409)]);
  });

  test('either an update or a concurrent creation gets a name, and not both', async () => {
    const app = await http.data.newApp();
    const input = { developerId: http.data.developer.id, name: 'Contended' };
    const outcomes = await Promise.all([
      http.updateApp(app.id, { name: 'CONTENDED' }).then(({ status }) => status === 200),
      createApp(http.data.registry, commandLine, input).then(
        () => true,
        () => false,
      ),
    ]);
    assert.deepEqual(outcomes.toSorted(), [false, true]);
  });

  test('50 concurrent updates of different fields of one app all take effect', async () => {
    const app = await http.data.newApp();
    const fields: ((n: number) => object)[] = [
      (n) => ({ name: `At once ${n}` }),
      (n) => ({ listingInfo: { shortDescription: `At once ${n}` } }),
      (n) => ({ listingInfo: { longDescription: `At once ${n}` } }),
      (n) => ({ oauthInfo: { loginUrl: `https://example.com/${n}` } }),
      (n) => ({ oauthInfo: { callbackUrl: `https://example.com/${n}` } }),
    ];
    const updates = Array.from({ length: 50 }, (_, n) => fields[n % fields.length]?.(n) ?? {});
    const responses = await Promise.all(updates.map((update) => http.updateApp(app.id, update)));
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(responses.map(({ etag }) => etag)).size, 50);
    const events = await http.data.eventsOf(app.id);
    assert.equal(events.filter(({ type }) => type === 'app.updated').length, 50);
    const { name, listingInfo, oauthInfo } = (await http.updateApp(app.id, {})).view;
    for (const text of [name, listingInfo.shortDescription, listingInfo.longDescription]) {
      assert.match(text ?? '', /^At once \d+$/);
    }
    for (const url of [oauthInfo.loginUrl, oauthInfo.callbackUrl]) assert.match(url ?? '', /^https:.*\/\d+$/);
  });

  test('exactly one of 50 concurrent updates with the same If-Match succeeds', async () => {
    const app = await http.data.newApp();
    const { etag } = await http.updateApp(app.id, {});
    const names = Array.from({ length: 50 }, (_, n) => `Only one ${n}`);
    const responses = await Promise.all(names.map((name) => http.updateApp(app.id, { name }, { 'if-match': etag })));
    const [succeeded, ...more] = responses.filter(({ status }) => status === 200);
    assert.deepEqual([more.length, responses.filter(({ status }) => status === 412).length], [0, 49]);
    assert.equal((await http.updateApp(app.id, {})).view.name, succeeded?.view.name);
  });
});
