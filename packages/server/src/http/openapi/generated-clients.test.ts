import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { resolveComponents } from '@appregistrar/testkit/http/resolve-components';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { decodeTypeId } from '../../kernel/ids.ts';

/** The formats in the documents. All are of JSON Schema or OpenAPI, and ajv-formats has them. */
const standardFormats = ['date-time', 'uri', 'uuid', 'binary'];
const uuidVersion7 = /^.{8}-.{4}-7.{3}-[89ab].{3}-.{12}$/;

for (const name of ['openapi', 'operator-openapi']) {
  describe(`docs/${name}.json`, async () => {
    const file = new URL(`../../../../../docs/${name}.json`, import.meta.url);
    // Schemas refer to each other by their names alone.
    const text = await readFile(file, 'utf8');
    const document = resolveComponents(JSON.parse(text.replaceAll('#/components/schemas/', '')));
    const { schemas, examples = {} } = document.components;
    // Strict, as it is by default: an unknown keyword or format is an error.
    const ajv = new Ajv2020({
      logger: false,
      formats: Object.fromEntries(standardFormats.map((name) => [name, true])),
    });
    for (const [name, schema] of Object.entries<object>(schemas)) ajv.addSchema(schema, name);
    const validator = (name: string) => ajv.getSchema(name) ?? assert.fail(name);

    test('has schemas that Ajv compiles as it is', () => {
      for (const name of Object.keys(schemas)) validator(name);
      const inline = inlineSchemas(document.paths);
      assert.ok(inline.length > 10, `${inline.length} schemas`);
      for (const schema of inline) ajv.compile(schema);
    });

    test('has examples that their schemas accept', () => {
      const shown = schemasWithExamples([schemas, document.paths, document.webhooks, document.components.parameters]);
      assert.ok(shown.length > 20, `${shown.length} schemas`);
      for (const schema of shown) {
        const isValid = ajv.compile(schema);
        for (const example of schema.examples) assert.ok(isValid(example), JSON.stringify([example, isValid.errors]));
      }
    });

    test('has ids that any library of TypeID decodes', () => {
      const ids = [...text.matchAll(/\b[a-z]+_([0-7][0-9a-z]{25})\b/g)];
      assert.ok(ids.length > 5, `${ids.length} ids`);
      for (const [id] of ids) assert.match(decodeTypeId(id)?.uuid ?? '', uuidVersion7, id);
    });

    test('refuses no field that a later release adds to a response', () => {
      const responses = operationsOf(document).map(({ responses }) => responses);
      assert.deepEqual(closedSchemas(responses, schemas, new Set()), []);
    });

    test('accepts a problem of an unknown code', () => {
      const { value } = examples.name_taken ?? exampleOf(document, 'name_taken');
      assert.equal(validator('Problem')({ ...value, code: 'quota_exceeded', hint: 'Later.' }), true);
      assert.equal(validator('Problem')({ ...value, code: 7 }), false);
    });

    test('refuses a colour and a URL that the registry would refuse', () => {
      const isUpdate = validator('AppUpdate');
      assert.equal(isUpdate({ listingInfo: { backgroundColor: '#0b5fff' }, oauthInfo: { loginUrl: null } }), true);
      assert.equal(isUpdate({ listingInfo: { backgroundColor: 'red' } }), false);
      assert.equal(isUpdate({ oauthInfo: { loginUrl: 'javascript:alert(1)' } }), false);
    });

    if (name === 'openapi') return;
    test('accepts an event of an unknown type, and none of a known type that is malformed', () => {
      const event = {
        id: 'event_01jq3w3k1hf5tr8z0v6n2m9c4d',
        timestamp: '2026-03-01T09:30:00.000Z',
        actor: 'maintenance',
        subjectId: 'app_01jq3v9y6ae0xv5m6b7k8c9d0e',
      };
      assert.equal(validator('Event')({ ...event, type: 'app.archived', data: { at: 1 } }), true);
      assert.equal(validator('Event')({ ...event, type: 'app.purged', data: { why: 'new' } }), true);
      assert.equal(validator('Event')({ ...event, type: 'app.approved', data: {} }), false);
    });
  });
}

interface Operation {
  responses: object;
}

function operationsOf(document: { paths: Record<string, Record<string, Operation>> }): Operation[] {
  return Object.values(document.paths).flatMap((operations) => Object.values(operations));
}

/** The schemas of parameters, headers and bodies. */
function inlineSchemas(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => (name === 'schema' ? [inner] : inlineSchemas(inner)));
}

/** The schemas below a value that have a list of examples. */
function schemasWithExamples(value: unknown): { examples: unknown[] }[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(schemasWithExamples);
  return hasExamples(value) ? [value, ...inner] : inner;
}

function hasExamples(value: object): value is { examples: unknown[] } {
  return 'examples' in value && Array.isArray(value.examples);
}

/** The schemas below a value that refuse unknown fields. */
function closedSchemas(value: unknown, schemas: Record<string, unknown>, seen: Set<unknown>): unknown[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  const { $ref, additionalProperties }: { $ref?: string; additionalProperties?: unknown } = value;
  const referred = $ref === undefined ? [] : [schemas[$ref]];
  const inner = [...Object.values(value), ...referred].flatMap((each) => closedSchemas(each, schemas, seen));
  return additionalProperties === false ? [value, ...inner] : inner;
}

/** The example of a problem that is written out in the responses. */
function exampleOf(document: Parameters<typeof operationsOf>[0], code: string): { value: object } {
  for (const { responses } of operationsOf(document)) {
    for (const response of Object.values(responses)) {
      const example = response.content?.['application/problem+json']?.examples?.[code];
      if (example) return example;
    }
  }
  return assert.fail(code);
}
