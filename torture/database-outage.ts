import { setTimeout as sleep } from 'node:timers/promises';
import { OutageScene } from './database-outage/outage-scene.ts';
import { PostgresCluster } from './frame/postgres-cluster.ts';
import type { Run } from './frame/run.ts';
import { type Figures, promise, type Torture } from './frame/torture.ts';

const standbyName = 'standby';
const standbyMsMax = 60_000;
const ofService = `application_name = 'app-registry'`;
const troubles = { restart: restartRounds, cut: cutRounds, failover: failoverRounds };
type Trouble = keyof typeof troubles;

export const torture: Torture = {
  summary: 'PostgreSQL stopped, restarted, its connections cut, its primary lost and the standby promoted',
  options: {
    rounds: { what: 'rounds of each trouble', value: 20, short: 1 },
    troubles: { what: `which of ${Object.keys(troubles).join(', ')}`, value: Object.keys(troubles).join(',') },
  },
  run: async (run) => {
    const figures: Figures = {};
    for (const trouble of run.text('troubles').split(',') as Trouble[]) {
      const scene = await OutageScene.open(run);
      await troubles[trouble](run, scene);
      await scene.service.command('check');
      await scene.service.stop();
      figures[`${trouble}:`] = `${run.number('rounds')} rounds, ${scene.summary}`;
    }
    return figures;
  },
  mutants: [
    {
      name: 'no-standby',
      what: 'a change is answered before the synchronous standby has it',
      options: { troubles: 'failover', rounds: 6 },
      patches: [
        {
          file: 'storage/postgres/storage.ts',
          find: "'begin isolation level read committed'",
          replace: "'begin isolation level read committed; set local synchronous_commit = local'",
        },
      ],
    },
    {
      name: 'sure-refusal',
      what: 'a change whose commit got no answer is refused as if it could not be stored',
      options: { troubles: 'cut', rounds: 2 },
      patches: [
        {
          file: 'storage/postgres/storage.ts',
          find: "throw new UnknownOutcome('the connection was lost during a commit', { cause: error });",
          replace: "throw Object.assign(new Error('lost'), { code: 'ECONNRESET' });",
        },
      ],
    },
    {
      name: 'unwatched-pool',
      what: 'nobody looks after connections that break while they are idle',
      options: { troubles: 'restart', rounds: 2 },
      patches: [{ file: 'storage/postgres/storage.ts', find: "  pool.on('error', () => {});\n", replace: '' }],
    },
  ],
};

/** Stopped as an administrator does it, and started again a moment later. */
async function restartRounds(run: Run, scene: OutageScene): Promise<void> {
  for (let round = 0; round < run.number('rounds'); round += 1) {
    await cutIdle(scene);
    await scene.round(round, async () => {
      await scene.cluster.stop();
      await scene.assertGone();
      await sleep(run.random('downtime', round).between(0, 1_500));
      await scene.cluster.start();
    });
  }
}

/** Those that the service keeps for later, while nobody asks it anything. */
async function cutIdle({ cluster, service }: OutageScene): Promise<void> {
  await cluster.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where ${ofService}`);
  await service.untilReady();
}

/** Connections are cut one by one, whatever they are at, for two seconds. In every second round commits get no answer. */
async function cutRounds(run: Run, scene: OutageScene): Promise<void> {
  let cut = 0;
  for (let round = 0; round < run.number('rounds'); round += 1) {
    const random = run.random('cuts', round);
    await scene.round(round, async () => {
      // A commit that waits for a standby is stored already: without this, hardly one is cut just then.
      const isHeldUp = round % 2 === 0;
      if (isHeldUp) await scene.cluster.set('synchronous_standby_names', 'nobody');
      const end = performance.now() + 2_000;
      while (performance.now() < end) {
        cut += await cutOne(scene.cluster, random.fraction());
        await sleep(random.between(1, 30));
      }
      if (isHeldUp) await scene.cluster.set('synchronous_standby_names', '');
    });
  }
  promise(cut > 0, 'no connection was cut');
  run.log(`${cut} connections were cut`);
}

async function cutOne(cluster: PostgresCluster, draw: number): Promise<number> {
  const [{ count = 0 } = {}] = await cluster.query<{ count: number }>(`
    with busy as (select pid, row_number() over (order by pid) as at, count(*) over () as total
      from pg_stat_activity where ${ofService} and state <> 'idle')
    select count(*) filter (where pg_terminate_backend(pid))::int as count from busy where at = 1 + floor(${draw} * total)`);
  return count;
}

/** The primary is killed; its synchronous standby takes over its address, and gets a standby of its own. */
async function failoverRounds(run: Run, scene: OutageScene): Promise<void> {
  for (let round = 0; round < run.number('rounds'); round += 1) {
    const primary = scene.cluster;
    const standby = await PostgresCluster.standbyOf(primary, standbyName);
    run.atEnd(() => standby.remove());
    await primary.set('synchronous_standby_names', standbyName);
    await untilSynchronous(primary);
    const random = run.random('standby', round);
    await scene.round(round, async () => {
      // A standby that is away holds up every commit: without this, one that nobody waits for is hardly ever behind.
      const isAway = round % 2 === 0;
      if (isAway) await standby.stop();
      if (isAway) await sleep(random.between(100, 400));
      await primary.kill();
      if (isAway) await standby.start();
      await standby.promote();
      scene.cluster = standby;
      scene.proxy.switchTo(standby.port);
    });
    await primary.remove();
  }
}

async function untilSynchronous(primary: PostgresCluster): Promise<void> {
  const deadline = performance.now() + standbyMsMax;
  while (performance.now() < deadline) {
    const states = await primary.query<{ sync_state: string }>('select sync_state from pg_stat_replication');
    if (states.some(({ sync_state }) => sync_state === 'sync')) return;
    await sleep(20);
  }
  throw new Error('the standby does not follow its primary');
}
