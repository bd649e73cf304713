import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Ask, fieldsOf } from '../load/http-request.ts';
import type { Bench, Pace } from './case.ts';
import { onCore } from './machine.ts';

const script = fileURLToPath(new URL('replay.lua', import.meta.url));
let files = 0;

/** Requests that wrk sends in turn, written once: their file. */
export async function writeAsks(folder: string, asks: Ask[]): Promise<string> {
  const file = join(folder, `requests-${files++}.txt`);
  await writeFile(file, asks.map(lineOf).join(''));
  return file;
}

interface Load {
  port: number;
  /** What `writeAsks` has written. */
  asks: string;
}

/** Not in a quick run, in which nobody stands idle for long. */
const againSeconds = 1;

/**
 * Requests a second that were answered well; throws when one was not. A second of the same load comes before: a process
 * that has stood idle while others were measured has given memory back, and takes it again first.
 */
export async function wrk(bench: Pick<Bench, 'cores' | 'pace'>, load: Load): Promise<number> {
  if (!bench.pace.isQuick) await run(bench, load, againSeconds);
  return run(bench, load, bench.pace.seconds);
}

/** For how long `wrk` sends requests, in seconds. */
export function wrkSeconds({ isQuick, seconds }: Pace): number {
  return isQuick ? seconds : againSeconds + seconds;
}

async function run(
  { cores, pace }: Pick<Bench, 'cores' | 'pace'>,
  { port, asks }: Load,
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
    asks,
  ];
  const [program = '', ...args] = [...onCore(cores?.load), 'wrk', ...words];
  const { stdout } = await promisify(execFile)(program, args);
  const bad = /Non-2xx or 3xx responses: \d+|Socket errors: .*/.exec(stdout);
  if (bad) throw new Error(`wrk was not answered as it should be: ${bad[0]}, with the requests of ${asks}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}

function lineOf({ method, path, token, headers, body }: Ask): string {
  const fields = Object.entries(fieldsOf({ token, headers: headers ?? {}, body }));
  return `${[method, path, body ?? '', ...fields.flat()].join('\t')}\n`;
}
