import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { search } from '@appregistrar/testkit/calls/search';
import { startPostgres } from '@appregistrar/testkit/engines/postgres-server';
import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import { percentile } from '@appregistrar/testkit/statistics';
import { removeFolder, temporaryFolder } from '@appregistrar/testkit/system/temporary-folder';
import { commandLine, type Registry } from '../packages/server/src/kernel/registry.ts';
import { openBulkConnection } from './bulk-connection.ts';
import { fillRegistry, idOf, isEmpty, searchTexts } from './fill-registry.ts';

const usage = `Measures the search in a large registry, in this process and without HTTP: each text five times, and then a search right
after 100 and 1,000 apps were renamed, which has to catch up with them. Then measures updates that change a host or a name, which
leave a mark, and updates that change only a description, which do not.

  node bench/search.ts [--apps 1000000] [--database URL]... [--rounds 5]

Without --database it fills a temporary database of each engine, about 2 GB each. A given database is filled if it is empty,
and stays.
`;

const { values } = parseArgs({
  options: {
    apps: { type: 'string', default: '1000000' },
    database: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '5' },
    help: { type: 'boolean' },
  },
});
const apps = Number(values.apps);
const rounds = Number(values.rounds);
const updatesAtOnce = 64;
/** Each of another app. The one in the middle awaits review. */
const updates = Math.min(6_400, Math.floor(apps / 128) * updatesAtOnce);

/** The words of names: two of them, and a number. A fiftieth of the names is Chinese. */
const words =
  'account agenda badge banner basket beacon billing board booking budget calendar campaign card cart catalog chart chat check clock cloud coupon desk docs draft event export feed file flow form forum gift goal grid guide hiring inbox invoice label ledger lesson letter link list loan mail map market meeting memo'.split(
    ' ',
  );
const chineseWords = ['发票同步', '日历助手', '客户管理', '库存报表'];

/** What people search for: by kind. */
const texts: Record<string, string[]> = {
  'one or two words of names': ['invoice', 'invoice sync', 'calendar list', 'loan memo'],
  'parts of words': ['voic', 'alend', 'edge'],
  'two letters': ['in', 'zq'],
  'Chinese, one to three characters': ['发', '发票', '日历助'],
  'a name with its number': ['invoice list 77', 'ledger map 123456'],
  'email addresses': ['developer12345@example.com', 'developer1234', 'ada'],
  hosts: ['app777.example.com', 'example.com', 'app77'],
  URLs: ['https://app777.example.com/login', 'https://no-such-host.example.net/path'],
  ids: [idOf('app', 4_321), idOf('user', 42)],
  'parts of ids': [idOf('app', 4_321).slice(0, -2), idOf('app', 4_321).slice(-6), '4321', '87654'],
  'no hit': ['qqqqqqqq', 'invoice qqqqqqqq'],
};

if (values.help) process.stdout.write(usage);
else if (values.database) for (const url of values.database) await measure(url);
else await measureBoth();

async function measureBoth(): Promise<void> {
  const folder = temporaryFolder('search-');
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
  if (await isEmpty(databaseUrl)) {
    await fillRegistry(databaseUrl, { apps, installations: 1_000 });
    await nameApps(databaseUrl);
  }
  await withRegistry(databaseUrl, async (registry) => {
    process.stdout.write(await searchTable(registry, databaseUrl.split(':')[0] ?? ''));
    process.stdout.write(await behindTable(registry));
    process.stdout.write(await updateTable(registry));
  });
}

/** Gives the apps different names and hosts. */
async function nameApps(databaseUrl: string): Promise<void> {
  const bulk = await openBulkConnection(databaseUrl);
  const number = `cast(substr(id, length(id) - 15) as integer)`;
  const wordOf = (at: string, of: string[]) =>
    `case ${at} % ${of.length} ${of.map((word, index) => `when ${index} then '${word}'`).join(' ')} end`;
  const name = `case when ${number} % 50 = 0 then ${wordOf(`(${number} / 50)`, chineseWords)}
    else ${wordOf(number, words)} || ' ' || ${wordOf(`(${number} / ${words.length})`, words)} end || ' ' || ${number}`;
  const url = (path: string) => `'https://app' || (${number} % 10000) || '.example.com/${path}'`;
  await bulk.run(
    `update apps set name = ${name}, name_key = ${name}, login_url = ${url('login')}, callback_url = ${url('callback')}`,
  );
  await bulk.run('delete from search_texts');
  await bulk.run(searchTexts(`' app' || (${number} % 10000) || '.example.com  '`));
  await bulk.run(bulk.engine === 'postgres' ? 'vacuum analyze' : 'analyze');
  await bulk.close();
}

