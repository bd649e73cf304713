import type { Ask } from '../load/http-request.ts';
import type { Bench } from './case.ts';
import { type Contestant, startHandWritten, startLimit, startOurs, stopAll } from './contestants.ts';
import type { Database, EngineName } from './databases.ts';
import type { Measured } from './rounds.ts';
import { warmUp } from './warm-up.ts';
import { writeAsks, wrk } from './wrk.ts';

export const tenThousandApps = { apps: 10_000, installations: 100_000 };

interface Comparison {
  engines: readonly EngineName[];
  /** The limit reads a body and sends it back, where it would send the answer. */
  echoes: boolean;
  /** What a contestant is asked in turn: nothing of it may depend on another contestant. */
  asks: (database: Database, port: number) => Ask[] | Promise<Ask[]>;
}

export interface Compared {
  measured: Measured[];
  databases: Database[];
  stop: () => Promise<void>;
}

/** The limit, ours and what is written by hand, each warm, each on a database of its own. */
export async function compareServers(bench: Bench, { engines, echoes, asks }: Comparison): Promise<Compared> {
  const databases: Database[] = [];
  const contestants: Contestant[] = [];
  const measured: Measured[] = [];
  const add = async (contestant: Contestant, asked: Ask[]) => {
    contestants.push(contestant);
    const file = await writeAsks(bench.folder, asked);
    await warmUp(bench, contestant.port, asked);
    measured.push({ of: contestant.name, measure: () => wrk(bench, { port: contestant.port, asks: file }) });
  };
  for (const engine of engines) {
    for (const start of [startOurs, startHandWritten]) {
      const database = await bench.databases.fresh(engine, tenThousandApps);
      databases.push(database);
      const contestant = await start(bench, database);
      const asked = await asks(database, contestant.port);
      if (contestants.length === 0) {
        await add(await startLimit(bench, { port: contestant.port, ask: asked[0] as Ask, echoes }), asked);
      }
      await add(contestant, asked);
    }
  }
  const stop = async () => {
    await stopAll(contestants);
    for (const database of databases) await database.drop();
  };
  return { measured, databases, stop };
}
