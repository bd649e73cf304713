import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import Type from 'typebox';
import { anyText } from '../../test/any-text.ts';
import { AppUpdate, DeveloperApp, PlatformApp } from '../features/apps/app-schemas.ts';
import { check } from './check.ts';
import { type ValidationErrorCode, validationErrorCodes } from './problem-details.ts';
import { DateTime } from './text.ts';

const update = {
  name: 'Invoice Sync',
  logoId: 'logo_01jq3va2c8f0ntb5m6b7k8c9d0',
  listingInfo: { shortDescription: 'Short.', longDescription: 'Long.\nLonger.', backgroundColor: '#0b5fff' },
  oauthInfo: { loginUrl: 'https://example.com/login', callbackUrl: 'https://example.com/callback' },
};

/** Each text of an update, by its pointer. */
const required = ['/name', '/listingInfo/backgroundColor'];
const clearable = [
  '/logoId',
  '/listingInfo/shortDescription',
  '/listingInfo/longDescription',
  '/oauthInfo/loginUrl',
  '/oauthInfo/callbackUrl',
];
const groups = ['/listingInfo', '/oauthInfo'];

test('every schema of the contract is valid JSON Schema, which nothing checks at runtime', async () => {
  const ajv = new Ajv({ strict: false });
  const source = join(import.meta.dirname, '..');
  const files = globSync('{kernel,features}/**/!(*.test).ts', {
    cwd: source,
    exclude: ['**/draw-*.ts'],
  });
  const modules = await Promise.all(files.map((file) => import(join(source, file))));
  const schemas = modules.flatMap((module) => Object.values(module)).filter(isSchema);
  assert.ok(schemas.length > 90, String(schemas.length));
  for (const schema of schemas) assert.ok(ajv.validateSchema(schema), ajv.errorsText());
  assert.equal(ajv.validateSchema({ type: 'text' }), false);
});

test('a valid update has no errors: with every field, some fields, none, or null to clear an optional one', () => {
  const bodies = [update, {}, { name: 'Other' }, { listingInfo: {} }, { oauthInfo: {}, listingInfo: {} }];
  const cleared = clearable.map((pointer) => bodyWith(pointer, null));
  for (const body of [...bodies, ...cleared]) assert.equal(check(AppUpdate, body), null, JSON.stringify(body));
});

test('an update is not modified: nothing is coerced, dropped or filled in', () => {
  for (const body of [{ listingInfo: {} }, { name: 5, extra: true, listingInfo: { backgroundColor: null } }]) {
    const before = structuredClone(body);
    check(AppUpdate, body);
    assert.deepEqual(body, before);
  }
});

describe('one invalid value has one error, with what is right:', () => {
  const string = 'The value must be a string.';
  const stringOrNull = 'The value must be a string, or null to remove it.';
  for (const pointer of [...required, ...clearable]) {
    const isRequired = required.includes(pointer);
    test(pointer, () => {
      const empty = `The value must not be empty.${isRequired ? '' : ' Send null to remove it.'}`;
      assert.deepEqual(check(AppUpdate, bodyWith(pointer, '')), [{ pointer, code: 'too_short', detail: empty }]);
      const detail = isRequired ? string : stringOrNull;
      for (const value of [5, 0, true, [], {}, ['a']]) {
        assert.deepEqual(check(AppUpdate, bodyWith(pointer, value)), [{ pointer, code: 'wrong_type', detail }]);
      }
    });
  }

  for (const pointer of groups) {
    test(pointer, () => {
      const detail = 'The value must be an object.';
      for (const value of [5, 'text', '', true, [], [{}]]) {
        assert.deepEqual(check(AppUpdate, bodyWith(pointer, value)), [{ pointer, code: 'wrong_type', detail }]);
      }
    });
  }

  test('null where a value is required', () => {
    for (const pointer of [...required, ...groups]) {
      assert.deepEqual(errorsOf(bodyWith(pointer, null)), [[pointer, 'null_not_allowed']]);
    }
  });

  test('a body that is not an object', () => {
    const error = { pointer: '', code: 'wrong_type', detail: 'The value must be an object.' };
    for (const body of [null, [], [{}], 'text', 5, true]) assert.deepEqual(check(AppUpdate, body), [error]);
  });

  test('a number or a list', () => {
    assert.equal(check(Type.Integer(), 'ten')?.[0]?.detail, 'The value must be an integer.');
    assert.equal(check(Type.Array(Type.String()), 'ten')?.[0]?.detail, 'The value must be an array.');
  });
});

describe('a field that no update has is', () => {
  test('unknown, at its own pointer, even if every object inherits it', () => {
    assert.deepEqual(errorsOf({ nmae: 'x' }), [['/nmae', 'unknown_field']]);
    assert.deepEqual(errorsOf({ listingInfo: { color: '#fff' } }), [['/listingInfo/color', 'unknown_field']]);
    for (const field of ['toString', 'constructor', 'hasOwnProperty', 'valueOf']) {
      assert.deepEqual(errorsOf({ [field]: null }), [[`/${field}`, 'unknown_field']]);
    }
  });

  test('read-only when an app has it', () => {
    const shown = Object.keys({ ...DeveloperApp.properties, ...PlatformApp.properties });
    for (const field of shown.filter((one) => !(one in AppUpdate.properties))) {
      assert.deepEqual(errorsOf({ [field]: null }), [[`/${field}`, 'read_only_field']]);
    }
    assert.deepEqual(errorsOf({ listingInfo: { id: 'x' } }), [['/listingInfo/id', 'unknown_field']]);
  });

  test('escaped in its pointer as RFC 6901 requires', () => {
    const fields = { 'a/b': '/a~1b', 'm~n': '/m~0n', '~1': '/~01', '': '/', ' ': '/ ', 'c%d': '/c%d' };
    for (const [field, pointer] of Object.entries(fields)) {
      assert.deepEqual(errorsOf({ [field]: 1 }), [[pointer, 'unknown_field']]);
      assert.deepEqual(errorsOf({ oauthInfo: { [field]: 1 } }), [[`/oauthInfo${pointer}`, 'unknown_field']]);
    }
  });
});

