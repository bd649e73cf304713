import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import { createCredentials } from '../harness/credentials.ts';
import { createApps } from '../harness/load.ts';
import type { Run } from '../harness/run.ts';
import { Service } from '../harness/service.ts';
import { Client } from './client.ts';
import { Decisions } from './decisions.ts';
import type { Rollback } from './rollback.ts';
import { TrackedApp } from './tracked-app.ts';

/** The changes of each app that are lost. */
const lostChanges = 3;

/** A service that has served what its database then loses. */
export class RollbackScene {
  /** The responses checked. */
  checks = 0;
  readonly #run: Run;
  readonly #rollback: Rollback;
  readonly #service: Service;
  readonly #decisions: Decisions;
  /** Each is read again only after one more change than the one before: a read would replace what is cached. */
  readonly #apps: TrackedApp[];

  static async open(run: Run, rollback: Rollback): Promise<RollbackScene> {
    const credentials = await createCredentials(rollback.databaseUrl);
    const service = await startedService(run, rollback);
    const [reviewed = '', ...ids] = await createApps(service, credentials, 3 + lostChanges);
    const client = new Client(credentials);
    const decisions = new Decisions(client, reviewed);
    const apps = ids.map((id, at) => new TrackedApp(id, { client, startsWithUpdate: at % 2 === 0 }));
    return new RollbackScene({ run, rollback, service, decisions, apps });
  }

  private constructor({ run, rollback, service, decisions, apps }: SceneParts) {
    this.#run = run;
    this.#rollback = rollback;
    this.#service = service;
    this.#decisions = decisions;
    this.#apps = apps;
  }

  async loseChanges(): Promise<void> {
    for (const app of this.#apps) await app.retain(this.#service);
    await this.#rollback.mark(this.#service);
    for (const app of this.#apps) await app.changeAndLearn(this.#service, lostChanges);
    await this.#decisions.see(this.#service);
    await this.#rollback.lose(this.#service);
  }

  /** Through the service that may remember lost changes, and through a new one: before and after others replace them. */
  async assertNothingLostIsConfirmed(): Promise<void> {
    const { databaseUrl, confirmsRetained } = this.#rollback;
    const fresh = await startedService(this.#run, this.#rollback);
    await withRegistry(databaseUrl, async (registry) => {
      for (const [changes, app] of this.#apps.entries()) {
        for (let at = 0; at < changes; at += 1) await app.change(fresh, at);
        for (const service of [this.#service, fresh]) {
          this.checks += await app.assertCurrent(service, registry);
          if (changes === 0) this.checks += await app.assertRetained(service, confirmsRetained);
        }
      }
    });
    this.checks += await this.#decisions.assertRefused(this.#service);
    await fresh.stop();
  }

  async end(): Promise<void> {
    await this.#service.command('check');
    await this.#service.stop();
  }
}

interface SceneParts {
  run: Run;
  rollback: Rollback;
  service: Service;
  decisions: Decisions;
  apps: TrackedApp[];
}

async function startedService(run: Run, { databaseUrl }: Rollback): Promise<Service> {
  const service = await Service.create({
    source: run.source,
    databaseUrl,
    env: { LOGO_BASE_URL: 'https://logos.example.com' },
  });
  run.atEnd(() => service.kill());
  await service.start();
  return service;
}
