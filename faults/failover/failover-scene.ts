import { setTimeout as sleep } from 'node:timers/promises';
import { OperatingPage } from '@appregistrar/testkit/pages/operating-page';
import { assertStored } from '../harness/assert-stored.ts';
import { type Credentials, createCredentials } from '../harness/credentials.ts';
import { guarantee } from '../harness/fault-injection.ts';
import { Ledger } from '../harness/ledger.ts';
import { createApps } from '../harness/load.ts';
import type { Run } from '../harness/run.ts';
import { Service } from '../harness/service.ts';
import { HaProxy } from './haproxy.ts';
import { MarkClients } from './mark-clients.ts';
import { PatroniCluster } from './patroni-cluster.ts';
import type { PatroniNode } from './patroni-node.ts';

const takeoverMsMax = 90_000;
/** How long clients work before the failure, and after the standby has taken over. */
const workMs = 2_000;

export interface Outcome {
  acknowledged: number;
  reads: number;
  stale: number;
  /** The longest time without an acknowledged update. */
  gapMs: number;
}

/** Two processes of the registry, each with an HAProxy of its own, on a PostgreSQL under Patroni. */
export class FailoverScene {
  readonly cluster: PatroniCluster;
  readonly proxies: HaProxy[] = [];
  readonly services: Service[] = [];
  readonly #credentials: Credentials;

  /** `isDirect`: the first process reaches the leader without HAProxy. */
  static async open(run: Run, isDirect: boolean): Promise<FailoverScene> {
    const page = await OperatingPage.read();
    const cluster = await PatroniCluster.start(page);
    run.atEnd(() => cluster.remove());
    const leader = await cluster.untilComplete();
    const credentials = await createCredentials(leader.url);
    const scene = new FailoverScene(cluster, credentials);
    run.atEnd(() => scene.end());
    for (const at of [0, 1]) {
      const proxy = await HaProxy.start(page, cluster.nodes);
      scene.proxies.push(proxy);
      const databaseUrl = isDirect && at === 0 ? leader.url : proxy.url;
      scene.services.push(await Service.create({ source: run.source, databaseUrl }));
    }
    await Promise.all(scene.services.map((service) => service.start()));
    return scene;
  }

  private constructor(cluster: PatroniCluster, credentials: Credentials) {
    this.cluster = cluster;
    this.#credentials = credentials;
  }

  /** Clients read and update while the failure happens and until the standby has acknowledged updates for a while. */
  async round(failure: (leader: PatroniNode, untilTakenOver: () => Promise<void>) => Promise<void>): Promise<Outcome> {
    const { services, cluster } = this;
    const ledger = new Ledger();
    const apps = await createApps(services[0] as Service, this.#credentials, 3);
    const clients = new MarkClients({ services, credentials: this.#credentials, ledger, apps });
    const leader = await cluster.untilComplete();
    try {
      await sleep(workMs);
      await failure(leader, async () => {
        await cluster.untilOtherLeader(leader);
        await this.#untilAcknowledged(clients, performance.now());
      });
      await sleep(workMs);
    } finally {
      await clients.stop();
    }
    await assertStored((await cluster.untilLeader()).url, ledger, apps);
    const { acknowledgedAt, staleReads, reads } = clients;
    const gaps = acknowledgedAt.slice(1).map((at, index) => at - (acknowledgedAt[index] ?? at));
    return {
      acknowledged: acknowledgedAt.length,
      reads,
      stale: staleReads.length,
      gapMs: Math.round(Math.max(...gaps)),
    };
  }

  /** Ends everything and removes its files. */
  async end(): Promise<void> {
    await Promise.all(this.services.map((service) => service.kill()));
    await Promise.all(this.proxies.map((proxy) => proxy.stop()));
    await this.cluster.remove();
  }

  async #untilAcknowledged({ acknowledgedAt }: MarkClients, since: number): Promise<void> {
    while (!((acknowledgedAt.at(-1) ?? 0) > since + 1_000)) {
      guarantee(performance.now() - since < takeoverMsMax, 'no update is acknowledged by the new leader');
      await sleep(20);
    }
  }
}
