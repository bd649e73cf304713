import { setTimeout as sleep } from 'node:timers/promises';
import { OperatingPage } from 'app-registry-testkit/pages/operating-page';
import { assertStored } from '../frame/assert-stored.ts';
import { type Credentials, createCredentials } from '../frame/credentials.ts';
import { Ledger } from '../frame/ledger.ts';
import { createApps } from '../frame/load.ts';
import type { Run } from '../frame/run.ts';
import { Service } from '../frame/service.ts';
import { promise } from '../frame/torture.ts';
import { HaProxy } from './haproxy.ts';
import { MarkClients } from './mark-clients.ts';
import { PatroniCluster } from './patroni-cluster.ts';
import type { PatroniNode } from './patroni-node.ts';

const takeoverMsMax = 90_000;

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
  readonly proxies: HaProxy[];
  readonly services: Service[];
  readonly #credentials: Credentials;

  static async open(run: Run, leaseSeconds: number): Promise<FailoverScene> {
    const page = await OperatingPage.read();
    const cluster = await PatroniCluster.start(page);
    run.atEnd(() => cluster.remove());
    const credentials = await createCredentials((await cluster.untilComplete()).url);
    const proxies: HaProxy[] = [];
    const services: Service[] = [];
    for (let at = 0; at < 2; at += 1) {
      const proxy = await HaProxy.start(page, cluster.nodes);
      run.atEnd(() => proxy.stop());
      const databaseUrl = `postgres://postgres:PASSWORD@127.0.0.1:${proxy.port}/postgres`;
      const env = leaseSeconds === 0 ? {} : { READ_LEASE_SECONDS: String(leaseSeconds) };
      const service = await Service.create({ source: run.source, databaseUrl, env });
      run.atEnd(() => service.kill());
      proxies.push(proxy);
      services.push(service);
    }
    await sleep(2_000);
    await Promise.all(services.map((service) => service.start()));
    return new FailoverScene({ cluster, proxies, services, credentials });
  }

  private constructor({ cluster, proxies, services, credentials }: Parts) {
    this.cluster = cluster;
    this.proxies = proxies;
    this.services = services;
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
      await sleep(2_000);
      await failure(leader, async () => {
        const since = performance.now();
        await cluster.untilOtherLeader(leader);
        await this.#untilAcknowledged(clients, since);
      });
      await sleep(3_000);
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

  async #untilAcknowledged({ acknowledgedAt }: MarkClients, since: number): Promise<void> {
    while (!((acknowledgedAt.at(-1) ?? 0) > since + 1_000)) {
      promise(performance.now() - since < takeoverMsMax, 'no update is acknowledged by the new leader');
      await sleep(20);
    }
  }
}

interface Parts {
  cluster: PatroniCluster;
  proxies: HaProxy[];
  services: Service[];
  credentials: Credentials;
}
