import { setTimeout as sleep } from 'node:timers/promises';
import { FailoverScene, type Outcome } from './failover/failover-scene.ts';
import type { PatroniNode } from './failover/patroni-node.ts';
import { type FaultInjection, type Figures, guarantee } from './frame/fault-injection.ts';
import type { Run } from './frame/run.ts';

interface Failure {
  /** Whether reads may be stale without a lease. */
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
    leases: { what: 'values of READ_LEASE_SECONDS', value: '0,5', short: '2' },
  },
  run: async (run) => {
    const figures: Figures = {};
    for (const name of run.text('failures').split(',')) {
      for (const lease of run.text('leases').split(',').map(Number)) {
        const outcome = await failOver(run, failures[name] as Failure, lease);
        figures[`${name} with a lease of ${lease} s:`] = summaryOf(outcome);
        run.log(`${name}, lease ${lease}: ${summaryOf(outcome)}`);
        guarantee(
          outcome.stale === 0 || (lease === 0 && failures[name]?.isUnfenced),
          () => `${outcome.stale} reads lack an update that was acknowledged before them, when the leader is ${name}`,
        );
      }
    }
    return figures;
  },
  defects: [
    {
      name: 'no-lease',
      what: 'a read does not need the lease',
      patches: [
        {
          file: 'storage/postgres/read-lease.ts',
          find: 'performance.now() >= (this.#currentUntil.get(timeline) ?? 0)',
          replace: 'this.#currentUntil.size === 0',
        },
      ],
    },
    {
      name: 'no-wait',
      what: 'changes on a new timeline are acknowledged at once',
      // Longer than HAProxy and the connections need to reach the new primary.
      options: { leases: '10' },
      patches: [
        { file: 'storage/postgres/read-lease.ts', find: 'const rateMargin = 1.1;', replace: 'const rateMargin = 0;' },
      ],
    },
    {
      name: 'local-renewal',
      what: 'the lease is renewed without the standby',
      patches: [
        {
          file: 'storage/postgres/read-lease.ts',
          find: "pg_logical_emit_message(true, 'app-registry', '')",
          replace: 'null',
        },
      ],
    },
  ],
};

/** On its own cluster. */
async function failOver(parent: Run, failure: Failure, leaseSeconds: number): Promise<Outcome> {
  const scene = await FailoverScene.open(parent, { leaseSeconds, isDirect: failure.isDirect === true });
  try {
    return await scene.round((leader, untilTakenOver) => failure.work(scene, leader, untilTakenOver));
  } finally {
    await scene.end();
  }
}

function summaryOf({ acknowledged, reads, stale, gapMs }: Outcome): string {
  return `${acknowledged} updates acknowledged, none lost, none for ${(gapMs / 1_000).toFixed(1)} s, ${stale} of ${reads} reads stale`;
}
