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

describe('a valid update', () => {
  test('has no errors: with every field, some fields or none', () => {
    for (const body of [update, {}, { name: 'Other' }, { listingInfo: {} }, { oauthInfo: {}, listingInfo: {} }]) {
      assert.equal(check(AppUpdate, body), null, JSON.stringify(body));
    }
  });

  test('clears an optional field with null', () => {
    for (const pointer of clearable) assert.equal(check(AppUpdate, bodyWith(pointer, null)), null, pointer);
  });

  test('is not modified: nothing is coerced, dropped or filled in', () => {
    const bodies = [{}, { listingInfo: {} }, { name: 5, extra: true, listingInfo: { backgroundColor: null } }];
    for (const body of bodies) {
      const before = structuredClone(body);
      check(AppUpdate, body);
      assert.deepEqual(body, before);
    }
  });
});

describe('one invalid value has one error', () => {
  for (const pointer of [...required, ...groups]) {
    test(`null at ${pointer}`, () => {
      assert.deepEqual(errorsOf(bodyWith(pointer, null)), [[pointer, 'null_not_allowed']]);
    });
  }

  for (const pointer of [...required, ...clearable]) {
    test(`a wrong type at ${pointer}`, () => {
      for (const value of [5, 0, true, false, [], {}, ['a']]) {
        assert.deepEqual(errorsOf(bodyWith(pointer, value)), [[pointer, 'wrong_type']], JSON.stringify(value));
      }
    });

    test(`an empty text at ${pointer}`, () => {
      assert.deepEqual(errorsOf(bodyWith(pointer, '')), [[pointer, 'too_short']]);
    });
  }

  for (const pointer of groups) {
    test(`a wrong type at ${pointer}`, () => {
      for (const value of [5, 'text', '', true, [], [{}]]) {
        assert.deepEqual(errorsOf(bodyWith(pointer, value)), [[pointer, 'wrong_type']], JSON.stringify(value));
      }
    });
  }
});

test('a body that is not an object has one error, which points to the body', () => {
  for (const body of [null, [], [{}], 'text', 5, true]) {
    assert.deepEqual(check(AppUpdate, body), [
      { pointer: '', code: 'wrong_type', detail: 'The value must be an object.' },
    ]);
  }
});

describe('an empty text', () => {
  test('in an optional field is reported with the way to clear it', () => {
    for (const pointer of clearable) {
      assert.equal(detailOf(bodyWith(pointer, '')), 'The value must not be empty. Send null to remove it.', pointer);
    }
  });

  test('in a required field is not', () => {
    for (const pointer of required) {
      assert.equal(detailOf(bodyWith(pointer, '')), 'The value must not be empty.', pointer);
    }
  });
});

test('a wrong type is reported with the expected one', () => {
  assert.equal(detailOf({ name: 5 }), 'The value must be a string.');
  assert.equal(detailOf({ logoId: 5 }), 'The value must be a string, or null to remove it.');
  assert.equal(detailOf({ listingInfo: 5 }), 'The value must be an object.');
  assert.equal(check(Type.Integer(), 'ten')?.[0]?.detail, 'The value must be an integer.');
  assert.equal(check(Type.Array(Type.String()), 'ten')?.[0]?.detail, 'The value must be an array.');
});

describe('a field that no update has', () => {
  test('is reported as unknown, at its own pointer', () => {
    assert.deepEqual(errorsOf({ nmae: 'x' }), [['/nmae', 'unknown_field']]);
    assert.deepEqual(errorsOf({ listingInfo: { color: '#fff' } }), [['/listingInfo/color', 'unknown_field']]);
    assert.deepEqual(errorsOf({ oauthInfo: { LoginUrl: null } }), [['/oauthInfo/LoginUrl', 'unknown_field']]);
  });

  test('is reported as read-only when an app has it', () => {
    const shown = Object.keys({ ...DeveloperApp.properties, ...PlatformApp.properties });
    const readOnly = shown.filter((field) => !(field in AppUpdate.properties));
    for (const field of readOnly) {
      assert.deepEqual(errorsOf({ [field]: null }), [[`/${field}`, 'read_only_field']]);
    }
    assert.deepEqual(errorsOf({ listingInfo: { id: 'x' } }), [['/listingInfo/id', 'unknown_field']]);
  });

  test('is escaped in its pointer as RFC 6901 requires', () => {
    const fields = { 'a/b': '/a~1b', 'm~n': '/m~0n', '~1': '/~01', '/': '/~1', '': '/', ' ': '/ ', 'c%d': '/c%d' };
    for (const [field, pointer] of Object.entries(fields)) {
      assert.deepEqual(errorsOf({ [field]: 1 }), [[pointer, 'unknown_field']]);
      assert.deepEqual(errorsOf({ oauthInfo: { [field]: 1 } }), [[`/oauthInfo${pointer}`, 'unknown_field']]);
    }
  });

  test('is unknown even if every object inherits it', () => {
    for (const field of ['toString', 'constructor', 'hasOwnProperty', 'valueOf']) {
      assert.deepEqual(errorsOf({ [field]: null }), [[`/${field}`, 'unknown_field']]);
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
  const errors = errorsOf({ name: '\n'.repeat(101) });
  assert.deepEqual(errors, [
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

describe('a date-time', () => {
  const good = [
    '2026-03-01T09:30:00Z',
    '2026-03-01T09:30:00.5Z',
    '2026-03-01T09:30:00.123Z',
    '2024-02-29T23:59:59Z',
    '1970-01-01T00:00:00Z',
  ];
  const bad = [
    '2026-03-01',
    '2026-03-01T09:30:00',
    '2026-03-01 09:30:00Z',
    '2026-03-01T09:30:00z',
    '2026-03-01T09:30:00+00:00',
    '2026-03-01T09:30:00.1234Z',
    '2026-02-31T09:30:00Z',
    '2025-02-29T09:30:00Z',
    '2026-13-01T09:30:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T09:60:00Z',
    '2026-03-01T09:30:60Z',
    '',
    'yesterday',
  ];

  test('is a real moment in UTC with at most milliseconds', () => {
    for (const text of good) assert.equal(check(DateTime, text), null, text);
    for (const text of bad) assert.equal(check(DateTime, text)?.[0]?.code, 'invalid_format', text);
  });
});

function errorsOf(body: unknown): [pointer: string, code: ValidationErrorCode][] {
  return (check(AppUpdate, body) ?? []).map(({ pointer, code }) => [pointer, code]);
}

function detailOf(body: unknown): string | undefined {
  return check(AppUpdate, body)?.[0]?.detail;
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
