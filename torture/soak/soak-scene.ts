import { setTimeout as sleep } from 'node:timers/promises';
import { assertStored } from '../frame/assert-stored.ts';
import { type Credentials, createCredentials } from '../frame/credentials.ts';
import { fillApp } from '../frame/fill-app.ts';
import { freshUrl } from '../frame/fresh-database.ts';
import { askFor } from '../frame/http-request.ts';
import { Ledger } from '../frame/ledger.ts';
import { createApps, Load } from '../frame/load.ts';
import { Readers } from '../frame/readers.ts';
import type { Run } from '../frame/run.ts';
import { Service } from '../frame/service.ts';
import { distributionOf } from '../frame/distribution.ts';
import { promise } from '../frame/torture.ts';
import { EventReceiver } from './event-receiver.ts';
import { inspectable } from './live-heap.ts';
import { Operators } from './operators.ts';
import { Series } from './series.ts';
import { Vitals } from './vitals.ts';

const appsCount = 6;
/** The first is kept whole, the second is sent as it is read. */
const listLengths = [300, 1_500];
const clients = { updaters: 4, installers: 4, readers: 8, operators: 1 };
const restMs = { changes: 250, reads: 120, operators: 500 };
const deliveredMsMax = 120_000;
const env = {
  ...inspectable,
  WEBHOOK_ALLOW_PRIVATE: '1',
  WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1',
};

/** One service under a mixed load that does not change, and what it holds meanwhile. */
export class SoakScene {
  readonly vitals: Vitals;
  /** The 99th percentile between one look and the next, in milliseconds. */
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

  /** What has been answered since the look before, and what the service holds now. */
  async look(): Promise<void> {
    await this.vitals.look();
    this.#takeAnswers();
  }

  /** Resolves once everything is answered and every event is delivered; the service goes on. */
  async stop(): Promise<void> {
    await Promise.all([this.#load.stop(), this.#readers.stop(), this.#operators.stop()]);
    this.#takeAnswers();
    await this.vitals.end();
    await this.#untilDelivered();
  }

  /** What clients were told, what the database has and what the receiver got agree. */
  async assertAgreed(): Promise<void> {
    const { databaseUrl, apps, service, receiver } = this.#parts;
    await assertStored(databaseUrl, this.#ledger, apps);
    await service.command('check');
    const told = [...receiver.taken.values()].filter((type) => /^(app\.updated|installation\.)/.test(type)).length;
    const changes = this.changes;
    promise(told === changes, `${changes} changes were acknowledged, and the receiver was told of ${told}`);
    const status = await service.stop();
    promise(status === 0, `at the end it ended with ${status}: ${service.process.lastOutput}`);
  }

  get changes(): number {
    return this.#ledger.count('acknowledged');
  }

  #takeAnswers(): void {
    const failures = [...this.#readers.failures, ...this.#operators.failures, ...this.#ledger.unexpected];
    promise(failures.length === 0, () => `${failures.length} answers were none that is expected: ${failures[0]}`);
    const answers = this.#ledger.answers.splice(0);
    const refused = answers.find(({ status }) => status >= 300);
    promise(!refused, () => `a change was answered ${refused?.status}`);
    const ms = [...answers.map((answer) => answer.ms), ...this.#readers.ms.splice(0), ...this.#operators.ms.splice(0)];
    this.requests += ms.length;
    if (ms.length > 0) this.p99.add(distributionOf(ms).p99);
  }

  async #untilDelivered(): Promise<void> {
    const { service, credentials, webhookId } = this.#parts;
    const url = `${service.operatorUrl}/operator/v1/webhooks/${webhookId}/deliveries?state=pending`;
    const deadline = performance.now() + deliveredMsMax;
    for (;;) {
      const { items } = await askFor<{ items: unknown[] }>(url, { token: credentials.operator });
      if (items.length === 0) return;
      promise(performance.now() < deadline, () => `events are not delivered: ${JSON.stringify(items[0])}`);
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
  const question = { method: 'POST', token: operator, body: { url } };
  const { id } = await askFor<{ id: string }>(`${operatorUrl}/operator/v1/webhooks`, question);
  return id;
}

function pathsOf(lists: string[], webhookId: string): string[] {
  const below = ['apps', 'events', 'overview', `installations?appId=${lists[0]}`, `webhooks/${webhookId}/deliveries`];
  return ['/metrics', '/readyz', ...below.map((path) => `/operator/v1/${path}`)];
}
