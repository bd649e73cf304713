import { setTimeout as sleep } from 'node:timers/promises';
import type { StartedProcess } from '@appregistrar/testkit/system/started-process';
import { type FaultInjection, type Figures, guarantee } from './harness/fault-injection.ts';
import type { Run } from './harness/run.ts';
import { MigrationScene } from './migrate/migration-scene.ts';

/** Longest wait for a lock of PostgreSQL. */
const lockMsMax = { reads: 200, updates: 500 };
const linesMax = 6;
const manyApps = 300_000;

export const faultInjection: FaultInjection = {
  summary:
    'a program reads and updates a large database while a later one, with made-up migrations, migrates it, is killed and continues',
  options: {
    engines: { what: 'which of sqlite, postgres', value: 'postgres,sqlite', short: 'postgres' },
    apps: { what: 'apps, each with an installation and an event', value: 1_000_000, short: 10_000 },
    kills: { what: 'how often the migration is killed', value: 5, short: 2 },
    'read-ms': { what: 'longest read in milliseconds; 0 checks locks alone', value: 200, short: 0 },
    'update-ms': { what: 'longest update on PostgreSQL in milliseconds; 0 checks locks alone', value: 1_000, short: 0 },
  },
  async run(run) {
    const figures: Figures = {};
    for (const engine of run.text('engines').split(',')) {
      figures[`${engine}:`] = await migrate(run, engine);
    }
    return figures;
  },
  defects: [
    {
      name: 'table-lock',
      what: 'each step locks all apps, and indexes are built inside of it',
      options: { apps: manyApps, kills: 0 },
      patches: [
        {
          file: 'storage/postgres/postgres-schema.ts',
          in: 'runConcurrently',
          find: "  if (!isDrop && query.kind !== 'CreateIndexNode') return false;",
          replace: '  if (!isDrop) return false;',
        },
        {
          file: 'storage/postgres/postgres-schema.ts',
          in: 'postgresMigrator',
          find: '          await limit(transaction, lockMs);\n',
          replace: '          await run(transaction, sql`lock table apps in access exclusive mode`);\n',
        },
      ],
    },
    {
      name: 'starts-again',
      what: 'a migration that was killed starts again with its first step',
      patches: [
        {
          file: 'storage/migrate.ts',
          in: 'begin',
          find: 'return (await findProgress(database)) ?? startProgress(',
          replace: 'return startProgress(',
        },
      ],
    },
  ],
};

async function migrate(run: Run, engine: string): Promise<string> {
  const scene = await MigrationScene.open(run, engine);
  const before = scene.longest();
  const startedAt = performance.now();
  for (let kill = 0; kill < run.number('kills'); kill += 1) await killMigration(run, scene, kill);
  // Servers of a new release start at the same time.
  for (const migration of [scene.migrate(), scene.migrate()]) {
    guarantee((await migration.ended) === 0, () => `a migration has failed: ${migration.lastOutput}`);
  }
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const during = scene.longest();
  await scene.stop();
  scene.assertSuccessful();
  await scene.assertMigrated();
  if (engine === 'postgres') scene.assertLocks(lockMsMax);
  assertShort('read', during.reads, run.number('read-ms'));
  if (engine === 'postgres') assertShort('update', during.updates, run.number('update-ms'));
  return `${seconds} s with ${run.number('kills')} kills, ${during.requests} requests, longest read ${during.reads} ms and update ${during.updates} ms (before: ${before.reads} and ${before.updates})${scene.describeLocks()}`;
}

function assertShort(what: string, ms: number, msMax: number): void {
  guarantee(msMax === 0 || ms <= msMax, `the longest ${what} took ${ms} ms during the migration`);
}

/** On PostgreSQL every second time in the middle of an index build, which the server then leaves incomplete. */
async function killMigration(run: Run, scene: MigrationScene, kill: number): Promise<void> {
  const random = run.random('kills', kill);
  const migration = scene.migrate();
  const hasEndedIndex = kill % 2 === 0 && (await scene.endIndex(migration));
  if (!hasEndedIndex) await untilLines(migration, Math.floor(random.between(1, linesMax)));
  await migration.end('SIGKILL');
}

async function untilLines(migration: StartedProcess, count: number): Promise<void> {
  while (!migration.hasEnded && migration.output.split('\n').length <= count) await sleep(5);
}
