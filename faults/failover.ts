import { setTimeout as sleep } from 'node:timers/promises';
import { FailoverScene, type Outcome } from './failover/failover-scene.ts';
import type { PatroniNode } from './failover/patroni-node.ts';
import { type FaultInjection, type Figures, guarantee } from './harness/fault-injection.ts';
import type { Run } from './harness/run.ts';

interface Failure {
  /** Whether reads may be stale: nothing closes the connections of the former leader. */
  isUnfenced?: boolean;
  /** Whether the first process reaches the leader directly. */
  isDirect?: boolean;
  /** Causes the failure, and undoes it once the standby has taken over. */
  work(scene: FailoverScene, leader: PatroniNode, untilTakenOver: () => Promise<void>): Promise<void>;
}

/** How long clients continue after a server has come back. */
const afterwardsMs = 5_000;
/** The failures of the leader. */
const failures: Record<string, Failure> = {
  killed: {
    async work(_scene, leader, untilTakenOver) {
      await leader.kill();
      await untilTakenOver();
    },
  },
  'cut-off': {
    async work(_scene, leader, untilTakenOver) {
      leader.cutOff();
      await untilTakenOver();
      leader.reconnect();
      await sleep(afterwardsMs);
    },
  },
  frozen: {
    async work(_scene, leader, untilTakenOver) {
      leader.freeze();
      await untilTakenOver();
      leader.thaw();
      await sleep(afterwardsMs);
    },
  },
  'frozen-machine': {
    isUnfenced: true,
    async work({ services: [service], proxies: [proxy] }, leader, untilTakenOver) {
      leader.freeze();
      proxy?.freeze();
      service?.process.child.kill('SIGSTOP');
      await untilTakenOver();
      service?.process.child.kill('SIGCONT');
      proxy?.thaw();
      leader.thaw();
      await sleep(afterwardsMs);
    },
  },
  'hung-patroni': {
    async work(_scene, leader, untilTakenOver) {
      leader.freeze({ exceptPostgres: true });
      await untilTakenOver();
    },
  },
  unfenced: {
    isUnfenced: true,
    isDirect: true,
    async work(_scene, leader, untilTakenOver) {
      leader.freeze({ exceptPostgres: true });
      await untilTakenOver();
    },
  },
};

export const faultInjection: FaultInjection = {
  summary: 'PostgreSQL under Patroni and HAProxy: its leader killed, cut off from etcd, or frozen',
  options: {
    failures: {
      what: `which of ${Object.keys(failures).join(', ')}`,
      value: Object.keys(failures).join(','),
      short: 'unfenced',
    },
  },
  run: async (run) => {
    const figures: Figures = {};
    for (const name of run.text('failures').split(',')) {
      const failure = failures[name] as Failure;
      const outcome = await failOver(run, failure);
      figures[`${name}:`] = summaryOf(outcome);
      run.log(`${name}: ${summaryOf(outcome)}`);
      guarantee(
        outcome.stale === 0 || failure.isUnfenced,
        () => `${outcome.stale} reads lack an update that was acknowledged before them, when the leader is ${name}`,
      );
    }
    return figures;
  },
  defects: [
    {
      name: 'local-commit',
      what: 'a commit does not wait for the synchronous standby, so that a former leader still accepts changes',
      options: { failures: 'unfenced' },
      patches: [
        {
          file: 'storage/postgres/postgres-transaction.ts',
          in: 'syncCommit',
          find: `select set_config('synchronous_commit', 'on', true)
  where current_setting('synchronous_commit') not in ('on', 'remote_apply')`,
          replace: "select set_config('synchronous_commit', 'local', true)",
        },
      ],
    },
  ],
};

/** On its own cluster. */
async function failOver(parent: Run, failure: Failure): Promise<Outcome> {
  const scene = await FailoverScene.open(parent, failure.isDirect === true);
  try {
    return await scene.round((leader, untilTakenOver) => failure.work(scene, leader, untilTakenOver));
  } finally {
    await scene.end();
  }
}

function summaryOf({ acknowledged, reads, stale, gapMs }: Outcome): string {
  return `${acknowledged} updates acknowledged, none lost, none for ${(gapMs / 1_000).toFixed(1)} s, ${stale} of ${reads} reads stale`;
}
