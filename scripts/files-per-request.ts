// Prints through how many of the server's files and functions one request runs on a warm server, by the coverage of V8. With
// --list, also their names. What runs in other threads is not counted.
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { apiRequest, getAppRequest, type HttpRequest, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import { send } from '@appregistrar/testkit/http/send';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { readConfig } from '../packages/server/src/config/config.ts';
import { startServer } from '../packages/server/src/serve.ts';

const { values: options } = parseArgs({ options: { list: { type: 'boolean', default: false } } });
const source = new URL('../packages/server/src/', import.meta.url).href;
/** A function counts if each of these requests calls it: timers of the server run beside some of them. */
const measuredTimes = 5;
const warmUpTimes = 30;

const data = await RegistryFixture.open(sqlite);
const server = await startServer(
  readConfig({
    DATABASE_URL: data.databaseUrl,
    PUBLIC_ADDRESS: '127.0.0.1:0',
    OPERATOR_ADDRESS: '127.0.0.1:0',
    RATE_LIMIT_UPDATES_PER_MINUTE: '0',
  }),
  new CapturedLog().logger,
);
const tokens = {
  developer: (await data.newToken('developer')).token,
  platform: (await data.newToken('platform')).token,
  operator: (await data.newToken('operator')).token,
};
const { id } = await data.newApp({ status: 'APPROVED' });
let updates = 0;
const update = () => {
  updates += 1;
  const body = { listingInfo: { shortDescription: `Description ${updates}` } };
  return respond('public', updateAppRequest(tokens.developer, { id, update: body }));
};
const get = () => respond('public', getAppRequest(tokens.platform, id));

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

await report('PATCH of a description', async () => update);
await report('GET, not cached', async () => {
  await update();
  return get;
});
await report('GET, cached', async () => {
  await get();
  return get;
});
await report('approval', async () => {
  const app = await data.newApp({ status: 'AWAITING_REVIEW' });
  const path = `/operator/v1/apps/${app.id}`;
  const { etag } = await respond('operator', apiRequest(tokens.operator, { method: 'GET', path }));
  const request = apiRequest(tokens.operator, { method: 'POST', path: `${path}/approve`, body: { revision: etag } });
  return () => respond('operator', request);
});

session.disconnect();
await server.stop();
await data.close();

/** Prepares each request, then measures what it alone runs. */
async function report(name: string, prepare: () => Promise<() => Promise<unknown>>): Promise<void> {
  for (let time = 0; time < warmUpTimes; time += 1) await (await prepare())();
  let called: Set<string> | undefined;
  for (let time = 0; time < measuredTimes; time += 1) {
    const request = await prepare();
    await calledFunctions();
    await request();
    const now = await calledFunctions();
    called = called ? new Set([...called].filter((name) => now.has(name))) : now;
  }
  const functions = [...(called ?? [])].toSorted();
  const files = new Set(functions.map((name) => name.split(' ')[0] ?? ''));
  process.stdout.write(`${name.padEnd(24)} ${files.size} files, ${functions.length} functions\n`);
  if (options.list) process.stdout.write(`${functions.map((name) => `  ${name}\n`).join('')}\n`);
}

/** The functions of the server that were called since the last time. */
async function calledFunctions(): Promise<Set<string>> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const own = result.filter(({ url }) => url.startsWith(source));
  return new Set(
    own.flatMap(({ url, functions }) =>
      functions
        // The first range of a function without a name that starts at 0 is the module.
        .filter(({ ranges: [range] }) => range && range.count > 0 && range.startOffset > 0)
        .map(({ functionName, ranges: [range] }) => {
          const file = fileURLToPath(url).slice(fileURLToPath(source).length);
          return `${file} ${functionName || '(anonymous)'} ${range?.startOffset}`;
        }),
    ),
  );
}

async function respond(listener: 'public' | 'operator', request: HttpRequest): Promise<{ etag: string | undefined }> {
  const { port } = listener === 'public' ? server.publicAddress : server.operatorAddress;
  const { status, text, headers } = await send(`http://127.0.0.1:${port}`, request);
  if (status !== 200) throw new Error(`${request.method} ${request.path}: ${status} ${text}`);
  return { etag: headers.etag };
}
