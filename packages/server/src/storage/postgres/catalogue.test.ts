import assert from 'node:assert/strict';
import { postgres, testOn } from '@appregistrar/testkit/engines/engines';
import { schemaHistory } from '../testing/schema-history.ts';
import history from './schema-history.json' with { type: 'json' };

testOn([postgres], 'the description of the schema is what the migrations create', async () => {
  const { url, drop } = await postgres.createDatabase();
  assert.deepEqual(await schemaHistory(url), history, 'a migration was added: npm run schema');
  await drop();
});
