import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { withRegistry } from 'app-registry-testkit/registry/with-registry';
import { StartedProcess } from 'app-registry-testkit/system/started-process';
import { removeFolder, temporaryFolder } from 'app-registry-testkit/system/temporary-folder';
import { firstIdAt } from '../../packages/server/src/registry/type-id.ts';
import type { EventRow } from '../../packages/server/src/storage/tables.ts';
import { execute } from '../../packages/server/src/storage/testing/storage-test.ts';
import type { Run } from '../frame/run.ts';

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
    const old = eventsAt(now - 10 * dayMs, run.number('events'));
    const all = [...old, ...eventsAt(now - 1_000, youngEvents)];
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

function eventsAt(time: number, count: number): EventRow[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `${firstIdAt('event', time).slice(0, -6)}${String(at).padStart(6, '0')}`,
    type: 'app.updated',
    occurred_at: time,
    app_id: 'app_1',
    subject_id: 'app_1',
    actor: 'command-line',
    request_id: null,
    before: null,
    after: JSON.stringify({ longDescription: 'x'.repeat(1_000) }),
    details: null,
  }));
}
