import assert from 'node:assert/strict';
import { test } from 'node:test';
import { on, postgres } from '@appregistrar/testkit/engines/engines';
import { laterSchemas } from '@appregistrar/testkit/storage/later-schemas';
import { schemaHistory } from '@appregistrar/testkit/storage/schema-objects';

test('the description of the schema is what the migrations create', on(postgres), async () => {
  const { url, drop } = await postgres.createDatabase();
  assert.deepEqual(await schemaHistory(url, laterSchemas), laterSchemas.postgres, 'to write it: npm run schema');
  await drop();
});
