import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { breakingChanges, type Contract } from '../../../test/http/breaking-changes.ts';
import { textFormats } from '../../kernel/text.ts';

const released = {
  paths: {
    '/apps': {
      patch: {
        security: [{ token: [] }],
        parameters: [{ name: 'If-Match', in: 'header', required: false, schema: { type: 'string', maxLength: 9 } }],
        requestBody: { required: false, content: { 'application/json': { schema: reference('Update') } } },
        responses: {
          '200': {
            headers: { ETag: { required: true, schema: { type: 'string' } } },
            content: { 'application/json': { schema: reference('App') } },
          },
          '409': { content: { 'application/problem+json': { schema: {}, examples: { name_taken: {}, busy: {} } } } },
        },
      },
    },
  },
  components: {
    schemas: {
      Update: {
        type: 'object',
        properties: { name: { type: ['string', 'null'], minLength: 1, maxLength: 100 }, size: { enum: ['s', 'm'] } },
      },
      App: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', format: 'app-name', minLength: 1, maxLength: 100 },
          status: { type: 'string', enum: ['DRAFT', 'APPROVED'] },
          kind: { type: 'string', 'x-extensible-enum': ['free'] },
          tags: { type: 'array', items: { type: 'string' } },
          event: { anyOf: [{ properties: { type: { enum: ['created'] } } }] },
          other: { type: 'string', not: { enum: ['created'] } },
        },
      },
    },
  },
};

function reference(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}

/** Where a document changes, and what is there then; undefined where it is removed. */
type Change = [place: string[], value: unknown];

const operation = ['paths', '/apps', 'patch'];
const parameters = [...operation, 'parameters'];
const status = (code: string) => [...operation, 'responses', code];
const etag = [...status('200'), 'headers', 'ETag'];
const update = ['components', 'schemas', 'Update'];
const app = ['components', 'schemas', 'App'];
const field = (schema: string[], name: string) => [...schema, 'properties', name];
const newParameter = { name: 'Key', in: 'header', schema: {} };
const [match] = released.paths['/apps'].patch.parameters;
const created = { properties: { type: { enum: ['created'] } } };
const moved = { properties: { type: { enum: ['moved'] } } };
const appName = textFormats['app-name']?.pattern;

/** What is said of each change, after the operation. */
const breaking: [...Change, expected: string][] = [
  [operation, undefined, ' was removed'],
  [['paths'], { '/apps/v2': {} }, ' was removed'],
  [[...operation, 'security'], [], ' security has changed'],
  [parameters, [], ' parameter If-Match was removed'],
  [parameters, [match, { ...newParameter, required: true }], ' parameter Key is required now'],
  [[...parameters, '0', 'required'], true, ' parameter If-Match is required now'],
  [[...parameters, '0', 'schema', 'maxLength'], 8, ' parameter If-Match has maxLength 8 now, and had 9'],
  [[...operation, 'requestBody', 'required'], true, ' body is required now'],
  [[...operation, 'requestBody', 'content'], {}, ' body application/json was removed'],
  [status('409'), undefined, ' 409 was removed'],
  [
    [...status('409'), 'content', 'application/problem+json', 'examples', 'name_taken'],
    undefined,
    ' 409 application/problem+json with code name_taken was removed',
  ],
  [etag, undefined, ' 200 header ETag was removed'],
  [[...etag, 'required'], false, ' 200 header ETag may be absent now'],
  [[...etag, 'schema', 'type'], 'integer', ' 200 header ETag is integer now, and was string'],
  [[...status('200'), 'content'], {}, ' 200 application/json was removed'],
  [field(app, 'tags'), undefined, ' 200 application/json tags was removed'],
  [
    [...field(app, 'name'), 'type'],
    ['string', 'null'],
    ' 200 application/json name is string or null now, and was string',
  ],
  [[...field(app, 'name'), 'format'], undefined, ` 200 application/json name has pattern none now, and had ${appName}`],
  [[...field(app, 'tags'), 'items', 'type'], 'integer', ' 200 application/json tags [] is integer now, and was string'],
  [[...app, 'required'], [], ' 200 application/json name may be absent now'],
  [[...field(app, 'status'), 'enum', '2'], 'GONE', ' 200 application/json status may be GONE now'],
  [[...field(app, 'status'), 'enum'], undefined, ' 200 application/json status may be everything now'],
  [
    [...field(app, 'event'), 'anyOf'],
    [moved],
    ` 200 application/json event anyOf ${JSON.stringify(created)} was removed`,
  ],
  [[...field(app, 'other'), 'not', 'enum'], [], ' 200 application/json other may be created now'],
  [
    [...field(app, 'name'), 'not'],
    { pattern: '^c' },
    ' 200 application/json name has another not, which this comparison does not know',
  ],
  [field(update, 'size'), undefined, ' body application/json size was removed'],
  [[...update, 'required'], ['name'], ' body application/json name is required now'],
  [[...field(update, 'name'), 'type'], 'string', ' body application/json name is string now, and was string or null'],
  [[...field(update, 'name'), 'maxLength'], 99, ' body application/json name has maxLength 99 now, and had 100'],
  [[...field(update, 'name'), 'minLength'], 2, ' body application/json name has minLength 2 now, and had 1'],
  [[...field(update, 'name'), 'format'], 'date', ' body application/json name has format date now, and had none'],
  [[...field(update, 'size'), 'enum'], ['s'], ' body application/json size refuses m now'],
  [[...update, 'additionalProperties'], false, ' body application/json refuses unknown fields now'],
];

