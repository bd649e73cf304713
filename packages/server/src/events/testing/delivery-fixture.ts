import type { KeyObject } from 'node:crypto';
import type { Engine, TestDatabase } from '@appregistrar/testkit/engines/engines';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { Registry as MetricsRegistry } from 'prom-client';
import type { EventData } from '../../contract/event.ts';
import { appendEvent } from '../../registry/events/append-event.ts';
import { commandLine, type Registry } from '../../registry/registry.ts';
import { SecretKeys } from '../../registry/secret-keys.ts';
import { newId } from '../../registry/type-id.ts';
import { newWebhookSecret } from '../../registry/webhooks/webhook-secret.ts';
import { shardsPerWebhook } from '../../registry/webhooks/webhook-shard.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { insertProcess, type Shards, takeShards } from '../../storage/queries/deliveries/webhook-leases.ts';
import { findWebhook, insertWebhook } from '../../storage/queries/webhooks.ts';
import type { DeliveryRow, WebhookRow } from '../../storage/tables.ts';
import { sampleRows } from '../../storage/testing/sample-rows.ts';
import { WatchedStorage } from '../../storage/watched-storage.ts';
import { Deliveries, type DeliveryOptions } from '../deliver-events.ts';
import { DeliveryMetrics } from '../delivery-metrics.ts';

/** A delivering process, composed as in `serve.ts`, with its own storage. */
export interface DeliveringProcess {
  registry: Registry;
  deliveries: Deliveries;
  log: CapturedLog;
  metrics: MetricsRegistry;
  /** Stops it as a signal does. */
  stop(): Promise<void>;
}

/** A new database with webhooks, and processes that deliver. */
export class DeliveryFixture {
  /** The clock of all processes: the system's unless a test sets it. */
  now: () => number = Date.now;
  readonly databaseUrl: string;
  readonly #database: TestDatabase;
  readonly #storage: WatchedStorage<'deliveries', 'webhook_id' | 'queue'>;
  readonly #processes: DeliveringProcess[] = [];

  static async open(engine: Engine): Promise<DeliveryFixture> {
    const database = await engine.createMigratedDatabase();
    return new DeliveryFixture(
      database,
      new WatchedStorage(await openStorage(database.url), 'deliveries', ['webhook_id', 'queue']),
    );
  }

  private constructor(database: TestDatabase, storage: WatchedStorage<'deliveries', 'webhook_id' | 'queue'>) {
    this.databaseUrl = database.url;
    this.#database = database;
    this.#storage = storage;
  }

  get storage(): WatchedStorage<'deliveries', 'webhook_id' | 'queue'> {
    return this.#storage;
  }

  async newWebhook(url: string, given: Partial<WebhookRow> = {}): Promise<WebhookRow> {
    const row = {
      ...(sampleRows.webhooks[0] as WebhookRow),
      id: newId('webhook'),
      url,
      secret: newWebhookSecret(),
      ...given,
    };
    await this.#storage.write((transaction) => insertWebhook(transaction, row));
    return row;
  }

  async webhook(id: string): Promise<WebhookRow> {
    const row = await findWebhook(this.#storage.reader, { id });
    if (!row) throw new Error(`there is no ${id}`);
    return row;
  }

  /** How many shards of a webhook each process holds. */
  async shardsByHolder(webhookId: string): Promise<Map<string, number>> {
    const leases = (await rowsOf(this.#storage, 'webhook_leases')).filter((row) => row.webhook_id === webhookId);
    const held = Map.groupBy(leases, ({ holder }) => holder ?? '');
    held.delete('');
    return new Map([...held].map(([holder, shards]) => [holder, shards.length]));
  }

  /** Whether processes serve all queues of a webhook. */
  async isServed(webhookId: string): Promise<boolean> {
    const shards = [...(await this.shardsByHolder(webhookId)).values()];
    return shards.reduce((sum, count) => sum + count, 0) === shardsPerWebhook;
  }

  /** Leases shards to a process that does not run. */
  async lease({ holder, ...shards }: Shards & { holder: string }): Promise<void> {
    await this.#storage.write(async (transaction) => {
      await insertProcess(transaction, { id: holder, beat: 7, without_key: '' });
      await takeShards(transaction, { ...shards, holder });
    });
  }

  /** Starts a process that polls far more often than a real one and retries at once. */
  async startProcess({
    secretKeys = [],
    ...options
  }: Partial<DeliveryOptions> & { secretKeys?: KeyObject[] } = {}): Promise<DeliveringProcess> {
    const storage = new WatchedStorage(await openStorage(this.databaseUrl), 'deliveries', ['webhook_id', 'queue']);
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
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= deliveries.stop().then(() => storage.close());
      return stopped;
    };
    const started = { registry, deliveries, log, metrics, stop };
    this.#processes.push(started);
    return started;
  }

  /** Commits one change of each of these apps in order, by default from a process that does not deliver. */
  async change(
    apps: string[],
    by: Registry = registryOn(this.#storage, () => this.now()),
    data: Pick<EventData['app.updated'], 'after'> = { after: {} },
  ): Promise<void> {
    for (const appId of apps) {
      const change = { type: 'app.updated', appId, subjectId: appId, before: {}, ...data } as const;
      await by.storage.write((transaction) =>
        appendEvent(transaction, { caller: commandLine, at: by.now(), ...change }),
      );
    }
  }

  async deliveries(): Promise<DeliveryRow[]> {
    return rowsOf(this.#storage, 'deliveries');
  }

  /** The ids of the events of each app, in order of commit. */
  async committed(): Promise<Record<string, string[]>> {
    const events = await rowsOf(this.#storage, 'events');
    const byApp = Map.groupBy(events, (event) => event.app_id ?? event.subject_id);
    return Object.fromEntries([...byApp].map(([app, rows]) => [app, rows.map(({ id }) => id)]));
  }

  async close(): Promise<void> {
    for (const { stop } of this.#processes) await stop();
    await this.#storage.close();
    await this.#database.drop();
  }
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
    storedBytesPerDeveloperPerDay: 0,
  };
}
