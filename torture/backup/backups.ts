import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatingPage } from 'app-registry-testkit/pages/operating-page';
import { linkedLauncher } from 'app-registry-testkit/programs/program';
import { systemPath } from 'app-registry-testkit/programs/system-programs';
import type { Run } from '../frame/run.ts';
import type { Service } from '../frame/service.ts';
import { StartedProcess } from 'app-registry-testkit/system/started-process';

/** How a registry is backed up and restored, as `docs/operating.md` says it. */
export interface Backups {
  /** Makes the backup of that number while the service runs. */
  make(at: number): Promise<void>;
  /** Makes it, and is killed after so long: whether a backup is there then. What `pg_dump` leaves is PostgreSQL's. */
  makeKilled?(at: number, afterMs: number): Promise<boolean>;
  /** Makes another database of it, beside that which is served; to its address. */
  restore(at: number): Promise<string>;
  /** Has it served from then on; to the address of the database that is. Throws when it is refused. */
  restoreServed(at: number): Promise<string>;
}

/** By the commands of the registry. */
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

  async make(at: number): Promise<void> {
    await this.#service.command('backup', this.#file(at));
  }

  async makeKilled(at: number, afterMs: number): Promise<boolean> {
    const command = [process.execPath, this.#run.source.main, 'backup', this.#file(at)] as const;
    const made = new StartedProcess(command, { env: { PATH: process.env.PATH ?? '', DATABASE_URL: this.#url } });
    await sleep(afterMs);
    await made.end('SIGKILL');
    return existsSync(this.#file(at));
  }

  async restore(at: number): Promise<string> {
    const url = `sqlite:${join(this.#folder, `restored-${at}.db`)}`;
    await this.#service.command('restore', this.#file(at), '--database-url', url);
    await this.#service.command('check', '--database-url', url);
    return url;
  }

  /** In its place. */
  async restoreServed(at: number): Promise<string> {
    await this.#service.command('restore', this.#file(at));
    await this.#service.command('check');
    return this.#url;
  }

  #file(at: number): string {
    return join(this.#folder, `backup-${at}.db`);
  }
}

/** By the standard tools, each block of the page as it is but for the name of the new database. */
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

  async make(at: number): Promise<void> {
    mkdirSync(this.#place(at));
    await this.#done(at, this.#blocks[0]);
  }

  async restore(at: number): Promise<string> {
    const RESTORED_URL = this.#restoredUrl(at);
    const block = this.#blocks[1]?.replaceAll('registry_restored', new URL(RESTORED_URL).pathname.slice(1));
    await this.#done(at, block, { RESTORED_URL });
    return RESTORED_URL;
  }

  /** What was there is kept, and the servers are started on the database that was restored. */
  async restoreServed(at: number): Promise<string> {
    return this.#restoredUrl(at);
  }

  #restoredUrl(at: number): string {
    return Object.assign(new URL(this.#url), { pathname: `registry_restored_${at}` }).href;
  }

  async #done(at: number, block = 'false', more: Record<string, string> = {}): Promise<void> {
    const PATH = [dirname(linkedLauncher), systemPath].join(delimiter);
    const env = { PATH, DATABASE_URL: this.#url, ...more };
    await StartedProcess.run(['/bin/sh', '-e', '-c', block], { env, cwd: this.#place(at) });
  }

  #place(at: number): string {
    return join(this.#folder, String(at));
  }
}

function freshFolder(run: Run): string {
  const folder = mkdtempSync(join(tmpdir(), 'backups-'));
  run.atEnd(() => rmSync(folder, { recursive: true, force: true }));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
