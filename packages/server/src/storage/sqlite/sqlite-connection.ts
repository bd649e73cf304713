import { type BigIntStats, realpathSync, statSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import {
  DummyDriver,
  ExpressionWrapper,
  type FunctionNode,
  type InsertQueryNode,
  Kysely,
  SqliteQueryCompiler as KyselySqliteQueryCompiler,
  type LimitNode,
  type OperationNode,
  OrActionNode,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  sql,
  ValueNode,
} from 'kysely';
import { type Connection, defineList, type QueryBuilder, requireValues, rowValues, type Statement } from '../query.ts';
import {
  BatchLoader,
  changesToApproved,
  developerNonce,
  platformRevisionText,
  type RequestLookups,
  requestTokenColumns,
} from '../request-lookups.ts';
import type { FeedOrder } from '../storage.ts';
import { StorageUnavailable } from '../storage-failure.ts';
import { columns, type Tables } from '../tables.ts';

/** Number of rows that make one batch of a long write. */
const manyRows = 500;

/** One SQLite connection, which prepares its named statements once. */
export class SqliteConnection implements Connection {
  readonly builder: QueryBuilder;
  readonly #database: DatabaseSync;
  readonly #asFailure: (error: unknown) => unknown;
  readonly #prepared = new Map<string, SqliteQuery>();
  /** Number of executed statements that may have changed something. */
  changes = 0;

  constructor(database: DatabaseSync, builder: QueryBuilder, asFailure: (error: unknown) => unknown) {
    this.#database = database;
    this.builder = builder;
    this.#asFailure = asFailure;
  }

  async rows<Row>(statement: Statement<Row>): Promise<Row[]> {
    // A statement that returns rows may also delete them.
    if (statement.query.kind !== 'SelectQueryNode') this.changes += 1;
    return this.#execute(() => this.#prepare(statement).all<Row>(valuesOf(statement)));
  }

  async run(statement: Statement): Promise<number> {
    this.changes += 1;
    return this.#execute(() => this.#prepare(statement).run(valuesOf(statement)));
  }

  async insertAll<Table extends keyof Tables>(table: Table, rows: Tables[Table][]): Promise<void> {
    await this.#insert(table, rows, '');
  }

  insertNew<Table extends keyof Tables>(table: Table, rows: Tables[Table][]): Promise<Tables[Table][]> {
    return this.#insert(table, rows, 'on conflict do nothing');
  }

  /** Returns the rows that were not inserted. */
  async #insert<Table extends keyof Tables>(
    table: Table,
    rows: Tables[Table][],
    onConflict: string,
  ): Promise<Tables[Table][]> {
    const names: readonly string[] = columns[table];
    const list = names.map((name) => `"${name}"`).join(', ');
    const sql = `insert into ${table} (${list}) values (${names.map(() => '?').join(', ')}) ${onConflict}`;
    // SQLite blocks this thread: without a pause, no request would be served until the write is complete.
    if (rows.length >= manyRows) await new Promise(setImmediate);
    this.changes += 1;
    return this.#execute(() => {
      const insert = this.#prepare({ name: sql, sql });
      return rows.filter((row) => insert.run(asInputs(rowValues(table, row))) === 0);
    });
  }

  #execute<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw this.#asFailure(error);
    }
  }

  #prepare({ name, sql }: Pick<Statement, 'name' | 'sql'>): SqliteQuery {
    if (!name) return new SqliteQuery(this.#database, sql);
    let prepared = this.#prepared.get(name);
    if (!prepared) {
      prepared = new SqliteQuery(this.#database, sql);
      this.#prepared.set(name, prepared);
    }
    return prepared;
  }
}

/** A prepared statement that returns plain objects: the driver's are slow to copy and survive some garbage collections. */
export class SqliteQuery {
  readonly #statement: StatementSync;
  readonly #names: string[];
  /** Rows are copies of it: adding a column after the other moves a long row again and again. */
  readonly #emptyRow: Record<string, SQLOutputValue | undefined>;

  constructor(database: DatabaseSync, sql: string) {
    this.#statement = database.prepare(sql);
    this.#statement.setReturnArrays(true);
    this.#names = this.#statement.columns().map(({ name }) => name);
    this.#emptyRow = Object.fromEntries(this.#names.map((name) => [name, undefined]));
  }

