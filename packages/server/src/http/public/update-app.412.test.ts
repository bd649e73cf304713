import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { findApp, replaceApp } from '../../features/apps/app-queries.ts';

onSqlite((engine) => {
  let http: HttpFixture;
  before(async () => {
    http = await HttpFixture.open(engine);
  });
  after(() => http.close());

  describe('an If-Match that matches', () => {
    const matching: Record<string, (etag: string) => string> = {
      'is the ETag of the last response': (etag) => etag,
      'is *': () => '*',
      'is a list with that ETag': (etag) => `"other", ${etag}`,
      'is a list with that ETag and a weak tag': (etag) => `W/"weak",${etag},"last"`,
    };
    for (const [what, ifMatch] of Object.entries(matching)) {
      test(what, async () => {
        const app = await http.data.newApp();
        const { etag } = await http.updateApp(app.id, {});
        const headers = { 'if-match': ifMatch(etag) };
        assert.equal((await http.updateApp(app.id, { name: `${app.name} ${what}` }, headers)).status, 200);
      });
    }
  });

  test('an ETag matches no other content that reaches the same revision after changes were lost', async () => {
    const { storage } = http.data.registry;
    const app = await http.data.newApp();
    const row = await findApp(storage.reader, { id: app.id });
    assert.ok(row);
    const lost = await http.updateApp(app.id, { name: `${app.name} lost` });
    await storage.write((transaction) => replaceApp(transaction, row));
    const stored = await http.updateApp(app.id, { name: `${app.name} stored` });
    const [lostNumber, storedNumber] = [lost, stored].map(({ etag }) => Number.parseInt(etag.slice(1), 10));
    assert.equal(lostNumber, storedNumber);
    const refused = await http.updateApp(app.id, { name: 'Never' }, { 'if-match': lost.etag });
    assert.deepEqual([refused.refusal, refused.etag], ['412 precondition_failed', stored.etag]);
    const changed = await http.updateApp(app.id, { name: `${app.name} now` }, { 'if-none-match': lost.etag });
    assert.equal(changed.status, 200);
  });

  describe('an If-Match that never matches', () => {
    const failing: Record<string, (etag: string) => string> = {
      'is a weak tag': (etag) => `W/${etag}`,
      'is another tag': () => '"other"',
      'is empty': () => '',
      'is an empty tag': () => '""',
      'is a revision without the id of its database': (etag) => etag.replace(/\..*/, '"'),
      'is the tag with a leading zero': (etag) => etag.replace('"', '"0'),
      'has * in quotes': () => '"*"',
    };
    for (const [what, ifMatch] of Object.entries(failing)) {
      test(what, async () => {
        const app = await http.data.newApp();
        const { etag } = await http.updateApp(app.id, {});
        const before = await http.stateOf(app.id);
        const headers = { 'if-match': ifMatch(etag) };
        for (const update of [{ name: 'Never' }, {}, { name: app.name }]) {
          const response = await http.updateApp(app.id, update, headers);
          assert.deepEqual([response.refusal, response.etag], ['412 precondition_failed', etag]);
        }
        assert.deepEqual(await http.stateOf(app.id), before);
      });
    }

    test('is the ETag of another app at another revision', async () => {
      const other = await http.data.newApp();
      const { etag } = await http.updateApp(other.id, { listingInfo: { backgroundColor: '#000' } });
      const app = await http.data.newApp();
      assert.equal((await http.updateApp(app.id, {}, { 'if-match': etag })).status, 412);
    });
  });

  describe('an If-None-Match', () => {
    const excluding: Record<string, (etag: string) => string> = {
      'with the ETag of the app': (etag) => etag,
      'with that ETag as a weak tag': (etag) => `W/${etag}`,
      'with a list that contains it': (etag) => `"other", ${etag}`,
      'with *': () => '*',
    };
    for (const [what, ifNoneMatch] of Object.entries(excluding)) {
      test(`${what} refuses the update, and names the current ETag`, async () => {
        const app = await http.data.newApp();
        const { etag } = await http.updateApp(app.id, {});
        const before = await http.stateOf(app.id);
        for (const update of [{ name: 'Never' }, {}, { name: app.name }]) {
          const response = await http.updateApp(app.id, update, { 'if-none-match': ifNoneMatch(etag) });
          assert.deepEqual([response.refusal, response.etag], ['412 precondition_failed', etag]);
        }
        assert.deepEqual(await http.stateOf(app.id), before);
      });
    }

    test('with other tags, or none, lets the update through', async () => {
      for (const other of ['"other"', 'W/"other"', '', '"*"']) {
        const { id } = await http.data.newApp();
        assert.equal((await http.updateApp(id, { logoId: null }, { 'if-none-match': other })).status, 200, other);
      }
    });

    test('holds together with an If-Match', async () => {
      const app = await http.data.newApp();
      const { etag } = await http.updateApp(app.id, {});
      const both = (ifMatch: string, ifNoneMatch: string) =>
        http.updateApp(app.id, {}, { 'if-match': ifMatch, 'if-none-match': ifNoneMatch });
      assert.equal((await both(etag, '"other"')).status, 200);
      assert.equal((await both(etag, etag)).status, 412);
      assert.equal((await both('"other"', '"other"')).status, 412);
    });

    test('is a part of the request that an Idempotency-Key names', async () => {
      const { id } = await http.data.newApp();
      const headers = { 'idempotency-key': id, 'if-none-match': '"one"' };
      const update = { listingInfo: { backgroundColor: '#123' } };
      assert.equal((await http.updateApp(id, update, headers)).status, 200);
      assert.equal((await http.updateApp(id, update, headers)).headers['idempotency-replayed'], 'true');
      for (const other of [{ 'idempotency-key': id }, { ...headers, 'if-none-match': '"other"' }]) {
        assert.equal((await http.updateApp(id, update, other)).refusal, '422 idempotency_key_reused');
      }
    });
  });

  test('an ETag matches until the content changes, and not again once it changes back', async () => {
    const app = await http.data.newApp();
    const first = await http.updateApp(app.id, {});
    await http.updateApp(app.id, { listingInfo: { backgroundColor: '#000' } });
    await http.updateApp(app.id, { listingInfo: app.listingInfo });
    const again = await http.updateApp(app.id, {}, { 'if-match': first.etag });
    assert.equal(again.refusal, '412 precondition_failed');
  });

  test('an ETag covers what the developer edits: installations and reviews do not change it', async () => {
    const app = await http.data.newApp();
    const { etag } = await http.updateApp(app.id, {});
    await http.data.install(app);
    await http.data.review(app.id, 'submit');
    await http.data.review(app.id, 'approve');
    assert.equal((await http.updateApp(app.id, { name: 'Reviewed since' }, { 'if-match': etag })).status, 200);
  });

  test('50 concurrent updates of different fields of one app all take effect', async () => {
    const app = await http.data.newApp();
    const fields = [
      { name: (n: number) => ({ name: `At once ${n}` }) },
      { shortDescription: (n: number) => ({ listingInfo: { shortDescription: `Short ${n}` } }) },
      { longDescription: (n: number) => ({ listingInfo: { longDescription: `Long ${n}` } }) },
      { loginUrl: (n: number) => ({ oauthInfo: { loginUrl: `https://example.com/${n}` } }) },
      { callbackUrl: (n: number) => ({ oauthInfo: { callbackUrl: `https://example.com/${n}` } }) },
    ].flatMap(Object.values);
    const updates = Array.from({ length: 50 }, (_, n) => fields[n % fields.length]?.(n) ?? {});
    const responses = await Promise.all(updates.map((update) => http.updateApp(app.id, update)));

    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(responses.map(({ etag }) => etag)).size, 50);
    const events = await http.data.eventsOf(app.id);
    assert.equal(events.filter(({ type }) => type === 'app.updated').length, 50);
    const { view } = await http.updateApp(app.id, {});
    assert.match(view.name, /^At once \d+$/);
    assert.match(view.listingInfo.shortDescription ?? '', /^Short \d+$/);
    assert.match(view.listingInfo.longDescription ?? '', /^Long \d+$/);
    assert.match(view.oauthInfo.loginUrl ?? '', /^https:\/\/example.com\/\d+$/);
    assert.match(view.oauthInfo.callbackUrl ?? '', /^https:\/\/example.com\/\d+$/);
  });

  test('exactly one of 50 concurrent updates with the same If-Match succeeds', async () => {
    const app = await http.data.newApp();
    const { etag } = await http.updateApp(app.id, {});
    const names = Array.from({ length: 50 }, (_, n) => `Only one ${n}`);
    const responses = await Promise.all(names.map((name) => http.updateApp(app.id, { name }, { 'if-match': etag })));

    const succeeded = responses.filter(({ status }) => status === 200);
    const refused = responses.filter(({ status }) => status === 412);
    assert.deepEqual([succeeded.length, refused.length], [1, 49]);
    assert.equal((await http.updateApp(app.id, {})).view.name, succeeded[0]?.view.name);
  });
});
