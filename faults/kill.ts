import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresCluster } from '@appregistrar/testkit/engines/postgres-cluster';
import { getAppRequest, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import { trySend } from '@appregistrar/testkit/http/send';
import { assertStored } from './harness/assert-stored.ts';
import { type Credentials, createCredentials } from './harness/credentials.ts';
import { distributionOf } from './harness/distribution.ts';
import { earlyResponse } from './harness/early-response.ts';
import { type FaultInjection, type Figures, guarantee } from './harness/fault-injection.ts';
import { freshUrl } from './harness/fresh-database.ts';
import { Ledger } from './harness/ledger.ts';
import { createApps, Load } from './harness/load.ts';
import type { Run } from './harness/run.ts';
import { Service, type StartTime } from './harness/service.ts';

const appsPerRound = 4;
const updaters = 24;
const installers = 8;
const secondKillChance = 0.1;
/** A setting that would lose acknowledged changes: each write must override it. */
const weaker = { synchronous_commit: 'off' };

type Victim = 'sqlite' | 'postgres' | 'postgres-server';

/** The killed process, and the engine. */
const victims: Victim[] = ['sqlite', 'postgres', 'postgres-server'];

export const faultInjection: FaultInjection = {
  summary: 'kill -9 of the service and of PostgreSQL at random moments, while 32 clients write',
  options: {
    rounds: { what: 'kills of each victim', value: 200, short: 2 },
    victims: { what: `which of ${victims.join(', ')}`, value: victims.join(',') },
    'ready-ms': { what: 'the median start may take this long, without other load', value: 2_000, short: 10_000 },
  },
  run: async (run) => {
    const figures: Figures = {};
    const wanted = run.text('victims').split(',') as Victim[];
    for (const victim of wanted) Object.assign(figures, await killRounds(run, victim));
    return figures;
  },
  defects: [
    { ...earlyResponse, options: { victims: 'sqlite', rounds: 10 } },
    {
      name: 'separate-count',
      what: 'the installation count changes in a separate transaction',
      options: { victims: 'postgres', rounds: 10 },
      patches: [
        {
          file: 'features/installations/installations.ts',
          in: 'createInstallation',
          find: 'updateInstallationCount(transaction, { id: app.id, by: 1, revisionNonce: newRevisionNonce() }),',
          replace:
            'setTimeout(() => registry.storage.write((other) => updateInstallationCount(other, { id: app.id, by: 1, revisionNonce: newRevisionNonce() })), 5),',
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
    if ((round + 1) % 20 === 0) run.log(`${victim}: ${round + 1} of ${rounds} rounds`);
  }
  await scene.service.command('check');
  return scene.figures();
}

/** A service and its database, one of which is killed repeatedly. */
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
    const cluster = victim === 'sqlite' ? null : await PostgresCluster.create(weaker);
    if (cluster) run.atEnd(() => cluster.remove());
    const databaseUrl = cluster ? cluster.url() : await freshUrl(run, 'sqlite');
    const credentials = await createCredentials(databaseUrl);
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

  /** Clients keep sending while the victim is down, and until it serves again. */
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
    else await this.#killService(random.chance(secondKillChance) ? random.between(50, 1_000) : null);
    // Serves for a moment, so that the next kill does not always meet a start.
    await sleep(random.between(0, 100));
    await load.stop();
    this.#acknowledged += ledger.count('acknowledged');
    this.#unknown += ledger.count('unknown');
    await this.#assertConsistentViews(apps);
    await assertStored(this.#databaseUrl, ledger, apps);
  }

  figures(): Figures {
    this.#assertReadySoon();
    const [net, all] = [
      distributionOf(this.#ready.map(({ netMs }) => netMs)),
      distributionOf(this.#ready.map(({ ms }) => ms)),
    ];
    const recovery =
      this.#recoveryMs.length > 0 ? `, after its recovery of at most ${distributionOf(this.#recoveryMs).max} ms` : '';
    return {
      [`${this.#victim}:`]: `${this.#ready.length} kills, ${this.#acknowledged} changes acknowledged and ${
        this.#unknown
      } with unknown outcome, ready again in ${net.median} ms (at most ${net.max}; with other load ${all.max})${recovery}`,
    };
  }

  /** Checks the median, since a single slow start may be due to the machine. */
  #assertReadySoon(): void {
    const { median } = distributionOf(this.#ready.map(({ netMs }) => netMs));
    guarantee(median <= this.#run.number('ready-ms'), `the median start takes ${median} ms`);
  }

  /** `secondKillMs`: kills it again this long after the start, possibly during recovery of the database. */
  async #killService(secondKillMs: number | null): Promise<void> {
    await this.service.kill();
    if (secondKillMs !== null) {
      this.service.launch();
      await sleep(secondKillMs);
      await this.service.kill();
    }
    this.#ready.push(await this.service.start());
  }

  /** The service keeps running, and must reconnect on its own. */
  async #killPostgres(cluster: PostgresCluster): Promise<void> {
    await cluster.kill();
    this.#recoveryMs.push(await cluster.start());
    const startedAt = performance.now();
    await this.service.untilReady();
    const ms = performance.now() - startedAt;
    this.#ready.push({ ms, netMs: ms });
  }

  /** Asserts that both views of each app agree. */
  async #assertConsistentViews(apps: string[]): Promise<void> {
    const { developer, platform } = this.#credentials;
    const { publicUrl } = this.service;
    for (const appId of apps) {
      const [edited, read] = await Promise.all([
        trySend(publicUrl, updateAppRequest(developer, { id: appId, update: {} })),
        trySend(publicUrl, getAppRequest(platform, appId)),
      ]);
      guarantee(edited?.status === 200 && read?.status === 200, `${appId}: ${edited?.text} ${read?.text}`);
      const [count, list] = [JSON.parse(edited.text).installationCount, JSON.parse(read.text).installations.length];
      guarantee(count === list, `installationCount of ${appId} is ${count}, and its list has ${list}`);
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
