import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { encodeTypeId } from './type-id.ts';
import { nextUuid } from './uuid.ts';

const timeMax = 2 ** 48 - 1;
const version7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const times = fc.integer({ min: 0, max: timeMax - 1 });
const previous = fc.tuple(times, fc.bigInt(0n, 2n ** 74n - 1n)).map(([time, rest]) => uuidOf(time, rest));

describe('nextUuid', () => {
  test('returns a UUIDv7 that is greater than the previous one, as text and as an id', () => {
    fc.assert(
      fc.property(previous, times, (before, time) => {
        const next = nextUuid(before, time);
        assert.match(next, version7);
        assert.ok(next > before);
        assert.ok(encodeTypeId('event', next) > encodeTypeId('event', before));
      }),
    );
  });

  test('has the time that it is given, or that of the previous one if that is later', () => {
    const early = previous.filter((uuid) => !uuid.slice(15).startsWith('fff'));
    fc.assert(
      fc.property(early, times, (before, time) => {
        assert.equal(timeOf(nextUuid(before, time)), Math.max(time, timeOf(before)));
        assert.equal(timeOf(nextUuid(null, time)), time);
      }),
    );
  });

  test('continues with the next millisecond when the previous one is the last of its own', () => {
    fc.assert(
      fc.property(times, (time) => {
        const last = uuidOf(time, 2n ** 74n - 1n);
        const next = nextUuid(last, 0);
        assert.match(next, version7);
        assert.equal(timeOf(next), time + 1);
      }),
    );
  });

  test('follows an id that is a bound and has no version', () => {
    const bound = '0195a3c0-0000-0000-0000-000000000000';
    assert.ok(nextUuid(bound, 0) > bound);
  });

  test('returns different ones to those that continue from the same one', () => {
    const before = nextUuid(null, 1_000);
    assert.equal(new Set(Array.from({ length: 10_000 }, () => nextUuid(before, 1_000))).size, 10_000);
  });
});

/** The UUIDv7 of a time with these 74 bits. */
function uuidOf(time: number, rest: bigint): string {
  const hex = time.toString(16).padStart(12, '0');
  const high = (rest >> 62n).toString(16).padStart(3, '0');
  const low = (BigInt.asUintN(62, rest) | (1n << 63n)).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${high}-${low.slice(0, 4)}-${low.slice(4)}`;
}

function timeOf(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}
