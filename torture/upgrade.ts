import { setTimeout as sleep } from 'node:timers/promises';
import { previousVersions, takePreviousProgram } from 'app-registry-testkit/programs/previous-program';
import { assertStored } from './frame/assert-stored.ts';
import type { Credentials } from './frame/credentials.ts';
import { freshUrl } from './frame/fresh-database.ts';
import { Ledger } from './frame/ledger.ts';
import { createApps, Load } from './frame/load.ts';
import type { Source } from './frame/mutant.ts';
import { Readers } from './frame/readers.ts';
import type { Run } from './frame/run.ts';
import { Service } from './frame/service.ts';
import { distributionOf } from './frame/distribution.ts';
import { type Figures, promise, type Torture } from './frame/torture.ts';
import { Pair } from './upgrade/pair.ts';

const appsCount = 6;
const clients = { updaters: 4, installers: 4 };
const readers = 4;
const restMs = 40;
/** After the upgrade, so often a process is replaced by the older program, which is gone back to. */
const olderChance = 0.3;

type Program = Pick<Source, 'main'>;

export const torture: Torture = {
  summary:
    'two processes behind nginx, drained and replaced in turn under load, the older program beside that of today',
  options: {
    engines: { what: 'which of sqlite, postgres', value: 'sqlite,postgres', short: 'postgres' },
    turns: { what: 'processes replaced on each engine', value: 60, short: 5 },
    older: { what: 'whether it begins with the older program: 1 or 0', value: 1 },
  },
  async run(run) {
    const figures: Figures = {};
    for (const engine of run.text('engines').split(',')) Object.assign(figures, await upgrade(run, engine));
    return figures;
  },
  mutants: [
    {
      name: 'no-drain',
      what: 'a process that is told to end closes its connections at once',
      options: { engines: 'sqlite', older: 0 },
      patches: [
        {
          file: 'serve.ts',
          find: '  const closed = drainConnections(listeners);',
          replace: `  for (const { server } of listeners) server.closeAllConnections();
  const closed = closeListeners(listeners);`,
        },
      ],
    },
    {
      name: 'hasty-close',
      what: 'a process closes, without looking who has come, a moment after it was told to end',
      options: { engines: 'sqlite', older: 0, turns: 20 },
      patches: [
        {
          file: 'serve.ts',
          find: '  const closed = drainConnections(listeners);',
          replace: '  await sleep(drainNoticeMs);\n  const closed = closeListeners(listeners);',
        },
      ],
    },
    {
      name: 'closed-door',
      what: 'a process that is about to end refuses what comes',
      options: { engines: 'postgres', older: 0 },
      patches: [
        {
          file: 'http/listener/listener.ts',
          find: "if (isDraining()) reply.header('connection', 'close');",
          replace: "if (isDraining()) reply.code(503).header('connection', 'close').header('retry-after', 1);",
        },
      ],
    },
    {
      name: 'ready-to-the-end',
      what: '/readyz goes on saying that a process is ready which is about to end',
      options: { engines: 'sqlite', older: 0 },
      patches: [{ file: 'http/operator/health.ts', find: 'if (isDraining()) throw', replace: 'if (false) throw' }],
    },
    {
      name: 'no-way-back',
      what: 'the schema of today refuses the older program',
      options: { engines: 'sqlite' },
      patches: [
        { file: 'storage/migrations/0005-whole-installations.ts', find: 'usableFrom: 1', replace: 'usableFrom: 5' },
      ],
    },
  ],
};

async function upgrade(run: Run, engine: string): Promise<Figures> {
  const databaseUrl = await freshUrl(run, engine);
  const older = run.number('older') === 1 ? await olderProgram(run) : run.source;
  const credentials = await credentialsBy(older, databaseUrl);
  const pair = await Pair.start(run, { databaseUrl, source: older });
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
  const answers = new Answers(ledger, read);
  const drains = new Drains();
  const programs = programsOf(run, engine, { today: run.source, older });
  for (const [turn, program] of programs.entries()) {
    await sleep(run.random(`moments on ${engine}`, turn).between(50, 500));
    const service = pair.services[turn % 2] as Service;
    const mayCut = older !== run.source && service.source === older;
    await drains.replace(service, program);
    if (mayCut) answers.excuse();
    answers.assertGood();
    if ((turn + 1) % 10 === 0) run.log(`${engine}: ${turn + 1} of ${programs.length} turns`);
  }
  await Promise.all([load.stop(), read.stop()]);
  answers.assertGood();
  drains.assertTold();
  await assertStored(databaseUrl, ledger, apps);
  const ms = distributionOf([...ledger.answers.map((answer) => answer.ms), ...read.ms]);
  return {
    [`${engine}:`]: `${programs.length} replaced, ${programs.filter((program) => program === older).length} by the older program, ${ledger.count(
      'acknowledged',
    )} changes and ${read.answered} reads, none failed${answers.excused > 0 ? ` but for ${answers.excused} as the older program ended` : ''}; answered in ${ms.median} ms (p99 ${ms.p99}, at most ${
      ms.max
    }), drained in ${drains.spread.median} ms (at most ${drains.spread.max})`,
  };
}

