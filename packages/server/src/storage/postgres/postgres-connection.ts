import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import pg from 'pg';
import { type ConnectionInfo, getFileName, getPassword, usePgPass } from 'pgpass/lib/helper.js';
import { homeFolder } from '../../files/home-folder.ts';
import { withoutMark } from '../../files/text-file.ts';
import { type Connection, requireValues, rowValues, type Statement } from '../query.ts';
import { reasonOf } from '../storage-failure.ts';
import { columns, type Tables } from '../tables.ts';
import { builder } from './postgres-dialect.ts';
import { CannotConnect } from './postgres-failure.ts';

/** A statement with its values. */
export interface Execution {
  config: pg.QueryConfig;
  /** Whether its rows are wanted. */
  returnsRows: boolean;
  /** Whether it is known to change nothing. */
  isSelect: boolean;
}

/** The pool for reads, or one write: what differs is how a statement is executed. */
export class PostgresConnection implements Connection {
  readonly builder = builder;
  readonly #execute: (execution: Execution) => Promise<pg.QueryResult>;

  constructor(execute: (execution: Execution) => Promise<pg.QueryResult>) {
    this.#execute = execute;
  }

  async rows<Row>(statement: Statement<Row>): Promise<Row[]> {
    return (await this.#query(statement, { returnsRows: true })).rows as Row[];
  }

  async run(statement: Statement): Promise<number> {
    return (await this.#query(statement)).rowCount ?? 0;
  }

  async insertAll<Table extends keyof Tables>(table: Table, rows: Tables[Table][]): Promise<void> {
    await this.#insert(
      table,
      rows.map((row) => rowValues(table, row)),
      '',
    );
  }

  async insertNew<Table extends keyof Tables>(table: Table, rows: Tables[Table][]): Promise<Tables[Table][]> {
    const [key] = columns[table];
    const given = rows.map((row) => rowValues(table, row));
    // The server reports inserted rows by key, which cannot identify one of several rows with the same key.
    if (new Set(given.map(([keyValue]) => keyValue)).size < rows.length) return this.#insertEach(table, rows);

    const inserted = await this.#insert(table, given, `on conflict do nothing returning ${key}`);
    const keys = new Set(inserted.rows.map((row) => row[key]));
    return rows.filter((_, at) => !keys.has(given[at]?.[0]));
  }

  /** One parameter for any number of rows: a batch takes one round trip. */
  #insert(table: keyof Tables, rows: unknown[][], end: string): Promise<pg.QueryResult> {
    const names: readonly string[] = columns[table];
    const list = names.map((name) => `"${name}"`).join(', ');
    const sql = `insert into ${table} (${list})
      select ${list} from json_populate_recordset(null::${table}, $1::json) ${end}`;
    const json = rows.map((values) => Object.fromEntries(names.map((name, at) => [name, toJson(values[at])])));
    return this.#query({ sql, parameters: [JSON.stringify(json)] });
  }

  async #insertEach<Table extends keyof Tables>(table: Table, rows: Tables[Table][]): Promise<Tables[Table][]> {
    const conflicting: Tables[Table][] = [];
    for (const row of rows) conflicting.push(...(await this.insertNew(table, [row])));
    return conflicting;
  }

  #query(statement: PostgresQuery, { returnsRows = false } = {}): Promise<pg.QueryResult> {
    const isSelect = statement.query?.kind === 'SelectQueryNode';
    return this.#execute({ config: configOf(statement), returnsRows, isSelect });
  }
}

/** The statement as the driver takes it. */
function configOf({ name, sql, parameters }: PostgresQuery): pg.QueryConfig {
  const config: pg.QueryConfig = { text: sql, values: requireValues(parameters, sql) };
  if (name) config.name = name;
  return config;
}

type PostgresQuery = Pick<Statement, 'name' | 'sql' | 'parameters'> & Partial<Pick<Statement, 'query'>>;

/** Bytes in the text form of PostgreSQL; other values unchanged. */
function toJson(value: unknown): unknown {
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
}

const int8 = 20;
const types: pg.CustomTypesConfig = {
  // Counts and milliseconds, all below 2^53.
  getTypeParser: ((oid: number, format: 'text') =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
};

type WhenConnected = (error: Error | undefined, client?: pg.PoolClient, release?: (error?: Error) => void) => void;

/**
 * A pool that reports how long callers waited for a connection when none was idle, and why none could be opened. It
 * replaces broken connections by itself.
 */
export class PostgresPool extends pg.Pool {
  /** Called with the wait, even when it ended without a connection. */
  onWaited: (seconds: number) => void = () => {};

  constructor(config: pg.PoolConfig) {
    // Without a password in the URL, the one of the password file, as it is then.
    super({ password: filePassword as () => Promise<string>, ...config, keepAlive: true, types });
    // A connection that breaks while idle is replaced at its next use.
    this.on('error', () => {});
    // One that breaks in use fails its statements. Without a listener the error would end the process.
    this.on('connect', (client) => client.on('error', () => {}));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(whenConnected: WhenConnected): void;
  override connect(whenConnected?: WhenConnected): Promise<pg.PoolClient> | undefined {
    if (!whenConnected) {
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (client ? resolve(client) : reject(error))),
      );
    }
    // An idle connection is handed out in the next turn, first to callers that are already waiting.
    const waitsSince = this.idleCount > this.waitingCount ? null : performance.now();
    super.connect((error, client, release) => {
      if (waitsSince !== null) this.onWaited((performance.now() - waitsSince) / 1_000);
      whenConnected(error && asConnectError(error), client, release);
    });
    return undefined;
  }
}

/** Called by the driver (PostgreSQL's manual, 32.16, "The Password File"). The folder of a socket stands for this machine. */
async function filePassword({ host, ...rest }: ConnectionInfo): Promise<string> {
  const info = { host: host.startsWith('/') ? 'localhost' : host, ...rest };
  const file = passwordFile();
  const isUsed =
    file !== null &&
    (await stat(file).then(
      (found) => usePgPass(found, file),
      () => false,
    ));
  const text = isUsed && (await readFile(file).catch(() => null));
  const found =
    text &&
    (await new Promise<string | undefined>((resolve) =>
      getPassword(info, Readable.from([withoutMark(text)]), resolve),
    ));
  if (!found) throw new Error(`the server requires a password, and none is set for ${info.user}`);
  return found;
}

/** Without `HOME`, libpq takes the home folder that the system knows, but the package would read a file of the working folder. */
function passwordFile(): string | null {
  const file = getFileName();
  if (file !== '.pgpass') return file;
  const home = homeFolder();
  return home && join(home, file);
}

function asConnectError(error: Error): Error {
  return error instanceof pg.DatabaseError ? error : new CannotConnect(reasonOf(error), { cause: error });
}
