import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresCluster } from '@appregistrar/testkit/engines/postgres-cluster';
import { getAppRequest } from '@appregistrar/testkit/http/http-request';
import { trySend } from '@appregistrar/testkit/http/send';
import { TcpProxy } from '@appregistrar/testkit/system/tcp-proxy';
import { assertStored } from '../harness/assert-stored.ts';
import { type Credentials, createCredentials } from '../harness/credentials.ts';
import { distributionOf } from '../harness/distribution.ts';
import { guarantee } from '../harness/fault-injection.ts';
import { Ledger } from '../harness/ledger.ts';
import { createApps, Load } from '../harness/load.ts';
import type { Run } from '../harness/run.ts';
import { Service } from '../harness/service.ts';

const recoveryMsMax = 10_000;
/** Longer than the service needs on a busy machine: it refuses within 5 seconds, or 10 behind others. */
const unavailableMsMax = 30_000;
/** A service with 32 clients, which reaches PostgreSQL through a proxy. */
export class OutageScene {
  readonly service: Service;
  readonly proxy: TcpProxy;
  /** The server behind the proxy. */
  cluster: PostgresCluster;
  ledger = new Ledger();
  /** The slowest response: the service's connection timeout and time for the rest. */
  responseMsMax = 15_000;
  readonly recoveryMs: number[] = [];
  readonly totals = { acknowledged: 0, refused: 0, unknown: 0, slowestMs: 0 };
  readonly #run: Run;
  readonly #credentials: Credentials;
  #apps: string[] = [];

  static async open(run: Run): Promise<OutageScene> {
    // A setting by which no commit would wait for the standby: each write must override it.
    const cluster = await PostgresCluster.create({ synchronous_commit: 'local' });
    const proxy = await TcpProxy.start(cluster.port);
    run.atEnd(() => proxy.stop());
    const databaseUrl = cluster.url(proxy.port);
    const credentials = await createCredentials(databaseUrl);
    const service = await Service.create({ source: run.source, databaseUrl });
    const scene = new OutageScene({ run, cluster, proxy, credentials, service });
    run.atEnd(() => scene.cluster.remove());
    run.atEnd(() => service.kill());
    await service.start();
    return scene;
  }

  private constructor({ run, cluster, proxy, credentials, service }: Parts) {
    this.#run = run;
    this.cluster = cluster;
    this.proxy = proxy;
    this.#credentials = credentials;
    this.service = service;
  }

  /** Clients write before, during and after the outage. Then everything is checked. */
  async round(round: number, outage: () => Promise<void>): Promise<void> {
    this.ledger = new Ledger();
    this.#apps = await createApps(this.service, this.#credentials, 4);
    const { service, ledger } = this;
    const parts = { service, credentials: this.#credentials, ledger, apps: this.#apps, updaters: 24, installers: 8 };
    const load = new Load(this.#run, parts, round);
    try {
      await sleep(this.#run.random('moments', round).between(50, 600));
      await outage();
      this.recoveryMs.push(await this.#untilServing());
    } finally {
      await load.stop();
    }
    guarantee(!service.process.hasEnded, () => `the service has ended: ${service.process.lastOutput}`);
    this.#count();
    guarantee(
      this.totals.slowestMs < this.responseMsMax,
      () => `a response took ${Math.round(this.totals.slowestMs)} ms`,
    );
    await assertStored(this.cluster.url(), ledger, this.#apps);
  }

  /** Asserts that the service without its database is alive, not ready, and responds with 503. */
  async assertUnavailable(): Promise<void> {
    const { service } = this;
    const [appId = ''] = this.#apps;
    const [ready, live, read] = await Promise.all([
      service.readiness(unavailableMsMax),
      trySend(service.operatorUrl, { method: 'GET', path: '/livez' }),
      trySend(service.publicUrl, getAppRequest(this.#credentials.platform, appId), { timeoutMs: unavailableMsMax }),
    ]);
    guarantee(ready === 503, `/readyz returns ${ready} without a database`);
    guarantee(live?.status === 200, `/livez returns ${live?.status} without a database`);
    guarantee(
      read?.status === 503 && 'retry-after' in read.headers,
      `a read without a database received ${read?.status} ${read?.text}`,
    );
  }

  get summary(): string {
    const { acknowledged, refused, unknown, slowestMs } = this.totals;
    return `${acknowledged} changes acknowledged, ${refused} refused with 503, ${unknown} unknown, slowest response ${Math.round(slowestMs)} ms, serves again after at most ${distributionOf(this.recoveryMs).max} ms`;
  }

  async #untilServing(): Promise<number> {
    const startedAt = performance.now();
    const from = this.ledger.responses.length;
    const isServing = () => this.ledger.responses.slice(from).some(({ status }) => status < 300);
    while (!isServing() || !(await this.service.isReady())) {
      guarantee(!this.service.process.hasEnded, () => `the service has ended: ${this.service.process.lastOutput}`);
      guarantee(
        performance.now() - startedAt < recoveryMsMax,
        `no change is stored ${recoveryMsMax / 1_000} s afterwards`,
      );
      await sleep(5);
    }
    return performance.now() - startedAt;
  }

  #count(): void {
    const { ledger, totals } = this;
    totals.acknowledged += ledger.count('acknowledged');
    totals.refused += ledger.count('refused');
    totals.unknown += ledger.count('unknown');
    totals.slowestMs = ledger.responses.reduce((slowest, { ms }) => Math.max(slowest, ms), totals.slowestMs);
  }
}

interface Parts {
  run: Run;
  cluster: PostgresCluster;
  proxy: TcpProxy;
  credentials: Credentials;
  service: Service;
}
