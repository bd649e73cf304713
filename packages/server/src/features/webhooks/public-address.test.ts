import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { isPublicAddress, queryNameServers } from './public-address.ts';

const A = 1;
const AAAA = 28;
type Records = Partial<Record<number, number[]>>;
const records: Record<string, Records> = {
  'both.example.com': { [A]: [93, 184, 215, 14], [AAAA]: [0x26, 6, ...Array<number>(13).fill(0), 1] },
  'four.example.com': { [A]: [93, 184, 215, 15] },
};

/** Networks by their first and last address, and the public addresses next to them; empty where those are not public. */
const specialNetworks: Record<string, [before: string, first: string, last: string, after: string][]> = {
  'this network': [['', '0.0.0.0', '0.255.255.255', '1.0.0.0']],
  'private networks': [
    ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0'],
    ['172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
    ['192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0'],
  ],
  'addresses shared behind a carrier': [['100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0']],
  loopback: [['126.255.255.255', '127.0.0.0', '127.255.255.255', '128.0.0.0']],
  'link-local addresses and the metadata of clouds': [
    ['169.253.255.255', '169.254.0.0', '169.254.255.255', '169.255.0.0'],
    ['168.63.129.15', '168.63.129.16', '168.63.129.16', '168.63.129.17'],
  ],
  'protocols of the IETF': [
    ['191.255.255.255', '192.0.0.0', '192.0.0.255', '192.0.1.0'],
    ['192.88.98.255', '192.88.99.0', '192.88.99.255', '192.88.100.0'],
    ['2000:ffff::', '2001::', '2001:1ff:ffff::1', '2001:200::1'],
  ],
  benchmarks: [['198.17.255.255', '198.18.0.0', '198.19.255.255', '198.20.0.0']],
  documentation: [
    ['192.0.1.255', '192.0.2.0', '192.0.2.255', '192.0.3.0'],
    ['198.51.99.255', '198.51.100.0', '198.51.100.255', '198.51.101.0'],
    ['203.0.112.255', '203.0.113.0', '203.0.113.255', '203.0.114.0'],
    ['2001:db7:ffff::1', '2001:db8::', '2001:db8:ffff::1', '2001:db9::'],
    ['3ffe:ffff::1', '3fff::', '3fff:fff::1', '3fff:1000::'],
  ],
  'multicast, reserved and broadcast addresses': [['223.255.255.255', '224.0.0.0', '255.255.255.255', '']],
  '6to4, which embeds any IPv4 address': [['2001:ffff::', '2002::', '2002:ffff:ffff::', '2003::']],
  'IPv6 outside the range allocated to the internet': [
    ['', '::', '1fff:ffff::', '2000::'],
    ['3fff:ffff::', '4000::', 'ffff:ffff::', ''],
  ],
};

const hidden: Record<string, string[]> = {
  'an address of one link or organisation': ['::1', 'fe80::1%eth0', 'fd00:ec2::254', 'fc00::', 'fec0::1', 'ff02::1'],
  'IPv6 that embeds a hidden IPv4 address': [
    ...['::ffff:127.0.0.1', '0:0:0:0:0:ffff:10.0.0.1', '::FFFF:C0A8:0001', '::ffff:0.0.0.0'],
    ...['64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b::', '64:ff9b:0:0:0:0:192.168.1.1'],
  ],
  'IPv6 of which only some networks embed an IPv4 address': [
    ...['64:ff9b:1::8.8.8.8', '2002:808:808::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ...['::127.0.0.1', '::8.8.8.8', '::ffff:0:127.0.0.1'],
  ],
  'texts that are not addresses': [
    ...['', 'localhost', 'example.com', '1.2.3', '8.8.8.8 ', '010.8.8.8', '8.8.8.8:80'],
    ...['[2606:4700::1]', '2130706433', '0x08080808'],
  ],
};

describe('deliveries do not go to', () => {
  for (const [what, networks] of Object.entries(specialNetworks)) {
    test(what, () => {
      const hiddenOnes = networks.flatMap(([, first, last]) => [first, last]);
      assert.deepEqual(hiddenOnes.filter(isPublicAddress), []);
      const around = networks.flatMap(([before, , , after]) => [before, after]).filter((address) => address !== '');
      assert.deepEqual(around.filter(isPublicAddress), around, 'but to their neighbours');
    });
  }
  for (const [what, addresses] of Object.entries(hidden)) {
    test(what, () => assert.deepEqual(addresses.filter(isPublicAddress), []));
  }
});

test('an IPv4 address is classified alike in every IPv6 notation', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
      const groups = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
      const ways = [`::ffff:${address}`, `::ffff:${groups}`, `64:ff9b::${address}`, `64:ff9b::${groups}`];
      return ways.every((way) => isPublicAddress(way) === isPublicAddress(address));
    }),
    { numRuns: 2_000 },
  );
});

describe('names are resolved by querying name servers, so that', () => {
  /** Responses held back. */
  const late: (() => void)[] = [];
  let server: Socket;
  before(async () => {
    server = createSocket('udp4').bind(0, '127.0.0.1');
    await once(server, 'listening');
    server.on('message', (query, { port, address }) => {
      const name = nameIn(query);
      const respond = () => server.send(responseTo(query, name), port, address);
      if (name.startsWith('slow-')) late.push(respond);
      else respond();
    });
  });
  after(() => server.close());

  function resolve(name: string): Promise<LookupAddress[]> {
    const lookup = queryNameServers([`127.0.0.1:${server.address().port}`]);
    return new Promise((done, fail) => {
      lookup(name, { all: true }, (error, addresses) => (error ? fail(error) : done(addresses)));
    });
  }

  test('a name has the addresses of both families, and an unknown name none', async () => {
    assert.deepEqual(await resolve('both.example.com'), [
      { address: '93.184.215.14', family: 4 },
      { address: '2606::1', family: 6 },
    ]);
    assert.deepEqual(await resolve('four.example.com'), [{ address: '93.184.215.15', family: 4 }]);
    await assert.rejects(resolve('none.example.com'), { code: 'ENOTFOUND' });
  });

  test('slow names do not delay others', async () => {
    const slow = Promise.all(Array.from({ length: 50 }, (_, at) => resolve(`slow-${at}.example.com`)));
    const first = await Promise.race([slow.then(() => 'slow'), resolve('four.example.com').then(() => 'quick')]);
    assert.equal(first, 'quick');
    for (const respond of late.splice(0)) respond();
    assert.deepEqual(new Set((await slow).flat().map(({ address }) => address)), new Set(['93.184.215.16']));
  });
});

/** A name server's response to a query for one name (RFC 1035, 4). */
function responseTo(query: Buffer, name: string): Buffer {
  const question = query.subarray(12, query.indexOf(0, 12) + 5);
  const known: Records | undefined = name.startsWith('slow-') ? { [A]: [93, 184, 215, 16] } : records[name];
  const data = known?.[type(question)];
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(known ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(data ? 1 : 0, 6);
  const record = data ? [0xc0, 12, 0, type(question), 0, 1, 0, 0, 0, 60, 0, data.length, ...data] : [];
  return Buffer.concat([header, question, Buffer.from(record)]);
}

function type(question: Buffer): number {
  return question.readUInt16BE(question.length - 4);
}

function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12, length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  // Resolvers may mix upper and lower case.
  return labels.join('.').toLowerCase();
}