  all<Row>(values: SQLInputValue[]): Row[] {
    return this.#statement.all(...values).map((row) => this.#rowOf<Row>(row));
  }

  /** The statement must not be used again while it iterates. Nothing is executed before the first row is requested. */
  *iterate<Row>(values: SQLInputValue[]): Generator<Row, undefined> {
    for (const row of this.#statement.iterate(...values)) yield this.#rowOf<Row>(row);
  }

  /** Returns the number of changed rows. */
  run(values: SQLInputValue[]): number {
    return Number(this.#statement.run(...values).changes);
  }

  /** The driver returns an array of values, because of `setReturnArrays`. */
  #rowOf<Row>(values: Record<number, SQLOutputValue>): Row {
    const row = { ...this.#emptyRow };
    let at = 0;
    for (const name of this.#names) row[name] = values[at++];
    return row as Row;
  }
}

/** The values of a statement, for the driver. */
export function valuesOf({ sql, parameters }: Statement): SQLInputValue[] {
  return asInputs(requireValues(parameters, sql));
}

/** Unchecked: the driver rejects a value that it cannot bind. */
function asInputs(values: unknown[]): SQLInputValue[] {
  return values as SQLInputValue[];
}

/** One transaction writes at a time, and its ids are greater than all that are stored. */
export const sqliteFeedOrder: FeedOrder = {
  position: sql<number>`0`,
  columns: ['id'],
  isAfter: ({ id }) => sql<boolean>`id > ${id}`,
  horizon: null,
  isForeign: null,
};

class SqliteQueryCompiler extends KyselySqliteQueryCompiler {
  /**
   * A statement that fails undoes its write. To undo its own rows alone, SQLite would copy each page before the statement
   * changes it, which takes a third of the time of inserting two events.
   */
  protected override visitInsertQuery(node: InsertQueryNode): void {
    super.visitInsertQuery({ ...node, orAction: OrActionNode.create('fail') });
  }

  /** Omits `for update` and the like: a write already holds the lock of the complete database. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!node.modifier?.startsWith('For')) super.visitSelectModifier(node);
  }

  /** Inlines a constant limit: SQLite would prepare the statement again each time a limit is bound. */
  protected override visitLimit(node: LimitNode): void {
    const limit = ValueNode.is(node.limit) ? node.limit.value : undefined;
    if (Number.isInteger(limit)) this.append(`limit ${limit}`);
    else super.visitLimit(node);
  }

  /** Compiles `date_time(ms)`. */
  protected override visitFunction(node: FunctionNode): void {
    const [argument] = node.arguments;
    if (node.func === 'date_time' && argument) this.visitNode(dateTime(argument));
    else super.visitFunction(node);
  }
}

/** With a Julian day and without `strftime`, it takes a quarter of the time. */
function dateTime(argument: OperationNode): OperationNode {
  const day = sql`${new ExpressionWrapper<object, never, number>(argument)} / 86400000.0 + 2440587.5`;
  return sql`concat(date(${day}), 'T', time(${day}, 'subsec'), 'Z')`.toOperationNode();
}

export const sqliteBuilder: QueryBuilder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

const listTokens = defineList((db, { keys }: { keys: string }) =>
  db
    .selectFrom('access_tokens')
    .select(['hash', ...requestTokenColumns])
    .where('hash', 'in', eachOf(keys)),
);
const listAppRevisions = defineList((db, { keys }: { keys: string }) =>
  db
    .selectFrom('apps')
    .select(['id', 'platform_revision', 'platform_revision_nonce', developerNonce, changesToApproved])
    .where('id', 'in', eachOf(keys)),
);

/** Looks up any number of keys in one statement. Nothing is cached, so a result includes the commits of every process. */
export function sqliteLookups(reader: Connection): RequestLookups {
  return new BatchLoader(async ({ hashes, appIds }) => {
    const tokens = hashes.length > 0 ? await listTokens(reader, { keys: JSON.stringify(hashes) }) : [];
    const apps = appIds.length > 0 ? await listAppRevisions(reader, { keys: JSON.stringify(appIds) }) : [];
    return {
      tokens: new Map(tokens.map(({ hash, ...token }) => [hash, token])),
      revisions: new Map(apps.map((app) => [app.id, platformRevisionText(app)])),
    };
  }, 1);
}

/** The elements of a JSON array. */
function eachOf(keys: string) {
  return sql<string>`(select value from json_each(${keys}))`;
}

type Stats = Pick<BigIntStats, 'dev' | 'ino' | 'size'>;

interface OpenFilesOptions {
  /** The file at the location just before it was opened; undefined if there was none. */
  before: Stats | undefined;
  /** The size of the database, in bytes. */
  databaseBytes: () => number;
  /** Called once, when a file is first missed. */
  onLost: (reason: string) => void;
}

/**
 * The files of an open database: the database, its log, and the index of the log that all processes share. SQLite
 * continues without an error on files that were removed or replaced, but no other process and no restart finds what it
 * writes there.
 */
export class OpenFiles {
  /** The files as they were opened, by path. */
  readonly #files: Map<string, Stats>;
  readonly #location: string;
  readonly #databaseBytes: () => number;
  readonly #onLost: (reason: string) => void;
  /** Size of the database file at the last check. */
  #size = 0n;
  #lost: string | undefined;
  /** Whether they were checked in this turn of the event loop. */
  #isChecked = false;

  /** Requires an open connection that has created the log. Throws if a file was removed or replaced meanwhile. */
  constructor(location: string, { before, databaseBytes, onLost }: OpenFilesOptions) {
    // The location may be a link, which SQLite has followed.
    const real = realpathSync(location);
    this.#location = location;
    this.#files = new Map([location, `${real}-wal`, `${real}-shm`].map((path) => [path, requireFile(path)]));
    this.#databaseBytes = databaseBytes;
    this.#onLost = onLost;
    if (before && !isSame(before, requireFile(location))) throw new Error('it was replaced meanwhile');
  }

  /**
   * Throws `StorageUnavailable` unless every path still leads to the file that was opened. From the first loss on it
   * always throws, because other processes may have used other files meanwhile.
   */
  assertInPlace(): void {
    this.#lost ??= this.#findLoss();
    this.assertUsable();
  }

  /** The same for reads, but looks at the files once in a turn of the event loop, however many there are. */
  assertReadable(): void {
    if (this.#isChecked) this.assertUsable();
    else {
      this.assertInPlace();
      this.#isChecked = true;
      setImmediate(() => {
        this.#isChecked = false;
      });
    }
  }

  /** Throws `StorageUnavailable` after a loss. Does not look at the files. */
  assertUsable(): void {
    if (this.#lost !== undefined) throw new StorageUnavailable(this.#lost);
  }

  /** From now on the database is neither read nor written. Call it before closing the connections, which removes the log. */
  giveUp(reason: string): void {
    this.#lost ??= reason;
  }

  #findLoss(): string | undefined {
    for (const [path, opened] of this.#files) {
      const change = this.#changeOf(path, opened);
      if (change === undefined) continue;
      const reason = `${path} was ${change} while it was in use`;
      this.#onLost(reason);
      return reason;
    }
    return undefined;
  }

  /** No other file gets the inode number of a file that is open, so the comparison is exact. */
  #changeOf(path: string, opened: Stats): string | undefined {
    const found = findFile(path);
    if (!found) return 'removed';
    if (!isSame(found, opened)) return 'replaced';
    return path === this.#location && this.#isOverwritten(found) ? 'overwritten' : undefined;
  }

  /** SQLite makes the file shorter only to the size of a vacuumed database. */
  #isOverwritten({ size }: Stats): boolean {
    const isShorter = size < this.#size;
    this.#size = size;
    return isShorter && size < this.#databaseBytes();
  }
}

/** The file at a path; undefined if there is none. */
export function findFile(path: string): Stats | undefined {
  try {
    // Some file systems have inode numbers above 2^53.
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    throw new StorageUnavailable(`${path} is inaccessible`, { cause: error });
  }
}

function requireFile(path: string): Stats {
  const found = findFile(path);
  if (!found) throw new Error(`${path} was removed meanwhile`);
  return found;
}

function isSame(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}
