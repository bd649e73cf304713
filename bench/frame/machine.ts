import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, platform, release, totalmem } from 'node:os';

/** Where the parts of a measurement run. Null when they cannot be kept apart. */
export interface Cores {
  /** Of the server that is measured. */
  server: number;
  /** Of the load generators, and of this program. */
  load: number;
  /** Of a second server on the same database. */
  second: number;
}

export interface Machine {
  cpu: string;
  cores: number;
  memoryGib: number;
  system: string;
  node: string;
  pinned: boolean;
}

export function describeMachine(cores: Cores | null): Machine {
  const [first] = cpus();
  return {
    cpu: first?.model.trim() ?? 'unknown',
    // Those of the machine: this program keeps to one of them.
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    node: process.version,
    pinned: cores !== null,
  };
}

/** Moves this program to the core of the load. Null, and a sentence that says why, when that cannot be. */
export function takeCores(say: (text: string) => void): Cores | null {
  const count = availableParallelism();
  if (count < 2) {
    say('This machine has one core: servers and load share it, and the figures tell little.');
    return null;
  }
  if (!isInstalled('taskset')) {
    say('Without taskset, of Debian’s package util-linux, servers and load are not kept on cores of their own.');
    return null;
  }
  const cores = { server: 0, load: 1, second: count > 2 ? 2 : 1 };
  execFileSync('taskset', ['-a', '-c', '-p', String(cores.load), String(process.pid)], { stdio: 'ignore' });
  return cores;
}

/** The words before a command that keep it on a core. */
export function onCore(core: number | undefined): string[] {
  return core === undefined ? [] : ['taskset', '-c', String(core)];
}

/** The words before a command that let it use every core, although this program keeps to one. */
export function onAllCores(cores: Cores | null): string[] {
  return cores ? ['taskset', '-c', `0-${cpus().length - 1}`] : [];
}

function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** What to do about the programs that the cases need and that npm does not bring; null when all are there. */
export function missingPrograms(): string | null {
  const packages = { wrk: 'wrk', pgbench: 'postgresql' };
  const missing = Object.entries(packages).filter(([program]) => !isInstalled(program));
  if (missing.length === 0) return null;
  const names = missing.map(([program]) => program).join(' and ');
  const install = missing.map(([, name]) => name).join(' ');
  return `The benchmark needs ${names}. On Debian and Ubuntu: apt-get install ${install}`;
}

/** What a process holds in memory, in MiB. */
export function residentMib(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib) / 1_024;
}
