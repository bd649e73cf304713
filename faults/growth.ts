import { killArchiving } from './growth/kill-archiving.ts';
import { traceArchiving } from './growth/trace-archiving.ts';
import type { FaultInjection, Figures } from './harness/fault-injection.ts';
import { freshUrl } from './harness/fresh-database.ts';

const parts = { kill: killArchiving, trace: traceArchiving };

/** The options that a defect needs, by the part that catches it. */
const optionsOf = {
  trace: { engines: 'sqlite', parts: 'trace', events: 500 },
  kill: { engines: 'sqlite', parts: 'kill', events: 4_000 },
};

export const faultInjection: FaultInjection = {
  summary: 'archiving of events that is killed, and what it syncs before it deletes',
  options: {
    engines: { what: 'which of sqlite, postgres', value: 'sqlite,postgres', short: 'sqlite' },
    parts: { what: 'which of kill, trace', value: 'kill,trace' },
    events: { what: 'how many events are archived', value: 20_000, short: 4_000 },
  },
  run: async (run) => {
    const figures: Figures = {};
    for (const engine of run.text('engines').split(',')) {
      for (const part of run.text('parts').split(',') as (keyof typeof parts)[]) {
        const databaseUrl = await freshUrl(run, engine);
        for (const [name, figure] of Object.entries(await parts[part](run, databaseUrl))) {
          figures[`${engine}-${name}`] = figure;
        }
      }
    }
    return figures;
  },
  defects: [
    {
      name: 'unsynced-archive',
      what: 'events are deleted before their file is synced',
      options: optionsOf.trace,
      patches: [{ file: 'cli/command-files.ts', in: 'writeNewFile', find: 'await handle.sync();', replace: '' }],
    },
  ],
};
