import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getAppAsOperator, transferApp, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { importText } from '@appregistrar/testkit/registry/export-text';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { getAppRevision, listAppRevisions } from '../../../../test/calls/revisions.ts';
import { archiveFirstEvents } from '../../../../test/registry/archive-first-events.ts';
import { newId } from '../../../kernel/ids.ts';
import { commandLine } from '../../../kernel/registry.ts';
import { type RevisionName, revisionETag } from '../../../kernel/revision.ts';
import type { AppRow } from '../../../storage/tables.ts';
import { deleteEvents } from '../../events/event-queries.ts';
import { findApp } from '../app-queries.ts';
import { findRevision, findRevisionAt } from './revision-history.ts';

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
      const transfer = { developerId: opened().otherDeveloper.id };
      await transferApp(opened().registry, commandLine, { appId: id, transfer });
      rows.push(await rowOf(id));
      times.push(now);
      for (const [index, row] of rows.entries()) {
        const found = await find(id, index + 1);
        const { name, logo_id, long_description, callback_url } = row;
        assert.deepEqual(
          {
            ...found.content,
            revision: found.revision,
            at: found.at,
            nextAt: found.nextAt,
            revisionNonce: found.revisionNonce,
          },
          {
            ...found.content,
            ...{ name, logo_id, long_description, callback_url },
            revision: index + 1,
            at: times[index],
            nextAt: times[index + 1] ?? null,
            revisionNonce: row.revision_nonce,
          },
        );
        assert.deepEqual(await find(id, revisionETag(opened().registry, row).slice(1, -1)), found);
        assert.deepEqual(await findAt(id, (times[index] ?? 0) + 59_999), found);
      }
      await assert.rejects(findAt(id, (times[0] ?? 0) - 1), { code: 'revision_not_found' });
    });

    test('a number or tag that the app has not had is not found', async () => {
      const { id } = await opened().newApp();
      await update(id, { listingInfo: { shortDescription: 'Second.' } });
      const [, revisionNonce = ''] = /(\.[\w-]+)"$/.exec(revisionETag(opened().registry, await rowOf(id))) ?? [];
      const epoch = opened().registry.epoch.slice(0, 8);
      for (const name of [
        0,
        3,
        '',
        'one',
        `1.${epoch}${revisionNonce}`,
        `2.00000000${revisionNonce}`,
        `1.${epoch}`,
        `2.${epoch}`,
      ]) {
        await assert.rejects(find(id, name), { code: 'revision_not_found' }, `${name}`);
      }
    });

    test('the approved revision is found as it is in the row, also when it has no event here', async () => {
      const line = { type: 'app', id: newId('app'), developerId: opened().developer.id, revision: 7 };
      const approved = { revision: 5, name: 'Approved elsewhere' };
      const app = {
        ...line,
        createdAt: '2024-01-01T00:00:00.000Z',
        name: 'Imported',
        reviewStatus: 'APPROVED',
        approved,
      };
      await importText(opened().registry, JSON.stringify(app));
      const found = await find(line.id, 5);
      assert.deepEqual([found.content.name, found.at, found.eventId], ['Approved elsewhere', null, null]);
      assert.equal((await find(line.id, 7)).content.name, 'Imported');
      await assert.rejects(find(line.id, 6), { code: 'revision_not_found' });
    });

    test('a missing event makes only the revisions before it unknown', async () => {
      const { id } = await opened().newApp();
      for (const shortDescription of ['Two.', 'Three.', 'Four.'])
        await update(id, { listingInfo: { shortDescription } });
      const event = (await opened().eventsOf(id))[2] ?? assert.fail();
      await opened().registry.storage.write((transaction) => deleteEvents(transaction, [event.id]));
      assert.equal((await find(id, 4)).content.short_description, 'Four.');
      for (const number of [1, 2, 3]) await assert.rejects(find(id, number), { code: 'revision_not_found' });
    });

    test('once events are archived, the refusal names the archives to restore', async () => {
      const { id } = await opened().newApp();
      const times = [now];
      for (const shortDescription of ['Two.', 'Three.']) {
        await update(id, { listingInfo: { shortDescription } });
        times.push(now);
      }
      await archiveFirstEvents(opened().registry, id, 2);
      // The content before the first event that is left is known, but not who has made it.
      const second = await find(id, 2);
      assert.deepEqual([second.content.short_description, second.at], ['Two.', null]);
      assert.deepEqual(await findAt(id, times[1] ?? 0), second);
      for (const finding of [find(id, 1), findAt(id, times[0] ?? 0)]) {
        await assert.rejects(finding, {
          code: 'revision_archived',
          message: /Restore archive 1, with "app-registry event restore FILE"/,
        });
      }
      const { items, archived } = await listAppRevisions(opened().registry, id, {});
      assert.deepEqual([items.length, archived?.lastArchive], [2, 1]);
      await archiveFirstEvents(opened().registry, id, 1);
      assert.equal((await find(id, 3)).content.short_description, 'Three.');
      await assert.rejects(find(id, 2), { code: 'revision_archived' });
    });

    test('pages list who has changed which fields, and when', async () => {
      const { id } = await opened().newApp({ status: 'APPROVED' });
      await update(id, { name: newId('name'), oauthInfo: { loginUrl: 'https://a.example/' } });
      const { items, nextCursor = '' } = await listAppRevisions(opened().registry, id, { limit: 1 });
      const [item] = items;
      const event = (await opened().eventsOf(id)).findLast(({ type }) => type === 'app.updated');
      assert.deepEqual(items, [
        {
          revision: 2,
          etag: revisionETag(opened().registry, await rowOf(id)),
          createdAt: new Date(now).toISOString(),
          actor: 'command-line:demo',
          eventId: event?.id,
          isCurrent: true,
          isApproved: false,
          changed: ['name', 'oauthInfo.loginUrl'],
        },
      ]);
      const next = await listAppRevisions(opened().registry, id, { limit: 1, cursor: nextCursor });
      assert.deepEqual(
        next.items.map(({ revision, isCurrent, isApproved, changed }) => [revision, isCurrent, isApproved, changed]),
        [[1, false, true, undefined]],
      );
      assert.equal(next.nextCursor, undefined);
      assert.ok(item);
      const other = await opened().newApp();
      await assert.rejects(listAppRevisions(opened().registry, other.id, { cursor: nextCursor }), {
        code: 'invalid_content',
      });
    });

    test('a revision that is read while others are made is never a mixture', async () => {
      const { id } = await opened().newApp();
      const contentAt = (number: number) => ({ shortDescription: `${number}`, longDescription: `${number}` });
      await update(id, { listingInfo: contentAt(2) });
      let isDone = false;
      const read = async () => {
        for (let reads = 0; !isDone || reads === 0; reads += 1) {
          const current = await getAppAsOperator(opened().registry, id);
          const number = 2 + (reads % (current.revision - 1));
          const { listingInfo } = await getAppRevision(opened().registry, { appId: id, revision: `${number}` });
          assert.deepEqual([listingInfo.shortDescription, listingInfo.longDescription], [`${number}`, `${number}`]);
          const { items } = await listAppRevisions(opened().registry, id, { limit: 3 });
          assert.deepEqual(
            items.map(({ revision }) => revision),
            [0, 1, 2].slice(0, items.length).map((back) => (items[0]?.revision ?? 0) - back),
          );
        }
      };
      const readers = [read(), read(), read()];
      for (let number = 3; number <= 60; number += 1) await update(id, { listingInfo: contentAt(number) });
      isDone = true;
      await Promise.all(readers);
    });
  });
});
