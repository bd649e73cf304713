import type { HttpRequest } from '@appregistrar/testkit/http/http-request';
import type { Bench } from './case.ts';
import { type Contestant, startHandWritten, startLimit, startOurs, stopAll } from './contestants.ts';
import type { Database, EngineName } from './databases.ts';
import type { Measured } from './rounds.ts';
import { warmUp } from './warm-up.ts';
import { writeRequests, wrk } from './wrk.ts';

export const tenThousandApps = { apps: 10_000, installations: 100_000 };

interface Comparison {
  engines: readonly EngineName[];
  /** Whether the limit echoes the body instead of replaying a response. */
  echoes: boolean;
  /** The servers that are measured on each engine, besides the limit. */
  servers?: StartServer[];
  /** The requests to a contestant, in turn. They must not depend on another contestant. */
  requests: (database: Database, port: number) => HttpRequest[] | Promise<HttpRequest[]>;
}

type StartServer = typeof startOurs | typeof startHandWritten;

export interface Compared {
  measured: Measured[];
  databases: Database[];
  stop: () => Promise<void>;
}

/** Starts and warms up the limit, and the registry and the hand-written server, each on its own database. */
export async function compareServers(
  bench: Bench,
  { engines, echoes, servers = [startOurs, startHandWritten], requests }: Comparison,
): Promise<Compared> {
  const databases: Database[] = [];
  const contestants: Contestant[] = [];
  const measured: Measured[] = [];
  const add = async (contestant: Contestant, sent: HttpRequest[]) => {
    contestants.push(contestant);
    const file = await writeRequests(bench.folder, sent);
    await warmUp(bench, contestant.port, sent);
    measured.push({ of: contestant.name, measure: () => wrk(bench, { port: contestant.port, requests: file }) });
  };
  for (const engine of engines) {
    for (const start of servers) {
      const database = await bench.databases.fresh(engine, tenThousandApps);
      databases.push(database);
      const contestant = await start(bench, database);
      const sent = await requests(database, contestant.port);
      if (contestants.length === 0) {
        await add(await startLimit(bench, { port: contestant.port, request: sent[0] as HttpRequest, echoes }), sent);
      }
      await add(contestant, sent);
    }
  }
  const stop = async () => {
    await stopAll(contestants);
    for (const database of databases) await database.drop();
  };
  return { measured, databases, stop };
}
