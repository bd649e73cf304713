import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from 'app-registry-testkit/engines/postgres-server';
import { readConfig } from '../packages/server/src/config/config.ts';
import { createLogger } from '../packages/server/src/log.ts';
import { commandLine, openRegistry } from '../packages/server/src/registry/registry.ts';
import { issueToken } from '../packages/server/src/registry/tokens/issue-token.ts';
import { type Server, startServer } from '../packages/server/src/serve.ts';
import { openStorage } from '../packages/server/src/storage/open-storage.ts';
import { fillRegistry } from './fill-registry.ts';
import { listQuestions, type Question } from './list-questions.ts';
import { ServerTimes } from './server-times.ts';

const usage = `Measures how long each list of the operator API takes in a large registry: the first page, and pages in
the middle forwards and backwards, of 100 rows. The figures are the server's own times, of its log.

  node bench/lists.ts [--apps 1000000] [--installations 10000000] [--rounds 5] [--database URL]... [--only LIST]

Without --database it fills one of each engine, and removes them at the end: about 12 GB each, on the disk of
temporary files. A database that is named is filled when it is empty, and kept. With --only it asks for the lists
whose path ends so.
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
const size = { apps: Number(values.apps), installations: Number(values.installations) };

if (values.help) process.stdout.write(usage);
else if (values.database) for (const url of values.database) await measure(url);
else await measureBoth();

async function measureBoth(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lists-'));
  try {
    await measure(`sqlite:${join(folder, 'registry.db')}`);
  } finally {
    rmSync(folder, { recursive: true });
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
  const config = { PUBLIC_ADDRESS: '127.0.0.1:0', OPERATOR_ADDRESS: '127.0.0.1:0', DATABASE_URL: databaseUrl };
  const server = await startServer(readConfig(config), createLogger('info', times));
  const ask = (path: string) => askFor(path, { server, token, times });
  const questions = listQuestions(size).filter(({ path }) => path.endsWith(values.only));
  try {
    // What is measured is a server that runs, and not how it starts.
    for (const { path, parameters } of questions.slice(0, 50)) await ask(`${path}?${new URLSearchParams(parameters)}`);
    const taken: Taken[] = [];
    for (const question of questions) {
      for (const path of pagesOf(question)) {
        for (let round = 0; round < Number(values.rounds); round += 1)
          taken.push({ ...question, path, ms: await ask(path) });
      }
    }
    process.stdout.write(table(databaseUrl.split(':')[0] ?? '', taken));
  } finally {
    await server.stop();
  }
}

async function isEmpty(databaseUrl: string): Promise<boolean> {
  const storage = await openStorage(databaseUrl);
  const [app] = await storage.reader.rows(storage.reader.builder.selectFrom('apps').select('id').limit(1).compile());
  await storage.close();
  return app === undefined;
}

async function newToken(databaseUrl: string): Promise<string> {
  const storage = await openStorage(databaseUrl);
  const registry = await openRegistry(storage, readConfig({}));
  const { token } = await issueToken(registry, commandLine, { kind: 'operator', scopes: ['admin'] });
  await storage.close();
  return token;
}

/** The first page, and the pages after and before a row in the middle. */
function pagesOf({ path, parameters, middle }: Question): string[] {
  const cursors = ['after', 'before'].map((side) =>
    Buffer.from(JSON.stringify([side, ...middle])).toString('base64url'),
  );
  return [{}, ...cursors.map((cursor) => ({ cursor }))].map(
    (place) => `${path}?${new URLSearchParams({ ...parameters, ...place, limit: '100' })}`,
  );
}

async function askFor(
  path: string,
  { server, token, times }: { server: Server; token: string; times: ServerTimes },
): Promise<number> {
  const time = times.next();
  const answer = await fetch(`http://127.0.0.1:${server.operatorAddress.port}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
  return time;
}

interface Taken extends Question {
  ms: number;
}

/** In Markdown: a line for each list with its filters. */
function table(engine: string, taken: Taken[]): string {
  const lines = [...Map.groupBy(taken, ({ list }) => list)].map(([list, ofList]) => {
    const sorted = ofList.toSorted((one, other) => one.ms - other.ms);
    const at = (share: number) => (sorted[Math.ceil(sorted.length * share) - 1] as Taken).ms.toFixed(1);
    const slowest = JSON.stringify(sorted.at(-1)?.parameters);
    return `| ${list} | ${sorted.length} | ${at(0.5)} | ${at(0.99)} | ${at(1)} | \`${slowest}\` |\n`;
  });
  return `\n| ${engine}: list | asked | p50 ms | p99 ms | max ms | slowest |\n|---|---|---|---|---|---|\n${lines.join('')}`;
}
