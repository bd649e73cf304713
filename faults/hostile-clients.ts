import { createApp, getAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { addInstallations } from '@appregistrar/testkit/registry/many-installations';
import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import { commandLine } from '../packages/server/src/kernel/registry.ts';
import { createCredentials } from './harness/credentials.ts';
import { type FaultInjection, type Figures, guarantee } from './harness/fault-injection.ts';
import { freshSqlite } from './harness/fresh-database.ts';
import { ProcessLoad } from './harness/process-load.ts';
import type { Run } from './harness/run.ts';
import { Service } from './harness/service.ts';
import {
  endlessPipelining,
  halfClosed,
  idle,
  idleOperators,
  pipelining,
  slowBodies,
  slowHeaders,
  slowReaders,
  smuggling,
  type Target,
  trickle,
  unreadPipelining,
} from './hostile-clients/attacks.ts';
import { Probe } from './hostile-clients/probe.ts';
import { wasSmuggled } from './hostile-clients/smuggling.ts';

const streamsMax = 5;
const memoryMbMax = 900;

export const faultInjection: FaultInjection = {
  summary: 'slow, unreading and deceptive clients: are they refused or disconnected, and all others served?',
  options: {
    idle: { what: 'connections that send nothing', value: 10_000, short: 500 },
    slow: { what: 'clients of each slow attack', value: 500, short: 50 },
    readers: { what: 'clients that do not read a long list', value: 40, short: 10 },
    installations: { what: 'installations in that list', value: 100_000, short: 60_000 },
    operators: { what: 'idle connections to the operator listener', value: 1_000, short: 200 },
    endlessMs: { what: 'how long clients pipeline without a pause, in ms', value: 20_000, short: 3_000 },
    pipelined: { what: 'requests in one write', value: 2_000, short: 300 },
    headersMs: { what: 'HEADERS_TIMEOUT_MS of the service', value: 10_000, short: 1_500 },
    requestMs: { what: 'REQUEST_TIMEOUT_MS', value: 30_000, short: 2_000 },
    stallMs: { what: 'STALL_MS_MAX', value: 15_000, short: 1_000 },
    graceMs: { what: 'tolerance beyond these limits', value: 5_000, short: 3_000 },
    p99: { what: 'by how many ms attacks may increase the p99 of other clients', value: 1_000, short: 5_000 },
  },
  async run(run) {
    const { service, databaseUrl, target } = await prepare(run);
    const probe = new Probe(target);
    run.atEnd(() => probe.end());
    const figures = await attackAll(run, { probe, target, pid: service.process.pid });
    await probe.end();
    const { name } = await withRegistry(databaseUrl, (registry) => getAppAsOperator(registry, target.appId));
    guarantee(!wasSmuggled(name), 'a request hidden in another one was executed');
    return figures;
  },
  defects: [
    {
      name: 'endless-waiting',
      what: 'a connection is read on, however many of its requests wait',
      patches: [
        {
          file: 'http/listener/open-connections.ts',
          in: 'OpenConnections',
          find: 'else if (socket.waiting === waitingMax)',
          replace: 'else if (socket.waiting === Infinity)',
        },
        {
          file: 'http/listener/open-connections.ts',
          in: 'OpenConnections',
          find: 'if (this.#waiting > waitingInAllMax)',
          replace: 'if (this.#waiting > Infinity)',
        },
      ],
    },
    {
      name: 'held-place',
      what: 'a response takes capacity until it has been read',
      patches: [
        {
          file: 'http/listener/listener.ts',
          in: 'acceptRequests',
          find: "context.response.on('prefinish', release).on('close', onClose);",
          replace: "context.response.on('close', onClose);",
        },
      ],
    },
    {
      name: 'idle-stays',
      what: 'idle connections make no room for new ones',
      patches: [
        {
          file: 'http/listener/open-connections.ts',
          in: 'OpenConnections',
          find: 'const [longestIdle = socket] = this.#idle;',
          replace: 'const longestIdle = socket;',
        },
      ],
    },
    {
      name: 'lenient-parser',
      what: 'the parser accepts malformed requests',
      patches: [
        {
          file: 'http/listener/listener.ts',
          in: 'createServer',
          find: 'http: { ...http, requireHostHeader: false },',
          replace: 'http: { ...http, requireHostHeader: false, insecureHTTPParser: true },',
        },
      ],
    },
    {
      name: 'executed-behind-close',
      what: 'a request behind a response that closes the connection is executed',
      patches: [
        {
          file: 'http/listener/listener.ts',
          in: 'acceptRequests',
          find: 'if (destroyed || writableEnded) return;',
          replace: 'if (destroyed || writableEnded === undefined) return;',
        },
      ],
    },
  ],
};

async function prepare(run: Run): Promise<{ service: Service; databaseUrl: string; target: Target }> {
  const database = freshSqlite();
  run.atEnd(database.remove);
  const { developerId, developer, platform } = await createCredentials(database.url);
  const [appId, longAppId] = await withRegistry(database.url, async (registry) => {
    const app = await createApp(registry, commandLine, { developerId, name: 'Busy' });
    const longApp = await createApp(registry, commandLine, { developerId, name: 'Widespread' });
    const count = run.number('installations');
    await addInstallations(registry.storage, { appId: longApp.id, count, userId: developerId });
    return [app.id, longApp.id] as const;
  });
  const limits = {
    headersMs: run.number('headersMs'),
    requestMs: run.number('requestMs'),
    stallMs: run.number('stallMs'),
    graceMs: run.number('graceMs'),
  };
  const env = {
    HEADERS_TIMEOUT_MS: String(limits.headersMs),
    REQUEST_TIMEOUT_MS: String(limits.requestMs),
    // More than one slow attack takes, and fewer than clients hardly read.
    REQUESTS_AT_ONCE_MAX: String(run.number('slow') + 50),
    STALL_MS_MAX: String(limits.stallMs),
    STREAMS_AT_ONCE_MAX: String(streamsMax),
  };
  const service = await Service.create({ source: run.source, databaseUrl: database.url, env });
  run.atEnd(() => service.kill());
  await service.start();
  const port = Number(new URL(service.publicUrl).port);
  const operatorPort = Number(new URL(service.operatorUrl).port);
  const target = { port, operatorPort, appId, longAppId, developer, platform, ...limits, streamsMax };
  return { service, databaseUrl: database.url, target };
}

/** Runs one attack at a time, to find which of them affects other clients. */
async function attackAll(
  run: Run,
  { probe, target, pid }: { probe: Probe; target: Target; pid: number },
): Promise<Figures> {
  const slow = run.number('slow');
  const attacks: Record<string, () => Promise<string>> = {
    none: () => new Promise((resolve) => setTimeout(resolve, 2_000, '')),
    smuggling: () => smuggling(target),
    'half-closed': () => halfClosed(target, slow),
    pipelining: () => pipelining(target, { count: 10, length: run.number('pipelined') }),
    'unread pipelining': () => unreadPipelining(target, 10),
    'endless pipelining': () => endlessPipelining(target, { count: 4, ms: run.number('endlessMs') }),
    'hardly reading': () => trickle(target, slow + 60),
    'idle on the operator listener': () => idleOperators(target, run.number('operators')),
    'slow headers': () => slowHeaders(target, slow),
    'slow bodies': () => slowBodies(target, slow),
    'slow readers': () => slowReaders(target, run.number('readers')),
    idle: () => idle(target, run.number('idle')),
  };
  const figures: Figures = {};
  let baseline = 0;
  let memory = 0;
  for (const [name, attack] of Object.entries(attacks)) {
    const load = new ProcessLoad(pid);
    const outcome = await attack();
    const { memoryMb, slowdown } = load.end();
    memory = Math.max(memory, memoryMb);
    const { count, p99, max, failures } = probe.take();
    run.log(
      `${name}: ${outcome}; others: ${count} requests, p99 ${p99} ms, max ${max} ms, ${failures.length} failures`,
    );
    guarantee(failures.length === 0, `${name}: ${failures.length} of ${count} other requests failed: ${failures[0]}`);
    if (name === 'none') baseline = p99;
    guarantee(memoryMb <= memoryMbMax, `${name}: the service took ${memoryMb} MB`);
    guarantee(
      p99 <= baseline + run.number('p99') * slowdown,
      `${name}: the p99 of other clients is ${p99} ms, and ${baseline} ms without attack`,
    );
    figures[name] =
      `${outcome} (others p99 ${p99} ms${slowdown > 1.5 ? `, slowed down ${slowdown.toFixed(1)} times by other programs` : ''})`.trim();
  }
  return { ...figures, 'peak memory': `${memory} MB` };
}
