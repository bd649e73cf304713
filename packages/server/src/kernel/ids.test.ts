import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { decodeTypeId, encodeTypeId, firstIdAt, isTypeId, newId, nextId, toTypeId, uuidV5 } from './ids.ts';

interface Vector {
  name: string;
  typeid: string;
  prefix: string;
  uuid: string;
}

const prefix = fc.stringMatching(/^[a-z](?:[a-z_]{0,61}[a-z])?$/);
/** Any 128 bits, not only those of a known UUID version. */
const anyUuid = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map((bits) => {
  const hex = bits.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
});

describe('the official test vectors', () => {
  const vectors = (name: 'valid' | 'invalid'): Vector[] =>
    JSON.parse(readFileSync(new URL(`corpora/typeid/${name}.json`, import.meta.url), 'utf8'));

  test('are complete', () => {
    assert.deepEqual([vectors('valid').length, vectors('invalid').length], [9, 21]);
  });

  for (const { name, typeid, prefix, uuid } of vectors('valid')) {
    test(`${name} decodes to its UUID and back`, () => {
      assert.deepEqual(decodeTypeId(typeid), { prefix, uuid });
      assert.equal(encodeTypeId(prefix, uuid), typeid);
    });
  }

  for (const { name, typeid } of vectors('invalid')) {
    test(`${name} is rejected`, () => {
      assert.equal(decodeTypeId(typeid), null);
      assert.equal(toTypeId(typeid, 'prefix'), null);
    });
  }
});

describe('a TypeID', () => {
  test('of any prefix and UUID is decoded to them, sorts as its UUID, and is escaped by no JSON', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constant(''), prefix), anyUuid, anyUuid, (prefix, uuid, other) => {
        const id = encodeTypeId(prefix, uuid);
        assert.deepEqual(decodeTypeId(id), { prefix, uuid });
        assert.equal(id < encodeTypeId(prefix, other), uuid < other);
        // The streaming of long lists requires it.
        assert.equal(JSON.stringify(id), `"${id}"`);
      }),
    );
  });

  test('is the only text for its id: encoding what it is decoded to gives the same text', () => {
    const text = fc.stringMatching(/^[a-z]{1,8}_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/);
    fc.assert(
      fc.property(text, (text) => {
        const { prefix, uuid } = decodeTypeId(text) ?? assert.fail(text);
        assert.equal(encodeTypeId(prefix, uuid), text);
      }),
    );
  });

  test('ends with its suffix, and has exactly its prefix', () => {
    const suffix = '01h455vb4pex5vsknk084sn02q';
    assert.equal(decodeTypeId(`app_${suffix}\n`), null);
    assert.equal(isTypeId(`work_space_${suffix}`, 'work_space'), true);
    assert.equal(isTypeId(`work_space_${suffix}`, 'work'), false);
    assert.equal(isTypeId(`user_${suffix}`, 'workspace'), false);
    assert.equal(isTypeId(suffix, 'workspace'), false);
  });

  test('is read from a TypeID or a bare UUID in either case, and from no text that only resembles one', () => {
    const [uuid, id] = ['01890a5d-ac96-774b-bcce-b302099a8057', 'user_01h455vb4pex5vsknk084sn02q'];
    for (const text of [id, uuid, uuid.toUpperCase()]) assert.equal(toTypeId(text, 'user'), id);
    const others = [
      uuid.replaceAll('-', ''),
      `{${uuid}}`,
      `urn:uuid:${uuid}`,
      uuid.slice(1),
      `${uuid} `,
      `${id}\u0000`,
    ];
    for (const text of [...others, id.replace('user', 'workspace')]) assert.equal(toTypeId(text, 'user'), null, text);
  });
});

const version7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('new ids have the prefix and a UUIDv7, and sort in the order of their creation', () => {
  const ids = Array.from({ length: 2000 }, () => newId('installation'));
  assert.equal(decodeTypeId(ids[0] ?? '')?.prefix, 'installation');
  for (const id of ids) assert.match(uuidOf(id), version7);
  assert.deepEqual(ids, [...new Set(ids)].toSorted());
});

describe('nextId', () => {
  const time = fc.integer({ min: 0, max: 2 ** 48 - 2 });
  const randomMax = 2n ** 74n - 1n;

  test('returns the id of a UUIDv7 that sorts after the previous id, and after a bound, which has no version', () => {
    fc.assert(
      fc.property(time, fc.bigInt(0n, randomMax), time, (before, random, at) => {
        const previous = idOf(before, random);
        const next = nextId('event', previous, at);
        assert.match(uuidOf(next), version7);
        assert.ok(next > previous);
        assert.ok(nextId('event', firstIdAt('event', at), 0) > firstIdAt('event', at));
      }),
    );
  });

  test('has the time that it is given, or that of the previous id if that is later', () => {
    fc.assert(
      fc.property(time, fc.bigInt(0n, randomMax / 2n), time, (before, random, at) => {
        assert.equal(timeOf(nextId('event', idOf(before, random), at)), Math.max(at, before));
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
});

test('a UUIDv5 is the one of RFC 9562, of the UTF-8 of its name, and of the namespace regardless of case', () => {
  const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
  assert.equal(uuidV5(dns, 'www.example.com'), '2ed6657d-e927-568b-95e1-2665a8aea6a2');
  // Python: uuid.uuid5(uuid.NAMESPACE_DNS, 'app:Zoë')
  assert.equal(uuidV5(dns.toUpperCase(), 'app:Zoë'), 'e1759124-1c31-5f83-843e-964148bd902a');
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
