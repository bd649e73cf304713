import { execute } from './execute.ts';

interface TarOptions {
  /** The folder that the paths are relative to. */
  cwd: string;
  /** The time of every file, in seconds. */
  time: number;
  /** The numeric user and group of every file. */
  owner?: number;
}

/** Packs files so that the same content always makes the same bytes. */
export function packTar(file: string, paths: string[], { cwd, time, owner = 0 }: TarOptions): void {
  const sameEverywhere = ['--sort=name', '--format=gnu', `--mtime=@${time}`, '--numeric-owner'];
  execute(['tar', ...sameEverywhere, `--owner=${owner}`, `--group=${owner}`, '-cf', file, ...paths], { cwd });
}
