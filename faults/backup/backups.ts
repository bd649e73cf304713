import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatingPage } from '@appregistrar/testkit/pages/operating-page';
import { linkedLauncher } from '@appregistrar/testkit/programs/program';
import { systemPath } from '@appregistrar/testkit/programs/system-programs';
import { StartedProcess } from '@appregistrar/testkit/system/started-process';
import { removeFolder, temporaryFolder } from '@appregistrar/testkit/system/temporary-folder';
import type { Run } from '../harness/run.ts';
import type { Service } from '../harness/service.ts';

/** Backup and restore, as `docs/backup.md` describes them. Backups are numbered. */
export interface Backups {
  /** Creates a backup while the service runs. */
  create(at: number): Promise<void>;
  /** Starts a backup and kills it. Returns whether it has left a backup. Absent for `pg_dump`, which is not ours. */
  createAndKill?(at: number, afterMs: number): Promise<boolean>;
  /** Restores a backup into a separate database, and returns its URL. */
  restore(at: number): Promise<string>;
  /** Restores a backup to serve, and returns the URL of its database. Throws if the restore is refused. */
  restoreServed(at: number): Promise<string>;
}

/** Backups by the commands of the registry. */
export class SqliteBackups implements Backups {
  readonly #run: Run;
  readonly #service: Service;
  readonly #url: string;
  readonly #folder: string;

  constructor(run: Run, { service, url }: { service: Service; url: string }) {
    this.#run = run;
    this.#service = service;
    this.#url = url;
    this.#folder = freshFolder(run);
  }

  async create(at: number): Promise<void> {
    await this.#service.command('backup', this.#file(at));
  }

  async createAndKill(at: number, afterMs: number): Promise<boolean> {
    const command = [process.execPath, this.#run.source.main, 'backup', this.#file(at)] as const;
    const backup = new StartedProcess(command, { env: { PATH: process.env.PATH ?? '', DATABASE_URL: this.#url } });
    await sleep(afterMs);
    await backup.end('SIGKILL');
    return existsSync(this.#file(at));
  }

  async restore(at: number): Promise<string> {
    const url = `sqlite:${join(this.#folder, `restored-${at}.db`)}`;
    await this.#service.command('restore', this.#file(at), '--database-url', url);
    await this.#service.command('check', '--database-url', url);
    return url;
  }

  /** Replaces the served database. */
  async restoreServed(at: number): Promise<string> {
    await this.#service.command('restore', this.#file(at));
    await this.#service.command('check');
    return this.#url;
  }

  #file(at: number): string {
    return join(this.#folder, `backup-${at}.db`);
  }
}

/** Backups by the standard tools: runs the blocks of the page, with another name for the new database. */
export class PostgresBackups implements Backups {
  readonly #url: string;
  readonly #folder: string;
  readonly #blocks: string[];

  static async open(run: Run, url: string): Promise<PostgresBackups> {
    const section = (await OperatingPage.read()).section('Back up and restore PostgreSQL');
    return new PostgresBackups(url, freshFolder(run), section.blocks('sh'));
  }

  private constructor(url: string, folder: string, blocks: string[]) {
    this.#url = url;
    this.#folder = folder;
    this.#blocks = blocks;
  }

  async create(at: number): Promise<void> {
    mkdirSync(this.#backupFolder(at));
    await this.#run(at, this.#blocks[0]);
  }

  async restore(at: number): Promise<string> {
    const RESTORED_URL = this.#restoredUrl(at);
    const block = this.#blocks[1]?.replaceAll('registry_restored', new URL(RESTORED_URL).pathname.slice(1));
    await this.#run(at, block, { RESTORED_URL });
    return RESTORED_URL;
  }

  /** Keeps the original database. Servers start on the restored one. */
  async restoreServed(at: number): Promise<string> {
    return this.#restoredUrl(at);
  }

  #restoredUrl(at: number): string {
    return Object.assign(new URL(this.#url), { pathname: `registry_restored_${at}` }).href;
  }

  async #run(at: number, block = 'false', more: Record<string, string> = {}): Promise<void> {
    const PATH = [dirname(linkedLauncher), systemPath].join(delimiter);
    const env = { PATH, DATABASE_URL: this.#url, ...more };
    await StartedProcess.run(['/bin/sh', '-e', '-c', block], { env, cwd: this.#backupFolder(at) });
  }

  #backupFolder(at: number): string {
    return join(this.#folder, String(at));
  }
}

function freshFolder(run: Run): string {
  const folder = temporaryFolder('backups-');
  run.atEnd(() => removeFolder(folder));
  return folder;
}
