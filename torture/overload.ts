import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { importText } from 'app-registry-testkit/registry/export-text';
import { installationOf } from 'app-registry-testkit/registry/import-file';
import { createApp } from '../packages/server/src/registry/apps/create-app.ts';
import { commandLine, type Registry } from '../packages/server/src/registry/registry.ts';
import { type Credentials, createCredentials, withRegistry } from './frame/credentials.ts';
import { freshSqlite } from './frame/fresh-database.ts';
import type { Run } from './frame/run.ts';
import { Service } from './frame/service.ts';
import { distributionOf } from './frame/distribution.ts';
import { type Figures, promise, type Torture } from './frame/torture.ts';
import { LoadGenerator } from './overload/load-generator.ts';
import type { LoadResult } from './overload/open-load.ts';
import { ProcessLoad } from './frame/process-load.ts';
import { requestBytes } from 'app-registry-testkit/http/http-request';

const inTimeMs = 1_000;
/** After the flood, before it is looked at whether all is as before. */
const restMs = 1_000;
const ordersInTurn = 100;
const memoryGrowthMbMax = 400;
/** Fewer of them cannot keep ten times the maximum under way. */
const floodConnections = 4_000;

export const torture: Torture = {
  summary: 'ten times what it can serve: is as much served in time as before, and the rest refused quickly?',
  options: {
    seconds: { what: 'of each part: the maximum, the flood, and after it', value: 15, short: 2 },
    factor: { what: 'times the maximum that is offered', value: 10 },
    apps: {
      what: 'that are read and updated: the answers of so many are more than the service keeps',
      value: 800,
      short: 350,
    },
    installations: { what: 'of each app: they decide what a request costs', value: 1_000 },
    updates: { what: 'in a hundred requests; the others are Get App', value: 10 },
    // On a machine that has other work, and in so short a time, shares say nothing.
    kept: { what: 'percent of the maximal throughput that must be left', value: 80, short: 0 },
    'back-to': { what: 'percent of it that must be back after the flood', value: 70, short: 0 },
  },
  async run(run) {
    if (availableParallelism() < 2) throw new Error('The service and the load need a processor each.');
    const { service, requests } = await prepare(run);
    const generator = new LoadGenerator(1);
    run.atEnd(() => generator.end());
    const port = Number(new URL(service.publicUrl).port);
    const load = (connections: number, rate = 0) =>
      measured(service, () => generator.make({ port, requests, connections, rate, seconds: run.number('seconds') }));
    await load(32);
    const before = [await load(32), await load(64), await load(128)];
    const best = before.reduce((one, other) => (other.servedPerCpu > one.servedPerCpu ? other : one));
    const flood = await load(floodConnections, run.number('factor') * best.servedPerSecond);
    await sleep(restMs);
    const after = await load(16);
    judge(run, { best, flood, after });
    return figuresOf({ best, flood, after });
  },
  mutants: [
    {
      name: 'no-limit',
      what: 'nothing is ever one too many',
      patches: [
        { file: 'http/limits/overload.ts', find: 'if (requestsMax > 0 && (', replace: 'if (requestsMax < 0 && (' },
        {
          file: 'http/limits/overload.ts',
          find: 'if (requestsMax === 0) serve',
          replace: 'if (requestsMax >= 0) serve',
        },
      ],
    },
    {
      name: 'no-retry-after',
      what: 'a refusal does not say when to come again',
      patches: [
        { file: 'http/problem/socket-problem.ts', find: `, 'retry-after': retryAfterSeconds };`, replace: ' };' },
      ],
    },
  ],
};

async function prepare(run: Run): Promise<{ service: Service; requests: string[] }> {
  const database = freshSqlite();
  run.atEnd(database.remove);
  const credentials = await createCredentials(database.url);
  const ids = await withRegistry(database.url, (registry) => fill(registry, credentials, run));
  const service = await Service.create({ source: run.source, databaseUrl: database.url });
  run.atEnd(() => service.kill());
  await service.start(['taskset', '-c', '0']);
  const host = new URL(service.publicUrl).host;
  const requests = Array.from({ length: Math.max(ordersInTurn, ids.length) }, (_, turn) =>
    (turn * 7) % ordersInTurn < run.number('updates')
      ? update({ host, id: ids[turn % ids.length] as string, token: credentials.developer, turn })
      : read({ host, id: ids[turn % ids.length] as string, token: credentials.platform }),
  );
  return { service, requests };
}

async function fill(registry: Registry, { developerId }: Credentials, run: Run): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < run.number('apps')) {
    const { id } = await createApp(registry, commandLine, { developerId, name: `App ${ids.length}` });
    ids.push(id);
    const lines = Array.from({ length: run.number('installations') }, () =>
      JSON.stringify({ ...installationOf(id), userId: developerId }),
    );
    await importText(registry, lines.join('\n'));
  }
  return ids;
}

