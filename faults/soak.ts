import { setTimeout as sleep } from 'node:timers/promises';
import { type FaultInjection, type Figures, guarantee } from './harness/fault-injection.ts';
import type { Run } from './harness/run.ts';
import type { Series } from './soak/series.ts';
import { SoakScene } from './soak/soak-scene.ts';

const samples = 180;
const sampleMsMin = 250;
const progressMs = 60_000;
/** The share of the time in which code is compiled and caches fill. */
const warmUpShare = 0.2;

/**
 * The allowed growth after the warm-up, in MB and in files. A SQLite cache accounts for 16 MB of the memory. The
 * log grows beyond the 4 MB at which it is copied while a long list needs it, and then keeps up to 16 MB. SQLite keeps the file of a
 * closed connection for the next one, so there are as many as lists were ever read at the same time: ten at most, which a short
 * run reaches late.
 */
const growthMax = { memory: 80, heap: 4, files: 24, log: 20 };
type Vital = keyof typeof growthMax;
const vitals = Object.keys(growthMax) as Vital[];

export const faultInjection: FaultInjection = {
  summary: 'half an hour of mixed load at a steady rate: do memory, open files or the log keep growing?',
  options: {
    engines: { what: 'which of sqlite, postgres, all at the same time', value: 'sqlite,postgres' },
    minutes: { what: 'how long', value: 30, short: 0.2 },
    'p99-ms': { what: 'the limit for the p99 of response times at the end', value: 5_000, short: 20_000 },
  },
  async run(run) {
    const engines = run.text('engines').split(',');
    return Object.assign({}, ...(await Promise.all(engines.map((engine) => soak(run, engine)))));
  },
  defects: [
    {
      name: 'leak',
      what: 'each request leaks memory',
      options: { engines: 'sqlite' },
      patches: [
        {
          file: 'http/auth/bearer-auth.ts',
          in: 'TokenUses.record',
          find: '    const now = this.#registry.now();\n    // Also',
          replace: `    const leaked = ((globalThis as { leaked?: unknown[] }).leaked ??= []);
    leaked.push(Buffer.alloc(16_384));
    const now = this.#registry.now();
    // Also`,
        },
      ],
    },
  ],
};

async function soak(run: Run, engine: string): Promise<Figures> {
  const scene = await SoakScene.open(run, engine);
  const minutes = run.number('minutes');
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  for (let minute = 0; elapsed() < minutes * 60_000; ) {
    await sleep(Math.max(sampleMsMin, (minutes * 60_000) / samples));
    await scene.sample();
    if (elapsed() < (minute + 1) * progressMs) continue;
    minute += 1;
    run.log(`${engine}, minute ${minute} of ${minutes}: ${latestOf(scene)}`);
  }
  await scene.stop();
  assertSteady(run, engine, scene);
  await scene.assertConsistent();
  return figuresOf(engine, scene);
}

function assertSteady(run: Run, engine: string, scene: SoakScene): void {
  const figures = () => JSON.stringify(figuresOf(engine, scene));
  for (const vital of vitals) {
    const series = scene.vitals[vital].after(warmUpShare);
    const { first, last } = series.quarters;
    const growth = Math.max(series.growth, last - first);
    guarantee(
      growth <= growthMax[vital],
      () => `${engine}: the ${vital} has grown by ${growth.toFixed(1)}: ${figures()}`,
    );
  }
  const { last } = scene.p99.quarters;
  guarantee(last <= run.number('p99-ms'), () => `${engine}: at the end the p99 was ${last} ms: ${figures()}`);
}

function latestOf({ vitals: { memory, heap, files, log }, p99, requests }: SoakScene): string {
  const [memoryMb, heapMb, logMb] = [memory, heap, log].map(({ latest }) => latest.toFixed(1));
  return `${requests} responses, p99 ${p99.latest} ms, memory ${memoryMb} MB, heap ${heapMb} MB, files ${files.latest}, log ${logMb} MB`;
}

function figuresOf(engine: string, scene: SoakScene): Figures {
  const measured = vitals.filter((vital) => scene.vitals[vital].max > 0);
  const ranges = measured.map((vital) => `${vital} ${rangeOf(scene.vitals[vital].after(warmUpShare))}`);
  const { first, last } = scene.p99.after(warmUpShare).quarters;
  return {
    [`${engine}:`]: `${scene.requests} responses, ${scene.changes} changes, all delivered to the webhook; ${ranges.join('; ')}; p99 ${first} ms, then ${last} ms`,
  };
}

function rangeOf(series: Series): string {
  const { first, last } = series.quarters;
  return `${first.toFixed(1)}, then ${last.toFixed(1)} (slope ${series.growth.toFixed(1)}, at most ${series.max.toFixed(1)})`;
}
