import { readConfig } from '../../../server/src/config/config.ts';
import type { IssuedAccessToken } from '../../../server/src/contract/access-token.ts';
import { openRegistry, type Registry } from '../../../server/src/registry/registry.ts';
import { openStorage } from '../../../server/src/storage/open-storage.ts';
import type { Engine } from '../engines/engines.ts';
import { CommandLine } from '../programs/command-line.ts';
import { Names } from './names.ts';
import { knownIds, worldFile } from './world.ts';

/** A registry that begins as any other of its kind does, and then sees what one door lets in. */
export class Twin {
  readonly registry: Registry;
  readonly cli: CommandLine;
  /** Of an operator who may do everything. */
  readonly token: IssuedAccessToken;
  /** Of what this registry makes. */
  readonly names = new Names(knownIds);

  static async open(engine: Engine): Promise<Twin> {
    const cli = await CommandLine.open(engine);
    await cli.done('import', worldFile);
    const token = await cli.done<IssuedAccessToken>('token', 'issue', '--kind', 'operator', '--scope', 'admin');
    const registry = await openRegistry(await openStorage(cli.databaseUrl), readConfig({}));
    return new Twin({ registry, cli, token });
  }

  private constructor({ registry, cli, token }: Pick<Twin, 'registry' | 'cli' | 'token'>) {
    this.registry = registry;
    this.cli = cli;
    this.token = token;
  }

  async close(): Promise<void> {
    await this.registry.storage.close();
    await this.cli.close();
  }
}
