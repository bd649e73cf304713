import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import { RegistryFixture } from 'app-registry-testkit/registry/registry-fixture';
import { findApp } from '../../storage/queries/apps.ts';
import type { AppRow } from '../../storage/tables.ts';
import { transferApp } from '../apps/transfer-app.ts';
import { updateAppAsOperator } from '../apps/update-app-as-operator.ts';
import { commandLine } from '../registry.ts';
import { type RevisionName, revisionETag } from '../revision.ts';
import { findRevision, findRevisionAt } from './find-revision.ts';

describe('findRevision', () => {
  forEachEngine((engine) => {
    let fixture: RegistryFixture | undefined;
    let now = Date.parse('2026-03-01T09:30:00.000Z');

    before(async () => {
      fixture = await RegistryFixture.open(engine, { now: () => now });
    });
    after(() => fixture?.close());

    const opened = () => fixture ?? assert.fail('there is no registry');
    const rowOf = async (id: string): Promise<AppRow> =>
      (await findApp(opened().registry.storage.reader, { id })) ?? assert.fail('there is no such app');
    const update = (appId: string, update: object) => {
      now += 60_000;
      return updateAppAsOperator(opened().registry, commandLine, { appId, update });
    };
    const find = async (id: string, name: RevisionName) =>
      findRevision(opened().registry, opened().registry.storage.reader, { app: await rowOf(id), name });
    const findAt = async (id: string, time: number) =>
      findRevisionAt(opened().registry.storage.reader, { app: await rowOf(id), time });

    test('every revision is found by its number, its tag and its time', async () => {
      const { id } = await opened().newApp({ logoId: (await opened().newLogo()).id });
      const rows = [await rowOf(id)];
      const times = [now];
      const changes = [
        { name: 'One', listingInfo: { longDescription: 'Long.' } },
        { name: 'Two' },
        { listingInfo: { longDescription: null }, oauthInfo: { callbackUrl: 'https://a.example/' } },
      ];
      for (const change of changes) {
        await update(id, change);
        rows.push(await rowOf(id));
        times.push(now);
      }
      now += 60_000;
      const transfer = { developerId: opened().otherDeveloper.userId };
      await transferApp(opened().registry, commandLine, { appId: id, transfer });
      rows.push(await rowOf(id));
      times.push(now);
      for (const [index, row] of rows.entries()) {
        const found = await find(id, index + 1);
        const { name, logo_id, long_description, callback_url } = row;
        assert.deepEqual(
          { ...found.content, revision: found.revision, at: found.at, nextAt: found.nextAt, stamp: found.stamp },
          {
            ...found.content,
            ...{ name, logo_id, long_description, callback_url },
            revision: index + 1,
            at: times[index],
            nextAt: times[index + 1] ?? null,
            stamp: row.revision_stamp,
          },
        );
        assert.deepEqual(await find(id, revisionETag(opened().registry, row).slice(1, -1)), found);
        assert.deepEqual(await findAt(id, (times[index] ?? 0) + 59_999), found);
      }
      await assert.rejects(findAt(id, (times[0] ?? 0) - 1), { code: 'revision_not_found' });
    });
  });
});
