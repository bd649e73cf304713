import { setTimeout as sleep } from 'node:timers/promises';
import type { Run } from './frame/run.ts';
import { type Figures, promise, type Torture } from './frame/torture.ts';
import type { Series } from './soak/series.ts';
import { SoakScene } from './soak/soak-scene.ts';

const looks = 180;
const lookMsMin = 250;
const tellMs = 60_000;
/** While programs are compiled and caches are filled. */
const warmUpShare = 0.2;

/** What may be more at the end than after the warm-up, in MB and in files. Of the memory 16 MB are a cache of SQLite. */
const growthMax = { memory: 80, heap: 4, files: 16, log: 4 };
type Vital = keyof typeof growthMax;
const vitals = Object.keys(growthMax) as Vital[];

export const torture: Torture = {
  summary: 'half an hour of everything at a steady rate: does it hold ever more memory, files or log?',
  options: {
    engines: { what: 'which of sqlite, postgres, all at the same time', value: 'sqlite,postgres' },
    minutes: { what: 'how long', value: 30, short: 0.2 },
    'p99-ms': { what: 'how long the 99th percentile of the answers may be at the end', value: 5_000, short: 20_000 },
  },
  async run(run) {
    const engines = run.text('engines').split(',');
    return Object.assign({}, ...(await Promise.all(engines.map((engine) => soak(run, engine)))));
  },
  mutants: [
    {
      name: 'leak',
      what: 'something is kept of each request, for ever',
      options: { engines: 'sqlite' },
      patches: [
        {
          file: 'http/auth/token-uses.ts',
          find: '    const now = this.#registry.now();\n    // Also',
          replace: `    const kept = ((globalThis as { kept?: unknown[] }).kept ??= []);
    kept.push(Buffer.alloc(16_384));
    const now = this.#registry.now();
    // Also`,
        },
      ],
    },
    {
      name: 'open-snapshots',
      what: 'the connection to the database that a long list is read on stays open',
      options: { engines: 'sqlite' },
      patches: [
        {
          file: 'storage/sqlite/snapshot.ts',
          find: 'return { database, close: () => database.close() };',
          replace: `const kept = ((globalThis as { kept?: unknown[] }).kept ??= []);
  return { database, close: () => kept.push(database) };`,
        },
      ],
    },
    {
      name: 'endless-log',
      what: 'the log of SQLite is never moved into the file',
      options: { engines: 'sqlite' },
      patches: [
        {
          file: 'storage/sqlite/database.ts',
          find: "database.exec('pragma busy_timeout = 0');",
          replace: "database.exec('pragma busy_timeout = 0; pragma wal_autocheckpoint = 0');",
        },
      ],
    },
  ],
};

async function soak(run: Run, engine: string): Promise<Figures> {
  const scene = await SoakScene.open(run, engine);
  const minutes = run.number('minutes');
  const began = performance.now();
  const elapsed = () => performance.now() - began;
  for (let told = 0; elapsed() < minutes * 60_000; ) {
    await sleep(Math.max(lookMsMin, (minutes * 60_000) / looks));
    await scene.look();
    if (elapsed() < (told + 1) * tellMs) continue;
    told += 1;
    run.log(`${engine}, minute ${told} of ${minutes}: ${nowOf(scene)}`);
  }
  await scene.stop();
  assertSteady(run, engine, scene);
  await scene.assertAgreed();
  return figuresOf(engine, scene);
}

function assertSteady(run: Run, engine: string, scene: SoakScene): void {
  const figures = () => JSON.stringify(figuresOf(engine, scene));
  for (const vital of vitals) {
    const series = scene.vitals[vital].after(warmUpShare);
    const { first, last } = series.quarters;
    const grown = Math.max(series.growth, last - first);
    promise(grown <= growthMax[vital], () => `${engine}: the ${vital} has grown by ${grown.toFixed(1)}: ${figures()}`);
  }
  const { last } = scene.p99.quarters;
  promise(last <= run.number('p99-ms'), () => `${engine}: at the end the p99 was ${last} ms: ${figures()}`);
}

function nowOf({ vitals: { memory, heap, files, log }, p99, requests }: SoakScene): string {
  const [memoryMb, heapMb, logMb] = [memory, heap, log].map(({ latest }) => latest.toFixed(1));
  return `${requests} answers, p99 ${p99.latest} ms, memory ${memoryMb} MB, heap ${heapMb} MB, files ${files.latest}, log ${logMb} MB`;
}

function figuresOf(engine: string, scene: SoakScene): Figures {
  const seen = vitals.filter((vital) => scene.vitals[vital].max > 0);
  const held = seen.map((vital) => `${vital} ${told(scene.vitals[vital].after(warmUpShare))}`);
  const { first, last } = scene.p99.after(warmUpShare).quarters;
  return {
    [`${engine}:`]: `${scene.requests} answers, ${scene.changes} changes, all of them told to the webhook; ${held.join('; ')}; p99 ${first} ms, then ${last} ms`,
  };
}

function told(series: Series): string {
  const { first, last } = series.quarters;
  return `${first.toFixed(1)}, then ${last.toFixed(1)} (slope ${series.growth.toFixed(1)}, at most ${series.max.toFixed(1)})`;
}
