import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createApp } from '@appregistrar/testkit/calls/apps';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { commandLine } from '../../kernel/registry.ts';

forEachEngine((engine) => {
  let http: HttpFixture;
  before(async () => {
    http = await HttpFixture.open(engine);
  });
  after(() => http.close());

  describe('name_taken', () => {
    const looksLike: [taken: string, wanted: string][] = [
      ['Invoice Sync', 'Invoice Sync'],
      ['Ledger', 'lEDGER'],
      ['Straße', 'STRASSE'],
      ['Ｆｕｌｌ', 'full'],
      ['ﬁne', 'Fine'],
      ['é composed', 'e\u0301 composed'],
      ['Zero width', 'Zero\u200b width'],
    ];
    for (const [taken, wanted] of looksLike) {
      test(`refuses "${wanted}" while another app is named "${taken}"`, async () => {
        await http.data.newApp({ name: taken });
        const app = await http.data.newApp();
        const before = await http.stateOf(app.id);
        const response = await http.updateApp(app.id, { name: wanted, listingInfo: { backgroundColor: '#000' } });
        assert.equal(response.refusal, '409 name_taken');
        assert.equal(response.problem.title, 'Conflict Error');
        assert.deepEqual(await http.stateOf(app.id), before);
      });
    }

    test('refuses a name of another developer’s app', async () => {
      await http.data.newApp({ name: 'Theirs', developerId: http.data.otherDeveloper.userId });
      const app = await http.data.newApp();
      assert.equal((await http.updateApp(app.id, { name: 'theirs' })).refusal, '409 name_taken');
    });

    test('allows an app to repeat its own name, or to change its case', async () => {
      const app = await http.data.newApp({ name: 'My own' });
      assert.equal((await http.updateApp(app.id, { name: 'My own' })).view.name, 'My own');
      assert.equal((await http.updateApp(app.id, { name: 'MY OWN' })).view.name, 'MY OWN');
    });

    test('frees a name as soon as its app has another one', async () => {
      const one = await http.data.newApp({ name: 'Given up' });
      const other = await http.data.newApp();
      await http.updateApp(one.id, { name: 'Something else' });
      assert.equal((await http.updateApp(other.id, { name: 'given up' })).status, 200);
      assert.equal((await http.updateApp(one.id, { name: 'Given up' })).refusal, '409 name_taken');
    });

    test('refuses a name to all but one of ten apps that request it concurrently', async () => {
      const apps = await Promise.all(Array.from({ length: 10 }, () => http.data.newApp()));
      const responses = await Promise.all(apps.map((app) => http.updateApp(app.id, { name: 'Wanted by all' })));
      assert.deepEqual(
        responses.map(({ status }) => status).toSorted(),
        [200, 409, 409, 409, 409, 409, 409, 409, 409, 409],
      );
    });

    test('refuses a name to either an update or a concurrent creation, and not to both', async () => {
      const app = await http.data.newApp();
      const input = { developerId: http.data.developer.userId, name: 'Contended' };
      const outcomes = await Promise.all([
        http.updateApp(app.id, { name: 'CONTENDED' }).then(({ status }) => status === 200),
        createApp(http.data.registry, commandLine, input).then(
          () => true,
          () => false,
        ),
      ]);
      assert.deepEqual(outcomes.toSorted(), [false, true]);
    });
  });

  describe('app_under_review', () => {
    test('refuses every change while an app awaits review', async () => {
      const app = await http.data.newApp({ status: 'AWAITING_REVIEW', oauthInfo: { loginUrl: 'https://a.example/' } });
      const before = await http.stateOf(app.id);
      for (const update of [
        { name: 'Renamed in review' },
        { listingInfo: { backgroundColor: '#000' } },
        { listingInfo: { shortDescription: 'New.' } },
        { oauthInfo: { loginUrl: null } },
      ]) {
        const response = await http.updateApp(app.id, update);
        assert.equal(response.refusal, '409 app_under_review');
        assert.equal(response.problem.title, 'Conflict Error');
      }
      assert.deepEqual(await http.stateOf(app.id), before);
    });

    test('allows an update that changes nothing', async () => {
      const app = await http.data.newApp({ status: 'AWAITING_REVIEW' });
      const same = { name: app.name, logoId: null, listingInfo: app.listingInfo, oauthInfo: { loginUrl: null } };
      for (const update of [{}, { listingInfo: {} }, same]) {
        assert.equal((await http.updateApp(app.id, update)).view.reviewStatus, 'AWAITING_REVIEW');
      }
    });

    test('no longer applies after approval, rejection or withdrawal', async () => {
      for (const step of ['approve', 'reject', 'withdraw'] as const) {
        const app = await http.data.newApp({ status: 'AWAITING_REVIEW' });
        await http.data.review(app.id, step);
        assert.equal((await http.updateApp(app.id, { name: `After ${step}` })).status, 200);
      }
    });
  });

  test('two apps can share a name if names need not be unique', async () => {
    const shared = await HttpFixture.open(engine, { initialSettings: { uniqueNames: false } });
    const one = await shared.data.newApp({ name: 'Shared' });
    const other = await shared.data.newApp({ name: 'Another', developerId: shared.data.otherDeveloper.userId });
    const { view } = await shared.updateApp(other.id, { name: 'Shared' }, bearer(shared.tokens.otherDeveloper));
    assert.equal(view.name, one.name);
    await shared.close();
  });
});
