import { setTimeout as sleep } from 'node:timers/promises';
import { assertStored } from '../harness/assert-stored.ts';
import { type Credentials, createCredentials } from '../harness/credentials.ts';
import { distributionOf } from '../harness/distribution.ts';
import { type Figures, guarantee } from '../harness/fault-injection.ts';
import { fillApp } from '../harness/fill-app.ts';
import { freshUrl } from '../harness/fresh-database.ts';
import { Ledger } from '../harness/ledger.ts';
import { createApps, Load } from '../harness/load.ts';
import type { Run } from '../harness/run.ts';
import { Service } from '../harness/service.ts';
import { type Backups, PostgresBackups, SqliteBackups } from './backups.ts';
import { KnownBefore } from './known-before.ts';
import { KnownTags } from './known-tags.ts';

const appsCount = 4;
const clients = { updaters: 6, installers: 4 };
const restMs = 20;
/** Independent of the port of a server, as ETags depend on it. */
const env = { LOGO_BASE_URL: 'https://logos.example.com' };

/** A service under load, and its backups. */
export class BackupScene {
  readonly #run: Run;
  readonly #engine: string;
  readonly #service: Service;
  readonly #credentials: Credentials;
  readonly #backups: Backups;
  readonly #ledger = new Ledger();
  readonly #apps: string[];
  /** An app that the load does not change. */
  readonly #quiet: string;
  readonly #load: Load;
  /** The changes acknowledged before each backup, by its number. */
  readonly #known = new Map<number, KnownBefore>();
  readonly #backupMs: number[] = [];
  /** The duration of each response during a backup. */
  readonly #responseMs: number[] = [];
  #killed = 0;

  static async open(run: Run, engine: string): Promise<BackupScene> {
    const databaseUrl = await freshUrl(run, engine);
    const credentials = await createCredentials(databaseUrl);
    const service = await Service.create({ source: run.source, databaseUrl, env });
    run.atEnd(() => service.kill());
    await service.start();
    const [quiet = '', large = '', ...apps] = await createApps(service, credentials, 2 + appsCount);
    await fillApp(databaseUrl, large, run.number('installations'));
    const backups =
      engine === 'sqlite'
        ? new SqliteBackups(run, { service, url: databaseUrl })
        : await PostgresBackups.open(run, databaseUrl);
    return new BackupScene({ run, engine, service, credentials, backups, quiet, apps });
  }

  private constructor({ run, engine, service, credentials, backups, quiet, apps }: SceneParts) {
    this.#run = run;
    this.#engine = engine;
    this.#service = service;
    this.#credentials = credentials;
    this.#backups = backups;
    this.#quiet = quiet;
    this.#apps = apps;
    this.#load = new Load(run, { service, credentials, ledger: this.#ledger, apps, ...clients, restMs });
  }

  async round(round: number): Promise<void> {
    const random = this.#run.random(`moments on ${this.#engine}`, round);
    await sleep(random.between(100, 600));
    const { responses } = this.#ledger;
    const [responsesBefore, startedAt] = [responses.length, performance.now()];
    await this.#create(round);
    const ms = performance.now() - startedAt;
    this.#backupMs.push(ms);
    const during = responses.slice(responsesBefore);
    guarantee(during.length > 0, `no client received a response during the ${Math.round(ms)} ms of a backup`);
    this.#responseMs.push(...during.map((response) => response.ms));

    await this.#killOne(this.#run.number('rounds') + round, random.fraction() * ms);
    if (this.#engine === 'sqlite' && round === 0) await this.#assertNotReplaced(round);
  }

  /** Backs up without load: every change is acknowledged, and the last are only in the log of the database. */
  async backUpAtRest(): Promise<void> {
    await this.#create(2 * this.#run.number('rounds'));
  }

  async stopLoad(): Promise<void> {
    await this.#load.stop();
    const refused = this.#ledger.count('refused') + this.#ledger.count('unknown');
    guarantee(refused === 0, () => `${refused} changes failed during backups: ${this.#ledger.unexpected[0] ?? ''}`);
    const { max } = distributionOf(this.#responseMs);
    guarantee(max <= this.#run.number('response-ms'), `a response took ${max} ms during a backup`);
  }

  /** Restores each backup, and checks its content. */
  async assertBackups(): Promise<void> {
    for (const [at, known] of this.#known) {
      const url = await this.#backups
        .restore(at)
        .catch((error: unknown) => guarantee(false, `backup ${at} cannot be restored: ${firstOf(error)}`));
      await assertStored(url as string, known.expected(this.#ledger), this.#apps);
    }
  }

  /** Serves the last backup in place of the original database. */
  async assertTags(): Promise<void> {
    const known = new KnownTags(this.#quiet, this.#credentials);
    await known.learn(this.#service);
    await this.#service.stop();
    const databaseUrl = await this.#backups.restoreServed(2 * this.#run.number('rounds'));
    const restored = await Service.create({ source: this.#run.source, databaseUrl, env });
    this.#run.atEnd(() => restored.kill());
    await restored.start();
    await known.assertNotConfirmed(restored);
  }

  figures(): Figures {
    const [backup, response] = [distributionOf(this.#backupMs), distributionOf(this.#responseMs)];
    const killed = this.#killed > 0 ? `, ${this.#killed} more killed without leaving a file,` : '';
    const counts = [...this.#known.values()].map(({ count }) => count);
    return {
      [`${this.#engine}:`]: `${this.#known.size} backups${killed} restored with all of up to ${Math.max(
        ...counts,
      )} earlier changes, of ${this.#ledger.count('acknowledged')} in total; created in ${backup.median} ms (at most ${
        backup.max
      }), meanwhile ${this.#responseMs.length} responses in ${response.median} ms (p99 ${response.p99}, at most ${
        response.max
      })`,
    };
  }

  async #create(at: number): Promise<void> {
    this.#known.set(at, new KnownBefore(this.#ledger));
    await this.#backups
      .create(at)
      .catch((error: unknown) => guarantee(false, `a backup fails while the server runs: ${firstOf(error)}`));
  }

  /** A killed backup must leave no file, or a complete one. */
  async #killOne(at: number, afterMs: number): Promise<void> {
    const known = new KnownBefore(this.#ledger);
    if (!this.#backups.createAndKill) return;
    if (await this.#backups.createAndKill(at, afterMs)) this.#known.set(at, known);
    else this.#killed += 1;
  }

  /** A database in use must not be replaced. */
  async #assertNotReplaced(at: number): Promise<void> {
    const outcome = await this.#backups.restoreServed(at).then(
      () => 'the database was replaced',
      (error: unknown) => String(error),
    );
    guarantee(outcome.includes('is in use'), `a backup was restored over a database in use: ${outcome}`);
  }
}

interface SceneParts {
  run: Run;
  engine: string;
  service: Service;
  credentials: Credentials;
  backups: Backups;
  quiet: string;
  apps: string[];
}

/** The start of the message of a failed command. */
function firstOf(error: unknown): string {
  return String(error).slice(0, 1_000);
}
