import { setTimeout as sleep } from 'node:timers/promises';
import { assertStored } from './frame/assert-stored.ts';
import { type Credentials, makeCredentials } from './frame/credentials.ts';
import { earlyAnswer } from './frame/early-response.ts';
import { freshUrl } from './frame/fresh-database.ts';
import { ask } from './frame/http-request.ts';
import { Ledger } from './frame/ledger.ts';
import { createApps, Load } from './frame/load.ts';
import { PostgresCluster } from './frame/postgres-cluster.ts';
import type { Run } from './frame/run.ts';
import { Service, type StartTime } from './frame/service.ts';
import { spread } from './frame/spread.ts';
import { type Figures, promise, type Torture } from './frame/torture.ts';

const appsPerRound = 4;
const updaters = 24;
const installers = 8;
const againChance = 0.1;

type Victim = 'sqlite' | 'postgres' | 'postgres-server';

/** What is killed, and on which engine. */
const victims: Victim[] = ['sqlite', 'postgres', 'postgres-server'];

export const torture: Torture = {
  summary: 'kill -9 of the service, and of PostgreSQL, at random moments under 32 clients that write',
  options: {
    rounds: { what: 'kills of each victim', value: 200, short: 2 },
    victims: { what: `which of ${victims.join(', ')}`, value: victims.join(',') },
    'ready-ms': { what: 'half of the starts may take this long, apart from other load', value: 2_000, short: 10_000 },
  },
  run: async (run) => {
    const figures: Figures = {};
    const wanted = run.text('victims').split(',') as Victim[];
    for (const victim of wanted) Object.assign(figures, await killRounds(run, victim));
    return figures;
  },
  mutants: [
    { ...earlyAnswer, options: { victims: 'sqlite', rounds: 10 } },
    {
      name: 'count-apart',
      what: 'the count of installations changes in a transaction of its own',
      options: { victims: 'postgres', rounds: 10 },
      patches: [
        {
          file: 'registry/installations/create-installation.ts',
          find: 'await updateInstallationCount(transaction, { id: app.id, by: 1 });',
          replace:
            'setTimeout(() => registry.storage.write((apart) => updateInstallationCount(apart, { id: app.id, by: 1 })), 5);',
        },
      ],
    },
    {
      name: 'unsynced-commit',
      what: 'PostgreSQL answers a commit before it is written',
      options: { victims: 'postgres-server', rounds: 10 },
      patches: [
        {
          file: 'storage/postgres/storage.ts',
          find: "'begin isolation level read committed'",
          replace: "'begin isolation level read committed; set local synchronous_commit = off'",
        },
      ],
    },
  ],
};

async function killRounds(run: Run, victim: Victim): Promise<Figures> {
  const scene = await Scene.open(run, victim);
  const rounds = run.number('rounds');
  for (let round = 0; round < rounds; round += 1) {
    await scene.round(round);
    if ((round + 1) % 20 === 0) run.say(`${victim}: ${round + 1} of ${rounds} rounds`);
  }
  await scene.service.command('check');
  return scene.figures();
}

/** One service and its database, whichever of them is killed. */
class Scene {
  readonly service: Service;
  readonly #run: Run;
  readonly #victim: Victim;
  readonly #databaseUrl: string;
  readonly #cluster: PostgresCluster | null;
  readonly #credentials: Credentials;
  readonly #ready: StartTime[] = [];
  readonly #recoveryMs: number[] = [];
  #acknowledged = 0;
  #unknown = 0;

  static async open(run: Run, victim: Victim): Promise<Scene> {
    const cluster = victim === 'sqlite' ? null : await PostgresCluster.create();
    if (cluster) run.atEnd(() => cluster.remove());
    const databaseUrl = cluster ? cluster.url() : await freshUrl(run, 'sqlite');
    const credentials = await makeCredentials(databaseUrl);
    const service = await Service.create({ source: run.source, databaseUrl });
    run.atEnd(() => service.kill());
    await service.start();
    return new Scene({ run, victim, databaseUrl, cluster, credentials, service });
  }

