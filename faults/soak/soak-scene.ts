import { setTimeout as sleep } from 'node:timers/promises';
import { apiRequest } from '@appregistrar/testkit/http/http-request';
import { send } from '@appregistrar/testkit/http/send';
import { assertStored } from '../harness/assert-stored.ts';
import { type Credentials, createCredentials } from '../harness/credentials.ts';
import { distributionOf } from '../harness/distribution.ts';
import { guarantee } from '../harness/fault-injection.ts';
import { fillApp } from '../harness/fill-app.ts';
import { freshUrl } from '../harness/fresh-database.ts';
import { Ledger } from '../harness/ledger.ts';
import { createApps, Load } from '../harness/load.ts';
import { Readers } from '../harness/readers.ts';
import type { Run } from '../harness/run.ts';
import { Service } from '../harness/service.ts';
import { EventReceiver } from './event-receiver.ts';
import { inspectable } from './live-heap.ts';
import { Operators } from './operators.ts';
import { Series } from './series.ts';
import { Vitals } from './vitals.ts';

const appsCount = 6;
/** The first list is cached, the second is streamed. */
const listLengths = [300, 1_500];
const clients = { updaters: 4, installers: 4, readers: 8, operators: 1 };
const restMs = { changes: 250, reads: 120, operators: 500 };
const deliveredMsMax = 120_000;
const env = {
  ...inspectable,
  WEBHOOK_ALLOW_PRIVATE: '1',
  WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1',
};

/** A service under a constant mixed load, and its resources. */
export class SoakScene {
  readonly vitals: Vitals;
  /** The 99th percentile of response times between two samples, in milliseconds. */
  readonly p99 = new Series();
  requests = 0;
  readonly #parts: SceneParts;
  readonly #ledger = new Ledger();
  readonly #load: Load;
  readonly #readers: Readers;
  readonly #operators: Operators;

  static async open(run: Run, engine: string): Promise<SoakScene> {
    const databaseUrl = await freshUrl(run, engine);
    const credentials = await createCredentials(databaseUrl);
    const service = await Service.create({ source: run.source, databaseUrl, env });
    run.atEnd(() => service.kill());
    await service.start();
    const apps = await createApps(service, credentials, appsCount);
    const lists = await createApps(service, credentials, listLengths.length);
    for (const [at, length] of listLengths.entries()) await fillApp(databaseUrl, lists[at] as string, length);
    const receiver = await EventReceiver.start(run, engine);
    const webhookId = await createWebhook(service, credentials, receiver.url);
    const logPath = engine === 'sqlite' ? `${databaseUrl.slice('sqlite:'.length)}-wal` : null;
    const vitals = await Vitals.of(service.process, logPath);
    return new SoakScene({ run, databaseUrl, service, credentials, apps, lists, receiver, webhookId, vitals });
  }

  private constructor(parts: SceneParts) {
    const { run, service, credentials, apps, lists, vitals, webhookId } = parts;
    this.#parts = parts;
    this.vitals = vitals;
    const load = { service, credentials, ledger: this.#ledger, apps, restMs: restMs.changes, deletionChance: 1 };
    this.#load = new Load(run, { ...load, updaters: clients.updaters, installers: clients.installers });
    this.#readers = new Readers(run, {
      publicUrl: service.publicUrl,
      token: credentials.platform,
      apps: [...apps, ...lists],
      count: clients.readers,
      restMs: restMs.reads,
      freshChance: 0.5,
    });
    this.#operators = new Operators({
      operatorUrl: service.operatorUrl,
      token: credentials.operator,
      paths: pathsOf(lists, webhookId),
      count: clients.operators,
      restMs: restMs.operators,
    });
  }

  /** Samples the resources, and the responses since the previous sample. */
  async sample(): Promise<void> {
    await this.vitals.sample();
    this.#takeResponses();
  }

  /** Stops the load. Resolves once every event is delivered. The service keeps running. */
  async stop(): Promise<void> {
    await Promise.all([this.#load.stop(), this.#readers.stop(), this.#operators.stop()]);
    this.#takeResponses();
    await this.vitals.end();
    await this.#untilDelivered();
  }

  /** Asserts that the ledger, the database and the delivered events agree. */
  async assertConsistent(): Promise<void> {
    const { databaseUrl, apps, service, receiver } = this.#parts;
    await assertStored(databaseUrl, this.#ledger, apps);
    await service.command('check');
    const delivered = [...receiver.accepted.values()].filter((type) =>
      /^(app\.updated|installation\.)/.test(type),
    ).length;
    const changes = this.changes;
    guarantee(delivered === changes, `${changes} changes were acknowledged, and ${delivered} delivered`);
    const status = await service.stop();
    guarantee(status === 0, `the service ended with ${status}: ${service.process.lastOutput}`);
  }

  get changes(): number {
    return this.#ledger.count('acknowledged');
  }

  #takeResponses(): void {
    const failures = [...this.#readers.failures, ...this.#operators.failures, ...this.#ledger.unexpected];
    guarantee(failures.length === 0, () => `${failures.length} unexpected responses: ${failures[0]}`);
    const responses = this.#ledger.responses.splice(0);
    const refused = responses.find(({ status }) => status >= 300);
    guarantee(!refused, () => `a change received ${refused?.status}`);
    const changes = responses.map((response) => response.ms);
    const ms = [...changes, ...this.#readers.ms.splice(0), ...this.#operators.ms.splice(0)];
    this.requests += ms.length;
    if (ms.length > 0) this.p99.add(distributionOf(ms).p99);
  }

  async #untilDelivered(): Promise<void> {
    const { service, credentials, webhookId } = this.#parts;
    const path = `/operator/v1/webhooks/${webhookId}/deliveries?state=pending`;
    const request = apiRequest(credentials.operator, { path });
    const deadline = performance.now() + deliveredMsMax;
    for (;;) {
      const { items } = (await send<{ items: unknown[] }>(service.operatorUrl, request)).view;
      if (items.length === 0) return;
      guarantee(performance.now() < deadline, () => `events are not delivered: ${JSON.stringify(items[0])}`);
      await sleep(100);
    }
  }
}

interface SceneParts {
  run: Run;
  databaseUrl: string;
  service: Service;
  credentials: Credentials;
  apps: string[];
  lists: string[];
  receiver: EventReceiver;
  webhookId: string;
  vitals: Vitals;
}

async function createWebhook({ operatorUrl }: Service, { operator }: Credentials, url: string): Promise<string> {
  const request = apiRequest(operator, { method: 'POST', path: '/operator/v1/webhooks', body: { url } });
  return (await send<{ id: string }>(operatorUrl, request)).view.id;
}

function pathsOf(lists: string[], webhookId: string): string[] {
  const operatorPaths = [
    'apps',
    'events',
    'overview',
    `installations?appId=${lists[0]}`,
    `webhooks/${webhookId}/deliveries`,
  ];
  return ['/metrics', '/readyz', ...operatorPaths.map((path) => `/operator/v1/${path}`)];
}
