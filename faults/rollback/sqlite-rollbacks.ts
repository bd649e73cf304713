import { copyFileSync, rmSync } from 'node:fs';
import { freshSqlite } from '../harness/fresh-database.ts';
import type { Run } from '../harness/run.ts';
import type { Service } from '../harness/service.ts';
import type { Rollback } from './rollback.ts';

/** The file of a stopped service, copied and later copied back. */
export class SqliteCopy implements Rollback {
  readonly databaseUrl: string;
  readonly confirmsRetained = true;
  readonly #path: string;

  static async open(run: Run): Promise<SqliteCopy> {
    return new SqliteCopy(run);
  }

  private constructor(run: Run) {
    const { url, path, remove } = freshSqlite();
    run.atEnd(remove);
    this.databaseUrl = url;
    this.#path = path;
  }

  async mark(service: Service): Promise<void> {
    await service.stop();
    copyFileSync(this.#path, `${this.#path}.copy`);
    await service.start();
  }

  async lose(service: Service): Promise<void> {
    await service.stop();
    for (const end of ['-wal', '-shm']) rmSync(this.#path + end, { force: true });
    copyFileSync(`${this.#path}.copy`, this.#path);
    await service.start();
  }
}

/** A backup of a running service, and its restore as documented. */
export class SqliteRestore implements Rollback {
  readonly databaseUrl: string;
  /** The documentation guarantees that a restore confirms no earlier ETag. */
  readonly confirmsRetained = false;
  readonly #file: string;

  static async open(run: Run): Promise<SqliteRestore> {
    return new SqliteRestore(run);
  }

  private constructor(run: Run) {
    const { url, path, remove } = freshSqlite();
    run.atEnd(remove);
    this.databaseUrl = url;
    this.#file = `${path}.backup`;
  }

  async mark(service: Service): Promise<void> {
    await service.command('backup', this.#file);
  }

  async lose(service: Service): Promise<void> {
    await service.stop();
    await service.command('restore', this.#file);
    await service.start();
  }
}
