import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isPublicAddress } from './public-address.ts';

const hidden: Record<string, string[]> = {
  'this network': ['0.0.0.0', '0.255.255.255'],
  'private networks': ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  'addresses shared behind a carrier': ['100.64.0.0', '100.100.100.200', '100.127.255.255'],
  loopback: ['127.0.0.0', '127.0.0.1', '127.255.255.255', '::1'],
  'link-local addresses and the metadata of clouds': [
    '169.254.0.0',
    '169.254.169.254',
    '169.254.170.2',
    '169.254.255.255',
    'fe80::',
    'fe80::1%eth0',
    'febf:ffff::1',
    'fd00:ec2::254',
    '168.63.129.16',
    '192.0.0.192',
  ],
  'protocols of the IETF': ['192.0.0.0', '192.0.0.255', '192.88.99.1', '2001::', '2001:1ff:ffff::1'],
  benchmarks: ['198.18.0.0', '198.19.255.255', '2001:2::1'],
  documentation: [
    '192.0.2.0',
    '192.0.2.255',
    '198.51.100.1',
    '203.0.113.255',
    '2001:db8::',
    '2001:db8:ffff::1',
    '3fff::',
    '3fff:fff::1',
  ],
  multicast: ['224.0.0.0', '239.255.255.255', 'ff00::', 'ff02::1', 'ff0e::1'],
  'reserved addresses': [
    '240.0.0.0',
    '255.255.255.254',
    '255.255.255.255',
    '::',
    '::2',
    '100::1',
    '5f00::1',
    '4000::',
    'e000::1',
  ],
  'networks of one organisation': ['fc00::', 'fd12:3456::1', 'fdff::1', 'fec0::1', 'feff::1'],
  'IPv6 that embeds a hidden IPv4 address': [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:10.0.0.1',
    '::ffff:169.254.169.254',
    '::FFFF:C0A8:0001',
    '::ffff:0.0.0.0',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b::',
    '64:ff9b:0:0:0:0:192.168.1.1',
    '64:ff9b:1::8.8.8.8',
    '2002:7f00:1::',
    '2002:808:808::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:0:127.0.0.1',
  ],
  'texts that are not addresses': [
    '',
    'localhost',
    'example.com',
    '1.2.3',
    '8.8.8.8 ',
    '010.8.8.8',
    '8.8.8.8:80',
    '[2606:4700::1]',
    '2130706433',
    '0x08080808',
  ],
};

const open = [
  '1.0.0.0',
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '93.184.215.14',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '168.63.129.17',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.0.3.0',
  '192.88.98.1',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
  '2000::1',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2001:db7:ffff::1',
  '2001:db9::',
  '2003::1',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80b::200e',
  '3ffe:ffff::1',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '64:ff9b::8.8.8.8',
  '64:ff9b::101:101',
];

describe('deliveries do not go to', () => {
  for (const [what, addresses] of Object.entries(hidden)) {
    test(what, () => assert.deepEqual(addresses.filter(isPublicAddress), []));
  }
});

test('deliveries go to public internet addresses', () => {
  assert.deepEqual(
    open.filter((address) => !isPublicAddress(address)),
    [],
  );
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

test('an IPv6 address is public only within the ranges allocated to the internet', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const first = Number.parseInt(new URL(`http://[${address}]`).hostname.slice(1).split(':')[0] || '0', 16);
      return !isPublicAddress(address) || (first & 0xe000) === 0x2000 || first === 0x64 || first === 0;
    }),
    { numRuns: 2_000 },
  );
});
