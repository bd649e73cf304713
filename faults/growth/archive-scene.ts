import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { eventsAt } from '@appregistrar/testkit/registry/events-at';
import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { StartedProcess } from '@appregistrar/testkit/system/started-process';
import { removeFolder, temporaryFolder } from '@appregistrar/testkit/system/temporary-folder';
import type { Run } from '../harness/run.ts';

const dayMs = 86_400_000;
const youngEvents = 20;

/** A database with old and young events, and the file to archive them to. */
export class ArchiveScene {
  readonly folder: string;
  readonly file: string;
  readonly databaseUrl: string;
  /** Of all events, in order. */
  readonly ids: string[];
  readonly #run: Run;

  static async create(run: Run, databaseUrl: string): Promise<ArchiveScene> {
    const now = Date.now();
    const old = eventsAt(now - 10 * dayMs, { count: run.number('events'), characters: 1_000 });
    const all = [...old, ...eventsAt(now - 1_000, { count: youngEvents, characters: 1_000 })];
    await withRegistry(databaseUrl, ({ storage }) =>
      storage.write((transaction) => transaction.insertNew('events', all)),
    );
    return new ArchiveScene(
      run,
      databaseUrl,
      all.map(({ id }) => id),
    );
  }

  private constructor(run: Run, databaseUrl: string, ids: string[]) {
    this.#run = run;
    this.databaseUrl = databaseUrl;
    this.ids = ids;
    this.folder = temporaryFolder('archive-');
    run.atEnd(() => removeFolder(this.folder));
    this.file = join(this.folder, 'events.jsonl.gz');
  }

  get oldCount(): number {
    return this.ids.length - youngEvents;
  }

  /** Starts to archive all events that may be, under another command such as `strace` if given. */
  archive(under: readonly string[] = []): StartedProcess {
    const args = ['event', 'archive', '--before', '2999-01-01T00:00:00Z', this.file, '--json'];
    const [command = process.execPath, ...rest] = [...under, process.execPath, this.#run.source.main, ...args];
    const env = { PATH: process.env.PATH ?? '', TMPDIR: tmpdir(), DATABASE_URL: this.databaseUrl };
    return new StartedProcess([command, ...rest], { env });
  }

  /** The ids in the file, if it is there and whole. */
  archivedIds(): string[] {
    if (!existsSync(this.file)) return [];
    const lines = gunzipSync(readFileSync(this.file)).toString().trim().split('\n');
    return lines.slice(1, -1).map((line) => JSON.parse(line).id);
  }

  async storedIds(): Promise<string[]> {
    const rows = await this.query<{ id: string }>('select id from events order by id');
    return rows.map(({ id }) => id);
  }

  query<Row>(sql: string): Promise<Row[]> {
    return withRegistry(this.databaseUrl, ({ storage }) => execute<Row>(storage.reader, sql));
  }
}
