import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { HttpRequest } from '@appregistrar/testkit/http/http-request';
import { type ReceivedResponse, send } from '@appregistrar/testkit/http/send';
import { freePort } from '@appregistrar/testkit/system/free-port';
import { StartedProcess } from '@appregistrar/testkit/system/started-process';
import { builtLauncher } from './built-package.ts';
import type { Bench } from './case.ts';
import type { Database, EngineName } from './databases.ts';
import { onCore } from './machine.ts';
import type { Mechanism } from './speed.ts';

const limitMain = fileURLToPath(new URL('../limit/bare-server.ts', import.meta.url));
const durableMain = fileURLToPath(new URL('../limit/durable-server.ts', import.meta.url));
const handWrittenMain = fileURLToPath(new URL('../hand-written/main.ts', import.meta.url));
const startMsMax = 60_000;
const endMsMax = 15_000;

/** A measured server. */
export interface Contestant {
  name: string;
  port: number;
  process: StartedProcess;
  stop(): Promise<void>;
}

export interface Ours extends Contestant {
  operatorPort: number;
  database: Database;
}

export const limitName = 'bare node:http';
export const durableName = 'bare node:http and node:sqlite';

export function oursName(engine: EngineName): string {
  return `app-registry, ${engine}`;
}

export function handWrittenName(engine: EngineName): string {
  return `hand-written, ${engine}`;
}

export interface Placement {
  /** More than one as an array. Default: that of the measured server. */
  core?: number | number[] | undefined;
  /** Measured without a mechanism for speed. */
  without?: Mechanism;
  /** A command that starts it, in the same process. */
  under?: string[] | undefined;
  /** Environment variables, besides those of its addresses and its database. */
  env?: Record<string, string>;
}

/** The registry as installed, in its default configuration. Stopping it keeps the database. */
export async function startOurs(bench: Bench, database: Database, placement: Placement = {}): Promise<Ours> {
  const [port, operatorPort] = [await freePort(), await freePort()];
  const process = spawnOurs(bench, { ...placement, database, port, operatorPort });
  await untilResponding(process, port);
  return { name: oursName(database.engine), port, operatorPort, process, database, stop: () => stopProcess(process) };
}

const storedBytesMax = 999_999_999;

interface OursOptions extends Placement {
  database: Database;
  port: number;
  operatorPort: number;
}

/** Like `startOurs`, but does not wait until it responds. */
export function spawnOurs(
  bench: Bench,
  { database, port, operatorPort, core, env, without, under }: OursOptions,
): StartedProcess {
  const variables = {
    // One developer's updates would reach the limit within seconds. They are counted as usual.
    STORED_BYTES_PER_DEVELOPER_PER_DAY: String(storedBytesMax),
    ...env,
    DATABASE_URL: database.url,
    PUBLIC_ADDRESS: `127.0.0.1:${port}`,
    OPERATOR_ADDRESS: `127.0.0.1:${operatorPort}`,
  };
  return start(bench, [builtLauncher(bench, without), 'serve'], { env: variables, core, under });
}

/** A straightforward implementation on the same tables. */
export async function startHandWritten(bench: Bench, database: Database): Promise<Contestant> {
  const port = await freePort();
  const process = start(bench, [handWrittenMain], { env: { DATABASE_URL: database.url, PORT: String(port) } });
  await untilResponding(process, port);
  return { name: handWrittenName(database.engine), port, process, stop: () => stopProcess(process) };
}

/** The limit of a case: replays the response of another contestant, or echoes bodies with its header. */
export async function startLimit(
  bench: Bench,
  source: { port: number; request: HttpRequest; echoes: boolean },
): Promise<Contestant> {
  const { status, headers, text } = await sendOnce(source.port, source.request);
  const file = join(bench.folder, `response-${source.port}.json`);
  await writeFile(file, JSON.stringify({ status, headers, body: text, echoes: source.echoes }));
  return startReplay(bench, file);
}

/** The limit of durable updates: stores the rows of an update in a SQLite database, and nothing else. */
export async function startDurableLimit(bench: Bench, { url }: Database): Promise<Contestant> {
  const port = await freePort();
  const process = start(bench, [durableMain, url.slice('sqlite:'.length), String(port)], {});
  await untilResponding(process, port);
  return { name: durableName, port, process, stop: () => stopProcess(process) };
}

/** Bare `node:http` with the response of a file. */
export async function startReplay(bench: Bench, file: string): Promise<Contestant> {
  const port = await freePort();
  const process = start(bench, [limitMain, file, String(port)], {});
  await untilResponding(process, port);
  return { name: limitName, port, process, stop: () => stopProcess(process) };
}

export async function stopAll(contestants: Contestant[]): Promise<void> {
  await Promise.all(contestants.map((one) => one.stop()));
}

/** Sends a request on its own connection. The response is not compressed. */
export function sendOnce(port: number, request: HttpRequest): Promise<ReceivedResponse> {
  const headers = { ...request.headers, connection: 'close', 'accept-encoding': 'identity' };
  return send(`http://127.0.0.1:${port}`, { ...request, headers });
}

/** Throws once a server has ended on its own. */
export function requireRunning(process: StartedProcess): void {
  if (process.hasEnded) throw new Error(`a server has ended:\n${process.lastOutput}`);
}

/** Stops a server, and kills it if that takes too long. */
export async function stopProcess(process: StartedProcess): Promise<void> {
  const timer = setTimeout(() => process.end('SIGKILL'), endMsMax);
  await process.end('SIGTERM');
  clearTimeout(timer);
}

function start(
  bench: Bench,
  [main = '', ...args]: string[],
  { env = {}, core = bench.cores?.server, under = [] }: Placement,
): StartedProcess {
  // As docs/systemd.md advises for one core.
  const flags = typeof core !== 'number' ? [] : ['--single-threaded-gc', '--max-semi-space-size=8'];
  const [command = '', ...words] = [...onCore(core), ...under, process.execPath, ...flags, main, ...args];
  return new StartedProcess([command, ...words], {
    env: { PATH: process.env.PATH ?? '', ...env },
    outputFile: join(bench.folder, 'servers.log'),
  });
}

/** Resolves once a server responds, with any status. */
async function untilResponding(process: StartedProcess, port: number): Promise<void> {
  const deadline = performance.now() + startMsMax;
  for (;;) {
    try {
      await sendOnce(port, { method: 'GET', path: '/' });
      return;
    } catch (error) {
      requireRunning(process);
      if (performance.now() > deadline) throw new Error('a server does not respond', { cause: error });
      await sleep(20);
    }
  }
}
