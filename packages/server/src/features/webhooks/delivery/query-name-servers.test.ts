import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { queryNameServers } from '../public-address.ts';

const A = 1;
const AAAA = 28;
type Records = Partial<Record<number, number[]>>;
const records: Record<string, Records> = {
  'both.example.com': { [A]: [93, 184, 215, 14], [AAAA]: [0x26, 6, ...Array<number>(13).fill(0), 1] },
  'four.example.com': { [A]: [93, 184, 215, 15] },
};

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

test('a name resolves to the addresses of both families', async () => {
  assert.deepEqual(await resolve('both.example.com'), [
    { address: '93.184.215.14', family: 4 },
    { address: '2606::1', family: 6 },
  ]);
  assert.deepEqual(await resolve('four.example.com'), [{ address: '93.184.215.15', family: 4 }]);
});

test('an unknown name is reported as such', async () => {
  await assert.rejects(resolve('none.example.com'), { code: 'ENOTFOUND' });
});

test('slow names do not delay others', async () => {
  const slow = Promise.all(Array.from({ length: 50 }, (_, at) => resolve(`slow-${at}.example.com`)));
  const first = await Promise.race([slow.then(() => 'slow'), resolve('four.example.com').then(() => 'quick')]);
  assert.equal(first, 'quick');
  for (const respond of late.splice(0)) respond();
  assert.deepEqual(new Set((await slow).flat().map(({ address }) => address)), new Set(['93.184.215.16']));
});

function resolve(name: string): Promise<LookupAddress[]> {
  const lookup = queryNameServers([`127.0.0.1:${server.address().port}`]);
  return new Promise((done, fail) => {
    lookup(name, { all: true }, (error, addresses) => (error ? fail(error) : done(addresses)));
  });
}

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
