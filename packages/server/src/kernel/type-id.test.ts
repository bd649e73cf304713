import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { decodeTypeId, encodeTypeId, firstIdAt, isTypeId, newId, nextId, toTypeId } from './ids.ts';

interface Vector {
  name: string;
  typeid: string;
  prefix: string;
  uuid: string;
}

const valid: Vector[] = readVectors('valid');
const invalid: Omit<Vector, 'prefix' | 'uuid'>[] = readVectors('invalid');

describe('the official test vectors', () => {
  test('are complete', () => {
    assert.deepEqual([valid.length, invalid.length], [9, 21]);
  });

  for (const { name, typeid, prefix, uuid } of valid) {
    test(`${name} decodes to its UUID and back`, () => {
      assert.deepEqual(decodeTypeId(typeid), { prefix, uuid });
      assert.equal(encodeTypeId(prefix, uuid), typeid);
    });
  }

  for (const { name, typeid } of invalid) {
    test(`${name} is rejected`, () => {
      assert.equal(decodeTypeId(typeid), null);
      assert.equal(toTypeId(typeid, 'prefix'), null);
    });
  }
});

const prefix = fc.stringMatching(/^[a-z](?:[a-z_]{0,61}[a-z])?$/);

describe('decodeTypeId', () => {
  test('decodes any prefix and UUID that encodeTypeId encoded', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constant(''), prefix), anyUuid(), (prefix, uuid) => {
        assert.deepEqual(decodeTypeId(encodeTypeId(prefix, uuid)), { prefix, uuid });
      }),
    );
  });

  test('accepts one text for each id: encoding the result gives the same text', () => {
    const text = fc.stringMatching(/^[a-z]{1,8}_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/);
    fc.assert(
      fc.property(text, (text) => {
        const { prefix, uuid } = decodeTypeId(text) ?? assert.fail(text);
        assert.equal(encodeTypeId(prefix, uuid), text);
      }),
    );
  });

  test('preserves the order of UUIDs', () => {
    fc.assert(
      fc.property(anyUuid(), anyUuid(), (one, other) => {
        assert.equal(encodeTypeId('app', one) < encodeTypeId('app', other), one < other);
      }),
    );
  });

  test('rejects a line break after the suffix', () => {
    assert.equal(decodeTypeId('app_01h455vb4pex5vsknk084sn02q\n'), null);
  });
});

