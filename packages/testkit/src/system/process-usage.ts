import { existsSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** The resident memory of a process, in MiB; 0 if it has ended. */
export function residentMib(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(read(pid, 'status'))?.[1] ?? 0;
  return Number(kib) / 1_024;
}

/** The processor time that a process has used, in seconds; 0 if it has ended. */
export function cpuSeconds(pid: number): number {
  // The name of the program, in parentheses, may contain spaces.
  const fields = read(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond;
}

/**
 * How long the main thread of a process has run, and has waited for a processor, in milliseconds; 0 if it has ended.
 * See `Documentation/scheduler/sched-stats.rst` of Linux.
 */
export function schedulingMs(pid: number): { ranMs: number; waitedMs: number } {
  const [ran = 0, waited = 0] = read(pid, 'schedstat').split(' ').map(Number);
  return { ranMs: ran / 1e6, waitedMs: waited / 1e6 };
}

function read(pid: number, file: string): string {
  const path = `/proc/${pid}/${file}`;
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
