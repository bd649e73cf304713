import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { breakingChanges, type Contract } from '../../../test/http/breaking-changes.ts';
import { textFormats } from '../../kernel/text.ts';

const released = {
  paths: {
    '/apps/{id}': {
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
type Released = typeof released;
/** Changes a document in place; what it returns means nothing. */
type Change = (document: Released) => unknown;

/** The sentences about a document that has one change. */
function afterChange(change: Change): string[] {
  const current = structuredClone(released);
  change(current);
  return breakingChanges(released as unknown as Contract, current as unknown as Contract);
}

function reference(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}

const operationOf = (document: Released) => document.paths['/apps/{id}'].patch;
const update = (document: Released) => document.components.schemas.Update;
const app = (document: Released) => document.components.schemas.App;

const place = 'PATCH /apps/{id}';
const body = `${place} body application/json`;
const responseBody = `${place} 200 application/json`;

const breaking: [what: string, change: Change, expected: string][] = [
  [
    'a removed operation',
    (d) => delete (d.paths['/apps/{id}'] as Partial<object & { patch: object }>).patch,
    `${place} was removed`,
  ],
  ['a renamed path', (d) => Object.assign(d, { paths: { '/apps/v2/{id}': {} } }), `${place} was removed`],
  ['other credentials', (d) => Object.assign(operationOf(d), { security: [] }), `${place} security has changed`],
  ['a removed parameter', (d) => operationOf(d).parameters.splice(0), `${place} parameter If-Match was removed`],
  [
    'a new required parameter',
    (d) =>
      operationOf(d).parameters.push({
        name: 'Key',
        in: 'header',
        required: true,
        schema: { type: 'string', maxLength: 1 },
      }),
    `${place} parameter Key is required now`,
  ],
  [
    'a parameter that becomes required',
    (d) => Object.assign(operationOf(d).parameters[0] ?? {}, { required: true }),
    `${place} parameter If-Match is required now`,
  ],
  [
    'a tighter bound of a parameter',
    (d) => Object.assign(operationOf(d).parameters[0]?.schema ?? {}, { maxLength: 8 }),
    `${place} parameter If-Match has maxLength 8 now, and had 9`,
  ],
  [
    'a body that becomes required',
    (d) => Object.assign(operationOf(d).requestBody, { required: true }),
    `${place} body is required now`,
  ],
  [
    'a removed media type of a body',
    (d) => Object.assign(operationOf(d).requestBody, { content: {} }),
    `${body} was removed`,
  ],
  [
    'a removed status',
    (d) => delete (operationOf(d).responses as Partial<object & { 409: object }>)[409],
    `${place} 409 was removed`,
  ],
  [
    'a problem code that leaves its status',
    (d) => Object.assign(operationOf(d).responses[409].content['application/problem+json'], { examples: { busy: {} } }),
    `${place} 409 application/problem+json with code name_taken was removed`,
  ],
  [
    'a removed header',
    (d) => Object.assign(operationOf(d).responses[200], { headers: {} }),
    `${place} 200 header ETag was removed`,
  ],
  [
    'a header that may be absent',
    (d) => Object.assign(operationOf(d).responses[200].headers.ETag, { required: false }),
    `${place} 200 header ETag may be absent now`,
  ],
  [
    'a header of another type',
    (d) => Object.assign(operationOf(d).responses[200].headers.ETag, { schema: { type: 'integer' } }),
    `${place} 200 header ETag is integer now, and was string`,
  ],
  [
    'a removed media type of a response',
    (d) => Object.assign(operationOf(d).responses[200], { content: {} }),
    `${responseBody} was removed`,
  ],
  [
    'a removed field of a response',
    (d) => delete (app(d).properties as Partial<Record<'tags', object>>).tags,
    `${responseBody} tags was removed`,
  ],
  [
    'a retyped field of a response',
    (d) => Object.assign(app(d).properties.name, { type: ['string', 'null'] }),
    `${responseBody} name is string or null now, and was string`,
  ],
  [
    'another format in a response',
    (d) => Object.assign(app(d).properties.name, { format: undefined }),
    `${responseBody} name has pattern none now, and had ${textFormats['app-name']?.pattern}`,
  ],
  [
    'a retyped item of a list',
    (d) => Object.assign(app(d).properties.tags.items, { type: 'integer' }),
    `${responseBody} tags [] is integer now, and was string`,
  ],
  [
    'a field of a response that may be absent',
    (d) => app(d).required.splice(0),
    `${responseBody} name may be absent now`,
  ],
  [
    'a new enum value in a response',
    (d) => app(d).properties.status.enum.push('GONE'),
    `${responseBody} status may be GONE now`,
  ],
  [
    'an enum of a response that becomes open',
    (d) => Object.assign(app(d).properties.status, { enum: undefined }),
    `${responseBody} status may be everything now`,
  ],
  [
    'a removed alternative of a union',
    (d) => Object.assign(app(d).properties.event, { anyOf: [{ properties: { type: { enum: ['deleted'] } } }] }),
    `${responseBody} event anyOf {"properties":{"type":{"enum":["created"]}}} was removed`,
  ],
  [
    'a removed field of a request',
    (d) => delete (update(d).properties as Partial<Record<'size', object>>).size,
    `${body} size was removed`,
  ],
  [
    'a new required field of a request',
    (d) => Object.assign(update(d), { required: ['colour'], properties: { ...update(d).properties, colour: {} } }),
    `${body} colour is required now`,
  ],
  [
    'a field of a request that becomes required',
    (d) => Object.assign(update(d), { required: ['name'] }),
    `${body} name is required now`,
  ],
  [
    'a retyped field of a request',
    (d) => Object.assign(update(d).properties.name, { type: 'string' }),
    `${body} name is string now, and was string or null`,
  ],
  [
    'a tighter upper bound of a request',
    (d) => Object.assign(update(d).properties.name, { maxLength: 99 }),
    `${body} name has maxLength 99 now, and had 100`,
  ],
  [
    'a tighter lower bound of a request',
    (d) => Object.assign(update(d).properties.name, { minLength: 2 }),
    `${body} name has minLength 2 now, and had 1`,
  ],
  [
    'a new format of a request',
    (d) => Object.assign(update(d).properties.name, { format: 'date' }),
    `${body} name has format date now, and had none`,
  ],
  [
    'a value that a response no longer excludes',
    (d) => app(d).properties.other.not.enum.pop(),
    `${responseBody} other may be created now`,
  ],
  [
    'another rule of what a response excludes',
    (d) => Object.assign(app(d).properties.name, { not: { pattern: '^c' } }),
    `${responseBody} name has another not, which this comparison does not know`,
  ],
  [
    'an enum value that a request may no longer have',
    (d) => update(d).properties.size.enum.pop(),
    `${body} size refuses m now`,
  ],
  [
    'a request that refuses unknown fields',
    (d) => Object.assign(update(d), { additionalProperties: false }),
    `${body} refuses unknown fields now`,
  ],
  [
    'an unknown keyword',
    (d) => Object.assign(app(d).properties.name, { not: {} }),
    `${responseBody} name has another not, which this comparison does not know`,
  ],
];

const harmless: [what: string, change: Change][] = [
  ['no change', () => {}],
  ['a new path', (d) => Object.assign(d.paths, { '/logos': { get: { responses: {} } } })],
  [
    'a new optional parameter',
    (d) =>
      operationOf(d).parameters.push({
        name: 'Key',
        in: 'header',
        required: false,
        schema: { type: 'string', maxLength: 1 },
      }),
  ],
  [
    'a new field of a response',
    (d) => Object.assign(app(d), { required: ['name', 'x'], properties: { ...app(d).properties, x: {} } }),
  ],
  ['a new optional field of a request', (d) => Object.assign(update(d).properties, { colour: { type: 'string' } })],
  ['a new header', (d) => Object.assign(operationOf(d).responses[200].headers, { Age: { schema: {} } })],
  ['a looser upper bound of a request', (d) => Object.assign(update(d).properties.name, { maxLength: 101 })],
  ['a looser lower bound of a request', (d) => Object.assign(update(d).properties.name, { minLength: 0 })],
  ['a looser bound of a response', (d) => Object.assign(app(d).properties.name, { maxLength: 101 })],
  ['an enum value that a request may have', (d) => update(d).properties.size.enum.push('l')],
  [
    'an enum of a response that becomes an open string with known values',
    (d) => Object.assign(app(d).properties.status, { enum: undefined, 'x-extensible-enum': ['DRAFT', 'APPROVED'] }),
  ],
  [
    'an open string that is said as a union of an enum and any string',
    (d) => {
      const union = [{ type: 'string', enum: ['free', 'paid'] }, { type: 'string' }];
      Object.assign(app(d).properties, { kind: { anyOf: union } });
    },
  ],
  [
    'a format of our own that is said as its pattern',
    (d) => Object.assign(app(d).properties.name, { format: undefined, pattern: textFormats['app-name']?.pattern }),
  ],
  [
    'a pattern that values of a response have now',
    (d) => Object.assign(app(d).properties.tags.items, { pattern: '^a' }),
  ],
  ['a value that a response excludes now', (d) => app(d).properties.other.not.enum.push('moved')],
  ['a new known value of an open string', (d) => app(d).properties.kind['x-extensible-enum'].push('paid')],
  [
    'a new alternative of a union',
    (d) => app(d).properties.event.anyOf.push({ properties: { type: { enum: ['moved'] } } }),
  ],
  [
    'alternatives of a union that are a nested union now',
    (d) => Object.assign(app(d).properties.event, { anyOf: [{ anyOf: app(d).properties.event.anyOf }, {}] }),
  ],
  ['another description', (d) => Object.assign(app(d).properties.name, { description: 'What it is called.' })],
];

describe('breaking is', () => {
  for (const [what, change, expected] of breaking) {
    test(what, () => assert.deepEqual(afterChange(change), [expected]));
  }
});

describe('not breaking is', () => {
  for (const [what, change] of harmless) {
    test(what, () => assert.deepEqual(afterChange(change), []));
  }
});