describe('newId', () => {
  test('returns a TypeID of its prefix with a UUIDv7', () => {
    const { prefix, uuid } = decodeTypeId(newId('installation')) ?? assert.fail();
    assert.equal(prefix, 'installation');
    assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('returns ids that sort in the order of their creation', () => {
    const ids = Array.from({ length: 2000 }, () => newId('app'));
    assert.deepEqual(ids, ids.toSorted());
    assert.equal(new Set(ids).size, ids.length);
  });
});

describe('isTypeId', () => {
  test('rejects another prefix, and a part of the prefix', () => {
    assert.equal(isTypeId('work_space_01h455vb4pex5vsknk084sn02q', 'work_space'), true);
    assert.equal(isTypeId('work_space_01h455vb4pex5vsknk084sn02q', 'work'), false);
    assert.equal(isTypeId('user_01h455vb4pex5vsknk084sn02q', 'workspace'), false);
    assert.equal(isTypeId('01h455vb4pex5vsknk084sn02q', 'workspace'), false);
  });
});

describe('toTypeId', () => {
  const uuid = '01890a5d-ac96-774b-bcce-b302099a8057';

  test('reads a bare UUID in either case as its TypeID', () => {
    assert.equal(toTypeId(uuid, 'user'), 'user_01h455vb4pex5vsknk084sn02q');
    assert.equal(toTypeId(uuid.toUpperCase(), 'user'), 'user_01h455vb4pex5vsknk084sn02q');
  });

  test('returns a TypeID of the prefix unchanged and rejects one of another prefix', () => {
    assert.equal(toTypeId('user_01h455vb4pex5vsknk084sn02q', 'user'), 'user_01h455vb4pex5vsknk084sn02q');
    assert.equal(toTypeId('workspace_01h455vb4pex5vsknk084sn02q', 'user'), null);
  });

  test('rejects a text that only resembles a UUID', () => {
    for (const text of [uuid.replaceAll('-', ''), `{${uuid}}`, `urn:uuid:${uuid}`, uuid.slice(1), `${uuid} `]) {
      assert.equal(toTypeId(text, 'user'), null, text);
    }
  });
});

test('JSON escapes no character of an id, as the streaming of long lists requires', () => {
  const escaped = ['"', '\\', '\n', '\u0000', '\u001f', '\ud800'];
  const changed = fc
    .tuple(prefix, anyUuid(), fc.nat(100), fc.constantFrom(...escaped, ''))
    .map(([prefix, uuid, at, character]) => {
      const id = encodeTypeId(prefix, uuid);
      return { prefix, text: `${id.slice(0, at)}${character}${id.slice(at)}` };
    });
  fc.assert(
    fc.property(changed, ({ prefix, text }) => {
      const id = toTypeId(text, prefix);
      assert.equal(id === null, JSON.stringify(text) !== `"${text}"`);
    }),
  );
});

/** Any 128 bits, not only those of a known UUID version. */
function anyUuid(): fc.Arbitrary<string> {
  return fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map((bits) => {
    const hex = bits.toString(16).padStart(32, '0');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  });
}

function readVectors(name: 'valid' | 'invalid') {
  return JSON.parse(readFileSync(new URL(`corpora/typeid/${name}.json`, import.meta.url), 'utf8'));
}

const version7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const time = fc.integer({ min: 0, max: 2 ** 48 - 2 });
const randomMax = 2n ** 74n - 1n;
const previousId = fc.tuple(time, fc.bigInt(0n, randomMax)).map(([at, random]) => idOf(at, random));

describe('nextId', () => {
  test('returns the id of a UUIDv7 that sorts after the previous id', () => {
    fc.assert(
      fc.property(previousId, time, (previous, at) => {
        const next = nextId('event', previous, at);
        assert.match(uuidOf(next), version7);
        assert.ok(next > previous);
        assert.ok(uuidOf(next) > uuidOf(previous));
      }),
    );
  });

  test('has the time that it is given, or that of the previous id if that is later', () => {
    const beforeOverflow = fc.tuple(time, fc.bigInt(0n, randomMax / 2n)).map(([at, random]) => idOf(at, random));
    fc.assert(
      fc.property(beforeOverflow, time, (previous, at) => {
        assert.equal(timeOf(nextId('event', previous, at)), Math.max(at, timeOf(previous)));
        assert.equal(timeOf(nextId('event', null, at)), at);
      }),
    );
  });

  test('continues with the next millisecond after the last id of one', () => {
    fc.assert(
      fc.property(time, (at) => {
        const next = nextId('event', idOf(at, randomMax), 0);
        assert.match(uuidOf(next), version7);
        assert.equal(timeOf(next), at + 1);
      }),
    );
  });

  test('returns different ids to those that continue from the same one', () => {
    const previous = newId('event');
    assert.equal(new Set(Array.from({ length: 10_000 }, () => nextId('event', previous, 0))).size, 10_000);
  });

  test('sorts after a bound, which has no version', () => {
    fc.assert(
      fc.property(time, (at) => assert.ok(nextId('event', firstIdAt('event', at), 0) > firstIdAt('event', at))),
    );
  });
});

/** The id of a UUIDv7 of a time with these 74 bits. */
function idOf(at: number, random: bigint): string {
  const high = (random >> 62n).toString(16).padStart(3, '0');
  const low = (BigInt.asUintN(62, random) | (1n << 63n)).toString(16);
  return encodeTypeId('event', `${at.toString(16).padStart(12, '0')}7${high}${low}`);
}

function uuidOf(id: string): string {
  return decodeTypeId(id)?.uuid ?? assert.fail();
}

function timeOf(id: string): number {
  return Number.parseInt(uuidOf(id).replace('-', '').slice(0, 12), 16);
}
