import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { getAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { createWebhook } from '@appregistrar/testkit/calls/webhooks';
import type { Engine } from '@appregistrar/testkit/engines/engines';
import { type Arrival, HookReceiver, until } from '@appregistrar/testkit/http/hook-receiver';
import { updateAppRequest } from '@appregistrar/testkit/http/http-request';
import { trySend } from '@appregistrar/testkit/http/send';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { Webhook } from 'standardwebhooks';
import type { OperatorApp } from '../../src/features/apps/app-schemas.ts';
import { countPending } from '../../src/features/webhooks/deliveries/stored-deliveries.ts';
import { commandLine } from '../../src/kernel/registry.ts';
import { RegistryProgram, type Serving } from './registry-program.ts';

const appsCount = 40;
const flowsCount = 8;
const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const env = {
  WEBHOOK_ALLOW_PRIVATE: '1',
  WEBHOOK_RETRY_SECONDS: Array(20).fill('0,0.5').join(','),
};

/** An `app.updated` event as it arrived. */
type Update = Arrival['event'] & { appId: string; data: Record<'before' | 'after', { name: string }> };

/** A service whose processes are killed, with a webhook whose receiver fails a third of the time. */
export class KilledService {
  /** The events that the receiver has accepted, in order of arrival. */
  readonly accepted = new Map<string, Update>();
  /** The names of acknowledged updates. */
  readonly acknowledged: string[] = [];
  attempts = 0;
  readonly #fixture: RegistryFixture;
  readonly #apps: OperatorApp[];
  readonly #token: string;
  /** What each of the servers runs. */
  readonly #programs: RegistryProgram[];
  readonly #hook: HookReceiver;
  readonly #servers: Serving[];
  #changes = 0;

  /** On PostgreSQL two processes serve. */
  static async start(engine: Engine): Promise<KilledService> {
    const fixture = await RegistryFixture.open(engine, { webhookAllowPrivate: true });
    const apps: OperatorApp[] = [];
    while (apps.length < appsCount) apps.push(await fixture.newApp());
    const { token } = await fixture.newToken('developer');
    const hook = await HookReceiver.start();
    const { secret } = await createWebhook(fixture.registry, commandLine, { url: hook.url(), types: ['app.updated'] });
    const programs = Array.from(
      { length: engine.name === 'postgres' ? 2 : 1 },
      () => new RegistryProgram({ name: 'the service', main, databaseUrl: fixture.databaseUrl, env }),
    );
    try {
      const servers = [];
      for (const program of programs) servers.push(await program.serve());
      return new KilledService({ fixture, apps, token, hook, secret, programs, servers });
    } catch (error) {
      await killAll(programs);
      throw error;
    }
  }

  private constructor({ fixture, apps, token, hook, secret, programs, servers }: Parts) {
    this.#fixture = fixture;
    this.#apps = apps;
    this.#token = token;
    this.#programs = programs;
    this.#hook = hook;
    this.#servers = servers;
    hook.respond = (arrival, response, request) => {
      this.attempts += 1;
      const event = new Webhook(secret).verify(arrival.body, arrival.headers) as Update;
      const chance = Math.random();
      if (chance < 1 / 6) return response.writeHead(500).end();
      if (chance < 1 / 3) return request.socket.resetAndDestroy();
      if (!this.accepted.has(event.id)) this.accepted.set(event.id, event);
      return response.end();
    };
  }

  /** Makes this many changes, several at a time, through all processes. */
  async change(count: number): Promise<void> {
    const target = this.acknowledged.length + count;
    const flow = async () => {
      while (this.acknowledged.length < target) await this.#changeOne();
    };
    await Promise.all(Array.from({ length: flowsCount }, flow));
  }

  /** Kills one of the processes, and starts a replacement. */
  async kill(): Promise<void> {
    const at = Math.floor(Math.random() * this.#servers.length);
    await this.#servers[at]?.kill();
    const program = this.#programs[at];
    if (program) this.#servers[at] = await program.serve();
  }

  /** Resolves once this many events, or all acknowledged ones, have been accepted. */
  untilAccepted(count: number): Promise<void> {
    return this.#whileAccepting(() => this.accepted.size >= Math.min(count, this.acknowledged.length));
  }

  /** Resolves once everything is delivered. */
  async untilDelivered(): Promise<void> {
    const { registry } = this.#fixture;
    await this.#whileAccepting(async () => (await countPending(registry)) === 0);
    const states = new Set((await rowsOf(registry.storage, 'deliveries')).map(({ state }) => state));
    assert.deepEqual(states, new Set(['delivered']));
  }

  /** Waits for as long as events keep arriving. Rejects when none is accepted for a while. */
  async #whileAccepting(isDone: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await isDone())) {
      const before = this.accepted.size;
      await until(async () => this.accepted.size > before || (await isDone()));
      await sleep(200);
    }
  }

  /**
   * Asserts that the accepted events lead each app, change by change, from its first name to its current one. So no
   * event is missing or out of order, and none describes an uncommitted change.
   */
  async assertComplete(): Promise<void> {
    const updates = Map.groupBy(this.accepted.values(), ({ appId }) => appId);
    for (const { id, name: firstName } of this.#apps) {
      const events = updates.get(id) ?? [];
      const names = events.map(({ data }) => data.after.name);
      assert.deepEqual(
        events.map(({ data }) => data.before.name),
        [firstName, ...names].slice(0, events.length),
      );
      const { name, revision } = await getAppAsOperator(this.#fixture.registry, id);
      assert.deepEqual([names.at(-1) ?? firstName, 1 + names.length], [name, revision]);
    }
    const delivered = new Set([...this.accepted.values()].map(({ data }) => data.after.name));
    assert.deepEqual(
      this.acknowledged.filter((name) => !delivered.has(name)),
      [],
    );
    await this.#programs[0]?.done('check');
  }

  async close(): Promise<void> {
    await killAll(this.#programs);
    await this.#hook.close();
    await this.#fixture.close();
  }

  /** Without a response the change may or may not be committed. */
  async #changeOne(): Promise<void> {
    this.#changes += 1;
    const name = `Name ${this.#changes}`;
    const app = this.#apps[Math.floor(Math.random() * this.#apps.length)];
    const server = this.#servers[Math.floor(Math.random() * this.#servers.length)];
    const request = updateAppRequest(this.#token, { id: app?.id ?? '', update: { name } });
    const response = await trySend(`http://127.0.0.1:${server?.port}`, request);
    if (!response) return sleep(20);
    assert.equal(response.status, 200, response.text);
    this.acknowledged.push(name);
  }
}

interface Parts {
  fixture: RegistryFixture;
  apps: OperatorApp[];
  token: string;
  hook: HookReceiver;
  secret: string;
  programs: RegistryProgram[];
  servers: Serving[];
}

async function killAll(programs: RegistryProgram[]): Promise<void> {
  await Promise.all(programs.map((program) => program.kill()));
}

/** Kills a service this many times while it accepts changes and delivers their events. */
export async function deliverThroughKills(
  service: KilledService,
  { changes, kills }: { changes: number; kills: number },
): Promise<void> {
  for (let kill = 0; kill < kills; kill += 1) {
    const changing = service.change(Math.ceil(changes / kills));
    const from = service.acknowledged.length;
    const moment = from + Math.random() * (changes / kills);
    // Sometimes before the first change is acknowledged, sometimes after the last.
    await until(() => service.acknowledged.length >= moment || undefined);
    await service.kill();
    await changing;
    await service.untilAccepted(service.accepted.size + Math.random() * 100);
  }
  await service.untilDelivered();
}
