import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createInstallation, getInstallation, setInstallationEnabled } from '@appregistrar/testkit/calls/installations';
import { reviewApp } from '@appregistrar/testkit/calls/review';
import { suspendDeveloper, unsuspendDeveloper } from '@appregistrar/testkit/calls/suspension';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import fc from 'fast-check';
import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import type { OperatorApp } from '../apps/app-schemas.ts';
import { getApp } from '../apps/get-app.ts';

const reason = 'It sends spam.';
const actions = [
  'enable own',
  'disable own',
  'enable',
  'disable',
  'revoke',
  'approve',
  'suspend',
  'unsuspend',
] as const;
type Action = (typeof actions)[number];

/** What the rules say of two installations of one app: one by its own developer, one by another user. */
class Model {
  isApproved = true;
  isSuspended = false;
  readonly causes = { own: new Set<string>(), other: new Set<string>() };

  /** Whether the action succeeds. */
  apply(action: Action): boolean {
    const { own, other } = this.causes;
    const both = [own, other];
    switch (action) {
      case 'disable own':
        own.add('workspace');
        return true;
      case 'disable':
        other.add('workspace');
        return true;
      case 'enable own':
        return this.#enable(own, true);
      case 'enable':
        return this.#enable(other, this.isApproved);
      case 'revoke':
        if (!this.isApproved) return false;
        this.isApproved = false;
        for (const causes of both) causes.add('revocation');
        return true;
      case 'approve':
        if (this.isApproved || this.isSuspended) return false;
        this.isApproved = true;
        for (const causes of both) causes.delete('revocation');
        return true;
      case 'suspend':
        this.isSuspended = true;
        for (const causes of both) causes.add('suspension');
        return true;
      case 'unsuspend':
        this.isSuspended = false;
        for (const causes of both) causes.delete('suspension');
        return true;
    }
  }

  #enable(causes: Set<string>, isInstallable: boolean): boolean {
    if (causes.size === 0) return true;
    if (this.isSuspended || !isInstallable) return false;
    return causes.delete('workspace');
  }
}

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  const perform = async (app: OperatorApp, ids: { own: string; other: string }, action: Action) => {
    const { registry } = fixture;
    const { id: appId, developerId: userId } = app;
    const set = (id: string, enabled: boolean) => setInstallationEnabled(registry, commandLine, { id, enabled });
    const details = { message: reason, disableInstallations: true };
    switch (action) {
      case 'enable own':
      case 'disable own':
        return set(ids.own, action === 'enable own');
      case 'enable':
      case 'disable':
        return set(ids.other, action === 'enable');
      case 'revoke':
        return reviewApp(registry, commandLine, { appId, step: 'revoke', details });
      case 'approve':
        await fixture.review(appId, 'submit');
        return fixture.review(appId, 'approve');
      case 'suspend':
        return suspendDeveloper(registry, commandLine, { userId, suspension: { reason } });
      case 'unsuspend':
        return unsuspendDeveloper(registry, commandLine, userId);
    }
  };

  test('an installation is enabled exactly when no cause is left, in any order of causes', async () => {
    const { registry } = fixture;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...actions), { minLength: 4, maxLength: 12 }), async (list) => {
        const app = await fixture.newApp({ status: 'APPROVED' });
        const input = { appId: app.id, workspaceId: newId('workspace'), userId: newId('user') };
        const other = await createInstallation(registry, commandLine, input);
        const ids = { own: (await fixture.install(app)).id, other: other.id };
        const model = new Model();
        for (const action of list) {
          const succeeded = await perform(app, ids, action).then(
            () => true,
            (error) => assert.ok(error instanceof Failure, error),
          );
          assert.equal(succeeded ?? false, model.apply(action), `${list.join(', ')}: ${action}`);
          const { installations } = (await getApp(registry, app.id)).app;
          for (const name of ['own', 'other'] as const) {
            const { disabledBy = [], enabled } = await getInstallation(registry, ids[name]);
            const expected = ['workspace', 'revocation', 'suspension'].filter((cause) => model.causes[name].has(cause));
            assert.deepEqual(disabledBy, expected, `${list.join(', ')}: ${action}`);
            assert.equal(enabled, expected.length === 0);
            assert.equal(installations.find(({ id }) => id === ids[name])?.enabled, enabled);
          }
        }
        // The next app has the same developer.
        await perform(app, ids, 'unsuspend');
      }),
      { numRuns: engine.name === 'postgres' ? 10 : 40 },
    );
  });
});
