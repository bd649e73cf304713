import { setTimeout as sleep } from 'node:timers/promises';
import { assertStored } from '../frame/assert-stored.ts';
import { type Credentials, createCredentials } from '../frame/credentials.ts';
import { fillApp } from '../frame/fill-app.ts';
import { freshUrl } from '../frame/fresh-database.ts';
import { Ledger } from '../frame/ledger.ts';
import { createApps, Load } from '../frame/load.ts';
import type { Run } from '../frame/run.ts';
import { Service } from '../frame/service.ts';
import { distributionOf } from '../frame/distribution.ts';
import { type Figures, promise } from '../frame/torture.ts';
import { type Backups, PostgresBackups, SqliteBackups } from './backups.ts';
import { KnownBefore } from './known-before.ts';
import { KnownTags } from './known-tags.ts';

const appsCount = 4;
const clients = { updaters: 6, installers: 4 };
const restMs = 20;
/** Not of the port of each server, as ETags tell it too. */
const env = { LOGO_BASE_URL: 'https://logos.example.com' };

/** One service under load, and the backups that are made of it. */
export class BackupScene {
  readonly #run: Run;
  readonly #engine: string;
  readonly #service: Service;
  readonly #credentials: Credentials;
  readonly #backups: Backups;
  readonly #ledger = new Ledger();
  readonly #apps: string[];
  /** An app that the load leaves alone. */
  readonly #quiet: string;
  readonly #load: Load;
  /** What was acknowledged when each backup began, by its number. */
  readonly #known = new Map<number, KnownBefore>();
  readonly #backupMs: number[] = [];
  /** Of the answers that came while a backup was made. */
  readonly #answerMs: number[] = [];
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
    const { answers } = this.#ledger;
    const [answersBefore, began] = [answers.length, performance.now()];
    await this.#make(round);
    const ms = performance.now() - began;
    this.#backupMs.push(ms);
    const during = answers.slice(answersBefore);
    promise(during.length > 0, `nobody was answered in the ${Math.round(ms)} ms of a backup`);
    this.#answerMs.push(...during.map((answer) => answer.ms));

    await this.#killOne(this.#run.number('rounds') + round, random.fraction() * ms);
    if (this.#engine === 'sqlite' && round === 0) await this.#assertNotReplaced(round);
  }

  /** Then everything was acknowledged before, and the last of it is nowhere but in the log of the database. */
  async backUpAtRest(): Promise<void> {
    await this.#make(2 * this.#run.number('rounds'));
  }

  async stopLoad(): Promise<void> {
    await this.#load.stop();
    const refused = this.#ledger.count('refused') + this.#ledger.count('unknown');
    promise(refused === 0, () => `${refused} changes failed beside the backups: ${this.#ledger.unexpected[0] ?? ''}`);
    const { max } = distributionOf(this.#answerMs);
    promise(max <= this.#run.number('answer-ms'), `an answer took ${max} ms while a backup was made`);
  }

  /** Each is restored, and holds what it must. */
  async assertBackups(): Promise<void> {
    for (const [at, known] of this.#known) {
      const url = await this.#backups
        .restore(at)
        .catch((error: unknown) => promise(false, `backup ${at} cannot be restored: ${firstOf(error)}`));
      await assertStored(url as string, known.expected(this.#ledger), this.#apps);
    }
  }

  /** The last backup is served in the place of what was. */
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
    const [made, answered] = [distributionOf(this.#backupMs), distributionOf(this.#answerMs)];
    const killed = this.#killed > 0 ? `, ${this.#killed} more killed that left no file,` : '';
    const counts = [...this.#known.values()].map(({ count }) => count);
    return {
      [`${this.#engine}:`]: `${this.#known.size} backups${killed} restored with all of up to ${Math.max(
        ...counts,
      )} changes of before, of ${this.#ledger.count('acknowledged')} in all; made in ${made.median} ms (at most ${
        made.max
      }), meanwhile ${this.#answerMs.length} answers in ${answered.median} ms (p99 ${answered.p99}, at most ${
        answered.max
      })`,
    };
  }

  async #make(at: number): Promise<void> {
    this.#known.set(at, new KnownBefore(this.#ledger));
    await this.#backups
      .make(at)
      .catch((error: unknown) => promise(false, `a backup fails beside the server: ${firstOf(error)}`));
  }

  /** Of a backup that is killed there is nothing, or all. */
  async #killOne(at: number, afterMs: number): Promise<void> {
    const known = new KnownBefore(this.#ledger);
    if (!this.#backups.makeKilled) return;
    if (await this.#backups.makeKilled(at, afterMs)) this.#known.set(at, known);
    else this.#killed += 1;
  }

  /** While the service uses the database nothing takes its place. */
  async #assertNotReplaced(at: number): Promise<void> {
    const said = await this.#backups.restoreServed(at).then(
      () => 'it was replaced',
      (error: unknown) => String(error),
    );
    promise(said.includes('is in use'), `a backup was restored beside the server: ${said}`);
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

/** Of a command that has failed. */
function firstOf(error: unknown): string {
  return String(error).slice(0, 1_000);
}