const harmless: [what: string, ...Change][] = [
  ['a new path', ['paths', '/logos'], { get: { responses: {} } }],
  ['a new optional parameter', parameters, [match, newParameter]],
  ['a new field of a response', app, { ...released.components.schemas.App, required: ['name', 'x'] }],
  ['a new optional field of a request', field(update, 'colour'), { type: 'string' }],
  ['a new header', [...status('200'), 'headers', 'Age'], { schema: {} }],
  ['a looser upper bound of a request', [...field(update, 'name'), 'maxLength'], 101],
  ['a looser lower bound of a request', [...field(update, 'name'), 'minLength'], 0],
  ['a looser bound of a response', [...field(app, 'name'), 'maxLength'], 101],
  ['an enum value that a request may have', [...field(update, 'size'), 'enum', '2'], 'l'],
  [
    'an enum of a response that becomes an open string with known values',
    field(app, 'status'),
    { type: 'string', 'x-extensible-enum': ['DRAFT', 'APPROVED'] },
  ],
  [
    'an open string that is said as a union of an enum and any string',
    field(app, 'kind'),
    { anyOf: [{ type: 'string', enum: ['free', 'paid'] }, { type: 'string' }] },
  ],
  ['a format of our own that is said as its pattern', field(app, 'name'), { type: 'string', pattern: appName }],
  ['a pattern that values of a response have now', [...field(app, 'tags'), 'items', 'pattern'], '^a'],
  ['a value that a response excludes now', [...field(app, 'other'), 'not', 'enum', '1'], 'moved'],
  ['a new known value of an open string', [...field(app, 'kind'), 'x-extensible-enum', '1'], 'paid'],
  ['a new alternative of a union', [...field(app, 'event'), 'anyOf', '1'], moved],
  ['alternatives that are a nested union now', [...field(app, 'event'), 'anyOf'], [{ anyOf: [created] }, {}]],
  ['another description', [...field(app, 'name'), 'description'], 'What it is called.'],
];

describe('breaking is', () => {
  for (const [place, value, expected] of breaking) {
    test(`what ${place.join('/')} becomes:${expected}`, () =>
      assert.deepEqual(afterChange(place, value), [`PATCH /apps${expected}`]));
  }
});

describe('not breaking is', () => {
  for (const [what, place, value] of harmless) {
    test(what, () => assert.deepEqual(afterChange(place, value), []));
  }
});

/** The sentences about a document that has one change. */
function afterChange(place: string[], value: unknown): string[] {
  const current = structuredClone(released);
  const last = place.at(-1) ?? assert.fail();
  const parent = place.slice(0, -1).reduce<object>((object, name) => Reflect.get(object, name), current);
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else Reflect.set(parent, last, value);
  return breakingChanges(released as unknown as Contract, current as unknown as Contract);
}
