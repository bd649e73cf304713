import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresCluster } from '@appregistrar/testkit/engines/postgres-cluster';
import { OutageScene } from './database-outage/outage-scene.ts';
import { type FaultInjection, type Figures, guarantee } from './harness/fault-injection.ts';
import type { Run } from './harness/run.ts';

const standbyName = 'standby';
const standbyMsMax = 60_000;
const isOfService = `application_name = 'app-registry'`;
const outages = { restart: restartRounds, freeze: freezeRounds, terminate: terminateRounds, failover: failoverRounds };
type Outage = keyof typeof outages;

export const faultInjection: FaultInjection = {
  summary:
    'PostgreSQL stopped and restarted, frozen, its connections terminated, its primary lost and the standby promoted',
  options: {
    rounds: { what: 'rounds of each outage', value: 20, short: 1 },
    outages: { what: `which of ${Object.keys(outages).join(', ')}`, value: Object.keys(outages).join(',') },
  },
  run: async (run) => {
    const figures: Figures = {};
    for (const outage of run.text('outages').split(',') as Outage[]) {
      const scene = await OutageScene.open(run);
      await outages[outage](run, scene);
      await scene.service.command('check');
      await scene.service.stop();
      figures[`${outage}:`] = `${run.number('rounds')} rounds, ${scene.summary}`;
    }
    return figures;
  },
  defects: [
    {
      name: 'no-standby',
      what: 'the response to a change precedes its replication to the synchronous standby',
      options: { outages: 'failover', rounds: 6 },
      patches: [
        {
          file: 'storage/postgres/postgres-transaction.ts',
          in: 'syncCommit',
          find: "where current_setting('synchronous_commit') not in ('on', 'remote_apply')",
          replace: 'where false',
        },
      ],
    },
    {
      name: 'false-refusal',
      what: 'a change whose commit has an unknown outcome is reported as not stored',
      options: { outages: 'terminate', rounds: 2 },
      patches: [
        {
          file: 'storage/postgres/postgres-transaction.ts',
          in: 'Transaction.#commit',
          find: "throw new UnknownOutcome('the connection was lost during a commit', { cause: error });",
          replace: "throw Object.assign(new Error('lost'), { code: 'ECONNRESET' });",
        },
      ],
    },
  ],
};

/** Stops the server as an administrator does, and starts it again a moment later. */
async function restartRounds(run: Run, scene: OutageScene): Promise<void> {
  for (let round = 0; round < run.number('rounds'); round += 1) {
    await terminateIdle(scene);
    await scene.round(round, async () => {
      await scene.cluster.stop();
      await scene.assertUnavailable();
      await sleep(run.random('downtime', round).between(0, 1_500));
      await scene.cluster.start();
    });
  }
}

/** Stops every process of the server in the middle of its work until requests are refused, and continues them. */
async function freezeRounds(run: Run, scene: OutageScene): Promise<void> {
  // Requests that the server has begun wait until it continues.
  scene.responseMsMax = 60_000;
  for (let round = 0; round < run.number('rounds'); round += 1) {
    await scene.round(round, async () => {
      const thaw = scene.cluster.freeze();
      try {
        await scene.assertUnavailable();
      } finally {
        thaw();
      }
    });
  }
}

/** Terminates the idle connections in the pool of the service. */
async function terminateIdle({ cluster, service }: OutageScene): Promise<void> {
  await cluster.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where ${isOfService}`);
  await service.untilReady();
}

/** Terminates busy connections one by one for two seconds. In every second round commits wait when they are terminated. */
async function terminateRounds(run: Run, scene: OutageScene): Promise<void> {
  let terminated = 0;
  for (let round = 0; round < run.number('rounds'); round += 1) {
    const random = run.random('terminations', round);
    await scene.round(round, async () => {
      // A commit that waits for a standby is already stored. Without this, few are terminated at that point.
      const mustWait = round % 2 === 0;
      if (mustWait) await scene.cluster.set('synchronous_standby_names', 'absent');
      const end = performance.now() + 2_000;
      while (performance.now() < end) {
        terminated += await terminateOne(scene.cluster, random.fraction());
        await sleep(random.between(1, 30));
      }
      if (mustWait) await scene.cluster.set('synchronous_standby_names', '');
    });
  }
  guarantee(terminated > 0, 'no connection was terminated');
  run.log(`${terminated} connections were terminated`);
}

async function terminateOne(cluster: PostgresCluster, draw: number): Promise<number> {
  const [{ count = 0 } = {}] = await cluster.query<{ count: number }>(`
    with busy as (select pid, row_number() over (order by pid) as at, count(*) over () as total
      from pg_stat_activity where ${isOfService} and state <> 'idle')
    select count(*) filter (where pg_terminate_backend(pid))::int as count from busy where at = 1 + floor(${draw} * total)`);
  return count;
}

/** Kills the primary. Its synchronous standby takes over its address, and gets a standby in turn. */
async function failoverRounds(run: Run, scene: OutageScene): Promise<void> {
  for (let round = 0; round < run.number('rounds'); round += 1) {
    const primary = scene.cluster;
    const standby = await PostgresCluster.standbyOf(primary, standbyName);
    run.atEnd(() => standby.remove());
    await primary.set('synchronous_standby_names', standbyName);
    await untilSynchronous(primary);
    const random = run.random('standby', round);
    await scene.round(round, async () => {
      // While the standby is away commits must wait. Without this, a standby without waiting commits rarely lags.
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
  throw new Error('the standby does not replicate its primary');
}
