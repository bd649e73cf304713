import { chmodSync, chownSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { postgresPrograms } from '../programs/system-programs.ts';
import { freePort } from '../system/free-port.ts';
import { StartedProcess } from '../system/started-process.ts';
import { removeFolder, temporaryFolder } from '../system/temporary-folder.ts';

/** PostgreSQL refuses to run as root, so root starts it as the user `nobody`. */
const runAs = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const startMsMax = 60_000;

const settings = {
  listen_addresses: '127.0.0.1',
  max_connections: 100,
  shared_buffers: '32MB',
  // Data must survive a crash.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  wal_level: 'replica',
  max_wal_senders: 4,
  wal_sender_timeout: '5s',
};

/** A PostgreSQL server of Debian that can be killed, restarted and replicated. */
export class PostgresCluster {
  readonly port: number;
  readonly #folder: string;
  readonly #settings: Record<string, string | number>;
  #process: StartedProcess | undefined;

  /** Creates and starts an empty cluster. */
  static async create(more: Record<string, string | number> = {}): Promise<PostgresCluster> {
    const cluster = new PostgresCluster(await freePort(), more);
    const initdb = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
    await cluster.#run('initdb', ...initdb, '--pgdata', cluster.#data);
    await cluster.start();
    return cluster;
  }

  /** Starts a standby that replicates a primary under this application name. */
  static async standbyOf(primary: PostgresCluster, name: string): Promise<PostgresCluster> {
    const standby = new PostgresCluster(await freePort(), {});
    const from = `host=127.0.0.1 port=${primary.port} user=postgres application_name=${name}`;
    await standby.#run(
      'pg_basebackup',
      '--dbname',
      from,
      '--write-recovery-conf',
      '--checkpoint=fast',
      '--pgdata',
      standby.#data,
    );
    await standby.start();
    return standby;
  }

  /** One that archives its log, to be recovered from. */
  static archiving(): Promise<PostgresCluster> {
    const command = 'mkdir -p ../archive && cp %p ../archive/%f';
    return PostgresCluster.create({ archive_mode: 'on', archive_command: command });
  }

  /** Resolves once everything that was written so far is archived. */
  async archived(): Promise<void> {
    const [file] = await this.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name');
    const isArchived = `select 1 from pg_stat_archiver where last_archived_wal >= '${file?.name}'`;
    while ((await this.query(isArchived)).length === 0) await sleep(50);
  }

  /** Makes a base backup, which replaces an earlier one. */
  async backUp(): Promise<void> {
    removeFolder(this.#backup);
    const from = `host=127.0.0.1 port=${this.port} user=postgres`;
    await this.#run('pg_basebackup', '--dbname', from, '--checkpoint=fast', '--pgdata', this.#backup);
  }

  /** A new cluster: the base backup, recovered from the archive up to a restore point. */
  recoverTo(restorePoint: string): Promise<PostgresCluster> {
    return this.recover({
      restore_command: `cp ${this.#folder}/archive/%f %p`,
      recovery_target_name: restorePoint,
      recovery_target_action: 'promote',
    });
  }

  /** A new cluster: the base backup, recovered with these settings. */
  async recover(more: Record<string, string>): Promise<PostgresCluster> {
    const recovered = new PostgresCluster(await freePort(), more);
    await StartedProcess.run(['cp', '-a', this.#backup, recovered.#data], this.#options);
    recovered.#write('recovery.signal');
    await recovered.start();
    return recovered;
  }

  private constructor(port: number, more: Record<string, string | number>) {
    this.port = port;
    this.#settings = { ...settings, ...more, port };
    this.#folder = temporaryFolder('cluster-');
    chmodSync(this.#folder, 0o755);
    if (runAs.uid !== undefined) chownSync(this.#folder, runAs.uid, runAs.gid);
  }

  url(port = this.port): string {
    return `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  /** Starts the server. Resolves once it accepts connections, to the milliseconds that this took. */
  async start(): Promise<number> {
    const startedAt = performance.now();
    for (;;) {
      this.#process = this.#launch();
      if (await this.#untilConnected(this.#process)) return performance.now() - startedAt;
      // The processes of a killed server may not have ended yet.
      if (performance.now() - startedAt > startMsMax)
        throw new Error(`PostgreSQL does not start: ${this.#process.output}`);
      await sleep(50);
    }
  }

  /** Kills all its processes, as a loss of power would, except that the operating system keeps its page cache. */
  async kill(): Promise<void> {
    if (!this.#process || this.#process.hasEnded) return;
    const backends = childrenOf(this.#process.pid);
    await this.#process.end('SIGKILL');
    for (const pid of backends) sendSignal(pid, 'SIGKILL');
  }

  /** Stops all its processes where they are, as a suspended machine does. Returns a function that continues them. */
  freeze(): () => void {
    const main = this.#process?.pid ?? 0;
    // First the one that would start others.
    sendSignal(main, 'SIGSTOP');
    const pids = [main, ...childrenOf(main)];
    for (const pid of pids) sendSignal(pid, 'SIGSTOP');
    const thaw = () => {
      process.off('exit', thaw);
      for (const pid of pids) sendSignal(pid, 'SIGCONT');
    };
    // Nothing else would end the processes of a server that is stopped.
    process.on('exit', thaw);
    return thaw;
  }

  /** A fast shutdown, which aborts transactions, as a restart by the service manager does. */
  async stop(): Promise<void> {
    if (this.#process && !this.#process.hasEnded) await this.#process.end('SIGINT');
  }

  async promote(): Promise<void> {
    await this.query('select pg_promote(true, 60)');
  }

  /** Changes a setting of the running server. */
  async set(name: string, value: string): Promise<void> {
    await this.query(`alter system set ${name} = '${value}'`);
    await this.query('select pg_reload_conf()');
  }

  async query<Row extends object>(sql: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url(), connectionTimeoutMillis: 5_000 });
    // The server may be killed while the connection is idle.
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Kills it and removes its folder. */
  async remove(): Promise<void> {
    await this.kill();
    removeFolder(this.#folder);
  }

  get #backup(): string {
    return join(this.#folder, 'backup');
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  #launch(): StartedProcess {
    const all = Object.entries({ ...this.#settings, unix_socket_directories: this.#folder });
    const args = all.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    return new StartedProcess([program('postgres'), '-D', this.#data, ...args], { ...this.#options });
  }

  async #untilConnected(server: StartedProcess): Promise<boolean> {
    const deadline = performance.now() + startMsMax;
    while (!server.hasEnded && performance.now() < deadline) {
      if (await this.query('select 1').catch(() => null)) return true;
      await sleep(20);
    }
    return false;
  }

  async #run(name: string, ...args: string[]): Promise<void> {
    await StartedProcess.run([program(name), ...args], this.#options);
  }

  #write(name: string): void {
    const path = join(this.#data, name);
    writeFileSync(path, '');
    if (runAs.uid !== undefined) chownSync(path, runAs.uid, runAs.gid);
  }

  get #options() {
    return { ...runAs, env: { LC_ALL: 'C', PATH: process.env.PATH ?? '' }, cwd: this.#folder };
  }
}

function program(name: string): string {
  if (postgresPrograms) return join(postgresPrograms, name);
  throw new Error('PostgreSQL is missing. On Debian and Ubuntu: apt-get install postgresql');
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended with the server.
  }
}
