import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { sqliteInMemory } from '@appregistrar/testkit/engines/engines';
import { freshStorage } from '@appregistrar/testkit/engines/fresh-storage';
import { columnTypes } from '../column.ts';
import { baseline, baselineId } from './baseline.ts';
import { statementsOf } from './migration.ts';

test('the baseline has the id of its statements', async () => {
  const { storage, end } = await freshStorage(sqliteInMemory);
  const hash = createHash('sha256');
  for (const types of Object.values(columnTypes)) {
    const statements = baseline.up(storage.reader.builder, types).flatMap(statementsOf);
    for (const statement of statements) hash.update(`${statement.compile().sql};\n`);
  }
  assert.equal(baselineId, hash.digest('hex').slice(0, 16));
  await end();
});
