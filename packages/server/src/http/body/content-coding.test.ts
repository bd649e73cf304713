import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { acceptedCodings } from './content-coding.ts';

/** What is accepted, the best first. */
const cases: Record<string, string[]> = {
  '': ['identity'],
  '   ': ['identity'],
  gzip: ['gzip', 'identity'],
  GZip: ['gzip', 'identity'],
  'x-gzip': ['gzip', 'identity'],
  'gzip, deflate, br, zstd': ['gzip', 'identity'],
  'br;q=1.0, gzip;q=0.8, *;q=0.1': ['gzip', 'identity'],
  '*': ['gzip', 'identity'],
  br: ['identity'],
  'deflate, br': ['identity'],
  identity: ['identity'],
  'gzip;q=0.5, identity': ['identity', 'gzip'],
  'gzip;q=0.5, identity;q=0.5': ['gzip', 'identity'],
  'gzip;q=0.001': ['gzip', 'identity'],
  'gzip;q=0': ['identity'],
  'gzip;q=0.000, *': ['identity'],
  'gzip ; q=1.000 , identity ; Q=0': ['gzip'],
  'identity;q=0, gzip': ['gzip'],
  '*;q=0, gzip': ['gzip'],
  'gzip, *;q=0': ['gzip'],
  'identity;q=0, *': ['gzip'],
  '*;q=0.5, identity;q=0.8': ['identity', 'gzip'],
  '*;q=0, identity': ['identity'],
  // Nothing that can be sent is accepted: the field is disregarded.
  '*;q=0': ['identity'],
  'identity;q=0': ['identity'],
  'identity;q=0, br': ['identity'],
  'gzip;q=0, identity;q=0': ['identity'],
  // What is not well-formed names nothing.
  'gzip;q=2': ['identity'],
  'gzip;q=0.1234': ['identity'],
  'gzip;q=': ['identity'],
  'gzip;level=9': ['identity'],
  'gzip deflate': ['identity'],
  ',,gzip,': ['gzip', 'identity'],
};

describe('Accept-Encoding (RFC 9110, 12.5.3)', () => {
  for (const [field, codings] of Object.entries(cases)) {
    test(`${JSON.stringify(field)} takes ${codings.join(', then ')}`, () => {
      assert.deepEqual(acceptedCodings(field), codings);
    });
  }

  test('no field takes an answer without a coding', () => {
    assert.deepEqual(acceptedCodings(undefined), ['identity']);
  });

  test('a long field costs no more than its length', () => {
    const started = performance.now();
    acceptedCodings(`gzip${' '.repeat(15_000)};q`);
    acceptedCodings(' ,'.repeat(7_500));
    assert.ok(performance.now() - started < 200);
  });
});
