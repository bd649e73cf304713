import { setTimeout as sleep } from 'node:timers/promises';
import { assertStored } from '../frame/assert-stored.ts';
import { type Credentials, createCredentials } from '../frame/credentials.ts';
import { ask } from '../frame/http-request.ts';
import { Ledger } from '../frame/ledger.ts';
import { createApps, Load, markedContent, newMark } from '../frame/load.ts';
import type { Run } from '../frame/run.ts';
import { Service } from '../frame/service.ts';
import { promise } from '../frame/torture.ts';

const recoveryMsMax = 10_000;

/** A service on a SQLite file whose disk fails, under a light load. */
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

  /** Begins a ledger of its own, on new apps. */
  async begin(): Promise<void> {
    this.ledger = new Ledger();
    this.apps = await createApps(this.service, this.#credentials, 2);
  }

  load(round: number): Load {
    const { service, ledger, apps } = this;
    const parts = { service, credentials: this.#credentials, ledger, apps, updaters: 6, installers: 2, restMs: 2 };
    return new Load(this.#run, parts, round);
  }

  /** Resolves once a change is refused, or the service has stopped; false when neither comes in that time. */
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

  /** Reads do not need what fails. */
  async assertReads(): Promise<void> {
    for (const appId of this.apps) {
      const url = `${this.service.publicUrl}/platform/apps/v1/${appId}`;
      const answer = await ask(url, { token: this.#credentials.platform });
      promise(answer?.status === 200, () => `a read was answered with ${answer?.status} ${answer?.text}`);
    }
  }

  /** With nobody else's write beside it to fail with. */
  async assertNotReady(): Promise<void> {
    for (let probe = 0; probe < 3; probe += 1) {
      promise(!(await this.service.isReady()), '/readyz answers 200 while nothing can be written');
    }
  }

  /** Writes again, at most a few seconds after the disk does; to the milliseconds that took. */
  async untilRecovered(): Promise<number> {
    const began = performance.now();
    for (;;) {
      if ((await this.#update()) && (await this.service.isReady())) return performance.now() - began;
      promise(
        performance.now() - began < recoveryMsMax,
        `nothing is written ${recoveryMsMax / 1_000} s after the fault`,
      );
      await sleep(20);
    }
  }

  async assertStored(): Promise<void> {
    await assertStored(this.databaseUrl, this.ledger, this.apps);
  }

  /** A service that has stopped must have said why. */
  async assertLoud(): Promise<void> {
    const status = await this.service.process.ended;
    promise(status !== 0 && this.service.process.tail !== '', `the service has ended without a word, with ${status}`);
  }

  async #update(): Promise<boolean> {
    const [appId = ''] = this.apps;
    const mark = newMark();
    const url = `${this.service.publicUrl}/developer/apps/v1/${appId}`;
    const answer = await ask(url, { method: 'PATCH', token: this.#credentials.developer, body: markedContent(mark) });
    const outcome = this.ledger.outcomeOf(answer);
    this.ledger.updates.push({ appId, mark, outcome, requestId: answer?.headers.get('x-request-id') ?? null });
    return outcome === 'acknowledged';
  }
}

interface Parts {
  run: Run;
  databaseUrl: string;
  credentials: Credentials;
  service: Service;
}
