import { setTimeout as sleep } from 'node:timers/promises';
import { deleteApp } from '@appregistrar/testkit/calls/apps';
import { HookReceiver } from '@appregistrar/testkit/http/hook-receiver';
import { apiRequest, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import { ScrapedMetrics } from '@appregistrar/testkit/http/scraped-metrics';
import { type ReceivedResponse, send } from '@appregistrar/testkit/http/send';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import { commandLine, type Registry } from '../../packages/server/src/kernel/registry.ts';
import { observeClock } from '../../packages/server/src/kernel/time.ts';
import type { Tables } from '../../packages/server/src/storage/tables.ts';
import { type Credentials, createCredentials } from '../harness/credentials.ts';
import { guarantee } from '../harness/fault-injection.ts';
import { createApps, markedContent, newMark } from '../harness/load.ts';
import type { Run } from '../harness/run.ts';
import { Service } from '../harness/service.ts';
import { SettableClock } from './settable-clock.ts';

const hourMs = 3_600_000;
/** Far longer than anything here takes on a busy machine. */
const waitMsMax = 60_000;
const updatesPerMinute = 20;

interface Parts extends Pick<ClockScene, 'clock' | 'service' | 'receiver'> {
  databaseUrl: string;
  credentials: Credentials;
}

/** A service whose clock can be set, and that delivers to a webhook. */
export class ClockScene {
  readonly clock: SettableClock;
  readonly service: Service;
  readonly receiver: HookReceiver;
  readonly #databaseUrl: string;
  readonly #credentials: Credentials;

  static async open(run: Run, databaseUrl: string): Promise<ClockScene> {
    const credentials = await createCredentials(databaseUrl);
    const clock = new SettableClock(run);
    const env = {
      ...clock.env,
      WEBHOOK_ALLOW_PRIVATE: '1',
      WEBHOOK_RETRY_SECONDS: Array(100).fill('1').join(','),
      RATE_LIMIT_UPDATES_PER_MINUTE: String(updatesPerMinute),
    };
    const service = await Service.create({ source: run.source, databaseUrl, env });
    run.atEnd(() => service.kill());
    const receiver = await HookReceiver.start();
    run.atEnd(() => receiver.close());
    return new ClockScene({ clock, service, receiver, databaseUrl, credentials });
  }

  private constructor({ clock, service, receiver, databaseUrl, credentials }: Parts) {
    this.clock = clock;
    this.service = service;
    this.receiver = receiver;
    this.#databaseUrl = databaseUrl;
    this.#credentials = credentials;
  }

  newApps(count: number): Promise<string[]> {
    return createApps(this.service, this.#credentials, count);
  }

  async newWebhook(): Promise<void> {
    await this.#operate('POST', '/webhooks', { url: this.receiver.url(), types: ['app.updated'] });
  }

  /** Changes an app as its developer. */
  update(appId: string, headers: Record<string, string> = {}): Promise<ReceivedResponse<{ updatedAt: string }>> {
    const update = markedContent(newMark());
    return send(this.service.publicUrl, updateAppRequest(this.#credentials.developer, { id: appId, update, headers }));
  }

  /** Uses up the limit of the developer. */
  async exhaustLimit(appId: string): Promise<ReceivedResponse> {
    for (let requests = 0; requests <= updatesPerMinute; requests += 1) {
      const response = await this.update(appId);
      if (response.status === 429) return response;
    }
    throw new Error('the limit is not exhausted');
  }

  /** Changes an app without a limit. */
  async updateAsOperator(appId: string): Promise<{ updatedAt: string }> {
    return (await this.#operate<{ updatedAt: string }>('PATCH', `/apps/${appId}`, markedContent(newMark()))).view;
  }

  /** Deletes an app as if this long ago. */
  async deleteApp(appId: string, agoMs: number): Promise<void> {
    await this.#inRegistry((registry) =>
      deleteApp({ ...registry, now: () => Date.now() - agoMs }, commandLine, { appId }),
    );
  }

  /** As if the service had run here for seven hours, with a clock that is right. */
  async confirmClock(): Promise<void> {
    const beforeMs = 7 * hourMs;
    await this.#inRegistry((registry) => {
      const uptimeMs = () => registry.machine.uptimeMs() - beforeMs;
      const machine = { ...registry.machine, uptimeMs };
      return observeClock({ ...registry, now: () => Date.now() - beforeMs, machine });
    });
  }

  async count(table: keyof Tables): Promise<number> {
    return (await this.rows(table)).length;
  }

  rows<Table extends keyof Tables>(table: Table): Promise<Tables[Table][]> {
    return this.#inRegistry(({ storage }) => rowsOf(storage, table));
  }

  /** Sets the clock of the running service, and waits until its responses show it. */
  async setClock(aheadSeconds: number): Promise<void> {
    this.clock.set(aheadSeconds);
    await this.until('the clock is set', async () => {
      const { headers } = await send(this.service.operatorUrl, { method: 'GET', path: '/livez' });
      return Math.abs(Date.parse(headers.date ?? '') - Date.now() - aheadSeconds * 1_000) < hourMs;
    });
  }

  /** Starts the service with its clock ahead, until its first maintenance is complete. */
  async startAhead(aheadSeconds: number): Promise<void> {
    this.clock.set(aheadSeconds);
    await this.service.start();
    const from = Date.now() + aheadSeconds * 1_000 - waitMsMax;
    await this.until('maintenance is complete', async () =>
      // Counting is its last step.
      (await this.rows('daily_counts')).some(({ counted_at: at }) => at > from && at < from + 2 * waitMsMax),
    );
  }

  async metric(name: string): Promise<number> {
    const { text } = await send(this.service.operatorUrl, { method: 'GET', path: '/metrics' });
    return new ScrapedMetrics(text).value(name) ?? Number.NaN;
  }

  async untilCounted(jumps: number): Promise<void> {
    await this.until(`${jumps} jumps are counted`, async () => (await this.metric('clock_jumps_total')) === jumps);
  }

  /** Throws `BrokenGuarantee` if it takes a minute. */
  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    const deadline = performance.now() + waitMsMax;
    while (!(await holds())) {
      guarantee(performance.now() < deadline, `after a minute it is not so that ${what}`);
      await sleep(50);
    }
  }

  #inRegistry<Result>(work: (registry: Registry) => Promise<Result>): Promise<Result> {
    return withRegistry(this.#databaseUrl, work);
  }

  async #operate<View>(method: string, path: string, body: unknown): Promise<ReceivedResponse<View>> {
    const request = apiRequest(this.#credentials.operator, { method, path: `/operator/v1${path}`, body });
    const response = await send<View>(this.service.operatorUrl, request);
    if (response.status >= 300) throw new Error(response.text);
    return response;
  }
}
