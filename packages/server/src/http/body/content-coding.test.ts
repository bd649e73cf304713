import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { acceptedCodings, wholeCodings } from './header-fields.ts';

/** The accepted codings, best first. */
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
  // No available coding is accepted: the field is ignored.
  '*;q=0': ['identity'],
  'identity;q=0': ['identity'],
  'identity;q=0, br': ['identity'],
  'gzip;q=0, identity;q=0': ['identity'],
  // Malformed elements are ignored.
  'gzip;q=2': ['identity'],
  'gzip;q=0.1234': ['identity'],
  'gzip;q=': ['identity'],
  'gzip;level=9': ['identity'],
  'gzip deflate': ['identity'],
  ',,gzip,': ['gzip', 'identity'],
};

const wholeCases: Record<string, string[]> = {
  'gzip, deflate, br, zstd': ['br', 'gzip', 'identity'],
  'br;q=0.8, gzip': ['gzip', 'br', 'identity'],
  'gzip;q=0.5, br;q=0, identity;q=0.8': ['identity', 'gzip'],
  '*;q=0.1, identity;q=0': ['br', 'gzip'],
  'br, identity;q=0': ['br'],
  deflate: ['identity'],
};

describe('Accept-Encoding (RFC 9110, 12.5.3)', () => {
  for (const [field, codings] of Object.entries(cases)) {
    test(`${JSON.stringify(field)} accepts ${codings.join(', then ')}`, () => {
      assert.deepEqual(acceptedCodings(field), codings);
    });
  }

  for (const [field, codings] of Object.entries(wholeCases)) {
    test(`${JSON.stringify(field)} accepts ${codings.join(', then ')} where br is possible`, () => {
      assert.deepEqual(acceptedCodings(field, wholeCodings), codings);
    });
  }

  test('without the field the response has no coding', () => {
    assert.deepEqual(acceptedCodings(undefined), ['identity']);
  });

  test('parsing takes time linear in the length of the field', () => {
    const started = process.cpuUsage();
    acceptedCodings(`gzip${' '.repeat(15_000)};q`);
    acceptedCodings(' ,'.repeat(7_500));
    assert.ok(process.cpuUsage(started).user < 200_000);
  });
});