async function searchTable(registry: Registry, engine: string): Promise<string> {
  const lines: string[] = [];
  const all: number[] = [];
  for (const [kind, ofKind] of Object.entries(texts)) {
    const durations: number[] = [];
    for (const q of ofKind) {
      for (let round = 0; round < rounds; round += 1) {
        const began = performance.now();
        await search(registry, { query: { q }, isAdmin: true });
        durations.push(performance.now() - began);
      }
    }
    all.push(...durations);
    lines.push(row(kind, durations));
  }
  return `\n| ${engine}, ${apps} apps | searches | p50 ms | max ms |\n|---|---|---|---|\n${lines.join('')}${row('all', all)}`;
}

function row(kind: string, durations: number[]): string {
  const sorted = durations.toSorted((one, other) => one - other);
  return `| ${kind} | ${sorted.length} | ${percentile(sorted, 0.5).toFixed(1)} | ${percentile(sorted, 1).toFixed(1)} |\n`;
}

/** One search each time, which finds the last renamed app. */
async function behindTable(registry: Registry): Promise<string> {
  const lines: string[] = [];
  for (const renamed of [100, 1_000]) {
    const durations: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const name = (at: number) => `Behind ${Math.floor(performance.timeOrigin)} ${renamed} ${round} ${at}`;
      await updateApps(registry, renamed, (at) => ({ name: name(at) }));
      const began = performance.now();
      const { items } = await search(registry, { query: { q: name(renamed - 1).slice(1) }, isAdmin: true });
      durations.push(performance.now() - began);
      if (items.length === 0) throw new Error('a search has not caught up');
    }
    lines.push(row(`after ${renamed} apps were renamed`, durations));
  }
  return `\n| a search | searches | p50 ms | max ms |\n|---|---|---|---|\n${lines.join('')}`;
}

async function updateApps(registry: Registry, count: number, updateOf: (at: number) => object): Promise<void> {
  for (let at = 0; at < count; at += updatesAtOnce) {
    await Promise.all(
      Array.from({ length: Math.min(updatesAtOnce, count - at) }, (_, index) =>
        updateAppAsOperator(registry, commandLine, {
          appId: idOf('app', at + index + 1),
          update: updateOf(at + index),
        }),
      ),
    );
  }
}

/** In turns, so that no kind has the better time. */
async function updateTable(registry: Registry): Promise<string> {
  // A database that stays has the updates of earlier runs.
  const run = Math.floor(performance.timeOrigin);
  const kinds = {
    'the host of a URL': (turn: number, at: number) => ({
      oauthInfo: { loginUrl: `https://app-${run}-${turn}-${at}.example.com/login` },
    }),
    'a name': (turn: number, at: number) => ({ name: `Renamed ${run} ${turn} ${at}` }),
    'a description': (turn: number, at: number) => ({
      listingInfo: { shortDescription: `Described ${run} ${turn} ${at}.` },
    }),
  };
  const found = new Map<string, number[]>(Object.keys(kinds).map((kind) => [kind, []]));
  for (let turn = 0; turn < rounds; turn += 1) {
    for (const [kind, updateOf] of Object.entries(kinds)) {
      const before = process.cpuUsage();
      const began = performance.now();
      await updateApps(registry, updates, (at) => updateOf(turn, at));
      const { user, system } = process.cpuUsage(before);
      found.get(kind)?.push((user + system) / updates, ((performance.now() - began) * 1_000) / updates);
    }
  }
  const lines = [...found].map(([kind, figures]) => {
    const of = (odd: 0 | 1) =>
      percentile(
        figures.filter((_, at) => at % 2 === odd).toSorted((one, other) => one - other),
        0.5,
      ).toFixed(0);
    return `| ${kind} | ${of(0)} | ${of(1)} |\n`;
  });
  return `\n| an update that changes | µs of processor time of this process | µs |\n|---|---|---|\n${lines.join('')}`;
}
