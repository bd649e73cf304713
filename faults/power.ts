import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertStored } from './harness/assert-stored.ts';
import { createCredentials } from './harness/credentials.ts';
import { earlyResponse } from './harness/early-response.ts';
import { type FaultInjection, type Figures, guarantee } from './harness/fault-injection.ts';
import { freshSqlite } from './harness/fresh-database.ts';
import { Ledger } from './harness/ledger.ts';
import { createApps, Load } from './harness/load.ts';
import { Readers } from './harness/readers.ts';
import type { Run } from './harness/run.ts';
import { Service } from './harness/service.ts';
import { Strace } from './harness/strace.ts';
import { failSyncs } from './power/failed-sync.ts';
import { SyncProof } from './power/sync-proof.ts';

const appsCount = 8;
const syncDelayUs = 5_000;
const parts = { syncs: proveSyncs, failed: failSyncs };

export const faultInjection: FaultInjection = {
  summary:
    'loss of power with SQLite: the sync of each change ended before any response showed it, and a failed sync loses nothing',
  options: {
    parts: { what: 'which of syncs, failed', value: 'syncs,failed' },
    seconds: { what: 'how long 32 clients write and 8 read', value: 60, short: 4 },
    losses: { what: 'how often the power is lost after a failed sync', value: 20, short: 2 },
  },
  run: async (run) => {
    const figures: Figures = {};
    for (const part of run.text('parts').split(',') as (keyof typeof parts)[]) {
      Object.assign(figures, await parts[part](run));
    }
    return figures;
  },
  defects: [
    {
      name: 'no-sync',
      what: 'the log is not synced',
      options: { parts: 'syncs', seconds: 4 },
      patches: [
        {
          file: 'storage/sqlite/sqlite-database.ts',
          in: 'setUp',
          find: 'pragma synchronous = full; pragma foreign',
          replace: 'pragma synchronous = normal; pragma foreign',
        },
        {
          file: 'storage/sqlite/sqlite-database.ts',
          in: 'setUp',
          find: "'synchronous', 2",
          replace: "'synchronous', 1",
        },
      ],
    },
    {
      name: 'unsynced-read',
      what: 'a read shows a change before its commit',
      options: { parts: 'syncs', seconds: 4 },
      patches: [
        {
          file: 'storage/sqlite/sqlite-storage.ts',
          in: 'SqliteStorage.constructor',
          find: 'isInMemory ? this.#writerDatabase : openSqliteDatabase(location, { readOnly: true })',
          replace: 'this.#writerDatabase',
        },
        {
          file: 'storage/sqlite/sqlite-writer.ts',
          in: 'SqliteWriter.#execute',
          find: '      const seconds = this.#commit();\n',
          replace:
            '      await new Promise((resolve) => setTimeout(resolve, 5));\n      const seconds = this.#commit();\n',
        },
      ],
    },
    {
      name: 'unsettled-log',
      what: 'a start appends to the log that a failed sync has left',
      options: { parts: 'failed', losses: 2 },
      patches: [
        {
          file: 'storage/sqlite/sqlite-storage.ts',
          in: 'SqliteStorage.open',
          find: '      await settleLog(location);\n',
          replace: '',
        },
      ],
    },
    earlyResponse,
  ],
};

/** `kill -9` preserves the page cache of the operating system, so it does not simulate a loss of power. */
async function proveSyncs(run: Run): Promise<Figures> {
  const database = freshSqlite();
  run.atEnd(database.remove);
  const credentials = await createCredentials(database.url);
  const service = await Service.create({ source: run.source, databaseUrl: database.url });
  run.atEnd(() => service.kill());
  await service.start();
  const apps = await createApps(service, credentials, appsCount);
  const ledger = new Ledger();
  let reads = 0;
  const trace = join(database.path, '../trace');
  await traced(service, trace, async () => {
    const load = new Load(run, { service, credentials, ledger, apps, updaters: 24, installers: 8 });
    const readers = new Readers(run, {
      publicUrl: service.publicUrl,
      token: credentials.platform,
      apps,
      count: 8,
      restMs: 0,
      freshChance: 1,
    });
    await sleep(run.number('seconds') * 1_000);
    await Promise.all([load.stop(), readers.stop()]);
    guarantee(readers.failures.length === 0, readers.failures[0] ?? '');
    reads = readers.successes;
  });
  const proof = await SyncProof.read(trace);
  const changes = [
    ...ledger.updates.filter(({ outcome }) => outcome === 'acknowledged').map(({ mark }) => mark),
    ...ledger.installations.flatMap(({ id }) => id ?? []),
  ];
  guarantee(changes.length > 0, 'nothing was acknowledged');
  for (const change of changes) proof.assertSynced(change);
  await assertStored(database.url, ledger, apps);
  return {
    'changes, each on disk before the first response that shows it:': changes.length,
    reads,
    syncs: proof.syncs,
    'most changes of one sync:': proof.largestGroup,
  };
}

async function traced(service: Service, file: string, work: () => Promise<void>): Promise<void> {
  // Longer than a page of the log, 4,096 bytes, and than a response.
  const calls = 'trace=pwrite64,pwritev,fdatasync,fsync,write,writev,sendto,sendmsg';
  const strace = await Strace.attach(service.process.pid, [
    '-y',
    '-s',
    '8192',
    '-e',
    calls,
    '-e',
    // Leaves time for reads between a commit and its sync.
    `inject=fsync,fdatasync:delay_enter=${syncDelayUs}`,
    '-e',
    'signal=none',
    '-o',
    file,
  ]);
  try {
    await work();
  } finally {
    await strace.detach();
  }
}
