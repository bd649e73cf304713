import { setTimeout as sleep } from 'node:timers/promises';
import { assertStored } from './harness/assert-stored.ts';
import type { Credentials } from './harness/credentials.ts';
import type { Source } from './harness/defect.ts';
import { distributionOf } from './harness/distribution.ts';
import { type FaultInjection, type Figures, guarantee } from './harness/fault-injection.ts';
import { freshUrl } from './harness/fresh-database.ts';
import { Ledger } from './harness/ledger.ts';
import { createApps, Load } from './harness/load.ts';
import { Readers } from './harness/readers.ts';
import type { Run } from './harness/run.ts';
import { Service } from './harness/service.ts';
import { Pair } from './upgrade/pair.ts';

const appsCount = 6;
const clients = { updaters: 4, installers: 4 };
const readers = 4;
const restMs = 40;

export const faultInjection: FaultInjection = {
  summary: 'two processes behind nginx, drained and replaced in turn under load',
  options: {
    engines: { what: 'which of sqlite, postgres', value: 'sqlite,postgres', short: 'postgres' },
    turns: { what: 'processes replaced on each engine', value: 60, short: 5 },
  },
  async run(run) {
    const figures: Figures = {};
    for (const engine of run.text('engines').split(',')) Object.assign(figures, await upgrade(run, engine));
    return figures;
  },
  defects: [
    {
      name: 'no-drain',
      what: 'a process closes its connections on SIGTERM',
      options: { engines: 'sqlite' },
      patches: [
        {
          file: 'http/listener/connections.ts',
          in: 'drain',
          find: '  const closed = drainConnections(listeners, limits);',
          replace: `  for (const { server } of listeners) server.closeAllConnections();
  const closed = closeListeners(listeners);`,
        },
      ],
    },
  ],
};

async function upgrade(run: Run, engine: string): Promise<Figures> {
  const databaseUrl = await freshUrl(run, engine);
  const credentials = await credentialsBy(run.source, databaseUrl);
  const pair = await Pair.start(run, { databaseUrl, source: run.source });
  const apps = await createApps(pair, credentials, appsCount);

  const ledger = new Ledger();
  const read = new Readers(run, {
    publicUrl: pair.publicUrl,
    token: credentials.platform,
    apps,
    count: readers,
    restMs,
  });
  const load = new Load(run, { service: pair, credentials, ledger, apps, ...clients, restMs });
  const responses = new Responses(ledger, read);
  const drains = new Drains();
  const turns = run.number('turns');
  for (let turn = 0; turn < turns; turn += 1) {
    await sleep(run.random(`moments on ${engine}`, turn).between(50, 500));
    const service = pair.services[turn % 2] as Service;
    await drains.replace(service);
    responses.assertSuccessful();
    if ((turn + 1) % 10 === 0) run.log(`${engine}: ${turn + 1} of ${turns} turns`);
  }
  await Promise.all([load.stop(), read.stop()]);
  responses.assertSuccessful();
  drains.assertNotReady();
  await assertStored(databaseUrl, ledger, apps);
  const ms = distributionOf([...ledger.responses.map((response) => response.ms), ...read.ms]);
  return {
    [`${engine}:`]: `${turns} replaced, ${ledger.count(
      'acknowledged',
    )} changes and ${read.successes} reads, none failed; responses in ${ms.median} ms (p99 ${ms.p99}, at most ${
      ms.max
    }), drained in ${drains.distribution.median} ms (at most ${drains.distribution.max})`,
  };
}

/** Replaces processes, and watches them drain. */
class Drains {
  readonly #ms: number[] = [];
  #notReady = 0;

  /** As a service manager does: starts the next process once this one has ended. */
  async replace(service: Service): Promise<void> {
    const startedAt = performance.now();
    const ended = service.stop();
    await this.#watch(service);
    const status = await ended;
    guarantee(status === 0, `a process ended with ${status} on SIGTERM: ${service.process.output}`);
    this.#ms.push(performance.now() - startedAt);
    await service.start().catch((error: unknown) => guarantee(false, `its successor does not start: ${error}`));
  }

  get distribution() {
    return distributionOf(this.#ms);
  }

  /** A slow machine may hide the status of one process, but not of all. */
  assertNotReady(): void {
    guarantee(this.#notReady > 0, `none of ${this.#ms.length} draining processes reported that it is not ready`);
  }

  /** A draining process must never report again that it is ready. */
  async #watch(service: Service): Promise<void> {
    let isNotReady = false;
    while (!service.process.hasEnded) {
      const status = await service.readiness(1_000);
      guarantee(!(isNotReady && status === 200), 'a draining process reports that it is ready again');
      isNotReady ||= status === 503;
      await sleep(2);
    }
    if (isNotReady) this.#notReady += 1;
  }
}

/** Clients do not retry here: every response must be a success. */
class Responses {
  readonly #ledger: Ledger;
  readonly #read: Readers;

  constructor(ledger: Ledger, read: Readers) {
    this.#ledger = ledger;
    this.#read = read;
  }

  assertSuccessful(): void {
    const { unexpected } = this.#ledger;
    const { failures } = this.#read;
    guarantee(failures.length === 0, () => `${failures.length} reads failed: ${failures[0]}`);
    guarantee(unexpected.length === 0, () => `${unexpected.length} changes failed: ${unexpected[0]}`);
    const refused = this.#ledger.responses.filter(({ status }) => status >= 300 && status !== 502);
    guarantee(refused.length === 0, `${refused.length} changes received ${refused[0]?.status}`);
    const unanswered =
      this.#ledger.count('unknown') - this.#ledger.responses.filter(({ status }) => status === 502).length;
    guarantee(unanswered === 0, `${unanswered} changes have no response`);
  }
}

/** Issued by the commands of the program, which creates its schema. */
async function credentialsBy(source: Pick<Source, 'main'>, databaseUrl: string): Promise<Credentials> {
  const service = await Service.create({ source, databaseUrl });
  const run = async (...args: string[]) => JSON.parse(await service.command(...args, '--json'));
  await run('migrate');
  const { id: developerId } = await run('developer', 'create', '--email', 'ada@example.com');
  const issue = async (...args: string[]): Promise<string> => (await run('token', 'create', ...args)).token;
  return {
    developerId,
    developer: await issue('--kind', 'developer', '--developer', developerId),
    platform: await issue('--kind', 'platform'),
    operator: await issue('--kind', 'operator', '--scope', 'admin'),
  };
}
