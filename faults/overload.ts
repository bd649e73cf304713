import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '@appregistrar/testkit/calls/apps';
import { getAppRequest, requestBytes, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import { importText } from '@appregistrar/testkit/registry/export-text';
import { installationOf } from '@appregistrar/testkit/registry/import-file';
import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import { commandLine, type Registry } from '../packages/server/src/kernel/registry.ts';
import { type Credentials, createCredentials } from './harness/credentials.ts';
import { distributionOf } from './harness/distribution.ts';
import { type FaultInjection, type Figures, guarantee } from './harness/fault-injection.ts';
import { freshSqlite } from './harness/fresh-database.ts';
import { ProcessLoad } from './harness/process-load.ts';
import type { Run } from './harness/run.ts';
import { Service } from './harness/service.ts';
import { LoadGenerator } from './overload/load-generator.ts';
import type { LoadResult } from './overload/open-load.ts';

const inTimeMs = 1_000;
/** The pause between the flood and the measurement after it. */
const restMs = 1_000;
const cycleLength = 100;
const memoryGrowthMbMax = 400;
/** Enough to sustain ten times the maximum. */
const floodConnections = 4_000;

export const faultInjection: FaultInjection = {
  summary:
    'ten times the load that it can serve: does it serve as much as before in time, and refuse the rest quickly?',
  options: {
    seconds: { what: 'duration of each part: the maximum, the flood, and after it', value: 15, short: 2 },
    factor: { what: 'the load, as a multiple of the maximum', value: 10 },
    apps: {
      what: 'apps that are read and updated: more than the response cache holds',
      value: 800,
      short: 350,
    },
    installations: { what: 'installations of each app, which determine the cost of a request', value: 1_000 },
    updates: { what: 'updates in a hundred requests; the others are Get App', value: 10 },
    // In a short run on a busy machine, shares are meaningless.
    sustained: { what: 'percent of the maximal throughput that must remain', value: 80, short: 0 },
    recovered: { what: 'percent of it that must return after the flood', value: 70, short: 0 },
  },
  async run(run) {
    if (availableParallelism() < 2) throw new Error('The service and the load need one processor each.');
    const { service, requests } = await prepare(run);
    const generator = new LoadGenerator(1);
    run.atEnd(() => generator.end());
    const port = Number(new URL(service.publicUrl).port);
    const load = (connections: number, rate = 0) =>
      measured(service, () => generator.run({ port, requests, connections, rate, seconds: run.number('seconds') }));
    await load(32);
    const before = [await load(32), await load(64), await load(128)];
    const best = before.reduce((one, other) => (other.servedPerCpu > one.servedPerCpu ? other : one));
    const flood = await load(floodConnections, run.number('factor') * best.servedPerSecond);
    await sleep(restMs);
    const after = await load(16);
    assertServed(run, { best, flood, after });
    return figuresOf({ best, flood, after });
  },
  defects: [
    {
      name: 'no-limit',
      what: 'the service accepts any number of requests',
      patches: [
        {
          file: 'http/limits/overload.ts',
          in: 'Overload.accept',
          find: 'if (requestsMax > 0 && (',
          replace: 'if (requestsMax < 0 && (',
        },
        {
          file: 'http/limits/overload.ts',
          in: 'Overload.accept',
          find: 'if (requestsMax === 0) serve',
          replace: 'if (requestsMax >= 0) serve',
        },
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
  const requests = Array.from({ length: Math.max(cycleLength, ids.length) }, (_, turn) =>
    (turn * 7) % cycleLength < run.number('updates')
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
  return requestBytes(getAppRequest(token, id, { host })).toString('latin1');
}

function update({ host, id, token, turn }: { host: string; id: string; token: string; turn: number }): string {
  const content = { listingInfo: { shortDescription: `Text ${turn}` } };
  return requestBytes(updateAppRequest(token, { id, update: content, headers: { host } })).toString('latin1');
}

interface Measured extends LoadResult {
  /** Successes in time, per second and per second of processor time, as other programs use the machine too. */
  servedPerSecond: number;
  servedPerCpu: number;
  late: number;
  cpuSeconds: number;
  memoryMb: number;
}

async function measured(service: Service, load: () => Promise<LoadResult>): Promise<Measured> {
  const usage = new ProcessLoad(service.process.pid);
  const result = await load();
  const { cpuSeconds, memoryMb } = usage.end();
  // A service that gets half a processor has twice the time.
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

function assertServed(run: Run, { best, flood, after }: Parts): void {
  const because = (what: string) => () => `${what}: ${JSON.stringify(figuresOf({ best, flood, after }))}`;
  const { failures, unanswered } = flood;
  guarantee(Object.keys(failures).length === 0, because(`unexpected responses (${JSON.stringify(failures)})`));
  guarantee(flood.late === 0 || flood.refusedMs.length > 0, because('responses were late, and none was a refusal'));
  guarantee(unanswered === 0, because(`${unanswered} requests received no response`));
  guarantee(sustainedPercent({ best, flood }) >= run.number('sustained'), because('the throughput dropped too much'));
  guarantee(flood.memoryMb - best.memoryMb <= memoryGrowthMbMax, because('the flood used too much memory'));
  guarantee(after.refusedMs.length === 0, because('it still refuses requests after the flood'));
  const recovered = (100 * after.servedPerCpu) / best.servedPerCpu;
  guarantee(recovered >= run.number('recovered'), because('it serves less after the flood'));
}

/** The share of the maximal throughput, for the same processor time. */
function sustainedPercent({ best, flood }: { best: Measured; flood: Measured }): number {
  return Math.round((flood.servedPerCpu / best.servedPerCpu) * 100);
}

/** The processor time of a refusal: what remains beside that of successes. */
function refusalMs({ best, flood }: { best: Measured; flood: Measured }): number {
  const seconds = flood.cpuSeconds - flood.servedMs.length / best.servedPerCpu;
  return (1_000 * Math.max(0, seconds)) / Math.max(1, flood.refusedMs.length);
}

function figuresOf({ best, flood, after }: Parts): Figures {
  const timesOf = (times: number[]) => `median ${distributionOf(times).median} ms, p99 ${distributionOf(times).p99} ms`;
  const perSecond = (count: number) => `${Math.round(count / flood.seconds)}/s`;
  const isLoadTheLimit = flood.sent < 0.9 * flood.wanted;
  return {
    maximum: `${Math.round(best.servedPerSecond)}/s (a request costs ${(1_000 / best.servedPerCpu).toFixed(2)} ms of processor time)`,
    offered: `${perSecond(flood.sent)} of ${perSecond(flood.wanted)}${isLoadTheLimit ? ': the load generator is at its limit' : ''}`,
    'served in time': `${perSecond(flood.servedMs.length - flood.late)}, ${sustainedPercent({ best, flood })} % for the same processor time (${timesOf(flood.servedMs)})`,
    late: flood.late,
    'times the maximum': Math.round(flood.sent / flood.cpuSeconds / best.servedPerCpu),
    refused: `${perSecond(flood.refusedMs.length)} (${timesOf(flood.refusedMs)}), ${refusalMs({ best, flood }).toFixed(3)} ms of processor time each`,
    'processor share of the service': `${Math.round((flood.cpuSeconds / flood.seconds) * 100)} %`,
    memory: `${best.memoryMb} MB before, ${flood.memoryMb} MB in the flood`,
    after: `${Math.round(after.servedPerSecond)}/s`,
  };
}
