import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { resolveComponents } from '@appregistrar/testkit/http/resolve-components';
import { breakingChangesSinceRelease } from '../../../test/http/breaking-changes.ts';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';
import { check } from '../../kernel/check.ts';
import { bodyExamples, documentedOperations, operatorDocument } from './operator-document.ts';

let operator: OperatorFixture;
before(async () => {
  operator = await OperatorFixture.open(sqlite);
});
after(() => operator.close());

test('docs/operator-openapi.json is the document that the listener publishes; to update it, run: npm run openapi', async () => {
  const written = await readFile(new URL('../../../../../docs/operator-openapi.json', import.meta.url), 'utf8');
  assert.deepEqual(JSON.parse(written), operator.document);
});

test('the current operator API does not break clients of the last release', () => {
  const changes = breakingChangesSinceRelease('operator-openapi.json', operator.document);
  assert.deepEqual(changes, [], 'a breaking change requires a new version');
});

test('the names of schemas are PascalCase, from which generators derive the names of types', () => {
  const names = Object.keys(operator.document.components.schemas);
  assert.deepEqual(
    names.filter((name) => !/^([A-Z][a-z]*)+$/.test(name)),
    [],
  );
});

test('every parameter has a description', () => {
  for (const { path, operation } of documentedOperations) {
    for (const { name, description } of operation.parameters as { name: string; description?: string }[]) {
      assert.match(description ?? '', /^\S.*\.$/s, `${path} ${name}`);
    }
  }
});

test('every JSON body has an example that its operation accepts', () => {
  const shown = documentedOperations.flatMap(({ operation }) => {
    const { content = {} } = (operation.requestBody ?? {}) as { content?: Record<string, JsonContent> };
    return Object.entries(content)
      .filter(([type]) => type === 'application/json')
      .map(([, { schema, example }]) => {
        assert.equal(check(schema, example), null, operation.operationId);
        return operation.operationId;
      });
  });
  assert.deepEqual(shown.toSorted(), Object.keys(bodyExamples).toSorted());
});

test('every operation has a tag that the document describes, and the tags follow the order of the operations', () => {
  const { tags } = operator.document as unknown as { tags: { name: string }[] };
  const used = new Set(documentedOperations.flatMap(({ operation }) => operation.tags));
  assert.deepEqual(
    [...used],
    tags.map(({ name }) => name),
  );
});

test('every example of a problem matches its schema', () => {
  const { examples } = operator.document.components as unknown as { examples: Record<string, { value: Problem }> };
  for (const [code, { value }] of Object.entries(examples)) {
    assert.equal(value.code, code);
    assert.match(value.type, new RegExp(`^http://127.0.0.1:808[01]/docs#${code}$`));
    assert.match(value.detail, /^[A-Z0-9].*[.!?"]$/s, code);
  }
});

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

interface JsonContent {
  schema: Parameters<typeof check>[0];
  example?: object;
}

interface Problem {
  type: string;
  code: string;
  detail: string;
}
