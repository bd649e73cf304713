import { setTimeout as sleep } from 'node:timers/promises';
import { getAppRequest, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import { trySend } from '@appregistrar/testkit/http/send';
import { assertStored } from './assert-stored.ts';
import { type Credentials, createCredentials } from './credentials.ts';
import { guarantee } from './fault-injection.ts';
import { Ledger } from './ledger.ts';
import { createApps, Load, markedContent, newMark } from './load.ts';
import type { Run } from './run.ts';
import { Service } from './service.ts';

const recoveryMsMax = 10_000;

/** A service under light load on a SQLite file that fails. */
export class DiskScene {
  readonly service: Service;
  readonly databaseUrl: string;
  ledger = new Ledger();
  apps: string[] = [];
  readonly #run: Run;
  readonly #credentials: Credentials;

  static async open(run: Run, databaseUrl: string): Promise<DiskScene> {
    const credentials = await createCredentials(databaseUrl);
    const service = await Service.create({ source: run.source, databaseUrl });
    run.atEnd(() => service.kill());
    await service.start();
    return new DiskScene({ run, databaseUrl, credentials, service });
  }

  private constructor({ run, databaseUrl, credentials, service }: Parts) {
    this.#run = run;
    this.databaseUrl = databaseUrl;
    this.#credentials = credentials;
    this.service = service;
  }

  /** Starts a new ledger with new apps. */
  async startLedger(): Promise<void> {
    this.ledger = new Ledger();
    this.apps = await createApps(this.service, this.#credentials, 2);
  }

  load(round: number): Load {
    const { service, ledger, apps } = this;
    const parts = { service, credentials: this.#credentials, ledger, apps, updaters: 6, installers: 2, restMs: 2 };
    return new Load(this.#run, parts, round);
  }

  /** Resolves to true once a change is refused or the service has ended, and to false after this time. */
  async untilFailing(ms: number): Promise<boolean> {
    const deadline = performance.now() + ms;
    while (performance.now() < deadline) {
      if (this.hasFailed || this.service.process.hasEnded) return true;
      await sleep(5);
    }
    return false;
  }

  get hasFailed(): boolean {
    return this.ledger.count('refused') + this.ledger.count('unknown') > 0;
  }

  /** Asserts that reads work: they do not write. */
  assertReads(): Promise<void> {
    return this.#assertReadStatus(200);
  }

  /** Asserts that nothing is read. */
  assertNoReads(): Promise<void> {
    return this.#assertReadStatus(503);
  }

  /** Requires that no client writes, as a failing write would hide the result of the probe. */
  async assertNotReady(): Promise<void> {
    for (let probe = 0; probe < 3; probe += 1) {
      guarantee(!(await this.service.isReady()), '/readyz returns 200 while no write succeeds');
    }
  }

  /** Resolves once it writes again after the disk works, to the milliseconds that this took. */
  async untilRecovered(): Promise<number> {
    const startedAt = performance.now();
    for (;;) {
      if ((await this.#update()) && (await this.service.isReady())) return performance.now() - startedAt;
      guarantee(
        performance.now() - startedAt < recoveryMsMax,
        `no write succeeds ${recoveryMsMax / 1_000} s after the failure`,
      );
      await sleep(20);
    }
  }

  async assertStored(): Promise<void> {
    await assertStored(this.databaseUrl, this.ledger, this.apps);
  }

  /** Asserts that a service that has ended printed the reason. */
  async assertReasonPrinted(): Promise<void> {
    const status = await this.service.process.ended;
    guarantee(
      status !== 0 && this.service.process.output !== '',
      `the service has ended with ${status} and printed no reason`,
    );
  }

  async #assertReadStatus(status: number): Promise<void> {
    for (const appId of this.apps) {
      const response = await trySend(this.service.publicUrl, getAppRequest(this.#credentials.platform, appId));
      guarantee(response?.status === status, () => `a read received ${response?.status} ${response?.text}`);
    }
  }

  async #update(): Promise<boolean> {
    const [appId = ''] = this.apps;
    const mark = newMark();
    const request = updateAppRequest(this.#credentials.developer, { id: appId, update: markedContent(mark) });
    const response = await trySend(this.service.publicUrl, request);
    const outcome = this.ledger.outcomeOf(response);
    this.ledger.updates.push({ appId, mark, outcome, requestId: response?.headers['x-request-id'] ?? null });
    return outcome === 'acknowledged';
  }
}

interface Parts {
  run: Run;
  databaseUrl: string;
  credentials: Credentials;
  service: Service;
}