/** What each turn starts: the upgrade first, and at the end everything runs that of today. */
function programsOf(run: Run, engine: string, { today, older }: Record<'today' | 'older', Program>): Program[] {
  const turns = run.number('turns');
  const random = run.random(`programs on ${engine}`);
  const isSettled = (turn: number) => turn < 2 || turn >= turns - 2;
  // A short run goes back too.
  return Array.from({ length: turns }, (_, turn) =>
    !isSettled(turn) && (turn === 2 || random.chance(olderChance)) ? older : today,
  );
}

/** What happens to processes that are told to end. */
class Drains {
  readonly #ms: number[] = [];
  #told = 0;

  /** As a supervisor does it: the next one starts once this one has ended. */
  async replace(service: Service, program: Program): Promise<void> {
    const began = performance.now();
    const ended = service.stop();
    await this.#watch(service);
    const status = await ended;
    promise(status === 0, `a process that was told to end ended with ${status}: ${service.process.tail}`);
    this.#ms.push(performance.now() - began);
    service.source = program;
    await service.start().catch((error: unknown) => promise(false, `its successor does not start: ${error}`));
  }

  get distributionOf() {
    return distributionOf(this.#ms);
  }

  /** A slow machine may hide it from one look, but not from all. */
  assertTold(): void {
    promise(this.#told > 0, `of ${this.#ms.length} processes that were told to end none said that it is not ready`);
  }

  /** A balancer must not be told that it is ready again. */
  async #watch(service: Service): Promise<void> {
    let isToldNow = false;
    while (!service.process.hasEnded) {
      const status = await service.readiness(1_000);
      promise(!(isToldNow && status === 200), 'a process that is about to end says that it is ready again');
      isToldNow ||= status === 503;
      await sleep(2);
    }
    if (isToldNow) this.#told += 1;
  }
}

/** Nobody repeats anything here: every answer must be a success. */
class Answers {
  /** How many were cut off where that is excused. */
  excused = 0;
  readonly #ledger: Ledger;
  readonly #read: Readers;

  constructor(ledger: Ledger, read: Readers) {
    this.#ledger = ledger;
    this.#read = read;
  }

  /** The older program ends as it always did. What it cuts off may be stored or not. */
  excuse(): void {
    for (const told of [this.#ledger.unexpected, this.#read.failures]) {
      const other = told.find((text) => !text.includes('502 Bad Gateway'));
      promise(other === undefined, `as the older program ended: ${other}`);
      this.excused += told.splice(0).length;
    }
  }

  assertGood(): void {
    const { unexpected } = this.#ledger;
    const { failures } = this.#read;
    promise(failures.length === 0, () => `${failures.length} reads failed: ${failures[0]}`);
    promise(unexpected.length === 0, () => `${unexpected.length} changes failed: ${unexpected[0]}`);
    const refused = this.#ledger.answers.filter(({ status }) => status >= 300 && status !== 502);
    promise(refused.length === 0, `${refused.length} changes were answered ${refused[0]?.status}`);
    const unanswered =
      this.#ledger.count('unknown') - this.#ledger.answers.filter(({ status }) => status === 502).length;
    promise(unanswered === 0, `${unanswered} changes have no answer`);
  }
}

async function olderProgram(run: Run): Promise<Program> {
  const version = Math.max(...previousVersions);
  const program = await takePreviousProgram(version);
  run.atEnd(program.remove);
  return program;
}

/** By the commands of a program, which makes the schema that it knows. */
async function credentialsBy(source: Program, databaseUrl: string): Promise<Credentials> {
  const service = await Service.create({ source, databaseUrl });
  const made = async (...args: string[]) => JSON.parse(await service.command(...args, '--json'));
  const { userId: developerId } = await made('developer', 'create', '--email', 'ada@example.com');
  const issue = async (...args: string[]): Promise<string> => (await made('token', 'issue', ...args)).token;
  return {
    developerId,
    developer: await issue('--kind', 'developer', '--developer', developerId),
    platform: await issue('--kind', 'platform'),
    operator: await issue('--kind', 'operator', '--scope', 'admin'),
  };
}
