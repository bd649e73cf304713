import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertStored } from './frame/assert-stored.ts';
import { createCredentials } from './frame/credentials.ts';
import { earlyResponse } from './frame/early-response.ts';
import { freshSqlite } from './frame/fresh-database.ts';
import { Ledger } from './frame/ledger.ts';
import { createApps, Load } from './frame/load.ts';
import type { Run } from './frame/run.ts';
import { Service } from './frame/service.ts';
import { Strace } from './frame/strace.ts';
import { type Figures, promise, type Torture } from './frame/torture.ts';
import { SyncProof } from './power/sync-proof.ts';

const appsCount = 8;

export const torture: Torture = {
  summary: 'loss of power with SQLite: strace proves that the sync of each change ended before its response began',
  options: {
    seconds: { what: 'how long 32 clients write', value: 60, short: 4 },
  },
  run: proveSyncs,
  mutants: [
    {
      name: 'synchronous-off',
      what: 'SQLite does not sync its writes',
      patches: [
        {
          file: 'storage/sqlite/database.ts',
          find: 'pragma synchronous = full;',
          replace: 'pragma synchronous = off;',
        },
        {
          file: 'storage/sqlite/database.ts',
          find: "assertPragma(database, 'synchronous', 2);",
          replace: "assertPragma(database, 'synchronous', 0);",
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
  const trace = join(database.path, '../trace');
  await traced(service, trace, async () => {
    const load = new Load(run, { service, credentials, ledger, apps, updaters: 24, installers: 8 });
    await sleep(run.number('seconds') * 1_000);
    await load.stop();
  });
  const proof = await SyncProof.read(trace);
  const changes = [
    ...ledger.updates.filter(({ outcome }) => outcome === 'acknowledged').map(({ mark }) => mark),
    ...ledger.installations.flatMap(({ id }) => id ?? []),
  ];
  promise(changes.length > 0, 'nothing was acknowledged');
  for (const change of changes) proof.assertSynced(change);
  await assertStored(database.url, ledger, apps);
  return {
    'responses, each after the sync of its change:': changes.length,
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
