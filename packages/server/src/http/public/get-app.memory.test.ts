import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import { bearer } from 'app-registry-testkit/http/http-request';
import { StreamedResponse } from 'app-registry-testkit/http/streamed-response';
import { Program } from 'app-registry-testkit/programs/program';
import { addInstallations } from 'app-registry-testkit/registry/many-installations';
import { RegistryFixture } from 'app-registry-testkit/registry/registry-fixture';

const launcher = fileURLToPath(new URL('../../../bin/app-registry.js', import.meta.url));
/** 48 MB of JSON, and several times that as objects. */
const count = 200_000;
const aboveIdleMax = 64 * 1024 * 1024;

forEachEngine((engine) => {
  let data: RegistryFixture;
  let server: Program;
  let ports: { public: number; operator: number };
  let ask: (headers?: Record<string, string>) => Promise<StreamedResponse>;
  before(async () => {
    data = await RegistryFixture.open(engine);
    const app = await data.newApp();
    await addInstallations(data.registry.storage, { appId: app.id, count, userId: app.developerId });
    const { token } = await data.newToken('platform');
    const env = { DATABASE_URL: data.databaseUrl, PUBLIC_ADDRESS: '127.0.0.1:0', OPERATOR_ADDRESS: '127.0.0.1:0' };
    server = new Program([process.execPath, launcher, 'serve'], { env });
    ports = await server.until(servingPorts);
    ask = (headers = {}) =>
      StreamedResponse.get(ports.public, `/platform/apps/v1/${app.id}`, { headers: { ...bearer(token), ...headers } });
  });
  after(async () => {
    server.kill('SIGTERM');
    await server.ended;
    await data.close();
  });

  for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
    test(`a long list${'accept-encoding' in headers ? ' with gzip' : ''} takes at most 64 MiB above idle, whole`, async () => {
      const idle = await residentBytes();
      let most = 0;
      let ended = false;
      const answer = ask(headers)
        .then((answer) => answer.text())
        .finally(() => {
          ended = true;
        });
      while (!ended) {
        most = Math.max(most, await residentBytes());
        await sleep(20);
      }
      assert.equal(JSON.parse(await answer).installations.length, count);
      assert.ok(most - idle <= aboveIdleMax, `${most - idle} bytes above ${idle}`);
    });
  }

  /** As the process itself tells it. */
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
