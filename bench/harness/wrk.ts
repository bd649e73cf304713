import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { HttpRequest } from '@appregistrar/testkit/http/http-request';
import type { Bench, Pace } from './case.ts';
import { onCore } from './machine.ts';

const script = fileURLToPath(new URL('replay.lua', import.meta.url));
let files = 0;

/** Writes the requests that wrk sends in turn, and returns their file. */
export async function writeRequests(folder: string, requests: HttpRequest[]): Promise<string> {
  const file = join(folder, `requests-${files++}.txt`);
  await writeFile(file, requests.map(lineOf).join(''));
  return file;
}

interface Load {
  port: number;
  /** A file of `writeRequests`. */
  requests: string;
}

/** Omitted in a quick run, in which no server is idle for long. */
const resumeSeconds = 1;

/**
 * Successful requests per second. Throws if one fails. A second of the same load precedes the measurement: a process
 * that was idle while others were measured has released memory, and must allocate it again.
 */
export async function wrk(bench: Pick<Bench, 'cores' | 'pace'>, load: Load): Promise<number> {
  if (!bench.pace.isQuick) await wrkFor(bench, load, resumeSeconds);
  return wrkFor(bench, load, bench.pace.seconds);
}

/** How long `wrk` sends requests, in seconds. */
export function wrkSeconds({ isQuick, seconds }: Pace): number {
  return isQuick ? seconds : resumeSeconds + seconds;
}

/** Like `wrk`, for this many seconds and without a second before. */
export async function wrkFor(
  { cores, pace }: Pick<Bench, 'cores' | 'pace'>,
  { port, requests }: Load,
  seconds: number,
): Promise<number> {
  const words = [
    '-t1',
    '--timeout',
    '30s',
    `-c${pace.connections}`,
    `-d${seconds}s`,
    '-s',
    script,
    `http://127.0.0.1:${port}`,
    '--',
    requests,
  ];
  const [program = '', ...args] = [...onCore(cores?.load), 'wrk', ...words];
  const { stdout } = await promisify(execFile)(program, args);
  const failure = /Non-2xx or 3xx responses: \d+|Socket errors: .*/.exec(stdout);
  if (failure) throw new Error(`wrk reports failures: ${failure[0]}, with the requests of ${requests}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}

function lineOf({ method, path, headers = {}, body = '' }: HttpRequest): string {
  return `${[method, path, body, ...Object.entries(headers).flat()].join('\t')}\n`;
}
