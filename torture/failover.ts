import { setTimeout as sleep } from 'node:timers/promises';
import { FailoverScene } from './failover/failover-scene.ts';
import type { PatroniNode } from './failover/patroni-node.ts';
import { type Figures, type Torture } from './frame/torture.ts';

type Failure = (scene: FailoverScene, leader: PatroniNode, untilTakenOver: () => Promise<void>) => Promise<void>;

/** What happens to the leader. */
const failures = {
  killed: async (_scene, leader, untilTakenOver) => {
    await leader.kill();
    await untilTakenOver();
  },
  'cut-off': async (_scene, leader, untilTakenOver) => {
    leader.cutOff();
    await untilTakenOver();
  },
  'hung-patroni': async (_scene, leader, untilTakenOver) => {
    leader.freeze({ exceptPostgres: true });
    await untilTakenOver();
    await sleep(3_000);
  },
  frozen: async (_scene, leader, untilTakenOver) => {
    leader.freeze();
    await untilTakenOver();
    leader.thaw();
    await sleep(5_000);
  },
  'frozen-machine': async ({ services, proxies }, leader, untilTakenOver) => {
    const [service] = services;
    const [proxy] = proxies;
    leader.freeze();
    proxy?.freeze();
    service?.process.child.kill('SIGSTOP');
    await untilTakenOver();
    service?.process.child.kill('SIGCONT');
    proxy?.thaw();
    leader.thaw();
    await sleep(5_000);
  },
} satisfies Record<string, Failure>;

export const torture: Torture = {
  summary: 'PostgreSQL under Patroni: its leader killed, cut off or frozen',
  options: {
    failures: { what: `which of ${Object.keys(failures).join(', ')}`, value: Object.keys(failures).join(',') },
    lease: { what: 'READ_LEASE_SECONDS', value: 0 },
  },
  run: async (run) => {
    const figures: Figures = {};
    for (const name of run.text('failures').split(',')) {
      const failure: Failure = failures[name as keyof typeof failures];
      const scene = await FailoverScene.open(run, run.number('lease'));
      const outcome = await scene.round((leader, untilTakenOver) => failure(scene, leader, untilTakenOver));
      await run.end();
      run.log(`${name}: ${JSON.stringify(outcome)}`);
      figures[name] = JSON.stringify(outcome);
    }
    return figures;
  },
  mutants: [],
};
