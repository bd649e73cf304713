import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { updateDeveloper } from '@appregistrar/testkit/calls/developers';
import { deleteInstallation, setInstallationEnabled } from '@appregistrar/testkit/calls/installations';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import type { OperatorApp } from '../../features/apps/app-schemas.ts';
import type { Installation } from '../../features/installations/installation.ts';
import { commandLine } from '../../kernel/registry.ts';

onSqlite((engine) => {
  let http: HttpFixture;
  let app: OperatorApp;
  let installation: Installation;
  before(async () => {
    http = await HttpFixture.open(engine);
    app = await http.data.newApp({ status: 'APPROVED' });
    installation = await http.data.install(app);
  });
  after(() => http.close());

  describe('If-None-Match', () => {
    const matching: Record<string, (etag: string) => string> = {
      'with the ETag': (etag) => etag,
      'with the ETag as a weak tag': (etag) => `W/${etag}`,
      'with a list that contains the ETag': (etag) => `"one", W/"two",${etag} , "three"`,
      'with *': () => '*',
    };
    for (const [what, ifNoneMatch] of Object.entries(matching)) {
      test(`${what} returns 304, without a body and with the ETag`, async () => {
        const { etag, headers } = await http.getApp(app.id);
        const response = await http.getApp(app.id, { 'if-none-match': ifNoneMatch(etag) });
        assert.deepEqual([response.status, response.text, response.etag], [304, '', etag]);
        assert.equal(response.headers['cache-control'], 'private, no-cache');
        assert.equal(response.headers.vary, headers.vary);
        assert.equal('content-type' in response.headers, false);
      });
    }

    for (const other of ['"other"', '', '"*"']) {
      test(`${JSON.stringify(other)} returns 200`, async () => {
        assert.equal((await http.getApp(app.id, { 'if-none-match': other })).status, 200);
      });
    }

    test('with the ETag of another app returns 200', async () => {
      const { etag } = await http.getApp((await http.data.newApp()).id);
      assert.equal((await http.getApp(app.id, { 'if-none-match': etag })).status, 200);
    });
  });

  describe('the ETag stays the same when', () => {
    const others: Record<string, () => Promise<unknown>> = {
      'nothing happens': async () => {},
      'the app is updated to its current values': () => http.updateApp(app.id, { name: app.name }),
      'an update is refused': () => http.updateApp(app.id, { name: null }),
      'another app changes': async () => http.data.install(await http.data.newApp()),
      'an installation that is already enabled is enabled': () => setEnabled(true),
      'a review step is refused': () => http.data.review(app.id, 'approve').catch(() => {}),
    };
    for (const [what, happen] of Object.entries(others)) {
      test(what, async () => {
        const { etag } = await http.getApp(app.id);
        await happen();
        assert.equal((await http.getApp(app.id)).etag, etag);
      });
    }
  });

  describe('the ETag changes when', () => {
    const changes: Record<string, () => Promise<unknown>> = {
      'the developer updates the app': () => http.updateApp(app.id, { listingInfo: { backgroundColor: '#000' } }),
      'the app is installed': () => http.data.install(app),
      'an installation is disabled': () => setEnabled(false),
      'an installation is enabled': () => setEnabled(true),
      'an installation is deleted': () => deleteInstallation(http.data.registry, commandLine, installation.id),
      'the developer changes': () =>
        updateDeveloper(http.data.registry, commandLine, { userId: app.developerId, update: { lastName: 'King' } }),
      'the app is revoked': () => http.data.review(app.id, 'revoke'),
      'the app is submitted': () => http.data.review(app.id, 'submit'),
      'the app is withdrawn': () => http.data.review(app.id, 'withdraw'),
    };
    for (const [what, change] of Object.entries(changes)) {
      test(what, async () => {
        const { etag } = await http.getApp(app.id);
        await change();
        const response = await http.getApp(app.id, { 'if-none-match': etag });
        assert.equal(response.status, 200);
        assert.notEqual(response.etag, etag);
      });
    }
  });

  function setEnabled(enabled: boolean): Promise<Installation> {
    return setInstallationEnabled(http.data.registry, commandLine, { id: installation.id, enabled });
  }
});
