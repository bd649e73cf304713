import { writeFile } from 'node:fs/promises';
import { request as ask } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from 'app-registry-testkit/programs/program';
import { type Ask, fieldsOf } from '../load/http-request.ts';
import { builtLauncher } from './built-package.ts';
import type { Bench } from './case.ts';
import { Child } from './child.ts';
import type { Database, EngineName } from './databases.ts';

const limitMain = fileURLToPath(new URL('../limit/bare-server.ts', import.meta.url));
const handWrittenMain = fileURLToPath(new URL('../hand-written/main.ts', import.meta.url));
const startMsMax = 60_000;

/** A server that is measured. */
export interface Contestant {
  name: string;
  port: number;
  child: Child;
  stop(): Promise<void>;
}

export interface Ours extends Contestant {
  operatorPort: number;
  database: Database;
}

export const limitName = 'bare node:http';

export function oursName(engine: EngineName): string {
  return `app-registry, ${engine}`;
}

export function handWrittenName(engine: EngineName): string {
  return `by hand, ${engine}`;
}

/** The registry as it is installed and configured by default, on a database, which stays when it ends. */
export async function startOurs(bench: Bench, database: Database, core = bench.cores?.server): Promise<Ours> {
  const [port, operatorPort] = [await freePort(), await freePort()];
  const child = spawnOurs(bench, { database, port, operatorPort, core });
  await untilAnswered(child, port);
  return { name: oursName(database.engine), port, operatorPort, child, database, stop: () => child.stop() };
}

interface OursPlace {
  database: Database;
  port: number;
  operatorPort: number;
  core?: number | undefined;
}

/** The same, without waiting until it answers. */
export function spawnOurs(bench: Bench, { database, port, operatorPort, core }: OursPlace): Child {
  const env = {
    DATABASE_URL: database.url,
    PUBLIC_ADDRESS: `127.0.0.1:${port}`,
    OPERATOR_ADDRESS: `127.0.0.1:${operatorPort}`,
  };
  return start(bench, [builtLauncher(bench), 'serve'], { env, core });
}

/** What a team would write, on the same tables. */
export async function startHandWritten(bench: Bench, database: Database): Promise<Contestant> {
  const port = await freePort();
  const child = start(bench, [handWrittenMain], { env: { DATABASE_URL: database.url, PORT: String(port) } });
  await untilAnswered(child, port);
  return { name: handWrittenName(database.engine), port, child, stop: () => child.stop() };
}

/** The limit of a case: sends what another contestant has answered, or echoes what it is sent under that header. */
export async function startLimit(
  bench: Bench,
  asked: { port: number; ask: Ask; echoes: boolean },
): Promise<Contestant> {
  const port = await freePort();
  const answer = await answerTo(asked.port, asked.ask);
  const file = join(bench.folder, `answer-${port}.json`);
  await writeFile(file, JSON.stringify({ ...answer, echoes: asked.echoes }));
  const child = start(bench, [limitMain, file, String(port)], {});
  await untilAnswered(child, port);
  return { name: limitName, port, child, stop: () => child.stop() };
}

export async function stopAll(contestants: Contestant[]): Promise<void> {
  await Promise.all(contestants.map((one) => one.stop()));
}

export interface WholeAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** One answer, on a connection of its own. */
export function answerTo(port: number, { method, path, token, headers, body }: Ask): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    const fields = fieldsOf({ token, headers: headers ?? {}, body });
    const request = ask({ host: '127.0.0.1', port, method, path, headers: fields, agent: false }, async (response) => {
      try {
        const named = response.headers as Record<string, string>;
        resolve({ status: response.statusCode ?? 0, headers: named, body: await text(response) });
      } catch (error) {
        reject(error);
      }
    });
    request.on('error', reject).end(body);
  });
}

function start(
  bench: Bench,
  [main = '', ...args]: string[],
  { env = {}, core = bench.cores?.server }: { env?: Record<string, string>; core?: number | undefined },
): Child {
  // As docs/operating.md says for one processor.
  const flags = core === undefined ? [] : ['--single-threaded-gc', '--max-semi-space-size=8'];
  return new Child([process.execPath, ...flags, main, ...args], {
    core,
    env,
    output: join(bench.folder, 'servers.log'),
  });
}

/** Whatever the answer is. */
async function untilAnswered(child: Child, port: number): Promise<void> {
  const deadline = performance.now() + startMsMax;
  for (;;) {
    try {
      await answerTo(port, { method: 'GET', path: '/', token: '' });
      return;
    } catch (error) {
      child.requireAlive();
      if (performance.now() > deadline) throw new Error('a server does not answer', { cause: error });
      await sleep(20);
    }
  }
}
