import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { getAppRevision } from '../../features/apps/get-app.ts';
import type { Registry } from '../../kernel/registry.ts';
import type { Storage } from '../../storage/storage.ts';
import { StorageUnavailable } from '../../storage/storage-failure.ts';
import { AppResponses } from './get-app-route.ts';

onSqlite((engine) => {
  let fixture: RegistryFixture;
  let id: string;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());
  beforeEach(async () => {
    id = (await fixture.newApp()).id;
  });

  test('concurrent requests for an app share one read', async () => {
    const { responses, reads } = watched();
    const revision = await getAppRevision(fixture.registry, id);
    const made = await Promise.all(Array.from({ length: 20 }, () => responses.make(id, revision, {})));
    assert.equal(new Set(made.map((response) => response?.body)).size, 1);
    assert.equal(JSON.parse(String(made[0]?.body)).id, id);
    assert.equal((await responses.make(id, revision, {}))?.body, made[0]?.body);
    assert.equal(reads.length, 1);
  });

  test('a request for a later revision does not share the read of an earlier one', async () => {
    const { responses, reads } = watched();
    const revision = await getAppRevision(fixture.registry, id);
    await Promise.all([responses.make(id, revision, {}), responses.make(id, revision + 1, {})]);
    assert.equal(reads.length, 2);
  });

  test('a failed read fails every request that shares it, and the next request is served', async () => {
    const { responses, reads, fail } = watched();
    const revision = await getAppRevision(fixture.registry, id);
    fail();
    const outcomes = await Promise.allSettled([responses.make(id, revision, {}), responses.make(id, revision, {})]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal((await responses.make(id, revision, {}))?.status, 200);
    assert.equal(reads.length, 2);
  });

  /** Responses of the same registry, and the statements that they execute. */
  function watched() {
    const { storage } = fixture.registry;
    const reads: string[] = [];
    let isFailing = false;
    const reader: Storage['reader'] = Object.create(storage.reader, {
      rows: {
        value: async (statement: Parameters<Storage['reader']['rows']>[0]) => {
          reads.push(statement.sql);
          const fails = isFailing;
          isFailing = false;
          if (fails) throw new StorageUnavailable('lost');
          return storage.reader.rows(statement);
        },
      },
    });
    const registry: Registry = { ...fixture.registry, storage: Object.create(storage, { reader: { value: reader } }) };
    return { responses: new AppResponses(registry), reads, fail: () => (isFailing = true) };
  }
});