function read({ host, id, token }: { host: string; id: string; token: string }): string {
  const headers = { host, authorization: `Bearer ${token}` };
  return requestBytes({ method: 'GET', path: `/platform/apps/v1/${id}`, headers }).toString('latin1');
}

function update({ host, id, token, turn }: { host: string; id: string; token: string; turn: number }): string {
  const headers = { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ listingInfo: { shortDescription: `Text ${turn}` } });
  return requestBytes({ method: 'PATCH', path: `/developer/apps/v1/${id}`, headers, body }).toString('latin1');
}

interface Measured extends LoadResult {
  /** Answers in time, a second; and for each second of the processor that the service had: others use the machine too. */
  servedPerSecond: number;
  servedPerCpu: number;
  late: number;
  cpuSeconds: number;
  memoryMb: number;
}

async function measured(service: Service, make: () => Promise<LoadResult>): Promise<Measured> {
  const use = new ProcessLoad(service.process.pid);
  const result = await make();
  const { cpuSeconds, memoryMb } = use.end();
  // A service that gets half of its processor has twice the time.
  const limitMs = inTimeMs / Math.min(1, cpuSeconds / result.seconds);
  const served = result.servedMs.filter((ms) => ms <= limitMs).length;
  const late = result.servedMs.length - served;
  const servedPerSecond = served / result.seconds;
  return { ...result, cpuSeconds, memoryMb, late, servedPerSecond, servedPerCpu: served / cpuSeconds };
}

interface Parts {
  best: Measured;
  flood: Measured;
  after: Measured;
}

function judge(run: Run, { best, flood, after }: Parts): void {
  const told = (what: string) => () => `${what}: ${JSON.stringify(figuresOf({ best, flood, after }))}`;
  promise(
    Object.keys(flood.faults).length === 0,
    told(`answers that nobody should get (${JSON.stringify(flood.faults)})`),
  );
  promise(flood.late === 0 || flood.refusedMs.length > 0, told('answers were late, and nobody was refused'));
  promise(flood.unanswered === 0, told(`${flood.unanswered} requests were not answered`));
  promise(keptOf({ best, flood }) >= run.number('kept'), told('too little of the maximal throughput was left'));
  promise(flood.memoryMb - best.memoryMb <= memoryGrowthMbMax, told('the flood took too much memory'));
  promise(after.refusedMs.length === 0, told('it still refuses after the flood'));
  const back = (100 * after.servedPerCpu) / best.servedPerCpu;
  promise(back >= run.number('back-to'), told('it serves less after the flood'));
}

/** In percent, for the same time of the processor. */
function keptOf({ best, flood }: { best: Measured; flood: Measured }): number {
  return Math.round((flood.servedPerCpu / best.servedPerCpu) * 100);
}

/** What was left of the processor beside that for the answers. */
function refusalMs({ best, flood }: { best: Measured; flood: Measured }): number {
  const seconds = flood.cpuSeconds - flood.servedMs.length / best.servedPerCpu;
  return (1_000 * Math.max(0, seconds)) / Math.max(1, flood.refusedMs.length);
}

function figuresOf({ best, flood, after }: Parts): Figures {
  const timesOf = (times: number[]) => `median ${distributionOf(times).median} ms, p99 ${distributionOf(times).p99} ms`;
  const perSecond = (count: number) => `${Math.round(count / flood.seconds)}/s`;
  const isLoadTheLimit = flood.sent < 0.9 * flood.wanted;
  return {
    'at most': `${Math.round(best.servedPerSecond)}/s (a request costs ${(1_000 / best.servedPerCpu).toFixed(2)} ms of the processor)`,
    offered: `${perSecond(flood.sent)} of ${perSecond(flood.wanted)}${isLoadTheLimit ? ': the load is at its own limit' : ''}`,
    'served in time': `${perSecond(flood.servedMs.length - flood.late)}, ${keptOf({ best, flood })} % for the same time of the processor (${timesOf(flood.servedMs)})`,
    late: flood.late,
    'times what it could serve': Math.round(flood.sent / flood.cpuSeconds / best.servedPerCpu),
    refused: `${perSecond(flood.refusedMs.length)} (${timesOf(flood.refusedMs)}), ${refusalMs({ best, flood }).toFixed(3)} ms of the processor each`,
    'processor for the service': `${Math.round((flood.cpuSeconds / flood.seconds) * 100)} %`,
    memory: `${best.memoryMb} MB, in the flood ${flood.memoryMb} MB`,
    after: `${Math.round(after.servedPerSecond)}/s`,
  };
}
