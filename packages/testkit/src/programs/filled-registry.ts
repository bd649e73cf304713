import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccessToken } from '../../../server/src/contract/access-token.ts';
import { appOf, developerOf } from '../registry/import-file.ts';
import type { RegistryProgram } from './registry-program.ts';
import { Traffic } from './traffic.ts';

type Issued = AccessToken & { token: string };

export interface Filled {
  developerId: string;
  /** One for each app that is updated. */
  traffic: Traffic[];
  /** An app that is not updated. */
  spareId: string;
  platformToken: string;
}

/** Fills a registry by the commands of a program. */
export async function fill(program: RegistryProgram, { sharesTags }: { sharesTags: boolean }): Promise<Filled> {
  const developer = developerOf();
  const { userId: developerId } = developer;
  const busy = ['One', 'Two', 'Three'].map((name) => appOf(developerId, name));
  const spare = appOf(developerId, 'Spare');
  await importLines(program, [developer, ...busy, spare]);
  const [ofDeveloper, ofPlatform] = await Promise.all([
    program.done<Issued>('token', 'issue', '--kind', 'developer', '--developer', developerId),
    program.done<Issued>('token', 'issue', '--kind', 'platform'),
  ]);
  const tokens = { developer: ofDeveloper.token, platform: ofPlatform.token, sharesTags };
  const traffic = busy.map(({ id }) => new Traffic(id, tokens));
  return { developerId, traffic, spareId: spare.id, platformToken: tokens.platform };
}

async function importLines(program: RegistryProgram, lines: object[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'filled-'));
  const file = join(folder, 'registry.jsonl');
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await program.done('import', file);
  await rm(folder, { recursive: true });
}
