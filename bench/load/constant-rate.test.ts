import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { type ConstantRate, constantRate } from './constant-rate.ts';
import type { Latencies } from './latencies.ts';
import { always, bytesOf } from './load.ts';

const request = always(bytesOf({ method: 'GET', path: '/' }));

test('a stall of the server counts with the full waiting time of its users', async () => {
  // All requests of the 400 ms wait, 200 ms on average, although 8 connections can only send 8 of them.
  let stallsFrom = Number.POSITIVE_INFINITY;
  const latencies = await measure(
    (_request, response) => {
      stallsFrom = Math.min(stallsFrom, performance.now() + 500);
      const left = stallsFrom + 400 - performance.now();
      if (performance.now() >= stallsFrom && left > 0) setTimeout(() => response.end('late'), left);
      else response.end('in time');
    },
    { perSecond: 500, seconds: 2 },
  );
  assert.equal(latencies.count, 1_000);
  // Other programs may delay more of them.
  assert.ok(latencies.at(0.9) > 100, `90 % within ${latencies.at(0.9)} ms`);
  assert.ok(latencies.at(1) > 380, `the longest took ${latencies.at(1)} ms`);
});

test('requests are sent at the given rate', async () => {
  let count = 0;
  const startedAt = performance.now();
  await measure(
    (_request, response) => {
      count += 1;
      response.end('in time');
    },
    { perSecond: 1_000, seconds: 1 },
  );
  assert.equal(count, 1_000);
  assert.ok(performance.now() - startedAt >= 990, 'no request is sent before it is due');
});

test('a load that ends early counts pending requests with their time until then', async () => {
  const end = new AbortController();
  // A timer may be early by a millisecond.
  const neverRespond = () => setTimeout(() => end.abort(), 501);
  const latencies = await measure(neverRespond, { perSecond: 500, seconds: 60, signal: end.signal });
  assert.ok(latencies.count >= 250 && latencies.count < 30_000, `${latencies.count} requests were due`);
  assert.ok(latencies.at(1) >= 500, `the first of them waited for ${latencies.at(1)} ms`);
});

test('an unexpected response ends the load', async () => {
  const refuse: RequestListener = (_request, response) => response.writeHead(503, { 'content-length': 4 }).end('full');
  await assert.rejects(measure(refuse, { perSecond: 100, seconds: 1 }), /503: full/);
});

async function measure(
  listener: RequestListener,
  load: Pick<ConstantRate, 'perSecond' | 'seconds' | 'signal'>,
): Promise<Latencies> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await constantRate({ ports: [port], connections: 8, warmUpSeconds: 0, ...load, next: request });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
