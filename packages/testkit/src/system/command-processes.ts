import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The ids of the processes of a command by their numbers, which its supervisor has started. Linux alone shows them. */
export function commandProcesses(supervisorPid: number): Map<number, number> {
  const children = read(`/proc/${supervisorPid}/task/${supervisorPid}/children`).split(' ').map(Number);
  const numbered = children.flatMap((pid): [number, number][] => {
    const number = new RegExp(`(?:^|\\0)APP_REGISTRY_PROCESS=(\\d+) of ${supervisorPid}\\0`).exec(
      read(`/proc/${pid}/environ`),
    )?.[1];
    return number === undefined ? [] : [[Number(number), pid]];
  });
  return new Map(numbered);
}

/** Whether a process has accepted the connection from this port of the loopback address to that. */
export function holdsConnection(pid: number, { from, to }: { from: number; to: number }): boolean {
  const row = new RegExp(` ${hexOf(to)} \\w+:${hexOf(from).slice(-4)} .*`).exec(read('/proc/net/tcp'))?.[0];
  const inode = row?.trim().split(/\s+/)[8];
  if (!inode || inode === '0') return false;
  return descriptorsOf(pid).some((descriptor) => linkOf(descriptor) === `socket:[${inode}]`);
}

function hexOf(port: number): string {
  return `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}

function descriptorsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).map((descriptor) => `${folder}/${descriptor}`);
}

/** Empty for a file that was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** Empty if the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
