import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { publishedMappingSchema } from './import-mapping.ts';

const docs = new URL('../../../../../../docs/', import.meta.url);

test('docs/import-mapping.schema.json is the schema of mappings (npm run mapping-schema)', async () => {
  const published = JSON.parse(await readFile(new URL('import-mapping.schema.json', docs), 'utf8'));
  assert.deepEqual(published, JSON.parse(JSON.stringify(publishedMappingSchema())));
});

test('the published schema accepts the mapping of docs/migrating.md, and finds its mistakes', async () => {
  const validate = new Ajv({ strict: false }).compile(publishedMappingSchema());
  const [, text = ''] = /```json\n(.*?)```/s.exec(await readFile(new URL('migrating.md', docs), 'utf8')) ?? [];
  const mapping = JSON.parse(text);
  assert.equal(validate(mapping), true, JSON.stringify(validate.errors));
  for (const field of [5, '', { colum: 'mail' }, { column: 'mail', time: 'epoch' }]) {
    mapping.developers.fields.email = field;
    assert.equal(validate(mapping), false, JSON.stringify(field));
  }
  assert.equal(validate({ developers: { fields: { mail: 'mail' } } }), false);
});
