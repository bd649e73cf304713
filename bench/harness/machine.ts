import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { isInstalled } from '@appregistrar/testkit/programs/system-programs';

/** The processor core of each part of a measurement. */
export interface Cores {
  /** The measured server. */
  server: number;
  /** The load generators and this program. */
  load: number;
  /** A second server on the same database. */
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
    // All cores of the machine, although this program is pinned to one.
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    node: process.version,
    pinned: cores !== null,
  };
}

/** Pins this program to the core of the load. Returns null, and prints why, if that is impossible. */
export function takeCores(log: (text: string) => void): Cores | null {
  const count = availableParallelism();
  if (count < 2) {
    log('This machine has one core, which servers and load share: the figures mean little.');
    return null;
  }
  if (!isInstalled('taskset')) {
    log('taskset is missing (Debian package util-linux): servers and load are not pinned to separate cores.');
    return null;
  }
  const cores = { server: 0, load: 1, second: count > 2 ? 2 : 1 };
  execFileSync('taskset', ['-a', '-c', '-p', String(cores.load), String(process.pid)], { stdio: 'ignore' });
  return cores;
}

/** A command prefix that pins a command to a core, or to some. */
export function onCore(core: number | number[] | undefined): string[] {
  return core === undefined ? [] : ['taskset', '-c', String(core)];
}

/** A command prefix that allows all cores, although this program is pinned to one. */
export function onAllCores(cores: Cores | null): string[] {
  return cores ? ['taskset', '-c', `0-${cpus().length - 1}`] : [];
}

/** How to install the programs that are missing; null if none is. */
export function missingPrograms(): string | null {
  const packages = { wrk: 'wrk', pgbench: 'postgresql', strace: 'strace' };
  const missing = Object.entries(packages).filter(([program]) => !isInstalled(program));
  if (missing.length === 0) return null;
  const names = missing.map(([program]) => program).join(' and ');
  const install = missing.map(([, name]) => name).join(' ');
  return `The benchmark needs ${names}. On Debian and Ubuntu: apt-get install ${install}`;
}
