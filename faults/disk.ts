import { failCalls } from './disk/failing-calls.ts';
import { fillDisk } from './disk/full-disk.ts';
import { earlyResponse } from './harness/early-response.ts';
import type { FaultInjection, Figures } from './harness/fault-injection.ts';

const parts = { full: fillDisk, failing: failCalls };

export const faultInjection: FaultInjection = {
  summary: 'a full disk, and failing writes and syncs, with SQLite',
  options: {
    parts: { what: 'which of full, failing', value: 'full,failing' },
    fills: { what: 'how often the disk is filled', value: 20, short: 2 },
    calls: { what: 'runs with each error: the n-th call fails, once or from then on', value: 60, short: 2 },
  },
  run: async (run) => {
    const figures: Figures = {};
    for (const part of run.text('parts').split(',') as (keyof typeof parts)[]) {
      Object.assign(figures, await parts[part](run));
    }
    return figures;
  },
  defects: [
    { ...earlyResponse, options: { parts: 'full', fills: 4 } },
    {
      name: 'false-refusal',
      what: 'a change whose sync has failed is reported as not stored',
      options: { parts: 'failing', calls: 60 },
      patches: [
        {
          file: 'storage/sqlite/sqlite-writer.ts',
          in: 'SqliteWriter.#execute',
          find: 'const failure = error instanceof UnknownOutcome ? error : await this.#abandon(error);',
          replace: 'const failure = asStorageFailure((error as Error).cause ?? error);',
        },
      ],
    },
    {
      name: 'empty-ping',
      what: '/readyz writes nothing',
      options: { parts: 'failing', calls: 12 },
      patches: [
        {
          file: 'storage/sqlite/sqlite-storage.ts',
          in: 'SqliteStorage.ping',
          find: 'this.write((transaction) => transaction.run(statement))',
          replace: 'this.write(async () => statement)',
        },
      ],
    },
  ],
};
