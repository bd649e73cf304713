import { chmodSync, chownSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresPrograms } from 'app-registry-testkit/programs/system-programs';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { StartedProcess } from './started-processes.ts';
import { removeFolder, temporaryFolder } from './temporary-folder.ts';

/** PostgreSQL refuses to run as root: root's server runs as nobody. */
const runAs = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const startMsMax = 60_000;

const settings = {
  listen_addresses: '127.0.0.1',
  max_connections: 100,
  shared_buffers: '32MB',
  // What has to survive a crash is what these runs are about.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  wal_level: 'replica',
  max_wal_senders: 4,
  wal_sender_timeout: '5s',
};

/** A PostgreSQL server of Debian with what a run needs beyond a test: it can be killed, started again and replicated. */
export class PostgresCluster {
  readonly port: number;
  readonly #folder: string;
  readonly #settings: Record<string, string | number>;
  #process: StartedProcess | undefined;

  /** An empty one, which runs. */
  static async create(more: Record<string, string | number> = {}): Promise<PostgresCluster> {
    const cluster = new PostgresCluster(await freePort(), more);
    const initdb = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
    await cluster.#done('initdb', ...initdb, '--pgdata', cluster.#data);
    await cluster.start();
    return cluster;
  }

  /** A copy of another one, which follows it under this name. It runs. */
  static async standbyOf(primary: PostgresCluster, name: string): Promise<PostgresCluster> {
    const standby = new PostgresCluster(await freePort(), {});
    const from = `host=127.0.0.1 port=${primary.port} user=postgres application_name=${name}`;
    await standby.#done(
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

  /** Starts it and resolves once it takes connections, to the milliseconds that took. */
  async start(): Promise<number> {
    const began = performance.now();
    for (;;) {
      this.#process = this.#launch();
      if (await this.#untilConnected(this.#process)) return performance.now() - began;
      // The processes of a server that was killed may still be ending.
      if (performance.now() - began > startMsMax) throw new Error(`PostgreSQL does not start: ${this.#process.tail}`);
      await sleep(50);
    }
  }

  /** All its processes at once, as a machine that loses power would end them, but for the memory of the disk. */
  async kill(): Promise<void> {
    if (!this.#process || this.#process.hasEnded) return;
    const backends = childrenOf(this.#process.pid);
    await this.#process.end('SIGKILL');
    for (const pid of backends) sendKill(pid);
  }

  /** `fast` breaks off what is under way, as the operating system does when it restarts the server. */
  async stop(): Promise<void> {
    if (this.#process && !this.#process.hasEnded) await this.#process.end('SIGINT');
  }

  async promote(): Promise<void> {
    await this.ask('select pg_promote(true, 60)');
  }

  /** Has a setting from now on. */
  async set(name: string, value: string): Promise<void> {
    await this.ask(`alter system set ${name} = '${value}'`);
    await this.ask('select pg_reload_conf()');
  }

  async ask<Row extends object>(sql: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url(), connectionTimeoutMillis: 5_000 });
    // It may be killed while nothing is asked of it.
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Ends it and removes its folder. */
  async remove(): Promise<void> {
    await this.kill();
    removeFolder(this.#folder);
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  #launch(): StartedProcess {
    const given = Object.entries({ ...this.#settings, unix_socket_directories: this.#folder });
    const args = given.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    return new StartedProcess([program('postgres'), '-D', this.#data, ...args], { ...this.#options });
  }

  async #untilConnected(server: StartedProcess): Promise<boolean> {
    const deadline = performance.now() + startMsMax;
    while (!server.hasEnded && performance.now() < deadline) {
      if (await this.ask('select 1').catch(() => null)) return true;
      await sleep(20);
    }
    return false;
  }

  async #done(name: string, ...args: string[]): Promise<void> {
    await StartedProcess.done([program(name), ...args], this.#options);
  }

  get #options() {
    return { ...runAs, env: { LC_ALL: 'C', PATH: process.env.PATH ?? '' }, cwd: this.#folder };
  }
}

function program(name: string): string {
  if (postgresPrograms) return join(postgresPrograms, name);
  throw new Error('The torture of PostgreSQL needs its programs. On Debian install: apt-get install postgresql');
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

function sendKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended with the server.
  }
}