test('all errors are reported together', () => {
  const body = {
    name: null,
    logoId: '',
    colour: 'red',
    reviewStatus: 'APPROVED',
    listingInfo: { shortDescription: 'two\nlines', backgroundColor: 'red', longDescription: 'x'.repeat(4001) },
    oauthInfo: { loginUrl: 'http://example.com', callbackUrl: 5, scope: 'all' },
  };
  assert.deepEqual(errorsOf(body).toSorted(), [
    ['/colour', 'unknown_field'],
    ['/listingInfo/backgroundColor', 'invalid_format'],
    ['/listingInfo/longDescription', 'too_long'],
    ['/listingInfo/shortDescription', 'invalid_format'],
    ['/logoId', 'too_short'],
    ['/name', 'null_not_allowed'],
    ['/oauthInfo/callbackUrl', 'wrong_type'],
    ['/oauthInfo/loginUrl', 'invalid_format'],
    ['/oauthInfo/scope', 'unknown_field'],
    ['/reviewStatus', 'read_only_field'],
  ]);
});

test('a value that is too long and malformed gets both errors', () => {
  assert.deepEqual(errorsOf({ name: '\n'.repeat(101) }), [
    ['/name', 'too_long'],
    ['/name', 'invalid_format'],
  ]);
});

test('at most 100 errors are reported', () => {
  const bodyOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 1]));
  assert.equal(check(AppUpdate, bodyOf(99))?.length, 99);
  assert.equal(check(AppUpdate, bodyOf(100))?.length, 100);
  assert.equal(check(AppUpdate, bodyOf(5000))?.length, 100);
});

test('every error has a pointer into the body, a code of the closed list and a sentence', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), bodyOfKnownFields()), (body) => {
      for (const { pointer, code, detail } of check(AppUpdate, body) ?? []) {
        assert.notEqual(at(body, pointer), undefined, `${pointer} in ${JSON.stringify(body)}`);
        assert.ok(validationErrorCodes.includes(code), code);
        assert.match(detail, /^[A-Z].*\.$/);
      }
    }),
    { numRuns: 1000 },
  );
});

test('a date-time is a real moment in UTC with at most milliseconds', () => {
  const good = ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.5Z', '2026-03-01T09:30:00.123Z', '2024-02-29T23:59:59Z'];
  for (const text of good) assert.equal(check(DateTime, text), null, text);
  const bad = [
    ...[
      '2026-03-01',
      '2026-03-01T09:30:00',
      '2026-03-01 09:30:00Z',
      '2026-03-01T09:30:00z',
      '2026-03-01T09:30:00+00:00',
    ],
    ...['2026-03-01T09:30:00.1234Z', '2026-02-31T09:30:00Z', '2025-02-29T09:30:00Z', '2026-13-01T09:30:00Z'],
    ...['2026-03-01T24:00:00Z', '2026-03-01T09:60:00Z', '2026-03-01T09:30:60Z', '', 'yesterday'],
  ];
  for (const text of bad) assert.equal(check(DateTime, text)?.[0]?.code, 'invalid_format', text);
});

function errorsOf(body: unknown): [pointer: string, code: ValidationErrorCode][] {
  return (check(AppUpdate, body) ?? []).map(({ pointer, code }) => [pointer, code]);
}

/** A valid update with another value in one field. */
function bodyWith(pointer: string, value: unknown): object {
  const body: Record<string, unknown> = structuredClone(update);
  const [, first = '', second] = pointer.split('/');
  if (second === undefined) body[first] = value;
  else body[first] = { ...(body[first] as object), [second]: value };
  return body;
}

/** What a JSON Pointer refers to. */
function at(value: unknown, pointer: string): unknown {
  const tokens = pointer.split('/').slice(1);
  return tokens.reduce<unknown>((parent, token) => {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    return (parent as Record<string, unknown>)[name];
  }, value);
}

function bodyOfKnownFields(): fc.Arbitrary<unknown> {
  const value = fc.oneof(fc.jsonValue({ maxDepth: 1 }), anyText());
  return fc.record(
    {
      name: value,
      logoId: value,
      listingInfo: fc.oneof(value, fc.record({ backgroundColor: value, longDescription: value, extra: value })),
      oauthInfo: fc.oneof(value, fc.record({ loginUrl: value, callbackUrl: value })),
    },
    { requiredKeys: [] },
  );
}

/** TypeBox marks what it makes. */
function isSchema(value: unknown): value is object {
  return typeof value === 'object' && value !== null && ('~kind' in value || '~unsafe' in value);
}
