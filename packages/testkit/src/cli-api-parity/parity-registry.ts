import { readConfig } from '../../../server/src/config/config.ts';
import type { IssuedAccessToken } from '../../../server/src/features/access/access-token.ts';
import { openRegistry } from '../../../server/src/features/settings/settings.ts';
import type { Registry } from '../../../server/src/kernel/registry.ts';
import { openStorage } from '../../../server/src/storage/open-storage.ts';
import { claimApp } from '../calls/review.ts';
import type { Engine } from '../engines/engines.ts';
import { CommandLine } from '../programs/command-line.ts';
import { archiveFirstEvents } from '../registry/archive-first-events.ts';
import { IdNames } from './id-names.ts';
import { ids, knownIds, seedFile } from './seed.ts';

/** A registry that starts with the same content as any other of its kind, to be changed by one interface only. */
export class ParityRegistry {
  readonly registry: Registry;
  readonly cli: CommandLine;
  /** Of an operator with the scope `admin`. */
  readonly token: IssuedAccessToken;
  /** The names of what is created in this registry. */
  readonly names = new IdNames(knownIds);

  static async open(engine: Engine): Promise<ParityRegistry> {
    const cli = await CommandLine.open(engine);
    await cli.done('import', seedFile, '--actor', 'seed');
    const token = await cli.done<IssuedAccessToken>('token', 'issue', '--kind', 'operator', '--scope', 'admin');
    const registry = await openRegistry(await openStorage(cli.databaseUrl), readConfig({}));
    for (const id of [ids.archived, ids.archivedChange]) await archiveFirstEvents(registry, id, 1);
    await claimApp(registry, { actor: 'command-line:seed', requestId: null }, { appId: ids.rejected, claim: {} });
    return new ParityRegistry({ registry, cli, token });
  }

  private constructor({ registry, cli, token }: Pick<ParityRegistry, 'registry' | 'cli' | 'token'>) {
    this.registry = registry;
    this.cli = cli;
    this.token = token;
  }

  async close(): Promise<void> {
    await this.registry.storage.close();
    await this.cli.close();
  }
}