  private constructor({ run, victim, databaseUrl, cluster, credentials, service }: SceneParts) {
    this.#run = run;
    this.#victim = victim;
    this.#databaseUrl = databaseUrl;
    this.#cluster = cluster;
    this.#credentials = credentials;
    this.service = service;
  }

  /** The clients go on while the victim is down, and until it serves again. */
  async round(round: number): Promise<void> {
    const random = this.#run.random(`moments of ${this.#victim}`, round);
    const ledger = new Ledger();
    const apps = await createApps(this.service, this.#credentials, appsPerRound);
    const { service } = this;
    const load = new Load(
      this.#run,
      { service, credentials: this.#credentials, ledger, apps, updaters, installers },
      round,
    );
    await sleep(random.between(20, 500));
    if (this.#cluster && this.#victim === 'postgres-server') await this.#killPostgres(this.#cluster);
    else await this.#killService(random.chance(againChance) ? random.between(50, 1_000) : null);
    // A moment of service, so that the next kill does not only meet a beginning.
    await sleep(random.between(0, 100));
    await load.stop();
    this.#acknowledged += ledger.count('acknowledged');
    this.#unknown += ledger.count('unknown');
    await this.#assertAnswers(apps);
    await assertStored(this.#databaseUrl, ledger, apps);
  }

  figures(): Figures {
    this.#assertReadySoon();
    const [net, all] = [spread(this.#ready.map(({ netMs }) => netMs)), spread(this.#ready.map(({ ms }) => ms))];
    const recovery =
      this.#recoveryMs.length > 0 ? `, after its recovery of at most ${spread(this.#recoveryMs).max} ms` : '';
    return {
      [`${this.#victim}:`]: `${this.#ready.length} kills, ${this.#acknowledged} changes acknowledged and ${
        this.#unknown
      } cut off, ready again in ${net.median} ms (at most ${net.max}; with other load ${all.max})${recovery}`,
    };
  }

  /** One that took longer says something of the machine; most of them, of the service. */
  #assertReadySoon(): void {
    const { median } = spread(this.#ready.map(({ netMs }) => netMs));
    promise(median <= this.#run.number('ready-ms'), `half of the starts take ${median} ms or more`);
  }

  /** Sometimes once more while it starts, which may be while it recovers its database. */
  async #killService(againMs: number | null): Promise<void> {
    await this.service.kill();
    if (againMs !== null) {
      this.service.launch();
      await sleep(againMs);
      await this.service.kill();
    }
    this.#ready.push(await this.service.start());
  }

  /** The service stays, and must find the database again by itself. */
  async #killPostgres(cluster: PostgresCluster): Promise<void> {
    await cluster.kill();
    this.#recoveryMs.push(await cluster.start());
    const began = performance.now();
    await this.service.untilReady();
    const ms = performance.now() - began;
    this.#ready.push({ ms, netMs: ms });
  }

  /** What both views tell of an app agrees. */
  async #assertAnswers(apps: string[]): Promise<void> {
    const { developer, platform } = this.#credentials;
    for (const appId of apps) {
      const [edited, read] = await Promise.all([
        ask(`${this.service.publicUrl}/developer/apps/v1/${appId}`, { method: 'PATCH', token: developer, body: {} }),
        ask(`${this.service.publicUrl}/platform/apps/v1/${appId}`, { token: platform }),
      ]);
      promise(edited?.status === 200 && read?.status === 200, `${appId}: ${edited?.text} ${read?.text}`);
      const [count, list] = [JSON.parse(edited.text).installationCount, JSON.parse(read.text).installations.length];
      promise(count === list, `installationCount of ${appId} is ${count}, and its list has ${list}`);
    }
  }
}

interface SceneParts {
  run: Run;
  victim: Victim;
  databaseUrl: string;
  cluster: PostgresCluster | null;
  credentials: Credentials;
  service: Service;
}
