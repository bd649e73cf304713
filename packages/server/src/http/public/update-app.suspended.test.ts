import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { suspendDeveloper, unsuspendDeveloper } from '@appregistrar/testkit/calls/suspension';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { openRegistry } from '../../features/settings/settings.ts';
import { commandLine, type Registry } from '../../kernel/registry.ts';
import { openStorage } from '../../storage/open-storage.ts';

const reason = 'The apps send customer data elsewhere.';

onSqlite((engine) => {
  let http: HttpFixture;
  let appId: string;
  /** Another process. */
  let elsewhere: Registry;
  before(async () => {
    http = await HttpFixture.open(engine, { updatesPerMinute: 100 });
    appId = (await http.data.newApp({ status: 'APPROVED' })).id;
    const storage = await openStorage(http.data.databaseUrl, { create: false });
    const { now, machine, storage: _, epoch: __, secrets: ___, ...settings } = http.data.registry;
    elsewhere = await openRegistry(storage, settings, { now, machine });
  });
  after(async () => {
    await elsewhere.storage.close();
    await http.close();
  });

  const userId = () => http.data.developer.userId;
  const suspend = () => suspendDeveloper(elsewhere, commandLine, { userId: userId(), suspension: { reason } });
  const unsuspend = () => unsuspendDeveloper(elsewhere, commandLine, userId());

  test('the next request of a suspended developer gets 403, whichever process suspended them, until it ends', async () => {
    for (let round = 1; round <= 3; round += 1) {
      assert.equal((await http.updateApp(appId, { name: `Round ${round}` })).status, 200);
      await suspend();
      const before = await http.data.eventsOf(appId);
      for (const update of [{ name: 'Hostile' }, {}, '{"not": JSON']) {
        const response = await http.updateApp(appId, update);
        assert.equal(response.refusal, '403 developer_suspended');
        assert.equal(response.headers['www-authenticate'], 'Bearer realm="app-registry", error="insufficient_scope"');
        const { title, detail } = response.problem;
        assert.equal(title, 'Forbidden');
        assert.equal(
          detail,
          'The developer of this token is suspended, so the registry refuses the request. Contact the operator of the registry; the token works again once the suspension ends.',
        );
      }
      assert.deepEqual(await http.data.eventsOf(appId), before);
      assert.equal((await http.getApp(appId)).view.reviewStatus, 'REJECTED');
      await unsuspend();
      assert.equal((await http.getApp(appId)).view.reviewStatus, 'APPROVED');
    }
  });

  test('a suspended developer does not learn whether an app exists, and others are served', async () => {
    await suspend();
    assert.equal((await http.updateApp('app_unknown', {})).refusal, '403 developer_suspended');
    const others = await http.updateApp(appId, {}, bearer(http.tokens.otherDeveloper));
    assert.equal(others.refusal, '404 app_not_found');
    assert.equal((await http.getApp(appId, bearer(http.tokens.developer))).refusal, '403 insufficient_scope');
    await unsuspend();
  });

  test('a suspended developer who is over the limit gets 429 first', async () => {
    const { token } = await http.data.newToken('developer', { updatesPerMinute: 1 });
    await suspend();
    const update = () => http.updateApp(appId, { name: 'Hostile' }, bearer(token));
    assert.equal((await update()).refusal, '403 developer_suspended');
    assert.equal((await update()).refusal, '429 too_many_requests');
    await unsuspend();
  });
});
