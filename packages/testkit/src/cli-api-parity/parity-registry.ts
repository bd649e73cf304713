import { readConfig } from '../../../server/src/config/config.ts';
import type { IssuedAccessToken } from '../../../server/src/contract/access-token.ts';
import { openRegistry, type Registry } from '../../../server/src/registry/registry.ts';
import { firstIdAt } from '../../../server/src/registry/type-id.ts';
import { openStorage } from '../../../server/src/storage/open-storage.ts';
import { insertEventArchive } from '../../../server/src/storage/queries/event-archives.ts';
import { deleteEvents, listEventsOfApp } from '../../../server/src/storage/queries/events.ts';
import type { Engine } from '../engines/engines.ts';
import { CommandLine } from '../programs/command-line.ts';
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
    await cli.done('import', seedFile);
    const token = await cli.done<IssuedAccessToken>('token', 'issue', '--kind', 'operator', '--scope', 'admin');
    const registry = await openRegistry(await openStorage(cli.databaseUrl), readConfig({}));
    await archiveEvents(registry);
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

/** As if the events of one app were archived. */
async function archiveEvents({ storage }: Registry): Promise<void> {
  await storage.write(async (transaction) => {
    const events = await listEventsOfApp(transaction, { appId: ids.archived });
    await deleteEvents(
      transaction,
      events.map(({ id }) => id),
    );
    await insertEventArchive(transaction, {
      number: 1,
      id: '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11',
      sha256: '0'.repeat(64),
      events: events.length,
      last_event_id: firstIdAt('event', 0),
      last_occurred_at: Date.parse('2024-02-01T00:00:00.000Z'),
      state: 'archived',
      moved: events.length,
      created_at: Date.parse('2024-02-02T00:00:00.000Z'),
    });
  });
}
