import type { FaultInjection, Figures } from './frame/fault-injection.ts';
import { freshUrl } from './frame/fresh-database.ts';
import { killArchiving } from './growth/kill-archiving.ts';
import { storeMuch } from './growth/store-much.ts';
import { traceArchiving } from './growth/trace-archiving.ts';

const parts = { store: storeMuch, kill: killArchiving, trace: traceArchiving };

/** The options that a defect needs, by the part that catches it. */
const optionsOf = {
  store: { engines: 'sqlite', parts: 'store', bytes: 800_000 },
  trace: { engines: 'sqlite', parts: 'trace', events: 500 },
  kill: { engines: 'sqlite', parts: 'kill', events: 4_000 },
};

export const faultInjection: FaultInjection = {
  summary: 'a developer who stores as much as possible through two processes, and archiving that is killed',
  options: {
    engines: { what: 'which of sqlite, postgres', value: 'sqlite,postgres', short: 'sqlite' },
    parts: { what: 'which of store, kill, trace', value: 'store,kill,trace' },
    bytes: { what: 'how much a developer may store', value: 8_000_000, short: 800_000 },
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
      name: 'texts-twice',
      what: 'a response is stored with the texts that its event holds',
      options: optionsOf.store,
      patches: [
        {
          file: 'registry/response-text.ts',
          find: 'if (texts.size === 0) return',
          replace: 'if (texts.size > 0) return { stored: JSON.stringify(response), textBytes: 0 };\n  else return',
        },
      ],
    },
    {
      name: 'wrong-text',
      what: 'a retry gets the present texts of the app',
      options: optionsOf.store,
      patches: [
        {
          file: 'registry/response-text.ts',
          find: 'JSON.stringify(event?.id ?? null)',
          replace: 'null',
        },
      ],
    },
    {
      name: 'own-bytes',
      what: 'each process counts the stored bytes for itself',
      options: optionsOf.store,
      patches: [
        {
          file: 'registry/stored-bytes.ts',
          find: 'developer_id: developerId, bytes, max }',
          replace: "developer_id: developerId + '-' + process.pid, bytes, max }",
        },
      ],
    },
    {
      name: 'uncounted-keys',
      what: 'what is stored under a key is not counted',
      options: optionsOf.store,
      patches: [
        { file: 'registry/apps/update-app.ts', find: 'eventBytes(event) + keyBytes', replace: 'eventBytes(event)' },
      ],
    },
    {
      name: 'unsynced-archive',
      what: 'events are deleted before their file is synced',
      options: optionsOf.trace,
      patches: [{ file: 'cli/write-output.ts', find: 'await handle.sync();', replace: '' }],
    },
    {
      name: 'needed-events',
      what: 'an event with a pending delivery is archived',
      options: optionsOf.trace,
      patches: [
        { file: 'registry/events/archive/needed-events.ts', find: 'if (delivered) {', replace: 'if (!delivered) {' },
      ],
    },
    {
      name: 'forgotten-progress',
      what: 'a killed run does not record what it has deleted',
      options: optionsOf.kill,
      patches: [
        {
          file: 'registry/events/archive/archive-events.ts',
          find: 'if ((await updateEventArchive(transaction, { number, state, moved, before })) === 0) throw concurrent();',
          replace: '',
        },
      ],
    },
    {
      name: 'partial-file',
      what: 'the file is written under its own name',
      options: optionsOf.kill,
      patches: [
        { file: 'cli/write-output.ts', find: 'await link(part, file);', replace: '' },
        { file: 'cli/write-output.ts', find: "open(part, 'w', 0o600)", replace: "open(file, 'w', 0o600)" },
        { file: 'cli/write-output.ts', find: 'await rm(part, { force: true });', replace: '' },
      ],
    },
  ],
};
