import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { environmentsOf } from './environments-of.ts';

test('the environments are those of the published document', async () => {
  const published = await readFile(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8');
  assert.deepEqual(environmentsOf(JSON.parse(published)), {
    Production: { baseUrl: 'https://apps.example.com' },
    Development: { baseUrl: 'https://apps.dev.example.com' },
  });
});

test('a document that does not name both environments is rejected', () => {
  const production = [{ url: 'https://apps.example.org', description: 'Production' }];
  for (const document of [{}, { servers: [] }, { servers: [{ url: '/' }] }, { servers: production }]) {
    assert.throws(() => environmentsOf(document), {
      name: 'TypeError',
      message: /names no (Production|Development) server/,
    });
  }
});
