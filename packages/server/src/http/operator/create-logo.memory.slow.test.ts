import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { encodeForm } from '@appregistrar/testkit/http/form';
import { bearer } from '@appregistrar/testkit/http/http-request';
import { send } from '@appregistrar/testkit/http/send';
import { Program } from '@appregistrar/testkit/programs/program';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import sharp from 'sharp';

const launcher = fileURLToPath(new URL('../../../bin/app-registry.js', import.meta.url));
const atOnce = 4;
/** A busy machine may take minutes to draw them. */
const timeoutMs = 600_000;
const growthBytesMax = 100 * 1024 * 1024;

let data: RegistryFixture;
let server: Program;
let operatorUrl: string;
let token: string;
before(async () => {
  data = await RegistryFixture.open(sqlite);
  token = (await data.newToken('operator', { scopes: ['admin'] })).token;
  const env = { DATABASE_URL: data.databaseUrl, PUBLIC_ADDRESS: '127.0.0.1:0', OPERATOR_ADDRESS: '127.0.0.1:0' };
  server = new Program([process.execPath, launcher, 'serve'], { env });
  operatorUrl = await server.until(operatorUrlOf);
});
after(async () => {
  server.kill('SIGTERM');
  await server.ended;
  await data.close();
});

test(`${atOnce} images of 128 MiB each take at most 100 MiB of the service`, async () => {
  const idle = peakBytes();
  const request = await uploadOf(await largestImage());
  const responses = await Promise.all(Array.from({ length: atOnce }, () => send(operatorUrl, request, { timeoutMs })));
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([201]));
  const growth = peakBytes() - idle;
  assert.ok(growth <= growthBytesMax, `${growth} bytes above ${idle}`);
  assert.doesNotMatch(readFileSync(`/proc/${server.process.pid}/maps`, 'utf8'), /vips|resvg/, 'it loads no decoder');
});

async function uploadOf(image: Uint8Array) {
  const { headers, body } = await encodeForm({ developerId: data.developer.id, image });
  return { method: 'POST', path: '/operator/v1/logos', headers: { ...bearer(token), ...headers }, body };
}

/** The most memory that the service has ever had, as the kernel counts it. */
function peakBytes(): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8')) ?? [];
  return Number(kib ?? assert.fail('no figure')) * 1_024;
}

/** As many pixels as an image may have, of 64 bits, and interlaced: all of them are in memory at once. */
function largestImage(): Promise<Uint8Array> {
  const create = { width: 4096, height: 4096, channels: 4, background: { r: 200, g: 30, b: 30, alpha: 0.5 } } as const;
  return sharp({ create }).toColourspace('rgb16').png({ progressive: true }).toBuffer();
}

function operatorUrlOf(log: string): string | null {
  const line = log.split('\n').find((text) => text.includes('"msg":"serving"') && text.endsWith('}'));
  return line ? `http://${JSON.parse(line).operator}` : null;
}
