import type { KeyObject } from 'node:crypto';
import type { Engine, TestDatabase } from '@appregistrar/testkit/engines/engines';
import { Changes } from '@appregistrar/testkit/http/changes';
import { HookReceiver } from '@appregistrar/testkit/http/hook-receiver';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { Registry as MetricsRegistry } from 'prom-client';
import { appendEvent } from '../../src/features/events/append-event.ts';
import type { EventData } from '../../src/features/events/event.ts';
import {
  insertProcess,
  renewProcess,
  takeShards,
} from '../../src/features/webhooks/deliveries/webhook-lease-queries.ts';
import { Deliveries, type DeliveryOptions } from '../../src/features/webhooks/delivery/deliver-events.ts';
import { DeliveryMetrics } from '../../src/features/webhooks/delivery/delivery-metrics.ts';
import { shardsPerWebhook } from '../../src/features/webhooks/delivery/webhook-leases.ts';
import { findWebhook, insertWebhook } from '../../src/features/webhooks/webhook-queries.ts';
import { newWebhookSecret } from '../../src/features/webhooks/webhook-secrets.ts';
import { newId } from '../../src/kernel/ids.ts';
import { type Caller, commandLine, type Registry } from '../../src/kernel/registry.ts';
import { SecretKeys } from '../../src/kernel/secret-keys.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { type WatchedStorage, watchStorage } from '../../src/storage/storage.ts';
import type { DeliveryRow, WebhookRow } from '../../src/storage/tables.ts';
import { sampleRows } from '../storage/sample-rows.ts';

type DeliveryStorage = WatchedStorage<Pick<DeliveryRow, 'webhook_id' | 'queue'>>;

/** A delivering process, composed as in `serve.ts`, with its own storage. */
export interface DeliveringProcess {
  registry: Registry;
  deliveries: Deliveries;
  log: CapturedLog;
  metrics: MetricsRegistry;
  /** Stops it as a signal does. Afterwards all of its attempts are recorded, counted and logged. */
  stop(): Promise<void>;
}

/** Everything that a test of deliveries adds. */
const tables = [
  ...['delivery_requests', 'deliveries', 'webhook_leases', 'webhook_processes', 'webhooks', 'events'],
  'clock_observations',
];

/** A database with webhooks, processes that deliver, and a receiver. */
export class DeliveryFixture {
  /** The clock of all processes: the system's unless a test sets it. */
  now: () => number = Date.now;
  readonly hook: HookReceiver;
  readonly storage: DeliveryStorage;
  readonly #database: TestDatabase;
  readonly #changes: Changes;
  readonly #processes: DeliveringProcess[] = [];
  /** One for each process of a test; the next test uses them again. */
  readonly #storages: DeliveryStorage[] = [];

  static async open(engine: Engine): Promise<DeliveryFixture> {
    const database = await engine.createMigratedDatabase();
    const changes = new Changes();
    const hook = await HookReceiver.start({ changes });
    return new DeliveryFixture({ database, changes, hook, storage: await openReported(database.url, changes) });
  }

  private constructor(parts: {
    database: TestDatabase;
    changes: Changes;
    hook: HookReceiver;
    storage: DeliveryStorage;
  }) {
    this.#database = parts.database;
    this.#changes = parts.changes;
    this.hook = parts.hook;
    this.storage = parts.storage;
  }

  /** That of a process that does not deliver. */
  get registry(): Registry {
    return registryOn(this.storage, () => this.now());
  }

  /** Looks after each request to the receiver and each write of a process, until it finds something. */
  until<Found>(find: () => Found | Promise<Found>): Promise<Exclude<Found, false | null | undefined>> {
    return this.#changes.until(find);
  }

  /** Until no delivery is pending. */
  async finished(): Promise<void> {
    await this.until(async () => (await this.deliveries()).every(({ state }) => state !== 'pending'));
  }

  async newWebhook(url: string, given: Partial<WebhookRow> = {}): Promise<WebhookRow> {
    const row = {
      ...(sampleRows.webhooks[0] as WebhookRow),
      id: newId('webhook'),
      url,
      secret: newWebhookSecret(),
      ...given,
    };
    await this.storage.write((transaction) => insertWebhook(transaction, row));
    return row;
  }

  async webhook(id: string): Promise<WebhookRow> {
    const row = await findWebhook(this.storage.reader, { id });
    if (!row) throw new Error(`there is no ${id}`);
    return row;
  }

  async setWebhook(id: string, given: Partial<WebhookRow>): Promise<void> {
    await this.storage.write((transaction) =>
      transaction.run(transaction.builder.updateTable('webhooks').set(given).where('id', '=', id).compile()),
    );
  }

