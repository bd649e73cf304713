import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createToken } from '@appregistrar/testkit/calls/access';
import { startPostgres } from '@appregistrar/testkit/engines/postgres-server';
import { apiRequest } from '@appregistrar/testkit/http/http-request';
import { send } from '@appregistrar/testkit/http/send';
import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import { percentile } from '@appregistrar/testkit/statistics';
import { removeFolder, temporaryFolder } from '@appregistrar/testkit/system/temporary-folder';
import { readConfig } from '../packages/server/src/config/config.ts';
import type { PageOf } from '../packages/server/src/kernel/page.ts';
import { commandLine } from '../packages/server/src/kernel/registry.ts';
import { createLogger } from '../packages/server/src/log.ts';
import { type Server, startServer } from '../packages/server/src/serve.ts';
import { fillRegistry, isEmpty } from './fill-registry.ts';
import { type ListRequest, listRequests } from './list-requests.ts';
import { ServerTimes } from './server-times.ts';

const usage = `Measures each list of the operator API in a large registry: the first page of 100 rows, one after it, and the page
before that. The figures are the durations in the server's log.

  node bench/lists.ts [--apps 1000000] [--installations 10000000] [--rounds 5] [--database URL]... [--only LIST]

Without --database it fills a temporary database of each engine, about 12 GB each. A given database is filled if it
is empty, and stays. --only measures the lists whose path ends with this text.
`;

const { values } = parseArgs({
  options: {
    apps: { type: 'string', default: '1000000' },
    installations: { type: 'string', default: '10000000' },
    rounds: { type: 'string', default: '5' },
    database: { type: 'string', multiple: true },
    only: { type: 'string', default: '' },
    help: { type: 'boolean' },
  },
});
/** How many pages are before the second page that is measured. */
const pagesBefore = 10;
const size = { apps: Number(values.apps), installations: Number(values.installations) };

if (values.help) process.stdout.write(usage);
else if (values.database) for (const url of values.database) await measure(url);
else await measureBoth();

async function measureBoth(): Promise<void> {
  const folder = temporaryFolder('lists-');
  try {
    await measure(`sqlite:${join(folder, 'registry.db')}`);
  } finally {
    removeFolder(folder);
  }
  const postgres = await startPostgres();
  try {
    await measure(postgres.url);
  } finally {
    await postgres.stop();
  }
}

async function measure(databaseUrl: string): Promise<void> {
  if (await isEmpty(databaseUrl)) await fillRegistry(databaseUrl, size);
  const token = await newToken(databaseUrl);
  const times = new ServerTimes();
  const config = {
    PUBLIC_ADDRESS: '127.0.0.1:0',
    OPERATOR_ADDRESS: '127.0.0.1:0',
    DATABASE_URL: databaseUrl,
    // They are counted as usual.
    RATE_LIMIT_OPERATOR_REQUESTS_PER_MINUTE: '999999999',
  };
  const server = await startServer(readConfig(config), createLogger('info', times));
  const measureOne = (path: string) => durationOf(path, { server, token, times });
  const requests = listRequests(size).filter(({ path }) => path.endsWith(values.only));
  try {
    // Warms up the server.
    for (const { path, parameters } of requests.slice(0, 50)) {
      await measureOne(`${path}?${new URLSearchParams(parameters)}`);
    }
    const measurements: Measurement[] = [];
    for (const request of requests) {
      for (const path of await pagesOf(request, { server, token, times })) {
        for (let round = 0; round < Number(values.rounds); round += 1) {
          measurements.push({ ...request, path, ms: await measureOne(path) });
        }
      }
    }
    process.stdout.write(table(databaseUrl.split(':')[0] ?? '', measurements));
  } finally {
    await server.stop();
  }
}

function newToken(databaseUrl: string): Promise<string> {
  return withRegistry(databaseUrl, async (registry) => {
    const { token } = await createToken(registry, commandLine, { kind: 'operator', scopes: ['admin'] });
    return token;
  });
}

/** The first page, one after it, and the page before that. */
async function pagesOf({ path, parameters }: ListRequest, measured: Measured): Promise<string[]> {
  const page = (cursor: object) => `${path}?${new URLSearchParams({ ...parameters, ...cursor, limit: '100' })}`;
  const pages = [page({})];
  let found = await read(page({}), measured);
  for (let at = 0; at < pagesBefore && found.nextCursor; at += 1) {
    const next = page({ cursor: found.nextCursor });
    found = await read(next, measured);
    pages[1] = next;
  }
  return found.prevCursor ? [...pages, page({ cursor: found.prevCursor })] : pages;
}

interface Measured {
  server: Server;
  token: string;
  times: ServerTimes;
}

interface ReadPage extends PageOf<unknown> {
  ms: number;
}

/** The duration of a request by the server's log. */
async function durationOf(path: string, measured: Measured): Promise<number> {
  return (await read(path, measured)).ms;
}

async function read(path: string, { server, token, times }: Measured): Promise<ReadPage> {
  const ms = times.next();
  const origin = `http://127.0.0.1:${server.operatorAddress.port}`;
  const { status, text } = await send(origin, apiRequest(token, { path }));
  if (status !== 200) throw new Error(`${path} received ${status}: ${text}`);
  return { ...(JSON.parse(text) as PageOf<unknown>), ms: await ms };
}

interface Measurement extends ListRequest {
  ms: number;
}

/** A Markdown table with a row for each list with its filters. */
function table(engine: string, measurements: Measurement[]): string {
  const lines = [...Map.groupBy(measurements, ({ list }) => list)].map(([list, ofList]) => {
    const sorted = ofList.toSorted((one, other) => one.ms - other.ms);
    const durations = sorted.map(({ ms }) => ms);
    const at = (share: number) => percentile(durations, share).toFixed(1);
    const slowest = JSON.stringify(sorted.at(-1)?.parameters);
    return `| ${list} | ${sorted.length} | ${at(0.5)} | ${at(0.99)} | ${at(1)} | \`${slowest}\` |\n`;
  });
  return `\n| ${engine}: list | requests | p50 ms | p99 ms | max ms | slowest |\n|---|---|---|---|---|---|\n${lines.join('')}`;
}
