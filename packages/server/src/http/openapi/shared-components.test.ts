import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveComponents } from '@appregistrar/testkit/http/resolve-components';
import { operatorDocument } from '../operator/operator-document.ts';

const options = { baseUrl: 'http://127.0.0.1:8080', operatorBaseUrl: 'http://127.0.0.1:8081' };

test('sharing components changes nothing that the document says', () => {
  const shared = resolveComponents(JSON.parse(JSON.stringify(operatorDocument(options))));
  const unshared = resolveComponents(JSON.parse(JSON.stringify(operatorDocument(options, { shares: false }))));
  assert.deepEqual([shared.paths, shared.webhooks], [unshared.paths, unshared.webhooks]);
  assert.deepEqual(shared.components.schemas, unshared.components.schemas);
});

test('the responses of most operations are references', () => {
  const { paths, components } = operatorDocument(options);
  const references = JSON.stringify(paths).match(/"#\/components\/responses\/\w/g) ?? [];
  assert.ok(references.length > 10 * Object.keys(components.responses ?? {}).length, `${references.length} references`);
});