  /** How many shards of a webhook each process holds. */
  async shardsByHolder(webhookId: string): Promise<Map<string, number>> {
    const leases = (await rowsOf(this.storage, 'webhook_leases')).filter((row) => row.webhook_id === webhookId);
    const held = Map.groupBy(leases, ({ holder }) => holder ?? '');
    held.delete('');
    return new Map([...held].map(([holder, shards]) => [holder, shards.length]));
  }

  /** Whether processes serve all queues of a webhook. */
  async isServed(webhookId: string): Promise<boolean> {
    const shards = [...(await this.shardsByHolder(webhookId)).values()];
    return shards.reduce((sum, count) => sum + count, 0) === shardsPerWebhook;
  }

  /** Leases all shards to a process that does not run. */
  async lease({ webhookId, holder }: { webhookId: string; holder: string }): Promise<void> {
    await this.storage.write(async (transaction) => {
      const isKnown = (await renewProcess(transaction, { id: holder, withoutKey: '' })) > 0;
      if (!isKnown) await insertProcess(transaction, { id: holder, beat: 7, without_key: '' });
      await takeShards(transaction, { webhookId, shards: [...Array(shardsPerWebhook).keys()], holder });
    });
  }

  /** Starts a process that polls far more often than a real one and retries at once. */
  async startProcess({
    secretKeys = [],
    ...options
  }: Partial<DeliveryOptions> & { secretKeys?: KeyObject[] } = {}): Promise<DeliveringProcess> {
    this.#storages[this.#processes.length] ??= await openReported(this.#database.url, this.#changes);
    const storage = this.#storages[this.#processes.length] as DeliveryStorage;
    const registry = { ...registryOn(storage, () => this.now()), secrets: new SecretKeys(secretKeys) };
    const [log, metrics] = [new CapturedLog(), new MetricsRegistry()];
    const deliveries = new Deliveries(registry, {
      logger: log.logger,
      metrics: new DeliveryMetrics(registry, metrics),
      allowPrivate: true,
      retryMs: Array(50).fill(0),
      pollMs: 20,
      ...options,
    });
    storage.onInserted = (rows) => deliveries.notify(rows);
    const started = { registry, deliveries, log, metrics, stop: () => deliveries.stop() };
    this.#processes.push(started);
    return started;
  }

  /** Commits one change of each of these apps in order, by default from a process that does not deliver. */
  async change(
    apps: string[],
    by: Registry = this.registry,
    { after = {}, traceparent }: Pick<Partial<EventData['app.updated']>, 'after'> & Pick<Caller, 'traceparent'> = {},
  ): Promise<void> {
    const caller: Caller = { ...commandLine, traceparent };
    await by.storage.write(async (transaction) => {
      for (const appId of apps) {
        const change = { type: 'app.updated', appId, subjectId: appId, before: {}, after } as const;
        await appendEvent(transaction, { caller, at: by.now(), ...change });
      }
    });
  }

  async deliveries(): Promise<DeliveryRow[]> {
    return rowsOf(this.storage, 'deliveries');
  }

  /** The ids of the events of each app, in order of commit. */
  async committed(): Promise<Record<string, string[]>> {
    const events = await rowsOf(this.storage, 'events');
    const byApp = Map.groupBy(events, (event) => event.app_id ?? event.subject_id);
    return Object.fromEntries([...byApp].map(([app, rows]) => [app, rows.map(({ id }) => id)]));
  }

  /** Stops the processes and forgets everything. For after each test. */
  async reset(): Promise<void> {
    for (const { stop } of this.#processes.splice(0)) await stop();
    await this.storage.write(async (transaction) => {
      for (const table of tables) await execute(transaction, `delete from ${table}`);
    });
    this.now = Date.now;
    this.hook.arrivals.length = 0;
    this.hook.respond = (_, response) => response.end();
  }

  async close(): Promise<void> {
    for (const { stop } of this.#processes) await stop();
    await this.hook.close();
    for (const storage of [...this.#storages, this.storage]) await storage.close();
    await this.#database.drop();
  }
}

/** Opens a storage that reports each write, including one that fails. */
async function openReported(url: string, changes: Changes): Promise<DeliveryStorage> {
  const storage = watchStorage(await openStorage(url), 'deliveries', ['webhook_id', 'queue']);
  const write = storage.write.bind(storage);
  storage.write = (...args) => write(...args).finally(() => changes.report());
  return storage;
}

function registryOn(storage: Registry['storage'], now: () => number): Registry {
  return {
    storage,
    now,
    machine: { bootId: 'boot', uptimeMs: now },
    epoch: 'epoch',
    logoBaseUrl: 'https://apps.example.com/logos',
    workspaceIdPrefix: 'workspace',
    userIdPrefix: 'user',
    secrets: new SecretKeys(),
    webhookAllowPrivate: true,
  };
}
