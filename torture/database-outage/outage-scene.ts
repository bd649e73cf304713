import { setTimeout as sleep } from 'node:timers/promises';
import { assertStored } from '../frame/assert-stored.ts';
import { type Credentials, createCredentials } from '../frame/credentials.ts';
import { ask } from '../frame/http-request.ts';
import { Ledger } from '../frame/ledger.ts';
import { createApps, Load } from '../frame/load.ts';
import { PostgresCluster } from '../frame/postgres-cluster.ts';
import type { Run } from '../frame/run.ts';
import { Service } from '../frame/service.ts';
import { distributionOf } from '../frame/distribution.ts';
import { TcpProxy } from '../frame/tcp-proxy.ts';
import { promise } from '../frame/torture.ts';

const recoveryMsMax = 10_000;
/** The longest that anybody waits for an answer: the service's limit for a connection, and time for the rest. */
const answerMsMax = 15_000;

/** A service that reaches PostgreSQL through an address of its own, under 32 clients. */
export class OutageScene {
  readonly service: Service;
  readonly proxy: TcpProxy;
  /** The server that the address leads to. */
  cluster: PostgresCluster;
  ledger = new Ledger();
  readonly recoveryMs: number[] = [];
  readonly totals = { acknowledged: 0, refused: 0, unknown: 0, slowestMs: 0 };
  readonly #run: Run;
  readonly #credentials: Credentials;
  #apps: string[] = [];

  static async open(run: Run): Promise<OutageScene> {
    const cluster = await PostgresCluster.create();
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

  /** Clients write before, during and after the trouble; then everything is looked at. */
  async round(round: number, trouble: () => Promise<void>): Promise<void> {
    this.ledger = new Ledger();
    this.#apps = await createApps(this.service, this.#credentials, 4);
    const { service, ledger } = this;
    const parts = { service, credentials: this.#credentials, ledger, apps: this.#apps, updaters: 24, installers: 8 };
    const load = new Load(this.#run, parts, round);
    try {
      await sleep(this.#run.random('moments', round).between(50, 600));
      await trouble();
      this.recoveryMs.push(await this.#untilServing());
    } finally {
      await load.stop();
    }
    promise(!service.process.hasEnded, () => `the service has ended: ${service.process.lastOutput}`);
    this.#count();
    promise(this.totals.slowestMs < answerMsMax, () => `an answer took ${Math.round(this.totals.slowestMs)} ms`);
    await assertStored(this.cluster.url(), ledger, this.#apps);
  }

  /** While there is no database: alive, not ready, and whoever asks is told to come again. */
  async assertGone(): Promise<void> {
    const { service } = this;
    const [appId = ''] = this.#apps;
    const [ready, live, read] = await Promise.all([
      service.readiness(answerMsMax),
      ask(`${service.operatorUrl}/livez`, { token: '' }),
      ask(`${service.publicUrl}/platform/apps/v1/${appId}`, { token: this.#credentials.platform }),
    ]);
    promise(ready === 503, `/readyz answers ${ready} without a database`);
    promise(live?.status === 200, `/livez answers ${live?.status} without a database`);
    promise(
      read?.status === 503 && read.headers.has('retry-after'),
      `a read is answered without a database: ${read?.status} ${read?.text}`,
    );
  }

  get summary(): string {
    const { acknowledged, refused, unknown, slowestMs } = this.totals;
    return `${acknowledged} changes acknowledged, ${refused} refused with 503, ${unknown} unknown, slowest answer ${Math.round(slowestMs)} ms, serves again after at most ${distributionOf(this.recoveryMs).max} ms`;
  }

  async #untilServing(): Promise<number> {
    const began = performance.now();
    const from = this.ledger.answers.length;
    const isServing = () => this.ledger.answers.slice(from).some(({ status }) => status < 300);
    while (!isServing() || !(await this.service.isReady())) {
      promise(!this.service.process.hasEnded, () => `the service has ended: ${this.service.process.lastOutput}`);
      promise(performance.now() - began < recoveryMsMax, `no change is stored ${recoveryMsMax / 1_000} s afterwards`);
      await sleep(5);
    }
    return performance.now() - began;
  }

  #count(): void {
    const { ledger, totals } = this;
    totals.acknowledged += ledger.count('acknowledged');
    totals.refused += ledger.count('refused');
    totals.unknown += ledger.count('unknown');
    totals.slowestMs = ledger.answers.reduce((slowest, { ms }) => Math.max(slowest, ms), totals.slowestMs);
  }
}

interface Parts {
  run: Run;
  cluster: PostgresCluster;
  proxy: TcpProxy;
  credentials: Credentials;
  service: Service;
}
