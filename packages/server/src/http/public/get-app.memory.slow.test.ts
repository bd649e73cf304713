import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import { Program } from '@appregistrar/testkit/programs/program';
import { addInstallations } from '@appregistrar/testkit/registry/many-installations';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { StreamedResponse } from '../../../test/http/streamed-response.ts';

const launcher = fileURLToPath(new URL('../../../bin/app-registry.js', import.meta.url));
/** 48 MB of JSON, and several times that as objects. */
const count = 200_000;
const aboveIdleMax = 64 * 1024 * 1024;
const gzip = { 'accept-encoding': 'gzip' };

forEachEngine((engine) => {
  let data: RegistryFixture;
  let server: Program;
  let ports: { public: number; operator: number };
  let getApp: (headers?: Record<string, string>) => Promise<StreamedResponse>;
  before(async () => {
    data = await RegistryFixture.open(engine);
    const app = await data.newApp();
    await addInstallations(data.registry.storage, { appId: app.id, count, userId: app.developerId });
    const { token } = await data.newToken('platform');
    const env = { DATABASE_URL: data.databaseUrl, PUBLIC_ADDRESS: '127.0.0.1:0', OPERATOR_ADDRESS: '127.0.0.1:0' };
    // Garbage must not wait for another thread, which a busy machine may leave without a processor.
    server = new Program([process.execPath, '--single-threaded-gc', launcher, 'serve'], { env });
    ports = await server.until(servingPorts);
    getApp = (headers = {}) =>
      StreamedResponse.get(ports.public, `/platform/apps/v1/${app.id}`, { headers: { ...bearer(token), ...headers } });
  });
  after(async () => {
    server.kill('SIGTERM');
    await server.ended;
    await data.close();
  });

  for (const headers of [{}, gzip]) {
    const bytesBetween = headers === gzip ? 40_000 : 1_000_000;
    test(`a long list${headers === gzip ? ' with gzip' : ''} is complete and uses at most 64 MiB above idle`, async () => {
      const idle = await residentBytes();
      const figures: Promise<number>[] = [];
      // By bytes and not by time, so that a busy machine measures as often: each figure takes memory too.
      const text = await (await getApp(headers)).text((bytes) => {
        if (bytes >= (figures.length + 1) * bytesBetween) figures.push(residentBytes());
      });
      assert.equal(JSON.parse(text).installations.length, count);
      const most = Math.max(...(await Promise.all(figures)));
      assert.ok(most - idle <= aboveIdleMax, `${most - idle} bytes above ${idle}`);
    });
  }

  /** As the process reports it. */
  async function residentBytes(): Promise<number> {
    const response = await fetch(`http://127.0.0.1:${ports.operator}/metrics`);
    const [, bytes] = /^process_resident_memory_bytes (\d+)/m.exec(await response.text()) ?? [];
    return Number(bytes ?? assert.fail('no figure'));
  }
});

function servingPorts(log: string): { public: number; operator: number } | null {
  const line = log.split('\n').find((text) => text.includes('"msg":"serving"') && text.endsWith('}'));
  if (!line) return null;
  const { public: publicAddress, operator } = JSON.parse(line);
  return { public: portOf(publicAddress), operator: portOf(operator) };
}

function portOf(address: string): number {
  return Number(new URL(`http://${address}`).port);
}
