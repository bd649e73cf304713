import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import type { OperatorApp } from '../../../server/src/contract/operator-app.ts';
import { type Arrival, HookReceiver, until } from '../../../server/src/events/testing/hook-receiver.ts';
import { showApp } from '../../../server/src/registry/apps/show-app.ts';
import { commandLine } from '../../../server/src/registry/registry.ts';
import { createWebhook } from '../../../server/src/registry/webhooks/create-webhook.ts';
import { countPending } from '../../../server/src/registry/webhooks/deliveries/measure-deliveries.ts';
import type { Engine } from '../engines/engines.ts';
import { bearer } from '../http/http-fixture.ts';
import { rowsOf } from '../registry/recorded.ts';
import { RegistryFixture } from '../registry/registry-fixture.ts';
import { RegistryProgram, type Serving } from './registry-program.ts';

const appsCount = 40;
const flowsCount = 8;
const main = fileURLToPath(new URL('../../../server/src/cli/main.ts', import.meta.url));
const env = {
  WEBHOOK_ALLOW_PRIVATE: '1',
  WEBHOOK_RETRY_SECONDS: Array(20).fill('0,0.5').join(','),
};

/** `app.updated`, as it came. */
type Update = Arrival['event'] & { appId: string; data: Record<'before' | 'after', { name: string }> };

/** A service whose processes are killed, and whose webhook goes to a receiver that fails a third of the time. */
export class KilledService {
  /** What the receiver has taken, in the order of coming; each event once. */
  readonly taken = new Map<string, Update>();
  /** The names that were acknowledged. */
  readonly acknowledged: string[] = [];
  attempts = 0;
  readonly #fixture: RegistryFixture;
  readonly #apps: OperatorApp[];
  readonly #token: string;
  readonly #program: RegistryProgram;
  readonly #hook: HookReceiver;
  readonly #servers: Serving[];
  #changes = 0;

  static async start(engine: Engine): Promise<KilledService> {
    const fixture = await RegistryFixture.open(engine, { webhookAllowPrivate: true });
    const apps: OperatorApp[] = [];
    while (apps.length < appsCount) apps.push(await fixture.newApp());
    const { token } = await fixture.newToken('developer');
    const hook = await HookReceiver.start();
    const { secret } = await createWebhook(fixture.registry, commandLine, { url: hook.url(), types: ['app.updated'] });
    const program = new RegistryProgram({ name: 'the service', main, databaseUrl: fixture.databaseUrl, env });
    try {
      const servers = [await program.serve()];
      if (engine.name === 'postgres') servers.push(await program.serve());
      return new KilledService({ fixture, apps, token, hook, secret, program, servers });
    } catch (error) {
      await program.kill();
      throw error;
    }
  }

  private constructor({ fixture, apps, token, hook, secret, program, servers }: Parts) {
    this.#fixture = fixture;
    this.#apps = apps;
    this.#token = token;
    this.#program = program;
    this.#hook = hook;
    this.#servers = servers;
    hook.respond = (arrival, response, request) => {
      this.attempts += 1;
      const event = new Webhook(secret).verify(arrival.body, arrival.headers) as Update;
      const chance = Math.random();
      if (chance < 1 / 6) return response.writeHead(500).end();
      if (chance < 1 / 3) return request.socket.resetAndDestroy();
      if (!this.taken.has(event.id)) this.taken.set(event.id, event);
      return response.end();
    };
  }

  /** Has so many changes made, several at a time, through all processes. */
  async change(count: number): Promise<void> {
    const enough = this.acknowledged.length + count;
    const flow = async () => {
      while (this.acknowledged.length < enough) await this.#changeOne();
    };
    await Promise.all(Array.from({ length: flowsCount }, flow));
  }

  /** Kills one of the processes, and starts another in its place. */
  async kill(): Promise<void> {
    const at = Math.floor(Math.random() * this.#servers.length);
    await this.#servers[at]?.kill();
    this.#servers[at] = await this.#program.serve();
  }

  /** Resolves once so many events have been taken, or all that were acknowledged. */
  untilTaken(count: number): Promise<void> {
    return this.#whileTaking(() => this.taken.size >= Math.min(count, this.acknowledged.length));
  }

  /** Resolves once everything is delivered. */
  async untilDelivered(): Promise<void> {
    const { registry } = this.#fixture;
    await this.#whileTaking(async () => (await countPending(registry)) === 0);
    const states = new Set((await rowsOf(registry.storage, 'deliveries')).map(({ state }) => state));
    assert.deepEqual(states, new Set(['delivered']));
  }

  /** Waits as long as it takes; rejects when nothing is taken for long. */
  async #whileTaking(isDone: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await isDone())) {
      const before = this.taken.size;
      await until(async () => this.taken.size > before || (await isDone()));
      await sleep(200);
    }
  }

  /**
   * Asserts that what the receiver has taken leads each app, change by change, from its first name to the one that
   * it has: so nothing is missing, nothing is in another order, and nothing is told that was not committed.
   */
  async assertWhole(): Promise<void> {
    const updates = Map.groupBy(this.taken.values(), ({ appId }) => appId);
    for (const { id, name: firstName } of this.#apps) {
      const told = updates.get(id) ?? [];
      const names = told.map(({ data }) => data.after.name);
      assert.deepEqual(
        told.map(({ data }) => data.before.name),
        [firstName, ...names].slice(0, told.length),
      );
      const { name, revision } = await showApp(this.#fixture.registry, id);
      assert.deepEqual([names.at(-1) ?? firstName, 1 + names.length], [name, revision]);
    }
    const told = new Set([...this.taken.values()].map(({ data }) => data.after.name));
    assert.deepEqual(
      this.acknowledged.filter((name) => !told.has(name)),
      [],
    );
    await this.#program.done('check');
  }

  async close(): Promise<void> {
    await this.#program.kill();
    await this.#hook.close();
    await this.#fixture.close();
  }

  /** Without an answer it may have been made or not. */
  async #changeOne(): Promise<void> {
    this.#changes += 1;
    const name = `Name ${this.#changes}`;
    const app = this.#apps[Math.floor(Math.random() * this.#apps.length)];
    const server = this.#servers[Math.floor(Math.random() * this.#servers.length)];
    const response = await fetch(`http://127.0.0.1:${server?.port}/developer/apps/v1/${app?.id}`, {
      method: 'PATCH',
      headers: { ...bearer(this.#token), 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    }).catch(() => null);
    if (!response) return sleep(20);
    const text = await response.text().catch(() => '');
    assert.equal(response.status, 200, text);
    this.acknowledged.push(name);
  }
}

interface Parts {
  fixture: RegistryFixture;
  apps: OperatorApp[];
  token: string;
  hook: HookReceiver;
  secret: string;
  program: RegistryProgram;
  servers: Serving[];
}

/** Kills a service so many times while it takes changes, and while it delivers them. */
export async function deliverThroughKills(
  service: KilledService,
  { changes, kills }: { changes: number; kills: number },
): Promise<void> {
  for (let kill = 0; kill < kills; kill += 1) {
    const changing = service.change(Math.ceil(changes / kills));
    const from = service.acknowledged.length;
    const moment = from + Math.random() * (changes / kills);
    // As good as any: sometimes before the first, sometimes after the last of them is acknowledged or delivered.
    await until(() => service.acknowledged.length >= moment || undefined);
    await service.kill();
    await changing;
    await service.untilTaken(service.taken.size + Math.random() * 100);
  }
  await service.untilDelivered();
}
